import type { Repair } from '../engine/repair';
import { appendTo } from './list-edit';
import { refuse, type EditPlan } from './text-edit';
import { NOT_CLEAR, walk, type Tree, type TreeNode, type TreePath, type TreeScalar } from './tree';
import { setIn } from './tree-edit';
import { inlineValue, mannerOf } from './tree-values';

/*
 * Changes of roles in templates. In Terraform policies are attached by resources of their own.
 */

/** Policies of a role that every account takes; the quota can be raised. Source: IAM user guide, "IAM and AWS STS quotas". */
const MOST_POLICIES = 10;

const PROPERTIES = { managedPolicies: 'ManagedPolicyArns', trustPolicy: 'AssumeRolePolicyDocument' } as const;

export function rolePath(id: string, field: keyof typeof PROPERTIES): TreePath {
  return ['Resources', id, 'Properties', PROPERTIES[field]];
}

/** Attaches a policy of AWS, in whatever partition the template is deployed to. */
export function attachPolicy(tree: Tree, id: string, policy: string): EditPlan {
  const path = rolePath(id, 'managedPolicies');
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  const arn = { 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${policy}` };
  if (missing.length > 1) return refuse(`${id} isn't written as a resource of its own`);
  if (missing.length === 1) return setIn(tree, path, [arn]);
  if (node.kind !== 'list') return refuse(NOT_CLEAR);
  return node.entries().length < MOST_POLICIES
    ? appendTo(tree, path, [arn])
    : refuse(`the role has ${node.entries().length} policies, and more than ${MOST_POLICIES} need a higher quota`);
}

/** Lets a condition of the trust policy take a text besides the one that it takes. */
export function trustToo(tree: Tree, id: string, { beside, text }: Extract<Repair, { kind: 'trustToo' }>): EditPlan {
  const path = rolePath(id, 'trustPolicy');
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  const found = missing.length > 0 ? [] : textsIn(node, path).filter(({ scalar }) => scalar.value === beside);
  const [only, ...others] = found;
  if (only === undefined) return refuse('what it trusts stands elsewhere than in the resource itself');
  if (others.length > 0) return refuse('it trusts that in several places');
  const { scalar, at, inList } = only;
  if (scalar.refusal !== undefined) return refuse(scalar.refusal);
  if (inList) return appendTo(tree, at.slice(0, -1), [text]);
  const { start, end } = scalar;
  if (tree.text.slice(start, end).includes('\n')) return refuse(NOT_CLEAR);
  return { edits: [{ start, end, text: inlineValue(mannerOf(tree, []), [beside, text]) }] };
}

interface FoundText {
  readonly scalar: TreeScalar;
  readonly at: TreePath;
  readonly inList: boolean;
}

function textsIn(node: TreeNode, at: TreePath, inList = false): FoundText[] {
  if (node.kind === 'scalar') return [{ scalar: node, at, inList }];
  return node.entries().flatMap(({ key, value }) => textsIn(value, [...at, key], node.kind === 'list'));
}
