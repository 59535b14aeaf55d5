import { accessSync, closeSync, constants, copyFileSync, fchmodSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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
 * Pipes and devices are written to directly. So is a file that can be written in a folder that can't.
 * @throws an error of the system, for which `whyNotWritten` has the words
 */
export async function writeAtomically(file: string, pieces: Iterable<string>): Promise<void> {
  const target = targetOf(file);
  mkdirSync(dirname(target), { recursive: true });
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw systemError('EISDIR', target);
  if (existing !== undefined && !existing.isFile()) {
    await writeTo(openSync(target, 'w'), pieces);
    return;
  }
  // A rename would replace a file that nobody may write to.
  if (existing !== undefined) accessSync(target, constants.W_OK);
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${process.pid}-${++counter}.tmp`);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', 0o666);
  } catch (error) {
    if (existing === undefined || !isSystemError(error) || !['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    await writeTo(openSync(target, 'w'), pieces);
    return;
  }
  begin(temporary);
  try {
    if (existing !== undefined) fchmodSync(descriptor, existing.mode & 0o7777);
    await writeTo(descriptor, pieces, true);
    moveTo(temporary, target, existing !== undefined);
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
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'permission denied',
  ENOENT: "its folder isn't there and can't be made",
  EROFS: 'the file system is read-only',
};

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open' });
}

/** A symbolic link stays one: what it points at is replaced. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
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
export function* blocks(pieces: Iterable<string>): Iterable<string> {
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
