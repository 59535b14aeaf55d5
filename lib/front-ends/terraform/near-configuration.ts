import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../../files/within';
import { isConfigurationFile } from './configuration-files';

/** The nearest folder with a Terraform configuration: that of a file or one above it, up to a root. */
export function configurationFolderOf(file: string, root: string): string | undefined {
  for (let folder = dirname(file); isWithin(folder, root); folder = dirname(folder)) {
    if (namesIn(folder).some(isConfigurationFile)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
