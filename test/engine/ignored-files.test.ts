import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileMatcher, misspeltFolder } from '../../lib/engine/ignored-files';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  for (const name of ['repo/stacks/prod/main.yaml', 'repo/envs/dev/main.yaml', 'repo/file.yaml']) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('a pattern of files', () => {
  it.each([
    ['main.yaml', 'stacks/prod/main.yaml', true],
    ['main.yaml', 'main.yaml', true],
    ['*.yaml', 'stacks/prod/main.yaml', true],
    ['main', 'stacks/prod/main.yaml', false],
    ['stacks', 'stacks/prod/main.yaml', true],
    ['stacks', 'more/stacks/prod/main.yaml', false],
    ['stack', 'stacks/prod/main.yaml', false],
    ['stack*', 'stacks/prod/main.yaml', false],
    ['stacks/prod', 'stacks/prod/main.yaml', true],
    ['stacks/pro', 'stacks/prod/main.yaml', false],
    ['stacks/*', 'stacks/prod/main.yaml', false],
    ['stacks/**', 'stacks/prod/main.yaml', true],
    ['stacks/', 'stacks/prod/main.yaml', true],
    ['stacks/', 'stacks', false],
    ['prod/', 'stacks/prod/main.yaml', false],
    ['./stacks/prod/main.yaml', 'stacks/prod/main.yaml', true],
    ['././main.yaml', 'stacks/prod/main.yaml', true],
    ['a./main.yaml', 'a./main.yaml', true],
    ['a./main.yaml', 'amain.yaml', false],
    ['{stacks,envs}/*/main.yaml', 'envs/dev/main.yaml', true],
    ['{stacks,envs}/*/main.yaml', 'file.yaml', false],
    ['../other.yaml', '../other.yaml', true],
    ['stacks/prod/main.yaml', 'envs/stacks/prod/main.yaml', false],
  ])('%s covers %s: %s', (pattern, file, expected) => {
    expect(fileMatcher(pattern, join(root, 'repo'))(join(root, 'repo', file))).toBe(expected);
  });

  it('covers what is reached through a link, told from either side', () => {
    symlinkSync('repo', join(root, 'link'));
    symlinkSync('stacks', join(root, 'repo/current'));
    for (const folder of ['repo', 'link']) {
      for (const from of ['repo', 'link'])
        expect(fileMatcher('stacks/**', join(root, folder))(join(root, from, 'stacks/prod/main.yaml'))).toBe(true);
      // What isn't there has no other name.
      expect(fileMatcher('stacks/**', join(root, folder))(join(root, folder, 'stacks/gone.yaml'))).toBe(true);
      for (const pattern of ['current/**', 'stacks/**'])
        expect(fileMatcher(pattern, join(root, folder))(join(root, folder, 'current/prod/main.yaml'))).toBe(true);
    }
  });
});

describe('a folder that a pattern names', () => {
  it.each([
    ['stack/*.yaml', { written: 'stack', meant: 'stacks' }],
    ['stack/prod/main.yaml', { written: 'stack', meant: 'stacks' }],
    ['stacks/prd/main.yaml', { written: 'stacks/prd', meant: 'stacks/prod' }],
    ['./stacks//prd/*', { written: 'stacks/prd', meant: 'stacks/prod' }],
    ['stacks/prd/', { written: 'stacks/prd', meant: 'stacks/prod' }],
    ['{stacks,env}/*', { written: 'env', meant: 'envs' }],
    ['{gone,env}/*', { written: 'env', meant: 'envs' }],
    // The last part is a file, which may come later.
    ['stacks/prd', undefined],
    ['stack', undefined],
    ['stacks/prod/*', undefined],
    ['stacks/*/prd/main.yaml', undefined],
    ['stacks/pro?/main.yaml', undefined],
    ['cdk.out/*.json', undefined],
    ['stacks/gone/*', undefined],
    // What is in a folder that isn't there can't be looked up.
    ['gone/prod/*', undefined],
    // A file is no folder that anybody means.
    ['fle.yaml/*', undefined],
    ['file.yaml/prd/*', undefined],
  ])('%s: %j', (pattern, expected) => {
    expect(misspeltFolder(pattern, join(root, 'repo'))).toEqual(expected);
  });

  it('may be meant to be a link', () => {
    symlinkSync('stacks', join(root, 'repo/current'));
    expect(misspeltFolder('curent/*', join(root, 'repo'))).toEqual({ written: 'curent', meant: 'current' });
  });

  it('is not looked up where nothing is', () => {
    expect(misspeltFolder('stack/*', join(root, 'gone'))).toBeUndefined();
  });
});
