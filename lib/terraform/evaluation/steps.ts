import { Hints, Known, Unknown, type Plain, type Source } from '../../value';
import { pathText, type ValueStep } from '../address';
import { ResourceObject, ResourcePart } from '../resource-object';
import {
  describe,
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../terraform-value';
import { flatMap } from './choices';
import { numberOf } from './numbers';
import { withNote } from './places';
import { textOf } from './texts';
import { UnknownCollection } from './unknown-collection';
import { derived, InvalidValue } from './unknowns';

/** `.name`, `["name"]` or `[0]` behind a value. */
export function stepInto(value: TerraformValue, step: ValueStep, source: Source): TerraformValue {
  return flatMap(value, (plain): TerraformValue => {
    switch (plain.kind) {
      case 'absent':
        return new InvalidValue('null has no attributes', source);
      case 'unknown':
        return extended(plain, step, source);
      case 'known':
        return withNote(
          stepIntoItem(plain.value, step, source),
          plain.note,
          typeof step === 'string' ? step : undefined,
        );
    }
  });
}

function stepIntoItem(item: TerraformItem, step: ValueStep, source: Source): TerraformValue {
  if (item instanceof TerraformMap) {
    // Nested blocks of a JSON configuration can be an object instead of a list of one.
    if (step === 0 && item instanceof ResourcePart) return new Known(item, source);
    return item.entry(String(step)) ?? new InvalidValue(`it has no "${step}"`, source);
  }
  if (!(item instanceof TerraformList) || item instanceof TerraformSet)
    return new InvalidValue(`${describe(item)} has no "${step}"`, source);
  const index = numberOf(new Known(step, source));
  const only = index === undefined && typeof step === 'string' ? onlyInstance(item) : undefined;
  // Terraform 0.11 took the first instance of a resource with `count` where no index is written; later versions refuse that.
  if (only !== undefined) return stepInto(only, step, source);
  const found = index === undefined || !Number.isInteger(index) || index < 0 ? undefined : item.items[index];
  return found ?? new InvalidValue(`there is no item ${step} in it`, source);
}

/** The instance of a resource with `count` that has one. */
function onlyInstance({ items }: TerraformList): TerraformValue | undefined {
  const [only, other] = items;
  if (only === undefined || other !== undefined) return undefined;
  return only.kind === 'known' && only.value instanceof ResourceObject ? only : undefined;
}

/** What is behind a value that isn't known: of a reference to a resource an attribute further down. */
function extended(unknown: Unknown, step: ValueStep, source: Source): Unknown {
  if (unknown instanceof InvalidValue) return unknown.at(source);
  const path = pathText([step]);
  const add = (text: string) => (text === '' ? path : path.startsWith('[') ? text + path : `${text}.${path}`);
  const { text, symbol, reference } = unknown;
  return new Unknown(
    unknown.reason,
    source,
    text === undefined || !/^\$\{[^{}]*\}$/.test(text) ? undefined : `\${${add(text.slice(2, -1))}}`,
    symbol === undefined
      ? undefined
      : symbol.endsWith('}')
        ? `${symbol.slice(0, -1)}${path.startsWith('[') ? '' : '.'}${path}}`
        : add(symbol),
    reference === undefined ? undefined : { resource: reference.resource, attribute: add(reference.attribute) },
    hintsBehind(unknown.hints, step),
  );
}

function hintsBehind(hints: Hints, step: ValueStep): Hints {
  if (hints === Hints.none || hints === Hints.ofParts) return hints;
  const { values, otherwise } = hints;
  const behind = (value: Plain<unknown>) => stepInto(value as Plain<TerraformItem>, step, value.source);
  const inner = values.map((hint) => {
    const found = behind(hint);
    return found.kind === 'known' ? new Known(found.value, found.source, hint.note) : undefined;
  });
  const standard = otherwise && behind(otherwise);
  return new Hints(
    inner.flatMap((hint) => hint ?? []),
    standard?.kind === 'choice' ? undefined : standard,
  );
}

/** `[key]` behind a value, where the key is a value, too. */
export function indexInto(value: TerraformValue, key: TerraformValue, source: Source): TerraformValue {
  return flatMap(key, (plain): TerraformValue => {
    if (plain instanceof InvalidValue) return plain.at(source);
    if (plain.kind === 'absent') return new InvalidValue('the key is null', source);
    if (plain.kind === 'unknown')
      return flatMap(value, (of) => (of instanceof InvalidValue ? of.at(source) : unknownItem(of, plain, source)));
    const { value: item } = plain;
    if (typeof item === 'number') return stepInto(value, item, source);
    const text = textOf(plain);
    return text.kind === 'known'
      ? stepInto(value, text.value, source)
      : new InvalidValue(`${describe(item)} is no key`, source);
  });
}

function unknownItem(of: Plain<TerraformItem>, key: Unknown, source: Source): TerraformValue {
  const own =
    of.kind === 'known' && of.value instanceof TerraformMap && key.symbol !== undefined
      ? of.value.unsure.find((entry) => entry.key.symbol === key.symbol)
      : undefined;
  if (own !== undefined) return own.value;
  const unknown = derived([of, key], source, ([value = '', step = '']) => `${value}[${step}]`);
  return unknown.text === undefined ? new Unknown(key.reason, source, undefined, unknown.symbol) : unknown;
}

/**
 * `[*]` behind a value: a list of what the rest makes of each item.
 * @param show the rest as it is written; undefined if it contains more than names and literals
 */
export function splat(
  value: TerraformValue,
  rest: (item: TerraformValue) => TerraformValue,
  show: string | undefined,
  source: Source,
): TerraformValue {
  return flatMap(value, (plain): TerraformValue => {
    if (plain instanceof InvalidValue) return plain.at(source);
    if (plain.kind === 'absent') return new Known(new TerraformList([]), source);
    if (plain instanceof UnknownCollection && plain.shape.kind === 'list') return ofEach(plain, rest, show, source);
    if (plain.kind === 'unknown')
      return show === undefined
        ? new Unknown(plain.reason, source)
        : derived([plain], source, ([text = '']) => `${text}[*]${show}`);
    const { value: item, note } = plain;
    // What is no list counts as a list of one.
    const items = (item instanceof TerraformList ? item.items : [plain]).map(rest);
    return (
      items.find((one) => one instanceof InvalidValue)?.at(source) ?? new Known(new TerraformList(items), source, note)
    );
  });
}

function ofEach(
  list: UnknownCollection,
  rest: (item: TerraformValue) => TerraformValue,
  show: string | undefined,
  source: Source,
): Unknown {
  const { shape, reason, text } = list;
  const element = rest(shape.element);
  if (element instanceof InvalidValue) return element.at(source);
  const shown =
    show === undefined || text === undefined || !/^\$\{[^{}]*\}$/.test(text)
      ? undefined
      : `\${${text.slice(2, -1)}[*]${show}}`;
  return new UnknownCollection({ ...shape, element }, reason, source, shown);
}
