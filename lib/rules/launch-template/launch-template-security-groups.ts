import { defineRule, resourceName, type RelatedPlace } from '../../engine';
import {
  alternativesOf,
  flatMapCases,
  under,
  whereExists,
  launchesByResource,
  type Cluster,
  type EksModel,
  type EksResource,
  type Launch,
  type LaunchTemplate,
  type Plain,
  type SecurityGroup,
  type SecurityGroupRule,
  type Value,
  type When,
} from '../../eks';
import { listOf } from '../../text/in-words';
import { judgeLaunches, passing, unseenTemplate, type LaunchOutcome } from '../parts/launch-judgements';
import { itemsIn, presenceOf } from '../parts/presence';

/*
 * EKS attaches the cluster security group to managed nodes only when their launch template names no groups of its own. That
 * group is what lets nodes, the control plane and pods on other nodes reach each other.
 * Source: EKS user guide, "Customize managed nodes with launch templates", "View Amazon EKS security group requirements for clusters".
 */

const CODE = {
  cloudformation: ['SecurityGroupIds:', '  - !GetAtt Cluster.ClusterSecurityGroupId'].join('\n'),
  'aws-cdk': [
    '// where `template` is the LaunchTemplate that the finding names:',
    'template.addSecurityGroup(cluster.clusterSecurityGroup);',
  ].join('\n'),
  terraform: [
    'vpc_security_group_ids = [',
    '  aws_eks_cluster.main.vpc_config[0].cluster_security_group_id,',
    '  aws_security_group.nodes.id,',
    ']',
  ].join('\n'),
};

export const launchTemplateSecurityGroups = defineRule<Message>({
  id: 'launch-template-security-groups',
  subject: 'launch-template',
  title:
    'Launch templates with security groups of their own keep nodes and control plane connected, and name the groups in one place',
  severity: 'error',
  since: '0.1.0',
  messages: {
    unlinked: {
      text: "{{where}} sets {{groups}}, so EKS doesn't add the cluster security group, and no rule in the input links the two. These nodes reach neither the control plane nor CoreDNS and pods on other nodes, unless something else allows it.",
      fix: {
        summary: 'Add the cluster security group to the list.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    apart: {
      text: 'Nodes of group "{{group}}" have no security group in common with others, and the one that eksctl makes for the group lets in the control plane alone: pods there reach neither CoreDNS nor each other from node to node.',
      fix: {
        summary:
          'Leave `securityGroups.withShared` at its default, `true`, or attach a group that lets nodes reach each other (`securityGroups.attachIDs`).',
        safety: 'needs-decision',
      },
    },
    both: {
      text: '{{where}} sets security groups for the instance and for its network interface. EC2 takes either, so no node starts.',
      fix: {
        summary: 'Keep all of them in one place, the cluster security group among them.',
        code: CODE,
        safety: 'safe',
      },
    },
  },
  *check(model) {
    for (const group of model.selfManagedNodeGroups)
      if (group.apart !== undefined)
        yield {
          verdict: 'fail',
          message: 'apart',
          severity: 'warning',
          resource: group,
          source: group.apart,
          data: { group: resourceName(group) },
        };
    yield* judgeLaunches(launchesByResource(model), (launch) => judgeLaunch(launch, model));
  },
});

type Message = 'unlinked' | 'both' | 'apart';
type Outcome = LaunchOutcome<Message>;

function judgeLaunch(launch: Launch, model: EksModel): readonly Outcome[] {
  const { template, when } = launch;
  if (template.kind === 'unknown') return [unseenTemplate(template, when)];
  if (template.kind === 'absent') return [];
  const { securityGroups, networkInterfaces } = template.value;
  // Nearly every template.
  if (securityGroups.kind === 'absent' && networkInterfaces.length === 0) return passing(when);
  const both = judgeBoth(launch, template.value);
  return both.some(({ verdict }) => verdict === 'fail') ? both : judgeGroups(launch, template.value, model);
}

/** Groups on both levels. What isn't known to stand on both is left to {@link judgeGroups}. */
function judgeBoth(
  { nodeGroup, when: given }: Launch,
  { securityGroups, networkInterfaces }: LaunchTemplate,
): readonly Outcome[] {
  if (securityGroups.kind === 'absent') return [];
  return networkInterfaces.flatMap((one): readonly Outcome[] => {
    const split = {
      instance: under(given, whereExists(nodeGroup, itemsIn(securityGroups))),
      inner: whereExists(nodeGroup, itemsIn(one.securityGroups)),
    };
    return flatMapCases(split, ({ instance, inner }, caseWhen): readonly Outcome[] => {
      const when = given.and(caseWhen);
      if (when === undefined) return [];
      if (presenceOf(instance) !== 'set' || presenceOf(inner) !== 'set') return passing(when);
      return [
        {
          verdict: 'fail',
          message: 'both',
          source: instance.source,
          related: [{ message: 'security groups of the network interface', source: inner.source }],
          when,
        },
      ];
    });
  });
}

/** The groups of the instance and of each network interface. */
function judgeGroups(
  launch: Launch,
  { securityGroups, networkInterfaces }: LaunchTemplate,
  model: EksModel,
): readonly Outcome[] {
  const { nodeGroup, when: given } = launch;
  const lists = [securityGroups, ...networkInterfaces.map((one) => one.securityGroups)];
  return splitAll(lists.map((list) => under(given, whereExists(nodeGroup, list)))).flatMap(
    ({ values, when: listsWhen }): readonly Outcome[] => {
      const set = values.filter((list) => list.kind !== 'absent');
      const [first] = set;
      const when = given.and(listsWhen);
      if (when === undefined) return [];
      if (first === undefined) return judgeWithout(networkInterfaces, when);
      const items = set.flatMap((list): readonly Value<string>[] => (list.kind === 'known' ? list.value : [list]));
      return splitAll(items.map((item) => under(when, whereExists(nodeGroup, item)))).flatMap(
        ({ values: groups, when: itemsWhen }): readonly Outcome[] => {
          const both = when.and(itemsWhen);
          if (both === undefined) return [];
          const present = groups.filter((group) => presenceOf(group) !== 'unset');
          return present.length === 0
            ? judgeWithout(networkInterfaces, both)
            : judgeOwn(launch, present, both, model).map((outcome) => ({ ...outcome, source: first.source }));
        },
      );
    },
  );
}

/** EKS adds the cluster's group, unless a network interface is described: then nobody says which it gets. */
function judgeWithout([first]: LaunchTemplate['networkInterfaces'], when: When): readonly Outcome[] {
  if (first === undefined) return passing(when);
  return [
    {
      verdict: 'unverifiable',
      reason: "it describes a network interface without security groups, and AWS doesn't say which ones EKS gives it",
      source: first.source,
      when,
    },
  ];
}

function judgeOwn(launch: Launch, groups: readonly Plain<string>[], when: When, model: EksModel): readonly Outcome[] {
  const { cluster, name } = launch.view;
  const own: SecurityGroup[] = [];
  let doubt: string | undefined;
  for (const group of groups) {
    const referred = referredBy(group);
    if (isClusterGroup(group, cluster)) return passing(when);
    if (referred?.kind === 'security-group') own.push(referred);
    else doubt ??= `whether ${textOrReason(group)} is the cluster security group isn't known`;
  }
  if (cluster === undefined)
    doubt ??= `cluster ${name} is not part of the input, so neither are rules between its security group and those of the template`;
  if (doubt !== undefined || cluster === undefined) return [{ verdict: 'unverifiable', reason: doubt ?? '', when }];
  return controlPlanesOf(cluster, launch, when).map(({ groups: controlPlane, when: both }) => ({
    ...judgeLinks(launch, { own, controlPlane }, both, model),
    when: both,
  }));
}

/** The groups that the control plane is given besides the one that EKS makes, by case. An unknown list counts as one unknown group. */
function controlPlanesOf(
  { securityGroups }: Cluster,
  { nodeGroup }: Launch,
  given: When,
): readonly { readonly groups: readonly Plain<string>[]; readonly when: When }[] {
  if (securityGroups.kind === 'absent') return [{ groups: [], when: given }];
  return splitAll([under(given, whereExists(nodeGroup, securityGroups))]).flatMap(
    ({ values: [list], when: listWhen }) => {
      const when = given.and(listWhen);
      if (list === undefined || when === undefined) return [];
      const items = list.kind === 'known' ? list.value : [list];
      return splitAll(items.map((item) => under(when, whereExists(nodeGroup, item)))).flatMap(
        ({ values, when: itemsWhen }) => {
          const both = when.and(itemsWhen);
          return both === undefined ? [] : [{ groups: values.filter((value) => value.kind !== 'absent'), when: both }];
        },
      );
    },
  );
}

interface Groups {
  /** Of the nodes. */
  readonly own: readonly SecurityGroup[];
  readonly controlPlane: readonly Plain<string>[];
}

function judgeLinks(launch: Launch, groups: Groups, when: When, model: EksModel): Omit<Outcome, 'when'> {
  const { own, controlPlane } = groups;
  const foreign = own
    .flatMap((group) => rulesNaming(model).get(group) ?? [])
    .filter(({ owner }) => !own.includes(owner));
  const links = [
    ...own.flatMap((group) => group.rules.map((rule) => linkOf(rule, groups, launch, when))),
    ...foreign.flatMap(({ owner, rule }) =>
      controlPlane.some((group) => referredBy(group) === owner) ? [linkToNodes(rule, own, launch, when)] : [],
    ),
  ];
  if (links.includes('linked')) return { verdict: 'pass' };
  const [naming] = foreign;
  const peer =
    links.find((link) => typeof link === 'object') ??
    (naming === undefined ? undefined : { text: `"${resourceName(naming.owner)}"` });
  if (typeof peer === 'object')
    return {
      verdict: 'unverifiable',
      reason: `its groups have a rule for ${peer.text}, and whether that is how the control plane and these nodes reach each other isn't known`,
    };
  const names = own.map((group) => `"${resourceName(group)}"`);
  const related: RelatedPlace[] = own.map((group) => ({
    message: `security group "${resourceName(group)}"`,
    source: group.source,
  }));
  const isShared = own.some((group) => controlPlane.some((one) => referredBy(one) === group));
  return {
    verdict: 'fail',
    message: 'unlinked',
    severity: 'warning',
    data: { groups: `security group${own.length > 1 ? 's' : ''} ${listOf(names)}${isShared ? '' : ' of its own'}` },
    related,
  };
}

/** What a rule says about nodes and control plane: that they are linked, nothing, or something for a peer that may be the control plane. */
type Link = 'linked' | 'none' | { readonly text: string };

/** A rule of a group of the nodes. */
function linkOf(
  { peer, direction }: SecurityGroupRule,
  { own, controlPlane }: Groups,
  { nodeGroup, view }: Launch,
  when: When,
): Link {
  const links = alternativesOf(under(when, whereExists(nodeGroup, peer))).map(({ value }): Link => {
    if (value.kind === 'absent') return 'none';
    if (isClusterGroup(value, view.cluster) || controlPlane.some((group) => isSameGroup(group, value))) return 'linked';
    const referred = referredBy(value);
    if (referred?.kind === 'security-group' && own.includes(referred)) {
      const open = controlPlane.find((group) => group.kind === 'unknown' && group.reference === undefined);
      return open === undefined
        ? 'none'
        : { text: `"${resourceName(referred)}", which may be a group of the control plane (${textOrReason(open)})` };
    }
    // Every group may send anywhere unless told otherwise; what counts is who lets it in.
    if (value.kind === 'known' && direction === 'egress' && /^[^.:]*[.:].*\//.test(value.value)) return 'none';
    return { text: referred === undefined ? textOrReason(value) : `"${resourceName(referred)}"` };
  });
  return together(links);
}

/** A rule of a group of the control plane. */
function linkToNodes(
  { peer }: SecurityGroupRule,
  own: readonly SecurityGroup[],
  { nodeGroup }: Launch,
  when: When,
): Link {
  return together(
    alternativesOf(under(when, whereExists(nodeGroup, peer))).map(({ value }): Link => {
      const referred = referredBy(value);
      return referred?.kind === 'security-group' && own.includes(referred) ? 'linked' : 'none';
    }),
  );
}

/** What the alternatives of one rule come to. */
function together(links: readonly Link[]): Link {
  if (links.every((link) => link === 'linked')) return links.length === 0 ? 'none' : 'linked';
  return (
    links.find((link) => typeof link === 'object') ??
    (links.includes('linked') ? { text: 'the control plane, under a condition' } : 'none')
  );
}

function isSameGroup(one: Plain<string>, other: Plain<string>): boolean {
  if (one.kind === 'known' || other.kind === 'known')
    return one.kind === 'known' && other.kind === 'known' && one.value === other.value;
  if (one.kind !== 'unknown' || other.kind !== 'unknown') return false;
  if (one.symbol !== undefined && one.symbol === other.symbol) return true;
  const referred = referredBy(one);
  return referred?.kind === 'security-group' && referred === referredBy(other);
}

/** A rule with the group that it belongs to. */
interface NamingRule {
  readonly owner: SecurityGroup;
  readonly rule: SecurityGroupRule;
}

const namings = new WeakMap<EksModel, ReadonlyMap<EksResource, readonly NamingRule[]>>();

/** For each group the rules that name it. A group knows of separate rules that name it, but not of those that another one declares itself. */
function rulesNaming(model: EksModel): ReadonlyMap<EksResource, readonly NamingRule[]> {
  let known = namings.get(model);
  if (known === undefined) {
    const naming = new Map<EksResource, NamingRule[]>();
    for (const owner of model.securityGroups) for (const rule of owner.rules) addNamed(naming, { owner, rule });
    known = naming;
    namings.set(model, known);
  }
  return known;
}

function addNamed(naming: Map<EksResource, NamingRule[]>, one: NamingRule): void {
  const named = new Set(alternativesOf(one.rule.peer).flatMap(({ value }) => referredBy(value) ?? []));
  for (const resource of named) {
    const list = naming.get(resource);
    if (list === undefined) naming.set(resource, [one]);
    else list.push(one);
  }
}

/** The group that EKS made for a cluster: an attribute of it, as opposed to the groups that the cluster is given. */
function isClusterGroup(group: Plain<string>, cluster: Cluster | undefined): boolean {
  if (
    group.kind !== 'unknown' ||
    group.reference === undefined ||
    !/cluster_?security_?group_?id$/i.test(group.reference.attribute)
  )
    return false;
  return cluster === undefined ? referredBy(group)?.kind === 'cluster' : group.reference.resource === cluster;
}

function referredBy(group: Plain<string>): EksResource | undefined {
  return group.kind === 'unknown' ? (group.reference?.resource as EksResource | undefined) : undefined;
}

function textOrReason(group: Plain<string>): string {
  if (group.kind === 'known') return group.value;
  return group.kind === 'unknown' ? (group.text ?? `a value (${group.reason})`) : '';
}

/** The cases of any number of values, in their order. */
function splitAll<T>(
  values: readonly Value<T>[],
): readonly { readonly values: readonly Plain<T>[]; readonly when: When }[] {
  const named: Record<string, Value<T>> = Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
  return flatMapCases(named, (split, when) => [
    { values: values.flatMap((_, index) => split[`v${index}`] ?? []), when },
  ]);
}
