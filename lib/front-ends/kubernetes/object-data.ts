import { isDataMap, Unknown, type Data, type DataMap, type Source } from '../../value';
import { FILL_IN, withHoles } from '../../value/fill-ins';
import type { ObjectNode } from './object-node';

/** What other tools fill in before Kubernetes sees it, `${NAME}` too; a text that is all `$NAME` or `<name>`. */
const HOLE = new RegExp(
  String.raw`\$\{[^{}\n]{1,200}\}|${FILL_IN}|^\$[A-Z_][A-Z0-9_]*$|^<[A-Za-z][\w .-]{0,60}>$`,
  'g',
);

/** What sops leaves of a value. */
const ENCRYPTED = /^ENC\[AES256_GCM,/;

/** Texts that go to a machine as they stand: `${NAME}` is for its shell there, unless Flux fills it in (`withScriptsFilledIn`). */
const SCRIPTS: ReadonlySet<string> = new Set(['userData']);

/** Plain data of what was parsed: the same objects, but for what holds a value that isn't known. */
export function dataOf(raw: unknown, node: ObjectNode): Data {
  return new Reading(node).read(raw);
}

/** The same object where something fills in `${NAME}` in its scripts, too. */
export function withScriptsFilledIn(object: DataMap, node: ObjectNode): DataMap {
  const filled = (data: Data, path: readonly (string | number)[]): Data => {
    if (Array.isArray(data)) return (data as readonly Data[]).map((item, index) => filled(item, [...path, index]));
    return isDataMap(data) ? filledMap(data, path) : data;
  };
  const filledMap = (map: DataMap, path: readonly (string | number)[]): DataMap =>
    Object.fromEntries(
      Object.entries<Data>(map).map(([key, data]) => {
        const at = [...path, key];
        return [key, SCRIPTS.has(key) && typeof data === 'string' ? textOf(data, node.at(...at)) : filled(data, at)];
      }),
    );
  return filledMap(object, []);
}

/** Nearly all values are known, so that places are only made for the others. */
class Reading {
  private readonly steps: (string | number)[] = [];
  /** What was read: aliases share values, which written out may be a thousand times as many. */
  private readonly known = new Map<object, Data>();

  constructor(private readonly node: ObjectNode) {}

  read(raw: unknown): Data {
    if (typeof raw === 'string') return this.text(raw);
    if (typeof raw === 'object' && raw !== null) return this.once(raw);
    if (typeof raw === 'number' || typeof raw === 'boolean') return raw;
    return typeof raw === 'bigint' ? Number(raw) : null;
  }

  private once(raw: object): Data {
    let data = this.known.get(raw);
    if (data === undefined) {
      data = Array.isArray(raw) ? this.list(raw) : this.map(raw as Readonly<Record<string, unknown>>);
      this.known.set(raw, data);
    }
    return data;
  }

  private list(raw: readonly unknown[]): Data {
    let changed: Data[] | undefined;
    for (const [index, item] of raw.entries()) {
      const data = this.within(index, item);
      if (data !== item) (changed ??= [...(raw as readonly Data[])])[index] = data;
    }
    return changed ?? (raw as readonly Data[]);
  }

  private map(raw: Readonly<Record<string, unknown>>): Data {
    const changed = new Map<string, readonly [key: string, data: Data]>();
    for (const [key, value] of Object.entries(raw)) {
      const data = SCRIPTS.has(key) && typeof value === 'string' ? value : this.within(key, value);
      // Keys that aren't known show so.
      const name = key.includes('{{') ? `\${${key.replaceAll(/[{}]/g, '').trim()}}` : key;
      if (data !== value || name !== key) changed.set(key, [name, data]);
    }
    const known = raw as Readonly<Record<string, Data>>;
    return changed.size === 0
      ? known
      : Object.fromEntries(Object.entries(known).map((entry) => changed.get(entry[0]) ?? entry));
  }

  private within(step: string | number, raw: unknown): Data {
    this.steps.push(step);
    const data = this.read(raw);
    this.steps.pop();
    return data;
  }

  private text(text: string): Data {
    // Most texts hold none of these characters.
    return /[$<{@]|__|^ENC\[/.test(text) ? textOf(text, this.node.at(...this.steps)) : text;
  }
}

/** A text, or what is known of it where something is filled in later. */
export function textOf(text: string, node: Source): Data {
  if (ENCRYPTED.test(text)) return new Unknown('it is encrypted', node);
  const filled = withHoles(text, HOLE, node, 'the manifest is applied');
  return filled.kind === 'unknown' ? filled : text;
}
