import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { upwards } from '../../files/boundary';
import { nearestName } from '../../text/nearest';
import { git } from './git';
import { UsageError } from '../parts/usage-error';

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
  if (revision === '' || revision.startsWith('-'))
    throw new UsageError(`--changed-since takes a revision of git, for example origin/main; not "${revision}"`);
  const root = await rootOf(folder);
  const base = await baseOf(root, revision, await commitOf(root, revision));
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

/** Links within links, which have an end. */
const MOST_LINKS = 40;

/**
 * All paths on which a file depends, by which git may know them: the links on the way, which may have been turned elsewhere, and last the one to which
 * they lead.
 */
export function gitPathsOf(file: string): readonly string[] {
  const links: string[] = [];
  let path = resolve(file);
  while (links.length < MOST_LINKS) {
    const link = [...upwards(path)].reverse().find(isLink);
    if (link === undefined) break;
    links.push(link);
    path = resolve(dirname(link), readlinkSync(link), relative(link, path));
  }
  return [...links, path];
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

async function rootOf(folder: string): Promise<string> {
  const { output, problem } = await git(folder, ['rev-parse', '--show-toplevel']);
  if (output !== undefined) return realpathSync(output.replace(/\r?\n$/, ''));
  if (/not a git repository/i.test(problem))
    throw new UsageError(`--changed-since: ${folder} is in no repository of git`);
  throw new UsageError(`--changed-since: ${problem}`);
}

async function commitOf(root: string, revision: string): Promise<string> {
  const commit = (await git(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`])).output?.trim() ?? '';
  // `^HEAD` and the like are answered with what is no name of a commit.
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return commit;
  const isKnown = commit !== '';
  const hint = isKnown ? '' : (await isShallow(root)) ? `; ${SHALLOW}` : await nearRevision(root, revision);
  throw new UsageError(
    isKnown
      ? `--changed-since takes one revision of git; not "${revision}"`
      : `--changed-since: git knows no revision "${revision}"${hint}`,
  );
}

/** Where the branch of a commit and the one that is checked out parted; the commit itself, if they never were one. */
async function baseOf(root: string, revision: string, commit: string): Promise<string> {
  const base = (await git(root, ['merge-base', commit, 'HEAD'])).output?.trim();
  if (base === undefined && (await isShallow(root)))
    throw new UsageError(`--changed-since: git can't tell where HEAD and "${revision}" parted; ${SHALLOW}`);
  return base ?? commit;
}

/** Pipelines fetch one commit only, unless they are told otherwise. */
const SHALLOW =
  'this clone is shallow: fetch the history first (in GitHub Actions, actions/checkout with fetch-depth: 0)';

async function isShallow(root: string): Promise<boolean> {
  return (await git(root, ['rev-parse', '--is-shallow-repository'])).output?.trim() === 'true';
}

async function nearRevision(root: string, revision: string): Promise<string> {
  const names = (await git(root, ['for-each-ref', '--format=%(refname:short)'])).output?.split('\n') ?? [];
  const nearest = nearestName(revision, ['HEAD', ...names.filter((name) => name !== '')]);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

async function paths(root: string, args: readonly string[]): Promise<string[]> {
  const { output, problem } = await git(root, args);
  if (output === undefined) throw new UsageError(`--changed-since: ${problem}`);
  return output.split('\0').flatMap((path) => (path === '' ? [] : [join(root, path)]));
}
