import type { Resource, Subnet, Table, Vpc } from '../../../eks';

/*
 * Endpoints as code of fixes, with the names that the input has for its VPC, subnets and route tables. Sources: CloudFormation, AWS::EC2::VPCEndpoint;
 * AWS CDK, ec2.Vpc; Terraform, aws_vpc_endpoint; terraform-aws-modules/terraform-aws-vpc, modules/vpc-endpoints.
 */

/** The same in each language; where the input has no names for it, code that is never shown. */
export interface EndpointCode {
  readonly inTemplate: string;
  readonly inCdk: string;
  readonly inTerraform: string;
}

/** Where code has a hole, words alone say what to do. */
const UNNAMED = '<name>';

interface Network {
  readonly vpc: Vpc;
  readonly subnets: readonly Subnet[];
  readonly tables: readonly Table[];
  /** Services with interface endpoints: `ecr.api`. */
  readonly services: readonly string[];
  readonly hasS3: boolean;
  /** Undefined where it isn't known. */
  readonly region: string | undefined;
}

/** @param services the last parts of their names: `ecr.api` */
export function endpointCode(
  vpc: Vpc,
  subnets: readonly Subnet[],
  tables: readonly Table[],
  services: readonly string[],
): EndpointCode {
  const { region } = 'environment' in vpc ? (vpc.environment as { readonly region?: string | undefined }) : {};
  const network: Network = {
    vpc,
    subnets: onePerZone(subnets),
    tables,
    services: services.filter((service) => service !== 's3'),
    hasS3: services.includes('s3'),
    region,
  };
  return { inTemplate: templateOf(network), inCdk: cdkOf(network), inTerraform: terraformOf(network) };
}

/** An endpoint takes one subnet of each availability zone. */
function onePerZone(subnets: readonly Subnet[]): readonly Subnet[] {
  const zones = new Set<string>();
  return subnets.filter(({ availabilityZone: zone }) => {
    const text = zone.kind === 'known' ? zone.value : zone.kind === 'unknown' ? zone.symbol : undefined;
    if (text === undefined) return true;
    const isNew = !zones.has(text);
    zones.add(text);
    return isNew;
  });
}

const NAMES: Readonly<Record<string, { readonly id: string; readonly cdk: string }>> = {
  ec2: { id: 'Ec2Endpoint', cdk: 'EC2' },
  'ecr.api': { id: 'EcrApiEndpoint', cdk: 'ECR' },
  'ecr.dkr': { id: 'EcrDockerEndpoint', cdk: 'ECR_DOCKER' },
  sts: { id: 'StsEndpoint', cdk: 'STS' },
  'eks-auth': { id: 'EksAuthEndpoint', cdk: 'EKS_AUTH' },
  elasticloadbalancing: { id: 'LoadBalancingEndpoint', cdk: 'ELASTIC_LOAD_BALANCING' },
};

/** Partitions in China have a prefix in front of the names of all these services but S3. */
function prefixOf({ region }: Network): string {
  return region?.startsWith('cn-') === true ? 'cn.com.amazonaws' : 'com.amazonaws';
}

function templateOf(network: Network): string {
  const { vpc, subnets, tables, services, hasS3, region } = network;
  const others = [...subnets, ...tables];
  if (others.some(({ stack }) => stack !== vpc.stack) || (hasS3 && tables.some(({ kind }) => kind === 'vpc')))
    return UNNAMED;
  const name = (prefix: string, service: string) =>
    region === undefined ? `!Sub ${prefix}.\${AWS::Region}.${service}` : `${prefix}.${region}.${service}`;
  const references = (list: readonly Resource[]) => `[${list.map(({ id }) => `!Ref ${id}`).join(', ')}]`;
  const group = [
    'EndpointSecurityGroup:',
    '  Type: AWS::EC2::SecurityGroup',
    '  Properties:',
    '    GroupDescription: Lets the VPC reach its endpoints',
    `    VpcId: !Ref ${vpc.id}`,
    `    SecurityGroupIngress: [{ IpProtocol: tcp, FromPort: 443, ToPort: 443, CidrIp: !GetAtt ${vpc.id}.CidrBlock }]`,
  ];
  const interfaces = services.flatMap((service) => [
    `${NAMES[service]?.id ?? UNNAMED}:`,
    '  Type: AWS::EC2::VPCEndpoint',
    '  Properties:',
    `    VpcId: !Ref ${vpc.id}`,
    `    ServiceName: ${name(prefixOf(network), service)}`,
    '    VpcEndpointType: Interface',
    '    PrivateDnsEnabled: true',
    `    SubnetIds: ${references(subnets)}`,
    '    SecurityGroupIds: [!Ref EndpointSecurityGroup]',
  ]);
  const gateway = [
    'S3Endpoint:',
    '  Type: AWS::EC2::VPCEndpoint',
    '  Properties:',
    `    VpcId: !Ref ${vpc.id}`,
    `    ServiceName: ${name('com.amazonaws', 's3')}`,
    '    VpcEndpointType: Gateway',
    `    RouteTableIds: ${references(tables)}`,
  ];
  return [...(services.length > 0 ? [...interfaces, ...group] : []), ...(hasS3 ? gateway : [])].join('\n');
}

function cdkOf({ services, hasS3 }: Network): string {
  const interfaces = services.map((service) => {
    const { id, cdk } = NAMES[service] ?? { id: UNNAMED, cdk: UNNAMED };
    return `vpc.addInterfaceEndpoint('${id}', { service: ec2.InterfaceVpcEndpointAwsService.${cdk} });`;
  });
  const gateway = "vpc.addGatewayEndpoint('S3Endpoint', { service: ec2.GatewayVpcEndpointAwsService.S3 });";
  return ['// behind the VPC:', ...interfaces, ...(hasS3 ? [gateway] : [])].join('\n');
}

function terraformOf(network: Network): string {
  return network.vpc.moduleOutputs === undefined ? configurationOf(network) : moduleCallOf(network);
}

/** The modules of an address: `module.network["a"].`. */
const MODULES = /^(?:module\.[\w-]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?\.)*/;

function configurationOf(network: Network): string {
  const { vpc, subnets, tables, services, hasS3, region } = network;
  const module = MODULES.exec(vpc.id)?.[0] ?? '';
  const others = [...subnets, ...tables];
  if (others.some((one) => one.stack !== vpc.stack || MODULES.exec(one.id)?.[0] !== module)) return UNNAMED;
  const own = vpc.id.slice(module.length);
  const name = (prefix: string, service: string) =>
    `"${prefix}.${region ?? '${data.aws_region.of_provider.id}'}.${service}"`;
  const idsOf = (list: readonly Resource[], attribute = 'id') =>
    listed(
      list.map(({ id }) => id.slice(module.length)),
      attribute,
    );
  const tableIds = tables.flatMap((table) => (table.kind === 'vpc' ? [`${own}.main_route_table_id`] : []));
  const named = idsOf(tables.filter(({ kind }) => kind !== 'vpc'));
  const [only] = services;
  const isOne = services.length === 1 && only !== undefined;
  const interfaces = [
    'resource "aws_vpc_endpoint" "interface" {',
    ...(isOne ? [] : [`  for_each = toset([${services.map((service) => `"${service}"`).join(', ')}])`, '']),
    `  vpc_id              = ${own}.id`,
    `  service_name        = ${name(prefixOf(network), isOne ? only : '${each.value}')}`,
    '  vpc_endpoint_type   = "Interface"',
    '  private_dns_enabled = true',
    `  subnet_ids          = ${joined(idsOf(subnets))}`,
    '  security_group_ids  = [aws_security_group.endpoints.id]',
    '}',
    '',
    'resource "aws_security_group" "endpoints" {',
    `  vpc_id = ${own}.id`,
    '',
    '  ingress {',
    '    from_port   = 443',
    '    to_port     = 443',
    '    protocol    = "tcp"',
    `    cidr_blocks = [${own}.cidr_block]`,
    '  }',
    '}',
  ];
  const gateway = [
    'resource "aws_vpc_endpoint" "s3" {',
    `  vpc_id            = ${own}.id`,
    `  service_name      = ${name('com.amazonaws', 's3')}`,
    '  vpc_endpoint_type = "Gateway"',
    `  route_table_ids   = ${joined([...named, ...tableIds])}`,
    '}',
  ];
  const blocks = [
    ...(services.length > 0 ? [interfaces] : []),
    ...(hasS3 ? [gateway] : []),
    ...(region === undefined ? [['data "aws_region" "of_provider" {}']] : []),
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

/** References to resources: those of one `count` or `for_each` together. */
function listed(addresses: readonly string[], attribute: string): readonly string[] {
  const references = addresses.map((address) => {
    const [, block = '', key] = /^([\w-]+\.[\w-]+)(\[.*\])?$/s.exec(address) ?? [];
    if (key === undefined) return `${block}.${attribute}`;
    return /^\[(?:\d+|\*)\]$/.test(key) ? `${block}[*].${attribute}` : `values(${block})[*].${attribute}`;
  });
  return [...new Set(references)];
}

function joined(references: readonly string[]): string {
  const isList = (one: string) => one.includes('[*]');
  const [only] = references;
  if (references.length === 1 && only !== undefined && isList(only)) return only;
  if (!references.some(isList)) return `[${references.join(', ')}]`;
  return `concat(${references.map((one) => (isList(one) ? one : `[${one}]`)).join(', ')})`;
}

/** A call of the module's own submodule for endpoints. */
function moduleCallOf({ vpc, subnets, tables, services, hasS3 }: Network): string {
  const call = /module\.[\w-]+(?=(?:\[[^\]]*\])?\.aws_vpc\.)/.exec(vpc.id)?.[0];
  const output = (resource: Resource, attribute: string) => {
    const name = resource.moduleOutputs?.get(attribute);
    return name === undefined || call === undefined ? UNNAMED : `${call}.${name}`;
  };
  const all = (list: readonly Resource[]) => joinedLists([...new Set(list.map((one) => output(one, 'id')))]);
  const endpoint = (service: string) => [
    `    ${service.replaceAll(/\W/g, '_')} = {`,
    `      service             = "${service}"`,
    '      private_dns_enabled = true',
    `      subnet_ids          = ${all(subnets)}`,
    '    }',
  ];
  const gateway = [
    '    s3 = {',
    '      service         = "s3"',
    '      service_type    = "Gateway"',
    `      route_table_ids = ${all(tables)}`,
    '    }',
  ];
  return [
    'module "vpc_endpoints" {',
    '  source = "terraform-aws-modules/vpc/aws//modules/vpc-endpoints"',
    '',
    `  vpc_id = ${output(vpc, 'id')}`,
    ...(services.length === 0
      ? []
      : [
          '',
          '  create_security_group = true',
          '  security_group_rules = {',
          `    vpc_https = { cidr_blocks = [${output(vpc, 'cidr_block')}] }`,
          '  }',
        ]),
    '',
    '  endpoints = {',
    ...services.flatMap(endpoint),
    ...(hasS3 ? gateway : []),
    '  }',
    '}',
  ].join('\n');
}

function joinedLists(lists: readonly string[]): string {
  return lists.length === 1 ? (lists[0] ?? UNNAMED) : `concat(${lists.join(', ')})`;
}
