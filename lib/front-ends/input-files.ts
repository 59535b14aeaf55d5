import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ReadBoundary } from '../files/boundary';
import { brokenLink, describeError, readText, refuseSpecialFile, type FileText } from '../files/read';
import type { NestedTemplate } from '../cloudformation/template-input';
import type { FolderAccess } from '../terraform/module/folder-access';

/** A text that comes through a pipe, and stands for the file of its name whether there is one or not. */
export interface StandardInput {
  readonly text: string;
  readonly name: string;
}

/** What belongs to a reading besides the paths, and who is told of it. */
export interface Reading {
  /** What the path `-` stands for. @default - a file of that name */
  readonly standardInput?: StandardInput;
  /** Texts that stand for those of files, by the real paths of these, whether there are such files yet or not. @default - what the disk holds */
  readonly texts?: ReadonlyMap<string, string>;
  /** Whether a folder without any input is nothing to complain about. @default false */
  readonly mayBeEmpty?: boolean;
  /** Told of every file before it is read: an input of its own, or part of a configuration of Terraform. */
  readonly onFile?: (file: string, role: 'input' | 'configuration') => void;
  /** Told of what a configuration asks for besides what it reads: a file that isn't there, or a folder whose files it lists. */
  readonly onAsked?: (path: string) => void;
  /** Told of every template of a nested stack, with the one that uses it. */
  readonly onNestedTemplate?: (nested: NestedTemplate) => void;
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
  /** The paths by which folders and files are shown, by their real ones. */
  readonly shownPaths = new Map<string, string>();
  /** Where the files of this reading may be. */
  readonly boundary = new ReadBoundary();
  private readonly piped: (StandardInput & { readonly path: string }) | undefined;
  /** Whether a configuration read what comes through the standard input. */
  isPipeUsed = false;
  private readonly realFolders = new Map<string, string>();
  private readonly namesByFolder = new Map<string, readonly string[]>();

  constructor(private readonly reading: Reading) {
    const { standardInput } = reading;
    this.piped = standardInput === undefined ? undefined : { ...standardInput, path: resolve(standardInput.name) };
  }

  /** Whether a path names what comes through the standard input. */
  isPiped(file: string): boolean {
    return this.piped !== undefined && (this.piped.name === file || this.piped.path === resolve(file));
  }

  /** Whether a path is that of a file which only exists as a text so far. */
  isUnsaved(file: string): boolean {
    return this.unsaved(file) !== undefined;
  }

  /** Paths of the files of a folder that only exist as texts so far. */
  unsavedIn(folder: string): readonly string[] {
    return [...(this.reading.texts?.keys() ?? [])].flatMap((path) =>
      dirname(path) === this.realPathOf(resolve(folder)) && !existsSync(path) ? join(folder, basename(path)) : [],
    );
  }

  private unsaved(file: string): { readonly real: string; readonly text: string } | undefined {
    const { texts } = this.reading;
    if (texts === undefined || existsSync(file)) return undefined;
    const path = resolve(file);
    const real = join(this.realPathOf(dirname(path)), basename(path));
    const text = texts.get(real);
    return text === undefined ? undefined : { real, text };
  }

  /** What tells whether two paths name the same file or folder. @throws an error of the system */
  identityOf(path: string): string {
    try {
      return realpathSync(path);
    } catch (error) {
      if (this.isPiped(path)) return resolve(path);
      const unsaved = this.unsaved(path);
      if (unsaved !== undefined) return unsaved.real;
      throw error;
    }
  }

  /** Where links of a path lead to; the path itself, if that is nowhere. */
  realPathOf(path: string): string {
    try {
      return this.identityOf(path);
    } catch {
      return path;
    }
  }

  /** Why a file or folder isn't read although it is there; undefined if it is. @throws an error of the system */
  refusal(path: string): string | undefined {
    return this.isPiped(path) || this.isUnsaved(path) ? undefined : this.boundary.refusal(realpathSync(path));
  }

  whyNotRead(folder: string): string | undefined {
    try {
      return this.refusal(folder);
    } catch {
      return brokenLink(folder);
    }
  }

  folderOfModule(caller: string, source: string): string {
    const written = join(caller, source);
    try {
      const real = this.realFolder(join(this.realFolder(caller), source));
      const shown = this.shownPaths.get(real);
      if (shown !== undefined) return shown;
      if (existsSync(written) && this.realFolder(written) === real) return written;
      return isAbsolute(caller) ? real : relative(process.cwd(), real) || '.';
    } catch {
      return written;
    }
  }

  enter(folder: string): void {
    this.boundary.addModule(folder);
  }

  /** Text of a file that is an input of its own. */
  readInput(file: string): FileText {
    this.reading.onFile?.(file, 'input');
    return this.textOf(file);
  }

  /** Names of the files of a folder with configuration. */
  files(folder: string): readonly string[] | undefined {
    const unsaved = this.unsavedIn(folder).map((path) => basename(path));
    const saved = this.namesIn(folder);
    const names = unsaved.length === 0 ? saved : [...(saved ?? []), ...unsaved].sort();
    if (this.piped === undefined || dirname(this.piped.path) !== resolve(folder)) return names;
    return [...new Set([...(names ?? []), basename(this.piped.path)])].sort();
  }

  /** Text of a file beside a configuration: another of its folder, of a module, or one that it reads with `file()`. */
  read(file: string): FileText {
    if (this.piped !== undefined && this.isPiped(file)) {
      this.isPipeUsed = true;
      this.reading.onFile?.(file, 'configuration');
      return { text: this.piped.text };
    }
    const unsaved = this.unsaved(file);
    if (unsaved !== undefined) {
      this.reading.onFile?.(file, 'configuration');
      return { text: unsaved.text };
    }
    const found = this.find(file);
    if ('problem' in found) {
      this.reading.onAsked?.(file);
      return found;
    }
    this.reading.onFile?.(file, 'configuration');
    return this.textAt(found.real);
  }

  asked(folder: string): void {
    this.reading.onAsked?.(folder);
  }

  lookAt(file: string): string | undefined {
    // What comes through the standard input is there to be used.
    if (this.isPiped(file)) return undefined;
    const content = this.textOf(file);
    return 'text' in content ? content.text : undefined;
  }

  private textOf(file: string): FileText {
    if (this.piped !== undefined && this.isPiped(file)) return { text: this.piped.text };
    try {
      const real = this.realFile(file);
      const problem = this.boundary.refusal(real);
      return problem === undefined ? this.textAt(real) : { problem };
    } catch (error) {
      const unsaved = this.unsaved(file);
      return unsaved === undefined ? { problem: describeError(error, file) } : { text: unsaved.text };
    }
  }

  private textAt(real: string): FileText {
    const text = this.reading.texts?.get(real);
    return text === undefined ? readText(real) : { text };
  }

  /** Where a regular file is that may be read, or why it isn't. */
  private find(file: string): { readonly real: string } | { readonly problem: string } {
    try {
      refuseSpecialFile(file);
      const real = this.realFile(file);
      const problem = this.boundary.refusal(real);
      return problem === undefined ? { real } : { problem };
    } catch (error) {
      return { problem: describeError(error, file) };
    }
  }

  /** Links on the way to a file are followed once for all files of its folder. */
  private realFile(file: string): string {
    const path = join(this.realFolder(dirname(file)), basename(file));
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  }

  /** Where links lead on the way to a folder, which is looked up once. @throws an error of the system */
  private realFolder(folder: string): string {
    let real = this.realFolders.get(folder);
    if (real === undefined) this.realFolders.set(folder, (real = realpathSync(folder)));
    return real;
  }

  /** A folder that may be read stays so, and is asked for by all that reads configurations. */
  private namesIn(folder: string): readonly string[] | undefined {
    const known = this.namesByFolder.get(folder);
    if (known !== undefined) return known;
    try {
      if (this.refusal(folder) !== undefined) return undefined;
      const entries = readdirSync(folder, { withFileTypes: true });
      const names = entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
      this.namesByFolder.set(folder, names);
      return names;
    } catch {
      return undefined;
    }
  }
}
