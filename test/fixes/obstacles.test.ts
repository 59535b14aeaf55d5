import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { planJobs } from '../../lib/fixes/jobs';
import { repairTexts } from '../../lib/fixes/repairs';
import { workspace } from '../cli/workspace';

const root = workspace({});
let folders = 0;

/** Why repairs of what a folder holds are refused before any text is looked at; and how many are not. */
function outcome(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = ['.'],
  rules = ['launch-template-forbidden-field', 'vpc-cni-resolve-conflicts'],
): { jobs: number; reasons: string[] } {
  const folder = join(root, String(++folders));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { findings } = checkPaths(paths.map((path) => join(folder, path)));
  const { jobs, refused } = planJobs(findings.filter(({ rule }) => rules.includes(rule)));
  return { jobs: jobs.length, reasons: refused.map(({ reason }) => reason) };
}

const ONLY = 'not only managed node groups depend on this launch template: ';

describe('launch templates of CloudFormation', () => {
  const TEMPLATE = `Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateName: nodes
      LaunchTemplateData:
        ImageId: ami-0a1b2c3d4e5f60718
        InstanceInitiatedShutdownBehavior: terminate
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-0a1b2c3d, subnet-4e5f6a7b]
      LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber }
`;
  it('are changed where managed node groups alone use them', () => {
    expect(outcome({ 'a.yaml': TEMPLATE })).toEqual({ jobs: 1, reasons: [] });
    expect(outcome({ 'a.yaml': `${TEMPLATE}  Topic: { Type: AWS::SNS::Topic, DependsOn: Template }\n` }).jobs).toBe(1);
  });
  it.each<[string, string, string]>([
    [
      'an Auto Scaling group',
      '  Legacy:\n    Type: AWS::AutoScaling::AutoScalingGroup\n    Properties: { LaunchTemplate: { LaunchTemplateId: !Ref Template, Version: "1" } }\n',
      'AWS::AutoScaling::AutoScalingGroup Legacy uses it',
    ],
    [
      'its attribute',
      '  Fleet:\n    Type: AWS::EC2::EC2Fleet\n    Properties: { LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { Version: !GetAtt Template.LatestVersionNumber } }] }\n',
      'AWS::EC2::EC2Fleet Fleet uses it',
    ],
    [
      'a text',
      '  Own: { Type: Custom::Nodes, Properties: { Spec: !Sub "launchTemplate: ${Template}" } }\n',
      'Custom::Nodes Own uses it',
    ],
    [
      'its name',
      '  Box: { Type: AWS::EC2::Instance, Properties: { LaunchTemplate: { LaunchTemplateName: nodes, Version: "1" } } }\n',
      'AWS::EC2::Instance Box uses it',
    ],
    ['an output', 'Outputs:\n  TemplateId: { Value: !Ref Template }\n', 'output TemplateId tells others of it'],
  ])('are left alone where %s uses them, too', (_, more, user) => {
    expect(outcome({ 'a.yaml': TEMPLATE + more })).toEqual({ jobs: 0, reasons: [ONLY + user] });
  });
  it('are left alone where another stack names them', () => {
    const other =
      'Resources:\n  Box: { Type: AWS::EC2::Instance, Properties: { LaunchTemplate: { LaunchTemplateName: nodes, Version: "1" } } }\n  Box2: { Type: AWS::EC2::Instance, Properties: { LaunchTemplate: { LaunchTemplateName: nodes, Version: "1" } } }\n';
    expect(outcome({ 'a.yaml': TEMPLATE, 'b.yaml': other }).reasons).toEqual([
      `${ONLY}AWS::EC2::Instance Box uses it, and 1 more`,
    ]);
  });
});

describe('launch templates of Terraform', () => {
  const MAIN = `resource "aws_launch_template" "nodes" {
  name                                 = "nodes"
  image_id                             = "ami-0a1b2c3d4e5f60718"
  instance_initiated_shutdown_behavior = "terminate"
}

resource "aws_eks_node_group" "workers" {
  cluster_name  = "main"
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-0a1b2c3d"]
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
  scaling_config {
    desired_size = 1
    max_size     = 2
    min_size     = 1
  }
}
`;
  it('are changed where managed node groups alone use them', () => {
    expect(outcome({ 'main.tf': MAIN })).toEqual({ jobs: 1, reasons: [] });
    expect(outcome({ 'main.tf': `${MAIN}output "group" {\n  value = aws_eks_node_group.workers.id\n}\n` }).jobs).toBe(
      1,
    );
  });
  it.each<[string, string, string]>([
    [
      'an Auto Scaling group',
      'resource "aws_autoscaling_group" "old" {\n  launch_template {\n    id = aws_launch_template.nodes.id\n  }\n}\n',
      'aws_autoscaling_group.old uses it',
    ],
    [
      'its name',
      'resource "aws_instance" "box" {\n  launch_template {\n    name = aws_launch_template.nodes.name\n  }\n}\n',
      'aws_instance.box uses it',
    ],
    [
      'a local value',
      'locals {\n  ids = { a = aws_launch_template.nodes.id }\n}\nresource "aws_ec2_fleet" "f" {\n  launch_template_config {\n    launch_template_specification {\n      launch_template_id = local.ids["a"]\n      version = "1"\n    }\n  }\n}\n',
      'aws_ec2_fleet.f uses it',
    ],
    [
      'a function',
      'resource "null_resource" "n" {\n  triggers = { t = md5("x-${aws_launch_template.nodes.arn}") }\n}\n',
      'null_resource.n uses it',
    ],
    [
      'a data source',
      'data "aws_launch_template" "same" {\n  name = "nodes"\n}\n',
      'data.aws_launch_template.same uses it',
    ],
    [
      'a manifest',
      'resource "kubectl_manifest" "karpenter" {\n  yaml_body = <<-EOT\n    kind: AWSNodeTemplate\n    spec:\n      launchTemplate: nodes\n  EOT\n}\n',
      'kubectl_manifest.karpenter uses it',
    ],
    [
      'a module that is not here',
      'module "asg" {\n  source = "example/asg/aws"\n  launch_template_id = aws_launch_template.nodes.id\n}\n',
      "module.asg, which isn't here, is given it",
    ],
    [
      'an output',
      'output "id" {\n  value = { id = aws_launch_template.nodes.id }\n}\n',
      'output id tells others of it',
    ],
    [
      'something of which that is not known',
      'resource "aws_autoscaling_group" "old" {\n  launch_template {\n    id = data.external.x.result[each.key]\n  }\n}\n',
      '',
    ],
  ])('are left alone where %s uses them, too', (_, more, user) => {
    expect(outcome({ 'main.tf': MAIN + more })).toEqual(
      user === '' ? { jobs: 1, reasons: [] } : { jobs: 0, reasons: [ONLY + user] },
    );
  });
  it('are left alone where another call of the module uses them otherwise', () => {
    const module =
      MAIN.replace(
        'resource "aws_eks_node_group" "workers" {',
        'variable "managed" {}\nresource "aws_eks_node_group" "workers" {\n  count = var.managed ? 1 : 0',
      ) +
      'resource "aws_autoscaling_group" "own" {\n  count = var.managed ? 0 : 1\n  launch_template {\n    id = aws_launch_template.nodes.id\n  }\n}\n';
    const calls = (...managed: boolean[]) =>
      managed
        .map((value, index) => `module "m${index}" {\n  source = "../module"\n  managed = ${String(value)}\n}\n`)
        .join('');
    expect(outcome({ 'module/main.tf': module, 'env/main.tf': calls(true, false) }, ['env']).reasons).toEqual([
      `${ONLY}module.m1.aws_autoscaling_group.own[0] uses it`,
    ]);
    expect(outcome({ 'module/main.tf': module, 'env/main.tf': calls(true, true) }, ['env'])).toEqual({
      jobs: 1,
      reasons: [],
    });
  });
  it('are left alone where not all files of the folder are read', () => {
    expect(outcome({ 'main.tf': MAIN, 'asg.tf': '' }, ['main.tf']).reasons).toEqual([
      `${ONLY}the other files of its folder may use it`,
    ]);
    expect(outcome({ 'main.tf': MAIN }, ['main.tf'])).toEqual({ jobs: 1, reasons: [] });
  });
});

it.each([
  '{ HttpEndpoint: disabled }',
  '{ HttpEndpoint: disabled, HttpTokens: required }',
  '{ HttpEndpoint: disabled, HttpPutResponseHopLimit: 3 }',
])('the metadata options %s are right when the endpoint is', (options) => {
  const folder = join(root, String(++folders));
  const file = join(folder, 'a.yaml');
  const text = `Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties: { LaunchTemplateData: { MetadataOptions: ${options} } }
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties: { ClusterName: main, NodeRole: nodes, Subnets: [subnet-1], AmiType: AL2023_x86_64_STANDARD, LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber } }
`;
  mkdirSync(folder);
  writeFileSync(file, text);
  const failures = () =>
    checkPaths([file]).findings.filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error');
  const before = failures();
  expect(before.map(({ rule }) => rule)).toEqual(['imds-endpoint-disabled']);
  writeFileSync(file, repairTexts(planJobs(before).jobs, () => ({ text })).files[0]?.after ?? '');
  expect(failures().map(({ rule }) => rule)).toEqual([]);
});

describe('the version of the AWS provider', () => {
  const ADDON =
    'resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name = "vpc-cni"\n  addon_version = "v1.20.4-eksbuild.2"\n}\n';
  const needs = (constraint: string) =>
    `terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "${constraint}" }\n  }\n}\n`;
  const locked = (version: string) => `provider "registry.terraform.io/hashicorp/aws" {\n  version = "${version}"\n}\n`;
  const refusal = (versions: string) => [
    `\`resolve_conflicts_on_update\` needs version 5.0.0 of the AWS provider, and the configuration has ${versions}`,
  ];

  it.each<[string, string[]]>([
    ['~> 4.40', refusal('~> 4.40')],
    ['>= 4.0, < 5.0.0', refusal('>= 4.0, < 5.0.0')],
    ['4.67.0', refusal('4.67.0')],
    ['>= 4.0', []],
    ['~> 5.0', []],
    ['>= 6.0.0-beta1', []],
  ])('%s decides', (constraint, reasons) => {
    expect(outcome({ 'main.tf': needs(constraint) + ADDON }).reasons).toEqual(reasons);
    expect(
      outcome({
        'main.tf.json': JSON.stringify({
          terraform: { required_providers: { aws: { source: 'hashicorp/aws', version: constraint } } },
        }),
        'addon.tf': ADDON,
      }).reasons,
    ).toEqual(reasons);
  });
  it('is the one of the lock file, if there is one', () => {
    expect(outcome({ 'main.tf': needs('>= 4.0') + ADDON, '.terraform.lock.hcl': locked('4.67.0') }).reasons).toEqual(
      refusal('4.67.0'),
    );
    expect(outcome({ 'main.tf': ADDON, '.terraform.lock.hcl': locked('5.100.0') })).toEqual({ jobs: 1, reasons: [] });
    expect(outcome({ 'main.tf': ADDON, '.terraform.lock.hcl': 'provider {{{' })).toEqual({ jobs: 1, reasons: [] });
  });
  it('is that of the root module', () => {
    const root = { 'env/main.tf': `${needs('~> 4.0')}module "m" {\n  source = "../module"\n}\n` };
    expect(outcome({ ...root, 'module/main.tf': ADDON }, ['env']).reasons).toEqual(refusal('~> 4.0'));
    expect(
      outcome({ ...root, 'module/main.tf': ADDON, 'env/.terraform.lock.hcl': locked('5.1.0') }, ['env']).reasons,
    ).toEqual([]);
  });
  it('counts for each argument', () => {
    const reasons = (constraint: string) =>
      outcome({ 'main.tf': needs(constraint) + ADDON }, ['.'], ['addon-preserve-on-delete']).reasons;
    expect(reasons('~> 4.40')).toEqual([]);
    expect(reasons('~> 3.70')).toEqual([
      '`preserve` needs version 4.10.0 of the AWS provider, and the configuration has ~> 3.70',
    ]);
  });
  it('is told in old ways, too', () => {
    expect(
      outcome({ 'main.tf': `terraform {\n  required_providers {\n    aws = "~> 3.0"\n  }\n}\n${ADDON}` }).reasons,
    ).toEqual(refusal('~> 3.0'));
    expect(outcome({ 'main.tf': `provider "aws" {\n  version = "~> 3.0"\n}\n${ADDON}` }).reasons).toEqual(
      refusal('~> 3.0'),
    );
  });
});
