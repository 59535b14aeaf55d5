import { TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { acknowledgedRule } from '../../lib/engine';
import { oddKey } from '../../lib/front-ends/parts/decision-keys';
import type { Acknowledgement } from '../../lib/value';

/** The decision to live with a finding. */
export interface AcknowledgeOptions {
  /** Id of the rule: `imds-hop-limit`. */
  readonly rule: string;
  /** Why it is right here; without it the decision has no effect. */
  readonly reason: string;
  /**
   * Last day on which it holds, `YYYY-MM-DD`.
   * @default - no end
   */
  readonly until?: string;
}

/** What the comment of a stack's configuration holds for one decision; read in lib/front-ends/terraform/acknowledgements. */
interface WrittenAcknowledgement extends AcknowledgeOptions {
  /** Path of the construct at and below which it holds. */
  readonly path: string;
}

/** Key of construct metadata for decisions above all stacks, which are written into no configuration. */
const METADATA_TYPE = 'eks-guardrails:acknowledge';

const writtenInto = new WeakMap<TerraformStack, readonly WrittenAcknowledgement[]>();

/**
 * Writes a decision into the configuration of the construct's stack, in a comment, so that the command sees it as well.
 * @throws TypeError for something that is no decision, which types tell only users of TypeScript
 */
export function acknowledge(construct: IConstruct, options: AcknowledgeOptions): void {
  const { rule, reason, until } = options;
  const odd = oddKey(options, ['rule', 'reason', 'until']);
  if (odd !== undefined) throw new TypeError(`EksGuardrails.acknowledge: ${odd.problem}`);
  if (typeof (rule as unknown) !== 'string')
    throw new TypeError(
      "EksGuardrails.acknowledge takes the id of a rule and a reason: { rule: 'imds-hop-limit', reason: '…' }",
    );
  const entry: WrittenAcknowledgement = {
    path: construct.node.path,
    rule: acknowledgedRule(rule) ?? rule,
    reason,
    ...(until === undefined ? {} : { until }),
  };
  const stack = construct.node.scopes.findLast((scope) => TerraformStack.isStack(scope));
  if (stack === undefined) {
    construct.node.addMetadata(METADATA_TYPE, entry);
    return;
  }
  const all = [...(writtenInto.get(stack) ?? []), entry];
  writtenInto.set(stack, all);
  stack.addOverride('//.eks-guardrails.acknowledge', all);
}

/** The decisions on an app and on constructs that hold stacks, which no configuration tells. */
export function acknowledgementsAboveStacks(root: IConstruct): Acknowledgement[] {
  const result: Acknowledgement[] = [];
  const queue: IConstruct[] = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const { type, data } of node.node.metadata) {
      if (type !== METADATA_TYPE) continue;
      const { path, ...entry } = data as WrittenAcknowledgement;
      result.push({ constructPath: path, ...entry });
    }
    if (!TerraformStack.isStack(node)) queue.push(...node.node.children);
  }
  return result;
}
