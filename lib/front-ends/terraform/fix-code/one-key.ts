import { alternativesOf, type Resource, type Value } from '../../../value';

/** The key of one of several that `for_each` makes: `aws_eks_addon.this["vpc-cni"]`. */
const KEY = /\["([^"\\$]+)"\]$/;

/**
 * The version of one of the add-ons that a block makes with `for_each`, where the block names none: it is for that one alone, and the others go on without.
 */
export function forOneKey(code: string, resource: Resource): string {
  const [, key] = KEY.exec(resource.id) ?? [];
  const [, version] = /^addon_version = ("[^"$]+")$/.exec(code) ?? [];
  const isOneOfSeveral = resource.moduleInputs === undefined && resource.editing?.repeatedBy === 'for_each';
  return key === undefined ||
    version === undefined ||
    !isOneOfSeveral ||
    !('version' in resource) ||
    isWritten(resource)
    ? code
    : `addon_version = each.key == ${JSON.stringify(key)} ? ${version} : null`;
}

/** Whether the block says something of it: what is absent all the same stands at the argument then. */
function isWritten({ source, version }: Resource & { readonly version?: unknown }): boolean {
  const head = source.locate();
  return alternativesOf(version as Value<unknown>).some(({ value }) => {
    const place = value.source.locate();
    return value.kind !== 'absent' || place.file !== head.file || place.line !== head.line;
  });
}
