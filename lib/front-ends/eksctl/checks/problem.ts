import type { ConfigProblem } from '../../../eks';
import type { ConfigNode } from '../config-node';

/** Something that eksctl refuses before it makes anything. */
export function refused(node: ConfigNode, problem: string, advice: string): ConfigProblem {
  return { kind: 'refused', problem, advice, source: node.isWritten ? node : node.place };
}

/** Something that eksctl refuses when it builds the stack of a group, minutes later. */
export function refusedLate(node: ConfigNode, problem: string, advice: string): ConfigProblem {
  return { kind: 'refusedLate', problem, advice, source: node.isWritten ? node : node.place };
}

/** Something that eksctl takes and makes nothing of. */
export function idle(node: ConfigNode, problem: string, advice: string): ConfigProblem {
  return { kind: 'idle', problem, advice, source: node.isWritten ? node : node.place };
}

/** A path as people write it: `managedNodeGroups[0].iam`. */
export function pathText(node: ConfigNode): string {
  return node.path
    .map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}
