import { TOO_DEEP, unreadableDocument, type ParsedDocument } from './document';
import type { RepeatedKeys } from './json/json-problems';
import { parseJsonDocument } from './json/json-document';
import { positionAt } from './positions';
import { keptFor } from './reread';
import { parseYamlDocument, parseYamlDocuments, parseYamlForEdits } from './yaml/parse-yaml';

/** Longer texts are refused: V8 can't hold the parsed tree of a file much larger than this. */
const MAX_LENGTH = 512 * 1024 * 1024;

/**
 * Parses a template, manifest or any other JSON or YAML text, told apart by the first character.
 * Never throws: what can't be read becomes diagnostics of severity `error`.
 * @param isTemplate whether tags of YAML are short forms of CloudFormation's functions
 * @param repeated what keys mean that stand twice in one map
 */
export function parseDocument(
  text: string,
  file: string,
  isTemplate = true,
  repeated: RepeatedKeys = 'error',
): ParsedDocument {
  return keptFor(`${isTemplate}\0${repeated}\0${file}`, text, (last: ParsedDocument | undefined) =>
    parseOne(withoutMark(text), file, repeated, (content) =>
      parseYamlDocument(content, file, isTemplate, repeated, last),
    ),
  );
}

/** The same for a template that is edited; of one in YAML, `yamlTree` needs what only this keeps. */
export function parseForEdits(text: string, file: string): ParsedDocument {
  return parseOne(text, file, 'error', (content) => parseYamlForEdits(content, file));
}

function parseOne(
  content: string,
  file: string,
  repeated: RepeatedKeys,
  parseYaml: (content: string) => ParsedDocument,
): ParsedDocument {
  const problem = whyUnreadable(content, file);
  if (problem !== undefined) return problem;
  if (!/^\s*[{[]/.test(content)) return parseYaml(content);
  const json = parseJsonDocument(content, file, repeated);
  // A YAML file may well start with a flow collection that isn't JSON.
  const isHopeless = json.diagnostics.some(({ message }) => message === TOO_DEEP);
  if (json.root !== undefined || isHopeless || !/\.(ya?ml|template|txt)$/i.test(file)) return json;
  const yaml = parseYaml(content);
  return yaml.root === undefined ? json : yaml;
}

/**
 * Parses all documents of a file for a tool of Kubernetes: JSON, or YAML with several documents in it. Never throws.
 * @param firstLine of the text in the file, where it is a part of it
 */
export function parseDocuments(
  text: string,
  file: string,
  repeated: RepeatedKeys = 'error',
  firstLine = 1,
): readonly ParsedDocument[] {
  return keptFor(`${firstLine}\0${repeated}\0${file}`, text, (last: readonly ParsedDocument[] | undefined) =>
    parseAll(withoutMark(text), file, repeated, firstLine, last),
  );
}

function parseAll(
  content: string,
  file: string,
  repeated: RepeatedKeys,
  firstLine: number,
  last: readonly ParsedDocument[] | undefined,
): readonly ParsedDocument[] {
  const problem = whyUnreadable(content, file);
  if (problem !== undefined) return [problem];
  if (/^\s*[{[]/.test(content)) {
    const json = parseJsonDocument(content, file, repeated, firstLine);
    if (json.root !== undefined || /\.json$/i.test(file)) return [json];
  }
  return parseYamlDocuments(content, file, repeated, firstLine, last);
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function whyUnreadable(content: string, file: string): ParsedDocument | undefined {
  if (content.length > MAX_LENGTH)
    return unreadableDocument(file, `the file is larger than ${MAX_LENGTH / 1024 / 1024} MB`);
  if (!/\S/.test(content)) return unreadableDocument(file, 'the file is empty');
  const nul = content.slice(0, 65536).indexOf('\0');
  return nul < 0
    ? undefined
    : unreadableDocument(file, 'the file is binary, not JSON or YAML', positionAt(content, nul));
}
