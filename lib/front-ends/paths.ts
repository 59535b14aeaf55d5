import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Diagnostic, InputSummary } from '../value';
import { codeOf, describeError, ENCRYPTED, refuseSpecialFile } from '../files/read';
import { isWithin } from '../files/within';
import type {
  AppOutput,
  FrontEnd,
  FrontEndResult,
  GivenValues,
  InputReader,
  ReadingRun,
  Refusal,
  TakenInput,
} from './front-end';
import { InputFiles, type Reading, type StandardInput } from './input-files';
import { readNamed, whyNoMatch, whyNotRead } from './near-path';
import { whyNoInputFile, whyNoInputFolder, whyNoInputText } from './not-read';
import { PassedBy, unreadable } from './passed-by';
import { expandPattern, folderOf, isPattern, SKIPPED_FOLDERS } from './path-pattern';
import { tellNotRead } from './parts/not-read';
import type { ReadResult } from './reader';
import { bestFor, candidatesFor, mayBeInput, recognizing } from './recognition';
import { FRONT_ENDS, nothingSought } from './registry';

/**
 * Reads template files, folders of them, CDK assemblies (`cdk.out`), plans of Terraform in JSON, folders of Terraform configuration and what
 * CDKTF writes (`cdktf.out`). All paths are read together, so that links across them resolve. Never throws: what can't be read becomes a
 * diagnostic of severity `error`. A path that doesn't exist and is written as a pattern (`infra/*.tf`) stands for what it matches.
 * @param given values of parameters and variables, as if the deployment gave them
 */
export function readPaths(paths: readonly string[], given: GivenValues = {}, reading: Reading = {}): ReadResult {
  const collection = new Collection(given, reading);
  // What comes through the standard input counts before the file of its name that a folder may have.
  const isPiped = (path: string): boolean => path === '-' && reading.standardInput !== undefined;
  if (reading.standardInput !== undefined && paths.some(isPiped)) collection.addStandardInput(reading.standardInput);
  for (const path of paths) if (!isPiped(path)) collection.addPath(path);
  return collection.read();
}

/** Codes of the system for links that have no end. */
const LEADS_NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

type EntryKind = 'folder' | 'file' | 'special';

class Collection implements ReadingRun {
  private readonly diagnostics: Diagnostic[] = [];
  /** Inputs in the order in which they were found; what each is shows when all is read. */
  private readonly listed: (() => InputSummary | undefined)[] = [];
  private readonly readers = new Map<NonNullable<FrontEnd['reader']>, InputReader>();
  readonly files: InputFiles;
  private readonly namedFolders: string[] = [];
  private readonly passedBy = new PassedBy();
  /** Links within folders, which are followed when everything else is read. */
  private readonly links: string[] = [];
  /** What comes through the standard input, until it is known what it is. */
  private undecided: StandardInput | undefined;
  /** Real paths of folders and files that are read already. */
  private readonly seen = new Set<string>();

  constructor(
    public given: GivenValues,
    readonly reading: Reading,
  ) {
    this.files = new InputFiles(reading);
  }

  /** @param canBePattern false for what a pattern matched, whose name may look like one */
  addPath(path: string, canBePattern = true): void {
    let isFolder: boolean;
    try {
      isFolder = !this.files.isUnsaved(path) && statSync(path).isDirectory();
      if (canBePattern && isFolder) this.files.boundary.addFolder(path);
      else if (canBePattern) this.files.boundary.addFile(path);
    } catch (error) {
      if (canBePattern && isPattern(path)) this.addPattern(path);
      else this.problem(path, whyNotRead(path, error));
      return;
    }
    if (isFolder) this.addFolder(path, true);
    else if (!this.addOutput(dirname(path), ({ manifest }) => manifest === basename(path))) {
      const reason = whyNoInputFile(path);
      if (reason === undefined) this.addFile(path, true);
      else this.problem(path, reason);
    }
  }

  private addPattern(pattern: string): void {
    const { paths, problems, isTooWide } = expandPattern(pattern);
    this.files.boundary.addFolder(folderOf(pattern));
    for (const [path, error] of problems) this.problem(path, describeError(error, path));
    if (isTooWide) this.problem(pattern, 'the braces of the pattern stand for too many paths');
    else if (paths.length === 0 && problems.size === 0) this.problem(pattern, whyNoMatch(pattern));
    for (const path of linksLast(paths, folderOf(pattern))) {
      const reason = this.refusalOf(path);
      if (reason === undefined) this.addPath(path, false);
      else this.problem(path, reason);
    }
  }

  addStandardInput({ name, text }: StandardInput): void {
    // The files beside it may be read, too.
    this.files.boundary.addFolder(dirname(name));
    if (!this.isNew(name)) return;
    const own = recognizing(
      ({ isFile, inPipe }) => isFile?.(basename(name)) === true || inPipe?.(text)?.isSure === true,
    );
    if (own !== undefined) this.take(own, { is: 'file', path: name, isNamed: true });
    else if (bestFor(text, true)?.sureness !== 'perhaps') this.readFile(name, true);
    // It may be what a configuration reads: values of variables, user data.
    else this.undecided = { name, text };
  }

  private addUndecided(): void {
    if (this.undecided === undefined || this.files.isPipeUsed) return;
    const { name, text } = this.undecided;
    const [whyPart] = FRONT_ENDS.flatMap(({ detection }) => detection?.whyPart?.(text, name) ?? []);
    if (whyPart !== undefined) this.problem(name, whyPart);
    else if (!existsSync(name) || ![...this.readers.values()].some((reader) => reader.mayAsk?.(name) === true))
      this.readFile(name, true);
  }

  read(): ReadResult {
    this.followLinks();
    this.given = { ...this.given, varFiles: this.variableFiles() };
    for (const reader of this.readers.values()) reader.begin?.();
    this.addUndecided();
    const results: FrontEndResult[] = [];
    const done = new Set<FrontEnd['reader']>();
    for (const { reader: make } of FRONT_ENDS) {
      if (make === undefined || done.has(make)) continue;
      done.add(make);
      const result = this.readers.get(make)?.read(results.flatMap((one) => one.resources));
      if (result === undefined) continue;
      results.push(result);
      const others = FRONT_ENDS.filter(({ reader }) => done.has(reader));
      for (const { path, text } of result.refused ?? [])
        this.takeElsewhere({ is: 'file', path, isNamed: false, text }, text, others);
    }
    const passedBy = results.flatMap((one) => one.passedBy ?? []);
    const found = [...this.listed.flatMap((summary) => summary() ?? []), ...results.flatMap((one) => one.inputs)];
    const inputs = found.length === 0 ? passedBy : found;
    const diagnostics = [...this.diagnostics, ...results.flatMap((one) => one.diagnostics)];
    for (const folder of this.namedFolders) {
      const isRead = [...inputs, ...passedBy].some(({ path }) => isWithin(path, folder));
      const reason = isRead ? undefined : whyNoInputFolder(folder);
      if (reason !== undefined) {
        const told = diagnostics.findIndex(
          ({ file, skipped }) => file === folder && skipped?.what === 'chart' && skipped.count === 1,
        );
        if (told >= 0) diagnostics.splice(told, 1);
        diagnostics.push(unreadable(folder, reason));
        this.passedBy.withoutProject(folder);
      } else if (!isRead && !diagnostics.some(({ file }) => isWithin(file, folder)) && !this.passedBy.isWithin(folder))
        diagnostics.push({
          ...unreadable(folder, `the folder holds ${nothingSought()}`),
          ...(this.reading.mayBeEmpty === true ? { severity: 'warning' } : {}),
        });
    }
    diagnostics.push(...this.passedBy.diagnostics(inputs));
    for (const frontEnd of FRONT_ENDS) diagnostics.push(...(frontEnd.review?.(inputs) ?? []));
    diagnostics.push(...tellNotRead(results.flatMap(({ notRead = [] }) => notRead)));
    const isAllEnabled = results.every(({ asIfEnabled }) => asIfEnabled === undefined);
    return {
      inputs,
      resources: results.flatMap(({ resources }) => resources),
      ...(isAllEnabled
        ? {}
        : { asIfEnabled: results.flatMap(({ resources, asIfEnabled = resources }) => asIfEnabled) }),
      turnedOff: results.flatMap(({ turnedOff = [] }) => turnedOff),
      diagnostics,
      suppressions: results.flatMap(({ suppressions = [] }) => suppressions),
      secrets: results.flatMap(({ secrets = [] }) => secrets),
    };
  }

  /** Hands an input to the reader of its front end, which is made when there is something for it. */
  private take(frontEnd: FrontEnd, input: TakenInput): Refusal | undefined {
    const { reader: make } = frontEnd;
    if (make === undefined) return undefined;
    let reader = this.readers.get(make);
    if (reader === undefined) this.readers.set(make, (reader = make(this)));
    return frontEnd.take?.(reader, input, this);
  }

  /** What looks like an input of one front end may be one of another, in which some text looks like that. */
  private takeText(first: FrontEnd, file: string, text: string, isNamed: boolean): void {
    const input: TakenInput = { is: 'file', path: file, isNamed, text };
    const refusal = this.take(first, input);
    if (refusal !== undefined && !this.takeElsewhere(input, text, [first]) && isNamed) refusal();
  }

  private takeElsewhere(input: TakenInput, text: string, refusing: readonly FrontEnd[]): boolean {
    for (const { frontEnd } of candidatesFor(text, false))
      if (!refusing.includes(frontEnd) && this.take(frontEnd, input) === undefined) return true;
    return false;
  }

  list(summary: () => InputSummary | undefined): void {
    this.listed.push(summary);
  }

  tell(...diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  claim(path: string): void {
    this.seen.add(this.files.identityOf(path));
  }

  /** The files with values of variables that the user names; what is wrong with a name is told. */
  private variableFiles(): readonly string[] {
    return (this.given.varFiles ?? []).filter((file) => {
      this.files.boundary.addFileAlone(file);
      if (existsSync(file) || this.files.isPiped(file)) return true;
      const content = readNamed(file);
      if ('problem' in content) this.problem(file, content.problem);
      return false;
    });
  }

  /** What a pattern may not look into, the folder around it may not either. */
  private problem(file: string, message: string): void {
    if (!this.diagnostics.some((known) => known.file === file && known.message === message))
      this.diagnostics.push(unreadable(file, message));
  }

  /** Remembers a file or folder; false if it was read before, by this name or another. */
  isNew(path: string): boolean {
    let real: string;
    try {
      real = this.files.identityOf(path);
    } catch (error) {
      this.problem(path, describeError(error, path));
      return false;
    }
    if (this.seen.has(real)) return false;
    this.seen.add(real);
    this.files.shownPaths.set(real, path);
    return true;
  }

  private addFile(file: string, isNamed: boolean): void {
    if (!this.isNew(file)) return;
    const own = recognizing(({ isFile }) => isFile?.(basename(file)) === true);
    if (own === undefined) this.readFile(file, isNamed);
    else this.take(own, { is: 'file', path: file, isNamed });
  }

  private readFile(file: string, isNamed: boolean): void {
    const text = this.textOf(file, isNamed);
    if (text === undefined) return;
    const best = bestFor(text, isNamed);
    const other = isNamed && (best === undefined || best.sureness === 'perhaps') ? whyNoInputText(text) : undefined;
    if (other !== undefined) this.problem(file, other);
    else if (best !== undefined) this.takeText(best.frontEnd, file, text, isNamed);
    else {
      // In a folder many JSON and YAML files are something else.
      const reason = whyUnreadable(text);
      if (reason !== undefined) this.notChecked(file, reason);
    }
  }

  textOf(file: string, isNamed: boolean): string | undefined {
    const content = this.files.readInput(file);
    if ('text' in content) return content.text;
    if (!isNamed && content.problem === ENCRYPTED) this.passedBy.encrypted.push(file);
    else this.problem(file, content.problem);
    return undefined;
  }

  /** Whether a folder is what an app writes, which is read as a whole then. */
  private addOutput(folder: string, isMeant: (output: AppOutput) => boolean): boolean {
    const found = recognizing(({ output }) => output !== undefined && isMeant(output) && output.isAt(folder));
    if (found === undefined) return false;
    this.take(found, { is: 'output', path: folder });
    return true;
  }

  private addFolder(folder: string, isNamed: boolean): void {
    if (!this.isNew(folder)) return;
    const isSynthesized = this.addOutput(
      folder,
      ({ manifest }) => this.refusalOf(join(folder, manifest)) === undefined,
    );
    if (isNamed && !isSynthesized) this.namedFolders.push(folder);
    const names = this.files.files(folder) ?? [];
    for (const frontEnd of FRONT_ENDS)
      if (frontEnd.detection?.wantsFolder?.(names) === true)
        this.take(frontEnd, { is: 'folder', path: folder, isNamed, names });
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.problem(folder, describeError(error, folder));
      return;
    }
    const all = entries.map(({ name }) => name);
    this.passedBy.addProjects(folder, all);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) this.links.push(path);
      else this.addEntry(path, entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'special');
    }
    for (const path of this.files.unsavedIn(folder)) this.addEntry(path, 'file');
  }

  private addEntry(path: string, kind: EntryKind | undefined): void {
    const name = basename(path);
    if (kind === 'special') this.tellSpecial(path);
    else if (kind === 'folder' && !SKIPPED_FOLDERS.has(name)) this.addFolder(path, false);
    else if (kind === 'file' && mayBeInput(name)) this.addFile(path, false);
  }

  /** Links found in folders. What they lead to and is read by its own path isn't read again; behind some there are others. */
  private followLinks(): void {
    for (const path of this.links) this.addEntry(path, this.linkKind(path));
  }

  /** A pipe, a socket or a device, of which somebody may think that it is read. */
  private tellSpecial(path: string): void {
    try {
      refuseSpecialFile(path);
    } catch (error) {
      if (mayBeInput(path)) this.notChecked(path, describeError(error, path));
    }
  }

  private refusalOf(path: string): string | undefined {
    // In most folders there is none of the files that are asked for, and an error takes longer.
    if (!existsSync(path)) return undefined;
    try {
      return this.files.refusal(path);
    } catch {
      // What leads nowhere is told when it is read.
      return undefined;
    }
  }

  private linkKind(path: string): EntryKind | undefined {
    try {
      const status = statSync(path);
      if (status.isDirectory()) {
        if (SKIPPED_FOLDERS.has(basename(path)) || this.files.refusal(path) === undefined) return 'folder';
        this.passedBy.links.push(path);
        return undefined;
      }
      if (!mayBeInput(path)) return 'file';
      if (!status.isFile()) {
        this.tellSpecial(path);
        return undefined;
      }
      const refusal = this.files.refusal(path);
      if (refusal !== undefined) this.notChecked(path, refusal);
      return refusal === undefined ? 'file' : undefined;
    } catch (error) {
      if (!LEADS_NOWHERE.has(codeOf(error))) this.problem(path, describeError(error));
      // The locks of an editor are links, too.
      else if (mayBeInput(path) && !basename(path).startsWith('.#')) this.notChecked(path, whyNotRead(path, error));
      return undefined;
    }
  }

  private notChecked(file: string, reason: string): void {
    this.diagnostics.push({
      ...unreadable(file, `not checked: ${reason}`),
      severity: 'warning',
      skipped: { what: 'file', count: 1 },
    });
  }
}

/** What is in its own place before what links lead to, so that paths beside it are told from there. */
function linksLast(paths: readonly string[], folder: string): readonly string[] {
  const isDirect = (path: string): boolean => {
    try {
      return realpathSync(path) === join(realpathSync(folder), relative(folder, path));
    } catch {
      return false;
    }
  };
  const direct = new Set(paths.filter(isDirect));
  return [...direct, ...paths.filter((path) => !direct.has(path))];
}

/** What might have been a template, for all that can be told. */
function whyUnreadable(text: string): string | undefined {
  if (text.trim() === '') return 'the file is empty';
  return text.includes('\0') ? 'the file is binary, not JSON or YAML' : undefined;
}
