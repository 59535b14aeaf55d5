import {
  roleName,
  type EksResource,
  type Reference,
  type Role,
  type RouteTable,
  type Subnet,
  type Vpc,
} from '../../../eks';
import type { ReadByTable, ResourceTable } from '../../../eks/resources/table';
import { Absent, flatMapValue, Known, type Plain, type Value } from '../../../value';
import { readersOf, type TableReading } from '../../parts/by-table';
import { referenceFrom } from '../../parts/references';
import type { AnswerNode } from '../answer-node';
import type { Dump } from '../dump';

/** Resources that others refer to, by what they are called there. */
export interface Targets {
  readonly roles: ReadonlyMap<string, Role>;
  readonly subnets: ReadonlyMap<string, Subnet>;
}

export interface Scope {
  readonly dump: Dump;
  readonly targets: Targets;
}

type Reading = TableReading<AnswerNode, Scope>;

const text: Reading['plain']['text'] = (block, key) => block.child(key).text;
const number: Reading['plain']['number'] = (block, key) => block.child(key).number;
const texts: Reading['plain']['texts'] = (block, key) => block.child(key).texts;

const READING: Reading = {
  // Answers have the names of CloudFormation, of EKS with small first letters: see `asAnswer`.
  naming: 'cloudFormation',
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
    cluster: (block, key, { dump }) => dump.clusterOf(block.child(key).text),
    role: (block, key, { targets }) => roleReference(block.child(key), targets),
    subnet: (block, key, { targets }) => referenceFrom<Subnet>(block.child(key).text, 'subnet', subnetOf(targets)),
    subnets: (block, key, { targets }) => references<Subnet>(block.child(key), 'subnet', subnetOf(targets)),
    // What is asked for tells nothing of networks and routes.
    vpc: (block, key) => referenceFrom<Vpc>(block.child(key).text, 'vpc'),
    routeTable: (block, key) => referenceFrom<RouteTable>(block.child(key).text, 'route-table'),
    routeTables: (block, key) => references<RouteTable>(block.child(key), 'route-table'),
  },
  blocks: {
    block: (content) => (block, key, scope) => {
      const node = block.child(key);
      return node.isWritten ? new Known(content(node, node, scope), node) : new Absent(node.place);
    },
    blocks: (content) => (block, key, scope) => {
      const node = block.child(key);
      return node.items.length > 0
        ? new Known(
            node.items.map((item) => content(item, item, scope)),
            node,
          )
        : new Absent(node.place);
    },
    each: (content) => (block, key, scope) => block.child(key).items.map((item) => content(item, item, scope)),
  },
};

const subnetOf =
  ({ subnets }: Targets) =>
  (id: string) =>
    subnets.get(id);

function references<T extends EksResource>(
  { texts: ids }: AnswerNode,
  kind: T['kind'],
  target?: (id: string) => T | undefined,
): Value<readonly Value<Reference<T>>[]> {
  return flatMapValue(ids, (plain) =>
    plain.kind === 'known'
      ? new Known(
          plain.value.map((item) => referenceFrom<T>(item, kind, target)),
          plain.source,
        )
      : plain,
  );
}

export function roleReference(
  { text: arn }: AnswerNode,
  { roles }: Targets,
): Value<{
  readonly text: string;
  readonly target: Role | undefined;
}> {
  return referenceFrom<Role>(arn, 'role', (written) => roles.get(roleName(written) ?? ''));
}

/** What a table reads of a resource; the rest is code. */
export function readByTable<T extends ResourceTable>(
  table: T,
  node: AnswerNode,
  scope: Scope,
): ReadByTable<T, 'cloudFormation'> {
  const holder = table.root === undefined ? node : node.child(table.root);
  // What stands in the table is what is read.
  return Object.fromEntries(
    readersOf(table, READING).map(({ name, setting, read }) => [
      name,
      read(setting.isBesideRoot === true ? node : holder, scope),
    ]),
  ) as ReadByTable<T, 'cloudFormation'>;
}
