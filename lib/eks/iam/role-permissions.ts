import {
  awsManagedPolicyName,
  managedPolicy,
  managedPolicySummary,
  summarizedActions,
  type ManagedPolicy,
  type ManagedPolicySummary,
} from '../../knowledge';
import type { AttachedPolicy, PolicyDocument, PolicyStatement, Role } from '../model/resources';
import {
  alternativesOf,
  always,
  Known,
  nowhere,
  type Plain,
  textOf,
  Unknown,
  type Value,
  type When,
} from '../../value';
import { agreed, anyOf, either, Request, type Match } from './matching';
import { effectOf, isConditional } from './statements';

/** `unknown`: it depends on what the input doesn't tell. */
export type Allowed = 'allowed' | 'denied' | 'unknown';

export interface MissingPermissions {
  /** Actions that the role surely can't do. */
  readonly missing: string[];
  /** Actions of which it can't be said. */
  readonly unknown: string[];
  /** Why not, each as the end of "… because"; no duplicates. */
  readonly reasons: string[];
}

/** A statement that allows an action. */
export interface Grant {
  readonly policy: AttachedPolicy;
  /** For an AWS managed policy: made from the table, with no place in the input. */
  readonly statement: PolicyStatement;
  readonly conditional: boolean;
  /** False when the grant depends on what isn't known. */
  readonly certain: boolean;
}

interface Verdict {
  readonly allowed: Allowed;
  readonly reasons: readonly string[];
}

/** One policy, with the statements of each alternative; `undefined` when they can't be known. */
interface ReadPolicy {
  readonly policy: AttachedPolicy;
  readonly alternatives: readonly (readonly PolicyStatement[] | undefined)[];
  readonly reason: string;
  /** Set when it certainly is this policy of AWS. */
  readonly managed?: ManagedPolicy | ManagedPolicySummary;
}

/**
 * What a role may do, by all policies that are attached to it: AWS managed policies by name, inline and customer
 * managed ones by their statements.
 *
 * A request is allowed when some Allow statement takes it in and no Deny statement does. A condition on an Allow
 * counts as fulfilled (scoping by cluster tag is good practice); a Deny under a condition makes it unknown. So
 * do policies and values that the input doesn't hold, where they matter. Permission boundaries, session policies and
 * organisation policies aren't seen.
 */
export class RolePermissions {
  private readonly policies: readonly ReadPolicy[];
  private readonly boundary: readonly ReadPolicy[];
  private readonly verdicts: Map<string, Verdict>;

  constructor({ policies, boundary = [] }: Pick<Role, 'policies' | 'boundary'>) {
    this.policies = policies.map(readPolicy);
    this.boundary = boundary.map(readPolicy);
    this.verdicts = this.boundary.length > 0 ? new Map<string, Verdict>() : verdictsFor(this.policies);
  }

  /**
   * Can the role do the action on some resource that matches?
   *
   * @param action such as `ec2:CreateTags`; upper and lower case don't matter
   * @param resource ARN or pattern, `arn:*:ec2:*:*:network-interface/*`
   */
  allows(action: string, resource = '*'): Allowed {
    return this.verdict(action, resource).allowed;
  }

  /** Which of the actions the role can't do, and which can't be judged. */
  missing(actions: readonly string[], resource = '*'): MissingPermissions {
    const missing: string[] = [];
    const unknown: string[] = [];
    const reasons = new Set<string>();
    for (const action of actions) {
      const verdict = this.verdict(action, resource);
      if (verdict.allowed === 'denied') missing.push(action);
      else if (verdict.allowed === 'unknown') {
        unknown.push(action);
        for (const reason of verdict.reasons) reasons.add(reason);
      }
    }
    return { missing, unknown, reasons: [...reasons] };
  }

  /** The statements that allow an action on some resource that matches, whatever Deny statements say. */
  grants(action: string, resource = '*'): readonly Grant[] {
    const request = new Request(action, resource);
    return this.policies.flatMap(({ policy, alternatives }) =>
      alternatives.flatMap((statements) =>
        (statements ?? []).flatMap((statement) => {
          const { allows } = effectOf(statement, request);
          if (allows === 'no') return [];
          return [
            {
              policy,
              statement,
              conditional: isConditional(statement),
              certain: allows === 'yes' && alternatives.length === 1,
            },
          ];
        }),
      ),
    );
  }

  private verdict(action: string, resource: string): Verdict {
    const key = `${action} ${resource}`;
    let verdict = this.verdicts.get(key);
    if (verdict === undefined) {
      const request = new Request(action, resource);
      verdict = this.within(request, this.evaluate(request));
      this.verdicts.set(key, verdict);
    }
    return verdict;
  }

  private within(request: Request, verdict: Verdict): Verdict {
    if (this.boundary.length === 0 || verdict.allowed === 'denied') return verdict;
    const { allows, denies, reasons } = boundaryEffect(this.boundary, request);
    if (allows === 'yes' && denies === 'no') return verdict;
    // Another policy for the role, which is what rules advise, wouldn't help.
    if (denies === 'yes' || allows === 'no')
      return { allowed: 'unknown', reasons: [...verdict.reasons, 'its permissions boundary leaves it out'] };
    const ofBoundary = reasons.map((reason) => `of its permissions boundary, ${reason}`);
    const whole =
      ofBoundary.length > 0 ? ofBoundary : ['its permissions boundary depends on a condition of the template'];
    return { allowed: 'unknown', reasons: [...verdict.reasons, ...whole] };
  }

  private evaluate(request: Request): Verdict {
    let allows: Match = 'no';
    let denies: Match = 'no';
    const reasons = new Set<string>();
    for (const policy of this.policies) {
      const effect = policyEffect(policy, request);
      if (effect.denies === 'yes') return { allowed: 'denied', reasons: [] };
      allows = either(allows, effect.allows);
      denies = either(denies, effect.denies);
      for (const reason of effect.reasons) reasons.add(reason);
    }
    if (allows === 'no') return { allowed: 'denied', reasons: [] };
    if (allows === 'yes' && denies === 'no') return { allowed: 'allowed', reasons: [] };
    return { allowed: 'unknown', reasons: [...reasons] };
  }
}

/** What a boundary leaves of what policies allow: a part that isn't known may allow it, or not be there. */
function boundaryEffect(boundary: readonly ReadPolicy[], request: Request): PolicyEffect {
  const effects = boundary.map((one) => policyEffect(one, request));
  const isMissing = boundary.every(({ policy }) => mayBeAbsent(policy));
  const allows = effects.reduce<Match>((result, effect) => either(result, effect.allows), isMissing ? 'maybe' : 'no');
  return {
    allows,
    denies: effects.reduce<Match>((result, effect) => either(result, effect.denies), 'no'),
    reasons: effects.flatMap(({ reasons }) => reasons),
  };
}

function mayBeAbsent(policy: AttachedPolicy): boolean {
  const value: Value<unknown> = policy.kind === 'managed' ? policy.arn : policy.document;
  return alternativesOf(value).some((alternative) => alternative.value.kind === 'absent');
}

/** Verdicts by the AWS managed policies of which a role has nothing else: what those allow is the same for every role. */
const verdictsOfManaged = new Map<string, Map<string, Verdict>>();

function verdictsFor(policies: readonly ReadPolicy[]): Map<string, Verdict> {
  let key = '';
  for (const { managed } of policies) {
    if (managed === undefined) return new Map();
    key += `${managed.name} `;
  }
  let verdicts = verdictsOfManaged.get(key);
  if (verdicts === undefined) {
    verdicts = new Map();
    verdictsOfManaged.set(key, verdicts);
  }
  return verdicts;
}

const cache = new WeakMap<Role, RolePermissions>();

/** The permissions of a role, evaluated once per role. */
export function permissionsOf(role: Role): RolePermissions {
  let permissions = cache.get(role);
  if (permissions === undefined) {
    permissions = new RolePermissions(role);
    cache.set(role, permissions);
  }
  return permissions;
}

/**
 * Whether the AWS managed policy of this name is attached to the role, in every alternative of what the input says.
 * @param where an assumption that was made before: alternatives that contradict it don't count
 */
export function attachesManagedPolicy(role: Role, name: string, where: When = always): Match {
  return anyOf(
    role.policies.map((policy) => {
      if (policy.kind === 'document') return 'no';
      const possible = alternativesOf(policy.arn).filter(({ when }) => where.and(when) !== undefined);
      return agreed(possible.map(({ value }) => managedPolicyMatch(value, name)));
    }),
  );
}

function managedPolicyMatch(arn: Plain<string>, name: string): Match {
  const text = textOf(arn);
  if (arn.kind === 'absent') return 'no';
  if (text === undefined) return 'maybe';
  const found = awsManagedPolicyName(text);
  if (found !== undefined) return found === name ? 'yes' : 'no';
  return arn.kind === 'unknown' && !/:policy\/[^$]+$/.test(text) ? 'maybe' : 'no';
}

interface PolicyEffect {
  readonly allows: Match;
  readonly denies: Match;
  readonly reasons: readonly string[];
}

function policyEffect({ alternatives, reason }: ReadPolicy, request: Request): PolicyEffect {
  const reasons = new Set<string>();
  const allows = new Set<Match>();
  const denies = new Set<Match>();
  for (const statements of alternatives) {
    if (statements === undefined) {
      // It may grant what is asked for. That it may also deny it isn't held against what others grant.
      allows.add('maybe');
      denies.add('no');
      reasons.add(reason);
      continue;
    }
    let allowed: Match = 'no';
    let denied: Match = 'no';
    for (const statement of statements) {
      const effect = effectOf(statement, request);
      if (effect.reason !== undefined) reasons.add(effect.reason);
      allowed = either(allowed, effect.allows);
      denied = either(denied, effect.denies);
    }
    allows.add(allowed);
    denies.add(denied);
  }
  if (allows.size > 1 || denies.size > 1) reasons.add('a policy depends on a condition of the template');
  return { allows: agreed(allows), denies: agreed(denies), reasons: [...reasons] };
}

function readPolicy(policy: AttachedPolicy): ReadPolicy {
  if (policy.kind === 'document') {
    let reason = '';
    const alternatives = alternativesOf(policy.document).map(({ value }) => {
      if (value.kind === 'unknown')
        reason = policy.isDoubt === true ? value.reason : `policy "${policy.name}" can't be read: ${value.reason}`;
      return statementsOf(value);
    });
    return { policy, alternatives, reason };
  }
  const { arn } = policy;
  let reason = '';
  const alternatives = alternativesOf(arn).map(({ value }) => {
    if (value.kind === 'absent') return [];
    const text = textOf(value);
    const managed = awsPolicy(value);
    if (managed !== undefined) return managedStatements(managed);
    // Whether a policy of that name in the input is the one depends on its account.
    if (text !== undefined && /^arn:[^:]*:iam::[^:]*\$\{/.test(text))
      reason = `policy "${text}" isn't known, because its account isn't`;
    else if (text !== undefined && !text.startsWith('${')) reason = `policy "${text}" isn't part of the input`;
    else
      reason =
        value.kind === 'unknown' ? `an attached policy isn't known: ${value.reason}` : 'an attached policy has no name';
    return undefined;
  });
  const certain = arn.kind === 'choice' ? undefined : awsPolicy(arn);
  return { policy, alternatives, reason, ...(certain === undefined ? {} : { managed: certain }) };
}

/** The AWS managed policy that an ARN names: whole if the tables have it so, else cut down to what rules ask for. */
function awsPolicy(arn: Plain<string>): ManagedPolicy | ManagedPolicySummary | undefined {
  const text = textOf(arn);
  return text === undefined ? undefined : (managedPolicy(text) ?? managedPolicySummary(text));
}

function statementsOf(document: Plain<PolicyDocument>): readonly PolicyStatement[] | undefined {
  if (document.kind === 'unknown') return undefined;
  return document.kind === 'known' ? document.value.statements : [];
}

const managedCache = new Map<ManagedPolicy | ManagedPolicySummary, readonly PolicyStatement[]>();

function managedStatements(policy: ManagedPolicy | ManagedPolicySummary): readonly PolicyStatement[] {
  let statements = managedCache.get(policy);
  if (statements === undefined) {
    statements = 'statements' in policy ? wholeStatements(policy) : summarizedStatements(policy);
    managedCache.set(policy, statements);
  }
  return statements;
}

function wholeStatements(policy: ManagedPolicy): readonly PolicyStatement[] {
  return policy.statements.map((statement) => ({
    // The table has the ARNs of the commercial partition; elsewhere AWS writes its own.
    ...statementOf(
      'Allow',
      statement.actions,
      statement.resources.map((resource) => known(resource.replace(/^arn:aws:/, 'arn:*:'))),
    ),
    conditions:
      statement.conditional === true ? { kind: 'unknown-conditions', reason: `a condition of ${policy.name}` } : [],
  }));
}

/** On which resources a summary's limited and denied actions are isn't known; nor is anything about other actions than it tells of. */
function summarizedStatements({ name, allow, limited, deny }: ManagedPolicySummary): readonly PolicyStatement[] {
  const someResources = [new Unknown(`${name} allows or denies it on some resources, or under a condition`, nowhere)];
  return [
    statementOf('Allow', allow, [known('*')]),
    statementOf('Allow', limited, someResources),
    statementOf('Deny', deny, someResources),
    {
      ...statementOf('Allow', [], [known('*')]),
      effect: new Unknown(`what ${name} says of it isn't in the tables`, nowhere),
      notActions: summarizedActions().map(known),
    },
  ];
}

function statementOf(
  effect: 'Allow' | 'Deny',
  actions: readonly string[],
  resources: PolicyStatement['resources'],
): PolicyStatement {
  return {
    effect: known(effect),
    actions: actions.map(known),
    notActions: [],
    resources,
    notResources: [],
    principals: [],
    conditions: [],
    source: nowhere,
  };
}

function known(text: string): Known<string> {
  return new Known(text, nowhere);
}
