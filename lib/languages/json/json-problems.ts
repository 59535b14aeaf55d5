import { MAX_DEPTH, TOO_DEEP, type TextProblem } from '../document';
import { skipBlank, skipString, stringAt } from './json-scanner';
import { positionAt } from '../positions';

/** What a key means that stands twice in one map: an error of whoever wrote it, or the last one, as CloudFormation and kubectl take it. */
export type RepeatedKeys = 'error' | 'last' | 'last for kubectl';

/** Keys that occur twice in one object of a valid JSON text. */
export function findDuplicateKeys(text: string, repeated: RepeatedKeys): TextProblem[] {
  const problems: TextProblem[] = [];
  const objects: (Map<string, number> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '{') objects.push(new Map());
    else if (character === '[') objects.push(undefined);
    else if (character === '}' || character === ']') objects.pop();
    else if (character === '"') {
      const end = skipString(text, i);
      const keys = objects.at(-1);
      if (keys !== undefined && text[skipBlank(text, end)] === ':') {
        const key = stringAt(text, i, end);
        const first = keys.get(key);
        if (first === undefined) keys.set(key, i);
        else problems.push(duplicateKey(key, repeated, { offset: i, firstLine: positionAt(text, first).line }));
      }
      i = end - 1;
    }
  }
  return problems;
}

/**
 * Source for templates: CloudFormation deploys them in YAML and in JSON, with the last value (aws-cloudformation/cfn-lint #35, aws/aws-cli #2404,
 * go-to-k/cdk-real-drift #1074). Source for kubectl: sigs.k8s.io/yaml, YAMLToJSON, which reads without the check of YAMLToJSONStrict.
 */
export function duplicateKey(
  key: string,
  repeated: RepeatedKeys,
  { offset, firstLine }: { readonly offset: number; readonly firstLine: number },
): TextProblem {
  const twice = `"${key}" is written twice in one map, first in line ${firstLine}`;
  return repeated === 'error'
    ? { offset, message: `${twice}; only one of them counts` }
    : {
        offset,
        message: `${twice}; ${repeated === 'last' ? 'CloudFormation' : 'kubectl'} takes this last one without a word`,
        isDoubt: true,
      };
}

/**
 * What is wrong with a text that JSON.parse refuses. Comments, surplus and missing commas are passed over, so
 * that each of them is told; anything else ends the search, because what follows is a guess.
 */
export function findSyntaxErrors(text: string): TextProblem[] {
  return new SyntaxCheck(text).run();
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

class SyntaxCheck {
  private readonly problems: TextProblem[] = [];
  private readonly open: { readonly bracket: '{' | '['; readonly offset: number }[] = [];
  private expected: Expected = 'value';
  private offset = 0;
  private lastComma = 0;

  constructor(private readonly text: string) {}

  run(): TextProblem[] {
    while (this.step());
    if (this.problems.length === 0) this.problem(0, 'not valid JSON');
    return this.problems;
  }

  private problem(offset: number, message: string): false {
    this.problems.push({ offset, message });
    return false;
  }

  /** Looks at one token; false ends the search. */
  private step(): boolean {
    this.offset = skipBlank(this.text, this.offset);
    const { offset, text } = this;
    const character = text[offset];
    if (character === undefined) return this.atEnd();
    if (text.startsWith('//', offset) || text.startsWith('/*', offset)) return this.comment();
    switch (this.expected) {
      case 'nothing':
        return this.problem(offset, `unexpected ${describe(text, offset)} behind the end of the JSON value`);
      case 'colon':
        if (character !== ':')
          return this.problem(offset, `expected ":" behind the key, found ${describe(text, offset)}`);
        return this.next(1, 'value');
      case 'key':
      case 'key-or-end':
        return this.key(character);
      case 'value':
      case 'value-or-end':
        return this.value(character);
      case 'comma-or-end':
        return this.commaOrEnd(character);
    }
  }

  private next(length: number, expected: Expected): true {
    this.offset += length;
    this.expected = expected;
    return true;
  }

  private atEnd(): boolean {
    if (this.expected === 'nothing') return false;
    const opened = this.open.at(-1);
    if (opened === undefined) return this.problem(this.text.length, 'the text ends before its value');
    const { line } = positionAt(this.text, opened.offset);
    return this.problem(
      this.text.length,
      `the text ends here, but the "${opened.bracket}" of line ${line} is not closed`,
    );
  }

  private comment(): boolean {
    const block = this.text.startsWith('/*', this.offset);
    const end = this.text.indexOf(block ? '*/' : '\n', this.offset + 2);
    this.problem(this.offset, 'JSON has no comments');
    this.offset = end < 0 ? this.text.length : end + (block ? 2 : 1);
    return true;
  }

  private key(character: string): boolean {
    if (character === '}') return this.close('{', this.expected === 'key');
    if (character !== '"')
      return this.problem(this.offset, `expected a key in double quotes, found ${describe(this.text, this.offset)}`);
    return this.string('colon');
  }

  private value(character: string): boolean {
    if (character === ']' && this.open.at(-1)?.bracket === '[') return this.close('[', this.expected === 'value');
    if (character === '{' || character === '[') {
      if (this.open.length >= MAX_DEPTH) return this.problem(this.offset, TOO_DEEP);
      this.open.push({ bracket: character, offset: this.offset });
      return this.next(1, character === '{' ? 'key-or-end' : 'value-or-end');
    }
    if (character === '"') return this.string(this.afterValue());
    const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/.exec(
      this.text.slice(this.offset, this.offset + 400),
    );
    if (word === null) return this.problem(this.offset, `expected a value, found ${describe(this.text, this.offset)}`);
    return this.next(word[0].length, this.afterValue());
  }

  private afterValue(): Expected {
    return this.open.length === 0 ? 'nothing' : 'comma-or-end';
  }

  private string(expected: Expected): boolean {
    const { text, offset } = this;
    for (let i = offset + 1; i < text.length; i++) {
      const character = text[i];
      if (character === '"') return this.next(i + 1 - offset, expected);
      if (character === '\n' || character === '\r')
        return this.problem(offset, 'the string that starts here is not closed on its line');
      if (character === '\\') {
        if (!/^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.test(text.slice(i, i + 6)))
          return this.problem(i, 'this is no escape sequence of JSON');
        i++;
      } else if (text.charCodeAt(i) < 0x20)
        return this.problem(i, 'a control character (such as a tab) must be escaped in a JSON string');
    }
    return this.problem(offset, 'the string that starts here is not closed');
  }

  private commaOrEnd(character: string): boolean {
    const bracket = this.open.at(-1)?.bracket;
    const inner: Expected = bracket === '{' ? 'key' : 'value';
    if (character === ',') {
      this.lastComma = this.offset;
      return this.next(1, inner);
    }
    if (character === '}' || character === ']') return this.close(character === '}' ? '{' : '[', false);
    const startsMember = character === '"' || (inner === 'value' && (character === '{' || character === '['));
    this.problem(
      this.offset,
      `expected "," or "${bracket === '{' ? '}' : ']'}", found ${describe(this.text, this.offset)}`,
    );
    if (startsMember) this.expected = inner;
    return startsMember;
  }

  private close(bracket: '{' | '[', afterComma: boolean): boolean {
    const opened = this.open.pop();
    if (opened?.bracket !== bracket) {
      const where =
        opened === undefined
          ? 'nothing is open'
          : `the "${opened.bracket}" of line ${positionAt(this.text, opened.offset).line} is open`;
      return this.problem(this.offset, `"${this.text.charAt(this.offset)}" closes nothing here: ${where}`);
    }
    if (afterComma) this.problem(this.lastComma, 'a comma with nothing behind it');
    return this.next(1, this.afterValue());
  }
}

function describe(text: string, offset: number): string {
  const word = /^[\w.$@!+-]{1,40}/.exec(text.slice(offset, offset + 40));
  return `"${word === null ? String.fromCodePoint(text.codePointAt(offset) ?? 0) : word[0]}"`;
}
