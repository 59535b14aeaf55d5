/** What CloudFormation asks a hook, as far as it is read. Events come from outside, so nothing of them is taken for granted. */
export interface HookRequest {
  /** Goes back with the answer. */
  readonly token: string;
  /** `STACK`, `CHANGE_SET`, or a target whose templates nobody hands over. */
  readonly target: string;
  /** The stack is deleted. */
  readonly isDeletion: boolean;
  /** Address from which the templates can be fetched for a while; empty if there is none. */
  readonly payload: string;
  readonly stack: StackIdentity;
  /** ARN of the change set. @default - the request isn't about one */
  readonly changeSet?: string;
}

/** A stack, as its ARN tells: `arn:aws:cloudformation:REGION:ACCOUNT:stack/NAME/UUID`. */
export interface StackIdentity {
  readonly id: string;
  readonly name: string;
  readonly region?: string;
  readonly account?: string;
}

/**
 * Reads an event. The documentation spells some of its keys in two ways, `clientRequestToken` and `clientRequesttoken`, `stackId` and `stackID`.
 * Source: AWS CloudFormation Hooks User Guide, "Create Lambda functions to evaluate resources for Lambda Hooks".
 */
export function readRequest(event: unknown): HookRequest {
  const data = member(event, 'requestData');
  const changeSet = text(event, 'changeSetId');
  const target = text(data, 'targetType');
  return {
    token: text(event, 'clientRequestToken') || text(event, 'clientRequesttoken'),
    target,
    isDeletion: text(event, 'actionInvocationPoint').startsWith('DELETE'),
    payload: text(data, 'payload'),
    stack: stackOf(text(event, 'stackId') || text(event, 'stackID'), text(event, 'awsAccountId'), target, data),
    ...(changeSet === '' ? {} : { changeSet }),
  };
}

function stackOf(id: string, account: string, target: string, data: unknown): StackIdentity {
  const [, region, owner, named] = /^arn:[^:]+:cloudformation:([^:]+):(\d+):stack\/([^/]+)/.exec(id) ?? [];
  // Of a stack, the logical id is its name; of a change set, the ARN of the change set.
  const name = named ?? (target === 'STACK' ? text(data, 'targetLogicalId') : '');
  return {
    id,
    name: name === '' ? 'stack' : name,
    ...(region === undefined ? {} : { region }),
    ...(owner === undefined && account === '' ? {} : { account: owner ?? account }),
  };
}

/** A text of an object that may be none; empty if it has no such text. */
export function text(object: unknown, key: string): string {
  const value = member(object, key);
  return typeof value === 'string' ? value : '';
}

/** A member of an object that may be none. */
export function member(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
