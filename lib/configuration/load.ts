import { realpathSync, statSync } from 'node:fs';
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
import { whyNotRead } from '../front-ends/near-path';
import { listedRules, type ListedRule } from '../rules/listed';
import { isGlob } from '../text/glob';
import { isMap, problemsOf, type ShapeProblem, type ValuePath } from '../text/shape';
import { shownPath } from '../user-code/place';
import { contentShape, type ConfigurationFileContent } from './content';
import { fileOf, loadCustomRules, withRules, type OwnRules } from './custom-rules';
import { targetOf, type Target } from './extending';
import { findConfigurationFile } from './find';
import { joined } from './joined';
import { ModuleProblem } from './module-loader';
import { joinedOrigins, originsOf, type Origins } from './origins';
import { ConfigurationFileError } from './problems';
import { isProgram, readDocument, runProgram, withPlace, problemAt, type Content } from './read-content';

/** A configuration file, read. */
export interface ConfigurationFile {
  /** Path as messages show it. */
  readonly file: string;
  /** The files that it extends, directly or through others; later ones win. */
  readonly bases: readonly string[];
  /** The file, those that it extends, and the modules that they name. */
  readonly files: readonly string[];
  /** With what it extends. */
  readonly configuration: Configuration;
  /** Undefined if neither the file says, nor what it extends. */
  readonly failOn: FailOn | undefined;
  /** As the file has it. */
  readonly content: ConfigurationFileContent;
  /** Where each setting stands. */
  readonly origins: Origins;
  /** The modules of custom rules, by the ids of these. */
  readonly ruleFiles: ReadonlyMap<string, string>;
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
 * Reads a configuration file: JSON, YAML, or a JavaScript or TypeScript module, which is run; and the files that it extends.
 * @throws ConfigurationFileError if it can't be used
 */
export function loadConfigurationFile(file: string, { runsCode = true }: ConfigurationReading = {}): ConfigurationFile {
  return readFile(file, { runsCode, chain: [], folder: dirname(resolve(file)), isPackage: false, known: new Map() });
}

/** How one came to a file. */
interface Way extends Required<ConfigurationReading> {
  /** The files on the way, from the one that was asked for; none for itself. */
  readonly chain: readonly string[];
  /** Folder of the file that was asked for. */
  readonly folder: string;
  /** Whether a package is on the way, which knows nothing of the folders of who uses it. */
  readonly isPackage: boolean;
  /** What was read already, as it can be extended several times. */
  readonly known: Map<string, ConfigurationFile>;
}

function readFile(file: string, way: Way): ConfigurationFile {
  const { runsCode } = way;
  refuseMissing(file);
  if (isProgram(file) && !runsCode) return { ...nothingOf(file), leftOut: [programLeftOut(file)] };
  const given = isProgram(file) ? runProgram(file) : readDocument(file);
  const content = given.root as ConfigurationFileContent;
  refuse(contentProblems(given.root, listedRules), given, file);
  refuse(filesElsewhere(content, file), given, file);
  const bases = basesOf(content, given, file, way);
  const { customRules: named = [] } = content;
  const ownLeftOut = runsCode ? [] : rulesLeftOut(named, given, file);
  const rules = runsCode
    ? customRulesOf(named, rulesOfBases(bases, given, file), given, file)
    : new Map<Rule, string>();
  const leftOut = [...bases.flatMap((base) => base.leftOut), ...ownLeftOut];
  // Only now it is known which rules and options there are.
  if (leftOut.length === 0 && (named.length > 0 || bases.length > 0))
    refuse(problemsOf(contentShape([...listedRules, ...rules.keys()], false), given.root), given, file);
  const own = configurationOf(content, [...rules.keys()], given, file, way);
  const modules = runsCode ? named.map((specifier) => shownPath(fileOf(specifier, dirname(resolve(file))))) : [];
  const { failOn, ...configuration } = [...bases, { configuration: own, failOn: content.failOn }]
    .map((one) => ({ ...one.configuration, ...(one.failOn === undefined ? {} : { failOn: one.failOn }) }))
    .reduce((base, over) => joined(base, over));
  return {
    file,
    bases: [...new Set(bases.flatMap((base) => [...base.bases, base.file]))],
    files: [...new Set([file, ...modules, ...bases.flatMap((base) => base.files)])],
    content,
    failOn,
    configuration: withoutRepetition(leftOut.length === 0 ? configuration : withoutUnknown(configuration)),
    origins: [...bases.map((base) => base.origins), originsOf(content, file, given.document)].reduce(joinedOrigins),
    ruleFiles: new Map([...rules].map(([{ id }, module]) => [id, module])),
    leftOut: [...new Set(leftOut)],
  };
}

function nothingOf(file: string): Omit<ConfigurationFile, 'leftOut'> {
  return {
    file,
    bases: [],
    files: [file],
    content: {},
    failOn: undefined,
    configuration: {},
    origins: new Map(),
    ruleFiles: new Map(),
  };
}

function programLeftOut(file: string): Diagnostic {
  const message =
    'this configuration is a program and was not run (--no-config-code), so the levels, ignores and rules that it sets are missing; write it in YAML or JSON, or allow --config-code where only trusted changes are checked';
  return { severity: 'error', message, file, line: 1, column: 1 };
}

/** More levels are a mistake, or meant to do harm. */
const MOST_LEVELS = 16;

/** The configurations that one extends, in its order. */
function basesOf(
  { extends: named = [] }: ConfigurationFileContent,
  given: Content,
  file: string,
  way: Way,
): readonly ConfigurationFile[] {
  const chain = [...way.chain, file];
  return (typeof named === 'string' ? [named] : named).map((specifier, index) => {
    const path = typeof named === 'string' ? ['extends'] : ['extends', index];
    const refused = (message: string) => new ConfigurationFileError([problemAt(file, given, path, message)]);
    const target = targetFor(specifier, file, refused);
    const isPackage = way.isPackage || target.isPackage;
    const real = realPathOf(target.file);
    const key = `${String(isPackage)} ${real}`;
    const again = chain.findIndex((one) => realPathOf(one) === real);
    if (again >= 0)
      throw refused(`these files extend each other in a circle: ${[...chain.slice(again), target.file].join(', ')}`);
    if (chain.length > MOST_LEVELS) throw refused(`more than ${MOST_LEVELS} configurations extend one another`);
    const base = way.known.get(key) ?? readFile(target.file, { ...way, chain, isPackage });
    way.known.set(key, base);
    return base;
  });
}

/** What a shell feeds (`<(…)`) has no other path. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

function targetFor(specifier: string, file: string, refused: (message: string) => Error): Target {
  try {
    return targetOf(specifier, file);
  } catch (error) {
    throw error instanceof ModuleProblem ? refused(`${specifier}: ${error.message}`) : error;
  }
}

/** What several ways lead to counts once. */
function withoutRepetition(configuration: Configuration): Configuration {
  const { ignores } = configuration;
  return ignores === undefined ? configuration : { ...configuration, ignores: [...new Set(ignores)] };
}

function rulesLeftOut(customRules: readonly string[], given: Content, file: string): readonly Diagnostic[] {
  return customRules.map((specifier, index): Diagnostic => {
    const { line = 1, column = 1 } = given.document?.locate(['customRules', index]) ?? {};
    return {
      severity: 'error',
      message: `the rules of ${specifier} are code and were not run (--no-config-code); allow --config-code where only trusted changes are checked`,
      file,
      line,
      column,
    };
  });
}

/** Without what a configuration says of rules that were left out. */
function withoutUnknown(configuration: Configuration): Configuration {
  const isHere = new Set([...listedRules.map(({ id }) => id), ...SUPPRESSION_RULES]);
  const { rules = {}, ignores = [] } = configuration;
  return {
    ...configuration,
    rules: Object.fromEntries(Object.entries(rules).filter(([id]) => isHere.has(id))),
    ignores: ignores.filter(({ rule }) => isHere.has(rule) || isGlob(rule)),
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
function filesElsewhere({ terraform, knowledge }: ConfigurationFileContent, file: string): readonly ShapeProblem[] {
  const named = [
    ...(terraform?.varFiles ?? []).map((path, index) => ({
      path,
      at: ['terraform', 'varFiles', index] as ValuePath,
      option: '--var-file',
    })),
    ...(knowledge === undefined ? [] : [{ path: knowledge, at: ['knowledge'], option: '--knowledge' }]),
  ];
  return named.flatMap(({ path, at, option }) =>
    isElsewhere(resolve(dirname(resolve(file)), path), file)
      ? [
          {
            path: at,
            message: `${path} is outside of the repository or folder of this configuration file, so it is not read; name it with ${option}`,
          },
        ]
      : [],
  );
}

/**
 * What is wrong with the content of a configuration file, without a look at the modules that it names.
 * @internal tests compare it with the JSON Schema
 */
export function contentProblems(root: unknown, rules: readonly ListedRule[]): ReturnType<typeof problemsOf> {
  const { customRules, extends: bases } = isMap(root) ? root : {};
  const mayHaveOwnRules = [customRules, bases].some((named) => Array.isArray(named) && named.length > 0);
  return problemsOf(contentShape(rules, mayHaveOwnRules || typeof bases === 'string'), root);
}

function configurationOf(
  { preset, rules, ignores, parameters, terraform, asOf, knowledge }: ConfigurationFileContent,
  customRules: readonly Rule[],
  given: Content,
  file: string,
  way: Way,
): Configuration {
  const folder = dirname(resolve(file));
  const shared = way.chain.length > 0 ? { isShared: true } : {};
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(rules === undefined ? {} : { rules }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(knowledge === undefined ? {} : { knowledge: shownPath(resolve(folder, knowledge)) }),
    ...(parameters === undefined ? {} : { parameters: asWritten(parameters, given) }),
    ...(terraform?.varFiles === undefined
      ? {}
      : { terraform: { varFiles: terraform.varFiles.map((path) => shownPath(resolve(folder, path))) } }),
    ...(ignores === undefined
      ? {}
      : {
          ignores: ignores.map((ignore, index) => ({
            ...ignore,
            folder: way.isPackage ? way.folder : folder,
            source: placeOf(given, file, index),
            ...shared,
          })),
        }),
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

/** @throws ConfigurationFileError for the first module that can't be used beside the built-in rules and those that there are already */
function customRulesOf(specifiers: readonly string[], inherited: OwnRules, given: Content, file: string): OwnRules {
  const folder = dirname(resolve(file));
  return specifiers.reduce<OwnRules>((before, specifier, index) => {
    try {
      const loaded = loadCustomRules(specifier, folder);
      const rules = withRules(before, new Map(loaded.map((rule) => [rule, shownPath(fileOf(specifier, folder))])));
      rulesOf({ customRules: [...rules.keys()] }, listedRules);
      return rules;
    } catch (error) {
      if (!(error instanceof ModuleProblem || error instanceof ConfigurationError)) throw error;
      const message = error instanceof ModuleProblem ? withPlace(error) : error.message;
      throw new ConfigurationFileError([problemAt(file, given, ['customRules', index], `${specifier}: ${message}`)]);
    }
  }, inherited);
}

/** @throws ConfigurationFileError if two of the extended files bring different rules with one id */
function rulesOfBases(bases: readonly ConfigurationFile[], given: Content, file: string): OwnRules {
  return bases.reduce<OwnRules>((before, { configuration, ruleFiles, file: base }) => {
    const rules = (configuration.customRules ?? []).map((rule) => [rule, ruleFiles.get(rule.id) ?? base] as const);
    try {
      return withRules(before, new Map(rules));
    } catch (error) {
      if (!(error instanceof ModuleProblem)) throw error;
      throw new ConfigurationFileError([problemAt(file, given, ['extends'], error.message)]);
    }
  }, new Map());
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
