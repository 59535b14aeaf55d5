import { dataAt, isDataMap, type CniCase } from '../../../eks';
import { configurationProblems } from '../../../eks/networking/addon-schema-check';
import { parseSwitch, type CniSettings } from '../../../eks/networking/cni-settings';

/**
 * Whether a switch isn't what somebody meant it to be, and another rule says so: its text is no boolean (`vpc-cni-env-values`), or the
 * schema of the add-on refuses it under the name or in the place that it has (`vpc-cni-configuration-schema`). What follows from that
 * needn't be said again.
 * @param path of a switch, `env.ENABLE_POD_ENI`
 */
export function isToldElsewhere(one: CniCase, path: string): boolean {
  const setting = one.settings.setting(path);
  // Empty text is as good as none, to the CNI and to that rule.
  if (setting.kind === 'configured' && setting.text !== '' && parseSwitch(setting.text) === undefined) return true;
  // Nothing checks the keys of the chart's values.
  return one.addon !== undefined && meantKeysOf(one).has(path);
}

const known = new WeakMap<CniSettings, ReadonlySet<string>>();

/** The keys that misspelt and misplaced ones of the configuration values are meant to be. */
function meantKeysOf({ settings, version }: CniCase): ReadonlySet<string> {
  let found = known.get(settings);
  if (found === undefined) {
    found = findMeantKeys(settings, version);
    known.set(settings, found);
  }
  return found;
}

const MAPS = ['env', 'init.env', ''] as const;

function findMeantKeys({ data }: CniSettings, version: string | undefined): ReadonlySet<string> {
  const meant = new Set<string>();
  if (!isDataMap(data)) return meant;
  const problems = configurationProblems(
    data,
    version === undefined ? { kind: 'any', clusterMinor: undefined, because: '' } : { kind: 'pinned', version },
  );
  for (const problem of problems) {
    if (problem.kind === 'wrong-place') meant.add(problem.place);
    if (problem.kind !== 'unknown-key') continue;
    if (problem.suggestion !== undefined) meant.add(problem.suggestion);
    // A block of another name may hold keys of any of the known ones.
    const block = dataAt(data, ...problem.path.split('.'));
    if (isDataMap(block))
      for (const name of Object.keys(block)) for (const map of MAPS) meant.add(map === '' ? name : `${map}.${name}`);
  }
  return meant;
}
