import { member, text } from './request';

/** The templates that a request is about. */
export interface Payload {
  readonly template: string;
  /** Empty where there was none, or nobody tells. */
  readonly previousTemplate: string;
  /** Logical ids of the resources that a change set creates. */
  readonly created: ReadonlySet<string>;
}

/** A reason why something can't be judged, in words for whoever deploys. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** CloudFormation takes templates of 1 MB. With the one before, escaped as JSON, and all properties of a change set, no payload comes near this. */
const MOST_BYTES = 32 * 1024 * 1024;

/** CloudFormation waits for 30 seconds in all. */
const PATIENCE_MS = 8000;

const ATTEMPTS = 2;

/**
 * Fetches the templates.
 * @param address as the request has it: a presigned URL, which is for nobody's eyes but S3's, so that no message shows it
 * @throws NotChecked if they can't be had
 */
export async function fetchPayload(address: string, patience = PATIENCE_MS): Promise<Payload> {
  if (!/^https?:\/\//.test(address)) throw new NotChecked('the request names no address of its templates');
  const body = await patiently(() => download(address, patience));
  let payload: unknown;
  try {
    payload = JSON.parse(body);
  } catch {
    throw new NotChecked('what CloudFormation handed over is no JSON');
  }
  const changes = member(payload, 'changedResources');
  return {
    template: text(payload, 'template'),
    previousTemplate: text(payload, 'previousTemplate'),
    created: new Set(
      (Array.isArray(changes) ? changes : [])
        .filter((change: unknown) => text(change, 'action') === 'CREATE')
        .map((change: unknown) => text(change, 'logicalResourceId')),
    ),
  };
}

async function patiently(get: () => Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await get();
    } catch (error) {
      if (error instanceof NotChecked) throw error;
      if (attempt === ATTEMPTS) throw new NotChecked(`the templates could not be fetched: ${reasonOf(error)}`);
    }
  }
}

async function download(address: string, patience: number): Promise<string> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patience) });
  if (!response.ok) {
    // What nobody reads would keep the connection, and a function lives on.
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`S3 answered with ${response.status}`);
    throw new NotChecked(`the templates could not be fetched: S3 answered with ${response.status}`);
  }
  if (response.body === null) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  // What is said of the length needn't be true.
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > MOST_BYTES) throw new NotChecked(`the templates take more than ${MOST_BYTES / 1024 / 1024} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Without the address, which errors of the network may hold. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time';
  if (error instanceof Error && error.message.startsWith('S3 ')) return error.message;
  const cause = error instanceof Error ? error.cause : undefined;
  return text(cause, 'code') || 'the connection failed';
}
