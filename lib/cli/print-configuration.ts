import { resolveConfiguration, rulesOf, SUPPRESSION_RULES, type FailOn } from '../engine';
import type { CheckConfiguration } from '../configuration';
import { allRules } from '../rules';
import { jsonText } from '../text/json-text';

/**
 * What a check runs with, as JSON: the file, and the command line on top of it. Each rule has the severity that it uses at most.
 * @param file path of the configuration file; undefined if there is none
 */
export function printedConfiguration(
  configuration: CheckConfiguration,
  failOn: FailOn,
  file: string | undefined,
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
  } = configuration;
  const printed = {
    file: file ?? null,
    preset,
    failOn,
    asOf: asOf ?? null,
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
  };
  return `${jsonText(printed, 2)}\n`;
}
