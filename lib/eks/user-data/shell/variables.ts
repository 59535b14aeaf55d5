import { Fragments, isUnknownFragment, type Fragment } from './word';
import type { ShellAssignment, ShellCommand } from './script';

const MAX_LENGTH = 16384;
const MAX_FRAGMENTS = 16;

/**
 * What is known of a script's variables while it is read. One is known from an assignment at the top level until anything
 * may change it; within loops and functions, only if the script assigns it nowhere else, because they may run later.
 */
export class KnownVariables {
  private readonly values = new Map<string, readonly Fragment[]>();
  private readonly written: ReadonlyMap<string, number>;

  constructor(text: string) {
    const written = new Map<string, number>();
    for (const [, name = ''] of text.matchAll(/\b([A-Za-z_]\w*)\+?=/g)) written.set(name, (written.get(name) ?? 0) + 1);
    this.written = written;
  }

  value(name: string, runsLater: boolean): readonly Fragment[] | undefined {
    if (runsLater && (this.written.get(name) ?? 0) > 1) return undefined;
    return this.values.get(name);
  }

  forget(name: string): void {
    this.values.delete(name);
  }

  forgetAll(): void {
    this.values.clear();
  }

  /** @param certain whether the assignment takes place whenever the script runs, and for what follows */
  assign(assignment: ShellAssignment & { readonly appends?: boolean }, text: string, certain: boolean): void {
    const { name, value } = assignment;
    const before = assignment.appends === true ? this.values.get(name) : [];
    if (!certain || value === undefined || before === undefined) {
      this.forget(name);
      return;
    }
    const fragments = new Fragments(text);
    for (const fragment of [...before, ...value.fragments]) fragments.push(fragment);
    const list = fragments.finish();
    const length = list.reduce((sum, fragment) => sum + (isUnknownFragment(fragment) ? 0 : fragment.text.length), 0);
    if (length > MAX_LENGTH || list.length > MAX_FRAGMENTS) this.forget(name);
    else this.values.set(name, list);
  }

  /** Takes note of what a command may do to variables. */
  run(command: Pick<ShellCommand, 'words' | 'effective'>, text: string, certain: boolean): void {
    const [word, ...rest] = command.words;
    const name = word?.text;
    if (name !== undefined && DECLARATIONS.has(name)) {
      for (const argument of rest) this.declare(argument.prefix, argument, text, certain);
    } else if (name !== undefined && READERS.has(name)) {
      for (const argument of rest) this.forget(argument.text ?? '');
    } else if (
      word === undefined ||
      name === 'eval' ||
      name === 'source' ||
      name === '.' ||
      (name === undefined && word.isTemplated)
    )
      this.forgetAll();
  }

  private declare(prefix: string, argument: ShellCommand['words'][number], text: string, certain: boolean): void {
    const match = /^([A-Za-z_]\w*)(\+?=)/.exec(prefix);
    if (match !== null) {
      const [all, name = '', operator] = match;
      this.assign(
        { name, value: argument.after(all.length), offset: argument.start, appends: operator === '+=' },
        text,
        certain,
      );
    } else if (!argument.isKnown) this.forgetAll();
  }
}

const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const READERS: ReadonlySet<string> = new Set(['read', 'unset', 'mapfile', 'readarray', 'getopts', 'printf', 'let']);
