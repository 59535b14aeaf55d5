import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { whyNotWritten, writeAtomically } from '../../../lib/cli/output/write-file';
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

describe('a file that is written', () => {
  const folder = workspace({ 'old/report.json': 'old', 'repository/.git/HEAD': 'ref: x', 'outside/a.json': 'kept' });
  const at = (name: string): string => join(folder, name);
  const refusal = async (name: string): Promise<string | undefined> => {
    try {
      await writeAtomically(at(name), ['new']);
      return 'it was written';
    } catch (error) {
      return whyNotWritten(error);
    }
  };

  it('takes the place of the old one in one step: whoever reads that goes on with it', async () => {
    const reader = openSync(at('old/report.json'), 'r');
    try {
      await writeAtomically(at('old/report.json'), ['new', ' and', ' longer']);
      expect(readFileSync(reader, 'utf8')).toBe('old');
    } finally {
      closeSync(reader);
    }
    expect(readFileSync(at('old/report.json'), 'utf8')).toBe('new and longer');
    expect(readdirSync(at('old'))).toEqual(['report.json']);
  });

  it('stays as it was where the text can not be made to its end, and nothing is left beside it', async () => {
    function* broken(): Iterable<string> {
      yield 'x'.repeat(1 << 17);
      throw new RangeError('no more');
    }
    writeFileSync(at('old/report.json'), 'old');
    await expect(writeAtomically(at('old/report.json'), broken())).rejects.toThrow('no more');
    expect(readFileSync(at('old/report.json'), 'utf8')).toBe('old');
    expect(readdirSync(at('old'))).toEqual(['report.json']);
    expect(whyNotWritten(new RangeError('no more'))).toBeUndefined();
  });

  it('is made with its folders, also where a link leads to what is not there yet', async () => {
    symlinkSync('later/b.json', at('link.json'));
    await writeAtomically(at('new/deep/a.json'), ['a']);
    await writeAtomically(at('link.json'), ['b']);
    expect([readFileSync(at('new/deep/a.json'), 'utf8'), readFileSync(at('later/b.json'), 'utf8')]).toEqual(['a', 'b']);
    expect(lstatSync(at('link.json')).isSymbolicLink()).toBe(true);
  });

  it('is none where something else stands, and the reason is told', async () => {
    mkdirSync(at('folder'));
    symlinkSync('round', at('round'));
    symlinkSync('../outside/a.json', at('repository/out.json'));
    expect(await refusal('folder')).toBe('it is a folder');
    expect(await refusal('other/')).toBe('it is a folder');
    expect(await refusal('outside/a.json/b.json')).toBe('a part of its path is a file');
    expect(await refusal('round')).toBe('its symbolic links go round in a circle');
    expect(await refusal('x'.repeat(300))).toBe('its name is too long');
    expect(await refusal('repository/out.json')).toBe('a symbolic link in its path leads out of the repository');
    expect(readFileSync(at('outside/a.json'), 'utf8')).toBe('kept');
  });
});
