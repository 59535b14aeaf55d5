import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Deliveries } from './deliveries';
import { SIGNATURE, type RunTaskRequest } from './request';
import { accept, perform, type RunTaskOptions } from './run-task';

/** Bytes of a request: it has some addresses and names. */
const REQUEST_BYTES = 256 * 1024;

/** Plans that are checked at a time. */
const AT_A_TIME = 2;

/** Requests that may wait for that; the others are told to come again. */
const WAITING = 100;

/** A server of a run task, which doesn't listen yet. `POST` of any path is a request of HCP Terraform, `GET /healthz` says that it is there. */
export function runTaskServer(options: RunTaskOptions, work: typeof perform = perform): Server {
  const deliveries = new Deliveries();
  const queue = new Queue((request) => work(request, options));
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  // Nobody keeps a connection by saying nothing.
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 5000 });
  return server;

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = (status: number) => response.writeHead(status, { 'content-length': 0 }).end();
    if (message.method === 'GET' && message.url === '/healthz') return void end(200);
    if (message.method !== 'POST') return void end(405);
    const body = await bodyOf(message);
    if (body === undefined) return void end(413);
    const signature = message.headers[SIGNATURE];
    const { status, request } = accept(body, typeof signature === 'string' ? signature : undefined, options);
    if (request === undefined) return void end(status);
    if (queue.isFull) return void end(503);
    if (deliveries.isNew(request.taskResultId)) queue.add(request);
    return void end(status);
  }
}

/** Undefined for one that is too large, or breaks off. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of message as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size <= REQUEST_BYTES) pieces.push(piece);
    }
  } catch {
    return undefined;
  }
  return size > REQUEST_BYTES ? undefined : Buffer.concat(pieces);
}

/** Requests in the order in which they came. */
class Queue {
  private readonly waiting: RunTaskRequest[] = [];
  private running = 0;

  constructor(private readonly work: (request: RunTaskRequest) => Promise<void>) {}

  get isFull(): boolean {
    return this.waiting.length >= WAITING;
  }

  add(request: RunTaskRequest): void {
    this.waiting.push(request);
    this.next();
  }

  private next(): void {
    if (this.running >= AT_A_TIME) return;
    const request = this.waiting.shift();
    if (request === undefined) return;
    this.running++;
    void this.work(request).finally(() => {
      this.running--;
      this.next();
    });
  }
}
