import { Absent, flatMapValue, Known, Unknown, type Plain, type Value } from '../../eks';

/** Whether a setting is written at all, whatever it says. */
export type Presence = 'set' | 'unset' | 'unknown';

/**
 * Whether something stands there. A parameter or another resource stands for some value; what a macro may add needn't come, and
 * an empty text is how templates say "none".
 */
export function presenceOf(plain: Plain<unknown>): Presence {
  if (plain.kind === 'absent') return 'unset';
  if (plain.kind === 'known') return plain.value === '' ? 'unset' : 'set';
  return plain.text === undefined || mayBeNull(plain.text) ? 'unknown' : 'set';
}

/** Variables, arguments and outputs of Terraform may be null, which is as good as not written; attributes of resources and texts around them aren't. */
function mayBeNull(text: string): boolean {
  return /^\$\{(?:(?:var|each|local)\.[^{}]*|module\.[\w-]+(?:\[[^\]]*\])?\.[\w-]+|(?:lookup|one|try)\([^{}]*\))\}$/.test(
    text,
  );
}

/** A list as something that is there or not: absent if it has no items, known if it surely has one. */
export function itemsIn(list: Value<readonly Value<string>[]>): Value<true> {
  return flatMapValue(list, (plain): Value<true> => {
    if (plain.kind === 'absent') return plain;
    // A list that is decided later may be empty.
    if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source);
    let found: Value<true> = new Absent(plain.source);
    for (const item of plain.value) {
      found = flatMapValue<true, true>(found, (before) => (before.kind === 'absent' ? itemIn(item, before) : before));
      if (found.kind === 'known') break;
    }
    return found;
  });
}

function itemIn(item: Value<string>, none: Absent): Value<true> {
  return flatMapValue(item, (plain): Plain<true> => {
    const presence = presenceOf(plain);
    if (presence === 'set') return new Known<true>(true, none.source);
    return presence === 'unset' || plain.kind !== 'unknown' ? none : new Unknown(plain.reason, plain.source);
  });
}
