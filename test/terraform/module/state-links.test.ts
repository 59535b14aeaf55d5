import { configurations } from './configurations';

const output =
  'resource "aws_eks_cluster" "main" { name = "main" }\noutput "name" { value = aws_eks_cluster.main.name }\n';

/** A folder that reads the state of another, and what it finds. */
function reads(backend: string, data: string, others: Readonly<Record<string, string>> = {}): unknown {
  return configurations({
    'live/net/main.tf': `${backend}\n${output}`,
    'live/nodes/main.tf': `data "terraform_remote_state" "net" {\n${data}\n}\nresource "aws_eks_addon" "cni" { cluster_name = data.terraform_remote_state.net.outputs.name }\n`,
    ...others,
  }).show('aws_eks_addon.cni', 'cluster_name');
}

const unknown = expect.stringMatching(/^\?/) as unknown;
const s3 = (key: string, more = '') =>
  `terraform {\n  backend "s3" {\n    bucket = "states"\n    key = "${key}"\n    ${more}\n  }\n}`;
const asked = (key: string, more = '') =>
  `backend = "s3"\nconfig = {\n  bucket = "states"\n  key = "${key}"\n}\n${more}`;

describe('a state that another folder of the run makes', () => {
  test('is found by where it is kept', () => {
    expect(reads(s3('net'), asked('net'))).toBe('main');
    expect(reads(s3('net', 'region = "eu-west-1"'), asked('net', 'workspace = "default"'))).toBe('main');
    expect(
      reads(
        'terraform {\n  backend "gcs" {\n    bucket = "b"\n    prefix = "p"\n  }\n}',
        'backend = "gcs"\nconfig = { bucket = "b", prefix = "p" }',
      ),
    ).toBe('main');
    const azure = 'storage_account_name = "a"\ncontainer_name = "c"\nkey = "k"';
    expect(
      reads(`terraform {\n  backend "azurerm" {\n${azure}\n}\n}`, `backend = "azurerm"\nconfig = {\n${azure}\n}`),
    ).toBe('main');
  });

  test.each([
    ['oss', { bucket: 'b', prefix: 'p', key: 'k' }],
    ['cos', { bucket: 'b', prefix: 'p', key: 'k' }],
    ['http', { address: 'https://states.example/net' }],
    ['consul', { address: 'consul.example', path: 'net' }],
    ['gcs', { bucket: 'b', prefix: 'p' }],
    ['azurerm', { storage_account_name: 'a', container_name: 'c', key: 'k' }],
  ])('is found in %s, if all says so', (type, place) => {
    const written = (values: Readonly<Record<string, string>>) =>
      Object.entries(values)
        .map(([key, value]) => `    ${key} = "${value}"\n`)
        .join('');
    const found = (values: Readonly<Record<string, string>>) =>
      reads(
        `terraform {\n  backend "${type}" {\n${written(values)}  }\n}`,
        `  backend = "${type}"\n  config = {\n${written(place)}  }`,
      );
    expect(found(place)).toBe('main');
    for (const key of Object.keys(place)) expect(found({ ...place, [key]: 'other' })).toEqual(unknown);
  });

  test('is found in HCP Terraform', () => {
    const data = 'backend = "remote"\nconfig = {\n  organization = "shop"\n  workspaces = { name = "net" }\n}';
    expect(
      reads(
        'terraform {\n  cloud {\n    organization = "shop"\n    workspaces {\n      name = "net"\n    }\n  }\n}',
        data,
      ),
    ).toBe('main');
    expect(
      reads(
        'terraform {\n  backend "remote" {\n    organization = "shop"\n    workspaces { name = "net" }\n  }\n}',
        data,
      ),
    ).toBe('main');
    expect(
      reads('terraform {\n  cloud {\n    organization = "shop"\n    workspaces { tags = ["net"] }\n  }\n}', data),
    ).toEqual(unknown);
  });

  test.each([
    ['an object', (workspaces: object) => workspaces],
    ['an object in a list', (workspaces: object) => [workspaces]],
  ])('is found in HCP Terraform, where JSON says so in %s', (_, written) => {
    const found = (name: string) => {
      const backend = { organization: 'shop', workspaces: written({ name }) };
      return reads('', 'backend = "remote"\nconfig = {\n  organization = "shop"\n  workspaces = { name = "net" }\n}', {
        'live/net/backend.tf.json': JSON.stringify({ terraform: { backend: { remote: backend } } }),
      });
    };
    expect(found('net')).toBe('main');
    expect(found('other')).toEqual(unknown);
  });

  test('is found in a file', () => {
    const local = (path: string) => `backend = "local"\nconfig = { path = "${path}" }`;
    expect(reads('', local('../net/terraform.tfstate'))).toBe('main');
    expect(
      reads('terraform {\n  backend "local" { path = "../states/net.tfstate" }\n}', local('../states/net.tfstate')),
    ).toBe('main');
    expect(reads('terraform {\n  backend "local" {}\n}', local('../net/terraform.tfstate'))).toBe('main');
    expect(reads(s3('net'), local('../net/terraform.tfstate'))).toEqual(unknown);
    expect(
      reads(
        'terraform {\n  backend "local" { path = var.path }\n}\nvariable "path" { default = "x" }',
        local('../net/terraform.tfstate'),
      ),
    ).toEqual(unknown);
    expect(reads('', local('../other/terraform.tfstate'))).toEqual(unknown);
    expect(reads('terraform {\n  backend "local" { path = "/states/a" }\n}', local('/states/a'))).toBe('main');
    expect(reads('terraform {\n  backend "local" { path = "states/a" }\n}', local('states/a'))).toEqual(unknown);
    expect(reads('terraform {\n  backend "local" { path = "" }\n}', 'backend = "local"')).toEqual(unknown);
  });
});

describe('a state that only might be that of another folder', () => {
  test('is not taken for it', () => {
    expect(reads(s3('other'), asked('net'))).toEqual(unknown);
    expect(reads(s3('net'), asked('net', 'workspace = "prod"'))).toEqual(unknown);
    expect(reads('terraform {\n  backend "s3" {}\n}', asked('net'))).toEqual(unknown);
    expect(reads(s3('net'), 'backend = "gcs"\nconfig = { bucket = "states", key = "net", prefix = "net" }')).toEqual(
      unknown,
    );
    expect(reads(s3('net'), 'backend = "s3"')).toEqual(unknown);
    // Neither says which.
    expect(reads('terraform {\n  backend "s3" {}\n}', 'backend = "s3"\nconfig = {}')).toEqual(unknown);
    expect(reads('terraform {\n  backend "other" {}\n}', 'backend = "other"\nconfig = {}')).toEqual(unknown);
    expect(reads(s3('net'), asked('net').replace('backend = "s3"', 'backend = var.kind'))).toEqual(unknown);
    expect(reads(s3('net').replace('"net"', '7'), asked('7'))).toEqual(unknown);
    expect(reads(s3('net').replace('backend "s3"', 'backend "s3" "x"'), asked('net'))).toBe('main');
    expect(reads(s3('net').replace('backend "s3"', 'backend'), asked('net'))).toEqual(unknown);
    expect(reads(s3('net').replace('terraform', 'locals'), asked('net'))).toEqual(unknown);
  });

  test('nor is one that two folders keep in the same place', () => {
    expect(reads(s3('net'), asked('net'), { 'live/copy/main.tf': `${s3('net')}\n${output}` })).toEqual(unknown);
  });

  test('nor by the name that CDKTF would give it', () => {
    const files = {
      'net/main.tf': output,
      'nodes/main.tf':
        'data "terraform_remote_state" "cross-stack-reference-input-net" {\n  backend = "s3"\n}\nresource "aws_eks_addon" "cni" { cluster_name = data.terraform_remote_state.cross-stack-reference-input-net.outputs.name }\n',
    };
    expect(configurations(files).show('aws_eks_addon.cni', 'cluster_name')).toEqual(unknown);
  });
});
