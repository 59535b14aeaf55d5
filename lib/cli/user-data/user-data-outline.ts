import { Document } from 'yaml';
import {
  amiFamilyName,
  bootCasesOf,
  bootsByResource,
  EksModel,
  isDataMap,
  nodeConfigsOf,
  resourceName,
  Unknown,
  type AmiFamily,
  type BootCase,
  type Data,
} from '../../eks';
import type { ReportContext } from '../../reports';
import { count, printable, printableLine } from '../../reports/prose';
import { ansiStyle, plainStyle } from '../../reports/style';
import type { UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { USER_DATA_LIMIT } from '../../eks/user-data/mime/render';
import type { UserDataInput } from '../../user-data/input';

const FORMAT_NAMES: Readonly<Record<UserDataDocument['format'], string>> = {
  empty: 'empty',
  multipart: 'MIME multipart',
  'shell-script': 'shell script',
  'cloud-config': 'cloud-config',
  'node-config': 'NodeConfig',
  toml: 'Bottlerocket settings (TOML)',
  windows: 'Windows user data',
  text: 'text of no known format',
  binary: 'binary data',
  unknown: 'not known before deployment',
};

const KIND_NAMES: Readonly<Record<UserDataPart['kind'], string>> = {
  'node-config': 'NodeConfig',
  'shell-script': 'shell script',
  'cloud-config': 'cloud-config',
  boothook: 'cloud-init boothook',
  toml: 'Bottlerocket settings',
  windows: 'Windows user data',
  multipart: 'multipart',
  text: 'text',
  empty: 'nothing',
  binary: 'binary data',
  unknown: 'not known before deployment',
};

/** What user data consists of, for people. */
export function* outlineOf(input: UserDataInput, context: ReportContext): Iterable<string> {
  const { bold, dim, green, yellow } = context.colour ? ansiStyle : plainStyle;
  const { document, label } = input;
  const systems = systemsOf(input);
  yield `${bold(printableLine(label))}  ${dim(factsOf(input).join(', '))}\n`;
  yield `${dim(input.notJudged ?? `operating system: ${systemsText(systems)}`)}\n\n`;
  for (const [index, part] of document.parts.entries()) {
    const type = part.mediaType === undefined ? '' : ` (${printableLine(part.mediaType)})`;
    const readers = readersText(part, systems);
    yield `  part ${index + 1}  ${KIND_NAMES[part.kind]}${type}  ${dim(linesOf(document, index))}  ${readers === undefined ? yellow('read by nothing') : green(`read by ${readers}`)}\n`;
  }
  if (document.parts.length > 0) yield '\n';
  const merged = mergedNodeConfig(document);
  if (merged === undefined) return;
  yield `${bold('NodeConfig as nodeadm merges it')}\n`;
  for (const line of printable(merged.trimEnd()).split('\n')) yield `  ${line}\n`;
  yield '\n';
}

/** What user data consists of, for programs. */
export function describeUserData(input: UserDataInput): object {
  const { document, label, source, userData } = input;
  const [system, ...otherSystems] = systemsOf(input);
  const { file, line, column, property } = source.locate();
  const merged = nodeConfigsOf(document)?.merged;
  return {
    name: label,
    location: file === '' ? null : { file, line, column, property: property ?? null },
    format: document.format,
    layers: document.layers,
    encodedBy: userData.encodedBy,
    bytes: document.text.isKnown ? Buffer.byteLength(document.text.text) : null,
    family: otherSystems.length === 0 ? (system?.family ?? null) : null,
    notJudged: input.notJudged ?? null,
    parts: document.parts.map((part, index) => ({
      kind: part.kind,
      mediaType: part.mediaType ?? null,
      line: document.text.positionAt(part.headerOffset).line,
      lastLine: lastLine(document, index),
      readByNodeadm: part.readByNodeadm,
      readByCloudInit: part.readByCloudInit,
      content: part.body.show(),
    })),
    defects: document.defects.map(({ kind, message, fix, offset, nodeadm, cloudInit }) => ({
      kind,
      message,
      fix,
      ...document.text.positionAt(offset),
      nodeadm,
      cloudInit,
    })),
    nodeConfig: merged === undefined || !isDataMap(merged.data) ? null : plain(merged.data),
  };
}

function factsOf({ document, userData }: UserDataInput): string[] {
  const size = document.text.isKnown
    ? `${Buffer.byteLength(document.text.text)} of ${USER_DATA_LIMIT} bytes`
    : 'size not known before deployment';
  const layers = document.layers.length === 0 ? [] : [`inside ${document.layers.join(', ')}`];
  const encoding = userData.encodedBy === 'nobody' ? ['not base64, which EC2 demands'] : [];
  const parts = document.format === 'multipart' ? [count(document.parts.length, 'part')] : [];
  return [FORMAT_NAMES[document.format], ...parts, size, ...layers, ...encoding];
}

/** An operating system that may get the user data. */
interface System {
  /** Undefined if it isn't known. */
  readonly family: AmiFamily | undefined;
  readonly boots: readonly [BootCase, ...BootCase[]];
}

/** In the order of the input; several if groups or conditions differ. None if nobody judges. */
function systemsOf({ resources, launchTemplate, notJudged }: UserDataInput): readonly System[] {
  if (notJudged !== undefined) return [];
  const user = bootsByResource(new EksModel(resources)).find(({ resource }) => resource === launchTemplate);
  const systems = new Map<AmiFamily | undefined, [BootCase, ...BootCase[]]>();
  for (const boot of user?.launches.flatMap(bootCasesOf) ?? []) {
    const family = boot.family.kind === 'known' ? boot.family.value : undefined;
    const alike = systems.get(family);
    if (alike === undefined) systems.set(family, [boot]);
    else alike.push(boot);
  }
  return Array.from(systems, ([family, boots]) => ({ family, boots }));
}

function systemsText(systems: readonly System[]): string {
  const [only, ...others] = systems;
  if (only === undefined || (others.length === 0 && only.family === undefined)) return 'not known (--family tells it)';
  if (others.length > 0) return systems.map((system) => `${systemName(system)}${differenceOf(system)}`).join(' or ');
  // The AMI type of a group that stands for others is nothing that anybody wrote.
  const notes = new Set(only.boots.map(noteOf));
  const [note] = notes;
  return `${systemName(only)}${note === undefined || notes.size > 1 ? '' : `, told by ${note}`}`;
}

function noteOf({ family, boot: { nodeGroup } }: BootCase): string | undefined {
  const note = family.kind === 'known' ? family.note : undefined;
  // The AMI type of a group that stands for others is nothing that anybody wrote.
  return nodeGroup.isImplied === true && note?.startsWith('AMI type') === true ? undefined : note;
}

function systemName({ family }: System): string {
  return family === undefined ? "one that isn't known" : amiFamilyName(family);
}

/** What tells a system from the others: the condition, or else the group. */
function differenceOf({ boots: [{ when, boot }, ...more] }: System): string {
  if (when.text !== '') return more.length === 0 ? ` (if ${when.text})` : '';
  const groups = new Set([boot, ...more.map((one) => one.boot)].map(({ nodeGroup }) => nodeGroup));
  return groups.size === 1 ? ` (node group "${resourceName(boot.nodeGroup)}")` : ` (${groups.size} node groups)`;
}

/** The programs that act on a part; undefined if none does, whatever the system. */
function readersText(part: UserDataPart, systems: readonly System[]): string | undefined {
  const readers = systems.map((system) => ({ system, text: readersOf(part, system.family) }));
  const texts = new Set(readers.map(({ text }) => text));
  const [only] = texts;
  if (texts.size < 2) return systems.length === 0 ? readersOf(part, undefined) : only;
  return readers.map(({ system, text }) => `${text ?? 'nothing'} (${systemName(system)})`).join(', ');
}

/** The programs of a system that act on a part; undefined if none does. */
function readersOf(part: UserDataPart, family: AmiFamily | undefined): string | undefined {
  if (family === 'BOTTLEROCKET') return part.kind === 'toml' ? 'Bottlerocket' : undefined;
  if (family === 'WINDOWS') return part.kind === 'windows' ? 'EC2Launch' : undefined;
  const readers = [
    ...(part.readByNodeadm && family !== 'AL2' ? ['nodeadm'] : []),
    ...(part.readByCloudInit ? ['cloud-init'] : []),
  ];
  if (readers.length === 0 && family === undefined && (part.kind === 'toml' || part.kind === 'windows'))
    return part.kind === 'toml' ? 'Bottlerocket' : 'EC2Launch';
  return readers.length === 0 ? undefined : readers.join(' and ');
}

function linesOf(document: UserDataDocument, index: number): string {
  const part = document.parts[index];
  const first = part === undefined ? 1 : document.text.positionAt(part.headerOffset).line;
  const last = lastLine(document, index);
  return last > first ? `lines ${first}–${last}` : `line ${first}`;
}

function lastLine(document: UserDataDocument, index: number): number {
  const part = document.parts[index];
  if (part === undefined) return 1;
  const { text } = part.body;
  const end = text.trimEnd().length;
  return end === 0 ? document.text.positionAt(part.bodyOffset).line : part.body.positionAt(end - 1).line;
}

function mergedNodeConfig(document: UserDataDocument): string | undefined {
  const merged = nodeConfigsOf(document)?.merged;
  if (merged === undefined || !isDataMap(merged.data)) return undefined;
  return new Document(plain(merged.data), { aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}

/** Data with `${…}` for what isn't known. */
function plain(data: Data): unknown {
  if (data instanceof Unknown) return data.text ?? '${?}';
  if (Array.isArray(data)) return (data as readonly Data[]).map(plain);
  return isDataMap(data) ? Object.fromEntries(Object.entries(data).map(([key, item]) => [key, plain(item)])) : data;
}
