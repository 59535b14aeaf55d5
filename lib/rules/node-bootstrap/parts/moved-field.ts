import { yaml } from '../../../text/lazy-parsers';
import { dataAt, isDataMap, Unknown, type Data, type DataMap, type KubernetesManifest } from '../../../eks';

/* Code that moves a field of an object, or takes it out, with the user's own value. */

/**
 * @param path of the field, below `spec`
 * @param becomes the path that it belongs to, below `spec`; empty where it goes
 * @returns undefined where a list is between, where something stands there already, or where the object isn't one of YAML
 */
export function movedField(
  { object, type }: KubernetesManifest,
  { kind, name }: { readonly kind: string; readonly name: string },
  path: readonly string[],
  becomes: string,
): string | undefined {
  const key = path.at(-1) ?? '';
  const to = becomes.split('.');
  const isInList = [...path, ...to].some((step) => /^\d+$|[[\]{}]/.test(step));
  if (isInList || path.some((step) => !/^\w+$/.test(step)) || type === 'kubernetes_manifest') return undefined;
  const named = /^[a-z\d][a-z\d.-]*$/.test(name) ? ` "${name}"` : '';
  const placeOf = (parents: readonly string[]): string =>
    `# in the ${['spec', ...parents].join('.')} of the ${kind}${named}`;
  const gone = `${placeOf(path.slice(0, -1))}, without ${key}`;
  if (becomes === '') return gone;
  const value = dataAt(object, 'spec', ...path) ?? null;
  const lines = linesOf({ [to.at(-1) ?? '']: value });
  if (dataAt(object, 'spec', ...to) !== undefined || lines.some((line) => line.includes('…'))) return undefined;
  return to.slice(0, -1).join('.') === path.slice(0, -1).join('.')
    ? [`${gone}:`, ...lines].join('\n')
    : [`${placeOf(to.slice(0, -1))}:`, ...lines, gone].join('\n');
}

/**
 * Code that sets a value in a list, which is all that the user has there.
 * @returns undefined where it is in none, or a part of the list isn't known
 */
export function listWith(
  { object, type }: KubernetesManifest,
  kind: string,
  { path, value }: { readonly path: readonly string[]; readonly value: string },
): string | undefined {
  const end = path.findIndex((step) => /^\d+$/.test(step));
  const list = dataAt(object, 'spec', ...path.slice(0, end));
  if (end < 1 || type === 'kubernetes_manifest' || !Array.isArray(list) || hasUnknown(list)) return undefined;
  const all = withValue(list, path.slice(end), value);
  const parents = ['spec', ...path.slice(0, end - 1)].join('.');
  const text = yaml().stringify({ [path[end - 1] ?? '']: all }, { version: '1.1', lineWidth: 0 });
  return `# in the ${parents} of the ${kind}:\n${text.trimEnd()}`;
}

function hasUnknown(data: Data): boolean {
  if (data instanceof Unknown) return true;
  if (Array.isArray(data)) return (data as readonly Data[]).some(hasUnknown);
  return isDataMap(data) && Object.values<Data>(data).some(hasUnknown);
}

function withValue(data: Data | undefined, [step, ...rest]: readonly string[], value: string): Data {
  if (step === undefined) return value;
  if (Array.isArray(data))
    return (data as readonly Data[]).map((item, index) =>
      String(index) === step ? withValue(item, rest, value) : item,
    );
  return isDataMap(data) ? { ...data, [step]: withValue(data[step], rest, value) } : value;
}

/** Data in YAML; `…` stands for what isn't known. */
export function linesOf(data: DataMap): readonly string[] {
  return Object.entries(data).flatMap(([key, value]) =>
    isDataMap(value) ? [`${key}:`, ...linesOf(value).map((line) => `  ${line}`)] : [`${key}: ${inline(value)}`],
  );
}

function inline(data: Data): string {
  if (data instanceof Unknown) return data.text ?? '…';
  if (Array.isArray(data)) return `[${(data as readonly Data[]).map(inline).join(', ')}]`;
  return JSON.stringify(data);
}
