import type { Diagnostic, PlacedSuppression, SourceLocation, SuppressedPlace } from '../../value';
import type { LineIndex, Position } from '../positions';
import { isAboutUs, readDirective } from './directive';
import type { Comment, Item } from './placement';

/** The comments of a file that are about eks-guardrails, each with what it stands at. */
export interface FileComments<T = unknown> {
  readonly file: string;
  readonly lines: LineIndex;
  readonly placed: readonly { readonly comment: Comment; readonly item: Item<T> | undefined }[];
}

/** The comments that may hold a decision, in their order. */
export function decidingComments(text: string, comments: readonly Comment[]): readonly Comment[] {
  const sorted = comments.toSorted((a, b) => a.start - b.start);
  return sorted.flatMap((comment, index) => {
    if (!isAboutUs(comment.text)) return [];
    const next = sorted[index + 1];
    const isBelow =
      next !== undefined &&
      /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(text.slice(comment.end, Math.min(next.start, comment.end + MOST_INDENTATION)));
    return [isBelow && next.start - comment.end < MOST_INDENTATION ? { ...comment, below: next.text } : comment];
  });
}

/** Further away nobody goes on with a comment. */
const MOST_INDENTATION = 500;

/** What a comment covers. */
export interface Coverage<T = unknown> {
  readonly item: Item<T>;
  /** The resource, or whatever else the item is a part of. */
  readonly holder: Item<T>;
  /** What it covers besides, that stands elsewhere. @default - nothing */
  readonly also?: (where: SuppressedPlace) => boolean;
}

export interface Ignores {
  readonly suppressions: readonly PlacedSuppression[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What comments ask for that stand at nothing, or at nothing that they could mean. */
export type Misplaced = { readonly problem: string };

/**
 * The decisions in the comments of a file.
 * @param coverageOf what a comment at an item covers; undefined for one that says nothing now, such as one at a resource with `count = 0`
 */
export function ignoresIn<T>(
  { file, lines, placed }: FileComments<T>,
  coverageOf: (item: Item<T> | undefined) => Coverage<T> | Misplaced | undefined,
): Ignores {
  const suppressions: PlacedSuppression[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { comment, item } of placed) {
    const directive = readDirective(comment.text, comment.below);
    if (directive === undefined) continue;
    const at = { file, ...lines.at(comment.start) };
    const coverage = 'problem' in directive ? directive : coverageOf(item);
    if (coverage === undefined) continue;
    if ('problem' in coverage || 'problem' in directive) {
      const message = 'problem' in coverage ? coverage.problem : '';
      diagnostics.push({ severity: 'warning', message, ...at });
      continue;
    }
    const { rules, reason, until } = directive;
    const { holder } = coverage;
    const covers = coverTest(file, lines, coverage);
    const isIn = isWithin(file, lines, holder);
    const scope = { name: coverage.item.name, line: lines.at(coverage.item.start).line };
    const source = { locate: () => at, toJSON: () => at };
    for (const rule of rules)
      suppressions.push({ rule, reason, ...(until === undefined ? {} : { until }), source, scope, covers, isIn });
  }
  return { suppressions, diagnostics };
}

/** A finding is covered if it stands in the item, or its resource does. */
function coverTest<T>(
  file: string,
  lines: LineIndex,
  { item, also }: Coverage<T>,
): (where: SuppressedPlace) => boolean {
  const holds = isWithin(file, lines, item);
  return (where) => holds(where.place) || holds(where.head) || also?.(where) === true;
}

function isWithin(file: string, lines: LineIndex, { start, end }: Item): (place: SourceLocation) => boolean {
  const from = lines.at(start);
  const to = lines.at(end);
  return (place) => place.file === file && compare(from, place) <= 0 && compare(place, to) < 0;
}

function compare(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}
