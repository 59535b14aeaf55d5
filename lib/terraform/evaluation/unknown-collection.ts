import { Unknown, type Source } from '../../value';
import { ComposedText } from '../../value/composed-text';
import type { TerraformInstance } from '../instance';
import { ResourceObject } from '../resource-object';
import { TerraformList, TerraformMap, type TerraformValue } from '../terraform-value';
import { isEager } from './places';
import { InvalidValue } from './unknowns';

/** What is known of a collection of which the keys are not. */
interface Shape {
  readonly kind: 'list' | 'map';
  /** What stands under each of its keys, as far as it is the same for all of them. */
  readonly element: TerraformValue;
  /** Equal texts mean equal keys; undefined if nothing tells which they are. */
  readonly keys: string | undefined;
}

/** A collection of which the keys, or their number, aren't known: the instances that an unknown `for_each` makes, or what a `for` makes of those. */
export class UnknownCollection extends Unknown {
  private standsForAny: boolean | undefined;

  constructor(
    readonly shape: Shape,
    reason: string,
    source: Source,
    text?: string,
    reference?: Unknown['reference'],
  ) {
    super(reason, source, text, undefined, reference);
  }

  override at(source: Source): UnknownCollection {
    return source === this.source
      ? this
      : new UnknownCollection(this.shape, this.reason, source, this.text, this.reference);
  }

  /**
   * What stands under a key; undefined if too little is known. Keys that are surely those of the collection lead to what belongs to them.
   * Other ones may be different keys at each use: they lead only to what nothing is attached to, such as launch templates.
   */
  under(key: Unknown | string | number): TerraformValue | undefined {
    const { element, keys } = this.shape;
    if (key instanceof UnknownKey && key.of === keys) return element;
    return (this.standsForAny ??= mayStandForAny(element)) ? element : undefined;
  }
}

/** A key of a collection of which the keys aren't known: `each.key`, `count.index`, the first name of a `for`. */
export class UnknownKey extends Unknown {
  constructor(
    /** The keys that it is one of, see {@link UnknownCollection}. */
    readonly of: string,
    reason: string,
    source: Source,
    text?: string,
  ) {
    super(reason, source, text);
  }

  override at(source: Source): UnknownKey {
    return source === this.source ? this : new UnknownKey(this.of, this.reason, source, this.text);
  }
}

/** What tells the keys of a collection apart from those of others. */
export function keysOf(unknown: Unknown): string | undefined {
  if (unknown instanceof InvalidValue) return undefined;
  return unknown instanceof UnknownCollection ? unknown.shape.keys : unknown.symbol;
}

/** A key of a collection that isn't known. */
export function keyOf(unknown: Unknown, source: Source, text?: string): Unknown {
  const keys = keysOf(unknown);
  return keys === undefined
    ? new Unknown(unknown.reason, source, text)
    : new UnknownKey(keys, unknown.reason, source, text);
}

/** Types to which nothing else in a configuration adds, so that what is true of one instance is true of all. */
const SELF_CONTAINED: ReadonlySet<string> = new Set(['aws_launch_template', 'aws_launch_configuration']);

function mayStandForAny(value: TerraformValue): boolean {
  switch (value.kind) {
    case 'absent':
      return true;
    case 'choice':
      return value.alternatives.every((one) => mayStandForAny(one.value));
    case 'unknown':
      if (value instanceof ComposedText) return value.pieces.every(mayStandForAny);
      return value.reference === undefined || isSelfContained(value.reference.resource);
    case 'known': {
      const { value: item } = value;
      if (item instanceof ResourceObject) return isSelfContained(item.instance);
      if (item instanceof TerraformList) return item.items.every(mayStandForAny);
      return !(item instanceof TerraformMap) || (isEager(item) && [...item.entries.values()].every(mayStandForAny));
    }
  }
}

function isSelfContained(resource: object): boolean {
  const { mode, type } = resource as Partial<TerraformInstance>;
  return mode === 'data' || (type !== undefined && SELF_CONTAINED.has(type));
}
