import type { SourceMap } from 'node:module';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a module of the user; line and column count from 1. */
export interface CodePlace {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where this package's own code is. */
const OWN = resolve(__dirname, '..') + sep;

const maps = new Map<string, SourceMap>();

/** Remembers how to come from compiled code to what the user wrote. */
export function rememberSourceMap(file: string, map: SourceMap): void {
  maps.set(file, map);
}

/** Where in the user's code an error comes from; undefined if it comes from elsewhere, or doesn't tell. */
export function placeOf(error: unknown): CodePlace | undefined {
  const stack = stackOf(error);
  const place = syntaxErrorPlace(stack) ?? framePlace(stack);
  return place === undefined ? undefined : original(place);
}

function stackOf(error: unknown): string {
  try {
    return typeof error === 'object' && error !== null && 'stack' in error && typeof error.stack === 'string'
      ? error.stack
      : '';
  } catch {
    return '';
  }
}

/** Node.js tells it in front of the error: `FILE:LINE`, lines of it, and below them a mark. */
export function syntaxErrorPlace(text: string): CodePlace | undefined {
  const [, file = '', line, mark = ''] = /^([^\n]+):(\d+)\r?\n(?:[^\n]*\r?\n){1,8}?([ \t]*)\^/.exec(text) ?? [];
  return line === undefined || !isAbsolute(pathOf(file))
    ? undefined
    : { file: pathOf(file), line: Number(line), column: mark.length + 1 };
}

/** The innermost call of the user's own code that nothing of ours has made; one in a library of his, if there is no other. */
function framePlace(stack: string): CodePlace | undefined {
  let inLibrary: CodePlace | undefined;
  for (const row of stack.split('\n')) {
    const [, named, bare = ''] = /^\s+at (?:.*\(([^(]+:\d+:\d+)\)|(?:async )?(.+:\d+:\d+))$/.exec(row) ?? [];
    const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(named ?? bare) ?? [];
    const path = pathOf(file);
    if (!isAbsolute(path)) continue;
    if (path.startsWith(OWN)) break;
    const place = { file: path, line: Number(line), column: Number(column) };
    if (!isInLibrary(place)) return place;
    inLibrary ??= place;
  }
  return inLibrary;
}

/** Whether it is in an installed package. */
export function isInLibrary({ file }: CodePlace): boolean {
  return file.split(sep).includes('node_modules');
}

function pathOf(file: string): string {
  try {
    return file.startsWith('file://') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}

function original(place: CodePlace): CodePlace {
  const entry = maps.get(place.file)?.findEntry(place.line - 1, place.column - 1);
  return entry !== undefined && 'originalLine' in entry
    ? { ...place, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : place;
}

/** For people: from the working directory on, if it is in there. */
export function shownPlace({ file, line, column }: CodePlace): string {
  return `${shownPath(file)}:${line}:${column}`;
}

/** A path from the working directory on, if it is in there. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}
