import type { Body, Expression } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import type { Declared } from './merged-file';
import type { ModuleConfiguration } from './module-configuration';

/*
 * Variables on which it rests alone that something is absent, or whom a role trusts. Rules say that nothing attaches a policy, or that the role is another account's;
 * where that follows from a default, a file in sight that gives another value is reason enough to doubt it.
 */

/** What rules miss: that there is none of it here. */
const MISSED: ReadonlySet<string> = new Set([
  'aws_eks_addon',
  'aws_eks_pod_identity_association',
  'aws_iam_openid_connect_provider',
  'aws_iam_policy_attachment',
  'aws_iam_role_policy',
  'aws_iam_role_policy_attachment',
  'aws_vpc_endpoint',
]);

/** Arguments by which modules of others make such things. */
const MAKING = /^(?:(?:cluster_|eks_)?addons|enable_irsa|(?:iam_role_)?(?:additional_)?polic(?:ies|y_arns))$/;

/** Arguments by which they trust service accounts. */
const NAMING = /service_accounts?$|^oidc_(?:fully_qualified_subjects|providers)$|^associations$/;

/** What has trust policies. */
const TRUSTING: ReadonlySet<string> = new Set(['aws_iam_role', 'aws_iam_policy_document']);

/** In the subject of a service account. */
const SUBJECT = 'system:serviceaccount:';

export interface DecisiveVariables {
  /** Those that make something where they aren't empty. */
  readonly making: ReadonlySet<string>;
  /** Those in the subjects of service accounts. */
  readonly naming: ReadonlySet<string>;
}

const NONE: DecisiveVariables = { making: new Set(), naming: new Set() };

const known = new WeakMap<ModuleConfiguration, DecisiveVariables>();

/** The configuration of a module that is called, if it is here. */
export type Called = (caller: ModuleConfiguration, declared: Declared) => ModuleConfiguration | undefined;

export function decisiveVariables(configuration: ModuleConfiguration, called: Called): DecisiveVariables {
  const found = known.get(configuration);
  if (found !== undefined) return found;
  // Of a circle of calls, what the first time round finds.
  known.set(configuration, NONE);
  const all = new Search(configuration, called);
  known.set(configuration, all);
  return all;
}

class Search implements DecisiveVariables {
  readonly making: ReadonlySet<string>;
  readonly naming: ReadonlySet<string>;
  private readonly makers: SyntaxNode[] = [];
  private readonly names: SyntaxNode[] = [];

  constructor(configuration: ModuleConfiguration, called: Called) {
    for (const { type, mode, block } of configuration.resources.values()) {
      if (mode === 'managed' && MISSED.has(type)) this.addRepetition(block.body);
      if (TRUSTING.has(type)) this.addSubjectsOf(block.body);
    }
    for (const { attribute } of configuration.locals.values()) this.addSubjects(attribute.value);
    for (const declared of configuration.calls.values())
      this.addCall(declared, called(configuration, declared), called);
    this.making = variablesIn(this.makers, configuration);
    this.naming = variablesIn(this.names, configuration);
  }

  private addRepetition({ attributes }: Body): void {
    for (const { name, value } of attributes) if (name === 'count' || name === 'for_each') this.makers.push(value);
  }

  private addCall({ block: { body } }: Declared, module: ModuleConfiguration | undefined, called: Called): void {
    const inner = module === undefined ? undefined : decisiveVariables(module, called);
    // A module that isn't there makes nothing.
    if (inner !== undefined) this.addRepetition(body);
    for (const { name, value } of body.attributes) {
      if (inner === undefined ? MAKING.test(name) : inner.making.has(name)) this.makers.push(value);
      if (inner === undefined ? NAMING.test(name) : inner.naming.has(name)) this.names.push(value);
    }
  }

  private addSubjectsOf({ attributes, blocks }: Body): void {
    for (const { value } of attributes) this.addSubjects(value);
    for (const block of blocks) this.addSubjectsOf(block.body);
  }

  /** Of a text with a subject in it, and of the arguments that a function puts into one. */
  private addSubjects(root: Expression): void {
    const open: SyntaxNode[] = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const children = childrenOf(node);
      if (isComposed(node) && children.some(speaksOfSubjects)) this.names.push(node);
      else open.push(...children);
    }
  }
}

/** The variables that expressions name, by way of local values, too. */
function variablesIn(roots: readonly SyntaxNode[], { locals }: ModuleConfiguration): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'attribute' && 'of' in node && node.of.kind === 'variable') {
      if (node.of.name === 'var') found.add(node.name);
      const local = node.of.name === 'local' && !seen.has(node.name) ? locals.get(node.name) : undefined;
      if (local !== undefined) {
        seen.add(node.name);
        open.push(local.attribute.value);
      }
    }
    open.push(...childrenOf(node));
  }
  return found;
}

function isComposed(node: SyntaxNode): node is Extract<Expression, { kind: 'template' | 'call' }> {
  return node.kind === 'template' || (node.kind === 'call' && (node.name === 'format' || node.name === 'join'));
}

function speaksOfSubjects(node: SyntaxNode): boolean {
  if (node.kind === 'text') return node.text.includes(SUBJECT);
  if (node.kind === 'literal') return String(node.value).includes(SUBJECT);
  return node.kind === 'template' && node.parts.some(speaksOfSubjects);
}

/** Whether a value makes nothing of what is made for its items, or where it is true. */
export function makesNothing(value: TerraformValue): boolean {
  if (value.kind === 'absent') return true;
  if (value.kind !== 'known') return false;
  const { value: item }: { readonly value: TerraformItem } = value;
  if (item instanceof TerraformList) return item.items.length === 0;
  if (item instanceof TerraformMap) return item.entries.size === 0 && item.more === undefined;
  return item === false || item === '' || item === 0 || item === 'false';
}
