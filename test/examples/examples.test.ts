import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../cli/built-command';

const root = join(__dirname, '..', '..');

interface Synthesis {
  readonly status: number | null;
  readonly output: string;
  readonly assembly: string;
}

/** Synthesizes an example with the real CDK command, as the README says. */
function synth(example: string): Synthesis {
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
  const syntheses = new Map<string, Synthesis>();

  beforeAll(() => {
    command = builtCommand();
  }, 120_000);

  afterAll(() => {
    for (const { assembly } of syntheses.values()) rmSync(assembly, { recursive: true, force: true });
  });

  function synthesized(example: string): Synthesis {
    const known = syntheses.get(example) ?? synth(example);
    syntheses.set(example, known);
    return known;
  }

  function check(assembly: string): { status: number | null; report: { findings: { rule: string; severity: string; verdict: string; suppressed?: { reason: string }; resource: { path: string } }[]; diagnostics: unknown[] } } {
    const result = spawnSync(process.execPath, [command, 'check', assembly, '--format', 'json'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
    return { status: result.status, report: JSON.parse(result.stdout) as ReturnType<typeof check>['report'] };
  }

  it('cdk synth fails on the misconfigured app, with the findings at the lines that cause them', () => {
    const { status, output, assembly } = synthesized('misconfigured');
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
      'custom-networking-eni-config',
      'user-data-mime-structure',
      'user-data-ami-family',
      'pod-security-groups-instance-types',
      'pod-security-groups-cluster-role',
      'vpc-cni-tcp-early-demux',
    ]) {
      expect(output).toContain(rule);
    }
    // The place in the user's own source, for one finding of each stack.
    for (const place of ['imds-hop-limit.ts:', 'addon-update.ts:', 'custom-networking.ts:', 'cni-role.ts:', 'node-updates.ts:', 'node-bootstrap.ts:', 'pod-security-groups.ts:']) {
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
      'NodeBootstrap',
      'NodeUpdates',
      'PodSecurityGroups',
    ]);
  }, 180_000);

  it('cdk synth passes on the safe app, and the command finds nothing in what it wrote', () => {
    const { status, output, assembly } = synthesized('safe');
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(existsSync(join(assembly, 'manifest.json'))).toBe(true);
    const { status: checked, report } = check(assembly);
    const failures = report.findings.filter((finding) => finding.verdict === 'fail');
    expect({ checked, findings: failures.filter(({ suppressed }) => suppressed === undefined), diagnostics: report.diagnostics }).toEqual({
      checked: 0,
      findings: [],
      diagnostics: [],
    });
    // The hop limit of 1 that the app decides on, with its reason.
    expect(failures.map(({ rule, suppressed }) => [rule, suppressed?.reason])).toEqual([['imds-hop-limit', 'every workload here has its own role, region and VPC id']]);
  }, 180_000);

  it('the README shows what the command really prints', () => {
    const result = spawnSync(process.execPath, [command, 'check', 'AddonUpdate.template.json'], {
      cwd: synthesized('misconfigured').assembly,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
    });
    const printed = `$ npx eks-guardrails check cdk.out/AddonUpdate.template.json\n${result.stdout.replaceAll('AddonUpdate.template.json', 'cdk.out/AddonUpdate.template.json')}`;
    expect(shownInReadme('eks-guardrails check', printed)).toBe(printed);
  }, 180_000);

  it('the README shows one of the findings that cdk synth really prints', () => {
    const findings = synthesized('misconfigured').output.split(/\n\n/).filter((finding) => finding.includes('but the schema has this key'));
    expect(findings).toHaveLength(1);
    const printed = `$ npx cdk synth\n${wrap(findings.join().trim())}\n`;
    expect(shownInReadme('cdk synth', printed)).toBe(printed);
  }, 180_000);

  /** A block of the README. UPDATE_GOLDEN=1 puts there what is printed now. */
  function shownInReadme(name: string, printed: string): string | undefined {
    const file = join(root, 'README.md');
    const readme = readFileSync(file, 'utf8');
    const block = new RegExp(`(<!-- output: ${name} -->\\n\`\`\`text\\n)([\\s\\S]*?)\`\`\``);
    if (process.env['UPDATE_GOLDEN'] !== '1') return block.exec(readme)?.[2];
    writeFileSync(file, readme.replace(block, (_, start: string) => `${start}${printed}\`\`\``));
    return printed;
  }

  /** Breaks the message between words, as a reader would rather have it than scroll. */
  function wrap(text: string): string {
    return text.replace(/^ERROR .+$/m, (message) => message.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd());
  }
});
