import { UsageError } from './usage-error';

/**
 * Runs a command that needs a library which isn't installed with the package, because few need it.
 * @throws UsageError that tells how to install it
 */
export async function installed<T>(library: string, command: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isMissing(library, error)) throw error;
    throw new UsageError(
      `${command} needs the library ${library}, which isn't installed: npm install --save-dev ${library}, or npx --package=eks-guardrails --package=${library} eks-guardrails ${command}`,
    );
  }
}

function isMissing(library: string, error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'MODULE_NOT_FOUND' &&
    error.message.includes(`'${library}`)
  );
}
