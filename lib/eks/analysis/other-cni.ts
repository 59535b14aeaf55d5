import { cniCasesOf } from './cni-cases';
import { isMountedConfigMap } from './kubernetes-objects';
import type { ClusterView } from '../model/model';
import { resourceName } from '../model/resource-name';
import type { HelmRelease, KubernetesManifest } from '../model/resources';
import {
  alternativesOf,
  always,
  type Data,
  dataAt,
  entriesOf,
  isDataMap,
  type Resource,
  type Source,
  Unknown,
  type When,
} from '../../value';

/** Something of the input that shows, or may show, that not the VPC CNI gives the pods of a cluster their addresses. */
export interface OtherCni {
  /** `Cilium`; undefined where only a label of aws-node's pods tells. */
  readonly plugin: string | undefined;
  /** Why that isn't known, as a sentence without capital and full stop. */
  readonly reason: string;
  readonly source: Source;
  readonly when: When;
}

/**
 * What may replace the VPC CNI of a cluster; worked out once. A plugin that is chained to the VPC CNI, or that only enforces policies,
 * leaves the addresses to it. Sources: Cilium documentation, "AWS VPC CNI plugin" and "AWS ENI"; Calico documentation, "Amazon Elastic
 * Kubernetes Service"; antrea-io/antrea, docs/eks-installation.md.
 */
export function otherCnisOf(view: ClusterView): readonly OtherCni[] {
  let found = known.get(view);
  if (found === undefined) {
    found = [
      ...view.helmReleases.flatMap((release) => ofRelease(release)),
      ...view.manifests.flatMap(ofManifest),
      ...ofPlacement(view),
      ...view.strays.flatMap(otherCnisOf),
    ];
    known.set(view, found);
  }
  return found;
}

const known = new WeakMap<ClusterView, readonly OtherCni[]>();

/** The first that may be there under an assumption in the place of aws-node, Cilium with its own `eni` mode among them. */
export function otherCniAt(view: ClusterView, when: When): OtherCni | undefined {
  const isThere = (one: OtherCni): boolean => one.when.and(when) !== undefined;
  return otherCnisOf(view).find(isThere) ?? [view, ...view.strays].flatMap(ciliumIn).find(isThere);
}

function ciliumIn({ helmReleases }: ClusterView): readonly OtherCni[] {
  return helmReleases.flatMap((release) =>
    isChained(release.values) ? [] : ofRelease(release, (name) => name === 'cilium'),
  );
}

/** Whether a plugin with such values gives pods their addresses, or may: what isn't known counts as if it does. */
type Replaces = (values: Data) => boolean;

/** Charts of other CNIs by name, and whether they replace the VPC CNI with given values. */
const CHARTS: ReadonlyMap<string, { readonly name: string; readonly replaces: Replaces }> = new Map([
  ['cilium', { name: 'Cilium', replaces: ciliumReplaces }],
  ['tigera-operator', { name: 'Calico', replaces: calicoReplaces }],
  ['calico', { name: 'Calico', replaces: calicoReplaces }],
  [
    'antrea',
    { name: 'Antrea', replaces: (values) => !isOneOf(dataAt(values, 'trafficEncapMode'), ['networkPolicyOnly']) },
  ],
  ...(
    [
      ['kube-ovn', 'Kube-OVN'],
      ['kube-ovn-v2', 'Kube-OVN'],
      ['ovn-kubernetes', 'OVN-Kubernetes'],
      ['flannel', 'Flannel'],
      ['canal', 'Canal'],
      ['weave', 'Weave Net'],
      ['weave-net', 'Weave Net'],
    ] as const
  ).map(([chart, name]) => [chart, { name, replaces: () => true }] as const),
]);

/** A chart by its name, and whether it is that of a CNI, chained to the VPC CNI or not. */
export function networkChart(chart: string): { readonly chart: string; readonly isCni: boolean } {
  const name = chartName(chart);
  return { chart: name, isCni: CHARTS.has(name) };
}

/** Whether a DaemonSet of a name is that of a CNI. */
export function networkDaemonSet(name: unknown): boolean {
  return DAEMON_SETS.has(name) || name === 'cilium' || name === 'calico-node' || name === 'antrea-agent';
}

/** @param counts whether a chart is there in place of aws-node. @default - as its values say */
function ofRelease(
  release: HelmRelease,
  counts: (name: string) => boolean = (name) => CHARTS.get(name)?.replaces(release.values) === true,
): readonly OtherCni[] {
  return alternativesOf(release.chart).flatMap(({ when, value }): readonly OtherCni[] => {
    const name = value.kind === 'known' ? chartName(value.value) : '';
    const chart = CHARTS.get(name);
    return chart !== undefined && counts(name)
      ? present(release, chart.name, `Helm release ${resourceName(release)} installs ${chart.name}`, when)
      : [];
  });
}

/** `cilium` of `oci://quay.io/cilium/charts/cilium` and of `https://…/cilium-1.18.2.tgz`. */
function chartName(chart: string): string {
  return (chart.split('/').at(-1) ?? chart)
    .toLowerCase()
    .replace(/\.tgz$/, '')
    .replace(/[-:@]v?\d[\w.+-]*$/, '');
}

/** Chained to the VPC CNI it leaves the addresses to it. With its own `eni` mode it takes them from the same interfaces, as many as there are. */
function ciliumReplaces(values: Data): boolean {
  if (isChained(values)) return false;
  const mode = dataAt(values, 'ipam', 'mode');
  const isEni = isOneOf(mode, ['eni']) || (mode === undefined && dataAt(values, 'eni', 'enabled') === true);
  // Prefixes of its own, whatever the VPC CNI is told.
  return !isEni || !isOff(dataAt(values, 'eni', 'awsEnablePrefixDelegation'));
}

function isChained(values: Data): boolean {
  return (
    isOneOf(dataAt(values, 'cni', 'chainingMode'), ['aws-cni', 'generic-veth']) ||
    isOneOf(dataAt(values, 'cni', 'chainingTarget'), ['aws-cni'])
  );
}

/** On EKS the operator leaves networking to the VPC CNI unless it is told otherwise. */
function calicoReplaces(values: Data): boolean {
  return ['installation', 'spec'].some((key) => mayBe(values, key, 'cni', 'type'));
}

/** Whether `…cni.type` is Calico, or may turn out to be. */
function mayBe(data: Data, ...keys: readonly string[]): boolean {
  const type = dataAt(data, ...keys);
  return type instanceof Unknown || type === 'Calico';
}

/** Objects of installations by manifest. A DaemonSet `calico-node` alone may be there for policies only. */
const DAEMON_SETS: ReadonlyMap<unknown, string> = new Map([
  ['weave-net', 'Weave Net'],
  ['kube-ovn-cni', 'Kube-OVN'],
  ['kube-flannel-ds', 'Flannel'],
  ['canal', 'Canal'],
]);

function ofManifest(manifest: KubernetesManifest): readonly OtherCni[] {
  const { object } = manifest;
  const kind = dataAt(object, 'kind');
  const name = dataAt(object, 'metadata', 'name');
  const apiVersion = dataAt(object, 'apiVersion');
  if (
    kind === 'Installation' &&
    typeof apiVersion === 'string' &&
    apiVersion.startsWith('operator.tigera.io/') &&
    calicoReplaces(object)
  ) {
    return present(manifest, 'Calico', `manifest ${resourceName(manifest)} installs Calico`);
  }
  if (isMountedConfigMap(object, 'cilium-config') && isCiliumConfig(dataAt(object, 'data')))
    return present(manifest, 'Cilium', `manifest ${resourceName(manifest)} configures Cilium`);
  const spec = dataAt(object, 'spec', 'template', 'spec');
  if (kind === 'DaemonSet' && name === 'aws-node' && keepsToOthers(spec))
    return present(manifest, undefined, `manifest ${resourceName(manifest)} ${KEPT_OFF}`);
  const plugin = kind === 'DaemonSet' ? DAEMON_SETS.get(name) : undefined;
  return plugin === undefined ? [] : present(manifest, plugin, `manifest ${resourceName(manifest)} installs ${plugin}`);
}

function isCiliumConfig(data: Data | undefined): boolean {
  const ipam = dataAt(data, 'ipam');
  if (ipam === undefined) return false;
  return ciliumReplaces({
    ipam: { mode: ipam },
    cni: { chainingMode: dataAt(data, 'cni-chaining-mode') ?? null },
    eni: { awsEnablePrefixDelegation: dataAt(data, 'aws-enable-prefix-delegation') ?? null },
  });
}

/** Settings that keep aws-node off the nodes of another CNI, as the guides to Cilium and Calico recommend. */
function ofPlacement(view: ClusterView): readonly OtherCni[] {
  return [
    ...cniCasesOf(view).flatMap(({ resource, settings: { data }, source, when }): readonly OtherCni[] => {
      return keepsToOthers(data)
        ? [
            {
              plugin: undefined,
              reason: reasonOf(`${resourceName(resource)} ${KEPT_OFF}`),
              source,
              when,
            },
          ]
        : [];
    }),
    ...view.patches.flatMap((patch) => {
      const isOfAwsNode = alternativesOf(patch.target).some(
        ({ value }) => value.kind === 'known' && /^(?:ds|daemonsets?)(?:\.apps)?\/aws-node$/i.test(value.value),
      );
      return isOfAwsNode && keepsToOthers(dataAt(patch.patch, 'spec', 'template', 'spec'))
        ? present(patch, undefined, `patch ${resourceName(patch)} ${KEPT_OFF}`)
        : [];
    }),
  ];
}

const KEPT_OFF = 'keeps aws-node to some nodes, for the sake of another plugin';

function keepsToOthers(spec: Data | undefined): boolean {
  return [dataAt(spec, 'nodeSelector'), dataAt(spec, 'affinity')].some(namesOtherCni);
}

/** Whether a selector or affinity speaks of another plugin: `io.cilium/aws-node-enabled`, `non-calico`. */
function namesOtherCni(data: Data | undefined): boolean {
  const open: (Data | undefined)[] = [data];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (OTHER_LABEL.test(next)) return true;
    } else if (Array.isArray(next)) for (const item of next as readonly Data[]) open.push(item);
    else if (isDataMap(next)) for (const [key, value] of entriesOf(next)) open.push(key, value);
  }
  return false;
}

const OTHER_LABEL = /cilium|calico/i;

function present(
  { source, exists }: Resource,
  plugin: string | undefined,
  what: string,
  when = always,
): readonly OtherCni[] {
  const both = exists.and(when);
  return both === undefined ? [] : [{ plugin, reason: reasonOf(what), source, when: both }];
}

function reasonOf(what: string): string {
  return `${what}, so it isn't known that the VPC CNI gives pods their addresses`;
}

/** Whether a value is certainly one of these. */
function isOneOf(value: Data | undefined, texts: readonly string[]): boolean {
  return typeof value === 'string' && texts.includes(value);
}

function isOff(value: Data | undefined): boolean {
  return value === undefined || value === null || value === false || value === 'false';
}
