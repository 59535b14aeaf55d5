import { Absent, Known, Unknown, type Alternative } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import { flatMap, limited } from '../evaluation/choices';
import { isFormula, outcomesOf } from '../evaluation/conditions';
import { isEqual } from '../evaluation/equality';
import type { Body, Expression } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';
import type { TerraformItem, TerraformValue } from '../terraform-value';

/** What stands for "nobody gave a value". */
type Nothing = '' | null;

/**
 * The variables of a module that its conditions compare with nothing, such as `var.ami_id == ""`. Where that holds, the variable is nothing wherever
 * else it is used; otherwise those places would be combined with what conditions choose in a case that can't be.
 */
export function comparedWithNothing({
  files,
}: {
  readonly files: readonly ConfigurationFile[];
}): ReadonlyMap<string, ReadonlySet<Nothing>> {
  const found = new Map<string, Set<Nothing>>();
  for (const { body } of files)
    for (const block of body.blocks) if (block.type !== 'variable') inBody(block.body, found);
  return found;
}

function inBody(body: Body, found: Map<string, Set<Nothing>>): void {
  for (const { value } of body.attributes) inExpression(value, found);
  for (const block of body.blocks) inBody(block.body, found);
}

function inExpression(root: Expression, found: Map<string, Set<Nothing>>): void {
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'binary' && (node.operator === '==' || node.operator === '!='))
      compare(node.left, node.right, found);
    for (const child of childrenOf(node)) open.push(child);
  }
}

function compare(left: Expression, right: Expression, found: Map<string, Set<Nothing>>): void {
  const [variable, other] = left.kind === 'literal' ? [right, left] : [left, right];
  if (other.kind !== 'literal' || (other.value !== '' && other.value !== null)) return;
  if (variable.kind !== 'attribute' || variable.of.kind !== 'variable' || variable.of.name !== 'var') return;
  const values = found.get(variable.name);
  if (values === undefined) found.set(variable.name, new Set([other.value]));
  else values.add(other.value);
}

/** An unknown value as nothing where that is assumed of it, and unknown elsewhere. */
export function apartFromNothing(value: TerraformValue, compared: ReadonlySet<Nothing>): TerraformValue {
  return flatMap(value, (plain): TerraformValue => {
    if (plain.kind !== 'unknown' || plain.constructor !== Unknown) return plain;
    let rest: TerraformValue = plain;
    for (const nothing of compared) rest = flatMap(rest, (part) => (part === plain ? split(plain, nothing) : part));
    return rest;
  });
}

function split(unknown: Unknown, nothing: Nothing): TerraformValue {
  const { source } = unknown;
  const empty = nothing === null ? new Absent(source) : new Known<TerraformItem>(nothing, source);
  // The ARN of a resource is given, whatever it will be.
  if (isEqual(unknown, empty) === false) return unknown;
  const formula = isFormula(unknown, nothing);
  const outcomes = formula === undefined ? undefined : outcomesOf(formula);
  if (outcomes === undefined || outcomes.yes === 'always' || outcomes.no === 'always') return unknown;
  const alternatives: Alternative<TerraformItem>[] = [
    ...outcomes.yes.map((when) => ({ when, value: empty })),
    ...outcomes.no.map((when) => ({ when, value: unknown })),
  ];
  return limited(alternatives, source);
}
