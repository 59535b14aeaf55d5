import { dirname, isAbsolute, relative } from 'node:path';
import { gitRootOf } from '../../files/boundary';

/** What files are called in a patch. */
export interface PatchNames {
  /** Where the names begin; undefined for the working directory. */
  readonly folder: string | undefined;
  readonly nameOf: (path: string) => string;
}

/**
 * Names that `git apply` and `patch` take: neither refers to what is outside of the folder where they run. That is the working directory if it
 * holds all files, or else the root of the repository, or the nearest folder around all.
 * @param paths real paths
 */
export function patchNames(paths: readonly string[], workingFolder: string): PatchNames {
  const holdsAll = (folder: string): boolean => paths.every((path) => isInside(path, folder));
  const root = gitRootOf(workingFolder);
  const folder =
    [workingFolder, ...(root === undefined ? [] : [root])].find(holdsAll) ?? nearestAround(workingFolder, holdsAll);
  return { folder: folder === workingFolder ? undefined : folder, nameOf: (path) => relative(folder, path) };
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return !isAbsolute(inside) && !/^\.\.(?:[\\/]|$)/.test(inside);
}

function nearestAround(start: string, holdsAll: (folder: string) => boolean): string {
  let folder = start;
  while (!holdsAll(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
