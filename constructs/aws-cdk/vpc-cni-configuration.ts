import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { configurationConflicts, configurationProblems, describeProblem, featureValues, type SchemaVersions, type VpcCniFeatures } from '../../lib/networking';
import type { DataMap } from '../../lib/value';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';
import { isToken, toData } from './tokens';
import { NetworkPolicyMode, PodSecurityGroupMode, type CustomNetworkingOptions, type VpcCniAddonProps } from './vpc-cni-addon-props';
import { refuseSmallSubnet, zoneOf } from './vpc-cni-subnets';

type Values = Record<string, unknown>;

/** What the configuration values are for. */
export interface CniTarget {
  readonly ipFamily: IpFamily;
  /** The add-on's version, or a token for it. */
  readonly version: string;
  /** `1.34`; undefined when it isn't known. */
  readonly kubernetesVersion: string | undefined;
}

/** The add-on's configuration values: of the typed options, of `env`, `configuration` and `configurationValues`, checked together. */
export function configurationValues(scope: IConstruct, props: VpcCniAddonProps, target: CniTarget): Values {
  refuseFamily(scope, props, target.ipFamily);
  const { version } = target;
  const versions: SchemaVersions = isToken(version) ? { kind: 'any', clusterMinor: target.kubernetesVersion, because: 'its version is decided at deployment' } : { kind: 'pinned', version };
  let merged: Values = {};
  for (const { feature, values } of featureValues(featuresOf(scope, props), isToken(version) ? undefined : version)) {
    // Said with the option's name, because the user wrote no key.
    refuseProblems(scope, asData(values), versions, (problem) => `${feature} needs another version of the add-on: ${problem}`);
    merged = mergeValues(scope, merged, { ...values }, '', feature);
  }
  if (props.env !== undefined && Object.keys(props.env).length > 0) merged.env = mergeValues(scope, isMap(merged.env) ? merged.env : {}, { ...props.env }, '', 'env');
  merged = mergeValues(scope, merged, { ...props.configuration }, '', 'configuration');
  merged = mergeValues(scope, merged, props.configurationValues ?? {}, '', 'configurationValues');
  const data = asData(merged);
  refuseProblems(scope, data, versions, (problem) => problem);
  const [conflict] = configurationConflicts(data, { version: isToken(version) ? undefined : version, ipFamily: target.ipFamily });
  if (conflict !== undefined) refuse(scope, conflict);
  return merged;
}

/** Configuration values as the checks of this library read them: what is decided at deployment isn't known. */
export function asData(values: object): DataMap {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]: [string, unknown]) => (value === undefined ? [] : [[key, toData(value)] as const])));
}

/** Refuses what the EKS API answers with `ConfigurationValue provided in request is not supported`, after the deployment has begun. */
function refuseProblems(scope: IConstruct, data: DataMap, versions: SchemaVersions, say: (problem: string) => string): void {
  const problem = configurationProblems(data, versions).find(({ kind }) => kind !== 'doubt');
  if (problem !== undefined) refuse(scope, say(describeProblem(problem, versions)));
}

function refuseFamily(scope: IConstruct, props: VpcCniAddonProps, family: IpFamily): void {
  if (family === 'ipv4') return;
  const refused: Partial<Record<keyof VpcCniAddonProps, string>> = {
    customNetworking: 'the VPC CNI doesn\'t start with custom networking on IPv6',
    windowsIpam: 'IPv6 clusters can\'t have Windows nodes',
    prefixDelegation: 'EKS switches prefix delegation on itself, and warm targets don\'t apply: leave it out',
    warmTargets: 'the VPC CNI ignores warm targets on IPv6: leave them out',
  };
  for (const [name, why] of Object.entries(refused)) {
    const value = props[name as keyof VpcCniAddonProps];
    if (value !== undefined && value !== false) refuse(scope, `${name} is set and the cluster's IP family is ipv6; ${why}`);
  }
}

/** The typed options, checked as the user wrote them. */
function featuresOf(scope: IConstruct, props: VpcCniAddonProps): VpcCniFeatures {
  const { podSecurityGroups, prefixDelegation, customNetworking, networkPolicy, windowsIpam, warmTargets } = props;
  const number = (name: string, value: number | undefined): string | undefined => (value === undefined ? undefined : count(scope, name, value));
  const targets = {
    warmIpTarget: number('warmTargets.warmIpTarget', warmTargets?.warmIpTarget),
    minimumIpTarget: number('warmTargets.minimumIpTarget', warmTargets?.minimumIpTarget),
    warmEniTarget: number('warmTargets.warmEniTarget', warmTargets?.warmEniTarget),
    maxEni: number('warmTargets.maxEni', warmTargets?.maxEni),
  };
  const warmPrefixTarget = count(scope, 'prefixDelegation.warmPrefixTarget', prefixDelegation?.warmPrefixTarget ?? 1);
  refuseWarmTargets(scope, props);
  return {
    ...(podSecurityGroups === undefined ? {} : { podSecurityGroups: { mode: podSecurityGroups.mode === PodSecurityGroupMode.STANDARD ? 'standard' : 'strict' } }),
    ...(prefixDelegation === undefined ? {} : { prefixDelegation: { warmPrefixTarget } }),
    ...(customNetworking === undefined ? {} : { customNetworking: podSubnets(scope, customNetworking, prefixDelegation !== undefined) }),
    ...(networkPolicy === undefined ? {} : { networkPolicy: networkPolicy.mode === undefined ? {} : { mode: networkPolicy.mode === NetworkPolicyMode.STRICT ? 'strict' : 'standard' } }),
    windowsIpam: windowsIpam === true,
    warmTargets: Object.fromEntries(Object.entries(targets).filter(([, value]) => value !== undefined)),
  };
}

function count(scope: IConstruct, name: string, value: number): string {
  if (Token.isUnresolved(value)) return Token.asString(value);
  if (!Number.isInteger(value) || value < 0) refuse(scope, `${name} is ${value}; a whole number from 0 on is needed`);
  return String(value);
}

function refuseWarmTargets(scope: IConstruct, props: VpcCniAddonProps): void {
  // A token counts as set, and CDK's number tokens are negative.
  const known = (value: number | undefined): number | undefined => (value !== undefined && Token.isUnresolved(value) ? Infinity : value);
  const { warmEniTarget, maxEni } = props.warmTargets ?? {};
  const warmIpTarget = known(props.warmTargets?.warmIpTarget) ?? 0;
  const minimumIpTarget = known(props.warmTargets?.minimumIpTarget) ?? 0;
  if (minimumIpTarget > 0 && warmIpTarget <= 0) {
    refuse(scope, `warmTargets.minimumIpTarget is ${props.warmTargets?.minimumIpTarget ?? 0} without warmIpTarget, which then counts as 0: beyond the minimum every new pod waits for EC2; set warmIpTarget too`);
  }
  if (warmEniTarget !== undefined && warmIpTarget > 0) refuse(scope, `warmTargets.warmEniTarget is ${warmEniTarget} and warmIpTarget is ${warmIpTarget}; with the latter the CNI ignores the former: leave one out`);
  if (maxEni !== undefined && !Token.isUnresolved(maxEni) && maxEni < 1) refuse(scope, `warmTargets.maxEni is ${maxEni}; a node needs at least one network interface`);
  if (maxEni === 1 && props.customNetworking !== undefined) refuse(scope, 'warmTargets.maxEni is 1 and customNetworking is set; the first network interface then gives pods no addresses, so at least 2 are needed');
  const warmPrefixTarget = known(props.prefixDelegation?.warmPrefixTarget);
  if (warmPrefixTarget !== undefined && warmPrefixTarget <= 0 && warmIpTarget <= 0) {
    refuse(scope, `prefixDelegation.warmPrefixTarget is ${warmPrefixTarget} and warmTargets.warmIpTarget isn't above 0; aws-node exits when all warm targets are 0: set one of them`);
  }
}

function podSubnets(scope: IConstruct, options: CustomNetworkingOptions, withPrefixes: boolean): NonNullable<VpcCniFeatures['customNetworking']> {
  if (options.subnets.length === 0) refuse(scope, 'customNetworking.subnets is empty; name one subnet for each zone with nodes');
  const subnets: Record<string, { id: string; securityGroups?: string[] }> = {};
  options.subnets.forEach((pod, index) => {
    const zone = zoneOf(scope, pod, index);
    if (Object.hasOwn(subnets, zone)) refuse(scope, `customNetworking.subnets has zone ${zone} twice; a node takes the subnet of its zone, so there is one for each`);
    if (withPrefixes) refuseSmallSubnet(scope, pod.subnet, `customNetworking.subnets[${index}]`);
    const groups = pod.securityGroups ?? [];
    if (groups.length > MOST_GROUPS) refuse(scope, `customNetworking.subnets[${index}].securityGroups has ${groups.length} groups; a network interface takes ${MOST_GROUPS}`);
    subnets[zone] = { id: pod.subnet.subnetId, ...(groups.length === 0 ? {} : { securityGroups: groups.map((group) => group.securityGroupId) }) };
  });
  return { region: Stack.of(scope).region, subnets };
}

/** The highest quota of security groups on a network interface that EC2 grants. Source: Amazon VPC user guide, "Amazon VPC quotas". */
const MOST_GROUPS = 16;

function mergeValues(scope: IConstruct, base: Readonly<Values>, extra: Readonly<Values>, prefix: string, source: string): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(extra)) {
    if (value === undefined) continue;
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (known === undefined) merged[key] = value;
    else if (isMap(known) && isMap(value)) merged[key] = mergeValues(scope, known, value, path, source);
    else refuse(scope, `${source} has ${path}, which another option sets too; leave it out of ${source}`);
  }
  return merged;
}

function isMap(value: unknown): value is Readonly<Values> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}
