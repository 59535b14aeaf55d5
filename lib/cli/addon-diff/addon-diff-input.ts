import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '../../engine';
import { fileBytes } from '../../files/read';
import { isVpcCniBoolean, vpcCniVariable } from '../../knowledge';
import { keysTo } from '../../eks/networking/addon-pins';
import type { LiveEnvironment } from '../../eks/networking';
import { parseDocument, type ParsedDocument, type Position } from '../../languages';
import { whyNotRead } from '../../front-ends/near-path';
import { dataAt, isDataMap, type Data, type DataMap } from '../../value';
import { Secrets } from '../../text/secrets';
import { readStandardInput } from '../parts/standard-input';

/** A file of the command line, or the standard input. */
export interface InputText {
  readonly name: string;
  readonly text: string;
}

/** What was read, with what is wrong with it. A diagnostic of severity `error` means that there is no content. */
export interface Read<T> {
  readonly content: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Place of a path of the configuration values, or of a variable (`env.NAME`, `init.env.NAME`). */
  place(path: string): Position | undefined;
}

/** Reads a file; `-` is the standard input. */
export async function readInput(file: string): Promise<InputText | Diagnostic> {
  const name = file === '-' ? 'standard input' : file;
  try {
    const bytes = file === '-' ? await readStandardInput() : fileBytes(file);
    if (isBinary(bytes))
      return error(name, 'the file is binary, or text in another encoding than UTF-8', { line: 1, column: 1 });
    return { name, text: bytes.toString('utf8') };
  } catch (error) {
    return { severity: 'error', message: whyNotRead(file, error), file: name, line: 1, column: 1 };
  }
}

/** Text has no NUL and no other byte that neither breaks nor colours lines. */
function isBinary(bytes: Buffer): boolean {
  return !isUtf8(bytes) || bytes.some((byte) => byte < 32 && !TEXT_CONTROLS.has(byte));
}

/** Tab, line feed, vertical tab, form feed, carriage return, escape. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 27]);

/** Configuration values, as JSON or YAML. */
export function readConfiguration({ name, text }: InputText): Read<DataMap> {
  const document = parseDocument(text, name);
  const nothing = { content: undefined, place: () => undefined };
  // To the reader of templates a document that is null has nothing in it.
  if (/^\s*(?:null|~)\s*$/i.test(text))
    return {
      ...nothing,
      diagnostics: [
        error(name, `${A_MAP}, and this is null; leave --config out if there are none, or write {}`, {
          line: 1,
          column: 1,
        }),
      ],
    };
  if (document.diagnostics.some(({ severity }) => severity === 'error'))
    return { ...nothing, diagnostics: document.diagnostics };
  const content = document.root as Data;
  if (!isDataMap(content))
    return {
      ...nothing,
      diagnostics: [error(name, `${A_MAP}, and this is ${kindOf(content)}`, { line: 1, column: 1 })],
    };
  return {
    content,
    diagnostics: document.diagnostics,
    place: (path) => {
      const keys = keysTo(content, path);
      return keys === undefined ? undefined : document.locate(keys);
    },
  };
}

const A_MAP = 'configuration values are a map of keys';

function kindOf(content: Data): string {
  if (Array.isArray(content)) return 'a list';
  return typeof content === 'string' ? 'a text' : `a ${typeof content}`;
}

type Container = keyof LiveEnvironment;

const CONTAINER_NAMES: ReadonlyMap<string, Container> = new Map([
  ['aws-node', 'env'],
  ['aws-vpc-cni-init', 'init'],
]);

/**
 * The environment of the DaemonSet aws-node: lines `NAME=value`, as `kubectl set env --list` prints them with a comment for each
 * container, or the DaemonSet itself as JSON or YAML (`kubectl get daemonset aws-node -o json`).
 */
export function readLiveEnvironment(input: InputText): Read<LiveEnvironment> {
  const collector = new Collector(input.name);
  if (/^\s*\{/.test(input.text) || /^(?:apiVersion|kind|metadata|spec)[ \t]*:/m.test(input.text))
    readDaemonSet(input, collector);
  else readLines(input, collector);
  return collector.result();
}

class Collector {
  private readonly values: Record<Container, Map<string, { readonly value: string; readonly at: Position }>> = {
    env: new Map(),
    init: new Map(),
  };
  private readonly seen = new Set<Container>();
  private readonly diagnostics: Diagnostic[] = [];

  constructor(private readonly file: string) {}

  get hasContainers(): boolean {
    return this.seen.size > 0;
  }

  see(container: Container): void {
    this.seen.add(container);
  }

  add(container: Container, name: string, value: string, at: Position): void {
    this.seen.add(container);
    const path = pathOf(container, name);
    if (this.values[container].has(name)) this.warn(`${path} is set twice; Kubernetes takes the last one`, at);
    this.values[container].set(name, { value, at });
    const variable = vpcCniVariable(name);
    if (variable?.type === 'boolean' && !isVpcCniBoolean(value))
      this.warn(
        `${path} is "${value}", which the CNI doesn't read as a boolean: it uses its default "${variable.default ?? 'false'}"`,
        at,
      );
    else if (variable?.type === 'integer' && !/^(?:[+-]?(?:\d+|0[xob][\da-f]+))?$/i.test(value))
      this.warn(`${path} is "${value}", which is no number`, at);
  }

  warn(message: string, at: Position): void {
    this.diagnostics.push({ severity: 'warning', message, file: this.file, ...at });
  }

  fail(message: string, at: Position = { line: 1, column: 1 }): void {
    this.diagnostics.push(error(this.file, message, at));
  }

  include(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  result(): Read<LiveEnvironment> {
    const isBroken = this.diagnostics.some(({ severity }) => severity === 'error');
    if (!isBroken && this.seen.size === 0) this.fail('there is no environment variable in it');
    const content =
      this.seen.size === 0 || isBroken
        ? undefined
        : Object.fromEntries([...this.seen].map((container) => [container, this.variables(container)]));
    return {
      content,
      diagnostics: this.diagnostics,
      place: (path) => {
        const [, init, name = ''] = /^(init\.)?env\.(.*)/s.exec(path) ?? [];
        return this.values[init === undefined ? 'env' : 'init'].get(name)?.at;
      },
    };
  }

  private variables(container: Container): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.values[container]].map(([name, { value }]) => [name, value]));
  }
}

function pathOf(container: Container, name: string): string {
  return `${container === 'init' ? 'init.' : ''}env.${name}`;
}

/** `# DaemonSet aws-node, container aws-node`, as kubectl writes it; with "init" for the other one, as people do. */
const HEADER = /^#[^,]*(?:,\s*(?:init\s+)?)?container\s+([\w.-]+)\s*$/i;

function readLines({ text }: InputText, collector: Collector): void {
  let container: Container | 'other' | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trimStart();
    const at = { line: index + 1, column: raw.length - line.length + 1 };
    if (line.trimEnd() === '') continue;
    if (line.startsWith('#')) {
      const name = HEADER.exec(line.trimEnd())?.[1];
      if (name === undefined) continue;
      container = CONTAINER_NAMES.get(name) ?? 'other';
      if (container !== 'other') collector.see(container);
      continue;
    }
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(0, equals));
    if (!/^[A-Za-z_.-][\w.-]*$/.test(name)) {
      collector.fail(
        equals < 0
          ? `"${shortened(line)}" is no line of the form NAME=value`
          : `"${shortened(name)}" is no name of a variable`,
        at,
      );
      continue;
    }
    if (container === 'other') continue;
    const value = line.slice(equals + 1);
    if (container !== undefined) collector.add(container, name, value, at);
    // Without headers it is a list that a person wrote.
    else for (const one of containersOf(name)) collector.add(one, name, unquoted(value.trim()), at);
  }
}

/** The containers that read a variable; the main one for what the CNI doesn't read. */
function containersOf(name: string): readonly Container[] {
  const containers = (vpcCniVariable(name)?.containers ?? ['aws-node']).flatMap(
    (one) => CONTAINER_NAMES.get(one) ?? [],
  );
  return containers.length === 0 ? ['env'] : containers;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** The file may be another than is meant, and hold what nobody is to see. */
function shortened(text: string): string {
  const shown = new Secrets().hide(text);
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}

function readDaemonSet({ name, text }: InputText, collector: Collector): void {
  const document = parseDocument(text, name);
  collector.include(document.diagnostics);
  if (document.root === undefined) return;
  const [object, path] = daemonSetIn(document.root as Data);
  const pod = dataAt(object, 'spec', 'template', 'spec');
  if (!isDataMap(pod)) {
    collector.fail('this is no DaemonSet: it has no spec.template.spec');
    return;
  }
  for (const list of ['containers', 'initContainers']) {
    const containers = dataAt(pod, list);
    if (!Array.isArray(containers)) continue;
    for (const [index, one] of (containers as readonly Data[]).entries()) {
      const named = dataAt(one, 'name');
      const container = typeof named === 'string' ? CONTAINER_NAMES.get(named) : undefined;
      if (container === undefined) continue;
      collector.see(container);
      readVariables(
        dataAt(one, 'env'),
        container,
        [...path, 'spec', 'template', 'spec', list, index, 'env'],
        document,
        collector,
      );
    }
  }
  if (!collector.hasContainers)
    collector.fail(
      'it has no container aws-node: is it the DaemonSet aws-node?',
      document.locate([...path, 'spec', 'template', 'spec']),
    );
}

/** The DaemonSet in a list of objects, or the object itself. */
function daemonSetIn(root: Data): [Data | undefined, readonly (string | number)[]] {
  const items = dataAt(root, 'items');
  if (!Array.isArray(items)) return [root, []];
  const index = (items as readonly Data[]).findIndex((item) => dataAt(item, 'metadata', 'name') === 'aws-node');
  return [(items as readonly Data[])[index], ['items', index]];
}

function readVariables(
  list: Data | undefined,
  container: Container,
  path: readonly (string | number)[],
  document: ParsedDocument,
  collector: Collector,
): void {
  if (!Array.isArray(list)) return;
  for (const [index, variable] of (list as readonly Data[]).entries()) {
    const name = dataAt(variable, 'name');
    const value = dataAt(variable, 'value');
    // What comes from a field of the pod or from a secret is no setting of the CNI.
    if (dataAt(variable, 'valueFrom') !== undefined) continue;
    if (typeof name !== 'string')
      collector.fail(
        `an environment variable of ${container === 'init' ? 'aws-vpc-cni-init' : 'aws-node'} has no name`,
        document.locate([...path, index]),
      );
    else if (value !== undefined && value !== null && typeof value !== 'string') {
      collector.fail(
        `${pathOf(container, name)} has a ${Array.isArray(value) ? 'list' : isDataMap(value) ? 'map' : typeof value} as its value, where Kubernetes has text`,
        document.locate([...path, index, 'value']),
      );
    } else collector.add(container, name, value ?? '', document.locate([...path, index, 'value']));
  }
}

function error(file: string, message: string, at: Position): Diagnostic {
  return { severity: 'error', message, file, ...at };
}
