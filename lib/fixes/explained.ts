import type { Edit } from './edit';
import { lineStart, nextLine, refuse, type EditPlan, type TextEdit } from './text-edit';

const EXPLAINED = 'a comment beside it may say that it is meant: change it, or suppress the finding with that reason';

/** Lines above a value that may still be about it. */
const FARTHEST = 6;

/** What comments on the options of instance metadata speak of. */
const ABOUT_METADATA = /\bhops?\b|imds|metadata|\btokens?\b/i;

const COMMENT = /^\s*(?:#|\/\/|\/\*|\*)/;

/** Of repairs of what may be meant: none, where a comment speaks of the value that they would write over. */
export function unlessExplained(text: string, repair: Edit, plan: EditPlan): EditPlan {
  if (repair.kind !== 'set' || repair.unlessExplained !== true || 'refusal' in plan) return plan;
  return plan.edits.some((edit) => edit.end > edit.start && isExplained(text, edit)) ? refuse(EXPLAINED) : plan;
}

/** In its line, in the line above, or farther above in words about it, such as before the block that it stands in. */
function isExplained(text: string, { start, end }: TextEdit): boolean {
  const behind = text.slice(end, nextLine(text, end));
  if (/^["'\s,}\])]*(?:#|\/\/|\/\*)/.test(behind)) return true;
  const [nearest = '', ...others] = linesAbove(text, start);
  return COMMENT.test(nearest) || others.some((line) => COMMENT.test(line) && ABOUT_METADATA.test(line));
}

/** From the nearest up to the first blank one. There are thousands of edits in a long text, of which each sees its own few lines. */
function linesAbove(text: string, offset: number): string[] {
  const lines: string[] = [];
  for (let start = lineStart(text, offset); start > 0 && lines.length < FARTHEST; ) {
    const end = start - 1;
    start = lineStart(text, end);
    const line = text.slice(start, end);
    if (/^\s*$/.test(line)) break;
    lines.push(line);
  }
  return lines;
}
