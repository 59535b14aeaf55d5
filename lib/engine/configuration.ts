import { nearestName } from '../text/nearest';
import type { ParameterValues } from '../value';
import { givenDay } from './as-of';
import { ConfigurationError } from './configuration-error';
import { defineCustomRule } from './custom-rule';
import { CRASH_IS_FINAL, ENGINE_RULES, SUPPRESSION_RULES } from './engine-findings';
import type { Ignore } from './ignore';
import type { Rule, RuleLevel } from './rule';
import { unknownRule } from './unknown-rule';

/** - `recommended`: every rule at its own severity. - `strict`: raises what costs nothing to follow. - `all`: also preview rules. */
export const PRESETS = ['recommended', 'strict', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

export const RULE_LEVELS = ['off', 'info', 'warning', 'error'] as const satisfies readonly RuleLevel[];

/** How to run the rules. */
export interface Configuration {
  /** The rules that run, and how severe they are: `recommended`, `strict` or `all`. @default 'recommended' */
  readonly preset?: Preset;
  /**
   * Per rule: a level, or a level with options. A level given here replaces the severity of all errors and warnings of the
   * rule; what the rule reports as mere information stays information.
   * @default - every rule as the preset has it
   */
  readonly rules?: Readonly<Record<string, RuleLevel | RuleSetting>>;
  /**
   * The day for which support dates and ends of suppressions are judged, `YYYY-MM-DD`, so that a check gives the same on any day.
   * @default - what EKS_GUARDRAILS_AS_OF says, else today in UTC
   */
  readonly asOf?: string;
  /** Findings to live with, for all resources that a pattern covers. @default - none */
  readonly ignores?: readonly Ignore[];
  /** Values for what only the deployment knows. @default - such values are unknown */
  readonly parameters?: ParameterValues;
  /** How Terraform is run. @default - as without any option */
  readonly terraform?: TerraformSettings;
  /**
   * A file of newer rows for some tables of the knowledge: Kubernetes versions, versions of add-ons, AMI types and others. Its JSON Schema is
   * `docs/eks-guardrails.knowledge.schema.json`. @default - the tables of the package
   */
  readonly knowledge?: string;
  /** Rules beside the built-in ones; `defineRule` makes them. @default - none */
  readonly customRules?: readonly Rule[];
}

/** How Terraform is run. */
export interface TerraformSettings {
  /** Files with values of variables, as `-var-file` names them: they win over those of the folder, and later ones over earlier ones. @default - none */
  readonly varFiles?: readonly string[];
}

export interface RuleSetting {
  readonly level?: RuleLevel;
  readonly options?: Readonly<Record<string, string>>;
}

export { ConfigurationError };

/** What the engine needs to know of one rule after presets and the user's settings. */
export interface ResolvedSetting {
  readonly level: RuleLevel | undefined;
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Checks a configuration against the rules that exist.
 * @throws ConfigurationError for an unknown rule, preset, level, option or option value, two rules with one id, or a day that is none
 */
export function resolveConfiguration(
  configuration: Configuration,
  builtIn: readonly Settable[],
): ReadonlyMap<string, ResolvedSetting> {
  const rules = rulesOf(configuration, builtIn);
  const preset = configuration.preset ?? 'recommended';
  if (!PRESETS.includes(preset)) {
    throw new ConfigurationError(
      `there is no preset "${preset}"; ${meant(preset, PRESETS)}the presets are ${PRESETS.join(', ')}`,
    );
  }
  givenDay(configuration);
  const known: readonly Settable[] = [...rules, ...SUPPRESSION_RULES.map((id) => ({ id }))];
  const ids = new Set(known.map(({ id }) => id));
  for (const id of Object.keys(configuration.rules ?? {})) {
    if (id === ENGINE_RULES.crashed) throw new ConfigurationError(CRASH_IS_FINAL);
    if (!ids.has(id)) throw new ConfigurationError(unknownRule(id, known));
  }
  return new Map(known.map((rule) => [rule.id, resolveRule(rule, preset, configuration.rules?.[rule.id])]));
}

/** What has a level: a rule, or a kind of the engine's own findings. */
type Settable = Pick<Rule, 'id' | 'options' | 'strictSeverity'>;

/**
 * The rules that run: the built-in ones, then the user's own.
 * @throws ConfigurationError if two have the same id, or one isn't whole
 */
export function rulesOf<R extends Pick<Rule, 'id'> = Rule>(
  { customRules = [] }: Configuration,
  builtIn: readonly R[],
): readonly (R | Rule)[] {
  if (customRules.length === 0) return builtIn;
  const byId = new Map<string, R | Rule>(builtIn.map((rule) => [rule.id, rule]));
  const isBuiltIn = new Set<string>([...byId.keys(), ...Object.values(ENGINE_RULES)]);
  for (const rule of customRules.map(defineCustomRule)) {
    if (isBuiltIn.has(rule.id))
      throw new ConfigurationError(`the custom rule "${rule.id}" has the id of a built-in rule; give it another`);
    const other = byId.get(rule.id);
    if (other !== undefined && other !== rule)
      throw new ConfigurationError(`two custom rules have the id "${rule.id}"`);
    byId.set(rule.id, rule);
  }
  return [...byId.values()];
}

function resolveRule(rule: Settable, preset: Preset, given: RuleLevel | RuleSetting | undefined): ResolvedSetting {
  const setting: RuleSetting = typeof given === 'string' ? { level: given } : (given ?? {});
  if (setting.level !== undefined && !RULE_LEVELS.includes(setting.level)) {
    throw new ConfigurationError(
      `"${setting.level}" is no level of rule ${rule.id}; ${meant(setting.level, RULE_LEVELS)}the levels are ${RULE_LEVELS.join(', ')}`,
    );
  }
  const options: Record<string, string> = {};
  for (const [name, option] of Object.entries(rule.options ?? {})) options[name] = option.default;
  for (const [name, value] of Object.entries(setting.options ?? {})) {
    const option = rule.options?.[name];
    if (option === undefined)
      throw new ConfigurationError(`rule ${rule.id} has no option "${name}"; ${optionsOf(rule, name)}`);
    if (!option.allowed.includes(value)) {
      throw new ConfigurationError(
        `option "${name}" of rule ${rule.id} is one of ${option.allowed.join(', ')}, not "${value}"${hint(value, option.allowed)}`,
      );
    }
    options[name] = value;
  }
  return { level: setting.level ?? (preset === 'strict' ? rule.strictSeverity : undefined), options };
}

/** `; did you mean "x"?`, or nothing. */
function hint(name: string, candidates: readonly string[]): string {
  return meant(name, candidates) === '' ? '' : `; ${meant(name, candidates).trimEnd()}`;
}

/** `did you mean "x"? `, or nothing. */
function meant(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `did you mean "${nearest}"? `;
}

function optionsOf(rule: Settable, name: string): string {
  const names = Object.keys(rule.options ?? {});
  return names.length === 0 ? 'it has none' : `${meant(name, names)}it has ${names.join(', ')}`;
}
