import { installed } from './parts/optional-library';

/**
 * Serves an editor until it says goodbye. Gives the exit code.
 * @throws UsageError if the library for it isn't installed
 */
export async function serveEditor(): Promise<number> {
  return installed('vscode-languageserver', 'lsp', async () => {
    const { serve } = await import('../lsp/server.js');
    return serve();
  });
}
