// Command lines, for tests that give them to the compiled command: here the sources run them, with the mutants built in.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** Why a test can't be asked that starts the compiled command. */
export const NEEDS_PROCESS = 'needs a process';

/** Puts itself in the place of test/cli/built-command.ts. What needs a process can't be asked. */
export function installCommands(root, scratch, stryker, alwaysActive) {
  const { CommandThread, environment } = require(join(root, 'test/cli/command-thread.ts'));
  const { withoutDay } = require(join(root, 'test/as-of.ts'));
  const file = join(root, 'test/cli/built-command.ts');
  const real = require(file);
  let thread;
  const ask = (request) => {
    const program = join(root, 'lib/cli/program.ts');
    const code = join(root, 'scripts/mutation/command-thread.mjs');
    thread ??= new CommandThread(program, code, { root, scratch, alwaysActive });
    try {
      return thread.run(request);
    } catch (error) {
      // It may have come to its end.
      thread = undefined;
      throw error;
    }
  };
  const run = (args, { cwd = root, env, input = '' } = {}) => {
    if (args.includes('--watch')) throw new Error(NEEDS_PROCESS);
    const { activeMutant, currentTestId, hitCount, hitLimit } = stryker;
    const mutation = { activeMutant, currentTestId, hitCount, hitLimit };
    const { hits, loadTime, ...answer } = ask({ args, cwd, env: { ...environment(), ...env }, input, mutation });
    Object.assign(stryker.mutantCoverage.static, loadTime);
    if (currentTestId !== undefined) {
      const ofTest = (stryker.mutantCoverage.perTest[currentTestId] ??= {});
      for (const [id, times] of Object.entries(hits)) ofTest[id] = (ofTest[id] ?? 0) + times;
    }
    return { ...answer, stdout: withoutDay(answer.stdout), stderr: withoutDay(answer.stderr) };
  };
  require.cache[file].exports = {
    ...real,
    builtCommand() {
      throw new Error(NEEDS_PROCESS);
    },
    runCommand: run,
    startCommand: run,
  };
}
