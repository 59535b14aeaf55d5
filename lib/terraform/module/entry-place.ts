import type { WrittenPlace } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import { evaluate } from '../evaluation/evaluate';
import type { Scope } from '../evaluation/scope';
import type { Expression, ForExpression } from '../../languages/hcl/ast';
import { TerraformMap } from '../terraform-value';
import { attributeOf } from './module-configuration';
import type { ModuleInstance } from './module-instance';

/*
 * Where the settings of one entry of a map are written that a call gives to a module: in the call, or in a local value, the default of a variable, a
 * file of values, an argument of `merge` or the body of a `for`. A setting that is written there is the entry's.
 */

/** An expression, and what it is called. */
export interface Written {
  readonly expression: Expression;
  readonly file: ConfigurationFile;
  readonly owner: ModuleInstance;
  readonly scope: Scope;
  /** `local.groups["a"]` */
  readonly name: string;
  /** What tells more of that: `its default`. @default - the name is enough */
  readonly note?: string;
  /** The `for` around it. @default - there is none */
  readonly round?: Round;
}

interface Round {
  readonly key: Expression;
  /** What its names stand for, where that is written, too. */
  readonly names: ReadonlyMap<string, Written | undefined>;
}

/** References that lead to references; more are a circle. */
const MOST_STEPS = 60;

/** Functions that give their first argument, as far as it can be had. */
const PASSING: ReadonlySet<string> = new Set(['try', 'coalesce', 'tomap', 'nonsensitive']);

/**
 * @param path keys that lead from the map to the entry; none for the map itself
 * @param setting the one that is written: where it stands already, it is replaced there
 * @returns undefined where all of it is objects within the argument, which its address tells
 */
export function entryPlace(argument: Written, path: readonly string[], setting: string): WrittenPlace | undefined {
  let at: Written | undefined = argument;
  let last = argument;
  let isPlain = true;
  const walk = new Walk(setting);
  for (const key of path) {
    isPlain &&= at.expression.kind === 'object';
    const entry = walk.entry(at, key);
    if (entry === undefined) return { ...opaque(at), ...(has(at, key) === false ? { isMissing: true } : {}) };
    last = at = entry;
  }
  if (isPlain && at.expression.kind === 'object') return undefined;
  const object = walk.objectFor(at);
  return object === undefined ? opaque(last) : placeOf(object, setting);
}

function placeOf(at: Written, setting: string): WrittenPlace {
  const { file, expression, name, note, round } = at;
  const told = round === undefined ? note : 'what its `for` makes';
  const key = round && textOf(file, round.key);
  return {
    source: file.place(expression.range),
    name: told === undefined ? name : `${name} (${told})`,
    isObject: true,
    ...(key === undefined && written(at, setting) !== undefined ? { isWritten: true } : {}),
    ...(key === undefined ? {} : { each: { key, now: written(at, setting) } }),
  };
}

function opaque({ file, expression, name }: Written): WrittenPlace {
  return { source: file.place(expression.range), name, isObject: false };
}

function written(at: Written, setting: string): string | undefined {
  const { expression, file } = at;
  const entry =
    expression.kind === 'object' ? expression.entries.findLast(({ key }) => nameOf(key, at) === setting) : undefined;
  return entry === undefined ? undefined : textOf(file, entry.value);
}

function textOf(file: ConfigurationFile, { range }: Expression): string | undefined {
  return file.textOf?.(range);
}

class Walk {
  private steps = 0;

  constructor(private readonly setting: string) {}

  /** What is written for a key of a map; undefined where nothing tells. */
  entry(at: Written, key: string): Written | undefined {
    const { expression } = at;
    if (this.steps++ > MOST_STEPS) return undefined;
    if (expression.kind === 'object') {
      const entry = expression.entries.findLast(({ key: name }) => nameOf(name, at) === key);
      return entry && { ...at, expression: entry.value, name: `${at.name}[${JSON.stringify(key)}]` };
    }
    if (expression.kind === 'for') return this.round(at, expression, key);
    if (expression.kind === 'conditional' || expression.kind === 'call') return this.either(at, key);
    const target = this.target(at);
    return target === undefined ? undefined : this.entry(target, key);
  }

  /** Of several maps, the one that has the key: of `merge` the last of them. */
  private either(at: Written, key: string): Written | undefined {
    const { expression } = at;
    if (expression.kind === 'conditional') {
      const [one, ...others] = [expression.yes, expression.no]
        .map((part) => ({ ...at, expression: part }))
        .filter((part) => has(part, key) !== false);
      return one === undefined || others.length > 0 ? undefined : this.entry(one, key);
    }
    if (expression.kind !== 'call' || expression.expandsLast) return undefined;
    const args = expression.args.map((arg) => ({ ...at, expression: arg }));
    if (PASSING.has(expression.name)) return args[0] === undefined ? undefined : this.entry(args[0], key);
    const winner = expression.name === 'merge' ? args.findLast((arg) => has(arg, key) !== false) : undefined;
    return winner === undefined ? undefined : this.entry(winner, key);
  }

  /** What a `for` makes of one key. */
  private round(at: Written, { in: collection, key, keyName, valueName, value }: ForExpression, name: string): Written {
    const from = { ...at, expression: collection };
    const isSameKey = key?.kind === 'variable' && key.name === keyName;
    const item = isSameKey ? this.entry(from, name) : undefined;
    const names = new Map([...(at.round?.names ?? []), [valueName, item]]);
    return { ...at, expression: value, round: { key: key ?? collection, names } };
  }

  /** The object that a setting goes into; undefined where what stands there is none. */
  objectFor(at: Written): Written | undefined {
    const { expression } = at;
    const { setting } = this;
    if (this.steps++ > MOST_STEPS) return undefined;
    if (expression.kind === 'object') return at;
    if (expression.kind !== 'call') {
      const target = this.target(at);
      return target === undefined ? undefined : this.objectFor(target);
    }
    const args = expression.args.map((arg) => ({ ...at, expression: arg }));
    if (PASSING.has(expression.name)) return args[0] === undefined ? undefined : this.objectFor(args[0]);
    if (expression.name !== 'merge' || expression.expandsLast) return undefined;
    const objects = args.map((arg) => this.objectFor(arg));
    const present = objects.findLastIndex((one) => one !== undefined && writes(one, setting));
    // What is merged later wins, so nothing may stand behind it of which that isn't known.
    const chosen = present >= 0 ? present : args.findLastIndex((arg) => arg.expression.kind === 'object');
    const later = args.slice(chosen + 1);
    return chosen < 0 || later.some((arg) => has(arg, setting) !== false) ? undefined : objects[chosen];
  }

  /** What a reference stands for: a local value, a variable, or a name of a `for`; or an entry of one of them. */
  private target(at: Written): Written | undefined {
    const { expression } = at;
    if (expression.kind === 'variable') return at.round?.names.get(expression.name);
    if (expression.kind === 'index') {
      const key = nameOf(expression.key, at);
      return key === undefined ? undefined : this.entry({ ...at, expression: expression.of }, key);
    }
    if (expression.kind !== 'attribute') return undefined;
    const { of, name } = expression;
    if (of.kind !== 'variable') return this.entry({ ...at, expression: of }, name);
    if (of.name === 'local') return localNamed(at.owner, name);
    if (of.name === 'var') return variableNamed(at.owner, name, this.setting);
    return at.round?.names.has(of.name) === true ? this.entry({ ...at, expression: of }, name) : undefined;
  }
}

function localNamed(owner: ModuleInstance, name: string): Written | undefined {
  const local = owner.configuration.locals.get(name);
  if (local === undefined) return undefined;
  const { attribute, file } = local;
  return { expression: attribute.value, file, owner, scope: owner.scope(file), name: `local.${name}` };
}

/** Undefined also where its type would drop the setting. */
function variableNamed(owner: ModuleInstance, name: string, setting: string): Written | undefined {
  const declared = owner.configuration.variables.get(name);
  const type = declared === undefined ? undefined : attributeOf(declared, 'type')?.value;
  if (type !== undefined && declared !== undefined) {
    const text = textOf(declared.file, type) ?? '';
    if (/\bobject\b/.test(text) && !new RegExp(`(?<![\\w-])${setting}(?![\\w-])`).test(text)) return undefined;
  }
  const { written, given } = owner.surroundings;
  const found = written?.(name);
  if (found !== undefined || given(name) !== undefined) return found;
  const value = declared === undefined ? undefined : attributeOf(declared, 'default')?.value;
  if (declared === undefined || value === undefined) return undefined;
  const { file } = declared;
  return { expression: value, file, owner, scope: owner.scope(file), name: `var.${name}`, note: 'its default' };
}

/** A key that is a constant, or known without a `for` around it. */
function nameOf(key: Expression, { scope, round }: Written): string | undefined {
  if (key.kind === 'literal') return String(key.value);
  if (round !== undefined) return undefined;
  const value = evaluate(key, scope);
  return value.kind === 'known' && typeof value.value !== 'object' ? String(value.value) : undefined;
}

/** Whether a map has a key; undefined where that isn't known. */
function has(at: Written, key: string): boolean | undefined {
  const { expression, round } = at;
  if (round !== undefined) {
    const target = expression.kind === 'variable' ? round.names.get(expression.name) : undefined;
    if (target !== undefined) return has(target, key);
    return expression.kind === 'object' ? writes(at, key) : undefined;
  }
  const value = evaluate(expression, at.scope);
  if (value.kind === 'absent') return false;
  if (value.kind !== 'known' || !(value.value instanceof TerraformMap)) return undefined;
  if (value.value.entries.has(key)) return true;
  return value.value.more === undefined ? false : undefined;
}

function writes(at: Written, setting: string): boolean {
  return at.expression.kind === 'object' && at.expression.entries.some(({ key }) => nameOf(key, at) === setting);
}
