import { addDays, today } from '../text/day';

/** How long a decision holds that was made in an editor, where nobody was asked for the reason. */
const DAYS_TO_GIVE_A_REASON = 30;

/** What stands for the reason until somebody writes it. */
export function decisionOfToday(): { readonly reason: string; readonly until: string } {
  return {
    reason: 'accepted in the editor, the reason is to be written',
    until: addDays(today(), DAYS_TO_GIVE_A_REASON),
  };
}
