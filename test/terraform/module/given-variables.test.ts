import { variableFileNames } from '../../../lib/terraform/module/tfvars';
import { configurations, placeOf } from './configurations';

const HOP = 'variable "hop" {\n  default = 1\n}\nresource "aws_x" "y" {\n  value = var.hop\n}\n';
const SOPS = 'sops = { mac = "ENC[AES256_GCM,data:x]" }\n';

describe('a variable that the user of the run gives', () => {
  const read = (variables: Readonly<Record<string, unknown>>, files: Readonly<Record<string, string>> = {}) =>
    configurations({ 'main.tf': HOP, ...files }, { variables });

  it.each([
    [2, 2],
    ['2', '2'],
    ['${var.other}', '${var.other}'],
    [null, null],
    [
      ['a', { b: true }],
      ['a', { b: true }],
    ],
    [undefined, 1],
  ])('as %j is %j', (given, expected) => {
    expect(read({ hop: given }).show('aws_x.y', 'value')).toEqual(expected);
  });

  it('says where it is from, and stands where it is declared', () => {
    const given = read({ hop: 2 }, { 'terraform.tfvars': 'hop = 3\n' });
    expect(placeOf(given.value('aws_x.y', 'value'))).toBe('main.tf:5 value (variable hop, given in the configuration)');
    expect(given.show('aws_x.y', 'value')).toBe(2);
    expect(given.problems).toEqual([]);
  });

  it.each([
    [{ hip: 2 }, []],
    [{ hopp: 2 }, []],
    [
      { hpo: 2 },
      [
        'warning main.tf:1:1 the configuration gives a value to variable "hpo", which nothing declares; did you mean "hop"?',
      ],
    ],
    [{ other: 2 }, []],
    [
      { HOP: 2 },
      [
        'warning main.tf:1:1 the configuration gives a value to variable "HOP", which nothing declares; did you mean "hop"?',
      ],
    ],
    [{ HOP: 2, hop: 2 }, []],
  ])('may be misspelt: %j', (variables, problems) => {
    expect(read(variables).problems).toEqual(problems);
  });

  it('is misspelt only where no root module declares it', () => {
    const files = { 'a/main.tf': HOP, 'b/main.tf': HOP.replaceAll('hop', 'HOP') };
    expect(configurations(files, { variables: { HOP: 2 } }).problems).toEqual([]);
  });
});

describe('files that give values', () => {
  it('are those that Terraform reads by itself, in its order', () => {
    const names = [
      'z.auto.tfvars',
      'a.auto.tfvars.json',
      'terraform.tfvars.json',
      'terraform.tfvars',
      'b.tfvars',
      'x.auto.tfvars.txt',
      'xauto.tfvars',
    ];
    expect(variableFileNames(names)).toEqual([
      'terraform.tfvars',
      'terraform.tfvars.json',
      'a.auto.tfvars.json',
      'z.auto.tfvars',
    ]);
    expect(variableFileNames([])).toEqual([]);
  });

  it('may be encrypted, so that a variable may be anything that no other file says', () => {
    const shown = (files: Readonly<Record<string, string>>) => {
      const value = configurations({ 'main.tf': HOP, ...files }).value('aws_x.y', 'value');
      return value.kind === 'unknown' ? value.reason : value.kind === 'known' ? value.value : value.kind;
    };
    expect(shown({ 'a.auto.tfvars': SOPS })).toBe('a.auto.tfvars is encrypted');
    expect(shown({ 'a.auto.tfvars': `hop = 5\n${SOPS}` })).toBe('a.auto.tfvars is encrypted');
    expect(shown({ 'a.auto.tfvars': SOPS, 'b.auto.tfvars': 'hop = 2' })).toBe(2);
    expect(shown({ 'a.auto.tfvars': 'other = 2' })).toBe(1);
  });

  it('are said to give what nothing declares only where the user names them', () => {
    const roots = { 'a/main.tf': HOP, 'a/terraform.tfvars': 'hopp = 1\n' };
    expect(configurations(roots).problems).toEqual([]);
    expect(configurations(roots, { variableFiles: { 'x.tfvars.json': '{"hop": 1, "hopp": 2}' } }).problems).toEqual([
      'warning x.tfvars.json:1:12 it gives a value to variable "hopp", which no root module here declares',
    ]);
  });
});

describe('the modules that terraform init has installed', () => {
  const CALL = 'module "m" {\n  source = "example/m/aws"\n}\n';
  const read = (entry: unknown) =>
    configurations({
      'main.tf': CALL,
      '.terraform/modules/modules.json': JSON.stringify({ Modules: [entry] }),
      '.terraform/modules/m/main.tf': 'resource "aws_x" "y" {}\n',
      '/elsewhere/main.tf': 'resource "aws_x" "y" {}\n',
    }).addresses;
  const own = {
    Key: 'm',
    Source: 'registry.terraform.io/example/m/aws',
    Version: '1.0.0',
    Dir: '.terraform/modules/m',
  };

  it('are read from where its list says', () => {
    expect(read(own)).toContain('module.m.aws_x.y');
  });

  it.each([
    ['a text', 'm'],
    ['of no key', { ...own, Key: undefined }],
    ['of another key', { ...own, Key: 'n' }],
    ['of no folder', { ...own, Dir: undefined }],
    ['of a folder elsewhere', { ...own, Dir: '/elsewhere' }],
    ['of a folder above', { ...own, Dir: '.terraform/modules/x/../m' }],
    ['of another source', { ...own, Source: 'registry.terraform.io/example/n/aws' }],
    ['of no source', { ...own, Source: undefined }],
  ])('are not read by an entry that is %s', (_, entry) => {
    expect(read(entry)).not.toContain('module.m.aws_x.y');
  });
});
