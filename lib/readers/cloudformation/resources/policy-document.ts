import {
  choose,
  flatMapValue,
  Known,
  Unknown,
  type Alternative,
  type PolicyCondition,
  type PolicyDocument,
  type PolicyStatement,
  type Principal,
  type Resource,
  type Source,
  type UnreadableConditions,
  type Value,
} from '../../../model';
import { Block } from '../block';
import { Cursor, isMap } from '../cursor';
import { parseEmbedded } from '../../embedded-text';
import type { Evaluator } from '../evaluator';
import { asText, ItemList, type Item } from '../item';
import { combine } from '../unknown-values';
import { conditionalItems } from './conditional-items';

/** Reads IAM policy documents, of permissions and of trust. */
export class PolicyReader {
  constructor(private readonly evaluator: Evaluator) {}

  document(value: Value<Item>): Value<PolicyDocument> {
    return flatMapValue(value, (plain): Value<PolicyDocument> => {
      if (plain.kind === 'absent') return plain;
      const block = plain.kind === 'known' ? this.parsedBlock(plain) : this.parsedText(plain);
      return flatMapValue(block, (map): Value<PolicyDocument> => {
        if (map.kind !== 'known') return map;
        return this.statements(Block.of(map, this.evaluator).item('Statement'), map.source);
      });
    });
  }

  /** A document may also be written as JSON text. */
  private parsedBlock(plain: Known<Item>): Value<Item> {
    return typeof plain.value === 'string' ? this.parsedText(plain as Known<string>) : plain;
  }

  /** Of JSON text with unknown parts (`Fn::Sub`), as a trust policy with the issuer in its keys needs, the rest is known. */
  private parsedText(plain: Known<string> | Unknown): Value<Item> {
    const parsed = parseEmbedded(plain);
    if (parsed.kind === 'unknown') return parsed.unknown;
    if (parsed.kind !== 'parsed' || !(plain.source instanceof Cursor)) return new Unknown('it is a text that is no policy document', plain.source);
    const { template, parent, key } = plain.source;
    return new Known(new Cursor(template, parsed.data, parent, key, true), plain.source);
  }

  private statements(value: Value<Item>, source: Source): Value<PolicyDocument> {
    return flatMapValue(this.several(value), (list): Value<PolicyDocument> => {
      if (list.kind === 'unknown') return list;
      if (list.kind === 'absent') return new Known({ statements: [] }, source);
      const rows = combine(list.value);
      if (rows === undefined) return new Unknown('its statements depend on too many conditions at once', source);
      return choose(
        rows.map(({ when, values }): Alternative<PolicyDocument> => {
          const unreadable = values.find((item) => item.kind === 'unknown');
          if (unreadable !== undefined) return { when, value: new Unknown(`one of its statements can't be read: ${unreadable.reason}`, unreadable.source) };
          const blocks = values.filter((item) => item.kind === 'known');
          return { when, value: new Known({ statements: blocks.map((item) => this.statement(item)) }, source) };
        }),
      );
    });
  }

  private statement(item: Known<Item>): PolicyStatement {
    const block = Block.of(item, this.evaluator);
    return {
      effect: block.string('Effect'),
      actions: this.texts(block.item('Action')),
      notActions: this.texts(block.item('NotAction')),
      resources: this.texts(block.item('Resource')),
      notResources: this.texts(block.item('NotResource')),
      principals: this.principals(block.item('Principal')),
      conditions: this.conditions(block.item('Condition')),
      source: item.source,
    };
  }

  /** IAM takes one value where it takes a list. */
  private several(value: Value<Item>): Value<readonly Value<Item>[]> {
    return flatMapValue(value, (plain): Value<readonly Value<Item>[]> => {
      if (plain.kind !== 'known') return plain;
      const isList = plain.value instanceof ItemList || (plain.value instanceof Cursor && Array.isArray(plain.value.raw));
      return isList ? this.evaluator.items(plain) : new Known([plain], plain.source, plain.note);
    });
  }

  /** Texts of one value or a list; what is conditional or unknown stays so, item by item. */
  private texts(value: Value<Item>): readonly Value<string>[] {
    return conditionalItems(this.several(value)).map(asText);
  }

  private principals(value: Value<Item>): readonly Principal[] {
    switch (value.kind) {
      case 'absent':
        return [];
      case 'unknown':
        return [{ type: 'AWS', id: value }];
      case 'choice':
        return value.alternatives.flatMap(({ value: plain }) => this.principals(plain));
      case 'known':
        break;
    }
    if (!(value.value instanceof Cursor) || !isMap(value.value.raw)) return this.texts(value).map((id) => ({ type: '*', id }));
    const block = Block.of(value, this.evaluator);
    return Object.keys(value.value.raw).flatMap((type) => this.texts(block.item(type)).map((id) => principal(type, id)));
  }

  private conditions(value: Value<Item>): readonly PolicyCondition[] | UnreadableConditions {
    if (value.kind === 'absent') return [];
    if (value.kind !== 'known') return unreadable(value);
    if (!(value.value instanceof Cursor) || !isMap(value.value.raw)) return { kind: 'unknown-conditions', reason: 'the condition block is no map' };
    const result: PolicyCondition[] = [];
    for (const operator of Object.keys(value.value.raw)) {
      const operands = this.evaluator.evaluate(value.value.child(operator));
      if (operands.kind === 'absent') continue;
      if (operands.kind !== 'known') return unreadable(operands);
      if (!(operands.value instanceof Cursor) || !isMap(operands.value.raw)) return { kind: 'unknown-conditions', reason: `${operator} is no map` };
      for (const key of Object.keys(operands.value.raw)) {
        const operand = operands.value.child(key);
        // Behind a JSON text there is no key to point at.
        const source = operand.isData ? operands.source : operand;
        result.push({ operator, key, values: this.texts(this.evaluator.evaluate(operand, source)), source });
      }
    }
    return result;
  }
}

function unreadable(value: Value<Item>): UnreadableConditions {
  return { kind: 'unknown-conditions', reason: value.kind === 'unknown' ? value.reason : 'the condition block depends on conditions of the template' };
}

function principal(type: string, id: Value<string>): Principal {
  const resource = id.kind === 'unknown' ? id.reference?.resource : undefined;
  return resource === undefined ? { type, id } : { type, id, target: resource as Resource };
}
