import { isDay } from '../text/day';
import { ENGINE_RULES } from './engine-findings';

/** What every decision to live with a finding says, wherever it is written. */
export interface Decision {
  readonly reason?: string | undefined;
  readonly until?: string | undefined;
}

/** Why a decision has no effect. */
export interface Voidness {
  /** The rule under which it is reported. */
  readonly rule: string;
  /** Goes on a sentence that begins with the decision. */
  readonly text: string;
  readonly fix: string;
}

/**
 * Why a decision has no effect, whatever it covers; undefined if it has. An end that can't be read is no end that lies far away: nobody knows it.
 * @param today `YYYY-MM-DD`
 */
export function whyVoid({ reason, until }: Decision, today: string): Voidness | undefined {
  // JavaScript users may leave the reason out, or write anything.
  if (typeof reason !== 'string' || reason.trim() === '') {
    return {
      rule: ENGINE_RULES.suppressionWithoutReason,
      text: 'gives no reason, so it has no effect',
      fix: 'Add a reason that a later reader can check',
    };
  }
  if (until === undefined) return undefined;
  if (!isDay(until)) {
    return {
      rule: ENGINE_RULES.suppressionExpired,
      text: `has no effect, because its end "${shown(until)}" is no day`,
      fix: 'Write the last day as YYYY-MM-DD, such as 2027-01-31',
    };
  }
  return until < today
    ? {
        rule: ENGINE_RULES.suppressionExpired,
        text: `ended on ${until}`,
        fix: 'Fix what it covers, or decide again and set a later date',
      }
    : undefined;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
