import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CommandFilter, holdsCommands } from '../../text/workflow-commands';

/** Whether what we print is read by the runner of GitHub Actions (or one that is like it), which takes some lines for commands. */
export function isInActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Whether what we print is read by a runner that takes commands from it. */
export function takesCommands(env: NodeJS.ProcessEnv = process.env): boolean {
  return isInActions() || env['TF_BUILD'] !== undefined || env['TEAMCITY_VERSION'] !== undefined;
}

let isTrusted = false;

/**
 * From now on, no line that goes to a stream is a command to a runner, wherever in the program it comes from. Reports for programs don't hold any by
 * the way they are written, so that this leaves them as they are, whoever reads them.
 */
export function guard(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
  let filter = new CommandFilter();
  const guarded = (chunk: unknown, ...more: readonly unknown[]): boolean => {
    if (typeof chunk !== 'string') return write(chunk, ...more);
    if (!isTrusted) return write(filter.next(chunk), ...more);
    filter = new CommandFilter();
    return write(chunk, ...more);
  };
  Object.assign(stream, { write: guarded });
}

/** Writes lines that are meant to be commands. */
export function trusted<T>(write: () => T): T {
  isTrusted = true;
  try {
    return write();
  } finally {
    isTrusted = false;
  }
}

/** Text that may not be changed, such as a diff: if it holds commands, the runner is told to take none until it ends. Programs for patches skip such lines. */
export function verbatim(text: string): string {
  if (!isInActions() || !holdsCommands(text)) return text;
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`;
}
