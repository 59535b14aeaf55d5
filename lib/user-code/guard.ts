/** Runs code of the user, a module or a rule: `process.exit` then ends that code and not the check. */
export function runUserCode<T>(work: () => T): T {
  const target: { exit: unknown } = process;
  const { exit } = target;
  target.exit = refuseExit;
  try {
    return work();
  } finally {
    target.exit = exit;
  }
}

function refuseExit(code: number | string = ''): never {
  const error = new Error(`it calls process.exit(${code})`);
  // Who calls is of interest, and not what stops the call.
  Error.captureStackTrace(error, refuseExit);
  throw error;
}

/** Whether it is a promise, or something like one. What it fails with is then nobody's concern. */
export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function')
    return false;
  Promise.resolve(value).catch(() => undefined);
  return true;
}

/** What an error says, whatever was thrown. In one line. */
export function messageOf(error: unknown): string {
  try {
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    return (
      String(message)
        .trim()
        .replaceAll(/(?<!\s)\s*\n\s*/g, ' ') || 'it says nothing'
    );
  } catch {
    return 'what was thrown has no text';
  }
}
