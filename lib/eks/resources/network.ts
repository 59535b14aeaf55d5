import type { HostedZone, NetworkAttachment } from '../model/resources';
import type { ResourceTable, WholeTable } from './table';

/*
 * The network around nodes. Of a route it counts whether it leaves the VPC at all, so that its targets are left out, but for the gateway that may be
 * the VPC itself, and what leads to other networks.
 */

export const VPC = {
  cloudFormation: ['AWS::EC2::VPC'],
  terraform: ['aws_vpc', 'aws_default_vpc'],
  settings: {},
} as const satisfies ResourceTable;

/** What a route says, wherever it stands. */
const TARGET = {
  destination: { type: 'text', cloudFormation: 'DestinationCidrBlock', terraform: 'cidr_block' },
  ipv6Destination: { type: 'text', cloudFormation: 'DestinationIpv6CidrBlock', terraform: 'ipv6_cidr_block' },
  gateway: { type: 'text', cloudFormation: 'GatewayId', terraform: 'gateway_id' },
  peering: { type: 'text', cloudFormation: 'VpcPeeringConnectionId', terraform: 'vpc_peering_connection_id' },
  transitGateway: { type: 'text', cloudFormation: 'TransitGatewayId', terraform: 'transit_gateway_id' },
} as const;

export const ROUTE_TABLE = {
  cloudFormation: ['AWS::EC2::RouteTable'],
  terraform: ['aws_route_table', 'aws_default_route_table'],
  settings: {
    // Templates have routes as resources of their own, and don't name the main table.
    routes: { type: 'each', terraform: 'route', settings: TARGET },
    mainOf: { type: 'vpc', terraform: 'default_route_table_id' },
    propagatingGateways: { type: 'texts', terraform: 'propagating_vgws' },
  },
} as const satisfies ResourceTable;

export const ROUTE = {
  cloudFormation: ['AWS::EC2::Route'],
  terraform: ['aws_route'],
  settings: {
    routeTable: { type: 'routeTable', cloudFormation: 'RouteTableId', terraform: 'route_table_id' },
    destination: { ...TARGET.destination, terraform: 'destination_cidr_block' },
    ipv6Destination: { ...TARGET.ipv6Destination, terraform: 'destination_ipv6_cidr_block' },
    gateway: TARGET.gateway,
    peering: TARGET.peering,
    transitGateway: TARGET.transitGateway,
  },
} as const satisfies ResourceTable;

export const ROUTE_TABLE_ASSOCIATION = {
  cloudFormation: ['AWS::EC2::SubnetRouteTableAssociation'],
  terraform: ['aws_route_table_association', 'aws_main_route_table_association'],
  settings: {
    routeTable: { type: 'routeTable', cloudFormation: 'RouteTableId', terraform: 'route_table_id' },
    subnet: { type: 'subnet', cloudFormation: 'SubnetId', terraform: 'subnet_id' },
    mainOf: { type: 'vpc', terraform: 'vpc_id' },
  },
} as const satisfies ResourceTable;

export const NETWORK_ATTACHMENT = {
  kind: 'network-attachment',
  cloudFormation: [
    'AWS::EC2::VPCGatewayAttachment',
    'AWS::EC2::TransitGatewayAttachment',
    'AWS::EC2::TransitGatewayVpcAttachment',
    'AWS::EC2::VPCPeeringConnection',
  ],
  terraform: [
    'aws_internet_gateway_attachment',
    'aws_vpn_gateway',
    'aws_vpn_gateway_attachment',
    'aws_ec2_transit_gateway_vpc_attachment',
    'aws_vpc_peering_connection',
  ],
  settings: {
    vpc: { type: 'vpc', cloudFormation: 'VpcId', terraform: 'vpc_id' },
    internetGateway: { type: 'text', cloudFormation: 'InternetGatewayId', terraform: 'internet_gateway_id' },
  },
} as const satisfies WholeTable<NetworkAttachment>;

export const VPC_ENDPOINT = {
  cloudFormation: ['AWS::EC2::VPCEndpoint'],
  terraform: ['aws_vpc_endpoint'],
  settings: {
    vpc: { type: 'vpc', cloudFormation: 'VpcId', terraform: 'vpc_id' },
    serviceName: { type: 'text', cloudFormation: 'ServiceName', terraform: { code: 'service_name' } },
    endpointType: { type: 'text', cloudFormation: 'VpcEndpointType', terraform: 'vpc_endpoint_type' },
    privateDns: { type: 'boolean', cloudFormation: 'PrivateDnsEnabled', terraform: { code: 'private_dns_enabled' } },
    securityGroups: { type: 'securityGroups', cloudFormation: 'SecurityGroupIds', terraform: 'security_group_ids' },
    routeTables: { type: 'routeTables', cloudFormation: 'RouteTableIds', terraform: { code: 'route_table_ids' } },
  },
} as const satisfies ResourceTable;

export const HOSTED_ZONE = {
  kind: 'hosted-zone',
  cloudFormation: ['AWS::Route53::HostedZone'],
  terraform: ['aws_route53_zone'],
  settings: { name: { type: 'text', cloudFormation: 'Name', terraform: 'name' } },
} as const satisfies WholeTable<HostedZone>;
