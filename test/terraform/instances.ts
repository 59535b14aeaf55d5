import {
  always,
  Choice,
  EksModel,
  Known,
  Unknown,
  type EksResource,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../lib/eks';
import { resolveConfiguration, runRules } from '../../lib/engine';
import { compose } from '../../lib/value/composed-text';
import type { TerraformInstance } from '../../lib/terraform/instance';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import {
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../lib/terraform/terraform-value';
import { allRules } from '../../lib/rules';
import { Absent } from '../../lib/value';

/** Attributes as plain data, with values of their own where something isn't plain: {@link unknown}, {@link ref}, {@link text}. */
export type Written =
  | string
  | number
  | boolean
  | null
  | TerraformValue
  | readonly Written[]
  | { readonly [key: string]: Written };

/** A place that tells its property. */
export function at(property: string): Source {
  return { locate: () => ({ file: 'main.tf', line: 1, column: 1, property }) };
}

export function unknown(name: string): Unknown {
  return new Unknown(`${name} has no default`, at(name), `\${${name}}`, name);
}

/** An attribute of another instance, which only `apply` tells. */
export function ref(instance: TerraformInstance, attribute: string): Unknown {
  const text = `\${${instance.address}.${attribute}}`;
  return new Unknown(
    `${instance.address} gets its ${attribute} at apply`,
    at(attribute),
    text,
    `${instance.stack}/${text}`,
    { resource: instance, attribute },
  );
}

/** A text put together from literals and unknown parts. */
export function text(...parts: readonly (string | Unknown)[]): Plain<string> {
  return compose(
    parts.map((part) => (typeof part === 'string' ? new Known(part, at('')) : part)),
    at(''),
  );
}

/** `condition ? yes : no`; conditions of one name are the same. */
export function either(condition: string, yes: Written, no: Written): TerraformValue {
  const [one, other] = [valueOf(yes), valueOf(no)];
  if (one.kind === 'choice' || other.kind === 'choice') throw new Error('one condition at a time');
  return new Choice<TerraformItem>([
    { when: assumption(condition, true), value: one },
    { when: assumption(condition, false), value: other },
  ]);
}

/** What holds where a condition does, or does not. */
export function assumption(condition: string, holds: boolean): When {
  return new Assumptions(new Map([[condition, holds]]));
}

class Assumptions implements When {
  constructor(private readonly facts: ReadonlyMap<string, boolean>) {}

  get text(): string {
    return [...this.facts].map(([name, holds]) => `${name} is ${String(holds)}`).join(' and ');
  }

  and(other: When): When | undefined {
    if (!(other instanceof Assumptions)) return this;
    for (const [name, holds] of other.facts) if ((this.facts.get(name) ?? holds) !== holds) return undefined;
    return new Assumptions(new Map([...this.facts, ...other.facts]));
  }

  not(): readonly When[] {
    return [...this.facts].map(([name, holds]) => new Assumptions(new Map([[name, !holds]])));
  }
}

export function valueOf(written: Written, property = ''): TerraformValue {
  if (written === null) return new Absent(at(property));
  if (written instanceof Known || written instanceof Unknown || written instanceof Absent || written instanceof Choice)
    return written;
  if (typeof written !== 'object') return new Known(written, at(property));
  const below = (key: string | number) => (property === '' ? String(key) : `${property}.${key}`);
  if (Array.isArray(written))
    return new Known(
      new TerraformList((written as readonly Written[]).map((item, index) => valueOf(item, below(index)))),
      at(property),
    );
  const entries = Object.entries(written as { readonly [key: string]: Written });
  return new Known(
    new TerraformMap(new Map(entries.map(([key, item]) => [key, valueOf(item, below(key))]))),
    at(property),
  );
}

/** An instance by its address: `module.eks.aws_eks_cluster.main[0]`, `data.aws_ami.workers`. */
export function instance(
  address: string,
  attributes: Written,
  others: Partial<TerraformInstance> = {},
): TerraformInstance {
  const [, modulePath = '', data, type = ''] =
    /^((?:module\.[^.[]+(?:\[[^\]]*\])?\.)*)(data\.)?([a-z0-9_]+)\./.exec(address) ?? [];
  return {
    address,
    mode: data === undefined ? 'managed' : 'data',
    type,
    module: modulePath.replace(/\.$/, ''),
    attributes: valueOf(attributes),
    source: at(address),
    exists: always,
    stack: 'root',
    frontEnd: 'terraform',
    path: undefined,
    region: undefined,
    ...others,
  };
}

/** The resource of a kind and address that is made of instances. */
export function readOne<K extends EksResource['kind']>(
  kind: K,
  address: string,
  instances: readonly TerraformInstance[],
): Extract<EksResource, { kind: K }> {
  const found = readInstances(instances).find((one) => one.kind === kind && one.id === address);
  if (found === undefined) throw new Error(`no ${kind} "${address}" was read`);
  return found as Extract<EksResource, { kind: K }>;
}

/** `-> address` of what a value refers to, or the text of it. */
export function target(
  value: Value<{ readonly text: string; readonly target: { readonly id: string } | undefined }>,
): string {
  if (value.kind === 'choice')
    return value.alternatives.map(({ when, value: plain }) => `${when.text}: ${target(plain)}`).join('; ');
  if (value.kind === 'known')
    return value.value.target === undefined ? value.value.text : `-> ${value.value.target.id}`;
  return value.kind === 'absent' ? 'absent' : `?${value.text ?? ` ${value.reason}`}`;
}

/** The rules that find something in resources, with their verdicts, each once. */
export function findingsIn(resources: readonly EksResource[]): string[] {
  resolveConfiguration({}, allRules);
  const findings = runRules(new EksModel(resources), allRules, {});
  return [...new Set(findings.map(({ rule, verdict, severity }) => `${rule} ${verdict} ${severity}`))].sort();
}
