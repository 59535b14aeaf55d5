import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Paths of a large repository. */
const MAX_OUTPUT = 512 * 1024 * 1024;

/** What git says, or why it says nothing. */
type Answer =
  | { readonly output: string; readonly problem?: never }
  | { readonly output?: undefined; readonly problem: string };

/** Asks the git on the PATH in a folder. */
export async function git(folder: string, args: readonly string[]): Promise<Answer> {
  return new Promise((answer) => {
    // Asking must not write: neither the index, nor through a program that the repository names.
    const env = { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
    execFile(
      'git',
      ['-c', 'core.fsmonitor=false', ...args],
      { cwd: folder, env, maxBuffer: MAX_OUTPUT, windowsHide: true },
      (error, output, told) => {
        if (error === null) answer({ output });
        else if (error.code === 'ENOENT')
          answer({
            problem: existsSync(folder) ? "git isn't installed, or not on the PATH" : `there is no folder ${folder}`,
          });
        else answer({ problem: firstLine(told) || `git ${args[0] ?? ''} failed: ${error.message}` });
      },
    );
  });
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^fatal: /, '');
}
