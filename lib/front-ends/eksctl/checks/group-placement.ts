import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { Group } from './group';
import { idle, refused, refusedLate } from './problem';

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
    if (node.child('instanceType').isWritten && node.child('instanceTypes').items.length > 0)
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceTypes\``,
          'Keep `instanceTypes`.',
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
  problems.push(...distributionProblems({ node, name }));
  const update = node.child('updateConfig');
  if (update.isWritten)
    problems.push(
      idle(
        update,
        `\`updateConfig\` of the self-managed group ${name} goes nowhere: EKS does not update it`,
        'Take it out.',
      ),
    );
  return problems;
}

/** Of self-managed groups, which alone have a distribution. */
function distributionProblems({ node, name }: Pick<Group, 'node' | 'name'>): readonly ConfigProblem[] {
  const distribution = node.child('instancesDistribution');
  const selector = node.child('instanceSelector');
  const hasSelector = selector.keys.length > 0;
  const { text } = node.child('instanceType');
  const problems: ConfigProblem[] = [];
  if ((distribution.isWritten || hasSelector) && text.kind === 'known' && text.value !== 'mixed')
    problems.push(
      refused(
        node.child('instanceType'),
        `group ${name} has one \`instanceType\`, ${text.value}, and ${distribution.isWritten ? 'an `instancesDistribution`' : 'an `instanceSelector`'}`,
        'Take `instanceType` out, or write `mixed`.',
      ),
    );
  if (distribution.isWritten && !hasSelector && distribution.child('instanceTypes').texts.kind !== 'unknown') {
    const types = new Set(distribution.child('instanceTypes').items.map(({ label }) => label));
    if (types.size === 0 || types.size > 20)
      problems.push(
        refused(
          distribution,
          `the \`instancesDistribution\` of group ${name} has ${types.size === 0 ? 'no' : String(types.size)} instance types`,
          'List 1 to 20 of them in `instanceTypes`.',
        ),
      );
  }
  return problems;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function otherProblems({ node, name }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (node.child('subnets').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('subnets'),
        `group ${name} has both \`subnets\` and \`availabilityZones\``,
        'Keep one of them.',
      ),
    );
  if (node.child('instanceMarketOptions').isWritten && !node.child('capacityReservation').isWritten)
    problems.push(
      refused(
        node.child('instanceMarketOptions'),
        `\`instanceMarketOptions\` of group ${name} needs a \`capacityReservation\``,
        'Name the reservation.',
      ),
    );
  if (
    node.child('efaEnabled').raw === true &&
    [node.child('subnets'), node.child('availabilityZones')].some(({ items }) => items.length > 1)
  )
    problems.push(
      refused(node.child('efaEnabled'), `group ${name} with EFA has to be in one zone`, 'Name one subnet or zone.'),
    );
  for (const taint of node.child('taints').items) {
    const effect = taint.child('effect').text;
    if (effect.kind === 'known' && !EFFECTS.includes(effect.value))
      problems.push(
        refused(
          taint.child('effect'),
          `a taint has the effect "${effect.value}"`,
          `Write one of ${EFFECTS.join(', ')}.`,
        ),
      );
  }
  return problems;
}
