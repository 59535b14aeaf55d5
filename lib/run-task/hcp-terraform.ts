import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from './fault';
import type { Outcome } from './outcomes';
import type { RunTaskRequest } from './request';

/** Limits of a task. */
export interface RunTaskLimits {
  /** Bytes that a plan may have. @default 256 MiB */
  readonly planBytes?: number;
  /** Seconds in which the plan must have come. @default 120 */
  readonly planSeconds?: number;
  /** Seconds that a check may take. @default 300 */
  readonly checkSeconds?: number;
}

const PLAN_BYTES = 256 * 1024 * 1024;
const PLAN_SECONDS = 120;

/** Seconds that a callback may take. */
const CALLBACK_SECONDS = 30;

/** Attempts to call back: what isn't told lets a mandatory task fail. */
const CALLBACK_ATTEMPTS = 4;

/**
 * The plan of a run. HCP Terraform answers with a redirect to its storage, where `fetch` takes no token along.
 * @throws Fault if there is none, or it is too large
 */
export async function planOf(
  { accessToken, planUrl = '' }: RunTaskRequest,
  { planBytes = PLAN_BYTES, planSeconds = PLAN_SECONDS }: RunTaskLimits,
): Promise<string> {
  const signal = AbortSignal.timeout(planSeconds * 1000);
  const headers = { authorization: `Bearer ${accessToken}` };
  let answer = await fetch(planUrl, { headers, signal });
  // It isn't written yet.
  while (answer.status === 204) {
    await wait(1000, undefined, { signal });
    answer = await fetch(planUrl, { headers, signal });
  }
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    throw new Fault(`HCP Terraform gave no plan (status ${answer.status})`);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > planBytes) throw new Fault(`the plan is larger than ${Math.round(planBytes / 1024 / 1024)} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** What a task may say of itself; HCP Terraform takes no other words. */
export type TaskStatus = 'running' | 'passed' | 'failed';

/**
 * Tells HCP Terraform how the task stands, again if it doesn't listen.
 * @throws Fault if it never does
 */
export async function callBack(
  { accessToken, callbackUrl }: RunTaskRequest,
  status: TaskStatus,
  message: string,
  outcomes: readonly Outcome[] = [],
): Promise<void> {
  const body = JSON.stringify({
    data: {
      type: 'task-results',
      attributes: { status, message },
      ...(outcomes.length === 0 ? {} : { relationships: { outcomes: { data: outcomes } } }),
    },
  });
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(callbackUrl, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/vnd.api+json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(CALLBACK_SECONDS * 1000),
    }).catch((error: unknown) => {
      if (attempt === CALLBACK_ATTEMPTS) throw error;
      return undefined;
    });
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    // What is refused once is refused again.
    if (answer !== undefined && (attempt === CALLBACK_ATTEMPTS || (answer.status < 500 && answer.status !== 429)))
      throw new Fault(`HCP Terraform didn't take the result (status ${answer.status})`);
    await wait(200 * 4 ** attempt);
  }
}
