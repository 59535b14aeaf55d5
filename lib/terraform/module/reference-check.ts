import type { Diagnostic } from '../../value';
import { nearestName } from '../../text/nearest';
import type { ConfigurationFile } from '../configuration-file';
import type { Block, Body, Expression, TemplatePart } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';
import { circlesIn } from './circles';
import { diagnosticAt, type ModuleConfiguration } from './module-configuration';

/** Arguments of blocks that name things in other ways than expressions do, or that nothing is made of. */
const SKIPPED_ATTRIBUTES: ReadonlySet<string> = new Set(['provider', 'providers', 'depends_on', 'type']);

/** Names that are compared with those that are missing, in one module. Of more, nobody reads what was meant. */
const MOST_COMPARED = 50_000;

/** Blocks whose content isn't looked at, or is left to Terraform. */
const SKIPPED_BLOCKS: ReadonlySet<string> = new Set([
  'lifecycle',
  'provisioner',
  'connection',
  'validation',
  'moved',
  'import',
  'removed',
  'check',
  'terraform',
  'ephemeral',
  'action',
  'list',
]);

type Names = ReadonlySet<string>;

/**
 * References of a module to what it doesn't declare, and those that lead in a circle. Terraform refuses both; without a word here, whatever
 * stands on them would only be unknown.
 */
export function checkReferences(configuration: ModuleConfiguration): readonly Diagnostic[] {
  const check = new ReferenceCheck(configuration);
  for (const file of configuration.files) check.file(file);
  return [...check.diagnostics, ...check.circles()];
}

class ReferenceCheck {
  readonly diagnostics: Diagnostic[] = [];
  private readonly resources: Names;
  private readonly told = new Set<string>();
  /** What local values and resources refer to, by `local.a` and `aws_x.y`. */
  private readonly edges = new Map<string, Set<string>>();
  private compared = 0;
  private owner: string | undefined;

  constructor(private readonly configuration: ModuleConfiguration) {
    this.resources = new Set(configuration.resources.keys());
  }

  file(file: ConfigurationFile): void {
    for (const block of file.body.blocks) {
      if (SKIPPED_BLOCKS.has(block.type)) continue;
      this.owner = ownerOf(block);
      if (block.type === 'locals') this.locals(block.body, file);
      else this.body(block.body, file, new Set());
    }
  }

  circles(): readonly Diagnostic[] {
    return circlesIn(this.edges).flatMap((name) => {
      const { locals, resources } = this.configuration;
      const local = name.startsWith('local.') ? locals.get(name.slice('local.'.length)) : undefined;
      const resource = resources.get(name);
      const [file, range] =
        local === undefined ? [resource?.file, resource?.block.headRange] : [local.file, local.attribute.nameRange];
      return file === undefined || range === undefined
        ? []
        : [diagnosticAt('warning', `${name} refers to itself`, file, range)];
    });
  }

  private locals({ attributes }: Body, file: ConfigurationFile): void {
    for (const { name, value } of attributes) {
      this.owner = `local.${name}`;
      this.expression(value, file, new Set());
    }
  }

  private edge(target: string): void {
    if (this.owner === undefined) return;
    const targets = this.edges.get(this.owner);
    if (targets === undefined) this.edges.set(this.owner, new Set([target]));
    else targets.add(target);
  }

  private body(body: Body, file: ConfigurationFile, bound: Names): void {
    for (const { name, value } of body.attributes)
      if (!SKIPPED_ATTRIBUTES.has(name)) this.expression(value, file, bound);
    for (const block of body.blocks) {
      if (!SKIPPED_BLOCKS.has(block.type))
        this.body(block.body, file, block.type === 'dynamic' ? new Set([...bound, iteratorOf(block)]) : bound);
    }
  }

  /** By hand and not by recursion: chains of operators are as deep as they are long. */
  private expression(root: Expression, file: ConfigurationFile, bound: Names): void {
    const open: { readonly node: SyntaxNode; readonly bound: Names }[] = [{ node: root, bound }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node } = next;
      const path = 'range' in node ? pathOf(node) : undefined;
      if (path !== undefined) this.reference(path, node, file, next.bound);
      const inner =
        node.kind === 'for'
          ? new Set([...next.bound, node.valueName, ...(node.keyName === undefined ? [] : [node.keyName])])
          : next.bound;
      const children = path === undefined ? childrenOf(node) : indexesIn(node);
      for (const child of children) open.push({ node: child, bound: inner });
    }
  }

  private reference(
    [first = '', second, third]: readonly string[],
    node: SyntaxNode,
    file: ConfigurationFile,
    bound: Names,
  ): void {
    if (bound.has(first) || second === undefined || !('range' in node)) return;
    const { configuration } = this;
    const missing = (kind: string, name: string, names: { readonly size: number; keys(): Iterable<string> }) => {
      // Once for all its uses.
      if (this.told.has(`${kind} ${name}`)) return;
      this.told.add(`${kind} ${name}`);
      this.compared += names.size;
      const similar =
        name.length < 3 || this.compared > MOST_COMPARED ? undefined : nearestName(name, [...names.keys()]);
      const hint = similar === undefined ? '' : `; there is "${similar}"`;
      this.diagnostics.push(
        diagnosticAt('warning', `there is no ${kind} "${name}" in this module${hint}`, file, node.range),
      );
    };
    switch (first) {
      case 'var':
        if (!configuration.variables.has(second)) missing('variable', second, configuration.variables);
        return;
      case 'local':
        this.edge(`local.${second}`);
        if (!configuration.locals.has(second)) missing('local value', second, configuration.locals);
        return;
      case 'module':
        if (!configuration.calls.has(second)) missing('module', second, configuration.calls);
        return;
      case 'data':
        if (third === undefined) return;
        this.edge(`data.${second}.${third}`);
        if (!this.resources.has(`data.${second}.${third}`)) missing('data source', `${second}.${third}`, new Set());
        return;
      case 'each':
      case 'count':
      case 'self':
      case 'path':
      case 'terraform':
      case 'tofu':
      case 'ephemeral':
      case 'action':
      case 'provider':
        return;
      default:
        this.edge(`${first}.${second}`);
        // Every type of a resource has the name of its provider in front; other words are names that aren't known here.
        if (first.includes('_') && !this.resources.has(`${first}.${second}`))
          missing('resource', `${first}.${second}`, this.resources);
    }
  }
}

function ownerOf({ type, labels }: Block): string | undefined {
  if (type === 'resource') return labels.join('.');
  return type === 'data' ? `data.${labels.join('.')}` : undefined;
}

function iteratorOf(block: Block): string {
  const iterator = block.body.attributes.find(({ name }) => name === 'iterator')?.value;
  return iterator?.kind === 'variable' ? iterator.name : (block.labels[0] ?? '');
}

/** The names that a reference begins with; undefined for other expressions. */
function pathOf(node: Expression | TemplatePart | SyntaxNode): readonly string[] | undefined {
  const names: string[] = [];
  let current: SyntaxNode = node;
  for (;;) {
    if (current.kind === 'variable') return [current.name, ...names.reverse()];
    if (!('of' in current)) return undefined;
    // Only what stands in front of an index or splat is a name of the module.
    if (current.kind === 'attribute') names.push(current.name);
    else names.length = 0;
    current = current.of;
  }
}

/** What stands in brackets behind the names of a reference. */
function indexesIn(node: SyntaxNode): readonly SyntaxNode[] {
  const inner: SyntaxNode[] = [];
  for (
    let current: SyntaxNode | undefined = node;
    current !== undefined;
    current = 'of' in current ? current.of : undefined
  ) {
    if (current.kind === 'index') inner.push(current.key);
    else if (current.kind === 'splat') inner.push(...current.rest.flatMap(childrenOf));
  }
  return inner;
}
