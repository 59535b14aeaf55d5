import { docsUrl, resolveConfiguration, rulesOf, type ResolvedSetting, type Rule } from '../../engine';
import type { ConfigurationFile } from '../../configuration/load';
import { printableLine } from '../../reports/prose';
import { ansiStyle, plainStyle, type Style } from '../../reports/style';
import { allRules } from '../../rules';
import { listedRules, type ListedRule } from '../../rules/listed';
import { jsonText } from '../../text/json-text';
import { packageVersion } from '../../version';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from '../parts/configuration-code';
import { SUBJECTS } from './rule-page';
import { searchRules } from './rule-search';
import { idsOf } from '../check/rule-selection';
import { terminalOf } from '../output/terminal';
import { toolRules, type ToolRule } from '../../engine/tool-rules';

export interface RulesArguments extends ConfigurationArguments {
  readonly format: 'text' | 'json';
  /** Only what says something like this, the likeliest first. @default - all */
  readonly search?: string;
}

/**
 * The catalogue of rules as a report, as the configuration file has them.
 * @param names ids, patterns of ids, subjects; all if there are none
 * @throws ConfigurationFileError if the file can't be used, UsageError if nothing has one of the names
 */
export function listRules(names: readonly string[], { format, search, ...given }: RulesArguments): string {
  const found = configurationFor(given);
  tellLeftOut(found);
  const configuration = found?.configuration ?? {};
  const wanted = names.length === 0 ? undefined : idsOf(names, [...rulesOf(configuration, listedRules), ...toolRules]);
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted?.has(id) ?? true;
  const whole = (): readonly Rule[] => {
    const rules = rulesOf(configuration, allRules).filter(isWanted);
    return search === undefined ? rules : searchRules(search, rules).map(({ rule }) => rule);
  };
  const own = search === undefined ? toolRules.filter(isWanted) : [];
  const settings = resolveConfiguration(configuration, listedRules);
  if (format === 'json') {
    const described = whole().map((rule) => describe(rule, settings.get(rule.id), found?.ruleFiles.get(rule.id)));
    return `${jsonText({ version: packageVersion(), configuration: found?.file ?? null, rules: described, toolRules: own.map((rule) => ({ ...rule, level: settings.get(rule.id)?.level ?? rule.severity })) }, 2)}\n`;
  }
  const style = terminalOf(process.stdout).colour ? ansiStyle : plainStyle;
  const listed =
    search === undefined
      ? sectionsOf(rulesOf(configuration, listedRules).filter(isWanted), own)
      : [{ name: '', rules: whole() }];
  return `${[...catalogue(listed, settings, found, style)].join('\n')}\n`;
}

function describe(rule: Rule, setting: ResolvedSetting | undefined, module: string | undefined): object {
  const { id, subject, title, severity, strictSeverity = severity, since, options = {}, sources, messages } = rule;
  const docs = rule.docs ?? docsUrl(id);
  return {
    id,
    subject,
    title,
    severity,
    strictSeverity,
    level: setting?.level ?? severity,
    since,
    docs,
    options,
    sources,
    messages,
    // Of a custom rule; the others are in the package.
    ...(module === undefined ? {} : { module }),
  };
}

interface Section {
  readonly name: string;
  readonly rules: readonly Pick<ListedRule, 'id' | 'severity' | 'title'>[];
}

function sectionsOf(rules: readonly ListedRule[], own: readonly ToolRule[]): readonly Section[] {
  const subjects = Object.entries(SUBJECTS).map(([subject, name]) => ({
    name,
    rules: rules.filter((rule) => rule.subject === subject),
  }));
  return [...subjects, { name: "The tool's own", rules: own }].filter((section) => section.rules.length > 0);
}

function* catalogue(
  sections: readonly Section[],
  settings: ReadonlyMap<string, ResolvedSetting>,
  found: ConfigurationFile | undefined,
  style: Style,
): Iterable<string> {
  const all = sections.flatMap(({ rules }) => rules);
  if (all.length === 0) {
    yield 'No rule says anything like it.';
    return;
  }
  const idWidth = Math.max(...all.map(({ id }) => id.length));
  for (const { name, rules } of sections) {
    if (name !== '') yield style.bold(name);
    yield* rules.map(
      ({ id, severity, title }) =>
        `  ${id.padEnd(idWidth)}  ${(settings.get(id)?.level ?? severity).padEnd(7)}  ${title}${moduleOf(id, found, style)}`,
    );
    yield '';
  }
  const levels = found === undefined ? '' : `, and what ${found.file} makes of it`;
  yield style.dim(
    `The severity is the highest that a rule uses${levels}. "eks-guardrails explain RULE" tells more about one.`,
  );
}

/** Where a custom rule comes from. */
function moduleOf(id: string, found: ConfigurationFile | undefined, style: Style): string {
  const module = found?.ruleFiles.get(id);
  return module === undefined ? '' : style.dim(` (${printableLine(module)})`);
}
