import { configurations } from './configurations';

const only = (files: Readonly<Record<string, string>> | string, address = 'aws_x.y') =>
  configurations(files).one(address);
const resource = (body: string) => `resource "aws_x" "y" {\n${body}\n}\n`;

describe('changes that a resource ignores', () => {
  it.each([
    ['[scaling_config[0].desired_size, tags]', ['scaling_config', 'tags']],
    ['[labels["a"], taint[*].key, block.name]', ['labels', 'taint', 'block']],
    ['["ami_type", "labels.%", 5, true]', ['ami_type', 'labels']],
    ['all', ['all']],
    ['[]', []],
  ])('are those of %s', (written, expected) => {
    expect(only(resource(`  lifecycle {\n    ignore_changes = ${written}\n  }`)).ignoredChanges).toEqual(expected);
  });

  it('are in no other block and no other argument', () => {
    const body =
      '  ignore_changes = [a]\n  other {\n    ignore_changes = [b]\n  }\n  lifecycle {\n    prevent_destroy = c\n  }';
    expect(only(resource(body)).ignoredChanges).toEqual([]);
  });
});

describe('what a resource waits for', () => {
  const waits = (dependsOn: string) => only(resource(`  depends_on = ${dependsOn}\n  other = [aws_o.o]`)).waitsFor;

  it.each([
    ['[aws_a.b, module.m]', ['aws_a.b', 'module.m']],
    ['[aws_a.b[0], module.m["x"], aws_a.c[*].id]', ['aws_a.b', 'module.m', 'aws_a.c']],
    ['[module.m.out, module.m["x"].out]', []],
    ['[aws_a, "aws_a.b"]', []],
    ['aws_a.b', []],
  ])('is what %s names', (written, expected) => {
    expect(waits(written)).toEqual(expected);
  });

  it('is in its module', () => {
    const read = only(
      { 'main.tf': 'module "m" {\n  source = "./m"\n}\n', 'm/main.tf': resource('  depends_on = [aws_a.b]') },
      'module.m.aws_x.y',
    );
    expect(read.waitsFor).toEqual(['module.m.aws_a.b']);
  });
});

describe('commands', () => {
  it('are run by what has a provisioner', () => {
    expect(only(resource('  provisioner "local-exec" {\n    command = "true"\n  }')).runsCommands).toBe(true);
    expect(only(resource('  connection {\n    host = "a"\n  }')).runsCommands).toBe(false);
  });
});

describe('what decides the version of a provider', () => {
  const requires = (aws: string) => `terraform {\n  required_providers {\n    aws = ${aws}\n  }\n}\n`;
  const lock = (address: string, version = '5.1.0', type = 'provider') =>
    `${type} "${address}" {\n  constraints = "~> 5.0"\n  version = "${version}"\n}\n`;
  const versions = (configuration: string, others: Readonly<Record<string, string>> = {}) =>
    only({ 'main.tf': `${configuration}${resource('')}`, ...others }).providerVersions;

  it.each([
    ['an object', requires('{\n  source = "hashicorp/aws"\n  version = "~> 5.0"\n}'), ['~> 5.0']],
    ['an object with quoted keys', requires('{\n  "source" = "hashicorp/aws"\n  "version" = "~> 5.0"\n}'), ['~> 5.0']],
    ['a text, as Terraform 0.12 has it', requires('"~> 3.0"'), ['~> 3.0']],
    ['the provider itself', 'provider "aws" {\n  version = "~> 2.0"\n}\n', ['~> 2.0']],
    ['both', `${requires('"~> 3.0"')}provider "aws" {\n  version = "~> 2.0"\n}\n`, ['~> 3.0', '~> 2.0']],
    ['nothing', requires('{\n  source = "hashicorp/aws"\n}'), []],
    ['a number', requires('{\n  version = 5\n}'), []],
    ['what another provider needs', requires('"~> 3.0"').replace('aws', 'awscc'), []],
    ['another block', requires('"~> 3.0"').replace('required_providers', 'provider_meta'), []],
    ['a block elsewhere', requires('"~> 3.0"').replace('terraform', 'locals'), []],
  ])('is %s', (_, configuration, expected) => {
    expect(versions(configuration)).toEqual(expected);
  });

  it('is the constraint of each module from its own to the root', () => {
    const files = {
      'main.tf': `${requires('"~> 5.1"')}module "m" {\n  source = "./m"\n}\n`,
      'm/main.tf': `${requires('{\n  version = ">= 5"\n}')}${resource('')}`,
    };
    expect(only(files, 'module.m.aws_x.y').providerVersions).toEqual(['>= 5', '~> 5.1']);
  });

  it.each([
    ['registry.terraform.io/hashicorp/aws', ['5.1.0']],
    ['hashicorp/aws', ['5.1.0']],
    ['registry.terraform.io/hashicorp/awscc', ['~> 5.0']],
    ['registry.terraform.io/other-hashicorp/aws', ['~> 5.0']],
  ])('is what the lock file has for %s', (address, expected) => {
    expect(versions(requires('"~> 5.0"'), { '.terraform.lock.hcl': lock(address) })).toEqual(expected);
  });

  it('is found in the lock file among others, by where the provider comes from', () => {
    const text = `${lock('registry.terraform.io/hashicorp/aws', '1', 'other')}${lock('r.io/hashicorp/http', '2')}${lock('r.io/hashicorp/aws', '3')}${lock('r.io/mine/aws', '4')}`;
    expect(versions('', { '.terraform.lock.hcl': text })).toEqual(['3']);
    expect(versions(requires('{\n  source = "Mine/AWS"\n}'), { '.terraform.lock.hcl': text })).toEqual(['4']);
  });

  it('is that of the provider that the resource names', () => {
    const other = requires('"~> 3.0"').replace('aws', 'mine');
    expect(only(`${other}${resource('  provider = mine.west')}`).providerVersions).toEqual(['~> 3.0']);
    expect(only(`${requires('"~> 3.0"')}${resource('  provider = aws.west')}`).providerVersions).toEqual(['~> 3.0']);
    expect(only(`${requires('"~> 3.0"')}${resource('  provider = mine.west')}`).providerVersions).toEqual([]);
  });
});

describe('files that an expression names', () => {
  it.each([
    ['file("/etc/name")', 'it is a file outside of the configuration, which is not read'],
    ['file("~/name")', 'it is a file outside of the configuration, which is not read'],
  ])('outside of the configuration are not read: %s', (expression, reason) => {
    const files = { 'main.tf': resource(`  value = ${expression}`), '/etc/name': 'secret', '~/name': 'secret' };
    expect(configurations(files).value('aws_x.y', 'value')).toMatchObject({ kind: 'unknown', reason });
  });

  it.each(['/etc', '~'])('are not looked for in %s', (folder) => {
    const files = {
      'main.tf': resource(`  value = fileset("${folder}", "*")`),
      '/etc/name': 'secret',
      '~/name': 'secret',
    };
    expect(configurations(files).value('aws_x.y', 'value').kind).toBe('unknown');
  });
});
