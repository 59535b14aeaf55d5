import { join } from 'node:path';
import { patchNames } from '../../../lib/cli/fix/patch-names';
import { workspace } from '../workspace';

const root = workspace({
  'repository/.git/HEAD': '',
  'repository/sub/a.yaml': '',
  'repository/b.yaml': '',
  'c.yaml': '',
});
const sub = join(root, 'repository/sub');

it.each<[string, string[], string | undefined, string[]]>([
  ['in the working directory', ['repository/sub/a.yaml'], undefined, ['a.yaml']],
  ['in the repository', ['repository/sub/a.yaml', 'repository/b.yaml'], 'repository', ['sub/a.yaml', 'b.yaml']],
  ['elsewhere', ['repository/sub/a.yaml', 'c.yaml'], '', ['repository/sub/a.yaml', 'c.yaml']],
])('names files %s without a way up', (_, files, folder, expected) => {
  const paths = files.map((file) => join(root, file));
  const names = patchNames(paths, sub);
  expect(names.folder).toBe(folder === undefined ? undefined : join(root, folder));
  expect(paths.map((path) => names.nameOf(path))).toEqual(expected);
});
