import { resolve } from 'node:path';
import { readText } from '../files/read';
import { parseDocument, type ParsedDocument } from '../languages';
import { propertyText, type ValuePath } from '../text/shape';
import { shownPlace } from '../user-code/place';
import { defaultExportOf, inModule, loadModule, ModuleProblem, settled } from './module-loader';
import { ConfigurationFileError, type ConfigurationProblem } from './problems';

/** A value with the places of its parts; those of a program have none. */
export interface Content {
  readonly root: unknown;
  readonly document?: ParsedDocument;
}

export function isProgram(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

export function readDocument(file: string): Content {
  const content = readText(file);
  if ('problem' in content) throw new ConfigurationFileError([{ file, property: '', message: content.problem }]);
  const document = parseDocument(content.text, file, false);
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new ConfigurationFileError(
      errors.map(({ line, column, message }) => ({ file, line, column, property: '', message })),
    );
  return { root: document.root, document };
}

export function runProgram(file: string): Content {
  const path = resolve(file);
  try {
    return { root: inModule(path, () => settled(defaultExportOf(loadModule(path)))) };
  } catch (error) {
    if (!(error instanceof ModuleProblem)) throw error;
    const { message, place } = error;
    if (place?.file === path)
      throw new ConfigurationFileError([{ file, line: place.line, column: place.column, property: '', message }]);
    throw new ConfigurationFileError([{ file, property: '', message: withPlace(error) }]);
  }
}

/** Where in which module, if that is known. */
export function withPlace({ message, place }: ModuleProblem): string {
  return place === undefined ? message : `${message} (${shownPlace(place)})`;
}

export function problemAt(file: string, { document }: Content, path: ValuePath, message: string): ConfigurationProblem {
  return { file, property: propertyText(path), message, ...document?.locate(path) };
}
