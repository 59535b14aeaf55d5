import type { EksResource, Value } from '../../../lib/eks';
import type { ReadResult } from '../../../lib/front-ends/reader';
import { read, resource, show } from './reading';

/** A template with the parameter `Open`, which has no default, the condition `C`, and these resources as YAML flow maps. */
export function template(resources: Readonly<Record<string, string>>): string {
  const entries = Object.entries(resources).map(([id, body]) => `  ${id}: ${body}`);
  return `
Parameters: {Open: {Type: String}, Default: {Type: String, Default: given}}
Conditions: {C: !Equals [!Ref Open, a]}
Resources:
${entries.join('\n')}
`;
}

/** Reads resources of which none has a defect. */
export function readAll(resources: Readonly<Record<string, string>>): ReadResult {
  const result = read(template(resources));
  expect(result.diagnostics).toEqual([]);
  return result;
}

/** Reads one resource `It` with its properties as a YAML flow map, next to others. */
export function readIt<K extends EksResource['kind']>(
  kind: K,
  type: string,
  properties: string,
  others: Readonly<Record<string, string>> = {},
): Extract<EksResource, { kind: K }> {
  return resource(readAll({ It: `{Type: '${type}', Properties: ${properties}}`, ...others }), kind, 'It');
}

/** A reference in one line: `-> id`, or the text. */
export function target(
  value: Value<{ readonly text: string; readonly target: { readonly id: string } | undefined }>,
): unknown {
  if (value.kind === 'choice')
    return Object.fromEntries(value.alternatives.map(({ when, value: plain }) => [when.text, target(plain)]));
  if (value.kind !== 'known') return show(value);
  return value.value.target === undefined ? value.value.text : `-> ${value.value.target.id}`;
}

/** A list, under whatever conditions, with each item as `fn` shows it. */
export function showList<T>(value: Value<readonly T[]>, fn: (item: T) => unknown): unknown {
  if (value.kind === 'choice')
    return Object.fromEntries(value.alternatives.map(({ when, value: plain }) => [when.text, showList(plain, fn)]));
  return value.kind === 'known' ? value.value.map(fn) : show(value);
}
