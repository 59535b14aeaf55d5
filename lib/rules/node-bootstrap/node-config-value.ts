import { defineRule } from '../../engine';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  aboutOf,
  judgeNodeConfigs,
  NODEADM_SOURCES,
  placeOf,
  problemsAbout,
  subjectOf,
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
  symptom: [
    "With another `strategy` than RAID0, RAID10 and Mount, instances never become nodes: `setup-local-disks` exits with an error, and nodeadm's run phase with it. Other values just do nothing: a feature gate in the wrong case stays off, a",
    'mount that should be left alone is moved.',
  ].join('\n'),
  why: [
    "nodeadm checks few values. It hands the strategy to a script that knows three of them (in any case) and `none`; names of feature gates and mounts it compares letter by letter and passes over those that it doesn't know; `kubelet.config`",
    "it passes on as it is, and kubelet wants a whole number of pods. Above 110 pods on instances with less than 30 vCPUs, and above 250 on others, AWS doesn't recommend to go.",
  ].join('\n'),
  limits: [
    '- Values that are decided at deployment count as right, and so does what another NodeConfig of the same user data overrides.',
    "- A number of pods is compared with 250 only; how many addresses the instance types have is another rule's question.",
    "- The number of disks that RAID10 needs isn't checked.",
    "- `maxPods` isn't judged where EKS sets it itself.",
  ].join('\n'),
  ignore:
    'The warning about many pods, after a load test with that number. Other warnings for an AMI whose nodeadm knows more values.',
  sources: [
    NODEADM_SOURCES.types,
    {
      title: 'amazon-eks-ami: the script that sets up local disks',
      url: 'https://github.com/awslabs/amazon-eks-ami/blob/main/templates/shared/runtime/bin/setup-local-disks',
    },
    {
      title: 'Amazon EKS user guide: Choose an optimal Amazon EC2 node instance type',
      url: 'https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html',
    },
  ],
  messages: {
    strategy: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. The script that sets up the disks exits on it, which fails the bootstrap: the nodes never join.',
      fix: {
        summary: 'Choose `RAID0`, `RAID10` or `Mount`, or remove the strategy.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    noEffect: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. It passes over others without a word.',
      fix: {
        summary: 'Write the name exactly as nodeadm knows it, or remove it.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    maxPods: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}.',
      fix: {
        summary:
          'Set a whole number, without quotation marks, from 1 to 110 (250 from 30 vCPUs on), or leave it to nodeadm.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'strategy' | 'noEffect' | 'maxPods';

const MAX_PODS = 'spec.kubelet.config.maxPods';

function judge({ boot: { when }, configs, byEks }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const { merged } = configs;
  const failures = problemsAbout(configs, 'value')
    .filter(({ reading, problem }) => {
      // EKS sets the number of pods anew, of which `node-config-overridden` tells.
      if (byEks && problem.path === MAX_PODS) return false;
      const origin = merged.origin(problem.keys);
      return origin === undefined || origin.reading === reading;
    })
    .map((found): LaunchOutcome<Message> => {
      const { reading, problem, severity } = found;
      const { source, line } = placeOf(reading, problem.offset);
      return {
        verdict: 'fail',
        message: messageFor(found),
        severity,
        source,
        data: { line, what: subjectOf(problem), problem: problem.message },
        about: aboutOf(reading, problem),
        when,
      };
    });
  if (failures.length > 0) return failures;
  return merged.unknown === undefined && merged.unreadable.length === 0 ? passing(when) : [];
}

function messageFor({ problem }: FoundProblem): Message {
  if (problem.kind === 'strategy') return 'strategy';
  return problem.path === MAX_PODS ? 'maxPods' : 'noEffect';
}
