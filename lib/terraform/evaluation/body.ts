import { Absent, Known, Unknown, type Source } from '../../value';
import type { Attribute, Block, Body, Expression } from '../../languages/hcl/ast';
import { BlockContent } from '../resource-object';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { flatMap, fromRows, rowsOf } from './choices';
import { entriesOf, type Entry } from './collections';
import { withNames } from './context';
import { evaluate } from './evaluate';
import { below } from './places';
import type { Scope } from './scope';

export interface BodyOptions {
  /** Where the block stands: its head. */
  readonly source: Source;
  /** Whether it is a resource or data source, whose meta-arguments (`count`, `for_each`, `provider`, `depends_on`, `lifecycle`, `provisioner`, `connection`) are left out. @default false */
  readonly isResource?: boolean;
  /** Names of attributes and blocks to leave out, such as `source` and `version` of a module call. @default - none */
  readonly without?: ReadonlySet<string>;
}

const META_ARGUMENTS: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'provider',
  'depends_on',
  'lifecycle',
  'provisioner',
  'connection',
  '//',
]);

const NOTHING: ReadonlySet<string> = new Set();

/** Blocks of which there is at most one by their schema: plans write them as an object, all others as lists. */
const SINGLE_BLOCKS: ReadonlySet<string> = new Set(['timeouts']);

/** The attributes and nested blocks of a block as a {@link TerraformMap}. Nested blocks are lists of maps, `dynamic` ones are expanded. Never throws. */
export function evaluateBody(
  body: Body,
  scope: Scope,
  { source, isResource = false, without = NOTHING }: BodyOptions,
): TerraformValue {
  const entries = new BodyReader(
    scope,
    '',
    (name) => (isResource && META_ARGUMENTS.has(name)) || without.has(name),
  ).entries(body);
  return new Known<TerraformItem>(new TerraformMap(entries), source);
}

/** More blocks than any resource has: blocks that are repeated within repeated ones multiply. */
const MOST_BLOCKS = 20_000;

class BodyReader {
  constructor(
    private readonly scope: Scope,
    /** Path of the block below the resource; empty for the resource itself. */
    private readonly property: string,
    private readonly isLeftOut: (name: string) => boolean,
    /** How many more blocks `dynamic` ones make in the whole resource. */
    private readonly budget: { left: number } = { left: MOST_BLOCKS },
  ) {}

  entries({ attributes, blocks }: Body): Map<string, TerraformValue> {
    const entries = new Map<string, TerraformValue>();
    for (const attribute of attributes)
      if (!this.isLeftOut(attribute.name)) entries.set(attribute.name, this.attribute(attribute));
    for (const [name, group] of grouped(blocks)) {
      // JSON may have an attribute and blocks of one name; blocks count.
      if (!this.isLeftOut(name)) entries.set(name, this.blocks(name, group));
    }
    return entries;
  }

  private attribute({ name, nameRange, value }: Attribute): TerraformValue {
    const property = below(this.property, name) ?? name;
    return evaluate(value, this.scope, { source: this.scope.place(nameRange, property), property });
  }

  /** The blocks of one name as a list; a choice of lists where their number depends on conditions, unknown where it isn't known. */
  private blocks(name: string, group: readonly Block[]): TerraformValue {
    const path = below(this.property, name) ?? name;
    const [first] = group;
    const place =
      first === undefined ? this.scope.place({ start: 0, end: 0 }, path) : this.scope.place(first.headRange, path);
    if (group.every((block) => block.type !== 'dynamic')) {
      return new Known<TerraformItem>(
        new TerraformList(group.map((block, index) => this.content(block.body, block, path, index, this.scope))),
        place,
      );
    }
    // Each dynamic block makes a list, whose length may depend on conditions.
    const lists = group.map((block) =>
      block.type === 'dynamic'
        ? this.dynamic(block, path)
        : new Known<TerraformItem>(new TerraformList([this.content(block.body, block, path, 0, this.scope)]), place),
    );
    return fromRows(rowsOf(lists), place, (plain) => {
      const items: TerraformValue[] = [];
      for (const list of plain) {
        if (list.kind === 'unknown') return new Unknown(list.reason, place);
        if (list.kind === 'known' && list.value instanceof TerraformList) items.push(...list.value.items);
      }
      return items.length === 0 ? new Absent(place) : new Known<TerraformItem>(new TerraformList(items), place);
    });
  }

  private content(body: Body, { type, headRange }: Block, path: string, index: number, scope: Scope): TerraformValue {
    const property = SINGLE_BLOCKS.has(path) ? path : `${path}[${index}]`;
    const entries = new BodyReader(scope, property, () => false, this.budget).entries(body);
    const written = (): ReturnType<BlockContent['written']> =>
      type === 'dynamic' ? type : this.written(body.attributes);
    return new Known<TerraformItem>(
      new BlockContent(entries, undefined, undefined, written),
      scope.place(headRange, property),
    );
  }

  private written(attributes: readonly Attribute[]): ReadonlyMap<string, string> {
    return new Map(
      attributes.flatMap(({ name, value }) => {
        const text = this.scope.textOf?.(value.range);
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
  }

  /** `dynamic "name" { for_each = …, content { … } }`. */
  private dynamic(block: Block, path: string): TerraformValue {
    const { attributes, blocks } = block.body;
    const place = this.scope.place(block.headRange, path);
    const forEach = attributes.find(({ name }) => name === 'for_each');
    const content = blocks.find(({ type }) => type === 'content');
    if (forEach === undefined || content === undefined)
      return new Unknown('a dynamic block has no for_each or no content', place);
    const name =
      iteratorName(attributes.find((attribute) => attribute.name === 'iterator')?.value) ?? block.labels[0] ?? '';
    return flatMap(evaluate(forEach.value, this.scope, { source: place }), (plain): TerraformValue => {
      const entries = entriesOf(plain, place, true);
      if (entries instanceof Unknown)
        return new Unknown(`how many blocks there are is not known: ${entries.reason}`, place);
      if (entries.length > this.budget.left) return new Unknown('it makes too many blocks', place);
      this.budget.left -= entries.length;
      const items = entries.map((entry, index) => this.repeated(entry, content, block, path, index, name));
      return new Known<TerraformItem>(new TerraformList(items), place);
    });
  }

  private repeated(
    entry: Entry,
    content: Block,
    block: Block,
    path: string,
    index: number,
    name: string,
  ): TerraformValue {
    const iterator = new TerraformMap(
      new Map([
        ['key', entry.key],
        ['value', entry.value],
      ]),
    );
    const place = this.scope.place(block.headRange, path);
    const scope = withNames(this.scope, new Map([[name, new Known<TerraformItem>(iterator, place)]]));
    return this.content(content.body, block, path, index, scope);
  }
}

/** Blocks by name, `dynamic` ones by the name of those that they make. */
function grouped(blocks: readonly Block[]): Map<string, Block[]> {
  const groups = new Map<string, Block[]>();
  for (const block of blocks) {
    const name = block.type === 'dynamic' ? (block.labels[0] ?? '') : block.type;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [block]);
    else group.push(block);
  }
  return groups;
}

/** `iterator = port`: the name stands for itself. */
function iteratorName(expression: Expression | undefined): string | undefined {
  if (expression?.kind === 'variable') return expression.name;
  return expression?.kind === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;
}
