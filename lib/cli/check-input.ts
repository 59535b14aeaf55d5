import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckResult } from '../check';
import type { Reading, StandardInput } from '../readers/input-files';
import { ChangedSince } from './changed-since';
import { gitChangesSince } from './git-changes';
import { progressOn } from './progress';
import { standardInput } from './standard-input';
import { UsageError } from './usage-error';

/** The options of `check` that say what is looked at. */
export interface InputArguments {
  /** What the standard input is called. @default - by its content */
  readonly stdinFilename?: string;
  /** A revision of git. @default - all that is read is reported */
  readonly changedSince?: string;
}

/** What a check looks at besides its paths. */
export class CheckInput {
  private constructor(
    private readonly revision: string | undefined,
    private readonly piped: StandardInput | undefined,
    private readonly changes: ChangedSince | undefined,
    private readonly quiet: boolean,
  ) {}

  /**
   * Reads the standard input if `-` is among the paths, and asks git what has changed if that is wanted.
   * @throws UsageError if there is no such revision, or the options don't fit together
   */
  static async of({ paths, quiet, stdinFilename, changedSince }: InputArguments & { readonly paths: readonly string[]; readonly quiet: boolean }): Promise<CheckInput> {
    const times = paths.filter((path) => path === '-').length;
    if (times > 1) throw new UsageError('the standard input (-) is given twice');
    if (times === 0 && stdinFilename !== undefined) throw new UsageError('--stdin-filename names the standard input, which is not read: add - to the paths');
    if (stdinFilename === '') throw new UsageError('--stdin-filename needs a name');
    // Before anything is read: a typing error should not cost that.
    const changes = changedSince === undefined ? undefined : new ChangedSince(await gitChangesSince(changedSince, process.cwd()));
    return new CheckInput(changedSince, times === 0 ? undefined : await standardInput(stdinFilename), changes, quiet);
  }

  /** Runs a check, with a line on the terminal about a long one. */
  read(check: (reading: Reading) => CheckResult): CheckResult {
    const progress = progressOn(process.stderr, this.quiet);
    try {
      return check({
        ...(this.piped === undefined ? {} : { standardInput: this.piped }),
        onFile: (file, role) => {
          progress.reading.onFile?.(file, role);
          this.changes?.reading.onFile(file, role);
        },
        onRootModule: (root) => this.changes?.reading.onRootModule(root),
        onJudge: (resources) => progress.reading.onJudge?.(resources),
      });
    } finally {
      progress.end();
    }
  }

  /** What is reported of a result: all, or what has changed. */
  reported(result: CheckResult): CheckResult {
    if (this.changes === undefined) return result;
    const changed = this.changes.of(result);
    if (changed.inputs.length === 0 && changed.diagnostics.length === 0) process.stderr.write(`Nothing of what is checked has changed since ${this.revision ?? ''}.\n`);
    return changed;
  }

  /** Text of an input, for code frames. */
  readonly readSource = (file: string): string | undefined => {
    if (this.piped !== undefined && resolve(this.piped.name) === resolve(file)) return withoutMark(this.piped.text);
    try {
      return withoutMark(readFileSync(file, 'utf8'));
    } catch {
      return undefined;
    }
  };
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
