import { fillHoles } from '../text/holes';
import { lazyTable, type Table } from './table';

/** An Allow statement of an AWS managed policy. */
interface ManagedPolicyStatement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditional?: boolean;
}

/** An AWS managed policy, as of its version. */
export interface ManagedPolicy {
  readonly name: string;
  /** `v6` */
  readonly version: string;
  readonly created: string;
  /** Allow statements; the policies of the table have no Deny. */
  readonly statements: readonly ManagedPolicyStatement[];
}

interface ManagedPolicyTable extends Table {
  readonly policies: Readonly<Record<string, Omit<ManagedPolicy, 'name'>>>;
}

const load = lazyTable('managed-policies.json', (table: ManagedPolicyTable) => ({
  byName: new Map(Object.entries(table.policies).map(([name, policy]) => [name, { name, ...policy }])),
}));

/**
 * An AWS managed policy by name or ARN, whatever its path (`service-role/`) and partition; a part of the ARN may be
 * unknown (`arn:${AWS::Partition}:iam::aws:policy/…`). Undefined when the table doesn't have it, and for the ARN of
 * a policy of an account, even if it bears the name of an AWS policy.
 */
export function managedPolicy(nameOrArn: string): ManagedPolicy | undefined {
  const name = awsManagedPolicyName(nameOrArn);
  return name === undefined ? undefined : load().byName.get(name);
}

/**
 * The name in the ARN of a policy that AWS manages, known to the table or not; a text without `arn:` is taken as a name,
 * with or without path. Undefined for policies of an account and when the name isn't fully known.
 */
export function awsManagedPolicyName(nameOrArn: string): string | undefined {
  const text = fillHoles(nameOrArn, '*');
  const path = text.startsWith('arn:') ? /^arn:[^:]*:iam::aws:policy\/(.+)$/.exec(text)?.[1] : text;
  const name = path?.slice(path.lastIndexOf('/') + 1);
  return name === undefined || name === '' || name.includes('*') ? undefined : name;
}

/** @internal tests compare the whole table with its sources */
export function managedPolicyNames(): readonly string[] {
  return [...load().byName.keys()];
}

/** The day of the managed policy table, `YYYY-MM-DD`. */
export function managedPoliciesAsOf(): string {
  return load().table.asOf;
}
