import { Unknown, type Data } from '../../../value';
import { labelReservedBy } from '../node-labels';
import { serviceCidrProblem } from '../service-cidr';
import { correctedAuthority, judgeCertificateAuthority } from './certificate-authority';
import { pairsOf, parseFlags } from './flags';
import { meantName, nearestName } from '../../../text/nearest';
import {
  nodeConfigProblem,
  type NodeConfigCorrection,
  type NodeConfigProblem,
  type NodeConfigProblemKind,
} from './problems';
import { NODE_CONFIG_FIELDS, type NodeConfigField } from './schema';
import { NODE_CONFIG_API_VERSION, NODE_CONFIG_KIND } from './types';

/** Tells whether a value can't be judged, because it is decided later. */
export type IsOpaque = (value: unknown) => boolean;

const nothingIsOpaque: IsOpaque = () => false;

/** Kinds that are worth a remark, and no reason to refuse a NodeConfig. */
const REMARKS: ReadonlySet<NodeConfigProblemKind> = new Set([
  'certificate-authority-content',
  'certificate-authority-placeholder',
  'ceiling',
]);

/**
 * Checks a NodeConfig against nodeadm's schema and against what nodeadm and its services then do with the values.
 * nodeadm itself drops unknown fields silently, and one wrong type discards all configuration of the user data.
 * @param document the whole document, with `apiVersion`, `kind` and `spec`
 * @param isOpaque tells which values are not known yet; they count as right
 */
export function validateNodeConfig(document: unknown, isOpaque: IsOpaque = nothingIsOpaque): NodeConfigProblem[] {
  return checkNodeConfig(document, isOpaque).filter(({ kind }) => !REMARKS.has(kind));
}

/** The same with the remarks. */
export function checkNodeConfig(document: unknown, isOpaque: IsOpaque): NodeConfigProblem[] {
  if (!isMap(document)) return [nodeConfigProblem([], 'wrong-type', `is ${describe(document)}; a map is needed`)];
  const checker = new Checker(isOpaque);
  checker.checkHead(document);
  checker.checkFields(document, []);
  return checker.problems;
}

type Keys = readonly string[];

class Checker {
  readonly problems: NodeConfigProblem[] = [];

  constructor(private readonly isOpaque: IsOpaque) {}

  checkHead(document: Readonly<Record<string, unknown>>): void {
    for (const [key, expected] of [
      ['apiVersion', NODE_CONFIG_API_VERSION],
      ['kind', NODE_CONFIG_KIND],
    ] as const) {
      const found = document[key] ?? undefined;
      if (found !== expected && !(found !== undefined && this.isOpaque(found))) {
        this.report([key], 'head', `is ${describe(found)}; nodeadm reads only "${expected}"`, { value: expected });
      }
    }
  }

  checkFields(map: Readonly<Record<string, unknown>>, parent: Keys): void {
    for (const [key, value] of Object.entries(map)) {
      if (value === undefined) continue;
      const keys = [...parent, key];
      const field = key.includes('.') ? undefined : NODE_CONFIG_FIELDS.get(keys.join('.'));
      if (field === undefined) this.problems.push(unknownField(keys, key));
      // checkHead has judged the types of these.
      else if (parent.length === 0 && (key === 'apiVersion' || key === 'kind')) continue;
      else if (!this.isOpaque(value)) this.checkField(value, keys, field);
    }
  }

  private checkField(value: unknown, keys: Keys, field: NodeConfigField): void {
    switch (field.type) {
      case 'block':
        if (isMap(value)) this.checkFields(value, keys);
        else this.wrongType(keys, value, 'a map');
        return;
      case 'base64':
        if (typeof value === 'string') this.checkString(value, keys, field);
        else this.report(keys, 'certificate-authority', `is ${describe(value)}; base64 in a string is needed`);
        return;
      case 'string':
        if (typeof value === 'string') this.checkString(value, keys, field);
        else this.wrongType(keys, value, 'a string');
        return;
      case 'boolean':
        if (typeof value !== 'boolean') this.wrongType(keys, value, 'true or false');
        return;
      case 'map':
        if (!isMap(value)) this.wrongType(keys, value, 'a map');
        else if (keys.join('.') === 'spec.kubelet.config') this.checkMaxPods(value.maxPods, [...keys, 'maxPods']);
        return;
      case 'string-list':
        this.checkList(value, keys, field);
        return;
      case 'boolean-map':
      case 'map-of-maps':
        this.checkMap(value, keys, field);
    }
  }

  private checkString(value: string, keys: Keys, field: NodeConfigField): void {
    const path = keys.join('.');
    if (path === 'spec.cluster.certificateAuthority') {
      const wrong = judgeCertificateAuthority(value);
      if (wrong !== undefined) this.report(keys, wrong.kind, wrong.message, asValue(correctedAuthority(value)));
      return;
    }
    if (value.trim() === '') {
      if (field.nonEmpty === true || field.values !== undefined) this.report(keys, 'blank', 'is empty');
      return;
    }
    if (path === 'spec.cluster.cidr') {
      const wrong = serviceCidrProblem(value);
      if (wrong !== undefined) this.report(keys, 'service-cidr', `is ${describe(value)}; it ${wrong}`);
      return;
    }
    if (field.values !== undefined && !isOneOf(value, field)) {
      this.report(
        keys,
        path.endsWith('.strategy') ? 'strategy' : 'value',
        notOneOf(value, field.values),
        asValue(meantName(value, field.values)),
      );
    }
  }

  private checkList(value: unknown, keys: Keys, field: NodeConfigField): void {
    if (!Array.isArray(value)) {
      this.wrongType(keys, value, 'a list of strings');
      return;
    }
    value.forEach((item: unknown, index) => {
      if (this.isOpaque(item)) return;
      const at = [...keys, String(index)];
      if (typeof item !== 'string') this.wrongType(at, item, 'a string');
      else this.checkString(item, at, field);
    });
    if (keys.join('.') === 'spec.kubelet.flags') this.checkLabels(value, keys);
  }

  private checkLabels(items: readonly unknown[], keys: Keys): void {
    // What is opaque says nothing, unless it is a text of which a part is known.
    const readable = items.map(
      (item): Data => (item instanceof Unknown || (typeof item === 'string' && !this.isOpaque(item)) ? item : null),
    );
    const reserved = new Map<number, string[]>();
    for (const { key, flag } of pairsOf(parseFlags(readable).flags, 'node-labels')) {
      if (labelReservedBy(key) === 'kubelet') reserved.set(flag.index, [...(reserved.get(flag.index) ?? []), key]);
    }
    for (const [index, labels] of reserved) {
      const one = labels.length === 1;
      this.report(
        [...keys, String(index)],
        'reserved-label',
        `sets the reserved label${one ? '' : 's'} ${labels.join(', ')}; kubelet exits on ${one ? 'it' : 'them'}`,
      );
    }
  }

  private checkMap(value: unknown, keys: Keys, field: NodeConfigField): void {
    if (!isMap(value)) {
      this.wrongType(keys, value, 'a map');
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      const at = [...keys, key];
      if (field.values !== undefined && !field.values.includes(key))
        this.report(at, 'value', notOneOf(key, field.values), asKey(meantName(key, field.values)));
      if (this.isOpaque(item) || item === undefined) continue;
      if (field.type === 'boolean-map') {
        if (typeof item !== 'boolean') this.wrongType(at, item, 'true or false');
      } else if (isMap(item)) this.checkVariables(item, at);
      else this.wrongType(at, item, 'a map of variables');
    }
  }

  private checkVariables(variables: Readonly<Record<string, unknown>>, keys: Keys): void {
    for (const [name, value] of Object.entries(variables)) {
      if (value !== undefined && typeof value !== 'string' && !this.isOpaque(value))
        this.wrongType([...keys, name], value, 'a string');
    }
  }

  private checkMaxPods(maxPods: unknown, keys: Keys): void {
    if (maxPods === undefined || this.isOpaque(maxPods)) return;
    if (typeof maxPods !== 'number') {
      this.report(
        keys,
        'value',
        `is ${describe(maxPods)}; a number is needed. nodeadm passes it on, and kubelet can't decode it`,
        typeof maxPods === 'string' && /^[1-9]\d*$/.test(maxPods) ? { value: Number(maxPods) } : undefined,
      );
    } else if (!Number.isInteger(maxPods) || maxPods < 1) {
      this.report(keys, 'value', `is ${maxPods}; a whole number from 1 on is needed`);
    } else if (maxPods > MAX_PODS_CEILING) {
      this.report(
        keys,
        'ceiling',
        `is ${maxPods}; AWS recommends no more than ${MAX_PODS_CEILING} pods on a node, and 110 below 30 vCPUs`,
      );
    }
  }

  private wrongType(keys: Keys, found: unknown, needed: string): void {
    this.report(keys, 'wrong-type', `is ${describe(found)}; ${needed} is needed`, inType(found, needed));
  }

  private report(keys: Keys, kind: NodeConfigProblemKind, message: string, instead?: NodeConfigCorrection): void {
    this.problems.push(nodeConfigProblem(keys, kind, message, instead));
  }
}

function asValue(value: string | undefined): NodeConfigCorrection | undefined {
  return value === undefined ? undefined : { value };
}

function asKey(key: string | undefined): NodeConfigCorrection | undefined {
  return key === undefined ? undefined : { key };
}

/** The same value in the type that is needed, where it can only be meant so. */
function inType(found: unknown, needed: string): NodeConfigCorrection | undefined {
  if (needed === 'a string') return typeof found === 'number' || typeof found === 'boolean' ? 'quoted' : undefined;
  if (typeof found !== 'string') return undefined;
  if (needed === 'true or false')
    return /^(?:true|false)$/i.test(found) ? { value: found.toLowerCase() === 'true' } : undefined;
  // Quotes may hold blanks together.
  if (needed !== 'a list of strings' || found.trim() === '' || /["'\\]/.test(found)) return undefined;
  return { value: found.trim().split(/\s+/) };
}

/** AWS's ceiling for nodes from 30 vCPUs on. Source: EKS user guide, "Choosing an optimal Amazon EC2 node instance type". */
const MAX_PODS_CEILING = 250;

/** Names that stand at the root; elsewhere they belong to something else that was pasted there. */
const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function unknownField(keys: Keys, key: string): NodeConfigProblem {
  const parent = keys.slice(0, -1).join('.');
  const elsewhere = HEAD.has(key) ? [] : (PATHS_BY_NAME.get(key) ?? []);
  const quoted = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(' or ');
  if (elsewhere.length > 0) {
    const places = parent === 'spec.kubelet' ? [...elsewhere, `spec.kubelet.config.${key}`] : elsewhere;
    return nodeConfigProblem(keys, 'misplaced-field', `has no effect here: nodeadm reads ${quoted(places)}`);
  }
  const siblings = NAMES_BY_PARENT.get(parent) ?? [];
  const nearest = nearestName(key, siblings);
  let hint = '';
  let instead: NodeConfigCorrection | undefined;
  // `maxPods` isn't half of `maxPodsExpression`, but a setting of kubelet.
  if (nearest !== undefined && !(parent === 'spec.kubelet' && nearest.startsWith(key))) {
    hint = `; it reads \`${parent === '' ? nearest : `${parent}.${nearest}`}\``;
    instead = asKey(meantName(key, siblings));
  } else if (parent === 'spec.kubelet') hint = '; settings of kubelet itself stand in `spec.kubelet.config`';
  return nodeConfigProblem(keys, 'unknown-field', `is no field of a NodeConfig and nodeadm drops it${hint}`, instead);
}

const PATHS_BY_NAME = grouped((path) => [lastOf(path), path]);
const NAMES_BY_PARENT = grouped((path) => [path.split('.').slice(0, -1).join('.'), lastOf(path)]);

function grouped(entryOf: (path: string) => readonly [string, string]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of NODE_CONFIG_FIELDS.keys()) {
    const [group, member] = entryOf(path);
    groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  return groups;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isOneOf(value: string, field: NodeConfigField): boolean {
  const accepted = [...(field.values ?? []), ...(field.alsoWorks ?? [])];
  if (field.ignoreCase !== true) return accepted.includes(value);
  return accepted.some((known) => known.toLowerCase() === value.toLowerCase());
}

function notOneOf(found: string, allowed: readonly string[]): string {
  return `is ${describe(found)}; nodeadm knows ${allowed.join(', ')}`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unknown);
}

const LONGEST_SHOWN = 80;

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string')
    return `"${value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? `the ${typeof value} ${value}` : `a ${typeof value}`;
}
