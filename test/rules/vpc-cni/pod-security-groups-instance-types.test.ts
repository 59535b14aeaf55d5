import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { podSecurityGroupsInstanceTypes } from '../../../lib/rules/vpc-cni/pod-security-groups-instance-types';
import {
  block,
  CLUSTER,
  cluster,
  helmChart,
  launchTemplate,
  manifest,
  namedNodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { booting, IMAGES, SELF_MANAGED } from '../node-bootstrap/user-data-templates';
import { cni, deployment, podEni, policy } from './pod-security-group-templates';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const SWITCH = cni({}).replace("'{}'", '!Sub \'{"env":{"ENABLE_POD_ENI":"${P}"}}\'');

const ON = cni(podEni());
const WINDOWS_ON = cni({ ...podEni(), enableWindowsIpam: 'true' });
const SMALL = namedNodeGroup('Small', 'InstanceTypes: [t3.large]');
const TAINTED = namedNodeGroup(
  'Small',
  'InstanceTypes: [t3.medium]',
  'Taints: [{ Key: CriticalAddonsOnly, Value: "true", Effect: NO_SCHEDULE }]',
);
const SYSTEM = namedNodeGroup('System', 'InstanceTypes: [t3.medium]');
const LARGE = namedNodeGroup('Large', 'InstanceTypes: [m6i.large]');
const MIXED = namedNodeGroup('Mixed', 'InstanceTypes: [m6i.large, t3.large, t3a.large]');
const WINDOWS = namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [m6i.large]');
const FARGATE = block('Fargate', 'AWS::EKS::FargateProfile', [
  'ClusterName: !Ref Cluster',
  'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
]);
const NODE_ROLE = 'role/nodes';
const OTHER_ROLE = 'role/karpenter-nodes';
const ACCESS = block('Access', 'AWS::EKS::AccessEntry', [
  'ClusterName: !Ref Cluster',
  `PrincipalArn: arn:aws:iam::111122223333:${OTHER_ROLE}`,
  'Type: EC2_LINUX',
]);
const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
const KARPENTER_ROLE = block('Karpenter', 'AWS::IAM::Role', [
  'AssumeRolePolicyDocument:',
  '  Statement:',
  '    - Effect: Allow',
  '      Action: sts:AssumeRoleWithWebIdentity',
  `      Principal: { Federated: 'arn:aws:iam::111122223333:oidc-provider/${ISSUER}' }`,
  `      Condition: { StringEquals: { '${ISSUER}:sub': 'system:serviceaccount:kube-system:karpenter', '${ISSUER}:aud': sts.amazonaws.com } }`,
]);
const POLICY = policy();
const KARPENTER = helmChart('Scaler', 'oci://public.ecr.aws/karpenter/karpenter', {});
const autoMode = (version: string) => cluster(`Version: '${version}'`, 'ComputeConfig: { Enabled: true }');
const elsewhere = (...blocks: readonly string[]) => blocks.map((one) => one.replace('!Ref Cluster', 'elsewhere'));

testRule(podSecurityGroupsInstanceTypes, {
  valid: [
    {
      name: 'a type with a trunk interface',
      template: resources(CLUSTER, namedNodeGroup('Nodes', 'InstanceTypes: [m5.large]'), ON),
    },
    {
      name: 'a group of t3 for system pods beside one with a trunk',
      template: resources(CLUSTER, SYSTEM, LARGE, ON, POLICY),
    },
    { name: 'a group with some types beside one with a trunk', template: resources(CLUSTER, MIXED, LARGE, ON) },
    {
      name: 'the type of a launch template',
      template: resources(
        CLUSTER,
        namedNodeGroup('Workers', USES_NODES),
        launchTemplate('InstanceType: c6i.large'),
        ON,
      ),
    },
    { name: 'Karpenter, which starts what the pods ask for', template: resources(CLUSTER, SMALL, ON, KARPENTER) },
    {
      name: 'node pools of Karpenter',
      template: resources(
        CLUSTER,
        SMALL,
        ON,
        manifest('Pool', { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } }),
      ),
    },
    {
      name: 'Auto Mode of a version that has security groups for pods',
      template: resources(autoMode('1.36'), SMALL, POLICY),
    },
    { name: 'a policy for pods on Fargate', template: resources(CLUSTER, SMALL, FARGATE, POLICY) },
    {
      name: 'a setting that is not known, where it does no harm',
      template: template(PARAMETER, CLUSTER, LARGE, SWITCH),
    },
    {
      name: 'a trunk wherever the setting is on',
      template: template(
        CONDITION,
        CLUSTER,
        SYSTEM,
        onCondition('IsProduction', LARGE),
        onCondition('IsProduction', ON),
      ),
    },
    {
      name: 'a type with a trunk in each branch',
      template: template(
        CONDITION,
        CLUSTER,
        namedNodeGroup('Nodes', 'InstanceTypes: !If [IsProduction, [m6i.large], [c6i.large]]'),
        ON,
      ),
    },
    {
      name: 'Windows nodes, and a policy that does not select their pods',
      template: resources(
        CLUSTER,
        LARGE,
        WINDOWS,
        WINDOWS_ON,
        POLICY,
        deployment('Legacy', 'windows', { app: 'legacy' }),
      ),
    },
    {
      name: 'pods that the policy selects, on Linux',
      template: resources(CLUSTER, LARGE, ON, POLICY, deployment('Web', 'linux')),
    },
    {
      name: 'Windows pods of another namespace',
      template: resources(
        CLUSTER,
        LARGE,
        ON,
        POLICY,
        deployment('Web', 'windows').replace('"namespace":"shop"', '"namespace":"office"'),
      ),
    },
  ],
  invalid: [
    {
      name: 'types without a trunk only',
      template: resources(CLUSTER, SMALL, ON),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Small',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:'],
          says: ['Node group "Small" starts t3.large', 'stay Pending', 'vpc.amazonaws.com/pod-eni'],
          omits: ['neither', 'This happens when'],
        },
      ],
      fixed: resources(CLUSTER, LARGE.replace('Large', 'Small'), ON),
    },
    {
      name: 'several groups without a trunk are one finding',
      template: resources(CLUSTER, SMALL, SYSTEM, ON, POLICY),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Small',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:', 'Policy:', 'InstanceTypes: [t3.medium]'],
          says: ['neither can those of "System" (t3.medium)'],
        },
      ],
      fixed: resources(CLUSTER, SMALL, SYSTEM, LARGE, ON, POLICY),
    },
    {
      name: 'a policy whose setting is made elsewhere',
      template: resources(CLUSTER, SMALL, POLICY),
      findings: [
        { message: 'noTrunk', severity: 'error', resource: 'Small', at: 'InstanceTypes', related: ['Policy:'] },
      ],
    },
    {
      name: 'no type at all, so that EKS starts t3.medium',
      template: resources(CLUSTER, namedNodeGroup('Workers'), ON),
      findings: [
        {
          message: 'defaultType',
          severity: 'error',
          resource: 'Workers',
          at: 'Properties: # workers',
          related: ['ConfigurationValues:'],
          says: ['names no instance type', 't3.medium'],
        },
      ],
      fixed: resources(CLUSTER, namedNodeGroup('Workers', 'InstanceTypes: [m6i.large]'), ON),
    },
    {
      name: 'the type of a launch template',
      template: resources(
        CLUSTER,
        namedNodeGroup('Workers', USES_NODES),
        launchTemplate('InstanceType: t4g.large'),
        ON,
      ),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType: t4g.large',
          says: ['Node group "Workers" starts t4g.large'],
        },
      ],
    },
    {
      name: 'a self-managed group',
      template: resources(
        cluster('Name: main'),
        SELF_MANAGED,
        booting('[settings.kubernetes]', 'InstanceType: t3.large', IMAGES.BOTTLEROCKET),
        ...elsewhere(ON, POLICY).map((one) => one.replace('elsewhere', '!Ref Cluster')),
      ),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceType: t3.large',
          related: ['ConfigurationValues:', 'Policy:', 'Workers:'],
        },
      ],
    },
    {
      name: 'some types without a trunk',
      template: resources(CLUSTER, MIXED, SYSTEM, ON),
      findings: [
        {
          message: 'someTypes',
          severity: 'warning',
          resource: 'Mixed',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:'],
          says: ['t3.large and t3a.large'],
        },
      ],
      fixed: resources(CLUSTER, MIXED.replace(', t3.large, t3a.large', ''), SYSTEM, ON),
    },
    {
      name: 'one without a trunk beside one that is not known',
      template: template(PARAMETER, CLUSTER, namedNodeGroup('Nodes', 'InstanceTypes: [t3.large, !Ref P]'), ON),
      findings: [{ message: 'someTypes', severity: 'warning', resource: 'Nodes', at: 'InstanceTypes' }],
    },
    {
      name: 'a trunk in one branch only',
      template: template(
        CONDITION,
        CLUSTER,
        namedNodeGroup('Nodes', 'InstanceTypes: [!If [IsProduction, m6i.large, t3.large]]'),
        ON,
      ),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceTypes',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'groups of two branches, without a trunk in either',
      template: template(
        `${CONDITION}\n  IsTest: !Not [!Condition IsProduction]`,
        CLUSTER,
        onCondition('IsProduction', SMALL),
        onCondition('IsTest', SYSTEM),
        ON,
      ),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Small',
          at: 'InstanceTypes: [t3.large]',
          omits: ['This happens when', 'neither'],
        },
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'System',
          at: 'InstanceTypes: [t3.medium]',
          omits: ['This happens when', 'neither'],
        },
      ],
    },
    {
      name: 'the setting under a condition',
      template: template(CONDITION, CLUSTER, SMALL, onCondition('IsProduction', ON)),
      findings: [
        {
          message: 'noTrunk',
          severity: 'error',
          resource: 'Small',
          at: 'InstanceTypes',
          says: ['IsProduction is true'],
        },
      ],
    },
    {
      name: 'nodes of Karpenter, which something else installs, by their access entry',
      template: resources(CLUSTER, SMALL, ACCESS, ON),
      findings: [
        {
          message: 'noTrunk',
          severity: 'warning',
          resource: 'Small',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:', 'Access:'],
          says: ['unless', 'access entry "Access"'],
        },
      ],
    },
    {
      name: 'nodes of Karpenter beside a group that only pods with a toleration get to',
      template: resources(CLUSTER, TAINTED, ACCESS, ON),
      findings: [
        {
          message: 'noTrunk',
          severity: 'info',
          resource: 'Small',
          at: 'InstanceTypes',
          says: ['access entry "Access"', 'taints keep pods without tolerations away'],
        },
      ],
    },
    {
      name: 'nodes of Karpenter beside such a group and one for any pod',
      template: resources(CLUSTER, TAINTED, namedNodeGroup('Other', 'InstanceTypes: [t3.large]'), ACCESS, ON),
      findings: [
        {
          message: 'noTrunk',
          severity: 'warning',
          resource: 'Other',
          at: 'InstanceTypes: [t3.large]',
          related: ['ConfigurationValues:', 'Access:', 'InstanceTypes: [t3.medium]'],
          says: ['access entry "Access"'],
          omits: ['taints'],
        },
      ],
    },
    {
      name: 'nodes of Karpenter beside a group whose taint is a preference',
      template: resources(CLUSTER, TAINTED.replace('NO_SCHEDULE', 'PREFER_NO_SCHEDULE'), ACCESS, ON),
      findings: [
        { message: 'noTrunk', severity: 'warning', resource: 'Small', at: 'InstanceTypes', omits: ['taints'] },
      ],
    },
    {
      name: 'a group with a taint, and nothing that shows others',
      template: resources(CLUSTER, TAINTED, ON),
      findings: [{ message: 'noTrunk', severity: 'error', resource: 'Small', at: 'InstanceTypes', omits: ['taints'] }],
    },
    {
      name: 'a role for Karpenter',
      template: resources(CLUSTER, SMALL, KARPENTER_ROLE, ON),
      findings: [
        {
          message: 'noTrunk',
          severity: 'warning',
          resource: 'Small',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:', 'Karpenter:'],
          says: ['role "Karpenter"'],
        },
      ],
    },
    {
      name: 'the access entry of the group itself shows no other nodes',
      template: resources(CLUSTER, SMALL, ACCESS.replace(OTHER_ROLE, NODE_ROLE), ON),
      findings: [{ message: 'noTrunk', severity: 'error', resource: 'Small', at: 'InstanceTypes', omits: ['unless'] }],
    },
    {
      name: 'a Fargate profile, on which the pods may be meant to run',
      template: resources(CLUSTER, SMALL, FARGATE, ON),
      findings: [{ message: 'noTrunk', severity: 'warning', resource: 'Small', at: 'InstanceTypes' }],
    },
    {
      name: 'Auto Mode of an older version is no help',
      template: resources(autoMode('1.33'), SMALL, ON),
      findings: [{ message: 'noTrunk', severity: 'error', resource: 'Small', at: 'InstanceTypes' }],
    },
    {
      name: 'a policy in a cluster of Auto Mode, which has it from 1.36 on',
      template: resources(autoMode('1.33'), POLICY, policy('Second')),
      findings: [
        {
          message: 'autoMode',
          severity: 'error',
          resource: 'Policy',
          at: 'Policy:',
          related: ['Enabled: true }', 'Second:'],
          says: ['"policy" and "second"', 'Kubernetes 1.33'],
        },
      ],
      fixed: resources(autoMode('1.36'), POLICY, policy('Second')),
    },
    {
      name: 'a policy that selects pods on Windows',
      template: resources(CLUSTER, LARGE, WINDOWS, WINDOWS_ON, POLICY, deployment('Web', 'windows')),
      findings: [
        {
          message: 'windowsPods',
          severity: 'error',
          resource: 'Policy',
          at: 'Policy:',
          related: ['Web:'],
          says: ['SecurityGroupPolicy "policy" selects the pods of Deployment web', 'security groups of their node'],
        },
      ],
      fixed: resources(CLUSTER, LARGE, WINDOWS, WINDOWS_ON, POLICY, deployment('Web', 'windows', { app: 'legacy' })),
    },
    {
      name: 'a policy for all pods of a namespace with Windows pods',
      template: resources(
        CLUSTER,
        LARGE,
        WINDOWS,
        WINDOWS_ON,
        policy('All', { podSelector: {}, securityGroups: { groupIds: ['sg-0123456789abcdef0'] } }),
        deployment('Web', 'windows'),
        deployment('Legacy', 'windows', {}),
        deployment('Shop', 'linux'),
      ),
      findings: [
        {
          message: 'windowsPods',
          severity: 'error',
          resource: 'All',
          at: 'All:',
          related: ['Web:', 'Legacy:'],
          says: ['Deployment web and Deployment legacy'],
          omits: ['Deployment shop'],
        },
      ],
    },
    {
      name: 'Windows pods under a condition',
      template: template(
        CONDITION,
        CLUSTER,
        LARGE,
        WINDOWS,
        WINDOWS_ON,
        POLICY,
        onCondition('IsProduction', deployment('Web', 'windows')),
      ),
      findings: [
        {
          message: 'windowsPods',
          severity: 'error',
          resource: 'Policy',
          at: 'Policy:',
          says: ['IsProduction is true'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a type of which no list says it',
      template: resources(CLUSTER, namedNodeGroup('Nodes', 'InstanceTypes: [hpc7a.12xlarge]'), ON),
      resources: ['Nodes'],
      because: 'hpc7a.12xlarge',
    },
    {
      name: 'a type that the table does not have',
      template: resources(CLUSTER, namedNodeGroup('Nodes', 'InstanceTypes: [m99.large]'), ON),
      resources: ['Nodes'],
      because: 'm99.large is not in the table',
    },
    {
      name: 'types from a parameter',
      template: template(
        'Parameters:\n  P: { Type: CommaDelimitedList }',
        CLUSTER,
        namedNodeGroup('Nodes', 'InstanceTypes: !Ref P'),
        ON,
      ),
      resources: ['Nodes'],
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(
        CLUSTER,
        namedNodeGroup('Nodes', "LaunchTemplate: { Id: lt-0123456789abcdef0, Version: '1' }"),
        ON,
      ),
      resources: ['Nodes'],
      because: 'launch template',
    },
    {
      name: 'instance requirements',
      template: resources(
        CLUSTER,
        namedNodeGroup('Workers', USES_NODES),
        launchTemplate('InstanceRequirements: { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } }'),
        ON,
      ),
      resources: ['Workers'],
      because: 'by their properties',
    },
    {
      name: 'a group that may be Windows',
      template: template(
        PARAMETER,
        CLUSTER,
        namedNodeGroup('Nodes', 'AmiType: !Ref P', 'InstanceTypes: [m6i.large]'),
        ON,
      ),
      resources: ['Nodes'],
      because: 'operating system',
    },
    {
      name: 'one group without a trunk, and one that is not known',
      template: template(PARAMETER, CLUSTER, SMALL, namedNodeGroup('Nodes', 'InstanceTypes: [!Ref P]'), ON),
      resources: ['Nodes'],
    },
    {
      name: 'a setting that is not known',
      template: template(PARAMETER, CLUSTER, SMALL, SWITCH),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'an imported cluster',
      template: resources(...elsewhere(SMALL, ON)),
      resources: ['Small'],
      because: 'elsewhere, which may have other nodes',
    },
    {
      name: 'a group that may be of this cluster',
      template: template(PARAMETER, CLUSTER, SMALL, ON, LARGE.replace('!Ref Cluster', '!Ref P')),
      resources: ['Small'],
      because: 'which cluster Large belongs to',
    },
    {
      name: 'Auto Mode of a version that is not known',
      template: template(PARAMETER, cluster('Version: !Ref P', 'ComputeConfig: { Enabled: true }'), SMALL, POLICY),
      resources: ['Small'],
      because: 'Auto Mode',
    },
    {
      name: 'Auto Mode and a VPC CNI, which shows that there are other nodes',
      template: resources(autoMode('1.33'), cni(undefined), POLICY),
      resources: ['Policy'],
      because: 'vpc-cni add-on',
    },
    {
      name: 'a service account of Windows pods',
      template: resources(
        CLUSTER,
        LARGE,
        ON,
        policy('Policy', {
          serviceAccountSelector: { matchLabels: { app: 'web' } },
          securityGroups: { groupIds: ['sg-0123456789abcdef0'] },
        }),
        deployment('Web', 'windows'),
      ),
      resources: ['Policy'],
      because: 'Deployment web',
    },
  ],
  notApplicable: [
    { name: 'no security groups for pods', template: resources(CLUSTER, SMALL, cni(undefined)) },
    {
      name: 'a policy where the setting is off, which another rule tells',
      template: resources(CLUSTER, SMALL, cni({ env: { ENABLE_POD_ENI: 'false' } }), POLICY),
    },
    { name: 'no nodes in the input', template: resources(CLUSTER, ON, POLICY) },
    { name: 'Windows nodes only', template: resources(CLUSTER, WINDOWS, ON) },
    { name: 'nothing of the VPC CNI', template: resources(CLUSTER, SMALL) },
  ],
});

describe('links', () => {
  function related(text: string): readonly string[] {
    const { resources: read } = readTemplates([{ file: 'template.yaml', text }]);
    return runRules(new EksModel(read), [podSecurityGroupsInstanceTypes]).flatMap((finding) =>
      finding.related.map(({ message, source }) => `${message} @${source.locate().line}`),
    );
  }

  const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

  it('lead from the finding to the setting, the policies, and the other groups', () => {
    const text = resources(CLUSTER, SMALL, SYSTEM, ON, POLICY);
    expect(related(text)).toEqual([
      `Cni sets env.ENABLE_POD_ENI @${lineOf(text, 'ConfigurationValues')}`,
      `SecurityGroupPolicy "policy" gives pods security groups of their own @${lineOf(text, 'Policy:')}`,
      `node group "System" starts t3.medium @${lineOf(text, 'InstanceTypes: [t3.medium]')}`,
    ]);
  });

  it('lead from a launch template to its group, and stay few', () => {
    const policies = Array.from({ length: 40 }, (_, index) => policy(`P${index}`));
    const groups = Array.from({ length: 40 }, (_, index) => namedNodeGroup(`X${index}`, 'InstanceTypes: [t3.small]'));
    const found = related(
      resources(
        CLUSTER,
        namedNodeGroup('Workers', USES_NODES),
        launchTemplate('InstanceType: t4g.large'),
        ...groups,
        ON,
        ...policies,
      ),
    );
    expect(found.some((one) => one.startsWith('node group "Workers" uses this launch template'))).toBe(true);
    expect(found.length).toBeLessThanOrEqual(12);
  });
});
