import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type * as RunTask from '../../lib/run-task';
import { AS_OF } from '../as-of';
import { builtCommand, projectRoot, runCommand } from '../cli/built-command';
import { workspace } from '../cli/workspace';
import { FakeHcp, signatureOf, TOKEN } from './fake-hcp';
import { itWithAll } from '../share';

const load = createRequire(__filename);
const KEY = 'key-of-the-task-that-nobody-may-see';
const folder = workspace({ 'hmac.key': `${KEY}\n`, 'empty.key': '\n' });

/** A plan with a launch template whose hop limit is this, for a node group. */
function planWith(hopLimit: number): string {
  const resources = [
    {
      address: 'aws_launch_template.nodes',
      mode: 'managed',
      type: 'aws_launch_template',
      name: 'nodes',
      provider_name: 'registry.terraform.io/hashicorp/aws',
      values: { id: 'lt-1', metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: hopLimit }] },
    },
    {
      address: 'aws_eks_node_group.nodes',
      mode: 'managed',
      type: 'aws_eks_node_group',
      name: 'nodes',
      provider_name: 'registry.terraform.io/hashicorp/aws',
      values: {
        cluster_name: 'main',
        ami_type: 'AL2023_x86_64_STANDARD',
        launch_template: [{ id: 'lt-1', version: '1' }],
      },
    },
  ];
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.9.0',
    planned_values: { root_module: { resources } },
    resource_changes: resources.map(({ values, ...rest }) => ({
      ...rest,
      change: { actions: ['create'], before: null, after: values, after_unknown: {} },
    })),
    configuration: {
      root_module: {
        resources: resources.map(({ address, mode, type, name, provider_name }) => ({
          address,
          mode,
          type,
          name,
          provider_name,
          expressions:
            type === 'aws_eks_node_group'
              ? {
                  launch_template: [
                    { id: { references: ['aws_launch_template.nodes.id', 'aws_launch_template.nodes'] } },
                  ],
                }
              : {},
        })),
      },
    },
  });
}

interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  readonly log: () => string;
  /** The first part of the log that a pattern is for, as soon as it is there. */
  readonly logged: (pattern: RegExp) => Promise<string>;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const child = spawn(
    process.execPath,
    [builtCommand(), 'serve', 'run-task', '--port', '0', '--hmac-key-file', join(folder, 'hmac.key'), ...args],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, EKS_GUARDRAILS_AS_OF: AS_OF } },
  );
  let log = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      log += piece;
      for (const look of waiting) look();
    });
  const logged = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [found] = pattern.exec(log) ?? [];
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const port = /\d+$/.exec(await logged(/listening at .* port \d+(?=\n)/))?.[0] ?? '';
  return { url: `http://127.0.0.1:${port}`, process: child, log: () => log, logged };
}

describe('the run task of HCP Terraform', () => {
  const hcp = new FakeHcp();
  let server: Served;
  let strict: Served;

  beforeAll(async () => {
    await hcp.start();
    [server, strict] = await Promise.all([
      serve('--max-plan-size', '1'),
      serve('--max-plan-size', '1', '--on-fault', 'fail', '--fail-on', 'warning'),
    ]);
  }, 60_000);

  afterAll(() => {
    hcp.stop();
    for (const { process: child } of [server, strict]) child.kill();
    expect(hcp.complaints).toEqual([]);
    for (const { log } of [server, strict])
      for (const secret of [TOKEN, KEY, '127.0.0.1:1', '/callback/']) expect(log()).not.toContain(secret);
  });

  async function post(body: string, { signature = signatureOf(body, KEY), to = server } = {}): Promise<number> {
    const { status } = await fetch(to.url, {
      method: 'POST',
      body,
      headers: { 'X-TFC-Task-Signature': signature, 'Content-Type': 'application/json' },
    });
    return status;
  }

  it('fails a run for what it finds, with an outcome for each finding', async () => {
    hcp.plan('run-wrong', planWith(1));

    expect(await post(hcp.body('run-wrong'))).toBe(200);
    expect(await hcp.verdict('run-wrong')).toEqual({
      status: 'failed',
      message: expect.stringMatching(/^1 error.* in 2 resources$/) as string,
      outcomes: [],
    });
    const [started, listed, ...more] = hcp.told.get('run-wrong') ?? [];
    expect(started).toMatchObject({ status: 'running', outcomes: [] });
    expect(listed?.status).toBe('running');
    expect(listed?.outcomes[0]).toEqual({
      type: 'task-result-outcomes',
      attributes: {
        'outcome-id': expect.stringMatching(/^imds-hop-limit-[\da-f]{12}$/) as string,
        description: expect.stringMatching(/^imds-hop-limit: Launch template .{1,240}$/) as string,
        body: expect.stringContaining('**Fix:** Set the hop limit to 2') as string,
        url: expect.stringMatching(/^https:\/\/.*\/imds-hop-limit\.md$/) as string,
        tags: { Status: [{ label: 'Failed', level: 'error' }], Severity: [{ label: 'Error', level: 'error' }] },
      },
    });
    expect(more).toHaveLength(1);
    // It is told once HCP has the verdict.
    expect(await server.logged(/^acme\/shop run-wrong: .*\n/m)).toMatch(/: failed: 1 error/);
  });

  it('passes a run that is right, and sends no outcomes to who takes none', async () => {
    hcp.plan('run-right', planWith(2));
    hcp.plan('run-old', planWith(1));

    expect(await post(hcp.body('run-right'))).toBe(200);
    expect((await hcp.verdict('run-right')).status).toBe('passed');
    await post(hcp.body('run-old', { capabilities: {} }));
    expect((await hcp.verdict('run-old')).status).toBe('failed');
    expect(hcp.told.get('run-old')?.flatMap(({ outcomes }) => outcomes)).toEqual([]);
  });

  it('takes nothing that is not signed with the key, over the bytes as they are', async () => {
    const body = hcp.body('run-unsigned');
    const spaced = body.replaceAll(',', ', ');

    for (const signature of [
      '',
      'x',
      signatureOf(body, 'other'),
      signatureOf(spaced, KEY),
      `${signatureOf(body, KEY)}00`,
    ])
      expect(await post(body, { signature })).toBe(401);
    expect(await post(spaced.replaceAll('run-unsigned', 'run-right'))).toBe(200);
    expect(hcp.told.has('run-unsigned')).toBe(false);
  });

  it('does what is asked twice, or played back, once', async () => {
    hcp.plan('run-again', planWith(1));
    const body = hcp.body('run-again');

    expect(await Promise.all([post(body), post(body)])).toEqual([200, 200]);
    await hcp.verdict('run-again');
    expect(await post(body)).toBe(200);
    hcp.plan('run-after', planWith(2));
    await post(hcp.body('run-after'));
    await hcp.verdict('run-after');
    expect(hcp.told.get('run-again')?.filter(({ status }) => status === 'failed')).toHaveLength(1);
  });

  it('answers who registers it, and calls nobody back', async () => {
    expect(await post(hcp.body('run-test', { access_token: 'test-token', stage: 'test' }))).toBe(200);
    expect(await post(hcp.body('run-test', { access_token: 'test-token' }), { signature: 'x' })).toBe(401);
    expect(hcp.told.has('run-test')).toBe(false);
  });

  itWithAll('waits for a plan that is not written yet', async () => {
    hcp.plan('run-slow', (response, attempt) => {
      if (attempt === 1) response.writeHead(204).end();
      else setTimeout(() => response.end(planWith(1)), 300);
    });
    await post(hcp.body('run-slow'));

    expect((await hcp.verdict('run-slow')).status).toBe('failed');
  });

  it.each([
    [
      'huge',
      (response: ServerResponse): void => {
        response.end(' '.repeat(3 << 20));
      },
      /larger than 1 MiB/,
    ],
    [
      'gone',
      (response: ServerResponse): void => {
        response.writeHead(404).end();
      },
      /no plan \(status 404\)/,
    ],
    [
      'cut',
      (response: ServerResponse): void => {
        response.end(planWith(1).slice(0, 400));
      },
      /plan\.json|closed|ends/,
    ],
    [
      'broken',
      (response: ServerResponse): void => {
        response.destroy();
      },
      /connection failed|took too long/,
    ],
    [
      'errored',
      (response: ServerResponse): void => {
        response.end('{"format_version":"1.2","terraform_version":"1.9.0","errored":true}');
      },
      /./,
    ],
  ] as const)('never blocks a run whose plan is %s, unless it is told to', async (name, plan, reason) => {
    for (const [to, status] of [
      [server, 'passed'],
      [strict, 'failed'],
    ] as const) {
      const run = `run-${name}-${status}`;
      hcp.plan(run, plan);
      await post(hcp.body(run), { to });
      const verdict = await hcp.verdict(run);
      expect(verdict).toMatchObject({ status, message: expect.stringMatching(/^Not checked: /) as string });
      expect(verdict.message).toMatch(reason);
      expect(verdict.message).not.toContain('127.0.0.1');
    }
  });

  it('has nothing to say of stages without a plan', async () => {
    await post(hcp.body('run-pre', { stage: 'pre_plan', plan_json_api_url: undefined }));

    expect(await hcp.verdict('run-pre')).toMatchObject({
      status: 'passed',
      message: expect.stringContaining('post_plan') as string,
    });
  });

  it('refuses what is no request of HCP Terraform', async () => {
    expect(await post('{')).toBe(400);
    expect(await post('[]')).toBe(400);
    expect(await post(hcp.body('run-x', { task_result_callback_url: 'http://example.com/' }))).toBe(400);
    expect(await post(hcp.body('run-x', { plan_json_api_url: 'file:///etc/passwd' }))).toBe(400);
    expect(await post(' '.repeat(300_000))).toBe(413);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(server.url)).status).toBe(405);
  });

  it('does not start without a key', () => {
    const start = (...args: readonly string[]) => runCommand(['serve', 'run-task', ...args], { cwd: folder });

    expect(start()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('EKS_GUARDRAILS_HMAC_KEY') as string,
    });
    expect(start('--hmac-key-file', 'empty.key').exitCode).toBe(2);
    expect(start('--hmac-key-file', 'none.key').exitCode).toBe(2);
    expect(start('--hmac-key-file', 'hmac.key', '--port', '70000').exitCode).toBe(2);
  });

  it('is a function of Lambda, too, which answers before it works', async () => {
    builtCommand();
    const { runTaskHandler } = load(join(projectRoot, 'dist/lib/run-task/index.js')) as typeof RunTask;
    const later: string[] = [];
    const handler = runTaskHandler({
      key: KEY,
      later: (payload) => {
        later.push(payload);
        return Promise.resolve();
      },
    });
    hcp.plan('run-lambda', planWith(1));
    const body = hcp.body('run-lambda');
    const event = {
      headers: { 'x-tfc-task-signature': signatureOf(body, KEY) },
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    };

    expect(await handler({ ...event, headers: {} })).toEqual({ statusCode: 401 });
    expect(await handler(event)).toEqual({ statusCode: 200 });
    expect(hcp.told.has('run-lambda')).toBe(false);
    expect(later).toHaveLength(1);
    await handler(JSON.parse(later[0] ?? '') as RunTask.RunTaskEvent);
    expect((await hcp.verdict('run-lambda')).status).toBe('failed');
  });
});

describe('the guide to run tasks', () => {
  const guide = readFileSync(join(projectRoot, 'docs/guides/run-task.md'), 'utf8');

  it('has every option that the help has', () => {
    const options = [...runCommand(['serve', '--help']).stdout.matchAll(/^ {2}(--[a-z-]+)/gm)];
    expect(options.length).toBeGreaterThan(4);
    for (const [, option = ''] of options) expect(guide).toContain(`\`${option}`);
  });

  it('has a function that calls itself, with the key of its environment', async () => {
    const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(guide) ?? [];
    const sent: unknown[] = [];
    const modules: Record<string, unknown> = {
      'eks-guardrails/run-task': load(join(projectRoot, 'dist/lib/run-task/index.js')),
      '@aws-sdk/client-lambda': {
        InvokeCommand: class {
          constructor(readonly input: unknown) {}
        },
        LambdaClient: class {
          send({ input }: { input: unknown }): Promise<void> {
            sent.push(input);
            return Promise.resolve();
          }
        },
      },
    };
    const exported: { handler?: (event: RunTask.RunTaskEvent) => Promise<unknown> } = {};
    const env = { HMAC_KEY: KEY, AWS_LAMBDA_FUNCTION_NAME: 'run-task' };
    runInNewContext(code, {
      require: (name: string) => modules[name],
      exports: exported,
      process: { env },
      console: { error: () => undefined },
    });
    const body = JSON.stringify({ access_token: TOKEN, task_result_callback_url: 'https://example.com/callback' });

    expect(await exported.handler?.({ headers: { 'x-tfc-task-signature': signatureOf(body, KEY) }, body })).toEqual({
      statusCode: 200,
    });
    expect(sent).toEqual([
      { FunctionName: 'run-task', InvocationType: 'Event', Payload: JSON.stringify({ runTask: body }) },
    ]);
  });
});
