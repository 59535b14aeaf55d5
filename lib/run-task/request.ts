import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header with the signature, as Node.js spells names. */
export const SIGNATURE = 'x-tfc-task-signature';

/** What HCP Terraform asks when a run gets to a stage. Fields that nothing is made of aren't read. */
export interface RunTaskRequest {
  /** Bearer token for the plan and the callback; the only credential. Never shown. */
  readonly accessToken: string;
  readonly callbackUrl: string;
  /** Where the plan in JSON is. @default - the stage has none */
  readonly planUrl?: string;
  /** `post_plan` and others. */
  readonly stage: string;
  /** Tells attempts to deliver the same request. */
  readonly taskResultId: string;
  readonly runId: string;
  readonly organization: string;
  readonly workspace: string;
  /** Whether outcomes are shown one by one. */
  readonly takesOutcomes: boolean;
}

/** What came of reading a request. */
export type ReadRequest =
  /** Somebody registers the task and wants to know that it is there. */
  | { readonly kind: 'verification' }
  | { readonly kind: 'run'; readonly request: RunTaskRequest }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Whether a request is signed with the key: HMAC-SHA512 of its bytes as they came, in hexadecimal digits. */
export function isSigned(body: Uint8Array, signature: string | undefined, key: string): boolean {
  const expected = createHmac('sha512', key).update(body).digest();
  const given = Buffer.from(/^[\da-f]{128}$/i.test(signature ?? '') ? (signature ?? '') : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The token of the request that is sent when a task is registered. */
const TEST_TOKEN = 'test-token';

/** Reads a request whose signature has been found right. Never throws, and says nothing of what stands in it. */
export function readRequest(body: Uint8Array): ReadRequest {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return { kind: 'unreadable', reason: 'the body is no JSON' };
  }
  const text = (name: string): string => {
    const value: unknown = isMap(content) ? content[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const accessToken = text('access_token');
  if (accessToken === TEST_TOKEN) return { kind: 'verification' };
  const callbackUrl = text('task_result_callback_url');
  const planUrl = text('plan_json_api_url');
  if (accessToken === '') return { kind: 'unreadable', reason: 'there is no access_token' };
  if (!isSafe(callbackUrl)) return { kind: 'unreadable', reason: 'task_result_callback_url is no address with https' };
  if (planUrl !== '' && !isSafe(planUrl))
    return { kind: 'unreadable', reason: 'plan_json_api_url is no address with https' };
  const capabilities = isMap(content) ? content['capabilities'] : undefined;
  return {
    kind: 'run',
    request: {
      accessToken,
      callbackUrl,
      ...(planUrl === '' ? {} : { planUrl }),
      stage: text('stage'),
      taskResultId: text('task_result_id'),
      runId: text('run_id'),
      organization: text('organization_name'),
      workspace: text('workspace_name'),
      takesOutcomes: isMap(capabilities) && capabilities['outcomes'] === true,
    },
  };
}

/** The token must not be read on its way; on this machine nobody does. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
