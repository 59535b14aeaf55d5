import { compareVersions, lastVersionOfFeatureGate } from '../../../knowledge';
import type { ClusterDetails, InstanceOptions, KubeletOptions, NodeConfigSpec } from '../node-config';
import { kubeletArguments, type KubeletArguments } from './kubelet-arguments';
import type { BootstrapCall } from './read';

/** What nodeadm of AL2023 has to be told for a node to be what a call of `/etc/eks/bootstrap.sh` makes it on AL2. */
interface TranslatedCall {
  /** Texts hold `${…}` for what isn't known, and `<…>` for what has to be looked up. */
  readonly spec: NodeConfigSpec;
  /** What has no counterpart, or has to be decided, as sentences. */
  readonly notes: readonly string[];
}

/** Where the nodes go. */
export interface TranslationTarget {
  /** What the call leaves to the script, which asks the EKS API for it; nodeadm has to be told. @default - EKS tells it */
  readonly cluster?: Required<Pick<ClusterDetails, 'name' | 'apiServerEndpoint' | 'certificateAuthority' | 'cidr'>>;
  /** Kubernetes version of the nodes, `1.33`: gates that it doesn't know are left out. */
  readonly kubernetesVersion: string;
}

/** Options of the script that AL2023 has no use for. Source: awslabs/amazon-eks-ami, nodeadm/doc/api.md and the AL2 bootstrap.sh. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  '--docker-config-json': 'AL2023 has no Docker',
  '--enable-docker-bridge': 'AL2023 has no Docker',
  '--pause-container-account': 'nodeadm knows the image',
  '--pause-container-version': 'nodeadm knows the image',
  '--aws-api-retry-attempts': 'nodeadm retries by itself',
};

const LOCAL_DISKS: Readonly<Record<string, 'RAID0' | 'RAID10' | 'Mount'>> = {
  raid0: 'RAID0',
  raid10: 'RAID10',
  mount: 'Mount',
};

/** kubelet's own default, which holds on AL2 where the script leaves the number to it. */
const PODS_OF_KUBELET = 110;

/** Translates a call of `/etc/eks/bootstrap.sh` into a NodeConfig. */
export function nodeConfigOf(call: BootstrapCall, target: TranslationTarget): TranslatedCall {
  const notes: string[] = [];
  const option = (name: string): string | undefined => call.options.get(name)?.value?.show();
  const extra = call.options.get('--kubelet-extra-args')?.value;
  const kubelet = kubeletOf(
    extra === undefined ? undefined : kubeletArguments(extra),
    { usesMaxPods: option('--use-max-pods'), dns: option('--dns-cluster-ip'), target },
    notes,
  );
  const disks = option('--local-disks');
  const strategy = disks === undefined ? undefined : LOCAL_DISKS[disks.toLowerCase()];
  if (disks !== undefined && strategy === undefined)
    notes.push(`--local-disks is ${disks}: choose a strategy of instance.localStorage by hand.`);
  const instance: InstanceOptions | undefined = strategy === undefined ? undefined : { localStorage: { strategy } };
  const containerd = option('--containerd-config-file');
  if (containerd !== undefined)
    notes.push(`Put what differs from the default in ${containerd} into containerd.config, which nodeadm merges.`);
  for (const [name, why] of Object.entries(WITHOUT_COUNTERPART))
    if (call.options.has(name)) notes.push(`${name} is left out: ${why}.`);
  if (call.hasUnknownWords || call.possibleOptions.size > 0)
    notes.push("The call may get further options, which can't be seen here.");
  if (call.ignored.length > 0)
    notes.push(`bootstrap.sh ignores ${call.ignored.map((word) => word.show()).join(' ')}, so it is left out.`);
  const spec: NodeConfigSpec = {
    ...(target.cluster === undefined ? {} : { cluster: clusterOf(call, target.cluster) }),
    ...(kubelet === undefined ? {} : { kubelet }),
    ...(instance === undefined ? {} : { instance }),
  };
  return { spec, notes };
}

function clusterOf(call: BootstrapCall, known: NonNullable<TranslationTarget['cluster']>): ClusterDetails {
  const option = (name: string): string | undefined => call.options.get(name)?.value?.show();
  const isOutpost = option('--enable-local-outpost')?.toLowerCase() === 'true';
  const id = option('--cluster-id');
  return {
    name: call.clusterName?.show() ?? known.name,
    apiServerEndpoint: option('--apiserver-endpoint') ?? known.apiServerEndpoint,
    certificateAuthority: option('--b64-cluster-ca') ?? known.certificateAuthority,
    cidr: option('--service-ipv6-cidr') ?? option('--service-ipv4-cidr') ?? known.cidr,
    ...(isOutpost ? { enableOutpost: true } : {}),
    ...(isOutpost && id !== undefined ? { id } : {}),
  };
}

interface KubeletSettings {
  readonly usesMaxPods: string | undefined;
  readonly dns: string | undefined;
  readonly target: TranslationTarget;
}

/** Settings that a KubeletConfiguration has go there, the others stay flags. */
function kubeletOf(
  given: KubeletArguments | undefined,
  { usesMaxPods, dns, target: { kubernetesVersion } }: KubeletSettings,
  notes: string[],
): KubeletOptions | undefined {
  const config: Record<string, unknown> = {};
  const flags: string[] = [];
  const maxPods = given?.maxPods;
  if (maxPods !== undefined && /^\d+$/.test(maxPods.text ?? '')) config['maxPods'] = Number(maxPods.text);
  else if (maxPods !== undefined) flags.push(`--max-pods=${maxPods.show}`);
  else if (usesMaxPods !== undefined && usesMaxPods.toLowerCase() !== 'true' && !usesMaxPods.includes('${')) {
    config['maxPods'] = PODS_OF_KUBELET;
    notes.push(`--use-max-pods is ${usesMaxPods} and no --max-pods is given: kubelet's default is ${PODS_OF_KUBELET}.`);
  }
  if (dns !== undefined) config['clusterDNS'] = [dns];
  const gates: Record<string, boolean> = {};
  for (const { key, value } of given?.featureGates ?? []) {
    const last = key.text === undefined ? undefined : lastVersionOfFeatureGate(key.text);
    if (key.text === undefined || !/^(?:true|false)$/i.test(value?.text ?? ''))
      flags.push(`--feature-gates=${key.show}${value === undefined ? '' : `=${value.show}`}`);
    else if (last !== undefined && compareVersions(kubernetesVersion, last) > 0)
      notes.push(`The feature gate ${key.text} is left out: Kubernetes ${last} was the last version that knew it.`);
    else gates[key.text] = value?.text?.toLowerCase() === 'true';
  }
  if (Object.keys(gates).length > 0) config['featureGates'] = gates;
  for (const { name, value } of given?.flags ?? []) {
    if (name === '--max-pods' || name === '--feature-gates') continue;
    if (name === '--container-runtime' || name === '--network-plugin')
      notes.push(`${name} is left out: kubelet has had no such flag since dockershim went.`);
    else flags.push(value === undefined ? name : `${name}=${value.show}`);
  }
  if (given?.hasUnknownFlags === true)
    notes.push('A part of --kubelet-extra-args is decided at deployment: take over what it holds, too.');
  const hasConfig = Object.keys(config).length > 0;
  if (!hasConfig && flags.length === 0) return undefined;
  return { ...(hasConfig ? { config } : {}), ...(flags.length > 0 ? { flags } : {}) };
}
