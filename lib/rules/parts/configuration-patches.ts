import { isDataMap, Unknown, type Data, type DataMap } from '../../eks';
import type { ConfigurationProblem } from '../../eks/networking/addon-schema-check';

export type Defect = Exclude<ConfigurationProblem, { kind: 'doubt' }>;

/**
 * What changes for one problem, and for all that need nobody's decision: the values are written anew as a whole, so that what several findings print of
 * them must not undo one another.
 */
export function patchesFor(
  problems: readonly ConfigurationProblem[],
  data: DataMap,
  expressionOf: ((path: string) => string | undefined) | undefined,
): (problem: Defect) => object | undefined {
  const patches = new Map(
    problems.flatMap((problem) => {
      const patch = problem.kind === 'doubt' ? undefined : patchFor(problem, data, expressionOf);
      return patch === undefined ? [] : [[problem, patch] as const];
    }),
  );
  const safe = [...patches].filter(([{ kind }]) => kind === 'type' || kind === 'wrong-place');
  return (problem) => {
    const own = patches.get(problem);
    return own === undefined ? undefined : safe.reduce((all, [, patch]) => together(all, patch), own);
  };
}

/** What of the values changes, as a merge patch (RFC 7396): what is `null` goes. Undefined where the user's own value can't be written again. */
function patchFor(
  problem: Defect,
  data: DataMap,
  expressionOf: (path: string) => string | undefined = () => undefined,
): object | undefined {
  const { path } = problem;
  const steps = path.split('.');
  const parent = valueAt(data, steps.slice(0, -1));
  const value = valueAt(data, steps);
  if (!isDataMap(parent) || value === undefined || expressionOf(path) !== undefined) return undefined;
  const removal = patchOf(steps, null);
  switch (problem.kind) {
    case 'removed':
    case 'not-configurable':
      return removal;
    case 'type':
      return problem.correct === undefined ? undefined : patchOf(steps, JSON.parse(problem.correct));
    case 'wrong-place':
    case 'unknown-key': {
      const place = problem.kind === 'wrong-place' ? problem.place : problem.suggestion;
      if (place === undefined) return removal;
      const to = place.split('.');
      const isFree = !/[[*]/.test(place) && valueAt(data, to) === undefined;
      if (!isFree || !isPlain(value) || (problem.kind === 'unknown-key' && parentOf(place) !== parentOf(path)))
        return undefined;
      return together(removal, patchOf(to, value));
    }
    case 'required':
    case 'too-new':
    case 'value':
      return undefined;
  }
}

function valueAt(data: Data, steps: readonly string[]): Data | undefined {
  return steps.reduce<Data | undefined>(
    (value, step) => (isDataMap(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    data,
  );
}

/** Whether the file has it as it is, without a reference. */
function isPlain(value: Data): boolean {
  if (isDataMap(value)) return Object.values(value).every(isPlain);
  if (Array.isArray(value)) return (value as readonly Data[]).every(isPlain);
  return !(value instanceof Unknown) && !(typeof value === 'string' && value.includes('${'));
}

function patchOf(steps: readonly string[], value: unknown): object {
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;
}

function together(one: object, other: object): object {
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isObject(before) && isObject(value) ? together(before, value) : value;
  }
  return all;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function codeOf(patch: object | undefined): Record<'inTemplate' | 'inCdk' | 'inTerraform', string> {
  if (patch === undefined) return { inTemplate: '', inCdk: '', inTerraform: '' };
  const text = JSON.stringify(patch);
  return {
    inTemplate: `ConfigurationValues: '${text.replaceAll("'", "''")}'`,
    inCdk: `configurationValues: ${text},`,
    inTerraform: `configuration_values = jsonencode(${text.replaceAll(/[$%](?=\{)/g, '$&$&')})`,
  };
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
