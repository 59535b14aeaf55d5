import type { MimeDefect, UserDataPart } from '../document';
import type { SourceText } from '../source-text';
import type { Unknown } from '../../../value';
import { isMimeForCloudInit, readAsCloudInit, type CloudInitPart } from './cloud-init';
import { readAsNodeadm, type NodeadmReading } from './nodeadm';
import { outlineOf, probeOf, type Outline, type Segment } from './outline';
import { handles, kindOf, partsOf, type Readings } from './parts';
import { partDefects, unexplainedDefects } from './part-defects';
import type { Story } from './story';
import { structureDefects } from './structure-defects';

/** A document that is meant as MIME. */
export interface MimeDocument {
  readonly parts: readonly UserDataPart[];
  readonly defects: readonly MimeDefect[];
  readonly unknownStructure: Unknown | undefined;
}

/**
 * Reads multipart user data: every part that is meant, whether a program of the node gets to see it, and where the two programs that read
 * it, nodeadm and cloud-init, fall short of what is meant. Undefined for texts that aren't meant as MIME.
 */
export function readMime(source: SourceText): MimeDocument | undefined {
  const outline = outlineOf(source);
  if (outline === undefined) return undefined;
  const probe = probeOf(outline);
  const nodeadm = readAsNodeadm(probe);
  const readings = readingsOf(probe, nodeadm);
  const bySegment = partsOf(source, outline, readings);
  const parts = bySegment.size > 0 ? [...bySegment.values()] : [onlyPart(source, outline, readings)];
  const { unknownStructure } = outline;
  if (unknownStructure !== undefined) return { parts, defects: [], unknownStructure };
  const head = headOf(outline);
  const whole = head === 0 && readings.cloudInit.size > 0;
  const cloudInit = whole ? readings.cloudInit : byStart(readAsCloudInit(probe.slice(head)), head);
  const story: Story = {
    source,
    outline,
    parts: bySegment,
    all: parts,
    probe,
    head,
    nodeadm: head === 0 ? nodeadm : readAsNodeadm(probe.slice(head)),
    cloudInit,
    ran: ranIn(bySegment, whole ? bySegment : partsOf(source, outline, { ...readings, cloudInit })),
  };
  const indented = outline.top.headers.some((header) => header.indented && header.line > outline.top.first);
  const defects = [...structureDefects(story), ...(indented ? [] : partDefects(story))];
  defects.push(...unexplainedDefects(story, defects));
  return { parts, defects: defects.sort((a, b) => a.offset - b.offset), unknownStructure };
}

function readingsOf(probe: string, nodeadm: NodeadmReading): Readings {
  return {
    nodeadm: new Map(
      nodeadm.kind === 'bare' || nodeadm.error !== undefined ? [] : nodeadm.parts.map((part) => [part.start, part]),
    ),
    cloudInit: isMimeForCloudInit(probe) ? byStart(readAsCloudInit(probe), 0) : new Map(),
  };
}

function byStart(parts: readonly CloudInitPart[], shift: number): ReadonlyMap<number, CloudInitPart> {
  return new Map(
    parts.map((part) => [
      part.start + shift,
      { ...part, start: part.start + shift, bodyStart: part.bodyStart + shift, bodyEnd: part.bodyEnd + shift },
    ]),
  );
}

/** Offset of the first header, without the blanks and the byte order mark before it. */
function headOf({ block, top }: Outline): number {
  const start = block.lines[top.first]?.start ?? 0;
  const line = block.text.slice(start, start + 2000);
  return start + line.length - line.replace(/^\s+/, '').length;
}

/** The parts that cloud-init acts on in another reading of the same document. */
function ranIn(
  parts: ReadonlyMap<Segment, UserDataPart>,
  reading: ReadonlyMap<Segment, UserDataPart>,
): ReadonlySet<UserDataPart> {
  return new Set(
    [...parts].flatMap(([segment, part]) => (reading.get(segment)?.readByCloudInit === true ? [part] : [])),
  );
}

/** A document without boundary lines has one part: what follows its headers. */
function onlyPart(
  source: SourceText,
  { block, top, contentType, unknownStructure }: Outline,
  { cloudInit }: Readings,
): UserDataPart {
  const start = block.lines[top.body]?.start ?? block.text.length;
  const body = source.slice(start);
  const declared = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  const kind =
    unknownStructure !== undefined
      ? 'unknown'
      : declared?.startsWith('multipart/') === true
        ? kindOf(undefined, body)
        : kindOf(declared, body);
  return {
    kind,
    mediaType: declared,
    headerOffset: block.lines[top.first]?.start ?? 0,
    bodyOffset: start,
    body,
    readByNodeadm: unknownStructure !== undefined,
    readByCloudInit:
      kind !== 'node-config' &&
      [...cloudInit.values()].some((read) => read.bodyStart === start && handles(read.mediaType, body)),
  };
}
