import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expandPattern, isPattern } from '../../lib/readers/path-pattern';
import { nearPath, nearPattern } from '../../lib/readers/near-path';
import { workspace } from './workspace';

const folder = workspace({
  'infra/main.tf': '',
  'infra/nodes.tf': '',
  'infra/modules/eks/main.tf': '',
  'infra/modules/eks/node_modules/dep/main.tf': '',
  'infra/.terraform/modules/x/main.tf': '',
  'infra/.hidden/main.tf': '',
  'templates/a.yaml': '',
  'templates/b1.json': '',
  'templates/b2.json': '',
  'templates/deep/c.yaml': '',
});
symlinkSync(join(folder, 'infra'), join(folder, 'infra/modules/loop'));
const from = (pattern: string): string[] => expandPattern(`${folder}/${pattern}`).map((path) => path.slice(folder.length + 1));

describe('patterns of paths', () => {
  it.each([
    ['infra/*.tf', ['infra/main.tf', 'infra/nodes.tf']],
    ['infra/**/*.tf', ['infra/main.tf', 'infra/modules/eks/main.tf', 'infra/nodes.tf']],
    ['**/c.yaml', ['templates/deep/c.yaml']],
    ['templates/**/**/*.yaml', ['templates/a.yaml', 'templates/deep/c.yaml']],
    ['templates/b?.json', ['templates/b1.json', 'templates/b2.json']],
    ['templates/b[!2-9].json', ['templates/b1.json']],
    ['templates/b[12].json', ['templates/b1.json', 'templates/b2.json']],
    ['templates/{a,deep/c}.yaml', ['templates/a.yaml', 'templates/deep/c.yaml']],
    ['{infra,templates}/*.{tf,yaml}', ['infra/main.tf', 'infra/nodes.tf', 'templates/a.yaml']],
    ['infra/.h*/*.tf', ['infra/.hidden/main.tf']],
    ['infra/*/eks', ['infra/modules/eks']],
    ['infra/modules/**', ['infra/modules', 'infra/modules/eks', 'infra/modules/eks/main.tf', 'infra/modules/loop']],
    ['nowhere/**/*.tf', []],
    ['infra/main.tf/*', []],
  ])('%s', (pattern, expected) => {
    expect(from(pattern)).toEqual(expected);
  });

  it('takes both separators on Windows', () => {
    expect(expandPattern(`${folder}/infra\\*.tf`, /[\\/]+/)).toEqual([`${folder}/infra/main.tf`, `${folder}/infra/nodes.tf`]);
  });

  it('is no pattern without a special character', () => {
    expect(['a/b.tf', 'a]b', 'a{b}', 'a[]'].map(isPattern)).toEqual([false, false, false, false]);
  });

  it('answers in time, whatever the pattern', () => {
    writeFileSync(join(folder, 'a'.repeat(200)), '');
    const start = Date.now();
    expect(from(`${'*a'.repeat(100)}b`)).toEqual([]);
    expect(from('{a,b}'.repeat(40))).toEqual([]);
    expect(from(`${'**/'.repeat(30)}nothing`)).toEqual([]);
    expect(Date.now() - start).toBeLessThan(3000);
  });

  it('never throws', () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('*', '?', '[', ']', '!', '-', '{', '}', ',', 'a', '.', '/', '\\'), maxLength: 14 }), (pattern) => {
        expect(Array.isArray(expandPattern(`${folder}/empty/${pattern}`.replaceAll('..', '.')))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('near paths', () => {
  it.each([
    ['infra/man.tf', 'infra/main.tf'],
    ['infar/main.tf', 'infra/main.tf'],
    ['tempaltes/', 'templates'],
    ['templates/quite-different.yaml', undefined],
    ['nothing/like/it', undefined],
  ])('%s', (path, expected) => {
    expect(nearPath(join(folder, path))).toBe(expected === undefined ? undefined : join(folder, expected));
  });

  it.each([
    ['templates/*.yml', 'templates/*.yaml'],
    ['infra/main*.json', 'infra/main*.tf'],
    ['templates/c*.yaml', 'templates/**/c*.yaml'],
    ['tempaltes/*.yaml', 'templates/*.yaml'],
    ['templates/zz*.exe', undefined],
  ])('%s', (pattern, expected) => {
    expect(nearPattern(join(folder, pattern))).toBe(expected === undefined ? undefined : join(folder, expected));
  });
});
