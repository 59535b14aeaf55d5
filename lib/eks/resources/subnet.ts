import type { ResourceTable } from './table';

export const SUBNET = {
  cloudFormation: ['AWS::EC2::Subnet'],
  terraform: ['aws_subnet', 'aws_default_subnet'],
  settings: {
    vpc: { type: 'vpc', cloudFormation: 'VpcId', terraform: 'vpc_id' },
    cidr: { type: 'text', cloudFormation: 'CidrBlock', terraform: 'cidr_block' },
    availabilityZone: { type: 'text', cloudFormation: 'AvailabilityZone', terraform: 'availability_zone' },
    mapPublicIpOnLaunch: {
      type: 'boolean',
      cloudFormation: 'MapPublicIpOnLaunch',
      terraform: 'map_public_ip_on_launch',
    },
    tagKeys: { type: 'tags', cloudFormation: { code: 'Tags' }, terraform: { code: 'tags' } },
  },
} as const satisfies ResourceTable;
