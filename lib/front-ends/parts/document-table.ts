import type { Naming, ReadByTable, ResourceTable } from '../../eks/resources/table';
import { mapValue } from '../../value';
import { readersOf, type TableReading } from './by-table';
import type { DocumentNode } from './document-node';

type Plain<N, S> = TableReading<N, S>['plain'];

/** The settings that mean other resources, which each front end finds in its own way. */
type References<N, S> = Pick<
  Plain<N, S>,
  'cluster' | 'role' | 'subnet' | 'subnets' | 'vpc' | 'routeTable' | 'routeTables'
>;

/** Reads what a table says of a resource; the rest is code. */
export type ReadTable<N, S, Names extends Naming> = <T extends ResourceTable>(
  table: T,
  node: N,
  scope: S,
) => ReadByTable<T, Names>;

/** The reader of tables for the nodes of a document. */
export function documentTables<N extends DocumentNode<N>, S, Names extends Naming>(
  naming: Names,
  references: References<N, S>,
): ReadTable<N, S, Names> {
  const reading = documentReading(naming, references);
  return <T extends ResourceTable>(table: T, node: N, scope: S) => {
    const holder = naming === 'cloudFormation' && table.root !== undefined ? node.child(table.root) : node;
    // What stands in the table is what is read.
    return Object.fromEntries(
      readersOf(table, reading).map(({ name, setting, read }) => [
        name,
        read(setting.isBesideRoot === true ? node : holder, scope),
      ]),
    ) as ReadByTable<T, Names>;
  };
}

function documentReading<N extends DocumentNode<N>, S>(
  naming: Naming,
  references: References<N, S>,
): TableReading<N, S> {
  const text: Plain<N, S>['text'] = (block, key) => block.child(key).text;
  const number: Plain<N, S>['number'] = (block, key) => block.child(key).number;
  const texts: Plain<N, S>['texts'] = (block, key) => block.child(key).texts;
  return {
    naming,
    plain: {
      text,
      word: text,
      number,
      amount: number,
      texts,
      securityGroups: texts,
      boolean: (block, key) => block.child(key).boolean,
      present: (block, key) => block.child(key).presence,
      ...references,
    },
    blocks: {
      block: (content) => (block, key, scope) => {
        const node = block.child(key);
        return mapValue(node.presence, () => content(node, node, scope));
      },
      blocks: (content) => (block, key, scope) =>
        mapValue(block.child(key).list, (items) => items.map((item) => content(item, item, scope))),
      each: (content) => (block, key, scope) => block.child(key).items.map((item) => content(item, item, scope)),
    },
  };
}
