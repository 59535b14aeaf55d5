import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './usage-error';

/** Paths of a large repository. */
const MAX_OUTPUT = 512 * 1024 * 1024;

/** What git knows of the files of a repository, by their real paths. */
export interface GitChanges {
  /** Files that were added, changed or removed since the revision; new files count although git doesn't have them yet. */
  readonly changed: ReadonlySet<string>;
  /** Files that git has. */
  readonly tracked: ReadonlySet<string>;
}

/**
 * Asks the git on the PATH what differs from a revision, in the working tree as it is. Where both have a commit in common, that is the
 * beginning: what others changed on a branch meanwhile is none of this one's changes.
 * @throws UsageError without git, outside of a repository, or for a revision that it doesn't have
 */
export async function gitChangesSince(revision: string, folder: string): Promise<GitChanges> {
  if (revision === '' || revision.startsWith('-')) throw new UsageError(`--changed-since takes a revision of git, for example origin/main; not "${revision}"`);
  const root = await rootOf(folder);
  const commit = (await git(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`])).output?.trim();
  if (commit === undefined) throw new UsageError(`--changed-since: git knows no revision "${revision}"${await hintFor(root)}`);
  const base = (await git(root, ['merge-base', commit, 'HEAD'])).output?.trim() ?? commit;
  const [differing, added, tracked] = await Promise.all([
    paths(root, ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', base, '--']),
    paths(root, ['ls-files', '--others', '--exclude-standard', '-z']),
    paths(root, ['ls-files', '--cached', '-z']),
  ]);
  return { changed: new Set([...differing, ...added]), tracked: new Set(tracked) };
}

/** The path by which git knows a file: folders by their real names, the file itself as it is called. */
export function gitPathOf(file: string): string {
  const path = resolve(file);
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

async function rootOf(folder: string): Promise<string> {
  const { output, problem } = await git(folder, ['rev-parse', '--show-toplevel']);
  if (output !== undefined) return realpathSync(output.replace(/\r?\n$/, ''));
  if (/not a git repository/i.test(problem)) throw new UsageError(`--changed-since: ${folder} is in no repository of git`);
  throw new UsageError(`--changed-since: ${problem}`);
}

/** Pipelines fetch one commit only, unless they are told otherwise. */
async function hintFor(root: string): Promise<string> {
  const isShallow = (await git(root, ['rev-parse', '--is-shallow-repository'])).output?.trim() === 'true';
  return isShallow ? '; this clone is shallow: fetch the history first (in GitHub Actions, actions/checkout with fetch-depth: 0)' : '';
}

async function paths(root: string, args: readonly string[]): Promise<string[]> {
  const { output, problem } = await git(root, args);
  if (output === undefined) throw new UsageError(`--changed-since: ${problem}`);
  return output.split('\0').flatMap((path) => (path === '' ? [] : [join(root, path)]));
}

type Answer = { readonly output: string; readonly problem?: never } | { readonly output?: undefined; readonly problem: string };

async function git(folder: string, args: readonly string[]): Promise<Answer> {
  return new Promise((answer) => {
    // Asking must not write: neither the index, nor through a program that the repository names.
    const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
    execFile('git', ['-c', 'core.fsmonitor=false', ...args], { cwd: folder, env, maxBuffer: MAX_OUTPUT, windowsHide: true }, (error, output, told) => {
      if (error === null) answer({ output });
      else if (error.code === 'ENOENT') answer({ problem: existsSync(folder) ? "git isn't installed, or not on the PATH" : `there is no folder ${folder}` });
      else answer({ problem: firstLine(told) || `git ${args[0] ?? ''} failed: ${error.message}` });
    });
  });
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^fatal: /, '');
}
