import {
  roleName,
  type EksResource,
  type Reference,
  type Role,
  type RouteTable,
  type Subnet,
  type Vpc,
} from '../../../eks';
import { flatMapValue, Known, type Value } from '../../../value';
import { documentTables } from '../../parts/document-table';
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

/** Answers have the names of CloudFormation, of EKS with small first letters: see `asAnswer`. */
export const readByTable = documentTables<AnswerNode, Scope, 'cloudFormation'>('cloudFormation', {
  cluster: (block, key, { dump }) => dump.clusterOf(block.child(key).text),
  role: (block, key, { targets }) => roleReference(block.child(key), targets),
  subnet: (block, key, { targets }) => referenceFrom<Subnet>(block.child(key).text, 'subnet', subnetOf(targets)),
  subnets: (block, key, { targets }) => references<Subnet>(block.child(key), 'subnet', subnetOf(targets)),
  // What is asked for tells nothing of networks and routes.
  vpc: (block, key) => referenceFrom<Vpc>(block.child(key).text, 'vpc'),
  routeTable: (block, key) => referenceFrom<RouteTable>(block.child(key).text, 'route-table'),
  routeTables: (block, key) => references<RouteTable>(block.child(key), 'route-table'),
});
