import { closeSync, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { FolderAccess } from './terraform/module/folder-access';

/** Larger files are refused before they are read. */
const MAX_FILE_SIZE = 512 * 1024 * 1024;

/** A text that comes through a pipe, and stands for the file of its name whether there is one or not. */
export interface StandardInput {
  readonly text: string;
  readonly name: string;
}

/** What belongs to a reading besides the paths, and who is told of it. */
export interface Reading {
  /** What the path `-` stands for. @default - a file of that name */
  readonly standardInput?: StandardInput;
  /** Texts that stand for those of files, by the real paths of these. @default - what the disk holds */
  readonly texts?: ReadonlyMap<string, string>;
  /** Told of every file before it is read: an input of its own, or part of a configuration of Terraform. */
  readonly onFile?: (file: string, role: 'input' | 'configuration') => void;
  /** Told of every root module that was read. */
  readonly onRootModule?: (root: RootModuleFolders) => void;
  /** Told when all is read and the rules begin, with the number of resources that they look at. */
  readonly onJudge?: (resources: number) => void;
}

/** The folders that make a root module of Terraform. */
export interface RootModuleFolders {
  /** What its resources give as their stack. */
  readonly stack: string;
  /** The path under which it is listed as an input. */
  readonly path: string;
  /** Its own folder, and those of the modules that it calls by a path, directly or not. */
  readonly folders: readonly string[];
}

/** The files of a reading: those of the disk, with the standard input in place of one. */
export class InputFiles implements FolderAccess {
  private readonly piped: (StandardInput & { readonly path: string }) | undefined;
  /** Whether a configuration read what comes through the standard input. */
  isPipeUsed = false;

  constructor(private readonly reading: Reading) {
    const { standardInput } = reading;
    this.piped = standardInput === undefined ? undefined : { ...standardInput, path: resolve(standardInput.name) };
  }

  /** Whether a path names what comes through the standard input. */
  isPiped(file: string): boolean {
    return this.piped !== undefined && (this.piped.name === file || this.piped.path === resolve(file));
  }

  /** What tells whether two paths name the same file or folder. @throws an error of the system */
  identityOf(path: string): string {
    try {
      return realpathSync(path);
    } catch (error) {
      if (this.isPiped(path)) return resolve(path);
      throw error;
    }
  }

  /** Text of a file that is an input of its own. */
  readInput(file: string): { readonly text: string } | { readonly problem: string } {
    this.reading.onFile?.(file, 'input');
    return this.textOf(file);
  }

  /** Names of the files of a folder with configuration. */
  files(folder: string): readonly string[] | undefined {
    const names = filesOf(folder);
    if (this.piped === undefined || dirname(this.piped.path) !== resolve(folder)) return names;
    return [...new Set([...(names ?? []), basename(this.piped.path)])].sort();
  }

  /** Text of a file beside a configuration: another of its folder, of a module, or one that it reads with `file()`. */
  read(file: string): { readonly text: string } | { readonly problem: string } {
    if (this.isPiped(file)) this.isPipeUsed = true;
    else {
      try {
        // A pipe would be waited for.
        if (!statSync(file).isFile()) return { problem: 'it is no file' };
      } catch (error) {
        return { problem: describeError(error) };
      }
    }
    this.reading.onFile?.(file, 'configuration');
    return this.textOf(file);
  }

  lookAt(file: string): string | undefined {
    // What comes through the standard input is there to be used.
    if (this.isPiped(file) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const content = this.textOf(file);
    return 'text' in content ? content.text : undefined;
  }

  private textOf(file: string): { readonly text: string } | { readonly problem: string } {
    if (this.piped !== undefined && this.isPiped(file)) return { text: this.piped.text };
    const text = this.replacement(file);
    return text === undefined ? readText(file) : { text };
  }

  private replacement(file: string): string | undefined {
    const { texts } = this.reading;
    if (texts === undefined || texts.size === 0) return undefined;
    try {
      return texts.get(realpathSync(file));
    } catch {
      return undefined;
    }
  }
}

/** A text file, or why it can't be read. */
export function readText(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size > MAX_FILE_SIZE) return { problem: `the file is larger than ${MAX_FILE_SIZE / 1024 / 1024} MB` };
      const content = readFileSync(descriptor);
      return isEncrypted(content) ? { problem: ENCRYPTED } : { text: decode(content) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { problem: describeError(error) };
  }
}

/** Why a file of git-crypt that is locked can't be read. */
export const ENCRYPTED = 'the file is encrypted, so it is not read; check where it is unlocked';

const GIT_CRYPT = Buffer.from('\0GITCRYPT\0');

function isEncrypted(content: Buffer): boolean {
  return content.subarray(0, GIT_CRYPT.length).equals(GIT_CRYPT);
}

/** UTF-8, or UTF-16 as `>` of Windows PowerShell writes it. */
export function decode(content: Buffer): string {
  return content[0] === 0xff && content[1] === 0xfe ? content.toString('utf16le', 2) : content.toString('utf8');
}

function filesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]))
      .sort();
  } catch {
    return undefined;
  }
}

/** Reasons of the operating system in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'permission to read it is denied',
  EPERM: 'permission to read it is denied',
  ELOOP: 'its symbolic links form a loop',
  EISDIR: 'it is a folder, not a file',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
};

/** Reason of the operating system for which something can't be read. */
export function describeError(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? `it can't be read (${code === '' ? String(error) : code})`;
}

/** The system's name of an error, such as `ENOENT`; empty for an error that isn't the system's. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
