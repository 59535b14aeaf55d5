import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import {
  alternativesOf,
  Known,
  launchTemplateOf,
  resourceName,
  sourceOf,
  type AnyNodeGroup,
  type ClusterView,
  type EksModel,
  type Resource,
} from '../eks';
import { compareVersions } from '../knowledge';
import { earlyMoves, familyTasks, replacedGroups, withLookupsFirst } from './amazon-linux-2';
import { addonSteps, addonTasks } from './addons';
import { isSamePlace } from './decided';
import { isNewer, kept, onAl2023, PLANNED, versionNow, withVersion } from './changes';
import { isOfEksctl, onlyText } from './commands';
import { autoModeTasks, controlPlaneTask } from './control-plane';
import {
  autoscalerTasks,
  goneApiTasks,
  karpenterPreparations,
  nodeClassTasks,
  removedApiTasks,
} from './kubernetes-objects';
import { concernsEveryUpdate, isLag, isOther, newFindings, taskOf } from './new-findings';
import { idleClusters, turnedOffText, unplanned } from './idle-clusters';
import { translated } from './node-config';
import { fargateTasks, hybridTasks, nodeTasks, skewText, surgeTasks } from './nodes';
import { PHASES, type AddonStep, type Task, type UpgradePlans } from './plan';
import { isByEks, startVersion, targetVersion, UpgradeError } from './route';
import { selfManagedOf, selfManagedPreparations, selfManagedTasks } from './self-managed-addons';
import { supportFor } from './support-dates';
import { Travel } from './travel';
import { unplacedOf, unplacedPreparations, unplacedTasks } from './unplaced-objects';
import { unseenOf } from './unseen';
import { isSame, keyOf, WhatIf } from './what-if';

/** What is asked for. */
export interface UpgradeRequest {
  /** A version, `latest` or `standard`. */
  readonly to: string;
  /** The version that the clusters have. @default - what the input says */
  readonly from?: string | undefined;
  /** The day for which is planned. */
  readonly asOf: string;
}

/** Checks the input as if some of it were otherwise. */
type CheckWith = (whatIf: WhatIf) => CheckResult;

/**
 * Plans the upgrade of every cluster of an input. The rules say what there is to do: they judge the input as it would be after each step, and
 * what they find then, and not before, is the work of that step.
 * @throws UpgradeError for a request that makes no sense, or if nothing of the input can be planned
 */
export function planUpgrades(check: CheckWith, { to, from, asOf }: UpgradeRequest): UpgradePlans {
  const target = targetVersion(to, asOf);
  const given = from === undefined ? undefined : startVersion(from, asOf);
  const written = check(WhatIf.asWritten);
  const { model, diagnostics } = written;
  const views = model.clusterViews.filter((view) =>
    view.cluster !== undefined ? view.cluster.isNotEnabled !== true : hasParts(view),
  );
  const idle = idleClusters(views);
  const travels = views
    .filter(({ cluster }) => cluster === undefined || !idle.includes(cluster))
    .map((view) => new Travel(view, given, target, asOf));
  const isUnread = diagnostics.some(({ severity }) => severity === 'error');
  if (travels.length === 0 && !isUnread)
    throw new UpgradeError(
      turnedOffText(written.turnedOff ?? []) ??
        'the input declares neither a cluster of EKS nor anything that belongs to one',
    );
  const moving = travels.filter(({ steps }) => steps.length > 0);
  const older = travels.find(({ reason }) => reason?.kind === 'newer');
  if (moving.length === 0 && older?.reason !== undefined) throw new UpgradeError(older.reason.text);
  const unknown = travels.find(({ reason }) => reason?.kind === 'unknown');
  if (moving.length === 0 && travels.every(({ reason }) => reason?.kind === 'unknown') && unknown?.reason !== undefined)
    throw new UpgradeError(unknown.reason.text);
  if (moving.length > 0) new Journey(check, asOf, moving, written).run();
  const { knowledge, oldTables } = written;
  return {
    asOf,
    to: target,
    diagnostics: [...diagnostics, ...unplanned(idle, written.turnedOff ?? [])],
    plans: travels.map((travel) => travel.plan()),
    ...(knowledge === undefined ? {} : { knowledge }),
    ...(oldTables === undefined ? {} : { oldTables }),
  };
}

function hasParts({ nodeGroups, selfManagedNodeGroups, addons }: ClusterView): boolean {
  return nodeGroups.length + selfManagedNodeGroups.length + addons.length > 0;
}

/** All clusters on their way together, each by its own steps. */
class Journey {
  private state = WhatIf.asWritten;
  private present: CheckResult;

  constructor(
    private readonly check: CheckWith,
    private readonly asOf: string,
    private readonly travels: readonly Travel[],
    { model }: CheckResult,
  ) {
    for (const travel of travels) this.state = this.moved(travel, model, travel.from ?? '', true);
    this.present = check(this.state);
    for (const travel of travels) this.prepare(travel);
  }

  run(): void {
    const most = Math.max(...this.travels.map(({ steps }) => steps.length));
    for (let index = 0; index < most; index++) this.step(index);
    for (const travel of this.travels) {
      travel.preparations = inOrder(travel.preparations.map((task) => asNote(task, travel)));
      travel.tell(unseenOf(travel.in(this.present.model), this.present.model, travel.steps));
    }
  }

  private prepare(travel: Travel): void {
    const { findings, model } = this.present;
    const view = travel.in(model);
    const own = findings.filter((finding) => travel.owns(finding, model));
    const { from = '' } = travel;
    const [oldest = from] = [from, ...view.nodeGroups.flatMap(({ version }) => onlyText(version) ?? [])].sort(
      compareVersions,
    );
    const skew =
      view.nodeGroups.length + view.selfManagedNodeGroups.length === 0 ? undefined : skewText(oldest, travel.steps);
    travel.preparations = this.told(travel, 'before the first step', [
      ...travel.refused(),
      ...own.filter(concernsEveryUpdate).flatMap((finding) => taskOf(finding, { isPreparation: true }) ?? []),
      ...earlyMoves(own, view, from, travel.to),
      ...familyTasks(view, from, travel.to),
      ...goneApiTasks(view, from),
      ...karpenterPreparations(view, from, travel.steps),
      ...unplacedPreparations(unplacedOf(view, model), from, travel.steps),
      ...selfManagedPreparations(selfManagedOf(view, model), view, { from, first: travel.steps[0], asOf: this.asOf }),
      ...(skew === undefined ? [] : [{ phase: 'before', level: 'note', text: skew, resource: view.cluster } as const]),
      ...surgeTasks(view),
    ]);
    const rest = own.filter((finding) => isOther(finding));
    const count = (severity: Finding['severity']) => rest.filter((finding) => finding.severity === severity).length;
    travel.others = { errors: count('error'), warnings: count('warning') };
  }

  /** Clusters that have arrived stay as they are. */
  private step(index: number): void {
    const travels = this.travels.filter(({ steps }) => index < steps.length);
    const before = this.present;
    let whatIf = this.state;
    for (const travel of travels) {
      const { cluster } = travel.in(before.model);
      const to = travel.steps[index] ?? '';
      if (cluster !== undefined) whatIf = whatIf.with(cluster, 'version', (written) => versionNow(written, to));
    }
    const controlPlane = this.check(whatIf);
    const addons = new Map<Travel, readonly AddonStep[]>();
    for (const travel of travels) {
      const { model } = controlPlane;
      const question = this.questionOf(travel, index, controlPlane);
      const steps = addonSteps(question);
      addons.set(travel, steps);
      whatIf = this.moved(travel, model, travel.steps[index] ?? '', false, whatIf);
      for (const { resource, state, to } of steps) {
        const addon = question.view.addons.find((one) => one === resource);
        if (state === 'changes' && to !== undefined && addon !== undefined)
          whatIf = whatIf.with(addon, 'version', (written) => new Known(to, sourceOf(written), PLANNED));
      }
    }
    const moved = this.check(whatIf);
    const replaced = new Map<Travel, readonly AnyNodeGroup[]>();
    const translations = new Map<Travel, Task[]>();
    let replacedAny = false;
    for (const travel of travels) {
      const groups = replacedGroups(newFindings(moved, before), travel.in(moved.model));
      replaced.set(travel, groups);
      for (const group of groups) {
        replacedAny = true;
        const { whatIf: next, tasks } = this.replaced(group, moved, travel.steps[index] ?? '', whatIf);
        whatIf = next;
        translations.set(travel, [...(translations.get(travel) ?? []), ...tasks]);
      }
    }
    const after = replacedAny ? this.check(whatIf) : moved;
    for (const travel of travels) {
      const fresh = [
        ...newFindings(controlPlane, before).map((finding) => ({ finding, model: controlPlane.model })),
        ...newFindings(moved, before, controlPlane).map((finding) => ({ finding, model: moved.model })),
        ...newFindings(after, before, controlPlane, moved).map((finding) => ({ finding, model: after.model })),
      ].filter(({ finding, model }) => travel.owns(finding, model));
      const question = this.questionOf(travel, index, controlPlane);
      const { view, from, to } = question;
      // Over several versions at once all nodes lag, and nothing can be done about it before.
      const own = isByEks(from, to) ? fresh.filter(({ finding }) => !isLag(finding)) : fresh;
      const steps = addons.get(travel) ?? [];
      const keys = new Set((replaced.get(travel) ?? []).map(keyOf));
      const state = { from, to, isFirst: index === 0 };
      travel.done.push({
        from,
        to,
        support: supportFor(view.cluster, to, this.asOf),
        addons: steps,
        tasks: this.told(
          travel,
          `in the step to ${to}`,
          withLookupsFirst(
            withTheirAddon([
              controlPlaneTask({ view, from, to, isLast: index === travel.steps.length - 1, asOf: this.asOf }),
              ...removedApiTasks(view, from, to),
              ...unplacedTasks(unplacedOf(view, controlPlane.model), from, to),
              ...addonTasks(question, steps),
              ...selfManagedTasks(selfManagedOf(view, controlPlane.model), view, state),
              ...autoscalerTasks(view, from, to),
              ...own.flatMap(({ finding }) =>
                finding.verdict === 'fail' && !isToldByReplacement(finding, keys) ? (taskOf(finding) ?? []) : [],
              ),
              ...(translations.get(travel) ?? []),
              ...nodeTasks({
                view,
                from,
                to,
                replaced: keys,
                better: betterReplaced(fresh.map(({ finding }) => finding)),
              }),
              ...nodeClassTasks(view, from, to),
              ...fargateTasks(view, to),
              ...hybridTasks(view, to),
              ...(state.isFirst ? autoModeTasks(view, to) : []),
            ]),
            view,
          ),
        ),
        unseen: unique(fresh.flatMap(({ finding }) => (finding.verdict === 'unverifiable' ? [finding.message] : []))),
      });
    }
    this.state = whatIf;
    this.present = after;
  }

  private questionOf(travel: Travel, index: number, checked: CheckResult) {
    return {
      view: travel.in(checked.model),
      from: index === 0 ? (travel.from ?? '') : (travel.steps[index - 1] ?? ''),
      to: travel.steps[index] ?? '',
      isFirst: index === 0,
      checked,
    };
  }

  /** In their order. What to do about the same, in the same words, is told at full length once. */
  private told(travel: Travel, where: string, tasks: readonly Task[]): readonly Task[] {
    return inOrder(tasks).map((task) => {
      const { rule, resource, fix, code } = task;
      if (rule === undefined || fix === undefined) return task;
      const earlier = travel.tellFix(JSON.stringify([rule.id, resource?.stack, resource?.id, fix, code]), where);
      return earlier === undefined ? task : { ...task, fix: `As told ${earlier}.`, code: undefined };
    });
  }

  /** Nodes with a version of their own, or an AMI of one, get the one of the step. */
  private moved(travel: Travel, model: EksModel, to: string, isStart: boolean, given = this.state): WhatIf {
    const view = travel.in(model);
    let whatIf = given;
    if (isStart && view.cluster !== undefined)
      whatIf = whatIf.with(view.cluster, 'version', (written) => versionNow(written, to));
    for (const group of view.nodeGroups) {
      const own = onlyText(group.version);
      // What the input says of tomorrow isn't what runs today.
      const isMoved = isStart ? isNewer(own, to) : own !== undefined;
      if (isStart) whatIf = whatIf.with(group, 'amiType', (written) => kept(written, to));
      if (isMoved) whatIf = whatIf.with(group, 'version', (written) => versionNow(written, to));
    }
    if (isStart) return whatIf;
    for (const group of [...view.nodeGroups, ...view.selfManagedNodeGroups]) {
      for (const { value } of alternativesOf(launchTemplateOf(group)))
        if (value.kind === 'known') whatIf = whatIf.with(value.value, 'imageId', (written) => withVersion(written, to));
    }
    return whatIf;
  }

  /** What a group is whose system has no image for the version: the rules' own advice, followed. */
  private replaced(
    group: AnyNodeGroup,
    { findings, model, secrets }: CheckResult,
    to: string,
    given: WhatIf,
  ): { readonly whatIf: WhatIf; readonly tasks: readonly Task[] } {
    let whatIf = given;
    const advice = findings.find(({ rule, resource }) => rule === 'ami-type-kubernetes-version' && resource === group);
    const repair = advice?.repairs?.find((one) => one.kind === 'set' && one.field === 'amiType');
    if (repair?.kind === 'set' && group.kind === 'node-group')
      whatIf = whatIf.with(group, 'amiType', (written) => new Known(String(repair.to), sourceOf(written), PLANNED));
    const tasks: Task[] = [];
    for (const { value } of alternativesOf(launchTemplateOf(group))) {
      if (value.kind !== 'known') continue;
      const template = value.value;
      whatIf = whatIf.with(template, 'imageId', (written) => onAl2023(written, to));
      const translation = translated(template, model, to);
      if (translation === undefined) continue;
      whatIf = whatIf.with(template, 'userData', () => new Known(translation.userData, sourceOf(template.userData)));
      // What eksctl writes by itself, it writes for AL2023, too.
      if (isOfEksctl(group) && isSamePlace(translation.source, group.source)) continue;
      tasks.push({
        phase: 'nodes',
        level: 'must',
        text: `AL2023 has no \`bootstrap.sh\`: nodeadm reads a NodeConfig. This is what the call in launch template "${resourceName(template)}" sets, to be put into a part \`application/node.eks.aws\` of multipart user data.`,
        fix: translation.notes.length === 0 ? undefined : translation.notes.join(' '),
        code: { language: 'yaml', text: secrets?.hide(translation.yaml) ?? translation.yaml },
        resource: template,
        source: translation.source,
      });
    }
    return { whatIf, tasks };
  }
}

/** What an update of an add-on does to it is no work of an upgrade in which the input updates it in no step. */
function asNote(task: Task, { done }: Travel): Task {
  if (task.rule?.id !== 'vpc-cni-resolve-conflicts' || task.level !== 'should') return task;
  const states = done.flatMap(({ addons }) =>
    addons.flatMap(({ resource, state }) => (isSame(resource, task.resource) ? [state] : [])),
  );
  const isLeft = states.length > 0 && states.every((state) => state === 'keeps' || state === 'unpinned');
  return isLeft ? { ...task, level: 'note' } : task;
}

/** What belongs to an add-on that moves before the control plane is done then, too. */
function withTheirAddon(tasks: readonly Task[]): readonly Task[] {
  const nameOf = ({ resource }: Task) => JSON.stringify([resource?.stack, resource?.id]);
  const early = new Set(tasks.filter(({ phase, resource }) => phase === 'before' && isAddon(resource)).map(nameOf));
  return tasks.map((task) =>
    task.phase === 'add-ons' && early.has(nameOf(task)) ? { ...task, phase: 'before' } : task,
  );
}

/** A group that is replaced gets the launch template that the advice to replace it brings, and its hop limit. */
function isToldByReplacement({ rule, resource }: Finding, replaced: ReadonlySet<string>): boolean {
  return rule === 'imds-hop-limit' && 'kind' in resource && replaced.has(keyOf(resource as AnyNodeGroup));
}

/** Keys of the groups of which a new one is advised, although the old one goes on for now. */
function betterReplaced(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ rule, verdict, resource }) =>
      rule === 'ami-type-kubernetes-version' &&
      verdict === 'fail' &&
      'kind' in resource &&
      resource.kind === 'node-group'
        ? [keyOf(resource as AnyNodeGroup)]
        : [],
    ),
  );
}

function isAddon(resource: Resource | undefined): boolean {
  return resource !== undefined && 'kind' in resource && resource.kind === 'addon';
}

/** In the order in which they are done; what must be done first, each once. */
function inOrder(tasks: readonly Task[]): readonly Task[] {
  const rank = ({ phase, level }: Task) => PHASES.indexOf(phase) * LEVELS.length + LEVELS.indexOf(level);
  const seen = new Set<string>();
  return tasks
    .filter((task) => {
      const key = JSON.stringify([task.phase, task.text, task.source?.locate()]);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

const LEVELS: readonly Task['level'][] = ['must', 'should', 'note'];

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
