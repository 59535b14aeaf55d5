import { createRequire } from 'node:module';
import { dayOfEnvironment, type Configuration, type FailOn, type RuleLevel, type RuleSetting } from '../engine';
import { shownPath } from '../user-code/place';
import { findConfigurationFile } from './find';
import type { ConfigurationFile, ConfigurationReading } from './load';

/** The parsers take long to start, and most projects have no configuration file. */
const load = createRequire(__filename);

/** A configuration with what fails. */
export interface CheckConfiguration extends Configuration {
  readonly failOn?: FailOn;
}

/**
 * A configuration that was given explicitly, on top of the one of the configuration file.
 * @param file path of the file; `false` for none. Default: the nearest one, from the working directory upwards
 * @throws ConfigurationFileError if the file can't be used
 */
export function withConfigurationFile(explicit: CheckConfiguration, file?: string | false): CheckConfiguration {
  const found = configurationFileFor(file);
  return found === undefined
    ? explicit
    : mergeConfigurations(
        { ...found.configuration, ...(found.failOn === undefined ? {} : { failOn: found.failOn }) },
        explicit,
      );
}

/** The file that is meant: a named one, none, or the nearest one. @throws ConfigurationFileError if it can't be used */
export function configurationFileFor(
  file?: string | false,
  reading: ConfigurationReading = {},
): ConfigurationFile | undefined {
  if (file === false) return undefined;
  const nearest = file === undefined ? findConfigurationFile(process.cwd()) : undefined;
  const meant = file ?? (nearest === undefined ? undefined : shownPath(nearest));
  return meant === undefined
    ? undefined
    : (load('./load') as typeof import('./load')).loadConfigurationFile(meant, reading);
}

/**
 * Settings of the second configuration win, one by one: a rule's level there leaves its options as they are. Lists are joined.
 * What the environment says wins over the first.
 */
export function mergeConfigurations(base: CheckConfiguration, over: CheckConfiguration): CheckConfiguration {
  const asOf = over.asOf ?? dayOfEnvironment();
  return joined(base, asOf === undefined ? over : { ...over, asOf });
}

/** As `mergeConfigurations`, but of files alone, of which one extends the other. */
export function joined(base: CheckConfiguration, over: CheckConfiguration): CheckConfiguration {
  const { ignores = [], customRules = [] } = over;
  const varFiles = [base, over].flatMap(({ terraform }) => terraform?.varFiles ?? []);
  return {
    ...base,
    ...withoutUndefined(over),
    rules: mergeRules(base.rules ?? {}, over.rules ?? {}),
    ignores: [...(base.ignores ?? []), ...ignores],
    customRules: [...new Set([...(base.customRules ?? []), ...customRules])],
    parameters: mergeParameters(base.parameters ?? {}, over.parameters ?? {}),
    ...(varFiles.length === 0 ? {} : { terraform: { varFiles } }),
  };
}

function withoutUndefined<T extends object>(settings: T): Partial<T> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<T>;
}

type Rules = NonNullable<Configuration['rules']>;

function mergeRules(base: Rules, over: Rules): Rules {
  const merged: Record<string, RuleLevel | RuleSetting> = { ...base };
  for (const [id, setting] of Object.entries(over)) {
    const before = settingOf(base[id]);
    const after = settingOf(setting);
    merged[id] = { ...before, ...withoutUndefined(after), options: { ...before.options, ...after.options } };
  }
  return merged;
}

function settingOf(setting: RuleLevel | RuleSetting | undefined): RuleSetting {
  return typeof setting === 'string' ? { level: setting } : (setting ?? {});
}

type Parameters = NonNullable<Configuration['parameters']>;

function mergeParameters(base: Parameters, over: Parameters): Parameters {
  const stacks = { ...base.stacks };
  for (const [stack, values] of Object.entries(over.stacks ?? {})) stacks[stack] = { ...stacks[stack], ...values };
  return {
    cloudformation: { ...base.cloudformation, ...over.cloudformation },
    stacks,
    terraform: { ...base.terraform, ...over.terraform },
  };
}
