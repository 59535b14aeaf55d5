import { Absent, flatMapValue, Known, type Plain } from '../../value';
import { withNote } from '../evaluation/places';
import type { Expression } from '../../languages/hcl/ast';
import { parseExpression } from '../../languages/hcl/parser';
import { TerraformList, TerraformMap, TerraformSet, type TerraformItem, type TerraformValue } from '../terraform-value';
import { LazyMap } from './lazy-map';

/** The type of a variable; what isn't understood converts nothing. */
export type TypeConstraint =
  | { readonly kind: 'any' | 'string' | 'number' | 'bool' }
  | { readonly kind: 'list' | 'set' | 'map'; readonly of: TypeConstraint }
  | { readonly kind: 'tuple'; readonly items: readonly TypeConstraint[] }
  | { readonly kind: 'object'; readonly attributes: ReadonlyMap<string, ObjectAttribute> };

interface ObjectAttribute {
  readonly type: TypeConstraint;
  /** What stands for an attribute that is left out or null: second argument of `optional()`. */
  readonly default: Expression | undefined;
  readonly isOptional: boolean;
}

const ANY: TypeConstraint = { kind: 'any' };
const MAX_DEPTH = 50;

/** The type that `type = …` says; in JSON it is a text. */
export function typeConstraint(expression: Expression | undefined, depth = 0): TypeConstraint {
  if (expression === undefined || depth > MAX_DEPTH) return ANY;
  if (expression.kind === 'literal')
    return typeof expression.value === 'string' && depth === 0
      ? typeConstraint(parseExpression(expression.value).value, 1)
      : ANY;
  if (expression.kind === 'variable') return named(expression.name);
  return expression.kind === 'call' ? constructed(expression.name, expression.args[0], depth) : ANY;
}

function named(name: string): TypeConstraint {
  if (name === 'string' || name === 'number' || name === 'bool') return { kind: name };
  // As versions before 0.12 wrote them.
  if (name === 'list' || name === 'map') return { kind: name, of: ANY };
  return ANY;
}

function constructed(name: string, argument: Expression | undefined, depth: number): TypeConstraint {
  if (name === 'list' || name === 'set' || name === 'map')
    return { kind: name, of: typeConstraint(argument, depth + 1) };
  if (name === 'tuple' && argument?.kind === 'tuple')
    return { kind: 'tuple', items: argument.items.map((item) => typeConstraint(item, depth + 1)) };
  if (name !== 'object' || argument?.kind !== 'object') return ANY;
  const attributes = new Map<string, ObjectAttribute>();
  for (const { key, value } of argument.entries) {
    if (key.kind === 'literal') attributes.set(String(key.value), objectAttribute(value, depth));
  }
  return { kind: 'object', attributes };
}

function objectAttribute(value: Expression, depth: number): ObjectAttribute {
  if (value.kind !== 'call' || value.name !== 'optional')
    return { type: typeConstraint(value, depth + 1), default: undefined, isOptional: false };
  return { type: typeConstraint(value.args[0], depth + 1), default: value.args[1], isOptional: true };
}

/**
 * The value as Terraform converts it to the type: attributes that an object type doesn't name are dropped, and optional ones get their
 * defaults. What doesn't fit is left as it is: that is Terraform's to say.
 */
export function converted(
  value: TerraformValue,
  type: TypeConstraint,
  evaluateDefault: (expression: Expression) => TerraformValue,
): TerraformValue {
  if (type.kind === 'any') return value;
  return flatMapValue(
    value,
    (plain): TerraformValue => (plain.kind === 'known' ? convertKnown(plain, type, evaluateDefault) : plain),
  );
}

type EvaluateDefault = (expression: Expression) => TerraformValue;

function convertKnown(
  known: Known<TerraformItem>,
  type: TypeConstraint,
  evaluateDefault: EvaluateDefault,
): Plain<TerraformItem> {
  const { value: item } = known;
  switch (type.kind) {
    case 'any':
      return known;
    case 'string':
    case 'number':
    case 'bool':
      return convertScalar(known, type.kind);
    case 'list':
    case 'set': {
      if (!(item instanceof TerraformList)) return known;
      const items = item.items.map((one) => converted(one, type.of, evaluateDefault));
      return again(known, type.kind === 'list' ? new TerraformList(items) : new TerraformSet(distinct(items)));
    }
    case 'tuple':
      return item instanceof TerraformList
        ? again(
            known,
            new TerraformList(
              item.items.map((one, index) => converted(one, type.items[index] ?? ANY, evaluateDefault)),
            ),
          )
        : known;
    case 'map':
      // Resources and outputs of modules stay what they are, so that references to them do.
      return isPlainMap(item) ? again(known, mapTo(item, type.of, evaluateDefault)) : known;
    case 'object':
      return isPlainMap(item) ? again(known, objectTo(known, item, type.attributes, evaluateDefault)) : known;
  }
}

function again(known: Known<TerraformItem>, item: TerraformItem): Known<TerraformItem> {
  return new Known(item, known.source, known.note);
}

/** A map that holds what is written, not a resource or the outputs of a module. */
function isPlainMap(item: TerraformItem): item is TerraformMap {
  return item instanceof TerraformMap && item.constructor === TerraformMap && !(item.entries instanceof LazyMap);
}

/** The values without plain ones that stand there already. */
function distinct(values: readonly TerraformValue[]): readonly TerraformValue[] {
  const seen = new Set<TerraformItem>();
  return values.filter((value) => {
    if (value.kind !== 'known' || typeof value.value === 'object') return true;
    const isNew = !seen.has(value.value);
    seen.add(value.value);
    return isNew;
  });
}

function mapTo(map: TerraformMap, type: TypeConstraint, evaluateDefault: EvaluateDefault): TerraformMap {
  const to = (entry: TerraformValue) => converted(entry, type, evaluateDefault);
  const unsure = map.unsure.map(({ key, value }) => ({ key, value: to(value) }));
  return new TerraformMap(new Map(Array.from(map.entries, ([key, entry]) => [key, to(entry)])), map.more, unsure);
}

function objectTo(
  { source, note }: Known<TerraformItem>,
  map: TerraformMap,
  attributes: ReadonlyMap<string, ObjectAttribute>,
  evaluateDefault: EvaluateDefault,
): TerraformMap {
  const entries = new Map<string, TerraformValue>();
  for (const [name, attribute] of attributes) {
    const given = map.entry(name) ?? new Absent(source);
    const { default: standard } = attribute;
    const whole =
      standard === undefined
        ? given
        : flatMapValue(
            given,
            (plain): TerraformValue =>
              plain.kind === 'absent'
                ? withNote(evaluateDefault(standard), note ?? `default of attribute ${name}`, undefined)
                : plain,
          );
    entries.set(name, converted(whole, attribute.type, evaluateDefault));
  }
  return new TerraformMap(entries);
}

function convertScalar(known: Known<TerraformItem>, kind: 'string' | 'number' | 'bool'): Known<TerraformItem> {
  const { value: item } = known;
  if (typeof item === 'object' || typeof item === (kind === 'bool' ? 'boolean' : kind)) return known;
  if (kind === 'string') return again(known, String(item));
  if (typeof item !== 'string') return known;
  if (kind === 'bool') return item === 'true' || item === 'false' ? again(known, item === 'true') : known;
  const number = item.trim() === '' ? Number.NaN : Number(item);
  return Number.isNaN(number) ? known : again(known, number);
}

/** The value where it is given, else the other: `null` is nothing. */
export function unlessNull(value: TerraformValue, other: () => TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): TerraformValue => (plain.kind === 'absent' ? other() : plain));
}
