import { ShellWord } from '../shell';
import { Unknowns } from '../shell/unknowns';
import { Fragments, type Fragment } from '../shell/word';
import type { SourceText } from '../source-text';

/** What is known of PowerShell variables, by name in lower case. */
export type PowerShellVariables = ReadonlyMap<string, readonly Fragment[]>;

const VARIABLE = /\$(?:\{([^}\r\n]{1,200})\}|((?:[A-Za-z]+:)?\w+)|[?^$])/y;
const SPLAT = /@[A-Za-z_]\w*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Offset of the line feed (or the end) behind `start`. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Behind a comment that begins at an offset; undefined if none does. */
export function afterPowerShellComment(text: string, at: number): number | undefined {
  if (text[at] === '#') return endOfLine(text, at);
  if (text[at] !== '<' || text[at + 1] !== '#') return undefined;
  const end = text.indexOf('#>', at + 2);
  return end < 0 ? text.length : end + 2;
}

/** Reads the words of PowerShell commands, as far as user data needs them. */
export class PowerShellWords {
  readonly unknowns: Unknowns;
  private readonly text: string;

  constructor(
    private readonly body: SourceText,
    /** Where the script ends in the text. */
    private readonly end: number,
    private readonly variables: PowerShellVariables,
  ) {
    this.text = body.text;
    this.unknowns = Unknowns.of(body);
  }

  /** The word that begins at an offset, and where it ends; a word without characters for a character that begins none. */
  read(start: number): ShellWord {
    const fragments = new Fragments(this.text);
    const state = { bare: true };
    let at = start;
    while (at < this.end && !this.endsWord(at)) {
      at = Math.min(this.end, this.step(fragments, state, at, at === start));
      if (this.text[at - 1] === ',') at = this.afterBlanks(at);
    }
    return new ShellWord(this.body, fragments.finish(), start, at, state.bare);
  }

  private endsWord(at: number): boolean {
    return /[\s;|&{})]/.test(this.text.charAt(at));
  }

  /** Lists go on behind a comma. */
  private afterBlanks(start: number): number {
    let at = start;
    while (at < this.end && /\s/.test(this.text.charAt(at))) at++;
    return at;
  }

  private step(fragments: Fragments, state: { bare: boolean }, at: number, isFirst: boolean): number {
    const { text } = this;
    const part = this.unknowns.at(at);
    if (part !== undefined) {
      fragments.push(this.unknowns.fragment(part, true));
      return part.end;
    }
    const next = text[at + 1];
    switch (text.charAt(at)) {
      case "'":
        state.bare = false;
        return this.singleQuotes(fragments, at);
      case '"':
        state.bare = false;
        return this.doubleQuotes(fragments, at);
      case '`':
        state.bare = false;
        fragments.slice(at + 1, Math.min(this.end, at + 2));
        return at + 2;
      case '(':
        return this.computed(fragments, at, this.skip(at + 1, ')'));
      case '@':
        if (next === "'" || next === '"') {
          state.bare = false;
          return this.hereString(fragments, at, next);
        }
        if (next === '(' || next === '{')
          return this.computed(fragments, at, this.skip(at + 2, next === '(' ? ')' : '}'));
        SPLAT.lastIndex = at;
        if (isFirst && SPLAT.test(text)) {
          fragments.push(this.unknowns.computed(at, SPLAT.lastIndex, true));
          return SPLAT.lastIndex;
        }
        break;
      case '$':
        return this.variable(fragments, at, false);
    }
    let end = at + 1;
    while (end < this.end && /[\w./:=%+\\[\]-]/.test(text.charAt(end)) && this.unknowns.at(end) === undefined) end++;
    fragments.slice(at, end);
    return end;
  }

  private singleQuotes(fragments: Fragments, start: number): number {
    let at = start + 1;
    for (;;) {
      const quote = this.text.indexOf("'", at);
      if (quote < 0 || quote >= this.end) {
        this.unknowns.addLiteral(fragments, at, this.end, false);
        return this.end;
      }
      this.unknowns.addLiteral(fragments, at, quote, false);
      if (this.text[quote + 1] !== "'") return quote + 1;
      fragments.slice(quote, quote + 1);
      at = quote + 2;
    }
  }

  private doubleQuotes(fragments: Fragments, start: number): number {
    return this.expandable(fragments, start + 1, (at) =>
      this.text[at] === '"' ? (this.text[at + 1] === '"' ? 'escape' : at + 1) : undefined,
    );
  }

  private hereString(fragments: Fragments, at: number, quote: string): number {
    const start = endOfLine(this.text, at) + 1;
    const mark = this.text.indexOf(`\n${quote}@`, start - 1);
    const close = mark < 0 || mark >= this.end ? this.end : mark;
    if (quote === "'") this.unknowns.addLiteral(fragments, start, close, false);
    else this.expandable(fragments, start, (offset) => (offset >= close ? offset : undefined));
    return Math.min(this.end, close + 3);
  }

  /** Reads a text with variables up to where `closes` says where to go on. */
  private expandable(
    fragments: Fragments,
    start: number,
    closes: (at: number) => number | 'escape' | undefined,
  ): number {
    let at = start;
    let run = start;
    while (at < this.end) {
      const closed = closes(at);
      const character = this.text[at];
      if (closed === undefined && character !== '$' && character !== '`') {
        at++;
        continue;
      }
      this.unknowns.addLiteral(fragments, run, at, false);
      if (typeof closed === 'number') return closed;
      if (closed === 'escape') {
        fragments.slice(at, at + 1);
        at += 2;
      } else if (character === '`') {
        const next = this.text.charAt(at + 1);
        fragments.add(ESCAPES[next] ?? next, at + 1);
        at += 2;
      } else at = this.variable(fragments, at, true);
      run = at;
    }
    this.unknowns.addLiteral(fragments, Math.min(run, this.end), this.end, false);
    return this.end;
  }

  private variable(fragments: Fragments, at: number, quoted: boolean): number {
    if (this.text[at + 1] === '(') return this.computed(fragments, at, this.skip(at + 2, ')'));
    VARIABLE.lastIndex = at;
    const match = this.unknowns.at(at + 1) === undefined ? VARIABLE.exec(this.text) : null;
    if (match === null) {
      fragments.slice(at, at + 1);
      return at + 1;
    }
    const end = Math.min(this.end, at + match[0].length);
    // `$name.Property` and `$name[0]` are expressions outside of quotes.
    if (!quoted && /[.[]/.test(this.text.charAt(end))) {
      let behind = end;
      while (behind < this.end && /[\w.[\]$]/.test(this.text.charAt(behind))) behind++;
      return this.computed(fragments, at, behind);
    }
    const name = (match[1] ?? match[2] ?? '').toLowerCase();
    const value = this.variables.get(
      /^(?:script|global|local|private):/.test(name) ? name.slice(name.indexOf(':') + 1) : name,
    );
    if (value === undefined) return this.computed(fragments, at, end);
    for (const fragment of value) fragments.push('unknown' in fragment ? { ...fragment, splits: false } : fragment);
    return end;
  }

  private computed(fragments: Fragments, start: number, end: number): number {
    fragments.push(this.unknowns.computed(start, end, false));
    return end;
  }

  /** Behind the bracket that closes one; without recursion. */
  private skip(start: number, closer: ')' | '}'): number {
    const closers: string[] = [closer];
    let at = start;
    while (at < this.end) {
      const character = this.text.charAt(at);
      if (character === closers[closers.length - 1]) {
        closers.pop();
        at++;
        if (closers.length === 0) return at;
      } else if (character === '(' || character === '{') {
        closers.push(character === '(' ? ')' : '}');
        at++;
      } else if (character === "'" || character === '"') at = this.afterQuotes(at, character);
      else if (character === '`') at += 2;
      else at = afterPowerShellComment(this.text, at) ?? at + 1;
    }
    return this.end;
  }

  private afterQuotes(start: number, quote: string): number {
    let at = start + 1;
    while (at < this.end && this.text[at] !== quote) at += quote === '"' && this.text[at] === '`' ? 2 : 1;
    return at + 1;
  }
}
