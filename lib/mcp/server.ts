import { fromJsonSchema, McpServer, ResourceTemplate, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { docsUrl } from '../engine';
import { allRules } from '../rules';
import { packageVersion } from '../version';
import { ToolError, type Answer, type Given, type Tool } from './tool';
import { TOOLS } from './tools';
import { Workspace } from './workspace';

const RULE = 'eks-guardrails://rules/{id}';

/**
 * Serves the Model Context Protocol on standard input and output, to clients of the revisions with and without `initialize`, until the input ends.
 * @throws ToolError if the workspace is no folder
 */
export async function serve(folder: string): Promise<void> {
  const workspace = new Workspace(folder);
  const ended = new Promise<void>((fulfil) => {
    process.stdin.once('close', fulfil).once('end', fulfil);
  });
  const connection = serveStdio(() => serverFor(workspace), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
  await ended;
  await connection.close();
}

/** @internal Tests connect to it in their own process. */
export function serverFor(workspace: Workspace): McpServer {
  const server = new McpServer(
    { name: 'eks-guardrails', version: packageVersion() },
    {
      instructions:
        'Checks infrastructure code for Amazon EKS. After changing such code, call check on what changed; for a problem in a running cluster, begin with find_rule_for_symptom. Nothing is written and nothing is sent anywhere.',
    },
  );
  for (const tool of TOOLS) {
    const { name, title, description, input, output } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: fromJsonSchema<Given>({ ...input }),
        ...(output === undefined ? {} : { outputSchema: fromJsonSchema<Record<string, unknown>>({ ...output }) }),
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) => answered(tool, given, workspace, signal),
    );
  }
  server.registerResource(
    'rule',
    new ResourceTemplate(RULE, {
      list: () => ({
        resources: allRules.map(({ id, title }) => ({
          uri: RULE.replace('{id}', id),
          name: id,
          title,
          mimeType: 'text/plain',
        })),
      }),
      complete: { id: (begin) => allRules.map(({ id }) => id).filter((id) => id.startsWith(begin)) },
    }),
    { title: 'Rules', description: `The page of each rule, as on ${docsUrl('RULE')}`, mimeType: 'text/plain' },
    async (uri, { id }, { mcpReq: { signal } }) => {
      const { stdout } = await workspace.run(['explain', '--full', '--', String(id)], signal);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: stdout }] };
    },
  );
  return server;
}

/** What the caller can mend is part of the answer, as the protocol wants it, so that the model sees it. */
async function answered(tool: Tool, given: Given, workspace: Workspace, signal: AbortSignal): Promise<CallToolResult> {
  try {
    return resultOf(await tool.call(given, workspace, signal));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

function resultOf(answer: Answer): CallToolResult {
  return 'text' in answer
    ? { content: [{ type: 'text', text: answer.text }] }
    : { content: [{ type: 'text', text: JSON.stringify(answer.data) }], structuredContent: { ...answer.data } };
}
