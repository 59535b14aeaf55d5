import type { Block, Body, Range } from '../languages/hcl/ast';
import { commentsOf } from '../languages/hcl/lexer';
import { parseHcl } from '../languages/hcl/parser';
import { LineIndex } from '../languages/positions';
import { isBlank, isDirective, lineEnd, lineStart, nextLine } from './text-edit';

/** An HCL file that is edited. */
export class HclText {
  private commentsMemo: readonly Range[] | undefined;
  private linesMemo: LineIndex | undefined;
  /** Of equal ones the first. A file may have thousands, each of which is asked for. */
  private resourcesMemo: ReadonlyMap<string, Block> | undefined;

  private constructor(
    readonly text: string,
    readonly body: Body,
  ) {}

  /** The block of a resource; undefined if the file doesn't declare it. */
  resource(type: string, name: string): Block | undefined {
    this.resourcesMemo ??= new Map(
      this.body.blocks
        .filter((block) => block.type === 'resource')
        .map((block) => [JSON.stringify(block.labels.slice(0, 2)), block] as const)
        .toReversed(),
    );
    return this.resourcesMemo.get(JSON.stringify([type, name]));
  }

  lineAt(offset: number): number {
    return (this.linesMemo ??= new LineIndex(this.text)).at(offset).line;
  }

  /** Undefined if it can't be read without problems. */
  static read(text: string): HclText | undefined {
    const { body, problems } = parseHcl(text);
    return problems.length > 0 ? undefined : new HclText(text, body);
  }

  private get comments(): readonly Range[] {
    return (this.commentsMemo ??= commentsOf(this.text).map(({ start, end }) => ({
      start,
      end: this.text[end - 1] === '\r' ? end - 1 : end,
    })));
  }

  /** The comments between two offsets, in parts at least. */
  commentsIn(start: number, end: number): readonly Range[] {
    const { comments } = this;
    let low = 0;
    for (let high = comments.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((comments[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    const found: Range[] = [];
    for (let comment = comments[low]; comment !== undefined && comment.start < end; comment = comments[++low])
      found.push(comment);
    return found;
  }

  hasComment(start: number, end: number): boolean {
    return this.commentsIn(start, end).length > 0;
  }

  /** Offset of the line break that ends the line of an offset, or of the end of the text. A comment over several lines belongs to its first. */
  lineEnd(offset: number): number {
    let end = lineEnd(this.text, offset);
    for (let comment = this.over(end); comment !== undefined; comment = this.over(end))
      end = lineEnd(this.text, comment.end);
    return end;
  }

  /** The comment that an offset stands within. */
  private over(offset: number): Range | undefined {
    return this.commentsIn(offset, offset + 1).find(({ start, end }) => start < offset && offset < end);
  }

  /** Offset behind the line break that ends the line of an offset. */
  nextLine(offset: number): number {
    return nextLine(this.text, this.lineEnd(offset));
  }

  /** Whether nothing but comments stands behind an offset in its line. */
  isLastInLine(offset: number): boolean {
    return this.isBlankBut(offset, this.lineEnd(offset));
  }

  isFirstInLine(offset: number): boolean {
    return isBlank(this.text, lineStart(this.text, offset), offset);
  }

  /** Whether nothing but white space and comments stands between two offsets. */
  private isBlankBut(start: number, end: number): boolean {
    let at = start;
    for (const comment of this.commentsIn(start, end)) {
      if (!isBlank(this.text, at, comment.start)) return false;
      at = comment.end;
    }
    return isBlank(this.text, at, end);
  }

  /** Where the comments begin that stand directly above a line, in lines of their own; the line itself if there are none. */
  commentsAbove(line: number): number {
    let first = line;
    while (first > 0) {
      const end = lineEnd(this.text, lineStart(this.text, first - 1));
      const comment = this.commentsIn(end - 1, end).find((one) => one.end === end);
      if (comment === undefined || !this.isFirstInLine(comment.start)) break;
      first = lineStart(this.text, comment.start);
    }
    return first;
  }

  /** Whether a comment tells a tool what not to look at. */
  hasDirective(start: number, end: number): boolean {
    return this.commentsIn(start, end).some((comment) => isDirective(this.text.slice(comment.start, comment.end)));
  }
}
