import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

/** Releases of a module, from the first on, without the second. */
interface Span {
  readonly since: string;
  /** @default - to this day */
  readonly before?: string;
}

/**
 * A statement of a policy that a Terraform module makes, which allows. Texts have placeholders of Terraform (`${var.zones}`), and `${partition}` and
 * `${dnsSuffix}` for those of AWS; a text in place of a list is an expression for the whole of it.
 */
export interface ModuleStatement {
  readonly actions: readonly string[];
  readonly resources: string | readonly string[];
  readonly conditions?: readonly {
    readonly test: string;
    readonly variable: string;
    readonly values: string | readonly string[];
  }[];
  /** The variable that switches it on. @default - it is there */
  readonly ifTrue?: string;
  /** The list without which it isn't there. @default - it is there */
  readonly ifFilled?: string;
  /** When it is there, or what it says, isn't read. */
  readonly ifUnclear?: string;
  /** The list for each of whose items it is there, as `${statement.value}`. */
  readonly each?: string;
}

/** What a variable of a module is where the call gives none. */
export type ModuleDefault = boolean | string | number | readonly string[];

interface ModulePolicyTable extends Table {
  readonly modules: Readonly<
    Record<
      string,
      {
        readonly newest: string;
        readonly defaults: Readonly<Record<string, readonly (Span & { readonly value: ModuleDefault })[]>>;
        readonly policies: Readonly<Record<string, readonly (Span & ModuleStatement)[]>>;
      }
    >
  >;
  readonly charts: Readonly<Record<string, readonly (Span & { readonly version: string })[]>>;
  readonly autoscalerImages: readonly (Span & { readonly tags: Readonly<Record<string, string>> })[];
}

const load = lazyTable('module-policies.json', (table: ModulePolicyTable) => ({ table }));

/** Modules whose policies are known, by their last names. */
export type PolicyModule =
  | 'iam-role-for-service-accounts-eks'
  | 'iam-role-for-service-accounts'
  | 'eks-pod-identity'
  | 'eks-blueprints-addons';

function has({ since, before }: Span, release: string): boolean {
  return compareVersions(release, since) >= 0 && (before === undefined || compareVersions(release, before) < 0);
}

/**
 * The statements of a policy of a module.
 * @param policy its name in the argument that asks for it: `load_balancer_controller` of `attach_load_balancer_controller_policy`
 * @param release one newer than the table has what the newest there has
 * @returns empty if the table has no such policy for the release
 */
export function moduleStatements(module: PolicyModule, policy: string, release: string): readonly ModuleStatement[] {
  return (own(load().table.modules[module]?.policies, policy) ?? []).filter((one) => has(one, release));
}

/** What a variable is by default that a policy of the module refers to; undefined if it has no plain default. */
export function moduleDefault(module: PolicyModule, variable: string, release: string): ModuleDefault | undefined {
  return own(load().table.modules[module]?.defaults, variable)?.find((one) => has(one, release))?.value;
}

/** The version of a chart that a release of aws-ia/eks-blueprints-addons installs; undefined if the table has none. */
export function blueprintsChart(chart: string, release: string): string | undefined {
  return own(load().table.charts, chart)?.find((one) => has(one, release))?.version;
}

/** The image of the Cluster Autoscaler that a release of aws-ia/eks-blueprints-addons takes for a Kubernetes version. */
export function blueprintsAutoscalerImage(kubernetes: string, release: string): string | undefined {
  return own(load().table.autoscalerImages.find((one) => has(one, release))?.tags, kubernetes);
}

function own<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * The day of the policies of modules, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function modulePoliciesAsOf(): string {
  return load().table.asOf;
}
