export { AmiFamily } from '../engine-neutral/ami-family';
export {
  BottlerocketSettings,
  type BottlerocketHostContainer,
  type BottlerocketSettingsProps,
} from './bottlerocket-settings';
export {
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  LoadBalancerControllerRole,
  type EbsCsiDriverRoleProps,
  type ExternalDnsRoleProps,
  type IHostedZone,
  type IKey,
  type LoadBalancerControllerRoleProps,
} from './controller-roles';
export {
  ClusterNetworkAddons,
  CoreDnsAddon,
  type ClusterNetworkAddonsProps,
  type CoreDnsAddonProps,
} from './cluster-network-addons';
export type { NetworkAddonOptions } from '../engine-neutral/network-addons';
export { KarpenterRoles, type KarpenterRolesProps } from './karpenter-roles';
export type {
  KarpenterManifest,
  KarpenterNodeClassOptions,
  KarpenterNodePoolOptions,
  KarpenterRequirement,
  KarpenterTaint,
} from '../engine-neutral/karpenter-node-options';
export { ManagedNodeGroup } from './managed-node-group';
export { CniPermissions, ImdsAccess, type ManagedNodeGroupProps, type NodeTaint } from './managed-node-group-props';
export { NodeConfig } from './node-config';
export {
  CapacityReservationPreference,
  InstanceStore,
  RepairAction,
  UpdateStrategy,
  WarmPoolState,
  type AdditionalNodeVolume,
  type CapacityReservationOptions,
  type EfaOptions,
  type NodeRepairOptions,
  type NodeRepairOverride,
  type NodeVolume,
  type RemoteAccessOptions,
  type WarmPoolOptions,
} from './node-group-parts-props';
export { WindowsBootstrap, type WindowsBootstrapProps } from './windows-bootstrap';
export { WindowsIpam, WindowsNodeAccess, WindowsNodeGroup, type WindowsNodeGroupProps } from './windows-node-group';
export { MIME_TYPES, type MimePart } from '../../lib/eks/user-data/mime/render';
export type {
  ClusterDetails,
  ContainerdOptions,
  InstanceOptions,
  KubeletOptions,
  LocalStorageOptions,
  NodeConfigSpec,
  NodeNetworkOptions,
} from '../../lib/eks/user-data/node-config';
export type { ClusterAttributes, ICluster, IpFamily } from './cluster';
export { PodRole, type AddonRoleSettings, type IPolicy, type PodRoleProps } from './pod-role';
export { PodSecurityGroupPolicy } from './pod-security-group-policy';
export {
  LabelOperator,
  type LabelExpression,
  type LabelSelector,
  type PodSecurityGroupPolicyProps,
} from './pod-security-group-policy-props';
export type { IRole } from './role';
export { SelfManagedNodeGroup, type SelfManagedNodeGroupProps } from './self-managed-node-group';
export type { ISecurityGroup, SecurityGroupResource } from './security-group';
export type { ISubnet, SubnetResource } from './subnet';
export { VpcCniAddon } from './vpc-cni-addon';
export {
  NetworkPolicyMode,
  PodIdentityAgent,
  PodSecurityGroupMode,
  ResolveConflicts,
  type CustomNetworkingOptions,
  type NetworkPolicyOptions,
  type PodSecurityGroupOptions,
  type PodSubnet,
  type PrefixDelegationOptions,
  type TakeOverOptions,
  type VpcCniAddonProps,
  type WarmTargetOptions,
} from './vpc-cni-addon-props';
export { PodIdentityKind, VpcCniRole, type IOpenIdConnectProvider, type VpcCniRoleProps } from './vpc-cni-role';
export { ConstructionError } from '../engine-neutral/construction-error';
export type { SecurityGroupPolicyManifest } from '../engine-neutral/pod-security-group-policy';
export type { VpcCniConfiguration } from '../../lib/eks/networking';
export * from '../../aspects/cdktf';
