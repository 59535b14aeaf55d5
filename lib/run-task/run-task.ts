import type { FailOn } from '../engine';
import { fails, isCrash } from '../engine/fail-on';
import type { JsonReport } from '../reports/json';
import { printableLine } from '../reports/prose';
import { checkPlan } from './check-plan';
import { faultText } from './fault';
import { callBack, planOf, type RunTaskLimits, type TaskStatus } from './hcp-terraform';
import { messageOf, outcomesOf } from './outcomes';
import { isSigned, readRequest, type RunTaskRequest } from './request';

/** How a run task judges. */
export interface RunTaskOptions {
  /** The key that the run task is registered with. */
  readonly key: string;
  /** What fails the task. @default 'error' */
  readonly failOn?: FailOn;
  /** What becomes of a run whose plan can't be checked, by whoever's fault. @default 'pass' */
  readonly onFault?: 'pass' | 'fail';
  readonly limits?: RunTaskLimits;
  /** Told what came of each request, in a line without tokens and addresses. @default - nobody is told */
  readonly log?: (line: string) => void;
}

/** The answer to a request, and what is to be done after it. */
export interface Accepted {
  /** Status of HTTP. */
  readonly status: 200 | 400 | 401;
  /** What is to be done when the answer is given. @default - nothing */
  readonly request?: RunTaskRequest;
}

/** Decides about a request of HCP Terraform, by its bytes and its signature. */
export function accept(body: Uint8Array, signature: string | undefined, { key, log }: RunTaskOptions): Accepted {
  if (!isSigned(body, signature, key)) {
    log?.('refused: the signature is missing or wrong');
    return { status: 401 };
  }
  const read = readRequest(body);
  switch (read.kind) {
    case 'verification':
      log?.('the task was registered');
      return { status: 200 };
    case 'unreadable':
      log?.(`refused: ${read.reason}`);
      return { status: 400 };
    case 'run':
      return { status: 200, request: read.request };
  }
}

interface Verdict {
  readonly status: Exclude<TaskStatus, 'running'>;
  readonly message: string;
}

/** Has the plan of a run checked, and calls back. Never throws: what went wrong is told to HCP Terraform and to the log. */
export async function perform(
  request: RunTaskRequest,
  options: RunTaskOptions,
  check: typeof checkPlan = checkPlan,
): Promise<void> {
  const { organization, workspace, runId } = request;
  const log = (line: string) => options.log?.(printableLine(`${organization}/${workspace} ${runId}: ${line}`));
  try {
    const { status, message } = await verdictOn(request, options, check);
    await callBack(request, status, message);
    log(`${status}: ${message}`);
  } catch (error) {
    log(`no result was told: ${faultText(error)}`);
  }
}

async function verdictOn(request: RunTaskRequest, options: RunTaskOptions, check: typeof checkPlan): Promise<Verdict> {
  const { failOn = 'error', limits = {} } = options;
  if (request.planUrl === undefined)
    return {
      status: 'passed',
      message: `The stage ${printableLine(request.stage)} has no plan to check; choose post_plan`,
    };
  try {
    await callBack(request, 'running', 'The plan is being checked');
    const report = await check(await planOf(request, limits), limits.checkSeconds);
    const verdict = verdictOf(report, options);
    const outcomes = request.takesOutcomes ? outcomesOf(report, failOn) : [];
    if (outcomes.length > 0) await callBack(request, 'running', verdict.message, outcomes);
    return verdict;
  } catch (error) {
    return unchecked(faultText(error), options);
  }
}

function verdictOf(report: JsonReport, options: RunTaskOptions): Verdict {
  const { failOn = 'error' } = options;
  const message = messageOf(report);
  const unread = report.diagnostics.find(({ severity }) => severity === 'error');
  // That a rule stopped is our fault, and says nothing of the plan.
  const isFailed = report.findings.some((finding) => !isCrash(finding) && fails(finding, failOn));
  if (isFailed) return { status: 'failed', message };
  if (unread !== undefined) return unchecked(printableLine(unread.message), options);
  if (report.findings.some(isCrash)) return unchecked('a rule of eks-guardrails stopped', options);
  return { status: 'passed', message };
}

function unchecked(reason: string, { onFault = 'pass' }: RunTaskOptions): Verdict {
  return { status: onFault === 'fail' ? 'failed' : 'passed', message: `Not checked: ${reason}` };
}
