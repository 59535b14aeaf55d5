import { roleName, type Cluster, type Reference, type Role } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import type { KindWithId, OfKind, Registry } from './registry';

/** Where a reference is resolved. */
export interface ReferenceScope {
  readonly registry: Registry;
  readonly stack: string;
  /** The address of the module that it stands in. @default - none: of several resources with one name, none is meant */
  readonly module?: string;
}

/** A cluster by reference or by name. */
export function clusterReference(
  value: TerraformValue,
  { registry, stack, module }: ReferenceScope,
): Value<Reference<Cluster>> {
  return referenceFrom<Cluster>(asText(value), 'cluster', (name) => registry.clusterNamed(name, stack, module));
}

/** A role by reference, by ARN or by name. */
export function roleReference(
  value: TerraformValue,
  { registry, stack, module }: ReferenceScope,
): Value<Reference<Role>> {
  return referenceFrom<Role>(asText(value), 'role', (text) => {
    const name = roleName(text);
    return name === undefined ? undefined : registry.roleNamed(name, stack, module);
  });
}

/** What a text that is an id refers to. */
export function referenceById<K extends KindWithId>(
  value: TerraformValue,
  kind: K,
  { registry, stack }: ReferenceScope,
): Value<Reference<OfKind<K>>> {
  return referenceFrom<OfKind<K>>(asText(value), kind as OfKind<K>['kind'], (id) => registry.withId(kind, id, stack));
}

/** The same one by one; a list that isn't known as a whole stays so. */
export function referencesById<K extends KindWithId>(
  list: Value<readonly TerraformValue[]>,
  kind: K,
  scope: ReferenceScope,
): Value<readonly Value<Reference<OfKind<K>>>[]> {
  return mapValue(list, (items) => items.map((item) => referenceById(item, kind, scope)));
}
