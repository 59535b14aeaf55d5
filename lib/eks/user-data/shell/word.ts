import type { Unknown } from '../../../value';
import type { SourceText, UnknownPart, WrittenReference } from '../source-text';

/** A piece of a word of a script, with quotes and escapes taken off. */
export type Fragment = TextFragment | UnknownFragment;

interface TextFragment {
  readonly text: string;
  /** Offset of its first character in the text that was read. */
  readonly offset: number;
}

/** What only the node knows (`$(hostname)`), or what a template fills in. */
export interface UnknownFragment {
  readonly unknown: Unknown;
  /** Offset in the text that was read. */
  readonly start: number;
  readonly end: number;
  /** Not quoted, so that it may become none, one or several words. */
  readonly splits: boolean;
  /** The part of the text that a template fills in; undefined for what a script computes. */
  readonly part?: UnknownPart;
}

export function isUnknownFragment(fragment: Fragment): fragment is UnknownFragment {
  return 'unknown' in fragment;
}

/** Stands for what a script computes, in the same form as {@link SourceText} shows what is unknown. */
const PLACEHOLDER = '70000000';

/** One word of a shell or PowerShell script, as the program that it is given to gets it. */
export class ShellWord {
  private derived: SourceText | undefined;

  constructor(
    private readonly body: SourceText,
    readonly fragments: readonly Fragment[],
    /** Offset of the word as written, quotes included. */
    readonly start: number,
    readonly end: number,
    /** Not even partly quoted, as reserved words, operators of tests and PowerShell parameters must be. */
    readonly bare: boolean,
  ) {}

  /** The word; undefined if a part of it isn't known. */
  get text(): string | undefined {
    let text = '';
    for (const fragment of this.fragments) {
      if (isUnknownFragment(fragment)) return undefined;
      text += fragment.text;
    }
    return text;
  }

  /** The reference that all of the word, but for quotes, is the value of. */
  get reference(): WrittenReference | undefined {
    const isQuoted = /^["']/.test(this.written);
    const [start, end] = isQuoted ? [this.start + 1, this.end - 1] : [this.start, this.end];
    const first = start < end ? this.body.referenceAt(start) : undefined;
    for (let at = start; first !== undefined && at < end; at++)
      if (this.body.referenceAt(at) !== first) return undefined;
    return first;
  }

  /** The word as it is written, with its quotes. */
  get written(): string {
    return this.body.text.slice(this.start, this.end);
  }

  /** What is known of its beginning; all of it if the word is known. */
  get prefix(): string {
    let text = '';
    for (const fragment of this.fragments) {
      if (isUnknownFragment(fragment)) break;
      text += fragment.text;
    }
    return text;
  }

  /** What is known of its end; all of it if the word is known. */
  get suffix(): string {
    let text = '';
    for (let index = this.fragments.length - 1; index >= 0; index--) {
      const fragment = this.fragments[index];
      if (fragment === undefined || isUnknownFragment(fragment)) break;
      text = fragment.text + text;
    }
    return text;
  }

  get isKnown(): boolean {
    return !this.fragments.some(isUnknownFragment);
  }

  /** Whether it may be none, one or several words, because something unknown in it isn't quoted. */
  get splits(): boolean {
    return this.fragments.some((fragment) => isUnknownFragment(fragment) && fragment.splits);
  }

  /** Whether a template fills in a part of it. */
  get isTemplated(): boolean {
    return this.fragments.some((fragment) => isUnknownFragment(fragment) && fragment.part !== undefined);
  }

  /** The word without quotes, as a text of its own, with the way back to the input. */
  get value(): SourceText {
    if (this.derived !== undefined) return this.derived;
    const unknownParts: UnknownPart[] = [];
    let text = '';
    for (const fragment of this.fragments) {
      if (!isUnknownFragment(fragment)) {
        text += fragment.text;
        continue;
      }
      const start = text.length;
      text += PLACEHOLDER;
      unknownParts.push({ ...fragment.part, unknown: fragment.unknown, start, end: text.length });
    }
    return (this.derived = this.body.derive(text, (offset) => this.offsetAt(offset), unknownParts));
  }

  /** Where a character of {@link value} stands in the text that was read. */
  offsetAt(index: number): number {
    let from = 0;
    for (const fragment of this.fragments) {
      const length = isUnknownFragment(fragment) ? PLACEHOLDER.length : fragment.text.length;
      if (index < from + length) return isUnknownFragment(fragment) ? fragment.start : fragment.offset + index - from;
      from += length;
    }
    return this.end;
  }

  /** The word for people, with `${…}` and `$NAME` for what isn't known. */
  show(): string {
    return this.value.show();
  }

  /** What follows `length` known characters at the beginning. */
  after(length: number): ShellWord {
    const rest: Fragment[] = [];
    let skip = length;
    for (const fragment of this.fragments) {
      if (skip > 0 && !isUnknownFragment(fragment)) {
        if (fragment.text.length > skip) rest.push({ text: fragment.text.slice(skip), offset: fragment.offset + skip });
        skip = Math.max(0, skip - fragment.text.length);
      } else rest.push(fragment);
    }
    return new ShellWord(this.body, rest, this.offsetAt(length), this.end, this.bare);
  }
}

/** Collects the fragments of a word; neighbouring characters of the input become one. */
export class Fragments {
  readonly list: Fragment[] = [];
  private text = '';
  private offset = 0;

  constructor(private readonly input: string) {}

  get isEmpty(): boolean {
    return this.list.length === 0 && this.text === '';
  }

  /** Adds characters of the input. */
  slice(start: number, end: number): void {
    this.add(this.input.slice(start, end), start);
  }

  /** Adds characters that stand for something at `offset`. */
  add(text: string, offset: number): void {
    if (text === '') return;
    if (this.text !== '' && this.offset + this.text.length === offset) {
      this.text += text;
      return;
    }
    this.flush();
    this.text = text;
    this.offset = offset;
  }

  push(fragment: Fragment): void {
    if (!isUnknownFragment(fragment)) {
      this.add(fragment.text, fragment.offset);
      return;
    }
    this.flush();
    this.list.push(fragment);
  }

  finish(): Fragment[] {
    this.flush();
    return this.list;
  }

  private flush(): void {
    if (this.text !== '') this.list.push({ text: this.text, offset: this.offset });
    this.text = '';
  }
}
