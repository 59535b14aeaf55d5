import { defineRule } from '../../engine';
import type { ConfigProblem } from '../../eks';
import { capitalized } from '../../text/in-words';
import { judgeProblems, type Told } from './parts/config-problems';

/*
 * eksctl looks for unknown keys without regard to case, and reads the file with regard to it: a key that is wrong in case alone passes, and is
 * dropped. It reads the first document of a file, and makes nothing of a few settings that it takes.
 * Source: eksctl-io/eksctl, pkg/eks/api.go, ParseConfig; issue 4935 there.
 */
export const eksctlIgnoredKey = defineRule<Message>({
  id: 'eksctl-ignored-key',
  subject: 'eksctl',
  title: 'What stands in a ClusterConfig has an effect',
  severity: 'error',
  since: '0.1.0',
  messages: {
    case: {
      text: 'eksctl drops "{{key}}" without a word, because case counts and the key is "{{meant}}": {{effect}}.',
      fix: { summary: 'Write `{{meant}}`.', safety: 'needs-decision' },
    },
    document: {
      text: 'eksctl reads the first document of a file alone: {{what}} in this one is never created, and nothing says so.',
      fix: { summary: 'Give it a file of its own.', safety: 'needs-decision' },
    },
    idle: {
      text: '{{problem}}.',
      fix: { summary: '{{advice}}', code: { eksctl: '{{code}}' }, safety: 'needs-decision' },
    },
  },
  check: (model) => judgeProblems(model, tell),
});

type Message = 'case' | 'document' | 'idle';

function tell(problem: ConfigProblem): Told<Message> | undefined {
  switch (problem.kind) {
    case 'ignoredKey': {
      const { key, meant, isWhole } = problem;
      const effect = isWhole ? 'nothing of what stands there is made' : 'the setting has no effect';
      return {
        ...(isWhole ? {} : { severity: 'warning' }),
        message: 'case',
        data: { key, meant, effect },
        about: key,
      };
    }
    case 'ignoredDocument':
      return { severity: 'warning', message: 'document', data: { what: problem.what }, about: problem.what };
    case 'idle':
      return {
        severity: 'warning',
        message: 'idle',
        data: { problem: capitalized(problem.problem), advice: problem.advice, code: problem.code ?? '' },
        about: problem.problem,
      };
    case 'refused':
    case 'refusedLate':
    case 'refusedByCommand':
    case 'refusedByEks':
    case 'unknownKey':
      return undefined;
  }
}
