import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';

/*
 * The one place that opens files to read them, so that whatever a path leads to, a check neither waits for it nor fills the memory with it.
 */

/** Larger files are refused before they are read. */
const MAX_FILE_SIZE = 512 * 1024 * 1024;

/** Why a file of git-crypt that is locked can't be read. */
export const ENCRYPTED = 'the file is encrypted, so it is not read; check where it is unlocked';

const GIT_CRYPT = Buffer.from('\0GITCRYPT\0');

/** Names of what this process has open: a shell gives them to commands (`<(…)`), and they end where what feeds them does. */
const OPEN_FILE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** A text file, or why it can't be read. */
export type FileText = { readonly text: string } | { readonly problem: string };

/** A text file, or why it can't be read. */
export function readText(file: string): FileText {
  try {
    const content = fileBytes(file);
    return content.subarray(0, GIT_CRYPT.length).equals(GIT_CRYPT) ? { problem: ENCRYPTED } : { text: decode(content) };
  } catch (error) {
    return { problem: describeError(error, file) };
  }
}

/**
 * The text of a file in UTF-8.
 * @throws an error for which `describeError` has the words
 */
export function fileText(file: string): string {
  return fileBytes(file).toString('utf8');
}

/**
 * What a file holds: a regular one, or one that this process has open.
 * @throws an error for which `describeError` has the words
 */
export function fileBytes(file: string): Buffer {
  return opened(file, (descriptor, size) => readAll(descriptor, size));
}

/**
 * The beginning of a file, of so many bytes or fewer.
 * @throws an error for which `describeError` has the words
 */
export function fileStart(file: string, length: number): Buffer {
  return opened(file, (descriptor) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes));
  });
}

function opened(file: string, read: (descriptor: number, size: number) => Buffer): Buffer {
  const isOpen = OPEN_FILE.test(file);
  // To open a device may do something to it.
  if (!isOpen) refuseSpecial(statSync(file));
  const descriptor = openSync(file, isOpen ? constants.O_RDONLY : constants.O_RDONLY | NEVER_WAIT);
  try {
    const status = fstatSync(descriptor);
    if (!isOpen) refuseSpecial(status);
    return read(descriptor, status.isFile() ? status.size : 0);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Looks whether a path is that of a regular file.
 * @throws an error for which `describeError` has the words
 */
export function refuseSpecialFile(file: string): void {
  refuseSpecial(statSync(file));
}

// Windows has no such flag, and no pipes among its files.
const NEVER_WAIT = (constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0;

function refuseSpecial(status: Stats): void {
  if (status.isDirectory()) throw failure('EISDIR');
  if (!status.isFile()) throw failure(status.isFIFO() ? 'PIPE' : status.isSocket() ? 'SOCKET' : 'DEVICE');
}

/** Sizes may be wrong, as those of `/proc` are. */
function readAll(descriptor: number, size: number): Buffer {
  if (size > MAX_FILE_SIZE) throw failure('TOO_LARGE');
  const full: Buffer[] = [];
  let total = 0;
  // One byte more than there should be shows that there is nothing more, without another buffer.
  let piece = Buffer.allocUnsafe(size > 0 ? size + 1 : PIECE);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, piece, length, piece.length - length, null);
    if (read === 0) break;
    length += read;
    total += read;
    if (total > MAX_FILE_SIZE) throw failure('TOO_LARGE');
    if (length < piece.length) continue;
    full.push(piece);
    piece = Buffer.allocUnsafe(PIECE);
    length = 0;
  }
  const last = piece.subarray(0, length);
  return full.length === 0 ? last : Buffer.concat([...full, last], total);
}

const PIECE = 1 << 16;

function failure(code: string): Error {
  return Object.assign(new Error(REASONS[code]), { code });
}

/** UTF-8, or UTF-16 as `>` of Windows PowerShell and other tools of Windows write it, with a mark or without. */
export function decode(content: Buffer): string {
  switch (encodingOf(content)) {
    case 'utf16le':
      return withoutMark(content.toString('utf16le'));
    case 'utf16be':
      // A character that is cut off has no second byte.
      return withoutMark(
        Buffer.from(content.subarray(0, content.length & ~1))
          .swap16()
          .toString('utf16le'),
      );
    case 'utf8':
      return content.toString('utf8');
  }
}

/** Without a mark, by the first two characters: those of JSON and YAML are of ASCII. */
function encodingOf([a, b, c, d]: Buffer): 'utf8' | 'utf16le' | 'utf16be' {
  if (a === 0xff && b === 0xfe) return 'utf16le';
  if (a === 0xfe && b === 0xff) return 'utf16be';
  // Those before it are there, then.
  if (d === undefined) return 'utf8';
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf16be' : 'utf8';
}

/** A text without the mark of its byte order. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Reasons of the operating system, and of this module, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'permission to read it is denied',
  EPERM: 'permission to read it is denied',
  ELOOP: 'its symbolic links form a loop',
  EISDIR: 'it is a folder, not a file',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  PIPE: 'it is a named pipe, not a file',
  SOCKET: 'it is a socket, not a file',
  DEVICE: 'it is a device, not a file',
  TOO_LARGE: `the file is larger than ${MAX_FILE_SIZE / 1024 / 1024} MB`,
};

/**
 * Reason of the operating system for which something can't be read.
 * @param path what was to be read @default - the links on the way to it are not looked at
 */
export function describeError(error: unknown, path?: string): string {
  const link = isMissing(error) && path !== undefined ? brokenLink(path) : undefined;
  if (link !== undefined) return link;
  const code = codeOf(error);
  return REASONS[code] ?? `it can't be read (${code === '' ? String(error) : code})`;
}

/** Whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** That a path, or a folder on the way to it, is a symbolic link that leads nowhere; undefined if none is. */
export function brokenLink(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at)) return undefined;
    if (isLink(at)) return `${at === path ? 'it' : at} is a symbolic link to something that is not there`;
    if (dirname(at) === at) return undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The system's name of an error, such as `ENOENT`; empty for an error that isn't the system's. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
