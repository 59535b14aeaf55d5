import type { SourceText } from '../source-text';
import { afterSingleQuotes, skipNested } from './skip';
import { Unknowns } from './unknowns';
import { Fragments, isUnknownFragment, ShellWord, type Fragment } from './word';

/** What is known of variables where a word stands; undefined for one whose value isn't known. */
export type Variables = (name: string) => readonly Fragment[] | undefined;

/** Where a word stands; it decides where it ends and whether it is split. */
export type WordPlace =
  /** In a command. */
  | 'command'
  /** Behind `NAME=`: not split into words. */
  | 'assignment'
  /** Inside of `[[ … ]]`: operators are words. */
  | 'test';

/** The most that variables may add to a script, as a multiple of its length: `A=$A$A` grows fast. */
const EXPANSION_LIMIT = 4;

/** Reads words of a shell: quotes, escapes, expansions. */
export class WordReader {
  readonly unknowns: Unknowns;
  /** Offset of a quote that never ends. */
  unclosed: number | undefined;
  private readonly text: string;
  private expanded = 0;

  constructor(
    private readonly body: SourceText,
    private readonly variables: Variables,
  ) {
    this.text = body.text;
    this.unknowns = Unknowns.of(body);
  }

  /** The words that the characters from `start` up to the next blank or operator become: mostly one. */
  read(start: number, place: WordPlace): { readonly words: readonly ShellWord[]; readonly end: number } {
    const word = new OpenWord(this.body, start, place === 'assignment');
    let at = start;
    while (at < this.text.length && !this.endsWord(at, place)) at = this.step(word, at);
    return { words: word.finish(at), end: at };
  }

  /** The text of a here-document. */
  hereDocument(start: number, end: number, expands: boolean, stripsTabs: boolean): ShellWord {
    const word = new OpenWord(this.body, start, true);
    let at = start;
    let run = start;
    const flush = (to: number): void => {
      this.unknowns.addLiteral(word.fragments, run, to, false);
    };
    while (at < end) {
      const character = this.text[at];
      if (stripsTabs && character === '\t' && (at === start || this.text[at - 1] === '\n')) {
        flush(at);
        while (at < end && this.text[at] === '\t') at++;
        run = at;
      } else if (expands && (character === '$' || character === '`' || character === '\\')) {
        flush(at);
        at = Math.min(end, character === '\\' ? this.escapeInQuotes(word, at, '$`\\') : this.expansion(word, at, true));
        run = at;
      } else at++;
    }
    flush(end);
    return new ShellWord(this.body, word.fragments.finish(), start, end, false);
  }

  private endsWord(at: number, place: WordPlace): boolean {
    const character = this.text[at];
    if (character === ' ' || character === '\t' || character === '\n') return true;
    if (character === '\r' && this.text[at + 1] === '\n') return true;
    if (place === 'test') return character === ';';
    if ((character === '<' || character === '>') && this.text[at + 1] === '(') return false;
    return (
      character === ';' ||
      character === '&' ||
      character === '|' ||
      character === '(' ||
      character === ')' ||
      character === '<' ||
      character === '>'
    );
  }

  /** Reads one thing of a word; offset behind it. */
  private step(word: OpenWord, at: number): number {
    const part = this.unknowns.at(at);
    if (part !== undefined) {
      word.fragments.push(this.unknowns.fragment(part, !word.isWhole));
      return part.end;
    }
    const next = this.text[at + 1];
    switch (this.text.charAt(at)) {
      case '\\':
        return this.escape(word, at);
      case "'":
        return this.singleQuotes(word, at);
      case '"':
        return this.doubleQuotes(word, at);
      case '<':
      case '>':
        if (next === '(') return this.computed(word, at, skipNested(this.text, at + 2, 'paren'), false);
        break;
      case '$':
        if (next === "'") return this.ansiQuotes(word, at);
        if (next === '"') return this.doubleQuotes(word, at + 1);
        return this.expansion(word, at, false);
      case '`':
        return this.expansion(word, at, false);
    }
    const end = this.endOfPlain(at + 1);
    word.fragments.slice(at, end);
    return end;
  }

  /** Behind letters, digits and the like, of which none is special and none begins an unknown part. */
  private endOfPlain(start: number): number {
    let at = start;
    while (at < this.text.length && /[\w./:,=@%+-]/.test(this.text.charAt(at)) && this.unknowns.at(at) === undefined)
      at++;
    return at;
  }

  private escape(word: OpenWord, at: number): number {
    const next = this.text[at + 1];
    if (next === '\n') return at + 2;
    if (next === '\r' && this.text[at + 2] === '\n') return at + 3;
    word.isBare = false;
    if (next === undefined) return at + 1;
    if (this.unknowns.at(at + 1) !== undefined) return at + 1;
    word.fragments.slice(at + 1, at + 2);
    return at + 2;
  }

  private singleQuotes(word: OpenWord, at: number): number {
    const end = afterSingleQuotes(this.text, at, false);
    const closed = this.text[end - 1] === "'" && end > at + 1;
    this.quoted(word, at, closed);
    this.unknowns.addLiteral(word.fragments, at + 1, closed ? end - 1 : end, false);
    return end;
  }

  private doubleQuotes(word: OpenWord, start: number): number {
    let at = start + 1;
    let run = at;
    while (at < this.text.length && this.text[at] !== '"') {
      const character = this.text[at];
      if (character !== '$' && character !== '`' && character !== '\\') {
        at++;
        continue;
      }
      this.unknowns.addLiteral(word.fragments, run, at, false);
      at = character === '\\' ? this.escapeInQuotes(word, at, '$`"\\') : this.expansion(word, at, true);
      run = at;
    }
    this.unknowns.addLiteral(word.fragments, run, Math.min(at, this.text.length), false);
    this.quoted(word, start, at < this.text.length);
    return Math.min(this.text.length, at + 1);
  }

  private escapeInQuotes(word: OpenWord, at: number, special: string): number {
    const next = this.text[at + 1];
    if (next === '\n') return at + 2;
    if (next === '\r' && this.text[at + 2] === '\n') return at + 3;
    const isEscape = next !== undefined && special.includes(next);
    word.fragments.slice(isEscape ? at + 1 : at, isEscape ? at + 2 : at + 1);
    return isEscape ? at + 2 : at + 1;
  }

  private ansiQuotes(word: OpenWord, start: number): number {
    const end = afterSingleQuotes(this.text, start + 1, true);
    const closed = this.text[end - 1] === "'" && end > start + 2;
    this.quoted(word, start, closed);
    const last = closed ? end - 1 : end;
    let at = start + 2;
    while (at < last) {
      const escape = this.text[at] === '\\' ? ansiEscape(this.text, at) : undefined;
      if (escape !== undefined) {
        word.fragments.add(escape.text, at);
        at = escape.end;
        continue;
      }
      const next = this.text.indexOf('\\', at + 1);
      const to = next < 0 || next > last ? last : next;
      this.unknowns.addLiteral(word.fragments, at, to, false);
      at = to;
    }
    return end;
  }

  private quoted(word: OpenWord, start: number, closed: boolean): void {
    word.isBare = false;
    word.hasQuotes = true;
    if (!closed) this.unclosed ??= start;
  }

  /** Reads what begins with `$` or a backtick. */
  private expansion(word: OpenWord, at: number, quoted: boolean): number {
    const next = this.text[at + 1];
    if (this.text[at] === '`') return this.computed(word, at, skipNested(this.text, at + 1, 'backtick'), quoted);
    if (next === '(') return this.computed(word, at, skipNested(this.text, at + 2, 'paren'), quoted);
    if (next === '{') return this.braces(word, at, quoted);
    VARIABLE.lastIndex = at + 1;
    const name = this.unknowns.at(at + 1) === undefined ? VARIABLE.exec(this.text)?.[0] : undefined;
    if (name === undefined) {
      word.fragments.slice(at, at + 1);
      return at + 1;
    }
    const end = at + 1 + name.length;
    return this.variable(word, name, at, end, quoted);
  }

  private braces(word: OpenWord, at: number, quoted: boolean): number {
    const end = skipNested(this.text, at + 2, 'brace');
    const inner = end - at < 200 ? this.text.slice(at + 2, end - 1) : '';
    if (/^[A-Za-z_]\w*$/.test(inner) && this.text[end - 1] === '}') return this.variable(word, inner, at, end, quoted);
    // "${LIST[@]}" becomes several words even in quotes.
    const several = /^[A-Za-z_]\w*\[@\]|^@/.test(inner);
    return this.computed(word, at, end, quoted && !several);
  }

  private variable(word: OpenWord, name: string, start: number, end: number, quoted: boolean): number {
    const value = this.variables(name);
    const length =
      value?.reduce((sum, fragment) => sum + (isUnknownFragment(fragment) ? 8 : fragment.text.length), 0) ?? 0;
    this.expanded += length;
    if (value === undefined || this.expanded > this.text.length * EXPANSION_LIMIT)
      return this.computed(word, start, end, quoted && name !== '@');
    for (const fragment of value) {
      if (isUnknownFragment(fragment)) word.fragments.push({ ...fragment, splits: !quoted && !word.isWhole });
      else if (quoted || word.isWhole) word.fragments.push(fragment);
      else word.split(fragment, start);
    }
    return end;
  }

  private computed(word: OpenWord, start: number, end: number, quoted: boolean): number {
    word.fragments.push(this.unknowns.computed(start, end, !quoted && !word.isWhole));
    return end;
  }
}

const VARIABLE = /[A-Za-z_]\w*|[@*#?$!0-9-]/y;

/** A word that is being read, and those that were split off. */
class OpenWord {
  fragments: Fragments;
  hasQuotes = false;
  isBare = true;
  private readonly words: ShellWord[] = [];

  constructor(
    private readonly body: SourceText,
    private start: number,
    /** It isn't split, whatever variables hold. */
    readonly isWhole: boolean,
  ) {
    this.fragments = new Fragments(body.text);
  }

  /** Adds the value of a variable that isn't quoted. */
  split(fragment: { readonly text: string; readonly offset: number }, at: number): void {
    let offset = fragment.offset;
    for (const piece of fragment.text.split(/([ \t\r\n]+)/)) {
      if (/^\s/.test(piece)) this.next(at);
      else this.fragments.add(piece, offset);
      offset += piece.length;
    }
    this.isBare = false;
  }

  finish(end: number): readonly ShellWord[] {
    this.next(end);
    return this.words;
  }

  private next(end: number): void {
    if (!this.fragments.isEmpty || this.hasQuotes)
      this.words.push(new ShellWord(this.body, this.fragments.finish(), this.start, end, this.isBare));
    this.fragments = new Fragments(this.body.text);
    this.hasQuotes = false;
    this.start = end;
  }
}

const ANSI_ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([abeEfnrtv\\'"?]))/y;
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1B',
  E: '\x1B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function ansiEscape(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  ANSI_ESCAPE.lastIndex = at;
  const match = ANSI_ESCAPE.exec(text);
  if (match === null) return undefined;
  const hex = match[1] ?? match[2];
  const [, , , octal, letter] = match;
  const shown =
    hex !== undefined
      ? String.fromCharCode(parseInt(hex, 16))
      : octal !== undefined
        ? String.fromCharCode(parseInt(octal, 8) & 0xff)
        : (ANSI_LETTERS[letter ?? ''] ?? letter ?? '');
  return { text: shown, end: at + match[0].length };
}
