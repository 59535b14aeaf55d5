import type { EditedSetting, SettingPlaces, ValuePlace } from '../../value';
import { ANNOTATION } from './annotation';
import { splitDocuments } from './split';

/*
 * Where settings are in a manifest: those of node classes and node pools, of the DaemonSet `aws-node`, and what `aws-auth` maps.
 */

type Path = readonly string[];

/** By kind and setting, the path within the object. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, Path>>>> = {
  EC2NodeClass: {
    'metadata.httpTokens': ['spec', 'metadataOptions', 'httpTokens'],
    'metadata.hopLimit': ['spec', 'metadataOptions', 'httpPutResponseHopLimit'],
    userData: ['spec', 'userData'],
  },
  NodePool: {
    consolidationPolicy: ['spec', 'disruption', 'consolidationPolicy'],
    nodeClassGroup: ['spec', 'template', 'spec', 'nodeClassRef', 'group'],
  },
  DaemonSet: { configuration: ['spec', 'template', 'spec'] },
  ConfigMap: { mapRoles: ['data', 'mapRoles'] },
};

/** The containers whose variables are the configuration of the VPC CNI, by the steps of its configuration values. */
const CONTAINERS = [
  { steps: ['env'], list: 'containers', container: 'aws-node' },
  { steps: ['init', 'env'], list: 'initContainers', container: 'aws-vpc-cni-init' },
] as const;

export const MANIFEST_SETTINGS: SettingPlaces = {
  hasSetting: (type, field) => placeOf(type, field) !== undefined,
  documentsIn: splitDocuments,
  holderOf,
  decisionKey: ['metadata', 'annotations', ANNOTATION],
  whyGenerated(text) {
    if (/^# Source: \S+\/templates\//m.test(text)) return 'Helm renders this file: change the chart, or its values';
    return /^#.*\bDO NOT EDIT\b/m.test(text) ? 'something else writes this file: change what it is made of' : undefined;
  },
  pathTo({ type, id, field }, root) {
    const path = placeOf(type, field);
    const holder = path === undefined ? undefined : holderOf(type, id, root);
    return path === undefined || holder === undefined ? undefined : [...holder, ...path];
  },
  refusal(_setting, path, root) {
    const value = path.reduce<unknown>(memberOf, root);
    return typeof value === 'string' && /\$\{|\{\{/.test(value)
      ? 'something else fills it in before the manifest is applied'
      : undefined;
  },
  valueIn(setting, at, root) {
    return setting.type === 'DaemonSet' ? variableIn(setting, at, root) : undefined;
  },
};

function placeOf(type: string, field: string): Path | undefined {
  // Which every object has.
  if (field === 'apiVersion') return [field];
  const own = Object.hasOwn(SETTINGS, type) ? SETTINGS[type] : undefined;
  return own !== undefined && Object.hasOwn(own, field) ? own[field] : undefined;
}

/** The value of a variable of the DaemonSet, or the list that it is to be in. */
function variableIn({ type, id }: EditedSetting, at: Path, root: unknown): ValuePlace | undefined {
  const name = at.at(-1);
  const outer = at.slice(0, -1).join('.');
  const one = CONTAINERS.find(({ steps }) => steps.join('.') === outer);
  const holder = holderOf(type, id, root);
  if (one === undefined || holder === undefined || name === undefined) return undefined;
  const list = [...holder, 'spec', 'template', 'spec', one.list];
  const container = indexIn(list.reduce<unknown>(memberOf, root), one.container);
  if (container === undefined) return undefined;
  const path = [...list, container, 'env'];
  const variables = path.reduce<unknown>(memberOf, root);
  const index = indexIn(variables, name);
  return index === undefined ? { path, missing: name } : { path: [...path, index, 'value'] };
}

function indexIn(list: unknown, name: string): string | undefined {
  const index = Array.isArray(list) ? list.findLastIndex((one) => memberOf(one, 'name') === name) : -1;
  return index < 0 ? undefined : String(index);
}

/** The object that has the id of a resource: kind, namespace and name. What decides on the namespace may stand elsewhere. */
function holderOf(type: string, id: string, root: unknown): Path | undefined {
  const found = holdersOf(root, id.slice(0, Math.max(0, id.indexOf('/'))) || type).get(lastPart(id)) ?? [];
  const named = found.filter(({ name }) => name !== '' && (id === name || id.endsWith(`/${name}`)));
  return (named.findLast((one) => one.id === id) ?? named.findLast(({ name }) => id.split('/').at(-1) === name))?.path;
}

interface Holder {
  readonly path: Path;
  readonly name: string;
  readonly id: string;
}

const byKind = new WeakMap<object, Map<string, ReadonlyMap<string, readonly Holder[]>>>();

/** The objects of a kind, by the last part of their names. Of a list with thousands of objects, each is asked for. */
function holdersOf(root: unknown, kind: string): ReadonlyMap<string, readonly Holder[]> {
  if (typeof root !== 'object' || root === null) return new Map();
  let kinds = byKind.get(root);
  if (kinds === undefined) byKind.set(root, (kinds = new Map<string, ReadonlyMap<string, readonly Holder[]>>()));
  let holders = kinds.get(kind);
  if (holders === undefined) {
    const found = new Map<string, Holder[]>();
    for (const holder of holdersIn(root, [], kind)) {
      const others = found.get(lastPart(holder.name));
      if (others === undefined) found.set(lastPart(holder.name), [holder]);
      else others.push(holder);
    }
    kinds.set(kind, (holders = found));
  }
  return holders;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function holdersIn(value: unknown, path: Path, kind: string): readonly Holder[] {
  const list: unknown = Array.isArray(value) ? value : memberOf(value, 'items');
  const isList = Array.isArray(value) || /List$/.test(textIn(value, 'kind'));
  if (isList && Array.isArray(list))
    return list.flatMap((item, index) =>
      holdersIn(item, [...path, ...(Array.isArray(value) ? [] : ['items']), String(index)], kind),
    );
  const metadata = memberOf(value, 'metadata');
  const [name, namespace] = [textIn(metadata, 'name'), textIn(metadata, 'namespace')];
  const isOfKind = textIn(value, 'kind') === kind || (textIn(value, 'kind') === '' && path.length > 0);
  return isOfKind ? [{ path, name, id: [kind, namespace, name].filter((part) => part !== '').join('/') }] : [];
}

function textIn(value: unknown, key: string): string {
  const text = memberOf(value, key);
  return typeof text === 'string' ? text : '';
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
