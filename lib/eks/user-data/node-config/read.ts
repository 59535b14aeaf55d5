import { dataAt, isDataMap, nowhere, Unknown, type Data } from '../../../value';
import type { TextCorrection } from '../correction';
import type { SourceText } from '../source-text';
import { nodeConfigProblem, type NodeConfigProblem } from './problems';
import { checkNodeConfig } from './validate';
import { ContentError, entryOf, TooComplex, YamlData } from './yaml-data';
import { readFirstDocument } from './yaml-documents';

/** A problem, with its place in the text. */
export interface LocatedProblem extends NodeConfigProblem {
  /** Offset in {@link NodeConfigReading.body}. */
  readonly offset: number;
  /** What puts it right in the body. @default - somebody has to decide */
  readonly correction?: TextCorrection;
}

/** One NodeConfig as nodeadm reads it. */
export interface NodeConfigReading {
  readonly body: SourceText;
  /** The content of the first YAML document; null if it can't be read or is empty, Unknown if nothing of it is known. */
  readonly data: Data;
  /** Set when nothing can be said of the content, because what isn't known of the text decides about it. */
  readonly unknown: Unknown | undefined;
  /** What is wrong, in order of the text. Nothing that depends on unknown parts is in it. */
  readonly problems: readonly LocatedProblem[];
  /**
   * Offset in the body of the key at a dotted path (`spec.kubelet.config.maxPods`), or of a list item (`spec.kubelet.flags.0`);
   * undefined if there is none. A list of keys can name keys with dots in them without doubt.
   */
  offsetOf(path: string | readonly string[]): number | undefined;
  /** Puts another value at a path; undefined if there is none, or it is written elsewhere. */
  withValue(path: string, value: string): TextCorrection | undefined;
  /** Adds settings to the map at a path, above the first one that it has; undefined if it has none, or not on lines of their own. */
  withEntries(path: string, lines: readonly string[]): TextCorrection | undefined;
  /** Takes out the setting at a path, and what would hold nothing then; undefined if it doesn't stand on lines of its own. */
  without(path: string): TextCorrection | undefined;
}

/**
 * Reads a NodeConfig, YAML or JSON, and judges it: what nodeadm can't decode, what it drops without a word, and values that do
 * not what they are meant to. A field that is set to null is as if it weren't there, as for nodeadm. Never throws.
 * @param body the part of the user data, decoded
 */
export function readNodeConfig(body: SourceText): NodeConfigReading {
  const yaml = new YamlData(body);
  try {
    const { document, further, error, ambiguous } = readFirstDocument(body.text);
    if (ambiguous) return unreadable(body, 'the indentation of its lines can be understood in different ways');
    if (error !== undefined) return failed(body, error.offset, error.message);
    const data = yaml.convert(document?.contents);
    return new Reading(body, data, yaml, problemsOf(data, further !== undefined), further);
  } catch (error) {
    if (error instanceof ContentError) return failed(body, error.offset, error.message);
    return unreadable(body, error instanceof TooComplex ? error.message : 'it is too complex to read');
  }
}

function problemsOf(data: Data, hasFurther: boolean): readonly NodeConfigProblem[] {
  if (data instanceof Unknown) return [];
  if (data === null) {
    const others = hasFurther ? ', and of several YAML documents nodeadm reads only the first' : '';
    return [
      nodeConfigProblem([], 'empty', `is empty; nodeadm fails to decode it ("Object 'Kind' is missing")${others}`),
    ];
  }
  const problems = checkNodeConfig(data, isOpaque).filter(({ kind }) => kind !== 'blank');
  if (hasFurther)
    problems.push(
      nodeConfigProblem([], 'further-document', 'has a second YAML document behind it; nodeadm reads only the first'),
    );
  return problems;
}

/** Null is as good as no value for nodeadm's decoder. */
function isOpaque(value: unknown): boolean {
  return value instanceof Unknown || value === null;
}

/** The YAML reader quotes what it stumbles on, however long that is. */
const LONGEST_MESSAGE = 120;

function failed(body: SourceText, offset: number, message: string): NodeConfigReading {
  if (!body.isKnown) return unreadable(body, "parts of its text aren't known");
  const sentence = message
    .replace(/^Missing closing ["']quote$/, 'a quoted text has no end')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .slice(0, LONGEST_MESSAGE);
  const problem = { ...nodeConfigProblem([], 'syntax', `is no YAML that nodeadm can read: ${sentence}`), offset };
  return { body, data: null, unknown: undefined, problems: [problem], ...NOWHERE };
}

function unreadable(body: SourceText, reason: string): NodeConfigReading {
  const [part] = body.unknownParts;
  const unknown = new Unknown(part?.unknown.reason ?? reason, part?.unknown.source ?? sourceOf(body), body.show());
  return { body, data: unknown, unknown, problems: [], ...NOWHERE };
}

const NOWHERE = {
  offsetOf: () => undefined,
  withValue: () => undefined,
  withEntries: () => undefined,
  without: () => undefined,
};

function sourceOf(body: SourceText): Unknown['source'] {
  return body.text === '' ? nowhere : body.sourceAt(0);
}

class Reading implements NodeConfigReading {
  readonly unknown: Unknown | undefined;
  readonly problems: readonly LocatedProblem[];

  constructor(
    readonly body: SourceText,
    readonly data: Data,
    private readonly yaml: YamlData,
    problems: readonly NodeConfigProblem[],
    further: number | undefined,
  ) {
    this.unknown = data instanceof Unknown ? data : undefined;
    this.problems = problems
      .map((problem): LocatedProblem => {
        const correction = this.correctionOf(problem);
        return {
          ...problem,
          offset: problem.kind === 'further-document' ? (further ?? 0) : this.nearestOffset(problem.keys),
          ...(correction === undefined ? {} : { correction }),
        };
      })
      .sort((a, b) => a.offset - b.offset);
  }

  offsetOf(path: string | readonly string[]): number | undefined {
    const keys = typeof path === 'string' ? keysOf(this.data, path.split('.')) : path;
    return keys === undefined ? undefined : this.yaml.offsetOf(this.data, keys);
  }

  withValue(path: string, value: string): TextCorrection | undefined {
    const keys = keysOf(this.data, path.split('.'));
    const span = keys === undefined ? undefined : this.yaml.spanOf(this.data, keys)?.value;
    return span === undefined ? undefined : { ...span, text: inYaml(value) };
  }

  withEntries(path: string, lines: readonly string[]): TextCorrection | undefined {
    const keys = keysOf(this.data, path.split('.'));
    const map = keys === undefined ? undefined : dataAt(this.data, ...keys);
    const [first] = isDataMap(map) ? Object.keys(map) : [];
    if (keys === undefined || first === undefined) return undefined;
    const at = this.yaml.spanOf(this.data, [...keys, first])?.key?.start;
    if (at === undefined) return undefined;
    const start = this.body.text.lastIndexOf('\n', at - 1) + 1;
    const indentation = this.body.text.slice(start, at);
    if (indentation.trim() !== '') return undefined;
    return { start, end: start, text: lines.map((line) => `${indentation}${line}\n`).join('') };
  }

  without(path: string): TextCorrection | undefined {
    const keys = keysOf(this.data, path.split('.'));
    if (keys === undefined || keys.length < 2) return undefined;
    let length = keys.length;
    const isAlone = (count: number): boolean => {
      const around = dataAt(this.data, ...keys.slice(0, count - 1));
      return isDataMap(around) && Object.keys(around).length === 1;
    };
    while (length > 1 && isAlone(length)) length--;
    const span = this.yaml.spanOf(this.data, keys.slice(0, length));
    if (span?.key === undefined || span.value === undefined) return undefined;
    const { text } = this.body;
    // `spec` stays, with nothing in it.
    if (length === 1) return { start: span.key.end, end: span.value.end, text: ': {}' };
    const start = text.lastIndexOf('\n', span.key.start - 1) + 1;
    const found = text.indexOf('\n', span.value.end);
    const end = found < 0 ? text.length : found;
    const isOnOwnLines =
      text.slice(start, span.key.start).trim() === '' && /^\s*(?:#.*)?$/.test(text.slice(span.value.end, end));
    return isOnOwnLines ? { start, end, text: '' } : undefined;
  }

  private correctionOf({ keys, kind, instead }: NodeConfigProblem): TextCorrection | undefined {
    if (instead === undefined) return undefined;
    const span = this.yaml.spanOf(this.data, keys);
    const { text } = this.body;
    if (instead === 'quoted')
      return span?.value === undefined
        ? undefined
        : { ...span.value, text: JSON.stringify(text.slice(span.value.start, span.value.end)) };
    if ('key' in instead) return span?.key === undefined ? undefined : { ...span.key, text: instead.key };
    const value = typeof instead.value === 'string' ? inYaml(instead.value) : JSON.stringify(instead.value);
    if (span?.value !== undefined) return { ...span.value, text: value };
    if (kind !== 'head' || dataAt(this.data, ...keys) !== undefined) return undefined;
    // A head that is missing goes above the first key, where that begins a line.
    const [first] = isDataMap(this.data) ? Object.keys(this.data) : [];
    const at = first === undefined ? undefined : this.yaml.spanOf(this.data, [first])?.key?.start;
    const isAtLine = at !== undefined && (at === 0 || text[at - 1] === '\n');
    return isAtLine ? { start: at, end: at, text: `${keys.join('.')}: ${value}\n` } : undefined;
  }

  /** Of the value, or of what it would stand in. */
  private nearestOffset(keys: readonly string[]): number {
    for (let length = keys.length; length > 0; length--) {
      const offset = this.yaml.offsetOf(this.data, keys.slice(0, length));
      if (offset !== undefined) return offset;
    }
    return Math.max(0, this.body.text.search(/\S/));
  }
}

/** A string, without quotes where it means the same without. */
function inYaml(value: string): string {
  return /^[A-Za-z/][\w./+=-]*$|^\d+(?:\.\d+){3}\/\d+$/.test(value) &&
    !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

/** Longer paths name nothing that anybody asks for. */
const MOST_SEGMENTS = 50;

/** The keys that a dotted path means in the data: a key may have dots itself (`memory.available`). */
export function keysOf(data: Data | undefined, segments: readonly string[]): readonly string[] | undefined {
  if (segments.length === 0) return [];
  if (segments.length > MOST_SEGMENTS) return undefined;
  for (let length = 1; length <= segments.length; length++) {
    const key = segments.slice(0, length).join('.');
    const entry = entryOf(data, key);
    if (entry === undefined) continue;
    const rest = keysOf(entry, segments.slice(length));
    if (rest !== undefined) return [key, ...rest];
  }
  return undefined;
}
