import {
  always,
  either,
  fewerAssumptions,
  isCovered,
  resourceName,
  type AnyNodeGroup,
  type Launch,
  type Resource,
} from '../eks';
import { listOf } from '../text/in-words';
import { keyOf } from './places';
import type { Judgement, LaunchJudgement, RelatedPlace, Severity } from './rule';

type AnyLaunch = Launch<AnyNodeGroup>;

/** A judgement, and the launches of which it holds. */
interface Group {
  readonly said: LaunchJudgement;
  readonly launches: readonly AnyLaunch[];
}

/**
 * What a rule says of the launches that one resource decides on, a launch template or a node group without one. The resource is what the fix
 * changes, so what is said of several launches is one judgement, which names their groups.
 */
export class LaunchJudgements {
  private readonly byLaunch = new Map<AnyLaunch, LaunchJudgement[]>();

  constructor(private readonly resource: Resource) {}

  add(judgement: LaunchJudgement): void {
    push(this.byLaunch, judgement.launch, judgement);
  }

  /** @throws what {@link Defect.tell} of a rule throws */
  *settled(): Generator<Judgement> {
    const groups = new Map<string, { readonly said: LaunchJudgement; readonly launches: AnyLaunch[] }>();
    for (const [launch, judgements] of this.byLaunch) {
      for (const said of casesOfLaunch(launch, judgements)) {
        const key = `${wordsOf(said)}|${whenOf(said).text}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, { said, launches: [launch] });
        else group.launches.push(launch);
      }
    }
    for (const group of gravest([...groups.values()])) yield toJudgement(this.resource, group);
  }
}

/** What is said alike in all cases doesn't depend on the conditions that tell them apart; what is said in some, on as few as possible. */
function casesOfLaunch({ nodeGroup, when }: AnyLaunch, judgements: readonly LaunchJudgement[]): LaunchJudgement[] {
  // The settings of a template that others use too may have cases that can't occur where the group exists.
  const possible = judgements.filter((judgement) => nodeGroup.exists.and(whenOf(judgement)) !== undefined);
  const within = nodeGroup.exists.and(when) ?? when;
  return grouped(possible, wordsOf).flatMap((alike) => {
    const isEverywhere = isCovered(within, alike.map(whenOf));
    if (isEverywhere) return [{ ...alike[0], when }];
    return grouped(alike, placeOf).flatMap((cases) => {
      const fewer = fewerAssumptions(cases.map(whenOf), when, within);
      if (fewer.length === cases.length) return cases;
      return fewer.map((one) => ({
        ...(cases.find((each) => whenOf(each).and(one) !== undefined) ?? cases[0]),
        when: one,
      }));
    });
  });
}

function whenOf({ when, launch }: LaunchJudgement): typeof always {
  return when ?? launch.when;
}

function wordsOf({ verdict, message, severity, reason, data }: LaunchJudgement): string {
  return JSON.stringify([verdict, message, severity, reason, data]);
}

function placeOf({ source }: LaunchJudgement): string {
  return source === undefined ? '' : keyOf(source);
}

/** Of the groups that show one defect at one place only the gravest are told, as one. */
function gravest(groups: readonly Group[]): readonly Group[] {
  return groups.length < 2 ? groups : grouped(groups, defectOf).map(asOne);
}

function defectOf(group: Group): unknown {
  const { said, launches } = group;
  if (said.verdict !== 'fail' || said.defect === undefined) return group;
  const { file, line } = (said.source ?? launches[0]?.nodeGroup.source ?? said.resource.source).locate();
  return `${file}:${line}`;
}

function asOne(groups: readonly [Group, ...Group[]]): Group {
  const [first] = groups;
  if (groups.length === 1) return first;
  const worst = groups.reduce((yet, group) => (rankOf(group) > rankOf(yet) ? group : yet), first);
  const alike = groups.filter((group) => rankOf(group) === rankOf(worst) && group.said.message === worst.said.message);
  const whens = fewerAssumptions(
    alike.map(({ said }) => whenOf(said)),
    always,
  );
  const [one = always, ...others] = whens.includes(always) ? [always] : whens;
  return {
    launches: alike.flatMap(({ launches }) => launches),
    said: {
      ...worst.said,
      data: dataOf(alike.map(({ said }) => said.data ?? {})),
      when: either([one, ...others]),
    },
  };
}

const RANKS: readonly (Severity | undefined)[] = ['info', 'warning', 'error', undefined];

/** A failure without a severity has that of its rule, which none exceeds. */
function rankOf({ said }: Group): number {
  return RANKS.indexOf(said.severity);
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

function toJudgement(resource: Resource, { said, launches }: Group): Judgement {
  const told = said.verdict === 'fail' ? (said.defect?.tell?.(launches) ?? {}) : {};
  return {
    ...said,
    when: whenOf(said),
    data: { ...said.data, ...told.data, where: whereOf(resource, launches) },
    related: [...usesOf(resource, launches), ...(said.related ?? []), ...(told.related ?? [])],
  };
}

/** `Launch template "Nodes" of node groups "A" and "B"`. */
function whereOf(resource: Resource, launches: readonly AnyLaunch[]): string {
  const nodeGroups = [...new Set(launches.map(({ nodeGroup }) => nodeGroup))];
  const names = nodeGroups
    .filter(({ isImplied }) => isImplied !== true)
    .map((nodeGroup) => `"${resourceName(nodeGroup)}"`);
  const groups = `node group${names.length > 1 ? 's' : ''} ${listOf(names)}`;
  const [only] = nodeGroups;
  if (only?.kind === 'self-managed-node-group' && only.nodeClass !== undefined)
    return `EC2NodeClass "${only.nodeClass.name}"`;
  if (resource === only || (only !== undefined && resource.partOf === only)) return `N${groups.slice(1)}`;
  // A file of user data: what launches with it is somewhere else.
  if (resource.isImplied === true) return `A launch template with "${resourceName(resource)}"`;
  const [first = '', ...rest] = launchSourceName(resource);
  return `${first.toUpperCase()}${rest.join('')} "${resourceName(resource)}"${names.length === 0 ? '' : ` of ${groups}`}`;
}

function usesOf(resource: Resource, launches: readonly AnyLaunch[]): RelatedPlace[] {
  return launches.flatMap(({ nodeGroup, template }) =>
    nodeGroup === resource || nodeGroup === resource.partOf
      ? []
      : [
          {
            message: `node group "${resourceName(nodeGroup)}" uses this ${launchSourceName(resource)}`,
            source: template.source,
          },
        ],
  );
}

/** What its kind is called in AWS. */
export function launchSourceName({ type }: Resource): 'launch configuration' | 'launch template' {
  return /launch_?configuration$/i.test(type) ? 'launch configuration' : 'launch template';
}

/** Lists of what has the same key, in the order of the first of each. */
function grouped<T>(items: readonly T[], key: (item: T) => unknown): [T, ...T[]][] {
  const groups = new Map<unknown, [T, ...T[]]>();
  for (const item of items) push(groups as Map<unknown, T[]>, key(item), item);
  return [...groups.values()];
}

function push<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
