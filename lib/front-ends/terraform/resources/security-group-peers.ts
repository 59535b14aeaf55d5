import type { SecurityGroupRule } from '../../../eks';
import { Absent, flatMapValue, mapValue, sourceOf, type Plain, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { asText } from '../../../terraform/terraform-value';
import type { LinkedBlock } from './linked-block';
import type { ReferenceScope } from './references';
import { referenceValue } from './registry';

/** The attributes that name the other side of a rule, of all resources that have rules. Some take lists. */
const PEERS: readonly string[] = [
  'security_groups',
  'source_security_group_id',
  'referenced_security_group_id',
  'cidr_blocks',
  'ipv6_cidr_blocks',
  'cidr_ipv4',
  'cidr_ipv6',
  'prefix_list_ids',
  'prefix_list_id',
];

/**
 * The other sides that a rule names; for each of them there is a rule of its own in EC2. One absent value if it names none.
 * @param self the group that the rule belongs to
 */
export function peersOf(rule: LinkedBlock, self: Value<string>, scope: ReferenceScope): readonly Value<string>[] {
  if (rule.value.kind === 'unknown') return [rule.value];
  const named = PEERS.flatMap((key) =>
    conditionalItems(rule.list(key)).map((item) => groupReference(asText(item), scope)),
  );
  const own = flatMapValue(rule.boolean('self'), (plain): Value<string> => {
    if (plain.kind !== 'known') return plain;
    return plain.value ? self : new Absent(plain.source);
  });
  const all = [...named, own].filter((peer) => peer.kind !== 'absent');
  return all.length === 0 ? [new Absent(sourceOf(rule.value))] : all;
}

/** What a rule lets through, of all resources that have rules. */
export function trafficOf(rule: LinkedBlock): Pick<SecurityGroupRule, 'protocol' | 'fromPort' | 'toPort'> {
  const protocol = rule.text('protocol');
  return {
    protocol: protocol.kind === 'absent' ? rule.text('ip_protocol') : protocol,
    fromPort: rule.amount('from_port'),
    toPort: rule.amount('to_port'),
  };
}

/** A security group by its id: a group of the input, or the one that EKS makes for a cluster, is a reference. */
export function groupReference(value: Value<string>, { registry, stack }: ReferenceScope): Value<string> {
  return flatMapValue(value, (plain): Plain<string> => {
    if (plain.kind !== 'known' || !plain.value.startsWith('sg-')) return plain;
    const { value: id, source } = plain;
    const group = registry.withId('security-group', id, stack);
    if (group !== undefined) return referenceValue(group, 'id', id, source);
    const cluster = registry.clusterOfGroup(id, stack);
    return cluster === undefined ? plain : referenceValue(cluster, 'vpc_config.cluster_security_group_id', id, source);
  });
}

export function groupReferences(
  list: Value<readonly Value<string>[]>,
  scope: ReferenceScope,
): Value<readonly Value<string>[]> {
  return mapValue(list, (items) => items.map((item) => groupReference(item, scope)));
}
