import { CallFailure, CallUnknown } from './function';
import { RegexProgram, type RegexNode } from './regex-program';

/** An expression of Go's RE2. */
export interface Pattern {
  readonly program: RegexProgram;
  readonly groups: number;
  /** Names of groups by number; undefined if none has a name. */
  readonly names: readonly (string | undefined)[];
}

const MOST_CHARACTERS = 1000;

/** Classes that mean something else in JavaScript. */
const CLASSES: Readonly<Record<string, string>> = { s: '\\t\\n\\f\\r ', d: '0-9', w: '0-9A-Za-z_' };
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Reads a pattern; fails where Go refuses it, gives up where JavaScript has no characters like its. */
export function patternOf(source: string): Pattern {
  if (source.length > MOST_CHARACTERS) throw new CallUnknown('the regular expression is too long');
  return new Translation(source).run();
}

/** A group that isn't closed yet, or all of the expression. */
interface OpenGroup {
  /** Undefined if it isn't remembered. */
  readonly index: number | undefined;
  readonly options: RegexNode[][];
}

class Translation {
  private at = 0;
  private groups = 0;
  private readonly names: (string | undefined)[] = [];
  private readonly flags = new Set(['u']);
  private readonly open: OpenGroup[] = [{ index: undefined, options: [[]] }];

  constructor(private readonly source: string) {}

  run(): Pattern {
    this.leadingFlags();
    while (this.at < this.source.length) this.term();
    const [whole, unclosed] = this.open;
    if (whole === undefined || unclosed !== undefined)
      throw new CallFailure('a group of the regular expression is not closed');
    return { program: new RegexProgram(alternatives(whole), this.groups), groups: this.groups, names: this.names };
  }

  /** `(?i)` at the very beginning holds for all of it. */
  private leadingFlags(): void {
    for (;;) {
      const match = /^\(\?([a-zA-Z]+)\)/.exec(this.source.slice(this.at));
      if (match === null) return;
      for (const flag of match[1] ?? '') {
        if (!'ims'.includes(flag)) throw new CallUnknown(`the flag "${flag}" of regular expressions is not read here`);
        this.flags.add(flag);
      }
      this.at += match[0].length;
    }
  }

  private term(): void {
    const character = characterAt(this.source, this.at);
    switch (character) {
      case '\\':
        if (!this.assertion()) this.character(this.escape(false));
        return;
      case '[':
        this.character(this.characterClass());
        return;
      case '(':
        this.group();
        return;
      case ')':
        this.close();
        return;
      case '.':
        this.at++;
        this.character(this.flags.has('s') ? '[^]' : '[^\\n]');
        return;
      case '^':
        this.at++;
        this.assert(this.flags.has('m') ? (text, offset) => offset === 0 || text[offset - 1] === '\n' : isStart);
        return;
      case '$':
        this.at++;
        this.assert(this.flags.has('m') ? (text, offset) => offset === text.length || text[offset] === '\n' : isEnd);
        return;
      case '|':
        this.at++;
        this.open.at(-1)?.options.push([]);
        return;
      case '*':
      case '+':
      case '?':
        throw new CallFailure('nothing is repeated in the regular expression');
      default:
        this.at += character.length;
        this.character(character);
    }
  }

  /** @param source one character, or a class, as JavaScript has it */
  private character(source: string): void {
    this.repeatable({ kind: 'character', matches: this.matcher(source) });
  }

  private matcher(source: string): (character: string) => boolean {
    if (characterAt(source, 0) === source && !this.flags.has('i')) return (character) => character === source;
    let regex: RegExp;
    try {
      regex = new RegExp(
        `^${/^[$()*+.?[\\\]^{|}/]$/.test(source) ? `\\${source}` : source}$`,
        this.flags.has('i') ? 'iu' : 'u',
      );
    } catch {
      throw new CallUnknown('the regular expression is not read here');
    }
    return (character) => regex.test(character);
  }

  private repeatable(node: RegexNode): void {
    const repetition = this.repetition();
    this.add(repetition === undefined ? node : { kind: 'repetition', of: node, ...repetition });
  }

  private assert(holds: (text: string, offset: number) => boolean): void {
    if (this.repetition() !== undefined) throw new CallUnknown('the regular expression is not read here');
    this.add({ kind: 'assertion', holds });
  }

  private add(node: RegexNode): void {
    this.open.at(-1)?.options.at(-1)?.push(node);
  }

  /** What stands behind a term: `*`, `{2,3}?`. */
  private repetition(): { readonly least: number; readonly most: number; readonly isLazy: boolean } | undefined {
    const match = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(this.source.slice(this.at, this.at + 20));
    if (match === null) return undefined;
    const [text, from, to = from] = match;
    const least = from === undefined ? (text.startsWith('+') ? 1 : 0) : Number(from);
    const most = from === undefined ? (text.startsWith('?') ? 1 : Infinity) : to === '' ? Infinity : Number(to);
    if (least > 1000 || (most > 1000 && most !== Infinity))
      throw new CallFailure('the regular expression repeats too often');
    if (most < least) throw new CallFailure('the regular expression repeats from more to less');
    this.at += text.length;
    if (
      /^[*+?]/.test(this.source.slice(this.at)) ||
      /^\{\d+(?:,\d*)?\}/.test(this.source.slice(this.at, this.at + 20))
    ) {
      throw new CallFailure('a repetition is repeated in the regular expression');
    }
    return { least, most, isLazy: text.length > 1 && text.endsWith('?') };
  }

  private group(): void {
    const rest = this.source.slice(this.at, this.at + 200);
    const name = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
    const isPlain = rest.startsWith('(?:');
    if (name === null && !isPlain) {
      if (/^\(\?(?:[=!]|<[=!])/.test(rest)) throw new CallFailure('Go has no regular expressions that look around');
      if (rest.startsWith('(?')) throw new CallUnknown('flags within regular expressions are not read here');
    }
    if (name !== null && this.names.includes(name[1])) throw new CallFailure('two groups have one name');
    this.at += name === null ? (isPlain ? 3 : 1) : name[0].length;
    if (!isPlain) this.names[this.groups++] = name?.[1];
    this.open.push({ index: isPlain ? undefined : this.groups, options: [[]] });
  }

  private close(): void {
    const group = this.open.pop();
    if (group === undefined || this.open.length === 0)
      throw new CallFailure('a parenthesis of the regular expression is not open');
    this.at++;
    const of = alternatives(group);
    this.repeatable(group.index === undefined ? of : { kind: 'group', index: group.index, of });
  }

  /** What stands at a backslash, if it is about a place and not a character. */
  private assertion(): boolean {
    const letter = this.source.charAt(this.at + 1);
    // With "i" Go has the same word characters, but it hasn't been tried.
    const holds =
      letter === 'A'
        ? isStart
        : letter === 'z'
          ? isEnd
          : this.flags.has('i')
            ? undefined
            : letter === 'b'
              ? isWordBoundary
              : letter === 'B'
                ? isNoWordBoundary
                : undefined;
    if (holds === undefined) return false;
    this.at += 2;
    this.assert(holds);
    return true;
  }

  private escape(inClass: boolean): string {
    const rest = this.source.slice(this.at + 1, this.at + 40);
    const letter = rest.charAt(0);
    const take = (length: number, text: string) => {
      this.at += 1 + length;
      return text;
    };
    if (letter === '') throw new CallFailure('the regular expression ends with a backslash');
    if (letter in CLASSES) return take(1, inClass ? (CLASSES[letter] ?? '') : `[${CLASSES[letter] ?? ''}]`);
    if ('SDW'.includes(letter)) {
      if (inClass) throw new CallUnknown('the regular expression is not read here');
      return take(1, `[^${CLASSES[letter.toLowerCase()] ?? ''}]`);
    }
    if (/[nrtfv]/.test(letter)) return take(1, `\\${letter}`);
    if (letter === 'a') return take(1, '\\x07');
    const property = /^[pP](?:\{\^?\w+\}|[A-Z])/.exec(rest)?.[0];
    if (property !== undefined) {
      if (property.includes('^')) throw new CallUnknown('the regular expression is not read here');
      const isCategory = /^[pP](?:[A-Z]|\{[A-Z][a-z]?\})$/.test(property);
      const name = property.slice(1).replace(/[{}]/g, '');
      return take(property.length, `\\${property.charAt(0)}{${isCategory ? name : `Script=${name}`}}`);
    }
    const hex = /^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(rest);
    if (hex !== null) return take(hex[0].length, `\\u{${hex[1] ?? hex[2] ?? '0'}}`);
    if (/[A-Za-z0-9]/.test(letter))
      throw /[1-9]/.test(letter)
        ? new CallFailure('Go has no back references')
        : new CallUnknown('the regular expression is not read here');
    if (letter.charCodeAt(0) > 126) throw new CallFailure('the regular expression escapes what needs no escape');
    return take(1, /[\^$\\.*+?()[\]{}|/]/.test(letter) || (inClass && letter === '-') ? `\\${letter}` : letter);
  }

  private characterClass(): string {
    this.at++;
    let result = '[';
    if (this.source[this.at] === '^') {
      result += '^';
      this.at++;
    }
    let isFirst = true;
    for (;;) {
      const character = characterAt(this.source, this.at);
      if (this.at >= this.source.length) throw new CallFailure('a class of the regular expression is not closed');
      if (character === ']' && !isFirst) break;
      isFirst = false;
      const posix = /^\[:(\^?)(\w+):\]/.exec(this.source.slice(this.at, this.at + 20));
      if (posix !== null) {
        const members = POSIX[posix[2] ?? ''];
        if (members === undefined) throw new CallFailure('the regular expression names no class');
        if (posix[1] === '^') throw new CallUnknown('the regular expression is not read here');
        result += members;
        this.at += posix[0].length;
      } else if (character === '\\') result += this.escape(true);
      else {
        // `[a-]` and `[-a]` are about the hyphen itself.
        const next = this.source[this.at + 1];
        const isHyphen = character === '-' && (result === '[' || result === '[^' || next === ']');
        result += /[[\]]/.test(character) || isHyphen ? `\\${character}` : character;
        this.at += character.length;
      }
    }
    this.at++;
    return `${result}]`;
  }
}

function alternatives({ options }: OpenGroup): RegexNode {
  const sequences = options.map((items): RegexNode => ({ kind: 'sequence', items }));
  const [only, second] = sequences;
  return only !== undefined && second === undefined ? only : { kind: 'alternatives', options: sequences };
}

function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 0);
}

function isStart(_: string, offset: number): boolean {
  return offset === 0;
}

function isEnd({ length }: string, offset: number): boolean {
  return offset === length;
}

function isWordBoundary(text: string, offset: number): boolean {
  return /\w/.test(text.charAt(offset - 1)) !== /\w/.test(text.charAt(offset));
}

function isNoWordBoundary(text: string, offset: number): boolean {
  return !isWordBoundary(text, offset);
}
