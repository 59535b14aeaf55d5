import type { ConfigProblem } from '../../../eks';
import { instanceType } from '../../../knowledge';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { instanceTypesOf, type Group } from './group';
import { labelProblems, taintProblems } from './group-labels';
import { hasContent, idle, refused, refusedLate, textOf } from './problem';

/* What kind of nodes a group has, and where they run. Source: apis/eksctl.io/v1alpha5/validation.go, cfn/builder/nodegroup.go. */

export function kindProblems(file: ConfigFile, { node, name, isManaged }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (isManaged) {
    const groups = node.child('securityGroups');
    for (const key of ['withLocal', 'withShared'])
      if (groups.child(key).raw === true)
        problems.push(
          refused(
            groups.child(key),
            `\`securityGroups.${key}\` of group ${name} is for \`nodeGroups\``,
            'Take it out: managed nodes have the security group of the cluster.',
          ),
        );
    const update = node.child('updateConfig');
    if (update.isMap && !['maxUnavailable', 'maxUnavailablePercentage'].some((key) => update.child(key).isWritten))
      problems.push(
        refused(
          update,
          `\`updateConfig\` of group ${name} does not say how many nodes an update takes at once`,
          'Set `maxUnavailable` or `maxUnavailablePercentage`, or take `updateConfig` out.',
        ),
      );
    if (node.child('instanceType').isWritten && node.child('instanceTypes').items.length > 0)
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceTypes\``,
          'Take `instanceType` out.',
        ),
      );
    if (hasContent(node.child('instanceType')) && hasContent(node.child('instanceSelector')))
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceSelector\``,
          'Take `instanceType` out, or `instanceSelector`.',
        ),
      );
    return problems;
  }
  if (file.ipFamily.kind === 'known' && file.ipFamily.value === 'ipv6')
    problems.push(
      refusedLate(
        node,
        `group ${name} is self-managed, which eksctl does not make for IPv6 clusters`,
        'Move it to `managedNodeGroups`.',
      ),
    );
  const update = node.child('updateConfig');
  if (update.isWritten)
    problems.push(
      idle(
        update,
        `\`updateConfig\` of the self-managed group ${name} goes nowhere: EKS does not update it`,
        'Take it out.',
      ),
    );
  return [...problems, ...sizeProblems(node, name)];
}

/** Sizes of a self-managed group in their order. Source: cfn/builder/nodegroup.go. */
function sizeProblems(node: ConfigNode, name: string): readonly ConfigProblem[] {
  const sizes = ['minSize', 'desiredCapacity', 'maxSize']
    .map((key) => node.child(key))
    .filter(({ raw }) => typeof raw === 'number');
  return sizes.flatMap((size, index): readonly ConfigProblem[] => {
    const before = sizes[index - 1];
    if (before === undefined || Number(before.raw) <= Number(size.raw)) return [];
    const [low, high] = [before, size].map((one) => `\`${String(one.path.at(-1))}: ${String(one.raw)}\``);
    return [
      refusedLate(
        size,
        `group ${name} has ${high} below ${low}`,
        'Write sizes of which each is no smaller than the one before: `minSize`, `desiredCapacity`, `maxSize`.',
      ),
    ];
  });
}

/** Source: cfn/builder/network_interfaces.go, which asks EC2 of every type. */
function efaProblems(group: Group): readonly ConfigProblem[] {
  const type = instanceTypesOf(group).find((one) => instanceType(textOf(one) ?? '')?.efaInterfaces === 0);
  return type === undefined
    ? []
    : [
        refusedLate(
          type,
          `group ${group.name} is to have Elastic Fabric Adapters, which ${type.label} has no place for`,
          'Choose an instance type that takes them, or take `efaEnabled` out.',
        ),
      ];
}

export function otherProblems(group: Group): readonly ConfigProblem[] {
  const { node, name, isManaged } = group;
  const problems: ConfigProblem[] = [];
  if (node.child('subnets').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('subnets'),
        `group ${name} has both \`subnets\` and \`availabilityZones\``,
        'Take `subnets` out, or `availabilityZones`.',
      ),
    );
  if (
    node.child('efaEnabled').raw === true &&
    [node.child('subnets'), node.child('availabilityZones')].some(({ items }) => items.length > 1)
  )
    problems.push(
      refused(node.child('efaEnabled'), `group ${name} with EFA has to be in one zone`, 'Name one subnet or zone.'),
    );
  if (node.child('efaEnabled').raw === true) problems.push(...efaProblems(group));
  const placement = node.child('placement');
  if (placement.isWritten && !hasContent(placement.child('groupName')))
    problems.push(refused(placement, `group ${name} names no placement group`, 'Set `placement.groupName`.'));
  if (node.child('localZones').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('localZones'),
        `group ${name} has both \`localZones\` and \`availabilityZones\``,
        'Take `localZones` out, or `availabilityZones`.',
      ),
    );
  if (isManaged && hasContent(node.child('outpostARN')))
    problems.push(
      refused(
        node.child('outpostARN'),
        `managed group ${name} is to be on an Outpost, where EKS manages none`,
        'Use `nodeGroups`.',
      ),
    );
  const maxPods = node.child('maxPodsPerNode');
  if (typeof maxPods.raw === 'number' && maxPods.raw < 0)
    problems.push(
      refused(maxPods, `group ${name} is to have ${maxPods.raw} pods on a node`, 'Write a number above 0.'),
    );
  return [...problems, ...taintProblems(node.child('taints'), name), ...labelProblems(node.child('labels'), name)];
}
