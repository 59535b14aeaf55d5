import { realpathSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Position, TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type { TextSource } from '../fixes/repairs';
import { readEditable } from '../fixes/run';

/** A text that somebody edits. */
export interface OpenDocument {
  /** As the editor calls it. */
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly text: string;
}

/** What editors show, in place of what the disk holds. Documents that are neither files nor become any aren't checked. */
export class Documents {
  private readonly byPath = new Map<string, OpenDocument>();
  private readonly paths = new Map<string, string>();

  /**
   * Gives the path; undefined for what is no file.
   * @param language as editors call it, which tells what a document is that has no name yet
   */
  put(uri: string, version: number, text: string, language = ''): string | undefined {
    const path = pathOf(uri) ?? pathOfUntitled(uri, language);
    if (path === undefined) return undefined;
    this.paths.set(uri, path);
    this.byPath.set(path, { uri, path, version, text });
    return path;
  }

  /** Gives the path; undefined for what isn't open, and where nothing changes. */
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): string | undefined {
    const path = this.pathOf(uri);
    const before = path === undefined ? undefined : this.byPath.get(path);
    if (path === undefined || before === undefined || changes.length === 0) return undefined;
    this.byPath.set(path, { ...before, version, text: changes.reduce(changed, before.text) });
    return path;
  }

  close(uri: string): string | undefined {
    const path = this.pathOf(uri);
    if (path === undefined) return undefined;
    this.paths.delete(uri);
    this.byPath.delete(path);
    return path;
  }

  at(path: string): OpenDocument | undefined {
    return this.byPath.get(path);
  }

  all(): readonly OpenDocument[] {
    return [...this.byPath.values()];
  }

  /** The path of an open document. */
  pathOf(uri: string): string | undefined {
    return this.paths.get(uri);
  }

  /** Texts by the real paths of their files. */
  texts(): ReadonlyMap<string, string> {
    return new Map(this.all().map(({ path, text }) => [path, text]));
  }

  readonly read: TextSource = (path) => {
    const open = this.byPath.get(path);
    return open === undefined ? readEditable(path) : { text: open.text };
  };

  /** The name of a file that the editor uses, so that it knows its documents again. */
  uriOf(path: string): string {
    return this.byPath.get(path)?.uri ?? pathToFileURL(path).href;
  }
}

/** The real path of what an editor calls a file; undefined for what is none, and for what no path of this machine leads to. */
export function pathOf(uri: string): string | undefined {
  try {
    return isFile(uri) ? realPathOf(fileURLToPath(uri)) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an editor calls something a file that can't be one of this machine: it is a server's, or its name can't be decoded. */
export function leadsNowhere(uri: string): boolean {
  return isFile(uri) && pathOf(uri) === undefined;
}

export function isFile(uri: string): boolean {
  return uri.startsWith('file:');
}

/** Where links of a path lead to, also of one at which there is nothing yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPathOf(folder), basename(path));
  }
}

const UNTITLED = 'untitled:';

/** What files of a language are called. */
const SUFFIXES: Readonly<Record<string, string>> = {
  yaml: '.yaml',
  'cloudformation-yaml': '.yaml',
  json: '.json',
  jsonc: '.json',
  'cloudformation-json': '.json',
  terraform: '.tf',
  opentofu: '.tf',
  hcl: '.tf',
  'terraform-vars': '.tfvars',
  shellscript: '.sh',
};

/**
 * A path for a document that isn't saved: the one that it is to have, or in a folder of its own in the one that is open, so that nothing is beside
 * it. Undefined for what is no such document.
 */
function pathOfUntitled(uri: string, language: string): string | undefined {
  if (!uri.startsWith(UNTITLED)) return undefined;
  try {
    const name = decodeURIComponent(uri.slice(UNTITLED.length));
    if (name.includes('\0')) return undefined;
    if (isAbsolute(name)) return realPathOf(name);
    const own = extname(name) === '' ? `${basename(name)}${SUFFIXES[language] ?? ''}` : basename(name);
    return join(realPathOf(resolve('.')), `unsaved ${basename(name)}`, own);
  } catch {
    return undefined;
  }
}

function changed(text: string, change: TextDocumentContentChangeEvent): string {
  if (!('range' in change)) return change.text;
  const { start, end } = change.range;
  return text.slice(0, offsetOf(text, start)) + change.text + text.slice(offsetOf(text, end));
}

/** A position behind the end of its line is that end, as the protocol wants it. */
function offsetOf(text: string, { line, character }: Position): number {
  const breaks = /\r\n?|\n/g;
  let start = 0;
  for (let at = 0; at < line; at++) {
    if (breaks.exec(text) === null) return text.length;
    start = breaks.lastIndex;
  }
  const end = breaks.exec(text)?.index ?? text.length;
  return Math.min(start + character, end);
}
