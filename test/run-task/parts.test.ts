import type { AddressInfo } from 'node:net';
import type { FailOn } from '../../lib/engine';
import type { JsonReport } from '../../lib/reports/json';
import { Deliveries } from '../../lib/run-task/deliveries';
import { Fault, faultText } from '../../lib/run-task/fault';
import { messageOf, outcomesOf } from '../../lib/run-task/outcomes';
import { runTaskHandler } from '../../lib/run-task';
import { isSigned, readRequest, type RunTaskRequest } from '../../lib/run-task/request';
import { accept, perform, type RunTaskOptions } from '../../lib/run-task/run-task';
import { runTaskServer } from '../../lib/run-task/server';
import { runCommand } from '../cli/built-command';
import { nodeGroupTemplate } from '../cli/workspace';
import { FakeHcp, signatureOf, TOKEN } from './fake-hcp';
import { itWithAll } from '../share';

/* What a run task consists of, without a process. */

const KEY = 'key-of-the-task';

function reportOn(template: string): JsonReport {
  const args = ['check', '-', '--stdin-filename', 'plan.yaml', '--format', 'json', '--no-config'];
  return JSON.parse(runCommand(args, { input: template }).stdout) as JsonReport;
}

const REPORT = reportOn(nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']));
const [FINDING] = REPORT.findings.filter(({ severity }) => severity === 'error');
if (FINDING === undefined) throw new Error('the report has no error');
const reportWith = (changes: Partial<JsonReport>): JsonReport => ({ ...REPORT, ...changes });

describe('a signature', () => {
  const body = Buffer.from('{"a": "ü"}');
  const right = signatureOf('{"a": "ü"}', KEY);

  it.each([
    [right, true],
    [right.toUpperCase(), true],
    [undefined, false],
    ['', false],
    [right.slice(0, -2), false],
    [`${right}00`, false],
    [` ${right}`, false],
    [`x${right.slice(1)}`, false],
    [signatureOf('{"a": "u"}', KEY), false],
    [signatureOf('{"a": "ü"}', ''), false],
  ])('%s', (signature, isRight) => {
    expect(isSigned(body, signature, KEY)).toBe(isRight);
  });
});

describe('a request', () => {
  const read = (content: unknown) => readRequest(Buffer.from(JSON.stringify(content)));
  const least = { access_token: 'a', task_result_callback_url: 'https://example.com/c' };

  it('has its fields, and empty texts for those that are missing or none', () => {
    expect(read({ ...least, stage: 7, capabilities: { outcomes: 'true' } })).toEqual({
      kind: 'run',
      request: {
        accessToken: 'a',
        callbackUrl: 'https://example.com/c',
        stage: '',
        taskResultId: '',
        runId: '',
        organization: '',
        workspace: '',
        takesOutcomes: false,
      },
    });
    expect(
      read({
        ...least,
        plan_json_api_url: 'http://[::1]:8/p',
        stage: 's',
        task_result_id: 't',
        run_id: 'r',
        organization_name: 'o',
        workspace_name: 'w',
        capabilities: { outcomes: true },
      }),
    ).toMatchObject({
      request: {
        planUrl: 'http://[::1]:8/p',
        stage: 's',
        taskResultId: 't',
        runId: 'r',
        organization: 'o',
        workspace: 'w',
        takesOutcomes: true,
      },
    });
  });

  it.each<[unknown, string]>([
    [null, 'there is no access_token'],
    [[], 'there is no access_token'],
    [{ ...least, access_token: 7 }, 'there is no access_token'],
    [{ access_token: 'a' }, 'task_result_callback_url is no address with https'],
    [
      { ...least, task_result_callback_url: 'http://localhost.example.com/' },
      'task_result_callback_url is no address with https',
    ],
    [{ ...least, task_result_callback_url: 'ftp://localhost/' }, 'task_result_callback_url is no address with https'],
    [{ ...least, plan_json_api_url: 'http://169.254.169.254/' }, 'plan_json_api_url is no address with https'],
    [{ ...least, plan_json_api_url: 'nowhere' }, 'plan_json_api_url is no address with https'],
  ])('is refused: %j', (content, reason) => {
    expect(read(content)).toEqual({ kind: 'unreadable', reason });
  });

  it('is refused without words of its own where it is no JSON', () => {
    expect(readRequest(Buffer.from(`{"access_token": "${TOKEN}"`))).toEqual({
      kind: 'unreadable',
      reason: 'the body is no JSON',
    });
  });

  it('is accepted, refused and logged by what it is', () => {
    const log: string[] = [];
    const options = { key: KEY, log: (line: string) => log.push(line) };
    const accepted = (content: unknown, key = KEY) => {
      const body = JSON.stringify(content);
      return accept(Buffer.from(body), signatureOf(body, key), options);
    };
    expect(accepted(least, 'other')).toEqual({ status: 401 });
    expect(accepted({ access_token: 'test-token' })).toEqual({ status: 200 });
    expect(accepted({})).toEqual({ status: 400 });
    expect(accepted(least)).toMatchObject({ status: 200, request: { accessToken: 'a' } });
    expect(log).toEqual([
      'refused: the signature is missing or wrong',
      'the task was registered',
      'refused: there is no access_token',
    ]);
  });
});

describe('deliveries', () => {
  const HOUR = 3_600_000;

  it('are known for a day', () => {
    const deliveries = new Deliveries();
    expect([deliveries.isNew('a', 0), deliveries.isNew('b', HOUR), deliveries.isNew('a', 24 * HOUR - 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      deliveries.isNew('a', 24 * HOUR),
      deliveries.isNew('b', 24 * HOUR),
      deliveries.isNew('b', 25 * HOUR),
    ]).toEqual([true, false, true]);
  });

  it('without an id are always new', () => {
    const deliveries = new Deliveries();
    expect([deliveries.isNew('', 0), deliveries.isNew('', 1)]).toEqual([true, true]);
  });

  it('are forgotten where they are too many, the oldest first', () => {
    const deliveries = new Deliveries();
    for (let index = 0; index < 10_000; index++) deliveries.isNew(String(index), index);
    expect([deliveries.isNew('9999', 10_000), deliveries.isNew('1', 10_001), deliveries.isNew('0', 10_002)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

it.each<[unknown, string]>([
  [new Fault('in words'), 'in words'],
  ['thrown', 'something went wrong'],
  [Object.assign(new Error('x'), { name: 'TimeoutError' }), 'it took too long'],
  [Object.assign(new Error('x'), { name: 'AbortError' }), 'it took too long'],
  [
    new TypeError('https://secret', { cause: Object.assign(new Error('https://secret'), { code: 'ECONNRESET' }) }),
    'the connection failed (ECONNRESET)',
  ],
  [Object.assign(new Error('https://secret'), { code: 'EPIPE' }), 'the connection failed (EPIPE)'],
  [Object.assign(new Error('https://secret'), { code: 7 }), 'an error in eks-guardrails (Error)'],
  [new TypeError('https://secret', { cause: 'https://secret' }), 'an error in eks-guardrails (TypeError)'],
])('a fault is told without addresses, case %#', (error, text) => {
  expect(faultText(error)).toBe(text);
});

describe('outcomes', () => {
  const finding = (changes: Partial<typeof FINDING>): typeof FINDING => ({ ...FINDING, ...changes });
  const idsOf = (report: JsonReport, failOn: FailOn) =>
    outcomesOf(report, failOn).map(({ attributes: { 'outcome-id': id, tags } }) => [
      id.replace(/-[\da-f]{12}$/, ''),
      tags.Status[0]?.label,
      tags.Severity[0]?.level,
    ]);

  const report = reportWith({
    findings: [
      finding({ rule: 'c', severity: 'info' }),
      finding({ rule: 'b', severity: 'warning' }),
      finding({ rule: 'u', verdict: 'unverifiable' }),
      finding({ rule: 's', suppressed: { kind: 'in-code', reason: 'x' } as never }),
      finding({ rule: 'a', severity: 'error' }),
    ],
    diagnostics: [
      { severity: 'error', message: 'broken\n*here*', file: 'a', line: 1, column: 1 } as never,
      { severity: 'warning', message: 'odd', file: 'a', line: 1, column: 1 } as never,
    ],
  });

  it('are what could not be read, then what was found, the worst first', () => {
    expect(idsOf(report, 'error')).toEqual([
      ['unread-1', 'Not checked', 'none'],
      ['a', 'Failed', 'error'],
      ['b', 'Told', 'warning'],
      ['c', 'Told', 'info'],
    ]);
    expect(idsOf(report, 'unverifiable')).toEqual([
      ['unread-1', 'Not checked', 'none'],
      ['a', 'Failed', 'error'],
      ['b', 'Failed', 'warning'],
      ['c', 'Told', 'info'],
      ['u', 'Failed', 'none'],
    ]);
  });

  it('are a hundred at most, with one line each that nobody can break out of', () => {
    const many = reportWith({
      findings: Array.from({ length: 101 }, () => finding({ message: `a\n::error::\u001b[31m${'x'.repeat(400)}` })),
    });
    const all = outcomesOf(many, 'error');
    expect(all).toHaveLength(100);
    expect(all[0]?.attributes.description).toMatch(/^imds-hop-limit: a ::error::.\[31mx{190,230}…$/);
    expect(all[0]?.attributes.description).toHaveLength(240);
    expect(
      outcomesOf(reportWith({ findings: [finding({ message: 'm'.repeat(224) })] }), 'error')[0]?.attributes.description,
    ).toHaveLength(240);
    expect(
      outcomesOf(reportWith({ findings: [finding({ message: 'm'.repeat(224) })] }), 'error')[0]?.attributes.description,
    ).not.toContain('…');
  });

  it('have the fix with its code, and the page if it is one of the web', () => {
    const [first] = outcomesOf(
      reportWith({ findings: [finding({ fix: 'Do *that*.\n\n```yaml\na: 1\n```', docs: 'javascript:alert(1)' })] }),
      'error',
    );
    expect(first?.attributes.body.split('\n\n')).toEqual([
      expect.not.stringContaining('**Fix'),
      '**Fix:** Do \\*that\\*.',
      '```yaml\na: 1\n```',
      '`Template`',
    ]);
    expect(first?.attributes).not.toHaveProperty('url');
    const [bare] = outcomesOf(reportWith({ findings: [finding({ fix: '', docs: 'https://example.com/a' })] }), 'error');
    expect(bare?.attributes.body.split('\n\n')).toHaveLength(2);
    expect(bare?.attributes.url).toBe('https://example.com/a');
  });

  it.each([
    [{ error: 0, warning: 0, info: 0, unverifiable: 0, suppressed: 0 }, 'No findings in 3 resources'],
    [
      { error: 1, warning: 2, info: 3, unverifiable: 4, suppressed: 5 },
      '1 error, 2 warnings, 3 info, 4 unverifiable, 5 accepted in 3 resources',
    ],
  ])('are summed up: %j', (summary, message) => {
    const inputs = [{ resources: 1 }, { resources: 2 }] as unknown as JsonReport['inputs'];
    expect(messageOf(reportWith({ summary: { ...REPORT.summary, ...summary }, inputs }))).toBe(message);
  });
});

describe('a run', () => {
  const hcp = new FakeHcp();
  const log: string[] = [];
  beforeAll(() => hcp.start());
  afterAll(() => {
    hcp.stop();
  });

  const requestOf = (run: string, values: Readonly<Record<string, unknown>> = {}): RunTaskRequest => {
    const read = readRequest(Buffer.from(hcp.body(run, values)));
    if (read.kind !== 'run') throw new Error(read.kind);
    return read.request;
  };
  let runs = 0;
  const verdictOn = async (report: JsonReport | Error, options: Partial<RunTaskOptions> = {}, values = {}) => {
    const run = `run-${++runs}`;
    hcp.plan(run, '{}');
    const given = { key: KEY, log: (line: string) => log.push(line), ...options };
    await perform(requestOf(run, values), given, () =>
      report instanceof Error ? Promise.reject(report) : Promise.resolve(report),
    );
    const { status, message } = await hcp.verdict(run);
    return { status, message, outcomes: hcp.told.get(run)?.flatMap(({ outcomes }) => outcomes).length };
  };
  const crash = { ...FINDING, rule: 'rule-crashed' };
  const unread = { severity: 'error', message: 'it is broken', file: 'a', line: 1, column: 1 } as never;

  it('fails by the level that counts', async () => {
    expect(await verdictOn(REPORT)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^1 error/) as string,
    });
    expect(await verdictOn(REPORT, { failOn: 'never' })).toMatchObject({ status: 'passed' });
    const warned = reportWith({ findings: [{ ...FINDING, severity: 'warning' }] });
    expect(await verdictOn(warned)).toMatchObject({ status: 'passed', outcomes: 1 });
    expect(await verdictOn(warned, { failOn: 'warning' })).toMatchObject({ status: 'failed' });
    expect(await verdictOn(warned, {}, { capabilities: {} })).toMatchObject({ outcomes: 0 });
  });

  it.each<[string, JsonReport | Error, string]>([
    ['what can not be read', reportWith({ findings: [], diagnostics: [unread] }), 'Not checked: it is broken'],
    ['a rule that stopped', reportWith({ findings: [crash] }), 'Not checked: a rule of eks-guardrails stopped'],
    ['a check that gives no report', new Fault('no report'), 'Not checked: no report'],
  ])('is unchecked by %s', async (_, report, message) => {
    expect(await verdictOn(report)).toMatchObject({ status: 'passed', message });
    expect(await verdictOn(report, { onFault: 'fail' })).toMatchObject({ status: 'failed', message });
  });

  it('is unchecked by a rule that stopped, whatever else is told', async () => {
    const told = reportWith({ findings: [{ ...FINDING, severity: 'warning' }, crash] });
    expect(await verdictOn(told)).toMatchObject({ message: 'Not checked: a rule of eks-guardrails stopped' });
  });

  it('waits for its plan, which may be as large as the limit and no larger', async () => {
    const plans: string[] = [];
    const check = (plan: string) => {
      plans.push(plan);
      return Promise.resolve(REPORT);
    };
    hcp.plan(
      'run-waits',
      (response, attempt) => void response.writeHead(attempt === 1 ? 204 : 200).end(attempt === 1 ? '' : '{}'),
    );
    await perform(requestOf('run-waits'), { key: KEY, limits: { planBytes: 2 } }, check);
    expect((await hcp.verdict('run-waits')).status).toBe('failed');
    hcp.plan('run-large', '{ }');
    await perform(requestOf('run-large'), { key: KEY, limits: { planBytes: 2 } }, check);
    expect((await hcp.verdict('run-large')).message).toBe('Not checked: the plan is larger than 0 MiB');
    expect(plans).toEqual(['{}']);
  });

  it('goes through a function that calls itself', async () => {
    const later: string[] = [];
    const handler = runTaskHandler({ key: KEY, later: (payload) => Promise.resolve(later.push(payload)) });
    const body = hcp.body('run-lambda', { plan_json_api_url: undefined });
    const headers = { 'x-tfc-task-signature': signatureOf(body, KEY) };
    expect(await handler({})).toEqual({ statusCode: 401 });
    expect(await handler({ headers, body })).toEqual({ statusCode: 200 });
    expect(hcp.told.has('run-lambda')).toBe(false);
    expect(later).toEqual([JSON.stringify({ runTask: body })]);
    expect(await handler({ runTask: body })).toEqual({ statusCode: 200 });
    expect((await hcp.verdict('run-lambda')).status).toBe('passed');
    expect(await handler({ runTask: '{' })).toEqual({ statusCode: 200 });
    const test = JSON.stringify({ access_token: 'test-token' });
    const encoded = { body: Buffer.from(test).toString('base64'), isBase64Encoded: true };
    expect(await handler({ ...encoded, headers: { 'x-tfc-task-signature': signatureOf(test, KEY) } })).toEqual({
      statusCode: 200,
    });
    expect(later).toHaveLength(1);
  });

  it('fails by what is found beside what can not be read', async () => {
    const both = reportWith({ findings: [crash, FINDING], diagnostics: [unread] });
    expect(await verdictOn(both)).toMatchObject({ status: 'failed' });
  });

  it('of a stage without a plan passes, and is not said to run', async () => {
    const verdict = await verdictOn(REPORT, {}, { stage: 'pre\n_plan', plan_json_api_url: undefined });
    expect(verdict).toMatchObject({
      status: 'passed',
      message: 'The stage pre _plan has no plan to check; choose post_plan',
    });
    expect(hcp.told.get(`run-${runs}`)).toHaveLength(1);
  });

  it('is logged in one line', async () => {
    log.length = 0;
    await verdictOn(REPORT, {}, { organization_name: 'a\ncme', workspace_name: 'w\u001b[31m' });
    expect(log).toEqual([expect.stringMatching(/^a cme\/w.\[31m run-\d+: failed: 1 error/)]);
  });

  it('is logged as not told where nobody takes the result', async () => {
    log.length = 0;
    await perform(
      { ...requestOf('run-refused'), accessToken: 'wrong' },
      { key: KEY, log: (line) => log.push(line) },
      () => Promise.resolve(REPORT),
    );
    expect(log).toEqual([
      "acme/shop run-refused: no result was told: HCP Terraform didn't take the result (status 401)",
    ]);
  });

  itWithAll('is tried again where the callback breaks off', async () => {
    let attempts = 0;
    const options = { key: KEY, log: () => undefined };
    const request = requestOf('run-flaky', { plan_json_api_url: undefined });
    const real = globalThis.fetch;
    globalThis.fetch = (...given) => {
      attempts += 1;
      if (attempts === 1) return Promise.reject(new TypeError('fetch failed'));
      return attempts === 2 ? Promise.resolve(new Response('', { status: 429 })) : real(...given);
    };
    try {
      await perform(request, options);
    } finally {
      globalThis.fetch = real;
    }
    expect(attempts).toBe(3);
    expect((await hcp.verdict('run-flaky')).status).toBe('passed');
  });
});

describe('the server', () => {
  const done: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((fulfil) => {
    release = fulfil;
  });
  const server = runTaskServer({ key: KEY }, ({ runId }) => {
    done.push(runId);
    return held;
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close().closeAllConnections();
  });
  const post = async (run: string): Promise<number> => {
    const body = JSON.stringify({
      access_token: 'a',
      task_result_callback_url: 'https://example.com/',
      run_id: run,
      task_result_id: run,
    });
    return (await fetch(url, { method: 'POST', body, headers: { 'x-tfc-task-signature': signatureOf(body, KEY) } }))
      .status;
  };

  it('does two at a time, lets a hundred wait, each once, and sends the others away', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/healthz`, { method: 'PUT' })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(256 * 1024 + 1) })).status).toBe(413);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(256 * 1024) })).status).toBe(401);
    for (let index = 0; index < 102; index++) expect(await post(`run-${index}`)).toBe(200);
    expect(done).toEqual(['run-0', 'run-1']);
    expect(await post('run-102')).toBe(503);
    release();
    await new Promise((later) => setTimeout(later, 50));
    expect(await post('run-5')).toBe(200);
    expect(await post('run-102')).toBe(200);
    await new Promise((later) => setTimeout(later, 50));
    expect(done).toHaveLength(103);
    expect(done.slice(2, 4)).toEqual(['run-2', 'run-3']);
  });
});
