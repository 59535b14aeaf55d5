import type { TextCorrection } from '../correction';
import type { Effect, MimeDefect } from '../document';
import type { Mark } from './boundaries';
import { isMimeForCloudInit, readAsCloudInit } from './cloud-init';
import { headerNamed, isKnownHeader } from './headers';
import { isBlank } from './lines';
import { parseMediaType } from './media-type';
import { readAsNodeadm, readPartHeaders } from './nodeadm';
import {
  affected,
  defect,
  fate,
  isForCloudInit,
  isNodeConfigPart,
  lineOf,
  namesOf,
  quoted,
  type Story,
  type Told,
} from './story';

/** What is wrong with a document as a whole: its headers, its boundary, its end. */
export function structureDefects(story: Story): readonly MimeDefect[] {
  const before = textBeforeHeaders(story);
  // Indented as a whole, nothing of it is where it should be; one cause, one defect.
  if (
    before !== undefined &&
    story.outline.top.headers.some((header) => header.indented && header.line > story.outline.top.first)
  )
    return [before];
  const defects = [before, headerDefect(story), mimeVersionMissing(story), boundaryNotFound(story)];
  if (story.outline.marks.some(isExact))
    defects.push(...story.outline.marks.map((mark) => flawedMark(story, mark)), notClosed(story), mixedLineEnds(story));
  return [...defects, ...closedEarly(story)].filter((found) => found !== undefined);
}

export function isExact(mark: Mark): boolean {
  return mark.flaw === undefined;
}

/** Effects on the whole document, with the parts that they concern. */
function wholeDocument(
  story: Story,
  nodeadm: Effect,
  cloudInit: Effect,
): Pick<Told, 'nodeadm' | 'cloudInit' | 'parts'> {
  return { nodeadm, cloudInit, parts: affected(story.all, nodeadm, cloudInit) };
}

/** Whether cloud-init, beginning at the headers, misses parts that are meant for it. */
function cloudInitMisses({ parts, cloudInit }: Story): boolean {
  for (const [segment, part] of parts) {
    if (segment.after === undefined && isForCloudInit(part) && !cloudInit.has(segment.start)) return true;
  }
  return parts.size === 0 && cloudInit.size === 0;
}

function textBeforeHeaders(story: Story): MimeDefect | undefined {
  const { outline, probe, head } = story;
  const indented = outline.top.headers.find((header) => header.indented);
  if (head === 0 && indented === undefined) return undefined;
  const offset = head > 0 ? 0 : (outline.block.lines[indented?.line ?? 0]?.start ?? 0);
  const nodeadm: Effect = readAsNodeadm(probe).kind === 'bare' ? 'lost' : 'none';
  const cloudInit: Effect = readsSame(story, probe) ? 'none' : 'not-run';
  if (nodeadm === 'none' && cloudInit === 'none') return undefined;
  const what =
    head > 0
      ? whatStandsBefore(probe.slice(0, head))
      : `Line ${lineOf(story, offset)} is indented, so that it belongs to the header before it`;
  return defect({
    kind: 'text-before-headers',
    offset,
    message: `${what}; MIME headers must begin with the first character of the user data, and here ${fate(nodeadm, cloudInit)}.`,
    fix: 'Begin the user data with the first header, without a blank line, comment, byte order mark or indentation before any line.',
    ...wholeDocument(story, nodeadm, cloudInit),
  });
}

function whatStandsBefore(text: string): string {
  if (text.startsWith('\uFEFF')) return 'A byte order mark stands before the first header';
  if (!isBlank(text)) return `${quoted(text.trim().split(/[\r\n]/, 1)[0] ?? '')} stands before the first header`;
  return /[\r\n]/.test(text) ? 'A blank line stands before the first header' : 'Blanks stand before the first header';
}

/** Whether cloud-init finds in a text what it finds from the first header on. */
function readsSame({ head, outline }: Story, text: string): boolean {
  const whole = readAsCloudInit(text);
  const rest = readAsCloudInit(text.slice(head));
  if (outline.top.headers.some((header) => header.indented && header.line > outline.top.first)) return false;
  return whole.length === rest.length && whole.every((part, i) => part.mediaType === rest[i]?.mediaType);
}

/** The first thing that is wrong with the top headers. */
function headerDefect(story: Story): MimeDefect | undefined {
  const { outline, head } = story;
  const { top, contentType } = outline;
  if (contentType === undefined) return withoutContentType(story);
  const header = headerNamed(top.headers, 'content-type');
  const offset = outline.block.lines[header?.line ?? 0]?.start ?? head;
  const type = parseMediaType(contentType);
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const cloudInit: Effect = cloudInitMisses(story) ? 'not-run' : 'none';
  if (!mediaType.startsWith('multipart/')) {
    const nodeadm: Effect = story.all.some(isNodeConfigPart) ? 'lost' : 'none';
    return defect({
      kind: 'not-multipart',
      offset,
      message: `The Content-Type on line ${lineOf(story, offset)} is ${quoted(mediaType)}, not multipart; ${fate(nodeadm, cloudInit)}, and EKS merges multipart documents only.`,
      fix: 'Write `Content-Type: multipart/mixed; boundary="…"` at the top, and the content as a part of its own.',
      ...wholeDocument(story, nodeadm, cloudInit),
    });
  }
  if ('error' in type) {
    return defect({
      kind: 'boundary-unquoted',
      offset,
      message: `nodeadm can't read the Content-Type on line ${lineOf(story, offset)} (${type.error}), because a boundary with characters such as "/", "=" or ":" needs quotes; ${fate('lost', cloudInit)}.`,
      fix: `Write \`boundary="${outline.boundary ?? '…'}"\`, in double quotes.`,
      ...quotedBoundary(story, offset),
      ...wholeDocument(story, 'lost', cloudInit),
    });
  }
  if (outline.declared === undefined) {
    return defect({
      kind: 'boundary-missing',
      offset,
      message: `The Content-Type on line ${lineOf(story, offset)} names no boundary; ${fate('dies', 'not-run')}.`,
      fix: `Add \`; boundary="${outline.boundary ?? '…'}"\` to the Content-Type.`,
      ...wholeDocument(story, 'dies', 'not-run'),
    });
  }
  return top.separated ? undefined : withoutBlankLine(story);
}

/** Undecided where something else of the header may be wrong. */
function quotedBoundary({ outline, probe }: Story, offset: number): Pick<MimeDefect, 'correction'> {
  const line = probe.slice(offset).split(/\r?\n/, 1)[0] ?? '';
  const found = /^(.*\bboundary=)([^\s";]+)$/i.exec(line);
  const [, before = '', written = ''] = found ?? [];
  if (found === null || written !== outline.boundary) return {};
  return { correction: { start: offset + before.length, end: offset + line.length, text: `"${written}"` } };
}

function withoutContentType(story: Story): MimeDefect {
  const { outline, head } = story;
  const { block, top } = outline;
  const late = isKnownHeader(block, top.body) ? block.lines[top.body]?.start : undefined;
  const multipart = outline.boundary !== undefined;
  const reason =
    late !== undefined && top.headers.length > 0
      ? `A blank line ends the headers before the Content-Type on line ${lineOf(story, late)}`
      : multipart
        ? 'The user data has boundary lines, but no Content-Type at the top that names the boundary'
        : 'The headers have no Content-Type';
  const nodeadm: Effect = multipart || story.all.some(isNodeConfigPart) ? 'lost' : 'none';
  const cloudInit: Effect = cloudInitMisses(story) ? 'not-run' : 'none';
  return defect({
    kind: multipart ? 'boundary-missing' : 'not-multipart',
    offset: late ?? head,
    message: `${reason}; ${fate(nodeadm, cloudInit)}.`,
    fix: `Begin with \`MIME-Version: 1.0\` and \`Content-Type: multipart/mixed; boundary="${outline.boundary ?? '…'}"\`, then an empty line.`,
    ...wholeDocument(story, nodeadm, cloudInit),
  });
}

function withoutBlankLine(story: Story): MimeDefect | undefined {
  const { outline, nodeadm: reading } = story;
  const line = outline.block.lines[outline.top.body] ?? outline.block.lines.at(-1);
  if (line === undefined || outline.top.body >= outline.block.lines.length) return undefined;
  const nodeadm: Effect = reading.kind === 'bare' ? 'lost' : 'none';
  const cloudInit: Effect = cloudInitMisses(story) ? 'not-run' : 'none';
  if (nodeadm === 'none' && cloudInit === 'none') return undefined;
  return defect({
    kind: 'top-headers-without-blank-line',
    offset: line.start,
    message: `No empty line stands between the headers and line ${lineOf(story, line.start)}; nodeadm takes the whole for YAML: ${fate(nodeadm, cloudInit)}.`,
    fix: 'Put an empty line, without blanks, after the headers.',
    correction: { start: line.start, end: line.start, text: '\n' },
    ...wholeDocument(story, nodeadm, cloudInit),
  });
}

function mimeVersionMissing(story: Story): MimeDefect | undefined {
  const { outline, probe, head } = story;
  if (outline.top.headers.length === 0 || isMimeForCloudInit(probe)) return undefined;
  return defect({
    kind: 'mime-version-missing',
    offset: head,
    message:
      'There is no MIME-Version header, so that cloud-init takes the whole for something else than MIME: shell scripts and cloud-config in it never run. nodeadm needs none.',
    fix: 'Add `MIME-Version: 1.0` to the headers at the top.',
    correction: { start: head, end: head, text: 'MIME-Version: 1.0\n' },
    ...wholeDocument(story, 'none', 'not-run'),
  });
}

function boundaryNotFound(story: Story): MimeDefect | undefined {
  const { outline, head } = story;
  const { declared, boundary, marks, block } = outline;
  if (declared === undefined || outline.contentType?.toLowerCase().startsWith('multipart/') !== true) return undefined;
  // What can't be read declares nothing; that's told already.
  if ('error' in parseMediaType(outline.contentType)) return undefined;
  if (boundary === declared && marks.some((mark) => mark.kind === 'open' && isExact(mark))) return undefined;
  const [first] = marks;
  const header = block.lines[headerNamed(outline.top.headers, 'content-type')?.line ?? 0]?.start ?? head;
  const where = first === undefined ? '' : ` on line ${lineOf(story, first.offset)}`;
  const message =
    first === undefined
      ? `No line is the boundary ${quoted(`--${declared}`)} that the Content-Type on line ${lineOf(story, header)} declares`
      : boundary !== declared
        ? `The boundary line${where} is ${quoted(`--${boundary ?? ''}`)}, but the Content-Type on line ${lineOf(story, header)} declares ${quoted(declared)}, which makes it ${quoted(`--${declared}`)}`
        : `The boundary line${where} doesn't begin its line with ${quoted(`--${declared}`)}`;
  return defect({
    kind: 'boundary-not-found',
    offset: first?.offset ?? header,
    message: `${message}; ${fate('dies', 'not-run')}.`,
    fix:
      boundary !== undefined && boundary !== declared
        ? `Declare \`boundary="${boundary}"\`.`
        : `Begin each part with a line that is ${quoted(`--${declared}`)}, without blanks before it.`,
    ...wholeDocument(story, 'dies', 'not-run'),
    related: first === undefined ? [] : [{ offset: header, message: 'The boundary is declared here.' }],
  });
}

/** A boundary line that the readers don't see as one, in a document whose other boundary lines are right. */
function flawedMark(story: Story, mark: Mark): MimeDefect | undefined {
  const { outline } = story;
  if (isExact(mark) || outline.boundary !== outline.declared) return undefined;
  const closed = outline.marks.some((other) => other.kind === 'close' && isExact(other));
  if (mark.kind === 'close' && closed) return undefined;
  const dashes = quoted(`--${outline.boundary ?? ''}${mark.kind === 'close' ? '--' : ''}`);
  const how =
    mark.flaw === 'indented' ? 'is indented' : mark.flaw === 'glued' ? 'stands behind other text' : `isn't ${dashes}`;
  const which = `The ${mark.kind === 'close' ? 'closing ' : ''}boundary on line ${lineOf(story, mark.offset)} ${how}`;
  const fix = `Write ${dashes} on a line of its own, from its first character on.`;
  if (mark.kind === 'close') {
    const parts = affected(story.parts.values(), 'dies', 'none');
    return defect({
      kind: 'closing-line-glued',
      offset: mark.offset,
      message: `${which}, so that it closes nothing: nodeadm ends with an error, and for cloud-init it's text of the last part.`,
      fix,
      nodeadm: 'dies',
      cloudInit: 'swallowed',
      parts,
    });
  }
  const behind = outline.segments
    .filter((segment) => segment.mark === mark)
    .flatMap((segment) => story.parts.get(segment) ?? []);
  const { names, are } = namesOf(story, behind);
  return defect({
    kind: mark.flaw === 'glued' ? 'closing-line-glued' : 'boundary-not-found',
    offset: mark.offset,
    message: `${which}, so that ${names} ${are} text of what comes before.`,
    fix,
    nodeadm: 'swallowed',
    cloudInit: 'swallowed',
    parts: behind,
  });
}

function notClosed(story: Story): MimeDefect | undefined {
  const { outline, probe } = story;
  if (outline.marks.some((mark) => mark.kind === 'close') || outline.boundary !== outline.declared) return undefined;
  const last = outline.marks.filter(isExact).at(-1);
  if (last === undefined) return undefined;
  const line = outline.block.lines[last.line];
  // nodeadm takes the end of the text for the end of the parts when it stands where headers would.
  if (line !== undefined && line.next > line.end && readPartHeaders(probe, line.next) === 'EOF') return undefined;
  return defect({
    kind: 'not-closed',
    offset: probe.trimEnd().length,
    message: `The boundary is never closed: after the part that starts on line ${lineOf(story, last.offset)} a last line ${quoted(`--${outline.boundary ?? ''}--`)} is missing, and nodeadm ends with "unexpected EOF".`,
    fix: `End the user data with the line ${quoted(`--${outline.boundary ?? ''}--`)}.`,
    correction: { start: probe.trimEnd().length, end: probe.trimEnd().length, text: `\n--${outline.boundary ?? ''}--` },
    ...wholeDocument(story, 'dies', 'none'),
    related: [{ offset: last.offset, message: 'The last part starts here.' }],
  });
}

function closedEarly(story: Story): readonly MimeDefect[] {
  const { outline } = story;
  const lost = outline.segments.filter((segment) => segment.after !== undefined && !story.cloudInit.has(segment.start));
  const close = lost[0]?.after;
  if (close === undefined || !isExact(close)) return [];
  const parts = lost
    .flatMap((segment) => [segment, ...segment.inner])
    .flatMap((segment) => story.parts.get(segment) ?? []);
  const { names, are } = namesOf(story, parts);
  const goesOn = outline.marks.some((mark) => mark.line > close.line);
  const separates = lost[0]?.mark === close;
  return [
    defect({
      kind: goesOn ? 'closed-early' : 'text-after-end',
      offset: close.offset,
      message: `The boundary is closed on line ${lineOf(story, close.offset)}; ${names} ${are} never read.`,
      fix: separates
        ? `Drop the two trailing dashes of line ${lineOf(story, close.offset)}${goesOn ? '' : ', and close the boundary after the last part'}.`
        : `Remove line ${lineOf(story, close.offset)}; the boundary is closed once, after the last part.`,
      ...(goesOn || !separates ? { correction: reopened(story, close, separates) } : {}),
      nodeadm: 'ignored',
      cloudInit: 'ignored',
      parts,
      related: parts.map((part) => ({ offset: part.headerOffset, message: 'This is never read.' })),
    }),
  ];
}

/** A closing boundary that comes too early as one that begins a part, or without it where another one does. */
function reopened({ outline }: Story, close: Mark, separates: boolean): TextCorrection {
  const { start = close.offset, end = close.offset, next = end } = outline.block.lines[close.line] ?? {};
  return separates ? { start: end - 2, end, text: '' } : { start, end: next, text: '' };
}

/** nodeadm holds all boundary lines to the line end of the first. */
function mixedLineEnds(story: Story): MimeDefect | undefined {
  const { outline, probe } = story;
  const exact = outline.marks.filter((mark) => isExact(mark));
  const [first] = exact;
  if (first === undefined || outline.boundary !== outline.declared) return undefined;
  const wanted = lineEndOf(story, first);
  const odd = exact.find((mark) => {
    const end = lineEndOf(story, mark);
    return (end !== '' && end !== wanted) || (mark !== first && !probe.endsWith(wanted, mark.offset));
  });
  if (odd === undefined && wanted !== '\r') return undefined;
  const dies = story.nodeadm.kind === 'multipart' && story.nodeadm.error !== undefined;
  const nodeadm: Effect = story.nodeadm.kind === 'bare' ? 'lost' : dies ? 'dies' : 'swallowed';
  const cloudInit: Effect = [...story.parts.values()].some((part) => isForCloudInit(part) && !story.ran.has(part))
    ? 'not-run'
    : 'none';
  const offset = (odd ?? first).offset;
  return defect({
    kind: 'mixed-line-ends',
    offset,
    message: `The line ends around the boundary on line ${lineOf(story, offset)} aren't those of the first boundary line, on line ${lineOf(story, first.offset)} (${nameOfLineEnd(wanted)}); ${fate(nodeadm, cloudInit)}.`,
    fix: 'Use the same line ends throughout, best LF.',
    ...wholeDocument(story, nodeadm, cloudInit),
    related: [{ offset: first.offset, message: `This line ends in ${nameOfLineEnd(wanted)}.` }],
  });
}

function lineEndOf({ outline, probe }: Story, mark: Mark): string {
  const { end = 0, next = 0 } = outline.block.lines[mark.line] ?? {};
  return probe.slice(end, next);
}

function nameOfLineEnd(end: string): string {
  return end === '\r\n' ? 'CRLF' : end === '\r' ? 'CR' : 'LF';
}
