import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPaths, checkTemplates } from '../../lib/check';
import { FORMATS, render, type FormatName } from '../../lib/reports';
import { Secrets } from '../../lib/text/secrets';
import { fingerprints } from '../../lib/engine';
import { cpuTime } from '../cpu-time';
import { runCommand } from './built-command';
import { checkIn } from './in-process';
import { workspace } from './workspace';
import { itWithAll } from '../share';

const root = workspace({ placeholder: '' });
let made = 0;

/** A folder for one test. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(++made));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** In no input by chance. */
const SECRET = 'zq7Xk2vLw9Rt';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}AAAA\n-----END RSA PRIVATE KEY-----`;

/** A template whose error is next to its user data. */
function withUserData(line: string): string {
  return `Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:
          Fn::Base64: |
            #!/bin/bash
${line
  .split('\n')
  .map((one) => `            ${one}`)
  .join('\n')}
            /etc/eks/bootstrap.sh main
        MetadataOptions: { HttpPutResponseHopLimit: 1 }
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: AL2023_x86_64_STANDARD
      LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber }
`;
}

const encoded = Buffer.from(`#!/bin/bash\nexport DB_PASSWORD=${SECRET}\n/etc/eks/bootstrap.sh main\n`).toString(
  'base64',
);

const group = `resource "aws_launch_template" "t" {
  name = var.name
  metadata_options {
    http_put_response_hop_limit = 1
  }
}
resource "aws_eks_node_group" "g" {
  cluster_name  = "main"
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-1"]
  ami_type      = "AL2023_x86_64_STANDARD"
  launch_template {
    id      = aws_launch_template.t.id
    version = aws_launch_template.t.latest_version
  }
}
`;

function plan(change: object): string {
  const resource = {
    address: 'aws_eks_addon.a',
    mode: 'managed',
    type: 'aws_eks_addon',
    name: 'a',
    provider_name: 'registry.terraform.io/hashicorp/aws',
  };
  const after = {
    addon_name: 'vpc-cni',
    cluster_name: 'main',
    resolve_conflicts_on_update: 'OVERWRITE',
    tags: { key: SECRET },
  };
  const sensitive = { tags: { key: true } };
  return JSON.stringify(
    {
      format_version: '1.2',
      terraform_version: '1.9.0',
      planned_values: {
        root_module: { resources: [{ ...resource, schema_version: 0, values: after, sensitive_values: sensitive }] },
      },
      resource_changes: [
        {
          ...resource,
          change: {
            actions: ['create'],
            before: null,
            after,
            after_unknown: {},
            before_sensitive: false,
            after_sensitive: sensitive,
            ...change,
          },
        },
      ],
      configuration: { root_module: {} },
    },
    undefined,
    1,
  );
}

/** Where a secret is within the lines of a finding: two above the head of a cluster without a version. */
const CLUSTER = `resource "aws_eks_cluster" "c" {
  name     = "main"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
`;

const inputs: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  [
    'a default of NoEcho',
    {
      't.yaml': `Resources:\n  Cni:\n    Type: AWS::EKS::Addon\n    Properties:\n      AddonName: vpc-cni\n      ClusterName: main\n      AddonVersion: !Ref Name\n      ResolveConflicts: OVERWRITE\nParameters:\n  Name: { Type: String, NoEcho: true, Default: ${SECRET} }\n`,
    },
  ],
  [
    'a default of NoEcho in JSON',
    {
      't.json': JSON.stringify({
        Resources: {
          Cni: {
            Type: 'AWS::EKS::Addon',
            Properties: {
              AddonName: 'vpc-cni',
              ClusterName: 'main',
              AddonVersion: { 'Fn::Sub': '${Name}-x' },
              ResolveConflicts: 'OVERWRITE',
            },
          },
        },
        Parameters: { Name: { Default: `${SECRET}"1`, NoEcho: 'true', Type: 'String' } },
      }),
    },
  ],
  [
    'what two stacks pass to NoEcho',
    {
      'a.yaml': `Resources:\n  A: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: ./b.yaml, Parameters: { Name: other } } }\n  B: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: ./b.yaml, Parameters: { Name: ${SECRET} } } }\n  Cni: { Type: AWS::EKS::Addon, Properties: { AddonName: vpc-cni, ClusterName: main, AddonVersion: v1.18.0-eksbuild.1, ResolveConflicts: OVERWRITE } }\n`,
      'b.yaml': 'Parameters: { Name: { Type: String, NoEcho: true } }\nResources: {}\n',
    },
  ],
  [
    'a default of NoEcho that a setting uses',
    {
      't.yaml': `Parameters:\n  Mode: { Type: String, NoEcho: true, Default: ${SECRET} }\nResources:\n  Workers:\n    Type: AWS::EKS::Nodegroup\n    Properties: { ClusterName: main, NodeRole: arn:aws:iam::111122223333:role/n, Subnets: [subnet-1], AmiType: !Ref Mode, InstanceTypes: [!Ref Mode], ForceUpdateEnabled: true }\n`,
    },
  ],
  ['a password of a shell', { 't.yaml': withUserData(`export DB_PASSWORD=${SECRET}`) }],
  ['a password in quotes', { 't.yaml': withUserData(`export DB_PASSWORD="${SECRET} ${SECRET}"`) }],
  ['a header', { 't.yaml': withUserData(`curl -H 'Authorization: Bearer ${SECRET}' https://example.com`) }],
  ['a secret key of AWS', { 't.yaml': withUserData(`aws configure set aws_secret_access_key=${SECRET}`) }],
  ['an access key of AWS', { 't.yaml': withUserData('aws configure set aws_access_key_id AKIAZQ7XKVLWRTZQ7XKV') }],
  ['a private key', { 't.yaml': withUserData(`echo "${PEM}" > /key`) }],
  ['an address with a password', { 't.yaml': withUserData(`curl https://admin:${SECRET}@example.com/`) }],
  ['an option', { 't.yaml': withUserData(`login --user admin --password ${SECRET}`) }],
  ['user data in base64', { 't.yaml': withUserData('').replace(/Fn::Base64: \|[\s\S]*bootstrap\.sh main/, encoded) }],
  [
    'a default of a sensitive variable',
    { 'main.tf': `variable "name" {\n  sensitive = true\n  default   = "${SECRET}"\n}\n${CLUSTER}` },
  ],
  [
    'a sensitive variable that a setting uses',
    {
      'main.tf': `variable "name" {\n  sensitive = true\n  default   = "${SECRET}"\n}\n${group.replace('AL2023_x86_64_STANDARD"', '${var.name}"')}`,
    },
  ],
  [
    'a sensitive variable of a file',
    {
      'main.tf': `variable "name" { sensitive = true }\n${group.replace('hop_limit = 1', 'hop_limit = var.hops')}variable "hops" {}\n`,
      'terraform.tfvars': `name = "${SECRET}"\nhops = 1\n`,
    },
  ],
  [
    'a sensitive variable of a module',
    {
      'main.tf': `module "m" {\n  source = "./m"\n  name = "${SECRET}"\n}\n${CLUSTER}`,
      'm/main.tf': 'variable "name" { sensitive = true }\n',
    },
  ],
  [
    'a sensitive variable of a module, of which one call is not enabled',
    {
      'main.tf': `module "a" {\n  source = "./m"\n  name = "other"\n}\nmodule "m" {\n  source = "./m"\n  count = 0\n  name = "${SECRET}"\n}\n${CLUSTER}`,
      'm/main.tf': 'variable "name" { sensitive = true }\n',
    },
  ],
  ['a sensitive output', { 'main.tf': `output "o" {\n  sensitive = true\n  value     = "${SECRET}"\n}\n${CLUSTER}` }],
  [
    'a sensitive variable in JSON',
    {
      'main.tf.json': JSON.stringify({
        resource: {
          aws_eks_addon: {
            a: {
              addon_name: 'vpc-cni',
              cluster_name: 'main',
              addon_version: '${var.name}',
              resolve_conflicts_on_update: 'OVERWRITE',
            },
          },
        },
        variable: { name: { default: SECRET, sensitive: true } },
      }),
    },
  ],
  ['a plan: after_sensitive', { 'plan.json': plan({}) }],
  [
    'a plan: before_sensitive',
    {
      'plan.json': plan({
        actions: ['update'],
        before: { addon_name: 'vpc-cni', cluster_name: 'main', tags: { key: `${SECRET}-old` } },
        before_sensitive: { tags: true },
      }),
    },
  ],
];

/** Parts of it, too: long texts are cut. */
function leaks(text: string): boolean {
  return text.includes(SECRET.slice(0, 6)) || text.includes('AKIAZQ7X') || text.includes(encoded.slice(40, 60));
}

describe.each(inputs)('%s', (_, files) => {
  const folder = project(files);
  const names = Object.keys(files).map((name) => join(folder, name));
  const context = {
    version: '0',
    readSource: (file: string) => readFileSync(file, 'utf8'),
    colour: false,
    width: 100,
    list: { info: true, unverifiable: true, suppressed: true },
  };

  it('is in the input, beside a finding', () => {
    expect(Object.values(files).some(leaks)).toBe(true);
    expect(checkPaths([folder]).findings).not.toEqual([]);
  });

  it.each(Object.keys(FORMATS) as FormatName[])('is not in the report: %s', (format) => {
    expect(leaks(render(format, checkPaths([folder]), context))).toBe(false);
  });

  it('is neither in a baseline, nor in the differences of a fix, whose files keep it', async () => {
    const baseline = join(folder, 'baseline.out');
    const { stdout, stderr } = await checkIn(folder, ['.'], { writeBaseline: baseline });
    expect(leaks(stdout + stderr + readFileSync(baseline, 'utf8'))).toBe(false);
    const dry = await checkIn(folder, ['.'], { fixDryRun: true });
    expect(leaks(dry.stdout + dry.stderr)).toBe(false);
    const fixed = await checkIn(folder, ['.'], { fix: true });
    expect(leaks(fixed.stdout + fixed.stderr)).toBe(false);
    expect(names.map((name) => readFileSync(name, 'utf8')).some(leaks)).toBe(true);
  });
});

itWithAll('hiding costs time that grows with the text', () => {
  for (const piece of [
    'password',
    'password=',
    '-----BEGIN PRIVATE KEY-----',
    'https://a:',
    'a'.repeat(39) + ' ',
    '--a-',
    'secret_',
    ' value ',
  ]) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const elapsed = cpuTime();
    new Secrets(['aaaa', 'pass']).hide(text);
    expect(elapsed()).toBeLessThan(20_000);
  }
});

it('fingerprints stay what they are when a secret changes', () => {
  const of = (secret: string) => [
    ...fingerprints(
      checkTemplates([{ file: 'a.yaml', text: withUserData(`export DB_PASSWORD=${secret}`) }]).findings,
      (path) => path,
    ).values(),
  ];
  expect(of(SECRET)).not.toEqual([]);
  expect(of(SECRET)).toEqual(of('another'));
});

it.each(['text', 'json'])('user-data shows no credential: %s', (format) => {
  const folder = project({
    'user-data.txt': `#!/bin/bash\nexport DB_PASSWORD=${SECRET}\n/etc/eks/bootstrap.sh main --kubelet-extra-args "--token ${SECRET}"\n`,
  });
  const { stdout, stderr } = runCommand(['user-data', 'user-data.txt', '--family', 'al2023', '--format', format], {
    cwd: folder,
  });
  expect(stdout).toContain('bootstrap.sh');
  expect(leaks(stdout + stderr)).toBe(false);
});
