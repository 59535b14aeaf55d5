import { defineRule, resourceName, type Judgement } from '../../engine';
import { TRUSTED } from '../parts/repair-effects';
import { serviceAccountSubject, serviceAccountSubjects, type TrustStatement } from '../../eks/iam';
import { alternativesOf, always, runsOnFargate, type EksModel, type Resource, type Role, type When } from '../../eks';
import { AWS_NODE } from '../../eks/analysis/cni';
import {
  admissionsOf,
  trustCasesOf,
  webIdentitiesOf,
  type ServiceAccount,
  type WebIdentity,
} from '../../eks/analysis/identity';
import { reviewTrust } from '../../eks/analysis/identity-trust';
import { isFatal } from '../../eks/analysis/trust-defects';
import { providerInCode } from '../../eks/analysis/provider-in-code';
import { roleUsesOf, type RoleUse } from '../../eks/analysis/role-uses';
import { keptTrust } from './parts/kept-trust';
import { wrongAddonRoles, wrongAnnotations, type WrongRole } from './parts/role-annotations';
import { subjectBeside } from './parts/subject-beside';
import { webIdentityTrust } from './parts/web-identity-code';

/*
 * A role and the service account that shall use it are written in two places that nothing compares: with another namespace or
 * name in the trust policy the token is refused when the pod makes its first call.
 * Source: Amazon EKS user guide, "Assign IAM roles to Kubernetes service accounts".
 */

type MessageId = 'excluded' | 'idle' | 'no-web-identity' | 'no-role';

/** @param subjects as the language writes them, one or several */
const code = (subjects: string) =>
  ({
    terraform: `# in the conditions of the trust policy\n"{{issuer}}:sub" = ${subjects}`,
  }) as const;

export const irsaSubject = defineRule<MessageId>({
  id: 'irsa-subject',
  subject: 'iam',
  title: 'A service account role trusts the service account that uses it',
  severity: 'error',
  since: '0.1.0',
  messages: {
    excluded: {
      text: 'Role {{role}} trusts {{found}}{{serving}}, but {{user}} uses it{{as}}: its pods get "Not authorized to perform sts:AssumeRoleWithWebIdentity"{{effect}}.',
      fix: {
        summary: 'Add the subject `{{subject}}` to those that the role trusts{{unless}}; one that nothing uses can go.',
        code: code('{{subjects}}'),
        safety: 'needs-decision',
        repairsIn: {
          cloudformation: [{ kind: 'trustToo', field: 'trustPolicy', beside: '{{beside}}', text: '{{subject}}' }],
        },
        effect: TRUSTED,
      },
    },
    idle: {
      text: 'Role {{role}} trusts {{found}} and so serves {{served}}, but {{user}} names it{{as}}: nothing here surely runs as that service account, and pods that do get "Not authorized to perform sts:AssumeRoleWithWebIdentity".',
      fix: {
        summary:
          'Add the subject `{{subject}}` to those that the role trusts, or remove the service account if nothing runs as it.',
        code: code('{{subjects}}'),
        safety: 'needs-decision',
      },
    },
    'no-web-identity': {
      text: 'Role {{role}} trusts no service account tokens at all, but {{user}} uses it{{as}}: its pods get "Not authorized to perform sts:AssumeRoleWithWebIdentity"{{effect}}.',
      fix: {
        summary: "Let the cluster's OIDC provider assume the role for the subject `{{subject}}`{{orElse}}.",
        // There is no statement with conditions yet.
        code: { terraform: webIdentityTrust('{{keptInTerraform}}') },
        safety: 'needs-decision',
      },
    },
    'no-role': {
      text: '{{user}} names the role `{{arn}}`, which {{why}}: it is the ARN of no role, and {{refused}}pods get "Request ARN is invalid".',
      fix: {
        summary: 'Write the ARN of the role, `arn:aws:iam::ACCOUNT:role/NAME`, with the twelve digits of its account.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const wrong of wrongAnnotations(model)) yield judgeWrong(wrong, '');
    const wrong = [...wrongAddonRoles(model)];
    for (const one of wrong) yield judgeWrong(one, 'EKS refuses it, or ');
    const told = new Set(wrong.map(({ user }) => user));
    const uses = [...roleUsesOf(model)].filter(({ role, user }) => role !== undefined || !told.has(user));
    const served = new Map<Role, Set<Resource>>();
    for (const use of uses)
      if (use.role !== undefined && isServed(use.role, use))
        served.set(use.role, (served.get(use.role) ?? new Set()).add(use.user));
    for (const use of uses) {
      const servedBeside = (role: Role): Resource | undefined => {
        // One of the first two is somebody else.
        for (const user of served.get(role) ?? []) if (user !== use.user) return user;
        return undefined;
      };
      yield* judge(use, servedBeside, model);
    }
  },
});

/** @param refused what comes before pods get it */
function judgeWrong({ user, arn, why, source, when }: WrongRole, refused: string): Judgement<MessageId> {
  const data = { user: resourceName(user), arn, why, refused };
  return { verdict: 'fail', resource: user, message: 'no-role', source, data, about: arn, when };
}

/** Whether the role surely trusts who uses it, at least under some condition. */
function isServed(role: Role, { accounts, when, unsure }: RoleUse): boolean {
  return (
    unsure === undefined &&
    admissionsOf(role, accounts).some(
      (admission) => admission.admitted === 'yes' && when.and(role.exists)?.and(admission.when) !== undefined,
    )
  );
}

/**
 * Whether pods call nothing of AWS, although people give them the role of the controller beside them.
 * Source: kubernetes-sigs/aws-ebs-csi-driver, pkg/driver/driver.go: the driver has a client of EC2 in the controller alone.
 */
function needsNoRole({ name }: ServiceAccount): boolean {
  return name === 'ebs-csi-node-sa';
}

/** Who else uses a role, and is surely trusted. */
type Served = (role: Role) => Resource | undefined;

function judge(use: RoleUse, served: Served, model: EksModel): Judgement<MessageId>[] {
  const { role, doubt, user, accounts, open, unsure, dispensable, source, when: used } = use;
  if (role === undefined) return [{ verdict: 'unverifiable', resource: user, source, reason: doubt, when: used }];
  const related = [{ message: `${resourceName(user)} uses ${resourceName(role)}`, source }];
  return admissionsOf(role, accounts).flatMap((admission): Judgement<MessageId>[] => {
    const when = used.and(role.exists)?.and(admission.when);
    if (when === undefined) return [];
    const { admitted, statements = [] } = admission;
    if (admitted === 'yes' || (accounts.length > 0 && accounts.every(needsNoRole)))
      return [{ verdict: 'pass', resource: role, when }];
    const reason =
      admitted === 'no'
        ? (unsure ?? (served(role) === undefined ? undefined : dispensable))
        : accounts.length > 0
          ? `whether its trust policy admits ${subjectsOf(accounts)} is not known`
          : open;
    if (admitted === 'maybe' || reason !== undefined)
      return reason === undefined ? [] : [{ verdict: 'unverifiable', resource: role, reason, when, related }];
    return excluded(role, use, served, statements, when, related, model);
  });
}

function excluded(
  role: Role,
  { user, accounts, open, isIdle }: RoleUse,
  servedOf: Served,
  statements: readonly TrustStatement[],
  when: When,
  related: NonNullable<Judgement['related']>,
  model: EksModel,
): Judgement<MessageId>[] {
  const identities = webIdentitiesOf(role);
  // A trust policy that no token matches is one defect, and irsa-trust-policy's.
  if (identities.some((identity) => hasFatalDefect(identity, when))) return [];
  const served = servedOf(role);
  const subjects = serviceAccountSubjects(statements);
  const named = subjects.filter(({ condition }) => !condition.comparison.startsWith('not'));
  const [account = ANY_ACCOUNT] = accounts;
  const effect = accounts.some(({ name }) => name === AWS_NODE.name) ? ', and no node becomes ready' : '';
  const { arn, issuer } = providerInCode(role, statements, model.oidcProviders, subjects[0]?.condition.issuer);
  const data = {
    role: resourceName(role),
    user: resourceName(user),
    as: accounts.length === 0 ? '' : ` as ${subjectsOf(accounts)}`,
    subject: subjectOf(account),
    issuer,
    provider: arn,
    ...keptTrust(trustCasesOf(role).flatMap((one) => (one.when.and(when) === undefined ? [] : (one.statements ?? [])))),
    subjects: written([...named.map(({ text }) => text), subjectOf(account)], role),
    namespace: account.namespace,
    account: account.name,
    effect,
    orElse: accounts.some((one) => mayRunOnFargate(one, model))
      ? ': the pods may run on Fargate, where there is no Pod Identity'
      : associationInstead(role, model),
    found: subjects.map(({ text }) => text).join(', '),
    beside: besideOf(subjects, accounts),
    served: served === undefined ? '' : resourceName(served),
    serving: served === undefined ? '' : ` and so serves ${resourceName(served)}`,
    unless:
      served === undefined
        ? ''
        : `, or take out ${resourceName(user)} if it is there a second time, beside ${resourceName(served)}`,
  };
  const common = { verdict: 'fail', resource: role, when, data, about: subjectsOf(accounts), related } as const;
  if (accounts.length === 0 || !identities.some((identity) => identity.when.and(when) !== undefined))
    return [{ ...common, message: 'no-web-identity' }];
  if (open !== undefined) return [{ verdict: 'unverifiable', resource: role, reason: open, when, related }];
  const place = subjects[0]?.source ?? role.source;
  const corrected = accounts.length === 1 ? subjectBeside(named, data.subject, role) : undefined;
  return [
    served === undefined || isIdle !== true
      ? { ...common, message: 'excluded', source: place, corrected }
      : { ...common, message: 'idle', severity: 'warning', source: place, corrected },
  ];
}

/** The one subject that a condition names exactly, if that of the one user can stand beside it; else nothing. */
function besideOf(subjects: ReturnType<typeof serviceAccountSubjects>, accounts: readonly ServiceAccount[]): string {
  const [only, ...others] = subjects;
  return only?.condition.comparison === 'equals' && others.length === 0 && accounts.length === 1 ? only.text : '';
}

/** Source: Amazon EKS user guide, "Learn how EKS Pod Identity grants pods access to AWS services". */
function mayRunOnFargate({ namespace }: ServiceAccount, { clusterViews }: EksModel): boolean {
  return clusterViews.some(
    (view) =>
      runsOnFargate(
        view,
        { namespace, nodeSelector: undefined, affinity: undefined, tolerations: undefined },
        always,
      ) !== 'no',
  );
}

/** What gives the role by Pod Identity in the place of the annotation, which has no effect then. */
function associationInstead(role: Role, { podIdentityAssociations }: EksModel): string {
  const own = podIdentityAssociations.find((association) =>
    alternativesOf(association.role).some(({ value }) => value.kind === 'known' && value.value.target === role),
  );
  return own === undefined
    ? ', or give the role by a Pod Identity association instead'
    : `, or have ${resourceName(own)}, which gives the role to another service account, name this one`;
}

/** One text, or a list of several. */
function written(subjects: readonly string[], { dialect }: Role): string {
  const { quote } = dialect.fixes;
  const texts = [...new Set(subjects)].map((subject) => quote + subject + quote);
  return texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
}

/** Stands in the fix for a service account that isn't known. */
const ANY_ACCOUNT: ServiceAccount = { namespace: '<namespace>', name: '<service account>' };

function hasFatalDefect({ when: outer, statement }: WebIdentity, when: When): boolean {
  const both = outer.and(when);
  if (both === undefined) return false;
  return reviewTrust(statement).defects.some(
    (defect) => isFatal(defect) && both.and(defect.when ?? always) !== undefined,
  );
}

function subjectsOf(accounts: readonly ServiceAccount[]): string {
  return accounts.map(subjectOf).join(' or ');
}

function subjectOf({ namespace, name }: ServiceAccount): string {
  return serviceAccountSubject(namespace, name);
}
