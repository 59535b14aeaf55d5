import type { ResourceTable } from './table';

export const NODE_GROUP = {
  cloudFormation: ['AWS::EKS::Nodegroup'],
  terraform: ['aws_eks_node_group'],
  eksctl: ['managedNodeGroups'],
  settings: {
    cluster: { type: 'cluster', cloudFormation: 'ClusterName', terraform: 'cluster_name' },
    name: { type: 'text', cloudFormation: 'NodegroupName', terraform: 'node_group_name', eksctl: 'name' },
    amiType: { type: 'text', cloudFormation: 'AmiType', terraform: 'ami_type', eksctl: { code: 'amiFamily' } },
    instanceTypes: {
      type: 'texts',
      cloudFormation: 'InstanceTypes',
      terraform: 'instance_types',
      eksctl: { code: 'instanceTypes' },
    },
    subnets: { type: 'subnets', cloudFormation: 'Subnets', terraform: 'subnet_ids' },
    capacityType: {
      type: 'text',
      cloudFormation: 'CapacityType',
      terraform: 'capacity_type',
      eksctl: { code: 'spot' },
    },
    version: { type: 'text', cloudFormation: 'Version', terraform: 'version' },
    releaseVersion: {
      type: 'text',
      cloudFormation: 'ReleaseVersion',
      terraform: 'release_version',
      eksctl: 'releaseVersion',
    },
    nodeRole: { type: 'role', cloudFormation: 'NodeRole', terraform: 'node_role_arn' },
    forceUpdate: { type: 'boolean', cloudFormation: 'ForceUpdateEnabled', terraform: 'force_update_version' },
    // The template that it names is looked for.
    launchTemplate: {
      type: 'block',
      cloudFormation: { code: 'LaunchTemplate' },
      terraform: { code: 'launch_template' },
      settings: {
        id: { type: 'text', cloudFormation: 'Id', terraform: 'id' },
        name: { type: 'text', cloudFormation: 'Name', terraform: 'name' },
        version: { type: 'text', cloudFormation: 'Version', terraform: 'version' },
      },
    },
    diskSize: { type: 'amount', cloudFormation: 'DiskSize', terraform: 'disk_size' },
    remoteAccess: {
      type: 'block',
      cloudFormation: 'RemoteAccess',
      terraform: 'remote_access',
      eksctl: { code: 'ssh' },
      settings: {
        sshKey: { type: 'text', cloudFormation: 'Ec2SshKey', terraform: 'ec2_ssh_key' },
        sourceSecurityGroups: {
          type: 'securityGroups',
          cloudFormation: 'SourceSecurityGroups',
          terraform: 'source_security_group_ids',
        },
      },
    },
    labels: {
      type: 'map',
      cloudFormation: { code: 'Labels' },
      terraform: { code: 'labels' },
      eksctl: { code: 'labels' },
    },
    taints: {
      type: 'blocks',
      cloudFormation: 'Taints',
      terraform: 'taint',
      settings: {
        key: { type: 'word', cloudFormation: 'Key', terraform: 'key' },
        value: { type: 'word', cloudFormation: 'Value', terraform: 'value' },
        effect: { type: 'word', cloudFormation: 'Effect', terraform: 'effect' },
      },
    },
    updateConfig: {
      type: 'block',
      cloudFormation: 'UpdateConfig',
      terraform: 'update_config',
      eksctl: 'updateConfig',
      settings: {
        maxUnavailable: {
          type: 'amount',
          cloudFormation: 'MaxUnavailable',
          terraform: 'max_unavailable',
          eksctl: 'maxUnavailable',
        },
        maxUnavailablePercentage: {
          type: 'amount',
          cloudFormation: 'MaxUnavailablePercentage',
          terraform: 'max_unavailable_percentage',
          eksctl: 'maxUnavailablePercentage',
        },
        strategy: { type: 'text', cloudFormation: 'UpdateStrategy', terraform: 'update_strategy' },
      },
    },
    minSize: {
      type: 'number',
      cloudFormation: 'ScalingConfig.MinSize',
      terraform: 'scaling_config.min_size',
      eksctl: { code: 'minSize' },
    },
    maxSize: {
      type: 'number',
      cloudFormation: 'ScalingConfig.MaxSize',
      terraform: 'scaling_config.max_size',
      eksctl: { code: 'maxSize' },
    },
    desiredSize: {
      type: 'number',
      cloudFormation: 'ScalingConfig.DesiredSize',
      terraform: 'scaling_config.desired_size',
      eksctl: { code: 'desiredCapacity' },
    },
  },
} as const satisfies ResourceTable;
