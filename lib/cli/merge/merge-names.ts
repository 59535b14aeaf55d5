import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { gitRootOf } from '../../files/boundary';
import type { NamedReport } from '../../reports/merged';
import { git } from '../git/git';
import type { GivenReport } from './merge-reports';

/**
 * Gives each report the name of its part: the one of the command line or the one that the report tells; else that of the repository
 * in whose checkout the report lies, if that isn't the one in which the command runs; else what tells its path from those of the others.
 */
export async function named(reports: readonly GivenReport[]): Promise<readonly NamedReport[]> {
  const repositories = new Map<string, string>();
  for (const root of new Set(reports.flatMap((given) => checkoutOf(given) ?? [])))
    repositories.set(root, await repositoryName(root));
  const told = reports.map((given) => given.part ?? given.report.name ?? repositories.get(checkoutOf(given) ?? ''));
  const byPath = namesByPath(reports.flatMap(({ report }, index) => (told[index] === undefined ? [report.file] : [])));
  return reports.map(({ report }, index) => ({
    ...report,
    name: told[index] ?? byPath.get(report.file) ?? report.file,
  }));
}

/** The checkout of another repository in which a report lies. */
function checkoutOf({ report, part }: GivenReport): string | undefined {
  if (part !== undefined || report.name !== undefined) return undefined;
  const root = gitRootOf(dirname(realpathSync(report.file)));
  return root === gitRootOf(realpathSync(process.cwd())) ? undefined : root;
}

/** `owner/name` by the address that it was cloned from, or else what its folder is called. */
async function repositoryName(root: string): Promise<string> {
  const { output = '' } = await git(root, ['config', '--get', 'remote.origin.url']);
  return nameInAddress(output.trim()) ?? basename(root);
}

/** Of `https://…`, `ssh://…`, `git@host:owner/name.git` and the path of a folder. Neither a host nor who cloned it is part of the name. */
function nameInAddress(address: string): string | undefined {
  const names = address
    .replace(/^(?:file:\/\/)?(?=[/.])|^[a-z][a-z0-9+.-]*:\/\/[^/]*\/|^[^/]*:/i, '')
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '..')
    .map((name, index, all) => (index === all.length - 1 ? name.replace(/\.git$/, '') : name));
  if (names.length === 0) return undefined;
  // A path of this machine says more than the name; GitLab has groups within groups.
  return /^(?:file:\/\/)?[/.]/.test(address) ? names.slice(-2).join('/') : names.join('/');
}

/** What tells paths apart: without the folders that all are in, the ending, and the name of the file if all are called the same. */
function namesByPath(files: readonly string[]): ReadonlyMap<string, string> {
  const paths = files.map((file) =>
    resolve(file)
      .replaceAll('\\', '/')
      .replace(/(?:\.sarif)?\.(?:json|sarif)$/i, '')
      .split('/'),
  );
  const shared = (at: (path: readonly string[]) => string | undefined) =>
    paths.every((path) => at(path) === at(paths[0] ?? []) && path.length > 1);
  while (paths.length > 1 && shared((path) => path[0])) for (const path of paths) path.shift();
  while (paths.length > 1 && shared((path) => path.at(-1))) for (const path of paths) path.pop();
  return new Map(
    files.map((file, index) => [file, (paths.length > 1 ? paths[index] : paths[index]?.slice(-1))?.join('/') ?? file]),
  );
}
