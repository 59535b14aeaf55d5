import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { CheckResult } from '../../check';
import { readText, withoutMark } from '../../files/read';
import type { Reading, StandardInput } from '../../front-ends/input-files';
import { isAppOutput } from '../../front-ends/registry';
import { printableLine } from '../../reports/prose';
import { ChangedSince } from '../git/changed-since';
import { gitChangesSince, gitPathOf } from '../git/git-changes';
import { isSameFile } from '../output/output-places';
import { progressOn } from '../output/progress';
import type { Places } from './watched-places';
import { standardInput } from '../parts/standard-input';
import { UsageError } from '../parts/usage-error';

/** The options of `check` that say what is looked at. */
export interface InputArguments {
  /** What the standard input is called. @default - by its content */
  readonly stdinFilename?: string;
  /** A revision of git. @default - all that is read is reported */
  readonly changedSince?: string;
  /** A folder without any input is fine. @default - it is an error */
  readonly allowEmpty?: boolean;
}

/** What a check looks at besides its paths. */
export class CheckInput {
  /** The files that were looked at, whatever came of it. */
  private readonly files = new Map<string, 'input' | 'configuration'>();
  /** What isn't there, or is listed. */
  private readonly asked = new Set<string>();
  private result: CheckResult | undefined;

  private constructor(
    private readonly revision: string | undefined,
    private readonly piped: StandardInput | undefined,
    private readonly changes: ChangedSince | undefined,
    private readonly quiet: boolean,
    private readonly mayBeEmpty: boolean,
  ) {}

  /**
   * Reads the standard input if `-` is among the paths, and asks git what has changed if that is wanted.
   * @param decisive files that decide about all of the input: if one of them has changed, all has
   * @throws UsageError if there is no such revision, or the options don't fit together
   */
  static async of(
    {
      paths,
      quiet,
      stdinFilename,
      changedSince,
      allowEmpty = false,
    }: InputArguments & { readonly paths: readonly string[]; readonly quiet: boolean },
    decisive: readonly string[] = [],
  ): Promise<CheckInput> {
    if (paths.includes('')) throw new UsageError('a PATH is empty; is a variable not set?');
    const times = paths.filter((path) => path === '-').length;
    if (times > 1) throw new UsageError('the standard input (-) is given twice');
    if (times === 0 && stdinFilename !== undefined)
      throw new UsageError('--stdin-filename names the standard input, which is not read: add - to the paths');
    if (stdinFilename !== undefined && isFolder(stdinFilename))
      throw new UsageError(`--stdin-filename takes the name of a file, and ${stdinFilename} is a folder`);
    // Before anything is read: a typing error should not cost that.
    const changes = changedSince === undefined ? undefined : await changesSince(changedSince, decisive);
    return new CheckInput(
      changedSince,
      times === 0 ? undefined : await standardInput(stdinFilename),
      changes,
      quiet,
      allowEmpty,
    );
  }

  /**
   * Runs a check, with a line on the terminal about a long one.
   * @param texts stand for those of files, by the real paths of these
   */
  read(check: (reading: Reading) => CheckResult, texts?: ReadonlyMap<string, string>): CheckResult {
    this.result = this.readFor(check, texts);
    return this.result;
  }

  /** The same for what is no check. */
  readFor<T>(use: (reading: Reading) => T, texts?: ReadonlyMap<string, string>): T {
    const progress = progressOn(process.stderr, this.quiet);
    try {
      return use({
        ...(this.piped === undefined ? {} : { standardInput: this.piped }),
        ...(texts === undefined ? {} : { texts }),
        mayBeEmpty: this.mayBeEmpty,
        onFile: (file, role) => {
          progress.reading.onFile?.(file, role);
          this.changes?.reading.onFile(file, role);
          this.files.set(file, role);
        },
        onAsked: (path) => {
          this.changes?.reading.onAsked(path);
          this.asked.add(path);
        },
        onNestedTemplate: (nested) => this.changes?.reading.onNestedTemplate(nested),
        onRootModule: (root) => this.changes?.reading.onRootModule(root),
        onJudge: (resources) => progress.reading.onJudge?.(resources),
      });
    } finally {
      progress.end();
    }
  }

  /** Everything that decides about the result: what was read, and what would have been if it were there. */
  lookedAt(): Places {
    const asked = [...this.asked];
    return { files: [...this.files.keys(), ...asked], folders: asked.filter(isFolder) };
  }

  /** Whether the last check was about a file, so that nothing may take its place. A report that stands among the inputs isn't one of them. */
  isAbout(file: string): boolean {
    const { inputs = [], diagnostics = [] } = this.result ?? {};
    const unread = diagnostics.flatMap((diagnostic) => (diagnostic.severity === 'error' ? [diagnostic.file] : []));
    const synthesized = inputs.flatMap(({ kind, path }) => (isAppOutput(kind) ? [path + sep] : []));
    const parts = [...this.files].flatMap(([name, role]) =>
      role === 'configuration' || synthesized.some((folder) => name.startsWith(folder)) ? [name] : [],
    );
    return [...inputs.map(({ path }) => path), ...unread, ...parts].some((name) => isSameFile(name, file));
  }

  /** What is reported of a result: all, or what has changed. */
  reported(result: CheckResult): CheckResult {
    if (this.changes === undefined) return result;
    const changed = this.changes.of(result);
    if (changed.inputs.length === 0 && changed.diagnostics.length === 0)
      process.stderr.write(`Nothing of what is checked has changed since ${this.revision ?? ''}.\n`);
    return changed;
  }

  /** Text of an input, for code frames. */
  readonly readSource = (file: string): string | undefined => {
    if (this.piped !== undefined && resolve(this.piped.name) === resolve(file)) return withoutMark(this.piped.text);
    const content = readText(file);
    return 'text' in content ? withoutMark(content.text) : undefined;
  };
}

/** Undefined if everything counts as changed. */
async function changesSince(revision: string, decisive: readonly string[]): Promise<ChangedSince | undefined> {
  const changes = await gitChangesSince(revision, process.cwd());
  const changed = decisive.find((file) => changes.changed.has(gitPathOf(file)));
  if (changed === undefined) return new ChangedSince(changes);
  process.stderr.write(`${printableLine(changed)} has changed since ${revision}, so all findings are reported.\n`);
  return undefined;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
