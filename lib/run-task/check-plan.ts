import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { JsonReport } from '../reports/json';
import { Fault } from './fault';

/** Seconds that a check may take. */
const CHECK_SECONDS = 300;

/**
 * The report of `eks-guardrails check` about a plan. It runs in a process of its own: what exhausts that, or takes too long, doesn't end the server.
 * The configuration file of the working folder counts, as data.
 * @throws Fault if there is no report
 */
export async function checkPlan(plan: string, seconds = CHECK_SECONDS): Promise<JsonReport> {
  const args = ['check', '-', '--stdin-filename', 'plan.json', '--format', 'json', '--no-config-code'];
  const child = spawn(process.execPath, [join(__dirname, '..', 'cli', 'main.js'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  // A check that ends before it has read everything has said why.
  Readable.from([plan])
    .pipe(child.stdin)
    .on('error', () => undefined);
  const ended = new Promise<number | null>((fulfil, reject) => {
    child.on('error', reject).on('close', fulfil);
  });
  const [exitCode, printed, told] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (exitCode === null) throw new Fault(`the check took more than ${seconds} seconds, or more memory than there is`);
  try {
    return JSON.parse(printed) as JsonReport;
  } catch {
    throw new Fault(`the check said: ${told.trim().split('\n')[0] ?? ''}`);
  }
}
