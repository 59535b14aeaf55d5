import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { leadsOut } from '../../files/boundary';

/** Pieces are written together in blocks of about this many characters. */
const BLOCK = 1 << 16;

/** Exit codes of a command that a signal ends, as shells tell them: 128 and the number of the signal. */
const SIGNALS: readonly (readonly [signal: NodeJS.Signals, exitCode: number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
];

/** Temporary files that are being written. */
const unfinished = new Set<string>();
let counter = 0;

/**
 * Writes a file in one step: the text goes to a temporary file beside it, which then takes its name. Whoever looks at the file sees the old
 * one or the new one, also when the run is interrupted. Makes the folder of the file if there is none.
 *
 * A file keeps its mode, its owner and its other names; where a new one can't have them, it is overwritten instead. Pipes and devices are written to
 * directly. So is a file that can be written in a folder that can't. A link of a repository that leads out of it is not followed.
 * @throws an error of the system, for which `whyNotWritten` has the words
 */
export async function writeAtomically(file: string, text: Iterable<string>): Promise<void> {
  if (/[\\/]$/.test(file)) throw systemError('EISDIR', file);
  if (leadsOut(file)) throw systemError('OUTSIDE', file);
  const target = targetOf(file);
  const pieces = begun(text);
  mkdirSync(dirname(target), { recursive: true });
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw systemError('EISDIR', target);
  if (existing !== undefined && (!existing.isFile() || OPEN_FILE.test(target))) {
    await writeTo(openSync(target, 'a'), pieces);
    return;
  }
  // A rename would replace a file that nobody may write to.
  if (existing !== undefined) accessSync(target, constants.W_OK);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${process.pid}-${++counter}.tmp`);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', 0o666);
  } catch (error) {
    if (existing === undefined || !isSystemError(error) || !['EACCES', 'EPERM', 'EROFS'].includes(error.code))
      throw error;
    await writeTo(openSync(target, 'w'), pieces);
    return;
  }
  begin(temporary);
  try {
    const isLike = existing === undefined || takeAfter(descriptor, existing);
    await writeTo(descriptor, pieces, true);
    if (isLike) moveTo(temporary, target, existing !== undefined);
    else copyFileSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
    finish(temporary);
  }
}

/** Why the system refused to write a file, in words; undefined for an error that isn't the system's. */
export function whyNotWritten(error: unknown): string | undefined {
  return isSystemError(error) ? (REASONS[error.code] ?? error.code) : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'permission denied',
  ENOENT: "its folder isn't there and can't be made",
  EROFS: 'the file system is read-only',
  OUTSIDE: 'a symbolic link in its path leads out of the repository',
};

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open' });
}

/**
 * The file that is written under a name: where symbolic links lead, also if nothing is there yet, because a link stays one. What is no file is
 * written to under its own name: those of open pipes lead nowhere.
 * @throws an error of the system, for one that can't be looked at
 */
export function targetOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined)
    return (found.isFile() || found.isDirectory()) && !OPEN_FILE.test(file) ? realpathSync(file) : file;
  const folder = dirname(file);
  const link = linkAt(file);
  return link === undefined ? join(targetOf(folder), basename(file)) : targetOf(resolve(targetOf(folder), link));
}

/** A name of something that this process has open already. It isn't replaced, and what is in it stays. */
const OPEN_FILE = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/;

function linkAt(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(file) : undefined;
}

/**
 * Looks whether a file could be written, and changes nothing. That it may not be sure: a disk gets full.
 * @throws an error of the system, for which `whyNotWritten` has the words
 */
export function refuseUnwritable(file: string): void {
  if (/[\\/]$/.test(file)) throw systemError('EISDIR', file);
  if (leadsOut(file)) throw systemError('OUTSIDE', file);
  const target = targetOf(file);
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw systemError('EISDIR', target);
  if (existing !== undefined) {
    accessSync(target, constants.W_OK);
    return;
  }
  let folder = dirname(target);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (!statSync(folder).isDirectory()) throw systemError('ENOTDIR', folder);
  accessSync(folder, constants.W_OK);
}

/** The text with its first block made. That may take long, and while nothing is open yet, signals end the command at once. */
function begun(text: Iterable<string>): Iterable<string> {
  const rest = blocks(text);
  const first = rest.next();
  return (function* () {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  })();
}

async function writeTo(descriptor: number, pieces: Iterable<string>, isFile = false): Promise<void> {
  try {
    for (const block of blocks(pieces)) {
      writeFully(descriptor, Buffer.from(block));
      // Signals are only heard between two steps of the program.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isFile) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeFully(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Gives a new file the owner and the mode of another; false if it can't stand in its place. */
function takeAfter(descriptor: number, { uid, gid, mode, nlink }: Stats): boolean {
  if (nlink > 1) return false;
  const own = fstatSync(descriptor);
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
    fchmodSync(descriptor, mode & 0o7777);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** A file that is mounted by itself, as into a container, can't be replaced, only overwritten. */
function moveTo(temporary: string, target: string, exists: boolean): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (!exists || !isSystemError(error) || !['EBUSY', 'EXDEV', 'EPERM'].includes(error.code)) throw error;
    copyFileSync(temporary, target);
  }
}

/** Joins pieces to blocks that are worth a write. */
export function* blocks(pieces: Iterable<string>): Generator<string, void> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length >= BLOCK) {
      yield block;
      block = '';
    }
  }
  if (block !== '') yield block;
}

function begin(temporary: string): void {
  // Only now: while nothing is being written, signals end the command at once, however busy it is.
  if (unfinished.size === 0) for (const [signal] of SIGNALS) process.on(signal, interrupted);
  unfinished.add(temporary);
}

function finish(temporary: string): void {
  unfinished.delete(temporary);
  if (unfinished.size === 0) for (const [signal] of SIGNALS) process.off(signal, interrupted);
}

function interrupted(signal: NodeJS.Signals): void {
  for (const temporary of unfinished) rmSync(temporary, { force: true });
  process.exit(SIGNALS.find(([name]) => name === signal)?.[1] ?? 1);
}
