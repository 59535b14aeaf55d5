import type { PolicyCondition, PolicyDocument, PolicyStatement, Principal, UnreadableConditions } from '../../eks';
import {
  type Alternative,
  choose,
  flatMapValue,
  Known,
  type Plain,
  type Resource,
  type Source,
  Unknown,
  type Value,
  type When,
} from '../../value';
import { conditionalItems } from '../../value/conditional-items';

/** An entry of a map, and where it stands. */
export interface PolicyEntry<V> {
  readonly key: string;
  /** The function that the key is, which CloudFormation refuses: `!Sub`. */
  readonly keyFunction?: string;
  readonly value: Value<V>;
  readonly source: Source;
}

/** How the values of an engine are taken apart, so that policy documents can be read from them. */
export interface PolicyValues<V> {
  isMap(value: Known<V>): boolean;
  /** An entry of a map. */
  entry(map: Known<V>, key: string): Value<V>;
  /** All entries of a map. */
  entries(map: Known<V>): readonly PolicyEntry<V>[];
  /** The items of a list; undefined if the value is none. */
  items(value: Known<V>): Value<readonly Value<V>[]> | undefined;
  text(value: Value<V>): Value<string>;
  /** A document that is written as text; what isn't text stays as it is. */
  parsed(value: Known<V> | Unknown): Value<V>;
  /** All combinations of alternatives that can occur together; undefined if there are too many to look at. */
  combine(
    values: readonly Value<V>[],
  ): readonly { readonly when: When; readonly values: readonly Plain<V>[] }[] | undefined;
}

/** A statement with the id that other documents may replace it by; absent if it has none. */
export interface IdentifiedStatement {
  readonly id: Value<string>;
  readonly statement: PolicyStatement;
}

/** Reads IAM policy documents, of permissions and of trust. */
export class PolicyDocumentReader<V> {
  constructor(private readonly values: PolicyValues<V>) {}

  document(value: Value<V>): Value<PolicyDocument> {
    return flatMapValue(
      this.statements(value),
      (plain): Plain<PolicyDocument> =>
        plain.kind === 'known'
          ? new Known({ statements: plain.value.map(({ statement }) => statement) }, plain.source)
          : plain,
    );
  }

  statements(value: Value<V>): Value<readonly IdentifiedStatement[]> {
    return flatMapValue(value, (plain) => {
      if (plain.kind === 'absent') return plain;
      return flatMapValue(this.values.parsed(plain), (map): Value<readonly IdentifiedStatement[]> => {
        if (map.kind !== 'known') return map;
        if (!this.values.isMap(map)) return new Unknown('it is no policy document', map.source);
        return this.listed(this.values.entry(map, 'Statement'), map.source);
      });
    });
  }

  private listed(value: Value<V>, source: Source): Value<readonly IdentifiedStatement[]> {
    return flatMapValue(this.several(value), (list): Value<readonly IdentifiedStatement[]> => {
      if (list.kind === 'unknown') return list;
      if (list.kind === 'absent') return new Known([], source);
      const rows = this.values.combine(list.value);
      if (rows === undefined) return new Unknown('its statements depend on too many conditions at once', source);
      return choose(
        rows.map(({ when, values }): Alternative<readonly IdentifiedStatement[]> => {
          const unreadable = values.find((item) => item.kind === 'unknown');
          if (unreadable !== undefined)
            return {
              when,
              value: new Unknown(`one of its statements can't be read: ${unreadable.reason}`, unreadable.source),
            };
          const blocks = values.filter((item) => item.kind === 'known');
          return {
            when,
            value: new Known(
              blocks.map((item) => this.statement(item)),
              source,
            ),
          };
        }),
      );
    });
  }

  private statement(item: Known<V>): IdentifiedStatement {
    const at = (key: string) => this.member(item, key);
    return {
      id: this.values.text(at('Sid')),
      statement: {
        effect: this.values.text(at('Effect')),
        actions: this.texts(at('Action')),
        notActions: this.texts(at('NotAction')),
        resources: this.texts(at('Resource')),
        notResources: this.texts(at('NotResource')),
        principals: this.principals(at('Principal')),
        conditions: this.conditions(at('Condition')),
        source: item.source,
      },
    };
  }

  private member(item: Known<V>, key: string): Value<V> {
    if (!this.values.isMap(item)) return new Unknown('it is no statement', item.source);
    return this.values.entry(item, key);
  }

  /** IAM takes one value where it takes a list. */
  private several(value: Value<V>): Value<readonly Value<V>[]> {
    return flatMapValue(value, (plain): Value<readonly Value<V>[]> => {
      if (plain.kind !== 'known') return plain;
      return this.values.items(plain) ?? new Known([plain], plain.source, plain.note);
    });
  }

  /** Texts of one value or a list; what is conditional or unknown stays so, item by item. */
  private texts(value: Value<V>): readonly Value<string>[] {
    return conditionalItems(this.several(value)).map((item) => this.values.text(item));
  }

  private principals(value: Value<V>): readonly Principal[] {
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
    if (!this.values.isMap(value)) return this.texts(value).map((id) => ({ type: '*', id }));
    return this.values
      .entries(value)
      .flatMap(({ key, value: ids }) => this.texts(ids).map((id) => principalOf(key, id)));
  }

  private conditions(value: Value<V>): readonly PolicyCondition[] | UnreadableConditions {
    if (value.kind === 'absent') return [];
    if (value.kind !== 'known') return unreadableConditions(value);
    if (!this.values.isMap(value)) return { kind: 'unknown-conditions', reason: 'the condition block is no map' };
    const result: PolicyCondition[] = [];
    for (const { key: operator, value: operands } of this.values.entries(value)) {
      if (operands.kind === 'absent') continue;
      if (operands.kind !== 'known') return unreadableConditions(operands);
      if (!this.values.isMap(operands)) return { kind: 'unknown-conditions', reason: `${operator} is no map` };
      for (const { key, keyFunction, value: operand, source } of this.values.entries(operands)) {
        const condition: PolicyCondition = { operator, key, values: this.texts(operand), source };
        result.push(keyFunction === undefined ? condition : { ...condition, keyFunction });
      }
    }
    return result;
  }
}

export function unreadableConditions(value: Value<unknown>): UnreadableConditions {
  return {
    kind: 'unknown-conditions',
    reason: value.kind === 'unknown' ? value.reason : 'the condition block depends on conditions of the input',
  };
}

/** A principal, with the resource of the input that it is nothing but a reference to. */
export function principalOf(type: string, id: Value<string>): Principal {
  const resource = id.kind === 'unknown' ? id.reference?.resource : undefined;
  return resource === undefined ? { type, id } : { type, id, target: resource as Resource };
}
