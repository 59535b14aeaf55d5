import { Absent, Known, Unknown, type Plain, type Value } from '../../value';
import type { ConfigNode } from './config-node';
import { DEFAULT_FAMILY, familyNamed } from './families';

/* What both kinds of groups work out alike. Source: defaults.go, validation.go and nodegroup.go of eksctl. */

const DEFAULT_INSTANCE_TYPE = 'm5.large';

/** Nodes of a group of which no size is written. */
const DEFAULT_SIZE = 2;

/** The operating system of a group; without one it is eksctl's default. */
export function familyIn(group: ConfigNode): Plain<string> {
  const written = group.child('amiFamily').text;
  if (written.kind === 'unknown') return written;
  // Beside an AMI there is no default.
  if (written.kind === 'absent' && amiIn(group).kind !== 'absent')
    return new Unknown('it names an AMI and no AMI family', written.source);
  if (written.kind === 'absent') return new Known(DEFAULT_FAMILY, written.source, 'the default of eksctl');
  const family = familyNamed(written.value);
  return family === undefined
    ? new Unknown(`eksctl has no AMI family ${written.value}`, written.source)
    : new Known(family, written.source, `amiFamily ${family}`);
}

/** The AMI that a group names itself; `auto` and the like leave it to eksctl. */
export function amiIn(group: ConfigNode): Plain<string> {
  const written = group.child('ami').text;
  return written.kind === 'known' && /^auto(?:-ssm)?$/.test(written.value) ? new Absent(written.source) : written;
}

export interface Sizes {
  readonly min: Plain<number | string>;
  readonly max: Plain<number | string>;
  readonly desired: Plain<number | string>;
}

/** The sizes of a group, each filled in from the others. */
export function sizesIn(group: ConfigNode): Sizes {
  const desired = group.child('desiredCapacity').number;
  const min = firstWritten(
    [group.child('minSize').number, desired],
    new Known<number | string>(DEFAULT_SIZE, group, 'the default of eksctl'),
  );
  const max = firstWritten([group.child('maxSize').number, desired], min);
  return {
    min,
    // A group that is scaled to nothing may have one node.
    max:
      max.kind === 'known' && max.value === 0 && !group.child('maxSize').isWritten
        ? new Known(1, max.source, max.note)
        : max,
    desired: firstWritten([desired], min),
  };
}

function firstWritten<T>(values: readonly Plain<T>[], fallback: Plain<T>): Plain<T> {
  return values.find(({ kind }) => kind !== 'absent') ?? fallback;
}

/** The instance types that a group names, in their order. Unknown of those that eksctl selects at AWS. */
export function typesIn(group: ConfigNode, list: ConfigNode): Value<readonly Value<string>[]> {
  const selector = group.child('instanceSelector');
  if (selector.keys.length > 0)
    return new Unknown('eksctl asks AWS for the instance types that its selector describes', selector);
  const listed = list.texts;
  if (listed.kind === 'unknown' || (listed.kind === 'known' && listed.value.length > 0)) return listed;
  const one = group.child('instanceType').text;
  if (one.kind === 'known' && one.value === 'mixed') return new Absent(group);
  if (one.kind !== 'absent') return new Known([one], one.source);
  return new Known([new Known(DEFAULT_INSTANCE_TYPE, group, 'the default of eksctl')], group, 'the default of eksctl');
}

/** Names of types that are known; undefined if one isn't. */
export function namesOf(types: Value<readonly Value<string>[]>): readonly string[] | undefined {
  if (types.kind !== 'known') return undefined;
  const names = types.value.flatMap((type) => (type.kind === 'known' ? [type.value] : []));
  return names.length === types.value.length ? names : undefined;
}
