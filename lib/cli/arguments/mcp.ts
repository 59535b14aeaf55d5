import { Command } from 'commander';
import type { McpArguments } from '../mcp-command';
import { fileOption } from '../parts/suggestions';

export function mcpCommand(finish: (exitCode: number) => void): Command {
  return new Command('mcp')
    .summary('serve agents')
    .description(
      'Serves the Model Context Protocol on standard input and output: agents check code, ask for diffs of repairs and for what is behind a symptom. It only reads, only in the workspace, and talks to nobody else. Needs the package @modelcontextprotocol/server.',
    )
    .addOption(fileOption('--root <folder>', 'the workspace (default: the working folder)'))
    .addHelpText(
      'after',
      `
Example, for the configuration of an agent:
  npx --yes --package=eks-guardrails --package=@modelcontextprotocol/server eks-guardrails mcp`,
    )
    .action(async (options: McpArguments) => {
      const { serveMcp } = await import('../mcp-command.js');
      finish(await serveMcp(options));
    });
}
