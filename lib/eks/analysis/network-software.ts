import { isAddon } from './addon';
import { isCniChart } from './cni-cases';
import type { ClusterView, EksModel } from '../model/model';
import { networkChart, networkDaemonSet } from './other-cni';
import { objectName, resourceName } from '../model/resource-name';
import type { Addon, HelmRelease, KubernetesManifest } from '../model/resources';
import { podTemplateOf } from './workloads';
import { alternativesOf, type Data, dataAt, entriesOf, isDataMap, Unknown, type When } from '../../value';

/** What a cluster can't do without: something that gives pods their addresses, what makes Services work, and names. */
export type NetworkPart = 'cni' | 'kube-proxy' | 'coredns';

/** Something of the input that brings a part. */
export interface NetworkSoftware {
  readonly part: NetworkPart;
  /** It is a CNI other than the VPC CNI, which may take the place of kube-proxy, too. */
  readonly isOther: boolean;
  readonly when: When;
  /** The add-on that brings it, if it is one. */
  readonly addon?: Addon;
}

export interface NetworkOfCluster {
  readonly software: readonly NetworkSoftware[];
  /** Why there may be more; each a sentence without capital and full stop. */
  readonly doubts: readonly string[];
  /**
   * Those of the doubts that are about software under a name of its own, which by itself is no part of the network: nothing says that what
   * it may bring takes the place of what is there.
   */
  readonly mereDoubts: readonly string[];
  /**
   * Those of the doubts that are about what runs in pods with addresses of the cluster's network, so that none of it starts before there is a CNI.
   * What runs it may be out of sight; then it is so by default.
   */
  readonly doubtsInPods: ReadonlyMap<string, 'surely' | 'by-default'>;
}

/** The network software of a cluster, as far as the input shows it. */
export function networkOf(view: ClusterView, model: EksModel): NetworkOfCluster {
  const software: NetworkSoftware[] = [];
  const doubts: string[] = [...(view.cluster?.otherInstallers ?? [])];
  const mereDoubts: string[] = [...(view.cluster?.otherWorkloads ?? [])];
  const doubtsInPods = new Map<string, 'surely' | 'by-default'>();
  const add = (found: Found) => {
    if (typeof found === 'string') doubts.push(found);
    else if (found !== undefined && 'doubt' in found) {
      doubts.push(found.doubt);
      if (found.isMere === true) mereDoubts.push(found.doubt);
      if (found.inPods !== undefined) doubtsInPods.set(found.doubt, found.inPods);
    } else if (found !== undefined) software.push(found);
  };
  for (const addon of view.addons) add(ofAddon(addon));
  for (const release of view.helmReleases) for (const found of ofRelease(release)) add(found);
  for (const manifest of view.manifests) add(ofManifest(manifest));
  for (const patch of view.patches) add(`patch ${resourceName(patch)} changes something that the input doesn't show`);
  // What doesn't say which cluster it is for may be for this one.
  for (const other of model.clusterViews) {
    if (other.cluster !== undefined) continue;
    const may = (part: Addon | HelmRelease | KubernetesManifest, found: Found) => {
      const doubt = `which cluster ${resourceName(part)} is for isn't known`;
      // What installs into its own cluster alone waits for the CNI of this one, or doesn't come here.
      const inPods = typeof found === 'object' && 'inPods' in found ? found.inPods : undefined;
      if (found !== undefined) add({ doubt, inPods });
    };
    for (const addon of other.addons) may(addon, ofAddon(addon));
    for (const release of other.helmReleases) for (const found of ofRelease(release)) may(release, found);
    for (const manifest of other.manifests) may(manifest, ofManifest(manifest));
    for (const patch of other.patches) add(`which cluster ${resourceName(patch)} is for isn't known`);
  }
  return { software, doubts, mereDoubts, doubtsInPods };
}

/** What is brought, or why that isn't known. */
type Found = NetworkSoftware | Doubt | string | undefined;

interface Doubt {
  readonly doubt: string;
  readonly isMere?: boolean;
  readonly inPods: 'surely' | 'by-default' | undefined;
}

const ADDONS: readonly (readonly [name: string, part: NetworkPart])[] = [
  ['vpc-cni', 'cni'],
  ['kube-proxy', 'kube-proxy'],
  ['coredns', 'coredns'],
];

function ofAddon(addon: Addon): Found {
  for (const [name, part] of ADDONS) {
    const answer = isAddon(addon, name);
    if (answer === 'maybe') return `the name of add-on ${resourceName(addon)} isn't known`;
    if (answer === 'yes') return { part, isOther: false, when: addon.exists, addon };
  }
  return undefined;
}

/** Charts of what installs other software in its turn. */
const INSTALLERS =
  /^(?:argo-?cd(?:-apps)?|flux|flux2|flux-operator|flux-instance|fleet|fleet-agent|rancher|gitops-.*|helm-operator|carvel.*|kapp-controller|crossplane|sveltos.*)$/;

/** Those that install nothing before somebody tells them in another place. */
const IDLE_INSTALLERS = /^(?:argo-?cd|flux2?|flux-operator|rancher|helm-operator|kapp-controller|crossplane)$/;

/**
 * Those whose pods have addresses of the cluster's network, unless their values ask for that of the host. Sources: argo-helm, values.yaml of argo-cd;
 * fluxcd-community, values.yaml of flux2; fluxcd/flux2, discussion 3070.
 */
const IN_PODS = /^(?:argo-?cd(?:-apps)?|flux2?|flux-operator|flux-instance)$/;

/** Whether data speak of the network of the host anywhere, other than to refuse it, or may. */
function mayUseHostNetwork(data: Data): boolean {
  if (data instanceof Unknown) return true;
  if (Array.isArray(data)) return data.some(mayUseHostNetwork);
  return (
    isDataMap(data) &&
    entriesOf(data).some(([key, value]) =>
      /hostNetwork$/i.test(key) ? value !== false && value !== null : mayUseHostNetwork(value),
    )
  );
}

function ofRelease(release: HelmRelease): readonly Found[] {
  return alternativesOf(release.chart).map(({ when, value }): Found => {
    const both = release.exists.and(when);
    if (both === undefined || value.kind === 'absent') return undefined;
    if (value.kind === 'unknown') return `which chart ${resourceName(release)} installs isn't known`;
    if (isCniChart(value.value)) return { part: 'cni', isOther: false, when: both };
    const name = networkChart(value.value);
    if (name.isCni) return { part: 'cni', isOther: true, when: both };
    if (name.chart === 'coredns') return { part: 'coredns', isOther: false, when: both };
    if (INSTALLERS.test(name.chart)) {
      const doubt = `Helm release ${resourceName(release)} (${name.chart}) installs what the input doesn't show`;
      return {
        doubt,
        isMere: IDLE_INSTALLERS.test(name.chart),
        inPods: IN_PODS.test(name.chart) && !mayUseHostNetwork(release.values) ? 'surely' : undefined,
      };
    }
    return /^[./~]/.test(value.value) ? `what the chart ${value.value} holds isn't known` : undefined;
  });
}

/** Objects from which something in the cluster makes others. */
const OF_INSTALLERS =
  /^(?:argoproj\.io|source\.toolkit\.fluxcd\.io|kustomize\.toolkit\.fluxcd\.io|helm\.toolkit\.fluxcd\.io|fluxcd\.controlplane\.io|helm\.cattle\.io|fleet\.cattle\.io|addons\.cluster\.x-k8s\.io|kappctrl\.k14s\.io)\//;

/**
 * Whether such an object has the cluster in which it stands changed, and not one from outside of it. Sources: Argo CD, "Declarative setup", Clusters;
 * Flux, `spec.kubeConfig` of Kustomization and HelmRelease.
 */
function isForOwnCluster(apiVersion: string, object: Data): boolean {
  if (apiVersion.includes('.toolkit.fluxcd.io/')) return dataAt(object, 'spec', 'kubeConfig') === undefined;
  if (!apiVersion.startsWith('argoproj.io/')) return false;
  const destination =
    dataAt(object, 'spec', 'template', 'spec', 'destination') ?? dataAt(object, 'spec', 'destination');
  return (
    dataAt(destination, 'server') === 'https://kubernetes.default.svc' || dataAt(destination, 'name') === 'in-cluster'
  );
}

function ofManifest(manifest: KubernetesManifest): Found {
  const { object, exists } = manifest;
  const [apiVersion, kind, name] = [
    dataAt(object, 'apiVersion'),
    dataAt(object, 'kind'),
    dataAt(object, 'metadata', 'name'),
  ];
  if (apiVersion instanceof Unknown || kind instanceof Unknown || name instanceof Unknown)
    return `what manifest ${resourceName(manifest)} applies isn't known`;
  if (typeof apiVersion === 'string' && OF_INSTALLERS.test(apiVersion))
    return {
      doubt: `manifest ${resourceName(manifest)} installs what the input doesn't show`,
      inPods: isForOwnCluster(apiVersion, object) ? 'by-default' : undefined,
    };
  if (kind === 'Installation' && typeof apiVersion === 'string' && apiVersion.startsWith('operator.tigera.io/'))
    return { part: 'cni', isOther: true, when: exists };
  if (kind === 'DaemonSet' && name === 'aws-node') return { part: 'cni', isOther: false, when: exists };
  if (kind === 'DaemonSet' && name === 'kube-proxy') return { part: 'kube-proxy', isOther: false, when: exists };
  if (kind === 'DaemonSet' && networkDaemonSet(name)) return { part: 'cni', isOther: true, when: exists };
  if (kind === 'Deployment' && name === 'coredns') return { part: 'coredns', isOther: false, when: exists };
  // Any other DaemonSet, or job, may bring one.
  if (kind !== 'DaemonSet' && kind !== 'Job') return undefined;
  const spec = podTemplateOf(object)?.spec;
  const isInPods = spec !== undefined && [undefined, null, false].some((no) => no === dataAt(spec, 'hostNetwork'));
  return {
    doubt: `what ${kind} ${objectName(manifest)} does isn't known`,
    isMere: kind === 'DaemonSet',
    inPods: isInPods ? 'surely' : undefined,
  };
}
