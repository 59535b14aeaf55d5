import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutDay } from '../as-of';
import { builtCommand } from '../cli/built-command';
import { IS_SHARED, itWithAll, share } from '../share';

// The apps are synthesized as a user does.
delete process.env.CDK_CONTEXT_JSON;
delete process.env.CDK_VALIDATION;

const root = join(__dirname, '..', '..');

interface Synthesis {
  readonly status: number | null;
  readonly output: string;
  readonly assembly: string;
}

/** The CDK's own rules take seconds to load. They judge the safe app, where they have nothing to say, with all cases. */
const WITHOUT_OWN_VALIDATION = { CDK_VALIDATION: 'false' };

/** Synthesizes an example with the real CDK command, as the README says. */
function synth(example: string, environment: Readonly<Record<string, string>>, ...args: readonly string[]): Synthesis {
  const assembly = mkdtempSync(join(tmpdir(), `eks-guardrails-${example}-`));
  const result = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'),
      'synth',
      '--quiet',
      '--no-notices',
      '--no-color',
      '-c',
      `example=${example}`,
      ...args,
      '--output',
      assembly,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true', NO_COLOR: '1', ...environment },
    },
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
    const known =
      syntheses.get(example) ?? synth(example, example === 'safe' && !IS_SHARED ? {} : WITHOUT_OWN_VALIDATION);
    syntheses.set(example, known);
    return known;
  }

  function check(
    assembly: string,
    ...args: readonly string[]
  ): {
    status: number | null;
    report: {
      findings: {
        rule: string;
        severity: string;
        verdict: string;
        suppressed?: { reason: string };
        resource: { path: string };
        location: { file: string; line: number };
        related: { message: string; location: { file: string } }[];
      }[];
      diagnostics: unknown[];
    };
  } {
    const result = spawnSync(process.execPath, [command, 'check', assembly, '--format', 'json', ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
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
    for (const place of [
      'imds-hop-limit.ts:',
      'addon-update.ts:',
      'custom-networking.ts:',
      'cni-role.ts:',
      'node-updates.ts:',
      'node-bootstrap.ts:',
      'pod-security-groups.ts:',
    ]) {
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
    // At the line of the app, with the template as the next place.
    for (const { location, related } of errors) {
      expect(location.file).toMatch(/^examples\/aws-cdk\/misconfigured\/[\w-]+\.ts$/);
      const line = readFileSync(join(root, location.file), 'utf8').split('\n')[location.line - 1] ?? '';
      expect(line).toMatch(/new \w+|\.\w+\(/);
      expect(related[0]).toMatchObject({ message: 'as the app writes it' });
      expect(related[0]?.location.file).toMatch(/\.template\.json$/);
    }
  }, 180_000);

  it('cdk synth passes on the safe app, and the command finds nothing in what it wrote', () => {
    const { status, output, assembly } = synthesized('safe');
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(existsSync(join(assembly, 'manifest.json'))).toBe(true);
    const { status: checked, report } = check(assembly);
    const failures = report.findings.filter((finding) => finding.verdict === 'fail');
    expect({
      checked,
      findings: failures.filter(({ suppressed }) => suppressed === undefined),
      diagnostics: report.diagnostics,
    }).toEqual({
      checked: 0,
      findings: [],
      diagnostics: [],
    });
    // The hop limit of 1 that the app decides on, with its reason.
    expect(failures.map(({ rule, suppressed }) => [rule, suppressed?.reason])).toEqual([
      ['imds-hop-limit', 'every workload here has its own role, region and VPC id'],
    ]);
  }, 180_000);

  itWithAll(
    'SafeDefaults, one line, make an app of plain constructs clean',
    () => {
      const plain = synthesized('plain');
      expect(plain.status).toBe(1);
      const failures = ({ assembly }: Synthesis): string[] =>
        check(assembly, '--as-of', '2026-10-01')
          .report.findings.filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
          .map(({ rule, severity, resource }) => `${severity} ${rule} ${resource.path}`)
          .sort();
      expect(failures(plain)).toEqual([
        'error ami-type-kubernetes-version CustomResourceCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'error ami-type-kubernetes-version NativeCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'error ami-type-kubernetes-version NativeCluster/Cluster/NodegroupGeneral/Resource',
        'error imds-hop-limit LowLevel/Included/BatchTemplate',
        'error imds-hop-limit LowLevel/Workers',
        'error imds-hop-limit NativeCluster/Template/Resource',
        'warning imds-v1 CustomResourceCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'warning imds-v1 NativeCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'warning imds-v1 NativeCluster/Cluster/NodegroupGeneral/Resource',
        'warning node-group-force-update CustomResourceCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'warning node-group-force-update NativeCluster/Cluster/NodegroupDefaultCapacity/Resource',
        'warning node-group-force-update NativeCluster/Cluster/NodegroupGeneral/Resource',
        'warning node-group-force-update NativeCluster/Graviton/Resource',
        'warning vpc-cni-resolve-conflicts LowLevel/VpcCni',
        'warning vpc-cni-resolve-conflicts NativeCluster/VpcCni/Resource',
      ]);
      const safe = synth('plain', WITHOUT_OWN_VALIDATION, '-c', 'safeDefaults=true');
      syntheses.set('plain with SafeDefaults', safe);
      expect(safe.status).toBe(0);
      expect(failures(safe)).toEqual([]);
      // Nor can the rules not tell of the nodes that EKS doesn't manage what they could not before.
      const unknown = ({ assembly }: Synthesis): string[] =>
        check(assembly)
          .report.findings.filter(({ verdict, rule }) => verdict === 'unverifiable' && rule.startsWith('imds-'))
          .map(({ rule, resource }) => `${rule} ${resource.path}`);
      expect(unknown(plain)).toContain('imds-hop-limit CustomResourceCluster/Cluster/Own/LaunchConfig');
      expect(unknown(safe)).toEqual([]);
    },
    180_000,
  );

  it('the README shows what the command really prints', () => {
    const result = spawnSync(process.execPath, [command, 'check', 'AddonUpdate.template.json'], {
      cwd: synthesized('misconfigured').assembly,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
    });
    const printed = `$ npx eks-guardrails check cdk.out/AddonUpdate.template.json\n${withoutDay(result.stdout).replaceAll('AddonUpdate.template.json', 'cdk.out/AddonUpdate.template.json')}`;
    expect(shownInReadme('eks-guardrails check', printed)).toBe(printed);
  }, 180_000);

  it('the README shows one of the findings that cdk synth really prints', () => {
    const findings = synthesized('misconfigured')
      .output.split(/\n\n/)
      .filter((finding) => finding.includes('but the schema has this key'));
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
    writeFileSync(
      file,
      readme.replace(block, (_, start: string) => `${start}${printed}\`\`\``),
    );
    return printed;
  }

  /** Breaks the message between words, as a reader would rather have it than scroll. */
  function wrap(text: string): string {
    return text.replace(/^ERROR .+$/m, (message) => message.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd());
  }
});

describe('the example apps of CDKTF and CDK Terrain', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-examples-'));
  const renaming = join(scratch, 'renaming.cjs');

  beforeAll(() => {
    builtCommand();
    // The examples of CDKTF run on CDK Terrain too, with the names of its packages.
    writeFileSync(
      renaming,
      `const Module = require('node:module');
       const resolve = Module._resolveFilename;
       const renamed = (name) => name.replace(/^(@?)cdktf(?=\\/|$)/, '$1cdktn').replace(/^eks-guardrails\\/cdktf$/, 'eks-guardrails/cdktn');
       Module._resolveFilename = function (name, ...others) { return resolve.call(this, renamed(name), ...others); };`,
    );
  }, 120_000);

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Runs an app as `cdktf synth` does. */
  function run(
    folder: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): { status: number | null; output: string; written: string[]; outdir: string } {
    const outdir = mkdtempSync(join(scratch, 'out-'));
    const result = spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), ...args], {
      cwd: join(root, 'examples', folder),
      encoding: 'utf8',
      env: { ...process.env, CDKTF_OUTDIR: outdir, NO_COLOR: '1', ...environment },
    });
    const written = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return {
      status: result.status,
      output: result.stdout + result.stderr,
      written: written.map(({ name }) => name).sort(),
      outdir,
    };
  }

  const apps = share<[name: string, preload: readonly string[]]>([
    ['CDKTF', []],
    ['CDK Terrain', ['--require', renaming]],
  ]);

  const errorsOf = (output: string): string[] =>
    [...output.matchAll(/^\[error\] (\S+): ([a-z0-9-]+): /gm)]
      .map(([, path = '', rule = '']) => `${path} ${rule}`)
      .sort();

  it.each(apps)(
    'the misconfigured one fails in %s, with its findings, and writes nothing',
    (_, preload) => {
      const { status, output, written } = run('cdktf', [...preload, 'run.ts', 'misconfigured']);
      expect(status).toBe(1);
      expect([...new Set(errorsOf(output))]).toEqual([
        'AddonUpdate/VpcCni vpc-cni-resolve-conflicts',
        'CniRole/CniRole irsa-subject',
        'CniRole/CniRole vpc-cni-role-ip-family',
        'CustomNetworking/VpcCni custom-networking-eni-config',
        'CustomNetworking/VpcCni vpc-cni-configuration-schema',
        'ImdsHopLimit/Batch imds-hop-limit',
        'ImdsHopLimit/Reviewed imds-hop-limit',
        'NodeBootstrap/BootstrapScriptTemplate user-data-ami-family',
        'NodeBootstrap/ClosedEarlyTemplate user-data-mime-structure',
        'NodeUpdates/Builders ami-type-architecture',
        'NodeUpdates/General ami-type-kubernetes-version',
        'PodSecurityGroups/Workers pod-security-groups-instance-types',
      ]);
      expect(written).toEqual([]);
    },
    120_000,
  );

  it.each(apps)(
    'the safe one passes in %s, and the command finds nothing in what it wrote',
    (_, preload) => {
      const { status, output, written, outdir } = run('cdktf', [...preload, 'run.ts', 'safe']);
      expect({ status, output: output.match(/^(?!\[info\]).*(error|warning).*/gim) }).toEqual({
        status: 0,
        output: null,
      });
      expect(written).toEqual(['cdk.tf.json', 'cdk.tf.json', 'manifest.json']);
      const checked = spawnSync(
        process.execPath,
        [builtCommand(), 'check', outdir, '--fail-on', 'warning', '--format', 'json'],
        { encoding: 'utf8', maxBuffer: 1 << 26 },
      );
      const report = JSON.parse(checked.stdout) as {
        findings: { rule: string; verdict: string; suppressed?: { reason: string } }[];
        diagnostics: unknown[];
      };
      const failures = report.findings.filter(({ verdict }) => verdict === 'fail');
      expect({ status: checked.status, diagnostics: report.diagnostics }).toEqual({ status: 0, diagnostics: [] });
      expect(failures.map(({ rule, suppressed }) => [rule, suppressed?.reason])).toEqual([
        ['imds-hop-limit', 'every workload here has its own role, region and VPC id'],
      ]);
    },
    120_000,
  );

  itWithAll(
    'the one of CDK Terrain passes, and fails when it is made to',
    () => {
      expect(run('cdktn', ['main.ts'])).toMatchObject({ status: 0, written: ['cdk.tf.json', 'manifest.json'] });
      const { status, output, written } = run('cdktn', ['main.ts'], { MISCONFIGURED: '1' });
      expect({ status, errors: errorsOf(output), written }).toEqual({
        status: 1,
        errors: ['Platform/Batch ami-type-architecture', 'Platform/Batch imds-hop-limit'],
        written: [],
      });
    },
    120_000,
  );
});
