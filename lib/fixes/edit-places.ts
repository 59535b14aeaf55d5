import type { OfferedEdit } from '../engine';
import { LineIndex } from '../languages/positions';
import type { Secrets } from '../text/secrets';
import { lineEnd, lineStart, type TextEdit } from './text-edit';

/** Whole lines that are longer than this, together, are not repeated: templates may be one line of many megabytes. */
const LONGEST = 2000;

/** Changes with so few lines between them are one. */
const NEAR = 2;

/** Tells edits of files by lines and columns. */
export class EditPlaces {
  private readonly lines: LineIndex;

  constructor(
    private readonly file: string,
    private readonly text: string,
    private readonly secrets: Secrets,
  ) {
    this.lines = new LineIndex(text);
  }

  /**
   * Edits as people and programs are told them: by whole lines, as comments on pull requests suggest them, where these aren't too long.
   * Undefined if they would show a secret.
   */
  of(edits: readonly TextEdit[]): readonly OfferedEdit[] | undefined {
    const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
    const groups: TextEdit[][] = [];
    for (const edit of sorted) {
      const last = groups.at(-1)?.at(-1);
      const isNear = last !== undefined && this.lines.at(edit.start).line - this.lines.at(last.end).line <= NEAR;
      if (isNear) groups.at(-1)?.push(edit);
      else groups.push([edit]);
    }
    const told = groups.flatMap((group) => this.inWholeLines(group) ?? group.map((edit) => this.precise(edit)));
    return told.some(({ text }) => this.secrets.hide(text) !== text) ? undefined : told;
  }

  private precise({ start, end, text }: TextEdit): OfferedEdit {
    return { file: this.file, start: this.lines.at(start), end: this.lines.at(end), isWhole: false, text };
  }

  private inWholeLines(group: readonly TextEdit[]): OfferedEdit | undefined {
    const { text } = this;
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    // Behind the last line break there is no line: what ends there is told with the line before it.
    const isAtEnd = last.end === text.length && text.endsWith('\n');
    const end = isAtEnd ? lineEnd(text, Math.max(0, text.length - 1)) : lineEnd(text, last.end);
    const begin = lineStart(text, first.start);
    const start = begin > 0 && begin >= end ? lineStart(text, begin - 1) : begin;
    if (end - start > LONGEST) return undefined;
    const changed = changedPart(text, start, isAtEnd ? text.length : end, group);
    const lineBreak = text.slice(end, isAtEnd ? text.length : end);
    if (!changed.endsWith(lineBreak)) return undefined;
    const written = changed.slice(0, changed.length - lineBreak.length);
    if (written.length > LONGEST || this.secrets.hide(written) !== written) return undefined;
    return { file: this.file, start: this.lines.at(start), end: this.lines.at(end), isWhole: true, text: written };
  }
}

function changedPart(text: string, start: number, end: number, edits: readonly TextEdit[]): string {
  let [result, done] = ['', start];
  for (const edit of edits) {
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done, end);
}
