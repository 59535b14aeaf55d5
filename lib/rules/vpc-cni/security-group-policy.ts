import { defineRule, type Judgement } from '../../engine';
import {
  dataAt,
  isAmongPatches,
  isDataMap,
  objectName,
  PERHAPS_PATCH,
  placeIn,
  securityGroupPoliciesOf,
  Unknown,
  type Data,
  type KubernetesManifest,
  type SecurityGroupPolicy,
} from '../../eks';
import { editDistance, nearestName } from '../../text/nearest';
import { judgePodEni, type PodEniMessage } from './parts/policies-without-pod-eni';

/*
 * The controller skips a SecurityGroupPolicy without selectors or groups with a line in a log of the control plane that nobody
 * sees, and pods keep the security groups of their node. Source: aws/amazon-vpc-resource-controller-k8s, pkg/utils/helper.go.
 */

const KIND = 'SecurityGroupPolicy';
const GROUP = 'vpcresources.k8s.aws';
const API_VERSION = `${GROUP}/v1beta1`;

/** EC2 attaches five security groups to an interface unless the quota was raised. */
const MOST_GROUPS = 5;

const podEniOn = {
  cloudformation:
    'ConfigurationValues: \'{"env":{"ENABLE_POD_ENI":"true"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}\'',
  'aws-cdk': [
    'configurationValues: {',
    "  env: { ENABLE_POD_ENI: 'true' },",
    "  init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },",
    '},',
  ].join('\n'),
  terraform: [
    'configuration_values = jsonencode({',
    '  env  = { ENABLE_POD_ENI = "true" }',
    '  init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }',
    '})',
  ].join('\n'),
} as const;

type Message = 'api-version' | 'kind' | 'no-selector' | 'no-groups' | 'both-selectors' | 'many-groups' | PodEniMessage;
type Failure = Pick<Judgement<Message>, 'severity'> & {
  readonly message: Exclude<Message, 'kind' | 'pod-eni-off' | 'pod-eni-not-set'>;
  readonly data: Readonly<Record<string, string>>;
};

export const securityGroupPolicy = defineRule<Message>({
  id: 'security-group-policy',
  subject: 'vpc-cni',
  title: 'A SecurityGroupPolicy selects pods, names security groups, and the VPC CNI can apply it',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'api-version': {
      text: "SecurityGroupPolicy {{name}} has {{found}}, where only vpcresources.k8s.aws/v1beta1 has this kind: the manifest can't be applied, and the deployment fails.",
      fix: {
        summary: 'Write `apiVersion: vpcresources.k8s.aws/v1beta1`.',
        code: {
          kubernetes: 'apiVersion: vpcresources.k8s.aws/v1beta1',
          cloudformation: 'apiVersion: vpcresources.k8s.aws/v1beta1',
          'aws-cdk': "apiVersion: 'vpcresources.k8s.aws/v1beta1',",
          terraform: 'apiVersion = "vpcresources.k8s.aws/v1beta1"',
        },
        safety: 'safe',
      },
    },
    kind: {
      text: 'Manifest {{name}} has the kind "{{found}}", which {{group}} doesn\'t have: the manifest can\'t be applied, and the deployment fails.',
      fix: {
        summary: 'Write `kind: SecurityGroupPolicy`.',
        code: {
          kubernetes: 'kind: SecurityGroupPolicy',
          cloudformation: 'kind: SecurityGroupPolicy',
          'aws-cdk': "kind: 'SecurityGroupPolicy',",
          terraform: 'kind = "SecurityGroupPolicy"',
        },
        safety: 'safe',
      },
    },
    'no-selector': {
      text: 'SecurityGroupPolicy {{name}} has neither podSelector nor serviceAccountSelector{{hint}}: the controller ignores it silently, and no pod gets its security groups.',
      fix: {
        summary: 'Write which pods it is for. `podSelector: {}` means all pods of the namespace.',
        safety: 'needs-decision',
      },
    },
    'no-groups': {
      text: 'SecurityGroupPolicy {{name}} has {{found}}{{hint}}: {{effect}}, and no pod gets security groups of its own.',
      fix: {
        summary:
          'List one to five security group ids in `spec.securityGroups.groupIds`, the cluster security group or one that lets the kubelet and DNS through among them.',
        safety: 'needs-decision',
      },
    },
    'both-selectors': {
      text: 'SecurityGroupPolicy {{name}} has a podSelector and a serviceAccountSelector: it is only for pods that both fit.',
      fix: { summary: 'For pods that one of them fits, write two policies.', safety: 'needs-decision' },
    },
    'many-groups': {
      text: 'SecurityGroupPolicy {{name}} names {{count}} security groups. A network interface takes 5 unless the quota was raised, and then the pods stay ContainerCreating.',
      fix: {
        summary: 'Merge rules into fewer groups, or have the quota "Security groups per network interface" raised.',
        safety: 'needs-decision',
      },
    },
    'pod-eni-off': {
      text: '{{cni}} has ENABLE_POD_ENI off ("{{found}}"), while {{policies}} pods security groups of their own: without trunk interfaces on the nodes these pods stay Pending with "Insufficient vpc.amazonaws.com/pod-eni".',
      fix: {
        summary:
          'Set `env.ENABLE_POD_ENI` to `"true"`, and `init.env.DISABLE_TCP_EARLY_DEMUX` too if the pods have TCP or HTTP probes.{{roleFirst}}',
        code: podEniOn,
        safety: 'needs-decision',
      },
    },
    'pod-eni-not-set': {
      text: '{{cni}} doesn\'t set ENABLE_POD_ENI, while {{policies}} pods security groups of their own. Unless somebody has set it in the cluster by hand, these pods stay Pending with "Insufficient vpc.amazonaws.com/pod-eni".',
      fix: {
        summary:
          'Set `env.ENABLE_POD_ENI` to `"true"` in the configuration values, and `init.env.DISABLE_TCP_EARLY_DEMUX` too if the pods have TCP or HTTP probes.{{roleFirst}}',
        code: podEniOn,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      for (const manifest of view.manifests) yield* judgeKind(manifest);
      const working: SecurityGroupPolicy[] = [];
      for (const policy of securityGroupPoliciesOf(view)) {
        if (isForeign(policy)) continue;
        const judgements = judgePolicy(policy);
        yield* judgements;
        if (!judgements.some(({ verdict, severity = 'error' }) => verdict === 'fail' && severity === 'error'))
          working.push(policy);
      }
      if (working.length > 0) yield* judgePodEni(view, working, model);
    }
  },
});

/** Objects that are meant to be policies and have another kind. */
function* judgeKind(manifest: KubernetesManifest): Generator<Judgement<Message>> {
  const kind = dataAt(manifest.object, 'kind');
  const apiVersion = dataAt(manifest.object, 'apiVersion');
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || kind === KIND) return;
  const group = groupOf(apiVersion);
  // The other kinds that the group has.
  if (
    !isMeantAsGroup(group) ||
    ['CNINode', 'CNINodeList', 'SecurityGroupPolicyList'].includes(kind) ||
    nearestName(kind, [KIND]) === undefined
  )
    return;
  yield {
    verdict: 'fail',
    message: 'kind',
    resource: manifest,
    source: placeIn(manifest, 'kind'),
    data: { name: objectName(manifest), found: kind, group },
    about: objectName(manifest),
  };
}

/** Whether an API group is, or is meant to be, that of the VPC resource controller. */
function isMeantAsGroup(group: string): boolean {
  // `ec2.services.k8s.aws`, which has a kind SecurityGroup, is not much farther away than that.
  return (
    group === GROUP ||
    (group.length <= 60 && (group.startsWith('vpcresources.') || editDistance(group.toLowerCase(), GROUP) <= 3))
  );
}

/** Where in a policy it stands what is wrong. */
const PLACES: Readonly<Record<Failure['message'], readonly string[]>> = {
  'api-version': ['apiVersion'],
  'no-selector': ['spec'],
  'no-groups': ['spec', 'securityGroups', 'groupIds'],
  'both-selectors': ['spec', 'serviceAccountSelector'],
  'many-groups': ['spec', 'securityGroups', 'groupIds'],
};

function judgePolicy(policy: SecurityGroupPolicy): readonly Judgement<Message>[] {
  const { manifest } = policy;
  const common = { resource: manifest };
  const all = [...versionFailures(policy), ...selectorFailures(policy), ...groupFailures(policy)];
  const failures = isPerhapsPatch(policy) ? all.filter(({ message }) => !MISSING.has(message)) : all;
  const judgements = failures.map(
    (failure): Judgement<Message> => ({
      ...common,
      source: placeIn(manifest, ...PLACES[failure.message]),
      verdict: 'fail',
      ...failure,
      data: { name: policy.label, ...failure.data },
      about: policy.label,
    }),
  );
  const doubts = [...(isPerhapsPatch(policy) ? [PERHAPS_PATCH] : []), ...doubtsOf(policy)];
  if (doubts.length > 0) judgements.push({ ...common, verdict: 'unverifiable', reason: doubts.join('; ') });
  return judgements.length > 0 ? judgements : [{ ...common, verdict: 'pass' }];
}

/** What a whole policy may not lack. */
const MISSING: ReadonlySet<Failure['message']> = new Set(['no-selector', 'no-groups']);

function isPerhapsPatch({ manifest, podSelector, serviceAccountSelector, groupIds }: SecurityGroupPolicy): boolean {
  const isWhole = (podSelector ?? serviceAccountSelector) !== undefined && groupIds !== undefined;
  return !isWhole && isAmongPatches(manifest);
}

function versionFailures({ manifest }: SecurityGroupPolicy): readonly Failure[] {
  const apiVersion = dataAt(manifest.object, 'apiVersion');
  if (apiVersion instanceof Unknown || apiVersion === API_VERSION) return [];
  if (apiVersion === undefined || apiVersion === null)
    return [{ message: 'api-version', data: { found: 'no apiVersion' } }];
  return [{ message: 'api-version', data: { found: `the apiVersion ${JSON.stringify(apiVersion)}` } }];
}

/** A kind of this name that is somebody else's. */
function isForeign({ manifest }: SecurityGroupPolicy): boolean {
  const apiVersion = dataAt(manifest.object, 'apiVersion');
  return typeof apiVersion === 'string' && !isMeantAsGroup(groupOf(apiVersion));
}

function groupOf(apiVersion: string): string {
  const [group = ''] = apiVersion.split('/', 1);
  return group;
}

function selectorFailures({ manifest, podSelector, serviceAccountSelector }: SecurityGroupPolicy): readonly Failure[] {
  if (podSelector === undefined && serviceAccountSelector === undefined) {
    const spec = dataAt(manifest.object, 'spec');
    return hasHiddenKey(spec)
      ? []
      : [
          {
            message: 'no-selector',
            data: { hint: hintAt(spec, ['podSelector', 'serviceAccountSelector'], ['securityGroups']) },
          },
        ];
  }
  const isWritten = (selector: Data | undefined): boolean => selector !== undefined && !(selector instanceof Unknown);
  return isWritten(podSelector) && isWritten(serviceAccountSelector)
    ? [{ message: 'both-selectors', severity: 'info', data: {} }]
    : [];
}

function groupFailures({ manifest, groupIds }: SecurityGroupPolicy): readonly Failure[] {
  if (groupIds instanceof Unknown) return [];
  const spec = dataAt(manifest.object, 'spec');
  const groups = dataAt(spec, 'securityGroups');
  if (groupIds === undefined) {
    if (hasHiddenKey(spec) || hasHiddenKey(groups)) return [];
    const hint =
      hintAt(groups, ['groupIds'], []) || hintAt(spec, ['securityGroups'], ['podSelector', 'serviceAccountSelector']);
    return [
      {
        message: 'no-groups',
        data: { found: 'no spec.securityGroups.groupIds', hint, effect: 'the controller ignores it silently' },
      },
    ];
  }
  const refused = { hint: '', effect: 'the API server refuses it' };
  if (!Array.isArray(groupIds))
    return [{ message: 'no-groups', data: { ...refused, found: 'no list in spec.securityGroups.groupIds' } }];
  if (groupIds.length === 0)
    return [{ message: 'no-groups', data: { ...refused, found: 'an empty list in spec.securityGroups.groupIds' } }];
  const count = new Set(groupIds).size;
  return count > MOST_GROUPS ? [{ message: 'many-groups', severity: 'warning', data: { count: String(count) } }] : [];
}

function* doubtsOf({
  manifest,
  podSelector,
  serviceAccountSelector,
  groupIds,
}: SecurityGroupPolicy): Generator<string> {
  const spec = dataAt(manifest.object, 'spec');
  const apiVersion = dataAt(manifest.object, 'apiVersion');
  if (apiVersion instanceof Unknown) yield `its apiVersion isn't known (${apiVersion.reason})`;
  if (spec instanceof Unknown) {
    yield `its spec isn't known (${spec.reason})`;
    return;
  }
  // One that is there is enough; one that isn't known may turn out to be null.
  const unknown = [podSelector, serviceAccountSelector].find((selector) => selector instanceof Unknown);
  const isSelected = [podSelector, serviceAccountSelector].some(
    (selector) => selector !== undefined && !(selector instanceof Unknown),
  );
  if (!isSelected && unknown instanceof Unknown) yield `its selectors aren't known (${unknown.reason})`;
  else if (!isSelected && hasHiddenKey(spec)) yield "its selectors aren't known";
  if (groupIds instanceof Unknown) yield `its security groups aren't known (${groupIds.reason})`;
  else if (groupIds === undefined && (hasHiddenKey(spec) || hasHiddenKey(dataAt(spec, 'securityGroups'))))
    yield "its security groups aren't known";
}

function hasHiddenKey(data: Data | undefined): boolean {
  return isDataMap(data) && Object.keys(data).some((key) => key.includes('${'));
}

/** A key that was probably meant to be one of the wanted ones. */
function hintAt(data: Data | undefined, wanted: readonly string[], others: readonly string[]): string {
  if (!isDataMap(data)) return '';
  const misspelt = Object.keys(data).find(
    (key) => !wanted.includes(key) && !others.includes(key) && nearestName(key, wanted) !== undefined,
  );
  return misspelt === undefined ? '' : ` (it has "${misspelt}" instead)`;
}
