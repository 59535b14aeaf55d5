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
