import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** S3, as far as a presigned URL needs it. */
export class PayloadServer {
  private readonly server: Server;
  private answer: (response: ServerResponse) => void = () => undefined;
  private address = '';
  /** How often it was asked. */
  requests = 0;

  constructor() {
    this.server = createServer((_, response) => {
      this.requests++;
      this.answer(response);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/templates?X-Amz-Signature=secret`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Gives the address from which an object can be fetched. */
  serving(payload: object): string {
    return this.answering((response) => response.end(JSON.stringify(payload)));
  }

  answering(answer: (response: ServerResponse) => void): string {
    this.requests = 0;
    this.answer = answer;
    return this.address;
  }
}
