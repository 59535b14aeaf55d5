/** A map whose keys are known and whose values are worked out when somebody asks. */
export class LazyMap<V> implements ReadonlyMap<string, V> {
  private readonly known = new Map<string, V>();
  private readonly names: ReadonlySet<string>;

  constructor(
    names: Iterable<string>,
    private readonly find: (name: string) => V | undefined,
  ) {
    this.names = new Set(names);
  }

  get size(): number {
    return this.names.size;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  get(name: string): V | undefined {
    if (!this.names.has(name)) return undefined;
    let value = this.known.get(name);
    if (value === undefined && (value = this.find(name)) !== undefined) this.known.set(name, value);
    return value;
  }

  keys(): MapIterator<string> {
    return this.names.keys();
  }

  values(): MapIterator<V> {
    return this.all().values();
  }

  entries(): MapIterator<[string, V]> {
    return this.all().entries();
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(use: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.all()) use(value, key, this);
  }

  private all(): Map<string, V> {
    const all = new Map<string, V>();
    for (const name of this.names) {
      const value = this.get(name);
      if (value !== undefined) all.set(name, value);
    }
    return all;
  }
}
