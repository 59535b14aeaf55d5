import type { Command } from 'commander';
import { SHELLS, wordsOf, type Shell } from './candidates';
import { completionScript } from './scripts';
import { didYouMean } from '../parts/suggestions';
import { UsageError } from '../parts/usage-error';

/**
 * The completion script for a shell.
 * @throws UsageError if there is none for it
 */
export function completionFor(shell: string, program: Command): string {
  const name = shell === 'pwsh' ? 'powershell' : shell;
  if (!isShell(name))
    throw new UsageError(
      `there is no completion for "${shell}"; ${didYouMean(shell, SHELLS)}there is one for ${SHELLS.join(', ')}`,
    );
  return completionScript(name, wordsOf(program));
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}
