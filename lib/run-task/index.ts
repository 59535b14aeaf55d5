/**
 * A run task of HCP Terraform and Terraform Enterprise as a function of AWS Lambda; `eks-guardrails serve run-task` is the same as a server.
 *
 * @packageDocumentation
 */
import { readRequest, SIGNATURE } from './request';
import { accept, perform, type RunTaskOptions } from './run-task';

export type { RunTaskOptions } from './run-task';
export type { RunTaskLimits } from './hcp-terraform';

/** What a function with an address of its own is given of a request. */
export interface RunTaskEvent {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  /** Of the second call: the request, as {@link RunTaskHandlerOptions.later} was given it. */
  readonly runTask?: string;
}

/** How the function judges, and how it calls itself. */
export interface RunTaskHandlerOptions extends RunTaskOptions {
  /** Calls the same function again without waiting for it (`InvocationType: 'Event'`) with this payload: a request has to be answered before its plan is there. */
  readonly later: (payload: string) => Promise<unknown>;
}

/**
 * The handler of a function that HCP Terraform sends its requests to. It answers at once, after it has called itself to do the work: whoever may call the
 * function otherwise than through its address may have plans checked.
 */
export function runTaskHandler(
  options: RunTaskHandlerOptions,
): (event: RunTaskEvent) => Promise<{ readonly statusCode: number }> {
  return async ({ headers = {}, body = '', isBase64Encoded = false, runTask }) => {
    if (runTask !== undefined) {
      const read = readRequest(Buffer.from(runTask));
      if (read.kind === 'run') await perform(read.request, options);
      return { statusCode: 200 };
    }
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    const { status, request } = accept(bytes, headers[SIGNATURE], options);
    if (request !== undefined) await options.later(JSON.stringify({ runTask: bytes.toString('utf8') }));
    return { statusCode: status };
  };
}
