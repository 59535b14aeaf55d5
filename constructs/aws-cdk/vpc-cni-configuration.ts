import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import {
  compareVersions,
  isVpcCniBoolean,
  vpcCniConfigurationKey,
  vpcCniConfigurationKeys,
  vpcCniKeyAccepted,
  vpcCniNeverAccepted,
  vpcCniSchemaAsOf,
  vpcCniSchemaNewest,
  type ConfigurationKey,
} from '../../lib/knowledge';
import type { IpFamily } from './cluster';
import { refuse } from './construction-error';
import { NetworkPolicyMode, PodSecurityGroupMode, type CustomNetworkingOptions, type PodSubnet, type VpcCniAddonProps } from './vpc-cni-addon-props';

type Values = Record<string, unknown>;

/** The add-on's configuration values: of the typed options, of `env` and of `configurationValues`, checked together. */
export function configurationValues(scope: IConstruct, props: VpcCniAddonProps, family: IpFamily, version: string): Values {
  refuseFamily(scope, props, family, version);
  const values: Values = {};
  const env = typedEnvironment(scope, props);
  addPodSecurityGroups(props, env, values);
  addCustomNetworking(scope, props.customNetworking, env, values);
  if (props.networkPolicy !== undefined) values.enableNetworkPolicy = 'true';
  if (props.windowsIpam === true) values.enableWindowsIpam = 'true';
  for (const [name, value] of Object.entries(props.env ?? {})) {
    if (Object.hasOwn(env, name)) refuse(scope, `env has ${name}, which a typed option sets too; leave it out of env`);
    env[name] = value;
  }
  if (Object.keys(env).length > 0) values.env = env;
  const merged = mergeValues(scope, values, props.configurationValues ?? {}, '');
  checkAgainstSchema(scope, merged, version);
  refuseCombinations(scope, merged);
  return merged;
}

/** The CNI refused security groups for pods on IPv6 nodes before it. Source: amazon-vpc-cni-k8s, pull request 2639. */
const IPV6_POD_SECURITY_GROUPS_SINCE = 'v1.16.0';

function refuseFamily(scope: IConstruct, props: VpcCniAddonProps, family: IpFamily, version: string): void {
  if (family === 'ipv4') return;
  if (props.podSecurityGroups !== undefined && !Token.isUnresolved(version) && compareVersions(version, IPV6_POD_SECURITY_GROUPS_SINCE) < 0) {
    refuse(scope, `podSecurityGroups is set, version is "${version}" and the cluster's IP family is ipv6; the VPC CNI has them on IPv6 from ${IPV6_POD_SECURITY_GROUPS_SINCE} on`);
  }
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

function typedEnvironment(scope: IConstruct, props: VpcCniAddonProps): Record<string, string> {
  const env: Record<string, string> = {};
  const { prefixDelegation, warmTargets, networkPolicy } = props;
  if (prefixDelegation !== undefined) {
    env.ENABLE_PREFIX_DELEGATION = 'true';
    env.WARM_PREFIX_TARGET = count(scope, 'prefixDelegation.warmPrefixTarget', prefixDelegation.warmPrefixTarget ?? 1);
  }
  const targets = { WARM_IP_TARGET: 'warmIpTarget', MINIMUM_IP_TARGET: 'minimumIpTarget', WARM_ENI_TARGET: 'warmEniTarget', MAX_ENI: 'maxEni' } as const;
  for (const [variable, option] of Object.entries(targets)) {
    const value = warmTargets?.[option];
    if (value !== undefined) env[variable] = count(scope, `warmTargets.${option}`, value);
  }
  refuseWarmTargets(scope, props);
  if (networkPolicy?.mode !== undefined) env.NETWORK_POLICY_ENFORCING_MODE = networkPolicy.mode;
  return env;
}

function count(scope: IConstruct, name: string, value: number): string {
  if (Token.isUnresolved(value)) return Token.asString(value);
  if (!Number.isInteger(value) || value < 0) refuse(scope, `${name} is ${value}; a whole number from 0 on is needed`);
  return String(value);
}

function refuseWarmTargets(scope: IConstruct, props: VpcCniAddonProps): void {
  const { warmIpTarget = 0, minimumIpTarget = 0, warmEniTarget, maxEni } = props.warmTargets ?? {};
  if (minimumIpTarget > 0 && warmIpTarget <= 0) {
    refuse(scope, `warmTargets.minimumIpTarget is ${minimumIpTarget} without warmIpTarget, which then counts as 0: beyond the minimum every new pod waits for EC2; set warmIpTarget too`);
  }
  if (warmEniTarget !== undefined && warmIpTarget > 0) refuse(scope, `warmTargets.warmEniTarget is ${warmEniTarget} and warmIpTarget is ${warmIpTarget}; with the latter the CNI ignores the former: leave one out`);
  if (maxEni !== undefined && maxEni < 1) refuse(scope, `warmTargets.maxEni is ${maxEni}; a node needs at least one network interface`);
  if (maxEni === 1 && props.customNetworking !== undefined) refuse(scope, 'warmTargets.maxEni is 1 and customNetworking is set; the first network interface then gives pods no addresses, so at least 2 are needed');
  const warmPrefixTarget = props.prefixDelegation?.warmPrefixTarget;
  if (warmPrefixTarget !== undefined && warmPrefixTarget <= 0 && warmIpTarget <= 0) {
    refuse(scope, `prefixDelegation.warmPrefixTarget is ${warmPrefixTarget} and warmTargets.warmIpTarget isn't above 0; aws-node exits when all warm targets are 0: set one of them`);
  }
}

function addPodSecurityGroups(props: VpcCniAddonProps, env: Record<string, string>, values: Values): void {
  if (props.podSecurityGroups === undefined) return;
  const mode = props.podSecurityGroups.mode ?? PodSecurityGroupMode.STRICT;
  env.ENABLE_POD_ENI = 'true';
  env.POD_SECURITY_GROUP_ENFORCING_MODE = mode;
  if (mode === PodSecurityGroupMode.STRICT) values.init = { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } };
}

function addCustomNetworking(scope: IConstruct, options: CustomNetworkingOptions | undefined, env: Record<string, string>, values: Values): void {
  if (options === undefined) return;
  if (options.subnets.length === 0) refuse(scope, 'customNetworking.subnets is empty; name one subnet for each zone with nodes');
  const subnets: Record<string, Values> = {};
  options.subnets.forEach((pod, index) => {
    const zone = zoneOf(scope, pod, index);
    if (Object.hasOwn(subnets, zone)) refuse(scope, `customNetworking.subnets has zone ${zone} twice; a node takes the subnet of its zone, so there is one for each`);
    subnets[zone] = {
      id: pod.subnet.subnetId,
      ...(pod.securityGroups === undefined || pod.securityGroups.length === 0 ? {} : { securityGroups: pod.securityGroups.map((group) => group.securityGroupId) }),
    };
  });
  env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG = 'true';
  env.ENI_CONFIG_LABEL_DEF = 'topology.kubernetes.io/zone';
  values.eniConfig = { create: true, region: Stack.of(scope).region, subnets };
}

/** The zone's name, under which nodes look for their subnet: a key in JSON, so it must be known now. */
function zoneOf(scope: IConstruct, pod: PodSubnet, index: number): string {
  const at = `customNetworking.subnets[${index}]`;
  const { region } = Stack.of(scope);
  const own = knownZone(pod.subnet);
  const zone = pod.availabilityZone ?? own;
  if (zone === undefined || Token.isUnresolved(zone)) {
    return refuse(scope, `${at}.availabilityZone isn't known at synthesis; write its name, or give the stack an environment (env)`);
  }
  if (own !== undefined && zone !== own) refuse(scope, `${at}.availabilityZone is "${zone}" and the subnet is in "${own}"; nodes could not use it`);
  // Local Zones (us-west-2-lax-1a) and Wavelength Zones (us-east-1-wl1-bos-wlz-1) are zones too.
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d(?:[a-z]|-.+)$/.test(zone)) refuse(scope, `${at}.availabilityZone is "${zone}", which is no name of a zone such as eu-west-1a`);
  if (!Token.isUnresolved(region) && !zone.startsWith(region)) refuse(scope, `${at}.availabilityZone is "${zone}" and the stack's region is ${region}; the zone's name begins with the region's`);
  return zone;
}

function knownZone(subnet: PodSubnet['subnet']): string | undefined {
  try {
    return Token.isUnresolved(subnet.availabilityZone) ? undefined : subnet.availabilityZone;
  } catch {
    return undefined;
  }
}

function mergeValues(scope: IConstruct, base: Values, extra: Readonly<Values>, prefix: string): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(extra)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (known === undefined) merged[key] = value;
    else if (isMap(known) && isMap(value)) merged[key] = mergeValues(scope, known, value, path);
    else refuse(scope, `configurationValues has ${path}, which another option sets too; leave it out of configurationValues`);
  }
  return merged;
}

/** Refuses what the EKS API answers with `ConfigurationValue provided in request is not supported`, after the deployment has begun. */
function checkAgainstSchema(scope: IConstruct, values: Values, version: string): void {
  const isListed = !Token.isUnresolved(version) && compareVersions(version, vpcCniSchemaNewest()) <= 0;
  checkMap(values, '', '');
  function checkMap(map: Readonly<Values>, path: string, pattern: string): void {
    const own = pattern === '' ? undefined : vpcCniConfigurationKey(pattern);
    for (const name of own?.required ?? []) if (!Object.hasOwn(map, name)) refuse(scope, `configurationValues lacks ${path}.${name}, which the add-on's schema demands`);
    for (const [name, value] of Object.entries(map)) {
      if (value === undefined) continue;
      const at = path === '' ? name : `${path}.${name}`;
      const exact = pattern === '' ? name : `${pattern}.${name}`;
      const wildcard = `${pattern}.*`;
      const key = vpcCniConfigurationKey(exact) ?? vpcCniConfigurationKey(wildcard);
      if (key !== undefined) checkValue(value, at, key);
      else if (own === undefined || own.closed === true) unknownKey(at, exact);
    }
  }
  function checkValue(value: unknown, path: string, key: ConfigurationKey): void {
    if (isListed && !vpcCniKeyAccepted(key, version)) refuse(scope, notAccepted(path, key, version));
    if (Token.isUnresolved(value)) return;
    const found = typeOf(value);
    if (!key.type.includes('any') && !key.type.includes(found)) {
      const hint = key.type.includes('string') && (found === 'boolean' || found === 'integer') ? `; write '${String(value)}' in quotes` : '';
      refuse(scope, `${path} is ${describe(value)}; the add-on's schema demands ${key.type.join(' or ')}${hint}`);
    }
    if (key.enum !== undefined && typeof value === 'string' && !key.enum.includes(value)) refuse(scope, `${path} is "${value}"; the add-on's schema has ${key.enum.join(', ')}`);
    if (key.format === 'boolean' && typeof value === 'string' && !isVpcCniBoolean(value)) refuse(scope, `${path} is "${value}", which the VPC CNI can't read as a boolean and ignores; write 'true' or 'false'`);
    if (isMap(value)) checkMap(value, path, key.path);
    if (Array.isArray(value)) checkList(value, path, key);
  }
  function checkList(list: readonly unknown[], path: string, key: ConfigurationKey): void {
    const item = vpcCniConfigurationKey(`${key.path}[]`);
    if (item !== undefined) list.forEach((value, index) => { checkValue(value, `${path}[${index}]`, item); });
  }
  function unknownKey(path: string, pattern: string): void {
    const name = pattern.split('.').at(-1);
    const elsewhere = vpcCniConfigurationKeys().find((known) => known.path.split('.').at(-1) === name);
    const never = elsewhere === undefined ? vpcCniNeverAccepted(pattern) : undefined;
    if (never !== undefined) refuse(scope, `${path} can't be configured in any version of the vpc-cni add-on: ${never.why}`);
    if (elsewhere !== undefined) refuse(scope, `${path} is no configuration key of the vpc-cni add-on, and EKS refuses it; it belongs at ${elsewhere.path}`);
    // A newer version than the table may have new keys.
    if (isListed) refuse(scope, `${path} is no configuration key of vpc-cni ${version} (schema of ${vpcCniSchemaAsOf()}), and EKS refuses the add-on`);
  }
}

function notAccepted(path: string, key: ConfigurationKey, version: string): string {
  const when =
    key.since === undefined
      ? `it was removed in ${key.removedIn ?? 'a later version'}`
      : `EKS accepts it from ${key.since} on${key.alsoIn.length === 0 ? '' : ` and in ${key.alsoIn.join(', ')}`}`;
  return `${path} isn't accepted by vpc-cni ${version}; ${when}`;
}

/** Combinations that the schema accepts and the CNI doesn't. */
function refuseCombinations(scope: IConstruct, values: Values): void {
  const env = isMap(values.env) ? values.env : {};
  const initEnv = isMap(values.init) && isMap(values.init.env) ? values.init.env : {};
  const nodeAgent = isMap(values.nodeAgent) ? values.nodeAgent : {};
  if (isOn(values.enableNetworkPolicy)) {
    if (isOn(env.ENABLE_BANDWIDTH_PLUGIN)) refuse(scope, 'networkPolicy is on and env.ENABLE_BANDWIDTH_PLUGIN is true; the VPC CNI enforces no network policies with the bandwidth plugin: choose one');
    if (nodeAgent.enabled === false) refuse(scope, 'networkPolicy is on and nodeAgent.enabled is false; the node agent enforces the policies: leave it on');
  } else if (env.NETWORK_POLICY_ENFORCING_MODE === NetworkPolicyMode.STRICT) {
    refuse(scope, 'env.NETWORK_POLICY_ENFORCING_MODE is strict without networkPolicy; new pods would wait for policies that nobody enforces: set networkPolicy');
  }
  const mode = env.POD_SECURITY_GROUP_ENFORCING_MODE;
  if (isOn(env.ENABLE_POD_ENI) && !Token.isUnresolved(mode)) {
    if (mode !== undefined && mode !== 'strict' && mode !== 'standard') refuse(scope, `env.POD_SECURITY_GROUP_ENFORCING_MODE is ${describe(mode)}; aws-node exits on anything but strict and standard`);
    if (mode !== 'standard' && !isOn(initEnv.DISABLE_TCP_EARLY_DEMUX) && !Token.isUnresolved(initEnv.DISABLE_TCP_EARLY_DEMUX)) {
      refuse(scope, 'env.ENABLE_POD_ENI is on in strict mode without init.env.DISABLE_TCP_EARLY_DEMUX; kubelet\'s TCP and HTTP probes could not reach the pods: use the option podSecurityGroups');
    }
  }
  const targets = [env.WARM_PREFIX_TARGET ?? '1', env.WARM_IP_TARGET ?? '0', env.MINIMUM_IP_TARGET ?? '0'];
  if (isOn(env.ENABLE_PREFIX_DELEGATION) && targets.every((target) => !Token.isUnresolved(target) && !(Number(target) > 0))) {
    refuse(scope, 'env.ENABLE_PREFIX_DELEGATION is on and WARM_PREFIX_TARGET, WARM_IP_TARGET and MINIMUM_IP_TARGET are all 0; aws-node exits: set one of them');
  }
}

function isOn(value: unknown): boolean {
  return typeof value === 'string' && ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value);
}

function typeOf(value: unknown): ConfigurationKey['type'][number] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'any';
  return typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'boolean' : 'string';
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : `${typeof value} ${JSON.stringify(value)}`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}
