import type { AccessPolicyAssociation, PodIdentityAssociation } from '../model/resources';
import type { ResourceTable, WholeTable } from './table';

export const ACCESS_ENTRY = {
  cloudFormation: ['AWS::EKS::AccessEntry'],
  terraform: ['aws_eks_access_entry'],
  eksctl: ['accessConfig.accessEntries'],
  settings: {
    cluster: { type: 'cluster', cloudFormation: 'ClusterName', terraform: 'cluster_name' },
    principal: { type: 'role', cloudFormation: 'PrincipalArn', terraform: 'principal_arn', eksctl: 'principalARN' },
    entryType: { type: 'text', cloudFormation: 'Type', terraform: 'type', eksctl: 'type' },
    groups: {
      type: 'texts',
      cloudFormation: 'KubernetesGroups',
      terraform: 'kubernetes_groups',
      eksctl: 'kubernetesGroups',
    },
    // Terraform has a resource for each.
    policies: {
      type: 'blocks',
      cloudFormation: 'AccessPolicies',
      eksctl: 'accessPolicies',
      settings: { policy: { type: 'text', cloudFormation: 'PolicyArn', eksctl: 'policyARN' } },
    },
  },
} as const satisfies ResourceTable;

/** CloudFormation has them in the entry. */
export const ACCESS_POLICY_ASSOCIATION = {
  kind: 'access-policy-association',
  cloudFormation: [],
  terraform: ['aws_eks_access_policy_association'],
  settings: {
    principal: { type: 'role', cloudFormation: 'PrincipalArn', terraform: 'principal_arn' },
    policy: { type: 'text', cloudFormation: 'PolicyArn', terraform: 'policy_arn' },
  },
} as const satisfies WholeTable<AccessPolicyAssociation>;

export const POD_IDENTITY_ASSOCIATION = {
  kind: 'pod-identity-association',
  cloudFormation: ['AWS::EKS::PodIdentityAssociation'],
  terraform: ['aws_eks_pod_identity_association'],
  eksctl: ['iam.podIdentityAssociations'],
  settings: {
    cluster: { type: 'cluster', cloudFormation: 'ClusterName', terraform: 'cluster_name' },
    namespace: { type: 'word', cloudFormation: 'Namespace', terraform: 'namespace', eksctl: 'namespace' },
    serviceAccount: {
      type: 'word',
      cloudFormation: 'ServiceAccount',
      terraform: 'service_account',
      eksctl: 'serviceAccountName',
    },
    role: { type: 'role', cloudFormation: 'RoleArn', terraform: 'role_arn' },
    disableSessionTags: {
      type: 'boolean',
      cloudFormation: 'DisableSessionTags',
      terraform: 'disable_session_tags',
      eksctl: 'disableSessionTags',
    },
  },
} as const satisfies WholeTable<PodIdentityAssociation>;
