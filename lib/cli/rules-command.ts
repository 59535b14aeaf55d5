import { docsUrl, resolveConfiguration, rulesOf, type ResolvedSetting, type Rule } from '../engine';
import { ansiStyle, plainStyle, type Style } from '../reports/style';
import { allRules } from '../rules';
import { jsonText } from '../text/json-text';
import { packageVersion } from '../version';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from './configuration-code';
import { SUBJECTS } from './rule-page';
import { terminalOf } from './terminal';
import { toolRules } from '../engine/tool-rules';

/**
 * The catalogue of rules as a report, as the configuration file has them.
 * @throws ConfigurationFileError if the file can't be used
 */
export function listRules(format: 'text' | 'json', given: ConfigurationArguments = {}): string {
  const found = configurationFor(given);
  tellLeftOut(found);
  const rules = rulesOf(found?.configuration ?? {}, allRules);
  const settings = resolveConfiguration(found?.configuration ?? {}, allRules);
  if (format === 'json') {
    const described = rules.map((rule) => describe(rule, settings.get(rule.id)));
    return `${jsonText({ version: packageVersion(), configuration: found?.file ?? null, rules: described, toolRules: toolRules.map((rule) => ({ ...rule, level: settings.get(rule.id)?.level ?? rule.severity })) }, 2)}\n`;
  }
  const style = terminalOf(process.stdout).colour ? ansiStyle : plainStyle;
  return `${[...catalogue(rules, settings, found?.file, style)].join('\n')}\n`;
}

function describe(rule: Rule, setting: ResolvedSetting | undefined): object {
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
  };
}

function* catalogue(
  rules: readonly Rule[],
  settings: ReadonlyMap<string, ResolvedSetting>,
  file: string | undefined,
  style: Style,
): Iterable<string> {
  const idWidth = Math.max(...[...rules, ...toolRules].map(({ id }) => id.length));
  const row = (id: string, level: string, title: string) => `  ${id.padEnd(idWidth)}  ${level.padEnd(7)}  ${title}`;
  for (const [subject, name] of Object.entries(SUBJECTS)) {
    const listed = rules.filter((rule) => rule.subject === subject);
    if (listed.length === 0) continue;
    yield style.bold(name);
    yield* listed.map(({ id, severity, title }) => row(id, settings.get(id)?.level ?? severity, title));
    yield '';
  }
  yield style.bold("The tool's own");
  yield* toolRules.map(({ id, severity, title }) => row(id, settings.get(id)?.level ?? severity, title));
  yield '';
  const levels = file === undefined ? '' : `, and what ${file} makes of it`;
  yield style.dim(
    `The severity is the highest that a rule uses${levels}. "eks-guardrails explain RULE" tells more about one.`,
  );
}
