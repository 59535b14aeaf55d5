import { selects } from './security-group-policies';
import { entriesOf, dataAt, isDataMap, Unknown, type Data } from '../../value';

/** A namespaced object, or pod template, with labels. */
export interface Labelled {
  /** Undefined if it isn't known. */
  readonly namespace: string | undefined;
  readonly labels: Data | undefined;
}

/** What a selector fits, and what it may fit, because something isn't known. */
export interface Selected<T> {
  readonly sure: readonly T[];
  readonly possible: readonly T[];
}

/** Where everything is listed; no namespace has such a name. */
const ANYWHERE = '*';
/** Where objects are listed whose namespace isn't known. */
const SOMEWHERE = '?';

/** Finds objects by label selector without going through all of them: most selectors name a label. */
export class LabelIndex<T extends Labelled> {
  private readonly bySpace = new Map<string, T[]>();
  private readonly byLabel = new Map<string, T[]>();
  /** By namespace: objects whose labels aren't all known. */
  private readonly unclear = new Map<string, T[]>();

  constructor(objects: readonly T[]) {
    for (const object of objects) {
      const labels = isDataMap(object.labels) ? entriesOf(object.labels) : [];
      const isUnclear =
        object.labels instanceof Unknown ||
        labels.some(([key, value]) => value instanceof Unknown || key.includes('${'));
      for (const space of [object.namespace ?? SOMEWHERE, ANYWHERE]) {
        add(this.bySpace, space, object);
        if (isUnclear) add(this.unclear, space, object);
        for (const [key, value] of labels)
          if (typeof value === 'string') add(this.byLabel, labelKey(space, key, value), object);
      }
    }
  }

  /** @param namespace in which namespace; undefined if it isn't known */
  select(namespace: string | undefined, selector: Data): Selected<T> {
    const sure: T[] = [];
    const possible: T[] = [];
    if (namespace !== undefined) {
      for (const object of this.candidates(namespace, selector)) {
        const answer = selects(selector, object.labels);
        if (answer !== 'no') (answer === 'yes' ? sure : possible).push(object);
      }
    }
    for (const object of this.candidates(namespace === undefined ? ANYWHERE : SOMEWHERE, selector)) {
      if (selects(selector, object.labels) !== 'no') possible.push(object);
    }
    return { sure, possible };
  }

  private candidates(space: string, selector: Data): Iterable<T> {
    const label = labelIn(selector);
    if (label === undefined) return this.bySpace.get(space) ?? [];
    return new Set([...(this.byLabel.get(labelKey(space, ...label)) ?? []), ...(this.unclear.get(space) ?? [])]);
  }
}

/** A label that a selector demands. */
function labelIn(selector: Data): readonly [string, string] | undefined {
  const wanted = dataAt(selector, 'matchLabels');
  if (!isDataMap(wanted)) return undefined;
  for (const [key, value] of entriesOf(wanted))
    if (typeof value === 'string' && !key.includes('${')) return [key, value];
  return undefined;
}

function labelKey(space: string, key: string, value: string): string {
  return JSON.stringify([space, key, value]);
}

function add<T>(map: Map<string, T[]>, key: string, object: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [object]);
  else list.push(object);
}
