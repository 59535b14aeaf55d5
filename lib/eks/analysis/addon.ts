import type { Addon } from '../model/resources';
import { parseSwitch } from '../networking/cni-settings';
import { splitAtHoles } from '../../text/holes';
import {
  Absent,
  dataAt,
  entriesOf,
  flatMapValue,
  isDataMap,
  Known,
  Unknown,
  type Data,
  type Plain,
  type Value,
} from '../../value';

/** Whether something that may not be known is so. */
export type Certainty = 'yes' | 'no' | 'maybe';

/** Whether a text is the expected one: `maybe` if it isn't known, or if only some alternatives are. */
export function isText(value: Value<string>, expected: string): Certainty {
  if (value.kind !== 'choice') return isPlainText(value, expected);
  const answers = new Set(value.alternatives.map(({ value: plain }) => isPlainText(plain, expected)));
  const [only = 'no'] = answers;
  return answers.size === 1 ? only : 'maybe';
}

function isPlainText(plain: Plain<string>, expected: string): Certainty {
  if (plain.kind === 'unknown') return couldBe(plain, expected) ? 'maybe' : 'no';
  return plain.kind === 'known' && plain.value === expected ? 'yes' : 'no';
}

/** A text with known parts around its unknown ones can only be what those parts allow. */
function couldBe(value: Unknown, expected: string): boolean {
  if (value.text === undefined) return true;
  const stretches = splitAtHoles(value.text);
  const [head, tail] = [stretches.at(0), stretches.at(-1)];
  return (
    (head === undefined || head.isHole || expected.startsWith(head.text)) &&
    (tail === undefined || tail.isHole || expected.endsWith(tail.text))
  );
}

/** Whether the add-on is the one of that name: `vpc-cni`, `kube-proxy`. */
export function isAddon(addon: Addon, name: string): Certainty {
  return isText(addon.name, name);
}

/**
 * One setting of an add-on's configuration values: `configurationAt(addon, 'env', 'ENABLE_POD_ENI')`. Absent when the
 * add-on has no configuration values or they don't set it; unknown when the values can't be read.
 */
export function configurationAt(addon: Addon, ...path: readonly string[]): Value<Exclude<Data, Unknown>> {
  return flatMapValue(addon.configuration, (configuration): Value<Exclude<Data, Unknown>> => {
    if (configuration.kind !== 'known') return configuration;
    if (configuration.value.kind === 'malformed') {
      return new Unknown(`the configuration values of ${addon.id} can't be parsed`, configuration.source);
    }
    const data = dataAt(configuration.value.data, ...path);
    if (data === undefined) return new Absent(configuration.source);
    return data instanceof Unknown ? data : new Known(data, configuration.source);
  });
}

/** Whether parsed configuration values set nothing: `{}`, empty text, maps that hold only empty maps. */
export function isEmptyConfiguration(data: Data): boolean {
  if (data === null || data === '') return true;
  return isDataMap(data) && entriesOf(data).every(([, value]) => isDataMap(value) && isEmptyConfiguration(value));
}

/**
 * A switch in the VPC CNI's environment. The CNI reads it as Go's `strconv.ParseBool` does and uses the default for
 * any other text, so a text such as `yes` is the default. A bare boolean isn't accepted by EKS, but says what is meant.
 */
export function switchAt(addon: Addon, name: string, byDefault: boolean): Value<boolean> {
  return flatMapValue(configurationAt(addon, 'env', name), (setting): Value<boolean> => {
    if (setting.kind === 'absent') return new Known(byDefault, setting.source, 'default');
    if (setting.kind === 'unknown') return setting;
    const isOn = typeof setting.value === 'object' ? undefined : parseSwitch(String(setting.value));
    return isOn === undefined ? new Known(byDefault, setting.source, 'default') : new Known(isOn, setting.source);
  });
}
