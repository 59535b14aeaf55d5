import { EksModel, Unknown, type EksResource, type Resource } from '../eks';

/** Where a rule stopped. */
export interface Crash {
  readonly error: unknown;
  /** The resource that it looked at; undefined if that can't be told. */
  readonly resource: Resource | undefined;
}

/** What came of going on with a rule that had stopped. */
export interface Isolation {
  readonly crashes: readonly Crash[];
  /** Whether it went through everything else. */
  readonly isComplete: boolean;
}

/** Each resource at which a rule stops costs it one more run. */
const MOST_RUNS = 25;

/**
 * Goes on with a rule that has stopped: the resource that it looked at last is made unknown to it, so that what it says of others holds
 * whatever that resource is. Values that others keep may come from such a run, so nothing else judges the model after it.
 * @param check runs the rule; throws where it stops
 */
export function checkAround(
  model: EksModel,
  check: (model: EksModel, isHidden: (resource: Resource) => boolean) => void,
): Isolation {
  const watch = new Watch(model.resources);
  const crashes: Crash[] = [];
  try {
    for (let run = 0; run < MOST_RUNS; run++) {
      const seen = new EksModel(model.resources, model.suppressions);
      watch.begin();
      try {
        check(seen, (resource) => watch.hidden.has(resource));
        return { crashes, isComplete: true };
      } catch (error) {
        const resource = watch.last;
        if (resource === undefined || watch.hidden.has(resource)) return { crashes, isComplete: false };
        crashes.push({ error, resource });
        watch.hidden.add(resource);
      }
    }
    return { crashes, isComplete: false };
  } finally {
    watch.end();
  }
}

/** What is not hidden of a resource: who it is, and where it belongs, so that no other rule takes it for missing. */
const IDENTITY: ReadonlySet<string> = new Set([
  'kind',
  'type',
  'id',
  'path',
  'stack',
  'frontEnd',
  'dialect',
  'source',
  'suppressions',
  'exists',
  'isImplied',
  'partOf',
  'environment',
  'cluster',
  'name',
]);

/** Sees which resource is asked for a property, and answers for those that are hidden. The resources stay the same objects: the model tells them by that. */
class Watch {
  last: Resource | undefined;
  readonly hidden = new Set<Resource>();
  private readonly undo: (() => void)[] = [];
  /** Whether a property that isn't hidden is computed, maybe from some that are. */
  private isOpen = false;

  constructor(resources: readonly EksResource[]) {
    for (const resource of resources) {
      for (const [key, descriptor] of propertiesOf(resource)) this.watch(resource, key, descriptor);
    }
  }

  begin(): void {
    this.last = undefined;
  }

  end(): void {
    for (const undo of this.undo) undo();
  }

  private openly(read: () => unknown, resource: Resource): unknown {
    this.isOpen = true;
    try {
      return unseen(read, resource);
    } finally {
      this.isOpen = false;
    }
  }

  private watch(resource: Resource, key: string, property: PropertyDescriptor): void {
    const { configurable, enumerable } = property;
    const isOwn = Object.hasOwn(resource, key);
    if (isOwn && configurable !== true) return;
    let current: unknown = property.value;
    const read = (): unknown => (property.get === undefined ? current : property.get.call(resource));
    Object.defineProperty(resource, key, {
      configurable: true,
      enumerable: isOwn && enumerable === true,
      get: () => {
        this.last = resource;
        if (this.isOpen || !this.hidden.has(resource)) return read();
        return IDENTITY.has(key)
          ? this.openly(read, resource)
          : unseen(() => withoutValues(read(), resource), resource);
      },
      set: (next: unknown) => {
        current = next;
      },
    });
    this.undo.push(() => {
      if (!isOwn) Reflect.deleteProperty(resource, key);
      else
        Object.defineProperty(resource, key, property.get === undefined ? { ...property, value: current } : property);
    });
  }
}

/** Own properties, and those that classes compute. */
function propertiesOf(resource: object): ReadonlyMap<string, PropertyDescriptor> {
  const found = new Map(Object.entries(Object.getOwnPropertyDescriptors(resource)));
  for (
    let type: unknown = Object.getPrototypeOf(resource);
    typeof type === 'object' && type !== null && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
      if (descriptor.get !== undefined && !found.has(key)) found.set(key, descriptor);
    }
  }
  return found;
}

/** A property of a hidden resource. */
function unseen(read: () => unknown, resource: Resource): unknown {
  try {
    return read();
  } catch {
    return unknownAt(resource);
  }
}

/** A block with values unknown; what is no value stays as it is. */
function withoutValues(value: unknown, resource: Resource): unknown {
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    value instanceof Map ||
    value instanceof Set
  )
    return value;
  if (
    'kind' in value &&
    typeof value.kind === 'string' &&
    ['known', 'absent', 'unknown', 'choice'].includes(value.kind)
  )
    return unknownAt(resource);
  return new Proxy(value, {
    get: (block, key) => unseen(() => withoutValues(Reflect.get(block, key, block), resource), resource),
  });
}

function unknownAt(resource: Resource): Unknown {
  return new Unknown(`the rule stopped at ${resource.id}`, resource.source);
}
