import type { ConfigProblem } from '../../../eks';
import type { Group } from './group';
import { hasContent, idle, refused, textOf } from './problem';

/* Launch templates that a group brings. Source: apis/eksctl.io/v1alpha5/validation.go. */

const REFUSED_BESIDE_TEMPLATE = [
  'instanceType',
  'ami',
  'volumeSize',
  'preBootstrapCommands',
  'overrideBootstrapCommand',
  'instanceName',
  'instancePrefix',
  'maxPodsPerNode',
  'placement',
];
const IDLE_BESIDE_TEMPLATE = [
  'volumeType',
  'volumeIOPS',
  'volumeThroughput',
  'additionalVolumes',
  'ebsOptimized',
  'efaEnabled',
  'bottlerocket',
  'capacityReservation',
  'enableDetailedMonitoring',
];

export function templateProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const template = node.child('launchTemplate');
  // Self-managed groups have no such key, which is told of it.
  if (!isManaged || !template.isWritten) return [];
  const problems: ConfigProblem[] = [];
  if (!template.child('id').isWritten)
    problems.push(
      refused(template, `group ${name} names no launch template`, 'Set `launchTemplate.id`: eksctl takes no names.'),
    );
  const written = template.child('version');
  // These two would else be variables that somebody fills in.
  const version = ['$Latest', '$Default'].find((one) => one === written.raw) ?? textOf(written);
  if (version !== undefined && !/^[1-9]\d*$/.test(version))
    problems.push(
      refused(
        written,
        `eksctl takes numbers as versions of launch templates, not "${version}"`,
        'Write a number, as in `"3"`.',
      ),
    );
  const refusedKeys = [
    ...REFUSED_BESIDE_TEMPLATE.map((key) => node.child(key)),
    node.at('securityGroups', 'attachIDs'),
    node.at('ssh', 'sourceSecurityGroupIds'),
  ].filter(hasContent);
  // A key alone allows SSH.
  const ssh = node.child('ssh');
  const withKey = ['publicKeyName', 'publicKeyPath', 'publicKey'].map((key) => ssh.child(key)).find(hasContent);
  if (ssh.child('allow').raw === true) refusedKeys.push(ssh.child('allow'));
  else if (withKey !== undefined && ssh.child('allow').raw !== false) refusedKeys.push(withKey);
  if (ssh.child('enableSsm').raw === true) refusedKeys.push(ssh.child('enableSsm'));
  if (node.child('disableIMDSv1').raw === false) refusedKeys.push(node.child('disableIMDSv1'));
  if (node.child('disablePodIMDS').raw === true) refusedKeys.push(node.child('disablePodIMDS'));
  for (const key of refusedKeys)
    problems.push(
      refused(
        key,
        `\`${String(key.path.at(-1))}\` of group ${name} does not go with a launch template of its own`,
        'Take it out, and set it in the launch template.',
      ),
    );
  for (const key of IDLE_BESIDE_TEMPLATE)
    if (node.child(key).isWritten)
      problems.push(
        idle(
          node.child(key),
          `\`${key}\` of group ${name} goes nowhere: its launch template decides`,
          'Take it out, and set it in the launch template.',
        ),
      );
  if (node.child('disableIMDSv1').raw === true)
    problems.push(
      idle(
        node.child('disableIMDSv1'),
        `\`disableIMDSv1\` of group ${name} goes nowhere: its launch template decides`,
        'Take it out, and require tokens in the launch template.',
      ),
    );
  return problems;
}
