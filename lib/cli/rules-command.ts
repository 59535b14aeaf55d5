import { docsUrl, type Rule } from '../engine';
import { ansiStyle, plainStyle, type Style } from '../report/style';
import { allRules } from '../rules';
import { packageVersion } from '../version';
import { SUBJECTS } from './rule-page';
import { terminalOf } from './terminal';
import { toolRules } from './tool-rules';

/** The catalogue of rules as a report. */
export function listRules(format: 'text' | 'json'): string {
  if (format === 'json') return `${JSON.stringify({ version: packageVersion(), rules: allRules.map(describe), toolRules }, undefined, 2)}\n`;
  const style = terminalOf(process.stdout).colour ? ansiStyle : plainStyle;
  return `${[...catalogue(style)].join('\n')}\n`;
}

function describe(rule: Rule): object {
  const { id, subject, title, severity, strictSeverity = severity, since, options = {}, sources, messages } = rule;
  return { id, subject, title, severity, strictSeverity, since, docs: docsUrl(id), options, sources, messages };
}

function* catalogue(style: Style): Iterable<string> {
  const idWidth = Math.max(...[...allRules, ...toolRules].map(({ id }) => id.length));
  const row = ({ id, severity, title }: Pick<Rule, 'id' | 'severity' | 'title'>) => `  ${id.padEnd(idWidth)}  ${severity.padEnd(7)}  ${title}`;
  for (const [subject, name] of Object.entries(SUBJECTS)) {
    const rules = allRules.filter((rule) => rule.subject === subject);
    if (rules.length === 0) continue;
    yield style.bold(name);
    yield* rules.map(row);
    yield '';
  }
  yield style.bold("The tool's own");
  yield* toolRules.map(row);
  yield '';
  yield style.dim('The severity is the highest that a rule uses. "eks-guardrails explain RULE" tells more about one.');
}
