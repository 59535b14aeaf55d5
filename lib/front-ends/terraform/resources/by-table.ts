import type { EksResource } from '../../../eks';
import type { ReadByTable, ResourceTable, WholeTable } from '../../../eks/resources/table';
import { mapValue, sourceOf } from '../../../value';
import { readersOf, type TableReading } from '../../parts/by-table';
import type { LinkedBlock } from './linked-block';
import { clusterReference, referenceById, referencesById, roleReference, type ReferenceScope } from './references';
import { groupReferences } from './security-group-peers';
import { TerraformResource } from './terraform-resource';

const READING: TableReading<LinkedBlock, ReferenceScope> = {
  naming: 'terraform',
  plain: {
    text: (block, key) => block.text(key),
    word: (block, key) => block.string(key),
    number: (block, key) => block.number(key),
    amount: (block, key) => block.amount(key),
    texts: (block, key) => block.texts(key),
    securityGroups: (block, key, scope) => groupReferences(block.texts(key), scope),
    boolean: (block, key) => block.boolean(key),
    present: (block, key) => mapValue(block.block(key).value, () => true),
    cluster: (block, key, scope) => clusterReference(block.item(key), scope),
    role: (block, key, scope) => roleReference(block.text(key), scope),
    subnet: (block, key, scope) => referenceById(block.item(key), 'subnet', scope),
    subnets: (block, key, scope) => referencesById(block.list(key), 'subnet', scope),
    vpc: (block, key, scope) => referenceById(block.item(key), 'vpc', scope),
    routeTable: (block, key, scope) => referenceById(block.item(key), 'route-table', scope),
    routeTables: (block, key, scope) => referencesById(block.list(key), 'route-table', scope),
  },
  blocks: {
    block: (content) => (block, key, scope) => block.whole(key, (one, source) => content(one, source, scope)),
    blocks: (content) => (block, key, scope) =>
      mapValue(block.blocks(key), (blocks) => blocks.map((one) => content(one, sourceOf(one.value), scope))),
    each: (content) => (block, key, scope) =>
      block.allBlocks(key).map((one) => content(one, sourceOf(one.value), scope)),
  },
};

type Base<T extends ResourceTable> = (abstract new (
  ...args: ConstructorParameters<typeof TerraformResource>
) => TerraformResource & ReadByTable<T, 'terraform'>) & {
  /** The types of resources that are read so. */
  readonly types: readonly string[];
};

/** The class whose getters a table describes; what it leaves to code the class that extends it adds. */
export function byTable<T extends ResourceTable>(table: T): Base<T> {
  abstract class Described extends TerraformResource {
    static readonly types = table.terraform;
  }
  for (const { name, read } of readersOf(table, READING)) {
    Object.defineProperty(Described.prototype, name, {
      configurable: true,
      get(this: Described) {
        return read(this.attributes, this.scope);
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
  ...args: ConstructorParameters<typeof TerraformResource>
) => EksResource) & {
  readonly types: readonly string[];
};
