import type { Diagnostic, Source } from '../../value';
import { MAX_DEPTH, toDiagnostics, type TextProblem } from '../../languages/document';
import { parseJsonDocument } from '../../languages/json/json-document';
import { jsonComments } from './json-comments';
import type { ConfigurationFile } from '../configuration-file';
import type { Block, Body, Range, SyntaxProblem } from '../../languages/hcl/ast';
import { COMMENT, isNull, JsonBodies, unpack, type BlockHead } from './blocks';
import { isDeepJson, JsonText, type JsonNode, type JsonObject, type JsonOutline } from './node';
import { JsonPlace, JsonPlaces } from './places';
import { FILE, type BlockSyntax } from './syntax';

const EMPTY: Body = { attributes: [], blocks: [], range: { start: 0, end: 0 } };

/** What a file has to be made of to be read with {@link parseJsonVariables}. */
const VARIABLES_BODY = {
  blocks: new Map<string, BlockSyntax>(),
  arguments: new Map<string, never>(),
  others: 'literal',
  hasDynamic: false,
} as const;

/**
 * Reads a `.tf.json` file. Its blocks are what HCL would give: of what stands in a resource the provider's schema alone knows whether it is
 * an argument or a block, so objects and lists are arguments, except where `dynamic` blocks tell otherwise. Bodies are made when somebody asks.
 * Never throws.
 */
export function parseJsonConfiguration(text: string, file: string): ConfigurationFile {
  return read(text, file, (document) => {
    const { body, constructPaths, comment } = new Configuration(document);
    return { body, constructPaths, comment, comments: jsonComments(document.json, file, body) };
  });
}

/** Reads a `.tfvars.json` file: an attribute for each variable, with texts taken as they are written. */
export function parseJsonVariables(text: string, file: string): ConfigurationFile {
  return read(text, file, (document) => {
    const { json, problems, bodies } = document;
    const root = json.read(json.outline());
    if (root.kind === 'object') return { body: bodies.body(root, VARIABLES_BODY) };
    problems.push({ message: 'a file of variables is one JSON object', offset: root.range.start });
    return { body: EMPTY };
  });
}

/**
 * Reads a configuration that never was a file, such as what a stack of CDKTF synthesizes to. Its places are the first line, with the path of
 * the attribute.
 */
export function jsonConfiguration(content: unknown, file: string): ConfigurationFile {
  let text: string | undefined;
  try {
    text = JSON.stringify(content);
  } catch (error) {
    return unreadable(
      file,
      `the configuration can't be written as JSON: ${error instanceof Error ? error.message.split('\n', 1).join() : String(error)}`,
    );
  }
  // Of a function or undefined JSON has no text, whatever the declaration says.
  if (typeof (text as unknown) !== 'string') return unreadable(file, 'the configuration is no object');
  const read = parseJsonConfiguration(text, file);
  const place = (_range: Range, property?: string): Source => ({
    locate: () => ({ file, line: 1, column: 1, ...(property === undefined ? {} : { property }) }),
  });
  return {
    ...read,
    diagnostics: read.diagnostics.map((diagnostic) => ({ ...diagnostic, line: 1, column: 1 })),
    comments: undefined,
    place,
  };
}

interface Document {
  readonly json: JsonText;
  readonly places: JsonPlaces;
  readonly problems: SyntaxProblem[];
  readonly doubts: SyntaxProblem[];
  readonly bodies: JsonBodies;
}

function read(
  text: string,
  file: string,
  convert: (document: Document) => Pick<ConfigurationFile, 'body' | 'constructPaths' | 'comment' | 'comments'>,
): ConfigurationFile {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const places = new JsonPlaces(file, content);
  const place = (range: Range, property?: string): Source => new JsonPlace(places, range.start, property);
  const broken = whyBroken(content, file);
  if (broken !== undefined) return { file, body: EMPTY, diagnostics: broken, place };
  const problems: SyntaxProblem[] = [];
  const doubts: SyntaxProblem[] = [];
  const converted = convert({
    json: new JsonText(content),
    places,
    problems,
    doubts,
    bodies: new JsonBodies(places, problems),
  });
  const shown = (found: readonly SyntaxProblem[]): readonly Diagnostic[] => {
    const inFile: TextProblem[] = found.map(({ message, offset }) => ({ message, offset: places.offsetOf(offset) }));
    return toDiagnostics(inFile, content, file);
  };
  const warnings = shown(doubts).map((doubt): Diagnostic => ({ ...doubt, severity: 'warning' }));
  return { file, ...converted, diagnostics: [...shown(problems), ...warnings], place };
}

/** What keeps a text from being read at all. Keys that are written twice do not. */
function whyBroken(text: string, file: string): readonly Diagnostic[] | undefined {
  if (text.trim() === '') return unreadable(file, 'the file is empty').diagnostics;
  try {
    JSON.parse(text);
    if (!isDeepJson(text, MAX_DEPTH)) return undefined;
  } catch {
    // What is wrong with it is looked for only now.
  }
  return parseJsonDocument(text, file).diagnostics;
}

function unreadable(file: string, message: string): ConfigurationFile {
  return {
    file,
    body: EMPTY,
    diagnostics: [{ severity: 'error', message, file, line: 1, column: 1 }],
    place: () => ({ locate: () => ({ file, line: 1, column: 1 }) }),
  };
}

/** The blocks of a file. Each body is made once to look for problems, and again when somebody wants it: a large file has many that nobody does. */
class Configuration {
  readonly body: Body;
  readonly constructPaths: ReadonlyMap<string, string>;
  comment: unknown;
  private readonly blocks: Block[] = [];
  private readonly paths = new Map<string, string>();

  constructor(private readonly document: Document) {
    const { json, problems } = document;
    const root = json.outline();
    for (const part of root.kind === 'array' ? json.membersOf(root).map(({ value }) => value) : [root]) {
      if (part.kind === 'object') this.file(part);
      else problems.push({ message: 'a configuration is a JSON object, or a list of them', offset: part.range.start });
    }
    this.body = { attributes: [], blocks: this.blocks, range: root.range };
    this.constructPaths = this.paths;
  }

  private file(root: JsonOutline): void {
    const { json, problems } = this.document;
    const view = {
      membersOf: (node: JsonOutline) => json.membersOf(node),
      isNull: (node: JsonOutline) => isNull(json.read(node)),
    };
    for (const { name, nameRange, value } of json.membersOf(root)) {
      if (name === COMMENT) {
        this.comment ??= json.plain(value);
        continue;
      }
      const syntax = FILE.blocks.get(name);
      if (syntax !== undefined)
        unpack(view, value, { type: name, labels: [], headRange: nameRange }, syntax.labels, problems, (node, head) => {
          this.block(node, head, syntax);
        });
      else
        this.document.doubts.push({
          message: `"${name}" is no block of Terraform that is known here; it is left out`,
          offset: nameRange.start,
        });
    }
  }

  private block(outline: JsonOutline, head: BlockHead, syntax: BlockSyntax): void {
    const { json, bodies, places } = this.document;
    const node = json.read(outline);
    if (node.kind !== 'object') return;
    const path = constructPath(node);
    const address = addressOf(head);
    if (path !== undefined && address !== undefined) this.paths.set(address, path);
    bodies.body(node, syntax.body());
    let body: Body | undefined;
    this.blocks.push({
      ...head,
      get body() {
        return (body ??= rebuild());
      },
    });
    function rebuild(): Body {
      const again = json.read(outline);
      // Its problems are told already.
      return again.kind === 'object' ? new JsonBodies(places, []).body(again, syntax.body()) : EMPTY;
    }
  }
}

/** Address of a block within its module. */
function addressOf({ type, labels }: BlockHead): string | undefined {
  switch (type) {
    case 'resource':
      return labels.join('.');
    case 'data':
    case 'module':
      return [type, ...labels].join('.');
    default:
      return undefined;
  }
}

/** Path of the construct that a block comes from, as CDKTF writes it into the comment: `"//": {"metadata": {"path": …}}`. */
function constructPath(body: JsonObject): string | undefined {
  const path = memberOf(memberOf(memberOf(body, COMMENT), 'metadata'), 'path');
  return path?.kind === 'string' ? path.value : undefined;
}

function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.name === name)?.value : undefined;
}
