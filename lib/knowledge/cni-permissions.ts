import { lazyTable, type Table } from './table';

/** What the VPC CNI may, must and does call in EC2. */
export interface CniPermissions {
  /** The service account of aws-node. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
  /** AWS managed policy with the documented set for IPv4. None exists for IPv6. */
  readonly managedPolicyForIpv4: string;
  /** AWS managed policy that the cluster role needs for security groups for pods and Windows. */
  readonly clusterRoleForSecurityGroupsForPods: string;
  /** Both families need it, on network interfaces only. `resource` has `${partition}` for the partition. */
  readonly createTags: { readonly action: string; readonly resource: string };
  /** Documented set for IPv4 clusters, without `createTags`. */
  readonly ipv4: readonly string[];
  /** Documented set for IPv6 clusters, without `createTags`. */
  readonly ipv6: readonly string[];
  /** Calls whose refusal ends ipamd when it starts, in any version, besides `createTags`. */
  readonly fatalAtStart: { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };
  /** The call without which pods of IPv6 clusters get no address; ipamd starts all the same. */
  readonly ipv6Prefix: readonly string[];
  /** Calls for a second network interface (IPv4). With custom networking pods have no other, so that ipamd ends without them. */
  readonly moreInterfaces: readonly string[];
  /** Calls that give interfaces and addresses back (IPv4). */
  readonly givingBack: readonly string[];
  /** Documented, but called by no version from 1.11 to 1.23.1. */
  readonly documentedButNotCalled: readonly string[];
  readonly calledOnlyForUnknownInstanceTypes: readonly string[];
  readonly calledButUndocumented: readonly { readonly action: string; readonly since: string; readonly when: string }[];
  /** Needed to send network policy logs to CloudWatch. */
  readonly networkPolicyLogs: readonly string[];
  /** Calls that only some versions make, `from` and `to` included. */
  readonly byVersion: readonly CniVersionedPermission[];
}

interface CniVersionedPermission {
  readonly action: string;
  readonly family: 'ipv4' | 'ipv6' | 'any';
  readonly from: string;
  readonly to: string;
  /** `degraded`: falls back to the node's subnet; `broken-eni-setup`: no further interface is made, or it is left half-wired; `fatal`: aws-node doesn't start. */
  readonly ifMissing: 'degraded' | 'broken-eni-setup' | 'fatal';
  readonly when: string;
}

const load = lazyTable('cni-permissions.json', (table: CniPermissions & Table) => ({ permissions: table }));

/** The VPC CNI's permissions, read from its documentation and code. */
export const cniPermissions: CniPermissions & { readonly asOf: string } = {
  get asOf() {
    return load().permissions.asOf;
  },
  get serviceAccount() {
    return load().permissions.serviceAccount;
  },
  get managedPolicyForIpv4() {
    return load().permissions.managedPolicyForIpv4;
  },
  get clusterRoleForSecurityGroupsForPods() {
    return load().permissions.clusterRoleForSecurityGroupsForPods;
  },
  get createTags() {
    return load().permissions.createTags;
  },
  get ipv4() {
    return load().permissions.ipv4;
  },
  get ipv6() {
    return load().permissions.ipv6;
  },
  get fatalAtStart() {
    return load().permissions.fatalAtStart;
  },
  get ipv6Prefix() {
    return load().permissions.ipv6Prefix;
  },
  get moreInterfaces() {
    return load().permissions.moreInterfaces;
  },
  get givingBack() {
    return load().permissions.givingBack;
  },
  get documentedButNotCalled() {
    return load().permissions.documentedButNotCalled;
  },
  get calledOnlyForUnknownInstanceTypes() {
    return load().permissions.calledOnlyForUnknownInstanceTypes;
  },
  get calledButUndocumented() {
    return load().permissions.calledButUndocumented;
  },
  get networkPolicyLogs() {
    return load().permissions.networkPolicyLogs;
  },
  get byVersion() {
    return load().permissions.byVersion;
  },
};
