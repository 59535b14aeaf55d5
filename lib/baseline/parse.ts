import { parseJsonDocument } from '../languages/json/json-document';
import type { DocumentPath, ParsedDocument } from '../languages';
import type { Baseline, BaselineEntry } from './baseline';

/** What is wrong with a baseline file, and where. */
export interface BaselineProblem {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const KEYS = ['fingerprint', 'rule', 'resource', 'file'] as const;

/** Reads the text of a baseline file. Never throws; keys that aren't known are left for later versions. */
export function parseBaseline(text: string, file: string): Baseline | BaselineProblem {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trim() === '')
    return { message: 'the file is empty; write it with --write-baseline', file, line: 1, column: 1 };
  const document = parseJsonDocument(content, file);
  const [broken] = document.diagnostics;
  if (broken !== undefined) return { message: broken.message, file, line: broken.line, column: broken.column };
  const at = (message: string, ...path: DocumentPath): BaselineProblem => ({ message, file, ...document.locate(path) });
  const { root } = document;
  if (!isMap(root))
    return at(
      `a baseline is a JSON object, and this is ${root === null ? 'null' : Array.isArray(root) ? 'a list' : `a ${typeof root}`}`,
    );
  const { version, entries } = root;
  if (version === undefined) return at('this is no baseline, because it has no "version"');
  if (version !== 1)
    return at(
      `version ${JSON.stringify(version)} of baselines isn't known here; write it again with --write-baseline, or use a newer eks-guardrails`,
      'version',
    );
  if (!Array.isArray(entries)) return at('"entries" is no list', 'entries');
  return readEntries(entries, document, file);
}

function readEntries(list: readonly unknown[], document: ParsedDocument, file: string): Baseline | BaselineProblem {
  const entries: BaselineEntry[] = [];
  for (const [index, entry] of list.entries()) {
    const at = (message: string, ...path: DocumentPath): BaselineProblem => ({
      message,
      file,
      ...document.locate(['entries', index, ...path]),
    });
    if (!isMap(entry)) return at('an entry is an object');
    const wrong = KEYS.find((key) => typeof entry[key] !== 'string');
    if (wrong !== undefined)
      return entry[wrong] === undefined ? at(`the entry has no "${wrong}"`) : at(`"${wrong}" is no string`, wrong);
    const { fingerprint, rule, resource, file: place } = entry as Record<(typeof KEYS)[number], string>;
    if (!/^[0-9a-f]{32}$/.test(fingerprint))
      return at(`"${fingerprint.slice(0, 40)}" is no fingerprint of 32 hexadecimal digits`, 'fingerprint');
    entries.push({ fingerprint, rule, resource, file: place });
  }
  return { entries };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
