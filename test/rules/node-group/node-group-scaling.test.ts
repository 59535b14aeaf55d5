import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { nodeGroupScaling } from '../../../lib/rules/node-group/node-group-scaling';
import { config, managed } from '../../front-ends/eksctl/configs';
import { CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  N: { Type: Number }\n  T: { Type: String }';

/** Sizes of a group whose metadata options no rule calls an error, because it isn't Amazon Linux 2023. */
function sized(
  min: number | string,
  desired: number | string,
  max: number | string,
  ...more: readonly string[]
): string {
  return nodeGroup(
    'AmiType: BOTTLEROCKET_x86_64',
    `ScalingConfig: { MinSize: ${min}, DesiredSize: ${desired}, MaxSize: ${max} }`,
    ...more,
  );
}

const finding = (message: string, at: string, says: readonly string[] = []) =>
  ({ message, severity: 'error', resource: 'Workers', at, says }) as const;

testRule(nodeGroupScaling, {
  valid: [
    {
      name: 'a size unlike any of its family passes: it may be new',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [t4g.huge]')),
    },
    { name: 'sizes in order pass', template: resources(CLUSTER, sized(1, 2, 3)) },
    ...[
      'ami-0123456789abcdef0',
      '"<your AMI>"',
      'CHANGEME',
      'ReplaceWithAmi',
      'resolve:ssm:/my/ami',
      "'{{resolve:ssm:/my/ami}}'",
    ].map((image) => ({
      name: `an AMI that is called ${image} passes`,
      template: resources(
        CLUSTER,
        nodeGroup('ScalingConfig: { MinSize: 1, DesiredSize: 1, MaxSize: 2 }', USES_NODES),
        launchTemplate(`ImageId: ${image}`),
      ),
    })),
    { name: 'equal sizes pass', template: resources(CLUSTER, sized(2, 2, 2)) },
    { name: 'a group that is scaled to zero passes', template: resources(CLUSTER, sized(0, 0, 1)) },
    { name: 'numbers in texts are compared as numbers', template: resources(CLUSTER, sized("'2'", "'9'", "'10'")) },
    {
      name: 'no desired size passes',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', 'ScalingConfig: { MinSize: 2, MaxSize: 3 }'),
      ),
    },
    {
      name: 'an instance type that the tables do not have passes: it may be newer',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [m99z.large]')),
    },
    {
      name: 'a size that a family may get passes',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [m7i.96xlarge, m7i.metal-96xl]')),
    },
    {
      name: 'known instance types pass',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [m7i.large, u-6tb1.metal]', 'CapacityType: SPOT')),
    },
    {
      name: 'sizes that are in order in every branch pass',
      template: template(
        CONDITION,
        CLUSTER,
        sized('!If [IsProduction, 3, 1]', '!If [IsProduction, 4, 2]', '!If [IsProduction, 6, 2]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'a minimum above the maximum in a ClusterConfig, which eksctl refuses itself',
      template: config(managed('minSize: 4', 'maxSize: 2')),
      findings: [
        {
          message: 'order',
          severity: 'error',
          resource: 'workers',
          at: 'minSize: 4',
          says: ['eksctl refuses the whole file, and makes nothing'],
          omits: ['EKS'],
        },
      ],
      fixed: config(managed('minSize: 1', 'maxSize: 2')),
    },
    {
      name: 'a word in the place of an AMI fails, and no rule judges what such nodes would boot',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: Enabled',
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
          'UserData:\n  Fn::Base64: |\n    MIME-Version: 1.0\n    Content-Type: multipart/mixed; boundary="//"\n\n    --//\n    Content-Type: application/node.eks.aws\n\n    apiVersion: node.eks.aws/v1alpha1\n    kind: NodeConfig\n    spec:\n      kubelet: {}\n    --//--',
        ),
      ),
      findings: [
        { message: 'image', severity: 'error', resource: 'Nodes', at: 'ImageId', says: ['`Enabled`', '"Workers"'] },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    {
      name: 'a minimum above the desired size fails',
      template: resources(CLUSTER, sized(3, 2, 4)),
      findings: [finding('order', 'MinSize: 3', ['"Workers"', 'a minimum size of 3, above its desired size of 2'])],
      fixed: resources(CLUSTER, sized(2, 2, 4)),
    },
    {
      name: 'a desired size above the maximum fails',
      template: resources(CLUSTER, sized(1, 5, 4)),
      findings: [finding('order', 'DesiredSize: 5', ['above its maximum size of 4'])],
    },
    {
      name: 'a minimum above the maximum fails, whatever the desired size',
      template: template(PARAMETER, CLUSTER, sized(5, '!Ref N', 4)),
      findings: [finding('order', 'MinSize: 5')],
    },
    {
      name: 'a maximum of zero fails',
      template: resources(CLUSTER, sized(0, 0, 0)),
      findings: [finding('size', 'MaxSize: 0', ['from 1 on'])],
      fixed: resources(CLUSTER, sized(0, 0, 1)),
    },
    {
      name: 'half a node fails',
      template: resources(CLUSTER, sized(1, 1.5, 2)),
      findings: [finding('size', 'DesiredSize: 1.5')],
    },
    {
      name: 'one bad branch fails and is named',
      template: template(CONDITION, CLUSTER, sized('!If [IsProduction, 3, 1]', 2, 4)),
      findings: [finding('order', 'MinSize: !If', ['IsProduction is true'])],
    },
    {
      name: 'a placeholder for the capacity type fails',
      template: resources(CLUSTER, sized(1, 2, 3, 'CapacityType: String')),
      findings: [finding('capacityType', 'CapacityType: String', ['"String"'])],
      fixed: resources(CLUSTER, sized(1, 2, 3, 'CapacityType: SPOT')),
    },
    {
      name: 'a capacity type in small letters fails',
      template: resources(CLUSTER, sized(1, 2, 3, 'CapacityType: spot')),
      findings: [finding('capacityType', 'CapacityType: spot')],
    },
    {
      name: 'a misspelt instance type fails, and the right one is named',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [t3.meduim, m7i.large]')),
      findings: [finding('instanceType', 't3.meduim', ['"t3.meduim"'])],
      fixed: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [t3.medium, m7i.large]')),
    },
    {
      name: 'a name that lacks a letter fails',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [t4g.larg]')),
      findings: [finding('instanceType', 't4g.larg')],
    },
    {
      name: 'a name that lacks two letters fails, and the right one is named',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [t4g.lrg]')),
      findings: [{ ...finding('instanceType', 't4g.lrg'), advises: '`t4g.large` is one' }],
    },
    {
      name: 'what is no name of an instance type fails',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [large]')),
      findings: [finding('instanceType', 'large]')],
    },
    {
      name: 'capitals fail',
      template: resources(CLUSTER, sized(1, 2, 3, 'InstanceTypes: [T3.medium]')),
      findings: [finding('instanceType', 'T3.medium')],
    },
    {
      name: 'the instance type of the launch template is judged too',
      template: resources(
        CLUSTER,
        sized(1, 2, 3, USES_NODES),
        launchTemplate(
          'InstanceType: m7i.lrage',
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
        ),
      ),
      findings: [finding('instanceType', 'InstanceType: m7i.lrage')],
    },
  ],
  unverifiable: [
    {
      name: 'a size from a parameter',
      template: template(PARAMETER, CLUSTER, sized(1, '!Ref N', 3)),
      resources: ['Workers'],
      because: 'N',
    },
    {
      name: 'a size that another tool fills in',
      template: resources(CLUSTER, sized(1, '"<%= desired %>"', 3)),
      resources: ['Workers'],
      because: '<%= desired %>',
    },
  ],
  notApplicable: [
    {
      name: 'an instance type that another tool fills in',
      template: resources(
        CLUSTER,
        nodeGroup('InstanceTypes: ["{{ nodes.type }}", "<%= type %>", "@TYPE@", "__TYPE__"]'),
      ),
    },
    { name: 'no sizes at all', template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')) },
    {
      name: 'a capacity type and an instance type from parameters',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', 'CapacityType: !Ref T', 'InstanceTypes: [!Ref T]'),
      ),
    },
  ],
});

function findingsOf(...lines: readonly string[]) {
  const hcl = [
    'resource "aws_eks_node_group" "workers" {',
    '  cluster_name  = "main"',
    '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
    '  subnet_ids    = ["subnet-1"]',
    ...lines,
    '}',
  ];
  return runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [nodeGroupScaling]);
}

const SIZES = ['  scaling_config {', '    min_size     = 3', '    desired_size = 2', '    max_size     = 4', '  }'];

it.each([
  'ignore_changes = [scaling_config[0].desired_size]',
  'ignore_changes = all',
  'ignore_changes = ["scaling_config"]',
])('a desired size that counts at creation only is a warning: %s', (line) => {
  const [finding, ...more] = findingsOf(...SIZES, '  lifecycle {', `    ${line}`, '  }');
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ severity: 'warning', messageId: 'order' });
  expect(finding?.message).toContain('EKS refuses to create such a group');
});

it.each([
  [
    [3, 2, 4],
    [3, 3, 4],
  ],
  [
    [4, 2, 5],
    [4, 4, 5],
  ],
  [
    [1, 5, 4],
    [1, 4, 4],
  ],
  [
    [5, 5, 4],
    [5, 5, 5],
  ],
])('code of the fix has the sizes of the group, with only what is out of order changed: %j', (sizes, expected) => {
  const lines = (all: readonly number[]) => [
    'scaling_config {',
    ...['min_size     ', 'desired_size ', 'max_size     '].map((name, index) => `  ${name}= ${all[index]}`),
    '}',
  ];
  const [finding] = findingsOf(...lines(sizes));
  expect(finding?.fixCode).toBe(lines(expected).join('\n'));
  expect(findingsOf(...lines(expected))).toEqual([]);
});

it('sizes of which one is not known are told in words only', () => {
  const [finding] = findingsOf(
    'scaling_config {',
    '  min_size = 5',
    '  desired_size = "{{ n }}"',
    '  max_size = 4',
    '}',
  );
  expect(finding).toMatchObject({ messageId: 'order' });
  expect(finding?.fixCode).toBeUndefined();
});

it('changes of something else that are ignored make no difference', () => {
  expect(findingsOf(...SIZES, '  lifecycle {', '    ignore_changes = [release_version]', '  }')).toMatchObject([
    { severity: 'error', messageId: 'order' },
  ]);
});
