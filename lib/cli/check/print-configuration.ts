import { dayOfEnvironment, resolveConfiguration, rulesOf, SUPPRESSION_RULES, type FailOn } from '../../engine';
import type { CheckConfiguration } from '../../configuration';
import type { ConfigurationFile } from '../../configuration/load';
import { allRules } from '../../rules';
import { jsonText } from '../../text/json-text';
import type { CheckArguments } from './check-arguments';

/**
 * What a check runs with, as JSON: the file, what it extends, and the command line on top of it. Each rule has the severity that it uses at most.
 * @param configuration what is run with
 * @param file the configuration file; undefined if there is none
 * @param given options of the command line
 */
export function printedConfiguration(
  configuration: CheckConfiguration,
  failOn: FailOn,
  file: ConfigurationFile | undefined,
  given: CheckArguments,
): string {
  const settings = resolveConfiguration(configuration, allRules);
  const rules = rulesOf(configuration, allRules).map(({ id, severity }) => {
    const { level = severity, options = {} } = settings.get(id) ?? {};
    return [id, { level, options }] as const;
  });
  const aboutSuppressions = SUPPRESSION_RULES.map(
    (id) => [id, { level: settings.get(id)?.level ?? 'warning', options: {} }] as const,
  );
  const {
    preset = 'recommended',
    ignores = [],
    parameters = {},
    terraform = {},
    customRules = [],
    asOf,
    knowledge,
  } = configuration;
  const printed = {
    file: file?.file ?? null,
    extends: file?.bases ?? [],
    preset,
    failOn,
    asOf: asOf ?? null,
    knowledge: knowledge ?? null,
    rules: Object.fromEntries([...rules, ...aboutSuppressions]),
    ignores: ignores.map(({ rule, resource, file: pattern, reason, until }) => ({
      rule,
      resource,
      file: pattern,
      reason,
      until,
    })),
    parameters: { cloudformation: {}, stacks: {}, terraform: {}, ...parameters },
    terraform: { varFiles: terraform.varFiles ?? [] },
    customRules: customRules.map(({ id }) => id),
    origins: Object.fromEntries(originsOf(configuration, file, given)),
  };
  return `${jsonText(printed, 2)}\n`;
}

/** Where everything comes from that isn't as it is by default, in the order in which it is printed. */
function originsOf(
  { rules = {}, ignores = [], terraform, customRules = [] }: CheckConfiguration,
  file: ConfigurationFile | undefined,
  given: CheckArguments,
): readonly (readonly [setting: string, place: string])[] {
  const places = new Map([...(file?.origins ?? []), ...optionsOf(given, terraform?.varFiles?.length ?? 0)]);
  for (const [id, setting] of Object.entries(rules)) {
    const before = file?.configuration.rules?.[id];
    const wasOff = (typeof before === 'object' ? before.level : before) === 'off';
    if (
      typeof setting === 'object' &&
      setting.level === 'off' &&
      !wasOff &&
      !places.get(`rules.${id}.level`)?.startsWith('--')
    )
      places.set(
        `rules.${id}.level`,
        given.only === undefined ? '--skip' : given.skip === undefined ? '--only' : '--only, --skip',
      );
  }
  const own = ignores.map(({ source }, index) => {
    const { file: path = '', line = 1, column = 1 } = source?.locate() ?? {};
    return [`ignores[${index}]`, `${path}:${line}:${column}`] as const;
  });
  const modules = customRules.map(({ id }, index) => [`customRules[${index}]`, file?.ruleFiles.get(id) ?? ''] as const);
  return [...places, ...own, ...modules];
}

/** The settings that options of the command line, and the environment, decide. */
function optionsOf(given: CheckArguments, varFiles: number): readonly (readonly [setting: string, place: string])[] {
  const { preset, failOn, asOf, knowledge, rule = [], ruleOption = [], varFile = [] } = given;
  const single = Object.entries({ preset: [preset, '--preset'], failOn: [failOn, '--fail-on'] } as const).flatMap(
    ([name, [value, option]]) => (value === undefined ? [] : [[name, option] as const]),
  );
  const day = dayOfEnvironment() === undefined ? [] : [['asOf', 'EKS_GUARDRAILS_AS_OF'] as const];
  return [
    ...single,
    ...(asOf === undefined ? day : [['asOf', '--as-of'] as const]),
    ...(knowledge === undefined ? [] : [['knowledge', '--knowledge'] as const]),
    ...rule.map((one) => [`rules.${one.split('=', 1).join('')}.level`, '--rule'] as const),
    ...ruleOption.map((one) => {
      const [id = '', option = ''] = one.split('=', 1).join('').split('.');
      return [`rules.${id}.options.${option}`, '--rule-option'] as const;
    }),
    ...varFile.map((_, index) => [`terraform.varFiles[${varFiles - varFile.length + index}]`, '--var-file'] as const),
  ];
}
