import { nowhere, type EksModel, type Resource, type Suppression } from '../model';
import { resolveConfiguration, unknownRule, type Configuration, type ResolvedSetting } from './configuration';
import type { Finding } from './finding';
import { docsUrl, type Fix, type Judgement, type Rule, type RuleContext, type Severity } from './rule';

/** Rules that the engine itself reports; they can't be switched off, because they say that something was not checked. */
export const ENGINE_RULES = {
  crashed: 'rule-crashed',
  suppressionWithoutReason: 'suppression-without-reason',
  suppressionExpired: 'suppression-expired',
  suppressionUnused: 'suppression-unused',
  suppressionUnknownRule: 'suppression-unknown-rule',
} as const;

/**
 * Runs rules on a model. A rule that throws becomes a `rule-crashed` finding, and the others still run.
 * Findings come in the order of the rules, then in the order of the input.
 * @throws ConfigurationError if the configuration names something that doesn't exist
 */
export function runRules(model: EksModel, rules: readonly Rule[], configuration: Configuration = {}): Finding[] {
  const settings = resolveConfiguration(configuration, rules);
  const today = configuration.today ?? new Date().toISOString().slice(0, 10);
  const findings: Finding[] = [];
  for (const rule of rules) {
    const setting = settings.get(rule.id);
    if (setting === undefined || setting.level === 'off') continue;
    findings.push(...runRule(rule, model, setting, today));
  }
  return applySuppressions(findings, model, rules, settings, today);
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
    docs: docsUrl(rule.id),
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
    message: fill(message.text, data) + suffix,
    fix: fill(message.fix.summary, data),
    fixCode: fixCode(message.fix, resource, data),
  };
}

/** The user's level wins; a preset's raise applies to what the rule would report at its own severity. */
function severityOf(rule: Rule, judgement: Judgement, setting: ResolvedSetting): Severity {
  const level = setting.level === 'off' ? undefined : setting.level;
  return level ?? judgement.severity ?? rule.severity;
}

function fixCode(fix: Fix, resource: Resource, data: Readonly<Record<string, string>>): string | undefined {
  const code = fix.code?.[resource.frontEnd] ?? (resource.frontEnd === 'cdktf' ? fix.code?.terraform : undefined);
  return code === undefined ? undefined : fill(code, data);
}

/** For a sentence that goes on; acronyms stay as they are. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** How messages call a resource: by construct path if there is one. */
export function resourceName(resource: Resource): string {
  return resource.path ?? resource.id;
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
    fix: `Report it with the template that causes it; until then run with ${rule.id} off.`,
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
};

function engineFinding(rule: string, severity: Severity, resource: Resource, texts: { message: string; fix: string }, source = resource.source): Finding {
  return {
    rule,
    severity,
    verdict: 'fail',
    messageId: undefined,
    ...texts,
    fixCode: undefined,
    docs: docsUrl(rule),
    resource,
    source,
    related: [],
  };
}

function applySuppressions(
  findings: readonly Finding[],
  model: EksModel,
  rules: readonly Rule[],
  settings: ReadonlyMap<string, ResolvedSetting>,
  today: string,
): Finding[] {
  const used = new Set<Suppression>();
  const result: Finding[] = findings.map((finding) => {
    // A finding may be accepted twice, in the template and by an acknowledgement: both are in use then.
    const matching = finding.resource.suppressions.filter((one) => one.rule === finding.rule);
    for (const suppression of matching) used.add(suppression);
    const effective = matching.find((suppression) => isEffective(suppression, today));
    if (effective === undefined) return finding;
    const { reason = '', until } = effective;
    return { ...finding, suppressed: until === undefined ? { reason } : { reason, until } };
  });
  const ruleIds = new Set(rules.map((rule) => rule.id));
  // One decision may cover many resources; what is wrong with it is said once.
  const judged = new Set<Suppression>();
  for (const resource of model.resources) {
    for (const suppression of resource.suppressions) {
      if (judged.has(suppression)) continue;
      judged.add(suppression);
      const problem = suppressionProblem(suppression, { rules, ruleIds, settings, today, used: used.has(suppression) });
      if (problem !== undefined) {
        result.push(engineFinding(problem.rule, 'warning', resource, problem, suppression.source));
      }
    }
  }
  return result;
}

function isEffective(suppression: Suppression, today: string): boolean {
  const { reason, until } = suppression;
  return reason !== undefined && reason.trim() !== '' && (until === undefined || until >= today);
}

function suppressionProblem(
  suppression: Suppression,
  context: {
    rules: readonly Rule[];
    ruleIds: ReadonlySet<string>;
    settings: ReadonlyMap<string, ResolvedSetting>;
    today: string;
    used: boolean;
  },
): { rule: string; message: string; fix: string } | undefined {
  const { rule, reason, until } = suppression;
  if (!context.ruleIds.has(rule)) {
    return {
      rule: ENGINE_RULES.suppressionUnknownRule,
      message: `The suppression of "${rule}" has no effect: ${unknownRule(rule, context.rules).replace(/\?$/, '')}.`,
      fix: 'Correct the rule id, or remove the suppression.',
    };
  }
  if (reason === undefined || reason.trim() === '') {
    return {
      rule: ENGINE_RULES.suppressionWithoutReason,
      message: `The suppression of ${rule} gives no reason, so it has no effect.`,
      fix: 'Add a reason that a later reader can check.',
    };
  }
  if (until !== undefined && until < context.today) {
    return {
      rule: ENGINE_RULES.suppressionExpired,
      message: `The suppression of ${rule} ended on ${until}.`,
      fix: 'Fix the finding, or decide again and set a later date.',
    };
  }
  if (!context.used && context.settings.get(rule)?.level !== 'off') {
    return {
      rule: ENGINE_RULES.suppressionUnused,
      message: `The suppression of ${rule} matches no finding any more.`,
      fix: 'Remove it, so that it does not hide a later finding.',
    };
  }
  return undefined;
}
