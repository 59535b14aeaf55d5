import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expandPattern, hasForeignSyntax, isPattern } from '../../lib/front-ends/path-pattern';
import { nearPath, nearPattern } from '../../lib/front-ends/near-path';
import { cpuTime } from '../cpu-time';
import { workspace } from '../cli/workspace';
import { itWithAll, runs } from '../share';

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
  'odd/f[1].yaml': '',
  'odd/{a,b}.yaml': '',
  'odd/𝄞.yaml': '',
  '[odd]/in.yaml': '',
  'locked/listed/y.yaml': '',
  'locked/secret/z.yaml': '',
});
symlinkSync('self', join(folder, 'odd/self'));
symlinkSync('nowhere.yaml', join(folder, 'odd/gone.yaml'));
symlinkSync(join(folder, 'infra'), join(folder, 'infra/modules/loop'));
const from = (pattern: string): string[] =>
  expandPattern(`${folder}/${pattern}`).paths.map((path) => path.slice(folder.length + 1));

/** Root may look everywhere. */
function withoutRights<T>(action: () => T): T {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}

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
    ['odd/f[[]1].yaml', ['odd/f[1].yaml']],
    ['odd/f\\[1\\].yaml', ['odd/f[1].yaml']],
    ['[odd]/*', ['[odd]/in.yaml']],
    ['odd/\\{a,b\\}*', ['odd/{a,b}.yaml']],
    ['odd/?.yaml', ['odd/𝄞.yaml']],
    ['odd/*/x.yaml', []],
    ['odd/{self,gone}*', ['odd/gone.yaml', 'odd/self']],
  ])('%s', (pattern, expected) => {
    expect(from(pattern)).toEqual(expected);
  });

  it('takes both separators on Windows', () => {
    expect(expandPattern(`${folder}/infra\\*.tf`, /[\\/]+/).paths).toEqual([
      `${folder}/infra/main.tf`,
      `${folder}/infra/nodes.tf`,
    ]);
  });

  it('is no pattern without a special character', () => {
    expect(['a/b.tf', 'a]b', 'a{b}', 'a[]'].map(isPattern)).toEqual([false, false, false, false]);
  });

  it('tells where it may not look', () => {
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'locked/listed'), 0o444);
    chmodSync(join(folder, 'locked/secret'), 0o000);
    const asNobody = (pattern: string) => withoutRights(() => expandPattern(`${folder}/locked/${pattern}`));
    const short = ({ paths, problems }: ReturnType<typeof expandPattern>) => ({
      paths,
      problems: [...problems.keys()].map((path) => path.slice(folder.length + 8)),
    });
    for (const pattern of ['**/*.yaml', '*/*.yaml'])
      expect(short(asNobody(pattern))).toEqual({ paths: [], problems: ['listed/y.yaml', 'secret'] });
    expect(short(asNobody('secret/*.yaml'))).toEqual({ paths: [], problems: ['secret'] });
    expect(short(asNobody('s*/z.yaml'))).toEqual({ paths: [], problems: ['secret/z.yaml'] });
  });

  it.each([
    ['a@(b|c).yaml', true],
    ['x{1..3}.yaml', true],
    ['!(x)*.yaml', true],
    ['a (1).yaml', false],
    ['a{b,c..d}', false],
  ])('has syntax that is none here: %s', (pattern, expected) => {
    expect(hasForeignSyntax(pattern)).toBe(expected);
  });

  itWithAll('answers in time, whatever the pattern', () => {
    writeFileSync(join(folder, 'a'.repeat(200)), '');
    const elapsed = cpuTime();
    expect(from(`${'*a'.repeat(100)}b`)).toEqual([]);
    expect(expandPattern('{a,b}'.repeat(40))).toMatchObject({ paths: [], isTooWide: true });
    expect(from(`${'**/'.repeat(30)}nothing`)).toEqual([]);
    expect(elapsed()).toBeLessThan(3000);
  });

  it('never throws', () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('*', '?', '[', ']', '!', '-', '{', '}', ',', 'a', '.', '/', '\\'),
          maxLength: 14,
        }),
        (pattern) => {
          expect(expandPattern(`${folder}/empty/${pattern}`.replaceAll('..', '.')).problems.size).toBe(0);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('near paths', () => {
  it.each([
    ['infra/man.tf', 'infra/main.tf'],
    ['infar/main.tf', 'infra/main.tf'],
    ['tempaltes/', 'templates'],
    ['infra/gone.tf', undefined],
    ['templates/c2.json', 'templates/b2.json'],
    ['infra\\main.tf', 'infra/main.tf'],
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
    ['templates\\**\\*.yaml', 'templates/**/*.yaml'],
    ['templates/zz*.exe', undefined],
  ])('%s', (pattern, expected) => {
    expect(nearPattern(join(folder, pattern))).toBe(expected === undefined ? undefined : join(folder, expected));
  });
});
