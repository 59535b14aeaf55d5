import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { nodeGroupRemoteAccess } from '../../../lib/rules/node-group/node-group-remote-access';
import {
  block,
  CLUSTER,
  launchTemplate,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const KEY =
  'Parameters:\n  Key: { Type: AWS::EC2::KeyPair::KeyName }\n  Groups: { Type: List<AWS::EC2::SecurityGroup::Id> }\n  Group: { Type: AWS::EC2::SecurityGroup::Id }';
const BASTION = block('Bastion', 'AWS::EC2::SecurityGroup', ['GroupDescription: bastion']);

function access(...lines: readonly string[]): string {
  return ['RemoteAccess:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A node group whose metadata options no rule calls an error, because it isn't Amazon Linux 2023. */
function workers(...properties: readonly string[]): string {
  return nodeGroup('AmiType: BOTTLEROCKET_x86_64', ...properties);
}

testRule(nodeGroupRemoteAccess, {
  valid: [
    {
      name: 'a source security group of the input passes',
      template: resources(
        CLUSTER,
        workers(access('Ec2SshKey: operations', 'SourceSecurityGroups: [!GetAtt Bastion.GroupId]')),
        BASTION,
      ),
    },
    {
      name: 'a source security group by id passes',
      template: resources(
        CLUSTER,
        workers(access('Ec2SshKey: operations', 'SourceSecurityGroups: [sg-0123456789abcdef0]')),
      ),
    },
    {
      name: 'a source security group from a parameter without default passes: one is named',
      template: template(KEY, CLUSTER, workers(access('Ec2SshKey: !Ref Key', 'SourceSecurityGroups: [!Ref Group]'))),
    },
    { name: 'no key passes', template: resources(CLUSTER, workers(access('SourceSecurityGroups: []'))) },
    { name: 'an empty key passes', template: resources(CLUSTER, workers(access("Ec2SshKey: ''"))) },
    {
      name: 'key and security groups that are there together pass',
      template: template(
        CONDITION,
        CLUSTER,
        workers(
          access(
            'Ec2SshKey: !If [IsProduction, !Ref AWS::NoValue, operations]',
            'SourceSecurityGroups: !If [IsProduction, !Ref AWS::NoValue, [sg-0123456789abcdef0]]',
          ),
        ),
      ),
    },
    {
      name: 'a security group that is only taken away where the group is not created passes',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition(
          'IsProduction',
          workers(
            access(
              'Ec2SshKey: operations',
              'SourceSecurityGroups: [!If [IsProduction, sg-0123456789abcdef0, !Ref AWS::NoValue]]',
            ),
          ),
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'a key without source security groups, as CDK renders it, is a warning at the block',
      template: resources(CLUSTER, workers(access('Ec2SshKey: operations'))),
      findings: [
        {
          message: 'open',
          severity: 'warning',
          resource: 'Workers',
          at: 'RemoteAccess',
          says: ['"Workers"', 'port 22', '0.0.0.0/0'],
          omits: ['3389'],
        },
      ],
      fixed: resources(
        CLUSTER,
        workers(access('Ec2SshKey: operations', 'SourceSecurityGroups:', '  - !GetAtt Bastion.GroupId')),
        BASTION,
      ),
    },
    {
      name: 'an empty list is a warning at the list',
      template: resources(CLUSTER, workers(access('Ec2SshKey: operations', 'SourceSecurityGroups: []'))),
      findings: [{ message: 'open', severity: 'warning', resource: 'Workers', at: 'SourceSecurityGroups' }],
      fixed: resources(CLUSTER, workers()),
    },
    {
      name: 'on Windows the port is the one of RDP',
      template: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', access('Ec2SshKey: operations'))),
      findings: [{ message: 'open', severity: 'warning', resource: 'Workers', at: 'RemoteAccess', says: ['3389'] }],
    },
    {
      name: 'a key from a parameter without default is a key, whatever it is called',
      template: template(KEY, CLUSTER, workers(access('Ec2SshKey: !Ref Key'))),
      findings: [{ message: 'open', severity: 'warning', resource: 'Workers', at: 'RemoteAccess' }],
    },
    {
      name: 'a key pair of the input is a key',
      template: resources(
        CLUSTER,
        workers(access('Ec2SshKey: !Ref Pair')),
        block('Pair', 'AWS::EC2::KeyPair', ['KeyName: operations']),
      ),
      findings: [{ message: 'open', severity: 'warning', resource: 'Workers', at: 'RemoteAccess' }],
    },
    {
      name: 'one branch without the only security group is named',
      template: template(
        CONDITION,
        CLUSTER,
        workers(
          access(
            'Ec2SshKey: operations',
            'SourceSecurityGroups: [!If [IsProduction, sg-0123456789abcdef0, !Ref AWS::NoValue]]',
          ),
        ),
      ),
      findings: [
        {
          message: 'open',
          severity: 'warning',
          resource: 'Workers',
          at: 'SourceSecurityGroups',
          says: ['This happens when', 'IsProduction is false'],
        },
      ],
    },
    {
      name: 'one branch without launch template is named',
      template: template(
        CONDITION,
        CLUSTER,
        workers(
          'LaunchTemplate: !If [IsProduction, { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }, !Ref AWS::NoValue]',
          'RemoteAccess: !If [IsProduction, !Ref AWS::NoValue, { Ec2SshKey: operations }]',
        ),
        launchTemplate('EbsOptimized: true'),
      ),
      findings: [
        {
          message: 'open',
          severity: 'warning',
          resource: 'Workers',
          at: 'RemoteAccess',
          says: ['IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a list of security groups from a parameter without default',
      template: template(KEY, CLUSTER, workers(access('Ec2SshKey: operations', 'SourceSecurityGroups: !Ref Groups'))),
      resources: ['Workers'],
      because: 'Groups',
    },
    {
      name: 'remote access from elsewhere',
      template: resources(CLUSTER, workers('RemoteAccess: !ImportValue access')),
      resources: ['Workers'],
      because: 'remote access',
    },
    {
      name: 'a key that a macro may add',
      template: resources(CLUSTER, workers(access('Fn::Transform: { Name: Access }'))),
      resources: ['Workers'],
      because: 'Fn::Transform',
    },
  ],
  notApplicable: [
    { name: 'no remote access', template: resources(CLUSTER, workers()) },
    {
      name: 'a launch template of the input, with which EKS refuses remote access',
      template: resources(
        CLUSTER,
        workers(USES_NODES, access('Ec2SshKey: operations')),
        launchTemplate('EbsOptimized: true'),
      ),
    },
    {
      name: 'a launch template outside the input',
      template: resources(
        CLUSTER,
        workers('LaunchTemplate: { Id: lt-0abc, Version: 1 }', access('Ec2SshKey: operations')),
      ),
    },
  ],
});

it('a key from a required variable of Terraform is a warning that says "if a key is given"', () => {
  const hcl = [
    'variable "ssh_key" { type = string }',
    'resource "aws_eks_node_group" "workers" {',
    '  cluster_name  = "main"',
    '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
    '  subnet_ids    = ["subnet-1"]',
    '  remote_access {',
    '    ec2_ssh_key = var.ssh_key',
    '  }',
    '}',
  ];
  const [finding, ...more] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [
    nodeGroupRemoteAccess,
  ]);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ verdict: 'fail', severity: 'warning' });
  expect(finding?.message).toContain(
    'takes a key for remote access from var.ssh_key but names no source security groups: if a key is given, EKS opens port 22',
  );
});

it.each([
  ['', ['AmazonEKSWorkerNodePolicy'], true],
  ['', ['AmazonEKSWorkerNodePolicy', 'AmazonSSMManagedInstanceCore'], false],
  ['  count = 2\n', ['AmazonEKSWorkerNodePolicy'], false],
])(
  'Session Manager takes the place of SSH in Terraform, with its policy where the node role lacks it: %j %j',
  (count, policies, isPrinted) => {
    const hcl = [
      `resource "aws_iam_role" "nodes" {\n${count}  name = "nodes"\n  assume_role_policy = "{}"\n}`,
      ...policies.map(
        (policy) =>
          `resource "aws_iam_role_policy_attachment" "${policy}" {\n  role = "nodes"\n  policy_arn = "arn:aws:iam::aws:policy/${policy}"\n}`,
      ),
      'resource "aws_eks_node_group" "workers" {',
      '  cluster_name  = "main"',
      `  node_role_arn = aws_iam_role.nodes${count === '' ? '' : '[1]'}.arn`,
      '  subnet_ids    = ["subnet-1"]',
      '  remote_access {',
      '    ec2_ssh_key = "ops"',
      '  }',
      '}',
    ];
    const [finding] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [
      nodeGroupRemoteAccess,
    ]);
    expect(finding?.fix).toContain(
      policies.length > 1 ? 'which the node role allows' : 'needs `AmazonSSMManagedInstanceCore`',
    );
    expect(finding?.fixCode?.split('\n').filter((line) => /role |without/.test(line))).toEqual(
      isPrinted
        ? [
            '  role       = aws_iam_role.nodes.name',
            '# in aws_eks_node_group.workers, which Terraform replaces, without remote_access:',
          ]
        : undefined,
    );
  },
);
