import {
  alternativesOf,
  amiFamilyOf,
  cniCasesOnNodes,
  dataAt,
  launchTemplateOf,
  whereExists,
  type AnyNodeGroup,
  type ClusterView,
  type CniCase,
  type EksModel,
  type Plain,
  type When,
} from '../../../eks';
import { ipFamilyOf, type IpFamily } from '../../../eks/analysis/ip-family';

/** A way in which a VPC CNI may be configured, with custom networking on, or perhaps on. */
export interface CustomNetworkingCase {
  readonly cni: CniCase;
  readonly family: Plain<IpFamily>;
  /** Why it isn't known whether custom networking is on; undefined if it is. */
  readonly doubt: string | undefined;
  readonly when: When;
}

/** All such cases of a cluster. Auto Mode runs a CNI of its own, as Fargate does, which these settings don't reach. */
export function customNetworkingCasesOf(view: ClusterView, model: EksModel): readonly CustomNetworkingCase[] {
  return cniCasesOnNodes(view, model).flatMap((cni) => {
    const custom = cni.settings.switch('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG');
    if (custom.kind === 'off') return [];
    const doubt =
      custom.kind === 'unknown' ? `whether custom networking is on isn't known (${custom.unknown.reason})` : undefined;
    return alternativesOf(ipFamilyOf(view)).flatMap(({ when, value }): readonly CustomNetworkingCase[] => {
      const both = cni.when.and(when);
      return both === undefined ? [] : [{ cni, family: value, doubt, when: both }];
    });
  });
}

/** All ways in which a VPC CNI of nodes is configured with custom networking off, as far as the input tells. */
export function withoutCustomNetworking(view: ClusterView, model: EksModel): readonly CniCase[] {
  return cniCasesOnNodes(view, model).filter(
    ({ settings }) => settings.switch('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG').kind === 'off',
  );
}

/** All node groups of a cluster that some case may have, whoever manages them. */
export function groupsOf(view: ClusterView, when: When): readonly AnyNodeGroup[] {
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].filter(({ exists }) => exists.and(when) !== undefined);
}

/** Whether a group's nodes certainly run Windows, where there is no custom networking. */
export function isWindows(group: AnyNodeGroup, view: ClusterView): boolean {
  return alternativesOf(amiFamilyOf(group, view)).every(
    ({ value }) => value.kind === 'known' && value.value === 'WINDOWS',
  );
}

/** What a node group says about one label of its nodes. `maybe`: it isn't known, or the user data names it, with whatever value. */
export type GroupLabel =
  | { readonly kind: 'yes'; readonly values: readonly string[] }
  | { readonly kind: 'no' | 'maybe' };

/** A label of a group's nodes, by the group itself or by the kubelet flags in its user data. */
export function labelOfGroup(group: AnyNodeGroup, key: string): GroupLabel {
  const values: string[] = [];
  let missing = false;
  for (const { value: labels } of group.kind === 'node-group' ? alternativesOf(whereExists(group, group.labels)) : []) {
    if (labels.kind === 'unknown') return { kind: 'maybe' };
    const known = labels.kind === 'known' ? labels.value : [];
    // A key that is decided at deployment may be any.
    if (known.some((label) => label.key.kind !== 'known')) return { kind: 'maybe' };
    const own = known.filter((label) => label.key.kind === 'known' && label.key.value === key);
    if (own.some(({ value }) => value.kind !== 'known')) return { kind: 'maybe' };
    missing ||= own.length === 0;
    values.push(...own.flatMap(({ value }) => (value.kind === 'known' ? [value.value] : [])));
  }
  if (values.length > 0) return missing ? { kind: 'maybe' } : { kind: 'yes', values };
  return { kind: mayBeInUserData(group, key) ? 'maybe' : 'no' };
}

/** What the node pools of Karpenter write on the nodes that they start: a label, or an annotation. */
export function onKarpenterNodes({ manifests }: ClusterView, kind: 'labels' | 'annotations', key: string): GroupLabel {
  const values: string[] = [];
  for (const { object } of manifests) {
    const path = POOLS.get(dataAt(object, 'kind'));
    if (path === undefined) continue;
    const value = dataAt(object, ...path, kind, key);
    if (typeof value === 'string') values.push(value);
    else if (value !== undefined && value !== null) return { kind: 'maybe' };
  }
  return values.length > 0 ? { kind: 'yes', values } : { kind: 'no' };
}

/** Where the kinds have the metadata of nodes. Source: Karpenter documentation, NodePools, and Provisioners for versions before 0.32. */
const POOLS: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ['NodePool', ['spec', 'template', 'metadata']],
  ['Provisioner', ['spec']],
]);

function mayBeInUserData(group: AnyNodeGroup, key: string): boolean {
  return alternativesOf(launchTemplateOf(group)).some(({ value: template }) => {
    if (template.kind !== 'known') return template.kind === 'unknown';
    return alternativesOf(template.value.userData).some(
      ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value.text.text.includes(key)),
    );
  });
}
