import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../cli/built-command';
import { skippedNote } from '../needs';

/*
 * A blueprint of cdk-eks-blueprints, which is no dependency of ours: it asks for one version of aws-cdk-lib, and comes with a hundred packages. npm
 * fetches them into a folder of their own.
 */

const asked = process.env['EKS_GUARDRAILS_TEST_BLUEPRINTS'] === '1';
const lack = asked ? undefined : 'EKS_GUARDRAILS_TEST_BLUEPRINTS=1 is not set';

const PACKAGES = ['@aws-quickstart/eks-blueprints@1.19.0', 'aws-cdk-lib@2.261.0', 'constructs@10.8.1'];

/** Versions are written: those that it looks up itself it asks AWS for. */
const APP = `
const cdk = require('aws-cdk-lib');
const blueprints = require('@aws-quickstart/eks-blueprints');
const { Repairs, SafeDefaults } = require('eks-guardrails/aws-cdk');

(async () => {
  const app = new cdk.App({ outdir: process.argv[2] });
  if (process.argv[3] === 'safe') SafeDefaults.of(app, { includeL1: true, namedNodeGroups: true, repairs: Repairs.UNSAFE });
  const version = cdk.aws_eks.KubernetesVersion.of('1.35');
  const { addons } = blueprints;
  await blueprints.EksBlueprint.builder()
    .account('111122223333')
    .region('eu-central-1')
    .version(version)
    .clusterProvider(
      new blueprints.GenericClusterProvider({
        version,
        managedNodeGroups: [
          { id: 'plain', instanceTypes: [new cdk.aws_ec2.InstanceType('m6i.large')] },
          { id: 'templated', amiType: cdk.aws_eks.NodegroupAmiType.AL2023_X86_64_STANDARD, launchTemplate: { tags: { team: 'web' } } },
        ],
      }),
    )
    .addOns(
      new addons.VpcCniAddOn({ version: 'v1.21.1-eksbuild.5' }),
      new addons.CoreDnsAddOn('v1.13.1-eksbuild.1'),
      new addons.KubeProxyAddOn('v1.35.0-eksbuild.2'),
      new addons.AwsLoadBalancerControllerAddOn(),
    )
    .buildAsync(app, 'Blueprint');
  app.synth();
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

(asked ? describe : describe.skip)(`a blueprint of cdk-eks-blueprints${skippedNote(lack)}`, () => {
  let folder: string;
  let command: string;

  beforeAll(() => {
    command = builtCommand();
    folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-blueprints-'));
    const root = join(__dirname, '..', '..');
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
    const [tarball = ''] = readdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
    writeFileSync(join(folder, 'app.js'), APP);
    const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, ...PACKAGES, `./${tarball}`], { cwd: folder, stdio: 'pipe' });
  }, 600_000);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** The errors and warnings of the blueprint. */
  function said(mode: 'plain' | 'safe'): string[] {
    const outdir = join(folder, mode);
    const { status, stderr } = spawnSync(process.execPath, ['app.js', outdir, mode], { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    const checked = spawnSync(
      process.execPath,
      [command, 'check', outdir, '--as-of', '2026-10-01', '--format', 'json'],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const report = JSON.parse(checked.stdout) as {
      findings: { rule: string; severity: string; verdict: string; resource: { path: string } }[];
    };
    return report.findings
      .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
      .map(({ rule, resource }) => `${rule} ${resource.path}`)
      .sort();
  }

  it('becomes clean by one line', () => {
    expect(said('plain')).toEqual([
      'imds-hop-limit Blueprint/Blueprint/Nodegroupplain-ng/Resource',
      'imds-hop-limit Blueprint/Blueprint/templated-lt/Resource',
      'node-group-force-update Blueprint/Blueprint/Nodegroupplain-ng/Resource',
      'node-group-force-update Blueprint/Blueprint/Nodegrouptemplated-ng/Resource',
      'vpc-cni-resolve-conflicts Blueprint/vpc-cni-addOn',
    ]);
    expect(said('safe')).toEqual([]);
  }, 300_000);
});
