import { always, nowhere, resourceName, type EksModel, type Resource, type Source } from '../model';
import { resolveConfiguration, rulesOf, type Configuration, type ResolvedSetting } from './configuration';
import { ENGINE_RULES, engineFinding } from './engine-findings';
import type { Finding } from './finding';
import { applyIgnores } from './ignores';
import { filledRepair } from './repair';
import { docsUrl, type Fix, type Judgement, type Rule, type RuleContext, type Severity } from './rule';
import { applySuppressions } from './suppressions';

export { resourceName };

/**
 * Runs rules on a model. A rule that throws becomes a `rule-crashed` finding, and the others still run.
 * Findings come in the order of the rules, then in the order of the input.
 * @param builtIn the rules that run beside the user's own
 * @throws ConfigurationError if the configuration names something that doesn't exist
 */
export function runRules(model: EksModel, builtIn: readonly Rule[], configuration: Configuration = {}): Finding[] {
  const rules = rulesOf(configuration, builtIn);
  const settings = resolveConfiguration(configuration, builtIn);
  const today = configuration.today ?? new Date().toISOString().slice(0, 10);
  const findings: Finding[] = [];
  for (const rule of rules) {
    const setting = settings.get(rule.id);
    if (setting === undefined || setting.level === 'off') continue;
    for (const finding of runRule(rule, model, setting, today)) findings.push(finding);
  }
  const context = { model, rules, settings, today };
  return applyIgnores(applySuppressions(findings, context), configuration.ignores ?? [], context);
}

function runRule(rule: Rule, model: EksModel, setting: ResolvedSetting, today: string): Finding[] {
  const context: RuleContext = { today, options: setting.options };
  const findings: Finding[] = [];
  try {
    for (const judgement of rule.check(model, context)) {
      if (judgement.verdict !== 'pass') findings.push(toFinding(rule, judgement, setting));
    }
  } catch (error) {
    findings.push(crashFinding(rule, error, model));
  }
  return mergeEqual(findings);
}

function toFinding(rule: Rule, judgement: Judgement, setting: ResolvedSetting): Finding {
  const { resource, data = {}, when } = judgement;
  const common = {
    rule: rule.id,
    docs: rule.docs ?? docsUrl(rule.id),
    resource,
    source: judgement.source ?? resource.source,
    related: judgement.related ?? [],
  };
  if (judgement.verdict === 'unverifiable') {
    return {
      ...common,
      severity: 'info',
      verdict: 'unverifiable',
      messageId: undefined,
      message: `Can't tell whether ${resourceName(resource)} follows ${rule.id}: ${judgement.reason ?? 'a value is not known before deployment'}.`,
      fix: `Check by hand, or give the value where it can be read. What must hold: ${lowerFirst(rule.title)}.`,
      fixCode: undefined,
    };
  }
  const message = judgement.message === undefined ? undefined : rule.messages[judgement.message];
  if (message === undefined) throw new Error(`rule ${rule.id} failed with message "${judgement.message}", which it doesn't declare`);
  const suffix = when === undefined || when.text === '' ? '' : ` This happens when ${when.text}.`;
  return {
    ...common,
    severity: severityOf(rule, judgement, setting),
    verdict: 'fail',
    messageId: judgement.message,
    message: fill(message.text, data) + suffix + originOf(common.source),
    fix: fill(message.fix.summary, data),
    fixCode: fixCode(message.fix, resource, data),
    ...repairsOf(message.fix, data),
  };
}

/** Where the value is to be changed, if that isn't where the finding points. */
function originOf({ from }: Source): string {
  if (from === undefined) return '';
  return ` The value comes from ${/^(?:default|argument|output) /.test(from) ? `the ${from}` : from}.`;
}

/** The user's level wins; a preset's raise applies to what the rule would report at its own severity. */
function severityOf(rule: Rule, judgement: Judgement, setting: ResolvedSetting): Severity {
  const level = setting.level === 'off' ? undefined : setting.level;
  const own = judgement.severity ?? rule.severity;
  // What a rule of warnings or errors calls mere information stays that: raising the rule is about its pitfall.
  return own === 'info' && rule.severity !== 'info' ? own : (level ?? own);
}

function fixCode(fix: Fix, resource: Resource, data: Readonly<Record<string, string>>): string | undefined {
  const code = fix.code?.[resource.frontEnd] ?? (resource.frontEnd === 'cdktf' ? fix.code?.terraform : undefined);
  return code === undefined ? undefined : fill(code, data);
}

function repairsOf({ safety, repairs }: Fix, data: Readonly<Record<string, string>>): Pick<Finding, 'repairs'> {
  if (safety !== 'safe' || repairs === undefined) return {};
  const filled = repairs.flatMap((repair) => filledRepair(repair, (template) => fill(template, data)) ?? []);
  return filled.length === repairs.length ? { repairs: filled } : {};
}

/** For a sentence that goes on; acronyms stay as they are. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Fills `{{name}}` placeholders; a missing value is a defect of the rule and throws. */
function fill(template: string, data: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = data[name];
    if (value === undefined) throw new Error(`no value for {{${name}}} in "${template}"`);
    return value;
  });
}

/** A rule that looks at several cases of one resource may say the same thing twice. */
function mergeEqual(findings: readonly Finding[]): Finding[] {
  const seen = new Map<Resource, Set<string>>();
  return findings.filter((finding) => {
    const key = `${finding.verdict}|${finding.message}`;
    const known = seen.get(finding.resource);
    if (known === undefined) {
      seen.set(finding.resource, new Set([key]));
      return true;
    }
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function crashFinding(rule: Rule, error: unknown, model: EksModel): Finding {
  const resource = model.resources[0] ?? wholeInput;
  const text = error instanceof Error ? error.message : String(error);
  return engineFinding(ENGINE_RULES.crashed, 'error', resource, {
    message: `Rule ${rule.id} stopped with an internal error (${text}); nothing was checked by it.`,
    fix: rule.subject === 'custom' ? 'Correct the rule: it must judge every input.' : `Report it with the template that causes it; until then run with ${rule.id} off.`,
  });
}

/** What a crash is reported on when the model holds nothing. */
const wholeInput: Resource = {
  type: '',
  id: '',
  path: undefined,
  stack: '',
  frontEnd: 'cloudformation',
  source: nowhere,
  suppressions: [],
  exists: always,
};
