import type { AddonConfiguration } from '../../../eks';
import type { Expression, TemplatePart } from '../../../languages/hcl/ast';
import { alternativesOf, isDataMap, Unknown, type Data, type Resource, type Value } from '../../../value';
import { mergedValues } from '../../parts/own-values';
import { codeParts, indented } from './printed';
import { ownAddress } from './references';

/*
 * What a fix writes into the configuration values of an add-on stands beside what the user has there.
 */

const VALUES = 'configuration_values';

/** Undefined where what is there can't be written again: a part of it isn't known, or there is a choice. */
export function withOwnValues(code: string, resource: Resource): string | undefined {
  if (!code.includes(VALUES) || !('configuration' in resource)) return code;
  const part = codeParts(code)?.find((one) => one.kind === 'argument' && one.name === VALUES);
  const value = part?.kind === 'argument' ? part.value : undefined;
  const [argument] = value?.kind === 'call' ? value.args : [];
  const added = argument === undefined ? undefined : dataOf(argument);
  if (value === undefined || !isDataMap(added)) return code;
  const [own, ...others] = alternativesOf(resource.configuration as Value<AddonConfiguration>);
  if (own === undefined || others.length > 0) return undefined;
  if (own.value.kind === 'absent') return code;
  if (own.value.kind === 'unknown') return undefined;
  const { value: configuration } = own.value;
  // What is no JSON is replaced.
  if (configuration.kind === 'malformed') return code;
  if (!isDataMap(configuration.data)) return code;
  const text = hclOf(mergedValues(configuration.data, added), configuration.expressionOf ?? (() => undefined), added);
  return text === undefined
    ? undefined
    : `${code.slice(0, value.range.start)}jsonencode(${text})${code.slice(value.range.end)}`;
}

/** Values of a chart as they go to a release that has others. */
export function besideChartValues(code: string, resource: Resource): string {
  const part = codeParts(code)?.find((one) => one.kind === 'argument' && one.name === 'values');
  const [text] = part?.kind === 'argument' && part.value.kind === 'tuple' ? part.value.items : [];
  return text?.kind !== 'call' || resource.editing?.hasValues !== true
    ? code
    : `# behind the other values of ${ownAddress(resource)}, over which Helm merges them:\n${code.slice(text.range.start, text.range.end)}`;
}

/** The constant that an expression is; undefined for anything else. */
function dataOf(expression: Expression): Data | undefined {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'template') return textOf(expression.parts);
  if (expression.kind !== 'object') return undefined;
  const entries = expression.entries.map(({ key, value }) => [nameOf(key), dataOf(value)] as const);
  const isWhole = entries.every((entry): entry is [string, Data] => entry[0] !== undefined && entry[1] !== undefined);
  return isWhole ? Object.fromEntries(entries) : undefined;
}

function textOf(parts: readonly TemplatePart[]): string | undefined {
  return parts.every((part) => part.kind === 'text') ? parts.map(({ text }) => text).join('') : undefined;
}

function nameOf(key: Expression): string | undefined {
  if (key.kind === 'variable') return key.name;
  const name = dataOf(key);
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}

/** @param added what the fix writes, which no expression of the user's stands for */
function hclOf(
  data: Data,
  expressionOf: (path: string) => string | undefined,
  added: Data | undefined,
  path = '',
): string | undefined {
  const isAdded = added !== undefined && !isDataMap(added);
  const expression = isAdded || isDataMap(data) ? undefined : expressionOf(path);
  if (expression !== undefined) return expression;
  if (data instanceof Unknown) return /^\$\{([\w.[\]"-]+)\}$/.exec(data.text ?? '')?.[1];
  if (typeof data === 'string') return JSON.stringify(data).replaceAll(/[$%](?=\{)/g, '$&$&');
  if (Array.isArray(data)) {
    const items = (data as readonly Data[]).map((item, index) =>
      hclOf(item, expressionOf, undefined, `${path}.${index}`),
    );
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (!isDataMap(data)) return JSON.stringify(data);
  const inner = isDataMap(added) ? added : {};
  const members = Object.entries(data).map(([key, value]) => {
    const text = hclOf(value, expressionOf, inner[key], path === '' ? key : `${path}.${key}`);
    const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
    return text === undefined ? undefined : `${name} = ${text}`;
  });
  if (members.includes(undefined)) return undefined;
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  return line.length <= WIDTH && !line.includes('\n') ? line : `{\n${indented(members.join('\n'))}\n}`;
}

/** A longer object has lines of its own. */
const WIDTH = 80;
