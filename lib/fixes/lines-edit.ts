import type { CorrectedLines } from '../eks/user-data/correction';
import { lineBreakOf, refuse, type EditPlan } from './text-edit';

export const NOT_THERE = 'the lines that it is about are written otherwise than they read';

/** Replaces lines of a file. Earlier repairs may have moved them: then they are looked for, and must be there once. */
export function replaceLines(text: string, corrected: CorrectedLines | undefined): EditPlan {
  if (corrected === undefined || corrected.isInValue === true) return refuse(NOT_THERE);
  const { first, before, after } = corrected;
  const lines = text.split('\n');
  const matches = (at: number): boolean =>
    before.every((line, index) => (lines[at + index] ?? '').trimEnd() === line.trimEnd());
  const places = matches(first - 1) ? [first - 1] : [...lines.keys()].filter(matches);
  const [at] = places;
  if (at === undefined || places.length > 1) return refuse(NOT_THERE);
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  const old = lines.slice(at, at + before.length).join('\n');
  const lineBreak = lineBreakOf(text);
  // Lines that go, go with their end.
  if (after.length === 0) return { edits: [{ start, end: Math.min(text.length, start + old.length + 1), text: '' }] };
  return { edits: [{ start, end: start + old.replace(/\r$/, '').length, text: after.join(lineBreak) }] };
}
