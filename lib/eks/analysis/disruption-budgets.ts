import { objectsOf, type KubernetesObject } from './kubernetes-objects';
import type { ClusterView } from '../model/model';
import { dataAt, Unknown, type Data } from '../../value';

/**
 * How many pods may be evicted at once, as the API server and the disruption controller work it out.
 * Source: kubernetes/kubernetes, pkg/controller/disruption/disruption.go (getExpectedPodCount, updatePdbStatus) and
 * pkg/registry/core/pod/storage/eviction.go.
 */

/** A `PodDisruptionBudget`. */
export interface DisruptionBudget extends KubernetesObject {
  /** Which pods it is for: `{}` means all of the namespace; undefined if it is for none. */
  readonly selector: Data | undefined;
  /** Undefined if it isn't written. */
  readonly minAvailable: Data | undefined;
  readonly maxUnavailable: Data | undefined;
}

/** The budgets of a cluster that the input shows; worked out once. */
export function disruptionBudgetsOf(view: ClusterView): readonly DisruptionBudget[] {
  let budgets = known.get(view);
  if (budgets === undefined) known.set(view, (budgets = objectsOf(view).flatMap(budgetOf)));
  return budgets;
}

const known = new WeakMap<ClusterView, readonly DisruptionBudget[]>();

function budgetOf(one: KubernetesObject): readonly DisruptionBudget[] {
  const { object } = one;
  if (dataAt(object, 'kind') !== 'PodDisruptionBudget') return [];
  const written = (key: string): Data | undefined => dataAt(object, 'spec', key) ?? undefined;
  const selector = written('selector');
  return [
    {
      ...one,
      selector: isNoneInBeta(object, selector) ? undefined : selector,
      minAvailable: written('minAvailable'),
      maxUnavailable: written('maxUnavailable'),
    },
  ];
}

/** An empty selector was for no pods at all in the first version of the API. */
function isNoneInBeta(object: Data, selector: Data | undefined): boolean {
  return (
    dataAt(object, 'apiVersion') === 'policy/v1beta1' &&
    typeof selector === 'object' &&
    selector !== null &&
    !(selector instanceof Unknown) &&
    Object.keys(selector).length === 0
  );
}

/** What a budget allows of pods that are all healthy. */
export type Allowance =
  /** So many may be evicted at once. */
  | { readonly kind: 'pods'; readonly count: number }
  /** Some, however many pods there are. */
  | { readonly kind: 'some' }
  /** It can't be told. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The API server refuses the budget: both settings, a negative number, more than 100 %, a text that is no percentage. */
  | { readonly kind: 'refused' };

/** @param replicas how many pods there should be; undefined if that isn't known */
export function allowanceOf(
  { minAvailable, maxUnavailable }: Pick<DisruptionBudget, 'minAvailable' | 'maxUnavailable'>,
  replicas: number | undefined,
): Allowance {
  if (minAvailable !== undefined && maxUnavailable !== undefined) return { kind: 'refused' };
  const setting = maxUnavailable ?? minAvailable;
  if (setting === undefined) return { kind: 'some' };
  if (setting instanceof Unknown) return { kind: 'unknown', reason: setting.reason };
  const amount = amountOf(setting);
  if (amount === undefined) return { kind: 'refused' };
  return maxUnavailable === undefined ? byLeastAvailable(amount, replicas) : byMostUnavailable(amount, replicas);
}

interface Amount {
  readonly value: number;
  readonly isPercentage: boolean;
}

function amountOf(data: Data): Amount | undefined {
  if (typeof data === 'number')
    return Number.isInteger(data) && data >= 0 ? { value: data, isPercentage: false } : undefined;
  const [, digits] = typeof data === 'string' ? (/^(\d{1,3})%$/.exec(data) ?? []) : [];
  const value = Number(digits);
  return digits === undefined || value > 100 ? undefined : { value, isPercentage: true };
}

/** Percentages are rounded up, so that one above zero always allows a pod. */
function byMostUnavailable({ value, isPercentage }: Amount, replicas: number | undefined): Allowance {
  if (value === 0) return { kind: 'pods', count: 0 };
  if (replicas === undefined) return { kind: 'some' };
  return { kind: 'pods', count: Math.min(replicas, isPercentage ? Math.ceil((value * replicas) / 100) : value) };
}

/** Percentages are rounded up here as well: 50 % of one pod is one. */
function byLeastAvailable({ value, isPercentage }: Amount, replicas: number | undefined): Allowance {
  if (value === 0) return { kind: 'some' };
  if (isPercentage && value === 100) return { kind: 'pods', count: 0 };
  if (replicas === undefined) return { kind: 'unknown', reason: 'how many pods it is for is not known' };
  const needed = isPercentage ? Math.ceil((value * replicas) / 100) : value;
  return { kind: 'pods', count: Math.max(0, replicas - needed) };
}
