import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readPaths } from '../../lib/front-ends/paths';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(files: Record<string, string | Buffer>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

function read(...names: string[]) {
  const result = readPaths(names.map((name) => join(root, name)));
  return {
    inputs: result.inputs.map(({ path, resources }) => `${relative(root, path) || '.'} ${resources}`),
    problems: result.diagnostics.map(
      ({ severity, file, message }) => `${severity} ${relative(root, file)} ${message.replaceAll(`${root}/`, '')}`,
    ),
  };
}

const ADDON = '{Type: AWS::EKS::Addon}';
const TEMPLATE = `Resources:\n  Cni: ${ADDON}\n`;
const JSON_TEMPLATE = '{"Resources": {"Cni": {"Type": "AWS::EKS::Addon"}}}';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const ofEksctl = (head: string): string =>
  `${head}\nmetadata: {name: main, region: eu-central-1}\nmanagedNodeGroups: [{name: a}]\n`;
const ofKarpenter = (head: string): string => `${head}\nmetadata: {name: a}\nspec: {role: nodes}\n`;
const indented = (text: string): string => `  # all\n${text.replaceAll(/^(?=.)/gm, '  ')}`;

describe.each<[string, string, (head: string) => string]>([
  ['ClusterConfig', 'eksctl.io/v1alpha5', ofEksctl],
  ['EC2NodeClass', 'karpenter.k8s.aws/v1', ofKarpenter],
])('a %s in a folder', (kind, version, withRest) => {
  const plain = withRest(`apiVersion: ${version}\nkind: ${kind}`);
  const inBrackets = `{apiVersion: ${version}, kind: ${kind}, metadata: {name: a, region: eu-central-1}, managedNodeGroups: [{name: a}]}`;

  it.each<[string, string | Buffer]>([
    ['a byte order mark', `\uFEFF${plain}`],
    ['flow YAML', inBrackets],
    ['flow YAML behind a comment and the mark of a document', `# one\n--- # two\n${inBrackets}`],
    ['flow YAML in a second document', `# nothing\n---\n# one\n--- ${inBrackets}`],
    ['an indented root', indented(plain)],
    ['escaped keys', withRest(`"api\\u0056ersion": ${version}\n"\\x6bind": ${kind}`)],
    [
      'escaped values',
      withRest(`apiVersion: "${version.replace('/', '\\x2f')}"\nkind: "${kind.replace('l', '\\u006c')}"`),
    ],
    ['explicit keys', withRest(`? apiVersion\n: ${version}\n? kind\n: ${kind}`)],
    ['anchored and tagged keys', withRest(`&a apiVersion: ${version}\n!!str &b "kind" : ${kind}`)],
    ['anchored and tagged values', withRest(`apiVersion: &a ${version}\nkind: !!str &b '${kind}'`)],
    ['folded values', withRest(`apiVersion: >-\n  ${version}\nkind: |-\n  ${kind}`)],
    ['values in the next line', withRest(`apiVersion: # one\n  ${version}\nkind:\n  ${kind}`)],
    ['an alias as its kind', withRest(`apiVersion: ${version}\nx: &k ${kind}\nkind: *k`)],
    ['merged keys', withRest(`x: &k {apiVersion: ${version}, kind: ${kind}}\n<<: *k`)],
    ['aliases of keys', withRest(`x: [&v apiVersion, &k kind]\n*v : ${version}\n*k : ${kind}`)],
    [
      'explicit keys with comments in brackets',
      inBrackets.replace('{apiVersion: ', '{? apiVersion # one\n  : ').replace(' kind: ', ' ? kind # two\n  : '),
    ],
    ['explicit keys with comments', withRest(`? apiVersion\n# one\n: ${version}\n? kind # two\n: ${kind}`)],
    [
      'many lines before a value',
      withRest(`apiVersion:${'\n'.repeat(300)}  ${version}\nkind: # one\n  # two\n  ${kind}`),
    ],
    [
      'a long comment before a value',
      withRest(`apiVersion: #${'c'.repeat(500)}\n  ${version}\nkind: &${'k'.repeat(300)}\n  ${kind}`),
    ],
    ['a value in base64', withRest(`apiVersion: ${version}\nkind: !!binary ${Buffer.from(kind).toString('base64')}`)],
    ['an escaped slash', withRest(`apiVersion: "${version.replace('/', '\\/')}"\nkind: ${kind}`)],
    ['UTF-16', Buffer.from(`\uFEFF${plain}`, 'utf16le')],
  ])('is read as when it is named: %s', (_, text) => {
    write({ 'a.yaml': text });
    expect(read('a.yaml').inputs).toEqual(['a.yaml 1']);
    expect(read('.')).toEqual(read('a.yaml'));
  });

  it.each([
    ['another file', `a: {kind: ${kind}, note: "apiVersion of ${version}"}\n`],
    ['values of a chart', `scaled:\n  apiVersion: ${version}\n  kind: ${kind}\n`],
  ])('is not looked for in %s', (_, text) => {
    write({ 'a.yaml': TEMPLATE, 'b.yaml': text });
    expect(read('.').inputs).toEqual(['a.yaml 1']);
    expect(read('.').problems).toEqual([]);
  });
});

it.each([
  ['a misspelt kind', 'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfigs'],
  ['no kind', 'apiVersion: eksctl.io/v1alpha5'],
  [
    'a misspelt kind in brackets',
    '# one\n{apiVersion: eksctl.io/v1alpha5, kind: ClusterConfigs, metadata: {name: a, region: eu-central-1}, managedNodeGroups: [{name: a}]}',
  ],
])('a ClusterConfig with %s is read in a folder', (_, head) => {
  write({ 'a.yaml': TEMPLATE, 'b.yaml': head.includes('{') ? head : ofEksctl(head) });
  expect(read('.').inputs).toEqual(['a.yaml 1', expect.stringMatching(/^b\.yaml [12]$/)]);
});

it('an object in a document that is indented by itself is read', () => {
  const object = ofKarpenter('apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass');
  write({ 'a.yaml': `notes: none\n---\n${indented(object)}` });
  expect(read('.').inputs).toEqual(['a.yaml 1']);
});

describe('what looks like something else by a text in it is read as what it is', () => {
  const template = JSON.parse(JSON_TEMPLATE) as object;
  const object = { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'a' }, spec: {} };
  const inFlow = '{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: a}, spec: {}}\n';
  const ofAnswer = { kind: 'a', apiVersion: 'b', uid: 'c' };

  it.each<[string, string, string]>([
    [
      'a ClusterConfig, by a description',
      'a.json',
      JSON.stringify({ Description: 'apiVersion: eksctl.io/v1alpha5', ...template }),
    ],
    ['objects of a cluster, by metadata', 'a.json', JSON.stringify({ Metadata: ofAnswer, ...template })],
    [
      'a plan, by a comment',
      'a.yaml',
      `{ # "format_version": "planned_values": "resource_changes":\nResources: {Cni: ${ADDON}}}`,
    ],
    ['an answer of AWS, by a comment', 'a.yaml', `{ # "ClientIDList": "Url"\nResources: {Cni: ${ADDON}}}`],
    ['a list of names, by a comment', 'a.yaml', `{ # "Subnets": [ ]\nResources: {Cni: ${ADDON}}}`],
  ])('a template: %s', (_, name, text) => {
    write({ [name]: text });
    expect(read(name)).toEqual({ inputs: [`${name} 1`], problems: [] });
    expect(read('.')).toEqual({ inputs: [`${name} 1`], problems: [] });
  });

  it.each<[string, string, string]>([
    ['a ClusterConfig, by a comment', 'a.yaml', `# apiVersion: eksctl.io/v1alpha5\n${inFlow}`],
    [
      'a ClusterConfig, by an annotation',
      'a.json',
      JSON.stringify({ ...object, note: 'apiVersion: eksctl.io/v1alpha5' }),
    ],
    [
      'a plan, by a comment',
      'a.yaml',
      `{ # "format_version": "planned_values": "resource_changes":\n${inFlow.slice(1)}`,
    ],
    ['an answer of AWS, by a comment', 'a.yaml', `{ # "ClientIDList": "Url"\n${inFlow.slice(1)}`],
    ['a state of Pulumi, by its keys', 'a.json', JSON.stringify({ version: 3, deployment: {}, ...object })],
    ['a template, by an annotation', 'a.json', JSON.stringify({ ...object, note: 'Resources: a' })],
    ['a template, by a key within', 'a.json', JSON.stringify({ ...object, data: { Resources: {} } })],
  ])('an object of Kubernetes: %s', (_, name, text) => {
    write({ [name]: text, 'b.yaml': TEMPLATE });
    const { inputs, problems } = read('.');
    expect([inputs.toSorted(), problems]).toEqual([[`${name} 1`, 'b.yaml 1'], []]);
  });

  it('values of a chart that has resources of its own', () => {
    const values = 'name: cart\nResources:\n  requests: {cpu: 350m}\n  limits: {cpu: 700m}\n';
    write({ 'values.yaml': values, 'b.yaml': TEMPLATE });
    expect(read('.')).toEqual({ inputs: ['b.yaml 1'], problems: [] });
    for (const more of ['Outputs: {}\n', 'AWSTemplateFormatVersion: 2010-09-09\n']) {
      write({ 'values.yaml': values + more });
      expect(read('.').problems).toContainEqual(expect.stringContaining('resource requests has no Type'));
    }
    write({ 'values.yaml': 'Resources:\n  A: {type: "AWS::EKS::Addon"}\n' });
    expect(read('.').problems).toContainEqual(expect.stringContaining('resource A has no Type'));
  });

  it('is told where it is nothing else, and somebody named it', () => {
    write({ 'a.json': '{"note": "apiVersion: eksctl.io/v1alpha5"}', 'b.yaml': TEMPLATE });
    expect(read('.')).toEqual({ inputs: ['b.yaml 1'], problems: [] });
    expect(read('a.json').problems).toEqual([
      expect.stringMatching(/^error a\.json this is no ClusterConfig of eksctl: /),
    ]);
  });
});

describe('what is two inputs in one', () => {
  const cni = { Cni: { Type: 'AWS::EKS::Addon' } };
  const plan = { format_version: '1.2', planned_values: {}, resource_changes: [], configuration: { root_module: {} } };
  const told =
    'error a.json not checked: `Resources`, as a CloudFormation template has, in a file with the keys of a Terraform plan; give the template a file of its own';

  it.each([['of a plan', plan, ['a.json 0']]])('tells of a template with keys %s', (_, keys, inputs) => {
    write({ 'a.json': JSON.stringify({ ...keys, Resources: cni }), 'b.yaml': TEMPLATE });
    expect(read('.').inputs.filter((input) => input !== 'b.yaml 1')).toEqual(expect.arrayContaining(inputs));
    expect(read('.').problems).toContain(told);
    write({ 'a.json': JSON.stringify({ ...keys, Resources: 'none' }) });
    expect(read('.').problems).not.toContain(told);
  });

  it('is a template if what looks like a plan is none', () => {
    const keys = { format_version: '1.2', planned_values: null, resource_changes: 0 };
    write({ 'a.json': JSON.stringify({ ...keys, Resources: cni }) });
    expect(read('.').inputs).toEqual(['a.json 1']);
    expect(read('.').problems).not.toContain(told);
  });

  it.each([
    ['a Terraform plan', plan],
    ['a preview or state of Pulumi', { steps: [], changeSummary: {} }],
    ['an answer of AWS', { addonName: 'a', addon: { addonName: 'vpc-cni' } }],
  ])('tells of an object of Kubernetes with the keys of %s', (what, keys) => {
    write({
      'a.json': JSON.stringify({ ...keys, apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', spec: {} }),
    });
    expect(read('.').problems).toContain(
      `error a.json not checked: \`apiVersion\` and \`kind\`, as an object of Kubernetes has, in a file with the keys of ${what}; give the object a file of its own`,
    );
  });

  it('is no template because of a document behind objects of Kubernetes', () => {
    const object = ofKarpenter('apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass');
    write({ 'a.yaml': `${object}---\nResources: {}\n`, 'b.yaml': TEMPLATE });
    expect(read('.').inputs).toContain('a.yaml 1');
    write({ 'a.yaml': `--- # one\nDescription: a\n${TEMPLATE}---\n${object}` });
    expect(read('.').problems).toEqual([expect.stringMatching(/^error a\.yaml a template is one YAML document/)]);
  });

  it('tells of an object of Kubernetes with Resources', () => {
    const object = 'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\n';
    const problem: unknown = expect.stringMatching(/^error a\.yaml not checked as an object of Kubernetes, /);
    write({ 'a.yaml': `Resources: {}\n${object}` });
    expect(read('.').problems).toContainEqual(problem);
    write({ 'a.yaml': `${TEMPLATE}kind: a\n` });
    expect(read('.').problems).not.toContainEqual(problem);
    write({ 'a.yaml': `${TEMPLATE}apiVersion: a\n` });
    expect(read('.').problems).not.toContainEqual(problem);
  });
});

it('objects in further documents of a ClusterConfig are told, and notes are not', () => {
  const config = ofEksctl('apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig');
  const node = ofKarpenter('apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass');
  write({ 'a.yaml': `${config}---\n${node}---\nnotes: none\n---\n${config}` });
  const { inputs, problems } = read('.');
  expect(inputs).toEqual(['a.yaml 1']);
  expect(problems).toEqual([
    'warning a.yaml this document is no ClusterConfig, and of a file with one nothing else is checked; give it a file of its own',
  ]);
  write({ 'a.yaml': `${node}---\n${config}` });
  expect(read('a.yaml').problems).toEqual(problems);
});

it('a ClusterConfig is not looked for in the text of an object', () => {
  const config = indented(ofEksctl('apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig'));
  write({
    'a.yaml': TEMPLATE,
    'b.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: |\n${config}`,
  });
  expect(read('.')).toEqual({ inputs: ['a.yaml 1'], problems: [] });
});

it('a ClusterConfig that a tool fills in first is told, whatever it begins with', () => {
  write({
    'a.yaml': TEMPLATE,
    'b.yaml': `{{ if on }}\n${ofEksctl('apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig')}{{ end }}\n`,
  });
  expect(read('.').problems).toEqual([
    expect.stringContaining('warning b.yaml not checked: this is a template of a ClusterConfig'),
  ]);
});

describe('a template in a folder', () => {
  it.each<[string, string | Buffer, string?]>([
    ['a byte order mark', `\uFEFF${TEMPLATE}`],
    ['a byte order mark before JSON', `\uFEFF${JSON_TEMPLATE}`, 'a.json'],
    ['flow YAML', `{Resources: {Cni: ${ADDON}}}`],
    [
      'flow YAML behind the mark of a document',
      `%YAML 1.2\n--- # one\n{"Description": a, Resources : {Cni: ${ADDON}}}`,
    ],
    ['flow YAML with a comment before the colon', `{Resources # all\n : {Cni: ${ADDON}}}`],
    ['an indented root', `  # all\n  Resources:\n    Cni: ${ADDON}\n`],
    ['an escaped key in YAML', `"Reso\\u0075rces":\n  Cni: ${ADDON}\n`],
    ['a key escaped by its code', `"Reso\\x75rces":\n  Cni: ${ADDON}\n`],
    ['an escaped key in JSON', JSON_TEMPLATE.replace('Resources', 'Reso\\u0075rces'), 'a.json'],
    ['an anchored key', `&a Resources:\n  Cni: ${ADDON}\n`],
    ['an alias of a key', `Description: &a Resources\n*a :\n  Cni: ${ADDON}\n`],
    ['an alias of a key in flow YAML', `{Description: &a Resources, *a : {Cni: ${ADDON}}}`],
    ['a tagged key', `!!str Resources:\n  Cni: ${ADDON}\n`],
    ['an explicit key', `? Resources\n: Cni: ${ADDON}\n`],
    ['an explicit key with a comment', `? Resources # all\n# of them\n: Cni: ${ADDON}\n`],
    ['a space before the colon', `'Resources' :\n  Cni: ${ADDON}\n`],
    ['UTF-16', Buffer.from(`\uFEFF${TEMPLATE}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(TEMPLATE, 'utf16le')],
    ['UTF-16, the high byte first', bigEndian(`\uFEFF${TEMPLATE}`)],
    ['UTF-16 without a mark, the high byte first', bigEndian(JSON_TEMPLATE), 'a.json'],
  ])('is read as when it is named: %s', (_, text, name = 'a.yaml') => {
    write({ [name]: text });
    expect(read(name)).toEqual({ inputs: [`${name} 1`], problems: [] });
    expect(read('.')).toEqual({ inputs: [`${name} 1`], problems: [] });
  });

  it.each([
    ['flow YAML', '{Resources: {Cni: '],
    ['an indented root', '  Resources:\n    Cni: {\n'],
    ['an escaped key', '{"Reso\\u0075rces": {'],
    ['an anchored key', '&a Resources:\n  Cni: {\n'],
  ])('that can not be parsed is told: %s', (_, text) => {
    write({ 'a.yaml': text, 'b.yaml': TEMPLATE });
    expect(read('.').inputs).toEqual(['b.yaml 1']);
    expect(read('.').problems).toEqual(read('a.yaml').problems);
    expect(read('.').problems).not.toEqual([]);
  });

  it('is not looked for in what only speaks of resources', () => {
    write({
      'a.yaml': TEMPLATE,
      'crd.yaml':
        'kind: CustomResourceDefinition\nspec:\n  description: "Resources: the minimum. Is that all ? Resources"\n  Resources:\n    limits: {}\n',
      'chart/templates/pod.yaml':
        '{{- if .Values.on }}\nkind: Pod\nspec:\n  Resources: {{ toYaml .Values.Resources }}\n{{- end }}\n',
      'serverless.yml': 'service: a\nresources:\n  Resources:\n    A: {Type: T}\n',
      'package.json': '{"name": "x", "extraResources": ["a\\u003cb"]}',
      'tree.json': '{"tree": {"children": {"Resources": {"id": "Resources"}}}}',
      'list.yaml': '- Resources\n- "a\\x20b"\n',
    });
    expect(read('.')).toEqual({ inputs: ['a.yaml 1'], problems: [] });
  });

  it('may be a plan with escaped keys', () => {
    write({ 'plan.json': '{"format_version": "1.2", "planned\\u005fvalues": {}, "resource\\u005fchanges": []}' });
    expect(read('.')).toEqual(read('plan.json'));
    expect(read('.').inputs).toEqual(['plan.json 0']);
  });
});

describe('a manifest that claims nothing of a folder', () => {
  it.each<[string, Record<string, string>]>([
    [
      'of an empty assembly',
      {
        'manifest.json':
          '{"version": "36.0.0", "artifacts": {"a": {"type": "cdk:cloud-assembly-x", "x": "aws:cloudformation:stack"}}, "y": "aws:cloudformation:stack"}',
      },
    ],
    ['of an app of CDKTF without stacks', { 'manifest.json': '{"stacks": {}, "version": "0.20.0"}' }],
    [
      'of a web app, beside an assembly',
      {
        'manifest.json': '{"short_name": "web", "icons": []}',
        'cdk.out/manifest.json': '{"version": "36.0.0", "artifacts": {}}',
        'cdk.out/cdk.out': '{"version":"36.0.0"}',
      },
    ],
  ])('hides none of the rest of it: %s', (_, files) => {
    write({ ...files, 'a.yaml': TEMPLATE, 'deep/b.json': JSON_TEMPLATE, 'main.tf': 'resource "aws_x" "a" {}\n' });
    const { inputs, problems } = read('.');
    expect(inputs).toEqual(expect.arrayContaining(['a.yaml 1', 'deep/b.json 1', '. 1']));
    expect(problems).toEqual([]);
  });

  it('is told where an empty file says that it is one', () => {
    write({ 'manifest.json': '{"short_name": "web"}', 'cdk.out': '', 'a.yaml': TEMPLATE });
    expect(read('.')).toEqual({
      inputs: ['. 0', 'a.yaml 1'],
      problems: [expect.stringMatching(/^error manifest\.json the manifest has no version/)],
    });
    rmSync(join(root, 'manifest.json'));
    expect(read('.')).toEqual({ inputs: ['a.yaml 1'], problems: [] });
  });
});

describe('a manifest that names what is none of its own', () => {
  const asset = `asset.${'0'.repeat(64)}`;
  const assembly = (artifact: object, id = 'A') =>
    JSON.stringify({
      version: '36.0.0',
      artifacts: { [id]: { type: 'aws:cloudformation:stack', properties: { templateFile: 'A.json' }, ...artifact } },
    });
  const nesting = (metadata: object, url: string) =>
    JSON.stringify({
      Resources: {
        S: {
          Type: 'AWS::CloudFormation::Stack',
          Metadata: metadata,
          Properties: { TemplateURL: url, Parameters: { H: '2' } },
        },
      },
    });
  const stack = (synthesizedStackPath: string, workingDirectory: string) =>
    JSON.stringify({
      version: '0.20.0',
      stacks: { a: { name: 'a', constructPath: 'a', synthesizedStackPath, workingDirectory } },
    });
  const hash = 'b'.repeat(64);

  it.each<[string, Record<string, string>]>([
    [
      'the metadata of a stack',
      { 'manifest.json': assembly({ additionalMetadataFile: 'infra/t.yaml' }), 'A.json': JSON_TEMPLATE },
    ],
    [
      'the assets of a stack',
      { 'manifest.json': assembly({}, 'infra/t'), 'A.json': JSON_TEMPLATE, 'infra/t.assets.json': TEMPLATE },
    ],
    [
      'the template of a stack',
      {
        'manifest.json': assembly({
          environment: 'aws://unknown-account/us-gov-west-1',
          properties: { templateFile: 'infra/t.yaml' },
        }),
      },
    ],
    ['a nested stack', { 'manifest.json': assembly({}), 'A.json': nesting({ 'aws:asset:path': 'infra/t.yaml' }, 'x') }],
    [
      'a nested stack, by its hash',
      {
        'manifest.json': assembly({}),
        'A.json': nesting({}, `${hash}.json`),
        'A.assets.json': JSON.stringify({ files: { [hash]: { source: { path: 'infra/t.json' } } } }),
        'infra/t.json': TEMPLATE,
      },
    ],
    [
      'an asset',
      {
        'manifest.json': assembly({}),
        'A.json': JSON_TEMPLATE,
        'A.assets.json': JSON.stringify({ files: { a: { source: { path: asset } } } }),
        [`${asset}/t.yaml`]: TEMPLATE,
      },
    ],
  ])('hides no template as %s', (_, files) => {
    write({ 'infra/t.yaml': TEMPLATE, ...files });
    const names = ['infra/t.yaml', ...Object.keys(files).filter((name) => /\/t\.|\/t\.assets/.test(name))];
    expect(read('.').inputs).toEqual(expect.arrayContaining(names.map((name) => `${name} 1`)));
  });

  it.each([
    ['a template', 'A.json', 'infra/t.yaml'],
    ['an asset', asset, 'infra'],
  ])('hides nothing as %s that is a link', (_, link, target) => {
    write({
      'cdk.out': '{"version": "36.0.0"}',
      'manifest.json': assembly({}),
      'B.json': '',
      'A.assets.json': JSON.stringify({ files: { a: { source: { path: asset } } } }),
      'infra/t.yaml': TEMPLATE,
    });
    symlinkSync(target, join(root, link));
    expect(read('.').inputs).toEqual(expect.arrayContaining(['infra/t.yaml 1']));
  });

  it.each([
    ['an override file', 'decoy/a_override.tf.json', 'infra'],
    ['a file of another folder', 'infra/main.tf', 'decoy'],
    ['a working directory outside', 'decoy/a_override.tf.json', '../infra'],
  ])('lays nothing over another folder: %s', (_, path, directory) => {
    write({
      'manifest.json': stack(path, directory),
      'decoy/a_override.tf.json': '{"resource": {"aws_x": {"a": {"hop": 2}}}}',
      'infra/main.tf': 'resource "aws_x" "a" {\n  hop = 1\n}\n',
    });
    const { inputs, problems } = read('.');
    expect(inputs).toEqual(['decoy 1', 'infra 1', '. 0']);
    expect(problems).toEqual(["error manifest.json the file of stack a doesn't stand in its working directory"]);
  });
});

describe('an assembly', () => {
  const stack = { type: 'aws:cloudformation:stack', properties: { templateFile: 'A.template.json' } };
  const hash = 'a'.repeat(64);
  const assembly = {
    'cdk.out/manifest.json': JSON.stringify({
      version: '36.0.0',
      artifacts: { A: stack, stage: { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-Prod' } } },
    }),
    'cdk.out/cdk.out': '{"version": "36.0.0"}',
    'cdk.out/A.template.json': JSON_TEMPLATE,
    'cdk.out/A.assets.json': JSON.stringify({
      files: { [hash]: { source: { path: `asset.${hash}`, packaging: 'zip' } }, b: { source: { path: 'own' } } },
    }),
    'cdk.out/assembly-Prod/manifest.json': JSON.stringify({ version: '36.0.0', artifacts: { A: stack } }),
    'cdk.out/assembly-Prod/A.template.json': JSON_TEMPLATE,
    [`cdk.out/asset.${hash}/example.yaml`]: TEMPLATE,
  };

  it('has its templates, those of its stages, and nothing of its assets', () => {
    write(assembly);
    for (const name of ['.', 'cdk.out']) expect(read(name)).toEqual({ inputs: ['cdk.out 2'], problems: [] });
  });

  it('hides no template that it does not list', () => {
    write({
      ...assembly,
      'cdk.out/stray.template.json': JSON_TEMPLATE,
      'cdk.out/own/b.yaml': TEMPLATE,
      'cdk.out/assembly-Prod/c.yaml': TEMPLATE,
    });
    expect(read('.')).toEqual({
      inputs: ['cdk.out 2', 'cdk.out/assembly-Prod/c.yaml 1', 'cdk.out/own/b.yaml 1', 'cdk.out/stray.template.json 1'],
      problems: [
        'warning cdk.out/manifest.json not in the manifest of this assembly, so checked on its own: stray.template.json; if an earlier synthesis left it, delete cdk.out and synthesize again',
      ],
    });
  });
});

describe('the output of CDKTF', () => {
  const stack = '{"resource": {"aws_x": {"a": {}}}, "module": {"m": {"source": "./assets/m"}}}';
  const app = {
    'cdktf.out/manifest.json': JSON.stringify({
      version: '0.20.0',
      stacks: {
        dev: {
          name: 'dev',
          constructPath: 'dev',
          synthesizedStackPath: 'stacks/dev/cdk.tf.json',
          workingDirectory: 'stacks/dev',
        },
      },
    }),
    'cdktf.out/stacks/dev/cdk.tf.json': stack,
    'cdktf.out/stacks/dev/assets/m/main.tf': 'resource "aws_x" "m" {}\n',
  };

  it('has its stacks, each once', () => {
    write(app);
    expect(read('.')).toEqual({ inputs: ['cdktf.out 2'], problems: [] });
  });

  it('hides nothing that its manifest does not list', () => {
    write({
      ...app,
      'cdktf.out/stacks/dev/more.tf': 'resource "aws_x" "more" {}\n',
      'cdktf.out/stacks/old/cdk.tf.json': '{"resource": {"aws_x": {"a": {}}}}',
      'cdktf.out/a.yaml': TEMPLATE,
    });
    expect(read('.')).toEqual({
      inputs: ['cdktf.out/a.yaml 1', 'cdktf.out/stacks/old 1', 'cdktf.out 3'],
      problems: [],
    });
  });
});

describe('files for OpenTofu', () => {
  const hop = (limit: number) => `resource "aws_x" "a" {\n  hop = ${limit}\n}\n`;
  const told = (files: Record<string, string>): readonly string[] => {
    write(files);
    return read('.').problems.map((problem) =>
      problem.replace(
        /^warning (\S+) what Terraform deploys is not checked: (.*); where Terraform is used, name the files that it reads to have them checked$/,
        '$1: $2',
      ),
    );
  };
  const instead = (name: string, what: string) =>
    `OpenTofu reads ${name} in the place of this file, which declares ${what} in another way`;

  it.each<[string, Record<string, string>, string]>([
    [
      'a resource that they lack',
      { 'main.tf': hop(1), 'main.tofu': '' },
      `main.tf: ${instead('main.tofu', 'aws_x.a')}`,
    ],
    ['another resource', { 'main.tf': hop(1), 'main.tofu': hop(2) }, `main.tf: ${instead('main.tofu', 'aws_x.a')}`],
    [
      'a variable',
      {
        'main.tf': hop(1),
        'v.tf': 'variable "h" {\n  default = 1\n}\n',
        'v.tofu': 'variable "h" {\n  default = 2\n}\n',
      },
      `v.tf: ${instead('v.tofu', 'variable.h')}`,
    ],
    [
      'a local value, in JSON',
      { 'v.tf.json': '{"locals": {"a": 1, "b": [1]}}', 'v.tofu.json': '{"locals": {"a": 1, "b": [2]}}' },
      `v.tf.json: ${instead('v.tofu.json', 'local.b')}`,
    ],
    [
      'an override, also one that says what stands elsewhere',
      { 'main.tf': hop(1), 'b_override.tf': hop(2), 'c_override.tf': hop(1), 'c_override.tofu': '' },
      `c_override.tf: ${instead('c_override.tofu', 'aws_x.a')}`,
    ],
    [
      'an empty override',
      { 'main.tf': hop(1), 'c_override.tf': '', 'c_override.tofu': hop(2) },
      `c_override.tf: ${instead('c_override.tofu', 'aws_x.a')}`,
    ],
    [
      'no override',
      { 'main.tf': hop(1), 'c_override.tofu': hop(2) },
      'c_override.tofu: OpenTofu alone reads this file, which overrides aws_x.a',
    ],
  ])('are told where Terraform reads %s', (_, files, problem) => {
    expect(told(files)).toEqual([problem]);
  });

  it('are told in one line', () => {
    const all = Object.fromEntries(
      ['a', 'b', 'c'].flatMap((folder) => [
        [`${folder}/main.tf`, hop(1)],
        [`${folder}/main.tofu`, hop(2)],
      ]),
    );
    expect(told(all)).toEqual([`a/main.tf: ${instead('main.tofu', 'aws_x.a')} (and so for 2 more, as b/main.tf)`]);
  });

  it.each<[string, Record<string, string>]>([
    [
      'that say the same, in other words',
      { 'main.tf': hop(1), 'main.tofu': `# for OpenTofu\n${hop(1).replaceAll('\n', '\n\n')}` },
    ],
    ['whose declarations stand in another file', { 'main.tf': hop(1), 'main.tofu': '', 'a.tofu': hop(1) }],
    [
      'with settings of their own for the tool, its state and providers',
      {
        'versions.tf': 'terraform {\n  required_version = ">= 1.9"\n}\nprovider "aws" {}\n',
        'versions.tofu': 'terraform {\n  encryption {}\n}\nprovider "aws" {\n  region = "eu-west-1"\n}\n',
        'main.tf': hop(1),
      },
    ],
    ['without any for Terraform', { 'main.tofu': hop(1), 'c_override.tofu': hop(2) }],
  ])('are not told %s', (_, files) => {
    expect(told(files)).toEqual([]);
  });

  it('make no module of a folder that keeps its state with Terraform', () => {
    write({
      'decoy/main.tf': 'module "m" {\n  source = "../real"\n}\n',
      'real/main.tf': hop(1),
      'real/backend.tf': 'terraform {\n  backend "s3" {}\n}\n',
      'real/backend.tofu': '',
    });
    expect(read('.').inputs).toEqual(['decoy 1', 'real 1']);
  });
});
