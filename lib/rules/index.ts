import type { Rule } from '../engine';
import { accessEntryGroups } from './iam/access-entry-groups';
import { addonConfigurationSchema } from './addon/addon-configuration-schema';
import { addonCreateConflict } from './addon/addon-create-conflict';
import { addonPreserveOnDelete } from './addon/addon-preserve-on-delete';
import { addonVersion } from './addon/addon-version';
import { amiTypeAccelerator } from './node-group/ami-type-accelerator';
import { amiTypeArchitecture } from './node-group/ami-type-architecture';
import { amiTypeKubernetesVersion } from './node-group/ami-type-kubernetes-version';
import { amiTypeReplacement } from './node-group/ami-type-replacement';
import { arnPartition } from './iam/arn-partition';
import { awsAuthRoles } from './iam/aws-auth-roles';
import { awsManagedPolicy } from './iam/aws-managed-policy';
import { bootstrapScriptArguments } from './node-bootstrap/bootstrap-script-arguments';
import { bottlerocketDataVolume } from './launch-template/bottlerocket-data-volume';
import { bottlerocketSettings } from './node-bootstrap/bottlerocket-settings';
import { clusterNetworkAddons } from './addon/cluster-network-addons';
import { clusterPrivateEndpoints } from './node-group/cluster-private-endpoints';
import { clusterReplacement } from './node-group/cluster-replacement';
import { clusterRolePolicies } from './iam/cluster-role-policies';
import { clusterSubnetCapacity } from './node-group/cluster-subnet-capacity';
import { clusterSupportType } from './node-group/cluster-support-type';
import { clusterVersionPinned } from './node-group/cluster-version-pinned';
import { clusterVersionStep } from './node-group/cluster-version-step';
import { clusterVersionSupport } from './node-group/cluster-version-support';
import { customNetworkingConflicts } from './vpc-cni/custom-networking-conflicts';
import { customNetworkingEniConfig } from './vpc-cni/custom-networking-eni-config';
import { drainBlocked } from './node-group/drain-blocked';
import { ebsCsiRoleMissing } from './iam/ebs-csi-role-missing';
import { eksctlIgnoredKey } from './eksctl/eksctl-ignored-key';
import { eksctlRefuses } from './eksctl/eksctl-refuses';
import { externalDnsPolicy } from './iam/external-dns-policy';
import { imdsEndpointDisabled } from './imds/imds-endpoint-disabled';
import { imdsHopLimit } from './imds/imds-hop-limit';
import { imdsInstanceTags } from './imds/imds-instance-tags';
import { imdsV1 } from './imds/imds-v1';
import { irsaOidcProvider } from './iam/irsa-oidc-provider';
import { irsaSubject } from './iam/irsa-subject';
import { irsaTrustPolicy } from './iam/irsa-trust-policy';
import { karpenterNodeClass } from './node-bootstrap/karpenter-node-class';
import { karpenterNodePool } from './node-bootstrap/karpenter-node-pool';
import { kubeProxyVersionSkew } from './node-group/kube-proxy-version-skew';
import { kubeletFeatureGate } from './node-bootstrap/kubelet-feature-gate';
import { launchTemplateForbiddenField } from './launch-template/launch-template-forbidden-field';
import { launchTemplateNodeGroupConflict } from './launch-template/launch-template-node-group-conflict';
import { launchTemplateSecurityGroups } from './launch-template/launch-template-security-groups';
import { launchTemplateUserDataEncoding } from './launch-template/launch-template-user-data-encoding';
import { launchTemplateVersion } from './launch-template/launch-template-version';
import { loadBalancerControllerImds } from './iam/load-balancer-controller-imds';
import { loadBalancerControllerPolicy } from './iam/load-balancer-controller-policy';
import { loadBalancerControllerVersion } from './iam/load-balancer-controller-version';
import { maxPodsCapacity } from './vpc-cni/max-pods-capacity';
import { nodeConfigCertificateAuthority } from './node-bootstrap/node-config-certificate-authority';
import { nodeConfigCluster } from './node-bootstrap/node-config-cluster';
import { nodeConfigDecoding } from './node-bootstrap/node-config-decoding';
import { nodeConfigOverridden } from './node-bootstrap/node-config-overridden';
import { nodeConfigServiceCidr } from './node-bootstrap/node-config-service-cidr';
import { nodeConfigUnknownField } from './node-bootstrap/node-config-unknown-field';
import { nodeConfigValue } from './node-bootstrap/node-config-value';
import { nodeGroupForceUpdate } from './node-group/node-group-force-update';
import { nodeGroupKubernetesVersion } from './node-group/node-group-kubernetes-version';
import { nodeGroupRemoteAccess } from './node-group/node-group-remote-access';
import { nodeGroupReplacement } from './node-group/node-group-replacement';
import { nodeGroupScaling } from './node-group/node-group-scaling';
import { nodeGroupUpdateConfig } from './node-group/node-group-update-config';
import { nodeLabelReserved } from './launch-template/node-label-reserved';
import { nodeRolePolicies } from './iam/node-role-policies';
import { nodeUserDataDuplicateBootstrap } from './launch-template/node-user-data-duplicate-bootstrap';
import { nodeUserDataFormat } from './launch-template/node-user-data-format';
import { nodeUserDataMissingBootstrap } from './launch-template/node-user-data-missing-bootstrap';
import { nodeadmInitInUserData } from './node-bootstrap/nodeadm-init-in-user-data';
import { podIdentityAgent } from './iam/pod-identity-agent';
import { podIdentityAndIrsa } from './iam/pod-identity-and-irsa';
import { podIdentityCompute } from './iam/pod-identity-compute';
import { podIdentityTrustPolicy } from './iam/pod-identity-trust-policy';
import { podSecurityGroupsClusterRole } from './vpc-cni/pod-security-groups-cluster-role';
import { podSecurityGroupsInstanceTypes } from './vpc-cni/pod-security-groups-instance-types';
import { podSecurityGroupsIpFamily } from './vpc-cni/pod-security-groups-ip-family';
import { podSecurityGroupsKubeProxy } from './vpc-cni/pod-security-groups-kube-proxy';
import { podSecurityGroupsSnat } from './vpc-cni/pod-security-groups-snat';
import { prefixDelegationMaxPods } from './vpc-cni/prefix-delegation-max-pods';
import { prefixDelegationNitro } from './vpc-cni/prefix-delegation-nitro';
import { prefixDelegationSubnet } from './vpc-cni/prefix-delegation-subnet';
import { prefixDelegationWarmTargets } from './vpc-cni/prefix-delegation-warm-targets';
import { removedApi } from './node-group/removed-api';
import { securityGroupPolicy } from './vpc-cni/security-group-policy';
import { userDataAmiFamily } from './node-bootstrap/user-data-ami-family';
import { userDataMimeStructure } from './node-bootstrap/user-data-mime-structure';
import { userDataShebang } from './node-bootstrap/user-data-shebang';
import { vpcCniConfigurationSchema } from './vpc-cni/vpc-cni-configuration-schema';
import { vpcCniEnvValues } from './vpc-cni/vpc-cni-env-values';
import { vpcCniExtraEnv } from './vpc-cni/vpc-cni-extra-env';
import { vpcCniNetworkPolicy } from './vpc-cni/vpc-cni-network-policy';
import { vpcCniResolveConflicts } from './vpc-cni/vpc-cni-resolve-conflicts';
import { vpcCniRoleIpFamily } from './iam/vpc-cni-role-ip-family';
import { vpcCniRoleMissing } from './iam/vpc-cni-role-missing';
import { vpcCniRoleOnNodes } from './iam/vpc-cni-role-on-nodes';
import { vpcCniRoleSubnetDiscovery } from './iam/vpc-cni-role-subnet-discovery';
import { vpcCniRoleTagsScope } from './iam/vpc-cni-role-tags-scope';
import { vpcCniTcpEarlyDemux } from './vpc-cni/vpc-cni-tcp-early-demux';
import { vpcCniWarmTargets } from './vpc-cni/vpc-cni-warm-targets';
import { vpcCniWindowsIpam } from './vpc-cni/vpc-cni-windows-ipam';
import { windowsNodePrerequisites } from './node-bootstrap/windows-node-prerequisites';
import { windowsUserData } from './node-bootstrap/windows-user-data';

/** Every rule, in the order of the catalogue. */
export const allRules: readonly Rule[] = [
  imdsHopLimit,
  imdsV1,
  imdsEndpointDisabled,
  imdsInstanceTags,
  launchTemplateForbiddenField,
  launchTemplateNodeGroupConflict,
  launchTemplateVersion,
  launchTemplateSecurityGroups,
  launchTemplateUserDataEncoding,
  nodeUserDataMissingBootstrap,
  nodeUserDataDuplicateBootstrap,
  nodeUserDataFormat,
  nodeLabelReserved,
  bottlerocketDataVolume,
  userDataMimeStructure,
  userDataShebang,
  userDataAmiFamily,
  nodeConfigCluster,
  nodeConfigDecoding,
  nodeConfigCertificateAuthority,
  nodeConfigServiceCidr,
  nodeConfigUnknownField,
  nodeConfigValue,
  nodeConfigOverridden,
  nodeadmInitInUserData,
  kubeletFeatureGate,
  bootstrapScriptArguments,
  bottlerocketSettings,
  windowsUserData,
  windowsNodePrerequisites,
  karpenterNodeClass,
  karpenterNodePool,
  amiTypeKubernetesVersion,
  amiTypeArchitecture,
  amiTypeAccelerator,
  nodeGroupScaling,
  nodeGroupUpdateConfig,
  nodeGroupForceUpdate,
  nodeGroupRemoteAccess,
  nodeGroupKubernetesVersion,
  clusterVersionSupport,
  clusterSupportType,
  clusterVersionPinned,
  clusterVersionStep,
  amiTypeReplacement,
  nodeGroupReplacement,
  clusterReplacement,
  kubeProxyVersionSkew,
  drainBlocked,
  clusterSubnetCapacity,
  clusterPrivateEndpoints,
  removedApi,
  addonVersion,
  addonPreserveOnDelete,
  addonCreateConflict,
  clusterNetworkAddons,
  addonConfigurationSchema,
  vpcCniResolveConflicts,
  vpcCniConfigurationSchema,
  vpcCniEnvValues,
  vpcCniExtraEnv,
  vpcCniTcpEarlyDemux,
  vpcCniWarmTargets,
  vpcCniNetworkPolicy,
  vpcCniWindowsIpam,
  podSecurityGroupsInstanceTypes,
  podSecurityGroupsClusterRole,
  podSecurityGroupsIpFamily,
  podSecurityGroupsKubeProxy,
  podSecurityGroupsSnat,
  securityGroupPolicy,
  prefixDelegationWarmTargets,
  prefixDelegationMaxPods,
  prefixDelegationNitro,
  prefixDelegationSubnet,
  maxPodsCapacity,
  customNetworkingEniConfig,
  customNetworkingConflicts,
  vpcCniRoleIpFamily,
  vpcCniRoleSubnetDiscovery,
  vpcCniRoleMissing,
  irsaTrustPolicy,
  irsaSubject,
  podIdentityTrustPolicy,
  podIdentityAgent,
  nodeRolePolicies,
  clusterRolePolicies,
  vpcCniRoleOnNodes,
  vpcCniRoleTagsScope,
  podIdentityAndIrsa,
  podIdentityCompute,
  irsaOidcProvider,
  arnPartition,
  loadBalancerControllerPolicy,
  loadBalancerControllerImds,
  loadBalancerControllerVersion,
  externalDnsPolicy,
  awsAuthRoles,
  accessEntryGroups,
  ebsCsiRoleMissing,
  awsManagedPolicy,
  eksctlRefuses,
  eksctlIgnoredKey,
];
