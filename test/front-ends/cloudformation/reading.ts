import { isDataMap, Unknown, type Data, type EksResource, type Source, type Value } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import type { TemplateInput } from '../../../lib/cloudformation/template-input';
import type { ReadResult } from '../../../lib/front-ends/reader';

/** Reads one YAML template, with or without diagnostics. */
export function read(text: string, input: Partial<TemplateInput> = {}): ReadResult {
  return readTemplates([{ file: 'template.yaml', text, ...input }]);
}

/** The resource of a kind and logical id. */
export function resource<K extends EksResource['kind']>(
  result: ReadResult,
  kind: K,
  id: string,
): Extract<EksResource, { kind: K }> {
  const found = result.resources.find((one) => one.kind === kind && one.id === id);
  if (found === undefined) throw new Error(`no ${kind} "${id}" was read`);
  return found as Extract<EksResource, { kind: K }>;
}

/** A value in one line: known as it is, `absent`, `?text`, or its alternatives. */
export function show(value: Value<unknown>): unknown {
  switch (value.kind) {
    case 'known':
      return value.value;
    case 'absent':
      return 'absent';
    case 'unknown':
      return `?${value.text ?? ` ${value.reason}`}`;
    case 'choice':
      return Object.fromEntries(value.alternatives.map(({ when, value: plain }) => [when.text, show(plain)]));
  }
}

/** Data with `?text` for its unknown leaves. */
export function showData(data: Data): unknown {
  if (data instanceof Unknown) return `?${data.text ?? ` ${data.reason}`}`;
  if (Array.isArray(data)) return (data as readonly Data[]).map(showData);
  return isDataMap(data) ? Object.fromEntries(Object.entries(data).map(([key, item]) => [key, showData(item)])) : data;
}

/** `line:column` of a place. */
export function place(source: Source): string {
  const { line, column } = source.locate();
  return `${line}:${column}`;
}

/** `severity line:column message` of each diagnostic. */
export function diagnostics(result: ReadResult): string[] {
  return result.diagnostics.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);
}
