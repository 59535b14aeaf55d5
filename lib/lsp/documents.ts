import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

/** What editors show, in place of what the disk holds. Documents that are no files aren't checked. */
export class Documents {
  private readonly byPath = new Map<string, OpenDocument>();

  /** Gives the path; undefined for what is no file. */
  put(uri: string, version: number, text: string): string | undefined {
    const path = pathOf(uri);
    if (path !== undefined) this.byPath.set(path, { uri, path, version, text });
    return path;
  }

  close(uri: string): string | undefined {
    const path = pathOf(uri);
    if (path !== undefined) this.byPath.delete(path);
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
    return this.all().find((document) => document.uri === uri)?.path;
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

/** Where links of a path lead to, or the path itself if that is nowhere. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
