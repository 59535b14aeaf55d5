import type { SourceText } from '../source-text';
import type { ShellWord } from './word';

/**
 * - `always`: runs whenever the script does (unless an earlier command ends it);
 * - `conditional`: in an `if`, a `case`, a loop, or behind `&&` or `||`;
 * - `function`: in the body of a function, whether or not it is called.
 */
export type ShellCondition = 'always' | 'conditional' | 'function';

/** A condition in front of a command: `[ -x FILE ]` in `[ -x FILE ] && FILE` or in `if [ -x FILE ]; then FILE; fi`. */
export interface ShellGuard {
  /** Offsets of the condition in the script. */
  readonly start: number;
  readonly end: number;
  /** The command runs if the condition fails: `||`, `else`. */
  readonly negated: boolean;
}

export interface ShellRedirection {
  /** `>`, `>>`, `<`, `<<` and so on, without the number in front. */
  readonly operator: string;
  /** The number in front; undefined if there is none. */
  readonly descriptor: number | undefined;
  readonly target: ShellWord | undefined;
  readonly offset: number;
}

/** Text that a command gets by `<<` (or `<<<`). */
export interface ShellHeredoc {
  readonly offset: number;
  /** As the command gets it: variables that the script sets to a known value are filled in. */
  readonly body: SourceText;
}

/** `NAME=value`. */
export interface ShellAssignment {
  readonly name: string;
  /** Undefined for lists: `NAME=(a b)`. */
  readonly value: ShellWord | undefined;
  readonly offset: number;
}

/** A simple command: a program or builtin with its arguments. */
export interface ShellCommand {
  /** Index in {@link ShellScript.commands}. */
  readonly index: number;
  /** The words as written, without assignments in front; none for mere assignments. */
  readonly words: readonly ShellWord[];
  /** The words from the program on that really runs: without `sudo`, `exec`, `env A=b`, `bash -x`, `source`. */
  readonly effective: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirections: readonly ShellRedirection[];
  readonly heredocs: readonly ShellHeredoc[];
  readonly offset: number;
  readonly end: number;
  readonly condition: ShellCondition;
  /** All conditions in front of it, outermost first. */
  readonly guards: readonly ShellGuard[];
  /** The function that it stands in. */
  readonly functionName: string | undefined;
  /** The command whose output it reads: `A` for `B` in `A | B`. */
  readonly pipedFrom: number | undefined;
  /** False if the script has ended before, with `exit` or `exec PROGRAM` at its top level. */
  readonly reachable: boolean;
  /** Whether the script ends when it fails (`set -e`). */
  readonly errexit: boolean;
}

/** A shell script as far as it can be read; other text becomes commands that mean nothing. */
export interface ShellScript {
  readonly body: SourceText;
  /** In the order in which they are written. */
  readonly commands: readonly ShellCommand[];
  /** The program of the first line, such as `/bin/bash`, without arguments; undefined without `#!`. */
  readonly interpreter: string | undefined;
  /** Comments, as offsets, in order. */
  readonly comments: readonly { readonly start: number; readonly end: number }[];
  /** Offset of a quote or here-document that never ends: what follows is part of it. */
  readonly unclosed: number | undefined;
}

/** The commands whose program isn't known: they could do anything. */
export function unknownCommandsIn(script: ShellScript): readonly ShellCommand[] {
  return script.commands.filter(({ effective: [name] }) => name !== undefined && !name.isKnown);
}

/** Offset of the first mention of a text outside of comments, in whatever role; undefined if there is none. */
export function mentionIn(script: ShellScript, text: string): number | undefined {
  let comment = 0;
  const source = script.body.text;
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + text.length)) {
    while ((script.comments[comment]?.end ?? Infinity) <= at) comment++;
    if ((script.comments[comment]?.start ?? Infinity) > at) return at;
  }
  return undefined;
}
