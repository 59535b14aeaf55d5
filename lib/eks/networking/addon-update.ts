import {
  compareVersions,
  vpcCni,
  type AddonDescription,
  type AddonEffect,
  type ConfigurationKey,
} from '../../knowledge';
import { dataAt, entriesOf, isDataMap, Unknown, type Data } from '../../value';
import { describeProblem } from './addon-problems';
import { configurationProblems, type ConfigurationProblem } from './addon-schema-check';
import { parseSwitch } from './cni-settings';

export type ConflictMode = 'OVERWRITE' | 'PRESERVE' | 'NONE';

/** The environment variables of the DaemonSet aws-node, by name; undefined for a container that wasn't seen. */
export interface LiveEnvironment {
  /** Of the container aws-node. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the init container aws-vpc-cni-init. */
  readonly init?: Readonly<Record<string, string>>;
}

/** An update of an add-on. */
export interface UpdateRequest {
  /** @default - the VPC CNI */
  readonly addon?: AddonDescription;
  /** The version that the cluster has, `v1.11.0-eksbuild.1`. */
  readonly from: string;
  readonly to: string;
  /** What EKS does with settings that differ from what it would write (`resolveConflicts` of UpdateAddon). */
  readonly mode: ConflictMode;
  /** The parsed configuration values that the update sends. */
  readonly configuration?: Data;
  /** What the cluster has now. */
  readonly live?: LiveEnvironment;
}

/**
 * - `kept`: the same as before, or another text that means the same
 * - `changed`: the configuration values say something else than the cluster has now
 * - `reset`: a setting of the cluster goes back to the default
 * - `fails`: with mode NONE, the update may stop with ConfigurationConflict because of it
 * - `refused`: EKS doesn't accept it in the configuration values, and so refuses the update
 * - `unknown`: no source says what happens
 */
export type SettingStatus = 'kept' | 'changed' | 'reset' | 'fails' | 'refused' | 'unknown';

/** A value of the configuration values as it is written; of a list or a map, its JSON. */
export type SettingValue = string | number | boolean;

/** What an update does to one setting. */
export interface SettingEffect {
  /** Where it stands in the configuration values, `env.ENABLE_POD_ENI`, also for variables that can't be set there. */
  readonly path: string;
  readonly status: SettingStatus;
  /** What the cluster has now; undefined when it has nothing or that isn't known. */
  readonly live: string | undefined;
  /** What the configuration values say; undefined when they don't set it. */
  readonly configured: SettingValue | undefined;
  /** What the cluster has after the update; undefined when it has nothing or that isn't known. */
  readonly becomes: SettingValue | undefined;
  /** Why, as a sentence without capital and full stop. */
  readonly reason: string;
  /** When the change begins to act; undefined when nothing changes or no source says it. */
  readonly bites: AddonEffect | undefined;
}

/** What an update of an add-on does to every setting of the configuration values and of the DaemonSet, in the order of their paths. */
export function updateEffects(request: UpdateRequest): SettingEffect[] {
  return new Update(request).effects();
}

/** Whether two texts of a variable mean the same to the add-on's programs. */
export function meansTheSame(addon: AddonDescription, path: string, a: string, b: string): boolean {
  return a === b || effective(addon, path, a) === effective(addon, path, b);
}

/** The value as they take it: of a switch that they can't read, the default. */
function effective(addon: AddonDescription, path: string, text: string): string {
  const variable = variableAt(addon, path);
  if (variable?.type !== 'boolean') return text;
  return String(parseSwitch(text) ?? parseSwitch(variable.default ?? 'false'));
}

/** The variable that a path of the configuration values sets; undefined for other paths. */
export function variableAt(addon: AddonDescription, path: string): ReturnType<AddonDescription['variable']> {
  return isVariable(path) ? addon.variable(path.slice(path.lastIndexOf('.') + 1)) : undefined;
}

function isVariable(path: string): boolean {
  return /^(?:init\.)?env\.[^.]+$/.test(path);
}

/** When the change of a setting begins to act. */
function bitesOf(addon: AddonDescription, path: string, becomes: string | undefined): AddonEffect | undefined {
  return addon.effect(path, becomes === undefined ? undefined : parseSwitch(becomes));
}

type Outcome = Pick<SettingEffect, 'status' | 'reason'> & { readonly becomes?: string };

class Update {
  private readonly addon: AddonDescription;
  private readonly live: ReadonlyMap<string, string>;
  /** As texts, which is what variables of the cluster are. */
  private readonly configured: ReadonlyMap<string, string | Unknown>;
  private readonly written: ReadonlyMap<string, SettingValue>;
  /** Variables of `extraEnv`, by the path that they would have under `env`. */
  private readonly extra: ReadonlyMap<string, string | Unknown>;
  private readonly problems: ReadonlyMap<string, readonly [ConfigurationProblem, ...ConfigurationProblem[]]>;

  constructor(private readonly request: UpdateRequest) {
    const { addon = vpcCni, live, configuration, to } = request;
    this.addon = addon;
    this.live = new Map([
      ...Object.entries(live?.env ?? {}).map(([name, value]) => [`env.${name}`, value] as const),
      ...Object.entries(live?.init ?? {}).map(([name, value]) => [`init.env.${name}`, value] as const),
    ]);
    const leaves = [...leavesOf(addon, configuration, '')];
    this.configured = new Map(leaves.map(([path, value]) => [path, value instanceof Unknown ? value : String(value)]));
    this.written = new Map(leaves.flatMap(([path, value]) => (value instanceof Unknown ? [] : [[path, value]])));
    this.extra = new Map(extraVariables(configuration));
    const problems = isDataMap(configuration)
      ? configurationProblems(configuration, { kind: 'pinned', version: to }, addon)
      : [];
    this.problems = byPath(problems);
  }

  effects(): SettingEffect[] {
    const judged = new Set([...this.configured.keys(), ...this.live.keys()]);
    const effects = [...judged].map((path) => this.effect(path));
    // A problem of a whole block has no value of its own.
    for (const [path, problems] of this.problems) if (!judged.has(path)) effects.push(this.problemEffect(problems));
    return effects.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  private effect(path: string): SettingEffect {
    const problems = this.problems.get(path);
    if (problems !== undefined) return this.problemEffect(problems);
    const live = this.live.get(path);
    const configured = this.configured.get(path);
    const outcome =
      configured === undefined
        ? this.liveOnly(path, live ?? '')
        : configured instanceof Unknown
          ? undecided(configured)
          : this.withConfiguration(path, live, configured);
    const changes = outcome.status === 'reset' || outcome.status === 'changed';
    return {
      path,
      status: outcome.status,
      live,
      configured: this.written.get(path),
      becomes: outcome.becomes === configured ? this.written.get(path) : outcome.becomes,
      reason: outcome.reason,
      bites: changes ? bitesOf(this.addon, path, outcome.becomes) : undefined,
    };
  }

  private problemEffect(problems: readonly [ConfigurationProblem, ...ConfigurationProblem[]]): SettingEffect {
    const [{ path }] = problems;
    return {
      path,
      status: problems.every(({ kind }) => kind === 'doubt') ? 'unknown' : 'refused',
      live: this.live.get(path),
      configured: this.written.get(path),
      becomes: undefined,
      reason: problems.map((problem) => describeProblem(problem, this.request.to)).join('; '),
      bites: undefined,
    };
  }

  private withConfiguration(path: string, live: string | undefined, configured: string): Outcome {
    if (this.extra.has(path))
      return { status: 'unknown', reason: 'extraEnv sets it too, and no source says which of the two wins' };
    if (live === configured)
      return {
        status: 'kept',
        becomes: live,
        reason: 'the configuration values say the same, and every mode writes them',
      };
    if (live === undefined) {
      if (!this.sees(path))
        return {
          status: 'kept',
          becomes: configured,
          reason: 'the configuration values set it, and every mode writes them',
        };
      return {
        status: 'changed',
        becomes: configured,
        reason: 'the configuration values set it, and the cluster has no such variable yet',
      };
    }
    switch (this.request.mode) {
      case 'OVERWRITE':
        return meansTheSame(this.addon, path, live, configured)
          ? {
              status: 'kept',
              becomes: configured,
              reason: 'the configuration values write it in another way that means the same',
            }
          : {
              status: 'changed',
              becomes: configured,
              reason: 'the configuration values say something else than the cluster has',
            };
      case 'PRESERVE':
        return {
          status: 'unknown',
          reason:
            'the configuration values say something else than the cluster has; no source says which of them wins with PRESERVE if the value of the cluster was made by hand',
        };
      case 'NONE':
        return {
          status: 'fails',
          reason:
            'the configuration values say something else than the cluster has: ConfigurationConflict if the value of the cluster was made by hand',
        };
    }
  }

  /** What becomes of a setting of the cluster that the configuration values don't name. */
  private liveOnly(path: string, live: string): Outcome {
    const extra = this.extra.get(path);
    if (extra !== undefined) {
      if (extra === live)
        return { status: 'kept', becomes: live, reason: 'extraEnv of the configuration values says the same' };
      return { status: 'unknown', reason: 'extraEnv of the configuration values says something else' };
    }
    const variable = variableAt(this.addon, path);
    if (variable?.serviceManaged === true || this.isWrittenByEks(path))
      return { status: 'kept', becomes: live, reason: 'EKS sets it by itself, from the cluster' };
    const key = this.addon.key(path);
    const { to, mode } = this.request;
    if (key === undefined || !this.addon.accepts(key, to)) return this.outsideSchema(path, live, key);
    const fallback = textOf(this.addon.defaultOf(key, to));
    if (fallback !== undefined && live === fallback)
      return { status: 'kept', becomes: live, reason: 'it is the default' };
    if (mode === 'PRESERVE') return { status: 'kept', becomes: live, reason: 'PRESERVE keeps what the cluster has' };
    if (key.rendered !== true) {
      if (fallback !== undefined && meansTheSame(this.addon, path, live, fallback))
        return { status: 'kept', becomes: live, reason: 'it means the same as the default' };
      return {
        status: 'unknown',
        reason: 'probably kept, because EKS writes this variable only when it is configured; not documented',
      };
    }
    if (fallback === undefined)
      return { status: 'unknown', reason: 'EKS writes this variable, and its value is not known' };
    if (path === 'env.ENABLE_PREFIX_DELEGATION' && this.isIpv6) {
      return { status: 'unknown', reason: 'an IPv6 cluster needs it, and no source says what EKS writes there' };
    }
    if (mode === 'NONE')
      return {
        status: 'fails',
        reason: `it differs from the default "${fallback}" that EKS writes: ConfigurationConflict`,
      };
    if (meansTheSame(this.addon, path, live, fallback))
      return { status: 'kept', becomes: fallback, reason: `EKS writes "${fallback}", which means the same` };
    return {
      status: 'reset',
      becomes: fallback,
      reason: 'EKS writes the default, and no configuration value says otherwise',
    };
  }

  private outsideSchema(path: string, live: string, key: ConfigurationKey | undefined): Outcome {
    const { to, mode } = this.request;
    const variable = variableAt(this.addon, path);
    const deprecated =
      variable?.deprecated === undefined ? '' : ` (deprecated: ${variable.deprecated.split(';')[0] ?? ''})`;
    if (key?.removedIn !== undefined && compareVersions(to, key.removedIn) >= 0) {
      return {
        status: 'unknown',
        reason: `the schema has it no longer since ${key.removedIn}${deprecated}; not documented whether the variable stays`,
      };
    }
    if (mode === 'PRESERVE') return { status: 'kept', becomes: live, reason: 'PRESERVE keeps what the cluster has' };
    if (key !== undefined)
      return {
        status: 'unknown',
        reason: `the schema of ${to} doesn't have it; not documented whether the variable stays`,
      };
    return { status: 'unknown', reason: "probably kept, because EKS doesn't know this variable; not documented" };
  }

  /** Whether the container of the path was seen, so that what isn't there is known not to be there. */
  private sees(path: string): boolean {
    const { live } = this.request;
    if (!isVariable(path)) return false;
    return path.startsWith('init.') ? live?.init !== undefined : live?.env !== undefined;
  }

  private get isIpv6(): boolean {
    return parseSwitch(this.live.get('env.ENABLE_IPv6') ?? '') === true;
  }

  /** Variables that EKS writes although the programs don't read all of them. */
  private isWrittenByEks(path: string): boolean {
    return this.addon.neverAccepted(path)?.setByEks === true;
  }
}

function byPath(
  problems: readonly ConfigurationProblem[],
): Map<string, [ConfigurationProblem, ...ConfigurationProblem[]]> {
  const result = new Map<string, [ConfigurationProblem, ...ConfigurationProblem[]]>();
  for (const problem of problems) {
    const others = result.get(problem.path);
    if (others === undefined) result.set(problem.path, [problem]);
    else others.push(problem);
  }
  return result;
}

function undecided(unknown: Unknown): Outcome {
  return { status: 'unknown', reason: `the configuration values set it, but to what isn't known (${unknown.reason})` };
}

/** A default as text; undefined for one that can't be compared. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Values of the configuration with their dotted paths. Lists, and maps of free names, count as one value. */
function* leavesOf(
  addon: AddonDescription,
  data: Data | undefined,
  path: string,
): Generator<[string, SettingValue | Unknown]> {
  if (data === undefined) return;
  const isClosed = path === '' || addon.key(path)?.closed === true;
  if (isDataMap(data) && isClosed) {
    for (const [key, value] of entriesOf(data)) yield* leavesOf(addon, value, path === '' ? key : `${path}.${key}`);
  } else if (path !== '') {
    const isPlain = data instanceof Unknown || ['string', 'number', 'boolean'].includes(typeof data);
    yield [path, isPlain ? (data as SettingValue | Unknown) : jsonOf(data)];
  }
}

function* extraVariables(configuration: Data | undefined): Generator<[string, string | Unknown]> {
  const list = dataAt(configuration, 'extraEnv');
  if (!Array.isArray(list)) return;
  for (const item of list as readonly Data[]) {
    const name = dataAt(item, 'name');
    const value = dataAt(item, 'value');
    if (typeof name === 'string')
      yield [`env.${name}`, typeof value === 'string' || value instanceof Unknown ? value : jsonOf(value ?? '')];
  }
}

function jsonOf(data: Data): string {
  return JSON.stringify(data, (_, value: unknown) => (value instanceof Unknown ? (value.text ?? '${?}') : value));
}
