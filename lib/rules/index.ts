import type { Rule } from '../engine';
import { addonVersion } from './addon/addon-version';
import { amiTypeAccelerator } from './node-group/ami-type-accelerator';
import { amiTypeArchitecture } from './node-group/ami-type-architecture';
import { amiTypeKubernetesVersion } from './node-group/ami-type-kubernetes-version';
import { bootstrapScriptArguments } from './node-bootstrap/bootstrap-script-arguments';
import { bottlerocketDataVolume } from './launch-template/bottlerocket-data-volume';
import { bottlerocketSettings } from './node-bootstrap/bottlerocket-settings';
import { imdsEndpointDisabled } from './imds/imds-endpoint-disabled';
import { imdsHopLimit } from './imds/imds-hop-limit';
import { imdsInstanceTags } from './imds/imds-instance-tags';
import { imdsV1 } from './imds/imds-v1';
import { irsaSubject } from './iam/irsa-subject';
import { irsaTrustPolicy } from './iam/irsa-trust-policy';
import { kubeletFeatureGate } from './node-bootstrap/kubelet-feature-gate';
import { launchTemplateForbiddenField } from './launch-template/launch-template-forbidden-field';
import { launchTemplateNodeGroupConflict } from './launch-template/launch-template-node-group-conflict';
import { launchTemplateSecurityGroups } from './launch-template/launch-template-security-groups';
import { launchTemplateUserDataEncoding } from './launch-template/launch-template-user-data-encoding';
import { launchTemplateVersion } from './launch-template/launch-template-version';
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
import { nodeGroupUpdateConfig } from './node-group/node-group-update-config';
import { nodeLabelReserved } from './launch-template/node-label-reserved';
import { nodeUserDataDuplicateBootstrap } from './launch-template/node-user-data-duplicate-bootstrap';
import { nodeUserDataFormat } from './launch-template/node-user-data-format';
import { nodeUserDataMissingBootstrap } from './launch-template/node-user-data-missing-bootstrap';
import { nodeadmInitInUserData } from './node-bootstrap/nodeadm-init-in-user-data';
import { podIdentityAgent } from './iam/pod-identity-agent';
import { podIdentityTrustPolicy } from './iam/pod-identity-trust-policy';
import { userDataAmiFamily } from './node-bootstrap/user-data-ami-family';
import { userDataMimeStructure } from './node-bootstrap/user-data-mime-structure';
import { userDataShebang } from './node-bootstrap/user-data-shebang';
import { vpcCniConfigurationSchema } from './vpc-cni/vpc-cni-configuration-schema';
import { vpcCniResolveConflicts } from './vpc-cni/vpc-cni-resolve-conflicts';
import { vpcCniRoleIpFamily } from './iam/vpc-cni-role-ip-family';
import { vpcCniRoleMissing } from './iam/vpc-cni-role-missing';
import { vpcCniRoleSubnetDiscovery } from './iam/vpc-cni-role-subnet-discovery';
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
  amiTypeKubernetesVersion,
  amiTypeArchitecture,
  amiTypeAccelerator,
  nodeGroupUpdateConfig,
  nodeGroupForceUpdate,
  nodeGroupRemoteAccess,
  nodeGroupKubernetesVersion,
  addonVersion,
  vpcCniResolveConflicts,
  vpcCniConfigurationSchema,
  vpcCniRoleIpFamily,
  vpcCniRoleSubnetDiscovery,
  vpcCniRoleMissing,
  irsaTrustPolicy,
  irsaSubject,
  podIdentityTrustPolicy,
  podIdentityAgent,
];
