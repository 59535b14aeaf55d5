import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { withoutBraces } from '../text/braces';
import { globMatcher, isGlob } from '../text/glob';
import { nearestName } from '../text/nearest';

/**
 * Whether files are covered by a pattern: of their path from a folder on, or, without a slash, of their name. Braces stand for alternatives, and
 * the name of a folder for all that is in it.
 */
export function fileMatcher(pattern: string, folder: string = process.cwd()): (file: string) => boolean {
  const tests = withoutBraces(pattern).map(pathTest);
  const realFolder = realPath(folder);
  return (file) => {
    // One of the two may be reached through a link that the other isn't reached through.
    const paths = new Set(
      [relative(folder, file), relative(realFolder, realPath(file))].map((path) => path.replaceAll('\\', '/')),
    );
    return [...paths].some((path) => tests.some((test) => test(path)));
  };
}

function pathTest(given: string): (path: string) => boolean {
  const pattern = given.replace(/^(?:\.\/)+/, '');
  if (pattern.endsWith('/')) return globMatcher(`${pattern}**`);
  const matches = globMatcher(pattern);
  const isName = !pattern.includes('/');
  const isFolder = (path: string) => !isGlob(pattern) && path.startsWith(`${pattern}/`);
  return (path) => matches(isName ? (path.split('/').at(-1) ?? '') : path) || isFolder(path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The folder that a pattern of files probably means, where it names one that doesn't exist. Others may not exist yet, such as `cdk.out`. */
export function misspeltFolder(
  pattern: string,
  folder: string,
): { readonly written: string; readonly meant: string } | undefined {
  for (const alternative of withoutBraces(pattern)) {
    const segments = alternative.split('/').filter((segment) => segment !== '' && segment !== '.');
    const firstGlob = segments.findIndex(isGlob);
    // The last one is the name of a file, if it isn't a pattern.
    const folders = segments.slice(0, firstGlob >= 0 ? firstGlob : alternative.endsWith('/') ? segments.length : -1);
    for (let depth = 1; depth <= folders.length; depth++) {
      if (existsSync(join(folder, ...folders.slice(0, depth)))) continue;
      const parent = folders.slice(0, depth - 1);
      const meant = nearestName(folders[depth - 1] ?? '', foldersIn(join(folder, ...parent)));
      if (meant !== undefined)
        return { written: folders.slice(0, depth).join('/'), meant: [...parent, meant].join('/') };
      break;
    }
  }
  return undefined;
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() || entry.isSymbolicLink() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}
