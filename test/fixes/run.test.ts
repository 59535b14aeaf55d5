import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPaths, type CheckResult } from '../../lib/check';
import { refuseUnfit, withFixes } from '../../lib/cli/fix/fixing';
import { fixFiles, type Texts } from '../../lib/fixes/run';
import { EksModel } from '../../lib/eks';
import { workspace } from '../cli/workspace';

const TEMPLATE = `# an add-on of another stack's cluster
Resources:
  Dns:
    Type: AWS::EKS::Addon
    Properties:
      ClusterName: main
      AddonName: coredns # keep
      AddonVersion: v1.12.1-eksbuild.2
`;

const MODULE = `variable "keep" {
  default = false
}

resource "aws_eks_addon" "dns" {
  for_each      = toset(["a", "b"])
  cluster_name  = each.key
  addon_name    = "coredns"
  addon_version = "v1.12.1-eksbuild.2"
}

resource "aws_eks_addon" "proxy" {
  cluster_name  = "c"
  addon_name    = "kube-proxy"
  addon_version = "v1.33.0-eksbuild.2"
  preserve      = var.keep
}
`;

const root = workspace({});
let folders = 0;

/** A new folder with files. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = join(root, String(++folders));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const configuration = { rules: { 'addon-version': 'off', 'addon-create-conflict': 'off' } } as const;

function request(paths: readonly string[], fix: 'fix' | 'fixDryRun') {
  const check = (texts: Texts = new Map()) => Promise.resolve(checkPaths(paths, configuration, { texts }));
  return { check, options: { [fix]: true } };
}

async function fixed(paths: readonly string[], fix: 'fix' | 'fixDryRun' = 'fix') {
  const { check, options } = request(paths, fix);
  return withFixes(await check(), check, options);
}

it('repairs files in place, keeps their mode, and reports what is left', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE, 'main.tf': MODULE });
  const [template, main] = [join(folder, 'template.yaml'), join(folder, 'main.tf')];
  chmodSync(template, 0o640);
  const { result, notes, isWritten } = await fixed([folder]);
  expect(readFileSync(template, 'utf8')).toBe(`${TEMPLATE}      PreserveOnDelete: true\n`);
  expect(readFileSync(main, 'utf8')).toBe(
    MODULE.replace(
      'addon_version = "v1.12.1-eksbuild.2"\n',
      'addon_version = "v1.12.1-eksbuild.2"\n  preserve      = true\n',
    ),
  );
  expect(statSync(template).mode & 0o777).toBe(0o640);
  expect(isWritten).toBe(true);
  expect(
    result.findings.filter(({ rule }) => rule === 'addon-preserve-on-delete').map(({ resource }) => resource.id),
  ).toEqual(['aws_eks_addon.proxy']);
  expect(notes[0]).toMatch(/^fixed 3 findings in 2 files: /);
  expect(notes[1]).toMatch(
    /not fixed: .*main\.tf:\d+:3 addon-preserve-on-delete: it is decided by the default of variable keep$/,
  );
  const again = await fixed([folder]);
  expect(again.notes[0]).toBe('fixed nothing');
});

it('prints differences and changes nothing in a dry run', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE });
  const file = join(folder, 'template.yaml');
  const { differences, notes } = await fixed([file], 'fixDryRun');
  expect(readFileSync(file, 'utf8')).toBe(TEMPLATE);
  expect(differences).toContain(
    '@@ -6,3 +6,4 @@\n       ClusterName: main\n       AddonName: coredns # keep\n       AddonVersion: v1.12.1-eksbuild.2\n+      PreserveOnDelete: true\n',
  );
  expect(notes[0]).toMatch(/^would fix 1 finding in 1 file/);
});

it('prints what the guide shows', async () => {
  const folder = folderWith({ 'addons.yaml': TEMPLATE.replace(/^#.*\n/, '').replace('# keep', '# DNS of the pods') });
  const file = join(folder, 'addons.yaml');
  const { differences = '', notes } = await fixed([file], 'fixDryRun');
  const shown = `${differences.replaceAll(/^(---|\+\+\+) .*$/gm, (_, sign: string) => `${sign} ${sign === '---' ? 'a' : 'b'}/addons.yaml`)}${(notes[0] ?? '').replaceAll(file, 'addons.yaml')}\n`;
  expect(readFileSync(join(__dirname, '../../docs/guides/command.md'), 'utf8')).toContain(
    `$ eks-guardrails check addons.yaml --fix-dry-run\n${shown}\`\`\``,
  );
});

it('writes nothing of which the finding would still be there', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE });
  const file = join(folder, 'template.yaml');
  const first = checkPaths([file], configuration);
  const { refused, files } = await fixFiles(first, {
    check: () => Promise.resolve(first),
    write: () => Promise.reject(new Error('no')),
    whyNotWritten: () => undefined,
    isDryRun: false,
  });
  expect(refused.map(({ reason }) => reason)).toEqual(['the finding would still be there']);
  expect(files).toEqual([]);
});

function write(path: string, text: string): Promise<void> {
  writeFileSync(path, text);
  return Promise.resolve();
}

/** Repairs two add-ons, of which one does harm as soon as its text says so. */
async function withHarm(harm: (result: CheckResult, first: CheckResult) => Partial<CheckResult>) {
  const folder = folderWith({
    'template.yaml': `${TEMPLATE}  Bad:\n    Type: AWS::EKS::Addon\n    Properties: { ClusterName: bad, AddonName: kube-proxy }\n`,
  });
  const file = join(folder, 'template.yaml');
  const { check: plainly } = request([file], 'fix');
  const first = await plainly();
  const check = async (texts: Texts = new Map()) => {
    const result = await plainly(texts);
    return [...texts.values()].some((text) => text.includes('kube-proxy, PreserveOnDelete: true'))
      ? { ...result, ...harm(result, first) }
      : result;
  };
  const { refused, result } = await fixFiles(first, { check, write, whyNotWritten: () => undefined, isDryRun: false });
  expect(readFileSync(file, 'utf8')).toContain('AddonVersion: v1.12.1-eksbuild.2\n      PreserveOnDelete: true\n');
  expect(readFileSync(file, 'utf8')).toContain('{ ClusterName: bad, AddonName: kube-proxy }');
  expect(result.diagnostics).toEqual(first.diagnostics);
  return refused.map(({ finding, reason }) => `${finding.resource.id}: ${reason}`);
}

it('leaves out what would do harm, and does the rest', async () => {
  const open = { suppressed: undefined };
  expect(
    await withHarm((_, first) => ({
      diagnostics: [{ severity: 'error', message: 'broken', file: first.inputs[0]?.path ?? '', line: 1, column: 1 }],
    })),
  ).toEqual(['Bad: the file could no longer be read']);
  expect(await withHarm(({ model }) => ({ model: new EksModel(model.resources.slice(1)) }))).toEqual([
    'Bad: Dns would be gone',
  ]);
  expect(
    await withHarm(({ findings }, first) => ({
      findings: [
        ...findings,
        ...first.findings
          .filter(({ resource, rule }) => resource.id === 'Bad' && rule === 'addon-preserve-on-delete')
          .map((one) => ({ ...one, messageId: 'other' })),
      ],
    })),
  ).toEqual(['Bad: the finding would still be there']);
  expect(
    await withHarm(({ findings }, first) => ({
      findings: [
        ...findings,
        ...first.findings
          .filter(({ resource, rule }) => resource.id === 'Bad' && rule === 'addon-preserve-on-delete')
          .map((one) => ({ ...one, verdict: 'unverifiable' as const })),
      ],
    })),
  ).toEqual(['Bad: it could no longer be told whether the rule is followed']);
  expect(
    await withHarm(({ findings }, first) => ({
      findings: [
        ...findings,
        ...first.findings
          .slice(0, 1)
          .map((one) => ({ ...one, ...open, rule: 'imds-v1', severity: 'warning' as const })),
      ],
    })),
  ).toEqual([expect.stringMatching(/^Bad: it would cause imds-v1 on /)]);
});

it('tells which file could not be written, and reports what is true then', async () => {
  const folder = folderWith({ 'a.yaml': TEMPLATE, 'b.yaml': TEMPLATE.replace('main', 'other') });
  const { check } = request([folder], 'fix');
  const writeOne = (file: string, text: string) =>
    file.endsWith('a.yaml') ? Promise.reject(new Error('no')) : write(file, text);
  const { unwritten, files, result } = await fixFiles(await check(), {
    check,
    write: writeOne,
    whyNotWritten: () => 'permission denied',
    isDryRun: false,
  });
  expect(unwritten).toEqual([{ file: join(folder, 'a.yaml'), reason: 'permission denied' }]);
  expect(files.map(({ file }) => file)).toEqual([join(folder, 'b.yaml')]);
  expect(
    result.findings
      .filter(({ rule }) => rule === 'addon-preserve-on-delete')
      .map(({ resource }) => resource.source.locate().file),
  ).toEqual([join(folder, 'a.yaml')]);
});

it('puts back what was written only together with a file that could not be written', async () => {
  const folder = folderWith({ 'a.yaml': TEMPLATE, 'b.yaml': TEMPLATE.replace('main', 'other') });
  const { check } = request([folder], 'fix');
  const first = await check();
  const { files, unwritten } = await fixFiles(first, {
    check: (texts) => (texts.size === 1 ? Promise.resolve(first) : check(texts)),
    write: (file, text) => (file.endsWith('b.yaml') ? Promise.reject(new Error('no')) : write(file, text)),
    whyNotWritten: () => 'permission denied',
    isDryRun: false,
  });
  expect(unwritten).toHaveLength(1);
  expect(files).toEqual([]);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(TEMPLATE);
});

it.each<[string, string | Uint8Array, RegExp]>([
  ['cdk.out/template.yaml', TEMPLATE, /an app of the CDK writes this file/],
  [
    'of-cdk.yaml',
    TEMPLATE.replace('    Properties:', '    Metadata: { aws:cdk:path: Stack/Dns }\n    Properties:'),
    /an app of the CDK writes this file/,
  ],
  ['cdktf.out/main.tf', MODULE, /an app of CDKTF writes this file/],
  ['utf16.yaml', Buffer.from(`\uFEFF${TEMPLATE}`, 'utf16le'), /the file is not UTF-8/],
])('leaves %s alone, and says why', async (name, content, reason) => {
  const folder = folderWith({ [name]: content });
  const file = join(folder, name);
  const before = readFileSync(file);
  const { notes } = await fixed([file]);
  expect(notes[0]).toBe('fixed nothing');
  expect(notes.slice(1).join('\n')).toMatch(reason);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('edits no copy that a program made, however it is called', async () => {
  const folder = folderWith({
    'cdk.out/Stack.template.json': JSON.stringify({
      Resources: { R: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'a', AddonName: 'coredns' } } },
    }),
    'build/manifest.json': '{}',
    'build/cdk.out': '{"version":"48.0.0"}',
    'build/a.template.json': JSON.stringify({
      Resources: { R: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'b', AddonName: 'coredns' } } },
    }),
    '.terragrunt-cache/x/main.tf': MODULE,
    '.aws-sam/build/template.yaml': TEMPLATE,
  });
  symlinkSync('cdk.out/Stack.template.json', join(folder, 'link.template.json'));
  for (const [name, reason] of [
    ['link.template.json', 'an app of the CDK'],
    ['build/a.template.json', 'an app of the CDK'],
    ['.terragrunt-cache/x', 'Terragrunt'],
    ['.aws-sam/build/template.yaml', '`sam build`'],
  ] as const) {
    const { notes } = await fixed([join(folder, name)]);
    expect(notes[0]).toBe('fixed nothing');
    expect(notes[1]).toContain(reason);
  }
});

it('edits no downloaded module', async () => {
  const folder = folderWith({
    'main.tf': 'module "addon" {\n  source  = "acme/addon/aws"\n  version = "1.0.0"\n}\n',
    '.terraform/modules/modules.json': JSON.stringify({
      Modules: [
        { Key: '', Source: '', Dir: '.' },
        {
          Key: 'addon',
          Source: 'registry.terraform.io/acme/addon/aws',
          Version: '1.0.0',
          Dir: '.terraform/modules/addon',
        },
      ],
    }),
    '.terraform/modules/addon/main.tf': MODULE.slice(
      MODULE.indexOf('resource'),
      MODULE.indexOf('resource "aws_eks_addon" "proxy"'),
    )
      .replace(/ +for_each.*\n/, '')
      .replace('each.key', '"c"'),
  });
  const { notes } = await fixed([folder]);
  expect(notes).toEqual(['fixed nothing', expect.stringContaining('`terraform init` downloads this module')]);
});

it('leaves a block alone of which another instance is accepted', async () => {
  const accepted = { rule: 'addon-preserve-on-delete', resource: '*["a"]', reason: 'goes with the stack' };
  const folder = folderWith({ 'main.tf': MODULE });
  const check = (texts: Texts = new Map()) =>
    Promise.resolve(checkPaths([folder], { ...configuration, ignores: [accepted] }, { texts }));
  const { notes } = await withFixes(await check(), check, { fix: true });
  expect(notes[0]).toBe('fixed nothing');
  expect(notes[1]).toMatch(/the same text makes aws_eks_addon\.dns\["a"\], where the finding is accepted$/);
  expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toBe(MODULE);
});

it('repairs a file that has two names once, for both', async () => {
  const addon = (name: string, count: string) =>
    `resource "aws_eks_addon" "${name}" {\n  count        = ${count}\n  cluster_name = "main"\n  addon_name   = "coredns"\n}\n`;
  const common = addon('x', 'local.x ? 1 : 0') + addon('y', 'local.x ? 0 : 1');
  const folder = folderWith({
    '.git/HEAD': '',
    'common.tf': common,
    'a/locals.tf': 'locals {\n  x = true\n}\n',
    'b/locals.tf': 'locals {\n  x = false\n}\n',
  });
  for (const name of ['a', 'b']) symlinkSync('../common.tf', join(folder, name, 'common.tf'));
  const paths = ['a', 'b'].map((name) => join(folder, name));
  const { notes, result } = await fixed(paths);
  expect(notes).toEqual([`fixed 2 findings in 1 file: ${join(folder, 'a/common.tf')}`]);
  expect(readFileSync(join(folder, 'common.tf'), 'utf8').match(/preserve +=/g)).toHaveLength(2);
  expect(result.findings.filter(({ rule }) => rule === 'addon-preserve-on-delete')).toEqual([]);
});

it('repairs all of what a rule shows one by one, and a dry run does so, too', async () => {
  const interfaces = [0, 1, 2].flatMap((index) => [
    `          - DeviceIndex: ${index}`,
    '            SubnetId: subnet-1',
  ]);
  const template = [
    'Resources:',
    '  Template:',
    '    Type: AWS::EC2::LaunchTemplate',
    '    Properties:',
    '      LaunchTemplateData:',
    '        NetworkInterfaces:',
    ...interfaces,
    '  Group:',
    '    Type: AWS::EKS::Nodegroup',
    '    Properties: { ClusterName: main, NodeRole: "arn:aws:iam::111122223333:role/nodes", Subnets: [subnet-1], LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber } }',
    '',
  ].join('\n');
  const file = join(folderWith({ 'template.yaml': template }), 'template.yaml');
  const { differences = '' } = await fixed([file], 'fixDryRun');
  expect(differences.match(/^-.*SubnetId/gm)).toHaveLength(3);
  expect((await fixed([file])).notes).toEqual([`fixed 1 finding in 1 file: ${file}`]);
  expect(readFileSync(file, 'utf8')).not.toContain('SubnetId');
});

it('does not give up one repair for what another one of the resource comes upon', async () => {
  const interfaces = [['a', 'DeviceIndex: 0'], ['b', 'DeviceIndex: 1'], ['b']].map(
    ([subnet, ...more]) => `{ ${[`SubnetId: subnet-${subnet ?? ''}`, ...more].join(', ')} }`,
  );
  const template = [
    'Resources:',
    '  Template:',
    '    Type: AWS::EC2::LaunchTemplate',
    '    Properties:',
    '      LaunchTemplateData:',
    `        NetworkInterfaces: [${interfaces.join(', ')}]`,
    '  Group:',
    '    Type: AWS::EKS::Nodegroup',
    '    Properties: { ClusterName: main, NodeRole: "arn:aws:iam::111122223333:role/nodes", Subnets: [subnet-1], LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber } }',
    '',
  ].join('\n');
  const file = join(folderWith({ 'template.yaml': template }), 'template.yaml');
  const { notes } = await fixed([file]);
  expect(notes).toEqual([
    `fixed 1 finding in 1 file: ${file}`,
    expect.stringMatching(/:6:\d+ launch-template-forbidden-field: nothing else stands beside it$/),
  ]);
  expect(readFileSync(file, 'utf8')).toContain(
    '[{ DeviceIndex: 0 }, { SubnetId: subnet-b, DeviceIndex: 1 }, { SubnetId: subnet-b }]',
  );
});

it('says nothing of findings that are accepted', async () => {
  const suppressed = TEMPLATE.replace(
    '    Properties:',
    '    Metadata:\n      eks-guardrails:\n        suppress: [{ rule: addon-preserve-on-delete, reason: The cluster goes too }]\n    Properties:',
  );
  const folder = folderWith({ 'template.yaml': suppressed });
  expect((await fixed([folder])).notes).toEqual(['fixed nothing']);
});

it('keeps a byte order mark', async () => {
  const folder = folderWith({ 'template.yaml': `\uFEFF${TEMPLATE}` });
  const file = join(folder, 'template.yaml');
  await fixed([file]);
  expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${TEMPLATE}      PreserveOnDelete: true\n`);
});

it('refuses options that do not fit together', () => {
  const unfit = (options: object) => () => {
    refuseUnfit({ paths: ['a'], outputs: [], ...options });
  };
  expect(unfit({ fix: true, paths: ['-'] })).toThrow('--fix changes files, not the standard input');
  expect(unfit({ fix: true, writeBaseline: 'b' })).toThrow("don't go together");
  expect(unfit({ fixDryRun: true, outputs: [{ kind: 'format', value: 'json' }] })).toThrow('add --output FILE');
  expect(
    unfit({
      fixDryRun: true,
      outputs: [
        { kind: 'format', value: 'json' },
        { kind: 'output', value: 'x.json' },
      ],
    }),
  ).not.toThrow();
  expect(unfit({ fix: true })).not.toThrow();
  expect(unfit({ fix: true, outputs: [{ kind: 'format', value: 'json' }] })).not.toThrow();
  expect(unfit({ paths: ['-'], writeBaseline: 'b' })).not.toThrow();
});
