import {
  alternativesOf,
  amiFamilyOf,
  type AnyNodeGroup,
  casesOf,
  type ClusterView,
  type Plain,
  type Reference,
  resourceName,
  type Source,
  type Subnet,
  type Value,
  type When,
} from '../../../eks';
import { parseZone } from '../../../eks/networking/zones';
import { groupsOf, labelOfGroup } from './custom-networking-cases';

/** A zone in which a group starts Linux nodes that take the ENIConfig named like it. */
export interface NodeZone {
  readonly zone: string;
  readonly group: AnyNodeGroup;
  readonly subnet: Subnet;
  /** Where the subnet's zone stands. */
  readonly source: Source;
  /** Why it isn't certain that its nodes take that ENIConfig; undefined if it is. */
  readonly doubt: string | undefined;
  readonly when: When;
}

export interface NodeZones {
  readonly zones: readonly NodeZone[];
  /** Why there may be nodes in other zones: the first subnet whose zone isn't known. */
  readonly doubt: string | undefined;
}

/** A label that wins over all else in the choice of an ENIConfig. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig/eniconfig.go. */
export const EXTERNAL_LABEL = 'vpc.amazonaws.com/externalEniConfig';

/** The zones in which a cluster's groups start Linux nodes where an assumption holds. */
export function nodeZonesOf(view: ClusterView, when: When): NodeZones {
  const zones: NodeZone[] = [];
  let doubt: string | undefined;
  for (const group of groupsOf(view, when)) {
    const label = labelOfGroup(group, EXTERNAL_LABEL);
    if (label.kind === 'yes') continue;
    const name = resourceName(group);
    const labelDoubt =
      label.kind === 'maybe' ? `the nodes of ${name} may carry the label ${EXTERNAL_LABEL}` : undefined;
    for (const one of casesOf(group, { family: amiFamilyOf(group, view), subnets: group.subnets }, when)) {
      const { family, subnets } = one.values;
      const both = group.exists.and(one.when);
      if (both === undefined || (family.kind === 'known' && family.value === 'WINDOWS')) continue;
      const familyDoubt = family.kind === 'known' ? undefined : `the operating system of ${name} isn't known`;
      for (const found of zonesOfList(subnets, both)) {
        if (typeof found === 'string') doubt ??= `the zone of ${found} of node group ${name} isn't known`;
        else zones.push({ ...found, group, doubt: familyDoubt ?? labelDoubt });
      }
    }
  }
  return { zones, doubt };
}

type Found = Pick<NodeZone, 'zone' | 'subnet' | 'source' | 'when'>;

/** The zones of listed subnets; a text for a subnet whose zone isn't known. */
function zonesOfList(subnets: Plain<readonly Value<Reference<Subnet>>[]>, when: When): readonly (Found | string)[] {
  if (subnets.kind !== 'known') return ['a subnet'];
  return subnets.value.flatMap((item) =>
    alternativesOf(item).flatMap((alternative) => {
      const both = when.and(alternative.when);
      if (both === undefined || alternative.value.kind === 'absent') return [];
      if (alternative.value.kind === 'unknown') return ['a subnet'];
      const { target, text } = alternative.value.value;
      return target === undefined ? [`subnet ${text}`] : zonesOfSubnet(target, both);
    }),
  );
}

function zonesOfSubnet(subnet: Subnet, when: When): readonly (Found | string)[] {
  return alternativesOf(subnet.availabilityZone).flatMap((alternative): readonly (Found | string)[] => {
    const { value } = alternative;
    const both = when.and(alternative.when)?.and(subnet.exists);
    if (both === undefined) return [];
    if (value.kind !== 'known' || parseZone(value.value) === undefined) return [`subnet ${resourceName(subnet)}`];
    return [{ zone: value.value, subnet, source: value.source, when: both }];
  });
}

/** The subnets of a cluster's groups that the input holds. */
export function nodeSubnetsOf(view: ClusterView): readonly Subnet[] {
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap(({ subnets }) =>
    alternativesOf(subnets).flatMap(({ value }) =>
      value.kind !== 'known'
        ? []
        : value.value.flatMap((item) =>
            alternativesOf(item).flatMap((one) => (one.value.kind === 'known' ? (one.value.value.target ?? []) : [])),
          ),
    ),
  );
}
