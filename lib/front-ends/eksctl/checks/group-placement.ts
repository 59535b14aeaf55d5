import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { Group } from './group';
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
    if (node.child('instanceType').isWritten && node.child('instanceTypes').items.length > 0)
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceTypes\``,
          'Keep `instanceTypes`.',
        ),
      );
    if (hasContent(node.child('instanceType')) && hasContent(node.child('instanceSelector')))
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceSelector\``,
          'Keep one of them.',
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
  return problems;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Source: apimachinery, util/validation, IsQualifiedName. */
const QUALIFIED_NAME = /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?\/)?[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?$/;
const LABEL_VALUE = /^(?:[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?)?$/;

export function otherProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (node.child('subnets').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('subnets'),
        `group ${name} has both \`subnets\` and \`availabilityZones\``,
        'Keep one of them.',
      ),
    );
  if (
    node.child('efaEnabled').raw === true &&
    [node.child('subnets'), node.child('availabilityZones')].some(({ items }) => items.length > 1)
  )
    problems.push(
      refused(node.child('efaEnabled'), `group ${name} with EFA has to be in one zone`, 'Name one subnet or zone.'),
    );
  const placement = node.child('placement');
  if (placement.isWritten && !hasContent(placement.child('groupName')))
    problems.push(refused(placement, `group ${name} names no placement group`, 'Set `placement.groupName`.'));
  if (node.child('localZones').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('localZones'),
        `group ${name} has both \`localZones\` and \`availabilityZones\``,
        'Keep one of them.',
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
  for (const taint of node.child('taints').items) {
    const key = taint.child('key');
    const written = textOf(key);
    if (!hasContent(key) || (written !== undefined && !QUALIFIED_NAME.test(written)))
      problems.push(
        refused(
          key.isWritten ? key : taint,
          written === undefined ? `a taint of group ${name} has no key` : `a taint has the key "${written}"`,
          'Write a name, such as `dedicated`, or one behind a domain: `example.com/dedicated`.',
        ),
      );
    const value = textOf(taint.child('value'));
    if (value !== undefined && !LABEL_VALUE.test(value))
      problems.push(
        refused(
          taint.child('value'),
          `a taint has the value "${value}"`,
          'Write at most 63 letters, digits, `-`, `_` and `.`, a letter or digit first and last.',
        ),
      );
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
