import { once } from 'node:events';
import { readText } from '../files/read';
import type { FailOn } from '../engine';
import { runTaskServer } from '../run-task/server';
import { EXIT_CLEAN } from './parts/exit-code';
import { UsageError } from './parts/usage-error';

/** The options of `serve run-task` as the command line parser delivers them. */
export interface ServeArguments {
  readonly port: number;
  readonly host: string;
  readonly hmacKeyFile?: string;
  readonly failOn?: FailOn;
  readonly onFault?: 'pass' | 'fail';
  /** MiB. */
  readonly maxPlanSize?: number;
}

const VARIABLE = 'EKS_GUARDRAILS_HMAC_KEY';

/**
 * Serves HCP Terraform until a signal ends it.
 * @throws UsageError without a key, or if there is somebody else at the port
 */
export async function serveRunTask(given: ServeArguments): Promise<number> {
  const { port, host, failOn, onFault, maxPlanSize } = given;
  const server = runTaskServer({
    key: keyOf(given),
    ...(failOn === undefined ? {} : { failOn }),
    ...(onFault === undefined ? {} : { onFault }),
    ...(maxPlanSize === undefined ? {} : { limits: { planBytes: maxPlanSize * 1024 * 1024 } }),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new UsageError(`can't listen at ${host}, port ${port} (${code})`);
  }
  const address = server.address();
  process.stderr.write(`listening at ${host}, port ${typeof address === 'object' ? (address?.port ?? port) : port}\n`);
  const stop = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  await once(server, 'close');
  return EXIT_CLEAN;
}

/** The key must not be on the command line, where everybody on the machine can read it. */
function keyOf({ hmacKeyFile }: ServeArguments): string {
  if (hmacKeyFile === undefined) {
    const key = process.env[VARIABLE] ?? '';
    if (key === '') throw new UsageError(`there is no key; give it in ${VARIABLE}, or in a file with --hmac-key-file`);
    return key;
  }
  const read = readText(hmacKeyFile);
  if ('problem' in read) throw new UsageError(`${hmacKeyFile}: ${read.problem}`);
  const key = read.text.trim();
  if (key === '') throw new UsageError(`${hmacKeyFile} is empty, and should hold the key`);
  return key;
}
