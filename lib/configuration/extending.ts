import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isElsewhere, upwards } from '../files/boundary';
import { codeOf } from '../files/read';
import { whyNotRead } from '../front-ends/near-path';
import { shownPath } from '../user-code/place';
import { CONFIGURATION_FILE_NAMES } from './find';
import { ModuleProblem } from './module-loader';

/** A configuration that another one extends. */
export interface Target {
  /** Path as messages show it. */
  readonly file: string;
  /** Whether it was named as a package, and not by its path. */
  readonly isPackage: boolean;
}

/**
 * The file that an `extends` names: by its path from the file on that names it, or as a package that is installed for that file.
 * @throws ModuleProblem if there is none, or it may not be read from there
 */
export function targetOf(specifier: string, referring: string): Target {
  const path = resolve(dirname(resolve(referring)), specifier);
  const isPackage = !isPath(specifier) && !isFile(path);
  const file = isPackage ? packageFile(specifier, path, dirname(resolve(referring))) : existing(path);
  // Who can write a configuration file must not have others read by it that the user doesn't know of.
  if (isElsewhere(file, referring))
    throw new ModuleProblem(
      `${isPackage ? `it is installed as ${shownPath(file)}, which` : 'it'} is outside of the repository or folder of this configuration file, so it is not read`,
    );
  return { file: shownPath(file), isPackage };
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}[\\/]/.test(specifier) || isAbsolute(specifier);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function existing(path: string): string {
  try {
    statSync(path);
    return path;
  } catch (error) {
    throw new ModuleProblem(whyNotRead(shownPath(path), error));
  }
}

/** What the package is by its `main` or `exports`; else the configuration file in its folder. */
function packageFile(name: string, path: string, folder: string): string {
  try {
    const found = createRequire(join(folder, 'package.json')).resolve(name);
    // A module of Node.js itself is no file.
    if (isAbsolute(found)) return found;
  } catch (error) {
    if (codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw new ModuleProblem("the package doesn't export it (exports of its package.json)");
  }
  const place = upwards(folder)
    .map((at) => join(at, 'node_modules', name))
    .find((at) => isFile(join(at, 'package.json')));
  if (place === undefined)
    throw new ModuleProblem(
      `there is no such file, and no package of this name is installed; it would be ${shownPath(path)}, or in node_modules of its folder or one above`,
    );
  const files = CONFIGURATION_FILE_NAMES.map((file) => join(place, file)).filter(isFile);
  const [file, other] = files;
  if (file === undefined || other !== undefined)
    throw new ModuleProblem(
      `the package (${shownPath(place)}) has no "main", and ${file === undefined ? 'no' : 'several files'} eks-guardrails.config.*`,
    );
  // As Node.js takes what it finds.
  return realpathSync(file);
}
