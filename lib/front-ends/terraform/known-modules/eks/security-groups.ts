import { Absent, flatMapValue, type When } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import type { TerraformValue } from '../../../../terraform/terraform-value';
import { entriesOf, Given, listOf, type Attributes } from '../given';
import { isAtLeast } from '../../../../terraform/module/version-constraint';
import { familyText, type ClusterParts } from './cluster';
import type { EksArguments } from './eks-arguments';

/*
 * The security group that the nodes of terraform-aws-modules/eks/aws share, and its rules, as far as they say who may reach whom.
 * Source: terraform-aws-modules/terraform-aws-eks, node_groups.tf and main.tf of the tags v18.0.0, v19.0.0, v20.37.2 and v21.19.0.
 */

export interface NodeSecurityGroup {
  readonly group: TerraformInstance | undefined;
  readonly id: () => TerraformValue;
}

export function declareNodeSecurityGroup(given: EksArguments, parts: ClusterParts): NodeSecurityGroup {
  const { context } = given;
  const { place } = context.call;
  const creates = given.flag('create_node_security_group', true);
  const exists = context.where(creates);
  const group = exists === undefined ? undefined : context.declare('aws_security_group.node[0]', {}, place, exists);
  const id = () =>
    context.conditional(
      creates,
      () => (group === undefined ? new Absent(place) : context.reference(group, 'id', place)),
      context.given.text('node_security_group_id'),
    );
  context.later(() => {
    if (group !== undefined) declareNodeRules(given, parts, group);
    if (parts.clusterGroup !== undefined) declareClusterRules(given, parts.clusterGroup, group, id());
  });
  return { group, id };
}

/** Rules between the control plane and the nodes, and among the nodes. Ports don't matter here. */
function declareNodeRules(given: EksArguments, parts: ClusterParts, group: TerraformInstance): void {
  const { context } = given;
  const { place } = context.call;
  const rule = (name: string, attributes: Attributes, exists: When = group.exists) =>
    context.declare(
      `aws_security_group_rule.node[${JSON.stringify(name)}]`,
      { security_group_id: context.reference(group, 'id', place), ...attributes },
      place,
      exists,
    );
  const ingress = context.fixed('ingress');
  for (const name of ['ingress_cluster_443', 'ingress_cluster_kubelet'])
    rule(name, { type: ingress, source_security_group_id: parts.clusterGroupId() });
  rule('ingress_self_coredns_tcp', { type: ingress, self: context.fixed(true) });
  // Before version 19 the nodes are let out to the control plane and by https alone.
  const recommended = context.where(given.flag('node_security_group_enable_recommended_rules', true), group.exists);
  const reachesAll = context.versions.agreed((release) => isAtLeast(release, 19));
  // What only some versions allow is no reason to say that something can't be reached.
  if (recommended !== undefined && reachesAll?.value !== false) {
    const ipv6 = flatMapValue(familyText(parts.ipFamily()), (plain) =>
      plain.kind === 'known' && plain.value === 'ipv6' ? listOf([context.fixed('::/0')], place) : new Absent(place),
    );
    rule(
      'egress_all',
      {
        type: context.fixed('egress'),
        cidr_blocks: listOf([context.fixed('0.0.0.0/0')], place),
        ipv6_cidr_blocks: ipv6,
      },
      recommended,
    );
  }
  declareGiven(
    given,
    'node_security_group_additional_rules',
    'node',
    group,
    'source_cluster_security_group',
    parts.clusterGroupId(),
  );
}

function declareClusterRules(
  given: EksArguments,
  clusterGroup: TerraformInstance,
  nodes: TerraformInstance | undefined,
  nodesId: TerraformValue,
): void {
  const { context } = given;
  const { place } = context.call;
  if (nodes !== undefined) {
    const attributes = {
      security_group_id: context.reference(clusterGroup, 'id', place),
      type: context.fixed('ingress'),
      source_security_group_id: context.reference(nodes, 'id', place),
    };
    const exists = clusterGroup.exists.and(nodes.exists);
    if (exists !== undefined)
      context.declare('aws_security_group_rule.cluster["ingress_nodes_443"]', attributes, place, exists);
  }
  declareGiven(
    given,
    'cluster_security_group_additional_rules',
    'cluster',
    clusterGroup,
    'source_node_security_group',
    nodesId,
  );
}

/** Rules that the call gives. @param flag the key that stands for the other group of the module, whose id is `other` */
function declareGiven(
  given: EksArguments,
  name: string,
  label: string,
  group: TerraformInstance,
  flag: string,
  other: TerraformValue,
): void {
  const { context } = given;
  for (const { key, value, when } of entriesOf(given.item(name), group.exists).entries) {
    const rule = new Given(value, value.source);
    const source = context.conditional(rule.flag(flag, false), () => other, rule.item('source_security_group_id'));
    const attributes: Attributes = {
      security_group_id: context.reference(group, 'id', value.source),
      type: rule.or('type', context.standard('ingress', value.source)),
      source_security_group_id: source,
      cidr_blocks: rule.item('cidr_blocks'),
      ipv6_cidr_blocks: rule.item('ipv6_cidr_blocks'),
      prefix_list_ids: rule.item('prefix_list_ids'),
      self: rule.item('self'),
    };
    context.declare(`aws_security_group_rule.${label}[${JSON.stringify(key)}]`, attributes, value.source, when);
  }
}
