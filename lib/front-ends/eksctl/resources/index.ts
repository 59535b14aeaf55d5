import type { EksResource, FargateProfile, FargateSelector, HelmRelease, KubernetesManifest } from '../../../eks';
import { Absent, Known, type Plain } from '../../../value';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { isWindows } from '../families';
import { familyIn } from '../group-settings';
import { associatedRole, defaultAddons, impliedAddon, readAddon } from './addon';
import { readCluster, readPartialCluster } from './cluster';
import { oidcProvider, readAccessEntry, readAssociation, readServiceAccount } from './identities';
import { readManagedGroup, readSelfManagedGroup } from './node-group';

/** All that eksctl makes of a file. */
export function resourcesOf(file: ConfigFile): readonly EksResource[] {
  const { root } = file;
  const resources: EksResource[] = [];
  const add = (...some: readonly (EksResource | undefined)[]): void => {
    for (const one of some) if (one !== undefined) resources.push(one);
  };
  if (file.isWhole) {
    const { cluster, role } = readCluster(file);
    file.cluster = cluster;
    add(cluster, role);
  } else if (file.namesVersion) {
    file.cluster = readPartialCluster(file);
    add(file.cluster);
  }
  const provider = oidcProvider(file);
  add(provider);
  for (const node of root.child('managedNodeGroups').items) addGroup(add, readManagedGroup(file, node));
  for (const node of root.child('nodeGroups').items) addGroup(add, readSelfManagedGroup(file, node));
  for (const node of root.child('addons').items) {
    const { addon, roles } = readAddon(file, node, provider);
    add(addon, ...roles);
  }
  if (file.isWhole)
    for (const name of defaultAddons(file)) {
      const { addon, roles } = impliedAddon(file, name, provider);
      add(addon, ...roles);
    }
  for (const node of root.at('iam', 'serviceAccounts').items) add(...readServiceAccount(file, node, provider));
  for (const [index, node] of root.at('iam', 'podIdentityAssociations').items.entries()) {
    const { role, reference } = associatedRole(file, node.asResource(), `iam.podIdentityAssociations.${index}.role`);
    add(role, readAssociation(file, node, reference));
  }
  for (const node of root.at('accessConfig', 'accessEntries').items) add(readAccessEntry(file, node));
  for (const node of root.child('fargateProfiles').items) add(fargateProfile(file, node));
  add(windowsAddresses(file));
  if (root.child('karpenter').isWritten) add(karpenter(file, root.child('karpenter')));
  return resources;
}

function addGroup(
  add: (...some: readonly (EksResource | undefined)[]) => void,
  {
    group,
    template,
    role,
  }: {
    readonly group: EksResource;
    readonly template: EksResource | undefined;
    readonly role: EksResource | undefined;
  },
): void {
  add(group, template, role);
}

/** `create cluster` switches the addresses of Windows pods on if there is a group for them. Source: eks/tasks.go, windows/ipam.go of eksctl. */
function windowsAddresses(file: ConfigFile): KubernetesManifest | undefined {
  const first = file.groups.find((group) => {
    const family = familyIn(group);
    return family.kind === 'known' && isWindows(family.value);
  });
  // Where the add-on is told, it writes the same ConfigMap.
  const isTold = file.root
    .child('addons')
    .items.some((addon) => addon.child('configurationValues').label.includes('enableWindowsIpam'));
  if (first === undefined || isTold || !file.isWhole) return undefined;
  return {
    ...file.resource('nodeGroups', 'kube-system/amazon-vpc-cni', first.asResource()),
    isImplied: true,
    kind: 'manifest',
    environment: file.environment,
    cluster: file.reference,
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'kube-system', name: 'amazon-vpc-cni' },
      data: { 'enable-windows-ipam': 'true' },
    },
  };
}

function fargateProfile(file: ConfigFile, node: ConfigNode): FargateProfile {
  const profile = node.asResource();
  return {
    ...file.resource('fargateProfiles', profile.child('name').label || `profile ${String(node.path.at(-1))}`, profile),
    kind: 'fargate-profile',
    cluster: file.reference,
    // Without a list they are the private ones of the VPC.
    subnets: new Absent(profile),
    selectors: selectors(profile.child('selectors')),
  };
}

function selectors(list: ConfigNode): Plain<readonly FargateSelector[]> {
  if (!list.isWritten) return new Absent(list.place);
  return new Known(
    list.items.map(
      (item): FargateSelector => ({
        namespace: item.child('namespace').text,
        hasLabels: item.child('labels').keys.length > 0,
      }),
    ),
    list,
  );
}

/** eksctl installs Karpenter's chart. Source: karpenter/karpenter.go of eksctl. */
function karpenter(file: ConfigFile, node: ConfigNode): HelmRelease {
  const release = node.asResource();
  const known = (text: string) => new Known(text, release, 'set by eksctl');
  return {
    ...file.resource('karpenter', 'karpenter', release),
    kind: 'helm-release',
    environment: file.environment,
    cluster: file.reference,
    chart: known('karpenter'),
    release: known('karpenter'),
    namespace: known('karpenter'),
    version: release.child('version').text,
    values: {},
  };
}
