import { fetchPayload, NotChecked, type Payload } from './payload';
import { answerOf, passedAnswer, uncheckedAnswer, type HookAnswer } from './answer';
import { judge } from './judge';
import { readRequest, type HookRequest } from './request';
import { failsUnchecked, readSettings, type HookSettings } from './settings';
import { stackReader, type StackReader } from './stack-reader';

/** Targets whose requests come with templates. */
const TEMPLATE_TARGETS = ['STACK', 'CHANGE_SET'];

/**
 * The function of a CloudFormation Lambda Hook: judges the template of a stack operation or of a change set before anything happens.
 *
 * It never throws, because CloudFormation takes that for a failed check: a defect of ours would block every deployment of the account. What goes
 * wrong inside is told and logged, and the operation goes on.
 */
export function handler(event: unknown): Promise<HookAnswer> {
  return answerTo(event, stackReader);
}

/**
 * As the function answers, with another way to CloudFormation.
 * @internal Tests have no SDK of AWS
 */
export async function answerTo(event: unknown, reader: () => StackReader): Promise<HookAnswer> {
  const request = readRequest(event);
  const answer = await answered(request, reader);
  log('info', request, { status: answer.hookStatus, message: answer.message });
  return answer;
}

async function answered(request: HookRequest, reader: () => StackReader): Promise<HookAnswer> {
  const { token, target, isDeletion, stack } = request;
  try {
    if (!TEMPLATE_TARGETS.includes(target))
      return uncheckedAnswer(
        token,
        `a request for ${target === '' ? 'no target' : target} holds no template; the hook is for STACK and CHANGE_SET`,
        false,
      );
    if (isDeletion) return passedAnswer(token, 'eks-guardrails has nothing to say when a stack is deleted.');
    const settings = readSettings(process.env);
    const payload = await fetchPayload(request.payload);
    if (payload.template.trim() === '') throw new NotChecked('CloudFormation handed over no template');
    const { parameters, previousTemplate } = await stackDetails(request, payload, settings, reader);
    const verdict = judge({ ...payload, previousTemplate }, stack, parameters, settings);
    for (const { message } of verdict.crashes) log('error', request, { message });
    return answerOf(token, stack.name, verdict, settings.unchecked === 'fail');
  } catch (error) {
    if (error instanceof NotChecked) return uncheckedAnswer(token, error.message, failsUnchecked(process.env));
    log('error', request, { message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return uncheckedAnswer(token, 'it stopped with an internal error, which the log of the function has', false);
  }
}

interface StackDetails {
  readonly parameters: Readonly<Record<string, string>>;
  readonly previousTemplate: string;
}

/** What the payload of a change set lacks: with which parameters it is made, and the template that the stack has. */
async function stackDetails(
  request: HookRequest,
  payload: Payload,
  settings: HookSettings,
  reader: () => StackReader,
): Promise<StackDetails> {
  const { changeSet, stack } = request;
  const { previousTemplate } = payload;
  if (!settings.readsStack) return { parameters: {}, previousTemplate };
  const asked = async <T>(
    what: string,
    question: (cloudFormation: StackReader) => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    try {
      return await question(reader());
    } catch (error) {
      // Then less is known, which is no reason not to check.
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      log('warn', request, { message: `${what} could not be read: ${reason}` });
      return otherwise;
    }
  };
  const [parameters, template] = await Promise.all([
    changeSet === undefined
      ? {}
      : asked('the parameters', (cloudFormation) => cloudFormation.parametersOf(changeSet), {}),
    previousTemplate !== '' || stack.id === ''
      ? previousTemplate
      : asked('the template of the stack', (cloudFormation) => cloudFormation.templateOf(stack.id), ''),
  ]);
  return { parameters, previousTemplate: template };
}

/** A line of JSON; Lambda leaves out those below the log level of the function. */
function log(level: 'info' | 'warn' | 'error', { stack, target, changeSet }: HookRequest, details: object): void {
  console[level](
    JSON.stringify({ level, stack: stack.id, target, ...(changeSet === undefined ? {} : { changeSet }), ...details }),
  );
}
