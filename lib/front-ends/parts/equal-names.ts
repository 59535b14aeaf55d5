import { alternativesOf, type Unknown, type Value } from '../../value';

/**
 * Resources by names that aren't known as a whole. Equal expressions over the same unknown parts are equal names, and so are
 * alternatives that are equal under the same assumptions.
 */
export class EqualNames<T extends object> {
  private readonly byKey = new Map<string, { readonly name: Value<string>; readonly resource: T }[]>();

  /** @param symbolOf equal for unknown values that are equal; undefined if nothing tells */
  constructor(private readonly symbolOf: (unknown: Unknown) => string | undefined = ({ symbol }) => symbol) {}

  add(name: Value<string>, stack: string, resource: T): void {
    const key = this.keyOf(name, stack);
    if (key === undefined) return;
    const found = this.byKey.get(key);
    if (found === undefined) this.byKey.set(key, [{ name, resource }]);
    else found.push({ name, resource });
  }

  /** The resource with a name of a stack; undefined if there is none or more than one. */
  get(name: Value<string>, stack: string): T | undefined {
    const key = this.keyOf(name, stack);
    const found = key === undefined ? [] : (this.byKey.get(key) ?? []);
    const [only, other] = new Set(found.filter((one) => isUnderSame(one.name, name)).map(({ resource }) => resource));
    return other === undefined ? only : undefined;
  }

  /** What is looked up at deployment may differ from stack to stack. Undefined for names that are known, or of which too little is. */
  private keyOf(name: Value<string>, stack: string): string | undefined {
    const parts: string[] = [stack];
    let isKnown = true;
    for (const { when, value } of alternativesOf(name)) {
      const part = value.kind === 'known' ? `=${value.value}` : value.kind === 'unknown' ? this.symbolOf(value) : '';
      if (part === undefined) return undefined;
      if (when.text !== '' || value.kind === 'unknown') isKnown = false;
      parts.push(when.text, part);
    }
    return isKnown ? undefined : JSON.stringify(parts);
  }
}

/** Whether assumptions that read alike are the same: those of two modules may read `var.env is dev` both. */
function isUnderSame(one: Value<string>, other: Value<string>): boolean {
  const others = alternativesOf(other);
  return alternativesOf(one).every(({ when }, index) => {
    const same = others[index]?.when;
    return same !== undefined && when.and(same) === when && same.and(when) === same;
  });
}
