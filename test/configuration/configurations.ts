import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationFileError, loadConfigurationFile, type ConfigurationFile } from '../../lib/configuration';

/** Writes a configuration file into a folder and reads it. */
export function load(folder: string, name: string, text: string): ConfigurationFile {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return loadConfigurationFile(file);
}

/** The lines of the error that reading a configuration gives, without the folder. */
export function problemsOf(folder: string, name: string, text: string): string[] {
  try {
    load(folder, name, text);
  } catch (error) {
    if (error instanceof ConfigurationFileError)
      return error.message.split('\n').map((line) => line.replaceAll(`${folder}/`, ''));
    throw error;
  }
  return [];
}

/** Installs TypeScript into a folder as a project has it. */
export function linkTypeScript(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(__dirname, '../../node_modules/typescript'), join(folder, 'node_modules/typescript'), 'dir');
}
