import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readPaths } from '../../lib/front-ends/paths';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paths-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const TEMPLATE = 'Resources:\n  Cni: {Type: AWS::EKS::Addon}\n';

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** What was read, by path below the root, and what was complained about. */
function read(...names: string[]) {
  const result = readPaths(names.map((name) => join(root, name)));
  const short = (path: string) => relative(root, path) || '.';
  return {
    inputs: result.inputs.map(({ path, resources }) => `${short(path)} ${resources}`),
    problems: result.diagnostics.map(
      ({ file, line, column, message }) => `${short(file)} ${line}:${column} ${message}`,
    ),
  };
}

describe('a file', () => {
  it('is read whatever its name is', () => {
    write({ 'a.txt': TEMPLATE, 'b.json': '{"Resources": {"A": {"Type": "T"}, "B": {"Type": "T"}}}' });
    expect(read('a.txt', 'b.json')).toEqual({ inputs: ['a.txt 1', 'b.json 2'], problems: [] });
  });

  it.each([
    ['that is no template', 'a: b', '1:1 there are no Resources, so this is no CloudFormation template'],
    [
      'that lacks half of the head of a manifest',
      'kind: ConfigMap',
      '1:1 there are no Resources, so this is no CloudFormation template, and beside `kind` no `apiVersion`, so it is no manifest of Kubernetes',
    ],
    ['that is empty', '', '1:1 the file is empty'],
    ['that is binary', 'a\0b', '1:2 the file is binary, not JSON or YAML'],
    ['that is cut off', '{"Resources": {', '1:16 the text ends here, but the "{" of line 1 is not closed'],
  ])('%s is an error when it is named', (_, text, problem) => {
    write({ 'a.yaml': text });
    expect(read('a.yaml').problems).toEqual([`a.yaml ${problem}`]);
  });

  it('that is not there is an error, and the others are read', () => {
    write({ 'a.yaml': TEMPLATE });
    expect(read('gone.yaml', 'a.yaml', 'gone/too')).toEqual({
      inputs: ['a.yaml 1'],
      problems: ['gone.yaml 1:1 there is no such file or folder', 'gone/too 1:1 there is no such file or folder'],
    });
  });

  it('named twice, or by a link, is read once', () => {
    write({ 'a.yaml': TEMPLATE });
    symlinkSync(join(root, 'a.yaml'), join(root, 'b.yaml'));
    expect(read('a.yaml', 'a.yaml', 'b.yaml', '.').inputs).toEqual(['a.yaml 1']);
  });

  // Root may read everything.
  (process.getuid?.() === 0 ? it.failing : it)('that may not be read is an error', () => {
    write({ 'a.yaml': TEMPLATE });
    chmodSync(join(root, 'a.yaml'), 0o000);
    expect(read('a.yaml').problems).toEqual(['a.yaml 1:1 permission to read it is denied']);
  });
});

describe('a folder', () => {
  it('gives its templates and passes over everything else', () => {
    write({
      'deep/er/a.yaml': TEMPLATE,
      'b.json': '{"Resources": {"A": {"Type": "T"}}}',
      'c.template': TEMPLATE,
      'd.yml': TEMPLATE,
      'package.json': '{"name": "x"}',
      'other.json': '{"nested": {"Resources": []}}',
      'values.yaml': 'replicas: 1',
      'chart.yaml': 'key: {{ .Values.broken }}\n  Resources: x',
      'notes.txt': TEMPLATE,
      'node_modules/x/a.yaml': TEMPLATE,
      '.git/a.yaml': TEMPLATE,
    });
    expect(read('.')).toEqual({ inputs: ['b.json 1', 'c.template 1', 'd.yml 1', 'deep/er/a.yaml 1'], problems: [] });
  });

  it('tells of files that it could make nothing of, without failing for them', () => {
    write({ 'a.yaml': TEMPLATE, 'binary.json': '\0\x01', 'empty.yaml': ' \n', 'list.json': '{"Resources": ["a"]}' });
    const { diagnostics, inputs } = readPaths([root]);
    expect(inputs).toHaveLength(1);
    expect(diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', 'not checked: the file is binary, not JSON or YAML'],
      ['warning', 'not checked: the file is empty'],
      ['warning', 'not checked: Resources is no map, so this is no CloudFormation template'],
    ]);
  });

  it('tells of a template whose resources are a list', () => {
    write({ 'a.yaml': TEMPLATE, 'list.json': '{"AWSTemplateFormatVersion": "2010-09-09", "Resources": ["a"]}' });
    expect(read('.').problems).toEqual(['list.json 1:44 Resources is a list where a map belongs']);
  });

  it('tells of a template that can not be read', () => {
    write({ 'a.json': '{"Resources": {', 'b.yaml': TEMPLATE });
    expect(read('.')).toEqual({
      inputs: ['b.yaml 1'],
      problems: ['a.json 1:16 the text ends here, but the "{" of line 1 is not closed'],
    });
  });

  it('without any template is an error', () => {
    write({ 'a.json': '{}' });
    expect(read('.')).toEqual({
      inputs: [],
      problems: [
        '. 1:1 the folder holds no CloudFormation template, no CDK assembly, no Terraform plan, no Terraform configuration, no Pulumi preview, no eksctl ClusterConfig, no answer about a cluster that runs and no Kubernetes manifest',
      ],
    });
  });

  it('that contains itself by a link has an end', () => {
    write({ 'a/b.yaml': TEMPLATE });
    symlinkSync(root, join(root, 'a', 'up'));
    symlinkSync(join(root, 'nowhere'), join(root, 'a', 'dangling.yaml'));
    symlinkSync('editor.1234', join(root, 'a', '.#b.yaml'));
    expect(read('.')).toEqual({
      inputs: ['a/b.yaml 1'],
      problems: ['a/dangling.yaml 1:1 not checked: it is a symbolic link to something that is not there'],
    });
  });

  it('with broken links is told of them by that name', () => {
    write({ 'a/main.tf': 'module "m" {\n  source = "./m"\n}\n' });
    symlinkSync(join(root, 'nowhere'), join(root, 'a', 'more.tf'));
    symlinkSync(join(root, 'nowhere'), join(root, 'a', 'x.auto.tfvars'));
    symlinkSync(join(root, 'nowhere'), join(root, 'a', 'm'));
    const broken = 'is a symbolic link to something that is not there';
    expect(read('a').problems.sort()).toEqual([
      `a/main.tf 1:1 module m: it ${broken}`,
      `a/more.tf 1:1 it ${broken}`,
      `a/x.auto.tfvars 1:1 it ${broken}`,
    ]);
    expect(read('a/m/main.tf').problems).toEqual([`a/m/main.tf 1:1 ${join(root, 'a', 'm')} ${broken}`]);
  });

  it('with a link to itself alone is told', () => {
    symlinkSync(join(root, 'loop'), join(root, 'loop'));
    expect(read('loop').problems).toEqual(['loop 1:1 its symbolic links form a loop']);
  });
});

describe('a pattern', () => {
  it('tells of matches that lead nowhere, and reads the others', () => {
    write({ 'a/b.yaml': TEMPLATE, 'a/c[1].yaml': TEMPLATE });
    symlinkSync('self', join(root, 'a', 'self'));
    symlinkSync('nowhere', join(root, 'a', 'gone[1].yaml'));
    expect(read('a/*')).toEqual({
      inputs: ['a/b.yaml 1', 'a/c[1].yaml 1'],
      problems: [
        'a/gone[1].yaml 1:1 it is a symbolic link to something that is not there',
        'a/self 1:1 its symbolic links form a loop',
      ],
    });
  });

  it('tells of folders that it may not look into, each once', () => {
    write({ 'a/b.yaml': TEMPLATE, 'a/secret/c.yaml': TEMPLATE });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'a/secret'), 0o000);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      for (const pattern of ['a/**/*.yaml', 'a/**'])
        expect(read(pattern)).toEqual({
          inputs: ['a/b.yaml 1'],
          problems: ['a/secret 1:1 permission to read it is denied'],
        });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it.each([
    ['a/x{1..3}.yaml', 'there is no such file or folder; patterns have *, **, ?, [a-z] and {a,b}, and nothing else'],
    [
      'a/?(x)*.yaml',
      'the pattern matches no file and no folder; patterns have *, **, ?, [a-z] and {a,b}, and nothing else',
    ],
    ['{a,b}'.repeat(9), 'the braces of the pattern stand for too many paths'],
  ])('%s is told', (pattern, problem) => {
    write({ 'a/other.txt': '' });
    expect(read(pattern).problems).toEqual([`${pattern} 1:1 ${problem}`]);
  });
});

describe('an assembly', () => {
  const files = {
    'cdk.out/cdk.out': '{"version":"55.0.0"}',
    'cdk.out/manifest.json': JSON.stringify({
      version: '55.0.0',
      artifacts: { A: { type: 'aws:cloudformation:stack', properties: { templateFile: 'A.template.json' } } },
    }),
    'cdk.out/A.template.json': '{"Resources": {"A": {"Type": "T"}}}',
    'cdk.out/stray.template.json': '{"Resources": {"B": {"Type": "T"}}}',
    'src/b.yaml': TEMPLATE,
  };

  const STRAY = expect.stringMatching(
    /^cdk\.out\/manifest\.json 1:1 not in the manifest of this assembly, so checked on its own: stray\.template\.json; /,
  ) as string;

  it('is read by its manifest when that is named', () => {
    write(files);
    expect(read('cdk.out/manifest.json')).toEqual({ inputs: ['cdk.out 1'], problems: [] });
  });

  it('is read by its manifest when it is named, and what else is in it as anywhere', () => {
    write(files);
    expect(read('cdk.out')).toEqual({ inputs: ['cdk.out 1', 'cdk.out/stray.template.json 1'], problems: [STRAY] });
  });

  it('is found within a folder, and its templates are read once', () => {
    write(files);
    expect(read('.', 'cdk.out')).toEqual({
      inputs: ['cdk.out 1', 'cdk.out/stray.template.json 1', 'src/b.yaml 1'],
      problems: [STRAY],
    });
  });
});

describe('a template that another one of the input nests', () => {
  const OUTER = 'Resources:\n  Inner: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./b.yaml}}\n';

  it.each([[['.']], [['a.yaml', 'b.yaml']], [['b.yaml', 'a.yaml']]])('is read once from %j', (names) => {
    write({ 'a.yaml': OUTER, 'b.yaml': TEMPLATE });
    const { inputs, problems } = read(...names);
    expect([[...inputs].sort(), problems]).toEqual([['a.yaml 1', 'b.yaml 1'], []]);
  });
});

describe('plans of Terraform', () => {
  const resource = '{"address": "aws_vpc.a", "mode": "managed", "type": "aws_vpc", "name": "a"';
  const plan = `{"format_version": "1.2", "planned_values": {}, "configuration": {"root_module": {}}, "resource_changes": [${resource}, "change": {"actions": ["create"], "after": {}}}]}`;
  const state = `{"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {"resources": [${resource}, "values": {}}]}}}`;

  it('are read by name, in folders, and next to templates', () => {
    write({ 'a.yaml': TEMPLATE, 'plans/one.json': plan, 'plans/two.json': `\n ${plan}`, 'plan.txt': plan });
    expect(read('a.yaml', 'plans', 'plan.txt')).toEqual({
      inputs: ['a.yaml 1', 'plans/one.json 1', 'plans/two.json 1', 'plan.txt 1'],
      problems: [],
    });
    expect(readPaths([join(root, 'plans')]).inputs).toMatchObject([
      { kind: 'terraform-plan' },
      { kind: 'terraform-plan' },
    ]);
  });

  it('are read as Windows PowerShell redirects them', () => {
    write({ 'plan.json': '' });
    writeFileSync(join(root, 'plan.json'), Buffer.from(`\uFEFF${plan}`, 'utf16le'));
    expect(read('plan.json')).toEqual({ inputs: ['plan.json 1'], problems: [] });
  });

  it('are known by the keys at their top level alone', () => {
    const mentions = JSON.stringify({ format_version: '1', planned_values: {}, resource_changes: [] });
    write({
      'a.json': `{"Description": ${JSON.stringify(mentions)}, "Metadata": ${mentions}, "Resources": {"A": {"Type": "T"}}}`,
      'late.json': `{"variables": {"resource": {"value": "\\\\\\""}}, ${plan.slice(1)}`,
    });
    expect(read('a.json', 'late.json')).toMatchObject({ inputs: ['a.json 1', 'late.json 1'], problems: [] });
    expect(read('.').inputs).toEqual(['a.json 1', 'late.json 1']);
  });

  it('may be states', () => {
    write({ 'state.json': state });
    expect(read('.')).toEqual({
      inputs: ['state.json 1'],
      problems: [expect.stringMatching(/^state\.json 1:1 this is a state, not a plan/)],
    });
  });

  it('are told from other files that Terraform writes', () => {
    const other = {
      'binary/tfplan.json': 'PK\u0003\u0004\0',
      'binary/log.json': '{"@level":"info"}\n{"@level":"info"}',
      'binary/schemas.json': '{"format_version":"1.0","provider_schemas":{"x":"planned_values"}}',
    };
    write({
      ...other,
      'binary/.terraform/modules/plan.json': plan,
      'binary/one.json': plan,
      'broken/plan.json': plan.slice(0, -3),
    });
    expect(read('binary').inputs).toEqual(['binary/one.json 1']);
    for (const name of Object.keys(other))
      expect(read(name).problems).toEqual([
        expect.stringMatching(/^binary\/\w+\.json 1:1 this is (?:a zip|the log|what)/),
      ]);
    expect(read('broken').problems).toEqual([expect.stringMatching(/^broken\/plan\.json 1:\d+ the text ends here/)]);
  });
});

describe('the standard input', () => {
  const CONFIGURATION = 'variable "size" {}\n\nresource "aws_vpc" "a" {}\n';
  const resource = '{"address": "aws_vpc.a", "mode": "managed", "type": "aws_vpc", "name": "a"';
  const plan = `{"format_version": "1.2", "variables": {"data": {"value": 1}}, "planned_values": {}, "configuration": {"root_module": {"resource": {}}}, "resource_changes": [${resource}, "change": {"actions": ["create"], "after": {}}}]}`;
  const piped = (text: string, name: string, ...paths: string[]) => {
    const { inputs, diagnostics } = readPaths(
      ['-', ...paths.map((path) => join(root, path))],
      {},
      { standardInput: { text, name: name === 'standard input' ? name : join(root, name) } },
    );
    return {
      inputs: inputs.map(({ path, kind }) => `${kind} ${relative(root, path)}`),
      problems: diagnostics.map(({ file, severity, message }) => `${severity} ${relative(root, file)} ${message}`),
    };
  };

  it('takes the place of what a configuration reads', () => {
    write({
      'infra/ud.sh': 'old',
      'infra/main.tf': `${CONFIGURATION}\nresource "aws_launch_template" "b" {\n  user_data = base64encode(file("\${path.module}/ud.sh"))\n}\n`,
    });
    const expected = { inputs: ['terraform-configuration infra'], problems: [] };
    expect(piped('size = "1"\n', 'infra/terraform.tfvars', 'infra')).toEqual(expected);
    expect(piped('#!/bin/bash\n', 'infra/ud.sh', 'infra').problems).toEqual([]);
    expect(piped('size = [', 'infra/x.auto.tfvars', 'infra').problems).toEqual([
      expect.stringMatching(/^error infra\/x\.auto\.tfvars /),
    ]);
  });

  it.each([
    ['infra/terraform.tfvars', 'size = "1"', []],
    ['infra/prod.tfvars', 'size = "1"', ['infra']],
    ['standard input', '# sizes\nsize = 1', []],
  ])('that holds values of variables alone is an error: %s', (name, text, paths) => {
    write({ 'infra/main.tf': CONFIGURATION });
    expect(piped(text, name, ...paths).problems).toEqual([
      expect.stringMatching(/^error .*values of variables count with the configuration that takes them/),
    ]);
  });

  it('is nothing of a configuration without a file of its name', () => {
    write({ 'infra/main.tf': CONFIGURATION });
    expect(piped('hello', 'infra/ud.sh', 'infra').problems).toEqual([
      expect.stringMatching(/^error infra\/ud\.sh a CloudFormation template is a map/),
    ]);
  });

  it('is an input even if a folder would pass over it', () => {
    write({ 'a/t.yaml': TEMPLATE });
    expect(piped('Resorces: {}', 'a/t.yaml', 'a').problems).toEqual([
      expect.stringMatching(/^error a\/t\.yaml there are no Resources/),
    ]);
  });

  it('may be a plan', () => {
    expect(piped(plan, 'standard input').inputs).toEqual([expect.stringMatching(/^terraform-plan /)]);
  });
});
