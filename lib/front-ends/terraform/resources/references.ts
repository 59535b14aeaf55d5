import { roleName, type Cluster, type Reference, type Role, type Subnet } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import type { Registry } from './registry';

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

/** Subnets one by one; a list that isn't known as a whole stays so. */
export function subnetReferences(
  list: Value<readonly TerraformValue[]>,
  { registry, stack }: ReferenceScope,
): Value<readonly Value<Reference<Subnet>>[]> {
  return mapValue(list, (items) =>
    items.map((item) => referenceFrom<Subnet>(asText(item), 'subnet', (id) => registry.withId('subnet', id, stack))),
  );
}
