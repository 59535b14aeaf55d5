import type { AddonStep, ClusterPlan, Phase, Task, UpgradePlans, UpgradeStep } from '../../upgrade/plan';
import { shortText } from '../../upgrade/support-dates';
import { count } from '../prose';

/* What all formats of a plan say in the same words. */

export const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  before: 'Before the control plane',
  'control-plane': 'Control plane',
  'add-ons': 'Add-ons',
  nodes: 'Nodes',
};

/** `Upgrade of cluster "main" from Kubernetes 1.31 to 1.34`. */
export function titleOf({ cluster, from, to, reason }: ClusterPlan): string {
  return reason === undefined
    ? `Upgrade of cluster "${cluster}" from Kubernetes ${from ?? ''} to ${to}`
    : `No upgrade of cluster "${cluster}" to Kubernetes ${to}`;
}

/** `Step 1 of 3: 1.31 to 1.32`. */
export function stepTitle(step: UpgradeStep, index: number, { steps }: ClusterPlan): string {
  return `Step ${index + 1} of ${steps.length}: ${step.from} to ${step.to}`;
}

export function supportOfStep({ to, support }: UpgradeStep): string {
  return `${to}: ${shortText(support)}`;
}

/** The row of an add-on: what it has, and what becomes of it. */
export function addonRow({ name, from, state, to, standard, newest }: AddonStep): readonly string[] {
  const then = {
    keeps: 'stays',
    changes: to ?? '',
    unpinned: 'not pinned',
    'looked-up': 'what AWS offers',
    unknown: 'not known',
  }[state];
  return [name, from ?? '-', then, standard ?? '-', newest ?? '-'];
}

export const ADDON_HEAD: readonly string[] = ['Add-on', 'Now', 'Then', 'Default', 'Newest'];

/** Tasks by their phase, in order. */
export function byPhase(tasks: readonly Task[]): readonly (readonly [Phase, readonly Task[]])[] {
  const phases = new Map<Phase, Task[]>();
  for (const task of tasks) {
    const known = phases.get(task.phase);
    if (known === undefined) phases.set(task.phase, [task]);
    else known.push(task);
  }
  return [...phases];
}

/** How much there is to do, in a sentence. */
export function sumOf(plan: ClusterPlan): string {
  const tasks = [...plan.preparations, ...plan.steps.flatMap((step) => step.tasks)].filter(
    ({ phase }) => phase !== 'control-plane',
  );
  const number = (level: Task['level']) => tasks.filter((task) => task.level === level).length;
  const { errors, warnings } = plan.others;
  const others =
    errors + warnings === 0
      ? ''
      : ` Of today's input, check tells ${count(errors, 'error')} and ${count(warnings, 'warning')} more, which have nothing to do with the upgrade.`;
  return `${count(plan.steps.length, 'step')}; besides the control plane ${count(number('must'), 'task')} that must be done, and ${number('should')} that should.${others}`;
}

/** Of all plans: what of the input they are without. */
export function unreadOf({ diagnostics }: UpgradePlans): UpgradePlans['diagnostics'] {
  return diagnostics.filter(({ severity, skipped }) => severity === 'error' || skipped !== undefined);
}
