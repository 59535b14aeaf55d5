import type { PolicyDocument } from '../../../eks';
import { Known, Unknown, type Value } from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import { PolicyDocumentReader, type PolicyEntry, type PolicyValues } from '../../parts/policy-document';
import { Block } from '../../../cloudformation/block';
import { Cursor, isMap } from '../../../cloudformation/cursor';
import type { Evaluator } from '../../../cloudformation/evaluator';
import { asText, ItemList, type Item } from '../../../cloudformation/item';
import { combine } from '../../../cloudformation/unknown-values';

/** A key of a YAML template that is a function, as documents are read: `!Sub ${Issuer}:sub`. */
const FUNCTION_KEY = /^(![A-Z]\w+) /;

/** Reads IAM policy documents, of permissions and of trust. */
export class PolicyReader {
  private readonly reader: PolicyDocumentReader<Item>;

  constructor(evaluator: Evaluator) {
    this.reader = new PolicyDocumentReader(new PolicyItems(evaluator));
  }

  document(value: Value<Item>): Value<PolicyDocument> {
    return this.reader.document(value);
  }
}

class PolicyItems implements PolicyValues<Item> {
  readonly combine = combine<Item>;
  readonly text = asText;

  constructor(private readonly evaluator: Evaluator) {}

  entry(map: Known<Item>, key: string): Value<Item> {
    return Block.of(map, this.evaluator).item(key);
  }

  isMap({ value }: Known<Item>): boolean {
    return value instanceof Cursor && isMap(value.raw);
  }

  entries({ value, source: place }: Known<Item>): readonly PolicyEntry<Item>[] {
    if (!(value instanceof Cursor) || !isMap(value.raw)) return [];
    return Object.keys(value.raw).map((key) => {
      const child = value.child(key);
      // Behind a JSON text there is no key to point at.
      const source = child.isData ? place : child;
      const entry = { key, value: this.evaluator.evaluate(child, source), source };
      const [call, keyFunction] = child.isData ? [] : (FUNCTION_KEY.exec(key) ?? []);
      return call === undefined || keyFunction === undefined
        ? entry
        : { ...entry, key: key.slice(call.length), keyFunction };
    });
  }

  items(plain: Known<Item>): Value<readonly Value<Item>[]> | undefined {
    const isList = plain.value instanceof ItemList || (plain.value instanceof Cursor && Array.isArray(plain.value.raw));
    return isList ? this.evaluator.items(plain) : undefined;
  }

  /** A document may also be written as JSON text. Of one with unknown parts (`Fn::Sub`), as a trust policy with the issuer in its keys needs, the rest is known. */
  parsed(plain: Known<Item> | Unknown): Value<Item> {
    if (plain.kind === 'known' && typeof plain.value !== 'string') return plain;
    const parsed = parseEmbedded(plain as Known<string> | Unknown);
    if (parsed.kind === 'unknown') return parsed.unknown;
    if (parsed.kind !== 'parsed' || !(plain.source instanceof Cursor))
      return new Unknown('it is a text that is no policy document', plain.source);
    const { template, parent, key } = plain.source;
    return new Known(new Cursor(template, parsed.data, parent, key, true), plain.source);
  }
}
