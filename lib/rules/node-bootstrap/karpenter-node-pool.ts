import { defineRule } from '../../engine';
import { PERHAPS_PATCH } from '../../eks';
import { failureOf, judgeName, judgeObjects, judgeProblems, KARPENTER_MESSAGES } from './parts/karpenter-objects';
import type { RenamedMessage } from './parts/karpenter-problem';
import { isPatchOfPool, nodePoolProblems } from './parts/node-pool-problems';
import { judgePlaces, judgeReference, judgeRequirements } from './parts/node-pool-requirements';

/*
 * Node pools that the API server refuses, or of an API that the Karpenter of the cluster doesn't serve.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds of 0.32 to 1.14.
 */

/** What v1 takes by another name, which nobody has to decide on. */
const RENAMED = { summary: '{{advice}}', code: KARPENTER_MESSAGES.refused.fix.code, safety: 'safe' } as const;

export const karpenterNodePool = defineRule<Message>({
  id: 'karpenter-node-pool',
  subject: 'node-bootstrap',
  title: "Karpenter's node pools are ones that its API takes",
  severity: 'error',
  since: '0.1.0',
  // What runs has been taken.
  isAboutCode: true,
  messages: {
    ...KARPENTER_MESSAGES,
    renamedPolicy: {
      text: KARPENTER_MESSAGES.refused.text,
      fix: { ...RENAMED, repairsIn: { kubernetes: [{ kind: 'set', field: 'consolidationPolicy', to: '{{to}}' }] } },
    },
    renamedGroup: {
      text: KARPENTER_MESSAGES.refused.text,
      fix: { ...RENAMED, repairsIn: { kubernetes: [{ kind: 'set', field: 'nodeClassGroup', to: '{{to}}' }] } },
    },
    noInstance: {
      text: 'NodePool "{{name}}" requires {{others}} as `{{key}}`, which no instance has: Karpenter finds no instance type, and starts no node with the pool.',
      fix: {
        summary: 'Write what instances have, in these letters: {{known}}.',
        code: { kubernetes: 'values: [{{values}}]' },
        safety: 'needs-decision',
      },
    },
    elsewhere: {
      text: 'NodePool "{{name}}" takes {{others}} as `{{key}}`, but the cluster is in {{region}}, where no node has that: {{effect}}.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    otherValue: {
      text: 'NodePool "{{name}}" takes {{others}} as `{{key}}` beside other values, but no instance has that: none of what it means is started.',
      fix: {
        summary: 'Write what instances have, in these letters: {{known}}.',
        code: { kubernetes: 'values: [{{values}}]' },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeObjects<Message>(model, ['NodePool', 'Provisioner'], function* (object) {
      yield* judgeName(object);
      for (const problem of nodePoolProblems(object)) {
        if (problem.renamed === undefined) yield* judgeProblems(object, [problem]);
        else {
          const { message, to } = problem.renamed;
          const { data, ...failure } = failureOf(object, problem);
          yield { ...failure, message, data: { ...data, to } };
        }
      }
      yield* judgeRequirements(object);
      yield* judgePlaces(object);
      yield* judgeReference(object);
      if (isPatchOfPool(object)) yield { resource: object.manifest, verdict: 'unverifiable', reason: PERHAPS_PATCH };
    });
  },
});

type Message = keyof typeof KARPENTER_MESSAGES | 'noInstance' | 'otherValue' | 'elsewhere' | RenamedMessage;
