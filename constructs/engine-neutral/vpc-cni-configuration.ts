import type { IConstruct } from 'constructs';
import {
  configurationConflicts,
  configurationProblems,
  describeProblem,
  featureValues,
  type SchemaVersions,
  type VpcCniFeatures,
} from '../../lib/eks/networking';
import type { DataMap } from '../../lib/value';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';
import type { TokenTools } from './tokens';
import { NetworkPolicyMode, PodSecurityGroupMode, type VpcCniOptions } from './vpc-cni-options';

type Values = Record<string, unknown>;

/** The subnets of pods as the configuration values have them. */
export type PodSubnets = NonNullable<VpcCniFeatures['customNetworking']>;

/** The typed options, with custom networking as the engine has worked it out. */
export interface CniFeatureOptions extends VpcCniOptions {
  readonly customNetworking?: unknown;
  /** Asked only when custom networking is possible at all. */
  readonly podSubnets: (() => PodSubnets) | undefined;
}

/** What the configuration values are for. */
export interface CniTarget {
  readonly ipFamily: IpFamily;
  /** The add-on's version, or a token for it. */
  readonly version: string;
  /** `1.34`; undefined when it isn't known. */
  readonly kubernetesVersion: string | undefined;
}

/** Puts together the add-on's configuration values and checks them, for the tokens of one engine. */
export class CniConfiguration {
  constructor(
    private readonly scope: IConstruct,
    private readonly tokens: TokenTools,
  ) {}

  /** The values of the typed options, of `env`, `configuration` and `configurationValues`, checked together. */
  values(options: CniFeatureOptions, target: CniTarget): Values {
    this.refuseFamily(options, target.ipFamily);
    const version = this.tokens.isToken(target.version) ? undefined : target.version;
    const versions: SchemaVersions =
      version === undefined
        ? { kind: 'any', clusterMinor: target.kubernetesVersion, because: 'its version is decided at deployment' }
        : { kind: 'pinned', version };
    let merged: Values = {};
    for (const { feature, values } of featureValues(this.featuresOf(options), version)) {
      // Messages name the option, because the user wrote that and not the key of the configuration.
      this.refuseProblems(
        this.asData(values),
        versions,
        (problem) => `${feature} needs another version of the add-on: ${problem}`,
      );
      merged = this.merge(merged, { ...values }, '', feature);
    }
    if (options.env !== undefined && Object.keys(options.env).length > 0)
      merged.env = this.merge(this.isMap(merged.env) ? merged.env : {}, { ...options.env }, '', 'env');
    merged = this.merge(merged, { ...options.configuration }, '', 'configuration');
    merged = this.merge(merged, options.configurationValues ?? {}, '', 'configurationValues');
    const data = this.asData(merged);
    this.refuseProblems(data, versions, (problem) => problem);
    const [conflict] = configurationConflicts(data, { version, ipFamily: target.ipFamily });
    if (conflict !== undefined) refuse(this.scope, conflict);
    return merged;
  }

  /** Configuration values as the checks of this library read them: what is decided at deployment isn't known. */
  asData(values: object): DataMap {
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
        value === undefined ? [] : [[key, this.tokens.toData(value)] as const],
      ),
    );
  }

  /** Refuses what the EKS API answers with `ConfigurationValue provided in request is not supported`, after the deployment has begun. */
  private refuseProblems(data: DataMap, versions: SchemaVersions, say: (problem: string) => string): void {
    const problem = configurationProblems(data, versions).find(({ kind }) => kind !== 'doubt');
    if (problem !== undefined) refuse(this.scope, say(describeProblem(problem, versions)));
  }

  private refuseFamily(options: CniFeatureOptions, family: IpFamily): void {
    if (family === 'ipv4') return;
    const refused: Partial<Record<keyof CniFeatureOptions, string>> = {
      customNetworking: "the VPC CNI doesn't start with custom networking on IPv6",
      windowsIpam: "IPv6 clusters can't have Windows nodes",
      prefixDelegation: "EKS switches prefix delegation on itself, and warm targets don't apply: leave it out",
      warmTargets: 'the VPC CNI ignores warm targets on IPv6: leave them out',
    };
    for (const [name, why] of Object.entries(refused)) {
      const value = options[name as keyof CniFeatureOptions];
      if (value !== undefined && value !== false)
        refuse(this.scope, `${name} is set and the cluster's IP family is ipv6; ${why}`);
    }
  }

  /** The typed options, checked as the user wrote them. */
  private featuresOf(options: CniFeatureOptions): VpcCniFeatures {
    const { podSecurityGroups, prefixDelegation, podSubnets, networkPolicy, windowsIpam, warmTargets } = options;
    const number = (name: string, value: number | undefined): string | undefined =>
      value === undefined ? undefined : this.count(name, value);
    const targets = {
      warmIpTarget: number('warmTargets.warmIpTarget', warmTargets?.warmIpTarget),
      minimumIpTarget: number('warmTargets.minimumIpTarget', warmTargets?.minimumIpTarget),
      warmEniTarget: number('warmTargets.warmEniTarget', warmTargets?.warmEniTarget),
      maxEni: number('warmTargets.maxEni', warmTargets?.maxEni),
    };
    const warmPrefixTarget = this.count('prefixDelegation.warmPrefixTarget', prefixDelegation?.warmPrefixTarget ?? 1);
    this.refuseWarmTargets(options);
    return {
      ...(podSecurityGroups === undefined
        ? {}
        : {
            podSecurityGroups: {
              mode: podSecurityGroups.mode === PodSecurityGroupMode.STANDARD ? 'standard' : 'strict',
            },
          }),
      ...(prefixDelegation === undefined ? {} : { prefixDelegation: { warmPrefixTarget } }),
      ...(podSubnets === undefined ? {} : { customNetworking: podSubnets() }),
      ...(networkPolicy === undefined
        ? {}
        : {
            networkPolicy:
              networkPolicy.mode === undefined
                ? {}
                : { mode: networkPolicy.mode === NetworkPolicyMode.STRICT ? 'strict' : 'standard' },
          }),
      windowsIpam: windowsIpam === true,
      warmTargets: Object.fromEntries(Object.entries(targets).filter(([, value]) => value !== undefined)),
    };
  }

  private count(name: string, value: number): string {
    if (this.tokens.isToken(value)) return this.tokens.numberText(value);
    if (!Number.isInteger(value) || value < 0)
      refuse(this.scope, `${name} is ${value}; a whole number from 0 on is needed`);
    return String(value);
  }

  private refuseWarmTargets(options: CniFeatureOptions): void {
    // A token counts as set, and number tokens are negative.
    const known = (value: number | undefined): number | undefined =>
      value !== undefined && this.tokens.isToken(value) ? Infinity : value;
    const { warmEniTarget, maxEni } = options.warmTargets ?? {};
    const warmIpTarget = known(options.warmTargets?.warmIpTarget) ?? 0;
    const minimumIpTarget = known(options.warmTargets?.minimumIpTarget) ?? 0;
    if (minimumIpTarget > 0 && warmIpTarget <= 0) {
      refuse(
        this.scope,
        `warmTargets.minimumIpTarget is ${options.warmTargets?.minimumIpTarget ?? 0} without warmIpTarget, which then counts as 0: beyond the minimum every new pod waits for EC2; set warmIpTarget too`,
      );
    }
    if (warmEniTarget !== undefined && warmIpTarget > 0)
      refuse(
        this.scope,
        `warmTargets.warmEniTarget is ${warmEniTarget} and warmIpTarget is ${warmIpTarget}; with the latter the CNI ignores the former: leave one out`,
      );
    if (maxEni !== undefined && !this.tokens.isToken(maxEni) && maxEni < 1)
      refuse(this.scope, `warmTargets.maxEni is ${maxEni}; a node needs at least one network interface`);
    if (maxEni === 1 && options.podSubnets !== undefined)
      refuse(
        this.scope,
        'warmTargets.maxEni is 1 and customNetworking is set; the first network interface then gives pods no addresses, so at least 2 are needed',
      );
    const warmPrefixTarget = known(options.prefixDelegation?.warmPrefixTarget);
    if (warmPrefixTarget !== undefined && warmPrefixTarget <= 0 && warmIpTarget <= 0) {
      refuse(
        this.scope,
        `prefixDelegation.warmPrefixTarget is ${warmPrefixTarget} and warmTargets.warmIpTarget isn't above 0; aws-node exits when all warm targets are 0: set one of them`,
      );
    }
  }

  private merge(base: Readonly<Values>, extra: Readonly<Values>, prefix: string, source: string): Values {
    const merged: Values = { ...base };
    for (const [key, value] of Object.entries(extra)) {
      if (value === undefined) continue;
      const path = prefix === '' ? key : `${prefix}.${key}`;
      const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
      if (known === undefined) merged[key] = value;
      else if (this.isMap(known) && this.isMap(value)) merged[key] = this.merge(known, value, path, source);
      else refuse(this.scope, `${source} has ${path}, which another option sets too; leave it out of ${source}`);
    }
    return merged;
  }

  private isMap(value: unknown): value is Readonly<Values> {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !this.tokens.isToken(value);
  }
}
