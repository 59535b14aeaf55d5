import type { ResourceTable } from './table';

export const ADDON = {
  cloudFormation: ['AWS::EKS::Addon'],
  terraform: ['aws_eks_addon'],
  eksctl: ['addons'],
  settings: {
    cluster: { type: 'cluster', cloudFormation: 'ClusterName', terraform: 'cluster_name' },
    name: { type: 'text', cloudFormation: 'AddonName', terraform: 'addon_name', eksctl: 'name' },
    // A data source may be asked for it.
    version: {
      type: 'text',
      cloudFormation: 'AddonVersion',
      terraform: { code: 'addon_version' },
      eksctl: { code: 'version' },
    },
    // CloudFormation has one property for both occasions; `resolve_conflicts` of older providers is for both, too.
    resolveConflictsOnCreate: {
      type: 'text',
      cloudFormation: 'ResolveConflicts',
      terraform: { code: 'resolve_conflicts_on_create' },
    },
    resolveConflictsOnUpdate: {
      type: 'text',
      cloudFormation: 'ResolveConflicts',
      terraform: { code: 'resolve_conflicts_on_update' },
      eksctl: { code: 'resolveConflicts' },
    },
    configuration: {
      type: 'text',
      cloudFormation: { code: 'ConfigurationValues' },
      terraform: { code: 'configuration_values' },
      eksctl: { code: 'configurationValues' },
    },
    namespace: {
      type: 'word',
      cloudFormation: 'NamespaceConfig.Namespace',
      terraform: 'namespace_config.namespace',
      eksctl: 'namespaceConfig.namespace',
    },
    serviceAccountRole: {
      type: 'role',
      cloudFormation: 'ServiceAccountRoleArn',
      terraform: 'service_account_role_arn',
      eksctl: { code: 'serviceAccountRoleARN' },
    },
    podIdentityAssociations: {
      type: 'blocks',
      cloudFormation: 'PodIdentityAssociations',
      terraform: 'pod_identity_association',
      settings: {
        serviceAccount: { type: 'word', cloudFormation: 'ServiceAccount', terraform: 'service_account' },
        role: { type: 'role', cloudFormation: 'RoleArn', terraform: 'role_arn' },
      },
    },
    // What CloudFormation itself retains is preserved, too.
    preserveOnDelete: { type: 'boolean', cloudFormation: { code: 'PreserveOnDelete' }, terraform: 'preserve' },
  },
} as const satisfies ResourceTable;
