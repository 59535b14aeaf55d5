import { roleName, type Cluster, type Reference, type Role } from '../../../eks';
import { flatMapValue, Known, Unknown, type Plain, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import { UnknownCollection } from '../../../terraform/evaluation/unknown-collection';
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

/** The same one by one. Of a list whose length isn't known, what stands for its items is one, and there may be more; any other stays unknown as a whole. */
export function referencesById<K extends KindWithId>(
  list: Value<readonly TerraformValue[]>,
  kind: K,
  scope: ReferenceScope,
): Value<readonly Value<Reference<OfKind<K>>>[]> {
  return flatMapValue(list, (plain): Plain<readonly Value<Reference<OfKind<K>>>[]> => {
    if (plain.kind === 'absent') return plain;
    if (plain.kind === 'known')
      return new Known(
        plain.value.map((item) => referenceById(item, kind, scope)),
        plain.source,
        plain.note,
      );
    if (!(plain instanceof UnknownCollection) || plain.shape.kind !== 'list') return plain;
    const element = referenceById(scope.registry.link(plain.shape.element), kind, scope);
    return element.kind === 'known' && element.value.target !== undefined
      ? new Known([element, new Unknown(plain.reason, plain.source)], plain.source)
      : plain;
  });
}
