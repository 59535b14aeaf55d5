import { resourceName, type Judgement, type RelatedPlace } from '../engine';
import { always, launchesByResource, type EksModel, type Launch, type NodeGroup, type Resource, type Unknown, type When } from '../model';

/** What a rule makes of one case of one launch; {@link judgeLaunches} adds the resource and tells who is concerned. */
export interface LaunchOutcome<M extends string> extends Omit<Judgement<M>, 'resource' | 'when'> {
  /** The assumption of the case, the launch's own included. */
  readonly when: When;
}

/** Outcomes of one resource that say the same thing, of however many node groups. */
interface Group<M extends string> {
  readonly outcome: LaunchOutcome<M>;
  readonly launches: Launch[];
}

/**
 * Judges what a launch template, or its absence, does to the node groups that use it. The launch template is the
 * resource that the fix changes, so one that several groups share is reported once per distinct outcome, with the
 * groups named; a group without (visible) launch template is reported itself.
 *
 * Messages get the placeholder `{{where}}`: `Launch template "Nodes" of node groups "A" and "B"`.
 */
export function* judgeLaunches<M extends string>(
  model: EksModel,
  judge: (launch: Launch) => readonly LaunchOutcome<M>[],
): Generator<Judgement<M>> {
  for (const { resource, launches } of launchesByResource(model)) {
    let passed = false;
    let groups: Map<string, Group<M>> | undefined;
    for (const launch of launches) {
      for (const outcome of withoutIdleConditions(possible(judge(launch), launch), launch.when)) {
        // By far the most outcomes; a large input can't afford to group what nobody will read.
        if (outcome.verdict === 'pass') passed = true;
        else addTo((groups ??= new Map<string, Group<M>>()), outcome, launch);
      }
    }
    if (passed) yield { verdict: 'pass', resource };
    if (groups !== undefined) for (const group of groups.values()) yield toJudgement(resource, group);
  }
}

function addTo<M extends string>(groups: Map<string, Group<M>>, outcome: LaunchOutcome<M>, launch: Launch): void {
  const key = `${outcomeKey(outcome)}|${outcome.when.text}`;
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { outcome, launches: [launch] });
  else group.launches.push(launch);
}

/** Without the cases that can't occur where the group exists; the settings of a template that others use too may have some. */
function possible<M extends string>(outcomes: readonly LaunchOutcome<M>[], { nodeGroup }: Launch): readonly LaunchOutcome<M>[] {
  if (outcomes.every(({ when }) => when === always)) return outcomes;
  const { exists } = nodeGroup;
  return exists === always ? outcomes : outcomes.filter(({ when }) => exists.and(when) !== undefined);
}

/** Cases that all come to the same don't depend on the conditions that tell them apart. */
function withoutIdleConditions<M extends string>(outcomes: readonly LaunchOutcome<M>[], when: When): readonly LaunchOutcome<M>[] {
  const [first] = outcomes;
  if (first === undefined) return outcomes;
  if (outcomes.length > 1) {
    const key = outcomeKey(first);
    if (!outcomes.every((other) => outcomeKey(other) === key)) return outcomes;
  } else if (first.when === when) {
    return outcomes;
  }
  return [{ ...first, when }];
}

function outcomeKey(outcome: LaunchOutcome<string>): string {
  const { verdict, message, severity, reason, data } = outcome;
  return JSON.stringify([verdict, message, severity, reason, data]);
}

function toJudgement<M extends string>(resource: Resource, { outcome, launches }: Group<M>): Judgement<M> {
  const { when, data, related = [], ...rest } = outcome;
  const nodeGroups = [...new Set(launches.map((launch) => launch.nodeGroup))];
  return {
    ...rest,
    resource,
    data: { ...data, where: whereOf(resource, nodeGroups) },
    related: [...usesOf(resource, launches), ...related],
    ...(when === always ? {} : { when }),
  };
}

function whereOf(resource: Resource, nodeGroups: readonly NodeGroup[]): string {
  const names = nodeGroups.map((nodeGroup) => `"${resourceName(nodeGroup)}"`);
  const groups = `node group${names.length > 1 ? 's' : ''} ${listOf(names)}`;
  const [only] = nodeGroups;
  return resource === only ? `N${groups.slice(1)}` : `Launch template "${resourceName(resource)}" of ${groups}`;
}

function usesOf(resource: Resource, launches: readonly Launch[]): RelatedPlace[] {
  return launches.flatMap(({ nodeGroup, template }) =>
    nodeGroup === resource ? [] : [{ message: `node group "${resourceName(nodeGroup)}" uses this launch template`, source: template.source }],
  );
}

/** Nothing to object to: what most launches come to, so it costs nothing where no condition is involved. */
export function passing(when: When): readonly LaunchOutcome<never>[] {
  return when === always ? PASSED : [{ verdict: 'pass', when }];
}

const PASSED: readonly LaunchOutcome<never>[] = [{ verdict: 'pass', when: always }];

/** A group whose launch template can't be seen, so that nothing about it can be told. */
export function unseenTemplate(template: Unknown, when: When): LaunchOutcome<never> {
  return { verdict: 'unverifiable', reason: `its launch template can't be judged: ${template.reason}`, source: template.source, when };
}

/** How many things a message names before it only counts them. */
const MOST_NAMES = 6;

/** `a`, `a and b`, `a, b and c`; of a long list the first few and how many more there are. */
export function listOf(items: readonly string[]): string {
  const shown = items.length > MOST_NAMES ? [...items.slice(0, MOST_NAMES - 1), `${items.length - MOST_NAMES + 1} more`] : items;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
