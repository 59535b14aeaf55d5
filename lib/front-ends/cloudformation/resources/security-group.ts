import type { SecurityGroup, SecurityGroupRule } from '../../../eks';
import { Absent, alternativesOf, always, flatMapValue, sourceOf, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { CloudFormationResource } from './cloudformation-resource';
import { conditionalItems } from '../../../value/conditional-items';
import { firstOf } from '../../../value/first-of';
import { whileExists } from '../../../value/while-exists';
import { partsIn } from './parts';

type Direction = SecurityGroupRule['direction'];

/** Resources that hold one rule of a security group each. */
export const SECURITY_GROUP_RULE_TYPES: ReadonlyMap<unknown, Direction> = new Map<string, Direction>([
  ['AWS::EC2::SecurityGroupIngress', 'ingress'],
  ['AWS::EC2::SecurityGroupEgress', 'egress'],
]);

/** `AWS::EC2::SecurityGroup`. Rules are read when somebody asks: a large template holds many groups of no interest. */
export class Ec2SecurityGroup extends CloudFormationResource implements SecurityGroup {
  readonly kind = 'security-group';
  declare private rulesMemo: readonly SecurityGroupRule[] | undefined;

  get rules(): readonly SecurityGroupRule[] {
    return (this.rulesMemo ??= [
      ...this.inline('ingress'),
      ...this.inline('egress'),
      ...separateRules(this.template.set).of(this),
    ]);
  }

  private inline(direction: Direction): SecurityGroupRule[] {
    const list = this.properties.list(direction === 'ingress' ? 'SecurityGroupIngress' : 'SecurityGroupEgress');
    return conditionalItems(list).map((item) => {
      const rule = Block.of(item, this.evaluator);
      return { direction, peer: peerOf(rule, direction), ...trafficOf(rule), source: sourceOf(item) };
    });
  }
}

const PEER_PROPERTIES: Readonly<Record<Direction, readonly string[]>> = {
  ingress: ['SourceSecurityGroupId', 'CidrIp', 'CidrIpv6', 'SourcePrefixListId', 'SourceSecurityGroupName'],
  egress: ['DestinationSecurityGroupId', 'CidrIp', 'CidrIpv6', 'DestinationPrefixListId'],
};

/** The other side of a rule: ingress names where traffic comes from, egress where it goes to. */
function peerOf(rule: Block, direction: Direction): Value<string> {
  const [first = '', ...others] = PEER_PROPERTIES[direction];
  return firstOf(rule.string(first), ...others.map((key) => () => rule.string(key)));
}

/** What a rule lets through. */
function trafficOf(rule: Block): Pick<SecurityGroupRule, 'protocol' | 'fromPort' | 'toPort'> {
  return { protocol: rule.string('IpProtocol'), fromPort: rule.number('FromPort'), toPort: rule.number('ToPort') };
}

const ruleSets = new WeakMap<TemplateSet, SeparateRules>();

function separateRules(set: TemplateSet): SeparateRules {
  let found = ruleSets.get(set);
  if (found === undefined) {
    // Whoever asks first may do so under an assumption, which is none of the others' business.
    found = set.evaluator.under(always, () => new SeparateRules(set));
    ruleSets.set(set, found);
  }
  return found;
}

/** Rules that are resources of their own and name their group; indexed once for all groups. */
class SeparateRules {
  private readonly byGroup = new Map<object, SecurityGroupRule[]>();
  private readonly evaluator: Evaluator;

  constructor(set: TemplateSet) {
    this.evaluator = set.evaluator;
    for (const template of set.templates) for (const id of partsIn(template).securityGroupRules) this.add(template, id);
  }

  of(group: SecurityGroup): readonly SecurityGroupRule[] {
    return this.byGroup.get(group) ?? [];
  }

  private add(template: Template, id: string): void {
    const source = template.named('Resources', id);
    const direction = SECURITY_GROUP_RULE_TYPES.get(template.typeOf(id));
    const exists = template.existence(id);
    if (source === undefined || direction === undefined || exists === undefined) return;
    const properties = Block.at(source, this.evaluator).block('Properties');
    const owner = whileExists(exists, properties.string('GroupId'));
    const peer = whileExists(exists, peerOf(properties, direction));
    const owners = referredTo(owner);
    const traffic = trafficOf(properties);
    for (const group of owners) this.addTo(group, { direction, peer: where(owner, group, peer), ...traffic, source });
    // A rule of a group that the input doesn't declare, such as the one that EKS makes for a cluster, says something of the group that it names.
    for (const group of referredTo(peer))
      if (!owners.has(group))
        this.addTo(group, { direction, peer: where(peer, group, owner), ...traffic, ofPeer: true, source });
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
