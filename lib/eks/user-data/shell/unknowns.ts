import { Unknown } from '../../../value';
import type { SourceText, UnknownPart } from '../source-text';
import { Fragments, type UnknownFragment } from './word';

/** What a template fills in in a script, found fast, however much of it there is. */
export class Unknowns {
  private static readonly known = new WeakMap<SourceText, Unknowns>();
  private readonly parts: readonly UnknownPart[];
  private readonly byStart: ReadonlyMap<number, UnknownPart>;

  /** Those of a text; a text with many scripts is indexed once. */
  static of(body: SourceText): Unknowns {
    const unknowns = Unknowns.known.get(body) ?? new Unknowns(body);
    Unknowns.known.set(body, unknowns);
    return unknowns;
  }

  private constructor(readonly body: SourceText) {
    this.parts = body.unknownParts;
    this.byStart = new Map(this.parts.map((part) => [part.start, part]));
  }

  /** The unknown part that begins at an offset. */
  at(offset: number): UnknownPart | undefined {
    return this.byStart.get(offset);
  }

  fragment(part: UnknownPart, splits: boolean): UnknownFragment {
    return { unknown: part.unknown, start: part.start, end: part.end, splits, part };
  }

  /** What the script itself computes from `start` to `end`. */
  computed(start: number, end: number, splits: boolean): UnknownFragment {
    const unknown = new Unknown(
      'the script computes it on the node',
      this.body.sourceAt(start),
      this.body.text.slice(start, Math.min(end, start + 80)),
    );
    return { unknown, start, end, splits };
  }

  /** Adds a stretch of the script in which nothing but templates' unknown parts is special. */
  addLiteral(fragments: Fragments, start: number, end: number, splits: boolean): void {
    let from = start;
    for (let index = this.firstEndingAfter(start); index < this.parts.length; index++) {
      const part = this.parts[index];
      if (part === undefined || part.start >= end) break;
      fragments.slice(from, Math.max(from, part.start));
      fragments.push(this.fragment(part, splits));
      from = part.end;
    }
    if (from < end) fragments.slice(from, end);
  }

  private firstEndingAfter(offset: number): number {
    let low = 0;
    let high = this.parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.parts[middle]?.end ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
