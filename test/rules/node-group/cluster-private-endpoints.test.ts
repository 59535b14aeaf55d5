import { clusterPrivateEndpoints } from '../../../lib/rules/node-group/cluster-private-endpoints';
import {
  addon,
  block,
  cluster,
  helmChart,
  launchTemplate,
  lookedUpImage,
  manifest,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';

const VPC = block('Vpc', 'AWS::EC2::VPC', ['CidrBlock: 10.0.0.0/16']);
const subnet = (id: string, vpc = '!Ref Vpc') =>
  block(id, 'AWS::EC2::Subnet', [
    `VpcId: ${vpc}`,
    `CidrBlock: 10.0.${id.charCodeAt(0) - 64}.0/24`,
    `AvailabilityZone: eu-west-1${id.toLowerCase().charAt(0)}`,
  ]);
const table = (id = 'Table') => block(id, 'AWS::EC2::RouteTable', ['VpcId: !Ref Vpc']);
const associated = (of: string, to = '!Ref Table') =>
  block(`${of}Association`, 'AWS::EC2::SubnetRouteTableAssociation', [`SubnetId: !Ref ${of}`, `RouteTableId: ${to}`]);
const route = (id: string, ...properties: readonly string[]) =>
  block(id, 'AWS::EC2::Route', ['RouteTableId: !Ref Table', ...properties]);
const OUT = route('Out', 'DestinationCidrBlock: 0.0.0.0/0', 'NatGatewayId: nat-0123456789abcdef0');

const CLUSTER = cluster(
  "Version: '1.35'",
  'UpgradePolicy: { SupportType: STANDARD }',
  'ResourcesVpcConfig: { SubnetIds: [!Ref A, !Ref B], EndpointPrivateAccess: true }',
);
const PUBLIC_CLUSTER = CLUSTER.replace(', EndpointPrivateAccess: true', '');
const WORKERS = nodeGroup('Subnets: [!Ref A, !Ref B]', 'AmiType: BOTTLEROCKET_x86_64');

/** An isolated network: nothing but the VPC's own routes. */
const NETWORK = [VPC, subnet('A'), subnet('B'), table(), associated('A'), associated('B')];
const ISOLATED = [...NETWORK, CLUSTER, WORKERS];

const exported = (output: string, ...blocks: readonly string[]) =>
  `${resources(...blocks)}\nOutputs:\n  Network:\n    ${output}\n`;

const endpoint = (id: string, service: string, ...properties: readonly string[]) =>
  block(id, 'AWS::EC2::VPCEndpoint', [
    'VpcId: !Ref Vpc',
    `ServiceName: !Sub 'com.amazonaws.\${AWS::Region}.${service}'`,
    ...(properties.length === 0 ? ['VpcEndpointType: Interface', 'PrivateDnsEnabled: true'] : properties),
  ]);
const EC2 = endpoint('Ec2', 'ec2');
const API = endpoint('Api', 'ecr.api');
const DOCKER = endpoint('Docker', 'ecr.dkr');
const S3 = endpoint('S3', 's3', 'VpcEndpointType: Gateway', 'RouteTableIds: [!Ref Table]');
const guarded = (id: string, service: string) =>
  endpoint(
    id,
    service,
    'VpcEndpointType: Interface',
    'PrivateDnsEnabled: true',
    `SecurityGroupIds: [!Ref Guard] # ${id.toLowerCase()}`,
  );
const guard = (...ingress: readonly string[]) =>
  block('Guard', 'AWS::EC2::SecurityGroup', [
    'GroupDescription: endpoints',
    'VpcId: !Ref Vpc',
    'SecurityGroupIngress:',
    ...ingress.map((rule) => `  - ${rule}`),
  ]);
const HTTPS = '{ IpProtocol: tcp, FromPort: 443, ToPort: 443, CidrIp: 10.0.0.0/16 }';
const HTTP = '{ IpProtocol: tcp, FromPort: 80, ToPort: 80, CidrIp: 10.0.0.0/16 }';
const PING = '{ IpProtocol: icmp, FromPort: -1, ToPort: -1, CidrIp: 10.0.0.0/16 }';
const GUARDED = [...ISOLATED, guarded('Ec2', 'ec2'), guarded('Api', 'ecr.api'), guarded('Docker', 'ecr.dkr'), S3];
const STS = endpoint('Sts', 'sts');
const AUTH = endpoint('Auth', 'eks-auth');
const CORE = [EC2, API, DOCKER, S3];

const ASSOCIATION = block('Association', 'AWS::EKS::PodIdentityAssociation', [
  'ClusterName: !Ref Cluster',
  'Namespace: shop',
  'ServiceAccount: web',
  'RoleArn: arn:aws:iam::111122223333:role/web',
]);
const IRSA = addon(
  'Ebs',
  'AddonName: aws-ebs-csi-driver',
  "AddonVersion: 'v1.50.1-eksbuild.1'",
  'ServiceAccountRoleArn: arn:aws:iam::111122223333:role/ebs',
);
const FARGATE = block('Profile', 'AWS::EKS::FargateProfile', [
  'ClusterName: !Ref Cluster',
  'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
  'Subnets: [!Ref A, !Ref B]',
  'Selectors: [{ Namespace: shop }]',
]);
const ENI_CONFIG = manifest('EniConfig', {
  apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
  kind: 'ENIConfig',
  metadata: { name: 'eu-west-1a' },
  spec: { subnet: 'subnet-0123456789abcdef0' },
});
const CUSTOM_NETWORK = addon(
  'Cni',
  'AddonName: vpc-cni',
  'ResolveConflicts: PRESERVE',
  `ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}'`,
);
const CONTROLLER = helmChart('Balancer', 'aws-load-balancer-controller', { vpcId: 'vpc-1', region: 'eu-west-1' });

const MISSING = { message: 'missing', severity: 'warning', resource: 'Vpc', at: 'Vpc' } as const;
const userData = (text: string) =>
  launchTemplate(
    'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
    `UserData: ${Buffer.from(text).toString('base64')}`,
  );
const WITH_TEMPLATE = nodeGroup('Subnets: [!Ref A, !Ref B]', USES_NODES);

testRule(clusterPrivateEndpoints, {
  valid: [
    { name: 'an isolated network with all endpoints', template: resources(...ISOLATED, ...CORE) },
    {
      name: 'endpoints whose security group lets the VPC in on port 443',
      template: resources(...GUARDED, guard(PING, HTTPS)),
    },
    {
      name: 'endpoints whose security group lets everything in from the cluster',
      template: resources(
        ...GUARDED,
        guard("{ IpProtocol: '-1', SourceSecurityGroupId: !GetAtt Cluster.ClusterSecurityGroupId }"),
      ),
    },
    {
      name: 'endpoints whose security group gets its rule for port 443 apart from it',
      template: resources(
        ...GUARDED,
        guard(HTTP),
        block('Apart', 'AWS::EC2::SecurityGroupIngress', [
          'GroupId: !Ref Guard',
          'IpProtocol: tcp',
          'FromPort: 0',
          'ToPort: 65535',
          'CidrIp: 10.0.0.0/16',
        ]),
      ),
    },
    {
      name: 'a NAT gateway as the way out, and public access to the API server alone',
      template: resources(...NETWORK, OUT, PUBLIC_CLUSTER, WORKERS),
    },
    {
      name: 'central egress through a transit gateway',
      template: resources(
        ...NETWORK,
        route('Out', 'DestinationCidrBlock: 0.0.0.0/0', 'TransitGatewayId: tgw-0123456789abcdef0'),
        CLUSTER,
        WORKERS,
      ),
    },
    {
      name: 'a NAT instance of their own',
      template: resources(
        ...NETWORK,
        route('Out', 'DestinationCidrBlock: 0.0.0.0/0', 'InstanceId: i-0123456789abcdef0'),
        CLUSTER,
        WORKERS,
      ),
    },
    {
      name: 'a subnet of a VPC from elsewhere whose route leads out',
      template: template(
        'Parameters:\n  Network: { Type: String }',
        ...NETWORK.slice(1).map((one) => one.replace('!Ref Vpc', '!Ref Network')),
        OUT,
        CLUSTER,
        WORKERS,
      ),
    },
    {
      name: 'interface endpoints for S3 as well',
      template: resources(...ISOLATED, EC2, API, DOCKER, endpoint('S3', 's3')),
    },
    {
      name: 'subnets with the main route table of the VPC',
      template: resources(VPC, subnet('A'), subnet('B'), CLUSTER, WORKERS, EC2, API, DOCKER, endpoint('S3', 's3')),
    },
    {
      name: 'endpoints whose region is written out, and those of China',
      template: resources(
        ...ISOLATED,
        ...CORE.map((one) =>
          one.replace(
            /ServiceName: .*\.(ec2|ecr\.api|ecr\.dkr|s3)'/,
            (_, service: string) => `ServiceName: ${service === 's3' ? '' : 'cn.'}com.amazonaws.cn-north-1.${service}`,
          ),
        ),
      ),
    },
    {
      name: 'Pod Identity and roles of service accounts with their endpoints',
      template: resources(...ISOLATED, ...CORE, STS, AUTH, ASSOCIATION, IRSA),
    },
    {
      name: 'roles of service accounts of pods whose subnets are others, by custom networking',
      template: resources(...ISOLATED, ...CORE, IRSA, CUSTOM_NETWORK, ENI_CONFIG),
    },
    {
      name: 'Fargate alone, which needs no EC2 endpoint',
      template: resources(...NETWORK, CLUSTER, FARGATE, API, DOCKER, S3),
    },
    {
      name: 'a way out where there are no endpoints, and endpoints where there is none',
      template: template(
        'Parameters:\n  Private: { Type: String }\nConditions:\n  IsPrivate: !Equals [!Ref Private, "yes"]\n  IsOpen: !Not [!Condition IsPrivate]',
        ...ISOLATED,
        onCondition('IsOpen', OUT),
        ...CORE.map((one) => onCondition('IsPrivate', one)),
      ),
    },
    {
      name: 'AMIs that AWS publishes',
      template: resources(
        ...NETWORK,
        ...CORE,
        CLUSTER,
        lookedUpImage('/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id'),
        WITH_TEMPLATE,
      ),
    },
  ],
  invalid: [
    {
      name: 'an isolated network without any endpoint',
      template: resources(...ISOLATED),
      findings: [
        {
          ...MISSING,
          says: [
            'subnets "A" and "B"',
            'nodes of node group "Workers"',
            'VPC "Vpc"',
            'ec2, ecr.api, ecr.dkr and s3',
            "don't become Ready",
          ],
          related: ['Workers:', 'A:', 'B:'],
          advises: 'Create the endpoints in VPC "Vpc"',
        },
      ],
      fixed: resources(...ISOLATED, ...CORE),
    },
    {
      name: 'an output that nobody can import',
      template: exported('Value: !Ref Vpc', ...ISOLATED),
      findings: [MISSING],
      fixed: exported('Value: !Ref Vpc', ...ISOLATED, ...CORE),
    },
    {
      name: 'an export that the input itself imports',
      template: exported(
        'Value: !Ref Vpc\n    Export: { Name: network-vpc }',
        ...ISOLATED,
        block('Here', 'AWS::EC2::SecurityGroup', [
          'GroupDescription: of this input',
          "VpcId: { 'Fn::ImportValue': network-vpc }",
        ]),
      ),
      findings: [MISSING],
    },
    {
      name: 'one endpoint is missing',
      template: resources(...ISOLATED, API, DOCKER, S3),
      findings: [{ ...MISSING, says: ['no endpoint for ec2:'], omits: ['ecr'] }],
      fixed: resources(...ISOLATED, ...CORE),
    },
    {
      name: 'an endpoint of another VPC',
      template: resources(
        ...ISOLATED,
        ...CORE.slice(1),
        block('Other', 'AWS::EC2::VPC', ['CidrBlock: 10.1.0.0/16']),
        EC2.replace('!Ref Vpc', '!Ref Other'),
      ),
      findings: [{ ...MISSING, says: ['no endpoint for ec2:'] }],
    },
    {
      name: 'private DNS is off',
      template: resources(...ISOLATED, EC2.replace('Enabled: true', 'Enabled: false'), API, DOCKER, S3),
      findings: [
        {
          message: 'private-dns',
          severity: 'warning',
          resource: 'Ec2',
          at: 'PrivateDnsEnabled',
          says: ['for endpoint "Ec2" (ec2)', 'subnets "A" and "B"'],
          advises: 'Turn private DNS on.',
        },
      ],
      fixed: resources(...ISOLATED, ...CORE),
    },
    {
      name: 'private DNS is not written, which means off',
      template: resources(...ISOLATED, endpoint('Ec2', 'ec2', 'VpcEndpointType: Interface'), API, DOCKER, S3),
      findings: [{ message: 'private-dns', severity: 'warning', resource: 'Ec2', at: 'Properties: # ec2' }],
    },
    {
      name: 'a gateway endpoint for S3 in another route table',
      template: resources(...ISOLATED, table('Other'), EC2, API, DOCKER, S3.replace('!Ref Table', '!Ref Other')),
      findings: [
        {
          message: 'route-table',
          severity: 'warning',
          resource: 'S3',
          at: 'RouteTableIds',
          says: ['subnets "A" and "B"', 'layers'],
          advises: 'Add the route table',
        },
      ],
      fixed: resources(...ISOLATED, table('Other'), ...CORE),
    },
    {
      name: 'a gateway endpoint for S3 in one of two route tables',
      template: resources(
        VPC,
        subnet('A'),
        subnet('B'),
        table(),
        table('Other'),
        associated('A'),
        associated('B', '!Ref Other'),
        CLUSTER,
        WORKERS,
        ...CORE,
      ),
      findings: [{ message: 'route-table', severity: 'warning', resource: 'S3', at: 'RouteTableIds' }],
    },
    {
      name: 'a cluster with public access alone',
      template: resources(...NETWORK, ...CORE, PUBLIC_CLUSTER, WORKERS),
      findings: [
        {
          message: 'private-access',
          severity: 'warning',
          resource: 'Cluster',
          at: 'ResourcesVpcConfig',
          says: ['Cluster "Cluster"', 'never join'],
          advises: 'Turn private access',
        },
      ],
      fixed: resources(...ISOLATED, ...CORE),
    },
    {
      name: 'Pod Identity and roles of service accounts without their endpoints',
      template: resources(...ISOLATED, ...CORE, ASSOCIATION, IRSA),
      findings: [
        {
          ...MISSING,
          says: ['no endpoint for eks-auth and sts', 'Pod Identity (Association)', 'service account (Ebs)'],
        },
      ],
      fixed: resources(...ISOLATED, ...CORE, STS, AUTH, ASSOCIATION, IRSA),
    },
    {
      name: 'the AWS Load Balancer Controller without the endpoint of its service',
      template: resources(...ISOLATED, ...CORE, CONTROLLER),
      findings: [{ ...MISSING, says: ['no endpoint for elasticloadbalancing: the AWS Load Balancer Controller'] }],
      fixed: resources(...ISOLATED, ...CORE, CONTROLLER, endpoint('Elb', 'elasticloadbalancing')),
    },
    {
      name: 'a Fargate profile without endpoints',
      template: resources(...NETWORK, CLUSTER, FARGATE),
      findings: [
        {
          ...MISSING,
          says: ['pods of Fargate profile "Profile"', 'ecr.api, ecr.dkr and s3'],
          omits: ['ec2', 'node group'],
        },
      ],
      fixed: resources(...NETWORK, CLUSTER, FARGATE, API, DOCKER, S3),
    },
    {
      name: 'one of two subnets has no way out',
      template: resources(
        VPC,
        subnet('A'),
        subnet('B'),
        table(),
        table('Closed'),
        associated('A'),
        associated('B', '!Ref Closed'),
        OUT,
        CLUSTER,
        WORKERS,
      ),
      findings: [{ ...MISSING, says: ['subnet "B",'] }],
    },
    {
      name: 'where a condition leaves the way out away',
      template: template(
        'Parameters:\n  Nat: { Type: String }\nConditions:\n  HasNat: !Equals [!Ref Nat, "yes"]',
        ...ISOLATED,
        onCondition('HasNat', OUT),
      ),
      findings: [{ ...MISSING, says: ['This happens when', 'HasNat is false'] }],
    },
    {
      name: 'endpoints whose security group lets nobody in on port 443',
      template: resources(...GUARDED, guard(HTTP, PING)),
      fixed: resources(...GUARDED, guard(HTTP, PING, HTTPS)),
      findings: [
        {
          message: 'security-group',
          severity: 'warning',
          resource: 'Api',
          at: 'SecurityGroupIds: [!Ref Guard] # api',
          says: ['endpoints "Api", "Docker" and "Ec2" (ec2, ecr.api and ecr.dkr)', 'port 443', 'times out'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a route to another network, where endpoints may be',
      template: resources(
        ...ISOLATED,
        route('Peer', 'DestinationCidrBlock: 10.9.0.0/16', 'VpcPeeringConnectionId: pcx-0123456789abcdef0'),
      ),
      resources: ['Workers'],
      because:
        'a peering connection leads to another VPC (10.9.0.0/16), whose interface endpoints may be used from here',
    },
    {
      name: 'a default route over a peering connection, which is no way out',
      template: resources(
        ...ISOLATED,
        route('Peer', 'DestinationCidrBlock: 0.0.0.0/0', 'VpcPeeringConnectionId: pcx-0123456789abcdef0'),
      ),
      resources: ['Workers'],
      because: 'to the internet it leads nobody',
    },
    {
      name: 'a transit gateway to another network',
      template: resources(
        ...ISOLATED,
        route('Transit', 'DestinationCidrBlock: 10.0.0.0/8', 'TransitGatewayId: tgw-0123456789abcdef0'),
      ),
      resources: ['Workers'],
      because: 'a transit gateway leads to 10.0.0.0/8, where endpoints may be',
    },
    {
      name: 'an egress-only gateway, over which only some names are reached',
      template: resources(
        ...ISOLATED,
        route('Out', "DestinationIpv6CidrBlock: '::/0'", 'EgressOnlyInternetGatewayId: eigw-0123456789abcdef0'),
      ),
      resources: ['Workers'],
      because: 'IPv6',
    },
    {
      name: 'a transit gateway whose routes are added elsewhere',
      template: resources(
        ...ISOLATED,
        block('Transit', 'AWS::EC2::TransitGatewayAttachment', [
          'VpcId: !Ref Vpc',
          'TransitGatewayId: tgw-0123456789abcdef0',
          'SubnetIds: [!Ref A]',
        ]),
      ),
      resources: ['Workers'],
      because: 'Transit connects',
    },
    {
      name: 'a VPC of which the input has the subnets alone',
      template: resources(
        ...NETWORK.slice(1).map((one) => one.replace('!Ref Vpc', 'vpc-0123456789abcdef0')),
        CLUSTER,
        WORKERS,
      ),
      resources: ['Workers'],
      because: "vpc-0123456789abcdef0 isn't part of the input",
    },
    {
      name: 'a route table from elsewhere',
      template: template(
        'Parameters:\n  Elsewhere: { Type: String }',
        VPC,
        subnet('A'),
        subnet('B'),
        table(),
        associated('A', '!Ref Elsewhere'),
        associated('B', '!Ref Elsewhere'),
        CLUSTER,
        WORKERS,
      ),
      resources: ['Workers'],
      because: 'Elsewhere',
    },
    {
      name: 'a route whose table is not known',
      template: template(
        'Parameters:\n  Elsewhere: { Type: String }',
        ...ISOLATED,
        OUT.replace('!Ref Table', '!Ref Elsewhere'),
      ),
      resources: ['Workers'],
      because: 'Out is in',
    },
    {
      name: 'an endpoint whose VPC is not known',
      template: template(
        'Parameters:\n  Elsewhere: { Type: String }',
        ...ISOLATED,
        ...CORE.slice(1),
        EC2.replace('!Ref Vpc', '!Ref Elsewhere'),
      ),
      resources: ['Vpc'],
      because: 'Ec2 is in',
    },
    {
      name: 'an endpoint for a service that is not known',
      template: template(
        'Parameters:\n  Service: { Type: String }',
        ...ISOLATED,
        ...CORE.slice(1),
        EC2.replace(/ServiceName: .*/, 'ServiceName: !Ref Service'),
      ),
      resources: ['Vpc'],
      because: 'Ec2 is for',
    },
    {
      name: 'private DNS that is decided at deployment',
      template: template(
        'Parameters:\n  Dns: { Type: String }',
        ...ISOLATED,
        ...CORE.slice(1),
        EC2.replace('Enabled: true', 'Enabled: !Ref Dns'),
      ),
      resources: ['Vpc'],
      because: 'private DNS',
    },
    {
      name: 'private DNS is off, but a hosted zone may have the name',
      template: resources(
        ...ISOLATED,
        ...CORE.slice(1),
        EC2.replace('Enabled: true', 'Enabled: false'),
        block('Zone', 'AWS::Route53::HostedZone', ['Name: ec2.eu-west-1.amazonaws.com']),
      ),
      resources: ['Vpc'],
      because: 'hosted zone',
    },
    {
      name: 'an AMI of their own, which may hold all images',
      template: resources(
        ...NETWORK,
        CLUSTER,
        launchTemplate(
          'ImageId: ami-0123456789abcdef0',
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
        ),
        WITH_TEMPLATE,
      ),
      resources: ['Vpc'],
      because: 'AMI of Workers',
    },
    {
      name: 'user data that name a proxy',
      template: resources(
        ...NETWORK,
        CLUSTER,
        userData(
          [
            'MIME-Version: 1.0',
            'Content-Type: multipart/mixed; boundary="B"',
            '',
            '--B',
            'Content-Type: text/x-shellscript; charset="us-ascii"',
            '',
            '#!/bin/bash',
            'echo HTTPS_PROXY=http://10.0.9.9:3128 >> /etc/environment',
            '--B--',
            '',
          ].join('\n'),
        ),
        WITH_TEMPLATE,
      ),
      resources: ['Vpc'],
      because: 'proxy',
    },
    {
      name: 'private access that is decided at deployment',
      template: template(
        'Parameters:\n  Access: { Type: String }',
        ...NETWORK,
        ...CORE,
        CLUSTER.replace('Access: true', 'Access: !Ref Access'),
        WORKERS,
      ),
      resources: ['Cluster'],
      because: 'Access',
    },
    {
      name: 'a VPC that is exported to stacks that are not here',
      template: exported('Value: !Ref Vpc\n    Export: { Name: network-vpc }', ...ISOLATED),
      resources: ['Workers'],
      because: 'output Network exports it to other stacks',
    },
    {
      name: 'a nested stack that is given the VPC, and is not here',
      template: resources(
        ...ISOLATED,
        block('More', 'AWS::CloudFormation::Stack', [
          'TemplateURL: https://example.com/endpoints.yaml',
          'Parameters: { VpcId: !Ref Vpc }',
        ]),
      ),
      resources: ['Workers'],
      because: 'nested stack More',
    },
  ],
  notApplicable: [
    {
      name: 'subnets that the input does not show',
      template: resources(...NETWORK, CLUSTER, nodeGroup('Subnets: [subnet-1]')),
    },
    { name: 'a cluster without nodes', template: resources(...NETWORK, CLUSTER) },
    {
      name: 'a local cluster on an Outpost',
      template: resources(
        ...NETWORK,
        CLUSTER.replace(
          'ResourcesVpcConfig',
          'OutpostConfig: { ControlPlaneInstanceType: m5.large, OutpostArns: [arn:aws:outposts:eu-west-1:111122223333:outpost/op-1] }\n    ResourcesVpcConfig',
        ),
        WORKERS,
      ),
    },
  ],
});
