import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type CallToolResult, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageVersion } from '../../lib/version';
import { AS_OF } from '../as-of';
import { builtCommand, startCommand } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';

const TEMPLATE = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
const USER_DATA = '#!/bin/bash\n/etc/eks/bootstrap.sh shop\n';

const outside = workspace({ 'secret.yaml': TEMPLATE });
const folder = workspace({
  'template.yaml': TEMPLATE,
  'values.json': '{"env":{"WARM_ENI_TARGET":"2"}}',
  'broken.yaml': 'Resources: [',
});

const withCode = workspace({
  'template.yaml': TEMPLATE,
  'eks-guardrails.config.js': 'process.stdout.write("not the protocol"); module.exports = {};',
});

/** A server for a folder, and a client of the given age. */
async function connected(root: string, versionNegotiation?: VersionNegotiationOptions): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    versionNegotiation === undefined ? {} : { versionNegotiation },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtCommand(), 'mcp', `--root=${root}`],
      env: { EKS_GUARDRAILS_AS_OF: AS_OF, PATH: process.env['PATH'] ?? '' },
      stderr: 'inherit',
    }),
  );
  return client;
}

describe('agents', () => {
  let client: Client;

  beforeAll(async () => {
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'));
    client = await connected(folder);
  });
  afterAll(async () => client.close());

  const call = (name: string, given: Record<string, unknown>): Promise<CallToolResult> =>
    client.callTool({ name, arguments: given });
  const told = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const [first] = (await call(name, given)).content;
    return first?.type === 'text' ? first.text : '';
  };
  const data = async (name: string, given: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await call(name, given)).structuredContent as Record<string, unknown>;

  it('learn of tools that only read', async () => {
    const { tools } = await client.listTools();

    expect(client.getServerVersion()).toMatchObject({ name: 'eks-guardrails', version: packageVersion() });
    expect(tools.map(({ name }) => name)).toEqual([
      'check',
      'explain_rule',
      'find_rule_for_symptom',
      'plan_fix',
      'check_user_data',
      'max_pods',
      'addon_diff',
      'upgrade_plan',
    ]);
    for (const { annotations } of tools)
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
  });

  it('find what is wrong in a file, the most severe first, a page at a time', async () => {
    const first = await data('check', { paths: ['template.yaml'], limit: 1 });
    const next = await data('check', { paths: ['template.yaml'], limit: 1, offset: 1, level: 'info' });

    expect(first).toMatchObject({
      complete: true,
      findings: [
        {
          rule: 'imds-hop-limit',
          severity: 'error',
          file: 'template.yaml',
          resource: 'Template',
          fix: expect.stringContaining('HttpPutResponseHopLimit: 2') as string,
        },
      ],
      nextOffset: null,
    });
    expect(next['findings']).not.toContainEqual(expect.objectContaining({ rule: 'imds-hop-limit' }));
  });

  it('are told the same as text, for clients that read nothing else', async () => {
    const { content, structuredContent } = await call('check', { paths: ['template.yaml'] });

    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('check text that is in no file yet', async () => {
    const answer = await data('check', { text: TEMPLATE, filename: 'nodes.yaml', only: ['imds'] });

    expect(answer).toMatchObject({ findings: [{ rule: 'imds-hop-limit', file: 'nodes.yaml' }] });
  });

  it('are told what could not be read', async () => {
    const answer = await data('check', { paths: ['broken.yaml', 'template.yaml'] });

    expect(answer).toMatchObject({
      complete: false,
      findings: [{ rule: 'imds-hop-limit' }],
      diagnostics: [expect.stringContaining('broken.yaml:1: ') as string],
    });
  });

  it('get the diff of a repair, and nothing is written', async () => {
    const { diff, notes } = await data('plan_fix', {
      paths: ['template.yaml'],
      only: ['imds-hop-limit'],
      unsafe: true,
    });

    expect(diff).toContain('-          HttpPutResponseHopLimit: 1\n+          HttpPutResponseHopLimit: 2\n');
    expect(notes).toContain('would fix 1 finding in 1 file: template.yaml');
    expect(await data('check', { paths: ['template.yaml'] })).toMatchObject({ counts: { error: 1 } });
  });

  it.each([
    ['find_rule_for_symptom', { symptom: 'failed to fetch VPC ID from instance metadata' }, 'imds-hop-limit'],
    ['explain_rule', { rule: 'imds-hop-limit', dialect: 'terraform' }, 'http_put_response_hop_limit = 2'],
    ['max_pods', { instanceType: 'm5.large' }, '{"capacity":29,"recommended":29,"branchEnis":null}'],
    ['max_pods', { instanceType: 'm5.large', prefixDelegation: true }, '"recommended":110'],
    ['check_user_data', { text: USER_DATA, family: 'al2023' }, 'user-data-ami-family'],
    [
      'check_user_data',
      { path: 'template.yaml', bootstrap: 'eks' },
      'no launch template in template.yaml has user data',
    ],
    ['upgrade_plan', { paths: ['template.yaml'], from: '1.34', to: '1.35' }, '1.35'],
    [
      'addon_diff',
      { addon: 'vpc-cni', from: 'v1.18.1-eksbuild.1', to: 'v1.19.0-eksbuild.1', configurationFile: 'values.json' },
      '"to":"v1.19.0-eksbuild.1"',
    ],
  ])('use %s %j', async (name, given, text) => {
    expect(await told(name, given)).toContain(text);
  });

  it.each([
    ['check', { paths: ['../x'] }, '../x is outside of the workspace'],
    ['check', { paths: [join(outside, 'secret.yaml')] }, 'is outside of the workspace'],
    ['check', { paths: ['link.yaml'] }, 'link.yaml is a link that leads out of the workspace'],
    ['check', { paths: ['*.yaml'] }, "*.yaml isn't in the workspace: name files and folders"],
    ['check', { paths: ['-'] }, "- isn't in the workspace"],
    ['check', { paths: ['template.yaml'], text: TEMPLATE }, 'give paths or text, not both'],
    ['check', { filename: 'x.yaml' }, 'filename names text'],
    ['check', { only: ['imds-hop-limi'], paths: ['template.yaml'] }, 'imds-hop-limit'],
    ['explain_rule', { rule: 'imds-hop-limi' }, 'did you mean "imds-hop-limit"?'],
    ['max_pods', { instanceType: 'm5.largest' }, 'instance type "m5.largest" isn\'t known'],
    ['check_user_data', {}, 'give text or path'],
    ['upgrade_plan', { paths: ['template.yaml'], to: '9.9' }, '9.9'],
    ['addon_diff', { addon: 'vpc-cni', from: 'v0', to: 'v1.19.0-eksbuild.1' }, 'v0'],
    ['addon_diff', { addon: 'adot', from: 'a', to: 'b' }, 'addon'],
    ['check', { paths: ['template.yaml'], limit: 0 }, 'limit'],
  ])('are told what is wrong with %s %j', async (name, given, text) => {
    const { isError, content } = await call(name, given);

    expect({ isError, text: JSON.stringify(content) }).toEqual({
      isError: true,
      text: expect.stringContaining(JSON.stringify(text).slice(1, -1)) as string,
    });
  });

  it('read the pages of the rules', async () => {
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: 'eks-guardrails://rules/imds-hop-limit' });

    expect(resources).toContainEqual(expect.objectContaining({ uri: 'eks-guardrails://rules/imds-hop-limit' }));
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('What happens') as string })]);
  });
});

it('serves clients of the revision without initialize, and runs no code of the workspace', async () => {
  const client = await connected(withCode, { mode: { pin: '2026-07-28' } });
  try {
    const { structuredContent } = await client.callTool({ name: 'check', arguments: { paths: ['template.yaml'] } });

    expect([client.getProtocolEra(), structuredContent]).toEqual([
      'modern',
      expect.objectContaining({
        complete: false,
        findings: [expect.objectContaining({ rule: 'imds-hop-limit' })],
        diagnostics: [expect.stringContaining('this configuration is a program and was not run') as string],
      }),
    ]);
  } finally {
    await client.close();
  }
});

it('refuses a workspace that is no folder', () => {
  expect(startCommand(['mcp', '--root', join(folder, 'template.yaml')])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('is no folder that can be read') as string,
  });
});
