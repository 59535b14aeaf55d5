import { instanceType, instanceTypesAsOf, type InstanceType } from '../../knowledge';
import { alternativesOf, whereExists, type NodeGroup, type Source, type Value, type When } from '../../model';

/** One instance type that a group may start, under its assumption. */
export interface CandidateType {
  readonly type: InstanceType;
  readonly source: Source;
  readonly when: When;
}

export interface CandidateTypes {
  readonly candidates: readonly CandidateType[];
  /** Why the candidates may not be all: the first type that isn't known, or that the table doesn't have. */
  readonly doubt: { readonly reason: string; readonly source: Source } | undefined;
}

/** The instance types that a group may start where an assumption holds, each that the table has. */
export function candidateTypesOf(nodeGroup: NodeGroup, types: readonly Value<string>[], when: When): CandidateTypes {
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
    if (known === undefined) doubt ??= { reason: `instance type ${value.value} is not in the table of ${instanceTypesAsOf()}`, source: value.source };
    else candidates.push({ type: known, source: value.source, when: both });
  }
  return { candidates, doubt };
}
