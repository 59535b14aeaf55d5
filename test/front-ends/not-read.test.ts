import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { checkPaths } from '../../lib/check';
import { skippedText, summaryLine } from '../../lib/reports/summary';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'not-read-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function check(files: Record<string, string>, ...names: string[]) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const result = checkPaths(names.map((name) => join(root, name)));
  return {
    result,
    problems: result.diagnostics.map(
      ({ severity, file, message }) =>
        `${severity} ${relative(root, file) || '.'}: ${message.replaceAll(`${root}/`, '')}`,
    ),
  };
}

const TEMPLATE = 'Resources:\n  Cni: {Type: AWS::EKS::Addon}\n';
const RESOURCE = 'resource "aws_x" "a" {\n  a = var.hop\n}\n';
const GIT_CRYPT = '\0GITCRYPT\0\u0001\u0002}{=';

describe('what is given by name and is no input', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'app.ts',
      { 'app.ts': "import * as cdk from 'aws-cdk-lib';\nnew cdk.App();" },
      /synthesize first: npx cdk synth -q && npx eks-guardrails check cdk\.out$/,
    ],
    [
      'app/main.py',
      { 'app/main.py': 'app = App()', 'app/cdktf.json': '{}' },
      /synthesize first: npx cdktf synth && npx eks-guardrails check cdktf\.out$/,
    ],
    ['Main.java', { 'Main.java': 'class Main {}' }, /synthesize first: npx cdk synth/],
    ['main.go', { 'main.go': 'package main' }, /synthesize first: npx cdk synth/],
    ['cdk.json', { 'cdk.json': '{"app": "node app.js"}' }, /synthesize first: npx cdk synth/],
    [
      'app',
      { 'app/cdk.json': '{"app": "node app.js"}', 'app/lib/stack.ts': '' },
      /^error app: this is the folder of a CDK app that is not synthesized; synthesize first/,
    ],
    ['app', { 'app/cdktf.json': '{}' }, /CDKTF app that is not synthesized/],
    [
      'Pulumi.yaml',
      { 'Pulumi.yaml': 'name: eks\nruntime: nodejs\n' },
      /this is a Pulumi project, which is not read; check what it is about to do: pulumi preview --json --show-sames/,
    ],
    [
      'app',
      { 'app/Pulumi.yaml': 'name: eks\nruntime: nodejs\n' },
      /this is a Pulumi project, which is not read; check what it is about to do: pulumi preview --json --show-sames/,
    ],
    ['node.yaml', { 'node.yaml': 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n' }, /eks-guardrails user-data/],
    [
      'chart/templates/pod.yaml',
      { 'chart/templates/pod.yaml': '{{- if .Values.on }}\napiVersion: v1\nkind: Pod\n{{- end }}\n' },
      /Helm chart/,
    ],
    ['chart', { 'chart/Chart.yaml': 'name: a\n' }, /Helm chart/],
    [
      'chart',
      {
        'chart/Chart.yaml': 'name: a\n',
        'chart/templates/pdb.yaml':
          'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 0, selector: {}}\n{{- if .Values.on }}\n{{- end }}\n',
      },
      /^error chart: this is a Helm chart, .*: helm template chart \| eks-guardrails check -$/,
    ],
    [
      'overlays/prod',
      {
        'overlays/prod/kustomization.yaml': 'resources: [../../base]\n',
        'overlays/prod/patch.yaml': 'spec: {replicas: 2}\n',
        'base/kustomization.yaml': 'resources: []\n',
      },
      /^error overlays\/prod: this is a kustomization, .*: kubectl kustomize overlays\/prod \| eks-guardrails check -$/,
    ],
    ['unit/terragrunt.hcl', { 'unit/terragrunt.hcl': 'inputs = {}' }, /check the plan of each/],
  ])('is one line that says what it is: %s', (name, files, message) => {
    const { problems, result } = check(files, name);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(result.diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  });

  it('is not a template that looks a little like it', () => {
    expect(
      check(
        {
          'a.yaml': `${TEMPLATE}Metadata:\n  kind: x\n`,
          'b.yaml': 'Description: "apiVersion: v1"\nResources:\n  M: {Type: "Custom::AWSCDK-EKS-KubernetesResource"}\n',
        },
        'a.yaml',
        'b.yaml',
      ).problems,
    ).toEqual([]);
    expect(
      check(
        {
          'app/cdk.json': '{}',
          'app/cdk.out/manifest.json': '{"version": "36.0.0", "artifacts": {}}',
          'app/cdk.out/cdk.out': '{}',
        },
        'app',
      ).problems,
    ).toEqual([]);
  });
});

describe('what is passed by in a folder', () => {
  it('is one line for all units of Terragrunt, which the summary counts', () => {
    const { problems, result } = check(
      {
        'a.yaml': TEMPLATE,
        'live/vpc/terragrunt.hcl': '',
        'live/eks/terragrunt.hcl': '',
        'live/eks/tags.tf': RESOURCE,
      },
      '.',
    );
    expect(problems).toEqual([
      expect.stringMatching(/^warning live\/eks: Terragrunt units are not read; .*\(live\/eks, live\/vpc\)$/),
    ]);
    expect(skippedText(result.diagnostics)).toBe('2 Terragrunt folders');
    expect(summaryLine(result, false)).toMatch(/^.* in 2 inputs, 2 resources\. Not checked: 2 Terragrunt folders$/);
  });

  it('makes the check fail when there is nothing else', () => {
    expect(
      check({ 'live/vpc/terragrunt.hcl': '' }, 'live').result.diagnostics.map(({ severity }) => severity),
    ).toContain('error');
    expect(check({ 'infra/app/cdk.json': '{}' }, 'infra').result.diagnostics.map(({ severity }) => severity)).toContain(
      'error',
    );
  });

  it('is one line for files that git-crypt encrypts', () => {
    const { problems } = check({ 'a.yaml': TEMPLATE, 'x.yaml': GIT_CRYPT, 'secrets/y.json': GIT_CRYPT }, '.');
    expect(problems).toEqual([
      'warning secrets/y.json: not checked, because encrypted: secrets/y.json, x.yaml; check where they are unlocked',
    ]);
  });

  it.each([
    ['git-crypt', 'terraform.tfvars', GIT_CRYPT],
    ['SOPS', 'a.auto.tfvars.json', '{"data": "ENC[AES256_GCM,data:x]"}'],
  ])('leaves variables unknown that a file of %s may set', (_, name, text) => {
    const { problems, result } = check(
      { 'main.tf': `variable "hop" {\n  default = 1\n}\n${RESOURCE}`, [name]: text },
      '.',
    );
    expect(problems).toEqual([
      `warning ${name}: the file is encrypted, so variables that it may set count as unknown; check where it is decrypted`,
    ]);
    expect(skippedText(result.diagnostics)).toBe('1 encrypted file');
  });

  it('is an error for encrypted configuration, once', () => {
    expect(check({ 'main.tf': RESOURCE.replace('var.hop', '1'), 'secret.tf': GIT_CRYPT }, '.').problems).toEqual([
      'error secret.tf: the file is encrypted, so it is not read; check where it is unlocked',
    ]);
  });

  it('is a line for apps that are not synthesized beside what is read', () => {
    const { problems, result } = check({ 'a.yaml': TEMPLATE, 'one/cdk.json': '{}', 'two/cdk.json': '{}' }, '.');
    expect(problems).toEqual([
      'warning one: apps of the CDK are not checked before they are synthesized (npx cdk synth -q): one, two',
    ]);
    expect(skippedText(result.diagnostics)).toBe('2 apps that are not synthesized');
  });

  it.each([
    [{ 'app/cdk.json': '{}', 'app/cdk.out/note.txt': '' }, 'app', '1 app that is not synthesized'],
    [{ 'app/cdktf.json': '{}', 'app/cdktf.out/note.txt': '' }, 'app', '1 app that is not synthesized'],
    [{ 'app/Pulumi.yaml': 'name: a\nruntime: yaml\n' }, 'app', '1 Pulumi project'],
    [{ 'app/a.tfcomponent.hcl': '', 'app/b.tfdeploy.hcl': '' }, 'app', '1 Terraform Stack'],
    [{ 'app/terragrunt.stack.hcl': '' }, 'app', '1 Terragrunt folder'],
    [{ 'app/terragrunt.hcl.json': '{}' }, 'app', '1 Terragrunt folder'],
  ])('is a line for what has to be made into something else first: %j', (files, folder, skipped) => {
    const { problems, result } = check({ 'a.yaml': TEMPLATE, ...files }, '.');
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^warning ${folder}: .*\\b${folder}\\b`))]);
    expect(skippedText(result.diagnostics)).toBe(skipped);
  });

  it('is none for a project of Pulumi whose preview is there', () => {
    const preview = JSON.stringify({ steps: [], changeSummary: {} });
    const files = { 'a.yaml': TEMPLATE, 'app/Pulumi.yaml': 'name: a\n', 'app/preview.json': preview };
    expect(check(files, '.').problems).toEqual([]);
  });
});

describe('resources that declare others in a place that is not read', () => {
  const stack = (id: string, url: string, type = 'Stack') =>
    `  ${id}: {Type: "AWS::CloudFormation::${type}", Properties: {TemplateURL: ${url}}}\n`;
  const body = (text: string) =>
    `Resources:\n  Set:\n    Type: AWS::CloudFormation::StackSet\n    Properties:\n      TemplateBody: |\n${text.replace(/^/gm, '        ')}\n`;
  const terraform = (type: string, ...lines: string[]) => `resource "${type}" "a" {\n${lines.join('\n')}\n}\n`;

  it.each<[string, Record<string, string>, readonly string[]]>([
    [
      'nested stacks of templates elsewhere',
      {
        'a.yaml': `Resources:\n${stack('EksStack', 'https://b/eks.yaml')}${stack('Nodes', '!Sub "https://${AWS::Region}/x.yaml"')}`,
      },
      [
        "warning a.yaml: nested stacks aren't read, so what they declare isn't checked: EksStack (eks.yaml), Nodes (x.yaml)",
      ],
    ],
    [
      'a stack that is given what a cluster is called',
      {
        'a.yaml':
          'Resources:\n  A: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: !Ref AWS::Region, Parameters: {EksClusterName: a}}}\n',
      },
      ["warning a.yaml: nested stack A isn't read, so what it declares isn't checked"],
    ],
    ['one for something else', { 'a.yaml': `Resources:\n${stack('ClusterVpc', 'https://b/vpc.yaml')}` }, []],
    [
      'stacks whose templates are here, one of them that of two',
      {
        'a.yaml': `Resources:\n${stack('Eks', 'eks.yaml')}${stack('Nodes', 'nodes.yaml')}${stack('Nodes2', 'nodes.yaml')}`,
        'eks.yaml': TEMPLATE,
        'nodes.yaml': TEMPLATE,
      },
      [],
    ],
    [
      'a stack that is never created',
      {
        'a.yaml': `Conditions: {C: !Equals [a, b]}\nResources:\n  Eks: {Type: AWS::CloudFormation::Stack, Condition: C, Properties: {TemplateURL: "https://b/eks.yaml"}}\n`,
      },
      [],
    ],
    [
      "a stack of the CDK's own functions",
      {
        'a.yaml': `Resources:\n${stack('awscdkawseksKubectlProviderNestedStackawscdkawseksKubectlProviderNestedStackResourceA7AEBA6B', '!Ref AWS::Region')}`,
      },
      [],
    ],
    [
      'a stack set with a cluster',
      { 'a.yaml': body('Resources:\n  C: {Type: AWS::EKS::Cluster}') },
      ["warning a.yaml: stack set Set isn't read, so what it declares isn't checked"],
    ],
    [
      'a stack set with an escape in a type',
      { 'a.yaml': body('{"Resources": {"C": {"Type": "AWS::\\u0045KS::Cluster"}}}') },
      ["warning a.yaml: stack set Set isn't read, so what it declares isn't checked"],
    ],
    [
      'stacks around a cluster of something else',
      {
        'a.yaml': `Resources:\n${stack('Cluster', 'https://b/ecs-cluster.yaml')}  Queue: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: 'https://b/mq.yaml', Parameters: {ClusterName: a}}}\n`,
      },
      [],
    ],
    [
      'a stack set with a role of an add-on',
      { 'a.yaml': body('Resources:\n  C: {Type: AWS::IAM::Role, Properties: {Path: /eks/}}') },
      ["warning a.yaml: stack set Set isn't read, so what it declares isn't checked"],
    ],
    [
      'a stack set that only speaks of a cluster',
      { 'a.yaml': body('Description: beside EKS\nResources:\n  C: {Type: AWS::S3::Bucket}') },
      [],
    ],
    ['a stack set with a bucket', { 'a.yaml': body('Resources:\n  Weeks: {Type: AWS::S3::Bucket}') }, []],
    [
      'modules of the registry',
      {
        'a.yaml':
          'Resources:\n  A: {Type: "My::EKS::Nodes::MODULE", Properties: {}}\n  B: {Type: "My::S3::Bucket::MODULE", Properties: {}}\n',
      },
      ["warning a.yaml: module A (My::EKS::Nodes::MODULE) isn't read, so what it declares isn't checked"],
    ],
    [
      'resources of another provider of Terraform',
      {
        'a.tf': `${terraform('awscc_eks_cluster', 'count = 2')}${terraform('awscc_ec2_launch_template')}${terraform('awscc_s3_bucket')}`,
      },
      [
        "warning a.tf: resources aren't read, so what they declare isn't checked: awscc_eks_cluster.a[0], awscc_ec2_launch_template.a",
      ],
    ],
    [
      'a stack of CloudFormation in Terraform',
      {
        'a.tf': terraform(
          'aws_cloudformation_stack',
          'name = "x"',
          'template_body = jsonencode({ Resources = { C = { Type = "AWS::EKS::Cluster" } } })',
        ),
      },
      ["warning a.tf: CloudFormation stack aws_cloudformation_stack.a isn't read, so what it declares isn't checked"],
    ],
    [
      'one with a role for an audit, and one whose template is elsewhere',
      {
        'a.tf': terraform(
          'aws_cloudformation_stack_set',
          'name = "eks"',
          'template_body = jsonencode({ Resources = { C = { Type = "AWS::IAM::Role" } } })',
        ),
        'b.tf': terraform('aws_cloudformation_stack', 'name = "x"', 'template_url = "https://b/eks-nodes.yaml"'),
      },
      ["warning b.tf: CloudFormation stack aws_cloudformation_stack.a isn't read, so what it declares isn't checked"],
    ],
  ])('%s', (_, files, expected) => {
    const names = Object.keys(files).every((name) => name.endsWith('.tf')) ? ['.'] : Object.keys(files);
    expect(check(files, ...names).problems).toEqual(expected);
  });

  it('counts them', () => {
    const { result } = check(
      {
        'a.yaml': `Resources:\n${stack('EksStack', 'https://b/eks.yaml')}  A: {Type: "My::EKS::Nodes::MODULE"}\n  B: {Type: Custom::KubeManifest}\n`,
      },
      'a.yaml',
    );
    expect(skippedText(result.diagnostics)).toBe("1 stack whose template isn't here, 2 resources that aren't read");
  });
});
