import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPaths, type CheckResult } from '../../lib/check';
import { render, type JsonReport } from '../../lib/reports';
import { contextWith } from './hand-made';

const CLUSTER = `resource "aws_eks_cluster" "main" {
  name                          = "main"
  version                       = "1.33"
  bootstrap_self_managed_addons = false
}
resource "aws_iam_role" "nodes" {
  name               = "nodes"
  assume_role_policy = "{}"
}
`;
const CALL = `module "nodes" {
  source       = "./nodes"
  count        = 0
  cluster_name = aws_eks_cluster.main.name
  role         = aws_iam_role.nodes.name
  hop          = 1
}
`;
const NODES = `variable "cluster_name" {}
variable "role" {}
variable "hop" {
  default = 2
}
resource "aws_iam_role_policy_attachment" "cni" {
  role       = var.role
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
}
resource "aws_launch_template" "nodes" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = var.hop
  }
}
resource "aws_eks_node_group" "nodes" {
  cluster_name = var.cluster_name
  ami_type     = "AL2023_x86_64_STANDARD"
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
}
`;

let folder = '';
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function check(files: Readonly<Record<string, string>>): CheckResult {
  folder = mkdtempSync(join(tmpdir(), 'not-enabled-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return checkPaths([folder]);
}

function told({ findings }: CheckResult): string[] {
  return findings.map(
    ({ rule, verdict, resource, suppressed }) =>
      `${rule} ${verdict} ${resource.id}${suppressed === undefined ? '' : ` accepted: ${suppressed.reason}`}`,
  );
}

describe('a module that no root module enables', () => {
  it('is judged with the arguments of its call, and changes nothing for the others', () => {
    const alone = told(check({ 'main.tf': CLUSTER }));
    const both = check({ 'main.tf': CLUSTER + CALL, 'nodes/main.tf': NODES });
    expect(told(both).slice(0, alone.length)).toEqual(alone);
    const apart = both.findings.slice(alone.length);
    expect(apart.every(({ resource }) => resource.isNotEnabled === true)).toBe(true);
    expect(told({ ...both, findings: apart })).toContain(
      'imds-hop-limit fail module.nodes[0].aws_launch_template.nodes',
    );
    expect(
      told(check({ 'main.tf': CLUSTER + CALL.replace('hop          = 1', ''), 'nodes/main.tf': NODES })).join(),
    ).not.toContain('imds-hop-limit fail');
  });

  it('has its findings behind the others, under a heading, and marked in JSON', () => {
    const result = check({
      'main.tf': CLUSTER.replace('1.33', '1.10') + CALL,
      'a/main.tf': NODES,
      'nodes/main.tf': NODES,
    });
    const text = render('text', result, contextWith({}));
    const [before = '', behind = ''] = text.split('In modules that no root module enables\n\n');
    expect(before).toContain('cluster-version-support');
    expect(behind).toMatch(
      /^error {2}imds-hop-limit[^\n]*\n {2}In a module that no root module here enables: Launch template\s+"module\.nodes\[0\]\.aws_launch_template\.nodes" /,
    );
    const { findings } = JSON.parse(render('json', result, contextWith({}))) as JsonReport;
    expect(
      new Set(
        findings.map(
          ({ resource, notEnabled }) => `${String(resource.id.startsWith('module.nodes'))} ${String(notEnabled)}`,
        ),
      ),
    ).toEqual(new Set(['false undefined', 'true true']));
    expect(render('text', check({ 'main.tf': CLUSTER.replace('1.33', '1.10') }), contextWith({}))).not.toContain(
      'no root module',
    );
  });

  it('heeds comments in its files and at its call', () => {
    const ignore = '# eks-guardrails:ignore imds-hop-limit -- meant\n';
    const accepted = 'imds-hop-limit fail module.nodes[0].aws_launch_template.nodes accepted: meant';
    expect(told(check({ 'main.tf': CLUSTER + ignore + CALL, 'nodes/main.tf': NODES }))).toContain(accepted);
    const inModule = told(
      check({
        'main.tf': CLUSTER + CALL,
        'nodes/main.tf': NODES.replace('resource "aws_launch_template"', `${ignore}resource "aws_launch_template"`),
      }),
    );
    expect(inModule).toContain(accepted);
    expect(inModule.join()).not.toContain('suppression-unused');
  });
});
