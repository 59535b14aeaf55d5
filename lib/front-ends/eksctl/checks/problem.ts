import type { ConfigProblem } from '../../../eks';
import type { WrittenLines } from '../../../value';
import type { ConfigNode } from '../config-node';

/** Something that eksctl refuses before it makes anything. @param insteadOf the id of a rule that would tell the same */
export function refused(node: ConfigNode, problem: string, advice: string, insteadOf?: string): ConfigProblem {
  const source = node.isWritten ? node : node.place;
  return {
    kind: 'refused',
    problem,
    advice,
    source,
    ...removal(node, advice),
    ...(insteadOf === undefined ? {} : { insteadOf }),
  };
}

/** Something that is refused minutes later. @param when as a clause */
export function refusedLate(
  node: ConfigNode,
  problem: string,
  advice: string,
  when = 'it builds the stack of the group',
): ConfigProblem {
  return {
    kind: 'refusedLate',
    problem,
    advice,
    when,
    source: node.isWritten ? node : node.place,
    ...removal(node, advice),
  };
}

/** Something that a command for it alone refuses at once, and `create cluster` only when the control plane is there. */
export function refusedByCommand(node: ConfigNode, problem: string, advice: string, command: string): ConfigProblem {
  const source = node.isWritten ? node : node.place;
  return { kind: 'refusedByCommand', problem, advice, when: command, source, ...removal(node, advice) };
}

/** Something of a cluster that eksctl hands on as it stands. */
export function refusedByEks(node: ConfigNode, problem: string, advice: string): ConfigProblem {
  return { kind: 'refusedByEks', problem, advice, source: node, ...removal(node, advice) };
}

/** Something that eksctl takes and makes nothing of. */
export function idle(node: ConfigNode, problem: string, advice: string): ConfigProblem {
  return { kind: 'idle', problem, advice, source: node.isWritten ? node : node.place, ...removal(node, advice) };
}

/** Advice that begins with that, whatever else it names: "Take it out: nodes run containerd.", "Take it out, or set `enabled: true`." */
const TAKE_OUT = /^Take (it|them|`\w+`) out(?:\.$|: |, )/;

function removal(node: ConfigNode, advice: string): { readonly removed?: WrittenLines } {
  const [, what = ''] = TAKE_OUT.exec(advice) ?? [];
  const isNode = /^\w/.test(what) || what === `\`${String(node.path.at(-1))}\``;
  const removed = isNode && node.isWritten ? node.document.linesOf?.(node.path) : undefined;
  return removed === undefined ? {} : { removed: { file: node.file, ...removed } };
}

/** A path as people write it: `managedNodeGroups[0].iam`. */
export function pathText(node: ConfigNode): string {
  return node.path
    .map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

/** Whether something is written that eksctl counts as set. */
export function hasContent(node: ConfigNode): boolean {
  if (!node.isWritten || node.raw === '') return false;
  if (Array.isArray(node.raw)) return node.items.length > 0;
  return typeof node.raw !== 'object' || node.keys.some((key) => node.child(key).raw !== false);
}

/** A text, if it is known. */
export function textOf({ text }: ConfigNode): string | undefined {
  return text.kind === 'known' ? text.value : undefined;
}

/** Whether it is a text that is known, and no ARN. Source: aws-sdk-go-v2, aws/arn/arn.go, Parse. */
export function isNoArn(node: ConfigNode): boolean {
  const text = textOf(node);
  return text !== undefined && !/^arn:(?:[^:]*:){4}/.test(text);
}

/** Names that eksctl and the names of its stacks take; `CLUSTER_NAME` stands for one that somebody puts in. */
export function isName(name: string): boolean {
  return /^(?:[a-zA-Z\d-]*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/.test(name);
}
