import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCommand, projectRoot } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';

const place = workspace({
  'app/nodes.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
  'app/bucket.json': '{ "Resources": { "Bucket": { "Type": "AWS::S3::Bucket" } } }',
  'app/eks-guardrails.config.mjs': "console.error('our module');\nexport default {};\n",
});
const modules = join(place, 'node_modules');
const installed = join(modules, 'eks-guardrails');
const kept = join(modules, '.cache/eks-guardrails/compiled');
const packages = join(installed, 'dist/lib/bundle/packages');

describe('what the engine makes of the code of the command', () => {
  beforeEach(() => {
    rmSync(modules, { recursive: true, force: true });
    cpSync(join(dirname(builtCommand()), '../..'), join(installed, 'dist'), { recursive: true });
    cpSync(join(projectRoot, 'package.json'), join(installed, 'package.json'));
  });

  it('is kept beside the packages, and the next process begins with it', () => {
    const first = check();
    expect(first).toMatchObject({ status: 1, stdout: expect.stringContaining('imds-hop-limit') as string });
    expect(first.stderr).toContain('our module');
    const files = keptFiles();
    expect(files.map(({ name }) => name)).toContain('yaml.js');
    expect(check()).toEqual(first);
    const again = keptFiles();
    expect(check()).toEqual(first);
    // What the engine refuses would have been written anew.
    expect(keptFiles()).toEqual(again);
  });

  it('grows by what later processes call, of which the second, the fourth, the eighth … keep theirs', () => {
    const sizes = ['bucket.json', 'nodes.yaml', 'nodes.yaml'].map((input) => {
      run('check', {}, input);
      return Object.fromEntries(keptFiles().map(({ name, size }) => [name, size]));
    });
    const [first, second, third] = sizes.map((kept) => Object.values(kept).reduce((sum, size) => sum + size, 0));
    expect(second).toBeGreaterThan(1.2 * (first ?? 0));
    expect(third).toBe(second);
  });

  it('is told apart by build, and that of another one goes', () => {
    check();
    const [before = ''] = readdirSync(kept);
    const table = join(installed, 'dist/lib/bundle/table.json');
    writeFileSync(table, readFileSync(table, 'utf8').replace(/"build":"\w+"/, '"build":"of-another"'));
    check();
    expect(readdirSync(kept)).toEqual([before.replace(/^\w+/, 'of-another')]);
  });

  it('is not that of a file before somebody changed it by hand', () => {
    expect(run('rulez').stderr).toContain('unknown command');
    const file = join(packages, 'commander.js');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('unknown command', 'strange command'));
    expect(run('rulez').stderr).toContain('strange command');
  });

  it.each([
    ['that is no code of the engine', () => Buffer.from('no code')],
    ['that breaks off', (code: Buffer) => code.subarray(0, code.length / 2)],
    ['that is empty', () => Buffer.alloc(0)],
    ['of zeros', (code: Buffer) => Buffer.alloc(code.length)],
    [
      'with one other byte',
      (code: Buffer) => code.fill(code.readUInt8(code.length >> 2) ^ 0x55, code.length >> 2, (code.length >> 2) + 1),
    ],
  ])('is made again from a file %s', (_, broken) => {
    const whole = check();
    const files = keptFiles();
    for (const { path } of files) writeFileSync(path, broken(readFileSync(path)));
    expect(check()).toEqual(whole);
    const again = new Map(keptFiles().map(({ name, size }) => [name, size]));
    expect(files.filter(({ name, size }) => (again.get(name) ?? 0) < 0.9 * size)).toEqual([]);
  });

  it('is nothing where it can not be written, which nobody hears of', () => {
    mkdirSync(dirname(dirname(kept)), { recursive: true });
    writeFileSync(dirname(kept), 'a file');
    expect(check()).toMatchObject({ status: 1, stderr: expect.not.stringContaining('a file') as string });
    expect(readFileSync(dirname(kept), 'utf8')).toBe('a file');
  });

  it('is not kept by who tells Node.js to keep none', () => {
    expect(check({ NODE_DISABLE_COMPILE_CACHE: '1' }).status).toBe(1);
    expect(existsSync(kept)).toBe(false);
  });
});

function check(environment: NodeJS.ProcessEnv = {}) {
  return run('check', environment);
}

function run(command: string, environment: NodeJS.ProcessEnv = {}, ...inputs: readonly string[]) {
  const main = join(installed, 'dist/lib/cli/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, command, ...inputs], {
    cwd: join(place, 'app'),
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function keptFiles() {
  return readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.js'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs, size } = statSync(path);
      return { name: entry.name, path, mtimeMs, size };
    });
}
