import { defineRule, resourceName, type Judgement } from '../../engine';
import { serviceAccountSubject, serviceAccountSubjects, type TrustStatement } from '../../iam';
import { alternativesOf, always, cases, dataAt, except, Unknown, type Addon, type ClusterView, type Data, type EksModel, type Resource, type Role, type Source, type When } from '../../model';
import { isAddon, isText } from '../../model/addon';
import { AWS_NODE } from '../../model/cni';
import { admissionsOf, webIdentitiesOf, type ServiceAccount, type WebIdentity } from '../../model/identity';
import { isFatal, reviewTrust } from '../../model/identity-trust';
import { agreeing } from '../agreeing-cases';

/*
 * A role and the service account that shall use it are written in two places that nothing compares: with another namespace or
 * name in the trust policy the token is refused when the pod makes its first call.
 * Source: Amazon EKS user guide, "Assign IAM roles to Kubernetes service accounts".
 */

type MessageId = 'excluded' | 'no-web-identity';

const code = {
  cloudformation: '"${OIDC}:sub": "{{subject}}"',
  terraform: '"${replace(aws_iam_openid_connect_provider.eks.url, "https://", "")}:sub" = "{{subject}}"',
  'aws-cdk': [
    '// a service account that cluster.addServiceAccount() makes: its namespace is `default` unless given',
    "{ namespace: '{{namespace}}', name: '{{account}}' }",
    '// a role of your own: in the conditions of its FederatedPrincipal',
    "StringEquals: { [`${issuer}:sub`]: '{{subject}}', [`${issuer}:aud`]: 'sts.amazonaws.com' }",
    "// for the VPC CNI, `new VpcCniAddon(…)` from 'eks-guardrails/aws-cdk' brings the right role",
  ].join('\n'),
} as const;

export const irsaSubject = defineRule<MessageId>({
  id: 'irsa-subject',
  subject: 'iam',
  title: 'A service account role trusts the service account that uses it',
  severity: 'error',
  since: '0.1.0',
  symptom: [
    'The pod starts, and its first AWS call fails with `AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity`. For the VPC CNI this means that `aws-node` never becomes ready and no node',
    'joins; for the load balancer controller, that Ingresses get no address.',
  ].join('\n'),
  why: [
    'The token of a pod carries `system:serviceaccount:<namespace>:<service account>` as its subject. The vpc-cni add-on always runs as `kube-system:aws-node`, so the role in its',
    '`ServiceAccountRoleArn` must trust exactly this subject. CDK\'s `ServiceAccount` takes the namespace `default` when none is given, which fits no system component.',
  ].join('\n'),
  limits: [
    'Known users of a role are the vpc-cni add-on, ServiceAccount manifests and Helm values that name the role in the annotation `eks.amazonaws.com/role-arn`. Other add-ons are not judged,',
    'because they can be installed into other namespaces. Subjects that can match no token at all are reported by irsa-trust-policy.',
  ].join('\n'),
  ignore: 'When another statement that the input does not show gives the service account access to the role.',
  sources: [
    { title: 'Amazon EKS user guide: assign IAM roles to service accounts', url: 'https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html' },
    { title: 'Amazon EKS user guide: configure the VPC CNI to use IRSA', url: 'https://docs.aws.amazon.com/eks/latest/userguide/cni-iam-role.html' },
    {
      title: 'kubernetes-sigs/aws-load-balancer-controller: installation',
      url: 'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/deploy/installation/',
    },
  ],
  messages: {
    excluded: {
      text: 'Role {{role}} trusts {{found}}, but {{user}} uses it as {{subject}}: its pods get "Not authorized to perform sts:AssumeRoleWithWebIdentity"{{effect}}.',
      fix: { summary: 'Trust the subject `{{subject}}`.', code, safety: 'needs-decision' },
    },
    'no-web-identity': {
      text: 'Role {{role}} trusts no service account tokens at all, but {{user}} uses it as {{subject}}: its pods get "Not authorized to perform sts:AssumeRoleWithWebIdentity"{{effect}}.',
      fix: {
        summary: "Let the cluster's OIDC provider assume the role for the subject `{{subject}}`, or give the role by a Pod Identity association instead.",
        code,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const use of usesOf(model)) yield* agreeing(judge(use));
  },
});

/** A service account that assumes a role by its token. */
interface RoleUse {
  readonly role: Role | undefined;
  /** Why the role isn't known. */
  readonly doubt: string;
  readonly user: Resource;
  readonly account: ServiceAccount;
  readonly source: Source;
  readonly when: When;
}

function* usesOf(model: EksModel): Generator<RoleUse> {
  for (const view of model.clusterViews) {
    // Where an association exists it wins, and the annotation, which CDK writes all the same, has no effect.
    const associated = view.podIdentityAssociations;
    for (const use of viewUses(view)) {
      const { namespace, name } = use.account;
      let rest: readonly When[] = [use.when];
      for (const one of associated) {
        if (isText(one.namespace, namespace) !== 'no' && isText(one.serviceAccount, name) !== 'no') rest = except(rest, one.exists);
      }
      for (const when of rest) yield { ...use, when };
    }
  }
}

function* viewUses(view: ClusterView): Generator<RoleUse> {
  for (const addon of view.addons) {
    if (isAddon(addon, 'vpc-cni') === 'yes') yield* addonUses(addon);
  }
  for (const manifest of view.manifests) {
    const { object } = manifest;
    if (dataAt(object, 'kind') !== 'ServiceAccount') continue;
    const metadata = dataAt(object, 'metadata');
    yield* annotationUse(manifest, metadata, dataAt(metadata, 'name'), dataAt(metadata, 'namespace') ?? 'default');
  }
  for (const release of view.helmReleases) {
    const account = dataAt(release.values, 'serviceAccount');
    for (const { when, value } of alternativesOf(release.namespace)) {
      const namespace = value.kind === 'known' ? value.value : value.kind === 'absent' ? 'default' : value;
      yield* annotationUse(release, account, dataAt(account, 'name'), namespace, when);
    }
  }
}

function* addonUses(addon: Addon): Generator<RoleUse> {
  for (const { when, values } of cases({ pods: addon.podIdentityAssociations, irsa: addon.serviceAccountRole })) {
    const both = addon.exists.and(when);
    const { pods, irsa } = values;
    // With a Pod Identity association too, the add-on uses that one.
    const hasPodIdentity = pods.kind === 'known' && pods.value.some((item) => isText(item.serviceAccount, AWS_NODE.name) !== 'no');
    if (both === undefined || irsa.kind === 'absent' || hasPodIdentity) continue;
    const role = irsa.kind === 'known' ? irsa.value.target : undefined;
    const doubt = irsa.kind === 'known' ? `role ${irsa.value.text} is not part of the input` : `its service account role is not known (${irsa.reason})`;
    yield { role, doubt, user: addon, account: AWS_NODE, source: irsa.source, when: both };
  }
}

function* annotationUse(user: Resource, holder: Data | undefined, name: Data | undefined, namespace: Data, when: When = always): Generator<RoleUse> {
  const annotation = dataAt(holder, 'annotations', 'eks.amazonaws.com/role-arn');
  if (!(annotation instanceof Unknown) || typeof name !== 'string' || typeof namespace !== 'string') return;
  const role = roleBehind(annotation);
  const both = user.exists.and(when);
  if (role !== undefined && both !== undefined) yield { role, doubt: '', user, account: { namespace, name }, source: user.source, when: both };
}

function roleBehind({ reference }: Unknown): Role | undefined {
  const resource = reference?.resource as Partial<Role> | undefined;
  return resource?.kind === 'role' ? (resource as Role) : undefined;
}

function judge({ role, doubt, user, account, source, when: used }: RoleUse): Judgement<MessageId>[] {
  if (role === undefined) return [{ verdict: 'unverifiable', resource: user, source, reason: doubt, when: used }];
  const related = [{ message: `${resourceName(user)} uses ${resourceName(role)}`, source }];
  return admissionsOf(role, account).flatMap((admission): Judgement<MessageId>[] => {
    const when = used.and(role.exists)?.and(admission.when);
    if (when === undefined) return [];
    switch (admission.admitted) {
      case 'yes':
        return [{ verdict: 'pass', resource: role, when }];
      case 'maybe':
        return [{ verdict: 'unverifiable', resource: role, reason: `whether its trust policy admits ${subjectOf(account)} is not known`, when, related }];
      case 'no':
        return excluded(role, user, account, admission.statements ?? [], when, related);
    }
  });
}

function excluded(
  role: Role,
  user: Resource,
  account: ServiceAccount,
  statements: readonly TrustStatement[],
  when: When,
  related: NonNullable<Judgement['related']>,
): Judgement<MessageId>[] {
  const identities = webIdentitiesOf(role);
  // A trust policy that no token matches is one defect, and irsa-trust-policy's.
  if (identities.some((identity) => hasFatalDefect(identity, when))) return [];
  const subjects = serviceAccountSubjects(statements);
  const effect = account === AWS_NODE ? ', and no node becomes ready' : '';
  const data = {
    role: resourceName(role),
    user: resourceName(user),
    subject: subjectOf(account),
    namespace: account.namespace,
    account: account.name,
    effect,
    found: subjects.map(({ text }) => text).join(', '),
  };
  const common = { verdict: 'fail', resource: role, when, data, about: subjectOf(account), related } as const;
  if (!identities.some((identity) => identity.when.and(when) !== undefined)) return [{ ...common, message: 'no-web-identity' }];
  return [{ ...common, message: 'excluded', source: subjects[0]?.source ?? role.source }];
}

function hasFatalDefect({ when: outer, statement }: WebIdentity, when: When): boolean {
  const both = outer.and(when);
  if (both === undefined) return false;
  return reviewTrust(statement).defects.some((defect) => isFatal(defect) && both.and(defect.when ?? always) !== undefined);
}

function subjectOf({ namespace, name }: ServiceAccount): string {
  return serviceAccountSubject(namespace, name);
}
