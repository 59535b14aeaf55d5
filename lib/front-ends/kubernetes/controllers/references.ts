import { roleName, type Cluster, type EksResource, type LaunchTemplate, type Reference, type Role } from '../../../eks';
import type { RouteTable, Subnet, Vpc } from '../../../eks';
import { Known, Unknown, type Plain, type Value } from '../../../value';
import { documentTables } from '../../parts/document-table';
import { referenceFrom } from '../../parts/references';
import { Made, type SpecObject } from './spec-object';
import type { SpecNode } from './spec-node';

/** What objects may refer to, and the object that does. */
export interface Scope {
  readonly from: SpecObject;
  readonly clusters: Made<Cluster>;
  readonly roles: Made<Role>;
  readonly templates: Made<LaunchTemplate>;
}

/** What a setting means: by a name or an ARN, or by the object that stands for it. */
function referenceAt<T extends EksResource>(
  node: SpecNode,
  kind: T['kind'],
  made: Made<T>,
  { from }: Scope,
  nameIn: (written: string) => string | undefined = (written) => written,
): Value<Reference<T>> {
  const { reference } = node;
  if (node.isWritten || reference === undefined)
    return referenceFrom<T>(node.text, kind, (written) => {
      const name = nameIn(written);
      return name === undefined ? undefined : made.find(from, ({ awsName }) => isKnown(awsName, name));
    });
  const target = objectMeant(reference, made, from);
  if (target !== undefined) return new Known({ text: target.id, target }, reference);
  const { name } = refersTo(reference);
  return new Unknown(
    name === ''
      ? `\`${String(reference.path.at(-1))}\` decides it`
      : `object ${name}, to which it refers, isn't in the input`,
    reference,
    undefined,
    name === '' ? undefined : `${from.engine} ${kind} ${from.namespace} ${name}`,
  );
}

/** What a reference of either controller names: `{from: {name}}`, or `{name}`. */
export function refersTo(reference: SpecNode): { readonly name: string; readonly namespace: string } {
  const place = reference.child('from').isWritten ? reference.child('from') : reference;
  return { name: place.child('name').label, namespace: place.child('namespace').label };
}

function objectMeant<T extends EksResource>(reference: SpecNode, made: Made<T>, from: SpecObject): T | undefined {
  const { name, namespace } = refersTo(reference);
  if (name !== '')
    return made.find(
      from,
      (object) => object.name === name && object.namespace === (namespace === '' ? from.namespace : namespace),
    );
  const labels = reference.child('matchLabels');
  return labels.isWritten ? made.find(from, (object) => object.hasLabels(labels)) : undefined;
}

function isKnown(value: Plain<string>, wanted: string): boolean {
  return value.kind === 'known' && value.value === wanted;
}

/** Subnets by their ids, or by the objects that stand for them. */
function subnetsAt(node: SpecNode): Value<readonly Value<Reference<Subnet>>[]> {
  const { reference } = node;
  if (!node.isWritten && reference?.isList === true)
    return new Known(
      reference.items.map((item) => new Known({ text: refersTo(item).name, target: undefined }, item)),
      reference,
    );
  const { texts } = node;
  return texts.kind === 'known'
    ? new Known(
        texts.value.map((one) => referenceFrom<Subnet>(one, 'subnet')),
        texts.source,
      )
    : texts;
}

const REFERENCES = {
  cluster: (block: SpecNode, key: string, scope: Scope) =>
    referenceAt<Cluster>(block.child(key), 'cluster', scope.clusters, scope),
  role: (block: SpecNode, key: string, scope: Scope) =>
    referenceAt<Role>(block.child(key), 'role', scope.roles, scope, roleName),
  subnet: (block: SpecNode, key: string) => referenceFrom<Subnet>(block.child(key).text, 'subnet'),
  subnets: (block: SpecNode, key: string) => subnetsAt(block.child(key)),
  // No object tells of networks and routes.
  vpc: (block: SpecNode, key: string) => referenceFrom<Vpc>(block.child(key).text, 'vpc'),
  routeTable: (block: SpecNode, key: string) => referenceFrom<RouteTable>(block.child(key).text, 'route-table'),
  routeTables: (block: SpecNode, key: string) => new Unknown('no object tells', block.child(key)),
};

export const readSpec = documentTables<SpecNode, Scope, 'cloudFormation'>('cloudFormation', REFERENCES);
export const readProvided = documentTables<SpecNode, Scope, 'terraform'>('terraform', REFERENCES);
