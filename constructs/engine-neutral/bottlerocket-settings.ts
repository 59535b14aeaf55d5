import {
  BottlerocketSettingsError,
  bottlerocketSpecProblems,
  renderBottlerocket,
  type BottlerocketSettingsSpec,
} from '../../lib/eks/user-data/bottlerocket';
import { ConstructionError } from './construction-error';
import type { TokenTools } from './tokens';

/** A host container of Bottlerocket: one that runs beside Kubernetes, with access to the host. */
export interface BottlerocketHostContainer {
  /** Whether it is started. Needed for containers of your own. @default - Bottlerocket's own: `control` is on, `admin` off */
  readonly enabled?: boolean;
  /** Whether it may change the host. Needed for containers of your own. @default - Bottlerocket's own: `admin` may, `control` not */
  readonly superpowered?: boolean;
  /** Its image, with registry and tag. Needed for containers of your own. @default - Bottlerocket's own for `admin` and `control` */
  readonly source?: string;
  /** What the container finds as its user data, in base64. @default - none */
  readonly userData?: string;
}

/** Settings of a Bottlerocket node. */
export interface BottlerocketSettingsProps {
  /**
   * Highest number of pods on a node (`settings.kubernetes.max-pods`); the same as `maxPods` of the node group, which can't be set besides.
   *
   * @default - EKS's number; with an own AMI Bottlerocket's, from the instance type
   */
  readonly maxPods?: number;
  /**
   * Address of the cluster's DNS service, or several (`settings.kubernetes.cluster-dns-ip`): a node-local cache, for example.
   *
   * @default - that of the cluster
   */
  readonly clusterDns?: string | readonly string[];
  /**
   * Host containers by name (`settings.host-containers`): letters, digits and hyphens. Bottlerocket itself has `admin` and `control`.
   *
   * @default - Bottlerocket's own
   * @see https://bottlerocket.dev/en/os/latest/#/api/settings/host-containers/
   */
  readonly hostContainers?: Readonly<Record<string, BottlerocketHostContainer>>;
  /**
   * Kernel parameters (`settings.kernel.sysctl`); all values are strings: `{ 'vm.max_map_count': '262144' }`.
   *
   * @default - Bottlerocket's own
   */
  readonly sysctl?: Readonly<Record<string, string>>;
  /**
   * Everything else below `settings`, by Bottlerocket's own names: `{ ntp: { 'time-servers': ['169.254.169.123'] } }`. What an option
   * above sets can't be set here again.
   *
   * @default - none
   * @see https://bottlerocket.dev/en/os/latest/#/api/settings/
   */
  readonly settings?: Readonly<Record<string, unknown>>;
}

type Tree = Readonly<Record<string, unknown>>;

/** Problems that newer versions of Bottlerocket may not have. */
const NOT_REFUSED: ReadonlySet<string> = new Set(['unknown-setting']);

/** Settings of Bottlerocket nodes, checked when they are made, with the tokens of one engine. */
export class BottlerocketDocument {
  /** The settings by Bottlerocket's own names: what stands below `settings`. */
  readonly tree: Tree;
  private readonly tokens: TokenTools;

  /** @throws ConstructionError listing every setting at which Bottlerocket stops, and every one that is set twice */
  constructor(props: BottlerocketSettingsProps, tokens: TokenTools) {
    this.tokens = tokens;
    this.tree = merged(tokens, typedTree(props), props.settings ?? {}, 'settings');
    const problems = [
      ...bottlerocketProblems({ settings: this.tree }, tokens),
      ...hostContainerProblems(this.tree, tokens),
    ];
    if (problems.length > 0) throw new ConstructionError(undefined, `BottlerocketSettings: ${problems.join('; ')}`);
  }

  /** A setting below `settings.kubernetes`. */
  kubernetes(name: string): unknown {
    const { kubernetes } = this.tree;
    return isTree(this.tokens, kubernetes) ? kubernetes[name] : undefined;
  }

  /** The settings as TOML. */
  toToml(): string {
    return bottlerocketToml({ settings: this.tree }, this.tokens);
  }
}

/** What keeps Bottlerocket from booting with settings, or the node from joining; each as "`path` …". */
export function bottlerocketProblems(spec: BottlerocketSettingsSpec, tokens: TokenTools): string[] {
  try {
    const problems = bottlerocketSpecProblems(spec, (value) => tokens.isToken(value)).filter(
      (problem) => !NOT_REFUSED.has(problem.kind),
    );
    // Rendered for its errors only: it throws for values that TOML can't hold.
    if (problems.length === 0) bottlerocketToml(spec, tokens);
    return problems.map((problem) => `\`${problem.path.join('.')}\` ${problem.message}`);
  } catch (error) {
    if (error instanceof BottlerocketSettingsError) return [`\`${error.path.join('.')}\` ${error.reason}`];
    throw error;
  }
}

/** Host containers that Bottlerocket has; others need all that it takes to start one. */
const OWN_CONTAINERS: ReadonlySet<string> = new Set(['admin', 'control']);
const NEEDED = ['enabled', 'source', 'superpowered'] as const;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What Bottlerocket doesn't accept of host containers. Sources: bottlerocket.dev, "host-containers"; bottlerocket-settings-sdk,
 * `settings-extensions/host-containers`.
 */
function hostContainerProblems(tree: Tree, tokens: TokenTools): string[] {
  const containers = tree['host-containers'];
  if (!isTree(tokens, containers)) return [];
  return Object.entries(containers).flatMap(([name, container]) => {
    const path = `settings.host-containers.${name}`;
    if (!isTree(tokens, container) || tokens.isToken(name)) return [];
    const missing =
      OWN_CONTAINERS.has(name) || container.enabled === false
        ? []
        : NEEDED.filter((key) => container[key] === undefined);
    const userData = container['user-data'];
    return [
      ...(/^[A-Za-z0-9-]+$/.test(name)
        ? []
        : [`\`${path}\` has a name of other characters than letters, digits and hyphens`]),
      ...(missing.length === 0
        ? []
        : [`\`${path}\` lacks ${missing.join(' and ')}, without which Bottlerocket doesn't start it`]),
      ...(typeof userData !== 'string' || tokens.isToken(userData) || BASE64.test(userData)
        ? []
        : [`\`${path}.user-data\` is no valid base64`]),
    ];
  });
}

/** The settings as TOML, tokens included. */
export function bottlerocketToml(spec: BottlerocketSettingsSpec, tokens: TokenTools): string {
  const { settings } = spec;
  const rendered =
    settings === undefined
      ? spec
      : { ...spec, settings: tokens.renderTokens(settings, 'BottlerocketSettings', 'settings') as Tree };
  return renderBottlerocket(rendered, (value) => tokens.isToken(value));
}

function typedTree({ maxPods, clusterDns, hostContainers, sysctl }: BottlerocketSettingsProps): Tree {
  return {
    ...section('kubernetes', { 'max-pods': maxPods, 'cluster-dns-ip': clusterDns }),
    ...section(
      'host-containers',
      hostContainers === undefined
        ? {}
        : Object.fromEntries(
            Object.entries(hostContainers).map(([name, container]) => [name, hostContainer(container)]),
          ),
    ),
    ...section('kernel', { sysctl }),
  };
}

function hostContainer({ enabled, superpowered, source, userData }: BottlerocketHostContainer): Tree {
  return defined({ enabled, superpowered, source, 'user-data': userData });
}

/** A table that isn't there when it is empty. */
function section(name: string, table: Tree): Tree {
  const entries = defined(table);
  return Object.keys(entries).length === 0 ? {} : { [name]: entries };
}

function defined(table: Tree): Tree {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
}

/** Two trees as one; what both set is refused. */
function merged(tokens: TokenTools, base: Tree, extra: Tree, path: string): Tree {
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(defined(extra))) {
    const present = result.get(key);
    const at = `${path}.${key}`;
    if (present === undefined) result.set(key, value);
    else if (isTree(tokens, present) && isTree(tokens, value)) result.set(key, merged(tokens, present, value, at));
    else
      throw new ConstructionError(
        undefined,
        `BottlerocketSettings: \`${at}\` is set by an option of its own and in settings; leave one of them out`,
      );
  }
  return Object.fromEntries(result);
}

function isTree(tokens: TokenTools, value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !tokens.isToken(value);
}
