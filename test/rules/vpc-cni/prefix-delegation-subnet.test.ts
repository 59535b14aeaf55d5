import { prefixDelegationSubnet } from '../../../lib/rules/vpc-cni/prefix-delegation-subnet';
import { onCondition } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  addon,
  al2023,
  block,
  cni,
  CNI_BASICS,
  CONDITION,
  CUSTOM,
  IPV6,
  launchTemplate,
  MAIN,
  manifest,
  namedNodeGroup,
  nodeGroup,
  PREFIXES,
  resources,
  template,
  USES_NODES,
} from './max-pods-templates';

const CNI = cni(PREFIXES);
const NO_DISCOVERY = cni({ ...PREFIXES, ENABLE_SUBNET_DISCOVERY: 'false' });
const WITH_CUSTOM = cni({ ...PREFIXES, ...CUSTOM });
const VPC = block('Vpc', 'AWS::EC2::VPC', ['CidrBlock: 10.0.0.0/16']);

function subnet(id: string, cidr: string, zone = 'eu-west-1a'): string {
  return block(id, 'AWS::EC2::Subnet', [
    'VpcId: !Ref Vpc',
    `CidrBlock: ${cidr}`,
    ...(zone === '' ? [] : [`AvailabilityZone: ${zone}`]),
  ]);
}

function tagged(text: string, key = 'kubernetes.io/role/cni'): string {
  return `${text}\n    Tags: [{ Key: Name, Value: pods }, { Key: ${key}, Value: '1' }]`;
}

function workersIn(...subnets: readonly string[]): string {
  return nodeGroup('InstanceTypes: [m5.large]', `Subnets: [${subnets.join(', ')}]`);
}

function eniConfig(id: string, subnetId: string, zone = 'eu-west-1a'): string {
  const object = JSON.stringify([
    {
      apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
      kind: 'ENIConfig',
      metadata: { name: zone },
      spec: { subnet: 'SUBNET' },
    },
  ]);
  const [before = '', after = ''] = object.split('SUBNET');
  return block(id, 'Custom::AWSCDK-EKS-KubernetesResource', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `Manifest: { 'Fn::Join': ['', ['${before}', ${subnetId}, '${after}']] }`,
  ]);
}

testRule(prefixDelegationSubnet, {
  valid: [
    { name: 'a /20', template: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/20')) },
    { name: 'a /24', template: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/24')) },
    {
      name: 'small subnets of the control plane and of load balancers',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/20'),
        subnet('Control', '10.0.255.0/28'),
      ),
    },
    {
      name: "custom networking: pods don't use the small subnet of the nodes",
      template: resources(
        MAIN,
        VPC,
        WITH_CUSTOM,
        workersIn('!Ref A'),
        subnet('A', '10.0.255.0/27'),
        eniConfig('Pods', '!Ref B'),
        subnet('B', '10.0.0.0/20'),
      ),
    },
  ],
  invalid: [
    {
      name: 'a /28',
      template: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/28')),
      fixed: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/20')),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/28',
          related: ['!Ref A]', 'ConfigurationValues:'],
          says: ['Subnet "A" of node group "Workers" is 10.0.0.0/28'],
        },
      ],
    },
    {
      name: 'a /27',
      template: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/27')),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/27' }],
    },
    {
      name: 'a /26',
      template: resources(MAIN, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/26')),
      findings: [
        {
          message: 'fewPrefixes',
          severity: 'info',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/26',
          related: ['!Ref A]', 'ConfigurationValues:'],
          says: ['has 2 blocks'],
        },
      ],
    },
    {
      name: 'two /25',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A', '!Ref B'),
        subnet('A', '10.0.0.0/25'),
        subnet('B', '10.0.0.128/25', 'eu-west-1b'),
      ),
      findings: [
        {
          message: 'fewPrefixes',
          severity: 'info',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/25',
          says: ['has 6 blocks'],
        },
        { message: 'fewPrefixes', severity: 'info', resource: 'B', at: 'CidrBlock: 10.0.0.128/25' },
      ],
    },
    {
      name: "a large subnet without the tag of the CNI doesn't help",
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        subnet('Plain', '10.0.16.0/20'),
        tagged(subnet('Public', '10.0.32.0/20'), 'kubernetes.io/role/elb'),
      ),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/28' }],
    },
    {
      name: "a large subnet in another zone doesn't help",
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A', '!Ref B'),
        subnet('A', '10.0.0.0/28'),
        subnet('B', '10.0.16.0/20', 'eu-west-1b'),
      ),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/28' }],
    },
    {
      name: "without discovery a large subnet in the same zone doesn't help either",
      template: resources(
        MAIN,
        VPC,
        NO_DISCOVERY,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        subnet('Public', '10.0.16.0/20'),
      ),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/28' }],
    },
    {
      name: 'nor before the version that discovers subnets',
      template: resources(
        MAIN,
        VPC,
        CNI.replace('v1.21.1-eksbuild.5', 'v1.17.1-eksbuild.1').replace("'1.33'", "'1.29'"),
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        subnet('Public', '10.0.16.0/20'),
      ).replace("Version: '1.33'", "Version: '1.29'"),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/28' }],
    },
    {
      name: 'custom networking: the subnet of an ENIConfig in a manifest',
      template: resources(
        MAIN,
        VPC,
        WITH_CUSTOM,
        workersIn('!Ref A'),
        subnet('A', '10.0.16.0/20'),
        eniConfig('Pods', '!Ref B'),
        subnet('B', '10.0.0.0/27'),
      ),
      fixed: resources(
        MAIN,
        VPC,
        WITH_CUSTOM,
        workersIn('!Ref A'),
        subnet('A', '10.0.16.0/20'),
        eniConfig('Pods', '!Ref B'),
        subnet('B', '10.0.0.0/24'),
      ),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'B',
          at: 'CidrBlock: 10.0.0.0/27',
          related: ['Pods:', 'ConfigurationValues:'],
          says: ['Subnet "B" of ENIConfig "eu-west-1a"'],
        },
      ],
    },
    {
      name: 'a subnet of two groups is reported once',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        namedNodeGroup('Others', 'Subnets: [!Ref A]'),
        subnet('A', '10.0.0.0/28'),
      ),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/28',
          related: ['!Ref A]', 'ConfigurationValues:'],
          says: ['of node group "Workers" and node group "Others" is'],
        },
      ],
    },
    {
      name: 'a self-managed group',
      template: resources(
        MAIN,
        VPC,
        CNI,
        block('Workers', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '3'",
          'VPCZoneIdentifier: [!Ref A]',
          'LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }',
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
        al2023('config:', '  maxPods: 110'),
        subnet('A', '10.0.0.0/28'),
      ),
      findings: [{ message: 'noPrefix', severity: 'error', resource: 'A', at: 'CidrBlock: 10.0.0.0/28' }],
    },
    {
      name: 'under a condition on the subnets',
      template: template(
        CONDITION,
        MAIN,
        VPC,
        CNI,
        nodeGroup('Subnets: !If [IsProduction, [!Ref Large], [!Ref A]]'),
        subnet('A', '10.0.0.0/28'),
        subnet('Large', '10.0.16.0/20', 'eu-west-1b'),
      ),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/28',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'under a condition on the range',
      template: template(
        CONDITION,
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '!If [IsProduction, 10.0.0.0/20, 10.0.0.0/28]'),
      ),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'A',
          at: 'CidrBlock: !If',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'a group and its subnet that are created under a condition only',
      template: template(
        CONDITION,
        MAIN,
        VPC,
        CNI,
        onCondition('IsProduction', workersIn('!Ref A')),
        onCondition('IsProduction', subnet('A', '10.0.0.0/28')),
      ),
      findings: [
        {
          message: 'noPrefix',
          severity: 'error',
          resource: 'A',
          at: 'CidrBlock: 10.0.0.0/28',
          omits: ['This happens when'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a range that is decided at deployment',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '!Select [0, !Cidr [!GetAtt Vpc.CidrBlock, 4, 12]]'),
      ),
      resources: ['A'],
      because: 'range',
    },
    {
      name: "a subnet that isn't part of the input",
      template: resources(MAIN, CNI, workersIn('subnet-0123456789abcdef0')),
      resources: ['Workers'],
      because: 'subnet-0123456789abcdef0',
    },
    {
      name: 'a list of subnets by a parameter',
      template: template(
        'Parameters:\n  Subnets: { Type: List<AWS::EC2::Subnet::Id> }',
        MAIN,
        CNI,
        nodeGroup('Subnets: !Ref Subnets'),
      ),
      resources: ['Workers'],
      because: 'parameter Subnets',
    },
    {
      name: 'a large subnet of the same zone that is tagged',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        tagged(subnet('Public', '10.0.16.0/20')),
      ),
      resources: ['A'],
      because: 'subnet "Public" is or may be tagged',
    },
    {
      name: 'a large subnet of the same zone that may be tagged',
      template: template(
        'Parameters:\n  P: { Type: String }',
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        tagged(subnet('Public', '10.0.16.0/20'), '!Ref P'),
      ),
      resources: ['A'],
      because: 'Public',
    },
    {
      name: 'a large subnet that may be in the same zone',
      template: resources(
        MAIN,
        VPC,
        CNI,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28', "!Select [0, !GetAZs '']"),
        tagged(subnet('Public', '10.0.16.0/20', "!Select [1, !GetAZs '']")),
      ),
      resources: ['A'],
      because: 'Public',
    },
    {
      name: 'prefix delegation by a parameter',
      template: template(
        'Parameters:\n  Prefixes: { Type: String }',
        MAIN,
        VPC,
        addon(
          'Cni',
          ...CNI_BASICS,
          `ConfigurationValues: { 'Fn::Join': ['', ['{"env":{"ENABLE_PREFIX_DELEGATION":"', !Ref Prefixes, '"}}']] }`,
        ),
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
      ),
      resources: ['A'],
      because: 'parameter Prefixes',
    },
    {
      name: 'a cluster outside of the input',
      template: resources(
        VPC,
        CNI.replace('!Ref Cluster', 'main'),
        workersIn('!Ref A').replace('!Ref Cluster', 'main'),
        subnet('A', '10.0.0.0/28'),
      ),
      resources: ['A'],
    },
    {
      name: "an AMI of which the operating system isn't known",
      template: resources(
        MAIN,
        VPC,
        CNI,
        nodeGroup('Subnets: [!Ref A]', USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
        subnet('A', '10.0.0.0/28'),
      ),
      resources: ['A'],
      because: 'Linux nodes only',
    },
    {
      name: 'the subnet of an ENIConfig by id',
      template: resources(MAIN, WITH_CUSTOM, nodeGroup(), eniConfig('Pods', "'subnet-0123456789abcdef0'")),
      resources: ['Pods'],
    },
  ],
  notApplicable: [
    {
      name: 'prefix delegation is off',
      template: resources(MAIN, VPC, cni({}), workersIn('!Ref A'), subnet('A', '10.0.0.0/28')),
    },
    {
      name: 'Auto Mode alone, where no pod of the VPC CNI takes prefixes, whatever ENIConfigs there are',
      template: resources(
        block('Cluster', 'AWS::EKS::Cluster', ["Version: '1.33'", 'ComputeConfig: { Enabled: true }']),
        VPC,
        WITH_CUSTOM,
        eniConfig('Pods', '!Ref A'),
        subnet('A', '10.0.0.0/28'),
      ),
    },
    { name: 'no add-on', template: resources(MAIN, VPC, workersIn('!Ref A'), subnet('A', '10.0.0.0/28')) },
    { name: 'an IPv6 cluster', template: resources(IPV6, VPC, CNI, workersIn('!Ref A'), subnet('A', '10.0.0.0/28')) },
    {
      name: 'Windows nodes',
      template: resources(
        MAIN,
        VPC,
        cni(PREFIXES, { enableWindowsIpam: 'true' }),
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', 'Subnets: [!Ref A]'),
        subnet('A', '10.0.0.0/28'),
      ),
    },
    {
      name: 'custom networking without an ENIConfig',
      template: resources(
        MAIN,
        VPC,
        WITH_CUSTOM,
        workersIn('!Ref A'),
        subnet('A', '10.0.0.0/28'),
        manifest('Map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }),
      ),
    },
  ],
});
