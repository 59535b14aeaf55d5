import { typeName, type Source } from '../../eks';
import { jsonText } from '../../text/json-text';
import type { AddonStep, ClusterPlan, Phase, Task, TaskLevel, UpgradePlans, UpgradeStep } from '../../upgrade/plan';
import type { JsonDiagnostic, JsonLocation } from '../json';

/**
 * What `upgrade --format json` prints. No key is ever left out; what doesn't exist is `null`.
 * @internal tests read it
 */
export interface JsonUpgrade {
  /** Version of the tool that wrote it. */
  readonly version: string;
  /** The day that is planned for, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** The version to reach: that of `latest` and `standard`, too. */
  readonly to: string;
  /** The file of newer rows that was used, the day of these, and the tables that have some. */
  readonly knowledge: { readonly file: string; readonly asOf: string; readonly tables: readonly string[] } | null;
  /** Tables that were more than 90 days old on the day. */
  readonly oldTables: readonly { readonly name: string; readonly asOf: string }[];
  readonly clusters: readonly JsonClusterPlan[];
  readonly diagnostics: readonly JsonDiagnostic[];
}

interface JsonClusterPlan {
  readonly cluster: string;
  /** `null` if the input doesn't declare the cluster. */
  readonly resource: { readonly type: string; readonly id: string; readonly path: string | null } | null;
  readonly location: JsonLocation | null;
  /** `null` if nothing tells the version that it has. */
  readonly from: string | null;
  readonly to: string;
  /** Why there are no steps. */
  readonly reason: { readonly kind: 'nothing-to-do' | 'newer' | 'unknown'; readonly text: string } | null;
  /** What staying at `from` means and costs, as sentences. */
  readonly staying: readonly string[];
  /** What to see to before the first step. */
  readonly preparations: readonly JsonTask[];
  readonly steps: readonly JsonStep[];
  /** What the plan can't see, as sentences. */
  readonly unseen: readonly string[];
  /** Findings of today's input that have nothing to do with the upgrade. */
  readonly others: { readonly errors: number; readonly warnings: number };
}

interface JsonStep {
  readonly from: string;
  readonly to: string;
  /** Support of `to` on the day: until when, or since when it has ended. */
  readonly support: { readonly kind: string; readonly until: string | null };
  readonly addons: readonly JsonAddonStep[];
  /** In the order in which they are done. */
  readonly tasks: readonly JsonTask[];
  /** What can't be told of this step, as sentences. */
  readonly unseen: readonly string[];
}

interface JsonAddonStep {
  readonly name: string;
  readonly id: string;
  readonly state: AddonStep['state'];
  /** The version that the input pins. */
  readonly from: string | null;
  /** The version to change to. */
  readonly to: string | null;
  /** What EKS installs for the new Kubernetes version where none is given, on the day of the table. */
  readonly default: string | null;
  readonly newest: string | null;
}

interface JsonTask {
  readonly phase: Phase;
  readonly level: TaskLevel;
  readonly text: string;
  readonly fix: string | null;
  readonly code: { readonly language: string; readonly text: string } | null;
  /** Id of the rule that says so; `null` if the upgrade itself or a table does. */
  readonly rule: string | null;
  /** What it is about; `null` for the cluster as a whole. */
  readonly resource: string | null;
  readonly location: JsonLocation | null;
}

/** Plans for programs. */
export function upgradeJson(
  { asOf, to, plans, diagnostics, knowledge, oldTables = [] }: UpgradePlans,
  version: string,
): string {
  const report: JsonUpgrade = {
    version,
    asOf,
    to,
    knowledge: knowledge ?? null,
    oldTables,
    clusters: plans.map(clusterJson),
    diagnostics: diagnostics.map(({ severity, message, file, line, column }) => ({
      severity,
      message,
      file,
      line,
      column,
    })),
  };
  return `${jsonText(report, 2)}\n`;
}

function clusterJson(plan: ClusterPlan): JsonClusterPlan {
  const { cluster, resource, from, to, reason, staying, preparations, steps, unseen, others } = plan;
  return {
    cluster,
    resource:
      resource === undefined ? null : { type: typeName(resource), id: resource.id, path: resource.path ?? null },
    location: locationOf(resource?.source),
    from: from ?? null,
    to,
    reason: reason ?? null,
    staying,
    preparations: preparations.map(taskJson),
    steps: steps.map(stepJson),
    unseen,
    others,
  };
}

function stepJson({ from, to, support, addons, tasks, unseen }: UpgradeStep): JsonStep {
  return {
    from,
    to,
    support: { kind: support.kind, until: 'until' in support ? support.until : null },
    addons: addons.map((addon) => ({
      name: addon.name,
      id: addon.resource.id,
      state: addon.state,
      from: addon.from ?? null,
      to: addon.to ?? null,
      default: addon.standard ?? null,
      newest: addon.newest ?? null,
    })),
    tasks: tasks.map(taskJson),
    unseen,
  };
}

function taskJson({ phase, level, text, fix, code, rule, resource, source }: Task): JsonTask {
  return {
    phase,
    level,
    text,
    fix: fix ?? null,
    code: code ?? null,
    rule: rule?.id ?? null,
    resource: resource?.id ?? null,
    location: locationOf(source),
  };
}

function locationOf(source: Source | undefined): JsonLocation | null {
  if (source === undefined) return null;
  const { file, line, column, property } = source.locate();
  return file === '' ? null : { file, line, column, property: property ?? null };
}
