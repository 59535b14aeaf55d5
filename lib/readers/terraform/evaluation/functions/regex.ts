import { CallFailure, CallUnknown } from './function';

/** An expression of Go's RE2, made one of JavaScript that means the same. */
export interface Pattern {
  readonly regex: RegExp;
  readonly groups: number;
  /** Names of groups by number; undefined if none has a name. */
  readonly names: readonly (string | undefined)[];
}

const MOST_CHARACTERS = 1000;

/** Classes that mean something else in JavaScript. */
const CLASSES: Readonly<Record<string, string>> = { s: '\\t\\n\\f\\r ', d: '0-9', w: '0-9A-Za-z_' };
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z', alpha: 'A-Za-z', ascii: '\\x00-\\x7f', blank: '\\t ', cntrl: '\\x00-\\x1f\\x7f', digit: '0-9', graph: '!-~', lower: 'a-z', print: ' -~',
  punct: '!-\\/:-@\\[-`{-~', space: '\\t\\n\\v\\f\\r ', upper: 'A-Z', word: '0-9A-Za-z_', xdigit: '0-9A-Fa-f',
};

/** Reads a pattern; fails where Go refuses it, gives up where JavaScript has nothing like it. */
export function patternOf(source: string, flags = ''): Pattern {
  if (source.length > MOST_CHARACTERS) throw new CallUnknown('the regular expression is too long');
  return new Translation(source).run(flags);
}

/** Time grows with the length of the text to the power of the repetitions that can share it. */
export function checkLength({ regex }: Pattern, text: string): void {
  const repetitions = regex.source.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const limit = repetitions === 0 ? 1_000_000 : 10 ** (10 / (repetitions + 1));
  if (text.length > limit) throw new CallUnknown('the text is too long for the regular expression');
}

class Translation {
  private at = 0;
  private result = '';
  private groups = 0;
  private readonly names: (string | undefined)[] = [];
  private flags = new Set(['u']);
  /** For each open group, whether it repeats something. */
  private readonly open: { repeats: boolean }[] = [{ repeats: false }];

  constructor(private readonly source: string) {}

  run(flags: string): Pattern {
    this.leadingFlags();
    while (this.at < this.source.length) this.term();
    if (this.open.length > 1) throw new CallFailure('a group of the regular expression is not closed');
    try {
      return { regex: new RegExp(this.result, [...this.flags].join('') + flags), groups: this.groups, names: this.names };
    } catch {
      throw new CallUnknown('the regular expression is not read here');
    }
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
    const character = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    switch (character) {
      case '\\':
        this.repeatable(this.escape(false));
        return;
      case '[':
        this.repeatable(this.characterClass());
        return;
      case '(':
        this.group();
        return;
      case ')':
        this.close();
        return;
      case '.':
        this.at++;
        this.repeatable(this.flags.has('s') ? '.' : '[^\\n]');
        return;
      case '^':
      case '$':
        this.at++;
        if (this.flags.has('m') && character === '$') this.result += '(?=\\n|(?![^]))';
        else if (this.flags.has('m')) this.result += '(?<=\\n|(?<![^]))';
        else this.result += character;
        if (this.repetition() !== '') throw new CallUnknown('the regular expression is not read here');
        return;
      case '|':
        this.at++;
        this.result += '|';
        return;
      case '*':
      case '+':
      case '?':
        throw new CallFailure('nothing is repeated in the regular expression');
      default:
        this.at += character.length;
        this.repeatable(/[{}\]/]/.test(character) ? `\\${character}` : character);
    }
  }

  private repeatable(text: string): void {
    const repetition = this.repetition();
    if (repetition !== '') this.markRepeats(repetition);
    this.result += text + repetition;
  }

  private markRepeats(repetition: string): void {
    if (repetition.startsWith('?')) return;
    const top = this.open.at(-1);
    if (top !== undefined) top.repeats = true;
  }

  /** What stands behind a term: `*`, `{2,3}?`. */
  private repetition(): string {
    const match = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(this.source.slice(this.at, this.at + 20));
    if (match === null) return '';
    const [text, least = '0', most = least] = match;
    if (Number(least) > 1000 || Number(most) > 1000) throw new CallFailure('the regular expression repeats too often');
    this.at += text.length;
    if (/^[*+?]/.test(this.source.slice(this.at)) || /^\{\d+(?:,\d*)?\}/.test(this.source.slice(this.at, this.at + 20))) {
      throw new CallFailure('a repetition is repeated in the regular expression');
    }
    return text;
  }

  private group(): void {
    const rest = this.source.slice(this.at, this.at + 200);
    const name = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
    if (name !== null) {
      if (this.names.includes(name[1])) throw new CallFailure('two groups have one name');
      this.names[this.groups++] = name[1];
      this.result += '(';
      this.at += name[0].length;
    } else if (rest.startsWith('(?:')) {
      this.result += '(?:';
      this.at += 3;
    } else if (/^\(\?(?:[=!]|<[=!])/.test(rest)) throw new CallFailure('Go has no regular expressions that look around');
    else if (rest.startsWith('(?')) throw new CallUnknown('flags within regular expressions are not read here');
    else {
      this.names[this.groups++] = undefined;
      this.result += '(';
      this.at++;
    }
    this.open.push({ repeats: false });
  }

  /** What repeats something that repeats could take forever. */
  private close(): void {
    const group = this.open.pop();
    if (group === undefined || this.open.length === 0) throw new CallFailure('a parenthesis of the regular expression is not open');
    this.at++;
    const repetition = this.repetition();
    if (repetition !== '' && !repetition.startsWith('?')) {
      if (group.repeats) throw new CallUnknown('the regular expression repeats what repeats');
      this.markRepeats(repetition);
    }
    const top = this.open.at(-1);
    if (group.repeats && top !== undefined) top.repeats = true;
    this.result += `)${repetition}`;
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
    if (!inClass) {
      // With "i" and "u" JavaScript has more word characters.
      if (/[bB]/.test(letter) && !this.flags.has('i')) return take(1, `\\${letter}`);
      if (letter === 'A') return take(1, '(?<![^])');
      if (letter === 'z') return take(1, '(?![^])');
    }
    if (/[A-Za-z0-9]/.test(letter)) throw /[1-9]/.test(letter) ? new CallFailure('Go has no back references') : new CallUnknown('the regular expression is not read here');
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
      const character = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
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
