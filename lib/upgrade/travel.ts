import type { Finding } from '../engine';
import {
  alternativesOf,
  beforeOf,
  resourceName,
  type Cluster,
  type ClusterView,
  type EksModel,
  type Known,
  type Value,
} from '../eks';
import { parseMinor } from '../knowledge';
import { onlyText } from './commands';
import { clustersOf } from './new-findings';
import type { ClusterPlan, Task, UpgradeStep } from './plan';
import { refusedValues } from './refused-values';
import { stepsBetween } from './route';
import { stayingAt } from './support-dates';
import { keyOf } from './what-if';

/** One cluster on its way. */
export class Travel {
  readonly name: string;
  readonly from: string | undefined;
  readonly fromNote: string | undefined;
  readonly steps: readonly string[];
  readonly reason: ClusterPlan['reason'];
  readonly done: UpgradeStep[] = [];
  preparations: readonly Task[] = [];
  others: ClusterPlan['others'] = { errors: 0, warnings: 0 };
  private readonly unseen = new Set<string>();
  private readonly fixes = new Map<string, string>();

  constructor(
    private readonly view: ClusterView,
    private readonly given: string | undefined,
    readonly to: string,
    private readonly asOf: string,
  ) {
    const { cluster } = view;
    this.name = cluster === undefined ? view.name : (onlyText(cluster.name) ?? resourceName(cluster));
    const start = startOf(cluster, given);
    this.from = start.version;
    this.fromNote = start.note;
    this.reason = this.reasonToStay(start.why);
    this.steps = this.reason === undefined && start.version !== undefined ? stepsBetween(start.version, to, asOf) : [];
  }

  private reasonToStay(why: string | undefined): ClusterPlan['reason'] {
    const { from, to, name } = this;
    if (from === undefined)
      return {
        kind: 'unknown',
        text: `the Kubernetes version that cluster "${name}" has isn't known (${why ?? 'nothing tells it'}); say it with --from`,
      };
    const [first, last] = [parseMinor(from), parseMinor(to) ?? 0];
    if (first === undefined)
      return { kind: 'unknown', text: `cluster "${name}" has the version "${from}", which is no Kubernetes version` };
    if (first === last) return { kind: 'nothing-to-do', text: `cluster "${name}" has Kubernetes ${to} already` };
    if (first > last)
      return {
        kind: 'newer',
        text: `cluster "${name}" has Kubernetes ${from}, which is newer than ${to}. EKS takes a control plane back by one minor version, within seven days after an update in place, and neither nodes nor add-ons; a plan for that isn't made here`,
      };
    return undefined;
  }

  /** The same cluster in another reading. */
  in(model: EksModel): ClusterView {
    const { cluster, name } = this.view;
    const found = model.clusterViews.find((view) =>
      cluster === undefined
        ? view.cluster === undefined && view.name === name && isOfSameStack(view, this.view)
        : view.cluster !== undefined && keyOf(view.cluster) === keyOf(cluster),
    );
    if (found === undefined) throw new Error(`cluster ${name} is gone`);
    return found;
  }

  /** Whether a finding is about this cluster. What nothing enables is part of none. */
  owns({ resource }: Finding, model: EksModel): boolean {
    return resource.isNotEnabled !== true && clustersOf(resource, model).includes(this.in(model));
  }

  /** What of the input as it is written refuses versions of the way. */
  refused(): readonly Task[] {
    return refusedValues(this.view, this.steps);
  }

  tell(sentences: readonly string[]): void {
    for (const sentence of sentences) this.unseen.add(sentence);
  }

  /** Where a fix was told before, if it was; else it is told here. */
  tellFix(fix: string, where: string): string | undefined {
    const earlier = this.fixes.get(fix);
    if (earlier === undefined) this.fixes.set(fix, where);
    return earlier;
  }

  plan(): ClusterPlan {
    const { name, view, from, fromNote, to, reason, preparations, others } = this;
    return {
      cluster: name,
      resource: view.cluster,
      from,
      fromNote,
      to,
      reason,
      staying:
        from === undefined
          ? []
          : stayingAt(from, {
              asOf: this.asOf,
              supportType: supportTypeOf(view.cluster),
              isGiven: this.given !== undefined,
              view,
            }),
      preparations,
      steps: this.done,
      unseen: [...this.unseen],
      others,
    };
  }
}

function isOfSameStack(one: ClusterView, other: ClusterView): boolean {
  const stackOf = ({ nodeGroups, selfManagedNodeGroups, addons }: ClusterView) =>
    [...nodeGroups, ...selfManagedNodeGroups, ...addons][0]?.stack;
  return stackOf(one) === stackOf(other);
}

function supportTypeOf(cluster: Cluster | undefined): Known<string> | undefined {
  return cluster?.supportType.kind === 'known' ? cluster.supportType : undefined;
}

/** The version that a cluster has. */
function startOf(
  cluster: Cluster | undefined,
  given: string | undefined,
): { readonly version?: string; readonly note?: string | undefined; readonly why?: string } {
  if (given !== undefined) return { version: given, note: 'as --from says' };
  if (cluster === undefined) return { why: "the input doesn't declare it" };
  const before = beforeOf(cluster);
  const version = before?.version ?? cluster.version;
  const only = onlyText(version);
  if (only !== undefined)
    return { version: only, note: before === undefined ? noteOf(version) : 'as the plan says of what runs' };
  const values = alternativesOf(version);
  const unknown = values.find(({ value }) => value.kind === 'unknown')?.value;
  if (unknown?.kind === 'unknown') return { why: unknown.reason };
  return { why: values.length > 1 ? 'it depends on a condition' : 'it names none' };
}

function noteOf(version: Value<string>): string | undefined {
  const { note } = version as { readonly note?: string };
  return note;
}
