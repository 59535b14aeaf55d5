import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

const guideFile = join(projectRoot, 'docs/guides/eksctl.md');
const [, CONFIG = ''] = /`cluster\.yaml`:\n\n```yaml\n([^]*?)```/.exec(readFileSync(guideFile, 'utf8')) ?? [];
const TEXT = /```text\n(\$ eks-guardrails check cluster\.yaml\n[^]*?)```\n/;

const GROUPS =
  'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\n  name: shop\n  region: eu-central-1\nmanagedNodeGroups:\n';
const folder = workspace({
  'cluster.yaml': CONFIG,
  'clusters/groups.yaml': `# groups of the cluster\n---\n${GROUPS}  - name: workers\n    disableIMDSv1: false\n`,
  'clusters/cluster.json': JSON.stringify(
    {
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'shop', region: 'eu-central-1' },
      managedNodeGroups: [{ name: 'json', disableIMDSv1: false }],
    },
    undefined,
    2,
  ),
  'clusters/pods.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n',
  'clusters/note.yaml': 'text: |\n  apiVersion: eksctl.io/v1alpha5\n  kind: ClusterConfig\n',
  'broken.yaml': `${GROUPS}  - name: [\n`,
  'rendered.yaml': `${GROUPS}{{- range .groups }}\n  - name: {{ .name }}\n{{- end }}\n`,
  'at-signs.yaml': `${GROUPS.replace('shop', '@NAME@')}  - name: workers\n    maxSize: @MOST@\n`,
  'accepted.yaml': `${GROUPS}  - name: workers\n    disableIMDSv1: false # eks-guardrails:ignore imds-v1 -- an old agent needs it\n`,
});
const repaired = workspace({ 'cluster.yaml': CONFIG });
const check = (...args: string[]) => runCommand(['check', ...args], { cwd: folder });

describe('eks-guardrails check CLUSTERCONFIG', () => {
  it('tells what eksctl makes of a file, as the guide shows', () => {
    const { stdout, stderr, exitCode } = check('cluster.yaml');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails check cluster.yaml\n${stdout}`;
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        readFileSync(guideFile, 'utf8').replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('finds ClusterConfigs among other files of a folder', () => {
    const { stdout, exitCode } = check('clusters', '--format', 'json');
    const report = JSON.parse(stdout) as {
      inputs: { path: string; kind: string }[];
      findings: { rule: string; verdict: string; location: { file: string; line: number } }[];
      diagnostics: unknown[];
    };
    expect({ exitCode, diagnostics: report.diagnostics }).toEqual({ exitCode: 0, diagnostics: [] });
    expect(report.inputs.map(({ path, kind }) => [path, kind])).toEqual([
      ['clusters/cluster.json', 'eksctl-config'],
      ['clusters/groups.yaml', 'eksctl-config'],
      ['clusters/pods.yaml', 'kubernetes-manifest'],
    ]);
    expect(
      report.findings.filter(({ rule }) => rule === 'imds-v1').map(({ location: { file, line } }) => [file, line]),
    ).toEqual([
      ['clusters/cluster.json', 11],
      ['clusters/groups.yaml', 10],
    ]);
  });

  it('reads one from a pipe', () => {
    const { stdout, exitCode } = runCommand(['check', '-'], { cwd: folder, input: CONFIG });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('ami-type-architecture');
  });

  it('tells what it can not read', () => {
    const broken = check('broken.yaml');
    expect(broken.exitCode).toBe(2);
    expect(broken.stdout + broken.stderr).toContain('broken.yaml:8:');
    const rendered = check('rendered.yaml');
    expect(rendered.exitCode).toBe(2);
    expect(rendered.stdout + rendered.stderr).toContain('which eksctl does not fill in');
    const atSigns = check('at-signs.yaml', '--format', 'compact');
    expect(atSigns.exitCode).toBe(2);
    expect(atSigns.stdout.split('\n').slice(0, 2)).toEqual([
      'at-signs.yaml:1:1: error input this is a template of a ClusterConfig (`@NAME@`), which eksctl does not fill in: do so first, and check what comes out',
      'No findings in 1 input, 0 resources, and 1 error about the input',
    ]);
  });

  it('heeds comments', () => {
    const { stdout, exitCode } = check('accepted.yaml');
    expect({ exitCode, isListed: stdout.includes('warning  imds-v1') }).toEqual({ exitCode: 0, isListed: false });
    expect(stdout).toMatch(/1 suppressed|suppressed/);
  });

  it('repairs what is safe to repair', () => {
    const { exitCode } = runCommand(['check', 'cluster.yaml', '--fix'], { cwd: repaired });
    const text = readFileSync(join(repaired, 'cluster.yaml'), 'utf8');
    expect(exitCode).toBe(1);
    expect(text).toBe(CONFIG.replace('resolveConflicts: overwrite', 'resolveConflicts: preserve'));
  });
});
