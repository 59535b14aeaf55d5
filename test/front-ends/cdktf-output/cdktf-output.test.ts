import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TerraformStack } from 'cdktf';
import { Base64Text } from '../../../lib/value/composed-text';
import { readPaths } from '../../../lib/front-ends/paths';
import { sourceTextOf } from '../../../lib/eks/user-data/text-of-value';
import { isCdktfManifest, readCdktfOutput } from '../../../lib/front-ends/cdktf-output/read';
import { TerraformBlock } from '../../../lib/terraform/block';
import type { TerraformInstance } from '../../../lib/terraform/instance';
import { ConfigurationFolders, type ConfigurationsRead } from '../../../lib/front-ends/terraform/configuration-folders';
import type { FolderAccess } from '../../../lib/terraform/module/folder-access';
import type { TerraformValue } from '../../../lib/terraform/terraform-value';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import type { NodeGroup } from '../../../lib/eks';
import { kits, synthesize, temporaryFolder, twoStacks } from './cdktf-apps';
import { filesInMemory } from '../../terraform/module/configurations';
import { shown } from '../../terraform/plan/plans';

const disk: FolderAccess = {
  files: (folder) => (existsSync(folder) ? readdirSync(folder).sort() : undefined),
  read: (file) =>
    existsSync(file) ? { text: readFileSync(file, 'utf8') } : { problem: 'there is no such file or folder' },
};

function readFolder(folder: string, access = disk): ConfigurationsRead {
  const folders = new ConfigurationFolders(access);
  folders.addApp(folder, (path) => readCdktfOutput(path, access));
  return folders.read(undefined);
}

function instance(instances: readonly TerraformInstance[], address: string): TerraformInstance {
  const found = instances.find((one) => one.address === address);
  if (found === undefined) throw new Error(`no ${address} among ${instances.map((one) => one.address).join(', ')}`);
  return found;
}

describe.each(kits)('what %s writes', (library, kit) => {
  describe.each(['json', 'hcl'] as const)('as %s', (form) => {
    const output = synthesize(kit, twoStacks(kit), form);
    const { instances, diagnostics, inputs } = readFolder(output);

    test('is read without a complaint', () => {
      expect(diagnostics).toEqual([]);
      expect(inputs).toEqual([{ path: output, kind: 'cdktf-output', resources: 5 }]);
      expect(isCdktfManifest(readFileSync(join(output, 'manifest.json'), 'utf8'))).toBe(true);
    });

    test('has the instances of its stacks, with the paths of their constructs and the regions of their providers', () => {
      const told = instances
        .filter(({ mode }) => mode === 'managed')
        .map(({ stack, address, path, frontEnd, region }) => [
          stack,
          address.replace(/_[0-9A-F]{8}/, ''),
          path,
          frontEnd,
          region,
        ]);
      expect(told.toSorted()).toEqual([
        ['net', 'aws_eks_cluster.Area_Main', 'Prod/net/Area/Main', library, 'eu-west-1'],
        ['net', 'aws_launch_template.Area_Template', 'Prod/net/Area/Template', library, 'eu-west-1'],
        ['work', 'aws_eks_addon.Cni', 'work/Cni', library, 'eu-west-2'],
        ['work', 'aws_eks_node_group.Workers["blue"]', 'work/Workers', library, 'eu-west-1'],
        ['work', 'aws_eks_node_group.Workers["green"]', 'work/Workers', library, 'eu-west-1'],
      ]);
    });

    test('is linked across stacks', () => {
      const workers = instance(instances, 'aws_eks_node_group.Workers["green"]').attributes;
      expect([
        valueAt(workers, 'cluster_name'),
        valueAt(workers, 'node_group_name'),
        valueAt(workers, 'subnet_ids'),
      ]).toEqual(['main', 'green', ['subnet-1', 'subnet-2']]);
      expect(new TerraformBlock(workers).block('scaling_config').number('desired_size')).toMatchObject({
        kind: 'known',
        value: 2,
      });
      const id = new TerraformBlock(workers).block('launch_template').string('id');
      const { reference } = id.kind === 'unknown' ? id : failing();
      const { attribute, resource } = reference ?? failing();
      const target = resource as unknown as TerraformInstance;
      expect([attribute, target.type, target.stack]).toEqual(['id', 'aws_launch_template', 'net']);
    });

    test('gives the model nodes with their cluster and launch template', () => {
      const [group] = readInstances(instances).filter(
        (resource): resource is NodeGroup => resource.kind === 'node-group',
      );
      const { cluster, launchTemplate } = group ?? failing();
      const { target } = cluster.kind === 'known' ? cluster.value : failing();
      const { template } = launchTemplate.kind === 'known' ? launchTemplate.value : failing();
      expect([target?.path, template.target?.path]).toEqual(['Prod/net/Area/Main', 'Prod/net/Area/Template']);
    });

    test('has dynamic blocks expanded and user data decoded', () => {
      const { attributes } = instances.find(({ type }) => type === 'aws_launch_template') ?? failing();
      expect(valueAt(attributes, 'block_device_mappings')).toMatchObject([
        { device_name: '/dev/xvda' },
        { device_name: '/dev/xvdb' },
      ]);
      const data = new TerraformBlock(attributes).string('user_data');
      expect(data.kind === 'known' && Buffer.from(data.value, 'base64').toString()).toBe(
        "#!/bin/bash\necho 'the nodes'\n/etc/eks/bootstrap.sh main --use-max-pods false\n",
      );
    });

    test('points at the files of the stacks', () => {
      const { source } = instance(instances, 'aws_eks_addon.Cni');
      const { file, line } = source.locate();
      expect(file).toBe(join(output, 'stacks', 'work', form === 'json' ? 'cdk.tf.json' : 'cdk.tf'));
      expect(readFileSync(file, 'utf8').split('\n')[line - 1]).toMatch(
        form === 'json' ? /^\s*"Cni": \{$/ : /^resource "aws_eks_addon" "Cni" \{$/,
      );
    });
  });

  test.each([
    [
      's3',
      (stack: TerraformStack, name: string) =>
        new kit.core.S3Backend(stack, { bucket: 'states', key: `${name}.tfstate`, region: 'eu-west-1' }),
    ],
    [
      'HCP Terraform',
      (stack: TerraformStack, name: string) =>
        new kit.core.CloudBackend(stack, { organization: 'shop', workspaces: new kit.core.NamedCloudWorkspace(name) }),
    ],
    [
      'remote',
      (stack: TerraformStack, name: string) =>
        new kit.core.RemoteBackend(stack, { organization: 'shop', hostname: 'app.terraform.io', workspaces: { name } }),
    ],
  ])('links stacks whose states are kept in %s', (_kind, backend) => {
    const { instances, diagnostics } = readFolder(synthesize(kit, twoStacks(kit, backend)));
    expect(diagnostics).toEqual([]);
    expect(valueAt(instance(instances, 'aws_eks_addon.Cni').attributes, 'cluster_name')).toBe('main');
  });

  test('is an app without stacks too', () => {
    const output = synthesize(kit, () => undefined);
    expect(isCdktfManifest(readFileSync(join(output, 'manifest.json'), 'utf8'))).toBe(true);
    const { inputs, diagnostics, instances } = readFolder(output);
    expect([inputs, diagnostics, instances]).toEqual([[{ path: output, kind: 'cdktf-output', resources: 0 }], [], []]);
  });

  test('is read where only the app asked for HCL, and the file is JSON', () => {
    const output = synthesize(kit, twoStacks(kit));
    const file = join(output, 'stacks', 'net', 'cdk.tf.json');
    writeFileSync(file.replace('.json', ''), readFileSync(file));
    rmSync(file);
    const manifest = join(output, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('stacks/net/cdk.tf.json', 'stacks/net/cdk.tf'));
    const { inputs, diagnostics } = readFolder(output);
    expect([inputs, diagnostics]).toEqual([[{ path: output, kind: 'cdktf-output', resources: 5 }], []]);
  });
});

describe('a stack file alone', () => {
  test('is told as what it is', () => {
    const text = JSON.stringify({
      '//': { metadata: { stackName: 'dev', version: '0.21.0' } },
      resource: { aws_eks_cluster: { Main: { name: 'main', '//': { metadata: { path: 'dev/Main' } } } } },
    });
    const folders = new ConfigurationFolders(filesInMemory({ 'out/cdk.tf.json': text, 'other/cdk.tf.json': text }));
    folders.addFile('out/cdk.tf.json');
    folders.addFolder('other', true);
    const { instances, inputs } = folders.read(undefined);
    expect(inputs.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual([
      'terraform-configuration other',
      'terraform-configuration out/cdk.tf.json',
    ]);
    expect(instances.map(({ stack, frontEnd, path }) => [stack, frontEnd, path])).toEqual([
      ['dev', 'cdktf', 'dev/Main'],
      ['dev', 'cdktf', 'dev/Main'],
    ]);
  });
});

describe('what is wrong with an output', () => {
  const stack = (name: string, path = `stacks/${name}/cdk.tf.json`) => ({
    name,
    constructPath: name,
    synthesizedStackPath: path,
    workingDirectory: `stacks/${name}`,
    annotations: [],
    dependencies: [],
  });
  const manifest = (...stacks: readonly unknown[]) =>
    JSON.stringify(
      { version: '0.21.0', stacks: Object.fromEntries(stacks.map((one, index) => [`s${index}`, one])) },
      null,
      2,
    );
  const problems = (files: Record<string, string>): string[] =>
    readCdktfOutput('out', filesInMemory(files)).diagnostics.map(
      ({ severity, file, line, message }) => `${severity} ${file}:${line} ${message}`,
    );

  test('is told with its place', () => {
    expect(problems({})).toEqual(['error out/manifest.json:1 there is no such file or folder']);
    expect(problems({ 'out/manifest.json': '{\n"stacks": {' })).toEqual([
      expect.stringMatching(/^error out\/manifest.json:2 the text ends here/),
    ]);
    expect(problems({ 'out/manifest.json': '{"version": "1"}' })).toEqual([expect.stringMatching(/lists no stacks/)]);
    expect(problems({ 'out/manifest.json': manifest(stack('a')) })).toEqual([
      'error out/stacks/a/cdk.tf.json:1 there is no such file or folder',
    ]);
    expect(
      problems({
        'out/manifest.json': manifest(stack('a', '../../secrets.json'), stack('b', '/etc/passwd'), { name: 'c' }, null),
      }),
    ).toEqual([
      expect.stringMatching(/^error out\/manifest.json:7 the file of stack a stands outside/),
      expect.stringMatching(/^error out\/manifest.json:15 the file of stack b stands outside/),
      expect.stringMatching(/^error out\/manifest.json:20 stack c names no file/),
      expect.stringMatching(/^error out\/manifest.json:23 stack s3 names no file/),
    ]);
  });

  test('keeps no other stack from being read', () => {
    const { roots } = readCdktfOutput(
      'out',
      filesInMemory({ 'out/manifest.json': manifest(stack('a'), stack('b')), 'out/stacks/b/cdk.tf.json': '{' }),
    );
    expect(roots.map(({ stack: name, files }) => [name, files[0]?.diagnostics.length])).toEqual([['b', 1]]);
  });
});

describe('variables of a stack', () => {
  const stackFile = JSON.stringify({
    variable: { a: { default: 'none' }, b: { default: 'none' } },
    resource: { aws_eks_cluster: { c: { name: '${var.a}', version: '${var.b}' } } },
  });
  const files = {
    'cdktf.out/manifest.json': JSON.stringify({
      version: '0.21.0',
      stacks: { s: { name: 's', synthesizedStackPath: 'stacks/s/cdk.tf.json', workingDirectory: 'stacks/s' } },
    }),
    'cdktf.out/stacks/s/cdk.tf.json': stackFile,
    'cdktf.out/stacks/s/terraform.tfvars': 'a = "of the stack"\nb = "of the stack"\n',
    'some.auto.tfvars.json': '{"b": "of the project", "other": 1}',
  };
  const values = (all: Record<string, string>): unknown[] => {
    const access = filesInMemory(all);
    const folders = new ConfigurationFolders(access);
    folders.addApp('cdktf.out', (path) => readCdktfOutput(path, access));
    const { instances, diagnostics } = folders.read(undefined);
    expect(diagnostics).toEqual([]);
    const { attributes } = instances[0] ?? failing();
    return [valueAt(attributes, 'name'), valueAt(attributes, 'version')];
  };

  test('are given by files beside it, and by those of the project', () => {
    expect(values({ ...files, 'cdktf.json': '{}' })).toEqual(['of the stack', 'of the project']);
    expect(values(files)).toEqual(['of the stack', 'of the stack']);
  });
});

describe('the paths that a user names', () => {
  const output = synthesize(kits[0]?.[1] ?? failing(), twoStacks(kits[0]?.[1] ?? failing()));
  const kinds = (path: string) =>
    readPaths([path]).inputs.map(({ kind, path: of, resources }) => [kind, relative(output, of), resources]);

  test('may be the folder, one above it, its manifest, or the file of one stack', () => {
    expect(kinds(output)).toEqual([['cdktf-output', '', 5]]);
    expect(kinds(join(output, '..'))).toEqual([['cdktf-output', '', 5]]);
    expect(kinds(join(output, 'manifest.json'))).toEqual([['cdktf-output', '', 5]]);
    expect(kinds(join(output, 'stacks', 'work', 'cdk.tf.json'))).toEqual([
      ['terraform-configuration', join('stacks', 'work', 'cdk.tf.json'), 3],
    ]);
    expect(kinds(join(output, 'stacks'))).toEqual([
      ['terraform-configuration', join('stacks', 'net'), 2],
      ['terraform-configuration', join('stacks', 'work'), 3],
    ]);
  });

  test('lead to the same resources, also without the manifest', () => {
    const clusterOf = (path: string) => {
      const [group] = readPaths([path]).resources.filter(
        (resource): resource is NodeGroup => resource.kind === 'node-group',
      );
      const { cluster } = group ?? failing();
      return cluster.kind === 'known' && cluster.value.target?.path;
    };
    expect([clusterOf(output), clusterOf(join(output, 'stacks'))]).toEqual([
      'Prod/net/Area/Main',
      'Prod/net/Area/Main',
    ]);
  });

  test('may hold a manifest that is broken', () => {
    const folder = join(temporaryFolder(), 'cdktf.out');
    mkdirSync(folder);
    writeFileSync(join(folder, 'manifest.json'), '{"stacks": ');
    expect(readPaths([folder]).diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      expect.stringMatching(/^error the text ends/),
    ]);
  });
});

describe('texts of files beside a stack', () => {
  test('are read from its assets', () => {
    const kit = kits[0]?.[1] ?? failing();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'nodes.sh'), '#!/bin/bash\n/etc/eks/bootstrap.sh ${cluster}\n');
    const output = synthesize(kit, (app) => {
      const { core } = kit;
      const stack = new core.TerraformStack(app, 'Nodes');
      new kit.AwsProvider(stack, 'aws', { region: 'eu-west-1' });
      const asset = new core.TerraformAsset(stack, 'Script', {
        path: join(folder, 'nodes.sh'),
        type: core.AssetType.FILE,
      });
      const name = new core.TerraformVariable(stack, 'cluster', { type: 'string', default: 'main' });
      new kit.LaunchTemplate(stack, 'Template', {
        userData: core.Fn.base64encode(
          core.Token.asString(core.Fn.templatefile(asset.path, { cluster: name.stringValue })),
        ),
      });
    });
    const { instances, diagnostics } = readFolder(output);
    expect(diagnostics).toEqual([]);
    const data = new TerraformBlock((instances[0] ?? failing()).attributes).string('user_data');
    expect(data.kind === 'known' && Buffer.from(data.value, 'base64').toString()).toBe(
      '#!/bin/bash\n/etc/eks/bootstrap.sh main\n',
    );
    const text = data instanceof Base64Text ? sourceTextOf(data.decoded) : failing();
    const { file, line, column } = text.sourceAt(text.text.indexOf('/etc')).locate();
    expect([relative(output, file).replaceAll(/[0-9A-F]{8,}/g, 'x'), line, column]).toEqual([
      join('stacks', 'Nodes', 'assets', 'Script', 'x', 'nodes.sh'),
      2,
      1,
    ]);
  });
});

describe('stacks of the same name', () => {
  test('are those of their own app', () => {
    const net = (cluster: string) =>
      JSON.stringify({
        resource: { aws_eks_cluster: { c: { name: cluster } } },
        output: { 'cross-stack-output-n': { value: '${aws_eks_cluster.c.name}' } },
      });
    const work = JSON.stringify({
      data: {
        terraform_remote_state: {
          'cross-stack-reference-input-net': { backend: 'local', config: { path: '/home/me/terraform.net.tfstate' } },
        },
      },
      resource: {
        aws_eks_addon: {
          a: {
            cluster_name: '${data.terraform_remote_state.cross-stack-reference-input-net.outputs.cross-stack-output-n}',
          },
        },
      },
    });
    const manifest = JSON.stringify({
      version: '0.21.0',
      stacks: Object.fromEntries(
        ['net', 'work'].map((name) => [
          name,
          { name, constructPath: name, synthesizedStackPath: `${name}/cdk.tf.json` },
        ]),
      ),
    });
    const files = Object.fromEntries(
      ['one', 'two'].flatMap((app) => [
        [`${app}/manifest.json`, manifest],
        [`${app}/net/cdk.tf.json`, net(app)],
        [`${app}/work/cdk.tf.json`, work],
      ]),
    );
    const access = filesInMemory(files);
    const folders = new ConfigurationFolders(access);
    for (const app of ['one', 'two']) folders.addApp(app, (path) => readCdktfOutput(path, access));
    const { instances } = folders.read(undefined);
    expect(
      instances
        .filter(({ type }) => type === 'aws_eks_addon')
        .map(({ attributes }) => valueAt(attributes, 'cluster_name')),
    ).toEqual(['one', 'two']);
  });
});

/** An attribute, as plain data. */
function valueAt(attributes: TerraformValue, name: string): unknown {
  return shown(new TerraformBlock(attributes).item(name));
}

function failing(): never {
  throw new Error('not found');
}
