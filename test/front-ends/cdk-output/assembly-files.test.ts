import { readAssembly } from '../../../lib/front-ends/cdk-output/assembly';

type Files = Readonly<Record<string, unknown>>;

function read(files: Files) {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  const { templates, diagnostics, ...rest } = readAssembly('out', (file) => {
    const text = texts.get(file);
    return text === undefined ? { problem: 'there is no such file' } : { text };
  });
  return {
    templates,
    problems: diagnostics.map(
      ({ severity, file, line, column, message }) => `${severity} ${file}:${line}:${column} ${message}`,
    ),
    ...rest,
  };
}

const stack = (properties: object = { templateFile: 'A.json' }, more: object = {}) => ({
  type: 'aws:cloudformation:stack',
  properties,
  ...more,
});
const manifest = (artifacts: unknown, version: unknown = '48.0.0') => ({ version, artifacts });
const of = (artifact: unknown, files: Files = {}) =>
  read({ 'out/manifest.json': manifest({ A: artifact }), 'out/A.json': '{"Resources": {}}', ...files });

describe('a manifest', () => {
  it.each([
    ['48.0.0', []],
    ['55.9.9', []],
    [
      '56.0.0',
      [
        'error out/manifest.json:1:2 the assembly has manifest version 56.0.0, newer than 55, the newest that is understood; what could be read was checked',
      ],
    ],
    ['new', ['error out/manifest.json:1:2 the manifest has no version, so it is no manifest of a CDK assembly']],
    [48, ['error out/manifest.json:1:2 the manifest has no version, so it is no manifest of a CDK assembly']],
  ])('of version %j', (version, problems) => {
    const result = read({ 'out/manifest.json': manifest({ A: stack() }, version), 'out/A.json': '{}' });
    expect(result.problems).toEqual(problems);
    expect(result.templates).toHaveLength(1);
  });

  it('need not name any artifacts, but they are a map', () => {
    expect(read({ 'out/manifest.json': { version: '48.0.0' } })).toMatchObject({ templates: [], problems: [] });
    expect(read({ 'out/manifest.json': manifest([]) }).problems).toEqual([
      'error out/manifest.json:1:21 the artifacts of the assembly are no map',
    ]);
  });

  it('that is missing or broken is told', () => {
    expect(read({})).toMatchObject({
      problems: ['error out/manifest.json:1:1 there is no such file'],
      files: ['out/manifest.json'],
    });
    expect(read({ 'out/manifest.json': '{' }).problems).toHaveLength(1);
  });

  it('has artifacts of other types, which are no stacks', () => {
    expect(of({ type: 'aws:cdk:asset-manifest', properties: { templateFile: 'A.json' } })).toMatchObject({
      templates: [],
      problems: [],
      files: ['out/manifest.json'],
    });
  });
});

describe('a nested assembly', () => {
  const nested = (properties: object) => ({ type: 'cdk:cloud-assembly', properties });

  it('is read, each once', () => {
    const result = read({
      'out/manifest.json': manifest({ S: nested({ directoryName: 'stage' }), T: nested({ directoryName: 'stage' }) }),
      'out/stage/manifest.json': manifest({ A: stack(), Back: nested({ directoryName: '../' }) }),
      'out/stage/A.json': '{}',
    });
    expect(result.templates.map(({ file }) => file)).toEqual(['out/stage/A.json']);
    expect(result.files).toContain('out/stage/manifest.json');
  });

  it('that names no folder is told', () => {
    expect(of(nested({})).problems).toEqual(['error out/manifest.json:1:34 the nested assembly A names no folder']);
  });

  it('is not looked for without end', () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, depth) => [
        `out/${'s/'.repeat(depth)}manifest.json`,
        manifest({ A: stack(), S: nested({ directoryName: 's' }) }),
      ]),
    );
    const templates = Object.fromEntries(
      Array.from({ length: 30 }, (_, depth) => [`out/${'s/'.repeat(depth)}A.json`, '{}']),
    );
    expect(read({ ...files, ...templates }).templates).toHaveLength(21);
  });
});

describe('a stack', () => {
  it.each([
    [{}, { stack: 'A' }],
    [{ stackName: 'prod' }, { stack: 'prod' }],
    [{ stackName: 5 }, { stack: 'A' }],
  ])('with %j is called so', (properties, expected) => {
    expect(of(stack({ templateFile: 'A.json', ...properties })).templates).toMatchObject([expected]);
  });

  it.each([
    ['aws://111122223333/eu-west-1', { account: '111122223333', region: 'eu-west-1' }],
    ['aws://unknown-account/eu-west-1', { region: 'eu-west-1' }],
    ['aws://111122223333/unknown-region', { account: '111122223333' }],
    ['aws://111122223333', {}],
    ['x aws://111122223333/eu-west-1', {}],
    ['aws://111122223333/eu-west-1/x', {}],
    [5, {}],
  ])('is deployed to %j', (environment, expected) => {
    const [template] = of(stack(undefined, { environment })).templates;
    const { account, region } = template ?? {};
    expect({ ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) }).toEqual(
      expected,
    );
  });

  it('that names no template, or one that is not there, is told', () => {
    expect(of(stack({}))).toMatchObject({
      templates: [],
      problems: ['error out/manifest.json:1:34 stack A names no template file'],
    });
    expect(of(stack({ templateFile: 'B.json' }))).toMatchObject({
      templates: [],
      problems: ['error out/B.json:1:1 there is no such file'],
      files: ['out/manifest.json', 'out/B.json'],
    });
  });
});

describe('the assets of a stack', () => {
  const hash = 'a'.repeat(64);
  const assets = (files: unknown) => of(stack(), { 'out/A.assets.json': { files } });

  it('are folders by the name that the CDK gives them', () => {
    const of = (path: unknown) => assets({ x: { source: { path } } }).assetFolders;
    expect(of(`asset.${hash}`)).toEqual([`out/asset.${hash}`]);
    for (const other of [`asset.${hash}0`, `x/asset.${hash}`, `asset.${'A'.repeat(64)}`, 'lambda', 5])
      expect(of(other)).toEqual([]);
    expect(assets([])).toMatchObject({ assetFolders: [], problems: [] });
  });

  it('are the templates of nested stacks, by the hash in their URL', () => {
    const nesting = (url: unknown, metadata: object = {}) => ({
      Resources: { N: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: url }, Metadata: metadata } },
    });
    const names = (template: unknown, path = 'N.json') => {
      const { templates } = of(stack(), {
        'out/A.json': template,
        'out/A.assets.json': {
          files: { [hash]: { source: { path } }, ['b'.repeat(64)]: { source: { path: 'M.json' } } },
        },
        'out/N.json': '{}',
        'out/M.json': '{}',
        'out/N.yaml': '{}',
        'N.json': '{}',
      });
      return [...(templates[0]?.assembly?.nestedTemplates ?? [])].map(
        ([id, { file, stack: name }]) => `${id} ${file} ${name}`,
      );
    };
    const found = ['N out/N.json A'];
    expect(names(nesting(`https://b/${hash}.json`))).toEqual(found);
    expect(names(nesting({ 'Fn::Sub': `https://\${B}/${hash}.json` }))).toEqual(found);
    expect(names(nesting(`https://b/${'c'.repeat(64)}.json`))).toEqual([]);
    expect(names(nesting('https://b/N.json'))).toEqual([]);
    expect(names(nesting(undefined))).toEqual([]);
    expect(names(nesting(`https://b/${hash}.json`), 'N.yaml')).toEqual([]);
    // What the CDK writes down comes first, but leads to no other folder.
    expect(names(nesting(`https://b/${hash}.json`, { 'aws:asset:path': 'M.json' }))).toEqual(['N out/M.json A']);
    expect(names(nesting(`https://b/${hash}.json`, { 'aws:asset:path': '../N.json' }))).toEqual([]);
    expect(names(nesting('', { 'aws:asset:path': String.raw`x\N.json` }))).toEqual([]);
    // A template does not hold itself, and other resources hold none.
    expect(names(nesting('', { 'aws:asset:path': 'A.json' }))).toEqual([]);
    expect(
      names({
        Resources: { N: { Type: 'T', Metadata: { 'aws:asset:path': 'N.json' } }, X: '"AWS::CloudFormation::Stack"' },
      }),
    ).toEqual([]);
    expect(names({ Resources: [], X: 'AWS::CloudFormation::Stack' })).toEqual([]);
  });
});

describe('what an assembly says of constructs', () => {
  const metadata = {
    '/Stack/A/Resource': [
      { type: 'aws:cdk:logicalId', data: 'A1' },
      { type: 'aws:cdk:logicalId', data: 5 },
    ],
    '/Stack/B': [
      {
        type: 'aws:cdk:acknowledged-rules',
        data: { 'EksGuardrails::imds-hop-limit': 'why', 'other::rule': 'x', 'EksGuardrails::b': 7 },
      },
      { type: 'aws:cdk:info', data: 'A2' },
    ],
    '/Stack/Again': [{ type: 'aws:cdk:logicalId', data: 'A1' }],
    '/Stack/None': 'A3',
  };
  const told = (artifact: object, files: Files = {}) => {
    const { assembly } = of(stack(undefined, artifact), files).templates[0] ?? {};
    return {
      paths: [...(assembly?.constructPaths ?? [])],
      acknowledged: assembly?.acknowledgements.map(({ constructPath, rule, reason, source }) => [
        constructPath,
        rule,
        reason,
        source?.locate().file,
      ]),
    };
  };

  it.each([
    ['the manifest', { metadata }, {}, 'out/manifest.json'],
    [
      'a file beside it',
      { additionalMetadataFile: 'A.metadata.json' },
      { 'out/A.metadata.json': metadata },
      'out/A.metadata.json',
    ],
  ])('stands in %s', (_, artifact, files, file) => {
    expect(told(artifact, files)).toEqual({
      paths: [['A1', 'Stack/A/Resource']],
      acknowledged: [
        ['Stack/B', 'imds-hop-limit', 'why', file],
        ['Stack/B', 'b', '', file],
      ],
    });
  });

  it('is of the template that holds them', () => {
    const nested = {
      '/Stack': [{ type: 'aws:cdk:templateFile', data: 'A.json' }],
      '/Stack/Nested': [{ type: 'aws:cdk:templateFile', data: 'N.json' }],
      '/Stack/A': [{ type: 'aws:cdk:logicalId', data: 'A1' }],
      '/Stack/Nested/A': [{ type: 'aws:cdk:logicalId', data: 'A1' }],
      '/Stack/Nested/B': [{ type: 'aws:cdk:logicalId', data: 'B1' }],
      '/Else': [{ type: 'aws:cdk:logicalId', data: 'E1' }],
    };
    expect(told({ metadata: nested }).paths).toEqual([
      ['A1', 'Stack/A'],
      ['E1', 'Else'],
    ]);
  });
});

describe('the line of the app', () => {
  const here = `${__filename}:7:3`;
  const createdAt = (metadata: unknown, path: string) =>
    of(stack(undefined, { metadata })).templates[0]?.assembly?.createdAt?.(path);
  const place = { file: 'test/front-ends/cdk-output/assembly-files.test.ts', line: 7, column: 3 };

  it.each([
    ['its creation', [{ type: 'aws:cdk:creationStack', data: ['...aws-cdk-lib...', `new Nodes (${here})`] }]],
    [
      'the trace of its logical id',
      [{ type: 'aws:cdk:logicalId', data: 'Nodes', trace: [`    at new Nodes (${here})`] }],
    ],
  ])('is told by %s', (_, entries) => {
    expect(createdAt({ '/A/Nodes': entries }, 'A/Nodes')).toEqual(place);
    expect(createdAt({ '/A/Nodes': entries }, 'A/Nodes/Resource')).toEqual(place);
    expect(createdAt({ '/A/Nodes': entries }, 'A/Nodes2')).toBeUndefined();
  });

  it.each([
    ['none', undefined],
    ['no list', 'x'],
    ['no texts', [1, {}]],
    ['of packages only', ['...aws-cdk-lib...']],
  ])('is not told by a trace that is %s', (_, data) => {
    expect(createdAt({ '/A/Nodes': [{ type: 'aws:cdk:creationStack', data }] }, 'A/Nodes')).toBeUndefined();
  });
});
