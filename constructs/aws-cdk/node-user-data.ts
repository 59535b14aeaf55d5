import { Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { MIME_TYPES, MimeError, renderMime, USER_DATA_LIMIT, type MimePart } from '../../lib/user-data/mime';
import { missingClusterFields, type ClusterDetails } from '../../lib/user-data/node-config';
import { cidrFamily, serviceCidrProblem } from '../../lib/user-data/service-cidr';
import type { OperatingSystem } from './ami-family';
import type { ClusterFacts, ICluster } from './cluster';
import { refuse } from './construction-error';
import type { ManagedNodeGroupProps, NodeTaint } from './managed-node-group-props';
import { NodeConfig } from './node-config';

/** User data for the nodes of a managed node group; undefined if there is nothing to say that EKS doesn't say itself. */
export function renderUserData(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts, os: OperatingSystem): string | undefined {
  refuseForeignParts(scope, props, os);
  if (os === 'BOTTLEROCKET') return props.maxPods === undefined ? undefined : `[settings.kubernetes]\nmax-pods = ${props.maxPods}\n`;
  const parts: MimePart[] = [];
  if (props.customAmi !== undefined) parts.push(bootstrap(scope, props, facts).toMimePart());
  if (props.nodeConfig !== undefined) parts.push(props.nodeConfig.toMimePart());
  for (const body of props.shellScripts ?? []) parts.push({ type: MIME_TYPES.shellScript, body });
  if (parts.length === 0) return undefined;
  const userData = rendered(scope, parts);
  const size = Buffer.byteLength(userData);
  if (size > USER_DATA_LIMIT) refuse(scope, `nodeConfig and shellScripts make ${size} bytes of user data; EC2 accepts ${USER_DATA_LIMIT}: load large scripts from elsewhere`);
  return userData;
}

function rendered(scope: IConstruct, parts: readonly MimePart[]): string {
  try {
    return renderMime(parts);
  } catch (error) {
    if (error instanceof MimeError) return refuse(scope, `shellScripts can't be rendered: ${error.message}`);
    throw error;
  }
}

/** Refuses settings that the operating system doesn't read, or that EKS overrides. */
function refuseForeignParts(scope: IConstruct, props: ManagedNodeGroupProps, os: OperatingSystem): void {
  if (props.customAmi !== undefined && os !== 'AL2023') {
    refuse(scope, `customAmi is set and the operating system is ${os}; this construct renders the complete bootstrap for AL2023 only`);
  }
  if (props.nodeConfig !== undefined && os !== 'AL2023') refuse(scope, `nodeConfig is set and the operating system is ${os}; only AL2023 has nodeadm, which reads it`);
  if ((props.shellScripts ?? []).length > 0 && os !== 'AL2023' && os !== 'AL2') {
    refuse(scope, `shellScripts is set and the operating system is ${os}, which runs none from MIME user data; use AL2023 or AL2`);
  }
  refuseMaxPods(scope, props, os);
  if (props.serviceCidr !== undefined && props.customAmi === undefined) {
    refuse(scope, 'serviceCidr is set without customAmi; EKS knows the service CIDR itself when it does the bootstrap: leave it out');
  }
  if (props.customAmi === undefined && props.nodeConfig !== undefined) refuseOverridden(scope, props.nodeConfig);
}

function refuseMaxPods(scope: IConstruct, props: ManagedNodeGroupProps, os: OperatingSystem): void {
  const { maxPods } = props;
  if (maxPods === undefined) return;
  if (os === 'AL2023' && props.customAmi === undefined) {
    refuse(
      scope,
      `maxPods is ${maxPods} without customAmi; on AL2023 EKS computes the number, puts it behind the user's configuration, and its value wins: leave maxPods out, or use customAmi or Bottlerocket`,
    );
  }
  if (os === 'AL2' || os === 'WINDOWS') refuse(scope, `maxPods is ${maxPods} and the operating system is ${os}; it can be set on Bottlerocket, and on AL2023 with customAmi`);
  if (!Token.isUnresolved(maxPods) && (!Number.isInteger(maxPods) || maxPods < 1)) refuse(scope, `maxPods is ${maxPods}; a whole number from 1 on is needed`);
  if (Token.isUnresolved(maxPods) && os === 'BOTTLEROCKET') refuse(scope, 'maxPods is a token, which Bottlerocket\'s settings would hold as text; give a number');
}

/** What EKS's own NodeConfig, which comes later, sets again. */
function refuseOverridden(scope: IConstruct, nodeConfig: NodeConfig): void {
  const { cluster, kubelet } = nodeConfig.spec;
  const overridden = [
    ...(cluster === undefined ? [] : ['cluster']),
    ...(kubelet?.maxPodsExpression === undefined ? [] : ['kubelet.maxPodsExpression']),
    ...['maxPods', 'clusterDNS'].filter((key) => kubelet?.config?.[key] !== undefined).map((key) => `kubelet.config.${key}`),
    ...(kubelet?.flags ?? []).filter((flag) => flag.startsWith('--max-pods')).map(() => 'kubelet.flags --max-pods'),
  ];
  if (overridden.length > 0) {
    refuse(scope, `nodeConfig sets ${overridden.join(', ')} without customAmi; EKS sets that itself, behind the user's configuration: leave it out, or use customAmi`);
  }
}

/** Everything that nodeadm needs to join the cluster, which nobody else supplies on a node with an AMI of the user's own. */
function bootstrap(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts): NodeConfig {
  const given = props.nodeConfig?.spec.cluster ?? {};
  const cidr = serviceCidr(scope, props, facts);
  const cluster: ClusterDetails = {
    name: props.cluster.clusterName,
    ...optional('apiServerEndpoint', facts.attribute('clusterEndpoint')),
    ...optional('certificateAuthority', facts.attribute('clusterCertificateAuthorityData')),
    ...optional('cidr', cidr),
  };
  refuseIncomplete(scope, props.cluster, { ...cluster, ...given });
  const config = {
    ...optional('maxPods', props.maxPods),
    ...optional('registerWithTaints', props.taints === undefined || props.taints.length === 0 ? undefined : props.taints.map(toKubeletTaint)),
  };
  const labels = Object.entries(props.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const kubelet = {
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(labels.length === 0 ? {} : { flags: [`--node-labels=${labels.join(',')}`] }),
  };
  return new NodeConfig({ cluster, ...(Object.keys(kubelet).length === 0 ? {} : { kubelet }) });
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}

function serviceCidr(scope: IConstruct, props: ManagedNodeGroupProps, facts: ClusterFacts): string | undefined {
  const known = facts.serviceCidr;
  const given = props.serviceCidr;
  if (given === undefined || Token.isUnresolved(given)) return given ?? known;
  const problem = serviceCidrProblem(given);
  if (problem !== undefined) refuse(scope, `serviceCidr is "${given}"; it ${problem}`);
  if (cidrFamily(given) !== facts.ipFamily) refuse(scope, `serviceCidr is "${given}" and the cluster's IP family is ${facts.ipFamily}; both must be of one family`);
  if (known !== undefined && !Token.isUnresolved(known) && known !== given) refuse(scope, `serviceCidr is "${given}" and the cluster has "${known}"; leave serviceCidr out`);
  return given;
}

function refuseIncomplete(scope: IConstruct, cluster: ICluster, merged: ClusterDetails): void {
  const missing = missingClusterFields(merged);
  if (missing.includes('cidr')) {
    refuse(
      scope,
      'customAmi is set, so the bootstrap needs the cluster\'s service CIDR, and neither the cluster nor CloudFormation tells it; set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    );
  }
  if (missing.length > 0) {
    refuse(
      scope,
      `customAmi is set, so the bootstrap needs all of the cluster's details, and ${cluster.node.path} lacks ${missing.join(', ')}; give clusterEndpoint and clusterCertificateAuthorityData to fromClusterAttributes, or a nodeConfig with them`,
    );
  }
}

/** Kubernetes' spelling of the effects, as kubelet reads them. */
const KUBELET_EFFECTS = { NO_SCHEDULE: 'NoSchedule', PREFER_NO_SCHEDULE: 'PreferNoSchedule', NO_EXECUTE: 'NoExecute' } as const;

/** With an AMI of the user's own EKS adds taints only after the node has joined, when pods may already be on it. */
function toKubeletTaint(taint: NodeTaint): Record<string, string> {
  return { key: taint.key, ...optional('value', taint.value), effect: KUBELET_EFFECTS[taint.effect] };
}
