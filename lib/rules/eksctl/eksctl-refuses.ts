import { defineRule } from '../../engine';
import type { ConfigProblem } from '../../eks';
import { eksctlKeysAsOf } from '../../knowledge/eksctl-keys';
import { capitalized } from '../../text/in-words';
import { judgeProblems, type Told } from './parts/config-problems';

/*
 * eksctl checks a file before it makes anything, and a few things only when the control plane is there already. It tells one problem at a time,
 * without a line.
 * Source: eksctl-io/eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go and pkg/eks/api.go.
 */
export const eksctlRefuses = defineRule<Message>({
  id: 'eksctl-refuses',
  subject: 'eksctl',
  title: 'eksctl accepts the ClusterConfig',
  severity: 'error',
  since: '0.1.0',
  messages: {
    refused: {
      text: '{{problem}}: eksctl refuses the whole file, and makes nothing.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    refusedLate: {
      text: '{{problem}}: eksctl notices only when {{when}}, and stops after the control plane is made.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    refusedByCommand: {
      text: '{{problem}}: `eksctl {{when}}` refuses the file, and `eksctl create cluster` stops there after the control plane is made.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    refusedByEks: {
      text: '{{problem}}: eksctl hands it on, and EKS refuses the cluster.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    unknownKey: {
      text: 'There is no key "{{key}}" in {{place}}{{doubt}}: eksctl refuses the whole file, and makes nothing.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
  },
  check: (model) => judgeProblems(model, tell),
});

type Message = 'refused' | 'refusedLate' | 'refusedByCommand' | 'refusedByEks' | 'unknownKey';

function tell(problem: ConfigProblem): Told<Message> | undefined {
  switch (problem.kind) {
    case 'refused':
    case 'refusedLate':
    case 'refusedByCommand':
    case 'refusedByEks':
      return {
        message: problem.kind,
        data: {
          problem: capitalized(problem.problem),
          advice: problem.advice,
          ...(problem.when === undefined ? {} : { when: problem.when }),
        },
        about: problem.problem.replaceAll(/\d+/g, ''),
      };
    case 'unknownKey': {
      const { key, place, advice, isSure } = problem;
      const doubt = isSure ? '' : `, as far as eksctl of ${eksctlKeysAsOf()} goes`;
      return {
        ...(isSure ? {} : { severity: 'warning' }),
        message: 'unknownKey',
        data: { key, place, advice, doubt },
        about: key,
      };
    }
    case 'idle':
    case 'ignoredKey':
    case 'ignoredDocument':
      return undefined;
  }
}
