export { AmiFamily } from './ami-family';
export {
  BottlerocketSettings,
  type BottlerocketHostContainer,
  type BottlerocketSettingsProps,
} from './bottlerocket-settings';
export type { ICluster, IpFamily } from './cluster';
export { ConstructionError } from './construction-error';
export {
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  LoadBalancerControllerRole,
  type EbsCsiDriverRoleProps,
  type ExternalDnsRoleProps,
  type LoadBalancerControllerRoleProps,
} from './controller-roles';
export {
  ClusterNetworkAddons,
  CoreDnsAddon,
  type ClusterNetworkAddonsProps,
  type CoreDnsAddonProps,
} from './cluster-network-addons';
export type { NetworkAddonOptions } from '../engine-neutral/network-addons';
export { GuardrailsHook } from './guardrails-hook';
export {
  HookFailureMode,
  HookTarget,
  type GuardrailsHookProps,
  type HookConfiguration,
  type HookStackFilter,
} from './guardrails-hook-props';
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
export { PodSecurityGroupPolicy } from './pod-security-group-policy';
export { PodRole, type AddonRoleSettings, type PodRoleProps } from './pod-role';
export {
  LabelOperator,
  type LabelExpression,
  type LabelSelector,
  type PodSecurityGroupPolicyProps,
} from './pod-security-group-policy-props';
export { SelfManagedNodeGroup, type SelfManagedNodeGroupProps } from './self-managed-node-group';
export { SafeDefaults } from './safe-defaults';
export { SafeDefaultsMixin } from './safe-defaults-mixin';
export {
  Repairs,
  SafeDefault,
  type SafeDefaultDecision,
  type SafeDefaultsMixinProps,
  type SafeDefaultsProps,
} from './safe-defaults-props';
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
export { PodIdentityKind, VpcCniRole, type VpcCniRoleProps } from './vpc-cni-role';
export { WindowsBootstrap, type WindowsBootstrapProps } from './windows-bootstrap';
export { WindowsIpam, WindowsNodeAccess, WindowsNodeGroup, type WindowsNodeGroupProps } from './windows-node-group';
export type { VpcCniConfiguration } from '../../lib/eks/networking';
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
export * from '../../aspects/aws-cdk';
