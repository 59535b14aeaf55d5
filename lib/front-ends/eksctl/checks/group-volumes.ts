import type { ConfigProblem } from '../../../eks';
import type { Group } from './group';
import { refused } from './problem';

/* Volumes. Source: apis/eksctl.io/v1alpha5/validation.go. */

const IOPS: Readonly<Record<string, readonly [number, number]>> = {
  io1: [100, 64000],
  io2: [100, 256000],
  gp3: [3000, 16000],
};

export function volumeProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const type = node.child('volumeType').text;
  if (type.kind === 'unknown') return [];
  const kind = type.kind === 'known' ? type.value : 'gp3';
  const iops = node.child('volumeIOPS');
  const range = IOPS[kind];
  if (iops.isWritten && range === undefined)
    problems.push(
      refused(
        iops,
        `\`volumeIOPS\` of group ${name} does not go with volumes of type ${kind}`,
        'Take it out, or set `volumeType: gp3`.',
      ),
    );
  else if (typeof iops.raw === 'number' && range !== undefined && (iops.raw < range[0] || iops.raw > range[1]))
    problems.push(
      refused(
        iops,
        `volumes of type ${kind} have ${range[0]} to ${range[1]} IOPS, not ${iops.raw}`,
        'Choose a number of that range.',
      ),
    );
  const throughput = node.child('volumeThroughput');
  if (throughput.isWritten && kind !== 'gp3')
    problems.push(
      refused(
        throughput,
        `\`volumeThroughput\` of group ${name} does not go with volumes of type ${kind}`,
        'Take it out, or set `volumeType: gp3`.',
      ),
    );
  else if (typeof throughput.raw === 'number' && (throughput.raw < 125 || throughput.raw > 1000))
    problems.push(
      refused(throughput, `volumes have 125 to 1000 MiB/s, not ${throughput.raw}`, 'Choose a number of that range.'),
    );
  // Managed groups get their default before.
  if (!isManaged || node.child('launchTemplate').isWritten)
    for (const key of ['volumeName', 'volumeEncrypted', 'volumeKmsKeyID'])
      if (!node.child('volumeSize').isWritten && node.child(key).isWritten && node.child(key).raw !== false)
        problems.push(
          refused(
            node.child(key),
            `\`${key}\` of group ${name} needs a \`volumeSize\``,
            'Set `volumeSize`, such as 80.',
          ),
        );
  const key = node.child('volumeKmsKeyID');
  if (
    key.isWritten &&
    node.child('volumeEncrypted').raw !== true &&
    node.child('volumeEncrypted').boolean.kind !== 'unknown'
  )
    problems.push(
      refused(key, `group ${name} names a key for volumes that it does not encrypt`, 'Set `volumeEncrypted: true`.'),
    );
  return problems;
}
