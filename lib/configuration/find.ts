import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gitRootOf, isElsewhere, trustedOwners, upwards } from '../files/boundary';
import { ConfigurationFileError } from './problems';

const EXTENSIONS = ['json', 'yaml', 'yml', 'ts', 'js', 'mjs', 'cjs'] as const;

/** Names that a configuration file may have. */
export const CONFIGURATION_FILE_NAMES: readonly string[] = EXTENSIONS.map(
  (extension) => `eks-guardrails.config.${extension}`,
);

/**
 * The configuration file of the nearest folder that has one, from a folder upwards to the root of its repository; undefined if there is none.
 * @throws ConfigurationFileError if a folder has several, or the file is a link out of the repository
 */
export function findConfigurationFile(from: string): string | undefined {
  for (const folder of searched(resolve(from))) {
    const names = namesIn(folder)
      .filter((name) => CONFIGURATION_FILE_NAMES.includes(name))
      .sort();
    const [first, second] = names;
    if (first !== undefined && second !== undefined) {
      throw new ConfigurationFileError([
        {
          file: folder,
          property: '',
          message: `the folder has several configuration files (${names.join(', ')}); keep one`,
        },
      ]);
    }
    if (first === undefined) continue;
    const file = join(folder, first);
    if (!isElsewhere(file, file)) return file;
    throw new ConfigurationFileError([
      {
        file,
        property: '',
        message: 'it is a symbolic link out of the repository or folder, so it is not read; name it with --config',
      },
    ]);
  }
  return undefined;
}

/**
 * A folder and those above it that belong to the same work: up to the root of the repository. Where there is none, up to the first folder that
 * others can write: what stands there is code of a stranger.
 */
function searched(from: string): readonly string[] {
  const folders = upwards(from);
  const root = gitRootOf(from);
  if (root !== undefined) return folders.slice(0, folders.indexOf(root) + 1);
  const owners = trustedOwners(from);
  const end = folders.findIndex((folder, index) => index > 0 && mayBeOthers(folder, owners));
  return end < 0 ? folders : folders.slice(0, end);
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
