import { podSecurityGroupsSnat } from '../../../lib/rules/vpc-cni/pod-security-groups-snat';
import {
  block,
  CLUSTER,
  cluster,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { cni, cniWith, DEMUX, FARGATE, IPV6_CLUSTER, patch, POD_ENI, STANDARD, substituted } from './pod-eni-templates';

const CONDITION = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';

function subnet(id: string, ...properties: readonly string[]): string {
  return block(id, 'AWS::EC2::Subnet', ['VpcId: vpc-1', 'CidrBlock: 10.0.0.0/24', ...properties]);
}

const PUBLIC = subnet('Public', 'MapPublicIpOnLaunch: true');
const PUBLIC_B = subnet('PublicB', "MapPublicIpOnLaunch: 'true'");
const PRIVATE = subnet('Private');
const PRIVATE_B = subnet('PrivateB', 'MapPublicIpOnLaunch: false');
const EXTERNAL = { env: { ...STANDARD.env, AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } };
const TYPES = 'InstanceTypes: [m5.large]';
const at = 'Subnets';
const PUBLIC_FINDING = { message: 'public-subnets', severity: 'info', resource: 'Workers', at } as const;
const SNAT_FINDING = {
  message: 'node-security-groups',
  severity: 'info',
  resource: 'Cni',
  at: 'ConfigurationValues',
} as const;

testRule(podSecurityGroupsSnat, {
  valid: [
    {
      name: 'strict with private subnets',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PRIVATE,
        PRIVATE_B,
        nodeGroup(TYPES, 'Subnets: [!Ref Private, !Ref PrivateB]'),
      ),
    },
    {
      name: 'strict with public and private subnets',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PUBLIC,
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: [!Ref Public, !Ref Private]'),
      ),
    },
    {
      name: 'strict with a public group beside a private one',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PUBLIC,
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: [!Ref Public]'),
        namedNodeGroup('Inner', TYPES, 'Subnets: [!Ref Private]'),
      ),
    },
    {
      name: 'a private group makes unknown ones idle',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: [subnet-1]'),
        namedNodeGroup('Inner', TYPES, 'Subnets: [!Ref Private]'),
      ),
    },
    { name: 'standard with translation outside', template: resources(CLUSTER, cni(EXTERNAL)) },
    {
      name: 'strict with private subnets where it matters',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(DEMUX)}', '{}']`]),
        PUBLIC,
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: [!If [IsProd, !Ref Private, !Ref Public]]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'strict with public subnets only',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PUBLIC,
        PUBLIC_B,
        nodeGroup(TYPES, 'Subnets: [!Ref Public, !Ref PublicB]'),
      ),
      fixed: resources(CLUSTER, cni(DEMUX), PRIVATE, nodeGroup(TYPES, 'Subnets: [!Ref Private]')),
      findings: [{ ...PUBLIC_FINDING, says: ['Public and PublicB', 'Workers'] }],
    },
    {
      name: 'strict with a public group beside a Windows group in a private subnet',
      template: resources(
        CLUSTER,
        cni(DEMUX),
        PUBLIC,
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: [!Ref Public]'),
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'Subnets: [!Ref Private]'),
      ),
      findings: [PUBLIC_FINDING],
      also: ['vpc-cni-windows-ipam'],
    },
    {
      name: 'every group is public',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        PUBLIC,
        nodeGroup(TYPES, 'Subnets: [!Ref Public]'),
        namedNodeGroup('Other', TYPES, 'Subnets: [ !Ref Public ]'),
      ),
      findings: [
        PUBLIC_FINDING,
        { ...PUBLIC_FINDING, resource: 'Other', at: 'Subnets: [ !Ref Public ]', says: ['Other'] },
      ],
    },
    {
      name: 'public in one branch',
      template: template(
        CONDITION,
        CLUSTER,
        cni(DEMUX),
        PUBLIC,
        PRIVATE,
        nodeGroup(TYPES, 'Subnets: !If [IsProd, [!Ref Private], [!Ref Public]]'),
      ),
      findings: [{ ...PUBLIC_FINDING, says: ['IsProd is false'] }],
    },
    {
      name: 'a self-managed group',
      template: resources(
        cluster('Name: main', "Version: '1.33'"),
        cni(DEMUX),
        PUBLIC,
        block('Workers', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '3'",
          'VPCZoneIdentifier: [!Ref Public]',
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
      ),
      findings: [{ ...PUBLIC_FINDING, at: 'VPCZoneIdentifier' }],
    },
    {
      name: 'standard, translation by the node by default',
      template: resources(CLUSTER, cni(STANDARD)),
      fixed: resources(CLUSTER, cni(EXTERNAL)),
      findings: [{ ...SNAT_FINDING, says: ['Add-on Cni'] }],
    },
    {
      name: 'standard, translation written as off',
      template: resources(CLUSTER, cni({ env: { ...EXTERNAL.env, AWS_VPC_K8S_CNI_EXTERNALSNAT: 'false' } })),
      findings: [SNAT_FINDING],
    },
    {
      name: 'standard in one branch',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(STANDARD)}', '${JSON.stringify(DEMUX)}']`]),
      ),
      findings: [{ ...SNAT_FINDING, says: ['IsProd is true'] }],
    },
    {
      name: 'an add-on under a condition does not name it',
      template: template(CONDITION, CLUSTER, onCondition('IsProd', cni(STANDARD))),
      findings: [{ ...SNAT_FINDING, omits: ['This happens when'] }],
    },
  ],
  unverifiable: [
    {
      name: 'subnets that the input does not hold',
      template: resources(CLUSTER, cni(DEMUX), nodeGroup(TYPES, 'Subnets: [subnet-1]')),
      resources: ['Workers'],
      because: 'subnets',
    },
    {
      name: 'subnets from a parameter',
      template: template(
        'Parameters:\n  P: { Type: List<AWS::EC2::Subnet::Id> }',
        CLUSTER,
        cni(DEMUX),
        nodeGroup(TYPES, 'Subnets: !Ref P'),
      ),
      resources: ['Workers'],
      because: 'subnets',
    },
    {
      name: 'whether the subnet is public',
      template: template(
        PARAMETER,
        CLUSTER,
        cni(DEMUX),
        subnet('Some', 'MapPublicIpOnLaunch: !Ref P'),
        nodeGroup(TYPES, 'Subnets: [!Ref Some]'),
      ),
      resources: ['Workers'],
      because: 'public',
    },
    {
      name: 'the IP family of an imported cluster',
      template: resources(cni(STANDARD).replace('!Ref Cluster', 'main')),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'the mode',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(cni({ env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: '${P}' } })),
      ),
      resources: ['Cni'],
      because: 'ENFORCING_MODE',
    },
    {
      name: 'whether ENABLE_POD_ENI is on',
      template: template(PARAMETER, CLUSTER, substituted(cni({ env: { ENABLE_POD_ENI: '${P}' } }))),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'the translation',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(cni({ env: { ...EXTERNAL.env, AWS_VPC_K8S_CNI_EXTERNALSNAT: '${P}' } })),
      ),
      resources: ['Cni'],
      because: 'EXTERNALSNAT',
    },
    {
      name: 'a patch of the translation',
      template: resources(CLUSTER, cni(STANDARD), patch('AWS_VPC_K8S_CNI_EXTERNALSNAT', 'true')),
      resources: ['Cni'],
      because: 'patch Patch',
    },
    {
      name: 'a patch of the mode',
      template: resources(CLUSTER, cni(STANDARD), patch('POD_SECURITY_GROUP_ENFORCING_MODE', 'strict')),
      resources: ['Cni'],
      because: 'patch Patch',
    },
  ],
  notApplicable: [
    {
      name: 'ENABLE_POD_ENI is off',
      template: resources(CLUSTER, cni({}), PUBLIC, nodeGroup(TYPES, 'Subnets: [!Ref Public]')),
    },
    {
      name: 'an IPv6 cluster',
      template: resources(IPV6_CLUSTER, cni(STANDARD), PUBLIC, nodeGroup(TYPES, 'Subnets: [!Ref Public]')),
    },
    { name: 'strict, and no node group to see', template: resources(CLUSTER, cni(DEMUX)) },
    { name: 'Fargate only', template: resources(CLUSTER, cni(STANDARD), FARGATE) },
    {
      name: 'a mode with which aws-node does not start',
      template: resources(CLUSTER, cni({ env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'off' } })),
    },
    { name: 'no add-on', template: resources(CLUSTER, PUBLIC, nodeGroup(TYPES, 'Subnets: [!Ref Public]')) },
    { name: 'another add-on', template: resources(CLUSTER, cni(STANDARD).replace('vpc-cni', 'kube-proxy')) },
  ],
});
