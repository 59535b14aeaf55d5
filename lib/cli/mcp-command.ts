import { EXIT_CLEAN } from './parts/exit-code';
import { installed } from './parts/optional-library';
import { UsageError } from './parts/usage-error';

/** The options of `mcp` as the command line parser delivers them. */
export interface McpArguments {
  /** @default - the working folder */
  readonly root?: string;
}

/**
 * Serves agents until its standard input ends.
 * @throws UsageError if the library for it isn't installed, or there is no such workspace
 */
export async function serveMcp({ root = '.' }: McpArguments): Promise<number> {
  return installed('@modelcontextprotocol/server', 'mcp', async () => {
    const { serve } = await import('../mcp/server.js');
    try {
      await serve(root);
    } catch (error) {
      if (error instanceof Error && error.name === 'ToolError') throw new UsageError(error.message);
      throw error;
    }
    return EXIT_CLEAN;
  });
}
