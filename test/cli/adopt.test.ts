import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { COMPILER } from '../compiler';
import { itWithAll, share } from '../share';
import { appSource } from './adopt-app';
import { builtCommand, projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

/*
 * An app as teams have it, before and after: the node groups are taken out, and what `init --adopt` printed is called in their place. Both are synthesized, and the
 * CDK's own diff says what CloudFormation would do.
 */

describe('init --adopt', () => {
  const folder = workspace({
    'package.json': '{ "private": true }',
    'before.ts': appSource(false),
    'after.ts': appSource(true),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noUnusedLocals: true,
        module: 'node16',
        moduleResolution: 'node16',
        target: 'ES2022',
        types: ['node'],
        skipLibCheck: true,
        rootDir: '.',
      },
      include: ['*.ts'],
    }),
  });
  let module: string;
  let told: string;

  const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      maxBuffer: 1 << 28,
    });
  const synthesize = (name: 'before' | 'after'): void => {
    const { status, stderr } = run(`${name}.js`, [], { CDK_OUTDIR: join(folder, name), CDK_DEBUG: '1' });
    if (status !== 0) throw new Error(stderr.slice(-4000));
  };

  beforeAll(() => {
    builtCommand();
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['aws-cdk-lib', 'constructs', '@types'])
      symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    symlinkSync(projectRoot, join(folder, 'node_modules/eks-guardrails'), 'dir');
    // To synthesize it, its types matter nothing.
    const compile = (name: string, text: string) => {
      writeFileSync(join(folder, `${name}.js`), transformSync(text, { loader: 'ts', format: 'cjs' }).code);
    };
    compile('before', appSource(false));
    synthesize('before');
    const { exitCode, stdout, stderr } = runCommand(['init', '--adopt', 'before'], { cwd: folder });
    expect(exitCode).toBe(0);
    module = stdout;
    told = stderr;
    writeFileSync(join(folder, 'adopted.ts'), module);
    compile('adopted', module);
    compile('after', appSource(true));
    synthesize('after');
  }, 300_000);

  itWithAll(
    'prints code that compiles for a strict user',
    () => {
      const complaints = run(COMPILER, ['-p', '.', '--noEmit']).stdout.split('\n').filter(Boolean);
      // The app has nothing to do any more with some of what it declares.
      expect(complaints.filter((line) => !/^after\.ts.*TS6133/.test(line))).toEqual([]);
    },
    120_000,
  );

  it('prints one function for stages that are alike', () => {
    expect(module.match(/^export function \w+/gm)).toEqual([
      'export function addNodesNodeGroups',
      'export function addPlatformNodeGroups',
      'export function addOutsideNodeGroups',
    ]);
    expect(module).toContain('The node groups of Staging/Nodes, Production/Nodes for the cluster');
    expect(told).toBe('8 kept, 9 replaced, 1 not written\n');
  });

  it.each(
    share([
      [
        'Platform',
        'before/Platform.template.json',
        {
          destroyed: ['ClusterNodegroupDefaultCapacityDA0920A3', 'ClusterNodegroupWorkersA3EA85B0'],
          made: ['DefaultCapacity', 'Workers'],
          kept: ['Box', 'ClusterNodegroupWebF7E3D902', 'LegacyFA07BB5D', 'Store1D2A845B'],
        },
      ],
      [
        'Staging/Nodes',
        'before/assembly-Staging/StagingNodesD280D982.template.json',
        {
          destroyed: ['ArmB02581E4', 'One8A44B909', 'Two20CDA8F5'],
          made: ['Nodes/ArmNodes', 'Nodes/OneNodes', 'Nodes/TwoNodes'],
          kept: ['GoldenBA401183', 'Raw'],
        },
      ],
    ]),
  )(
    'keeps and replaces what it says, by the diff of the CDK: %s',
    (stack, template, expected) => {
      const { stdout, stderr } = run(
        join(projectRoot, 'node_modules/aws-cdk/bin/cdk'),
        ['diff', stack, '--app', 'after', '--template', template, '--exclusively', '--no-change-set', '--no-color'],
        { CDK_DISABLE_CLI_TELEMETRY: '1', CDK_CONTEXT_LINES: '0' },
      );
      const lines = `${stdout}${stderr}`.split('\n');
      const ofGroups = (sign: string, last: RegExp): string[] =>
        lines.flatMap((line) =>
          line.startsWith(`[${sign}] AWS::EKS::Nodegroup `) ? (last.exec(line)?.[1] ?? []) : [],
        );
      expect({
        destroyed: ofGroups('-', /(\S+) destroy$/).sort(),
        made: ofGroups('+', /(\S+) \S+$/).sort(),
        kept: ofGroups('~', /(\S+)$/).sort(),
      }).toEqual(expected);
      // Neither a group that stays nor the role of one is replaced, whatever else is changed of it.
      expect(lines.filter((line) => /replac/i.test(line))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('[-] AWS::IAM'))).toEqual([]);
      for (const id of expected.destroyed) expect(module).toContain(`then drains and deletes ${id}.`);
      for (const id of expected.kept) expect(module).toMatch(new RegExp(`\\(${id}\\)[^\\n]*\\n  // Kept: `));
    },
    300_000,
  );

  it('changes nothing else of a group that it keeps than the template, which EKS takes no other change with', () => {
    const nodes = 'assembly-Staging/StagingNodesD280D982.template.json';
    for (const [template, ids] of [
      ['Platform.template.json', ['ClusterNodegroupWebF7E3D902', 'LegacyFA07BB5D', 'Store1D2A845B', 'Box']],
      [nodes, ['GoldenBA401183', 'Raw']],
    ] as const)
      for (const id of ids) {
        const [before, after] = ['before', 'after'].map((name) => {
          const { Resources } = JSON.parse(readFileSync(join(folder, name, template), 'utf8')) as {
            Resources: Record<string, { Properties: Record<string, unknown> }>;
          };
          return { ...Resources[id]?.Properties, ForceUpdateEnabled: undefined };
        });
        expect(before).toHaveProperty('LaunchTemplate');
        expect(after).toEqual(before);
      }
  });

  it('leaves volumes as the AMI of one’s own has them, and encrypts those of Bottlerocket where an option has all of them', () => {
    const devicesOf = (template: string, id: string): unknown => {
      const { Resources } = JSON.parse(readFileSync(join(folder, 'after', template), 'utf8')) as {
        Resources: Record<string, { Properties: { LaunchTemplateData: Record<string, unknown> } }>;
      };
      return Resources[id]?.Properties.LaunchTemplateData['BlockDeviceMappings'] ?? 'none';
    };
    const plain = { DeleteOnTermination: true, Encrypted: true, VolumeType: 'gp3' };
    expect(devicesOf('assembly-Staging/StagingNodesD280D982.template.json', 'GoldenTemplate1313191F')).toBe('none');
    expect(devicesOf('Platform.template.json', 'BoxTemplate')).toEqual([
      { DeviceName: '/dev/xvda', Ebs: plain },
      { DeviceName: '/dev/xvdb', Ebs: { ...plain, VolumeSize: 90 } },
    ]);
    expect(devicesOf('Platform.template.json', 'StoreTemplateEEABCF32')).toMatchObject([
      { DeviceName: '/dev/xvda', Ebs: { Encrypted: false, VolumeSize: 4 } },
      { DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 80 } },
    ]);
  });

  it('keeps the metadata options that somebody wrote', () => {
    const options = [
      [
        'Platform.template.json',
        'StoreTemplateEEABCF32',
        { HttpPutResponseHopLimit: 3, InstanceMetadataTags: 'enabled' },
      ],
      [
        'Platform.template.json',
        'LegacyTemplate4FEE4D3F',
        { HttpPutResponseHopLimit: 2, InstanceMetadataTags: 'disabled' },
      ],
      ['assembly-Staging/StagingNodesD280D982.template.json', 'RawTemplate', { HttpPutResponseHopLimit: 1 }],
    ] as const;
    for (const [template, id, expected] of options) {
      const { Resources } = JSON.parse(readFileSync(join(folder, 'after', template), 'utf8')) as {
        Resources: Record<string, { Properties: { LaunchTemplateData: Record<string, unknown> } }>;
      };
      expect(Resources[id]?.Properties.LaunchTemplateData['MetadataOptions']).toMatchObject(expected);
    }
  });

  it('writes nothing for a template that the app does not have, and says what its group needs', () => {
    expect(module).toMatch(/\(Imported\)[^\n]*\n {2}\/\/ Not written: .*version 3 of lt-0123456789abcdef0/);
    expect(module).not.toContain("stack, 'Imported'");
  });

  it('takes subnets by their ids without the warning of the CDK', () => {
    expect(module).toContain("subnetOf(stack, 'LiteralNodesSubnet0', 'subnet-0aaaaaaaaaaaaaaa1')");
    // Where the messages of a stack are, in the CDK's manifest or beside it, depends on its version.
    const messages = readdirSync(join(folder, 'after'))
      .filter((name) => /^(?:manifest|Outside\.metadata)\.json$/.test(name))
      .map((name) => readFileSync(join(folder, 'after', name), 'utf8'));
    expect(messages.join('\n')).toContain('Outside/');
    expect(messages.join('\n')).not.toContain('No routeTableId was provided');
  });

  it('prints options, references that work from stack to stack, and what is to be done', () => {
    expect(module).toMatchSnapshot();
  });

  it('leaves alone what is a ManagedNodeGroup already', () => {
    const { exitCode, stdout, stderr } = runCommand(['init', '--adopt', 'after'], { cwd: folder });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('so there is nothing to adopt') as string,
    });
  });

  it('says where there is nothing to read', () => {
    expect(runCommand(['init', '--adopt'], { cwd: folder })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'error: cdk.out holds nothing that cdk synth wrote; run "npx cdk synth" first, or name its output: eks-guardrails init --adopt cdk.out\n',
    });
    expect(runCommand(['init', '--adopt', '--yes'], { cwd: folder }).exitCode).toBe(2);
  });
});

describe('the guide to moving', () => {
  const page = join(projectRoot, 'docs/guides/migration.md');
  const blocks = /^```ts\n([^]*?)^```$/gm;
  const [before = ''] = [...readFileSync(page, 'utf8').matchAll(blocks)].map(([, code = '']) => code);
  const folder = workspace({ 'app.ts': `${before}app.synth();\n` });

  itWithAll(
    'shows what the command prints for its app',
    () => {
      symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'dir');
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), 'app.ts'],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, CDK_OUTDIR: join(folder, 'before') } },
      );
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
      const { stdout } = runCommand(['init', '--adopt', 'before'], { cwd: folder });
      if (process.env['UPDATE_GOLDEN'] === '1') {
        let block = 0;
        writeFileSync(
          page,
          readFileSync(page, 'utf8').replace(blocks, (whole) => (block++ === 1 ? `\`\`\`ts\n${stdout}\`\`\`` : whole)),
        );
      }
      expect([...readFileSync(page, 'utf8').matchAll(blocks)][1]?.[1]).toBe(stdout);
    },
    120_000,
  );
});
