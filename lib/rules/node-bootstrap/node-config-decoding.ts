import { defineRule } from '../../engine';
import { undecided } from '../parts/case-judgements';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import {
  failureOf,
  judgeNodeConfigs,
  placeOf,
  problemsAbout,
  type NodeConfigBoot,
} from './parts/node-config-judgements';

/*
 * nodeadm decodes every NodeConfig strictly by type, and one that fails costs all of them.
 * Source: awslabs/amazon-eks-ami, nodeadm/internal/configprovider (userdata.go, chain.go), tried with nodeadm's own parser.
 */

const CODE = {
  cloudformation: [
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  kubelet:',
    '    config: # a map',
    '      maxPods: 110',
    '    flags: # a list of strings',
    '      - "--node-labels=tier=web"',
  ].join('\n'),
  'aws-cdk': [
    "// NodeConfig from 'eks-guardrails/aws-cdk' has these types, and renders what nodeadm reads",
    'userData: new NodeConfig({',
    "  kubelet: { config: { maxPods: 110 }, flags: ['--node-labels=tier=web'] },",
    '}).toUserData(),',
  ].join('\n'),
  terraform: [
    'content_type = "application/node.eks.aws"',
    'content = yamlencode({',
    '  apiVersion = "node.eks.aws/v1alpha1"',
    '  kind       = "NodeConfig"',
    '  spec = {',
    '    kubelet = { config = { maxPods = 110 }, flags = ["--node-labels=tier=web"] }',
    '  }',
    '})',
  ].join('\n'),
};

export const nodeConfigDecoding = defineRule<Message>({
  id: 'node-config-decoding',
  subject: 'node-bootstrap',
  title: 'nodeadm can decode every NodeConfig in the user data',
  severity: 'error',
  since: '0.1.0',
  messages: {
    undecodable: {
      text: "{{where}} has a NodeConfig that nodeadm can't decode: {{what}} {{problem}} (line {{line}} of the user data). nodeadm then drops the whole configuration of the user data, and the nodes never join.",
      fix: {
        summary: 'Write line {{line}} of the user data as nodeadm expects it.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    furtherDocument: {
      text: '{{where}} has a second YAML document in one NodeConfig, which begins on line {{line}} of the user data. nodeadm reads only the first document, so nothing behind that line has any effect.',
      fix: {
        summary: 'Join the documents to one, or give each a MIME part of its own, of type `application/node.eks.aws`.',
        code: CODE,
        safety: 'safe',
      },
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'undecodable' | 'furtherDocument';

function judge({ boot: { when }, document, configs }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  // An empty part is a defect of the MIME document.
  const ofMime = new Set(
    document.defects.filter(({ nodeadm }) => nodeadm !== 'none').flatMap(({ parts }) => parts.map(({ body }) => body)),
  );
  const failures = problemsAbout(configs, 'decoding')
    .filter(({ reading }) => !ofMime.has(reading.body))
    .map((found): LaunchOutcome<Message> => {
      if (found.problem.kind !== 'further-document') return failureOf(found, 'undecodable', when);
      const { line } = placeOf(found.reading, found.problem.offset);
      return { ...failureOf(found, 'furtherDocument', when), data: { line } };
    });
  if (failures.length > 0) return failures;
  const { unknown } = configs.merged;
  if (unknown !== undefined) return [{ ...undecided("what a NodeConfig says isn't known", unknown), when }];
  return passing(when);
}
