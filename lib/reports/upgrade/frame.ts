import type { Diagnostic } from '../../engine';
import type { ClusterPlan, Task, UpgradePlans } from '../../upgrade/plan';
import { knowledgeNotes } from '../summary';
import { addonRow, byPhase, PHASE_TITLES, stepTitle, sumOf, supportOfStep, unreadOf } from './words';

/** What a heading is of: a part of the plan, a step, or a part of a step. */
export type HeadingLevel = 'part' | 'step' | 'phase';

/** How a format writes what all of them say, in the order in which they say it. */
export interface PlanWriter<T> {
  /** What the plan is about, why it has no steps, and what staying means. */
  opening(plan: ClusterPlan, asOf: string): Iterable<T>;
  /** @param detail what stands beside it, of steps */
  heading(level: HeadingLevel, title: string, detail?: string): Iterable<T>;
  tasks(tasks: readonly Task[]): Iterable<T>;
  /** Rows below those of `ADDON_HEAD`. */
  addons(rows: readonly (readonly string[])[]): Iterable<T>;
  list(sentences: readonly string[]): Iterable<T>;
  /** How much there is to do. */
  sum(sentence: string): Iterable<T>;
  closing(): Iterable<T>;
  unread(title: string, diagnostics: readonly Diagnostic[]): Iterable<T>;
  note(text: string): Iterable<T>;
}

/** All plans of an input, and what of the input they are without. */
export function* writePlans<T>(plans: UpgradePlans, writer: PlanWriter<T>): Iterable<T> {
  for (const plan of plans.plans) {
    yield* writer.opening(plan, plans.asOf);
    if (plan.reason === undefined) yield* writeSteps(plan, writer);
    yield* writer.closing();
  }
  const unread = unreadOf(plans);
  if (unread.length > 0) yield* writer.unread('Not everything was read', unread);
  for (const note of knowledgeNotes(plans)) yield* writer.note(note);
}

function* writeSteps<T>(plan: ClusterPlan, writer: PlanWriter<T>): Iterable<T> {
  const { preparations, steps, unseen } = plan;
  if (preparations.length > 0) {
    yield* writer.heading('part', 'Before the first step');
    yield* writer.tasks(preparations);
  }
  for (const [index, step] of steps.entries()) {
    yield* writer.heading('step', stepTitle(step, index, plan), supportOfStep(step));
    if (step.addons.length > 0) yield* writer.addons(step.addons.map(addonRow));
    for (const [phase, tasks] of byPhase(step.tasks)) {
      yield* writer.heading('phase', PHASE_TITLES[phase]);
      yield* writer.tasks(tasks);
    }
    if (step.unseen.length === 0) continue;
    yield* writer.heading('phase', "Can't be told");
    yield* writer.list(step.unseen);
  }
  yield* writer.heading('part', "What this plan can't see");
  yield* writer.list(unseen);
  yield* writer.sum(sumOf(plan));
}
