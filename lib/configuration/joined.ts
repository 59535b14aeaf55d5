import { dayOfEnvironment, type Configuration, type FailOn, type RuleLevel, type RuleSetting } from '../engine';

/** A configuration with what fails. */
export interface CheckConfiguration extends Configuration {
  readonly failOn?: FailOn;
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
