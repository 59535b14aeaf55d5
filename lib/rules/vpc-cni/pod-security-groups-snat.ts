import { defineRule, resourceName, type Judgement } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import {
  amiFamilyOf,
  cases,
  casesOf,
  cniCasesOnNodes,
  flatMapValue,
  Known,
  sourceOf,
  Unknown,
  type AnyNodeGroup,
  type ClusterView,
  type CniCase,
  type Plain,
  type Reference,
  type Source,
  type Subnet,
  type Value,
  type When,
} from '../../eks';
import { ipFamilyOf } from '../../eks/analysis/ip-family';
import { listOf } from '../../text/in-words';
import type { LaunchOutcome } from '../parts/launch-judgements';
import { cniName, enforcingModeOf, judgeCni, outsideChange } from './parts/pod-eni';

/*
 * Pods with security groups of their own leave the VPC by another way than other pods: in mode strict without any source NAT on
 * the node, in mode standard by default through the node's own interface. Source: Amazon EKS best practices, security groups per pod.
 */

type Message = 'public-subnets' | 'node-security-groups';

export const podSecurityGroupsSnat = defineRule<Message>({
  id: 'pod-security-groups-snat',
  subject: 'vpc-cni',
  title: 'Pods with security groups of their own reach the internet, under their own security groups',
  severity: 'info',
  since: '0.1.0',
  messages: {
    'public-subnets': {
      text: "Node group {{group}} has its nodes in public subnets ({{subnets}}), as all node groups of the cluster. Pods with security groups of their own have no public address and, in mode strict, no NAT on the node, so they don't reach the internet.",
      fix: {
        summary: 'Put the nodes into private subnets with a route to a NAT gateway, if these pods need the internet.',
        code: {
          cloudformation: 'Subnets: [!Ref PrivateSubnetA, !Ref PrivateSubnetB]',
          'aws-cdk': 'subnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },',
          terraform: 'subnet_ids = [aws_subnet.private_a.id, aws_subnet.private_b.id]',
        },
        safety: 'needs-decision',
      },
    },
    'node-security-groups': {
      text: "{{cni}} gives pods security groups of their own in mode standard and leaves AWS_VPC_K8S_CNI_EXTERNALSNAT off: to their traffic that leaves the VPC the node's security groups apply, not their own.",
      fix: {
        summary:
          'Set `env.AWS_VPC_K8S_CNI_EXTERNALSNAT` to `"true"`, with the nodes in private subnets with a NAT gateway; it concerns all pods.',
        code: {
          cloudformation:
            'ConfigurationValues: \'{"env":{"ENABLE_POD_ENI":"true","POD_SECURITY_GROUP_ENFORCING_MODE":"standard","AWS_VPC_K8S_CNI_EXTERNALSNAT":"true"}}\'',
          'aws-cdk':
            "configurationValues: {\n  env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard', AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' },\n},",
          terraform:
            'configuration_values = jsonencode({\n  env = { ENABLE_POD_ENI = "true", POD_SECURITY_GROUP_ENFORCING_MODE = "standard", AWS_VPC_K8S_CNI_EXTERNALSNAT = "true" }\n})',
        },
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'env.AWS_VPC_K8S_CNI_EXTERNALSNAT', to: '"true"' }],
        effect: ADDON_ROLLS,
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      if (cniCasesOnNodes(view, model).length === 0) continue;
      const strict: When[] = [];
      yield* judgeCni<Message>(view, model, (one) => judge(one, view, strict));
      yield* judgeSubnets(view, strict);
    }
  },
});

/** @param strict takes the assumptions under which the mode is strict; the subnets decide there */
function judge(one: CniCase, view: ClusterView, strict: When[]): readonly LaunchOutcome<Message>[] {
  const { settings, source } = one;
  const podEni = settings.switch('env.ENABLE_POD_ENI');
  const mode = enforcingModeOf(settings);
  if (podEni.kind === 'off' || mode === 'invalid') return [];
  return cases({ family: ipFamilyOf(view) }).flatMap(
    ({ when: given, values: { family } }): readonly LaunchOutcome<Message>[] => {
      const when = one.when.and(given);
      if (when === undefined || (family.kind === 'known' && family.value === 'ipv6')) return [];
      const unverifiable = (reason: string): readonly LaunchOutcome<Message>[] => [
        { verdict: 'unverifiable', reason, source, when },
      ];
      const snat = settings.switch('env.AWS_VPC_K8S_CNI_EXTERNALSNAT');
      if (mode === 'standard' && snat.kind === 'on') return [{ verdict: 'pass', when }];
      if (podEni.kind === 'unknown')
        return unverifiable(`whether ENABLE_POD_ENI is on isn't known (${podEni.unknown.reason})`);
      if (mode instanceof Unknown)
        return unverifiable(`POD_SECURITY_GROUP_ENFORCING_MODE isn't known (${mode.reason})`);
      if (family.kind !== 'known')
        return unverifiable(
          `the IP family of the cluster isn't known${family.kind === 'unknown' ? ` (${family.reason})` : ''}`,
        );
      const change = outsideChange(view, 'POD_SECURITY_GROUP_ENFORCING_MODE', when);
      if (change !== undefined)
        return unverifiable(`${change.label} sets POD_SECURITY_GROUP_ENFORCING_MODE besides the configuration values`);
      if (mode === 'strict') {
        strict.push(when);
        return [];
      }
      if (snat.kind === 'unknown')
        return unverifiable(`whether AWS_VPC_K8S_CNI_EXTERNALSNAT is on isn't known (${snat.unknown.reason})`);
      const patch = outsideChange(view, 'AWS_VPC_K8S_CNI_EXTERNALSNAT', when);
      if (patch !== undefined)
        return unverifiable(`${patch.label} sets AWS_VPC_K8S_CNI_EXTERNALSNAT besides the configuration values`);
      return [{ verdict: 'fail', message: 'node-security-groups', data: { cni: cniName(one) }, source, when }];
    },
  );
}

/** Where the nodes of a group are, under one assumption. */
interface Placement {
  readonly group: AnyNodeGroup;
  /** `public` if all subnets are. */
  readonly kind: 'public' | 'other' | 'unknown';
  /** The subnets of the input among them. */
  readonly subnets: readonly Subnet[];
  /** Why the kind isn't known. */
  readonly reason: string;
  readonly source: Source;
  readonly when: When;
}

function* judgeSubnets(view: ClusterView, strict: readonly When[]): Generator<Judgement<Message>> {
  if (strict.length === 0) return;
  const placements = [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group) => placementsOf(group, view));
  const others = placements.filter(({ kind }) => kind === 'other');
  for (const assumption of strict) {
    for (const placement of placements) {
      const when = placement.when.and(assumption);
      if (when === undefined) continue;
      // Pods may be on the nodes of any group.
      const other = others.find((one) => one.when.and(when) !== undefined);
      const outcome: LaunchOutcome<Message> =
        other === undefined ? judgePlacement(placement, when) : { verdict: 'pass', when };
      yield { ...outcome, resource: placement.group };
    }
  }
}

function judgePlacement({ group, kind, subnets, reason, source }: Placement, when: When): LaunchOutcome<Message> {
  if (kind === 'unknown') return { verdict: 'unverifiable', reason, source, when };
  const related = subnets.map((subnet) => ({
    message: `subnet ${resourceName(subnet)} gives instances public addresses`,
    source: sourceOf(subnet.mapPublicIpOnLaunch),
  }));
  return {
    verdict: 'fail',
    message: 'public-subnets',
    data: { group: resourceName(group), subnets: listOf(subnets.map((subnet) => resourceName(subnet))) },
    about: group.path ?? group.id,
    related,
    source,
    when,
  };
}

function placementsOf(group: AnyNodeGroup, view: ClusterView): readonly Placement[] {
  return casesOf(group, { subnets: group.subnets, family: amiFamilyOf(group, view) }).flatMap(
    ({ when, values: { subnets, family } }): readonly Placement[] => {
      const both = group.exists.and(when);
      if (both === undefined || subnets.kind === 'absent' || (family.kind === 'known' && family.value === 'WINDOWS'))
        return [];
      const { source } = subnets;
      if (subnets.kind === 'unknown')
        return [
          {
            group,
            kind: 'unknown',
            subnets: [],
            reason: `its subnets aren't known (${subnets.reason})`,
            source,
            when: both,
          },
        ];
      return casesOf(
        group,
        Object.fromEntries(subnets.value.map((subnet, index) => [String(index), publicityOf(subnet)])),
        both,
      ).flatMap((one) => {
        const placement = placementIn(Object.values(one.values));
        return placement === undefined ? [] : [{ ...placement, group, source, when: one.when }];
      });
    },
  );
}

interface Publicity {
  readonly subnet: Subnet;
  readonly isPublic: boolean;
}

/** Whether a subnet is public; absent if the list doesn't have it then. */
function publicityOf(subnet: Value<Reference<Subnet>>): Value<Publicity> {
  return flatMapValue(subnet, (plain): Value<Publicity> => {
    if (plain.kind !== 'known') return plain;
    const { target, text } = plain.value;
    if (target === undefined) return new Unknown(`subnet ${text} is not part of the input`, plain.source);
    return flatMapValue(
      target.mapPublicIpOnLaunch,
      (maps): Value<Publicity> =>
        maps.kind === 'unknown'
          ? maps
          : new Known({ subnet: target, isPublic: maps.kind === 'known' && maps.value }, plain.source),
    );
  });
}

function placementIn(subnets: readonly Plain<Publicity>[]): Pick<Placement, 'kind' | 'subnets' | 'reason'> | undefined {
  const seen = subnets.flatMap((subnet) => (subnet.kind === 'known' ? [subnet.value] : []));
  const unknown = subnets.find((subnet) => subnet.kind === 'unknown');
  if (seen.some(({ isPublic }) => !isPublic)) return { kind: 'other', subnets: [], reason: '' };
  if (unknown !== undefined)
    return { kind: 'unknown', subnets: [], reason: `whether its subnets are public isn't known (${unknown.reason})` };
  return seen.length === 0
    ? undefined
    : { kind: 'public', subnets: [...new Set(seen.map(({ subnet }) => subnet))], reason: '' };
}
