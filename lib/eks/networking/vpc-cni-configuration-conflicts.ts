import { compareVersions, vpcCniVariable, vpcCni } from '../../knowledge';
import { dataAt, Unknown, type DataMap } from '../../value';
import { extraVariables, prefixWarmTargets } from './cni-environment';
import { CniSettings, type CniNumber } from './cni-settings';
import { cniValueReport } from './cni-values';

/** What the configuration values are for. */
export interface ConflictContext {
  /** The add-on's version; undefined when it isn't known. */
  readonly version: string | undefined;
  readonly ipFamily: 'ipv4' | 'ipv6';
}

/** ipamd refused security groups for pods on IPv6 nodes before it. Source: aws/amazon-vpc-cni-k8s, pull request 2639. */
const IPV6_POD_SECURITY_GROUPS_SINCE = 'v1.16.0';

/**
 * What the schema of the add-on accepts and the CNI doesn't: values that it can't read, and settings that don't go together. Each is a
 * sentence that names both sides. What isn't known makes no conflict.
 *
 * Sources: aws/amazon-vpc-cni-k8s, README and cmd/aws-vpc-cni/main.go (`validateEnvVars`), pkg/ipamd/ipamd.go (`isConfigValid`).
 */
export function configurationConflicts(data: DataMap, context: ConflictContext): string[] {
  const settings = new CniSettings(data, context.version);
  return [
    ...networkPolicyConflicts(data, settings),
    ...podSecurityGroupConflicts(settings, context),
    ...addressConflicts(settings, context),
    ...familyConflicts(settings, context),
    ...extraEnvConflicts(settings),
    ...unusableValues(settings, context),
  ];
}

function unusableValues(settings: CniSettings, { ipFamily }: ConflictContext): string[] {
  const { problems } = cniValueReport(settings, { ipFamily, schemaFirst: true });
  const prefixes = settings.switch('env.ENABLE_PREFIX_DELEGATION');
  // Prefix delegation that is off is a conflict with the family.
  const isTold = prefixes.kind === 'off' && prefixes.isConfigured;
  return problems
    .filter(({ effect }) => effect !== 'stops' || !isTold)
    .map(({ path, found, defect, effect, consequence, allowed }) => {
      const ends = {
        ignored: consequence,
        exits: 'aws-node exits at start',
        'exits-later': 'aws-node exits when security groups for pods are turned on',
        stops: 'aws-node never becomes ready',
      };
      const end = ends[effect];
      return `${path} is ${found}, which ${defect}: ${end}; write ${allowed.replaceAll('`', '')}`;
    });
}

function networkPolicyConflicts(data: DataMap, settings: CniSettings): string[] {
  const policies = settings.switch('enableNetworkPolicy').kind;
  if (policies === 'off') {
    if (dataAt(data, 'env', 'NETWORK_POLICY_ENFORCING_MODE') !== 'strict') return [];
    return [
      'env.NETWORK_POLICY_ENFORCING_MODE is strict without networkPolicy; new pods would wait for policies that nobody enforces: set networkPolicy',
    ];
  }
  if (policies === 'unknown') return [];
  return [
    ...(settings.switch('env.ENABLE_BANDWIDTH_PLUGIN').kind === 'on'
      ? [
          'networkPolicy is on and env.ENABLE_BANDWIDTH_PLUGIN is true; the VPC CNI enforces no network policies with the bandwidth plugin: choose one',
        ]
      : []),
    ...(dataAt(data, 'nodeAgent', 'enabled') === false
      ? ['networkPolicy is on and nodeAgent.enabled is false; the node agent enforces the policies: leave it on']
      : []),
  ];
}

function podSecurityGroupConflicts(settings: CniSettings, { ipFamily, version }: ConflictContext): string[] {
  if (settings.switch('env.ENABLE_POD_ENI').kind !== 'on') return [];
  const conflicts: string[] = [];
  if (ipFamily === 'ipv6' && version !== undefined && compareVersions(version, IPV6_POD_SECURITY_GROUPS_SINCE) < 0) {
    conflicts.push(
      `podSecurityGroups is on, version is "${version}" and the cluster's IP family is ipv6; the VPC CNI has them on IPv6 from ${IPV6_POD_SECURITY_GROUPS_SINCE} on`,
    );
  }
  const mode = settings.setting('env.POD_SECURITY_GROUP_ENFORCING_MODE');
  // Another mode than these two is told as an unusable value.
  if (
    mode.kind !== 'unknown' &&
    (mode.text ?? 'strict') === 'strict' &&
    settings.switch('init.env.DISABLE_TCP_EARLY_DEMUX').kind === 'off'
  ) {
    conflicts.push(
      "env.ENABLE_POD_ENI is on in strict mode without init.env.DISABLE_TCP_EARLY_DEMUX; kubelet's TCP and HTTP probes could not reach the pods: use the option podSecurityGroups",
    );
  }
  return conflicts;
}

function addressConflicts(settings: CniSettings, { ipFamily }: ConflictContext): string[] {
  const conflicts: string[] = [];
  const warmTargets = prefixWarmTargets(settings, ipFamily, true);
  if (warmTargets.kind === 'missing')
    conflicts.push(
      `prefix delegation is on with ${warmTargets.found}, and no warm target is above 0; aws-node exits: set one of them`,
    );
  const isZero = (target: CniNumber): boolean =>
    target.kind === 'none' || (target.kind === 'number' && target.value <= 0);
  const minimum = settings.number('env.MINIMUM_IP_TARGET');
  if (
    ipFamily === 'ipv4' &&
    minimum.kind === 'number' &&
    minimum.value > 0 &&
    isZero(settings.number('env.WARM_IP_TARGET'))
  ) {
    conflicts.push(
      'env.MINIMUM_IP_TARGET is set without WARM_IP_TARGET, which then counts as 0: beyond the minimum every new pod waits for EC2; set WARM_IP_TARGET too',
    );
  }
  const maxEni = settings.number('env.MAX_ENI');
  if (
    settings.switch('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG').kind === 'on' &&
    maxEni.kind === 'number' &&
    maxEni.value === 1
  ) {
    conflicts.push(
      'customNetworking is on and env.MAX_ENI is 1; the first network interface then gives pods no addresses, so at least 2 are needed',
    );
  }
  return conflicts;
}

function familyConflicts(settings: CniSettings, { ipFamily }: ConflictContext): string[] {
  if (ipFamily === 'ipv4') return [];
  const prefixes = settings.switch('env.ENABLE_PREFIX_DELEGATION');
  return [
    ...(settings.switch('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG').kind === 'on'
      ? [
          "customNetworking is on and the cluster's IP family is ipv6; the VPC CNI doesn't start with custom networking on IPv6",
        ]
      : []),
    ...(settings.switch('enableWindowsIpam').kind === 'on'
      ? ["windowsIpam is on and the cluster's IP family is ipv6; IPv6 clusters can't have Windows nodes"]
      : []),
    ...(prefixes.kind === 'off' && prefixes.isConfigured
      ? [
          "env.ENABLE_PREFIX_DELEGATION is false and the cluster's IP family is ipv6; the VPC CNI doesn't start on IPv6 without prefix delegation",
        ]
      : []),
  ];
}

/** `extraEnv` goes to the container aws-node, beside the variables that the add-on itself renders. */
function extraEnvConflicts(settings: CniSettings): string[] {
  const variables = extraVariables(settings);
  if (variables instanceof Unknown) return [];
  const { version } = settings;
  return variables.flatMap(({ name }, index) => {
    if (name instanceof Unknown) return [];
    if (name === undefined || name === '')
      return [`extraEnv[${index}] has no name, so that Kubernetes refuses the DaemonSet; write { name, value }`];
    const variable = vpcCniVariable(name);
    if (variable?.containers.includes('aws-node') === false)
      return [`extraEnv has ${name}, which the init container reads; it belongs to init.env`];
    if (variable?.serviceManaged === true) return [`extraEnv has ${name}, which EKS sets itself; leave it out`];
    const key = vpcCni.key(`env.${name}`);
    const isKey = key?.since !== undefined && (version === undefined || vpcCni.accepts(key, version));
    return isKey
      ? [
          `extraEnv has ${name}, for which env has a key; twice on the container, it isn't said which one counts: set it in env`,
        ]
      : [];
  });
}
