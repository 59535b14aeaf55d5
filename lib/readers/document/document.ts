import type { Diagnostic } from '../../engine/finding';
import type { FileComments } from '../comments/ignores';
import { parseJsonDocument } from './json-document';
import { parseYamlDocument } from './yaml-document';

/** 1-based line and column (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Keys and list indexes from the root of a document to a value. */
export type DocumentPath = readonly (string | number)[];

/** A parsed JSON or YAML text. */
export interface ParsedDocument {
  /** Plain value; short-form intrinsics of YAML stand in their long form. Undefined if the text could not be read. */
  readonly root: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** Comments about eks-guardrails; undefined if there are none. */
  readonly comments?: FileComments | undefined;
  /** Position of the key (or list item) at a path; of its nearest existing ancestor if there is no such path. */
  locate(path: DocumentPath): Position;
  /** Position of the character at an offset of the string at a path; undefined if there is no string. */
  locateInText(path: DocumentPath, offset: number): Position | undefined;
  /** A number or boolean as it is written: `1.30` where the value is 1.3. */
  scalarText(path: DocumentPath): string | undefined;
}

/** What a syntax has to say about a text before positions are made into diagnostics. */
export interface TextProblem {
  readonly offset: number;
  readonly message: string;
}

/** Longer texts are refused: V8 can't hold the parsed tree of a file much larger than this. */
const MAX_LENGTH = 512 * 1024 * 1024;

/** Deeper nesting than any real template has; what walks the tree may then recurse. */
export const MAX_DEPTH = 256;

export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** At most so many problems of one text are listed. */
const MAX_PROBLEMS = 20;

/**
 * Parses a template, manifest or any other JSON or YAML text, told apart by the first character.
 * Never throws: what can't be read becomes diagnostics of severity `error`.
 * @param isTemplate whether tags of YAML are short forms of CloudFormation's functions
 */
export function parseDocument(text: string, file: string, isTemplate = true): ParsedDocument {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (content.length > MAX_LENGTH) return unreadableDocument(file, `the file is larger than ${MAX_LENGTH / 1024 / 1024} MB`);
  const firstCharacter = content.search(/\S/);
  if (firstCharacter < 0) return unreadableDocument(file, 'the file is empty');
  const nul = content.slice(0, 65536).indexOf('\0');
  if (nul >= 0) return unreadableDocument(file, 'the file is binary, not JSON or YAML', positionAt(content, nul));
  const first = content[firstCharacter];
  if (first !== '{' && first !== '[') return parseYamlDocument(content, file, isTemplate);
  const json = parseJsonDocument(content, file);
  // A YAML file may well start with a flow collection that isn't JSON.
  const isHopeless = json.diagnostics.some(({ message }) => message === TOO_DEEP);
  if (json.root !== undefined || isHopeless || !/\.(ya?ml|template|txt)$/i.test(file)) return json;
  const yaml = parseYamlDocument(content, file, isTemplate);
  return yaml.root === undefined ? json : yaml;
}

/** A document that could not be read at all. */
export function unreadableDocument(file: string, message: string, at: Position = { line: 1, column: 1 }): ParsedDocument {
  return {
    root: undefined,
    diagnostics: [{ severity: 'error', message, file, ...at }],
    locate: () => at,
    locateInText: () => undefined,
    scalarText: () => undefined,
  };
}

/** Diagnostics for problems: in the order of the text, one for each place, and not more than a reader would look at. */
export function toDiagnostics(problems: readonly TextProblem[], text: string, file: string): Diagnostic[] {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset);
  const positions = new LineIndex(text);
  const shown = sorted.slice(0, MAX_PROBLEMS);
  const diagnostics: Diagnostic[] = shown.map(({ offset, message }) => ({ severity: 'error', message, file, ...positions.at(offset) }));
  const last = sorted[MAX_PROBLEMS];
  if (last !== undefined) {
    diagnostics.push({ severity: 'error', message: `${sorted.length - MAX_PROBLEMS} more problems from here on`, file, ...positions.at(last.offset) });
  }
  return diagnostics;
}

/** Position of one offset. Use {@link LineIndex} for many. */
export function positionAt(text: string, offset: number): Position {
  return new LineIndex(text).at(offset);
}

/** How many lines share an entry of the index: a large template has millions of lines, and few places that anybody asks for. */
const LINES_PER_ENTRY = 64;

/** Line starts of a text, found once, so that many offsets cost no more than one. */
export class LineIndex {
  /** Of every {@link LINES_PER_ENTRY}th line. */
  private starts: number[] | undefined;
  private lines = 1;

  constructor(private readonly text: string) {}

  at(offset: number): Position {
    const starts = (this.starts ??= this.lineStarts());
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let line = low * LINES_PER_ENTRY + 1;
    let start = starts[low] ?? 0;
    // Behind the last line there is no line break to look for: plans of Terraform are one line of many megabytes.
    while (line < this.lines) {
      const end = this.text.indexOf('\n', start);
      if (end < 0 || end >= offset) break;
      line++;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  }

  private lineStarts(): number[] {
    const starts = [0];
    let lines = 1;
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n', end + 1)) {
      if (lines++ % LINES_PER_ENTRY === 0) starts.push(end + 1);
    }
    this.lines = lines;
    return starts;
  }
}
