import { asArguments, type ResourceTable } from './table';

export const CLUSTER = {
  // The Quick Starts' own type has fewer of the same properties.
  cloudFormation: ['AWS::EKS::Cluster', 'AWSQS::EKS::Cluster'],
  terraform: ['aws_eks_cluster'],
  eksctl: ['ClusterConfig'],
  settings: {
    name: { type: 'text', cloudFormation: 'Name', terraform: 'name', eksctl: 'metadata.name' },
    version: { type: 'text', cloudFormation: 'Version', terraform: 'version', eksctl: { code: 'metadata.version' } },
    ipFamily: {
      type: 'text',
      cloudFormation: 'KubernetesNetworkConfig.IpFamily',
      terraform: 'kubernetes_network_config.ip_family',
      eksctl: { code: 'kubernetesNetworkConfig.ipFamily' },
    },
    serviceIpv4Cidr: {
      type: 'text',
      cloudFormation: 'KubernetesNetworkConfig.ServiceIpv4Cidr',
      terraform: 'kubernetes_network_config.service_ipv4_cidr',
      eksctl: 'kubernetesNetworkConfig.serviceIPv4CIDR',
    },
    autoMode: {
      type: 'boolean',
      cloudFormation: 'ComputeConfig.Enabled',
      terraform: 'compute_config.enabled',
      eksctl: 'autoModeConfig.enabled',
    },
    role: { type: 'role', cloudFormation: 'RoleArn', terraform: 'role_arn', eksctl: { code: 'iam.serviceRoleARN' } },
    securityGroups: {
      type: 'securityGroups',
      cloudFormation: 'ResourcesVpcConfig.SecurityGroupIds',
      terraform: 'vpc_config.security_group_ids',
      eksctl: 'vpc.controlPlaneSecurityGroupIDs',
    },
    subnets: {
      type: 'subnets',
      cloudFormation: 'ResourcesVpcConfig.SubnetIds',
      terraform: 'vpc_config.subnet_ids',
    },
    endpointPrivateAccess: {
      type: 'boolean',
      cloudFormation: 'ResourcesVpcConfig.EndpointPrivateAccess',
      terraform: 'vpc_config.endpoint_private_access',
      eksctl: 'vpc.clusterEndpoints.privateAccess',
    },
    authenticationMode: {
      type: 'text',
      cloudFormation: 'AccessConfig.AuthenticationMode',
      terraform: 'access_config.authentication_mode',
      eksctl: { code: 'accessConfig.authenticationMode' },
    },
    bootstrapSelfManagedAddons: {
      type: 'boolean',
      cloudFormation: 'BootstrapSelfManagedAddons',
      terraform: 'bootstrap_self_managed_addons',
    },
    supportType: {
      type: 'text',
      cloudFormation: 'UpgradePolicy.SupportType',
      terraform: 'upgrade_policy.support_type',
      eksctl: 'upgradePolicy.supportType',
    },
    onOutpost: { type: 'present', cloudFormation: 'OutpostConfig', terraform: 'outpost_config', eksctl: 'outpost' },
  },
} as const satisfies ResourceTable;

export const CDK_CLUSTER = asArguments(CLUSTER, 'Custom::AWSCDK-EKS-Cluster');
