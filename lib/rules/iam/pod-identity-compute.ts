import { globMatcher } from '../../text/glob';
import { defineRule, resourceName, type Judgement } from '../../engine';
import { addonServiceAccounts } from '../../knowledge';
import {
  alternativesOf,
  casesOf,
  dataAt,
  runsOnFargate,
  type Addon,
  type ClusterView,
  type Data,
  type EksModel,
  type FargateProfile,
  type KubernetesManifest,
  type Plain,
  type Resource,
  type Source,
  type Value,
  type When,
} from '../../eks';
import type { ServiceAccount } from '../../eks/analysis/identity';

/*
 * Credentials of Pod Identity come from an agent on the node, and that agent runs on Linux instances of EC2 only.
 * Source: Amazon EKS user guide, "Learn how EKS Pod Identity grants pods access to AWS services", EKS Pod Identity restrictions.
 */

type MessageId = 'fargate' | 'windows';

export const podIdentityCompute = defineRule<MessageId>({
  id: 'pod-identity-compute',
  subject: 'iam',
  title: 'Pods that get their role by Pod Identity run on Linux nodes',
  severity: 'error',
  since: '0.1.0',
  messages: {
    fargate: {
      text: '{{giver}} gives service account {{namespace}}/{{account}} a role by Pod Identity, but Fargate profile {{profile}} takes all pods of namespace {{namespace}}: on Fargate there is no Pod Identity agent, and the pods get no credentials.',
      fix: {
        summary:
          'Choose where the pods run. On Fargate, give the role by IRSA instead: a trust policy for `system:serviceaccount:{{namespace}}:{{account}}`, the annotation `eks.amazonaws.com/role-arn` on the service account, and no Pod Identity for it. On nodes, give the selector of {{profile}} labels that these pods do not have.',
        summaryIn: {
          eksctl: 'Give the role by an item of `iam.serviceAccounts` instead, which needs `iam.withOIDC: true`.',
        },
        safety: 'needs-decision',
      },
    },
    windows: {
      text: '{{giver}} gives service account {{namespace}}/{{account}} a role by Pod Identity, but {{workload}} runs as it on nodes of Windows: there the Pod Identity agent does not run, and its pods get no credentials, or those of the node.',
      fix: {
        summary:
          'Give the role by IRSA instead: a trust policy for `system:serviceaccount:{{namespace}}:{{account}}`, the annotation `eks.amazonaws.com/role-arn` on the service account, and no Pod Identity for it.',
        summaryIn: {
          eksctl: 'Give the role by an item of `iam.serviceAccounts` instead, which needs `iam.withOIDC: true`.',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) {
      for (const use of usesOf(view)) yield* judge(use, view);
    }
  },
});

/** A service account that gets a role by Pod Identity, under one assumption. */
interface Use {
  readonly giver: Resource;
  /** Undefined if it isn't known. */
  readonly namespace: string | undefined;
  readonly account: string | undefined;
  readonly reason: string;
  readonly source: Source;
  readonly when: When;
}

function* usesOf(view: ClusterView): Generator<Use> {
  for (const association of view.podIdentityAssociations) {
    const { namespace, serviceAccount, source, exists } = association;
    for (const { when: given, values } of casesOf(association, { namespace, serviceAccount })) {
      const when = exists.and(given);
      if (when !== undefined) yield useOf(association, values.namespace, values.serviceAccount, source, when);
    }
  }
  for (const addon of view.addons) yield* usesOfAddon(addon);
}

function* usesOfAddon(addon: Addon): Generator<Use> {
  const { name, namespace, podIdentityAssociations } = addon;
  for (const { when: given, values } of casesOf(addon, { name, namespace, podIdentityAssociations })) {
    const when = addon.exists.and(given);
    if (when === undefined || values.podIdentityAssociations.kind !== 'known') continue;
    const known = values.name.kind === 'known' ? addonServiceAccounts(values.name.value) : undefined;
    for (const { serviceAccount, source } of values.podIdentityAssociations.value) {
      if (serviceAccount.kind === 'choice') continue;
      const use = useOf(addon, values.namespace, serviceAccount, source, when);
      // Where EKS installs an add-on that isn't known here, isn't known either.
      if (values.namespace.kind !== 'absent') yield use;
      else if (known !== undefined) yield { ...use, namespace: known.namespace };
    }
  }
}

function useOf(giver: Resource, namespace: Plain<string>, account: Plain<string>, source: Source, when: When): Use {
  const unknown = [namespace, account].find(({ kind }) => kind === 'unknown');
  return {
    giver,
    namespace: textOf(namespace),
    account: textOf(account),
    reason: unknown?.kind === 'unknown' ? unknown.reason : '',
    source,
    when,
  };
}

function textOf(value: Plain<string>): string | undefined {
  return value.kind === 'known' ? value.value : undefined;
}

function* judge(use: Use, view: ClusterView): Generator<Judgement<MessageId>> {
  const { giver, namespace, account, source, when, reason } = use;
  const common = { resource: giver, source, when };
  const profiles = view.fargateProfiles.filter((profile) => when.and(profile.exists) !== undefined);
  if (namespace === undefined || account === undefined) {
    if (profiles.length > 0)
      yield { ...common, verdict: 'unverifiable', reason: `whether its pods run on Fargate isn't known: ${reason}` };
    return;
  }
  const own = { namespace, name: account };
  const about = { about: `${namespace}/${account}` };
  const data = { giver: resourceName(giver), namespace, account, profile: '', workload: '' };
  const windows = view.manifests.find((manifest) => isOf(manifest, own) && isOnWindows(podOf(manifest)));
  if (windows !== undefined && when.and(windows.exists) !== undefined)
    yield {
      ...common,
      ...about,
      verdict: 'fail',
      message: 'windows',
      severity: 'warning',
      data: { ...data, workload: resourceName(windows) },
      related: [{ message: 'a nodeSelector asks for Windows', source: windows.source }],
    };
  else yield* judgeFargate(own, profiles, view, { ...common, ...about, data: { ...data } });
}

function* judgeFargate(
  account: ServiceAccount,
  profiles: readonly FargateProfile[],
  view: ClusterView,
  common: Required<Pick<Judgement<MessageId>, 'resource' | 'source' | 'when' | 'data' | 'about'>>,
): Generator<Judgement<MessageId>> {
  const pods = {
    namespace: account.namespace,
    nodeSelector: undefined,
    affinity: undefined,
    tolerations: undefined,
  };
  const answer = isOnNodes(account, view) ? 'no' : runsOnFargate(view, pods, common.when);
  const { data, ...plain } = common;
  const taking = profiles.find((profile) => takesAll(profile, account.namespace));
  if (answer === 'yes' && taking !== undefined) {
    yield {
      ...common,
      verdict: 'fail',
      message: 'fargate',
      data: { ...data, profile: resourceName(taking) },
      related: [{ message: `${resourceName(taking)} takes the namespace`, source: taking.source }],
    };
  } else if (answer === 'maybe' && (taking !== undefined || profiles.some(isOpen))) {
    yield {
      ...plain,
      verdict: 'unverifiable',
      reason: `whether a Fargate profile takes the pods of ${account.namespace}/${account.name} isn't known`,
    };
  } else yield { ...plain, verdict: 'pass' };
}

/** Whether pods of every label of a namespace go to a profile. Those that ask for labels are mostly for others. */
function takesAll({ selectors }: FargateProfile, namespace: string): boolean {
  return alternativesOf(selectors).some(
    ({ value }) =>
      value.kind === 'known' &&
      value.value.some((selector) => !selector.hasLabels && mayMatch(selector.namespace, namespace)),
  );
}

function mayMatch(pattern: Value<string>, namespace: string): boolean {
  return alternativesOf(pattern).some(({ value }) => {
    if (value.kind !== 'known') return value.kind === 'unknown';
    return globMatcher(value.value)(namespace);
  });
}

function isOpen({ selectors }: FargateProfile): boolean {
  return alternativesOf(selectors).some(({ value }) => value.kind === 'unknown');
}

/** Pods of these run on each node, and Fargate has none of them. Source: the add-ons' own DaemonSets. */
const ON_EACH_NODE: ReadonlySet<string> = new Set([
  'aws-node',
  'cloudwatch-agent',
  'ebs-csi-node-sa',
  'efs-csi-node-sa',
  'fsx-csi-node-sa',
  's3-csi-driver-sa',
]);

/** With this annotation pods stay away from Fargate, whatever profiles there are. Source: Amazon EKS user guide, "Get started with AWS Fargate", CoreDNS. */
const COMPUTE_TYPE = 'eks.amazonaws.com/compute-type';

/** Whether pods of an account are known to run on nodes: those of DaemonSets, and those that say so. */
function isOnNodes(account: ServiceAccount, view: ClusterView): boolean {
  return (
    ON_EACH_NODE.has(account.name) ||
    view.manifests.some(
      (manifest) =>
        isOf(manifest, account) &&
        (dataAt(manifest.object, 'kind') === 'DaemonSet' ||
          dataAt(podOf(manifest), 'metadata', 'annotations', COMPUTE_TYPE) === 'ec2'),
    )
  );
}

function podOf({ object }: KubernetesManifest): Data | undefined {
  return dataAt(object, 'kind') === 'Pod'
    ? object
    : (dataAt(object, 'spec', 'template') ?? dataAt(object, 'spec', 'jobTemplate', 'spec', 'template'));
}

/** Whether a manifest has pods that run as a service account. */
function isOf(manifest: KubernetesManifest, { namespace, name }: ServiceAccount): boolean {
  return (
    dataAt(podOf(manifest), 'spec', 'serviceAccountName') === name &&
    (dataAt(manifest.object, 'metadata', 'namespace') ?? 'default') === namespace
  );
}

function isOnWindows(pod: Data | undefined): boolean {
  return (
    dataAt(pod, 'spec', 'nodeSelector', 'kubernetes.io/os') === 'windows' ||
    dataAt(pod, 'spec', 'os', 'name') === 'windows'
  );
}
