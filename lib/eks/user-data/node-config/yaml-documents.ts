import type { Document, Tags } from 'yaml';
import { yaml } from '../../../text/lazy-parsers';

/** The first document of a YAML text, and where a further one begins. */
export interface FirstDocument {
  /** Undefined when the text holds no document at all. */
  readonly document: Document.Parsed | undefined;
  /** Offset of the line that begins the next document with content. */
  readonly further: number | undefined;
  readonly error: { readonly offset: number; readonly message: string } | undefined;
  /** Whether the two readers may see different things in the text, so that neither content nor error can be trusted. */
  readonly ambiguous: boolean;
}

/** How much text may be read again for the sake of loosely indented lines, in characters. */
const RETRY_BUDGET = 300_000;

/**
 * Reads YAML as nodeadm's reader does (sigs.k8s.io/yaml on go-yaml 2): YAML 1.1 scalars without base 60 numbers and timestamps,
 * of repeated keys the last, only the first document.
 *
 * go-yaml doesn't care how far the lines of a quoted text or of `[…]` and `{…}` are indented, and the `yaml` package does: such
 * lines are joined to the ones before, without moving any offset, until the package reads them too.
 */
export function readFirstDocument(text: string): FirstDocument {
  let joined = text;
  let result = parse(joined);
  const [firstError] = result.errors;
  let budget = RETRY_BUDGET;
  for (let error = firstError; error !== undefined && isLooseIndentation(error, joined); [error] = result.errors) {
    const next = joinLines(joined, error);
    budget -= text.length;
    if (next === undefined || budget < 0) return { ...result, error: undefined, ambiguous: true };
    joined = next;
    result = parse(joined);
  }
  return { ...result, error: result.errors.length === 0 ? undefined : firstError, ambiguous: false };
}

/** The text with the line of the error joined to the one before; in a quoted text, the lines up to its end. Undefined if that could change its meaning. */
function joinLines(text: string, error: YamlError): string | undefined {
  const lineStart = text.lastIndexOf('\n', error.offset) + 1;
  if (lineStart === 0) return undefined;
  const quote = /^Missing closing (["'])/.exec(error.message)?.[1];
  if (quote !== undefined) {
    const inner = text.slice(lineStart - 1, Math.max(lineStart, text.indexOf(quote, lineStart)));
    return text.slice(0, lineStart - 1) + inner.replaceAll('\n', ' ') + text.slice(lineStart - 1 + inner.length);
  }
  const before = text.lastIndexOf('\n', lineStart - 2) + 1;
  // A comment would swallow the line that is joined to it.
  if (text.slice(before, lineStart).includes('#')) return undefined;
  return `${text.slice(0, lineStart - 1)} ${text.slice(lineStart)}`;
}

interface YamlError {
  readonly offset: number;
  readonly message: string;
}

function parse(text: string): {
  document: Document.Parsed | undefined;
  further: number | undefined;
  errors: readonly YamlError[];
} {
  const documents = yaml().parseAllDocuments(text, {
    version: '1.1',
    customTags: likeGoYaml,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: false,
  });
  if (!Array.isArray(documents)) return { document: undefined, further: undefined, errors: [] };
  const [first, ...others] = documents;
  const next = others.find(({ contents }) => contents !== null && !isEmptyScalar(contents))?.contents;
  const further = next?.range[0];
  return {
    document: first,
    further: further === undefined ? undefined : markerBefore(text, further),
    errors: first?.errors.map(({ pos, message }) => ({ offset: Math.min(pos[0], text.length), message })) ?? [],
  };
}

function isEmptyScalar(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'value' in node && node.value === null;
}

function markerBefore(text: string, offset: number): number {
  const line = text.lastIndexOf('\n---', offset);
  return line < 0 ? offset : line + 1;
}

function likeGoYaml(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' || (tag.format !== 'TIME' && !/:(?:timestamp|omap|pairs|set|binary)$/.test(tag.tag)),
  );
}

/** Whether an error is only that a line isn't indented far enough, before the text ends. */
function isLooseIndentation({ offset, message }: YamlError, text: string): boolean {
  const quote = /^Missing closing (["'])/.exec(message)?.[1];
  if (quote !== undefined) return text.includes(quote, offset);
  return message.includes('must be sufficiently indented') && text.slice(offset).trim() !== '';
}
