import type { SourceText } from '../source-text';
import { effectiveWords } from './effective';
import { Frame, guardsOf, type FrameKind, type GuardList } from './frames';
import { OpenCommand } from './open-command';
import type { ShellCommand, ShellGuard, ShellScript } from './script';
import { endOfLine, hereDocument, skipNested } from './skip';
import { KnownVariables } from './variables';
import { WordReader } from './word-reader';

/**
 * Reads a shell script (bash, sh): what commands it runs, with which words, and on what conditions. It is a reader of other
 * people's scripts, not a judge of them: text that no shell would accept is read somehow, and nothing throws.
 */
export function readShell(body: SourceText): ShellScript {
  return new ShellParser(body).read();
}

const OPERATOR = /&&|\|\||;;&|;;|;&|\|&|[;&|()]/y;
const REDIRECTION = /(\d*)(<<<|<<-|<<|<>|<&|>>|>&|>\||&>>|&>|<|>)/y;
const ASSIGNMENT = /([A-Za-z_]\w*)(?:\[[^\]\n]{0,64}\])?(\+?=)/y;
const DECLARED_LIST = /[A-Za-z_]\w*\+?=\(/y;

class ShellParser {
  private readonly text: string;
  private readonly words: WordReader;
  private readonly variables: KnownVariables;
  private readonly commands: ShellCommand[] = [];
  private readonly comments: { start: number; end: number }[] = [];
  private errexit: boolean;
  private frame = new Frame('script', 0, undefined, undefined);
  private command = new OpenCommand();
  private reachable = true;
  private pendingFunction: string | undefined;
  private unclosed: number | undefined;
  private at = 0;

  constructor(private readonly body: SourceText) {
    this.text = body.text;
    this.variables = new KnownVariables(this.text);
    this.words = new WordReader(body, (name) =>
      this.variables.value(name, this.frame.inLoop || this.frame.functionName !== undefined),
    );
    this.errexit = /^#!\s*\S+[ \t]+-\w*e/.test(this.text);
  }

  read(): ShellScript {
    while (this.at < this.text.length) this.step();
    this.endCommand();
    const interpreter = /^#![ \t]*(\S+)/.exec(this.text)?.[1];
    return {
      body: this.body,
      commands: this.commands,
      interpreter,
      comments: this.comments,
      unclosed: this.unclosed ?? this.words.unclosed,
    };
  }

  private step(): void {
    const { text, at } = this;
    const character = text.charAt(at);
    if (character === ' ' || character === '\t') this.at++;
    else if (character === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) this.at += text[at + 1] === '\r' ? 3 : 2;
    else if (character === '\n' || (character === '\r' && text[at + 1] === '\n')) this.endLine();
    else if (character === '#') {
      this.at = endOfLine(text, at);
      this.comments.push({ start: at, end: this.at });
    } else if (this.command.isTest) this.readWords('test');
    else if (this.frame.part === 'pattern') this.readPattern();
    else if (!this.redirection() && !this.operator()) this.readWords('command');
  }

  private endLine(): void {
    this.endCommand();
    this.at = this.text.indexOf('\n', this.at) + 1;
    for (const pending of this.command.takePending()) {
      const { end, next, closed } = hereDocument(this.text, this.at, pending.delimiter, pending.stripsTabs);
      if (!closed) this.unclosed ??= pending.offset;
      pending.receive(this.words.hereDocument(this.at, end, pending.expands, pending.stripsTabs).value);
      this.at = next;
    }
    // A line that ends in `&&` or `|` goes on.
    if (this.command.isFresh && !this.command.continues) this.frame.endList();
  }

  private operator(): boolean {
    OPERATOR.lastIndex = this.at;
    const operator = OPERATOR.exec(this.text)?.[0];
    if (operator === undefined) return false;
    const start = this.at;
    this.at += operator.length;
    if (operator === '(') this.openParenthesis(start);
    else if (operator === ')') {
      this.endCommand();
      if (this.frame.kind === 'subshell') this.pop();
      else this.frame.endList();
    } else if (operator.startsWith(';;') || operator === ';&') {
      this.endCommand();
      if (this.frame.kind === 'case') this.frame.enterPattern(this.at);
      else this.frame.endList();
    } else if (operator === '&&' || operator === '||') {
      this.endCommand();
      this.frame.join(operator, start);
      this.command.continues = true;
    } else if (operator === '|' || operator === '|&') {
      this.frame.pipe = this.endCommand() ?? this.frame.pipe;
      this.command.continues = true;
    } else {
      this.endCommand();
      this.frame.endList();
    }
    return true;
  }

  private openParenthesis(start: number): void {
    const [name, ...rest] = this.command.words;
    if (this.pendingFunction !== undefined && this.command.isFresh && this.text[this.at] === ')') this.at++;
    else if (this.text[this.at] === '(' && this.command.isFresh) {
      // `((…))` is arithmetic: a command without words of its own.
      this.begin(start);
      this.at = skipNested(this.text, this.at, 'paren');
    } else if (
      name !== undefined &&
      rest.length === 0 &&
      name.bare &&
      /^[ \t]*\)/.test(this.text.slice(this.at, this.at + 64))
    ) {
      this.at = this.text.indexOf(')', this.at) + 1;
      this.pendingFunction = name.text ?? '';
      this.command = this.command.fresh();
    } else if (this.command.isFresh) this.push('subshell', start);
    else this.at = skipNested(this.text, this.at, 'paren');
  }

  private redirection(): boolean {
    const { text, at } = this;
    REDIRECTION.lastIndex = at;
    const match = REDIRECTION.exec(text);
    if (match === null || this.words.unknowns.at(at) !== undefined) return false;
    const [all, descriptor = '', operator = ''] = match;
    const start = at + all.length;
    if ((operator === '<' || operator === '>') && text[start] === '(' && descriptor === '') return false;
    this.begin(at);
    this.at = start;
    while (text[this.at] === ' ' || text[this.at] === '\t') this.at++;
    const from = this.at;
    const { words, end } = this.words.read(this.at, 'assignment');
    this.at = Math.max(end, from);
    this.command.redirect(
      { operator, descriptor: descriptor === '' ? undefined : Number(descriptor), target: words[0], offset: at },
      text.slice(from, end),
    );
    this.command.end = this.at;
    return true;
  }

  private readPattern(): void {
    const { text, at } = this;
    const character = text.charAt(at);
    if (character === ')' || character === ';') {
      if (character === ')') this.frame.enterBody(at, at + 1);
      this.at++;
    } else if (/[(|&<>]/.test(character)) this.at++;
    else {
      const { words, end } = this.words.read(at, 'command');
      this.at = Math.max(end, at + 1);
      if (words[0]?.bare === true && words[0].text === 'esac') this.pop();
    }
  }

  private readWords(place: 'command' | 'test'): void {
    const { at } = this;
    if (place === 'command' && this.command.words.length === 0 && this.assignment()) return;
    if (this.command.isDeclaration && this.declaredList()) return;
    const { words, end } = this.words.read(at, place);
    this.at = Math.max(end, at + 1);
    const [first] = words;
    const reserved = place === 'command' && this.command.isFresh && first?.bare === true ? first.text : undefined;
    if (this.frame.part === 'header') {
      if (this.frame.kind === 'loop' && reserved === 'do' && !this.frame.inWords) this.frame.enterBody(at, this.at);
      else if (this.frame.kind === 'case' && reserved === 'in' && this.frame.inWords) this.frame.enterPattern(this.at);
      else this.frame.inWords = true;
      return;
    }
    if (reserved !== undefined && this.reservedWord(reserved, at)) return;
    this.begin(at);
    if (this.pendingFunction === NAME_FOLLOWS && first !== undefined) {
      this.pendingFunction = first.text ?? '';
      this.command = this.command.fresh();
      return;
    }
    this.command.add(words, this.at);
    if (place === 'test' && first?.text === ']]' && first.bare) this.command.isTest = false;
  }

  private assignment(): boolean {
    ASSIGNMENT.lastIndex = this.at;
    const match = ASSIGNMENT.exec(this.text);
    if (match === null) return false;
    const [all, name = '', operator] = match;
    const start = this.at;
    this.begin(start);
    this.at += all.length;
    const isList = this.text[this.at] === '(';
    if (isList) this.at = skipNested(this.text, this.at + 1, 'paren');
    const read = isList ? undefined : this.words.read(this.at, 'assignment');
    this.at = read?.end ?? this.at;
    const isElement = all.includes('[');
    const value =
      isList || isElement ? undefined : (read?.words[0] ?? this.words.hereDocument(this.at, this.at, false, false));
    this.command.assignments.push({ name, value, offset: start, appends: operator === '+=' });
    this.command.end = this.at;
    return true;
  }

  /** `declare -a NAME=(a b)`. */
  private declaredList(): boolean {
    DECLARED_LIST.lastIndex = this.at;
    const match = DECLARED_LIST.exec(this.text);
    if (match === null) return false;
    this.variables.forget(match[0].replace(/\+?=\($/, ''));
    this.at = skipNested(this.text, this.at + match[0].length, 'paren');
    return true;
  }

  /** Acts on a word that is part of the grammar where a command begins. */
  private reservedWord(word: string, at: number): boolean {
    const { frame } = this;
    switch (word) {
      case 'if':
      case 'while':
      case 'until':
        this.push(word === 'if' ? 'if' : 'loop', this.at);
        return true;
      case 'for':
      case 'select':
      case 'case':
        this.push(word === 'case' ? 'case' : 'loop', this.at);
        this.frame.part = 'header';
        return true;
      case '{':
        this.push('group', at);
        return true;
      case 'then':
        if (frame.kind === 'if') frame.enterBody(at, this.at);
        return true;
      case 'do':
        if (frame.kind === 'loop') frame.enterBody(at, this.at);
        return true;
      case 'elif':
      case 'else':
        if (frame.kind === 'if') frame.enterElse(this.at, word === 'elif' ? 'condition' : 'body');
        return true;
      case 'fi':
      case 'done':
      case 'esac':
      case '}':
        if (frame.kind === CLOSES[word] || (word === '}' && frame.kind === 'function')) this.pop();
        return true;
      case 'function':
        this.pendingFunction = NAME_FOLLOWS;
        return true;
      case '[[':
        this.command.isTest = true;
        return false;
    }
    return false;
  }

  private push(kind: FrameKind, at: number): void {
    this.begin(at);
    const name = this.pendingFunction;
    this.pendingFunction = undefined;
    this.command = this.command.fresh();
    this.frame = new Frame(
      name !== undefined && kind === 'group' ? 'function' : kind,
      at,
      this.frame,
      name ?? this.frame.functionName,
    );
  }

  private pop(): void {
    this.frame = this.frame.parent ?? this.frame;
    this.command = this.command.fresh();
  }

  private begin(at: number): void {
    this.frame.listStart ??= at;
    this.command.begin(at);
  }

  /** Takes note of the command that was read; its index. */
  private endCommand(): number | undefined {
    const open = this.command;
    this.command = open.fresh();
    if (open.start === undefined || this.frame.part === 'header' || open.isFresh) return undefined;
    const pipedFrom = this.frame.pipe;
    this.frame.pipe = undefined;
    if (open.words.length > 0) this.pendingFunction = undefined;
    const { frame } = this;
    const command = new ReadCommand(this.commands.length, open, frame, pipedFrom, this.reachable, this.errexit);
    this.commands.push(command);
    this.runs(command, frame.condition === 'always' && !frame.inSubshell && pipedFrom === undefined);
    return command.index;
  }

  /** What follows from a command for those behind it. */
  private runs(command: ShellCommand, certain: boolean): void {
    if (command.words.length === 0) {
      for (const assignment of command.assignments) this.variables.assign(assignment, this.text, certain);
      return;
    }
    this.variables.run(command, this.text, certain);
    const [name, first] = command.words.map((word) => word.text);
    if (!certain) return;
    if (name === 'exit' || (name === 'exec' && command.words.length > 1)) this.reachable = false;
    if (name === 'set' && first !== undefined) this.set(command.words.map((word) => word.text ?? ''));
  }

  private set(words: readonly string[]): void {
    words.forEach((word, index) => {
      const isErrexit =
        /^[-+][a-df-z]*e[a-z]*$/.test(word) || (/^[-+][a-z]*o$/.test(words[index - 1] ?? '') && word === 'errexit');
      if (isErrexit) this.errexit = !(word.startsWith('+') || words[index - 1] === '+o');
    });
  }
}

const CLOSES: Readonly<Record<string, FrameKind>> = { fi: 'if', done: 'loop', esac: 'case', '}': 'group' };

/** Marks that the word behind `function` is its name; no name is empty otherwise. */
const NAME_FOLLOWS = ' ';

/** A command that was read. A class, because scripts have many and their guards are seldom asked for. */
class ReadCommand implements ShellCommand {
  readonly words: ShellCommand['words'];
  readonly effective: ShellCommand['effective'];
  readonly assignments: ShellCommand['assignments'];
  readonly redirections: ShellCommand['redirections'];
  readonly heredocs: ShellCommand['heredocs'];
  readonly offset: number;
  readonly end: number;
  readonly condition: ShellCommand['condition'];
  readonly functionName: string | undefined;
  private readonly guardList: GuardList | undefined;

  constructor(
    readonly index: number,
    open: OpenCommand,
    frame: Frame,
    readonly pipedFrom: number | undefined,
    readonly reachable: boolean,
    readonly errexit: boolean,
  ) {
    this.words = open.words;
    this.effective = effectiveWords(open.words);
    this.assignments = open.assignments;
    this.redirections = open.redirections;
    this.heredocs = open.heredocs;
    this.offset = open.start ?? 0;
    this.end = open.end;
    this.condition = frame.condition;
    this.functionName = frame.functionName;
    this.guardList = frame.listGuards(this.offset);
  }

  get guards(): readonly ShellGuard[] {
    return guardsOf(this.guardList);
  }
}
