/** Key of an instance (`for_each`) or its index (`count`). */
export type InstanceKey = string | number;

/** One part of an address or reference: `this[0]`, `nodes["a.b"]`, `id`. */
export interface AddressStep {
  readonly name: string;
  readonly key: InstanceKey | undefined;
  /** The part as it is written. */
  readonly text: string;
}

/** A part of a reference that leads into a value: `.name`, `[0]`, `["key"]`. */
export type ValueStep = string | number;

/** What a reference of an expression begins with, and what of it is used. */
export type ReferenceHead =
  | {
      readonly kind: 'resource';
      readonly mode: 'managed' | 'data';
      readonly type: string;
      readonly name: string;
      readonly key: InstanceKey | undefined;
      readonly rest: readonly ValueStep[];
    }
  | {
      readonly kind: 'module';
      readonly name: string;
      readonly key: InstanceKey | undefined;
      readonly rest: readonly ValueStep[];
    }
  | { readonly kind: 'variable' | 'local'; readonly name: string; readonly rest: readonly ValueStep[] }
  | { readonly kind: 'each-value'; readonly rest: readonly ValueStep[] }
  /** Known while Terraform plans: `each.key`, `count.index`, `path.module`, `terraform.workspace`. */
  | { readonly kind: 'plain'; readonly isInstanceKey: boolean }
  | { readonly kind: 'other' };

/** A step: a name, and at most one key in brackets. Nothing in it can match in two ways. */
const STEP = /([^.[\]"]*)(?:\[(?:"((?:[^"\\]|\\.)*)"|(\d{1,15})|[^\]"]*)\])?(?:\.|(?=\[)|$)/gy;

/**
 * Takes an address apart; undefined if it is none.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function stepsOf(address: string): readonly AddressStep[] | undefined {
  const steps: AddressStep[] = [];
  let end = 0;
  while (end < address.length) {
    STEP.lastIndex = end;
    const match = STEP.exec(address);
    if (match === null || match[0] === '') return undefined;
    const [whole, name = '', quoted, index] = match;
    steps.push({
      name,
      key: quoted === undefined ? (index === undefined ? undefined : Number(index)) : unquote(quoted),
      text: whole.replace(/\.$/, ''),
    });
    end += whole.length;
  }
  return steps;
}

function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  return quoted.replaceAll(/\\(.)/gs, (_, escaped: string) =>
    escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped === 'r' ? '\r' : escaped,
  );
}

/** Steps into a value: `vpc_config[0].id` is `vpc_config`, 0, `id`. */
function valueSteps(steps: readonly AddressStep[]): readonly ValueStep[] {
  return steps.flatMap(({ name, key }): ValueStep[] => [
    ...(name === '' ? [] : [name]),
    ...(key === undefined ? [] : [key]),
  ]);
}

/** Steps into a value as Terraform writes them: `vpc_config[0].id`. */
export function pathText(steps: readonly ValueStep[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** Module instances that an address leads through, and the address of the last of them. */
export function moduleStepsOf(address: string): readonly AddressStep[] {
  const steps = stepsOf(address) ?? [];
  const modules: AddressStep[] = [];
  for (let i = 0; steps[i]?.name === 'module' && steps[i + 1] !== undefined; i += 2) {
    const step = steps[i + 1];
    if (step !== undefined) modules.push(step);
  }
  return modules;
}

export function headOf(reference: string): ReferenceHead {
  const steps = stepsOf(reference) ?? [];
  const [first, second, third] = steps;
  if (first === undefined || second === undefined) return { kind: 'other' };
  switch (first.name) {
    case 'module':
      return { kind: 'module', name: second.name, key: second.key, rest: valueSteps(steps.slice(2)) };
    case 'var':
      return { kind: 'variable', name: second.name, rest: restOf(second, steps.slice(2)) };
    case 'local':
      return { kind: 'local', name: second.name, rest: restOf(second, steps.slice(2)) };
    case 'each':
      return second.name === 'value'
        ? { kind: 'each-value', rest: restOf(second, steps.slice(2)) }
        : { kind: 'plain', isInstanceKey: true };
    case 'count':
      return { kind: 'plain', isInstanceKey: true };
    case 'path':
    case 'terraform':
    case 'tofu':
      return { kind: 'plain', isInstanceKey: false };
    case 'self':
    case 'ephemeral':
    case 'action':
      return { kind: 'other' };
    case 'data':
      if (third === undefined) return { kind: 'other' };
      return {
        kind: 'resource',
        mode: 'data',
        type: second.name,
        name: third.name,
        key: third.key,
        rest: valueSteps(steps.slice(3)),
      };
    default:
      return {
        kind: 'resource',
        mode: 'managed',
        type: first.name,
        name: second.name,
        key: second.key,
        rest: valueSteps(steps.slice(2)),
      };
  }
}

function restOf({ key }: AddressStep, steps: readonly AddressStep[]): readonly ValueStep[] {
  return [...(key === undefined ? [] : [key]), ...valueSteps(steps)];
}

/**
 * The references of an expression without the shorter forms that Terraform lists behind each of them:
 * `aws_subnet.a[0].id`, `aws_subnet.a[0]`, `aws_subnet.a` are one.
 */
export function fullReferences(references: readonly unknown[]): readonly string[] {
  const full = new Set<string>();
  let last: string | undefined;
  for (const reference of references) {
    if (typeof reference !== 'string') continue;
    const next = last?.charAt(reference.length);
    if (!(last !== undefined && last.startsWith(reference) && (next === '.' || next === '['))) full.add(reference);
    last = reference;
  }
  return [...full];
}
