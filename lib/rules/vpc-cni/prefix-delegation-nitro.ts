import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  amiFamilyOf,
  casesOf,
  cniCasesOf,
  nodeTypesOf,
  type AnyNodeGroup,
  type ClusterView,
  type CniCase,
  type NodeTypes,
  type Plain,
  type When,
} from '../../eks';
import { ipFamilyOf, type IpFamily } from '../../eks/analysis/ip-family';
import { maxPods } from '../../eks/networking/max-pods';
import { CAPACITY_SETTINGS } from '../../eks/networking/node-capacity';
import { named } from '../parts/about';
import { listOf } from '../../text/in-words';
import { cniPlace, namesOf } from './parts/max-pods-judgements';

/*
 * Prefixes exist on Nitro instances and bare metal only. With IPv4 the CNI falls back, with IPv6 it doesn't start.
 * Source: aws/amazon-vpc-cni-k8s, pkg/ipamd/ipamd.go.
 */

const CODE = {
  terraform: 'instance_types = [{{nitro}}] # Nitro',
};

type Message = 'fallsBack' | 'ipv6';

export const prefixDelegationNitro = defineRule<Message>({
  id: 'prefix-delegation-nitro',
  subject: 'vpc-cni',
  title: 'Instance types of clusters with prefix delegation or IPv6 are built on Nitro',
  severity: 'error',
  since: '0.1.0',
  messages: {
    fallsBack: {
      text: '{{what}} starts {{types}}, which {{is}} not built on Nitro: prefix delegation is on, but has no effect there. The CNI goes on with single addresses, for {{pods}} pods on {{smallest}}, and says so in its log only.',
      fix: {
        summary: 'Take instance types that are built on Nitro, such as `m7i.large`.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    ipv6: {
      text: "{{what}} starts {{types}}, which {{is}} not built on Nitro, in an IPv6 cluster. The VPC CNI doesn't start there, so these nodes never become Ready.",
      fix: {
        summary: 'Take instance types that are built on Nitro, such as `m7i.large`.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const cnis = cniCasesOf(view);
      if (cnis.length === 0) continue;
      for (const group of [...view.nodeGroups, ...view.selfManagedNodeGroups]) yield* judgeGroup(group, view, cnis);
    }
  },
});

function judgeGroup(group: AnyNodeGroup, view: ClusterView, cnis: readonly CniCase[]): readonly Judgement<Message>[] {
  return casesOf(group, { family: amiFamilyOf(group, view), ip: ipFamilyOf(view) }).flatMap(
    ({ when, values: { family, ip } }) => {
      if (family.kind === 'known' && family.value === 'WINDOWS') return [];
      return cnis.flatMap((cni) =>
        nodeTypesOf(group).flatMap((types) => {
          const all = when.and(cni.when)?.and(types.when);
          if (all === undefined) return [];
          const judgement = judge(types, cni, ip, all);
          if (judgement === undefined) return [];
          if (judgement.verdict !== 'fail' || family.kind === 'known') return [judgement];
          const reason = family.kind === 'unknown' ? family.reason : "its operating system isn't known";
          return [
            {
              verdict: 'unverifiable',
              resource: group,
              reason: `this counts for Linux nodes only, and ${reason}`,
              source: family.source,
              when: all,
            } as const,
          ];
        }),
      );
    },
  );
}

function judge(types: NodeTypes, cni: CniCase, ip: Plain<IpFamily>, when: When): Judgement<Message> | undefined {
  const { owner, source, doubt } = types;
  const prefixes = cni.settings.switch(CAPACITY_SETTINGS.prefixDelegation);
  const isIpv6 = ip.kind === 'known' && ip.value === 'ipv6';
  if (!isIpv6 && prefixes.kind === 'off' && (ip.kind === 'known' || prefixes.isConfigured)) return undefined;
  const unverifiable = (reason: string, at = source): Judgement<Message> => ({
    verdict: 'unverifiable',
    resource: owner,
    reason,
    source: at,
    when,
  });
  const older = types.types.filter(({ nitro }) => !nitro);
  const others = namesOf(types.types.filter(({ nitro }) => nitro));
  const [first] = older;
  if (first === undefined) {
    if (doubt === undefined) return { verdict: 'pass', resource: owner, when };
    return isIpv6 || prefixes.kind !== 'off' ? unverifiable(doubt) : undefined;
  }
  if (!isIpv6 && prefixes.kind === 'unknown')
    return unverifiable(
      `whether prefix delegation is on isn't known: ${prefixes.unknown.reason}`,
      prefixes.unknown.source,
    );
  if (!isIpv6 && prefixes.kind === 'off')
    return unverifiable(ip.kind === 'unknown' ? ip.reason : "the cluster's IP family isn't known", ip.source);
  const smallest = older.reduce(
    (least, other) => (maxPods(other.name).capacity < maxPods(least.name).capacity ? other : least),
    first,
  );
  return {
    verdict: 'fail',
    resource: owner,
    message: isIpv6 ? 'ipv6' : 'fallsBack',
    severity: isIpv6 ? 'error' : 'warning',
    source,
    about: named(namesOf(older)),
    when,
    data: {
      what: `${owner.kind === 'launch-template' ? 'Launch template' : 'Node group'} "${resourceName(owner)}"`,
      types: listOf(namesOf(older)),
      is: older.length > 1 ? 'are' : 'is',
      nitro: (others.length > 0 ? others : ['m7i.large']).map((name) => JSON.stringify(name)).join(', '),
      smallest: smallest.name,
      pods: String(maxPods(smallest.name).capacity),
    },
    related: isIpv6
      ? [{ message: 'the cluster is an IPv6 one', source: ip.source }]
      : [cniPlace(cni, 'turns prefix delegation on')],
  };
}
