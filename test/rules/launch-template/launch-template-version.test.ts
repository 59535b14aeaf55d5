import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { launchTemplateVersion } from '../../../lib/rules/launch-template/launch-template-version';
import {
  block,
  CLUSTER,
  cluster,
  launchTemplate,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const NODES = launchTemplate('EbsOptimized: true');
const FOLLOWING = resources(CLUSTER, nodeGroup(USES_NODES), NODES);

const TWO_CONDITIONS = [
  'Parameters:\n  X: { Type: String }\n  Y: { Type: String }\nConditions:',
  "  A: !Equals [!Ref X, 'yes']\n  B: !Equals [!Ref Y, 'yes']\n  NotBoth: !Not [!And [!Condition A, !Condition B]]",
].join('\n');

function version(text: string): string {
  return `LaunchTemplate:\n  Id: !Ref Nodes\n  Version: ${text}`;
}

testRule(launchTemplateVersion, {
  valid: [
    {
      name: 'a floating version under conditions under which the group is not created passes',
      template: template(
        TWO_CONDITIONS,
        CLUSTER,
        onCondition('NotBoth', nodeGroup(version("!If [A, !If [B, $Latest, '2'], '3']"))),
        NODES,
      ),
    },
    {
      name: 'a fixed number passes, although the template is part of the input',
      template: resources(CLUSTER, nodeGroup(version("'3'")), NODES),
    },
    {
      name: 'a fixed number passes without the template',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '3' }")),
    },
    { name: 'the latest version number of the template passes', template: FOLLOWING },
    {
      name: 'the same by Fn::Sub passes',
      template: resources(CLUSTER, nodeGroup(version('!Sub "${Nodes.LatestVersionNumber}"')), NODES),
    },
    {
      name: 'a number from the default of a parameter passes',
      template: template(
        "Parameters:\n  V: { Type: String, Default: '7' }",
        CLUSTER,
        nodeGroup(version('!Ref V')),
        NODES,
      ),
    },
  ],
  invalid: [
    {
      name: '$Latest is reported at the version',
      template: resources(CLUSTER, nodeGroup(version('$Latest')), NODES),
      findings: [
        {
          message: 'floating',
          severity: 'warning',
          resource: 'Workers',
          at: 'Version: $Latest',
          related: ['Nodes:'],
          says: ['"Workers"', '`$Latest`', '"Nodes"', 'old settings'],
        },
      ],
      fixed: FOLLOWING,
    },
    {
      name: '$Default is reported',
      template: resources(CLUSTER, nodeGroup(version('$Default')), NODES),
      findings: [
        {
          message: 'floating',
          severity: 'warning',
          resource: 'Workers',
          at: 'Version: $Default',
          says: ["doesn't move the default"],
        },
      ],
    },
    {
      name: 'the default version number is reported: CloudFormation has no property that moves it',
      template: resources(CLUSTER, nodeGroup(version('!GetAtt Nodes.DefaultVersionNumber')), NODES),
      findings: [
        {
          message: 'floating',
          severity: 'warning',
          resource: 'Workers',
          at: 'Version: !GetAtt',
          says: ['DefaultVersionNumber'],
        },
      ],
    },
    {
      name: 'a version that is left out is reported at the launch template of the group',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate:\n  Id: !Ref Nodes'), NODES),
      findings: [
        {
          message: 'leftOut',
          severity: 'warning',
          resource: 'Workers',
          at: 'LaunchTemplate:',
          related: ['Nodes:'],
          says: ['names no version', '"Nodes"'],
        },
      ],
      fixed: FOLLOWING,
    },
    {
      name: 'one bad branch of a condition is reported and named',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(version('!If [IsProduction, !GetAtt Nodes.LatestVersionNumber, $Latest]')),
        NODES,
      ),
      findings: [
        {
          message: 'floating',
          severity: 'warning',
          resource: 'Workers',
          at: 'Version: !If',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'a launch template that is named under a condition is reported under it',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(
          'LaunchTemplate:',
          '  Fn::If:',
          '    - IsProduction',
          '    - Id: !Ref Nodes',
          '      Version: $Default',
          '    - !Ref AWS::NoValue',
        ),
        NODES,
      ),
      findings: [
        {
          message: 'floating',
          severity: 'warning',
          resource: 'Workers',
          at: 'Version: $Default',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a version from a parameter without default',
      template: template('Parameters:\n  V: { Type: String }', CLUSTER, nodeGroup(version('!Ref V')), NODES),
      resources: ['Workers'],
      because: 'V',
    },
    {
      name: 'no version of a template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: { Id: lt-0abc }')),
      resources: ['Workers'],
      because: 'lt-0abc is not part of the input, so neither is what its default version stands for',
    },
    {
      name: '$Latest of a template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: { Name: shared, Version: $Latest }')),
      resources: ['Workers'],
      because: 'shared is not part of the input, so neither is what its $Latest version stands for',
    },
    {
      name: 'a launch template from elsewhere as a whole',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: !ImportValue template')),
      resources: ['Workers'],
      because: "its launch template isn't known",
    },
  ],
  notApplicable: [
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup()) },
    { name: 'a launch template that no node group uses', template: resources(CLUSTER, NODES) },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }')),
    },
    {
      name: 'a self-managed group that follows $Latest',
      template: resources(
        CLUSTER,
        NODES,
        block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '2'",
          'LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: $Latest }',
        ]),
      ),
    },
  ],
});

function findingsOf(...lines: readonly string[]) {
  const hcl = [
    'resource "aws_launch_template" "nodes" {',
    '  count         = 1',
    '  ebs_optimized = true',
    '}',
    'resource "aws_eks_node_group" "workers" {',
    '  cluster_name  = "main"',
    '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
    '  subnet_ids    = ["subnet-1"]',
    ...lines,
    '}',
  ];
  return runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [
    launchTemplateVersion,
  ]);
}

const LATEST = [
  '  launch_template {',
  '    id      = aws_launch_template.nodes[0].id',
  '    version = "$Latest"',
  '  }',
];

it.each([
  'launch_template[0].version',
  'launch_template',
  'scaling_config[0].desired_size, launch_template[0].version',
])('a version whose changes are ignored is information: %s', (ignored) => {
  const [finding, ...more] = findingsOf(...LATEST, '  lifecycle {', `    ignore_changes = [${ignored}]`, '  }');
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ severity: 'info', messageId: 'floating' });
  expect(finding?.message).not.toContain('every plan');
});

it('names a template of the same module without the module', () => {
  const group = [
    'resource "aws_launch_template" "nodes" {',
    '  ebs_optimized = true',
    '}',
    'resource "aws_eks_node_group" "workers" {',
    '  cluster_name  = "main"',
    '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
    '  subnet_ids    = ["subnet-1"]',
    '  launch_template {',
    '    id      = aws_launch_template.nodes.id',
    '    version = "$Latest"',
    '  }',
    '}',
  ].join('\n');
  const root = hclFile('module "nodes" {\n  source = "./modules/nodes"\n}\n', 'main.tf');
  const [read] = readRootModules(
    [{ folder: '.', files: [root], variableFiles: [], stack: 'main', frontEnd: 'terraform' }],
    {
      access: { files: () => undefined, read: () => ({ problem: 'there are no files' }) },
      loadFolder: (folder) => (folder === 'modules/nodes' ? [hclFile(group, 'modules/nodes/main.tf')] : undefined),
    },
  );
  const findings = runRules(new EksModel(readInstances(read?.instances ?? [])), [launchTemplateVersion]);
  expect(findings.map(({ fixCode }) => fixCode)).toEqual([
    expect.stringContaining('id      = aws_launch_template.nodes.id') as string,
  ]);
});

it('names the template as the code of the group does', () => {
  expect(findingsOf(...LATEST)).toMatchObject([
    {
      severity: 'warning',
      messageId: 'floating',
      fixCode: expect.stringContaining('id      = aws_launch_template.nodes[0].id') as string,
    },
  ]);
});
