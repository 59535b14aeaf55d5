import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { refuseUnfit, withFixes } from '../../lib/cli/fixing';
import { fixFiles } from '../../lib/fix/run';
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

const configuration = { today: '2026-11-21', rules: { 'addon-version': 'off', 'addon-create-conflict': 'off' } } as const;

function request(paths: readonly string[], fix: 'fix' | 'fixDryRun') {
  const check = () => Promise.resolve(checkPaths(paths, configuration));
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
  expect(readFileSync(main, 'utf8')).toBe(MODULE.replace('addon_version = "v1.12.1-eksbuild.2"\n', 'addon_version = "v1.12.1-eksbuild.2"\n  preserve      = true\n'));
  expect(statSync(template).mode & 0o777).toBe(0o640);
  expect(isWritten).toBe(true);
  expect(result.findings.filter(({ rule }) => rule === 'addon-preserve-on-delete').map(({ resource }) => resource.id)).toEqual(['aws_eks_addon.proxy']);
  expect(notes[0]).toMatch(/^fixed 3 findings in 2 files: /);
  expect(notes[1]).toMatch(/not fixed: .*main\.tf:\d+:3 addon-preserve-on-delete: it is decided by the default of variable keep$/);
  const again = await fixed([folder]);
  expect(again.notes[0]).toBe('fixed nothing');
});

it('prints differences and changes nothing in a dry run', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE });
  const file = join(folder, 'template.yaml');
  const { differences, notes } = await fixed([file], 'fixDryRun');
  expect(readFileSync(file, 'utf8')).toBe(TEMPLATE);
  expect(differences).toContain('@@ -6,3 +6,4 @@\n       ClusterName: main\n       AddonName: coredns # keep\n       AddonVersion: v1.12.1-eksbuild.2\n+      PreserveOnDelete: true\n');
  expect(notes[0]).toMatch(/^would fix 1 finding in 1 file/);
});

it('prints what the guide shows', async () => {
  const folder = folderWith({ 'addons.yaml': TEMPLATE.replace(/^#.*\n/, '').replace('# keep', '# DNS of the pods') });
  const file = join(folder, 'addons.yaml');
  const { differences = '', notes } = await fixed([file], 'fixDryRun');
  const shown = `${differences.replaceAll(/^(---|\+\+\+) .*$/gm, (_, sign: string) => `${sign} ${sign === '---' ? 'a' : 'b'}/addons.yaml`)}${notes.join('\n').replaceAll(file, 'addons.yaml')}\n`;
  expect(readFileSync(join(__dirname, '../../docs/guides/command.md'), 'utf8')).toContain(`$ eks-guardrails check addons.yaml --fix-dry-run\n${shown}\`\`\``);
});

it('gives a file its old text back when the finding is still there', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE });
  const file = join(folder, 'template.yaml');
  const first = checkPaths([file], configuration);
  const { undone, files } = await fixFiles(first, {
    check: () => Promise.resolve(first),
    write: (path, text) => {
      writeFileSync(path, text);
      return Promise.resolve();
    },
    whyNotWritten: () => undefined,
    isDryRun: false,
  });
  expect(undone).toEqual([{ file, reason: 'the finding was still there (addon-preserve-on-delete)' }]);
  expect(files).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(TEMPLATE);
});

it('tells which file could not be written', async () => {
  const folder = folderWith({ 'template.yaml': TEMPLATE });
  const file = join(folder, 'template.yaml');
  const check = () => Promise.resolve(checkPaths([file], configuration));
  const { undone } = await fixFiles(await check(), { check, write: () => Promise.reject(new Error('no')), whyNotWritten: () => 'permission denied', isDryRun: false });
  expect(undone).toEqual([{ file, reason: "it can't be written: permission denied" }]);
});

it.each<[string, string | Uint8Array, RegExp]>([
  ['cdk.out/template.yaml', TEMPLATE, /an app of the CDK writes this file/],
  ['of-cdk.yaml', TEMPLATE.replace('    Properties:', '    Metadata: { aws:cdk:path: Stack/Dns }\n    Properties:'), /an app of the CDK writes this file/],
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

it('says nothing of findings that are accepted', async () => {
  const suppressed = TEMPLATE.replace('    Properties:', '    Metadata:\n      eks-guardrails:\n        suppress: [{ rule: addon-preserve-on-delete, reason: The cluster goes too }]\n    Properties:');
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
  expect(unfit({ fixDryRun: true, outputs: [{ kind: 'format', value: 'json' }, { kind: 'output', value: 'x.json' }] })).not.toThrow();
  expect(unfit({ fix: true })).not.toThrow();
});
