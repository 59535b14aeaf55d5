import { roleBehind, type EksResource, type Reference } from '../../eks';
import { flatMapValue, Known, type Plain, Unknown, type Value } from '../../value';

/** Several resources that a name may be that of. */
export class Ambiguous<T = unknown> {
  constructor(
    readonly reason: string,
    readonly candidates: readonly T[],
  ) {}
}

/**
 * What a text refers to. A reference to a resource of the input is known, although its id is not; so is a literal
 * name or ARN, with its resource if `byText` finds it.
 */
export function referenceFrom<T extends EksResource>(
  value: Value<string>,
  kind: T['kind'],
  byText: (text: string) => T | Ambiguous | undefined = () => undefined,
): Value<Reference<T>> {
  return flatMapValue(value, (plain): Plain<Reference<T>> => {
    if (plain.kind === 'absent') return plain;
    if (plain.kind === 'known')
      return new Known(targeted<T>(plain.value, byText(plain.value)), plain.source, plain.note);
    const resource = kind === 'role' ? roleBehind(plain) : (plain.reference?.resource as EksResource | undefined);
    if (resource?.kind === kind) return new Known({ text: resource.id, target: resource as T }, plain.source);
    const target = plain.text === undefined ? undefined : byText(plain.text);
    if (target === undefined) return plain;
    return target instanceof Ambiguous
      ? new Unknown(target.reason, plain.source, plain.text, plain.symbol, plain.reference)
      : new Known({ text: target.id, target }, plain.source);
  });
}

function targeted<T>(text: string, target: T | Ambiguous | undefined): Reference<T> {
  return target instanceof Ambiguous ? { text, target: undefined, ambiguous: target.reason } : { text, target };
}
