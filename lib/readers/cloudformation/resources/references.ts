import { flatMapValue, Known, mapValue, type Cluster, type EksResource, type Plain, type Reference, type Role, type Subnet, type Value } from '../../../model';
import { asText, type Item } from '../item';
import type { TemplateSet } from '../template-set';

/**
 * What a property refers to. A reference to a resource of the input is known, although its id is not; so is a
 * literal name or ARN, with its resource if `byText` finds it.
 */
export function referenceTo<T extends EksResource>(
  value: Value<Item>,
  kind: T['kind'],
  byText: (text: string) => T | undefined = () => undefined,
): Value<Reference<T>> {
  return flatMapValue(asText(value), (plain): Plain<Reference<T>> => {
    if (plain.kind === 'absent') return plain;
    if (plain.kind === 'known') return new Known({ text: plain.value, target: byText(plain.value) }, plain.source, plain.note);
    const resource = plain.reference?.resource as EksResource | undefined;
    if (resource?.kind === kind) return new Known({ text: resource.id, target: resource as T }, plain.source);
    const target = plain.text === undefined ? undefined : byText(plain.text);
    return target === undefined ? plain : new Known({ text: target.id, target }, plain.source);
  });
}

export function clusterReference(value: Value<Item>): Value<Reference<Cluster>> {
  return referenceTo<Cluster>(value, 'cluster');
}

/** A role by reference, by ARN or by name. */
export function roleReference(value: Value<Item>, set: TemplateSet): Value<Reference<Role>> {
  return referenceTo<Role>(value, 'role', (text) => {
    const name = roleName(text);
    return name === undefined ? undefined : set.roleNamed(name);
  });
}

/** Name in a role's ARN (its last part, behind an optional path), or the text itself if it is no ARN. */
export function roleName(text: string): string | undefined {
  const name = text.startsWith('arn:') ? (/:role\/(?:.*\/)?([^/]+)$/.exec(text)?.[1]) : text;
  return name?.includes('${') === true ? undefined : name;
}

/** Subnets one by one; a list that only deployment tells, such as a parameter's, is unknown as a whole. */
export function subnetReferences(list: Value<readonly Value<Item>[]>): Value<readonly Value<Reference<Subnet>>[]> {
  return mapValue(list, (items) => items.map((item) => referenceTo<Subnet>(item, 'subnet')));
}
