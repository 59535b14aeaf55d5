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
  const { keys, tooDeep } = measure(root);
  if (tooDeep) {
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

class JsonDocument implements ParsedDocument {
  readonly diagnostics;
  /** Members of what was looked into, so that locating many resources stays linear. */
  private readonly members = new Map<string, ReadonlyMap<string, MemberOffset>>();

  constructor(
    private readonly text: string,
    readonly root: unknown,
    file: string,
    private readonly lines: LineIndex,
    problems: readonly TextProblem[],
  ) {
    this.diagnostics = toDiagnostics(problems, text, file, lines);
  }

  locate(path: DocumentPath): Position {
    return this.lines.at(this.find(path).key);
  }

  locateInText(path: DocumentPath, offset: number): Position | undefined {
    const { value, found } = this.find(path);
    if (!found || this.text[value] !== '"') return undefined;
    return this.lines.at(escapedOffset(this.text, value + 1, offset));
  }

  scalarText(path: DocumentPath): string | undefined {
    const { value, found } = this.find(path);
    if (!found) return undefined;
    const text = this.text.slice(value, skipValue(this.text, value));
    return text.startsWith('"') ? undefined : text;
  }

  private find(path: DocumentPath): MemberOffset & { found: boolean } {
    let key = skipBlank(this.text, 0);
    let value = key;
    for (const [depth, step] of path.entries()) {
      const members =
        depth < MAX_KEPT ? this.membersOf(path.slice(0, depth), value) : memberOffsets(this.text, value, String(step));
      const member = members.get(String(step));
      if (member === undefined) return { key, value, found: false };
      ({ key, value } = member);
    }
    return { key, value, found: true };
  }

  private membersOf(path: DocumentPath, value: number): ReadonlyMap<string, MemberOffset> {
    const id = JSON.stringify(path);
    let members = this.members.get(id);
    if (members === undefined) {
      members = memberOffsets(this.text, value);
      this.members.set(id, members);
    }
    return members;
  }
}

/** Counts the keys of a tree, down to the depth that may be walked by recursion. */
function measure(root: unknown): { keys: number; tooDeep: boolean } {
  let keys = 0;
  let tooDeep = false;
  const visit = (node: object, depth: number): void => {
    if (depth > MAX_DEPTH) {
      tooDeep = true;
    } else if (Array.isArray(node)) {
      for (const item of node as unknown[]) if (typeof item === 'object' && item !== null) visit(item, depth + 1);
    } else {
      for (const key in node) {
        keys++;
        const value = (node as Record<string, unknown>)[key];
        if (typeof value === 'object' && value !== null) visit(value, depth + 1);
      }
    }
  };
  if (typeof root === 'object' && root !== null) visit(root, 1);
  return { keys, tooDeep };
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
