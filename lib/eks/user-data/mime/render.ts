/**
 * Multipart user data, written so that both readers of a node accept it: cloud-init, which repairs much, and nodeadm,
 * which repairs nothing.
 */

/** One part of multipart user data. */
export interface MimePart {
  /** Media type, such as `text/x-shellscript`; see {@link MIME_TYPES}. */
  readonly type: string;
  /** Text of the part. Line ends are normalised to LF: boundaries and bodies with mixed line ends end nodeadm. */
  readonly body: string;
}

/** The media types that an EKS node's readers act on. */
export const MIME_TYPES = {
  /** A nodeadm NodeConfig; the only type that nodeadm reads. */
  nodeConfig: 'application/node.eks.aws',
  /** A program that cloud-init runs once; must begin with `#!`. */
  shellScript: 'text/x-shellscript',
  /** cloud-init's own configuration. */
  cloudConfig: 'text/cloud-config',
} as const;

/** Thrown for parts that could not be read back as they are. */
export class MimeError extends Error {
  override readonly name = 'MimeError';
}

/** EC2 accepts this many bytes of user data, before base64. Source: EC2 User Guide, "Run commands at launch". */
export const USER_DATA_LIMIT = 16384;

const MEDIA_TYPE = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/;

/**
 * Writes parts as one MIME multipart document.
 *
 * The boundary is the same for the same parts, so that an unchanged node group doesn't get a new launch template version.
 * @throws MimeError for no parts, an invalid media type, an empty part, or a shell part without `#!`
 */
export function renderMime(parts: readonly MimePart[]): string {
  if (parts.length === 0) throw new MimeError('multipart user data needs at least one part');
  const bodies = parts.map((part, index) => checkedBody(part, index + 1));
  const boundary = unusedBoundary(bodies);
  const lines = ['MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`, ''];
  parts.forEach((part, index) => {
    const body = bodies[index] ?? '';
    lines.push(`--${boundary}`);
    if (isAscii(body)) lines.push(`Content-Type: ${part.type}`);
    else lines.push(`Content-Type: ${part.type}; charset="utf-8"`, 'Content-Transfer-Encoding: 8bit');
    lines.push('', body);
  });
  lines.push(`--${boundary}--`, '');
  return lines.join('\n');
}

function checkedBody(part: MimePart, position: number): string {
  if (!MEDIA_TYPE.test(part.type))
    throw new MimeError(
      `part ${position} has "${part.type}" for a media type; write it as type/subtype, without parameters`,
    );
  const body = part.body.replace(/\r\n?/g, '\n').replace(/(?<!\n)\n+$/, '');
  if (body.trim() === '') throw new MimeError(`part ${position} (${part.type}) is empty`);
  if (part.type.toLowerCase() === MIME_TYPES.shellScript && !body.startsWith('#!')) {
    throw new MimeError(
      `part ${position} (${part.type}) begins with ${JSON.stringify(firstLine(body))}; cloud-init runs it as a program and needs "#!" in the first two characters, such as "#!/bin/bash"`,
    );
  }
  return body;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

/** A boundary that stands in no part, not even where it would do no harm to a strict reader: behind blanks or other text. */
function unusedBoundary(bodies: readonly string[]): string {
  const base = 'eks-guardrails';
  let boundary = base;
  for (let suffix = 1; bodies.some((body) => body.includes(`--${boundary}`)); suffix++) boundary = `${base}-${suffix}`;
  return boundary;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7F]*$/.test(text);
}
