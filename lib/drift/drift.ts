import type { AddonEffect } from '../knowledge';
import type { Diagnostic, InputSummary, Resource, Source } from '../value';

/*
 * What the next deployment of some code does to a cluster that runs, as far as the two show it.
 */

/** What a difference is about. */
export type DriftSubject = 'cluster' | 'add-on' | 'node group' | 'launch template' | 'role';

/**
 * - `reset`: a setting that somebody made in the cluster goes back to what the code, or the add-on, says
 * - `stops`: the deployment stops with it, or may
 * - `breaks`: something that works in the cluster can't do so any more
 * - `replaced`: what runs is replaced by another
 * - `changed`: it gets another value
 * - `differs`: it has another value, and this deployment doesn't touch it
 * - `created`: the code has it, and the cluster doesn't
 * - `not in code`: the cluster has it, and the code doesn't
 * - `unknown`: it can't be compared
 */
export type DriftStatus =
  | 'reset'
  | 'stops'
  | 'breaks'
  | 'replaced'
  | 'changed'
  | 'differs'
  | 'created'
  | 'not in code'
  | 'unknown';

/** What nobody wants to find out by a deployment. */
const ACTIONABLE: ReadonlySet<DriftStatus> = new Set(['reset', 'stops', 'breaks', 'replaced']);

export function isActionable({ status }: Pick<DriftItem, 'status'>): boolean {
  return ACTIONABLE.has(status);
}

/** One difference. */
export interface DriftItem {
  readonly subject: DriftSubject;
  /** What the cluster calls it, or else the code. */
  readonly name: string;
  readonly status: DriftStatus;
  /** Which of its settings, `env.ENABLE_POD_ENI`. @default - the whole */
  readonly setting?: string;
  /** What the cluster has; undefined if it has nothing, or that isn't known. */
  readonly live?: string | undefined;
  /** What it gets, or what the code says where it isn't touched; undefined if that is nothing, or isn't known. */
  readonly code?: string | undefined;
  /** What happens and why, in sentences. */
  readonly text: string;
  /** When the change begins to act. @default - no source says when, or nothing changes */
  readonly bites?: AddonEffect | undefined;
  /** Where the code says it. */
  readonly inCode?: Source | undefined;
  /** Where the answer tells what is. */
  readonly inLive?: Source | undefined;
}

/** What there is to say of one cluster. */
export interface ClusterDrift {
  /** What the cluster is called. */
  readonly name: string;
  /** Of the answers, where they are. */
  readonly live: Resource;
  /** Of the code; undefined if it only declares parts of the cluster. */
  readonly code: Resource | undefined;
  /** Configuration values that keep what would be reset. @default - nothing would, or nothing keeps it */
  readonly pin?: object | undefined;
  /** What needs a decision comes first. */
  readonly items: readonly DriftItem[];
  /** What was compared and is the same. */
  readonly same: readonly string[];
  /** What can't be seen, as sentences. */
  readonly unseen: readonly string[];
}

/** What `drift` has found out. */
export interface DriftReport {
  readonly clusters: readonly ClusterDrift[];
  readonly inputs: readonly InputSummary[];
  readonly diagnostics: readonly Diagnostic[];
}

const ORDER: readonly DriftStatus[] = [
  'stops',
  'reset',
  'breaks',
  'replaced',
  'unknown',
  'changed',
  'differs',
  'created',
  'not in code',
];

/** What needs a decision comes first; of one kind, in the order in which it was found. */
export function inOrder(items: readonly DriftItem[]): readonly DriftItem[] {
  return items.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
}
