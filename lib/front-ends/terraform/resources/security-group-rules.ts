import type { SecurityGroup, SecurityGroupRule } from '../../../eks';
import { Absent, alternativesOf, flatMapValue, type Value } from '../../../value';
import { whileExists } from '../../../value/while-exists';
import type { TerraformInstance } from '../../../terraform/instance';
import { LinkedBlock } from './linked-block';
import type { Registry } from './registry';
import { groupReference, peersOf, trafficOf } from './security-group-peers';

/** Resources that hold rules of a security group; the direction of `aws_security_group_rule` is in its attribute `type`. */
const RULE_TYPES: Readonly<Record<string, SecurityGroupRule['direction'] | undefined>> = {
  aws_security_group_rule: undefined,
  aws_vpc_security_group_ingress_rule: 'ingress',
  aws_vpc_security_group_egress_rule: 'egress',
};

const ruleSets = new WeakMap<Registry, SeparateRules>();

export function separateRules(registry: Registry): SeparateRules {
  let found = ruleSets.get(registry);
  if (found === undefined) {
    found = new SeparateRules(registry);
    ruleSets.set(registry, found);
  }
  return found;
}

/** Rules that are resources of their own and name their group; indexed once for all groups. */
class SeparateRules {
  private readonly byGroup = new Map<object, SecurityGroupRule[]>();

  constructor(private readonly registry: Registry) {
    for (const [type, direction] of Object.entries(RULE_TYPES))
      for (const instance of registry.instancesOf(type)) this.add(instance, direction);
  }

  of(group: SecurityGroup): readonly SecurityGroupRule[] {
    return this.byGroup.get(group) ?? [];
  }

  private add(instance: TerraformInstance, fixed: SecurityGroupRule['direction'] | undefined): void {
    const { exists, source, stack } = instance;
    const scope = { registry: this.registry, stack };
    const block = new LinkedBlock(instance.attributes, this.registry);
    const type = block.string('type');
    const direction = fixed ?? (type.kind === 'known' && type.value === 'egress' ? 'egress' : 'ingress');
    const group = groupReference(block.text('security_group_id'), scope);
    const owner = whileExists(exists, group);
    const owners = referredTo(owner);
    const traffic = trafficOf(block);
    for (const named of peersOf(block, group, scope)) {
      const peer = whileExists(exists, named);
      for (const one of owners) this.addTo(one, { direction, peer: where(owner, one, peer), ...traffic, source });
      // A rule of a group that the input doesn't declare, such as the one that EKS makes for a cluster, says something of the group that it names.
      for (const one of referredTo(peer))
        if (!owners.has(one))
          this.addTo(one, { direction, peer: where(peer, one, owner), ...traffic, ofPeer: true, source });
    }
  }

  private addTo(group: object, rule: SecurityGroupRule): void {
    const list = this.byGroup.get(group);
    if (list === undefined) this.byGroup.set(group, [rule]);
    else list.push(rule);
  }
}

/** The resources of the input that a value refers to, under whatever conditions. */
function referredTo(value: Value<string>): ReadonlySet<object> {
  return new Set(
    alternativesOf(value).flatMap(({ value: plain }) =>
      plain.kind === 'unknown' ? (plain.reference?.resource ?? []) : [],
    ),
  );
}

/** A value where another one refers to a resource; absent elsewhere. */
function where(reference: Value<string>, resource: object, value: Value<string>): Value<string> {
  return flatMapValue(reference, (plain) =>
    plain.kind === 'unknown' && plain.reference?.resource === resource ? value : new Absent(plain.source),
  );
}
