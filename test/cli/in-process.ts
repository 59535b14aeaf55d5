import { check, type CheckRequest } from '../../lib/cli/check/check-command';
import { UsageError } from '../../lib/cli/parts/usage-error';
import { withoutDay } from '../as-of';

export interface CheckOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `check` in this process and a folder, without configuration file and terminal. Its text says nothing of the day that the tests have in common. */
export async function checkIn(
  folder: string,
  paths: readonly string[],
  request: Partial<CheckRequest> = {},
): Promise<CheckOutcome> {
  const home = process.cwd();
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text: unknown, ...more: unknown[]) => {
      written[name] += String(text);
      const done = more.at(-1);
      if (typeof done === 'function') (done as () => void)();
      return true;
    }),
  );
  process.chdir(folder);
  try {
    const exitCode = await check({ paths, outputs: [], verbose: false, quiet: false, config: false, ...request });
    return { exitCode, stdout: withoutDay(written.stdout), stderr: written.stderr };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { exitCode: 2, stdout: written.stdout, stderr: `error: ${error.message}\n` };
  } finally {
    process.chdir(home);
    for (const spy of spies) spy.mockRestore();
  }
}
