/** A part as a reader that repairs nothing sees it. */
export interface StrictPart {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Reads multipart user data as strictly as nodeadm does (Go's `net/mail` and `mime/multipart`), and throws where it would give up or
 * where cloud-init would have to repair something. Written for the tests, apart from the code that it checks.
 */
export function readStrictMime(text: string): StrictPart[] {
  if (text.includes('\r')) throw new Error('a carriage return');
  const end = text.indexOf('\n\n');
  if (end < 0) throw new Error('no blank line after the headers');
  const headers = readHeaders(text.slice(0, end));
  if (headers.get('mime-version') !== '1.0') throw new Error('no MIME-Version');
  const boundary = /^multipart\/mixed; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) throw new Error('no quoted boundary');
  const lines = text.slice(end + 2).split('\n');
  const close = lines.indexOf(`--${boundary}--`);
  if (close < 0) throw new Error('no closing boundary');
  if (lines.slice(close + 1).some((line) => line !== '')) throw new Error('text after the closing boundary');
  if (lines[0] !== `--${boundary}`) throw new Error('text before the first boundary');
  const parts: string[][] = [];
  for (const line of lines.slice(0, close)) {
    if (line === `--${boundary}`) parts.push([]);
    else if (line.startsWith(`--${boundary}`)) throw new Error(`a line that begins like the boundary: ${line}`);
    else parts.at(-1)?.push(line);
  }
  return parts.map((part) => {
    const blank = part.indexOf('');
    if (blank < 1) throw new Error('no blank line after the headers of a part');
    return { headers: readHeaders(part.slice(0, blank).join('\n')), body: part.slice(blank + 1).join('\n') };
  });
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([!-9;-~]+): (.+)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) throw new Error(`no header: ${line}`);
    if (headers.has(match[1].toLowerCase())) throw new Error(`header twice: ${line}`);
    headers.set(match[1].toLowerCase(), match[2]);
  }
  return headers;
}
