import { isCdktfManifest, readCdktfOutput } from '../../../lib/front-ends/cdktf-output/read';
import { cdktfStackOf } from '../../../lib/front-ends/terraform/configuration-folders';
import { parseJsonConfiguration } from '../../../lib/terraform/json';
import { filesInMemory } from '../../terraform/module/configurations';

const STACK = '{"resource": {"aws_x": {"y": {}}}}';

function read(manifest: unknown, files: Readonly<Record<string, string>> = {}) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const { roots, diagnostics } = readCdktfOutput(
    'app/cdktf.out',
    filesInMemory({ 'app/cdktf.out/manifest.json': text, ...files }),
  );
  return {
    roots,
    problems: diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  };
}

const listing = (stack: Readonly<Record<string, unknown>>) => ({ version: '0.21.0', stacks: { net: stack } });
const FILE = 'app/cdktf.out/stacks/net/cdk.tf.json';
const written = { synthesizedStackPath: 'stacks/net/cdk.tf.json' };

describe('a manifest', () => {
  it.each([
    ['{"version": "0.21.0", "stacks": {}}', true],
    ['{"stacks" : { } , "version" : "0.21.0"}', true],
    ['{"stacks": {"a": {"synthesizedStackPath": "x"}}}', true],
    ['{"version": "0.21.0", "stacks": {"a": {}}}', false],
    ['{"stacks": {}}', false],
    ['{"stacks": [], "synthesizedStackPath": ""}', false],
    ['{"version": "48.0.0", "artifacts": {"synthesizedStackPath": {}}}', false],
  ])('%s is one of CDKTF: %s', (text, expected) => {
    expect(isCdktfManifest(text)).toBe(expected);
  });

  it('tells its stacks', () => {
    const stack = { ...written, name: 'network', constructPath: 'Prod/network', workingDirectory: 'stacks/net' };
    const { roots, problems } = read(listing(stack), { [FILE]: STACK });
    expect(problems).toEqual([]);
    expect(roots).toMatchObject([
      {
        folder: 'app/cdktf.out/stacks/net',
        files: [{ file: FILE }],
        variableFiles: [],
        stack: 'network',
        frontEnd: 'cdktf',
        cdktf: { app: 'app/cdktf.out', constructPath: 'Prod/network' },
      },
    ]);
  });

  it('may leave out what its keys tell', () => {
    const { roots } = read(listing(written), { [FILE]: STACK });
    expect(roots).toMatchObject([{ stack: 'net', cdktf: { constructPath: 'net' } }]);
  });

  it.each([
    [{}, 'stack net names no file'],
    [{ name: 'network' }, 'stack network names no file'],
    [{ synthesizedStackPath: '../cdk.tf.json' }, 'the file of stack net stands outside of this folder'],
    [{ synthesizedStackPath: 'stacks\\..\\cdk.tf.json' }, 'the file of stack net stands outside of this folder'],
    [{ synthesizedStackPath: '/cdk.tf.json' }, 'the file of stack net stands outside of this folder'],
    [{ ...written, workingDirectory: 'stacks' }, "the file of stack net doesn't stand in its working directory"],
  ])('with the stack %j is not read further', (stack, message) => {
    const { roots, problems } = read(listing(stack), {
      [FILE]: STACK,
      'app/cdk.tf.json': STACK,
      '/cdk.tf.json': STACK,
    });
    expect(roots).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^app/cdktf.out/manifest.json:1:\\d+ ${message}$`))]);
  });

  it.each([
    ['{"stacks": []}', 'the manifest lists no stacks, so it is none of CDKTF'],
    ['[]', 'the manifest lists no stacks, so it is none of CDKTF'],
  ])('%s is none', (text, message) => {
    expect(read(text)).toEqual({
      roots: [],
      problems: [`app/cdktf.out/manifest.json:1:1 ${message}`],
    });
  });

  it('that is missing or broken is told, once', () => {
    const missing = readCdktfOutput('app/cdktf.out', filesInMemory({}));
    expect(missing).toMatchObject({
      roots: [],
      diagnostics: [{ file: 'app/cdktf.out/manifest.json', line: 1, column: 1 }],
    });
    expect(missing.diagnostics).toHaveLength(1);
    expect(read('{')).toMatchObject({ roots: [], problems: [expect.stringContaining('manifest.json:1:2')] });
  });

  it('that names a file that is not there is told', () => {
    expect(read(listing(written))).toEqual({ roots: [], problems: [`${FILE}:1:1 there is no such file or folder`] });
  });
});

describe('a stack in HCL', () => {
  const hcl = 'app/cdktf.out/stacks/net/cdk.tf';
  const metadata = 'stacks/net/metadata.json';
  const told = JSON.stringify({
    '//': { metadata: { stackName: 'network' } },
    resource: { aws_x: { y: { '//': { metadata: { path: 'net/Y' } } } } },
  });
  const stack = { synthesizedStackPath: 'stacks/net/cdk.tf', stackMetadataPath: metadata };
  const fileOf = (one: Readonly<Record<string, unknown>>, files: Readonly<Record<string, string>>) => {
    const [file] = read(listing(one), files).roots[0]?.files ?? [];
    if (file === undefined) throw new Error('there is none');
    return file;
  };
  const HCL = 'resource "aws_x" "y" {\n  a = 1\n}\n';

  it('has its constructs told by a file of its own', () => {
    const file = fileOf(stack, { [hcl]: HCL, [`app/cdktf.out/${metadata}`]: told });
    expect([...(file.constructPaths ?? [])]).toEqual([['aws_x.y', 'net/Y']]);
    expect(cdktfStackOf(file)).toBe('network');
    expect(file.body.blocks.map(({ labels }) => labels)).toEqual([['aws_x', 'y']]);
  });

  it.each([
    ['is not there', stack, {}],
    ['is not named', { synthesizedStackPath: 'stacks/net/cdk.tf' }, { [`app/cdktf.out/${metadata}`]: told }],
    ['stands outside', { ...stack, stackMetadataPath: '../metadata.json' }, { 'app/metadata.json': told }],
  ])('is read without, where that file %s', (_, one, files) => {
    const file = fileOf(one, { [hcl]: HCL, ...files });
    expect([file.constructPaths, cdktfStackOf(file), file.body.blocks.length]).toEqual([undefined, undefined, 1]);
  });

  it('may be JSON all the same', () => {
    expect(fileOf(stack, { [hcl]: ` \n${STACK}` }).body.blocks.map(({ labels }) => labels)).toEqual([['aws_x', 'y']]);
  });

  it('has the name of its stack only where it is told', () => {
    expect(cdktfStackOf(parseJsonConfiguration(STACK, 'a.tf.json'))).toBeUndefined();
    expect(cdktfStackOf(parseJsonConfiguration('{"//": {"metadata": {"stackName": 5}}}', 'a.tf.json'))).toBeUndefined();
  });
});

describe('files of variables', () => {
  const files = {
    [FILE]: STACK,
    'app/cdktf.out/stacks/net/terraform.tfvars': 'a = 1',
    'app/terraform.tfvars': 'a = 2',
    'app/b.auto.tfvars': 'a = 3',
    'app/other.tfvars': 'a = 4',
  };
  const names = (more: Readonly<Record<string, string>>) =>
    read(listing(written), { ...files, ...more }).roots[0]?.variableFiles.map(({ file, text }) => `${file} ${text}`);

  it('are those beside the stack, and those of the project after them', () => {
    const own = 'app/cdktf.out/stacks/net/terraform.tfvars a = 1';
    const all = [own, 'app/terraform.tfvars a = 2', 'app/b.auto.tfvars a = 3'];
    expect(names({ 'app/cdktf.json': '{}' })).toEqual(all);
    expect(names({ 'app/cdktn.json': '{}' })).toEqual(all);
    expect(names({ 'app/cdk.json': '{}' })).toEqual([own]);
  });
});
