import type { DocumentPath, ParsedDocument } from '../document';
import { isMap } from './cursor';

/** A template may declare 500 resources; loops that make many more are not written out. */
const MAX_RESOURCES = 1000;

/** Values that writing out the loops of one template may make. */
const MAX_VALUES = 200_000;

const LOOP = 'Fn::ForEach::';

/**
 * Writes out the loops in Resources (`Fn::ForEach` of the transform AWS::LanguageExtensions) that go through a literal
 * list. Places in what a loop makes are those of its text. Loops that can't be written out stay as they are.
 */
export function unrollLoops(document: ParsedDocument): ParsedDocument {
  const { root } = document;
  if (!isMap(root) || !isMap(root.Resources)) return document;
  const resources = root.Resources;
  if (!hasLoop(resources)) return document;
  const result: [string, unknown][] = [];
  const origins = new Map<string, DocumentPath>();
  for (const [key, value] of Object.entries(resources)) {
    const made = key.startsWith(LOOP) ? new Loop(['Resources', key]).unroll(value) : undefined;
    const isNew = made !== undefined && origins.size + made.length <= MAX_RESOURCES && made.every(({ id }) => !Object.hasOwn(resources, id) && !origins.has(id));
    if (!isNew) {
      result.push([key, value]);
      continue;
    }
    for (const { id, body, origin } of made) {
      result.push([id, body]);
      origins.set(id, origin);
    }
  }
  const original = (path: DocumentPath): DocumentPath => {
    const origin = path[0] === 'Resources' ? origins.get(String(path[1])) : undefined;
    return origin === undefined ? path : [...origin, ...path.slice(2)];
  };
  return {
    root: { ...root, Resources: Object.fromEntries(result) },
    diagnostics: document.diagnostics,
    comments: document.comments,
    locate: (path) => document.locate(original(path)),
    locateInText: (path, offset) => document.locateInText(original(path), offset),
    scalarText: (path) => document.scalarText(original(path)),
  };
}

/** Whether a loop stands directly in a map. */
export function hasLoop(map: unknown): boolean {
  if (!isMap(map)) return false;
  for (const key in map) if (key.startsWith(LOOP)) return true;
  return false;
}

interface Made {
  readonly id: string;
  readonly body: unknown;
  /** Where the loop has its text. */
  readonly origin: DocumentPath;
}

class Loop {
  private values = 0;
  private readonly made: Made[] = [];

  constructor(private readonly path: DocumentPath) {}

  /** What the loop makes; undefined if that is not written in it, or too much. */
  unroll(loop: unknown): readonly Made[] | undefined {
    if (!this.run(loop, this.path)) return undefined;
    return new Set(this.made.map(({ id }) => id)).size === this.made.length ? this.made : undefined;
  }

  private run(loop: unknown, origin: DocumentPath): boolean {
    if (!Array.isArray(loop) || loop.length !== 3) return false;
    const [identifier, items, fragment] = loop as [unknown, unknown, unknown];
    if (typeof identifier !== 'string' || !Array.isArray(items) || !isMap(fragment)) return false;
    return items.every((item: unknown) => {
      if (typeof item !== 'string' && typeof item !== 'number') return false;
      const text = String(item);
      return Object.entries(fragment).every(([key, body]) => {
        const place = [...origin, 2, key];
        const own = this.substitute(body, identifier, text);
        if (this.values > MAX_VALUES || this.made.length > MAX_RESOURCES) return false;
        if (key.startsWith(LOOP)) return this.run(own, place);
        const id = substituteText(key, identifier, text);
        // A name that still has a variable in it is none yet.
        if (!/^[A-Za-z0-9]+$/.test(id)) return false;
        this.made.push({ id, body: own, origin: place });
        return true;
      });
    });
  }

  private substitute(value: unknown, identifier: string, item: string): unknown {
    if (++this.values > MAX_VALUES) return undefined;
    if (typeof value === 'string') return substituteText(value, identifier, item);
    if (Array.isArray(value)) return value.map((one) => this.substitute(one, identifier, item));
    if (!isMap(value)) return value;
    if (value.Ref === identifier && Object.keys(value).length === 1) return item;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [substituteText(key, identifier, item), this.substitute(one, identifier, item)]));
  }
}

/** `${x}` is the item, `&{x}` its letters and digits. */
function substituteText(text: string, identifier: string, item: string): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(`\${${identifier}}`, () => item).replaceAll(`&{${identifier}}`, () => item.replaceAll(/[^A-Za-z0-9]/g, ''));
}
