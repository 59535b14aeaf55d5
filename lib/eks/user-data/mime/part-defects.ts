import type { TextCorrection } from '../correction';
import type { Effect, MimeDefect, UserDataPart } from '../document';
import { sniffedType } from '../sniff';
import { headerNamed } from './headers';
import { parseMediaType } from './media-type';
import { NODE_CONFIG_TYPE, readPartHeaders } from './nodeadm';
import type { Segment } from './outline';
import { decodedBody } from './parts';
import { defect, isForCloudInit, isNodeConfigPart, lineOf, nameOf, namesOf, quoted, type Story } from './story';
import { isExact } from './structure-defects';

/** What is wrong with single parts, of those that the boundary lines let the readers reach. */
export function partDefects(story: Story): readonly MimeDefect[] {
  return story.outline.segments
    .filter((segment) => segment.after === undefined && isExact(segment.mark))
    .flatMap((segment) => defectsOf(story, segment));
}

function defectsOf(story: Story, segment: Segment): readonly MimeDefect[] {
  const part = story.parts.get(segment);
  if (part === undefined || segment.headers.opaque !== undefined || segment.headers.unknown !== undefined) return [];
  const headers = headerDefect(story, segment, part);
  if (headers !== undefined) return [headers];
  if (segment.inner.length > 0) return nested(story, segment, part);
  return [
    typeDefect(story, segment, part) ?? emptyNodeConfig(story, part) ?? transferEncoding(story, segment, part),
  ].filter((found) => found !== undefined);
}

/** What becomes of a part that cloud-init should act on; that cloud-init finds no part there at all is told elsewhere. */
function missed(story: Story, segment: Segment, part: UserDataPart): Effect {
  return isForCloudInit(part) && story.cloudInit.has(segment.start) && !story.ran.has(part) ? 'not-run' : 'none';
}

function headerDefect(story: Story, segment: Segment, part: UserDataPart): MimeDefect | undefined {
  const { probe, outline } = story;
  const { headers } = segment;
  const read = readPartHeaders(probe, segment.start);
  const error = typeof read === 'string' && read !== 'EOF' ? read : undefined;
  if (segment.start >= segment.end && headers.headers.length === 0)
    return error === undefined ? undefined : doubledBoundary(story, segment, part);
  if (headers.late) return lateHeaders(story, segment, part);
  const name = nameOf(story, part);
  const cloudInitBody = story.cloudInit.get(segment.start)?.bodyStart;
  if (!headers.separated && headers.headers.length > 0) {
    const nodeadm: Effect =
      error !== undefined ? 'dies' : isNodeConfigPart(part) ? (read === 'EOF' ? 'ignored' : 'lost') : 'none';
    const cloudInit: Effect =
      isForCloudInit(part) && cloudInitBody !== undefined && cloudInitBody !== segment.body ? 'lost' : 'none';
    if (nodeadm === 'none' && cloudInit === 'none') return undefined;
    const offset = outline.block.lines[headers.body]?.start ?? segment.body;
    const what =
      nodeadm === 'dies'
        ? `nodeadm ends with an error (${error ?? ''})`
        : 'lines of the content are taken for headers, and the content is lost';
    return defect({
      kind: 'part-headers-without-blank-line',
      offset: Math.min(offset, segment.body),
      message: `No empty line stands between the headers of ${name} and its content on line ${lineOf(story, Math.min(offset, segment.body))}; ${what}.`,
      fix: 'Put an empty line, without blanks, after the headers of the part.',
      correction: { start: Math.min(offset, segment.body), end: Math.min(offset, segment.body), text: '\n' },
      nodeadm,
      cloudInit,
      parts: [part],
    });
  }
  if (error === undefined)
    return typeof read === 'string'
      ? undefined
      : continuedHeader(story, segment, part, read.headers.get('content-type') ?? '');
  return defect({
    kind: 'part-headers-malformed',
    offset: segment.start,
    message: `nodeadm can't read the headers of ${name} and ends with an error (${error}).`,
    fix: 'Write headers as `Name: value`, from the first character of the line on, right after the boundary line.',
    nodeadm: 'dies',
    cloudInit: missed(story, segment, part),
    parts: [part],
  });
}

/** A header that is indented belongs to the one before it. */
function continuedHeader(story: Story, segment: Segment, part: UserDataPart, seen: string): MimeDefect | undefined {
  const continued = segment.headers.headers.find((header, index) => header.indented && index > 0);
  if (continued === undefined) return undefined;
  const type = parseMediaType(seen);
  const nodeadm: Effect =
    seen !== '' && 'error' in type
      ? 'dies'
      : isNodeConfigPart(part) && ('error' in type || type.mediaType !== NODE_CONFIG_TYPE)
        ? 'ignored'
        : 'none';
  const cloudInit = missed(story, segment, part);
  if (nodeadm === 'none' && cloudInit === 'none') return undefined;
  const offset = story.outline.block.lines[continued.line]?.start ?? segment.start;
  return defect({
    kind: 'part-headers-malformed',
    offset,
    message: `Line ${lineOf(story, offset)} is indented, so that it belongs to the header before it, and the media type of ${nameOf(story, part)} can't be told.`,
    fix: 'Begin each header with the first character of its line.',
    nodeadm,
    cloudInit,
    parts: [part],
  });
}

function doubledBoundary(story: Story, segment: Segment, part: UserDataPart): MimeDefect {
  const line = lineOf(story, segment.mark.offset);
  return defect({
    kind: 'part-empty',
    offset: segment.mark.offset,
    message: `Nothing stands between the boundary lines ${line} and ${line + 1}; nodeadm takes the second for a header and ends with an error.`,
    fix: `Remove line ${line}.`,
    correction: withoutLineAt(story, segment.mark.offset),
    nodeadm: 'dies',
    parts: [part],
  });
}

function lateHeaders(story: Story, segment: Segment, part: UserDataPart): MimeDefect | undefined {
  const nodeadm: Effect = isNodeConfigPart(part) ? 'ignored' : 'none';
  const cloudInit = missed(story, segment, part);
  if (nodeadm === 'none' && cloudInit === 'none') return undefined;
  return defect({
    kind: 'part-without-type',
    offset: segment.start,
    message: `A blank line between the boundary and the headers on line ${lineOf(story, part.headerOffset)} makes those headers content: the part has no media type, and nobody reads it.`,
    fix: `Remove line ${lineOf(story, segment.start)}.`,
    correction: withoutLineAt(story, segment.start),
    nodeadm,
    cloudInit,
    parts: [part],
  });
}

function typeDefect(story: Story, segment: Segment, part: UserDataPart): MimeDefect | undefined {
  const types = segment.headers.headers.filter((header) => header.name === 'content-type');
  const [first, second] = types;
  const offset = part.headerOffset;
  const name = nameOf(story, part);
  if (first === undefined || first.value === '') {
    if (!isNodeConfigPart(part)) return undefined;
    return defect({
      kind: 'part-without-type',
      offset,
      message: `${capital(name)} has no Content-Type, so that nodeadm passes over it.`,
      fix: `Add the header \`Content-Type: ${NODE_CONFIG_TYPE}\` to the part.`,
      ...withNodeConfigType(segment),
      nodeadm: 'ignored',
      parts: [part],
    });
  }
  const at = story.outline.block.lines[first.line]?.start ?? offset;
  const type = parseMediaType(first.value);
  if ('error' in type) {
    return defect({
      kind: 'part-type-misspelt',
      offset: at,
      message: `nodeadm can't read the Content-Type ${quoted(first.value)} on line ${lineOf(story, at)} (${type.error}) and ends with an error.`,
      fix: isNodeConfigPart(part)
        ? `Write \`Content-Type: ${NODE_CONFIG_TYPE}\`.`
        : 'Write the media type as type/subtype, and parameters as `; name="value"`.',
      nodeadm: 'dies',
      cloudInit: missed(story, segment, part),
      parts: [part],
    });
  }
  if (second !== undefined && mediaTypeOf(second.value) !== type.mediaType)
    return repeatedType(story, segment, part, at, [first.value, second.value]);
  const nodeadm: Effect = isNodeConfigPart(part) && type.mediaType !== NODE_CONFIG_TYPE ? 'ignored' : 'none';
  const cloudInit = missed(story, segment, part);
  if (nodeadm === 'none' && (cloudInit === 'none' || transferEncoding(story, segment, part) !== undefined))
    return undefined;
  const reader = nodeadm === 'none' ? 'cloud-init' : 'nodeadm';
  const wanted = nodeadm === 'none' ? (sniffedType(part.body.text) ?? 'text/x-shellscript') : NODE_CONFIG_TYPE;
  return defect({
    kind: 'part-type-ignored',
    offset: at,
    message: `${capital(name)} has the media type ${quoted(type.mediaType)}, which ${reader} passes over.`,
    fix: `Write \`Content-Type: ${wanted}\`.`,
    correction: { ...lineAt(story, at), text: `Content-Type: ${wanted}` },
    nodeadm,
    cloudInit,
    parts: [part],
  });
}

/** The line that begins at an offset. */
function lineAt({ probe }: Story, start: number): { readonly start: number; readonly end: number } {
  const length = probe.slice(start).search(/\r?\n/);
  return { start, end: length < 0 ? probe.length : start + length };
}

function withoutLineAt(story: Story, offset: number): TextCorrection {
  const { start, end } = lineAt(story, offset);
  return { start, end: end + (/^\r?\n/.exec(story.probe.slice(end))?.[0].length ?? 0), text: '' };
}

/** A header of a part that has none, or only others. */
function withNodeConfigType(segment: Segment): Pick<MimeDefect, 'correction'> {
  const { start, headers } = segment;
  if (headers.headers.some(({ name }) => name === 'content-type')) return {};
  const isBare = headers.headers.length === 0 && !headers.separated;
  return { correction: { start, end: start, text: `Content-Type: ${NODE_CONFIG_TYPE}\n${isBare ? '\n' : ''}` } };
}

function mediaTypeOf(value: string): string {
  return value.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function repeatedType(
  story: Story,
  segment: Segment,
  part: UserDataPart,
  offset: number,
  [first, second]: readonly [string, string],
): MimeDefect {
  const meantForNodeadm = isNodeConfigPart(part) || (!isForCloudInit(part) && mediaTypeOf(second) === NODE_CONFIG_TYPE);
  const nodeadm: Effect = meantForNodeadm && mediaTypeOf(first) !== NODE_CONFIG_TYPE ? 'ignored' : 'none';
  return defect({
    kind: 'repeated-content-type',
    offset,
    message: `${capital(nameOf(story, part))} has two Content-Type headers; the first, ${quoted(first)}, counts, and ${quoted(second)} doesn't.`,
    fix: 'Remove the Content-Type header that is wrong.',
    nodeadm,
    cloudInit: missed(story, segment, part),
    parts: [part],
  });
}

function emptyNodeConfig(story: Story, part: UserDataPart): MimeDefect | undefined {
  if (part.mediaType !== NODE_CONFIG_TYPE || part.body.text.trim() !== '') return undefined;
  return defect({
    kind: 'part-empty',
    offset: part.headerOffset,
    message: `${capital(nameOf(story, part))} is empty; nodeadm can't decode it, and drops every NodeConfig of the user data with it.`,
    fix: 'Remove the part, or put a NodeConfig into it.',
    nodeadm: 'lost',
    parts: [part],
  });
}

function nested(story: Story, segment: Segment, part: UserDataPart): readonly MimeDefect[] {
  const inner: UserDataPart[] = [];
  const collect = (one: Segment): void => {
    const found = story.parts.get(one);
    if (found !== undefined) inner.push(found);
    one.inner.forEach(collect);
  };
  segment.inner.forEach(collect);
  const ignored = inner.filter(isNodeConfigPart);
  const notRun = story.cloudInit.size === 0 ? [] : inner.filter((one) => isForCloudInit(one) && !story.ran.has(one));
  if (ignored.length === 0 && notRun.length === 0) return [];
  const { names, are } = namesOf(story, [...ignored, ...notRun]);
  const reader = notRun.length === 0 ? 'nodeadm looks at top-level parts only' : 'its structure is broken';
  return [
    defect({
      kind: 'nested-multipart',
      offset: part.headerOffset,
      message: `${capital(names)} ${are} in a multipart within the multipart; ${reader}, so that ${are === 'is' ? 'it is' : 'they are'} never read.`,
      fix: 'Make each part a part of the outer multipart.',
      nodeadm: ignored.length > 0 ? 'ignored' : 'none',
      cloudInit: notRun.length > 0 ? 'not-run' : 'none',
      parts: [...ignored, ...notRun],
    }),
  ];
}

function transferEncoding(story: Story, segment: Segment, part: UserDataPart): MimeDefect | undefined {
  const encoding = headerNamed(segment.headers.headers, 'content-transfer-encoding');
  if (encoding === undefined) return undefined;
  const { failed } = decodedBody(story.source.slice(segment.body, segment.end), encoding.value, part.mediaType);
  const nodeadm: Effect = failed.nodeadm && isNodeConfigPart(part) ? 'lost' : 'none';
  const cloudInit: Effect = failed.cloudInit && isForCloudInit(part) ? 'not-run' : 'none';
  if (nodeadm === 'none' && cloudInit === 'none') return undefined;
  return defect({
    kind: 'transfer-encoding',
    offset: part.bodyOffset,
    message: `The headers of ${nameOf(story, part)} say base64, but what follows on line ${lineOf(story, part.bodyOffset)} isn't valid base64${nodeadm === 'lost' ? ' for nodeadm' : ''}.`,
    fix: 'Encode the content once, with padding and without blanks, or remove the Content-Transfer-Encoding header.',
    nodeadm,
    cloudInit,
    parts: [part],
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For what nothing above explains: a part that a reader doesn't get, in a document that is otherwise right for that reader. */
export function unexplainedDefects(story: Story, told: readonly MimeDefect[]): readonly MimeDefect[] {
  const { nodeadm: reading } = story;
  const isTold = {
    nodeadm: told.some(({ nodeadm }) => nodeadm !== 'none'),
    cloudInit: told.some(({ cloudInit }) => cloudInit !== 'none'),
  };
  const defects: MimeDefect[] = [];
  for (const [segment, part] of story.parts) {
    const nodeadm: Effect =
      !isTold.nodeadm && isNodeConfigPart(part) && !part.readByNodeadm
        ? reading.kind === 'bare'
          ? 'lost'
          : reading.error === undefined
            ? 'ignored'
            : 'dies'
        : 'none';
    const cloudInit: Effect = !isTold.cloudInit && isForCloudInit(part) && !story.ran.has(part) ? 'not-run' : 'none';
    if (nodeadm === 'none' && cloudInit === 'none') continue;
    const reader = nodeadm === 'none' ? 'cloud-init' : 'nodeadm';
    const error = reader === 'nodeadm' && reading.error !== undefined ? ` (${reading.error})` : '';
    const carriageReturn = strayCarriageReturn(story, segment);
    const line = lineOf(story, carriageReturn ?? 0);
    defects.push(
      defect({
        kind: carriageReturn === undefined ? 'part-headers-malformed' : 'mixed-line-ends',
        offset: carriageReturn ?? segment.start,
        message: `${capital(nameOf(story, part))} doesn't reach ${reader}${error}${carriageReturn === undefined ? '' : `: line ${line} has a carriage return (CR) too many, which is a line end for cloud-init and a character for nodeadm`}.`,
        fix:
          carriageReturn === undefined
            ? 'Write each part as a boundary line, its headers, an empty line and its content, with the same line ends throughout.'
            : `Remove the carriage return from line ${line}, and use the same line ends throughout, best LF.`,
        nodeadm,
        cloudInit,
        parts: [part],
      }),
    );
  }
  return defects;
}

/** A carriage return that ends no line, in the headers at the top or around those of a part. */
function strayCarriageReturn({ probe, outline: { block, top } }: Story, segment: Segment): number | undefined {
  if (!probe.includes('\n')) return undefined;
  const stretches = [
    [0, block.lines[top.body]?.start ?? 0],
    [segment.mark.offset, segment.body],
  ] as const;
  for (const [from, to] of stretches) {
    const at = probe.slice(from, to).search(/\r(?!\n)/);
    if (at >= 0) return from + at;
  }
  return undefined;
}
