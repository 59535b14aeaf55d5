import type { ResourceTable } from './table';

const METADATA_OPTIONS = {
  httpTokens: { type: 'text', cloudFormation: 'HttpTokens', terraform: { code: 'http_tokens' } },
  hopLimit: {
    type: 'amount',
    cloudFormation: 'HttpPutResponseHopLimit',
    terraform: { code: 'http_put_response_hop_limit' },
  },
  httpEndpoint: { type: 'text', cloudFormation: 'HttpEndpoint', terraform: { code: 'http_endpoint' } },
  instanceTags: { type: 'text', cloudFormation: 'InstanceMetadataTags', terraform: { code: 'instance_metadata_tags' } },
} as const;

/** What EC2 fills in isn't set, and a block that is missing is one without settings; so metadata options are read by code. */
const METADATA = {
  type: 'block',
  cloudFormation: { code: 'MetadataOptions' },
  terraform: { code: 'metadata_options' },
  settings: METADATA_OPTIONS,
} as const;

export const LAUNCH_TEMPLATE = {
  cloudFormation: ['AWS::EC2::LaunchTemplate'],
  terraform: ['aws_launch_template'],
  eksctl: ['managedNodeGroups.launchTemplate', 'nodeGroups.launchTemplate'],
  root: 'LaunchTemplateData',
  settings: {
    name: { type: 'text', isBesideRoot: true, cloudFormation: 'LaunchTemplateName', terraform: 'name' },
    imageId: { type: 'text', cloudFormation: { code: 'ImageId' }, terraform: { code: 'image_id' } },
    instanceType: { type: 'text', cloudFormation: 'InstanceType', terraform: 'instance_type' },
    metadata: METADATA,
    userData: { type: 'text', cloudFormation: { code: 'UserData' }, terraform: { code: 'user_data' } },
    // The keys of instances' tags.
    instanceTagKeys: {
      type: 'each',
      cloudFormation: { code: 'TagSpecifications' },
      terraform: { code: 'tag_specifications' },
      settings: {
        resourceType: { type: 'text', cloudFormation: 'ResourceType', terraform: 'resource_type' },
        tags: { type: 'tags', cloudFormation: { code: 'Tags' }, terraform: { code: 'tags' } },
      },
    },
    // Either names it.
    instanceProfile: {
      type: 'block',
      cloudFormation: { code: 'IamInstanceProfile' },
      terraform: { code: 'iam_instance_profile' },
      settings: {
        arn: { type: 'text', cloudFormation: 'Arn', terraform: 'arn' },
        name: { type: 'text', cloudFormation: 'Name', terraform: 'name' },
      },
    },
    shutdownBehavior: {
      type: 'text',
      cloudFormation: 'InstanceInitiatedShutdownBehavior',
      terraform: 'instance_initiated_shutdown_behavior',
    },
    hibernation: {
      type: 'boolean',
      repairsBlock: true,
      cloudFormation: 'HibernationOptions.Configured',
      terraform: 'hibernation_options.configured',
    },
    instanceRequirements: {
      type: 'present',
      cloudFormation: 'InstanceRequirements',
      terraform: 'instance_requirements',
    },
    marketType: {
      type: 'text',
      cloudFormation: 'InstanceMarketOptions.MarketType',
      terraform: 'instance_market_options.market_type',
    },
    keyName: { type: 'text', cloudFormation: 'KeyName', terraform: 'key_name' },
    // Two lists: by id, and by name.
    securityGroups: {
      type: 'texts',
      cloudFormation: { code: 'SecurityGroupIds' },
      terraform: { code: 'vpc_security_group_ids' },
    },
    securityGroupNames: {
      type: 'texts',
      cloudFormation: { code: 'SecurityGroups' },
      terraform: { code: 'security_group_names' },
    },
    networkInterfaces: {
      type: 'each',
      cloudFormation: 'NetworkInterfaces',
      terraform: 'network_interfaces',
      settings: {
        subnet: { type: 'text', cloudFormation: 'SubnetId', terraform: 'subnet_id' },
        securityGroups: { type: 'securityGroups', cloudFormation: 'Groups', terraform: 'security_groups' },
      },
    },
    blockDevices: {
      type: 'each',
      cloudFormation: { code: 'BlockDeviceMappings' },
      terraform: 'block_device_mappings',
      settings: {
        name: { type: 'text', cloudFormation: 'DeviceName', terraform: 'device_name' },
        size: { type: 'amount', cloudFormation: 'Ebs.VolumeSize', terraform: 'ebs.volume_size' },
      },
    },
  },
} as const satisfies ResourceTable;

/** Says of an Auto Scaling group's instances what a launch template would, and less. */
export const LAUNCH_CONFIGURATION = {
  cloudFormation: ['AWS::AutoScaling::LaunchConfiguration'],
  terraform: ['aws_launch_configuration'],
  isUnchangeable: true,
  settings: {
    name: { type: 'text', cloudFormation: 'LaunchConfigurationName', terraform: 'name' },
    imageId: { type: 'text', cloudFormation: { code: 'ImageId' }, terraform: { code: 'image_id' } },
    instanceType: { type: 'text', cloudFormation: 'InstanceType', terraform: 'instance_type' },
    metadata: METADATA,
    userData: { type: 'text', cloudFormation: { code: 'UserData' }, terraform: { code: 'user_data_base64' } },
    instanceProfile: { type: 'text', cloudFormation: 'IamInstanceProfile', terraform: 'iam_instance_profile' },
    keyName: { type: 'text', cloudFormation: 'KeyName', terraform: 'key_name' },
    securityGroups: { type: 'securityGroups', cloudFormation: 'SecurityGroups', terraform: 'security_groups' },
    // The root volume is described without its name: what it is called is the image's business.
    blockDevices: {
      type: 'each',
      cloudFormation: { code: 'BlockDeviceMappings' },
      terraform: { code: 'ebs_block_device' },
      settings: {
        name: { type: 'text', cloudFormation: 'DeviceName', terraform: 'device_name' },
        size: { type: 'amount', cloudFormation: 'Ebs.VolumeSize', terraform: 'volume_size' },
      },
    },
  },
} as const satisfies ResourceTable;
