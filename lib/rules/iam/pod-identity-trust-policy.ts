import { defineRule, resourceName, type Judgement } from '../../engine';
import { podIdentityTrust, type Match, type ServiceTrust } from '../../eks/iam';
import { servicePrincipals } from '../../knowledge';
import {
  alternativesOf,
  isCovered,
  type EksModel,
  type Reference,
  type Resource,
  type Role,
  type Source,
  type Value,
  type When,
} from '../../eks';
import { trustCasesOf } from '../../eks/analysis/identity';
import { keptTrust } from './parts/kept-trust';

/*
 * Pod Identity assumes a role as the service pods.eks.amazonaws.com and tags the session, so the trust policy must allow
 * both actions to this principal; a role made for IRSA or for nodes allows neither.
 * Source: Amazon EKS user guide, "Create IAM role with trust policy required by EKS Pod Identity".
 */

type MessageId = 'principal' | 'actions';

const code = {
  cloudformation: [
    'AssumeRolePolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:{{keptInTemplate}}',
    '    - Effect: Allow',
    '      Principal:',
    '        Service: pods.eks.amazonaws.com',
    '      Action:',
    '        - sts:AssumeRole',
    '        - sts:TagSession',
  ].join('\n'),
  'aws-cdk':
    "assumedBy: {{keptInCdk}}new iam.SessionTagsPrincipal(new iam.ServicePrincipal('pods.eks.amazonaws.com')){{keptInCdkEnd}},",
  terraform: [
    'assume_role_policy = jsonencode({',
    '  Version = "2012-10-17"',
    '  Statement = [{{keptInTerraform}}{',
    '    Effect    = "Allow"',
    '    Action    = ["sts:AssumeRole", "sts:TagSession"]',
    '    Principal = { Service = "pods.eks.amazonaws.com" }',
    '  }]',
    '})',
  ].join('\n'),
} as const;

export const podIdentityTrustPolicy = defineRule<MessageId>({
  id: 'pod-identity-trust-policy',
  subject: 'iam',
  title: 'A Pod Identity role lets pods.eks.amazonaws.com assume it and tag the session',
  severity: 'error',
  since: '0.1.0',
  messages: {
    principal: {
      text: "Role {{role}} is given to pods by {{user}}, but trusts {{found}} and not pods.eks.amazonaws.com: EKS can't assume it, and the pods get no credentials.",
      fix: {
        summary:
          'Trust the service `pods.eks.amazonaws.com` with `sts:AssumeRole` and `sts:TagSession`{{keptInWords}}.',
        code,
        safety: 'needs-decision',
      },
    },
    actions: {
      text: "Role {{role}} is given to pods by {{user}}, but does not allow {{missing}} to pods.eks.amazonaws.com: EKS can't assume it{{how}}, and the pods get no credentials.",
      fix: {
        summary: 'Allow `sts:AssumeRole` and `sts:TagSession` to `pods.eks.amazonaws.com`{{keptInWords}}.',
        code,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    const uses = new Map<Role, RoleUse[]>();
    for (const use of usesOf(model)) {
      if (use.role === undefined) {
        yield { verdict: 'unverifiable', resource: use.user, source: use.source, reason: use.doubt, when: use.when };
        continue;
      }
      const list = uses.get(use.role);
      if (list === undefined) uses.set(use.role, [use]);
      else list.push(use);
    }
    for (const [role, users] of uses) yield* [...judge(role, users)];
  },
});

/** A place that gives a role to pods by Pod Identity. */
interface RoleUse {
  readonly role: Role | undefined;
  /** Why the role isn't known. */
  readonly doubt: string;
  readonly user: Resource;
  /** Whether EKS puts its tags on the sessions. */
  readonly tagged: Match;
  readonly source: Source;
  readonly when: When;
}

function* usesOf(model: EksModel): Generator<RoleUse> {
  for (const association of model.podIdentityAssociations) {
    for (const { when: inner, value } of alternativesOf(association.disableSessionTags)) {
      const when = association.exists.and(inner);
      const tagged = value.kind === 'unknown' ? 'maybe' : value.kind === 'known' && value.value ? 'no' : 'yes';
      if (when !== undefined) yield* rolesOf(association, association.role, when, tagged);
    }
  }
  for (const addon of model.addons) {
    for (const { when: inner, value } of alternativesOf(addon.podIdentityAssociations)) {
      const when = addon.exists.and(inner);
      if (when === undefined) continue;
      if (value.kind === 'known') {
        for (const item of value.value) yield* rolesOf(addon, item.role, when);
      } else if (value.kind === 'unknown') {
        yield {
          role: undefined,
          doubt: `its Pod Identity associations are not known (${value.reason})`,
          user: addon,
          tagged: 'yes',
          source: value.source,
          when,
        };
      }
    }
  }
}

function* rolesOf(
  user: Resource,
  role: Value<Reference<Role>>,
  outer: When,
  tagged: Match = 'yes',
): Generator<RoleUse> {
  for (const { when: inner, value } of alternativesOf(role)) {
    const when = outer.and(inner);
    if (when === undefined || value.kind === 'absent') continue;
    const doubt =
      value.kind === 'unknown'
        ? `its role is not known (${value.reason})`
        : (value.value.ambiguous ?? `role ${value.value.text} is not part of the input`);
    yield {
      role: value.kind === 'known' ? value.value.target : undefined,
      doubt,
      user,
      tagged,
      source: value.source,
      when,
    };
  }
}

const NEEDS: readonly Match[] = ['yes', 'maybe', 'no'];

function* judge(role: Role, users: readonly RoleUse[]): Generator<Judgement<MessageId>> {
  const judged: When[] = [];
  // Those that need most first: what is enough for them is enough for all.
  for (const use of [...users].sort((one, other) => NEEDS.indexOf(one.tagged) - NEEDS.indexOf(other.tagged))) {
    // Most uses are unconditional, and one judgement is enough for all of them.
    if (isCovered(use.when, judged)) continue;
    judged.push(use.when);
    yield* judgeUse(role, use, users);
  }
}

function* judgeUse(role: Role, first: RoleUse, users: readonly RoleUse[]): Generator<Judgement<MessageId>> {
  for (const { when: trustWhen, statements, reason, source } of trustCasesOf(role)) {
    const when = first.when.and(role.exists)?.and(trustWhen);
    if (when === undefined) continue;
    if (statements === undefined) {
      yield {
        verdict: 'unverifiable',
        resource: role,
        source,
        reason: `its trust policy can't be read (${reason ?? 'not known'})`,
        when,
      };
      continue;
    }
    const trust = podIdentityTrust(statements, first.tagged !== 'no');
    const isOpenOnlyForTags = first.tagged === 'maybe' && isOpen(trust) && !isOpen(podIdentityTrust(statements, false));
    if (!isOpen(trust)) {
      yield { verdict: 'pass', resource: role, when };
      continue;
    }
    const related = users.map(({ user, source: place }) => ({
      message: `${resourceName(user)} gives ${resourceName(role)} to pods`,
      source: place,
    }));
    const data = {
      role: resourceName(role),
      user: resourceName(first.user),
      ...keptTrust(statements, 'pods.eks.amazonaws.com'),
    };
    const common = { resource: role, source, when, related } as const;
    if (isOpenOnlyForTags) {
      yield {
        ...common,
        verdict: 'unverifiable',
        reason: `whether ${resourceName(first.user)} disables session tags is not known, and it does not allow sts:TagSession`,
      };
    } else if (trust.trusted === 'no') {
      const others = statements.some((statement) => statement.federated.length > 0)
        ? ['a web identity provider (IRSA)']
        : [];
      yield {
        ...common,
        verdict: 'fail',
        message: 'principal',
        data: { ...data, found: [...trust.otherServices, ...others].join(', ') || 'other principals' },
      };
    } else if (trust.missingActions.length > 0 && trust.trusted === 'yes') {
      yield {
        ...common,
        verdict: 'fail',
        message: 'actions',
        data: {
          ...data,
          missing: trust.missingActions.join(' and '),
          how: trust.missingActions.some((action) => action === servicePrincipals().podIdentityTagAction)
            ? ' with its session tags'
            : '',
        },
      };
    } else {
      yield { ...common, verdict: 'unverifiable', reason: 'parts of its trust policy are not known' };
    }
  }
}

function isOpen({ trusted, missingActions, unknownActions }: ServiceTrust): boolean {
  return trusted !== 'yes' || missingActions.length + unknownActions.length > 0;
}
