import { Absent, Known, Unknown, type Plain, type Source } from '../../../value';
import { compose, ComposedText, UnorderedText } from '../../../value/composed-text';
import { ResourceObject } from '../../resource-object';
import {
  compareTexts,
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../../terraform-value';
import { hasOrder } from '../collections';
import { numberText } from '../numbers';
import { givenElsewhere, isEmptyDefault } from '../texts';
import { CallFailure, CallUnknown } from './function';

/** Deeper nesting than any data has. */
const MOST_LEVELS = 100;

/** The principal of a trust policy that is an identity provider: none has an empty name. */
const PROVIDER = 'Federated';

/** Go escapes these in JSON, so that it can stand in HTML. */
const HTML: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
  '\b': '\\b',
  '\f': '\\f',
  '\u007f': '\u007f',
};

export function jsonString(text: string): string {
  return JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (character) => HTML[character] ?? character);
}

/** A value as `jsonencode()` writes it. Parts that aren't known stay pieces of the text: without quotes, as they may be no texts. */
export function encodeJson(value: TerraformValue, source: Source): Plain<string> {
  const writer = new Writer(source);
  writer.value(value, 0);
  return writer.text();
}

class Writer {
  private readonly pieces: Plain<string>[] = [];
  private pending = '';
  private isUnordered = false;

  constructor(private readonly source: Source) {}

  text(): Plain<string> {
    this.flush();
    const [only, second] = this.pieces;
    if (only?.kind === 'known' && second === undefined) return new Known(only.value, this.source, only.note);
    const text = compose(this.pieces, this.source);
    return this.isUnordered && text instanceof ComposedText ? new UnorderedText(text, this.source) : text;
  }

  value(value: TerraformValue, level: number): void {
    if (level > MOST_LEVELS) throw new CallUnknown('it is nested too deeply');
    switch (value.kind) {
      case 'absent':
        this.pending += 'null';
        break;
      case 'choice':
        throw new CallUnknown('it depends on conditions');
      case 'unknown':
        this.unknown(value);
        break;
      case 'known':
        this.item(value, value.value, level);
    }
  }

  /** A text with unknown parts is a text; anything else could be of any type. */
  private unknown(value: Unknown): void {
    if (!(value instanceof ComposedText)) {
      this.flush();
      this.pieces.push(value);
      return;
    }
    this.pending += '"';
    for (const piece of value.pieces) {
      if (piece.kind === 'known') this.written(jsonString(piece.value).slice(1, -1), piece.source, piece.note);
      else {
        this.flush();
        this.pieces.push(piece);
      }
    }
    this.pending += '"';
  }

  private key(key: Unknown): void {
    this.pending += '"';
    for (const piece of key instanceof ComposedText ? key.pieces : [key]) {
      if (piece.kind === 'known') this.pending += jsonString(piece.value).slice(1, -1);
      else {
        this.flush();
        this.pieces.push(piece);
      }
    }
    this.pending += '"';
  }

  private item(value: Known<TerraformItem>, item: TerraformItem, level: number): void {
    if (typeof item === 'string') this.written(jsonString(item), value.source, value.note);
    else if (typeof item === 'number') this.written(numberIn(item), value.source, value.note);
    else if (typeof item === 'boolean') this.written(String(item), value.source, value.note);
    else if (item instanceof TerraformList) this.list(item, level);
    else this.map(item, level);
  }

  private list(list: TerraformList, level: number): void {
    if (list instanceof TerraformSet && !hasOrder(list))
      throw new CallUnknown('the order of the items of a set is not known');
    this.pending += '[';
    for (const [index, item] of list.items.entries()) {
      if (index > 0) this.pending += ',';
      this.value(item, level + 1);
    }
    this.pending += ']';
  }

  private map(map: TerraformMap, level: number): void {
    if (map instanceof ResourceObject || (map.more !== undefined && map.unsure.length === 0))
      throw new CallUnknown(map.more?.reason ?? 'it is known only after apply');
    this.pending += '{';
    for (const [index, key] of [...map.entries.keys()].sort(compareTexts).entries()) {
      this.pending += `${index > 0 ? ',' : ''}${jsonString(key)}:`;
      const value = map.entries.get(key) ?? new Absent(this.source);
      this.value(key === PROVIDER && isEmptyDefault(value) ? givenElsewhere(value) : value, level + 1);
    }
    // Where keys that are known in parts only stand among the others can't be told.
    if (map.unsure.length > 0) this.isUnordered = true;
    for (const [index, { key, value }] of map.unsure.entries()) {
      if (index > 0 || map.entries.size > 0) this.pending += ',';
      this.key(key);
      this.pending += ':';
      this.value(value, level + 1);
    }
    this.pending += '}';
  }

  /** A value keeps the place where it is written. */
  private written(text: string, source: Source, note: string | undefined): void {
    this.flush();
    this.pieces.push(new Known(text, { locate: () => source.locate(), expression: source.expression }, note));
  }

  private flush(): void {
    if (this.pending !== '') this.pieces.push(new Known(this.pending, this.source));
    this.pending = '';
  }
}

function numberIn(number: number): string {
  const text = numberText(number);
  if (text === undefined) throw new CallUnknown('it has more digits than are looked at');
  return text;
}

/** A value out of plain data. */
export function valueOfData(data: unknown, source: Source, note: string | undefined, level = 0): TerraformValue {
  if (level > MOST_LEVELS) throw new CallUnknown('it is nested too deeply');
  if (data === null || data === undefined) return new Absent(source);
  if (Object.is(data, -0)) throw new CallUnknown('zeros below zero are not looked at');
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return new Known<TerraformItem>(data, source, note);
  if (Array.isArray(data))
    return new Known<TerraformItem>(
      new TerraformList(data.map((item: unknown) => valueOfData(item, source, note, level + 1))),
      source,
      note,
    );
  if (typeof data !== 'object') throw new CallFailure('it contains what Terraform has no type for');
  return new Known<TerraformItem>(
    new TerraformMap(
      new Map(
        Object.entries(data).map(([key, item]: [string, unknown]) => [key, valueOfData(item, source, note, level + 1)]),
      ),
    ),
    source,
    note,
  );
}
