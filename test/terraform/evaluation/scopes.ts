import type { Expression, Range } from '../../../lib/languages/hcl/ast';
import { parseExpression } from '../../../lib/languages/hcl/parser';
import { evaluate } from '../../../lib/terraform/evaluation/evaluate';
import type { Scope } from '../../../lib/terraform/evaluation/scope';
import { InvalidValue } from '../../../lib/terraform/evaluation/unknowns';
import {
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../../../lib/terraform/terraform-value';
import { Absent, Known, nowhere, Unknown, type Source } from '../../../lib/value';

/** Names for expressions: anything that isn't given is a variable that is not known. */
export function scopeOf(
  values: Readonly<Record<string, TerraformValue>> = {},
  files: Readonly<Record<string, string>> = {},
  text = '',
): Scope {
  return {
    resolve: (names) => {
      for (let used = names.length; used > 0; used--) {
        const value = values[names.slice(0, used).join('.')];
        if (value !== undefined) return { value, used };
      }
      if (names[0] === 'var' && names[1] !== undefined) return { value: unknownVariable(names[1]), used: 2 };
      return undefined;
    },
    place: (range, property) => placeIn('main.tf', text, range, property),
    readFile: (path) => {
      const content = files[path];
      return content === undefined
        ? { problem: `there is no file ${path}` }
        : { text: content, place: (range) => placeIn(path, content, range, undefined) };
    },
  };
}

function unknownVariable(name: string): Unknown {
  return new Unknown(`variable ${name} has no default`, nowhere, `\${var.${name}}`, `root/\${var.${name}}`);
}

function placeIn(file: string, text: string, { start }: Range, property: string | undefined): Source {
  return {
    locate: () => {
      const before = text.slice(0, start).split('\n');
      return {
        file,
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        ...(property === undefined ? {} : { property }),
      };
    },
    inText: (value, offset) => placeIn(file, text, { start: start + offset, end: start + value.length }, property),
  };
}

export function parsed(text: string): Expression {
  const { value, problems } = parseExpression(text);
  if (problems.length > 0) throw new Error(`${text}: ${problems[0]?.message ?? ''}`);
  return value;
}

export function valueOf(
  text: string,
  values: Readonly<Record<string, TerraformValue>> = {},
  files: Readonly<Record<string, string>> = {},
): TerraformValue {
  return evaluate(parsed(text), scopeOf(values, files, text));
}

/** A value as plain data; what isn't known is `unknown: text`, what is wrong `invalid`. */
export function plain(value: TerraformValue): unknown {
  switch (value.kind) {
    case 'absent':
      return null;
    case 'unknown':
      return value instanceof InvalidValue ? { invalid: value.reason } : { unknown: value.text ?? '?' };
    case 'choice':
      return Object.fromEntries(value.alternatives.map(({ when, value: one }) => [when.text, plain(one)]));
    case 'known':
      return plainItem(value.value);
  }
}

function plainItem(item: TerraformItem): unknown {
  if (item instanceof TerraformSet) return item.items.map(plain);
  if (item instanceof TerraformList) return item.items.map(plain);
  if (!(item instanceof TerraformMap)) return item;
  const entries: [string, unknown][] = Array.from(item.entries, ([key, entry]) => [key, plain(entry)]);
  if (item.more !== undefined) entries.push(['…', 'more']);
  return Object.fromEntries(entries);
}

export function knownValue(data: unknown): TerraformValue {
  if (data === null || data === undefined) return new Absent(nowhere);
  if (Array.isArray(data)) return new Known(new TerraformList(data.map(knownValue)), nowhere);
  if (typeof data === 'object')
    return new Known(
      new TerraformMap(new Map(Object.entries(data).map(([key, one]) => [key, knownValue(one)]))),
      nowhere,
    );
  return new Known(data as string | number | boolean, nowhere);
}
