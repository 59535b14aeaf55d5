import type { EksResource } from '../../../eks';
import type { ReadByTable, ResourceTable, WholeTable } from '../../../eks/resources/table';
import { Block } from '../../../cloudformation/block';
import type { Item } from '../../../cloudformation/item';
import type { Template } from '../../../cloudformation/template';
import { flatMapValue, Known, mapValue, sourceOf, type Plain, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { readersOf, type TableReading } from '../../parts/by-table';
import { ResourceByTable } from './resource-by-table';
import { clusterReference, referencesTo, referenceTo, roleReference } from './references';

type Reading = TableReading<Block, Template>;

const text: Reading['plain']['text'] = (block, key) => block.string(key);
const number: Reading['plain']['number'] = (block, key) => block.number(key);
const texts: Reading['plain']['texts'] = (block, key) => block.strings(key);

const blockOf = (value: Value<Item>, template: Template): Block => Block.of(value, template.set.evaluator);

const READING: Reading = {
  naming: 'cloudFormation',
  plain: {
    text,
    word: text,
    number,
    amount: number,
    texts,
    securityGroups: texts,
    boolean: (block, key) => block.boolean(key),
    present: (block, key) => mapValue(block.block(key).map, () => true),
    cluster: (block, key) => clusterReference(block.item(key)),
    role: (block, key, template) => roleReference(block.item(key), template),
    subnet: (block, key) => referenceTo(block.item(key), 'subnet'),
    subnets: (block, key) => referencesTo(block.list(key), 'subnet'),
    vpc: (block, key) => referenceTo(block.item(key), 'vpc'),
    routeTable: (block, key) => referenceTo(block.item(key), 'route-table'),
    routeTables: (block, key) => referencesTo(block.list(key), 'route-table'),
  },
  blocks: {
    block: (content) => (block, key, template) =>
      flatMapValue(
        block.block(key).map,
        (plain): Plain<unknown> =>
          plain.kind === 'known'
            ? new Known(content(blockOf(plain, template), plain.source, template), plain.source)
            : plain,
      ),
    blocks: (content) => (block, key, template) =>
      mapValue(block.list(key), (items) =>
        items.map((item) => content(blockOf(item, template), sourceOf(item), template)),
      ),
    each: (content) => (block, key, template) =>
      conditionalItems(block.list(key)).map((item) => content(blockOf(item, template), sourceOf(item), template)),
  },
};

type Base<T extends ResourceTable> = (abstract new (
  ...args: ConstructorParameters<typeof ResourceByTable>
) => ResourceByTable & ReadByTable<T, 'cloudFormation'>) & {
  /** The types of resources that are read so. */
  readonly types: readonly string[];
};

/** The class whose getters a table describes; what it leaves to code the class that extends it adds. */
export function byTable<T extends ResourceTable>(table: T): Base<T> {
  abstract class Described extends ResourceByTable {
    static readonly types = table.cloudFormation;

    protected override get rootKey(): string | undefined {
      return table.root;
    }
  }
  for (const { name, setting, read } of readersOf(table, READING)) {
    const isBeside = setting.isBesideRoot === true;
    Object.defineProperty(Described.prototype, name, {
      configurable: true,
      get(this: Described) {
        return read(isBeside ? this.properties : this.settings, this.template);
      },
    });
  }
  // What stands in the table is what the getters give.
  return Described as unknown as Base<T>;
}

/** The class of resources of which a table says all. */
export function wholeReader(table: WholeTable): Reader {
  class Whole extends byTable<ResourceTable>(table) {
    readonly kind = table.kind;
  }
  // What the table has is what the model asks for: its type says so.
  return Whole as unknown as Reader;
}

type Reader = (new (
  ...args: ConstructorParameters<typeof ResourceByTable>
) => EksResource) & {
  readonly types: readonly string[];
};
