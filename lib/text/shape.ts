import { nearestName } from './nearest';

/**
 * What a value may be that comes from outside: a part of a configuration, a rule of the user's own and what it says. The published JSON Schema of
 * configurations is made from the same shapes as their check, so that the two agree.
 */
export type Shape =
  | {
      readonly kind: 'object';
      readonly properties: Readonly<Record<string, Property>>;
      readonly required?: readonly string[];
      /** What other names hold. @default - there are no others */
      readonly additional?: Shape;
      /** What its names are names of. @default 'setting' */
      readonly noun?: string;
      /** Why a name that somebody may try is none. @default - it is told like any other */
      readonly whyNot?: Readonly<Record<string, string>>;
    }
  /** An object whose keys may have any names. */
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'list'; readonly item: Shape }
  /** `pattern` is a regular expression for the whole text. */
  | { readonly kind: 'text'; readonly pattern?: string; readonly what: string }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** A text, number or boolean. */
  | { readonly kind: 'scalar' }
  /** Whatever JSON can hold. */
  | { readonly kind: 'json' }
  /** Any value, also one that JSON can't hold, such as a function. */
  | { readonly kind: 'anything' }
  /** One of several shapes; the JSON type of the value decides which, so each shape has another type. */
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] };

/** A setting by its name. */
export interface Property {
  readonly shape: Shape;
  readonly description: string;
}

export type ValuePath = readonly (string | number)[];

/** What is wrong with a value, and where. */
export interface ShapeProblem {
  readonly path: ValuePath;
  readonly message: string;
}

/** Deeper values are refused; what walks them may then recurse. */
const MOST_LEVELS = 64;

/** More names than these, of rules, are not listed in a message. */
const MOST_NAMES = 12;

/** Lists what is wrong with a value. Never throws. */
export function problemsOf(shape: Shape, value: unknown, path: ValuePath = []): ShapeProblem[] {
  switch (shape.kind) {
    case 'object':
      return isMap(value) ? objectProblems(shape, value, path) : [unexpected(shape, value, path)];
    case 'map':
      return isMap(value)
        ? entriesOf(value).flatMap(([key, member]) => problemsOf(shape.value, member, [...path, key]))
        : [unexpected(shape, value, path)];
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item, index) => problemsOf(shape.item, item, [...path, index]))
        : [unexpected(shape, value, path)];
    case 'text':
      return typeof value === 'string' && new RegExp(shape.pattern ?? '', 'u').test(value)
        ? []
        : [unexpected(shape, value, path)];
    case 'choice':
      return typeof value === 'string' && shape.values.includes(value) ? [] : [unexpected(shape, value, path)];
    case 'scalar':
      return isScalar(value) ? [] : [unexpected(shape, value, path)];
    case 'json':
      return isJson(value, 0) ? [] : [unexpected(shape, value, path)];
    case 'anything':
      return [];
    case 'either': {
      const fitting = shape.shapes.find((one) => isOfType(one, value));
      if (fitting === undefined) return [unexpected(shape, value, path)];
      const problems = problemsOf(fitting, value, path);
      // What else it could have been is worth telling.
      return problems.length > 0 && (fitting.kind === 'choice' || fitting.kind === 'text')
        ? [unexpected(shape, value, path)]
        : problems;
    }
  }
}

function objectProblems(
  { properties, required = [], additional, noun = 'setting', whyNot = {} }: Shape & { kind: 'object' },
  value: Readonly<Record<string, unknown>>,
  path: ValuePath,
): ShapeProblem[] {
  const problems = entriesOf(value).flatMap(([key, member]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) return problemsOf(property.shape, member, [...path, key]);
    if (additional !== undefined) return problemsOf(additional, member, [...path, key]);
    const reason = Object.hasOwn(whyNot, key) ? whyNot[key] : undefined;
    if (reason !== undefined) return [{ path: [...path, key], message: reason }];
    const names = Object.keys(properties);
    const nearest = nearestName(key, names);
    const hint = nearest !== undefined ? `did you mean "${nearest}"?` : namesHint(names, noun);
    return [{ path: [...path, key], message: `there is no ${noun} "${key}"; ${hint}` }];
  });
  const missing = required.filter((name) => !Object.hasOwn(value, name) || value[name] === undefined);
  return [
    ...problems,
    ...missing.map((name) => ({
      path,
      message: `"${name}" is missing; it is ${properties[name] === undefined ? 'needed' : describe(properties[name].shape)}`,
    })),
  ];
}

function namesHint(names: readonly string[], noun: string): string {
  if (names.length === 0) return `there are no ${noun}s here`;
  return names.length > MOST_NAMES
    ? `"eks-guardrails rules" lists all of them`
    : `the ${noun}s are ${names.join(', ')}`;
}

/** Entries without those that are `undefined`: in a configuration that is code, this means that the setting is left out. */
function entriesOf(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Not one of a class of its own, which would read as an empty map: a `Map`, a `Promise`. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not compared with Object.prototype: objects from another context, such as that of Jest, have one of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isScalar(value: unknown): boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function isJson(value: unknown, level: number): boolean {
  if (value === null || isScalar(value)) return true;
  if (level > MOST_LEVELS) return false;
  if (Array.isArray(value)) return value.every((member) => isJson(member, level + 1));
  return isMap(value) && entriesOf(value).every(([, member]) => isJson(member, level + 1));
}

/** Whether a value has the JSON type of a shape. */
function isOfType(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'object':
    case 'map':
      return isMap(value);
    case 'list':
      return Array.isArray(value);
    case 'text':
    case 'choice':
      return typeof value === 'string';
    case 'scalar':
      return isScalar(value);
    case 'json':
    case 'anything':
      return true;
    case 'either':
      return shape.shapes.some((one) => isOfType(one, value));
  }
}

function unexpected(shape: Shape, value: unknown, path: ValuePath): ShapeProblem {
  const choices = (shape.kind === 'either' ? shape.shapes : [shape]).flatMap((one) =>
    one.kind === 'choice' ? one.values : [],
  );
  const nearest = typeof value === 'string' ? nearestName(value, choices) : undefined;
  return {
    path,
    message: `expected ${describe(shape)}, found ${found(value)}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
  };
}

function describe(shape: Shape): string {
  switch (shape.kind) {
    case 'object':
      return Object.keys(shape.properties).length > 6
        ? 'a map'
        : `a map with ${listed(Object.keys(shape.properties), 'and')}`;
    case 'map':
      return 'a map';
    case 'list':
      return 'a list';
    case 'text':
      return shape.what;
    case 'choice':
      return listed(shape.values, 'or');
    case 'scalar':
      return 'a text, number or boolean';
    case 'json':
      return 'a value that JSON can hold';
    case 'anything':
      return 'a value';
    case 'either':
      return shape.shapes.map(describe).join(', or ');
  }
}

function listed(names: readonly string[], conjunction: string): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1) ?? ''}`;
}

function found(value: unknown): string {
  if (typeof value === 'string') return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isMap(value) ? 'a map' : `an object of class ${className(value)}`;
}

function className(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'unknown';
}

/** A way to a value as people write it: `ignores[0].reason`. */
export function propertyText(path: ValuePath): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

/** The JSON Schema (draft 2020-12 and 07 alike) of a shape. */
export function schemaOf(shape: Shape): Readonly<Record<string, unknown>> {
  switch (shape.kind) {
    case 'object': {
      const properties = Object.entries(shape.properties).map(
        ([name, { shape: inner, description }]) => [name, { description, ...schemaOf(inner) }] as const,
      );
      return {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(shape.required === undefined ? {} : { required: shape.required }),
        additionalProperties: shape.additional === undefined ? false : schemaOf(shape.additional),
      };
    }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.value) };
    case 'list':
      return { type: 'array', items: schemaOf(shape.item) };
    case 'text':
      return shape.pattern === undefined ? { type: 'string' } : { type: 'string', pattern: shape.pattern };
    case 'choice':
      return { enum: shape.values };
    case 'scalar':
      return { type: ['string', 'number', 'boolean'] };
    case 'json':
    case 'anything':
      return {};
    case 'either':
      return { anyOf: shape.shapes.map(schemaOf) };
  }
}
