import { LIMITS } from '../../../value';
import { CallBeyondLimit, CallUnknown } from './function';

/** A regular expression as a tree. */
export type RegexNode =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly holds: (text: string, offset: number) => boolean }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'alternatives'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'group'; readonly index: number; readonly of: RegexNode }
  | {
      readonly kind: 'repetition';
      readonly of: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

/** Where a match and its groups stand; undefined for groups that take no part in it. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  /** The whole match is the first one. */
  readonly groups: readonly (string | undefined)[];
}

type Instruction =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly kind: 'assertion'; readonly holds: (text: string, offset: number) => boolean; readonly next: number }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'save'; readonly slot: number; readonly next: number }
  | { readonly kind: 'match' };

/** Counted repetitions within each other write one expression out very often. */
const MOST_INSTRUCTIONS = 20_000;

/**
 * Runs a regular expression as Go's "bitstate" does: it tries what comes first, but nothing twice at one place of the text. So it finds what
 * one that tries everything finds, and its time grows with expression × text, whatever they hold. Source: golang/go: src/regexp/backtrack.go.
 */
export class RegexProgram {
  private readonly instructions: Instruction[] = [{ kind: 'match' }];
  private readonly start: number;
  private steps = 0;
  /** The last step that may be taken. */
  private last: number = LIMITS.regexSteps;

  constructor(
    expression: RegexNode,
    private readonly groups: number,
  ) {
    this.start = this.compile(expression, 0);
  }

  /** How many steps its matches have taken so far. */
  get taken(): number {
    return this.steps;
  }

  /**
   * The first match; undefined if there is none.
   * @param most how many steps it may take
   * @throws CallUnknown if it takes too long to find out
   */
  first(text: string, most?: number): RegexMatch | undefined {
    this.limitTo(most);
    return this.search(text, 0, this.seenIn(text));
  }

  /** All matches as Go takes them: none that is empty right behind another one. @throws CallUnknown */
  *all(text: string, most?: number): Generator<RegexMatch> {
    this.limitTo(most);
    const seen = this.seenIn(text);
    let before = -1;
    for (let offset = 0; offset <= text.length; ) {
      const match = this.search(text, offset, seen);
      if (match === undefined) return;
      const isRepeated = match.end === offset && match.start === before;
      offset = match.end === offset ? offset + (characterAt(text, offset).length || 1) : match.end;
      before = match.end;
      if (!isRepeated) yield match;
    }
  }

  private limitTo(most: number = LIMITS.regexSteps): void {
    this.last = this.steps + Math.min(most, LIMITS.regexSteps);
  }

  private seenIn(text: string): Seen {
    const states = this.instructions.length * (text.length + 1);
    if (states > LIMITS.regexSteps) throw tooLong();
    return { marks: new Uint32Array(states), search: 0 };
  }

  private search(text: string, from: number, seen: Seen): RegexMatch | undefined {
    seen.search++;
    const slots = new Array<number>(2 * (this.groups + 1)).fill(-1);
    for (let offset = from; offset <= text.length; offset += characterAt(text, offset).length || 1) {
      const end = this.matchAt(text, offset, seen, slots);
      if (end !== undefined) {
        slots[0] = offset;
        slots[1] = end;
        const groups = Array.from({ length: this.groups + 1 }, (_, group) =>
          groupIn(text, slots[2 * group], slots[2 * group + 1]),
        );
        return { start: offset, end, groups };
      }
    }
    return undefined;
  }

  /** Where a match that begins at an offset ends. */
  private matchAt(text: string, offset: number, seen: Seen, slots: number[]): number | undefined {
    // What is left to try: an instruction and an offset, or (below zero) a slot and what it held.
    const left: number[] = [this.start, offset];
    const width = text.length + 1;
    while (left.length > 0) {
      let at = left.pop() ?? 0;
      let pc = left.pop() ?? 0;
      if (pc < 0) {
        slots[~pc] = at;
        continue;
      }
      for (;;) {
        const state = pc * width + at;
        if (seen.marks[state] === seen.search) break;
        seen.marks[state] = seen.search;
        if (++this.steps > this.last) throw tooLong();
        const instruction = this.instructions[pc];
        if (instruction === undefined || instruction.kind === 'match') return at;
        if (instruction.kind === 'character') {
          const character = characterAt(text, at);
          if (character === '' || !instruction.matches(character)) break;
          at += character.length;
          pc = instruction.next;
        } else if (instruction.kind === 'assertion') {
          if (!instruction.holds(text, at)) break;
          pc = instruction.next;
        } else if (instruction.kind === 'save') {
          left.push(~instruction.slot, slots[instruction.slot] ?? -1);
          slots[instruction.slot] = at;
          pc = instruction.next;
        } else {
          left.push(instruction.second, at);
          pc = instruction.first;
        }
      }
    }
    return undefined;
  }

  /** Appends what matches an expression and goes on at `next`; gives where that begins. */
  private compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'character':
      case 'assertion':
        return this.emit({ ...node, next });
      case 'sequence':
        return node.items.reduceRight((following, item) => this.compile(item, following), next);
      case 'alternatives': {
        const starts = node.options.map((option) => this.compile(option, next));
        return starts.reduceRight((second, first) => this.emit({ kind: 'split', first, second }));
      }
      case 'group': {
        const end = this.emit({ kind: 'save', slot: 2 * node.index + 1, next });
        return this.emit({ kind: 'save', slot: 2 * node.index, next: this.compile(node.of, end) });
      }
      case 'repetition':
        return this.repeat(node, next);
    }
  }

  private repeat({ of, least, most, isLazy }: Extract<RegexNode, { kind: 'repetition' }>, next: number): number {
    let start = next;
    if (most === Infinity)
      start =
        least > 0
          ? this.loop(of, isLazy, next).body
          : isNullable(of)
            ? this.optional(this.loop(of, isLazy, next).body, isLazy, next)
            : this.loop(of, isLazy, next).split;
    else for (let count = least; count < most; count++) start = this.optional(this.compile(of, start), isLazy, next);
    for (let count = most === Infinity ? 1 : 0; count < least; count++) start = this.compile(of, start);
    return start;
  }

  private optional(first: number, isLazy: boolean, second: number): number {
    return this.emit(isLazy ? { kind: 'split', first: second, second: first } : { kind: 'split', first, second });
  }

  private loop(of: RegexNode, isLazy: boolean, next: number): { readonly split: number; readonly body: number } {
    const instruction: Extract<Instruction, { kind: 'split' }> = { kind: 'split', first: next, second: next };
    const split = this.emit(instruction);
    const body = this.compile(of, split);
    instruction[isLazy ? 'second' : 'first'] = body;
    return { split, body };
  }

  private emit(instruction: Instruction): number {
    if (this.instructions.length >= MOST_INSTRUCTIONS) throw new CallUnknown('the regular expression repeats too much');
    return this.instructions.push(instruction) - 1;
  }
}

/** In which search each instruction was last tried at each offset. */
interface Seen {
  readonly marks: Uint32Array;
  search: number;
}

function tooLong(): CallBeyondLimit {
  return new CallBeyondLimit('the text is too long for the regular expression');
}

function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function groupIn(text: string, start = -1, end = -1): string | undefined {
  return start < 0 || end < 0 ? undefined : text.slice(start, end);
}

function isNullable(node: RegexNode): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'assertion':
      return true;
    case 'sequence':
      return node.items.every(isNullable);
    case 'alternatives':
      return node.options.some(isNullable);
    case 'group':
      return isNullable(node.of);
    case 'repetition':
      return node.least === 0 || isNullable(node.of);
  }
}
