import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationFileError } from './problems';

const EXTENSIONS = ['json', 'yaml', 'yml', 'ts', 'js', 'mjs', 'cjs'] as const;

/** Names that a configuration file may have. */
export const CONFIGURATION_FILE_NAMES: readonly string[] = EXTENSIONS.map((extension) => `eks-guardrails.config.${extension}`);

/**
 * The configuration file of the nearest folder that has one, from a folder upwards to the root of its repository; undefined if there is none.
 * @throws ConfigurationFileError if a folder has several
 */
export function findConfigurationFile(from: string): string | undefined {
  for (const folder of searched(resolve(from))) {
    const names = namesIn(folder).filter((name) => CONFIGURATION_FILE_NAMES.includes(name)).sort();
    const [first, second] = names;
    if (first !== undefined && second !== undefined) {
      throw new ConfigurationFileError([{ file: folder, property: '', message: `the folder has several configuration files (${names.join(', ')}); keep one` }]);
    }
    if (first !== undefined) return join(folder, first);
  }
  return undefined;
}

/**
 * A folder and those above it that belong to the same work: up to the root of the repository. Where there is none, up to the first folder that
 * others can write: what stands there is code of a stranger.
 */
function searched(from: string): readonly string[] {
  const folders = upwards(from);
  const owners = trustedOwners(folders);
  const root = folders.findIndex((folder) => isRepository(folder, owners));
  const end = root >= 0 ? root + 1 : folders.findIndex((folder, index) => index > 0 && mayBeOthers(folder, owners));
  return end < 0 ? folders : folders.slice(0, end);
}

function upwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

/** The user, the administrator, and whoever owns the folder that the user works in. */
function trustedOwners(folders: readonly string[]): ReadonlySet<number> {
  const [owner] = folders.flatMap((folder) => statSync(folder, { throwIfNoEntry: false })?.uid ?? []);
  return new Set([process.geteuid?.() ?? 0, 0, owner ?? 0]);
}

/** Who may put `.git` into a folder that all share would make a repository of everybody's folders below it. */
function isRepository(folder: string, owners: ReadonlySet<number>): boolean {
  const git = lstatSync(join(folder, '.git'), { throwIfNoEntry: false });
  return git !== undefined && owners.has(git.uid);
}

/** On Windows, modes tell nothing, and every folder counts as one that others can write. */
function mayBeOthers(folder: string, owners: ReadonlySet<number>): boolean {
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return false;
  const isOfGroup = (status.mode & 0o020) !== 0 && status.gid !== process.getegid?.();
  return isOfGroup || (status.mode & 0o002) !== 0 || !owners.has(status.uid);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // One that may not be listed holds nothing for this user.
    return [];
  }
}
