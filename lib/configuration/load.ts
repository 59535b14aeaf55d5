import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  ConfigurationError,
  rulesOf,
  SUPPRESSION_RULES,
  type Configuration,
  type Diagnostic,
  type FailOn,
  type Rule,
} from '../engine';
import { isElsewhere } from '../files/boundary';
import { readText } from '../files/read';
import { parseDocument, type ParsedDocument } from '../languages';
import { whyNotRead } from '../front-ends/near-path';
import { allRules } from '../rules';
import { isGlob } from '../text/glob';
import { problemsOf, propertyText, type ShapeProblem, type ValuePath } from '../text/shape';
import { shownPath, shownPlace } from '../user-code/place';
import { contentShape, type ConfigurationFileContent } from './content';
import { fileOf, loadCustomRules } from './custom-rules';
import { findConfigurationFile } from './find';
import { defaultExportOf, inModule, loadModule, ModuleProblem, settled } from './module-loader';
import { ConfigurationFileError, type ConfigurationProblem } from './problems';

/** A configuration file, read. */
export interface ConfigurationFile {
  /** Path as messages show it. */
  readonly file: string;
  /** The file, and the modules that it names. */
  readonly files: readonly string[];
  readonly configuration: Configuration;
  /** Undefined if the file doesn't say. */
  readonly failOn: FailOn | undefined;
  /** As the file has it. */
  readonly content: ConfigurationFileContent;
  /** What would have run code, and was left out. The check is then not the one that was asked for, so it counts as not read. */
  readonly leftOut: readonly Diagnostic[];
}

/** How a configuration file is read. */
export interface ConfigurationReading {
  /** Whether code may run: a file that is a program, and modules of rules. @default true */
  readonly runsCode?: boolean;
}

/**
 * Reads the configuration file of the nearest folder that has one, from a folder upwards; undefined if there is none.
 * @throws ConfigurationFileError if it can't be used, or there are several
 */
export function loadNearestConfiguration(from: string = process.cwd()): ConfigurationFile | undefined {
  const file = findConfigurationFile(from);
  return file === undefined ? undefined : loadConfigurationFile(shownPath(file));
}

/**
 * Reads a configuration file: JSON, YAML, or a JavaScript or TypeScript module, which is run.
 * @throws ConfigurationFileError if it can't be used
 */
export function loadConfigurationFile(file: string, { runsCode = true }: ConfigurationReading = {}): ConfigurationFile {
  refuseMissing(file);
  if (isProgram(file) && !runsCode)
    return { file, files: [file], content: {}, failOn: undefined, configuration: {}, leftOut: [programLeftOut(file)] };
  const given = isProgram(file) ? runProgram(file) : readDocument(file);
  const content = given.root as ConfigurationFileContent;
  refuse(contentProblems(given.root, allRules), given, file);
  refuse(variableFilesElsewhere(content, file), given, file);
  if (!runsCode && (content.customRules ?? []).length > 0) return withoutCustomRules(content, given, file);
  const customRules = customRulesOf(content.customRules ?? [], given, file);
  // Only now it is known which rules and options there are.
  if (customRules.length > 0)
    refuse(problemsOf(contentShape([...allRules, ...customRules], false), given.root), given, file);
  const modules = (content.customRules ?? []).map((specifier) => shownPath(fileOf(specifier, dirname(resolve(file)))));
  return {
    file,
    files: [file, ...modules],
    content,
    failOn: content.failOn,
    configuration: configurationOf(content, customRules, given, file),
    leftOut: [],
  };
}

function programLeftOut(file: string): Diagnostic {
  const message =
    'this configuration is a program and was not run (--no-config-code), so the levels, ignores and rules that it sets are missing; write it in YAML or JSON, or allow --config-code where only trusted changes are checked';
  return { severity: 'error', message, file, line: 1, column: 1 };
}

/** What a file says besides its modules of rules, and besides what it says of their rules. */
function withoutCustomRules(
  { customRules = [], ...content }: ConfigurationFileContent,
  given: Content,
  file: string,
): ConfigurationFile {
  const leftOut = customRules.map((specifier, index): Diagnostic => {
    const { line = 1, column = 1 } = given.document?.locate(['customRules', index]) ?? {};
    return {
      severity: 'error',
      message: `the rules of ${specifier} are code and were not run (--no-config-code); allow --config-code where only trusted changes are checked`,
      file,
      line,
      column,
    };
  });
  const isHere = new Set([...allRules.map(({ id }) => id), ...SUPPRESSION_RULES]);
  const configuration = configurationOf(content, [], given, file);
  const { rules = {}, ignores = [] } = configuration;
  return {
    file,
    files: [file],
    content: { ...content, customRules },
    failOn: content.failOn,
    configuration: {
      ...configuration,
      rules: Object.fromEntries(Object.entries(rules).filter(([id]) => isHere.has(id))),
      ignores: ignores.filter(({ rule }) => isHere.has(rule) || isGlob(rule)),
    },
    leftOut,
  };
}

/** @throws ConfigurationFileError if there is no such file */
function refuseMissing(file: string): void {
  try {
    statSync(file);
  } catch (error) {
    throw new ConfigurationFileError([{ file, property: '', message: whyNotRead(file, error) }]);
  }
}

/** @throws ConfigurationFileError if there are problems */
function refuse(problems: readonly ShapeProblem[], given: Content, file: string): void {
  if (problems.length > 0)
    throw new ConfigurationFileError(problems.map(({ path, message }) => problemAt(file, given, path, message)));
}

/** Who can write a configuration file must not have others read by it that the user doesn't check. */
function variableFilesElsewhere({ terraform }: ConfigurationFileContent, file: string): readonly ShapeProblem[] {
  return (terraform?.varFiles ?? []).flatMap((path, index) =>
    isElsewhere(resolve(dirname(resolve(file)), path), file)
      ? [
          {
            path: ['terraform', 'varFiles', index],
            message: `${path} is outside of the repository or folder of this configuration file, so it is not read; name it with --var-file`,
          },
        ]
      : [],
  );
}

/** A value with the places of its parts; those of a program have none. */
interface Content {
  readonly root: unknown;
  readonly document?: ParsedDocument;
}

function isProgram(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

function readDocument(file: string): Content {
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

function runProgram(file: string): Content {
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
function withPlace({ message, place }: ModuleProblem): string {
  return place === undefined ? message : `${message} (${shownPlace(place)})`;
}

function problemAt(file: string, { document }: Content, path: ValuePath, message: string): ConfigurationProblem {
  return { file, property: propertyText(path), message, ...document?.locate(path) };
}

/**
 * What is wrong with the content of a configuration file, without a look at the modules that it names.
 * @internal tests compare it with the JSON Schema
 */
export function contentProblems(root: unknown, rules: readonly Rule[]): ReturnType<typeof problemsOf> {
  const named = typeof root === 'object' && root !== null && 'customRules' in root ? root.customRules : undefined;
  return problemsOf(contentShape(rules, Array.isArray(named) && named.length > 0), root);
}

function configurationOf(
  { preset, rules, ignores, parameters, terraform, asOf }: ConfigurationFileContent,
  customRules: readonly Rule[],
  given: Content,
  file: string,
): Configuration {
  const folder = dirname(resolve(file));
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(rules === undefined ? {} : { rules }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(parameters === undefined ? {} : { parameters: asWritten(parameters, given) }),
    ...(terraform?.varFiles === undefined
      ? {}
      : { terraform: { varFiles: terraform.varFiles.map((path) => shownPath(resolve(folder, path))) } }),
    ...(ignores === undefined
      ? {}
      : { ignores: ignores.map((ignore, index) => ({ ...ignore, folder, source: placeOf(given, file, index) })) }),
    ...(customRules.length === 0 ? {} : { customRules }),
  };
}

function placeOf({ document }: Content, file: string, index: number) {
  return {
    locate: () => ({
      file,
      line: 1,
      column: 1,
      ...document?.locate(['ignores', index]),
      property: `ignores[${index}]`,
    }),
  };
}

/** @throws ConfigurationFileError for the first module that can't be used beside the built-in rules and those of the modules before it */
function customRulesOf(specifiers: readonly string[], given: Content, file: string): readonly Rule[] {
  const folder = dirname(resolve(file));
  return specifiers.reduce<readonly Rule[]>((before, specifier, index) => {
    try {
      const rules = [...new Set([...before, ...loadCustomRules(specifier, folder)])];
      rulesOf({ customRules: rules }, allRules);
      return rules;
    } catch (error) {
      if (!(error instanceof ModuleProblem || error instanceof ConfigurationError)) throw error;
      const message = error instanceof ModuleProblem ? withPlace(error) : error.message;
      throw new ConfigurationFileError([problemAt(file, given, ['customRules', index], `${specifier}: ${message}`)]);
    }
  }, []);
}

/** A number such as 1.30 has lost what was written. CloudFormation takes texts only, so there it is looked up. */
function asWritten(
  parameters: NonNullable<Configuration['parameters']>,
  { document }: Content,
): NonNullable<Configuration['parameters']> {
  const text = <T>(value: T, path: ValuePath): T | string =>
    typeof value === 'number' ? (document?.scalarText(['parameters', ...path]) ?? value) : value;
  const texts = (values: NonNullable<typeof parameters.cloudformation>, path: ValuePath) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object'
          ? value.map((item, index) => text(item, [...path, name, index]))
          : text(value, [...path, name]),
      ]),
    );
  const { cloudformation, stacks } = parameters;
  return {
    ...parameters,
    ...(cloudformation === undefined ? {} : { cloudformation: texts(cloudformation, ['cloudformation']) }),
    ...(stacks === undefined
      ? {}
      : {
          stacks: Object.fromEntries(
            Object.entries(stacks).map(([stack, values]) => [stack, texts(values, ['stacks', stack])]),
          ),
        }),
  };
}
