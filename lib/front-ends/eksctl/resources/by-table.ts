import type { Role } from '../../../eks';
import type { ReadByTable, ResourceTable } from '../../../eks/resources/table';
import { Absent, Known, type Plain } from '../../../value';
import { readersOf, type TableReading } from '../../parts/by-table';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';

type Reading = TableReading<ConfigNode, ConfigFile>;

const text: Reading['plain']['text'] = (block, key) => block.child(key).text;
const number: Reading['plain']['number'] = (block, key) => block.child(key).number;
const texts: Reading['plain']['texts'] = (block, key) => block.child(key).texts;

const readByCode = (): never => {
  throw new Error('the network is read by code');
};

const READING: Reading = {
  naming: 'eksctl',
  plain: {
    text,
    word: text,
    number,
    amount: number,
    texts,
    securityGroups: texts,
    boolean: (block, key) => block.child(key).boolean,
    present: (block, key): Plain<true> => {
      const node = block.child(key);
      return node.isWritten ? new Known(true, node) : new Absent(node.place);
    },
    cluster: (_block, _key, file) => file.reference,
    // Roles are made by other tools, or by eksctl itself, which then names none.
    role: (block, key) => referenceFrom<Role>(block.child(key).text, 'role'),
    subnet: readByCode,
    subnets: readByCode,
    vpc: readByCode,
    routeTable: readByCode,
    routeTables: readByCode,
  },
  blocks: {
    block: (content) => (block, key, file) => {
      const node = block.child(key);
      return node.isWritten ? new Known(content(node, node, file), node) : new Absent(node.place);
    },
    blocks: (content) => (block, key, file) => {
      const node = block.child(key);
      return node.isWritten
        ? new Known(
            node.items.map((item) => content(item, item, file)),
            node,
          )
        : new Absent(node.place);
    },
    each: (content) => (block, key, file) => block.child(key).items.map((item) => content(item, item, file)),
  },
};

/** What a table reads of a resource; the rest is code. */
export function readByTable<T extends ResourceTable>(
  table: T,
  node: ConfigNode,
  file: ConfigFile,
): ReadByTable<T, 'eksctl'> {
  // What stands in the table is what is read.
  return Object.fromEntries(readersOf(table, READING).map(({ name, read }) => [name, read(node, file)])) as ReadByTable<
    T,
    'eksctl'
  >;
}
