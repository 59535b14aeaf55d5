import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import { fixFiles } from '../../../lib/fixes/run';
import { workspace } from '../../cli/workspace';
import { withLines } from '../../fixes/obeyed/by-lines';

const folder = workspace({});

const RULES = new Set(['user-data-mime-structure', 'user-data-shebang']);

/** A MIME document of a NodeConfig and a script, with something wrong in it. */
const document = (change: (lines: string[]) => void): readonly string[] => {
  const lines = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="BOUNDARY"',
    '',
    '--BOUNDARY',
    'Content-Type: application/node.eks.aws',
    '',
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  instance:',
    '    localStorage:',
    '      strategy: RAID0',
    '',
    '--BOUNDARY',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '#!/bin/bash',
    'echo ${NAME}',
    '',
    '--BOUNDARY--',
  ];
  change(lines);
  return lines;
};

const at = (lines: readonly string[], text: string, from = 0): number => lines.indexOf(text, from);
const DEFECTS: readonly (readonly [string, (lines: string[]) => void])[] = [
  ['closed before the last part', (lines) => (lines[at(lines, '--BOUNDARY', 5)] = '--BOUNDARY--')],
  ['closed before a boundary', (lines) => lines.splice(at(lines, '--BOUNDARY', 5), 0, '--BOUNDARY--')],
  ['a boundary twice', (lines) => lines.splice(3, 0, '--BOUNDARY')],
  ['no empty line behind the headers of a part', (lines) => lines.splice(5, 1)],
  ['an empty line before the headers of a part', (lines) => lines.splice(4, 0, '')],
  ['a NodeConfig of another type', (lines) => (lines[4] = 'Content-Type: text/yaml')],
  ['a NodeConfig without type', (lines) => (lines[4] = 'Content-Disposition: inline')],
  ['no MIME-Version', (lines) => lines.shift()],
  ['a script without #!', (lines) => lines.splice(at(lines, '#!/bin/bash'), 1)],
  ['an empty line before #!', (lines) => lines.splice(at(lines, '#!/bin/bash'), 0, '')],
];

const indented = (lines: readonly string[], by: string): string =>
  lines.map((line) => (line === '' ? '' : by + line)).join('\n');

const WRITINGS: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'template.yaml': (lines) => `Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: !Sub |
${indented(lines, '            ').replaceAll('${NAME}', '${AWS::StackName}')}
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      AmiType: AL2023_x86_64_STANDARD
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber }
`,
  'main.tf': (lines) => `variable "name" {}

resource "aws_launch_template" "nodes" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(<<-EOT
${indented(lines, '    ').replaceAll('${NAME}', '${var.name}')}
  EOT
  )
}

resource "aws_eks_node_group" "nodes" {
  cluster_name  = "prod"
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-1", "subnet-2"]
  ami_type      = "AL2023_x86_64_STANDARD"
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
`,
};

describe.each(Object.entries(WRITINGS))('user data in %s', (name, write) => {
  it.each(DEFECTS)('%s: its own lines are shown put right, and --fix --unsafe writes them', async (_, change) => {
    const file = join(folder, name);
    const before = write(document(change));
    writeFileSync(file, before);
    const result = checkPaths([file]);
    const found = result.findings.filter(({ rule, verdict }) => RULES.has(rule) && verdict === 'fail');
    expect(found).toHaveLength(1);
    const after = withLines(before, found[0]?.fixCode ?? '');
    expect(after).toBeDefined();
    const { files } = await fixFiles(result, {
      check: (texts) => Promise.resolve(checkPaths([file], {}, { texts })),
      isWanted: ({ rule }) => RULES.has(rule),
      isUnsafe: true,
      isDryRun: true,
      write: () => Promise.reject(new Error('nothing is written')),
      whyNotWritten: () => undefined,
    });
    expect(files[0]?.after).toBe(after);
    writeFileSync(file, after ?? '');
    const now = checkPaths([file]);
    expect(now.diagnostics).toEqual(result.diagnostics);
    expect(now.findings.filter(({ rule }) => RULES.has(rule)).map(({ message }) => message)).toEqual([]);
    expect(
      now.findings.filter(({ severity }) => severity !== 'info').map(({ rule, message }) => `${rule}: ${message}`),
    ).toEqual([]);
  });
});

it.each([
  ['a script', ['#!/bin/bash', 'echo ${NAME}', '', 'echo done']],
  ['a cloud-config', ['#cloud-config', 'runcmd:', '  - [echo, "${NAME}"]']],
  [
    'a NodeConfig',
    [
      'apiVersion: node.eks.aws/v1alpha1',
      'kind: NodeConfig',
      'spec:',
      '  instance:',
      '    localStorage:',
      '      strategy: RAID0',
    ],
  ],
])('%s that is no MIME document is shown as the part of one', (_, lines) => {
  for (const [name, write] of Object.entries(WRITINGS)) {
    const file = join(folder, name);
    const before = write(lines);
    writeFileSync(file, before);
    const failing = () => checkPaths([file]).findings.filter(({ severity }) => severity !== 'info');
    const found = failing();
    expect(found.map(({ rule }) => rule)).toEqual(['node-user-data-format']);
    writeFileSync(file, withLines(before, found[0]?.fixCode ?? '') ?? '');
    expect(failing().map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  }
});

it('keeps to what is written: escapes, quotes and base64 are not shown as lines', () => {
  const lines = document((all) => all.splice(at(all, '#!/bin/bash'), 1, '', 'echo $${HOME}'));
  const files = {
    'escaped.tf': WRITINGS['main.tf']?.(lines) ?? '',
    'quoted.tf': (WRITINGS['main.tf']?.(['EOT']) ?? '').replace(
      /<<-EOT[\s\S]*?\n {2}EOT\n {2}\)/,
      `${JSON.stringify(document((all) => all.pop()).join('\n')).replace('${NAME}', 'x')})`,
    ),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    const found = checkPaths([join(folder, name)]).findings.filter(({ rule }) => RULES.has(rule));
    expect(found.length).toBeGreaterThan(0);
    for (const { fixCode = '', repairs } of found) {
      expect(fixCode).not.toMatch(/in place of/);
      expect(repairs).toBeUndefined();
    }
  }
});
