import type { EksResource, Reference } from '../../eks';
import { flatMapValue, Known, type Plain, type Value } from '../../value';

/**
 * What a text refers to. A reference to a resource of the input is known, although its id is not; so is a literal
 * name or ARN, with its resource if `byText` finds it.
 */
export function referenceFrom<T extends EksResource>(
  value: Value<string>,
  kind: T['kind'],
  byText: (text: string) => T | undefined = () => undefined,
): Value<Reference<T>> {
  return flatMapValue(value, (plain): Plain<Reference<T>> => {
    if (plain.kind === 'absent') return plain;
    if (plain.kind === 'known')
      return new Known({ text: plain.value, target: byText(plain.value) }, plain.source, plain.note);
    const resource = plain.reference?.resource as EksResource | undefined;
    if (resource?.kind === kind) return new Known({ text: resource.id, target: resource as T }, plain.source);
    const target = plain.text === undefined ? undefined : byText(plain.text);
    return target === undefined ? plain : new Known({ text: target.id, target }, plain.source);
  });
}

/** Name in a role's ARN (its last part, behind an optional path), or the text itself if it is no ARN. */
export function roleName(text: string): string | undefined {
  const name = text.startsWith('arn:') ? /:role\/(?:.*\/)?([^/]+)$/.exec(text)?.[1] : text;
  return name?.includes('${') === true ? undefined : name;
}
