import { Unknown, type Data } from '../../../value';
import type { SourceText } from '../source-text';
import { settingProblems } from './check';
import type { TextCorrection } from '../correction';
import { dotted, type BottlerocketProblem, type SettingProblem } from './problem';
import { JOIN_SETTINGS, KUBERNETES_SETTINGS, type JoinSetting } from './schema';
import {
  parseToml,
  toData,
  type TomlDocument,
  type TomlEntry,
  type TomlFault,
  type TomlNode,
  type TomlTable,
} from './toml';
import { faultFix, unknownBehind } from './toml-fault';

/**
 * Bottlerocket user data, read as early-boot-config reads it: TOML whose table `settings` goes to the settings API. Any
 * mistake ends the boot; there is no partial success.
 * Source: bottlerocket-os/bottlerocket-core-kit, `sources/early-boot-config`.
 */
export class BottlerocketReading {
  constructor(
    readonly text: SourceText,
    /** The document with its top-level `settings`; unknown leaves where the text is; unknown as a whole if it can't be read. */
    readonly data: Data,
    readonly problems: readonly BottlerocketProblem[],
    /** The tree; undefined if the text can't be read. */
    readonly document: TomlDocument | undefined,
  ) {}

  /** Where the key of a setting stands; for one that isn't there, the nearest table around it. List items count by index. */
  offsetOf(path: readonly string[]): number {
    return this.document === undefined ? 0 : offsetIn(this.document.root, path);
  }

  /** Settings of a table above the first one that it has, or a table of their own in front of all others; undefined if it is written otherwise. */
  withSettings(path: readonly string[], lines: readonly string[]): TextCorrection | undefined {
    if (this.document === undefined) return undefined;
    const { text } = this.text;
    const isTable = (names: readonly string[]): boolean => names.join('.') === path.join('.');
    const header = this.document.keys.find(
      ({ role, steps }) => role === 'header' && isTable(steps.map(({ name }) => name)),
    );
    const isElsewhere = this.document.keys.some(
      ({ role, under, steps }) =>
        role === 'key' &&
        under.length < path.length &&
        path.every((step, index) => [...under, ...steps.map(({ name }) => name)][index] === step),
    );
    if (isElsewhere) return undefined;
    const block = lines.join('\n');
    if (header !== undefined) {
      const at = text.indexOf('\n', header.offset);
      return at < 0
        ? { start: text.length, end: text.length, text: `\n${block}` }
        : { start: at + 1, end: at + 1, text: `${block}\n` };
    }
    const first = this.document.keys[0];
    if (first !== undefined && first.role !== 'header') return undefined;
    const start = first === undefined ? text.length : text.lastIndexOf('\n', first.offset) + 1;
    return { start, end: start, text: `[${dotted(path)}]\n${block}\n` };
  }

  /** The value at a path: undefined if it isn't there, `Unknown` if that isn't known. */
  valueAt(...path: readonly string[]): Data | undefined {
    if (this.document === undefined) return this.data;
    let node: TomlNode = this.document.root;
    for (const step of path) {
      if (node.kind === 'unknown') return node.unknown;
      if (node.kind !== 'table') return undefined;
      const entry: TomlEntry | undefined = node.entries.get(step);
      if (entry === undefined) return node.unknownKey;
      node = entry.node;
    }
    return toData(node);
  }
}

/** Reads user data that is meant for Bottlerocket. Never throws. MIME and scripts give syntax problems: ask for the format first. */
export function readBottlerocket(text: SourceText): BottlerocketReading {
  const result = parseToml(text);
  const problems: BottlerocketProblem[] = [];
  const { document, fault } = result;
  const unknown = fault === undefined ? undefined : unknownBehind(text, fault.offset);
  if (fault !== undefined && unknown === undefined) problems.push(faultProblem(text, fault));
  if (document === undefined) {
    return new BottlerocketReading(
      text,
      unknown ?? new Unknown("the user data isn't valid TOML", text.sourceAt(result.fault.offset)),
      problems,
      undefined,
    );
  }
  const data = toData(document.root);
  problems.push(
    ...topLevelProblems(text, document.root),
    ...repeatedPaths(text, document),
    ...unquotedValues(document.root),
  );
  const isFloat = (path: readonly string[]): boolean => {
    const node = nodeAt(document.root, path);
    return node?.kind === 'value' && node.type === 'float';
  };
  for (const problem of settingProblems(data, isFloat)) {
    const correction = correctionOf(text, document, problem);
    problems.push({
      ...problem,
      offset: offsetIn(document.root, problem.path),
      ...(correction === undefined ? {} : { correction }),
    });
  }
  return new BottlerocketReading(
    text,
    data,
    problems.sort((a, b) => a.offset - b.offset),
    document,
  );
}

/** What a setting becomes, where it is written once, in a line of its own. */
function correctionOf(
  text: SourceText,
  document: TomlDocument,
  { path, instead }: SettingProblem,
): TextCorrection | undefined {
  if (instead === undefined) return undefined;
  if ('value' in instead) {
    const node = nodeAt(document.root, path);
    return node === undefined || node.kind === 'table' ? undefined : { ...spanOf(node), text: instead.value };
  }
  // What several keys write together is several corrections.
  const keys = document.keys.filter(({ under, steps }) =>
    path.every((step, index) => [...under, ...steps.map(({ name }) => name)][index] === step),
  );
  const [key] = keys;
  if (key === undefined || keys.length > 1 || key.role !== 'key' || key.under.length >= path.length) return undefined;
  const from = key.steps.slice(0, path.length - 1 - key.under.length);
  const written = key.steps.map(({ raw }) => raw).join('.');
  if (!text.text.startsWith(written, key.offset)) return undefined;
  const start = key.offset + from.reduce((sum, { raw }) => sum + raw.length + 1, 0);
  return { start, end: key.offset + written.length, text: instead.key };
}

function spanOf({ start, end }: TomlNode): { readonly start: number; readonly end: number } {
  return { start, end };
}

function faultProblem(text: SourceText, fault: TomlFault): BottlerocketProblem {
  const { line, column } = text.positionAt(fault.offset);
  const place = `at line ${line}, column ${column}`;
  if (fault.duplicate) {
    return {
      kind: 'duplicate',
      level: 'error',
      path: [],
      offset: fault.offset,
      message: `defines a key or table a second time ${place}; TOML forbids it`,
      fix: 'Merge the two, or remove one.',
    };
  }
  const message = fault.newer
    ? `uses TOML 1.1 ${place} (${fault.message}); Bottlerocket reads TOML 1.0`
    : `isn't valid TOML ${place}: ${fault.message}`;
  return {
    kind: 'syntax',
    level: fault.newer ? 'warning' : 'error',
    path: [],
    offset: fault.offset,
    message,
    fix: faultFix(text, fault.offset),
  };
}

function topLevelProblems(text: SourceText, root: TomlTable): BottlerocketProblem[] {
  if (root.entries.has('settings')) return outsideSettings(root);
  // No user data at all is allowed.
  if (root.unknownKey !== undefined || text.text.trim() === '') return [];
  const message =
    'has no top-level table `settings` (early-boot-config: "TOML data did not contain \'settings\' section")';
  const [first] = entriesOutside(root);
  const isKubernetes = first !== undefined && KUBERNETES_SETTINGS.has(first[0]);
  const fix =
    first === undefined
      ? 'Put the settings below `[settings]`.'
      : isKubernetes
        ? placesOf(entriesOutside(root).map(([key]) => key))
        : `Write \`settings.${dotted([first[0]])}\` for \`${dotted([first[0]])}\`, and so on.`;
  return [{ kind: 'no-settings', level: 'error', path: [], offset: first?.[1].offset ?? 0, message, fix }];
}

/** What stands beside `settings`. */
export function outsideSettings(root: TomlTable): BottlerocketProblem[] {
  const outside = entriesOutside(root);
  const tables = outside.filter(([, { node }]) => node.kind === 'table');
  const keys = outside.filter(([, { node }]) => node.kind !== 'table');
  const problem = (path: readonly string[], offset: number, message: string, fix: string): BottlerocketProblem => ({
    kind: 'outside-settings',
    level: 'warning',
    path,
    offset,
    message,
    fix,
  });
  const [first, ...others] = keys;
  const ofKeys =
    first === undefined
      ? []
      : [
          problem(
            [first[0]],
            first[1].offset,
            `${others.length === 0 ? 'stands' : `and ${others.map(([key]) => `\`${dotted([key])}\``).join(', ')} stand`} outside of \`settings\`; nothing reads ${others.length === 0 ? 'it' : 'them'}`,
            placesOf(keys.map(([key]) => key)),
          ),
        ];
  return [
    ...ofKeys,
    ...tables.map(([key, { offset }]) =>
      problem(
        [key],
        offset,
        'stands outside of `settings`; nothing reads it',
        `Write it as \`settings.${dotted([key])}\`, or remove it.`,
      ),
    ),
  ];
}

/** Where keys belong that stand in front of all tables. */
function placesOf(keys: readonly string[]): string {
  const kubernetes = keys.filter((key) => KUBERNETES_SETTINGS.has(key));
  const named = (list: readonly string[]): string => list.map((key) => `\`${dotted([key])}\``).join(', ');
  const rest = keys.filter((key) => !kubernetes.includes(key));
  return [
    ...(kubernetes.length === 0 ? [] : [`Put ${named(kubernetes)} below \`[settings.kubernetes]\`.`]),
    ...(rest.length === 0
      ? []
      : [
          `Put ${named(rest)} into the table below \`settings\` that ${rest.length === 1 ? 'it belongs' : 'they belong'} to, or remove ${rest.length === 1 ? 'it' : 'them'}.`,
        ]),
  ].join(' ');
}

function entriesOutside(root: TomlTable): readonly (readonly [string, TomlEntry])[] {
  return Array.from(root.entries).filter(([key, entry]) => key !== 'settings' && entry.known);
}

/** `settings.kubernetes.x = …` below `[settings.kubernetes]` is `settings.kubernetes.settings.kubernetes.x`. */
function repeatedPaths(text: SourceText, document: TomlDocument): BottlerocketProblem[] {
  return document.keys
    .filter(
      ({ role, under, steps }) =>
        role === 'key' && under[0] === 'settings' && steps[0]?.name === 'settings' && steps.length > 1,
    )
    .map(({ under, steps, offset }) => {
      const names = steps.map(({ name }) => name);
      const inside = under.every((step, index) => names[index] === step) && names.length > under.length;
      const beginning = steps
        .slice(0, under.length)
        .map(({ raw }) => `${raw}.`)
        .join('');
      const fix = inside
        ? `Write \`${dotted(names.slice(under.length))}\` below [${dotted(under)}].`
        : 'Move the line above the first header, or give it a header of its own.';
      return {
        kind: 'repeated-path',
        level: 'error',
        path: [...under, ...names],
        offset,
        fix,
        ...(inside && text.text.startsWith(beginning, offset)
          ? { correction: { start: offset, end: offset + beginning.length, text: '' } }
          : {}),
        message: `repeats \`settings\` below [${dotted(under)}]; keys count from the header above, so this is a setting that Bottlerocket doesn't know`,
      };
    });
}

/** A name, an address or a certificate of another resource is no TOML value without quotes. */
function unquotedValues(root: TomlTable): BottlerocketProblem[] {
  const kubernetes = nodeAt(root, ['settings', 'kubernetes']);
  if (kubernetes?.kind !== 'table') return [];
  return Array.from(kubernetes.entries).flatMap(([name, { node }]): BottlerocketProblem[] => {
    if (
      KUBERNETES_SETTINGS.get(name) !== 'string' ||
      node.kind !== 'unknown' ||
      node.quoted ||
      node.unknown.reference === undefined
    )
      return [];
    const message = `is ${node.unknown.text ?? 'filled in later'}, without quotes; what is filled in is no TOML value then`;
    return [
      {
        kind: 'unquoted-value',
        level: 'warning',
        path: ['settings', 'kubernetes', name],
        offset: node.start,
        message,
        fix: `Write \`${name} = "${node.unknown.text ?? '…'}"\`.`,
        ...(node.unknown.text === undefined ? {} : { correction: { ...spanOf(node), text: `"${node.unknown.text}"` } }),
      },
    ];
  });
}

function nodeAt(root: TomlTable, path: readonly string[]): TomlNode | undefined {
  let node: TomlNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'table') node = node.entries.get(step)?.node;
    else if (node?.kind === 'array') node = node.items[Number(step)];
    else return undefined;
  }
  return node;
}

function offsetIn(root: TomlTable, path: readonly string[]): number {
  let node: TomlNode = root;
  let offset = 0;
  for (const step of path) {
    const next: { offset: number; node: TomlNode } | undefined = stepInto(node, step);
    if (next === undefined) break;
    ({ offset, node } = next);
  }
  return offset;
}

function stepInto(node: TomlNode, step: string): { offset: number; node: TomlNode } | undefined {
  if (node.kind === 'table') return node.entries.get(step);
  const item = node.kind === 'array' ? node.items[Number(step)] : undefined;
  return item === undefined ? undefined : { offset: item.start, node: item };
}

/**
 * The settings that a node needs to join and that the user data doesn't have, or has empty. What isn't known counts as set,
 * and so does everything in user data that can't be read: that is another problem.
 */
export function missingJoinSettings(reading: BottlerocketReading): readonly JoinSetting[] {
  const mode = reading.valueAt('settings', 'kubernetes', 'authentication-mode');
  // Only the authenticator of mode `aws`, the default, asks for the cluster by name.
  const byName = mode === undefined || mode === 'aws';
  return JOIN_SETTINGS.filter((name) => {
    if (name === 'cluster-name' && !byName) return false;
    const value = reading.valueAt('settings', 'kubernetes', name);
    return value === undefined || (typeof value === 'string' && value.trim() === '');
  });
}

/** A label that a node gives itself. */
export interface BottlerocketLabel {
  /** The key, with `${…}` for what isn't known of it. */
  readonly key: string;
  readonly keyIsKnown: boolean;
  /** Undefined if the value isn't a string, which is a problem of its own. */
  readonly value: string | Unknown | undefined;
  readonly offset: number;
}

/** The labels in `settings.kubernetes.node-labels`; `Unknown` if it can't be known which there are. */
export function labelsOf(reading: BottlerocketReading): readonly BottlerocketLabel[] | Unknown {
  const labels = reading.valueAt('settings', 'kubernetes', 'node-labels');
  if (labels instanceof Unknown) return labels;
  const node =
    reading.document === undefined
      ? undefined
      : nodeAt(reading.document.root, ['settings', 'kubernetes', 'node-labels']);
  if (node?.kind !== 'table') return [];
  return Array.from(node.entries)
    .filter(([, entry]) => entry.node.kind !== 'table')
    .map(([key, entry]) => {
      const value = toData(entry.node);
      return {
        key,
        keyIsKnown: entry.known,
        value: typeof value === 'string' || value instanceof Unknown ? value : undefined,
        offset: entry.offset,
      };
    });
}

/** The number of pods that the user data sets, and where; undefined if it sets none, or no integer from 1 on. */
export function maxPodsOf(
  reading: BottlerocketReading,
): { readonly value: number | Unknown; readonly offset: number } | undefined {
  const value = reading.valueAt('settings', 'kubernetes', 'max-pods');
  const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 1;
  if (!isNumber && !(value instanceof Unknown)) return undefined;
  return { value, offset: reading.offsetOf(['settings', 'kubernetes', 'max-pods']) };
}
