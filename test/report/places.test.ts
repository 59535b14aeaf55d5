import fc from 'fast-check';
import { repositoryPath } from '../../lib/report/places';

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
    ['a.yaml', { root: '/', workingFolder: '/' }, 'a.yaml'],
    ['eks\\main.tf', onWindows, 'infra/eks/main.tf'],
    ['C:\\repo\\a.yaml', onWindows, 'a.yaml'],
    ['D:\\other\\a.yaml', onWindows, 'D:/other/a.yaml'],
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
