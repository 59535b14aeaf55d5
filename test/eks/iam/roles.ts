import { CLOUDFORMATION } from '../../../lib/front-ends/cloudformation/dialects';
import {
  Absent,
  always,
  Choice,
  Known,
  nowhere,
  Unknown,
  type AttachedPolicy,
  type Plain,
  type PolicyDocument,
  type PolicyStatement,
  type Principal,
  type Role,
  type Value,
  type When,
} from '../../../lib/eks';

/** A text as a template can hold it: literal, or a value that isn't known. */
type Text = string | Value<string>;

export interface StatementSpec {
  readonly Effect?: Text;
  readonly Action?: readonly Text[] | string;
  readonly NotAction?: readonly Text[] | string;
  readonly Resource?: readonly Text[] | string;
  readonly NotResource?: readonly Text[] | string;
  readonly Principal?: Readonly<Record<string, readonly (Text | Principal)[] | string>>;
  /** Operator → key → values; `unreadable` for a block that can't be read. */
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly Text[] | string>>>> | 'unreadable';
}

export const absent = new Absent(nowhere);

/** A value that isn't known, with what is known of its text. */
export function unknown(text?: string): Unknown {
  return new Unknown('parameter X has no default', nowhere, text);
}

function text(value: Text): Value<string> {
  return typeof value === 'string' ? new Known(value, nowhere) : value;
}

function statement(spec: StatementSpec): PolicyStatement {
  const principals = Object.entries(spec.Principal ?? {}).flatMap(([type, ids]) =>
    (typeof ids === 'string' ? [ids] : ids).map((id) => principal(type, id)),
  );
  const conditions =
    spec.Condition === 'unreadable'
      ? ({ kind: 'unknown-conditions', reason: 'an import' } as const)
      : Object.entries(spec.Condition ?? {}).flatMap(([operator, keys]) =>
          Object.entries(keys).map(([key, values]) => ({ operator, key, values: list(values), source: nowhere })),
        );
  return {
    effect: text(spec.Effect ?? 'Allow'),
    actions: list(spec.Action),
    notActions: list(spec.NotAction),
    resources: list(spec.Resource ?? (spec.NotResource === undefined ? '*' : [])),
    notResources: list(spec.NotResource),
    principals,
    conditions,
    source: nowhere,
  };
}

function principal(type: string, id: Text | Principal): Principal {
  return typeof id === 'object' && 'id' in id ? id : { type, id: text(id) };
}

function list(values: readonly Text[] | string | undefined): Value<string>[] {
  return (typeof values === 'string' ? [values] : (values ?? [])).map(text);
}

export function documentOf(...statements: readonly StatementSpec[]): Known<PolicyDocument> {
  return new Known({ statements: statements.map(statement) }, nowhere);
}

/** A policy: statements, a document that isn't plain, or the name or ARN of a managed policy. */
export type PolicySpec =
  | readonly StatementSpec[]
  | { readonly document: Value<PolicyDocument> }
  | { readonly arn: Text }
  | string;

export function roleWith(...policies: readonly PolicySpec[]): Role {
  return roleOf({ policies });
}

export function trustedBy(...statements: readonly StatementSpec[]): Role {
  return roleOf({ trust: documentOf(...statements) });
}

export function roleOf({
  policies = [],
  trust = absent,
}: {
  policies?: readonly PolicySpec[];
  trust?: Value<PolicyDocument>;
}): Role {
  return {
    kind: 'role',
    type: 'AWS::IAM::Role',
    id: 'Role',
    path: undefined,
    stack: 'stack',
    frontEnd: 'cloudformation',
    dialect: CLOUDFORMATION,
    source: nowhere,
    suppressions: [],
    exists: always,
    name: absent,
    trust,
    policies: policies.map(policy),
  };
}

function policy(spec: PolicySpec, index: number): AttachedPolicy {
  if (typeof spec === 'string')
    return {
      kind: 'managed',
      arn: text(spec.startsWith('arn:') ? spec : `arn:aws:iam::aws:policy/${spec}`),
      source: nowhere,
    };
  if ('arn' in spec) return { kind: 'managed', arn: text(spec.arn), source: nowhere };
  if ('document' in spec) return { kind: 'document', name: `Policy${index}`, document: spec.document, source: nowhere };
  return { kind: 'document', name: `Policy${index}`, document: documentOf(...spec), source: nowhere };
}

/** Two alternatives under a condition and its opposite. */
export function either<T>(condition: string, yes: Plain<T>, no: Plain<T>): Choice<T> {
  return new Choice([
    { when: assumption(condition, true), value: yes },
    { when: assumption(condition, false), value: no },
  ]);
}

class Assumption implements When {
  constructor(private readonly facts: ReadonlyMap<string, boolean>) {}

  get text(): string {
    return [...this.facts].map(([name, value]) => `${name} is ${value}`).join(' and ');
  }

  and(other: When): When | undefined {
    if (!(other instanceof Assumption)) return this;
    for (const [name, value] of other.facts) if ((this.facts.get(name) ?? value) !== value) return undefined;
    return new Assumption(new Map([...this.facts, ...other.facts]));
  }

  not(): readonly When[] {
    const facts = [...this.facts];
    return facts.map(([name, value], index) => new Assumption(new Map([...facts.slice(0, index), [name, !value]])));
  }
}

function assumption(condition: string, value: boolean): When {
  return new Assumption(new Map([[condition, value]]));
}
