import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serverFor } from '../../lib/mcp/server';
import { TOOLS } from '../../lib/mcp/tools';
import { allRules } from '../../lib/rules';
import { packageVersion } from '../../lib/version';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { InThread } from './in-thread';

/* What a client is told, with the server in the same process. */

const TEMPLATE = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
const RULE = 'eks-guardrails://rules/imds-hop-limit';

describe('a client', () => {
  const folder = workspace({ 'template.yaml': TEMPLATE });
  let commands: InThread;
  let client: Client;

  beforeEach(async () => {
    commands = new InThread(folder);
    client = new Client({ name: 'test', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await serverFor(commands).connect(there);
    await client.connect(here);
  });
  afterEach(async () => client.close());

  it('learns what the server is for, and of tools that only read', async () => {
    const { tools } = await client.listTools();

    expect(client.getServerVersion()).toMatchObject({ name: 'eks-guardrails', version: packageVersion() });
    expect(client.getInstructions()).toContain('call check on what changed');
    expect(tools.map(({ name, title, description }) => [name, title, description])).toEqual(
      TOOLS.map(({ name, title, description }) => [name, title, description]),
    );
    for (const { annotations } of tools)
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    // Clients check structured answers by these.
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)).toEqual([
      'check',
      'plan_fix',
      'max_pods',
      'addon_diff',
    ]);
  });

  it('is given data, and the same as text', async () => {
    const { content, structuredContent, isError } = await client.callTool({
      name: 'check',
      arguments: { paths: ['template.yaml'] },
    });
    expect([isError ?? false, structuredContent]).toEqual([
      false,
      expect.objectContaining({ findings: [expect.objectContaining({ rule: 'imds-hop-limit' })] }),
    ]);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('is given text alone where there are no data', async () => {
    commands.answer = { exitCode: 0, stdout: 'the page', stderr: '' };
    const answer = await client.callTool({ name: 'explain_rule', arguments: { rule: 'imds-hop-limit' } });
    expect([answer.content, answer.structuredContent]).toEqual([[{ type: 'text', text: 'the page' }], undefined]);
  });

  it('is told in the answer what its model can mend', async () => {
    const answer = await client.callTool({ name: 'check', arguments: { paths: ['../x'] } });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: '../x is outside of the workspace; only what is in it is read' }],
    });
    expect(commands.ran).toEqual([]);
  });

  it.each([
    ['check', { paths: 'template.yaml' }],
    ['check', { limit: 0 }],
    ['check', { limit: 101 }],
    ['check', { offset: -1 }],
    ['check', { level: 'fatal' }],
    ['check', { path: 'template.yaml' }],
    ['check', { only: [7] }],
    ['explain_rule', {}],
    ['explain_rule', { rule: 'imds-hop-limit', dialect: 'basic' }],
    ['find_rule_for_symptom', { rule: 'imds-hop-limit' }],
    ['plan_fix', { unsafe: 'yes' }],
    ['plan_fix', { text: TEMPLATE }],
    ['max_pods', { prefixDelegation: true }],
    ['max_pods', { instanceType: 'm5.large', maxEnis: 0 }],
    ['max_pods', { instanceType: 'm5.large', arm: true }],
    ['addon_diff', { addon: 'vpc-cni', from: 'v1' }],
    ['addon_diff', { addon: 'adot', from: 'v1', to: 'v2' }],
    ['addon_diff', { addon: 'vpc-cni', from: 'v1', to: 'v2', mode: 'FORCE' }],
    ['upgrade_plan', { from: '1.33' }],
    ['upgrade_plan', { to: '1.34', dry: true }],
    ['check_user_data', { text: '', family: 'ubuntu' }],
    ['check_user_data', { text: '', bootstrap: 'me' }],
    ['check_user_data', { data: '' }],
  ])('can not call %s with %j: nothing is run', async (name, given) => {
    expect(await client.callTool({ name, arguments: given })).toMatchObject({ isError: true });
    expect(commands.ran).toEqual([]);
  });

  it('finds the page of each rule', async () => {
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(allRules.length);
    expect(resources).toContainEqual(
      expect.objectContaining({
        uri: RULE,
        name: 'imds-hop-limit',
        title: 'Nodes declare an instance metadata hop limit that their pods can live with',
        mimeType: 'text/plain',
      }),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'eks-guardrails://rules/{id}', title: 'Rules', mimeType: 'text/plain' },
    ]);
    expect(await client.readResource({ uri: RULE })).toMatchObject({
      contents: [{ uri: RULE, mimeType: 'text/plain', text: expect.stringContaining('What happens') as string }],
    });
    expect(commands.ran).toEqual([['explain', '--full', '--', 'imds-hop-limit']]);
  });

  it('is helped with the names of rules', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'eks-guardrails://rules/{id}' },
      argument: { name: 'id', value: 'imds-' },
    });
    expect(completion.values).toEqual(allRules.map(({ id }) => id).filter((id) => id.startsWith('imds-')));
    expect(completion.values).toContain('imds-hop-limit');
  });
});
