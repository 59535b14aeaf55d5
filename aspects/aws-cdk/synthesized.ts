import { Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Makes sure that the app of a construct has been synthesized, so that aspects have run and references between stacks are
 * resolved, and returns the construct.
 *
 * That a validation plugin finds fault with the app doesn't matter here: by then the app is synthesized, and a test that looks for
 * one finding must not trip over another tool's.
 * @throws whatever else the synthesis throws
 */
export function synthesized<T extends IConstruct>(construct: T): T {
  const { root } = construct.node;
  if (!Stage.isStage(root)) return construct;
  try {
    root.synth();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationFailed')) throw error;
  }
  return construct;
}
