import type { Rule } from '../engine';
import { addonVersion } from './addon/addon-version';
import { amiTypeArchitecture } from './node-group/ami-type-architecture';
import { amiTypeKubernetesVersion } from './node-group/ami-type-kubernetes-version';
import { imdsEndpointDisabled } from './imds/imds-endpoint-disabled';
import { imdsHopLimit } from './imds/imds-hop-limit';
import { imdsInstanceTags } from './imds/imds-instance-tags';
import { imdsV1 } from './imds/imds-v1';
import { irsaSubject } from './iam/irsa-subject';
import { irsaTrustPolicy } from './iam/irsa-trust-policy';
import { launchTemplateVersion } from './launch-template/launch-template-version';
import { nodeGroupForceUpdate } from './node-group/node-group-force-update';
import { podIdentityAgent } from './iam/pod-identity-agent';
import { podIdentityTrustPolicy } from './iam/pod-identity-trust-policy';
import { vpcCniConfigurationSchema } from './vpc-cni/vpc-cni-configuration-schema';
import { vpcCniResolveConflicts } from './vpc-cni/vpc-cni-resolve-conflicts';
import { vpcCniRoleIpFamily } from './iam/vpc-cni-role-ip-family';
import { vpcCniRoleMissing } from './iam/vpc-cni-role-missing';
import { vpcCniRoleSubnetDiscovery } from './iam/vpc-cni-role-subnet-discovery';

/** Every rule, in the order of the catalogue. */
export const allRules: readonly Rule[] = [
  imdsHopLimit,
  imdsV1,
  imdsEndpointDisabled,
  imdsInstanceTags,
  launchTemplateVersion,
  amiTypeKubernetesVersion,
  amiTypeArchitecture,
  nodeGroupForceUpdate,
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
