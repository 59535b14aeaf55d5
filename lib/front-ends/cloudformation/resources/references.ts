import { roleName, type Cluster, type EksResource, type Reference, type Role } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { type Ambiguous, referenceFrom } from '../../parts/references';
import { asText, type Item } from '../../../cloudformation/item';
import type { Template } from '../../../cloudformation/template';
import { roleNamed } from './by-name';

/** What a property refers to: a resource of the input, or a literal name or ARN. */
export function referenceTo<T extends EksResource>(
  value: Value<Item>,
  kind: T['kind'],
  byText?: (text: string) => T | Ambiguous<T> | undefined,
): Value<Reference<T>> {
  return referenceFrom<T>(asText(value), kind, byText);
}

export function clusterReference(value: Value<Item>): Value<Reference<Cluster>> {
  return referenceTo<Cluster>(value, 'cluster');
}

/** A role by reference, by ARN or by name. */
export function roleReference(value: Value<Item>, template: Template): Value<Reference<Role>> {
  return referenceTo<Role>(value, 'role', (text) => {
    const name = roleName(text);
    return name === undefined ? undefined : roleNamed(name, template);
  });
}

/** Resources one by one; a list that only deployment tells, such as a parameter's, is unknown as a whole. */
export function referencesTo<T extends EksResource>(
  list: Value<readonly Value<Item>[]>,
  kind: T['kind'],
): Value<readonly Value<Reference<T>>[]> {
  return mapValue(list, (items) => items.map((item) => referenceTo<T>(item, kind)));
}
