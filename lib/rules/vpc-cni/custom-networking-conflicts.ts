// Custom networking leaves the first interface of a node without pods and is an IPv4 feature of Linux nodes: with other settings nothing
// may be left, and no node becomes Ready. Sources: VPC CNI, README and pkg/ipamd/ipamd.go.
import { defineRule, resourceName, type Judgement } from '../../engine';
import { compareVersions, type InstanceType } from '../../knowledge';
import {
  amiFamilyOf,
  casesOf,
  type AnyNodeGroup,
  type ClusterView,
  type CniCase,
  type EksModel,
  type When,
} from '../../eks';
import { nodeTypesOf, type NodeTypes } from '../../eks/analysis/node-types';
import { named } from '../parts/about';
import { isZero } from '../node-bootstrap/parts/windows-groups';
import { customNetworkingCasesOf, groupsOf, type CustomNetworkingCase } from './parts/custom-networking-cases';
import { listOf } from './parts/eni-config-coverage';

type MessageId = 'ipv6' | 'windows' | 'max-eni' | 'no-interface';
type Judged = Judgement<MessageId>;

/** From here on the trunk interface has no addresses for ordinary pods. Source: aws/amazon-vpc-cni-k8s, pull request 2801. */
const TRUNK_WITHOUT_PODS = 'v1.16.4-eksbuild.1';

const NOT_READY =
  'aws-node stops with "Failed to attach any ENIs for custom networking", and no such node becomes Ready';

export const customNetworkingConflicts = defineRule<MessageId>({
  id: 'custom-networking-conflicts',
  subject: 'vpc-cni',
  title: 'Custom networking goes together with the IP family, the instance types and the other settings of the VPC CNI',
  severity: 'error',
  since: '0.1.0',
  messages: {
    ipv6: {
      text: 'Custom networking is on in the IPv6 cluster {{cluster}}, where the VPC CNI refuses it: aws-node waits for IPAM-D for ever, and no node becomes Ready.',
      fix: {
        summary:
          "Remove `AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG`; addresses don't run out with IPv6. Or use an IPv4 cluster.",
        safety: 'needs-decision',
      },
    },
    windows: {
      text: 'Custom networking has no effect on the Windows nodes of {{group}}: their pods get addresses from the subnets of the nodes, and not from those of the ENIConfigs.',
      fix: {
        summary: 'Give these nodes subnets with room for their pods, or run the pods on Linux.',
        safety: 'needs-decision',
      },
    },
    'max-eni': {
      text: `MAX_ENI is {{limit}} while custom networking leaves the first interface without pods{{trunk}}, so no interface is left for pods. ${NOT_READY}.`,
      fix: {
        summary: 'Remove `MAX_ENI`, or set it to at least {{least}}.',
        code: {
          cloudformation:
            'ConfigurationValues: \'{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","MAX_ENI":"{{least}}"}}\'',
          'aws-cdk':
            "configurationValues: { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', MAX_ENI: '{{least}}' } },",
          terraform:
            'configuration_values = jsonencode({ env = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG = "true", MAX_ENI = "{{least}}" } })',
        },
        safety: 'needs-decision',
      },
    },
    'no-interface': {
      text: `Node group {{group}} starts {{types}}, whose {{enis}} are all taken: custom networking leaves the first one without pods{{trunk}}. ${NOT_READY}.`,
      fix: {
        summary: 'Use instance types with at least {{least}} network interfaces, such as `m6i.large`.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews)
      yield* customNetworkingCasesOf(view, model).flatMap((one) => judge(view, one));
  },
});

function judge(view: ClusterView, { cni, family, doubt, when }: CustomNetworkingCase): readonly Judged[] {
  const common = { resource: cni.resource, source: cni.source, when };
  if (doubt !== undefined) return [{ ...common, verdict: 'unverifiable', reason: doubt }];
  if (family.kind === 'known' && family.value === 'ipv6') {
    const { cluster } = view;
    return [
      {
        ...common,
        verdict: 'fail',
        message: 'ipv6',
        data: { cluster: cluster === undefined ? view.name : resourceName(cluster) },
        related: [{ message: 'The IP family of the cluster', source: family.source }],
      },
    ];
  }
  const windows = groupsOf(view, when).flatMap((group) => judgeWindows(group, view, cni, when));
  const limit = cni.settings.number('env.MAX_ENI');
  if (limit.kind === 'number' && limit.value === 1) return [...windows, maxEniFailure(cni, when, 1, false, [])];
  const nodes = groupsOf(view, when).flatMap((group) => judgeGroup(group, view, cni, when));
  if (nodes.some(({ resource }) => resource === cni.resource)) return [...windows, ...nodes];
  const open =
    limit.kind === 'unknown'
      ? `MAX_ENI isn't known (${limit.unknown.reason})`
      : family.kind === 'unknown'
        ? `the IP family of the cluster isn't known (${family.reason})`
        : undefined;
  return [
    ...windows,
    ...nodes,
    open === undefined ? { ...common, verdict: 'pass' } : { ...common, verdict: 'unverifiable', reason: open },
  ];
}

function maxEniFailure(
  { resource, source }: CniCase,
  when: When,
  limit: number,
  withTrunk: boolean,
  types: readonly NodeTypes[],
): Judged {
  return {
    resource,
    source,
    when,
    verdict: 'fail',
    message: 'max-eni',
    data: { limit: String(limit), trunk: trunkText(withTrunk), least: String(limit + 1) },
    related: types.map((one) => ({
      message: `Node group ${resourceName(one.group)} starts types with a trunk interface`,
      source: one.source,
    })),
  };
}

function trunkText(withTrunk: boolean): string {
  return withTrunk ? ', and security groups for pods (ENABLE_POD_ENI) make another one the trunk' : '';
}

function judgeWindows(group: AnyNodeGroup, view: ClusterView, cni: CniCase, given: When): readonly Judged[] {
  return casesOf(group, { family: amiFamilyOf(group, view), maximum: group.maxSize }, given).flatMap(
    ({ when, values: { family, maximum } }): readonly Judged[] => {
      const both = group.exists.and(when);
      if (both === undefined || family.kind !== 'known' || family.value !== 'WINDOWS' || isZero(maximum)) return [];
      const related = [{ message: `${resourceName(cni.resource)} turns custom networking on`, source: cni.source }];
      return [
        {
          resource: group,
          source: family.source,
          when: both,
          verdict: 'fail',
          severity: 'warning',
          message: 'windows',
          data: { group: resourceName(group) },
          related,
        },
      ];
    },
  );
}

function judgeGroup(group: AnyNodeGroup, view: ClusterView, cni: CniCase, given: When): readonly Judged[] {
  return casesOf(group, { family: amiFamilyOf(group, view) }, given).flatMap(({ when, values: { family } }) => {
    if (family.kind === 'known' && family.value === 'WINDOWS') return [];
    const system = family.kind === 'known' ? undefined : `the operating system of ${resourceName(group)} isn't known`;
    return nodeTypesOf(group).flatMap((types): readonly Judged[] => {
      const both = types.when.and(when);
      return both === undefined ? [] : [judgeTypes(types, cni, both, system)];
    });
  });
}

/** How the interfaces of an instance type are shared out. */
interface Shares {
  readonly type: InstanceType;
  /** Taken for sure: the first one, and the trunk. */
  readonly taken: number;
  /** Taken perhaps. */
  readonly most: number;
}

function judgeTypes(nodes: NodeTypes, cni: CniCase, when: When, system: string | undefined): Judged {
  const { group, types, doubt, owner, source } = nodes;
  const common = { resource: owner, source, when };
  const limit = cni.settings.number('env.MAX_ENI');
  const max = limit.kind === 'number' && limit.value >= 1 ? limit.value : Infinity;
  const trunk = trunkUse(cni);
  const shares = types.map((type) => sharesOf(type, trunk));
  const small = shares.filter(({ type, taken }) => type.enis <= taken);
  const [first] = small;
  if (system === undefined && first !== undefined) {
    const names = small.filter(({ taken }) => taken === first.taken).map(({ type }) => type.name);
    const enis = Math.max(...small.map(({ type }) => type.enis));
    return {
      ...common,
      verdict: 'fail',
      message: 'no-interface',
      about: named(names),
      data: {
        group: resourceName(group),
        types: listOf(names),
        enis: enis === 1 ? 'only interface' : `${enis} network interfaces`,
        trunk: trunkText(first.taken > 1),
        least: String(first.taken + 1),
      },
      related: [
        { message: `${resourceName(cni.resource)} turns custom networking on`, source: cni.source },
        ...(owner === group
          ? []
          : [{ message: `Node group ${resourceName(group)} uses this launch template`, source: group.source }]),
      ],
    };
  }
  const limited = shares.find(({ taken }) => max <= taken);
  if (system === undefined && limited !== undefined) return maxEniFailure(cni, when, max, limited.taken > 1, [nodes]);
  const unclear = shares.find(({ type, most }) => Math.min(type.enis, max) <= most);
  const reason =
    unclear === undefined
      ? undefined
      : `whether ${unclear.type.name} has an interface left for pods isn't known: ${system ?? trunk.reason ?? `no list tells whether it carries a trunk interface`}`;
  const open = reason ?? doubt;
  return open === undefined ? { ...common, verdict: 'pass' } : { ...common, verdict: 'unverifiable', reason: open };
}

/** Whether security groups for pods take an interface away, and if that isn't known, why. */
interface TrunkUse {
  readonly kind: 'yes' | 'no' | 'maybe';
  readonly reason?: string;
}

function trunkUse({ settings, addon, version, unknownVersion }: CniCase): TrunkUse {
  const podEni = settings.switch('env.ENABLE_POD_ENI');
  if (podEni.kind === 'off') return { kind: 'no' };
  if (podEni.kind === 'unknown')
    return { kind: 'maybe', reason: `ENABLE_POD_ENI isn't known (${podEni.unknown.reason})` };
  if (addon === undefined) return { kind: 'maybe', reason: "the version of the chart doesn't tell that of the CNI" };
  if (unknownVersion !== undefined)
    return { kind: 'maybe', reason: `the version of the add-on isn't known (${unknownVersion})` };
  // Where none is pinned, EKS installs a newer one.
  if (version === undefined || compareVersions(version, TRUNK_WITHOUT_PODS) >= 0) return { kind: 'yes' };
  return {
    kind: 'maybe',
    reason: `before version 1.16.4 (${version} here) ordinary pods could use the trunk interface`,
  };
}

function sharesOf(type: InstanceType, trunk: TrunkUse): Shares {
  const couldCarry = trunk.kind !== 'no' && (type.trunk || !type.trunkKnown);
  return {
    type,
    taken: 1 + (trunk.kind === 'yes' && type.trunk && type.trunkKnown ? 1 : 0),
    most: 1 + (couldCarry ? 1 : 0),
  };
}
