import type { Expression } from '../../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../../languages/hcl/children';
import { alternativesOf, type ClusterPlace, type Resource, type Value } from '../../../value';
import { codeParts, type CodePart } from './printed';

/*
 * Code is for pasting. What would refer to nothing there, take the place of the user's own script, or go to a place that only words can tell, is
 * not shown: the words of the fix say what to do.
 */

/** Parts of user data, which stand in a document and not in the resource. */
const OF_USER_DATA: ReadonlySet<string> = new Set([
  'certificateAuthority',
  'cidr',
  'cluster',
  'content',
  'content_type',
  'part',
  'spec',
]);

/** A piece of a script, in which the user has more of it. */
const OF_SCRIPT = /^(?:# in the script\b|--)|^content_type\b/;

/** What only the user knows, as code of fixes has it. */
const OPEN = /<(?!\/?(?:powershell|script|persist)\b)[a-z][^<>\n]*>|["']…["']/i;

/** What only one of the add-ons that a resource makes can take. */
const OF_ONE = /^(?:addon_version(?! = each\.key == )|configuration_values|service_account_role_arn)\b/m;

function isOfLoop({ id, moduleInputs }: Resource): boolean {
  return moduleInputs === undefined && id.endsWith(']') && !/\[\d+\]$/.test(id);
}

/** The one type that has an argument or block, of those that code of fixes sets. */
const OWNERS: ReadonlyMap<string, RegExp> = new Map([
  ['ami_type', /^aws_eks_node_group$/],
  ['configuration_values', /^aws_eks_addon$/],
  ['image_id', /^aws_launch_/],
  ['instance_types', /^aws_eks_node_group$/],
  ['metadata_options', /^aws_(?:launch_|instance$)/],
  ['pod_identity_association', /^aws_eks_addon$/],
  ['subnet_ids', /^aws_eks_(?:node_group|cluster)$/],
]);

/** What code of fixes calls by a name of its own, where the rule doesn't fill in the one of the input. */
const OF_EXAMPLES = /^(?:aws_(?:iam_role|launch_template|s3_bucket|security_group|subnet)\.|data\.aws_ssm_parameter\.)/;

/** Another resource, behind which its code stands. */
const OF_ANOTHER = /^in aws_launch_template\.[\w-]+:$/;

function firstOrAll(index: number, length: number): number {
  return index < 0 ? length : index;
}

/** Another place than the resource, in words. */
const ELSEWHERE = /^(?:in the (?:launch template|node group|script)|remove )\b/;

export function isFitting(code: string, resource: Resource, place: () => ClusterPlace): boolean {
  if (OPEN.test(code) || (OF_ONE.test(code) && isOfLoop(resource))) return false;
  const parts = codeParts(code);
  // A piece of an object of Kubernetes, or of user data that the rule has put together.
  if (parts === undefined) return !OF_SCRIPT.test(code);
  const own = parts.slice(
    0,
    firstOrAll(
      parts.findIndex((part) => part.kind === 'comment' && OF_ANOTHER.test(part.text)),
      parts.length,
    ),
  );
  if (own.some((part) => part.kind !== 'comment' && isOfAnother(part.name, resource))) return false;
  const isDocument = resource.type === 'cloudinit_config';
  if (!isDocument && parts.some((part) => part.kind !== 'comment' && OF_USER_DATA.has(part.name))) return false;
  if (parts.some((part) => part.kind === 'comment' && ELSEWHERE.test(part.text))) return false;
  if (hasUserData(resource) && parts.some(replacesUserData)) return false;
  const declared = new Set(
    parts.flatMap((part) => (part.kind === 'block' && part.labels.length > 0 ? [addressOf(part)] : [])),
  );
  return parts
    .flatMap(referencesIn)
    .every((one) => declared.has(one) || !OF_EXAMPLES.test(one) || place().has(one, resource));
}

function isOfAnother(name: string, { type, moduleInputs }: Resource): boolean {
  // A map of a call has what several resources have.
  if (moduleInputs?.has(name) === true) return false;
  return type.startsWith('aws_') && OWNERS.get(name)?.test(type) === false;
}

function addressOf({ name, labels }: Extract<CodePart, { kind: 'block' }>): string {
  return `${name === 'data' ? 'data.' : ''}${labels.join('.')}`;
}

function hasUserData(resource: Resource): boolean {
  return (
    'userData' in resource &&
    alternativesOf(resource.userData as Value<unknown>).some(({ value }) => value.kind !== 'absent')
  );
}

function replacesUserData(part: CodePart): boolean {
  return part.kind === 'argument'
    ? part.name === 'user_data'
    : part.kind === 'block' && part.labels[0] === 'cloudinit_config';
}

/** The resources and data sources that a part refers to: `aws_iam_role.nodes`, `data.aws_partition.current`. */
function referencesIn(part: CodePart): readonly string[] {
  if (part.kind === 'comment') return [];
  return part.kind === 'argument' ? referencesOf(part.value) : part.parts.flatMap(referencesIn);
}

function referencesOf(node: SyntaxNode): readonly string[] {
  const steps = 'range' in node ? stepsOf(node as Expression) : [];
  const [type = '', name, third] = steps;
  if (type.includes('_') && name !== undefined) return [`${type}.${name}`];
  if (type === 'data' && name !== undefined && third !== undefined) return [`data.${name}.${third}`];
  return steps.length > 0 ? [] : childrenOf(node).flatMap(referencesOf);
}

/** The words of a reference; none for anything else. */
function stepsOf(expression: Expression): readonly string[] {
  if (expression.kind === 'variable') return [expression.name];
  if (expression.kind === 'index') return stepsOf(expression.of);
  if (expression.kind !== 'attribute') return [];
  const of = stepsOf(expression.of);
  return of.length === 0 ? [] : [...of, expression.name];
}
