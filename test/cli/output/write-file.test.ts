import { chmodSync, chownSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../../lib/cli/output/write-file';
import { skippedNote } from '../../needs';
import { workspace } from '../workspace';

const root = workspace({});

it('keeps the other names of a file', async () => {
  const [file, other] = [join(root, 'a.yaml'), join(root, 'b.yaml')];
  writeFileSync(file, 'old and longer');
  linkSync(file, other);
  await writeAtomically(file, ['new']);
  expect(readFileSync(other, 'utf8')).toBe('new');
  expect(statSync(file).nlink).toBe(2);
});

// Only root may give files away.
const lack = process.getuid?.() === 0 ? undefined : 'only root may give a file away';
(lack === undefined ? it : it.skip)(`keeps owner and mode of a file${skippedNote(lack)}`, async () => {
  const file = join(root, 'owned.yaml');
  writeFileSync(file, 'old');
  chownSync(file, 65534, 65534);
  chmodSync(file, 0o640);
  await writeAtomically(file, ['new']);
  const { uid, gid, mode } = statSync(file);
  expect([uid, gid, mode & 0o777, readFileSync(file, 'utf8')]).toEqual([65534, 65534, 0o640, 'new']);
});
