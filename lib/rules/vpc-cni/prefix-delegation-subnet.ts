import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import {
  alternativesOf,
  always,
  amiFamilyOf,
  casesOf,
  cniCasesOnNodes,
  eniConfigsOf,
  whereExists,
  type AnyNodeGroup,
  type ClusterView,
  type CniCase,
  type EksModel,
  type EniConfig,
  type Plain,
  type Resource,
  type Source,
  type Subnet,
  type When,
} from '../../eks';
import { ipFamilyOf, type IpFamily } from '../../eks/analysis/ip-family';
import { compareVersions } from '../../knowledge';
import { freePrefixes, parseIpv4Range } from '../../eks/networking/cidr';
import { CAPACITY_SETTINGS } from '../../eks/networking/node-capacity';
import { listOf } from '../../text/in-words';
import { cniPlace } from './parts/max-pods-judgements';

/*
 * A prefix is an aligned block of 16 addresses, of which a small subnet has few or none to give.
 * Sources: EKS user guide, "Assign more IP addresses to Amazon EKS nodes with prefixes"; Amazon VPC user guide, "Subnet CIDR blocks".
 */

const CODE = {
  cloudformation: 'CidrBlock: 10.0.32.0/20',
  'aws-cdk': "subnetConfiguration: [{ name: 'nodes', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 }],",
  terraform: 'cidr_block = "10.0.32.0/20"',
};

type Message = 'noPrefix' | 'fewPrefixes';

export const prefixDelegationSubnet = defineRule<Message>({
  id: 'prefix-delegation-subnet',
  subject: 'vpc-cni',
  title: 'Subnets of pods have room for prefixes where prefix delegation is on',
  severity: 'error',
  since: '0.1.0',
  messages: {
    noPrefix: {
      text: 'Subnet "{{subnet}}" of {{user}} is {{cidr}}: of the addresses that AWS leaves in it, no 16 make up a whole block, and with prefix delegation the VPC CNI asks for such blocks only. Pods there stay ContainerCreating ("InsufficientCidrBlocks").',
      fix: {
        summary:
          "Give the nodes (or the ENIConfig) a larger subnet, /24 at the least, or turn prefix delegation off. The range of an existing subnet can't be changed.",
        summaryIn: {
          eksctl:
            "Give the nodes (or the ENIConfig) a larger subnet, /24 at the least, by `subnets` of a new group, or turn prefix delegation off. The range of an existing subnet can't be changed.",
        },
        code: CODE,
        safety: 'needs-decision',
      },
    },
    fewPrefixes: {
      text: 'Subnet "{{subnet}}" of {{user}} is {{cidr}}, which has {{blocks}} blocks of 16 addresses for prefix delegation when it is empty. Each address that a node or load balancer takes in one of them makes that block useless.',
      fix: {
        summary:
          'Take a larger subnet, or reserve a range of it for prefixes (a subnet CIDR reservation of type `prefix`).',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    const others = new RoomySubnets(model);
    for (const view of model.clusterViews) {
      const cnis = cniCasesOnNodes(view, model).filter(
        ({ settings }) => settings.switch(CAPACITY_SETTINGS.prefixDelegation).kind !== 'off',
      );
      if (cnis.length === 0) continue;
      yield* cnis.flatMap((cni) => merged(usesOf(view, cni)).flatMap((use) => judgeUse(use, cni, view, others)));
    }
  },
});

/** Something whose pods get their addresses from a subnet. */
interface SubnetUse {
  /** A node group, or what holds an ENIConfig. */
  readonly user: Resource;
  /** As messages call it: `node group "Workers"`; several where they share the subnet. */
  readonly called: readonly string[];
  /** The subnet; undefined with the reason where the input doesn't show it. */
  readonly subnet: Subnet | undefined;
  readonly reason: string;
  readonly source: Source;
  /** Why it isn't certain that pods use it. */
  readonly doubt: string | undefined;
  readonly when: When;
}

/** Uses of one subnet under the same condition are told together. */
function merged(uses: readonly SubnetUse[]): readonly SubnetUse[] {
  const bySubnet = new Map<Subnet, Map<string, SubnetUse[]>>();
  const rest: SubnetUse[] = [];
  for (const use of uses) {
    if (use.subnet === undefined) {
      rest.push(use);
      continue;
    }
    const byKey = bySubnet.get(use.subnet) ?? new Map<string, SubnetUse[]>();
    bySubnet.set(use.subnet, byKey);
    const key = `${use.when.text}|${use.doubt ?? ''}`;
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [use]);
    else alike.push(use);
  }
  const shared = [...bySubnet.values()].flatMap((byKey) =>
    [...byKey.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, called: [...new Set([first, ...others].flatMap(({ called }) => called))] }],
    ),
  );
  return [...shared, ...rest];
}

function usesOf(view: ClusterView, cni: CniCase): readonly SubnetUse[] {
  const custom = cni.settings.switch(CAPACITY_SETTINGS.customNetworking);
  if (custom.kind === 'on') return eniConfigsOf(view).flatMap((config) => eniConfigUse(config, cni.when));
  const doubt =
    custom.kind === 'unknown' ? `whether custom networking is on isn't known: ${custom.unknown.reason}` : undefined;
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group) =>
    groupUses(group, view, cni.when, doubt),
  );
}

function eniConfigUse({ resource, name, subnet, target, source, when }: EniConfig, given: When): readonly SubnetUse[] {
  const both = given.and(when)?.and(target?.exists ?? always);
  // Without a subnet nothing works; `custom-networking-eni-config` is about that.
  if (both === undefined || subnet === undefined) return [];
  const called = typeof name === 'string' ? `ENIConfig "${name}"` : 'an ENIConfig';
  return [
    {
      user: resource,
      called: [called],
      subnet: target,
      reason: `the subnet of ${called} isn't part of the input`,
      source,
      doubt: undefined,
      when: both,
    },
  ];
}

function groupUses(
  group: AnyNodeGroup,
  view: ClusterView,
  given: When,
  doubt: string | undefined,
): readonly SubnetUse[] {
  const called = `node group "${resourceName(group)}"`;
  return casesOf(group, { family: amiFamilyOf(group, view), subnets: group.subnets }, given).flatMap(
    ({ when, values: { family, subnets } }): readonly SubnetUse[] => {
      const exists = group.exists.and(when);
      if (exists === undefined || subnets.kind === 'absent' || (family.kind === 'known' && family.value === 'WINDOWS'))
        return [];
      const system = family.kind === 'unknown' ? `this counts for Linux nodes only, and ${family.reason}` : undefined;
      const common = { user: group, called: [called], doubt: doubt ?? system };
      if (subnets.kind === 'unknown')
        return [
          {
            ...common,
            subnet: undefined,
            reason: `its subnets aren't known: ${subnets.reason}`,
            source: subnets.source,
            when: exists,
          },
        ];
      return subnets.value.flatMap((item) =>
        alternativesOf(whereExists(group, item)).flatMap(({ when: inner, value }): readonly SubnetUse[] => {
          const subnet = value.kind === 'known' ? value.value.target : undefined;
          const both = exists.and(inner)?.and(subnet?.exists ?? always);
          if (both === undefined || value.kind === 'absent') return [];
          const reason =
            value.kind === 'known'
              ? `subnet ${value.value.text} isn't part of the input`
              : `one of its subnets isn't known: ${value.reason}`;
          return [{ ...common, subnet, reason, source: value.source, when: both }];
        }),
      );
    },
  );
}

/** A /25 has as many. */
const LITTLE_ROOM = 6;

function judgeUse(
  use: SubnetUse,
  cni: CniCase,
  view: ClusterView,
  others: RoomySubnets,
): readonly Judgement<Message>[] {
  const ip = casesOf(use.user, { ip: ipFamilyOf(view) }, use.when);
  return ip.flatMap(({ when, values }) => {
    if (values.ip.kind === 'known' && values.ip.value === 'ipv6') return [];
    const { subnet } = use;
    if (subnet === undefined)
      return [{ verdict: 'unverifiable', resource: use.user, reason: use.reason, source: use.source, when }];
    return alternativesOf(whereExists(subnet, subnet.cidr)).flatMap(({ when: inner, value }) => {
      const both = when.and(inner);
      return both === undefined ? [] : [judgeRange(use, subnet, value, values.ip, cni, others, both)];
    });
  });
}

function judgeRange(
  use: SubnetUse,
  subnet: Subnet,
  cidr: Plain<string>,
  ip: Plain<IpFamily>,
  cni: CniCase,
  others: RoomySubnets,
  when: When,
): Judgement<Message> {
  const unverifiable = (reason: string, source = cidr.source): Judgement<Message> => ({
    verdict: 'unverifiable',
    resource: subnet,
    reason,
    source,
    when,
  });
  if (cidr.kind === 'unknown') return unverifiable(`its range isn't known: ${cidr.reason}`);
  const range = cidr.kind === 'known' ? parseIpv4Range(cidr.value) : undefined;
  if (cidr.kind === 'absent' || range === undefined)
    return unverifiable(cidr.kind === 'known' ? `"${cidr.value}" is no IPv4 range` : 'it has no range of its own');
  const blocks = freePrefixes(range);
  if (blocks > LITTLE_ROOM) return { verdict: 'pass', resource: subnet, when };
  const prefixes = cni.settings.switch(CAPACITY_SETTINGS.prefixDelegation);
  if (prefixes.kind === 'unknown')
    return unverifiable(
      `whether prefix delegation is on isn't known: ${prefixes.unknown.reason}`,
      prefixes.unknown.source,
    );
  if (ip.kind !== 'known')
    return unverifiable(ip.kind === 'unknown' ? ip.reason : "the cluster's IP family isn't known", ip.source);
  if (use.doubt !== undefined) return unverifiable(use.doubt, use.source);
  const larger = blocks === 0 && mayDiscover(cni) ? others.near(subnet) : undefined;
  if (larger !== undefined)
    return unverifiable(
      `subnet "${resourceName(larger)}" is or may be tagged for the CNI and have the room that this one (${cidr.value}) lacks`,
    );
  const related: RelatedPlace[] = [
    { message: `${listOf(use.called)} ${use.called.length > 1 ? 'use' : 'uses'} the subnet`, source: use.source },
    cniPlace(cni, 'turns prefix delegation on'),
  ];
  const place = { verdict: 'fail', resource: subnet, source: cidr.source, when, related } as const;
  const data = { subnet: resourceName(subnet), user: listOf(use.called), cidr: cidr.value, blocks: String(blocks) };
  return blocks === 0
    ? { ...place, message: 'noPrefix', data }
    : { ...place, message: 'fewPrefixes', severity: 'info', data };
}

/** Versions of the CNI from this one on look for tagged subnets. Source: aws/amazon-vpc-cni-k8s, CHANGELOG. */
const DISCOVERS_FROM = 'v1.18.0';

/** Whether the CNI takes tagged subnets too; with custom networking it never does. */
function mayDiscover({ settings, version }: CniCase): boolean {
  if (settings.switch(CAPACITY_SETTINGS.customNetworking).kind === 'on') return false;
  if (version !== undefined && compareVersions(version, DISCOVERS_FROM) < 0) return false;
  const discovery = settings.switch('env.ENABLE_SUBNET_DISCOVERY');
  return discovery.kind !== 'off' || !discovery.isConfigured;
}

/** The subnets of the input that have room for prefixes and the tag of the CNI, or may have, by zone; under undefined those whose zone isn't known. */
class RoomySubnets {
  private index:
    | { readonly all: readonly Subnet[]; readonly byZone: ReadonlyMap<string | undefined, readonly Subnet[]> }
    | undefined;

  constructor(private readonly model: EksModel) {}

  /** The first one that may lie in the zone of another subnet. */
  near(subnet: Subnet): Subnet | undefined {
    // Few inputs have a subnet that is too small; only then the others count.
    const { all, byZone } = (this.index ??= this.read());
    const zone = zoneOf(subnet);
    const lists = zone === undefined ? [all] : [byZone.get(zone) ?? [], byZone.get(undefined) ?? []];
    for (const list of lists) {
      const other = list.find((one) => one !== subnet);
      if (other !== undefined) return other;
    }
    return undefined;
  }

  private read(): {
    readonly all: readonly Subnet[];
    readonly byZone: ReadonlyMap<string | undefined, readonly Subnet[]>;
  } {
    const all = this.model.resources.filter(
      (resource): resource is Subnet => resource.kind === 'subnet' && mayHaveRoom(resource) && mayBeTagged(resource),
    );
    const byZone = new Map<string | undefined, Subnet[]>();
    for (const subnet of all) {
      const zone = zoneOf(subnet);
      const list = byZone.get(zone);
      if (list === undefined) byZone.set(zone, [subnet]);
      else list.push(subnet);
    }
    return { all, byZone };
  }
}

function mayHaveRoom({ cidr }: Subnet): boolean {
  return alternativesOf(cidr).some(({ value }) => {
    const range = value.kind === 'known' ? parseIpv4Range(value.value) : undefined;
    return value.kind !== 'known' || (range !== undefined && freePrefixes(range) > 0);
  });
}

/** Source: aws/amazon-vpc-cni-k8s, pkg/awsutils/awsutils.go. */
const DISCOVERY_TAG = 'kubernetes.io/role/cni';

function mayBeTagged({ tagKeys }: Subnet): boolean {
  return alternativesOf(tagKeys).some(({ value }) => {
    if (value.kind !== 'known') return value.kind === 'unknown';
    return value.value.some((key) =>
      alternativesOf(key).some(
        (one) => one.value.kind === 'unknown' || (one.value.kind === 'known' && one.value.value === DISCOVERY_TAG),
      ),
    );
  });
}

function zoneOf({ availabilityZone: zone }: Subnet): string | undefined {
  return zone.kind === 'known' ? zone.value : undefined;
}
