import { codeOfValues, withPatch, type ValuesPatch } from '../../engine';
import { isDataMap, ownValueAt, Unknown, type Data, type DataMap } from '../../eks';
import type { ConfigurationProblem } from '../../eks/networking/addon-schema-check';

export type Defect = Exclude<ConfigurationProblem, { kind: 'doubt' }>;

/** What of the values changes, as a merge patch (RFC 7396): what is `null` goes. Undefined where the user's own value can't be written again. */
export function patchFor(
  problem: Defect,
  data: DataMap,
  expressionOf: (path: string) => string | undefined = () => undefined,
): ValuesPatch | undefined {
  const { path } = problem;
  const steps = path.split('.');
  const parent = valueAt(data, steps.slice(0, -1));
  const value = valueAt(data, steps);
  if (problem.kind === 'required') return requiredPatch(problem, data);
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
      if (!isFree || (problem.kind === 'unknown-key' && parentOf(place) !== parentOf(path))) return undefined;
      // References go along as the user wrote them.
      return withPatch(removal, patchOf(to, isPlain(value) ? value : ownValueAt(steps)));
    }
    case 'too-new':
    case 'value':
      return undefined;
  }
}

/** The region of ENIConfigs, which the names of their zones tell; of other keys nothing does. */
function requiredPatch({ path, key }: Extract<Defect, { kind: 'required' }>, data: DataMap): ValuesPatch | undefined {
  const subnets = path === 'eniConfig' && key === 'region' ? valueAt(data, ['eniConfig', 'subnets']) : undefined;
  if (!isDataMap(subnets)) return undefined;
  const regions = new Set(Object.keys(subnets).map((zone) => /^([a-z]{2}(?:-[a-z]+)+-\d)[a-z]$/.exec(zone)?.[1]));
  const [region] = regions;
  return region === undefined || regions.size > 1 ? undefined : patchOf(['eniConfig', 'region'], region);
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

function patchOf(steps: readonly string[], value: unknown): ValuesPatch {
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as ValuesPatch;
}

/** Code of a patch, as messages take it. */
export function codeOf(patch: ValuesPatch | undefined): Record<'inTemplate' | 'inCdk' | 'inTerraform', string> {
  if (patch === undefined) return { inTemplate: '', inCdk: '', inTerraform: '' };
  const { cloudformation, 'aws-cdk': inCdk, terraform } = codeOfValues(patch);
  return { inTemplate: cloudformation, inCdk, inTerraform: terraform };
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
