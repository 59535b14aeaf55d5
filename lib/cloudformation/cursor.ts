import type { Source, SourceLocation } from '../value';
import type { Template } from './template';

/**
 * A value of a template together with the way to it. The way is a linked list, so that reading a property costs
 * one small object; lines and columns are looked up only when a report asks.
 */
export class Cursor implements Source {
  constructor(
    readonly template: Template,
    readonly raw: unknown,
    readonly parent: Cursor | undefined,
    readonly key: string | number,
    /** Parsed out of a text of the template: nothing in it is an intrinsic function, and leaves may be unknown. */
    readonly isData = false,
  ) {}

  /** The member of a map or the item of a list; undefined raw value if there is none. */
  child(key: string | number): Cursor {
    return new Cursor(this.template, member(this.raw, key), this, key, this.isData);
  }

  /** Keys from the root of the template. */
  path(): (string | number)[] {
    if (this.parent === undefined) return [];
    const path: (string | number)[] = [this.key];
    for (let cursor = this.parent; cursor.parent !== undefined; cursor = cursor.parent) path.push(cursor.key);
    return path.reverse();
  }

  /** A string, number or boolean as text. A number such as 1.30 has lost what was written, so that is looked up. */
  scalarText(): string | undefined {
    const { raw } = this;
    if (typeof raw === 'number' && !Number.isInteger(raw))
      return this.template.document.scalarText(this.path()) ?? String(raw);
    return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
  }

  /** Logical id of the resource that the value belongs to. */
  resourceId(): string | undefined {
    const [section, id] = this.path();
    return section === 'Resources' && typeof id === 'string' ? id : undefined;
  }

  locate(): SourceLocation {
    const path = this.path();
    const { line, column } = this.template.document.locate(path);
    const inside = path[0] === 'Resources' ? path.slice(2) : path;
    const location = { file: this.template.file, line, column };
    return inside.length === 0 ? location : { ...location, property: inside.join('.') };
  }

  get expression(): string | undefined {
    return this.isData ? undefined : shortCall(this.raw);
  }

  inText(text: string, offset: number): Source {
    return this.raw === text ? new TextPlace(this, offset) : this;
  }

  /** A place, when it gets into JSON; the template behind it would never end. */
  toJSON(): SourceLocation {
    return this.locate();
  }
}

/** A character of a text in the template. */
export class TextPlace implements Source {
  constructor(
    /** The text: a string of the template. */
    readonly cursor: Cursor,
    readonly offset: number,
  ) {}

  locate(): SourceLocation {
    const { cursor } = this;
    const place = cursor.template.document.locateInText(cursor.path(), this.offset);
    return place === undefined ? cursor.locate() : { ...cursor.locate(), ...place };
  }

  inText(_text: string, offset: number): Source {
    return new TextPlace(this.cursor, this.offset + offset);
  }

  toJSON(): SourceLocation {
    return this.locate();
  }
}

/** The call of a function that gives something else's value, as YAML has it; undefined for other values. */
function shortCall(raw: unknown): string | undefined {
  if (!isMap(raw) || Object.keys(raw).length !== 1) return undefined;
  const { Ref: name, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = raw;
  if (typeof name === 'string') return `!Ref ${name}`;
  if (typeof text === 'string') return `!Sub ${JSON.stringify(text)}`;
  if (Array.isArray(attribute) && attribute.every((part) => typeof part === 'string'))
    return `!GetAtt ${attribute.join('.')}`;
  return typeof attribute === 'string' ? `!GetAtt ${attribute}` : undefined;
}

/** Own member of a map or list; never something inherited such as `constructor`. */
export function member(raw: unknown, key: string | number): unknown {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const value = (raw as Record<string | number, unknown>)[key];
  return value === undefined || Object.hasOwn(raw, key) ? value : undefined;
}

export function isMap(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** What a raw value is called in messages. */
export function describeShape(raw: unknown): string {
  if (Array.isArray(raw)) return 'a list';
  if (raw === null) return 'empty';
  if (raw === undefined) return 'missing';
  return typeof raw === 'object' ? 'a map' : `a ${typeof raw}`;
}

/** Names that `Ref` calls within a value give. */
export function referencesIn(raw: unknown, names: Set<string>): ReadonlySet<string> {
  if (typeof raw !== 'object' || raw === null) return names;
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'Ref' && typeof value === 'string') names.add(value);
    else referencesIn(value, names);
  }
  return names;
}
