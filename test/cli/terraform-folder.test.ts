import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { JsonReport } from '../../lib/reports';
import { projectRoot, runCommand } from './built-command';
import { reportSchema } from './report-schema';
import { workspace } from './workspace';

const EKS = `variable "hop_limit" {
  type    = number
  default = 1
}

resource "aws_iam_role" "nodes" {
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy_attachment" "nodes" {
  for_each   = toset(["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"])
  role       = aws_iam_role.nodes.name
  policy_arn = "arn:aws:iam::aws:policy/\${each.key}"
}

resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.35"
  upgrade_policy {
    support_type = "STANDARD"
  }
  vpc_config {
    subnet_ids = ["subnet-0a", "subnet-0b"]
  }
}

resource "aws_launch_template" "workers" {
  name_prefix = "workers-"
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = var.hop_limit
  }
}

resource "aws_eks_node_group" "workers" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = aws_iam_role.nodes.arn
  subnet_ids    = ["subnet-0a", "subnet-0b"]
  scaling_config {
    desired_size = 2
    max_size     = 4
    min_size     = 2
  }
  launch_template {
    id      = aws_launch_template.workers.id
    version = aws_launch_template.workers.latest_version
  }
}
`;
const call = (more: string) =>
  `provider "aws" {\n  region = "eu-central-1"\n}\n\nmodule "eks" {\n  source = "../../modules/eks"\n${more}}\n`;
const folder = workspace({
  'infra/modules/eks/main.tf': EKS,
  'infra/envs/dev/main.tf': `variable "hop_limit" {}\n\n${call('  hop_limit = var.hop_limit\n')}`,
  'infra/envs/dev/terraform.tfvars': 'hop_limit = 2\n',
  'infra/envs/prod/main.tf': call(''),
  'broken/main.tf': `resource "aws_eks_addon" "cni" {\n  addon_name = \n  cluster_name = "main"\n}\n${EKS}`,
});
const check = (...args: string[]) => runCommand(['check', ...args], { cwd: folder });
const guideFile = join(projectRoot, 'docs/guides/terraform.md');
const TEXT = /```text\n(\$ eks-guardrails check infra\/\n[^]*?)```\n/;

describe('eks-guardrails check FOLDER', () => {
  it('judges every root module in it, as the guide shows', () => {
    const { stdout, stderr, exitCode } = check('infra/');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails check infra/\n${stdout}`;
    const guide = readFileSync(guideFile, 'utf8');
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        guide.replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('passes where the values of a .tfvars file are right', () => {
    expect(check('infra/envs/dev')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('gives JSON of the same contract', () => {
    const report = JSON.parse(check('infra', '--format', 'json').stdout) as JsonReport;
    const validate = new Ajv({ strict: false }).compile(reportSchema);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(report.inputs).toEqual([
      { path: 'infra/envs/dev', kind: 'terraform-configuration', resources: 7 },
      { path: 'infra/envs/prod', kind: 'terraform-configuration', resources: 7 },
    ]);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'imds-hop-limit',
        resource: { type: 'aws_launch_template', id: 'module.eks.aws_launch_template.workers' },
        location: {
          file: 'infra/modules/eks/main.tf',
          line: 35,
          property: 'metadata_options[0].http_put_response_hop_limit',
        },
      },
    ]);
  });

  it('says what it can not read, and judges the rest', () => {
    const { stdout, exitCode } = check('broken');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('broken/main.tf:2:');
    expect(stdout).toContain('imds-hop-limit');
  });

  it('reads one file alone', () => {
    expect(check('infra/modules/eks/main.tf').stdout).toContain('imds-hop-limit');
  });

  it('says what it looked for in a folder without any of it', () => {
    const { stdout, exitCode } = runCommand(['check', 'infra/envs'], { cwd: workspaceWithout });
    expect(exitCode).toBe(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'no Terraform plan, no Terraform configuration, no Pulumi preview, no eksctl ClusterConfig, no answer about a cluster that runs and no Kubernetes manifest',
    );
  });
});

const workspaceWithout = workspace({
  'infra/envs/prod.tfvars': 'a = 1\n',
  'infra/envs/image.pkr.hcl': 'source "a" "b" {}\n',
});
