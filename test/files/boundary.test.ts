import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { gitRootOf, isElsewhere, leadsOut, ReadBoundary, trustedOwners, upwards } from '../../lib/files/boundary';

const OUTSIDE = 'it is outside of the repository that is checked, so it is not read';
const OUTSIDE_OF_FOLDER = 'it is outside of the folder that is checked, so it is not read';
const OF_GIT = "it belongs to git's own data, so it is not read";

let root: string;
let working: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'boundary-')));
  mkdirSync(at('repo/.git'), { recursive: true });
  for (const folder of ['repo/a/b', 'repo/..c', 'plain/x', 'other']) mkdirSync(at(folder), { recursive: true });
  working = at('other');
  jest.spyOn(process, 'cwd').mockImplementation(() => working);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function at(path: string): string {
  return join(root, path);
}

function link(path: string, target: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
  return at(path);
}

/** A boundary around folders. */
function around(...folders: readonly string[]): ReadBoundary {
  const boundary = new ReadBoundary();
  for (const folder of folders) boundary.addFolder(at(folder));
  return boundary;
}

describe('what is read', () => {
  it('is what is in the repository of a folder that is named', () => {
    const boundary = around('repo/a');
    for (const path of ['repo', 'repo/a/b/file', 'repo/..c/file', 'repo/x', 'repo/.github/x', 'repo/a.git/x'])
      expect(boundary.refusal(at(path))).toBeUndefined();
    for (const path of ['', 'plain/x', 'repository', 'other']) expect(boundary.refusal(at(path))).toBe(OUTSIDE);
    for (const path of ['repo/.git', 'repo/.git/config', 'repo/a/.git/config', 'repo/.GIT/config'])
      expect(boundary.refusal(at(path))).toBe(OF_GIT);
  });

  it('is what is in the folder, outside of any repository', () => {
    const boundary = around('plain/x');
    expect(boundary.refusal(at('plain/x/file'))).toBeUndefined();
    expect(boundary.refusal(at('plain/y'))).toBe(OUTSIDE_OF_FOLDER);
  });

  it('is what is in the working folder, if that holds it', () => {
    working = at('plain');
    expect(around('plain/x').refusal(at('plain/y'))).toBeUndefined();
    expect(around('other').refusal(at('plain/y'))).toBe(OUTSIDE_OF_FOLDER);
    working = at('gone');
    expect(around('plain/x').refusal(at('plain/y'))).toBe(OUTSIDE_OF_FOLDER);
    expect(around('plain/x').refusal(at('plain/x/y'))).toBeUndefined();
  });

  it('is nothing for a folder that does not exist', () => {
    const boundary = around('gone');
    expect(boundary.refusal(at('gone/file'))).toBe(OUTSIDE);
  });

  it('is a file that is named, and what is around it', () => {
    writeFileSync(at('repo/.git/config'), '');
    link('plain/x/link', at('repo/.git/config'));
    const boundary = around('other');
    expect(boundary.refusal(at('repo/.git/config'))).toBe(OUTSIDE_OF_FOLDER);
    boundary.addFile(at('plain/x/link'));
    expect(boundary.refusal(at('repo/.git/config'))).toBeUndefined();
    expect(boundary.refusal(at('plain/x/other'))).toBeUndefined();
    expect(boundary.refusal(at('repo/a'))).toBe(OUTSIDE_OF_FOLDER);
    boundary.addFile(at('plain/gone'));
    expect(boundary.refusal(at('plain/y'))).toBeUndefined();
  });

  it('are modules elsewhere, where no repository tells what belongs together', () => {
    const [open, closed] = [around('other'), around('repo/a')];
    writeFileSync(at('plain/x/main.tf'), '');
    for (const boundary of [open, closed]) {
      boundary.addModule(at('plain/x'));
      boundary.addModule(at('gone'));
    }
    expect(open.refusal(at('plain/x/file'))).toBeUndefined();
    expect(open.refusal(at('plain/y'))).toBe(OUTSIDE_OF_FOLDER);
    expect(closed.refusal(at('plain/x/file'))).toBe(OUTSIDE);
    // A file is no module.
    const other = around('other');
    other.addModule(at('plain/x/main.tf'));
    expect(other.refusal(at('plain/x/main.tf'))).toBe(OUTSIDE_OF_FOLDER);
  });

  it.each(['main.tf', 'main.tf.json', 'main.tofu'])(
    'are no folders without configuration, which a call may not open: %s',
    (name) => {
      const boundary = around('other');
      boundary.addModule(at('plain/x'));
      expect(boundary.refusal(at('plain/x/file'))).toBe(OUTSIDE_OF_FOLDER);
      writeFileSync(at(`plain/x/${name}`), '');
      boundary.addModule(at('plain/x'));
      expect(boundary.refusal(at('plain/x/file'))).toBeUndefined();
    },
  );

  it("is what is git's of one folder only if it is of all around it", () => {
    mkdirSync(at('repo/.git/hooks'));
    writeFileSync(at('repo/.git/hooks/main.tf'), '');
    const boundary = around('repo/a', 'other');
    boundary.addModule(at('repo/.git/hooks'));
    expect(boundary.refusal(at('repo/.git/hooks/main.tf'))).toBeUndefined();
    expect(boundary.refusal(at('repo/.git/config'))).toBe(OF_GIT);
  });
});

describe('a path that is written to', () => {
  it.each([
    ['through no link', 'repo/a/file', false],
    ['through a link within the repository', 'repo/inside/file', false],
    ['through a link out of it', 'repo/out/file', true],
    ['that is a link out of it', 'repo/out', true],
    ['that is a link out of it to what is not there', 'repo/dangling', true],
    ['that is a link within it to what is not there', 'repo/later', false],
    ['that is a link to a link out of it', 'repo/chain', true],
    ['through a link that leads out and back', 'repo/back/file', true],
    ["through a link to what is git's", 'repo/hooks/file', true],
    ['through a link to a folder whose name begins with dots', 'repo/dots/file', false],
    ['through a link around the repository', 'mine/a/file', false],
    ['through a link around the repository and one out of it', 'mine/out/file', true],
    ['through a link outside of any repository', 'plain/link/file', false],
    ['that is a link to itself', 'repo/loop', false],
  ])('%s', (_, path, expected) => {
    link('repo/inside', 'a');
    link('repo/out', '../plain');
    link('repo/dangling', '../plain/gone');
    link('repo/later', 'a/gone');
    link('repo/chain', 'inside/step');
    link('repo/a/step', '../out');
    link('plain/back', '../repo/a');
    link('repo/back', '../plain/back/../../plain');
    link('repo/hooks', '.git');
    link('repo/dots', '..c');
    link('repo/loop', 'loop');
    link('mine', 'repo');
    link('plain/link', '../other');
    expect(leadsOut(at(path))).toBe(expected);
  });

  it('may not leave the working folder, if no repository is around it', () => {
    link('plain/link', '../other');
    link('plain/x/up', '..');
    working = at('plain');
    expect([leadsOut(at('plain/link')), leadsOut(at('plain/x/up'))]).toEqual([true, false]);
    working = at('plain/x');
    expect([leadsOut(at('plain/link')), leadsOut(at('plain/x/up'))]).toEqual([false, true]);
    working = at('gone');
    expect([leadsOut(at('plain/link')), leadsOut(at('plain/x/up'))]).toEqual([false, false]);
  });
});

describe('the root of the repository', () => {
  it('is the nearest folder with `.git`, be that a folder or a file', () => {
    mkdirSync(at('repo/a/worktree/deep'), { recursive: true });
    writeFileSync(at('repo/a/worktree/.git'), 'gitdir: elsewhere\n');
    expect(gitRootOf(at('repo/a/worktree/deep'))).toBe(at('repo/a/worktree'));
    expect(gitRootOf(at('repo/a/b'))).toBe(at('repo'));
    expect(gitRootOf(at('repo'))).toBe(at('repo'));
    expect(gitRootOf(at('repo/gone/deeper'))).toBe(at('repo'));
    expect(gitRootOf(at('plain'))).toBeUndefined();
  });

  it('is not where nobody may look', () => {
    const { lstatSync } = fs;
    jest.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: object) => {
      if (path === at('repo/a/.git')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return lstatSync(path, options);
    }) as typeof lstatSync);
    expect(gitRootOf(at('repo/a/b'))).toBe(at('repo'));
  });

  it.each([
    ['of the user', { user: 501, folder: 77, git: 501 }, true],
    ['of the administrator', { user: 501, folder: 77, git: 0 }, true],
    ['of whoever owns the folder', { user: 501, folder: 77, git: 77 }, true],
    ['of a stranger', { user: 501, folder: 77, git: 78 }, false],
    ['of a stranger, for the administrator', { user: 0, folder: 0, git: 78 }, false],
  ])('counts if it is %s: %j', (_, { user, folder, git }, counts) => {
    const { lstatSync, statSync } = fs;
    jest.spyOn(process, 'geteuid' as never).mockReturnValue(user as never);
    jest
      .spyOn(fs, 'statSync')
      .mockImplementation(((path: string, options: object) =>
        Object.assign(statSync(path, options), { uid: folder })) as typeof statSync);
    jest.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: object) => {
      const status = lstatSync(path, options) as fs.Stats | undefined;
      return status === undefined ? undefined : Object.assign(status, { uid: git });
    }) as typeof lstatSync);
    expect([...trustedOwners(at('repo/a'))].sort((a, b) => a - b)).toEqual(
      [...new Set([0, user, folder])].sort((a, b) => a - b),
    );
    expect(gitRootOf(at('repo/a'))).toBe(counts ? at('repo') : undefined);
  });

  it('is trusted for the owner of the nearest folder that there is', () => {
    const { statSync } = fs;
    jest.spyOn(fs, 'statSync').mockImplementation(((path: string, options: object) => {
      const status = statSync(path, options) as fs.Stats | undefined;
      return status && Object.assign(status, { uid: path === at('repo/a') ? 77 : 78 });
    }) as typeof statSync);
    expect(trustedOwners(at('repo/a/gone/deeper')).has(77)).toBe(true);
    expect(trustedOwners(at('repo/a/gone/deeper')).has(78)).toBe(false);
  });
});

it('the folders around one are told from the innermost on', () => {
  const { root: top } = parse(root);
  expect(upwards(join(top, 'a', 'b'))).toEqual([join(top, 'a', 'b'), join(top, 'a'), top]);
  expect(upwards(top)).toEqual([top]);
});

describe('a file that another one refers to', () => {
  const isSo = (file: string, referring: string): boolean => isElsewhere(at(file), at(referring));
  beforeEach(() => {
    for (const file of ['repo/a/x', 'repo/y', 'repo/.git/config', 'other/z', 'plain/x/w']) writeFileSync(at(file), '');
  });

  it('is elsewhere outside of the repository of the one that refers to it, and within git', () => {
    expect([isSo('repo/y', 'repo/a/x'), isSo('repo/a/x', 'repo/y')]).toEqual([false, false]);
    expect([isSo('other/z', 'repo/a/x'), isSo('repo/.git/config', 'repo/y')]).toEqual([true, true]);
    link('repo/a/out', at('other/z'));
    expect(isSo('repo/a/out', 'repo/a/x')).toBe(true);
  });

  it('is elsewhere outside of the folder, where there is no repository', () => {
    expect([isSo('plain/x/w', 'plain/x/v'), isSo('other/z', 'plain/x/v')]).toEqual([false, true]);
  });

  it('is nowhere, if it is not there', () => {
    expect(isSo('gone/z', 'repo/a/x')).toBe(false);
  });
});
