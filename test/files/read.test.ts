import fs, {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  codeOf,
  decode,
  describeError,
  ENCRYPTED,
  fileBytes,
  fileStart,
  fileText,
  readText,
  refuseSpecialFile,
  withoutMark,
} from '../../lib/files/read';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function write(content: string | Uint8Array): string {
  const file = join(folder, 'file');
  writeFileSync(file, content);
  return file;
}

/** Why something can't be read. */
function problem(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return describeError(error);
  }
  return 'none';
}

describe('a text', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  it.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from('größe'), 'größe'],
    ['UTF-16 with a mark', Buffer.from('\ufeffä: 1', 'utf16le'), 'ä: 1'],
    ['UTF-16 the other way with a mark', utf16be('\ufeffä: 1'), 'ä: 1'],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), '{}'],
    ['UTF-16 the other way without a mark', utf16be('{}'), '{}'],
    ['UTF-16 that is cut off', Buffer.concat([utf16be('{}'), Buffer.from([0])]), '{}'],
    ['nothing', Buffer.alloc(0), ''],
    ['one character', Buffer.from('a'), 'a'],
    ['a mark alone', Buffer.from([0xff, 0xfe]), ''],
    // None of them is UTF-16: a byte is zero that isn't in it, or isn't zero.
    ...[
      [0, 0, 1, 0],
      [1, 1, 1, 0],
      [1, 0, 0, 0],
      [1, 0, 1, 1],
      [0, 0, 0, 1],
      [0, 1, 1, 1],
      [0, 1, 0, 0],
      [0, 1, 0],
      [1, 0, 1],
      [0, 1],
      [1, 0],
    ].map((bytes): [string, Buffer, string] => [
      `UTF-8 of the bytes ${bytes.join(' ')}`,
      Buffer.from(bytes),
      Buffer.from(bytes).toString('latin1'),
    ]),
    ['half of a mark', Buffer.from([0xff, 0x41]), '\ufffdA'],
    ['the other half of a mark', Buffer.from([0xfe, 0x41]), '\ufffdA'],
    ['the second half of a mark', Buffer.from([0x41, 0xfe]), 'A\ufffd'],
    ['the second half of the other mark', Buffer.from([0x41, 0xff]), 'A\ufffd'],
  ])('is read from %s', (_, content, text) => {
    expect(decode(content)).toBe(text);
    expect(readText(write(content))).toEqual({ text });
  });

  it('is not read where git-crypt has it locked', () => {
    expect(readText(write('\0GITCRYPT\0more'))).toEqual({ problem: ENCRYPTED });
    expect(readText(write('\0GITCRYPT'))).toEqual({ text: '\0GITCRYPT' });
    expect(readText(write('a\0GITCRYPT\0'))).toEqual({ text: 'a\0GITCRYPT\0' });
  });

  it('has no mark of its byte order', () => {
    expect([withoutMark('\ufeffa'), withoutMark('a'), withoutMark('a\ufeff'), withoutMark('')]).toEqual([
      'a',
      'a',
      'a\ufeff',
      '',
    ]);
  });
});

describe('a file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('of %d bytes is read as it is', (length) => {
    const content = Buffer.from(Array.from({ length }, (_, index) => index % 251));
    const file = write(content);
    expect(fileBytes(file).equals(content)).toBe(true);
    expect(fileStart(file, 10).equals(content.subarray(0, 10))).toBe(true);
    expect(fileText(write('größe'))).toBe('größe');
  });

  it('is read as far as it goes, whatever its size is said to be', () => {
    const file = write('x'.repeat(200_000));
    const { fstatSync } = fs;
    for (const size of [0, 10, 199_999, 300_000]) {
      jest
        .spyOn(fs, 'fstatSync')
        .mockImplementation((descriptor: number) => Object.assign(fstatSync(descriptor), { size }));
      expect(fileBytes(file).toString()).toBe('x'.repeat(200_000));
    }
  });

  it('is closed, also where it can not be read', () => {
    const opened = jest.spyOn(fs, 'openSync');
    const closed = jest.spyOn(fs, 'closeSync');
    fileBytes(write('a'));
    jest.spyOn(fs, 'readSync').mockImplementation(() => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    });
    expect(problem(() => fileBytes(join(folder, 'file')))).toBe("it can't be read (EIO)");
    expect(closed.mock.calls.map(([descriptor]) => descriptor)).toEqual(
      opened.mock.results.map(({ value }): unknown => value),
    );
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it('is refused before it is read if it is too large', () => {
    const file = write('');
    const limit = 512 * 1024 * 1024;
    truncateSync(file, limit + 1);
    const read = jest.spyOn(fs, 'readSync');
    expect(readText(file)).toEqual({ problem: 'the file is larger than 512 MB' });
    expect(read).not.toHaveBeenCalled();
    truncateSync(file, limit);
    read.mockImplementation(() => 0);
    expect(fileBytes(file)).toHaveLength(0);
  });

  it('is refused once it has grown too large', () => {
    const file = write('');
    const size = 512 * 1024 * 1024;
    const read = jest.spyOn(fs, 'readSync');
    // The rest of what is said to be read isn't there.
    read.mockReturnValueOnce(size).mockReturnValueOnce(1);
    expect(problem(() => fileBytes(file))).toBe('the file is larger than 512 MB');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('that a shell has opened for the command is read without a look at what it is', () => {
    const descriptor = openSync(write('piped'), 'r');
    expect(fileText(`/dev/fd/${descriptor}`)).toBe('piped');
    closeSync(descriptor);
    // What is below it is none of these.
    expect(problem(() => fileBytes(`/dev/fd/${descriptor}/x`))).not.toBe('none');
    const devices = openSync('/dev/null', 'r');
    expect(fileText(`/dev/fd/${devices}`)).toBe('');
    expect(problem(() => fileBytes('/dev/null'))).toBe('it is a device, not a file');
    closeSync(devices);
  });
});

describe('what is no file', () => {
  it('is not read', () => {
    mkdirSync(join(folder, 'inner'));
    symlinkSync('loop', join(folder, 'loop'));
    const readers: readonly ((file: string) => unknown)[] = [
      fileBytes,
      fileText,
      refuseSpecialFile,
      (file) => fileStart(file, 1),
    ];
    for (const read of readers) {
      const problemOf = (file: string) => problem(() => read(file));
      expect(problemOf(join(folder, 'inner'))).toBe('it is a folder, not a file');
      expect(problemOf(join(folder, 'gone'))).toBe('there is no such file or folder');
      expect(problemOf(join(folder, 'loop'))).toBe('its symbolic links form a loop');
      expect(problemOf('/dev/zero')).toBe('it is a device, not a file');
      expect(problemOf(write('a'))).toBe('none');
    }
  });

  it('is told to be a broken link', () => {
    symlinkSync('nowhere', join(folder, 'broken'));
    const text = 'is a symbolic link to something that is not there';
    expect(readText(join(folder, 'broken'))).toEqual({ problem: `it ${text}` });
    expect(readText(join(folder, 'broken', 'a'))).toEqual({ problem: `${join(folder, 'broken')} ${text}` });
    expect(readText(join(folder, 'gone', 'a'))).toEqual({ problem: 'there is no such file or folder' });
  });

  it('is told by its kind', async () => {
    const path = join(folder, 's');
    const server = await new Promise<Server>((resolve) => {
      const made = createServer().listen(path, () => {
        resolve(made);
      });
    });
    expect(readText(path)).toEqual({ problem: 'it is a socket, not a file' });
    server.close();
    const { statSync } = fs;
    jest
      .spyOn(fs, 'statSync')
      .mockImplementation(((file: string) =>
        Object.assign(statSync(file), { isFile: () => false, isFIFO: () => true })) as unknown as typeof statSync);
    const open = jest.spyOn(fs, 'openSync');
    expect(readText(write('a'))).toEqual({ problem: 'it is a named pipe, not a file' });
    // To open it would wait for who writes to it.
    expect(open).not.toHaveBeenCalled();
  });

  it('is not read either if it has taken the place of a file', () => {
    const file = fs.statSync(write('a'));
    mkdirSync(join(folder, 'inner'));
    jest.spyOn(fs, 'statSync').mockReturnValue(file);
    expect(problem(() => fileStart(join(folder, 'inner'), 0))).toBe('it is a folder, not a file');
    expect(problem(() => fileBytes('/dev/null'))).toBe('it is a device, not a file');
  });
});

describe('a reason', () => {
  it.each<[unknown, string, string]>([
    [Object.assign(new Error('x'), { code: 'EACCES' }), 'EACCES', 'permission to read it is denied'],
    [{ code: 'EMFILE' }, 'EMFILE', 'too many files are open'],
    [{ code: 5 }, '5', "it can't be read (5)"],
    [new Error('no luck'), '', "it can't be read (Error: no luck)"],
    ['no luck', '', "it can't be read (no luck)"],
    [null, '', "it can't be read (null)"],
    [undefined, '', "it can't be read (undefined)"],
  ])('of %p is %j', (error, code, reason) => {
    expect(codeOf(error)).toBe(code);
    expect(describeError(error)).toBe(reason);
  });

  it('is of the link that leads nowhere if nothing is there, and its own else', () => {
    const link = join(folder, 'link');
    symlinkSync('nowhere', link);
    for (const code of ['ENOENT', 'ENOTDIR'])
      expect(describeError({ code }, link)).toBe('it is a symbolic link to something that is not there');
    expect(describeError({ code: 'EMFILE' }, link)).toBe('too many files are open');
  });

  it('is the same as that of the system', () => {
    const error = (() => {
      try {
        readFileSync(join(folder, 'a'.repeat(300)));
      } catch (caught) {
        return caught;
      }
      return undefined;
    })();
    expect(describeError(error)).toBe('its name is too long');
  });
});
