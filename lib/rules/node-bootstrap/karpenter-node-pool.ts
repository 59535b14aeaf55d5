import { defineRule } from '../../engine';
import { judgeObjects, judgeProblems, KARPENTER_MESSAGES } from './parts/karpenter-objects';
import { nodePoolProblems } from './parts/node-pool-problems';

/*
 * Node pools that the API server refuses, or of an API that the Karpenter of the cluster doesn't serve.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds of 0.32 to 1.14.
 */

export const karpenterNodePool = defineRule<keyof typeof KARPENTER_MESSAGES>({
  id: 'karpenter-node-pool',
  subject: 'node-bootstrap',
  title: "Karpenter's node pools are ones that its API takes",
  severity: 'error',
  since: '0.1.0',
  // What runs has been taken.
  isAboutCode: true,
  messages: KARPENTER_MESSAGES,
  *check(model) {
    yield* judgeObjects(model, ['NodePool', 'Provisioner'], (object) =>
      judgeProblems(object, nodePoolProblems(object)),
    );
  },
});
