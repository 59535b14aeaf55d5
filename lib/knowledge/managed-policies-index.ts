import { awsManagedPolicyName } from './managed-policies';
import { lazyTable, type Table } from './table';

/** What an AWS managed policy does about the actions that rules ask for. */
export interface ManagedPolicySummary {
  readonly name: string;
  /** Allowed on all resources, without a condition. */
  readonly allow: readonly string[];
  /** Allowed on some resources, or under a condition. */
  readonly limited: readonly string[];
  /** Denied on some resource, or under some condition. */
  readonly deny: readonly string[];
}

interface ManagedPolicyIndexTable extends Table {
  readonly actions: readonly string[];
  /** Places in `actions`, as text: `0-3 7`. */
  readonly policies: Readonly<
    Record<string, { readonly allow?: string; readonly limited?: string; readonly deny?: string }>
  >;
  readonly none: readonly string[];
  readonly paths: Readonly<Record<string, string>>;
}

const load = lazyTable('managed-policies-index.json', (table: ManagedPolicyIndexTable) => ({
  byName: new Map(Object.entries(table.policies)),
  none: new Set(table.none),
  paths: new Map(Object.entries(table.paths)),
  summaries: new Map<string, ManagedPolicySummary>(),
}));

/**
 * Any AWS managed policy by name or ARN (see `managedPolicy`), cut down to {@link summarizedActions}. Undefined for a name that AWS
 * didn't have on the day of the table, and for policies of an account.
 */
export function managedPolicySummary(nameOrArn: string): ManagedPolicySummary | undefined {
  const name = awsManagedPolicyName(nameOrArn);
  if (name === undefined) return undefined;
  const { byName, none, summaries } = load();
  const entry = byName.get(name) ?? (none.has(name) ? {} : undefined);
  if (entry === undefined) return undefined;
  let summary = summaries.get(name);
  if (summary === undefined) {
    summary = { name, allow: actionsAt(entry.allow), limited: actionsAt(entry.limited), deny: actionsAt(entry.deny) };
    summaries.set(name, summary);
  }
  return summary;
}

/** The actions that the index tells about; of any other it says nothing. */
export function summarizedActions(): readonly string[] {
  return load().table.actions;
}

/** Names of all AWS managed policies, as of the day of the table. */
export function awsManagedPolicyNames(): readonly string[] {
  const { byName, none } = load();
  return [...byName.keys(), ...none];
}

/** What stands before the name of an AWS managed policy in its ARN: `service-role/`, or nothing. Undefined for those of which the table has names alone. */
export function awsManagedPolicyPath(name: string): string | undefined {
  return load().paths.get(name);
}

function actionsAt(ranges: string | undefined): readonly string[] {
  if (ranges === undefined) return [];
  return ranges.split(' ').flatMap((range) => {
    const [from = '', to = from] = range.split('-');
    return summarizedActions().slice(Number(from), Number(to) + 1);
  });
}
