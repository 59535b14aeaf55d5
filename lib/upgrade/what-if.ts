import type { Assumption } from '../check';
import type { EksResource, Resource, Value } from '../eks';

/** What a setting becomes, given what is written. */
type Change = (written: unknown) => Value<unknown>;

/**
 * What of the input is taken for otherwise than it is written, by resource and setting. The input is read anew for each question, so that
 * nothing that was worked out before the change is left over.
 */
export class WhatIf implements Assumption {
  /** All is as it is written. */
  static readonly asWritten = new WhatIf(new Map());

  private constructor(private readonly changes: ReadonlyMap<string, ReadonlyMap<string, Change>>) {}

  /** The same with one more change, which is given what earlier ones made of the setting. */
  with<R extends EksResource, F extends keyof R & string>(
    resource: R,
    field: F,
    change: (written: R[F]) => R[F],
  ): WhatIf {
    const key = keyOf(resource);
    const changes = new Map(this.changes);
    const known = changes.get(key);
    const earlier = known?.get(field);
    const next = change as unknown as (written: unknown) => Value<unknown>;
    const both: Change = earlier === undefined ? next : (written) => next(earlier(written));
    changes.set(key, new Map([...(known ?? []), [field, both]]));
    return new WhatIf(changes);
  }

  /** Makes the changes on resources that were just read. */
  apply(resources: readonly EksResource[]): void {
    if (this.changes.size === 0) return;
    for (const resource of resources) {
      for (const [field, change] of this.changes.get(keyOf(resource)) ?? []) {
        const written = (resource as unknown as Readonly<Record<string, unknown>>)[field];
        Object.defineProperty(resource, field, { value: change(written), configurable: true, enumerable: true });
      }
    }
  }
}

/** What tells a resource from all others, in every reading. */
export function keyOf({ kind, stack, id }: EksResource): string {
  return JSON.stringify([kind, stack, id]);
}

/** Whether two readings of the input mean the same resource. */
export function isSame(one: Resource, other: Resource | undefined): boolean {
  return one.id === other?.id && one.stack === other.stack;
}
