import { instanceType, instanceTypesAsOf, type InstanceType } from '../../../knowledge';
import {
  alternativesOf,
  doubtOf,
  whereExists,
  type AnyNodeGroup,
  type Plain,
  type Source,
  type Unknown,
  type Value,
  type When,
} from '../../../eks';

/** One instance type that a group may start, under its assumption. */
export interface CandidateType {
  readonly type: InstanceType;
  readonly source: Source;
  readonly when: When;
  /** Its name as it is written. */
  readonly named: Plain<string>;
}

export interface CandidateTypes {
  readonly candidates: readonly CandidateType[];
  /** Why the candidates may not be all: the first type that isn't known, or that the table doesn't have. */
  readonly doubt: { readonly reason: string; readonly source: Source } | undefined;
}

/** The instance types that a group may start where an assumption holds, each that the table has. */
export function candidateTypesOf(nodeGroup: AnyNodeGroup, types: readonly Value<string>[], when: When): CandidateTypes {
  const { exists } = nodeGroup;
  const candidates: CandidateType[] = [];
  let doubt: CandidateTypes['doubt'];
  for (const alternative of types.flatMap((type) => alternativesOf(whereExists(nodeGroup, type)))) {
    const { value } = alternative;
    const both = when.and(alternative.when);
    if (both === undefined || value.kind === 'absent' || exists.and(both) === undefined) continue;
    if (value.kind === 'unknown') {
      doubt ??= { reason: `one of its instance types isn't known: ${value.reason}`, source: value.source };
      continue;
    }
    const known = instanceType(value.value);
    if (known === undefined)
      doubt ??= {
        reason: `instance type ${value.value} is not in the table of ${instanceTypesAsOf()}`,
        source: value.source,
      };
    else candidates.push({ type: known, source: value.source, when: both, named: value });
  }
  return { candidates, doubt };
}

/** Why an instance type can't be held against other settings of its group where it is started: one of them is a default that may be changed with it. */
export function doubtBetween(
  { named, when }: Pick<CandidateType, 'named' | 'when'>,
  others: readonly Plain<unknown>[],
): Unknown | undefined {
  for (const value of [named, ...others]) {
    const doubt = doubtOf(value, when);
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}
