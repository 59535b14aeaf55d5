import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const TOKEN = 'run-token-that-nobody-may-see';

/** One callback. */
export interface Told {
  readonly status: string;
  readonly message: string;
  readonly outcomes: readonly {
    readonly type: string;
    readonly attributes: Readonly<Record<string, unknown>> & {
      readonly tags: Readonly<Record<string, readonly { readonly label: string; readonly level: string }[]>>;
    };
  }[];
}

/** HCP Terraform, as far as a run task sees it: plans behind a redirect to a storage that takes no token, and callbacks that must hold what its documents want. */
export class FakeHcp {
  /** By run. */
  readonly told = new Map<string, Told[]>();
  /** What is wrong with what it was asked. */
  readonly complaints: string[] = [];
  private readonly plans = new Map<string, (response: ServerResponse, attempt: number) => void>();
  private readonly attempts = new Map<string, number>();
  private readonly main: Server = createServer((request, response) => void this.answer(request, response));
  private readonly storage: Server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) this.complaints.push('the storage was shown the token');
    const id = request.url?.slice(1) ?? '';
    const attempt = (this.attempts.get(id) ?? 0) + 1;
    this.attempts.set(id, attempt);
    this.plans.get(id)?.(response, attempt);
  });

  async start(): Promise<void> {
    // Another host, as redirects of HCP Terraform lead to.
    await new Promise<void>((listening) => this.main.listen(0, '127.0.0.1', listening));
    await new Promise<void>((listening) => this.storage.listen(0, '127.0.0.1', listening));
  }

  stop(): void {
    for (const server of [this.main, this.storage]) server.close().closeAllConnections();
  }

  /** What a run's plan is answered with. */
  plan(run: string, plan: string | ((response: ServerResponse, attempt: number) => void)): void {
    this.plans.set(run, typeof plan === 'string' ? (response) => void response.end(plan) : plan);
  }

  /** The body of the request about a run. */
  body(run: string, values: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify({
      payload_version: 1,
      stage: 'post_plan',
      access_token: TOKEN,
      capabilities: { outcomes: true },
      organization_name: 'acme',
      workspace_name: 'shop',
      plan_json_api_url: `${address(this.main)}/plans/${run}`,
      run_id: run,
      task_result_callback_url: `${address(this.main)}/callback/${run}`,
      task_result_enforcement_level: 'mandatory',
      task_result_id: `taskrs-${run}`,
      ...values,
    });
  }

  /** The verdict on a run, when it is there. */
  async verdict(run: string): Promise<Told> {
    for (;;) {
      const last = this.told.get(run)?.at(-1);
      if (last !== undefined && last.status !== 'running') return last;
      await new Promise((later) => setTimeout(later, 20));
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end();
    const [, kind, run = ''] = request.url?.split('/') ?? [];
    if (kind === 'plans') return void response.writeHead(307, { location: `${address(this.storage)}/${run}` }).end();
    const body = JSON.parse(await text(request)) as {
      data: {
        type: string;
        attributes: { status: string; message: string };
        relationships?: { outcomes: { data: Told['outcomes'] } };
      };
    };
    const isValid =
      request.method === 'PATCH' &&
      request.headers['content-type'] === 'application/vnd.api+json' &&
      body.data.type === 'task-results' &&
      ['running', 'passed', 'failed'].includes(body.data.attributes.status);
    if (!isValid) {
      this.complaints.push(JSON.stringify(body));
      return void response.writeHead(422).end();
    }
    const { status, message } = body.data.attributes;
    const known = this.told.get(run) ?? [];
    this.told.set(run, [...known, { status, message, outcomes: body.data.relationships?.outcomes.data ?? [] }]);
    response.end();
  }
}

function address(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function signatureOf(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}
