import {
  choose,
  decidedAt,
  type Decided,
  Default,
  flatMapValue,
  Known,
  type Plain,
  type Source,
  Unknown,
  type Value,
  type When,
} from '../value';
import { assume, onlyValue, possibleValues, type Condition } from './conditions';
import { member, type Cursor } from './cursor';
import type { Evaluator } from './evaluator';
import { ItemList, type Item } from './item';
import { allowedValues, isLookedUp, type Template } from './template';
import { SsmParameterValue } from './unknown-values';

/**
 * What a parameter is: what a parent stack passes, what the user of this run gave, or its default.
 * @param place where the parameter is used; conditions that hold there may rule out its default
 */
export function parameterValue(
  evaluator: Evaluator,
  name: string,
  parameter: Cursor,
  place: Cursor,
  source: Source,
): Value<Item> {
  const binding = parameter.template.binding(name);
  const type = member(parameter.raw, 'Type');
  const parameterType = typeof type === 'string' ? type : 'String';
  const isList = parameterType === 'CommaDelimitedList' || parameterType.startsWith('List<');
  if (isSecret(parameter))
    return new Unknown(
      `parameter ${name} is NoEcho, so its value is not looked at`,
      source,
      `\${${name}}`,
      `${parameter.template.id}/${name}`,
    );
  if (binding !== undefined) {
    const bound = evaluator.under(evaluator.assumptionAt(place), () => evaluator.evaluate(binding, source));
    if (isLookedUp(parameter)) return flatMapValue(bound, (plain) => lookedUp(name, plain, source));
    return isList ? flatMapValue(bound, (plain) => splitList(plain, source)) : bound;
  }
  const given = parameter.template.givenParameter(name);
  if (given !== undefined) {
    // As in a deployment, it is the path that is given.
    if (isLookedUp(parameter)) return new SsmParameterValue(given, source);
    const known = new Known<Item>(given, source, `parameter ${name}, given in the configuration`);
    return isList ? splitList(known, source) : known;
  }
  const value = ownValue(evaluator, name, parameter, place, source);
  return isList ? flatMapValue(value, (plain) => splitList(plain, source)) : value;
}

/** What stands in the parameter store under the name that a parent stack passes. */
function lookedUp(name: string, path: Plain<Item>, source: Source): Plain<Item> {
  if (path.kind === 'known' && typeof path.value !== 'object') return new SsmParameterValue(String(path.value), source);
  return new Unknown(
    path.kind === 'unknown' ? path.reason : `parameter ${name} is looked up at deployment`,
    source,
    `\${${name}}`,
  );
}

function isSecret(parameter: Cursor): boolean {
  return parameter.child('NoEcho').scalarText() === 'true';
}

/** The values of parameters that a template declares to be secret: their defaults, what stacks pass that use it, and what the user of this run gave. */
export function secretsOf(template: Template): readonly string[] {
  return Object.keys(template.section('Parameters')?.raw ?? {}).flatMap((name) => {
    const parameter = template.named('Parameters', name);
    if (parameter === undefined || !isSecret(parameter)) return [];
    return [parameter.child('Default'), template.binding(name), ...template.set.passedTo(template, name)]
      .map((cursor) => cursor?.scalarText())
      .concat(template.givenParameter(name))
      .filter((text) => text !== undefined);
  });
}

/** What says which other values it may have. */
function allowedOnly(name: string, parameter: Cursor, text: string): Pick<Decided, 'checks'> {
  const allowed = allowedValues(parameter);
  if (allowed === undefined) return {};
  const by = `the allowed values of parameter ${name}`;
  return { checks: [{ by, at: parameter.child('AllowedValues'), text, accepts: (other) => allowed.includes(other) }] };
}

function ownValue(evaluator: Evaluator, name: string, parameter: Cursor, place: Cursor, source: Source): Value<Item> {
  const { template } = parameter;
  const unknown = (reason: string) => new Unknown(reason, source, `\${${name}}`, `${template.id}/${name}`);
  const evaluated = evaluator.evaluate(parameter.child('Default'), source);
  const byDefault = evaluated.kind === 'known' && typeof evaluated.value !== 'object' ? evaluated.value : undefined;
  // An empty default is there so that the template can be deployed without the value; nobody means the empty text.
  const reason =
    byDefault === undefined
      ? evaluated.kind === 'known'
        ? `the default of parameter ${name} is no text, which CloudFormation refuses`
        : `parameter ${name} has no default`
      : byDefault === ''
        ? `parameter ${name} has an empty default`
        : undefined;
  // Conditions see the looked up value, not the path that is the default.
  if (isLookedUp(parameter))
    return reason === undefined
      ? new SsmParameterValue(
          String(byDefault),
          decidedAt(source, { by: `default of parameter ${name}`, at: parameter.child('Default') }),
        )
      : unknown(reason);

  const usual: Plain<Item> =
    byDefault === undefined || reason !== undefined
      ? unknown(reason ?? '')
      : new Default<Item>(
          byDefault,
          decidedAt(source, {
            by: `default of parameter ${name}`,
            at: parameter.child('Default'),
            ...allowedOnly(name, parameter, String(byDefault)),
          }),
          `default of parameter ${name}`,
          (): Plain<Item> => usual,
        );
  if (!evaluator.isConditional && !template.isInConditions(name)) return usual;
  const operand = template.parameterOperand(name);
  if (operand === undefined || !('variable' in operand)) return usual;

  const text = byDefault === undefined ? undefined : String(byDefault);
  const under = (when: When): Plain<Item> => {
    const values = possibleValues(when, operand.variable, text);
    if (values === undefined) return usual;
    const only = onlyValue(values);
    if (only !== undefined && only !== '' && only !== text)
      return new Known<Item>(only, source, `parameter ${name}, given by a condition`);
    if (usual.kind === 'unknown' || (text !== undefined && values.has(text))) return usual;
    return unknown(`parameter ${name} differs from its default there`);
  };
  const here = evaluator.assumptionAt(place);
  const value = under(here);
  if (value !== usual || value.kind !== 'known') return value;
  const standard = new Default<Item>(value.value, value.source, value.note ?? '', (when) =>
    under(here.and(when) ?? when),
  );
  return byConditions(template.conditionsOn(name), here, standard, usual, under);
}

/** More combinations of conditions on one parameter are not told apart. */
const MOST_ROWS = 16;

/**
 * The default where conditions leave it, and what the parameter is elsewhere. Otherwise the default would be combined with what other
 * places say under a condition that rules it out.
 */
function byConditions(
  conditions: readonly Condition[],
  here: When,
  standard: Plain<Item>,
  usual: Plain<Item>,
  under: (when: When) => Plain<Item>,
): Value<Item> {
  let rows: readonly When[] = [here];
  for (const condition of conditions) {
    const truths = [assume(condition, true), assume(condition, false)].filter((when) => when !== undefined);
    const split = rows.flatMap((row) => truths.flatMap((when) => row.and(when) ?? []));
    // A condition that doesn't tell more of the parameter only multiplies the cases.
    if (split.every((row) => under(row) === usual)) continue;
    rows = split;
    if (rows.length > MOST_ROWS) return standard;
  }
  return rows.length === 1
    ? standard
    : choose(rows.map((when) => ({ when, value: under(when) === usual ? standard : under(when) })));
}

function splitList(plain: Plain<Item>, source: Source): Plain<Item> {
  if (plain.kind !== 'known' || typeof plain.value === 'object') return plain;
  const text = String(plain.value).trim();
  const items = text === '' ? [] : text.split(',');
  return new Known<Item>(
    new ItemList(items.map((item) => new Known(item.trim(), source, plain.note))),
    source,
    plain.note,
  );
}
