import { isUnknownFragment, type Fragment, type ShellCondition, type ShellWord } from '../shell';
import type { SourceText } from '../source-text';
import { afterPowerShellComment, PowerShellWords } from './powershell-words';

/** A command of a PowerShell script. */
export interface PowerShellCommand {
  readonly words: readonly ShellWord[];
  /** `& $script` or `. $script`: the first word is a path, whatever it looks like. */
  readonly isCall: boolean;
  readonly offset: number;
  readonly end: number;
  readonly condition: ShellCondition;
}

const ASSIGNMENT = /(?:\[[\w.[\]]{1,80}\][ \t]*){0,2}\$(?:(\w{1,40}):)?(\w{1,100})[ \t]*(\+?=)(?!=)[ \t]*/y;
const REDIRECTION = /[\d*]?>>?(?:&\d)?/y;

/** Statements whose block runs without a condition. */
const PLAIN_BLOCKS: ReadonlySet<string> = new Set(['try', 'finally', 'begin', 'process', 'end', 'do']);
const MAX_VALUE = 4096;

/** Reads the commands of a part of a text that is PowerShell. Offsets are those of the text. */
export function readPowerShell(body: SourceText, start = 0, end = body.text.length): readonly PowerShellCommand[] {
  return new PowerShellParser(body, start, end).read();
}

class PowerShellParser {
  private readonly text: string;
  private readonly reader: PowerShellWords;
  private readonly variables = new Map<string, readonly Fragment[]>();
  private readonly commands: PowerShellCommand[] = [];
  private readonly frames: ShellCondition[] = [];
  private words: ShellWord[] = [];
  private isCall = false;
  private start: number | undefined;
  /** How much the values of variables may still add. */
  private budget: number;

  constructor(
    body: SourceText,
    private at: number,
    private readonly end: number,
  ) {
    this.text = body.text;
    this.reader = new PowerShellWords(body, end, this.variables);
    this.budget = 65536 + 4 * (end - at);
  }

  read(): readonly PowerShellCommand[] {
    while (this.at < this.end) this.step();
    this.endStatement();
    return this.commands;
  }

  private step(): void {
    const character = this.text.charAt(this.at);
    const next = this.text.charAt(this.at + 1);
    const comment = afterPowerShellComment(this.text, this.at);
    if (comment !== undefined) this.at = Math.min(this.end, comment);
    else if (character === '`' && /\s/.test(next)) this.at = this.afterContinuation();
    else if (character === '\n' || character === ';' || character === '|') this.endStatement(1);
    else if (/\s/.test(character)) this.at++;
    else if (character === '{') this.openBlock();
    else if (character === '}') {
      this.endStatement(1);
      this.frames.pop();
    } else if (character === ')' || character === ']') this.at++;
    else if (character === '&' || (character === '.' && /\s/.test(next) && this.words.length === 0)) {
      if (this.words.length === 0) {
        this.isCall = true;
        this.start ??= this.at;
      }
      this.at++;
    } else if (!this.redirection() && !this.assignment()) this.readWord();
  }

  /** A backtick joins lines only if nothing, not even a blank, follows it on its line. */
  private afterContinuation(): number {
    return this.text.startsWith('\r\n', this.at + 1) ? this.at + 3 : this.at + 2;
  }

  private openBlock(): void {
    const keyword = (this.words[0]?.text ?? '').toLowerCase();
    const outer = this.frames[this.frames.length - 1] ?? 'always';
    const isPlain = PLAIN_BLOCKS.has(keyword);
    const inner: ShellCondition =
      outer === 'function' || keyword === 'function' || keyword === 'filter'
        ? 'function'
        : isPlain
          ? outer
          : 'conditional';
    this.words = [];
    this.endStatement(1);
    this.frames.push(inner);
  }

  private redirection(): boolean {
    REDIRECTION.lastIndex = this.at;
    const match = REDIRECTION.exec(this.text);
    if (match === null || this.words.length === 0) return false;
    this.at += match[0].length;
    if (match[0].includes('&')) return true;
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++;
    this.at = this.reader.read(this.at).end;
    return true;
  }

  /** `$name = value`, where a statement begins. What is computed makes the variable unknown. */
  private assignment(): boolean {
    if (this.words.length > 0 || this.isCall) return false;
    ASSIGNMENT.lastIndex = this.at;
    const match = ASSIGNMENT.exec(this.text);
    if (match === null) return false;
    const [all, scope, name = '', operator] = match;
    this.at += all.length;
    const key = (scope?.toLowerCase() === 'env' ? `env:${name}` : name).toLowerCase();
    const first = this.text.charAt(this.at);
    const isValue = /["'$\d@]/.test(first) || this.reader.unknowns.at(this.at) !== undefined;
    const value = isValue && operator === '=' ? this.reader.read(this.at) : undefined;
    const isCertain = (this.frames[this.frames.length - 1] ?? 'always') === 'always';
    if (value === undefined || !isCertain || !this.isEndOfStatement(value.end) || !this.remember(key, value.fragments))
      this.variables.delete(key);
    // What is computed may be the output of a command; `$name = & $script …` runs it.
    if (value !== undefined) this.at = Math.max(value.end, this.at);
    return true;
  }

  private remember(name: string, fragments: readonly Fragment[]): boolean {
    const length = fragments.reduce(
      (sum, fragment) => sum + (isUnknownFragment(fragment) ? 8 : fragment.text.length),
      0,
    );
    if (length > MAX_VALUE || fragments.length > 32 || length > this.budget) return false;
    this.budget -= length;
    this.variables.set(name, fragments);
    return true;
  }

  private isEndOfStatement(start: number): boolean {
    let at = start;
    while (at < this.end && /[ \t\r]/.test(this.text.charAt(at))) at++;
    return /[\n;}#]/.test(this.text.charAt(at));
  }

  private readWord(): void {
    const word = this.reader.read(this.at);
    this.start ??= this.at;
    if (word.end > this.at) this.words.push(word);
    this.at = Math.max(word.end, this.at + 1);
  }

  /** @param length of what ends it */
  private endStatement(length = 0): void {
    const { words, start } = this;
    if (words.length > 0 && start !== undefined) {
      const condition = this.frames[this.frames.length - 1] ?? 'always';
      this.commands.push({
        words,
        isCall: this.isCall,
        offset: start,
        end: words[words.length - 1]?.end ?? start,
        condition,
      });
    }
    this.words = [];
    this.isCall = false;
    this.start = undefined;
    this.at += length;
  }
}
