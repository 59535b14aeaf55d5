import { resourceName, type Judgement, type RelatedPlace } from '../../engine';
import {
  always,
  fewerAssumptions,
  isCovered,
  launchesByResource,
  type AnyNodeGroup,
  type EksModel,
  type Launch,
  type LaunchUser,
  type Resource,
  type Unknown,
  type When,
} from '../../eks';

/** What a rule makes of one case of one launch; {@link judgeLaunches} adds the resource and tells who is concerned. */
export interface LaunchOutcome<M extends string> extends Omit<Judgement<M>, 'resource' | 'when'> {
  /** The assumption of the case, the launch's own included. */
  readonly when: When;
}

/** Outcomes of one resource that say the same thing, of however many node groups. */
export interface OutcomeGroup<M extends string, L extends AnyLaunch = AnyLaunch> {
  readonly outcome: LaunchOutcome<M>;
  readonly launches: readonly L[];
}

type AnyLaunch = Launch<AnyNodeGroup>;

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
  for (const user of launchesByResource(model)) yield* judgeUser(user, judge);
}

/** The same for one resource and whatever it launches. */
export function* judgeUser<L extends AnyLaunch, M extends string>(
  user: LaunchUser<L>,
  judge: (launch: L) => readonly LaunchOutcome<M>[],
): Generator<Judgement<M>> {
  const { passed, groups } = groupOutcomes(user, judge);
  if (passed) yield { verdict: 'pass', resource: user.resource };
  for (const group of groups) yield toJudgement(user.resource, group);
}

/** What a rule makes of all launches of a resource: whether one of them passes, and what else comes out, each with its launches. */
export function groupOutcomes<L extends AnyLaunch, M extends string>(
  { launches }: LaunchUser<L>,
  judge: (launch: L) => readonly LaunchOutcome<M>[],
): { readonly passed: boolean; readonly groups: readonly OutcomeGroup<M, L>[] } {
  let passed = false;
  let groups: Map<string, { readonly outcome: LaunchOutcome<M>; readonly launches: L[] }> | undefined;
  for (const launch of launches) {
    const outcomes = judge(launch);
    // By far the most of a large input.
    if (outcomes === PASSED) {
      passed = true;
      continue;
    }
    for (const outcome of withoutIdleConditions(possible(outcomes, launch), launch.when, launch.nodeGroup.exists)) {
      // What nobody will read isn't grouped.
      if (outcome.verdict === 'pass') {
        passed = true;
        continue;
      }
      const key = `${outcomeKey(outcome)}|${outcome.when.text}`;
      const group = (groups ??= new Map<string, { outcome: LaunchOutcome<M>; launches: L[] }>()).get(key);
      if (group === undefined) groups.set(key, { outcome, launches: [launch] });
      else group.launches.push(launch);
    }
  }
  return { passed, groups: groups === undefined ? [] : [...groups.values()] };
}

/** Without the cases that can't occur where the group exists; the settings of a template that others use too may have some. */
function possible<M extends string>(
  outcomes: readonly LaunchOutcome<M>[],
  { nodeGroup }: AnyLaunch,
): readonly LaunchOutcome<M>[] {
  if (outcomes.every(({ when }) => when === always)) return outcomes;
  const { exists } = nodeGroup;
  return exists === always ? outcomes : outcomes.filter(({ when }) => exists.and(when) !== undefined);
}

/** What comes out in every case doesn't depend on the conditions that tell the cases apart. Cases that a rule says nothing about count. */
export function withoutIdleConditions<M extends string>(
  outcomes: readonly LaunchOutcome<M>[],
  when: When,
  exists = always,
): readonly LaunchOutcome<M>[] {
  const [only] = outcomes;
  if (only === undefined || (outcomes.length === 1 && only.when === when)) return outcomes;
  const alike = new Map<string, [LaunchOutcome<M>, ...LaunchOutcome<M>[]]>();
  for (const outcome of outcomes) {
    const key = outcomeKey(outcome);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [outcome]);
    else others.push(outcome);
  }
  const all = exists.and(when) ?? when;
  return [...alike.values()].flatMap((same) =>
    isCovered(
      all,
      same.map((outcome) => outcome.when),
    )
      ? [{ ...same[0], when }]
      : withFewerConditions(same, when, all),
  );
}

/** What comes out at one place in some of the cases depends on as few conditions as possible. */
function withFewerConditions<M extends string>(
  same: readonly LaunchOutcome<M>[],
  when: When,
  all: When,
): readonly LaunchOutcome<M>[] {
  const [first] = same;
  if (first === undefined || same.length === 1 || first.verdict === 'pass') return same;
  const byPlace = new Map<string, [LaunchOutcome<M>, ...LaunchOutcome<M>[]]>();
  for (const outcome of same) {
    const place = outcome.source?.locate();
    const key = place === undefined ? '' : `${place.file}:${place.line}:${place.column}`;
    const others = byPlace.get(key);
    if (others === undefined) byPlace.set(key, [outcome]);
    else others.push(outcome);
  }
  return [...byPlace.values()].flatMap((outcomes) => {
    const fewer = fewerAssumptions(
      outcomes.map((outcome) => outcome.when),
      when,
      all,
    );
    return fewer.length === outcomes.length
      ? outcomes
      : fewer.map((one) => ({
          ...(outcomes.find((outcome) => outcome.when.and(one) !== undefined) ?? outcomes[0]),
          when: one,
        }));
  });
}

function outcomeKey(outcome: LaunchOutcome<string>): string {
  const { verdict, message, severity, reason, data } = outcome;
  return JSON.stringify([verdict, message, severity, reason, data]);
}

export function toJudgement<M extends string>(
  resource: Resource,
  { outcome, launches }: OutcomeGroup<M>,
): Judgement<M> {
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

function whereOf(resource: Resource, nodeGroups: readonly AnyNodeGroup[]): string {
  const names = nodeGroups
    .filter(({ isImplied }) => isImplied !== true)
    .map((nodeGroup) => `"${resourceName(nodeGroup)}"`);
  const groups = `node group${names.length > 1 ? 's' : ''} ${listOf(names)}`;
  const [only] = nodeGroups;
  if (resource === only) return `N${groups.slice(1)}`;
  // A file of user data: what launches with it is somewhere else.
  if (resource.isImplied === true) return `A launch template with "${resourceName(resource)}"`;
  const kind = isConfiguration(resource) ? 'Launch configuration' : 'Launch template';
  return `${kind} "${resourceName(resource)}"${names.length === 0 ? '' : ` of ${groups}`}`;
}

/** What its kind is called in AWS. */
export function launchSourceName(resource: Resource): 'launch configuration' | 'launch template' {
  return isConfiguration(resource) ? 'launch configuration' : 'launch template';
}

function isConfiguration({ type }: Resource): boolean {
  return /launch_?configuration$/i.test(type);
}

function usesOf(resource: Resource, launches: readonly AnyLaunch[]): RelatedPlace[] {
  return launches.flatMap(({ nodeGroup, template }) =>
    nodeGroup === resource
      ? []
      : [
          {
            message: `node group "${resourceName(nodeGroup)}" uses this ${launchSourceName(resource)}`,
            source: template.source,
          },
        ],
  );
}

/** Nothing to object to: what most launches come to, so it costs nothing where no condition is involved. */
export function passing(when: When): readonly LaunchOutcome<never>[] {
  return when === always ? PASSED : [{ verdict: 'pass', when }];
}

const PASSED: readonly LaunchOutcome<never>[] = [{ verdict: 'pass', when: always }];

/** A group whose launch template can't be seen, so that nothing about it can be told. */
export function unseenTemplate(template: Unknown, when: When): LaunchOutcome<never> {
  return {
    verdict: 'unverifiable',
    reason: `its launch template can't be judged: ${template.reason}`,
    source: template.source,
    when,
  };
}

/** How many things a message names before it only counts them. */
const MOST_NAMES = 6;

/** `a`, `a and b`, `a, b and c`; of a long list the first few and how many more there are. */
export function listOf(items: readonly string[]): string {
  const shown =
    items.length > MOST_NAMES ? [...items.slice(0, MOST_NAMES - 1), `${items.length - MOST_NAMES + 1} more`] : items;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
