import { Absent, flatMapValue, Known, type Plain, Unknown, type Value } from '../value';
import { Cursor, isMap, member } from './cursor';
import type { Evaluator } from './evaluator';
import { asText, describeItem, type Item } from './item';
import { hasLoop } from './loops';

/** A map of the template whose properties are read by name and type. */
export class Block {
  /** The same for every property that isn't written; most of those that rules ask for aren't. */
  declare private missing: Absent | Unknown | undefined;

  constructor(
    private readonly value: Value<Cursor>,
    private readonly evaluator: Evaluator,
  ) {}

  static at(cursor: Cursor, evaluator: Evaluator): Block {
    return new Block(toMap(evaluator.evaluate(cursor)), evaluator);
  }

  static of(value: Value<Item>, evaluator: Evaluator): Block {
    return new Block(toMap(value), evaluator);
  }

  /** The block itself, for what depends on its being there. */
  get map(): Value<Cursor> {
    return this.value;
  }

  item(key: string): Value<Item> {
    const { value } = this;
    if (value.kind === 'known') return this.property(value, key) ?? (this.missing ??= missingFrom(value));
    return flatMapValue(
      value,
      (plain): Value<Item> => (plain.kind === 'known' ? (this.property(plain, key) ?? missingFrom(plain)) : plain),
    );
  }

  string(key: string): Value<string> {
    return asText(this.item(key));
  }

  boolean(key: string): Value<boolean> {
    return flatMapValue(this.item(key), asBoolean);
  }

  /** A number; the text of what is written if it is none. */
  number(key: string): Value<number | string> {
    return flatMapValue(this.item(key), asNumber);
  }

  block(key: string): Block {
    return new Block(toMap(this.item(key)), this.evaluator);
  }

  list(key: string): Value<readonly Value<Item>[]> {
    return this.evaluator.items(this.item(key));
  }

  strings(key: string): Value<readonly Value<string>[]> {
    return flatMapValue(
      this.list(key),
      (plain): Plain<readonly Value<string>[]> =>
        plain.kind === 'known' ? new Known(plain.value.map(asText), plain.source, plain.note) : plain,
    );
  }

  private property({ value: cursor }: Known<Cursor>, key: string): Value<Item> | undefined {
    const raw = member(cursor.raw, key);
    return raw === undefined
      ? undefined
      : this.evaluator.evaluate(new Cursor(cursor.template, raw, cursor, key, cursor.isData));
  }
}

/** What stands for a property that isn't written. */
function missingFrom({ value: cursor, source }: Known<Cursor>): Absent | Unknown {
  if (member(cursor.raw, 'Fn::Transform') !== undefined || isOfTransformed(cursor))
    return new Unknown('Fn::Transform may add it at deployment', source);
  if (!cursor.isData && cursor.template.mayHoldLoops && hasLoop(cursor.raw))
    return new Unknown('Fn::ForEach may add it at deployment', source);
  return new Absent(source);
}

/** A transform beside the properties of a resource is given these too. */
function isOfTransformed({ key, parent }: Cursor): boolean {
  return key === 'Properties' && member(parent?.raw, 'Fn::Transform') !== undefined;
}

function toMap(value: Value<Item>): Value<Cursor> {
  if (value.kind === 'known' && value.value instanceof Cursor && isMap(value.value.raw)) return value as Known<Cursor>;
  return flatMapValue(value, (plain): Plain<Cursor> => {
    if (plain.kind !== 'known') return plain;
    if (plain.value instanceof Cursor && isMap(plain.value.raw)) return plain as Known<Cursor>;
    return new Unknown(`it is ${describeItem(plain.value)} where a map belongs`, plain.source);
  });
}

const TRUE = /^(?:true|yes|on)$/i;
const FALSE = /^(?:false|no|off)$/i;

function asBoolean(plain: Plain<Item>): Plain<boolean> {
  if (plain.kind !== 'known') return plain;
  const { value, source, note } = plain;
  if (typeof value === 'boolean') return new Known(value, source, note);
  if (typeof value === 'string' && TRUE.test(value)) return new Known(true, source, note);
  if (typeof value === 'string' && FALSE.test(value)) return new Known(false, source, note);
  return new Unknown(`it is ${describeItem(value)} where true or false belongs`, source);
}

function asNumber(plain: Plain<Item>): Plain<number | string> {
  const text = asText(plain);
  if (text.kind !== 'known') return text as Plain<number | string>;
  const trimmed = text.value.trim();
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  return new Known<number | string>(Number.isNaN(number) ? text.value : number, text.source, text.note);
}
