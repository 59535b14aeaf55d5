import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './built-command';
import { workspace } from './workspace';

const folder = workspace({
  'compiled.js': readFileSync(join(projectRoot, 'scripts', 'compiled.js'), 'utf8'),
  'packages/part.js': "'use strict';\nmodule.exports = { join: require('node:path').join, answer: () => 'first' };\n",
});

describe('files as V8 compiled them', () => {
  beforeEach(() => {
    rmSync(join(folder, 'compiled'), { recursive: true, force: true });
    writeFileSync(join(folder, 'packages', 'part.js'), partOf('first'));
  });

  it('are what the file is, and taken from then on', () => {
    expect(answerOf([], 'compiled.write();')).toEqual({ isThere: false, answer: 'first', isSame: true });
    expect(compiledFiles()).toEqual(['part.v8']);
    // A text of the same length shows whose code it is.
    writeFileSync(join(folder, 'packages', 'part.js'), partOf('other'));
    expect(answerOf()).toEqual({ isThere: true, answer: 'first', isSame: true });
  });

  it.each<[string, () => readonly string[]]>([
    ['of other flags', () => ['--no-opt', '--max-lazy']],
    ['of another text', () => (writeFileSync(join(folder, 'packages', 'part.js'), partOf('second')), [])],
    ['that are cut off', () => (cutOff(), [])],
  ])('%s are not taken', (_, change) => {
    answerOf([], 'compiled.write();');
    const flags = change();
    const isOther = readFileSync(join(folder, 'packages', 'part.js'), 'utf8').includes('second');
    expect(answerOf(flags)).toEqual({ isThere: true, answer: isOther ? 'second' : 'first', isSame: true });
  });
});

function partOf(answer: string): string {
  return `'use strict';\nmodule.exports = { join: require('node:path').join, answer: () => '${answer}' };\n`;
}

function answerOf(flags: readonly string[] = [], before = ''): unknown {
  const code = `const compiled = require('./compiled.js');
    const isThere = compiled.isThere();
    ${before}
    const part = compiled.load('packages/part');
    console.log(JSON.stringify({ isThere, answer: part.answer(), isSame: compiled.load('packages/part') === part }));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function compiledFiles(): readonly string[] {
  return readdirSync(join(folder, 'compiled'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.v8'))
    .map((name) => name.slice(name.lastIndexOf('/') + 1));
}

function cutOff(): void {
  const [name = ''] = readdirSync(join(folder, 'compiled'), { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.v8'),
  );
  const file = join(folder, 'compiled', name);
  writeFileSync(file, readFileSync(file).subarray(0, 100));
}
