import type { EksModel, Resource, Suppression } from '../model';
import { unknownRule, type ResolvedSetting } from './configuration';
import { ENGINE_RULES, engineFinding } from './engine-findings';
import type { Finding } from './finding';
import type { Rule } from './rule';

/** What suppressions are judged against. */
export interface SuppressionContext {
  readonly model: EksModel;
  readonly rules: readonly Rule[];
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Ids of the engine's own findings about suppressions, which can be accepted like any other. */
const OWN_RULES: ReadonlySet<string> = new Set(Object.values(ENGINE_RULES));

/** Marks the findings that the user accepted, and adds one for each suppression that has no effect or no use. */
export function applySuppressions(findings: readonly Finding[], context: SuppressionContext): Finding[] {
  const used = new Set<Suppression>();
  const accepted = findings.map((finding) => accept(finding, used, context.today));
  const problems = suppressionsOf(context.model).flatMap(([suppression, resource]) => {
    const problem = problemOf(suppression, used.has(suppression), context);
    return problem === undefined ? [] : [engineFinding(problem.rule, 'warning', resource, problem, suppression.source)];
  });
  return [...accepted, ...problems.map((finding) => accept(finding, used, context.today))];
}

/** A finding may be accepted twice, in the template and by an acknowledgement: both are in use then. */
function accept(finding: Finding, used: Set<Suppression>, today: string): Finding {
  let effective: Suppression | undefined;
  for (const suppression of finding.resource.suppressions) {
    if (suppression.rule !== finding.rule) continue;
    used.add(suppression);
    if (effective === undefined && isEffective(suppression, today)) effective = suppression;
  }
  if (effective === undefined) return finding;
  const { reason = '', until } = effective;
  return { ...finding, suppressed: until === undefined ? { reason } : { reason, until } };
}

function isEffective({ reason, until }: Suppression, today: string): boolean {
  return reason !== undefined && reason.trim() !== '' && (until === undefined || until >= today);
}

/** Each suppression once, with the first resource that it covers: one decision may cover many. */
function suppressionsOf(model: EksModel): [Suppression, Resource][] {
  const first = new Map<Suppression, Resource>();
  for (const resource of model.resources) {
    for (const suppression of resource.suppressions) {
      if (!first.has(suppression)) first.set(suppression, resource);
    }
  }
  return [...first];
}

interface Problem {
  readonly rule: string;
  readonly message: string;
  readonly fix: string;
}

function problemOf({ rule, reason, until }: Suppression, used: boolean, { rules, settings, today }: SuppressionContext): Problem | undefined {
  const isOwn = OWN_RULES.has(rule);
  if (!isOwn && !settings.has(rule)) {
    const unknown = unknownRule(rule, rules);
    return {
      rule: ENGINE_RULES.suppressionUnknownRule,
      message: `The suppression of "${rule}" has no effect, because ${unknown}${unknown.endsWith('?') ? '' : '.'}`,
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
  if (until !== undefined && until < today) {
    return {
      rule: ENGINE_RULES.suppressionExpired,
      message: `The suppression of ${rule} ended on ${until}.`,
      fix: 'Fix the finding, or decide again and set a later date.',
    };
  }
  // Whether one of the engine's own findings is accepted shows only after all of them are made.
  if (!used && !isOwn && settings.get(rule)?.level !== 'off') {
    return {
      rule: ENGINE_RULES.suppressionUnused,
      message: `The suppression of ${rule} matches no finding any more.`,
      fix: 'Remove it, so that it does not hide a later finding.',
    };
  }
  return undefined;
}
