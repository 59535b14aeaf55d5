import type { Diagnostic } from '../value';
import type { FileComments } from './comments/ignores';
import { LineIndex, type Position } from './positions';

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
  /** The lines that an entry of a map has for itself, 1-based, with those of its value, or those of the whole document; undefined where something else stands in them. */
  linesOf?(path: DocumentPath): OwnLines | undefined;
  /** The name of the anchor that the value at a path has in YAML, to which aliases may refer. */
  anchorOf?(path: DocumentPath): string | undefined;
  /** A number or boolean as it is written: `1.30` where the value is 1.3. */
  scalarText(path: DocumentPath): string | undefined;
}

export interface OwnLines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** What a syntax has to say about a text before positions are made into diagnostics. */
export interface TextProblem {
  readonly offset: number;
  readonly message: string;
  /** Of one in spite of which the text is read as it is meant to be. @default false */
  readonly isDoubt?: boolean;
}

/** Deeper nesting than any real template has; what walks the tree may then recurse. */
export const MAX_DEPTH = 256;

export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** At most so many problems of one text are listed. */
const MAX_PROBLEMS = 20;

/** A document that could not be read at all. */
export function unreadableDocument(
  file: string,
  message: string,
  at: Position = { line: 1, column: 1 },
): ParsedDocument {
  return {
    root: undefined,
    diagnostics: [{ severity: 'error', message, file, ...at }],
    locate: () => at,
    locateInText: () => undefined,
    scalarText: () => undefined,
  };
}

/** Diagnostics for problems: in the order of the text, one for each place, and not more than a reader would look at. */
export function toDiagnostics(
  problems: readonly TextProblem[],
  text: string,
  file: string,
  positions = new LineIndex(text),
): Diagnostic[] {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset);
  const shown = sorted.slice(0, MAX_PROBLEMS);
  const diagnostics: Diagnostic[] = shown.map(({ offset, message, isDoubt }) => ({
    severity: isDoubt === true ? 'warning' : 'error',
    message,
    file,
    ...positions.at(offset),
  }));
  const last = sorted[MAX_PROBLEMS];
  if (last !== undefined) {
    const areDoubts = sorted.slice(MAX_PROBLEMS).every(({ isDoubt }) => isDoubt === true);
    diagnostics.push({
      severity: areDoubts ? 'warning' : 'error',
      message: `${sorted.length - MAX_PROBLEMS} more problems from here on`,
      file,
      ...positions.at(last.offset),
    });
  }
  return diagnostics;
}
