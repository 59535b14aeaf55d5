import { EXIT_CLEAN } from './exit-code';
import { UsageError } from './usage-error';

/** The options of `mcp` as the command line parser delivers them. */
export interface McpArguments {
  /** @default - the working folder */
  readonly root?: string;
}

const SDK = '@modelcontextprotocol/server';

/**
 * Serves agents until its standard input ends.
 * @throws UsageError if the library for it isn't installed, or there is no such workspace
 */
export async function serveMcp({ root = '.' }: McpArguments): Promise<number> {
  try {
    const { serve } = await import('../mcp/server.js');
    await serve(root);
    return EXIT_CLEAN;
  } catch (error) {
    if (isMissing(error))
      throw new UsageError(
        `the library of the Model Context Protocol isn't installed: npm install --save-dev ${SDK}, or npx --package=eks-guardrails --package=${SDK} eks-guardrails mcp`,
      );
    if (error instanceof Error && error.name === 'ToolError') throw new UsageError(error.message);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND' && error.message.includes(SDK);
}
