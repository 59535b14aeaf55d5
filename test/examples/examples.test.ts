import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../cli/built-command';

const root = join(__dirname, '..', '..');

/** Synthesizes an example with the real CDK command, as the README says. */
function synth(example: string): { status: number | null; output: string; assembly: string } {
  const assembly = mkdtempSync(join(tmpdir(), `eks-guardrails-${example}-`));
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), 'synth', '--quiet', '--no-notices', '--no-color', '-c', `example=${example}`, '--output', assembly],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true', NO_COLOR: '1' } },
  );
  return { status: result.status, output: result.stdout + result.stderr, assembly };
}

describe('the example apps', () => {
  let command: string;
  const assemblies: string[] = [];

  beforeAll(() => {
    command = builtCommand();
  }, 120_000);

  afterAll(() => {
    for (const assembly of assemblies) rmSync(assembly, { recursive: true, force: true });
  });

  function check(assembly: string): { status: number | null; report: { findings: { rule: string; severity: string; verdict: string; resource: { path: string } }[]; diagnostics: unknown[] } } {
    const result = spawnSync(process.execPath, [command, 'check', assembly, '--format', 'json'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
    return { status: result.status, report: JSON.parse(result.stdout) as ReturnType<typeof check>['report'] };
  }

  it('cdk synth fails on the misconfigured app, with the findings at the lines that cause them', () => {
    const { status, output, assembly } = synth('misconfigured');
    assemblies.push(assembly);
    expect(status).toBe(1);
    for (const rule of [
      'imds-hop-limit',
      'vpc-cni-resolve-conflicts',
      'vpc-cni-configuration-schema',
      'vpc-cni-role-ip-family',
      'irsa-subject',
      'ami-type-kubernetes-version',
      'ami-type-architecture',
      'launch-template-version',
      'node-group-force-update',
    ]) {
      expect(output).toContain(rule);
    }
    // The place in the user's own source, for one finding of each stack.
    for (const place of ['imds-hop-limit.ts:', 'addon-update.ts:', 'custom-networking.ts:', 'cni-role.ts:', 'node-updates.ts:']) {
      expect(output).toContain(place);
    }
    expect(existsSync(join(assembly, 'manifest.json'))).toBe(true);

    const { status: checked, report } = check(assembly);
    expect(checked).toBe(1);
    expect(report.diagnostics).toEqual([]);
    const errors = report.findings.filter((finding) => finding.verdict === 'fail' && finding.severity === 'error');
    expect([...new Set(errors.map((finding) => finding.resource.path.split('/')[0]))].sort()).toEqual([
      'AddonUpdate',
      'CniRole',
      'CustomNetworking',
      'ImdsHopLimit',
      'NodeUpdates',
    ]);
  }, 180_000);

  it('cdk synth passes on the safe app, and the command finds nothing in what it wrote', () => {
    const { status, output, assembly } = synth('safe');
    assemblies.push(assembly);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(existsSync(join(assembly, 'manifest.json'))).toBe(true);
    const { status: checked, report } = check(assembly);
    expect({ checked, findings: report.findings.filter((finding) => finding.verdict === 'fail'), diagnostics: report.diagnostics }).toEqual({
      checked: 0,
      findings: [],
      diagnostics: [],
    });
  }, 180_000);

  it('the README shows what the misconfigured app really prints', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const shown = /<!-- output: eks-guardrails check -->\n```text\n([\s\S]*?)```/.exec(readme)?.[1];
    const { assembly } = synth('misconfigured');
    assemblies.push(assembly);
    const result = spawnSync(process.execPath, [command, 'check', 'AddonUpdate.template.json'], {
      cwd: assembly,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
    });
    expect(shown).toBe(`$ npx eks-guardrails check cdk.out/AddonUpdate.template.json\n${result.stdout.replaceAll('AddonUpdate.template.json', 'cdk.out/AddonUpdate.template.json')}`);
  }, 180_000);
});
