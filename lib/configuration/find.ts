import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationFileError } from './problems';

const EXTENSIONS = ['json', 'yaml', 'yml', 'ts', 'js', 'mjs', 'cjs'] as const;

/** Names that a configuration file may have. */
export const CONFIGURATION_FILE_NAMES: readonly string[] = EXTENSIONS.map((extension) => `eks-guardrails.config.${extension}`);

/**
 * The configuration file of the nearest folder that has one, from a folder upwards; undefined if there is none.
 * @throws ConfigurationFileError if a folder has several
 */
export function findConfigurationFile(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const names = namesIn(folder).filter((name) => CONFIGURATION_FILE_NAMES.includes(name)).sort();
    const [first, second] = names;
    if (first !== undefined && second !== undefined) {
      throw new ConfigurationFileError([{ file: folder, property: '', message: `the folder has several configuration files (${names.join(', ')}); keep one` }]);
    }
    if (first !== undefined) return join(folder, first);
    if (dirname(folder) === folder) return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // One that may not be listed holds nothing for this user.
    return [];
  }
}
