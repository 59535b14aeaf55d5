import type { Cluster, HelmRelease, Reference } from '../../../eks';
import {
  type Data,
  type DataMap,
  type EditingFacts,
  isDataMap,
  type Source,
  sourceOf,
  Unknown,
  type Value,
} from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import type { TerraformInstance } from '../../../terraform/instance';
import { isSurelyAtLeast } from '../../../terraform/module/version-constraint';
import { asText, TerraformMap } from '../../../terraform/terraform-value';
import { dataOf } from './data';
import { dataInText } from './kubernetes';
import type { LinkedBlock } from './linked-block';
import { clusterOfProvider } from './provider-cluster';
import { ResourceEditing, TerraformResource } from './terraform-resource';

/** `helm_release`. */
export class HelmReleaseResource extends TerraformResource implements HelmRelease {
  readonly kind = 'helm-release';
  declare private valuesMemo: Data | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterOfProvider(this.instance, this.registry);
  }

  get chart(): Value<string> {
    return this.attributes.string('chart');
  }

  get release(): Value<string> {
    return this.attributes.string('name');
  }

  get namespace(): Value<string> {
    return this.attributes.text('namespace');
  }

  get version(): Value<string> {
    return this.attributes.text('version');
  }

  override get editing(): EditingFacts {
    return new HelmReleaseEditing(this.instance, this.attributes.list('values').kind !== 'absent');
  }

  get values(): Data {
    return (this.valuesMemo ??= this.read());
  }

  /**
   * Later texts win over earlier ones, single settings over all of them. Pulumi has a map in the place of a text. Source: Helm provider, `helm_release`,
   * "values" and "set"; helm/resource_release.go of v2.17.0, by which `set` and `set_sensitive` are sets, in the order of hashes: of two values of one
   * name nobody knows which wins.
   */
  private read(): Data {
    let result: Data = {};
    for (const item of conditionalItems(this.attributes.list('values'))) {
      const isMap = item.kind === 'known' && item.value instanceof TerraformMap;
      const data = isMap ? dataOf(item, this.registry) : dataInText(asText(item));
      if (!isDataMap(data)) return data;
      result = merged(result, data);
    }
    for (const key of ['set', 'set_list', 'set_sensitive']) {
      const earlier = key === 'set_list' || this.keepsOrder ? undefined : new Map<string, Data>();
      for (const block of this.attributes.allBlocks(key)) {
        const { value: whole } = block;
        if (whole.kind === 'absent') continue;
        if (whole.kind === 'unknown') return whole;
        if (whole.kind === 'choice') return new Unknown('it depends on conditions', sourceOf(whole));
        const changed = this.withSetting(result, block, whole.source, earlier);
        if (changed instanceof Unknown) return changed;
        result = changed;
      }
    }
    return result;
  }

  /** From version 3 on settings are lists. */
  private get keepsOrder(): boolean {
    return (this.instance.providerVersions ?? []).some((constraint) => isSurelyAtLeast(constraint, [3, 0, 0]));
  }

  /** @param earlier the settings of which none comes before another, by name; undefined where the last one wins */
  private withSetting(
    values: DataMap,
    block: LinkedBlock,
    source: Source,
    earlier: Map<string, Data> | undefined,
  ): DataMap | Unknown {
    const name = block.string('name');
    const path = name.kind === 'known' ? parsePath(name.value) : undefined;
    if (path === undefined)
      return new Unknown(name.kind === 'unknown' ? name.reason : "the name of a setting can't be read", source);
    const written = block.item('value').kind === 'absent' ? block.item('value_wo') : block.item('value');
    const own = scalar(block, dataOf(written, this.registry));
    const key = JSON.stringify(path);
    const other = earlier?.get(key);
    const data =
      other === undefined || isSame(other, own)
        ? own
        : new Unknown('it is set twice, and before version 3 the Helm provider tells no order', source);
    earlier?.set(key, data);
    const changed = set(values, path, data);
    return isDataMap(changed) ? changed : new Unknown('its settings contradict each other', source);
  }
}

/** Whether two settings surely have the same value. */
function isSame(one: Data, other: Data): boolean {
  return one instanceof Unknown && other instanceof Unknown
    ? one.text !== undefined && one.text === other.text
    : one === other;
}

class HelmReleaseEditing extends ResourceEditing {
  constructor(
    instance: TerraformInstance,
    readonly hasValues: boolean,
  ) {
    super(instance);
  }
}

/** What Helm makes of the text of a setting. */
function scalar(block: LinkedBlock, data: Data): Data {
  if (typeof data === 'object') return data;
  const text = String(data);
  const type = block.text('type');
  if (type.kind === 'known' && type.value === 'string') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** Maps are merged key by key; everything else is replaced. */
function merged(below: Data | undefined, above: DataMap): DataMap {
  const result: Record<string, Data> = isDataMap(below) ? { ...below } : {};
  for (const [key, data] of Object.entries<Data>(above)) {
    const before = Object.hasOwn(result, key) ? result[key] : undefined;
    if (key !== '__proto__') result[key] = isDataMap(data) && isDataMap(before) ? merged(before, data) : data;
  }
  return result;
}

type Step = string | number;

/** `a.b[0].c\.d`: a dot in a key has a backslash. */
function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let key = '';
  let hasKey = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\' && i + 1 < text.length) {
      key += text.charAt(++i);
      hasKey = true;
    } else if (character === '.') {
      if (hasKey) steps.push(key);
      key = '';
      hasKey = false;
    } else if (character === '[') {
      if (hasKey) steps.push(key);
      key = '';
      hasKey = false;
      const end = text.indexOf(']', i);
      const index = end === -1 ? Number.NaN : Number(text.slice(i + 1, end));
      if (!Number.isInteger(index) || index < 0 || index > MOST_ITEMS) return undefined;
      steps.push(index);
      i = end;
    } else {
      key += character;
      hasKey = true;
    }
  }
  if (hasKey) steps.push(key);
  return steps.length === 0 || typeof steps[0] === 'number' ? undefined : steps;
}

/** Nobody writes longer lists setting by setting; an index could make one of any length. */
const MOST_ITEMS = 1000;

function set(data: Data | undefined, [step, ...rest]: readonly Step[], value: Data): Data {
  if (step === undefined || data instanceof Unknown) return step === undefined ? value : (data ?? value);
  if (typeof step === 'number') {
    const items: Data[] = Array.isArray(data) ? [...(data as readonly Data[])] : [];
    while (items.length <= step) items.push(null);
    items[step] = set(items[step], rest, value);
    return items;
  }
  if (step === '__proto__') return data ?? {};
  const map: DataMap = isDataMap(data) ? data : {};
  return { ...map, [step]: set(Object.hasOwn(map, step) ? map[step] : undefined, rest, value) };
}
