import type { CheckResult } from '../check';
import type { Diagnostic } from '../engine';
import type { Cluster, Resource, Source } from '../eks';
import type { Support } from '../rules/parts/version-support';

/**
 * When something is to be done, in this order: before the control plane gets its new version, the control plane itself, the add-ons, then the
 * nodes. Source: EKS user guide, "Update existing cluster to new Kubernetes version"; EKS best practices guide, "Cluster upgrades".
 */
export const PHASES = ['before', 'control-plane', 'add-ons', 'nodes'] as const;
export type Phase = (typeof PHASES)[number];

/**
 * - `must`: without it the upgrade stops, or something of the cluster breaks
 * - `should`: it works for now
 * - `note`: good to know
 */
export type TaskLevel = 'must' | 'should' | 'note';

/** One thing to do, or to know. */
export interface Task {
  readonly phase: Phase;
  readonly level: TaskLevel;
  /** One or two sentences. */
  readonly text: string;
  /** What to do about it, in words. @default - the text says it */
  readonly fix?: string | undefined;
  /** What to write. @default - nothing that could be pasted */
  readonly code?: { readonly language: string; readonly text: string } | undefined;
  /** What it is about. @default - the cluster */
  readonly resource?: Resource | undefined;
  /** Where the change goes. @default - nowhere in the input */
  readonly source?: Source | undefined;
  /** The rule that says so. @default - a table or the upgrade itself */
  readonly rule?: { readonly id: string; readonly docs: string } | undefined;
}

/** What becomes of an add-on in one step. */
export interface AddonStep {
  readonly resource: Resource;
  /** `vpc-cni` */
  readonly name: string;
  /** What the input pins when the step begins. @default - it pins none, or that isn't known */
  readonly from?: string | undefined;
  /**
   * - `keeps`: EKS offers its version for the new Kubernetes version
   * - `changes`: to `to`
   * - `unpinned`, `looked-up`: the input names no version, or asks AWS for one
   * - `unknown`: nothing is known of its version, or of the add-on
   */
  readonly state: 'keeps' | 'changes' | 'unpinned' | 'looked-up' | 'unknown';
  readonly to?: string | undefined;
  /** What EKS installs where no version is given, on the day of the table. */
  readonly standard: string | undefined;
  readonly newest: string | undefined;
}

/** One minor version. */
export interface UpgradeStep {
  readonly from: string;
  readonly to: string;
  readonly support: Support;
  readonly addons: readonly AddonStep[];
  /** In the order in which they are done. */
  readonly tasks: readonly Task[];
  /** What can't be told of this step. */
  readonly unseen: readonly string[];
}

/** How a cluster gets from one Kubernetes version to another. */
export interface ClusterPlan {
  /** How the cluster is called. */
  readonly cluster: string;
  /** Undefined if the input doesn't declare it. */
  readonly resource: Cluster | undefined;
  /** Undefined if nothing tells it. */
  readonly from: string | undefined;
  /** Who says what it has: `--from`, or where its version stands. */
  readonly fromNote: string | undefined;
  readonly to: string;
  /** Why there are no steps; undefined if there are some. */
  readonly reason: { readonly kind: 'nothing-to-do' | 'newer' | 'unknown'; readonly text: string } | undefined;
  /** Support of the version that it has, and what staying costs, as sentences. */
  readonly staying: readonly string[];
  /** What every upgrade trips over: today's findings about updates and drains. */
  readonly preparations: readonly Task[];
  readonly steps: readonly UpgradeStep[];
  /** What the plan can't see. */
  readonly unseen: readonly string[];
  /** Findings of today's input that have nothing to do with the upgrade. */
  readonly others: { readonly errors: number; readonly warnings: number };
}

/** All plans for an input. */
export interface UpgradePlans {
  readonly asOf: string;
  readonly to: string;
  readonly plans: readonly ClusterPlan[];
  /** As of a check: newer rows that were used, and tables that are old. */
  readonly knowledge?: NonNullable<CheckResult['knowledge']>;
  readonly oldTables?: NonNullable<CheckResult['oldTables']>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether something of the input has to change, or be made sure of, for the upgrade to go through; moving versions isn't that. */
export function isBlocked({ preparations, steps }: ClusterPlan): boolean {
  return [...preparations, ...steps.flatMap(({ tasks }) => tasks)].some(
    ({ level, phase, rule }) => level === 'must' && (phase !== 'control-plane' || rule !== undefined),
  );
}
