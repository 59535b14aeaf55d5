import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as cdktf from 'cdktf';
import * as cdktn from 'cdktn';
import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { EksAddon as EksAddonN } from '@cdktn/provider-aws/lib/eks-addon';
import { EksCluster as EksClusterN } from '@cdktn/provider-aws/lib/eks-cluster';
import { EksNodeGroup as EksNodeGroupN } from '@cdktn/provider-aws/lib/eks-node-group';
import { LaunchTemplate as LaunchTemplateN } from '@cdktn/provider-aws/lib/launch-template';
import { AwsProvider as AwsProviderN } from '@cdktn/provider-aws/lib/provider';
import { Construct } from 'constructs';

/** What an app is made of, from one of the two packages. */
export interface Kit {
  readonly core: typeof cdktf;
  readonly AwsProvider: typeof AwsProvider;
  readonly EksCluster: typeof EksCluster;
  readonly EksNodeGroup: typeof EksNodeGroup;
  readonly EksAddon: typeof EksAddon;
  readonly LaunchTemplate: typeof LaunchTemplate;
}

/** CDK Terrain has the same classes by other names, which no type knows. */
export const kits: readonly (readonly [string, Kit])[] = [
  ['cdktf', { core: cdktf, AwsProvider, EksCluster, EksNodeGroup, EksAddon, LaunchTemplate }],
  [
    'cdktn',
    {
      core: cdktn,
      AwsProvider: AwsProviderN,
      EksCluster: EksClusterN,
      EksNodeGroup: EksNodeGroupN,
      EksAddon: EksAddonN,
      LaunchTemplate: LaunchTemplateN,
    } as unknown as Kit,
  ],
];

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-cdktf-'));
  folders.push(folder);
  return folder;
}

/** Synthesizes an app; the folder of its output. */
export function synthesize({ core }: Kit, build: (app: cdktf.App) => void, form: 'json' | 'hcl' = 'json'): string {
  const outdir = join(temporaryFolder(), 'cdktf.out');
  const before = process.env['SYNTH_HCL_OUTPUT'];
  const warn = jest.spyOn(console, 'error').mockImplementation();
  try {
    process.env['SYNTH_HCL_OUTPUT'] = String(form === 'hcl');
    const app = new core.App({ outdir });
    build(app);
    app.synth();
  } finally {
    warn.mockRestore();
    if (before === undefined) delete process.env['SYNTH_HCL_OUTPUT'];
    else process.env['SYNTH_HCL_OUTPUT'] = before;
  }
  return outdir;
}

/**
 * A cluster and its launch templates in the stack `net` of the construct `Prod`, nodes and an add-on that stand on them in the stack `work`.
 * @param backend gives a stack a place for its state; without it that is a file
 */
export function twoStacks(
  kit: Kit,
  backend: (stack: cdktf.TerraformStack, name: string) => void = () => undefined,
): (app: cdktf.App) => void {
  const { core } = kit;
  return (app) => {
    const net = new core.TerraformStack(new Construct(app, 'Prod'), 'net');
    backend(net, 'net');
    new kit.AwsProvider(net, 'aws', { region: 'eu-west-1' });
    const area = new Construct(net, 'Area');
    const cluster = new kit.EksCluster(area, 'Main', {
      name: 'main',
      roleArn: 'arn:aws:iam::111122223333:role/cluster',
      version: '1.33',
      vpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
    });
    const disks = core.TerraformIterator.fromList(['/dev/xvda', '/dev/xvdb']);
    const script = [
      '#!/bin/bash',
      "echo 'the nodes'",
      `/etc/eks/bootstrap.sh ${cluster.name} --use-max-pods false`,
      '',
    ].join('\n');
    const template = new kit.LaunchTemplate(area, 'Template', {
      imageId: 'ami-0123456789abcdef0',
      metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
      blockDeviceMappings: disks.dynamic({ device_name: core.Token.asString(disks.value), ebs: { volume_size: 20 } }),
      userData: core.Fn.base64encode(script),
    });
    const work = new core.TerraformStack(app, 'work');
    backend(work, 'work');
    new kit.AwsProvider(work, 'aws', { region: 'eu-west-1' });
    const west = new kit.AwsProvider(work, 'west', { region: 'eu-west-2', alias: 'west' });
    const groups = core.TerraformIterator.fromMap({ blue: { size: 1 }, green: { size: 2 } });
    new kit.EksNodeGroup(work, 'Workers', {
      forEach: groups,
      nodeGroupName: groups.key,
      clusterName: cluster.name,
      nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
      subnetIds: cluster.vpcConfig.subnetIds,
      scalingConfig: { minSize: 1, maxSize: 3, desiredSize: groups.getNumber('size') },
      launchTemplate: { id: template.id, version: core.Token.asString(template.latestVersion) },
      lifecycle: { ignoreChanges: ['scaling_config[0].desired_size'] },
    });
    new kit.EksAddon(work, 'Cni', {
      provider: west,
      clusterName: cluster.name,
      addonName: 'vpc-cni',
      configurationValues: core.Fn.jsonencode({ env: { ENABLE_PREFIX_DELEGATION: 'true' } }),
      dependsOn: [cluster],
    });
  };
}
