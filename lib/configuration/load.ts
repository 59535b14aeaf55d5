import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { ConfigurationError, resolveConfiguration, type Configuration, type FailOn, type Rule } from '../engine';
import { parseDocument, type ParsedDocument } from '../readers/document';
import { readText } from '../readers/paths';
import { allRules } from '../rules';
import { contentShape, type ConfigurationFileContent } from './content';
import { loadCustomRules } from './custom-rules';
import { findConfigurationFile } from './find';
import { defaultExportOf, loadModule, ModuleProblem } from './module-loader';
import { ConfigurationFileError, propertyText, type ConfigurationProblem } from './problems';
import { problemsOf, type ValuePath } from './shape';

/** A configuration file, read. */
export interface ConfigurationFile {
  /** Path as messages show it. */
  readonly file: string;
  readonly configuration: Configuration;
  /** Undefined if the file doesn't say. */
  readonly failOn: FailOn | undefined;
  /** As the file has it. */
  readonly content: ConfigurationFileContent;
}

/**
 * Reads the configuration file of the nearest folder that has one, from a folder upwards; undefined if there is none.
 * @throws ConfigurationFileError if it can't be used, or there are several
 */
export function loadNearestConfiguration(from: string = process.cwd()): ConfigurationFile | undefined {
  const file = findConfigurationFile(from);
  return file === undefined ? undefined : loadConfigurationFile(shown(file));
}

/**
 * Reads a configuration file: JSON, YAML, or a JavaScript or TypeScript module, which is run.
 * @throws ConfigurationFileError if it can't be used
 */
export function loadConfigurationFile(file: string): ConfigurationFile {
  const given = isProgram(file) ? runProgram(file) : readDocument(file);
  const content = checkContent(given, file);
  const configuration = configurationOf(content, given, file);
  checkRules(configuration, file);
  return { file, content, failOn: content.failOn, configuration };
}

/** What only shows once the user's own rules are there. */
function checkRules(configuration: Configuration, file: string): void {
  try {
    resolveConfiguration(configuration, allRules);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ConfigurationFileError([{ file, property: '', message: error.message }]);
    throw error;
  }
}

/** A value with the places of its parts; those of a program have none. */
interface Content {
  readonly root: unknown;
  readonly document?: ParsedDocument;
}

/** From the working directory on, if it is in there. */
function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

function isProgram(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

function readDocument(file: string): Content {
  const content = readText(file);
  if ('problem' in content) throw new ConfigurationFileError([{ file, property: '', message: content.problem }]);
  const document = parseDocument(content.text, file);
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new ConfigurationFileError(errors.map(({ line, column, message }) => ({ file, line, column, property: '', message })));
  return { root: document.root, document };
}

function runProgram(file: string): Content {
  try {
    return { root: defaultExportOf(loadModule(resolve(file))) };
  } catch (error) {
    if (error instanceof ModuleProblem) throw new ConfigurationFileError([{ file, property: '', message: error.message }]);
    throw error;
  }
}

function problemAt(file: string, { document }: Content, path: ValuePath, message: string): ConfigurationProblem {
  return { file, property: propertyText(path), message, ...document?.locate(path) };
}

/** The content, if it is whole. @throws ConfigurationFileError if not */
function checkContent(content: Content, file: string): ConfigurationFileContent {
  const problems = contentProblems(content.root, allRules);
  if (problems.length > 0) throw new ConfigurationFileError(problems.map(({ path, message }) => problemAt(file, content, path, message)));
  return content.root as ConfigurationFileContent;
}

/** What is wrong with the content of a configuration file, without a look at the modules that it names. */
export function contentProblems(root: unknown, rules: readonly Rule[]): ReturnType<typeof problemsOf> {
  const named = typeof root === 'object' && root !== null && 'customRules' in root ? root.customRules : undefined;
  return problemsOf(contentShape(rules, Array.isArray(named) && named.length > 0), root);
}

function configurationOf(content: ConfigurationFileContent, given: Content, file: string): Configuration {
  const { preset, rules, ignores, parameters, customRules } = content;
  const folder = dirname(resolve(file));
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(rules === undefined ? {} : { rules }),
    ...(parameters === undefined ? {} : { parameters: asWritten(parameters, given) }),
    ...(ignores === undefined ? {} : { ignores: ignores.map((ignore, index) => ({ ...ignore, folder, source: placeOf(given, file, index) })) }),
    ...(customRules === undefined ? {} : { customRules: customRules.flatMap((specifier, index) => rulesIn(specifier, folder, (message) => problemAt(file, given, ['customRules', index], message))) }),
  };
}

function placeOf({ document }: Content, file: string, index: number) {
  return { locate: () => ({ file, line: 1, column: 1, ...document?.locate(['ignores', index]), property: `ignores[${index}]` }) };
}

function rulesIn(specifier: string, folder: string, problem: (message: string) => ConfigurationProblem): readonly Rule[] {
  try {
    return loadCustomRules(specifier, folder);
  } catch (error) {
    if (error instanceof ModuleProblem) throw new ConfigurationFileError([problem(`${specifier}: ${error.message}`)]);
    throw error;
  }
}

/** A number such as 1.30 has lost what was written. CloudFormation takes texts only, so there it is looked up. */
function asWritten(parameters: NonNullable<Configuration['parameters']>, { document }: Content): NonNullable<Configuration['parameters']> {
  const text = <T>(value: T, path: ValuePath): T | string => (typeof value === 'number' ? (document?.scalarText(['parameters', ...path]) ?? value) : value);
  const texts = (values: NonNullable<typeof parameters.cloudformation>, path: ValuePath) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? value.map((item, index) => text(item, [...path, name, index])) : text(value, [...path, name])]),
    );
  const { cloudformation, stacks } = parameters;
  return {
    ...parameters,
    ...(cloudformation === undefined ? {} : { cloudformation: texts(cloudformation, ['cloudformation']) }),
    ...(stacks === undefined ? {} : { stacks: Object.fromEntries(Object.entries(stacks).map(([stack, values]) => [stack, texts(values, ['stacks', stack])])) }),
  };
}
