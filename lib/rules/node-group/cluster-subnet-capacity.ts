import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  casesOf,
  eniConfigsOf,
  networkOf,
  type Cluster,
  type ClusterView,
  type EksModel,
  type Known,
  type NodeGroup,
  type Plain,
  type Reference,
  type Subnet,
  type Value,
  type When,
} from '../../eks';
import { switchAt } from '../../eks/analysis/addon';
import { parseIpv4Range } from '../../eks/networking/cidr';
import { listOf } from '../../text/in-words';
import { atomsOf } from '../../value';
import { unverifiable } from '../parts/case-judgements';

/*
 * Nodes, pods, the nodes that an update adds, and the control plane's interfaces take addresses from the same subnets, whose size is fixed when they
 * are made. Subnets of the control plane alone may be as small as AWS recommends them, /28.
 * Source: Amazon EKS user guide, "Amazon EKS networking requirements for VPC and subnets" and "Understand each phase of node updates".
 */

type Message = 'one-zone' | 'too-few' | 'small';

/** AWS keeps the first four addresses of a subnet and the last one. */
const KEPT_BY_AWS = 5;
/** What an update of the control plane may need at once. */
const CONTROL_PLANE = 5;
const SMALL = 28;

export const clusterSubnetCapacity = defineRule<Message>({
  id: 'cluster-subnet-capacity',
  subject: 'node-group',
  title: 'Subnets have room for nodes, pods, updates and the control plane',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: ['one-zone'],
  messages: {
    'one-zone': {
      text: 'Cluster "{{cluster}}" names {{subnets}}: EKS asks for subnets in two availability zones at least, and refuses the cluster.',
      fix: { summary: 'Name subnets of at least two availability zones.', safety: 'needs-decision' },
    },
    'too-few': {
      text: 'The subnets of node group "{{group}}" have {{usable}} usable addresses together ({{subnets}}), but its {{nodes}} nodes at most, the {{surge}} that an update may add{{control}} need {{needed}} even without pods: it stops growing, or an update ends with NodeCreationFailure.',
      fix: {
        summary:
          'Give the group larger subnets, /24 for example, in a node group of another name: neither the range of a subnet nor the subnets of a group can be changed.',
        safety: 'needs-decision',
      },
    },
    small: {
      text: 'Each subnet of node group "{{group}}" has {{usable}} usable addresses ({{subnets}}), which its nodes, all their pods and the nodes that an update adds share: pods stay ContainerCreating with "failed to assign an IP address to container" after a handful.',
      fix: {
        summary:
          'Give the group larger subnets, /24 for example, in a node group of another name; or give pods subnets of their own by custom networking.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const { cluster } = view;
      if (cluster !== undefined) yield* judgeZones(cluster);
      for (const group of view.nodeGroups) yield* judgeGroup(group, view, model);
    }
  },
});

type Items = readonly Value<Reference<Subnet>>[];

function* judgeZones(cluster: Cluster): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(cluster, { subnets: cluster.subnets, outpost: cluster.onOutpost })) {
    const { subnets, outpost } = values;
    if (subnets.kind !== 'known' || outpost.kind !== 'absent') continue;
    const reason = placeholderReason(cluster, subnets);
    if (reason !== undefined) {
      yield { resource: cluster, verdict: 'unverifiable', source: subnets.source, when, reason };
      continue;
    }
    const zones = subnets.value.map(zoneOf);
    const [first, ...others] = zones;
    if (first === undefined) continue;
    const isOne = others.length === 0 || (first.zone !== undefined && others.every(({ zone }) => zone === first.zone));
    const common = { resource: cluster, source: subnets.source, when };
    if (!isOne) yield { ...common, verdict: 'pass' };
    else if (isOfSeveralConditions(when))
      yield {
        ...common,
        verdict: 'unverifiable',
        reason:
          'one subnet is left, or one zone, if several conditions hold together, and whether they do is not known',
      };
    // Of a single item that isn't known, deployment may make a list.
    else if (first.isKnown)
      yield {
        ...common,
        verdict: 'fail',
        message: 'one-zone',
        data: {
          cluster: resourceName(cluster),
          subnets: others.length === 0 ? 'a single subnet' : `${zones.length} subnets of one availability zone`,
        },
      };
  }
}

/** Subnets that are left out one by one are hardly left out all but one: the names of zones, for instance, are all different. */
function isOfSeveralConditions(when: When): boolean {
  let count = 0;
  for (const atoms of atomsOf(when).values()) count += atoms.size;
  return count > 1;
}

/** Why a list is no list of subnets that anybody deploys with: it stands in for one that is given. */
function placeholderReason({ id }: Cluster, subnets: Known<Items>): string | undefined {
  const isEmpty = subnets.value.some((item) => item.kind === 'known' && item.value.text.trim() === '');
  if (isEmpty) return 'its subnets are an empty text, in the place of ids that are given elsewhere';
  const from = subnets.note ?? subnets.source.from ?? '';
  // With the default of a variable EKS would refuse it every time: whoever uses this module gives another value.
  return !id.startsWith('module.') && from.startsWith('default of variable')
    ? `its subnets are the ${from}, and nothing here calls its module`
    : undefined;
}

/** The zone of a subnet, or a symbol that stands for the same one wherever it comes up. */
function zoneOf(item: Value<Reference<Subnet>>): { readonly zone: string | undefined; readonly isKnown: boolean } {
  if (item.kind !== 'known') return { zone: undefined, isKnown: false };
  const zone = item.value.target?.availabilityZone;
  return {
    zone: zone?.kind === 'known' ? zone.value : zone?.kind === 'unknown' ? zone.symbol : undefined,
    isKnown: true,
  };
}

function* judgeGroup(group: NodeGroup, view: ClusterView, model: EksModel): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(group, { subnets: group.subnets, max: group.maxSize })) {
    const { subnets, max } = values;
    if (subnets.kind === 'absent') continue;
    const common = { resource: group, source: subnets.source, when };
    const sizes = subnets.kind === 'known' ? sizesOf(subnets.value) : undefined;
    // Of subnets that something else declares there is nothing to judge.
    if (sizes === undefined) continue;
    if (typeof sizes === 'string') {
      yield { ...common, ...unverifiable(`how many addresses its subnets have is not known: ${sizes}`) };
      continue;
    }
    const [first] = sizes;
    if (first === undefined) continue;
    const usable = sizes.reduce((sum, { usable: own }) => sum + own, 0);
    const data = { group: resourceName(group), subnets: listOf(sizes.map(({ text }) => text)) };
    const nodes = numberOf(max);
    const surge = 2 * sizes.length;
    const isShared = sharesWithControlPlane(sizes, view.cluster);
    const needed = (nodes ?? 0) + surge + (isShared ? CONTROL_PLANE : 0);
    const related = sizes.map(({ subnet, text }) => ({ message: text, source: subnet.source }));
    if (nodes !== undefined && usable < needed)
      yield {
        ...common,
        verdict: 'fail',
        message: 'too-few',
        severity: 'warning',
        data: {
          ...data,
          usable: String(usable),
          nodes: String(nodes),
          surge: String(surge),
          control: isShared ? ` and the ${CONTROL_PLANE} of the control plane` : '',
          needed: String(needed),
        },
        related,
      };
    else if (sizes.every(({ prefixLength }) => prefixLength >= SMALL) && arePodsInSubnets(view, model))
      yield {
        ...common,
        verdict: 'fail',
        message: 'small',
        severity: 'warning',
        data: { ...data, usable: listOf([...new Set(sizes.map(({ usable: own }) => String(own)))]) },
        related,
      };
    else yield { ...common, verdict: 'pass' };
  }
}

interface Size {
  readonly subnet: Subnet;
  readonly prefixLength: number;
  readonly usable: number;
  /** `10.0.0.0/28`. */
  readonly text: string;
}

/** The sizes of subnets, or why they aren't known; undefined if some of them aren't part of the input. */
function sizesOf(items: Items): readonly Size[] | string | undefined {
  const sizes = new Map<Subnet, Size>();
  const subnets = items.flatMap((item) => (item.kind === 'known' ? (item.value.target ?? []) : []));
  if (subnets.length < items.length) return undefined;
  for (const subnet of subnets) {
    const { cidr } = subnet;
    const range = cidr.kind === 'known' ? parseIpv4Range(cidr.value) : undefined;
    if (cidr.kind !== 'known' || range === undefined) return `the range of subnet ${resourceName(subnet)} is not known`;
    const { prefixLength } = range;
    sizes.set(subnet, { subnet, prefixLength, usable: 2 ** (32 - prefixLength) - KEPT_BY_AWS, text: cidr.value });
  }
  return [...sizes.values()];
}

function sharesWithControlPlane(sizes: readonly Size[], cluster: Cluster | undefined): boolean {
  const own = cluster?.subnets;
  if (own?.kind !== 'known') return false;
  return sizes.some(({ subnet }) => own.value.some((item) => item.kind === 'known' && item.value.target === subnet));
}

function numberOf(value: Plain<number | string>): number | undefined {
  const number = value.kind === 'known' ? Number(value.value) : Number.NaN;
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Whether pods surely take their addresses from the subnets of their nodes. */
function arePodsInSubnets(view: ClusterView, model: EksModel): boolean {
  const { cluster, addons, patches } = view;
  if (cluster === undefined || patches.length > 0) return false;
  const isIpv4 = alternativesOf(cluster.ipFamily).every(
    ({ value }) => value.kind === 'absent' || (value.kind === 'known' && value.value === 'ipv4'),
  );
  const { software } = networkOf(view, model);
  const isOther = software.some(({ part, isOther: other, addon }) => part === 'cni' && (other || addon === undefined));
  // Prefixes need whole blocks of a subnet, of which prefix-delegation-subnet speaks.
  const isOtherwise = addons.some((addon) =>
    ['AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', 'ENABLE_PREFIX_DELEGATION'].some((name) =>
      alternativesOf(switchAt(addon, name, false)).some(({ value }) => value.kind !== 'known' || value.value),
    ),
  );
  return isIpv4 && !isOther && !isOtherwise && eniConfigsOf(view).length === 0;
}
