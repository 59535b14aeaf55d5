import { type Data, type DataMap, Known, type Plain, type Source, Unknown, type Value } from '../value';
import { compose, ComposedText } from '../value/composed-text';
import { Cursor } from './cursor';
import type { Evaluator } from './evaluator';
import { DecodedText, ItemList, type Item } from './item';

/** A structure of the template as data; what depends on conditions is unknown in it. */
export function dataOf(evaluator: Evaluator, cursor: Cursor): Data {
  return itemData(evaluator, evaluator.evaluate(cursor), cursor);
}

export function itemData(evaluator: Evaluator, value: Value<Item>, source: Source): Data {
  switch (value.kind) {
    case 'choice':
      return new Unknown('it depends on conditions', source);
    case 'unknown':
      return value;
    case 'absent':
      return null;
    case 'known':
      break;
  }
  const item = value.value;
  if (item instanceof DecodedText) {
    const encoded = item.encoded();
    return encoded.kind === 'known' ? encoded.value : encoded;
  }
  if (item instanceof ItemList) return item.items.map((one) => itemData(evaluator, one, source));
  if (!(item instanceof Cursor)) return item;
  if (item.isData) return item.raw as Data;
  const { raw } = item;
  if (Array.isArray(raw)) {
    return raw
      .map((_, index) => evaluator.evaluate(item.child(index)))
      .flatMap((one) => (one.kind === 'absent' ? [] : [itemData(evaluator, one, source)]));
  }
  const result: Record<string, Data> = {};
  for (const key of Object.keys(raw as object)) {
    const entry = evaluator.evaluate(item.child(key));
    if (entry.kind !== 'absent' && key !== '__proto__') result[key] = itemData(evaluator, entry, item.child(key));
  }
  return result satisfies DataMap;
}

/** Data as JSON text, with unknown leaves as unknown pieces. */
export function toText(data: Data, source: Source): Plain<string> {
  const parts: Plain<string>[] = [];
  const literal = (text: string) => parts.push(new Known(text, source));
  const write = (value: Data): void => {
    if (value instanceof ComposedText) {
      literal('"');
      for (const piece of value.pieces) {
        if (piece.kind === 'known') literal(JSON.stringify(piece.value).slice(1, -1));
        else parts.push(piece);
      }
      literal('"');
    } else if (value instanceof Unknown) {
      literal('"');
      parts.push(value);
      literal('"');
    } else if (Array.isArray(value)) {
      literal('[');
      (value as readonly Data[]).forEach((item, index) => {
        if (index > 0) literal(',');
        write(item);
      });
      literal(']');
    } else if (typeof value === 'object' && value !== null) {
      literal('{');
      Object.entries(value).forEach(([key, item], index) => {
        literal(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        write(item);
      });
      literal('}');
    } else literal(JSON.stringify(value));
  };
  write(data);
  return compose(parts, source);
}
