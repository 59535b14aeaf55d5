import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import type * as typescript from '../../constructs/aws-cdk';
import * as otherLanguages from '../../constructs/aws-cdk/other-languages';
import { packageVersion } from '../../lib/version';
import type { Engine } from '../../packages/jsii/src/engine';
import type { ManagedNodeGroupProps } from '../../packages/jsii/src/managed-node-group-props';
import type { VpcCniAddonProps } from '../../packages/jsii/src/vpc-cni-addon-props';
import { projectRoot } from '../cli/built-command';
import { itWithAll } from '../share';

/** The compiler refuses it where the module expects something else of the engine than there is. */
const engine: Engine = otherLanguages;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** So with options that come to the constructs, or go: what the module leaves out, and what it has besides. */
const leftOut: readonly [
  Same<
    Exclude<keyof typescript.ManagedNodeGroupProps, keyof ManagedNodeGroupProps>,
    'additionalVolumes' | 'amiVolumes' | 'capacityReservation' | 'diskSize' | 'efa' | 'warmPool' | 'windowsBootstrap'
  >,
  Same<Exclude<keyof ManagedNodeGroupProps, keyof typescript.ManagedNodeGroupProps>, 'customAmiId'>,
  Same<Exclude<keyof typescript.VpcCniAddonProps, keyof VpcCniAddonProps>, 'configuration'>,
  Same<Exclude<keyof VpcCniAddonProps, keyof typescript.VpcCniAddonProps>, never>,
] = [true, true, true, true];

const source = join(projectRoot, 'packages/jsii');

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies?: object;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

describe('the module for CDK apps in other languages', () => {
  let scratch: string;
  let folder: string;

  // As npm run jsii makes it, but for the compiler of jsii.
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-validator-'));
    const modules = join(scratch, 'node_modules');
    folder = join(modules, 'eks-guardrails-validator');
    mkdirSync(join(folder, 'lib'), { recursive: true });
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name), 'dir');
    writeFileSync(
      join(scratch, 'bundle.mjs'),
      `import { oneFolder } from ${JSON.stringify(join(projectRoot, 'scripts/one-folder.mjs'))};
       await oneFolder('constructs/aws-cdk/other-languages.ts', ${JSON.stringify(join(folder, 'engine'))}, ['aws-cdk-lib', 'constructs']);`,
    );
    execFileSync(process.execPath, [join(scratch, 'bundle.mjs')]);
    for (const name of readdirSync(join(source, 'src'))) {
      const { code } = transformSync(readFileSync(join(source, 'src', name), 'utf8'), { loader: 'ts', format: 'cjs' });
      writeFileSync(join(folder, 'lib', name.replace(/\.ts$/, '.js')), code);
    }
    writeFileSync(join(folder, 'package.json'), readFileSync(join(source, 'package.json')));
  });

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  function run(configuration: string): { readonly status: number | null; readonly output: string } {
    writeFileSync(
      join(scratch, 'app.js'),
      `const { App, Stack, Validations, CfnParameter } = require('aws-cdk-lib');
       const eks = require('aws-cdk-lib/aws-eks');
       const { EksGuardrailsValidator, FailOn, Preset, RuleLevel } = require('eks-guardrails-validator');
       const app = new App({ outdir: 'cdk.out' });
       Validations.of(app).addPlugins(new EksGuardrailsValidator(${configuration}));
       const stack = new Stack(app, 'Platform');
       new eks.CfnNodegroup(stack, 'Workers', {
         clusterName: 'prod',
         nodeRole: 'arn:aws:iam::111122223333:role/nodes',
         subnets: ['subnet-0123456789abcdef0'],
         amiType: new CfnParameter(stack, 'AmiType').valueAsString,
       });
       app.synth();`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['app.js'], { cwd: scratch, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  }

  it('fails a synthesis as the plugin does', () => {
    const { status, output } = run("{ parameters: { AmiType: 'AL2023_x86_64_STANDARD' } }");
    expect(output).toContain("Acknowledge with 'EksGuardrails::imds-hop-limit'");
    expect(status).toBe(1);
  });

  itWithAll('takes levels, decisions and what fails from its settings', () => {
    const given = "preset: Preset.STRICT, parameters: { AmiType: 'AL2023_x86_64_STANDARD' }";
    expect(run(`{ ${given}, failOn: FailOn.NEVER }`).status).toBe(0);
    expect(run(`{ ${given}, rules: { 'imds-hop-limit': { level: RuleLevel.OFF } } }`)).toMatchObject({ status: 0 });
    const ignored = "ignoredFindings: [{ rule: 'imds-*', resource: 'Platform/Workers', reason: 'own roles' }]";
    expect(run(`{ ${given}, ${ignored} }`)).toMatchObject({ status: 0 });
    expect(
      run("{ stackParameters: { Platform: { AmiType: 'AL2023_x86_64_STANDARD' } }, asOf: '2026-01-31' }").output,
    ).toContain('imds-hop-limit');
  });

  itWithAll('reads the configuration file, unless told otherwise', () => {
    const file = join(scratch, 'eks-guardrails.config.json');
    writeFileSync(file, JSON.stringify({ failOn: 'never' }));
    const given = "parameters: { AmiType: 'AL2023_x86_64_STANDARD' }";
    try {
      expect(run(`{ ${given} }`).status).toBe(0);
      expect(run(`{ ${given}, readsConfigurationFile: false }`).status).toBe(1);
    } finally {
      rmSync(file);
    }
    expect(run("{ configurationFile: 'missing.json' }").output).toContain('missing.json');
    expect(run("{ configurationFile: 'a.json', readsConfigurationFile: false }").output).toContain(
      'leave one of them out',
    );
  });

  it('refuses a rule that does not exist, where it is written', () => {
    const { status, output } = run("{ rules: { 'imds-hop-limits': {} } }");
    expect(status).toBe(1);
    expect(output).toContain('did you mean "imds-hop-limit"?');
    expect(output).toContain('app.js:');
  });

  it('has the version and the needs of the package, no dependency, and the licences of what is in it', () => {
    const [own, whole] = [manifest(source), manifest(projectRoot)];
    expect(own.version).toBe(packageVersion());
    expect(manifest(join(folder, 'engine')).version).toBe(packageVersion());
    expect(whole.peerDependencies).toMatchObject(own.peerDependencies);
    expect(own.dependencies).toBeUndefined();
    const licences = readFileSync(join(folder, 'engine/LICENSES.txt'), 'utf8');
    for (const name of ['eks-guardrails', 'yaml', 'toml-eslint-parser'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(engine).toBe(otherLanguages);
    expect(leftOut).toHaveLength(4);
  });

  /** The template of a stack in which `code` defines constructs: by the module's classes, and by those that are in it. */
  function templateOf(classes: string, code: string): unknown {
    writeFileSync(
      join(scratch, 'constructs.js'),
      `const { App, Stack, aws_ec2: ec2, aws_iam: iam, aws_kms: kms } = require('aws-cdk-lib');
       const { aws_eks_v2: eks } = require('aws-cdk-lib');
       const own = require('eks-guardrails-validator');
       const { AmiFamily, ImdsAccess, InstanceStore, PodSecurityGroupMode, UpdateStrategy } = own;
       const { ManagedNodeGroup, VpcCniAddon, NodeConfig, BottlerocketSettings } = ${classes};
       const isOwn = ManagedNodeGroup === own.ManagedNodeGroup;
       const stack = new Stack(new App(), 'Platform', { env: { account: '111122223333', region: 'eu-west-1' } });
       const cluster = new eks.Cluster(stack, 'Cluster', {
         version: eks.KubernetesVersion.V1_35,
         defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
         defaultCapacity: 0,
         serviceIpv4Cidr: '172.20.0.0/16',
       });
       ${code}
       process.stdout.write(JSON.stringify(require('aws-cdk-lib/assertions').Template.fromStack(stack).toJSON()));`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['constructs.js'], {
      cwd: scratch,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  it.each([
    [
      'the least',
      "new VpcCniAddon(stack, 'VpcCni', { cluster });\nnew ManagedNodeGroup(stack, 'Workers', { cluster });",
    ],
    [
      'many options',
      `new VpcCniAddon(stack, 'VpcCni', {
         cluster,
         prefixDelegation: { warmPrefixTarget: 2 },
         podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD },
         env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' },
         configurationValues: { eniConfig: undefined, tolerations: [{ operator: 'Exists' }] },
       });
       const bastion = new ec2.SecurityGroup(stack, 'Bastion', { vpc: cluster.vpc });
       const keyPair = new ec2.KeyPair(stack, 'Key');
       const nodeConfig = { kubelet: { config: { shutdownGracePeriod: '60s' } } };
       const workers = new ManagedNodeGroup(stack, 'Workers', {
         cluster,
         amiFamily: AmiFamily.AL2023,
         instanceTypes: [new ec2.InstanceType('m7gd.large')],
         ...(isOwn ? { customAmiId: 'ami-0123456789abcdef0' } : { customAmi: 'ami-0123456789abcdef0' }),
         nodeConfig: isOwn ? nodeConfig : new NodeConfig(nodeConfig),
         instanceStore: InstanceStore.MOUNT,
         imds: ImdsAccess.NODE_ONLY,
         imdsReason: 'every workload has its own role, region and VPC id',
         labels: { 'example.com/tier': 'web' },
         taints: [{ key: 'example.com/dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
         volume: { size: 100, iops: 4000, kmsKey: new kms.Key(stack, 'VolumeKey'), ...(isOwn ? { volumeType: 'gp3' } : { type: 'gp3' }) },
         remoteAccess: { keyPair, ...(isOwn ? { allowedFrom: [bastion] } : { from: [bastion] }) },
         managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
         updateStrategy: UpdateStrategy.MINIMAL,
         desiredSize: 3,
         maxSize: 6,
         nodeRepair: {},
         tags: { team: 'shop' },
       });
       workers.connections.allowFrom(bastion, ec2.Port.tcp(443));
       const settings = { kernel: { sysctl: { 'vm.max_map_count': '262144' } } };
       new ManagedNodeGroup(stack, 'Bottlerocket', {
         cluster,
         amiFamily: AmiFamily.BOTTLEROCKET,
         bottlerocketSettings: isOwn ? settings : new BottlerocketSettings({ settings }),
         maxPods: 20,
       });`,
    ],
  ])('has constructs that make the same of %s as in TypeScript', (_, code) => {
    const made = JSON.stringify(templateOf('own', code));
    const inTypeScript = templateOf("require('eks-guardrails-validator/engine')", code);
    // The CDK makes names of tags from paths.
    expect(JSON.parse(made.replaceAll('/Default/', '/'))).toEqual(inTypeScript);
    expect(made).toContain('"AWS::EKS::Nodegroup"');
  });

  itWithAll('refuses what can not work, where it is written', () => {
    const group = (options: string): string => `new ManagedNodeGroup(stack, 'Workers', { cluster, ${options} });`;
    expect(() => templateOf('own', group('imds: ImdsAccess.NODE_ONLY'))).toThrow('imdsReason');
    expect(() =>
      templateOf(
        'own',
        group("customAmiId: 'ami-0123456789abcdef0', customAmi: ec2.MachineImage.latestAmazonLinux2023()"),
      ),
    ).toThrow('leave one of them out');
    expect(() => templateOf('own', group("nodeConfig: { kubelet: { flag: ['--v=2'] } }"))).toThrow('flag');
  });
});
