import type { TextCorrection } from '../correction';
import type { Effect, MimeDefect, MimeDefectKind, PartKind, UserDataPart } from '../document';
import type { SourceText } from '../source-text';
import type { CloudInitPart } from './cloud-init';
import type { NodeadmReading } from './nodeadm';
import type { Outline, Segment } from './outline';

/** All that is known of a document when its defects are told. */
export interface Story {
  readonly source: SourceText;
  readonly outline: Outline;
  readonly parts: ReadonlyMap<Segment, UserDataPart>;
  /** The parts of the document: those, or the one that a document without boundary lines has. */
  readonly all: readonly UserDataPart[];
  /** The text that the readers were asked about, see `probeOf`. */
  readonly probe: string;
  /** Offset of the first header, blanks before it left out. */
  readonly head: number;
  /** What nodeadm finds from there on; its offsets count from there. */
  readonly nodeadm: NodeadmReading;
  /** What cloud-init finds from there on, if it takes it for MIME. */
  readonly cloudInit: ReadonlyMap<number, CloudInitPart>;
  /** The parts that it then acts on. */
  readonly ran: ReadonlySet<UserDataPart>;
}

export interface Told {
  readonly kind: MimeDefectKind;
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
  readonly correction?: TextCorrection;
  readonly nodeadm?: Effect;
  readonly cloudInit?: Effect;
  readonly parts?: readonly UserDataPart[];
  readonly related?: MimeDefect['related'];
}

export function defect({ nodeadm = 'none', cloudInit = 'none', parts = [], related = [], ...rest }: Told): MimeDefect {
  return { ...rest, nodeadm, cloudInit, parts, related };
}

export function lineOf({ source }: Story, offset: number): number {
  return source.positionAt(offset).line;
}

const CLOUD_INIT_KINDS: ReadonlySet<PartKind> = new Set(['shell-script', 'cloud-config', 'boothook']);

export function isForCloudInit({ kind }: UserDataPart): boolean {
  return CLOUD_INIT_KINDS.has(kind);
}

export function isNodeConfigPart({ kind }: UserDataPart): boolean {
  return kind === 'node-config';
}

/** The parts that an effect on one reader or the other is about. */
export function affected(parts: Iterable<UserDataPart>, nodeadm: Effect, cloudInit: Effect): readonly UserDataPart[] {
  return [...parts].filter(
    (part) => (nodeadm !== 'none' && isNodeConfigPart(part)) || (cloudInit !== 'none' && isForCloudInit(part)),
  );
}

const NAMES: Readonly<Record<PartKind, string>> = {
  'node-config': 'NodeConfig',
  'shell-script': 'shell script',
  'cloud-config': 'cloud-config',
  boothook: 'boothook',
  toml: 'TOML part',
  windows: 'PowerShell part',
  multipart: 'multipart',
  text: 'part',
  empty: 'part',
  binary: 'part',
  unknown: 'part',
};

/** "the NodeConfig that starts on line 12". */
export function nameOf(story: Story, part: UserDataPart): string {
  return `the ${NAMES[part.kind]} that starts on line ${lineOf(story, part.headerOffset)}`;
}

/** "the NodeConfig that starts on line 12 and the shell script that starts on line 20", and the verb that fits. */
export function namesOf(
  story: Story,
  parts: readonly UserDataPart[],
): { readonly names: string; readonly are: string } {
  const names = parts.slice(0, 3).map((part) => nameOf(story, part));
  const more = parts.length - names.length;
  if (more > 0) names.push(`${more} more`);
  const last = names.pop() ?? 'nothing';
  return { names: names.length === 0 ? last : `${names.join(', ')} and ${last}`, are: parts.length > 1 ? 'are' : 'is' };
}

/** What a whole document's fate means, as the end of a sentence. */
export function fate(nodeadm: Effect, cloudInit: Effect): string {
  const ends: string[] = [];
  if (nodeadm === 'dies') ends.push('nodeadm ends with an error');
  else if (nodeadm !== 'none') ends.push('nodeadm finds no NodeConfig');
  if (cloudInit !== 'none') ends.push('cloud-init runs none of the parts');
  return ends.length === 0 ? 'nodeadm and cloud-init put up with it' : ends.join(' and ');
}

/** What a defect is, for machines without nodeadm. */
export function messageWithoutNodeadm({ message, nodeadm, cloudInit }: MimeDefect): string {
  return cloudInit === 'none' ? message : message.replace(fate(nodeadm, cloudInit), fate('none', cloudInit));
}

/** What a defect of the whole document is for Karpenter, whose AL2 nodes have no nodeadm. It reads with the same library. */
export function messageForKarpenter({ message, nodeadm, cloudInit }: MimeDefect): string {
  return message.replace(fate(nodeadm, cloudInit), "Karpenter can't take it apart").replaceAll('nodeadm', 'Karpenter');
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
