import { defineRule } from '../../engine';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { failureOf, judgeNodeConfigs, problemsAbout, type NodeConfigBoot } from './parts/node-config-judgements';

/*
 * nodeadm's decoder drops what it doesn't know without a word, and keys are case-sensitive.
 * Source: awslabs/amazon-eks-ami, nodeadm/api/v1alpha1/nodeconfig_types.go, tried with nodeadm's own parser.
 */

const CODE = {
  cloudformation: [
    'spec:',
    '  cluster: # name, apiServerEndpoint, certificateAuthority, cidr',
    '    name: main',
    '  kubelet: # beside cluster: config, flags, maxPodsExpression',
    '    config: # whatever kubelet knows',
    '      shutdownGracePeriod: 60s',
    '  containerd: {} # config, baseRuntimeSpec',
    '  instance: {} # localStorage, environment, network',
    '  featureGates: {}',
  ].join('\n'),
  'aws-cdk': [
    "// NodeConfig from 'eks-guardrails/aws-cdk' knows the fields and refuses others",
    "userData: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } }).toUserData(),",
  ].join('\n'),
  terraform: [
    'spec = {',
    '  kubelet = { # beside cluster',
    '    config = { shutdownGracePeriod = "60s" }',
    '  }',
    '}',
  ].join('\n'),
};

export const nodeConfigUnknownField = defineRule<Message>({
  id: 'node-config-unknown-field',
  subject: 'node-bootstrap',
  title: 'NodeConfigs have only fields that nodeadm reads, each where nodeadm looks for it',
  severity: 'error',
  since: '0.1.0',
  messages: {
    unknown: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. The setting has no effect, and nothing on the node says so.',
      fix: {
        summary: 'Write the field as nodeadm calls it, or remove it.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    misplaced: {
      text: '{{where}}: {{what}} on line {{line}} of the user data {{problem}}. Where it stands it is dropped with everything below it, and nothing on the node says so.',
      fix: {
        summary: 'Move the field to where nodeadm looks for it; most often it is indented too far.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'unknown' | 'misplaced';

function judge({ boot: { when }, configs }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const failures = problemsAbout(configs, 'unknown-field').map((found) =>
    failureOf(found, found.problem.kind === 'misplaced-field' ? 'misplaced' : 'unknown', when),
  );
  if (failures.length > 0) return failures;
  // Of what can't be read, another rule tells.
  return configs.merged.unknown === undefined && configs.merged.unreadable.length === 0 ? passing(when) : [];
}
