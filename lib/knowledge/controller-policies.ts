import { notInIsoPartitions, loadBalancerControllerActions } from './controller-permissions';
import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

/** Allowed actions, as a controller's documentation has them. `${partition}` in a resource stands for the partition. */
export interface ControllerStatement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** By operator and key. */
  readonly condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

interface ControllerPolicyTable extends Table {
  readonly loadBalancerController: {
    /** The first version whose policy differs from the newest by actions alone. */
    readonly since: string;
    readonly newest: string;
    readonly statements: readonly ControllerStatement[];
  };
  readonly clusterAutoscaler: {
    readonly read: readonly string[];
    readonly change: readonly string[];
  };
  readonly karpenter: {
    readonly since: string;
    readonly newest: string;
    /** From which version on there is an action or a resource. */
    readonly later: Readonly<Record<string, string>>;
    readonly events: readonly (KarpenterEvent & { readonly since?: string })[];
    readonly statements: readonly (ControllerStatement & { readonly policy: KarpenterPolicyName })[];
  };
}

/** Karpenter's permissions, in parts that each fit into a managed policy. */
export type KarpenterPolicyName = 'nodes' | 'instanceProfiles' | 'discovery';

/** An event that Karpenter acts on, by its source and detail type. */
export interface KarpenterEvent {
  readonly source: string;
  readonly type: string;
}

const load = lazyTable('controller-policies.json', (table: ControllerPolicyTable) => ({ policies: table }));

/** The versions of the AWS Load Balancer Controller whose policies are known as a whole, both included. */
export function loadBalancerControllerPolicies(): { readonly oldest: string; readonly newest: string } {
  const { since, newest } = load().policies.loadBalancerController;
  return { oldest: since, newest };
}

/**
 * The statements that are published with a version of the AWS Load Balancer Controller.
 *
 * @param version between those of {@link loadBalancerControllerPolicies}
 * @param partition `aws`; isolated partitions have fewer actions. Undefined if it isn't known: then all actions, of which IAM takes those that a partition lacks
 */
export function loadBalancerControllerStatements(
  version: string,
  partition: string | undefined,
): readonly ControllerStatement[] {
  const lacking = new Set(partition?.startsWith('aws-iso') === true ? notInIsoPartitions() : []);
  const called = new Set(loadBalancerControllerActions(version)?.all.filter((action) => !lacking.has(action)));
  return load().policies.loadBalancerController.statements.map((statement) => ({
    ...statement,
    actions: statement.actions.filter((action) => called.has(action)),
  }));
}

/**
 * The statements with which the newest published policy allows some of the actions, with nothing besides. What one of them allows under no condition
 * on all resources isn't repeated under conditions.
 */
export function loadBalancerControllerGrants(actions: readonly string[]): readonly ControllerStatement[] {
  const { statements } = load().policies.loadBalancerController;
  const isWhole = ({ resources, condition }: ControllerStatement): boolean =>
    condition === undefined && resources.includes('*');
  const whole = new Set(statements.filter(isWhole).flatMap((statement) => statement.actions));
  const together = new Map<string, ControllerStatement>();
  for (const statement of statements) {
    const { resources, condition } = statement;
    const wanted = statement.actions.filter(
      (action) => actions.includes(action) && (isWhole(statement) || !whole.has(action)),
    );
    if (wanted.length === 0) continue;
    const place = JSON.stringify([resources, condition]);
    const before = together.get(place)?.actions ?? [];
    together.set(place, { ...statement, actions: [...before, ...wanted].sort() });
  }
  return [...together.values()];
}

/** What the Cluster Autoscaler reads, of any resource, and what it changes. */
export function clusterAutoscalerActions(): { readonly read: readonly string[]; readonly change: readonly string[] } {
  return load().policies.clusterAutoscaler;
}

/** The versions of Karpenter whose permissions are known, both included. */
export function karpenterPolicies(): { readonly oldest: string; readonly newest: string } {
  const { since, newest } = load().policies.karpenter;
  return { oldest: since, newest };
}

/** The statements of a part of the permissions that are published with a version of Karpenter, with placeholders. */
export function karpenterStatements(version: string, policy: KarpenterPolicyName): readonly ControllerStatement[] {
  const { statements, later } = load().policies.karpenter;
  const isThere = (name: string): boolean => compareVersions(version, later[name] ?? '0') >= 0;
  return statements
    .filter((statement) => statement.policy === policy)
    .map(({ actions, resources, condition }) => ({
      actions: actions.filter(isThere),
      resources: resources.filter(isThere),
      ...(condition === undefined ? {} : { condition }),
    }))
    .filter(({ actions }) => actions.length > 0);
}

/** The events that a version of Karpenter takes from its queue. */
export function karpenterEvents(version: string): readonly KarpenterEvent[] {
  return load().policies.karpenter.events.filter(({ since = '0' }) => compareVersions(version, since) >= 0);
}

/**
 * The day of the policies of controllers, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function controllerPoliciesAsOf(): string {
  return load().table.asOf;
}
