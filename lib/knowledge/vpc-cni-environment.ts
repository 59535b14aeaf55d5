import { lazyTable, type Table } from './table';

/** An environment variable of the VPC CNI's containers. */
export interface VpcCniVariable {
  readonly name: string;
  readonly containers: readonly string[];
  readonly type: 'integer' | 'boolean' | 'string';
  /** What the program does when the variable is not set; null: the feature is off. */
  readonly default: string | null;
  /** What EKS puts on the DaemonSet when nothing is configured; missing: nothing. */
  readonly managedDefault?: string;
  /** First CNI version in which it works as described. */
  readonly since: string;
  /** First version according to AWS's documentation, where that differs. */
  readonly documentedMin?: string;
  /** First add-on version that accepts it, by configuration key. */
  readonly addonSince?: Readonly<Record<string, string>>;
  /** First add-on version that no longer accepts it, by configuration key. */
  readonly addonRemovedIn?: Readonly<Record<string, string>>;
  readonly enum?: readonly string[];
  /** The enum is compared without regard to case. */
  readonly ignoreCase?: boolean;
  /** Lowest and highest value; null: no bound. */
  readonly range?: readonly [number | null, number | null];
  readonly rangeIPv6?: readonly [number | null, number | null];
  readonly maxLength?: number;
  readonly forbidden?: readonly string[];
  readonly format?: string;
  readonly unit?: string;
  /** What the CNI does with a value that it can't read. */
  readonly invalid?: string;
  /** Effects on, and of, other variables. */
  readonly interplay?: readonly string[];
  readonly deprecated?: string;
  /** EKS sets it itself. */
  readonly serviceManaged?: boolean;
  /** In the CNI's README. */
  readonly documented: boolean;
}

interface EnvironmentTable extends Table {
  readonly booleans: { readonly accepted: readonly string[]; readonly otherwise: string };
  readonly fatalAtStart: readonly { readonly process: string; readonly when: string; readonly onlyBefore?: string }[];
  readonly variables: readonly VpcCniVariable[];
}

const load = lazyTable('vpc-cni-environment.json', (table: EnvironmentTable) => ({
  byName: new Map(table.variables.map((variable) => [variable.name, variable])),
  booleans: new Set(table.booleans.accepted),
}));

/** A variable by name (`ENABLE_POD_ENI`); undefined when the CNI doesn't read it. */
export function vpcCniVariable(name: string): VpcCniVariable | undefined {
  return load().byName.get(name);
}

/** @internal tests compare the whole table with its sources */
export function vpcCniVariables(): readonly VpcCniVariable[] {
  return load().table.variables;
}

/** Whether the CNI reads this text as a boolean; for any other text it logs an error and uses the default. */
export function isVpcCniBoolean(text: string): boolean {
  return load().booleans.has(text);
}
