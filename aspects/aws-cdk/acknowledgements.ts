import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { acknowledgedRule } from '../../lib/engine';
import type { Acknowledgement } from '../../lib/value';
import { isAtOrBelow } from '../engine-neutral/construct-path';

/**
 * The user's decisions to live with one of our findings, made with `Validations.of(construct).acknowledge({ id, reason })`
 * at, below or above a construct. Those of other tools are left out.
 */
export function acknowledgementsIn(root: IConstruct): Acknowledgement[] {
  const result: Acknowledgement[] = [];
  for (const construct of root.node.scopes.slice(0, -1)) collect(construct, result);
  const queue: IConstruct[] = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    collect(node, result);
    queue.push(...node.node.children);
  }
  return result;
}

/** Whether CDK itself takes a finding at this path out of a validation report. */
export function isAcknowledged(
  acknowledgements: readonly Acknowledgement[],
  rule: string,
  constructPath: string,
): boolean {
  return acknowledgements.some((one) => one.rule === rule && isAtOrBelow(constructPath, one.constructPath));
}

function collect(construct: IConstruct, into: Acknowledgement[]): void {
  for (const { type, data } of construct.node.metadata) {
    if (type !== Validations.ACKNOWLEDGED_RULES_METADATA_KEY) continue;
    for (const [id, reason] of Object.entries((data ?? {}) as Record<string, unknown>)) {
      const rule = acknowledgedRule(id);
      if (rule === undefined) continue;
      into.push({ constructPath: construct.node.path, rule, reason: typeof reason === 'string' ? reason : '' });
    }
  }
}
