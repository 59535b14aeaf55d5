import {
  Absent,
  type Alternative,
  alternativesOf,
  always,
  beyondLimit,
  choose,
  flatMapValue,
  Known,
  type Plain,
  type Source,
  Steps,
  Unknown,
  type Value,
  writtenAs,
  type When,
} from '../value';
import { assume, assumptionAt } from './conditions';
import { Cursor, isMap, member, TextPlace } from './cursor';
import { parseEmbedded } from '../value/embedded-text';
import { withFillIns } from '../value/fill-ins';
import { dataOf, toText } from './embedded-data';
import { asText, DecodedText, describeItem, ItemList, type Item } from './item';
import { loopVariable } from './loops';
import { mappedValue } from './mappings';
import { parameterValue } from './parameters';
import { nameInArn } from './names-in-arns';
import { isNameOfAws, pseudoParameter } from './pseudo-parameters';
import { stackOutput, importedValue } from './stack-outputs';
import type { TemplateSet } from './template-set';
import { composeAll, composeText, dynamicReference, tooManyConditions } from './texts';
import { JoinedText, splitAround } from '../value/composed-text';
import { lookupPlaceholder } from '../value/lookup-placeholder';
import { combine, ResourceAttribute, SplitText } from './unknown-values';

/** A value that a text names: a known one knows by what. */
function namedBy(reference: string, value: Value<string>): Value<string> {
  return flatMapValue(
    value,
    (plain): Plain<string> =>
      plain.kind === 'known' && !(plain instanceof JoinedText)
        ? new Known(plain.value, writtenAs(plain.source, reference), plain.note)
        : plain,
  );
}

/** Name of the intrinsic function that a raw value is a call of. */
export function intrinsicOf(raw: unknown): string | undefined {
  if (!isMap(raw)) return undefined;
  let only: string | undefined;
  for (const key in raw) {
    if (only !== undefined) return undefined;
    only = key;
  }
  return only === 'Ref' || only?.startsWith('Fn::') === true ? only : undefined;
}

/** References are most of all calls and lead to one place each, so a circle of them alone is found soon enough later. */
const UNGUARDED_DEPTH = 8;

/** Works out what expressions of a template set mean. */
export class Evaluator {
  /** Expressions that are being evaluated, to find circular ones. */
  private readonly inProgress = new Set<unknown>();
  private depth = 0;
  /** Of the value that is being evaluated. */
  private steps = new Steps();
  /** What holds where a value is used that stands elsewhere: a parameter of a nested stack, or an output. */
  private assumption = always;

  constructor(private readonly set: TemplateSet) {}

  /**
   * The value at a cursor.
   * @param source the property that a finding about the value points at
   */
  evaluate(cursor: Cursor, source: Source = cursor): Value<Item> {
    const { raw } = cursor;
    if (typeof raw === 'string')
      return raw.includes('{{resolve:')
        ? dynamicReference(raw, source)
        : (lookupPlaceholder(raw, source) ?? withFillIns(raw, source) ?? new Known(raw, source));
    if (typeof raw === 'number') return new Known(Number.isInteger(raw) ? raw : (cursor.scalarText() ?? raw), source);
    if (typeof raw === 'boolean') return new Known(raw, source);
    if (typeof raw !== 'object' || raw === null) return new Absent(source);
    if (raw instanceof Unknown) return raw.at(source);
    const intrinsic = cursor.isData ? undefined : intrinsicOf(raw);
    if (intrinsic === undefined) return new Known(cursor, source);
    if (this.depth === 0) this.steps = new Steps();
    if (!this.steps.take()) return beyondLimit('it takes too long to work out', source);
    const isReference = intrinsic === 'Ref' || intrinsic === 'Fn::GetAtt';
    if (isReference && this.depth < UNGUARDED_DEPTH) {
      this.depth++;
      const value = this.call(intrinsic, cursor, cursor.child(intrinsic), source);
      this.depth--;
      return value;
    }
    if (this.inProgress.has(raw)) return new Unknown('it refers to itself', source);
    if (this.depth > 200) return beyondLimit('it is nested too deeply', source);
    this.inProgress.add(raw);
    this.depth++;
    const value = this.call(intrinsic, cursor, cursor.child(intrinsic), source);
    this.depth--;
    this.inProgress.delete(raw);
    return value;
  }

  /** Evaluates while an assumption holds, whatever held before. */
  under<T>(assumption: When, evaluate: () => T): T {
    const before = this.assumption;
    this.assumption = assumption;
    const result = evaluate();
    this.assumption = before;
    return result;
  }

  /** What holds at a place of a template, and where the value that is being evaluated is used. */
  assumptionAt(place: Cursor): When {
    const own = assumptionAt(place);
    return own.and(this.assumption) ?? own;
  }

  /** Whether the value that is being evaluated is used under an assumption of another template. */
  get isConditional(): boolean {
    return this.assumption !== always;
  }

  /** The value at a cursor as text. */
  text(cursor: Cursor, source: Source = cursor): Value<string> {
    return asText(this.evaluate(cursor, source));
  }

  /** Items of a list; the outer value is unknown or absent if the list as a whole is. Conditional items that may be absent stay choices. */
  items(value: Value<Item>): Value<readonly Value<Item>[]> {
    return flatMapValue(value, (plain): Value<readonly Value<Item>[]> => {
      if (plain.kind !== 'known') return plain;
      const { value: list, source } = plain;
      if (list instanceof ItemList) return new Known(list.items, source, plain.note);
      if (list instanceof Cursor && Array.isArray(list.raw)) {
        const items = list.raw.map((_, index) => this.evaluate(list.child(index)));
        return new Known(
          items.filter((item) => item.kind !== 'absent'),
          source,
          plain.note,
        );
      }
      return new Unknown(`it is ${describeItem(list)} where a list belongs`, source);
    });
  }

  private call(name: string, cursor: Cursor, argument: Cursor, source: Source): Value<Item> {
    switch (name) {
      case 'Ref':
        return typeof argument.raw === 'string' ? this.ref(argument.raw, argument, source) : malformed(name, source);
      case 'Fn::GetAtt':
        return this.getAtt(argument, source);
      case 'Fn::Sub':
        return this.sub(argument, source);
      case 'Fn::Join':
        return this.join(argument, source);
      case 'Fn::If':
        return this.conditional(argument, source);
      case 'Fn::FindInMap':
        return this.findInMap(argument, source);
      case 'Fn::Select':
        return this.select(argument, source);
      case 'Fn::Split':
        return this.split(argument, source);
      case 'Fn::Base64':
        // The text keeps its own place: who reads it as a document wants to point into it.
        return flatMapValue(
          this.text(argument),
          (text): Value<Item> =>
            text.kind === 'absent' ? malformed(name, source) : new Known(new DecodedText(text), source),
        );
      case 'Fn::ImportValue':
        return flatMapValue(this.text(argument, source), (exportName) =>
          importedValue(this, this.set, exportName, cursor.template, source),
        );
      case 'Fn::GetStackOutput':
        return stackOutput(this, this.set, argument, source);
      case 'Fn::ToJsonString':
        return toText(dataOf(this, argument), source);
      case 'Fn::Length':
        return flatMapValue(
          this.items(this.evaluate(argument, source)),
          (list): Value<Item> =>
            list.kind === 'known'
              ? new Known(list.value.length, source)
              : list.kind === 'absent'
                ? malformed(name, source)
                : list,
        );
      default:
        return new Unknown(`${name} is evaluated at deployment`, source, `\${${name}}`, symbolOf(cursor));
    }
  }

  /** What `Ref` gives: a parameter's value, a pseudo parameter, or a resource's id. */
  private ref(name: string, place: Cursor, source: Source): Value<Item> {
    const { template } = place;
    if (name.startsWith('AWS::')) return pseudoParameter(name, template, source);
    const variable = loopVariable(name);
    if (variable !== undefined)
      return new Unknown(`what the loop over ${variable} goes through isn't known`, source, `\${${variable}}`);
    const parameter = template.named('Parameters', name);
    if (parameter !== undefined) return parameterValue(this, name, parameter, place, source);
    return this.attribute(name, 'Ref', place, source);
  }

  private getAtt(argument: Cursor, source: Source): Value<Item> {
    const { raw } = argument;
    if (typeof raw === 'string') {
      const dot = raw.indexOf('.');
      return dot < 0
        ? malformed('Fn::GetAtt', source)
        : this.attribute(raw.slice(0, dot), raw.slice(dot + 1), argument, source);
    }
    const logicalId: unknown = Array.isArray(raw) ? raw[0] : undefined;
    if (!Array.isArray(raw) || typeof logicalId !== 'string' || raw.length < 2) return malformed('Fn::GetAtt', source);
    const name: unknown = raw[1];
    if (typeof name === 'string' && !name.includes('{{resolve:'))
      return this.attribute(logicalId, name, argument, source);
    return flatMapValue(this.text(argument.child(1), source), (attribute): Value<Item> => {
      if (attribute.kind !== 'known') return new Unknown(`the attribute of ${logicalId} is not known`, source);
      return this.attribute(logicalId, attribute.value, argument, source);
    });
  }

  /** An attribute of a resource (`Ref` for its id). */
  private attribute(logicalId: string, name: string, place: Cursor, source: Source): Value<Item> {
    const { template } = place;
    const resource = template.named('Resources', logicalId);
    if (resource !== undefined && name === 'Ref') return new ResourceAttribute(resource, name, source);
    const text = name === 'Ref' ? `\${${logicalId}}` : `\${${logicalId}.${name}}`;
    if (resource === undefined)
      return new Unknown(
        `there is no ${name === 'Ref' ? 'parameter or resource' : 'resource'} "${logicalId}"`,
        source,
        text,
      );
    const type = member(resource.raw, 'Type');
    if (name.startsWith('Outputs.') && type === 'AWS::CloudFormation::Stack') {
      const child = template.children.get(logicalId);
      const output = child?.named('Outputs', name.slice('Outputs.'.length));
      if (output !== undefined)
        return this.under(this.assumptionAt(place), () => this.evaluate(output.child('Value'), source));
    }
    if (name === 'Value' && type === 'Custom::AWSCDKCfnJson') {
      return flatMapValue(this.text(resource.child('Properties').child('Value'), source), (json): Value<Item> => {
        if (json.kind === 'absent') return json;
        const parsed = parseEmbedded(json);
        if (parsed.kind !== 'parsed') return new Unknown(`the JSON text of ${logicalId} can't be read`, source, text);
        const place = resource.child('Properties').child('Value');
        return this.evaluate(new Cursor(template, parsed.data, place.parent, place.key, true), source);
      });
    }
    return new ResourceAttribute(resource, name, source);
  }

  private sub(argument: Cursor, source: Source): Value<Item> {
    const { raw } = argument;
    const isPair = Array.isArray(raw);
    const pattern: unknown = isPair ? raw[0] : raw;
    if (typeof pattern !== 'string') return malformed('Fn::Sub', source);
    const text = isPair ? argument.child(0) : argument;
    const variables = isPair ? argument.child(1) : undefined;
    const parts: Value<string>[] = [];
    // What stands several times in a text is worked out once: variables may have variables that have variables.
    const values = new Map<string, Value<string>>();
    let end = 0;
    for (const match of pattern.matchAll(/\$\{([^{}]*)\}/g)) {
      parts.push(new Known(pattern.slice(end, match.index), new TextPlace(text, end)));
      end = match.index + match[0].length;
      const name = (match[1] ?? '').trim();
      if (name.startsWith('!')) parts.push(new Known(`\${${name.slice(1)}}`, new TextPlace(text, match.index)));
      else {
        const own =
          variables !== undefined && member(variables.raw, name) !== undefined ? variables.child(name) : undefined;
        const value =
          values.get(name) ??
          asText(own === undefined ? this.variable(name, argument, source) : this.evaluate(own, source));
        values.set(name, value);
        parts.push(namedBy(match[0], value));
      }
    }
    parts.push(new Known(pattern.slice(end), new TextPlace(text, end)));
    return composeAll(parts, source, this.set);
  }

  private variable(name: string, place: Cursor, source: Source): Value<Item> {
    const dot = name.indexOf('.');
    return dot < 0 || name.startsWith('AWS::') || loopVariable(name) !== undefined
      ? this.ref(name, place, source)
      : this.attribute(name.slice(0, dot), name.slice(dot + 1), place, source);
  }

  private join(argument: Cursor, source: Source): Value<Item> {
    const { raw } = argument;
    const delimiter: unknown = Array.isArray(raw) ? raw[0] : undefined;
    if (typeof delimiter !== 'string') return malformed('Fn::Join', source);
    return flatMapValue(this.items(this.evaluate(argument.child(1), source)), (list): Value<Item> => {
      if (list instanceof SplitText) return list.joinedBy(delimiter, source);
      if (list.kind !== 'known') return list.kind === 'absent' ? malformed('Fn::Join', source) : list;
      const rows = combine(list.value.map(asText));
      if (rows === undefined) return tooManyConditions(source);
      return choose(
        rows.map(({ when, values }) => {
          const parts: Plain<string>[] = [];
          for (const value of values) {
            if (value.kind === 'absent') continue;
            if (parts.length > 0) parts.push(new Known(delimiter, source));
            parts.push(value);
          }
          return { when, value: composeText(parts, source, this.set) };
        }),
      );
    });
  }

  private conditional(argument: Cursor, source: Source): Value<Item> {
    const { raw, template } = argument;
    const name: unknown = Array.isArray(raw) ? raw[0] : undefined;
    if (!Array.isArray(raw) || raw.length !== 3 || typeof name !== 'string') return malformed('Fn::If', source);
    const condition = template.condition(name);
    const resource = argument.resourceId();
    const existence = resource === undefined ? undefined : template.existence(resource);
    const branches = [true, false].flatMap((truth, index) => {
      const when = assume(condition, truth);
      // A branch that the resource's own condition rules out never takes effect.
      return when === undefined || (existence !== undefined && existence.and(when) === undefined)
        ? []
        : [{ when, index }];
    });
    const [only, other] = branches;
    // What holds wherever there is the resource depends on no condition.
    if (only !== undefined && other === undefined) return this.evaluate(argument.child(only.index + 1), source);
    const alternatives: Alternative<Item>[] = [];
    for (const { when, index } of branches) {
      const branch = this.evaluate(argument.child(index + 1), source);
      for (const inner of alternativesOf(branch)) {
        const both = when.and(inner.when);
        if (both !== undefined) alternatives.push({ when: both, value: inner.value });
      }
    }
    const [first] = alternatives;
    if (first === undefined) return new Unknown(`condition ${name} can't be evaluated`, source);
    return choose(alternatives);
  }

  private findInMap(argument: Cursor, source: Source): Value<Item> {
    const { raw, template } = argument;
    if (!Array.isArray(raw) || raw.length < 3) return malformed('Fn::FindInMap', source);
    const rows = combine([0, 1, 2].map((index) => this.text(argument.child(index), source)));
    if (rows === undefined) return tooManyConditions(source);
    const fallback = isMap(raw[3]) ? argument.child(3).child('DefaultValue') : undefined;
    const alternatives = rows.flatMap(({ when, values }): Alternative<Item>[] =>
      alternativesOf(mappedValue(this, values, fallback, template, source)).flatMap((inner) => {
        const both = when.and(inner.when);
        return both === undefined ? [] : [{ when: both, value: inner.value }];
      }),
    );
    return choose(alternatives);
  }

  private select(argument: Cursor, source: Source): Value<Item> {
    if (!Array.isArray(argument.raw) || argument.raw.length !== 2) return malformed('Fn::Select', source);
    const index = this.text(argument.child(0), source);
    const list = this.items(this.evaluate(argument.child(1), source));
    return flatMapValue(
      index,
      (position): Value<Item> =>
        flatMapValue(list, (items): Value<Item> => {
          if (position.kind !== 'known' || items.kind === 'absent')
            return new Unknown('the selected item is not known', source);
          if (items.kind === 'unknown') {
            const name = items instanceof SplitText ? nameInArn(items, Number(position.value), source) : undefined;
            if (name !== undefined) return name;
            const text = items instanceof SplitText ? items.whole.text : items.text;
            return new Unknown(
              items.reason,
              source,
              text === undefined ? undefined : selectedText(text, position.value),
              items.symbol === undefined ? undefined : `${items.symbol}[${position.value}]`,
            );
          }
          const item = items.value[Number(position.value)];
          return item ?? new Unknown(`the list has no item ${position.value}`, source);
        }),
    );
  }

  private split(argument: Cursor, source: Source): Value<Item> {
    const { raw } = argument;
    const delimiter: unknown = Array.isArray(raw) ? raw[0] : undefined;
    if (typeof delimiter !== 'string' || delimiter === '') return malformed('Fn::Split', source);
    return flatMapValue(this.text(argument.child(1), source), (text): Value<Item> => {
      if (text.kind === 'known')
        return new Known(
          new ItemList(text.value.split(delimiter).map((part) => new Known(part, source, text.note))),
          source,
        );
      if (text.kind === 'absent') return malformed('Fn::Split', source);
      const parts = splitAround(text, delimiter, source, isNameOfAws);
      return parts === undefined ? new SplitText(text, delimiter, source) : new Known(new ItemList(parts), source);
    });
  }
}

function malformed(name: string, source: Source): Unknown {
  return new Unknown(`the call of ${name} is malformed`, source);
}

function symbolOf(cursor: Cursor): string {
  return `${cursor.template.id}:${JSON.stringify(cursor.raw)}`;
}

/** `${Provider}` with item 1 selected reads `${Provider[1]}`. */
function selectedText(text: string, index: string): string {
  return text.endsWith('}') ? `${text.slice(0, -1)}[${index}]}` : `${text}[${index}]`;
}
