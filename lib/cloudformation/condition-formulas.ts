import { always } from '../value';
import { isMap, member, referencesIn, type Cursor } from './cursor';
import type { Template } from './template';

/** One value that a user chooses at deployment, such as a parameter. */
export interface Variable {
  readonly id: string;
  /** The only values it can have. */
  readonly allowed: readonly string[] | undefined;
  /** The value that it has unless somebody chooses another. @default - none */
  readonly usual?: string;
}

export type Operand = { readonly constant: string } | { readonly variable: Variable };

export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'equals'; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  /** Something that can't be read, or may be either. */
  | { readonly kind: 'free'; readonly id: string };

/** What a rule of a template demands of its parameters. */
export interface Restriction {
  readonly formula: Formula;
  readonly parameters: ReadonlySet<string>;
}

/** The `Rules` of a template: where the condition of a rule holds, its assertions have to. */
export function readRules(rules: Cursor | undefined): readonly Restriction[] {
  if (rules === undefined || !isMap(rules.raw)) return [];
  return Object.keys(rules.raw).map((name) => {
    const rule = rules.child(name);
    const list = rule.child('Assertions');
    const asserted = Array.isArray(list.raw)
      ? list.raw.map((_, index) => readFormula(list.child(index).child('Assert')))
      : [];
    const condition = rule.child('RuleCondition');
    const demanded: Formula = { kind: 'and', parts: asserted };
    const formula: Formula =
      condition.raw === undefined
        ? demanded
        : { kind: 'or', parts: [{ kind: 'not', part: readFormula(condition) }, demanded] };
    return { formula, parameters: referencesIn(rule.raw, new Set()) };
  });
}

export function readFormula(cursor: Cursor): Formula {
  const { raw, template } = cursor;
  if (raw === true || raw === 'true') return { kind: 'constant', value: true };
  if (raw === false || raw === 'false') return { kind: 'constant', value: false };
  const free: Formula = { kind: 'free', id: `${template.id}/${cursor.path().join('/')}` };
  if (!isMap(raw)) return free;
  const [name, ...others] = Object.keys(raw);
  if (name === undefined || others.length > 0) return free;
  const argument = cursor.child(name);
  const parts = () =>
    Array.isArray(argument.raw) ? argument.raw.map((_, index) => readFormula(argument.child(index))) : undefined;
  switch (name) {
    case 'Condition':
      return typeof argument.raw === 'string' ? template.condition(argument.raw).formula : free;
    case 'Fn::Not': {
      const part = parts()?.[0];
      return part === undefined ? free : { kind: 'not', part };
    }
    case 'Fn::And':
    case 'Fn::Or': {
      const all = parts();
      return all === undefined ? free : { kind: name === 'Fn::And' ? 'and' : 'or', parts: all };
    }
    case 'Fn::Equals':
      if (!Array.isArray(argument.raw) || argument.raw.length !== 2) return free;
      return { kind: 'equals', left: readOperand(argument.child(0)), right: readOperand(argument.child(1)) };
    case 'Fn::Contains': {
      const list = argument.child(0);
      if (!Array.isArray(argument.raw) || argument.raw.length !== 2 || !Array.isArray(list.raw)) return free;
      const wanted = readOperand(argument.child(1));
      return {
        kind: 'or',
        parts: list.raw.map((_, index) => ({ kind: 'equals', left: readOperand(list.child(index)), right: wanted })),
      };
    }
    default:
      return free;
  }
}

/** Parameters count as open even with a default, because whoever deploys may set them. */
function readOperand(cursor: Cursor): Operand {
  const { raw, template } = cursor;
  const constant = cursor.scalarText();
  if (constant !== undefined) return { constant };
  const name = member(raw, 'Ref');
  if (typeof name === 'string') {
    const parameter = template.parameterOperand(name);
    if (parameter !== undefined) return parameter;
  }
  const { evaluator } = template.set;
  const value = mentionsParameter(raw, template) ? undefined : evaluator.under(always, () => evaluator.text(cursor));
  if (value?.kind === 'known') return { constant: value.value };
  if (value?.kind === 'unknown' && value.symbol !== undefined)
    return { variable: { id: value.symbol, allowed: undefined } };
  return { variable: { id: `${template.id}:${JSON.stringify(raw)}`, allowed: undefined } };
}

function mentionsParameter(raw: unknown, template: Template): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  const name = member(raw, 'Ref');
  if (typeof name === 'string') return template.hasParameter(name);
  if (member(raw, 'Fn::Sub') !== undefined) return true;
  return Object.values(raw).some((part) => mentionsParameter(part, template));
}
