/** A comment of a file. */
export interface Comment {
  /** Without the characters that make it a comment. */
  readonly text: string;
  /** Offset of its first character, and of the one behind it. A line break at its end is no part of it. */
  readonly start: number;
  readonly end: number;
  /** Text of the comment in the next line. @default - there is none */
  readonly below?: string;
}

/** A part of a file that has a name or an index: a resource, an attribute, an entry of a map, an item of a list. */
export interface Item<T = unknown> {
  readonly name: string;
  readonly start: number;
  /** Offset behind it. */
  readonly end: number;
  readonly parent: Item<T> | undefined;
  /** Between brackets, so that indentation means nothing in it. */
  readonly isBracketed: boolean;
  /** What the syntax has to say of it. */
  readonly detail?: T;
}

/** Finds what a comment is about: what begins in its line, or else right below it, or else what it stands in. */
export class Layout<T = unknown> {
  private readonly items: readonly Item<T>[];
  private readonly comments: readonly Comment[];
  /** What follows comments, by their ends. */
  private readonly below = new Map<number, number | undefined>();

  /**
   * @param items of the whole file, each within its parent
   * @param comments all of the file
   */
  constructor(
    private readonly text: string,
    items: readonly Item<T>[],
    comments: readonly Comment[],
  ) {
    this.items = items.toSorted((a, b) => a.start - b.start || b.end - a.end);
    this.comments = comments.toSorted((a, b) => a.start - b.start);
  }

  /** Undefined for a comment that is about nothing. */
  itemOf(comment: Comment): Item<T> | undefined {
    const line = this.text.lastIndexOf('\n', comment.start - 1) + 1;
    if (this.hasCodeBefore(comment, line)) {
      return this.firstIn(line, comment.start) ?? this.reaching(line);
    }
    const next = this.below.has(comment.end) ? this.below.get(comment.end) : this.codeBelow(comment);
    if (next !== undefined && !this.isDeeper(comment, line, next)) {
      const end = this.text.indexOf('\n', next);
      const item = /[)\]}]/.test(this.text.charAt(next))
        ? undefined
        : this.firstIn(next, end < 0 ? this.text.length : end);
      if (item !== undefined) return item;
    }
    return this.around(comment, line);
  }

  private hasCodeBefore({ start }: Comment, line: number): boolean {
    let at = start;
    for (;;) {
      at = this.text.slice(line, at).trimEnd().length + line;
      if (at <= line) return false;
      const other = this.commentEndingAt(at);
      if (other === undefined) return true;
      if (other.start < line) return false;
      at = other.start;
    }
  }

  private commentEndingAt(offset: number): Comment | undefined {
    const last = this.comments[countUpTo(this.comments, offset - 1) - 1];
    return last?.end === offset ? last : undefined;
  }

  /** What follows, if only comments stand between, and no empty line. Comments below each other have the same, which is looked for once. */
  private codeBelow({ start, end }: Comment): number | undefined {
    const passed: number[] = [];
    let found: number | undefined;
    let index = countUpTo(this.comments, start);
    for (let at = end; ; ) {
      passed.push(at);
      const blank = /\s*/y;
      blank.lastIndex = at;
      const gap = blank.exec(this.text)?.[0] ?? '';
      if (gap.split('\n').length > 2) break;
      const next = at + gap.length;
      if (next >= this.text.length) break;
      const other = this.comments[index++];
      if (other?.start !== next) {
        found = next;
        break;
      }
      at = other.end;
      if (!this.below.has(at)) continue;
      found = this.below.get(at);
      break;
    }
    for (const one of passed) this.below.set(one, found);
    return found;
  }

  /** Where indentation counts, a comment that is indented more than what follows belongs to what stands before it. */
  private isDeeper(comment: Comment, line: number, next: number): boolean {
    const holder = this.innermost(comment.start, comment.end);
    if (holder === undefined ? this.items[0]?.isBracketed !== false : holder.isBracketed) return false;
    return comment.start - line > next - (this.text.lastIndexOf('\n', next - 1) + 1);
  }

  private around(comment: Comment, line: number): Item<T> | undefined {
    const holder = this.innermost(comment.start, comment.end);
    if (holder === undefined ? this.items[0]?.isBracketed !== false : holder.isBracketed) return holder;
    const indentation = comment.start - line;
    let item: Item<T> | undefined = this.items[countUpTo(this.items, comment.start - 1) - 1];
    while (item !== undefined && (item.isBracketed || this.columnOf(item) >= indentation)) item = item.parent;
    return item;
  }

  private columnOf({ start }: Item<T>): number {
    return start - (this.text.lastIndexOf('\n', start - 1) + 1);
  }

  /** The first and, of several that begin there, outermost item that begins in a stretch of text. */
  private firstIn(start: number, end: number): Item<T> | undefined {
    const item = this.items[countUpTo(this.items, start - 1)];
    return item !== undefined && item.start < end ? item : undefined;
  }

  /** The innermost item that reaches into a line from above. */
  private reaching(line: number): Item<T> | undefined {
    let item: Item<T> | undefined = this.items[countUpTo(this.items, line - 1) - 1];
    while (item !== undefined && item.end <= line) item = item.parent;
    return item;
  }

  private innermost(start: number, end: number): Item<T> | undefined {
    let item: Item<T> | undefined = this.items[countUpTo(this.items, start) - 1];
    while (item !== undefined && item.end < end) item = item.parent;
    return item;
  }
}

/** How many of a sorted list begin at an offset or before. */
function countUpTo(list: readonly { readonly start: number }[], offset: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
