import fc from 'fast-check';
import { Places, repositoryPath, stablePath } from '../../lib/reports/places';
import { contextWith, resultOf } from './hand-made';

describe('repositoryPath', () => {
  const inFolder = { root: '/srv/repo', workingFolder: '/srv/repo/infra' };
  const onWindows = { root: 'C:\\repo', workingFolder: 'c:\\repo\\infra' };

  it.each([
    ['main.tf', inFolder, 'infra/main.tf'],
    ['./eks/../main.tf', inFolder, 'infra/main.tf'],
    ['../app/cdk.out', inFolder, 'app/cdk.out'],
    ['/srv/repo/a.yaml', inFolder, 'a.yaml'],
    ['/srv/repository/a.yaml', inFolder, '/srv/repository/a.yaml'],
    ['../../other/a.yaml', inFolder, '/srv/other/a.yaml'],
    ['..', inFolder, '.'],
    ['a/C:/b.yaml', inFolder, 'infra/a/C:/b.yaml'],
    ['c:/repo/a.yaml', { root: 'C:/repo/', workingFolder: 'C:/' }, 'a.yaml'],
    ['C:x.yaml', inFolder, 'infra/C:x.yaml'],
    ['a.yaml', { root: '/', workingFolder: '/' }, 'a.yaml'],
    ['eks\\main.tf', onWindows, 'infra/eks/main.tf'],
    ['C:\\repo\\a.yaml', onWindows, 'a.yaml'],
    ['D:\\other\\a.yaml', onWindows, 'D:/other/a.yaml'],
    ['/link/infra/a.yaml', { ...inFolder, otherRoots: ['/link'] }, 'infra/a.yaml'],
    ['/linked/a.yaml', { ...inFolder, otherRoots: ['/link'] }, '/linked/a.yaml'],
    ['./a//b.yaml', undefined, 'a/b.yaml'],
    ['.', undefined, '.'],
  ])('%s', (file, repository, expected) => {
    expect(repositoryPath(file, repository)).toBe(expected);
  });

  it('gives a path that is tidy already back as it is', () => {
    const segment = fc.constantFrom('a', 'b.yaml', '..', '.', '');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.constantFrom('', '/', '//', 'C:/'), (segments, prefix) => {
        const path = repositoryPath(prefix + segments.join('/'));
        expect(repositoryPath(path)).toBe(path);
      }),
    );
  });
});

describe('stablePath', () => {
  const atHome = { root: '/home/me/repo', workingFolder: '/home/me/repo/infra' };
  const onRunner = { root: '/builds/group/a/repo', workingFolder: '/builds/group/a/repo' };

  it.each([
    ['main.tf', atHome, 'infra/main.tf'],
    ['/home/me/repo/infra/../main.tf', atHome, 'main.tf'],
    ['/home/me/plans/a.json', atHome, '../plans/a.json'],
    ['../../plans/a.json', atHome, '../plans/a.json'],
    ['/tmp/a.json', atHome, '../tmp/a.json'],
    ['/tmp/a.json', onRunner, '../tmp/a.json'],
    ['/builds/group', onRunner, '..'],
    ['D:\\plans\\a.json', { root: 'C:\\repo', workingFolder: 'C:\\repo' }, '../D:/plans/a.json'],
    ['./a//b.yaml', undefined, 'a/b.yaml'],
    ['', atHome, ''],
  ])('%s', (file, repository, expected) => {
    expect(stablePath(file, repository)).toBe(expected);
  });
});

describe('the end of what stands at a place', () => {
  const places = new Places(resultOf([]), contextWith({ 'a.yaml': 'Key: value\n\nb: 1\n', 'one.json': '{}' }));

  it.each([
    ['a key', 1, 1, 4],
    ['the end of a line', 3, 4, 5],
    ['a column behind it', 3, 6, undefined],
    ['an empty line', 2, 1, undefined],
    ['no line', 0, 1, undefined],
    ['a line behind the last one', 4, 1, undefined],
    ['a line far behind it', 9, 0, undefined],
  ])('%s', (_, line, column, expected) => {
    expect(places.endColumn({ file: 'a.yaml', line, column })).toBe(expected);
  });

  it('is not known of a file that is gone', () => {
    expect(places.endColumn({ file: 'gone.yaml', line: 1, column: 1 })).toBeUndefined();
    expect(['a.yaml', 'one.json', 'gone.yaml'].map((file) => places.isOneLine({ file, line: 1, column: 1 }))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
