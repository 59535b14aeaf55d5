import {
  MAX_DEPTH,
  toDiagnostics,
  TOO_DEEP,
  type DocumentPath,
  type ParsedDocument,
  type TextProblem,
} from '../document';
import { findDuplicateKeys, findSyntaxErrors, type RepeatedKeys } from './json-problems';
import { escapedOffset, memberOffsets, skipBlank, skipString, skipValue, type MemberOffset } from './json-scanner';
import { LineIndex, type Position } from '../positions';

/**
 * Parses JSON with the engine's own parser. Positions aren't recorded but found again in the text when somebody
 * asks, because a large template has millions of values and few findings.
 */
export function parseJsonDocument(
  text: string,
  file: string,
  repeated: RepeatedKeys = 'error',
  firstLine = 1,
): ParsedDocument {
  const lines = new LineIndex(text, firstLine);
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return new JsonDocument(text, undefined, file, lines, findSyntaxErrors(text));
  }
  const keys = keysIn(root, 1);
  if (keys === Infinity) {
    return new JsonDocument(text, undefined, file, lines, [
      { offset: offsetOfDepth(text, MAX_DEPTH), message: TOO_DEEP },
    ]);
  }
  // JSON.parse drops all but the last of equal keys; the text then holds more colons than the tree holds keys.
  const problems = countKeys(text) === keys ? [] : findDuplicateKeys(text, repeated);
  return new JsonDocument(text, root, file, lines, problems);
}

/** Deep enough for the resources of any format: those of a Terraform state stand in lists within modules. */
const MAX_KEPT = 12;

const CHARACTERS_PER_MARK = 256;

class JsonDocument implements ParsedDocument {
  readonly diagnostics;
  private readonly top: Place;
  /** Of strings by where they begin: where every {@link CHARACTERS_PER_MARK}th character stands. */
  private readonly marks = new Map<number, number[]>();

  constructor(
    private readonly text: string,
    readonly root: unknown,
    file: string,
    private readonly lines: LineIndex,
    problems: readonly TextProblem[],
  ) {
    this.diagnostics = toDiagnostics(problems, text, file, lines);
    const start = skipBlank(text, 0);
    this.top = { key: start, value: start };
  }

  locate(path: DocumentPath): Position {
    return this.lines.at(this.find(path).key);
  }

  locateInText(path: DocumentPath, offset: number): Position | undefined {
    const { value, found } = this.find(path);
    if (!found || this.text[value] !== '"') return undefined;
    return this.lines.at(this.offsetIn(value, offset));
  }

  /** Where a character of a string stands, which has escapes before it. Whoever asks for one mostly asks for all. */
  private offsetIn(value: number, offset: number): number {
    let marks = this.marks.get(value);
    if (marks === undefined) this.marks.set(value, (marks = [value + 1]));
    const mark = Math.floor(offset / CHARACTERS_PER_MARK);
    for (let last = marks.at(-1) ?? 0; marks.length <= mark && last < this.text.length; last = marks.at(-1) ?? 0)
      marks.push(escapedOffset(this.text, last, CHARACTERS_PER_MARK));
    return escapedOffset(this.text, marks[mark] ?? this.text.length, offset - mark * CHARACTERS_PER_MARK);
  }

  scalarText(path: DocumentPath): string | undefined {
    const { value, found } = this.find(path);
    if (!found) return undefined;
    const text = this.text.slice(value, skipValue(this.text, value));
    return text.startsWith('"') ? undefined : text;
  }

  private find(path: DocumentPath): Omit<MemberOffset, 'end'> & { found: boolean } {
    let place = this.top;
    for (const [depth, step] of path.entries()) {
      const name = String(step);
      const members: ReadonlyMap<string, Place> =
        depth < MAX_KEPT
          ? (place.members ??= memberOffsets(this.text, place.value))
          : memberOffsets(this.text, place.value, name);
      const member = members.get(name);
      if (member === undefined) return { key: place.key, value: place.value, found: false };
      place = member;
    }
    return { key: place.key, value: place.value, found: true };
  }
}

/** What was looked into keeps its members, so that locating many resources stays linear. */
interface Place extends Omit<MemberOffset, 'end'> {
  members?: ReadonlyMap<string, Place>;
}

/** Counts the keys of a tree; infinite of one that is too deep to be walked by recursion. */
function keysIn(node: unknown, depth: number): number {
  if (typeof node !== 'object' || node === null) return 0;
  if (depth > MAX_DEPTH) return Infinity;
  let keys = 0;
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) if (typeof item === 'object') keys += keysIn(item, depth + 1);
  } else {
    for (const key in node) {
      const value = (node as Record<string, unknown>)[key];
      keys += typeof value === 'object' ? 1 + keysIn(value, depth + 1) : 1;
    }
  }
  return keys;
}

const COLON = 0x3a;

/** Counts the strings with a colon behind them, in valid JSON. */
function countKeys(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const next = skipBlank(text, skipString(text, start));
    if (text.charCodeAt(next) === COLON) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

/** Where the nesting gets deeper than `limit`. */
function offsetOfDepth(text: string, limit: number): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = skipValue(text, i) - 1;
    else if (character === '{' || character === '[') {
      depth++;
      if (depth > limit) return i;
    } else if (character === '}' || character === ']') depth--;
  }
  return 0;
}
