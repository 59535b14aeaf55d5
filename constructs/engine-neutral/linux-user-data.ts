import type { IConstruct } from 'constructs';
import {
  BootstrapScriptError,
  bootstrapCallsIn,
  nodeadmInitCallsIn,
  renderBootstrapScript,
} from '../../lib/eks/user-data/bootstrap-script';
import { MIME_TYPES, MimeError, renderMime, type MimePart } from '../../lib/eks/user-data/mime/render';
import { readShell } from '../../lib/eks/user-data/shell';
import { SourceText } from '../../lib/eks/user-data/source-text';
import {
  clusterCoordinates,
  clusterDetails,
  dnsAddress,
  kubeletTaints,
  optional,
  refuseIncomplete,
} from './node-bootstrap';
import { refuse } from './construction-error';
import { NodeConfigDocument } from './node-config';
import type { InstanceStore } from './node-instance-options';
import type { UserDataInput } from './user-data-input';

/** User data of AL2023: one NodeConfig with the whole bootstrap for an own AMI, then the user's parts. */
export function al2023UserData(scope: IConstruct, input: UserDataInput): string | undefined {
  const { options } = input;
  refuseBootstraps(scope, input);
  return mime(scope, [
    ...(options.customAmi === undefined ? [] : [nodeadmBootstrap(scope, input).toMimePart()]),
    ...(options.instanceStore === undefined ? [] : [instanceStoreConfig(options.instanceStore, input).toMimePart()]),
    ...(options.nodeConfig === undefined ? [] : [options.nodeConfig.toMimePart()]),
    ...scripts(options.shellScripts),
  ]);
}

/**
 * User data of AL2: the user's scripts, then with an own AMI the bootstrap, in the order in which EKS puts its own bootstrap behind the
 * user's parts.
 */
export function al2UserData(scope: IConstruct, input: UserDataInput): string | undefined {
  const { options } = input;
  refuseBootstraps(scope, input);
  return mime(scope, [
    ...scripts(options.shellScripts),
    ...(options.customAmi === undefined ? [] : scripts([bootstrapScript(scope, input)])),
  ]);
}

function scripts(bodies: readonly string[] | undefined): MimePart[] {
  return (bodies ?? []).map((body) => ({ type: MIME_TYPES.shellScript, body }));
}

/**
 * Refuses scripts that bootstrap the node in any case. Under a condition they may do so for another AMI, and what an AMI of the user's own
 * does on AL2023 isn't known.
 */
function refuseBootstraps(scope: IConstruct, { options, os }: UserDataInput): void {
  const isOwnAmi = options.customAmi !== undefined;
  if (isOwnAmi && os !== 'AL2') return;
  for (const [index, body] of (options.shellScripts ?? []).entries()) {
    const script = readShell(SourceText.of(body));
    if (bootstrapCallsIn(script).some((call) => call.condition === 'always' && !call.isGuarded)) {
      const why =
        os === 'AL2'
          ? `as ${isOwnAmi ? 'the node group' : 'EKS'} does itself`
          : 'which only fails on AL2023, where nodeadm does the bootstrap';
      refuse(scope, `shellScripts[${index}] calls /etc/eks/bootstrap.sh, ${why}: leave the call out`);
    }
    if (os === 'AL2023' && nodeadmInitCallsIn(script).some(({ condition }) => condition === 'always')) {
      refuse(
        scope,
        `shellScripts[${index}] calls nodeadm init, as the services of the AMI do themselves: leave the call out`,
      );
    }
  }
}

function mime(scope: IConstruct, parts: readonly MimePart[]): string | undefined {
  if (parts.length === 0) return undefined;
  try {
    return renderMime(parts);
  } catch (error) {
    if (error instanceof MimeError) return refuse(scope, `shellScripts can't be rendered: ${error.message}`);
    throw error;
  }
}

/** Everything that nodeadm needs to join the cluster. */
function nodeadmBootstrap(scope: IConstruct, input: UserDataInput): NodeConfigDocument {
  const { options, maxPods, engine } = input;
  const cluster = clusterDetails(scope, input);
  refuseIncomplete(scope, input, { ...cluster, ...options.nodeConfig?.spec.cluster }, 'a nodeConfig with them');
  const taints = kubeletTaints(options.taints);
  const config = {
    ...optional('maxPods', maxPods),
    ...optional('registerWithTaints', taints.length === 0 ? undefined : taints),
  };
  const labels = Object.entries(options.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const kubelet = {
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(labels.length === 0 ? {} : { flags: [`--node-labels=${labels.join(',')}`] }),
  };
  return new NodeConfigDocument({ cluster, ...(Object.keys(kubelet).length === 0 ? {} : { kubelet }) }, engine.tokens);
}

/** A NodeConfig of its own, which nodeadm merges with the others. */
function instanceStoreConfig(strategy: InstanceStore, { engine }: UserDataInput): NodeConfigDocument {
  return new NodeConfigDocument({ instance: { localStorage: { strategy } } }, engine.tokens);
}

/** A call of bootstrap.sh with all that it would otherwise ask the EKS API for, or guess. */
function bootstrapScript(scope: IConstruct, input: UserDataInput): string {
  const {
    options,
    maxPods,
    engine: { tokens },
  } = input;
  const cluster = clusterCoordinates(scope, input);
  try {
    return renderBootstrapScript({
      clusterName: cluster.name,
      apiServerEndpoint: cluster.apiServerEndpoint,
      certificateAuthority: cluster.certificateAuthority,
      ipFamily: cluster.ipFamily,
      // `--service-ipv4-cidr` exists since May 2025 only; older AMIs know the address.
      ...(cluster.ipFamily === 'ipv6'
        ? { serviceIpv6Cidr: cluster.cidr }
        : { dnsClusterIp: dnsAddress(cluster, input) }),
      ...optional('labels', options.labels),
      taints: kubeletTaints(options.taints),
      kubeletArguments: maxPods === undefined ? [] : [`--max-pods=${tokens.numberText(maxPods)}`],
      isOpaque: (value) => tokens.isToken(value),
    });
  } catch (error) {
    if (error instanceof BootstrapScriptError) return refuse(scope, `${error.option}: ${error.message}`);
    throw error;
  }
}
