import { instanceType, instanceTypeNames } from '../../../lib/knowledge';
import { maxPods } from '../../../lib/eks/networking/max-pods';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { customNetworkingConflicts } from '../../../lib/rules/vpc-cni/custom-networking-conflicts';
import {
  addon,
  block,
  cluster,
  helmChart,
  launchTemplate,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { cni, cniWith, ipv4, IPV4, IPV6, STAGE, staged } from './custom-networking-templates';

const POD_ENI = { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' };
const ON = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' };
const CLUSTER_ROLE = [
  'Role:',
  '  Type: AWS::IAM::Role',
  '  Properties:',
  '    AssumeRolePolicyDocument:',
  '      Statement: [{ Effect: Allow, Principal: { Service: eks.amazonaws.com }, Action: sts:AssumeRole }]',
  '    ManagedPolicyArns: [arn:aws:iam::aws:policy/AmazonEKSClusterPolicy, arn:aws:iam::aws:policy/AmazonEKSVPCResourceController]',
].join('\n');
const types = (...names: readonly string[]) =>
  nodeGroup('AmiType: AL2023_ARM_64_STANDARD', `InstanceTypes: [${names.join(', ')}]`);
const AMI = 'AmiType: AL2023_x86_64_STANDARD';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const SELF_MANAGED = (type: string) => [
  block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
    'MinSize: "1"',
    'MaxSize: "2"',
    'LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }',
    'Tags: [{ Key: !Sub "kubernetes.io/cluster/${Cluster}", Value: owned, PropagateAtLaunch: true }]',
  ]),
  launchTemplate(
    `InstanceType: ${type}`,
    "ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id}}'",
  ),
];
const at = 'ConfigurationValues';

testRule(customNetworkingConflicts, {
  valid: [
    {
      name: 'a Windows group that can have no nodes',
      template: ipv4(
        cni({}, { enableWindowsIpam: 'true' }),
        nodeGroup(AMI),
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'ScalingConfig: { MinSize: 0, MaxSize: 0 }'),
      ),
    },
    { name: 'custom networking alone', template: ipv4(cni()) },
    {
      name: 'a type with three interfaces and security groups for pods',
      template: ipv4(CLUSTER_ROLE, cni(POD_ENI), nodeGroup(AMI, 'InstanceTypes: [m5.large]')),
    },
    { name: 'the default type, which carries no trunk', template: ipv4(cni(), nodeGroup(AMI)) },
    { name: 'a type with two interfaces', template: ipv4(cni(), types('m6g.medium')) },
    {
      name: 'a type with two interfaces and no trunk',
      template: ipv4(cni(POD_ENI), nodeGroup(AMI, 'InstanceTypes: [t3.micro]')),
    },
    { name: 'MAX_ENI with room', template: ipv4(cni({ MAX_ENI: '2' }), nodeGroup(AMI)) },
    { name: 'MAX_ENI below 1 counts as not set', template: ipv4(cni({ MAX_ENI: '0' }), nodeGroup(AMI)) },
    { name: 'MAX_ENI that is no number counts as not set', template: ipv4(cni({ MAX_ENI: 'none' }), nodeGroup(AMI)) },
    {
      name: 'IPv6 in one branch, custom networking in the other',
      template: template(
        STAGE,
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProd, ipv4, ipv6] }'),
        onCondition('IsProd', cni()),
      ),
    },
  ],
  invalid: [
    {
      name: 'an IPv6 cluster',
      template: resources(IPV6, cni()),
      fixed: ipv4(cni()),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['IPv6 cluster Cluster', 'no node becomes Ready'],
        },
      ],
    },
    {
      name: 'an IPv6 cluster in one branch',
      template: template(
        STAGE,
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProd, ipv4, ipv6] }'),
        cni(),
      ),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'Cni', at, says: ['IsProd is false'] }],
    },
    {
      name: 'an IPv6 cluster is one finding, whatever the nodes are',
      template: resources(IPV6, cni({ MAX_ENI: '1' }), types('m6g.medium')),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'Cni', at }],
    },
    {
      name: 'a type with two interfaces, one of them the trunk',
      template: ipv4(cni(POD_ENI), types('m6g.medium')),
      fixed: ipv4(cni(POD_ENI), types('m6g.large')),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Workers',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:'],
          says: ['m6g.medium', '2 network interfaces', 'ENABLE_POD_ENI', 'Failed to attach any ENIs'],
        },
      ],
    },
    {
      name: 'one of several types',
      template: ipv4(cni(POD_ENI), types('m6g.large', 'm6g.medium', 'c6g.medium')),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['starts m6g.medium and c6g.medium'],
          omits: ['m6g.large'],
        },
      ],
    },
    {
      name: 'the type in the launch template',
      template: ipv4(
        cni(POD_ENI),
        nodeGroup('AmiType: AL2023_ARM_64_STANDARD', USES_NODES),
        launchTemplate('InstanceType: m6g.medium'),
      ),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType:',
          related: ['ConfigurationValues:', 'Workers:'],
          says: ['Node group Workers'],
        },
      ],
    },
    {
      name: 'a self-managed group',
      template: ipv4(cni(POD_ENI), ...SELF_MANAGED('m6g.medium')),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType:',
          related: ['ConfigurationValues:', 'Group:'],
          says: ['Node group Group'],
        },
      ],
    },
    {
      name: 'the type in one branch',
      template: staged(
        cni(POD_ENI),
        nodeGroup('AmiType: AL2023_ARM_64_STANDARD', 'InstanceTypes: [!If [IsProd, m6g.large, m6g.medium]]'),
      ),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'a type with a single interface',
      template: ipv4(cni(), nodeGroup(AMI, 'InstanceTypes: [hpc6id.32xlarge]')),
      findings: [
        {
          message: 'no-interface',
          severity: 'error',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['only interface'],
          omits: ['ENABLE_POD_ENI'],
        },
      ],
    },
    {
      name: 'a version that is not pinned is newer than 1.16.4',
      template: ipv4(
        addon(
          'Cni',
          'AddonName: vpc-cni',
          'ResolveConflicts: PRESERVE',
          `ConfigurationValues: '${JSON.stringify({ env: { ...ON, ...POD_ENI } })}'`,
        ),
        types('m6g.medium'),
      ),
      findings: [{ message: 'no-interface', severity: 'error', resource: 'Workers', at: 'InstanceTypes' }],
    },
    {
      name: 'MAX_ENI 1',
      template: ipv4(cni({ MAX_ENI: '1' }), nodeGroup(AMI)),
      fixed: ipv4(cni({ MAX_ENI: '2' }), nodeGroup(AMI)),
      findings: [
        {
          message: 'max-eni',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['MAX_ENI is 1'],
          omits: ['ENABLE_POD_ENI'],
        },
      ],
    },
    {
      name: 'MAX_ENI 1 without nodes in the input',
      template: ipv4(cni({ MAX_ENI: '1' })),
      findings: [{ message: 'max-eni', severity: 'error', resource: 'Cni', at }],
    },
    {
      name: 'MAX_ENI 2, one of them the trunk',
      template: ipv4(cni({ ...POD_ENI, MAX_ENI: '2' }), nodeGroup(AMI, 'InstanceTypes: [m5.large]')),
      fixed: ipv4(cni({ ...POD_ENI, MAX_ENI: '3' }), nodeGroup(AMI, 'InstanceTypes: [m5.large]')),
      findings: [
        { message: 'max-eni', severity: 'error', resource: 'Cni', at, says: ['MAX_ENI is 2', 'ENABLE_POD_ENI'] },
      ],
    },
    {
      name: 'Windows nodes beside Linux nodes',
      template: ipv4(
        cni({}, { enableWindowsIpam: 'true' }),
        nodeGroup(AMI),
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64'),
      ),
      findings: [
        {
          message: 'windows',
          severity: 'warning',
          resource: 'Windows',
          at: 'AmiType: WINDOWS',
          related: ['ConfigurationValues:'],
          says: ['Windows nodes of Windows'],
        },
      ],
    },
    {
      name: 'the chart of the CNI in an IPv6 cluster',
      template: resources(IPV6, helmChart('Chart', 'aws-vpc-cni', { env: ON })),
      findings: [{ message: 'ipv6', severity: 'error', resource: 'Chart', at: 'Chart:' }],
    },
  ],
  unverifiable: [
    {
      name: 'the cluster is not in the input',
      template: resources(cni().replace('!Ref Cluster', 'shared')),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'an IP family from a parameter',
      template: template(PARAMETER, cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !Ref P }'), cni()),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'custom networking from a parameter',
      template: template(
        PARAMETER,
        IPV4,
        cni().replace(/ConfigurationValues: '(.*)true(.*)'$/m, `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`),
      ),
      resources: ['Cni'],
      because: 'whether custom networking is on',
    },
    {
      name: 'instance types from a parameter',
      template: template(PARAMETER, IPV4, cni(), nodeGroup(AMI, 'InstanceTypes: [!Ref P]')),
      resources: ['Workers'],
    },
    {
      name: 'a type that is in no list',
      template: ipv4(cni(), nodeGroup(AMI, 'InstanceTypes: [m99.large]')),
      resources: ['Workers'],
      because: 'm99.large',
    },
    {
      name: 'a type of two interfaces of which no list tells whether it carries a trunk',
      template: ipv4(cni(POD_ENI), nodeGroup(AMI, 'InstanceTypes: [hpc7a.12xlarge]')),
      resources: ['Workers'],
      because: 'trunk',
    },
    {
      name: 'a version before 1.16.4',
      template: ipv4(cniWith({ env: { ...ON, ...POD_ENI } }, 'v1.15.5-eksbuild.1'), types('m6g.medium')),
      resources: ['Workers'],
      because: 'v1.15.5-eksbuild.1',
    },
    {
      name: 'a chart whose version does not tell',
      template: ipv4(helmChart('Chart', 'aws-vpc-cni', { env: { ...ON, ...POD_ENI } }), types('m6g.medium')),
      resources: ['Workers'],
      because: 'chart',
    },
    {
      name: 'security groups for pods from a parameter',
      template: template(
        PARAMETER,
        IPV4,
        cni({ ENABLE_POD_ENI: '@' }).replace(
          /ConfigurationValues: '(.*)@(.*)'$/m,
          `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
        types('m6g.medium'),
      ),
      resources: ['Workers'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'MAX_ENI from a parameter',
      template: template(
        PARAMETER,
        IPV4,
        cni({ MAX_ENI: '@' }).replace(
          /ConfigurationValues: '(.*)@(.*)'$/m,
          `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
        nodeGroup(AMI),
      ),
      resources: ['Cni'],
      because: 'MAX_ENI',
    },
    {
      name: 'nodes that may be Windows',
      template: template(PARAMETER, IPV4, cni(POD_ENI), nodeGroup('AmiType: !Ref P', 'InstanceTypes: [m6g.medium]')),
      resources: ['Workers'],
      because: 'operating system',
    },
  ],
  notApplicable: [
    { name: 'custom networking off', template: resources(IPV6, cniWith({ env: POD_ENI })) },
    { name: 'no add-on in the input', template: resources(IPV6, types('m6g.medium')) },
    {
      name: 'Auto Mode',
      template: resources(
        cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }', 'KubernetesNetworkConfig: { IpFamily: ipv6 }'),
        cni(),
      ),
    },
  ],
});

describe('custom-networking-conflicts and maxPods', () => {
  const failing = (type: string, env: Record<string, string>): boolean => {
    const { resources: read } = readTemplates([
      { file: 'template.yaml', text: ipv4(cni(env), nodeGroup(AMI, `InstanceTypes: [${type}]`)) },
    ]);
    return runRules(new EksModel(read), [customNetworkingConflicts]).some(({ verdict }) => verdict === 'fail');
  };
  const hasRoom = (type: string, maxEnis: number | undefined): boolean => {
    try {
      maxPods(type, { customNetworking: true, podSecurityGroups: true, ...(maxEnis === undefined ? {} : { maxEnis }) });
      return true;
    } catch {
      return false;
    }
  };
  const few = instanceTypeNames().filter(
    (name) => (instanceType(name)?.enis ?? 9) <= 3 && instanceType(name)?.trunkKnown === true,
  );

  it('agree on every type of few interfaces', () => {
    expect(few.length).toBeGreaterThan(100);
    for (const [index, type] of few.entries()) {
      // All types of one or two interfaces, and some of the others.
      if ((instanceType(type)?.enis ?? 0) === 3 && index % 10 !== 0) continue;
      expect([type, failing(type, { ENABLE_POD_ENI: 'true' })]).toEqual([type, !hasRoom(type, undefined)]);
      if (index % 5 === 0)
        expect([type, failing(type, { ENABLE_POD_ENI: 'true', MAX_ENI: '2' })]).toEqual([type, !hasRoom(type, 2)]);
    }
  });
});
