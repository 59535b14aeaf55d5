import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { clusterSubnetCapacity } from '../../../lib/rules/node-group/cluster-subnet-capacity';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { addon, block, CLUSTER, cluster, manifest, nodeGroup, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const subnet = (id: string, cidr: string, zone = `eu-west-1${id.slice(-1).toLowerCase()}`) =>
  block(id, 'AWS::EC2::Subnet', ['VpcId: vpc-1', `CidrBlock: ${cidr}`, `AvailabilityZone: ${zone}`]);
const on = (...ids: readonly string[]) => `[${ids.map((id) => `!Ref ${id}`).join(', ')}]`;
const clusterOn = (...ids: readonly string[]) =>
  cluster("Version: '1.33'", `ResourcesVpcConfig: { SubnetIds: ${on(...ids)} }`);
const group = (max: number | string, ...ids: readonly string[]) =>
  nodeGroup(`Subnets: ${on(...ids)}`, `ScalingConfig: { MinSize: 1, DesiredSize: 1, MaxSize: ${max} }`);

const WIDE = [subnet('WideA', '10.0.0.0/24'), subnet('WideB', '10.0.1.0/24')];
const TINY = [subnet('TinyA', '10.0.2.0/28'), subnet('TinyB', '10.0.2.16/28')];
const APART = clusterOn('WideA', 'WideB');

const cni = (values: object) =>
  addon('Cni', 'AddonName: vpc-cni', 'ResolveConflicts: PRESERVE', `ConfigurationValues: '${JSON.stringify(values)}'`);
const SMALL = { message: 'small', severity: 'warning', resource: 'Workers', at: 'Subnets' } as const;
const ONE_ZONE = { message: 'one-zone', severity: 'error', resource: 'Cluster', at: 'SubnetIds' } as const;

testRule(clusterSubnetCapacity, {
  valid: [
    {
      name: 'tiny subnets that are for the control plane alone, as AWS recommends',
      template: resources(...WIDE, ...TINY, clusterOn('TinyA', 'TinyB'), group(20, 'WideA', 'WideB')),
    },
    { name: 'wide subnets for all', template: resources(...WIDE, APART, group(50, 'WideA', 'WideB')) },
    {
      name: 'tiny subnets for a few nodes whose pods have subnets of their own',
      template: resources(
        ...WIDE,
        ...TINY,
        APART,
        cni({ env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' } }),
        group(3, 'TinyA', 'TinyB'),
      ),
    },
    {
      name: 'tiny subnets with prefix delegation, of which another rule speaks',
      template: resources(
        ...WIDE,
        ...TINY,
        APART,
        cni({ env: { ENABLE_PREFIX_DELEGATION: 'true' } }),
        group(3, 'TinyA', 'TinyB'),
      ),
    },
    {
      name: 'tiny subnets for a few nodes of an IPv6 cluster',
      template: resources(
        ...WIDE,
        ...TINY,
        APART.replace('ResourcesVpcConfig', 'KubernetesNetworkConfig: { IpFamily: ipv6 }\n    ResourcesVpcConfig'),
        group(3, 'TinyA', 'TinyB'),
      ),
    },
    {
      name: 'tiny subnets for a few nodes with a CNI that has addresses of its own',
      template: resources(
        ...WIDE,
        ...TINY,
        APART,
        manifest('Calico', {
          apiVersion: 'operator.tigera.io/v1',
          kind: 'Installation',
          metadata: { name: 'default' },
          spec: {},
        }),
        group(3, 'TinyA', 'TinyB'),
      ),
    },
    {
      name: 'one wide subnet beside a tiny one',
      template: resources(...WIDE, ...TINY, APART, group(20, 'WideA', 'TinyB')),
    },
    {
      name: 'a cluster of two zones that are decided at deployment',
      template: template(
        'Parameters:\n  A: { Type: String }\n  B: { Type: String }',
        subnet('TinyA', '10.0.2.0/28', '!Ref A'),
        subnet('TinyB', '10.0.2.16/28', '!Ref B'),
        clusterOn('TinyA', 'TinyB'),
      ),
    },
  ],
  invalid: [
    {
      name: 'tiny subnets that nodes and pods share',
      template: resources(...WIDE, ...TINY, APART, group(3, 'TinyA', 'TinyB')),
      fixed: resources(...WIDE, APART, group(3, 'WideA', 'WideB')),
      findings: [{ ...SMALL, says: ['11 usable', '10.0.2.0/28 and 10.0.2.16/28'], related: ['TinyA:', 'TinyB:'] }],
    },
    {
      name: 'fewer addresses than nodes',
      template: resources(...WIDE, ...TINY, APART, group(20, 'TinyA', 'TinyB')),
      findings: [
        {
          ...SMALL,
          message: 'too-few',
          says: ['22 usable', '20 nodes', '4 that an update may add', 'need 24'],
          omits: ['control plane'],
        },
      ],
    },
    {
      name: 'enough for the nodes, but not for the control plane beside them',
      template: resources(...WIDE, ...TINY, clusterOn('TinyA', 'TinyB'), group(15, 'TinyA', 'TinyB')),
      fixed: resources(...WIDE, ...TINY, clusterOn('TinyA', 'TinyB'), group(15, 'WideA', 'WideB')),
      findings: [{ ...SMALL, message: 'too-few', says: ['the 5 of the control plane'] }],
    },
    {
      name: 'too few for the nodes of an IPv6 cluster as well',
      template: resources(
        ...WIDE,
        ...TINY,
        APART.replace('ResourcesVpcConfig', 'KubernetesNetworkConfig: { IpFamily: ipv6 }\n    ResourcesVpcConfig'),
        group(40, 'TinyA', 'TinyB'),
      ),
      findings: [{ ...SMALL, message: 'too-few' }],
    },
    {
      name: 'a cluster with a single subnet',
      template: resources(...WIDE, clusterOn('WideA')),
      fixed: resources(...WIDE, APART),
      findings: [{ ...ONE_ZONE, says: ['a single subnet'] }],
    },
    {
      name: 'a cluster whose subnets are of one zone',
      template: resources(
        subnet('WideA', '10.0.0.0/24'),
        subnet('OtherA', '10.0.1.0/24'),
        clusterOn('WideA', 'OtherA'),
      ),
      findings: [{ ...ONE_ZONE, says: ['2 subnets of one availability zone'] }],
    },
  ],
  unverifiable: [
    {
      name: 'a range that is decided at deployment',
      template: template(
        'Parameters:\n  Range: { Type: String }',
        ...WIDE,
        subnet('OpenA', '!Ref Range'),
        APART,
        group(3, 'OpenA'),
      ),
      resources: ['Workers'],
      because: 'OpenA',
    },
  ],
  notApplicable: [
    {
      name: 'subnets that the input does not show',
      template: resources(CLUSTER, nodeGroup('Subnets: [subnet-1, subnet-2]')),
    },
    {
      name: 'a cluster with an item that deployment may make several subnets of',
      template: template('Parameters:\n  Subnet: { Type: String }', clusterOn('Subnet')),
    },
    { name: 'no subnets written', template: resources(CLUSTER, nodeGroup()) },
    {
      name: 'a local cluster on an Outpost, which has one subnet',
      template: resources(
        ...WIDE,
        clusterOn('WideA').replace(
          'ResourcesVpcConfig',
          'OutpostConfig: { ControlPlaneInstanceType: m5.large, OutpostArns: [arn:aws:outposts:eu-west-1:111122223333:outpost/op-1] }\n    ResourcesVpcConfig',
        ),
      ),
    },
  ],
});

describe('a single subnet that stands in for those that are given', () => {
  const said = (...lines: readonly string[]) =>
    runRules(new EksModel(readInstances(instancesOf(hclFile(lines.join('\n'), 'main.tf')))), [
      clusterSubnetCapacity,
    ]).map(({ verdict, messageId }) => `${verdict} ${messageId ?? ''}`);
  const cluster = (subnets: string) =>
    `resource "aws_eks_cluster" "main" {\n  role_arn = "arn:aws:iam::111122223333:role/c"\n  vpc_config {\n    subnet_ids = ${subnets}\n  }\n}`;
  it.each([
    ['an empty text', 'variable "subnets" {\n  default = [""]\n}', 'var.subnets', 'unverifiable '],
    ['the default of a variable', 'variable "subnets" {\n  default = ["subnet-1"]\n}', 'var.subnets', 'unverifiable '],
    ['an empty text that is written', '', '[""]', 'unverifiable '],
    ['one that is written', '', '["subnet-1"]', 'fail one-zone'],
    [
      'one that is left if several conditions hold together',
      'variable "a" {}\nvariable "b" {}',
      'concat(["subnet-1"], var.a == "x" ? ["subnet-2"] : [], var.b == "x" ? ["subnet-3"] : [])',
      'unverifiable ',
    ],
    ['one of a local value', 'locals {\n  subnets = ["subnet-1"]\n}', 'local.subnets', 'fail one-zone'],
  ])('%s', (_, variable, subnets, expected) => {
    expect(said(variable, cluster(subnets)).filter((one) => one !== 'pass ')).toStrictEqual([expected]);
  });
});
