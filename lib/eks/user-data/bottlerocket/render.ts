import { nowhere, Unknown, type Data } from '../../../value';
import { PlainText } from '../node-config/render';
import { settingProblems } from './check';
import { dotted, isBareKey, type SettingProblem } from './problem';
import type { TaintEffect } from './schema';

/**
 * Bottlerocket settings for a node of an EKS cluster.
 * @see https://bottlerocket.dev/en/os/latest/#/api/settings/
 */
export interface BottlerocketSettingsSpec {
  /** The cluster to join. EKS fills it in for managed node groups without an own AMI. */
  readonly cluster?: BottlerocketCluster;
  /**
   * The most pods on a node: an integer from 1 on (`settings.kubernetes.max-pods`). {@link PlainText} for a number that is
   * decided at deployment.
   * @default - what the instance type allows, by Bottlerocket's table; EKS's number in managed node groups without an own AMI
   */
  readonly maxPods?: number | PlainText;
  /**
   * Labels that a node gives itself (`settings.kubernetes.node-labels`): keys as Kubernetes takes them, values up to 63 characters.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Taints that a node has from the start (`settings.kubernetes.node-taints`).
   * @default - none
   */
  readonly taints?: readonly BottlerocketTaint[];
  /**
   * Everything else below `settings`, by Bottlerocket's own names: `{ 'host-containers': { admin: { enabled: true } } }`.
   * What the properties above set can't be set here again.
   * @default - none
   */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The coordinates of a cluster; a node needs the first three. */
interface BottlerocketCluster {
  /** Name of the cluster (`cluster-name`). */
  readonly name?: string;
  /** URL of the API server, `https://…` (`api-server`). */
  readonly apiServer?: string;
  /** The cluster's certificate authority as the EKS API gives it: base64, one level (`cluster-certificate`). */
  readonly certificate?: string;
  /**
   * Address of the cluster's DNS service, or several (`cluster-dns-ip`). Needed for IPv6 and where nodes may not call
   * `eks:DescribeCluster` and the service range is not a default one.
   * @default - derived from the cluster's IPv4 service range
   */
  readonly dnsIp?: string | readonly string[];
}

interface BottlerocketTaint {
  readonly key: string;
  /** @default - none */
  readonly value?: string;
  /** What happens to pods that don't tolerate the taint. */
  readonly effect: TaintEffect;
}

/** Settings that can't be written so that Bottlerocket and EKS read them, or that are set twice. */
export class BottlerocketSettingsError extends Error {
  override readonly name = 'BottlerocketSettingsError';

  /**
   * @param path steps from `settings` on
   * @param reason as the end of "`path` …"
   */
  constructor(
    readonly path: readonly string[],
    readonly reason: string,
  ) {
    super(`${dotted(path)} ${reason}`);
  }
}

type IsOpaque = (value: unknown) => boolean;
type Tree = Readonly<Record<string, unknown>>;
type Path = readonly string[];

const nothingIsOpaque: IsOpaque = () => false;

/**
 * Writes settings as TOML that Bottlerocket reads and that EKS can merge with its own: no quoted keys in headers, no escaped
 * quotation marks, no lists of mixed types.
 * @param isOpaque tells which strings are decided at deployment: they may hold anything between `${` and `}`, which is kept as it is
 * @throws BottlerocketSettingsError for settings that are set twice or that can't be written
 */
export function renderBottlerocket(spec: BottlerocketSettingsSpec, isOpaque: IsOpaque = nothingIsOpaque): string {
  const tree = settingsTree(spec);
  refuseDepth(tree, ['settings']);
  return new Renderer(isOpaque).render(tree);
}

/**
 * What is wrong with the values of settings; those that are decided at deployment count as right.
 * @throws BottlerocketSettingsError for settings that are set twice
 */
export function bottlerocketSpecProblems(
  spec: BottlerocketSettingsSpec,
  isOpaque: IsOpaque = nothingIsOpaque,
): readonly SettingProblem[] {
  const tree = settingsTree(spec);
  refuseDepth(tree, ['settings']);
  return settingProblems({ settings: asData(tree, isOpaque) });
}

/** Far more than any setting needs; an object that holds itself has no end. */
const MAX_DEPTH = 50;

function refuseDepth(value: unknown, path: Path): void {
  if (path.length > MAX_DEPTH) throw new BottlerocketSettingsError(path.slice(0, 5), 'is nested too deeply');
  if (Array.isArray(value))
    value.forEach((item, index) => {
      refuseDepth(item, [...path, String(index)]);
    });
  else if (isTree(value)) for (const [key, item] of Object.entries(value)) refuseDepth(item, [...path, key]);
}

/** The spec as Bottlerocket names things: what stands below `settings`. */
function settingsTree(spec: BottlerocketSettingsSpec): Tree {
  const { cluster = {}, maxPods, labels, taints } = spec;
  const generated = {
    kubernetes: defined({
      'cluster-name': cluster.name,
      'api-server': cluster.apiServer,
      'cluster-certificate': cluster.certificate,
      'cluster-dns-ip': cluster.dnsIp,
      'max-pods': maxPods,
      'node-labels': labels === undefined ? undefined : defined(labels),
      'node-taints': taints === undefined ? undefined : taintTable(taints),
    }),
  };
  const own = spec.settings ?? {};
  return Object.keys(generated.kubernetes).length === 0 ? own : merge(generated, own, ['settings']);
}

function taintTable(taints: readonly BottlerocketTaint[]): Tree {
  const table = new Map<string, string[]>();
  for (const { key, value = '', effect } of taints) table.set(key, [...(table.get(key) ?? []), `${value}:${effect}`]);
  return Object.fromEntries(table);
}

function merge(generated: Tree, own: Tree, path: Path): Tree {
  const merged = new Map(Object.entries(generated));
  for (const [key, value] of Object.entries(defined(own))) {
    const at = [...path, key];
    const present = merged.get(key);
    if (present === undefined) merged.set(key, value);
    else if (isTree(present) && isTree(value)) merged.set(key, merge(present, value, at));
    else throw new BottlerocketSettingsError(at, 'is set twice: by a property of its own and in `settings`');
  }
  return Object.fromEntries(merged);
}

class Renderer {
  private readonly lines: string[] = [];

  constructor(private readonly isOpaque: IsOpaque) {}

  render(settings: Tree): string {
    this.table(settings, ['settings']);
    return `${this.lines.join('\n')}\n`;
  }

  /** A table with a header of its own: first its values, then the tables below it. */
  private table(table: Tree, path: Path): void {
    const entries = Object.entries(defined(table));
    const below = entries.filter(([key, value]) => this.hasHeader(key, value));
    const inside = entries.filter(([key, value]) => !this.hasHeader(key, value));
    if (inside.length > 0 || below.length === 0) this.header(`[${path.join('.')}]`);
    for (const [key, value] of inside) this.pair([key], value, path);
    for (const [key, value] of below) {
      const at = [...path, key];
      if (isTree(value)) this.table(value, at);
      else if (Array.isArray(value))
        value.forEach((item: unknown, index) => {
          this.item(item, at, index);
        });
    }
  }

  private item(item: unknown, path: Path, index: number): void {
    this.header(`[[${path.join('.')}]]`);
    for (const [key, value] of Object.entries(defined(isTree(item) ? item : {})))
      this.pair([key], value, [...path, String(index)]);
  }

  private header(header: string): void {
    if (this.lines.length > 0) this.lines.push('');
    this.lines.push(header);
  }

  /** Only a table whose key needs no quotes: EKS can't merge quoted keys in headers. */
  private hasHeader(key: string, value: unknown): boolean {
    return (
      isBareKey(key) &&
      !this.isOpaque(key) &&
      (isTree(value) || (Array.isArray(value) && value.length > 0 && value.every(isTree)))
    );
  }

  private pair(keys: Path, value: unknown, path: Path): void {
    const entries = isTree(value) ? Object.entries(defined(value)) : [];
    if (entries.length > 0) {
      for (const [key, inner] of entries) this.pair([...keys, key], inner, path);
      return;
    }
    const at = [...path, ...keys];
    this.lines.push(`${keys.map((key) => this.key(key, at)).join('.')} = ${this.value(value, at)}`);
  }

  private key(key: string, path: Path): string {
    if (isBareKey(key) && !this.isOpaque(key)) return key;
    const known = this.isOpaque(key) ? key.replace(HOLES, '') : key;
    if (/["'\\\p{Cc}]/u.test(known))
      throw new BottlerocketSettingsError(
        path,
        "has a quotation mark, a backslash or a control character in a key; EKS can't merge that",
      );
    return `"${key}"`;
  }

  private value(value: unknown, path: Path): string {
    if (value instanceof PlainText) return value.text;
    if (typeof value === 'string') return this.string(value);
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return this.number(value, path);
    if (Array.isArray(value)) return this.list(value, path);
    if (isTree(value)) {
      const pairs = Object.entries(defined(value)).map(
        ([key, item]) => `${this.key(key, path)} = ${this.value(item, [...path, key])}`,
      );
      return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
    }
    throw new BottlerocketSettingsError(
      path,
      `is ${value === null ? 'null' : `a ${typeof value}`}, which TOML doesn't have`,
    );
  }

  private number(value: number, path: Path): string {
    if (this.isOpaque(value))
      throw new BottlerocketSettingsError(
        path,
        'is a number that is decided at deployment; pass its text as PlainText',
      );
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw new BottlerocketSettingsError(path, `is ${value}, which can't be written exactly`);
    }
    return String(value);
  }

  private list(list: readonly unknown[], path: Path): string {
    const types = new Set(list.map(typeOf));
    if (types.size > 1) {
      throw new BottlerocketSettingsError(
        path,
        `is a list of ${[...types].join(' and ')} values; EKS can't merge lists of mixed types`,
      );
    }
    return `[${list.map((item, index) => this.value(item, [...path, String(index)])).join(', ')}]`;
  }

  private string(text: string): string {
    if (this.isOpaque(text)) {
      // Outside of what is filled in, the text is ordinary.
      const holes = text.match(HOLES) ?? [];
      return `"${text
        .split(HOLES)
        .map((known, index) => escape(known) + (holes[index] ?? ''))
        .join('')}"`;
    }
    // EKS can't merge escaped quotation marks. Between single quotes they need no escape.
    return text.includes('"') && !/['\p{Cc}]/u.test(text) ? `'${text}'` : `"${escape(text)}"`;
  }
}

/** What tokens look like. */
const HOLES = /\$\{[^{}]*\}/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** For a basic string. Quotation marks become `\u0022`, because EKS can't merge `\"`. Lone surrogates, which TOML doesn't have, become U+FFFD. */
function escape(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(
      /["\\\p{Cc}]/gu,
      (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function typeOf(value: unknown): string {
  if (value instanceof PlainText) return 'integer';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return isTree(value) ? 'table' : typeof value;
}

function isTree(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Without what is undefined. */
function defined(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));
}

function asData(value: unknown, isOpaque: IsOpaque): Data {
  if (value instanceof PlainText || (isOpaque(value) && !isTree(value)))
    return new Unknown('it is decided at deployment', nowhere);
  if (Array.isArray(value)) return value.map((item) => asData(item, isOpaque));
  if (isTree(value))
    return Object.fromEntries(Object.entries(defined(value)).map(([key, item]) => [key, asData(item, isOpaque)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
