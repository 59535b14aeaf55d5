import type { ShellCondition, ShellGuard } from './script';

/** Guards as a list that branches share: its last element, and those before it. */
export interface GuardList {
  readonly guard: ShellGuard;
  readonly before: GuardList | undefined;
}

export function guardsOf(list: GuardList | undefined): readonly ShellGuard[] {
  const guards: ShellGuard[] = [];
  for (let at = list; at !== undefined; at = at.before) guards.push(at.guard);
  return guards.reverse();
}

export type FrameKind = 'script' | 'if' | 'loop' | 'case' | 'group' | 'subshell' | 'function';

/** Where in a compound command the reader is. */
export type FramePart =
  /** Of `if` and `while`: the condition. */
  | 'condition'
  /** What runs if it holds; the only part of groups. */
  | 'body'
  /** Between `for` and `do`, `case` and `in`: words, no commands. */
  | 'header'
  /** Of `case`: a pattern. */
  | 'pattern';

/** A compound command that is being read. Frames make a stack, because scripts may nest deeper than programs. */
export class Frame {
  part: FramePart;
  /** Begin of the condition, header or pattern. */
  partStart: number;
  /** Guards of what is in the frame; those of `if` change from branch to branch. */
  guards: GuardList | undefined;
  conditional: boolean;
  /** Begin of the list of commands that `&&` and `||` join, and the last of these operators. */
  listStart: number | undefined;
  listOperator: '&&' | '||' | undefined;
  /** In a header, behind its first word on the line. */
  inWords = false;
  /** The command in front of a `|`. */
  pipe: number | undefined;
  /** In a loop, at whatever depth. */
  readonly inLoop: boolean;
  readonly inSubshell: boolean;
  private operatorStart: number | undefined;
  private outerGuards: GuardList | undefined;

  constructor(
    readonly kind: FrameKind,
    start: number,
    readonly parent: Frame | undefined,
    readonly functionName: string | undefined,
  ) {
    this.part = kind === 'if' || kind === 'loop' ? 'condition' : 'body';
    this.partStart = start;
    this.guards = this.outerGuards = parent?.listGuards(start);
    this.conditional = parent?.isConditional ?? false;
    this.inLoop = kind === 'loop' || (parent?.inLoop ?? false);
    this.inSubshell = kind === 'subshell' || (parent?.inSubshell ?? false);
  }

  /** Whether a command that begins now may be left out. */
  get isConditional(): boolean {
    return this.conditional || this.listOperator !== undefined;
  }

  get condition(): ShellCondition {
    if (this.functionName !== undefined) return 'function';
    return this.isConditional ? 'conditional' : 'always';
  }

  /** Guards of a command that begins now, with what stands in front of it in its list. */
  listGuards(at: number): GuardList | undefined {
    if (this.listOperator === undefined || this.listStart === undefined) return this.guards;
    // The operator itself isn't part of the condition.
    return {
      guard: { start: this.listStart, end: this.operatorStart ?? at, negated: this.listOperator === '||' },
      before: this.guards,
    };
  }

  join(operator: '&&' | '||', start: number): void {
    this.listStart ??= start;
    this.listOperator = operator;
    this.operatorStart = start;
    this.pipe = undefined;
  }

  endList(): void {
    this.listStart = undefined;
    this.listOperator = undefined;
    this.operatorStart = undefined;
    this.pipe = undefined;
    this.inWords = false;
  }

  /** From the condition (header, pattern) that ends at `end` to what depends on it. */
  enterBody(end: number, at: number): void {
    this.endList();
    if (this.part === 'condition' || this.part === 'pattern')
      this.guards = { guard: { start: this.partStart, end, negated: false }, before: this.outerGuards };
    this.part = 'body';
    this.partStart = at;
    this.conditional = true;
  }

  /** From a branch to `else`, or to the condition of `elif`. */
  enterElse(at: number, part: 'body' | 'condition'): void {
    this.endList();
    const last = this.guards?.guard;
    if (last !== undefined && this.guards !== this.outerGuards) {
      this.outerGuards = { guard: { ...last, negated: !last.negated }, before: this.guards?.before };
      this.guards = this.outerGuards;
    }
    this.part = part;
    this.partStart = at;
    this.conditional = true;
  }

  /** Back to the patterns of a `case`. */
  enterPattern(at: number): void {
    this.endList();
    this.guards = this.outerGuards;
    this.part = 'pattern';
    this.partStart = at;
  }
}
