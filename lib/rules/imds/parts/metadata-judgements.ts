import type { Judgement, Severity } from '../../../engine';
import {
  always,
  bootsByResource,
  either,
  fewerAssumptions,
  type EksModel,
  type NodeBoot,
  type When,
} from '../../../eks';
import {
  groupOutcomes,
  listOf,
  toJudgement,
  type LaunchOutcome,
  type OutcomeGroup,
} from '../../parts/launch-judgements';

type Group<M extends string> = OutcomeGroup<M>;

/**
 * Judges a metadata option of managed and self-managed nodes, like `judgeLaunches`. However many groups and branches of conditions show
 * that an option is wrong, it is one defect: what is wrong at one place is told once, at its highest severity.
 * @param tell what the finding says besides; it depends on all the launches that it is about
 */
export function* judgeMetadata<M extends string>(
  model: EksModel,
  judge: (launch: NodeBoot) => readonly LaunchOutcome<M>[],
  tell: (launches: readonly NodeBoot[]) => Pick<Judgement, 'data' | 'related'> = () => ({}),
): Generator<Judgement<M>> {
  for (const user of bootsByResource(model)) {
    const { passed, groups } = groupOutcomes(user, judge);
    if (passed) yield { verdict: 'pass', resource: user.resource };
    for (const { outcome, launches } of gravest(groups)) {
      const { data, related = [] } = outcome.verdict === 'fail' ? tell(launches) : {};
      yield toJudgement(user.resource, {
        launches,
        outcome: { ...outcome, data: { ...outcome.data, ...data }, related: [...(outcome.related ?? []), ...related] },
      });
    }
  }
}

/** Self-managed nodes always come from a launch template or launch configuration; not every way to name one is read. */
export function unseenOptions({ nodeGroup, template, when }: NodeBoot): LaunchOutcome<never> | undefined {
  const { kind, source } = template;
  if (kind === 'unknown')
    return { verdict: 'unverifiable', reason: `its launch template can't be judged: ${template.reason}`, source, when };
  if (kind === 'known' || nodeGroup.kind === 'node-group') return undefined;
  return { verdict: 'unverifiable', reason: 'it names no launch template, or several of them', source, when };
}

function gravest<M extends string>(groups: readonly Group<M>[]): readonly Group<M>[] {
  if (groups.length < 2) return groups;
  const byPlace = new Map<unknown, [Group<M>, ...Group<M>[]]>();
  for (const group of groups) {
    const place = group.outcome.verdict === 'fail' ? placeOf(group) : group;
    const others = byPlace.get(place);
    if (others === undefined) byPlace.set(place, [group]);
    else others.push(group);
  }
  return [...byPlace.values()].map(asOne);
}

function placeOf({ outcome, launches }: Group<string>): string {
  const { file, line } = (outcome.source ?? launches[0]?.nodeGroup.source)?.locate() ?? { file: '', line: 0 };
  return `${file}:${line}`;
}

function asOne<M extends string>(groups: readonly [Group<M>, ...Group<M>[]]): Group<M> {
  const [first] = groups;
  if (groups.length === 1) return first;
  const worst = groups.reduce((gravestYet, group) => (rankOf(group) > rankOf(gravestYet) ? group : gravestYet), first);
  const alike = groups.filter(
    (group) => rankOf(group) === rankOf(worst) && group.outcome.message === worst.outcome.message,
  );
  return {
    launches: alike.flatMap(({ launches }) => launches),
    outcome: {
      ...worst.outcome,
      data: dataOf(alike.map(({ outcome }) => outcome.data ?? {})),
      when: together(alike.map(({ outcome }) => outcome.when)),
    },
  };
}

const RANKS: readonly (Severity | undefined)[] = ['info', 'warning', 'error', undefined];

/** A failure without a severity has that of its rule, which none exceeds. */
function rankOf({ outcome }: Group<string>): number {
  return RANKS.indexOf(outcome.severity);
}

/** What the cases have found, one after the other; what doesn't hold in all of them is left out. */
function dataOf(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((key) => {
      const values = [...new Set(all.map((data) => data[key] ?? ''))];
      if (values.includes('')) return [key, ''];
      return [key, values.every((value) => value.endsWith('.')) ? values.join(' ') : listOf(values)];
    }),
  );
}

function together(assumptions: readonly When[]): When {
  const [first = always, ...others] = fewerAssumptions(assumptions, always);
  return first === always || others.includes(always) ? always : either([first, ...others]);
}
