import { defineRule } from '../../engine';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  failureOf,
  judgeNodeConfigs,
  problemsAbout,
  type FoundProblem,
  type NodeConfigBoot,
} from './parts/node-config-judgements';

/*
 * Values that nodeadm decodes and that then do nothing, or end a service that the node needs.
 * Source: awslabs/amazon-eks-ami, nodeadm/internal (system/local_disk.go, api/featuregates.go, kubelet/config.go).
 */

const CODE = {
  cloudformation: [
    'spec:',
    '  featureGates: { InstanceIdNodeName: true } # or FastImagePull',
    '  instance:',
    '    localStorage:',
    '      strategy: RAID0 # or RAID10, Mount',
    '      disabledMounts: [PodLogs] # Containerd, PodLogs, SOCI',
    '  kubelet:',
    '    config:',
    '      maxPods: 110 # a number',
  ].join('\n'),
  'aws-cdk': [
    "// NodeConfig from 'eks-guardrails/aws-cdk' refuses other values",
    'userData: new NodeConfig({',
    "  instance: { localStorage: { strategy: 'RAID0', disabledMounts: ['PodLogs'] } },",
    '  kubelet: { config: { maxPods: 110 } },',
    '}).toUserData(),',
  ].join('\n'),
  terraform: [
    'spec = {',
    '  instance = { localStorage = { strategy = "RAID0", disabledMounts = ["PodLogs"] } }',
    '  kubelet  = { config = { maxPods = 110 } }',
    '}',
  ].join('\n'),
};

export const nodeConfigValue = defineRule<Message>({
  id: 'node-config-value',
  subject: 'node-bootstrap',
  title: 'The values of a NodeConfig are ones that nodeadm and its services act on',
  severity: 'error',
  since: '0.1.0',
  messages: {
    strategy: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. The script that sets up the disks exits on it, which fails the bootstrap: the nodes never join.',
      fix: {
        summary: 'Choose `RAID0`, `RAID10` or `Mount`, or remove the strategy.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    noEffect: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. It passes over others without a word.',
      fix: {
        summary: 'Write the name exactly as nodeadm knows it, or remove it.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    maxPods: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}.',
      fix: {
        summary:
          'Set a whole number, without quotation marks, from 1 to 110 (250 from 30 vCPUs on), or leave it to nodeadm.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'strategy' | 'noEffect' | 'maxPods';

const MAX_PODS = 'spec.kubelet.config.maxPods';

function judge({ boot: { when }, configs, isMerged }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const { merged } = configs;
  const failures = problemsAbout(configs, 'value')
    .filter(({ reading, problem }) => {
      // EKS and Karpenter set the number of pods anew, of which `node-config-overridden` tells.
      if (isMerged && problem.path === MAX_PODS) return false;
      const origin = merged.origin(problem.keys);
      return origin === undefined || origin.reading === reading;
    })
    .map((found) => failureOf(found, messageFor(found), when));
  if (failures.length > 0) return failures;
  return merged.unknown === undefined && merged.unreadable.length === 0 ? passing(when) : [];
}

function messageFor({ problem }: FoundProblem): Message {
  if (problem.kind === 'strategy') return 'strategy';
  return problem.path === MAX_PODS ? 'maxPods' : 'noEffect';
}
