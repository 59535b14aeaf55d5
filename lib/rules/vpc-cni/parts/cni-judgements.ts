import { type Judgement, type RelatedPlace, type Severity } from '../../../engine';
import {
  alternativesOf,
  cniCasesOf,
  cniTitle,
  hasNoOwnNodes,
  type CniCase,
  type ClusterView,
  type EksModel,
} from '../../../eks';
import { ipFamilyOf, type IpFamily } from '../../../eks/analysis/ip-family';

/** What a rule says of one case of a VPC CNI's configuration. */
export type CniOutcome<M extends string> =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'unverifiable'; readonly reason: string }
  | {
      readonly verdict: 'fail';
      readonly message: M;
      readonly severity?: Severity;
      readonly data?: Readonly<Record<string, string>>;
      readonly about?: string;
      readonly related?: readonly RelatedPlace[];
    };

/** A case of the configuration, and the IP family that goes with it; undefined when it isn't known. */
export interface JudgedCase extends CniCase {
  readonly view: ClusterView;
  readonly ipFamily: IpFamily | undefined;
}

/**
 * Judges every VPC CNI that the input configures, case by case. What all cases of one resource say alike is said once and without the
 * conditions that tell them apart. Clusters on which no pod of aws-node runs are left out: what the CNI makes of its settings shows nowhere. Messages get `{{what}}`: `Add-on Cni`, `Helm release Cni`.
 * @param where `everywhere` for what the API server or EKS refuses whatever nodes there are
 */
export function* judgeCniSettings<M extends string>(
  model: EksModel,
  judge: (one: JudgedCase) => readonly CniOutcome<M>[],
  where: 'on nodes' | 'everywhere' = 'on nodes',
): Generator<Judgement<M>> {
  for (const view of model.clusterViews) {
    const isJudged = ({ when }: JudgedCase) => where === 'everywhere' || !hasNoOwnNodes(view, model, when);
    for (const judged of judgedCasesOf(view))
      yield* judged.flatMap((one) => (isJudged(one) ? judge(one).map((outcome) => toJudgement(one, outcome)) : []));
  }
}

/** The cases of each resource that configures the VPC CNI of a cluster; worked out once. */
function judgedCasesOf(view: ClusterView): readonly (readonly JudgedCase[])[] {
  let found = judgedCases.get(view);
  if (found === undefined) {
    const byResource = new Map<CniCase['resource'], JudgedCase[]>();
    for (const one of cniCasesOf(view)) {
      const list = byResource.get(one.resource);
      if (list === undefined) byResource.set(one.resource, perFamily(one, view));
      else list.push(...perFamily(one, view));
    }
    found = [...byResource.values()];
    judgedCases.set(view, found);
  }
  return found;
}

const judgedCases = new WeakMap<ClusterView, readonly (readonly JudgedCase[])[]>();

function perFamily(one: CniCase, view: ClusterView): JudgedCase[] {
  return alternativesOf(ipFamilyOf(view)).flatMap(({ when, value }): JudgedCase[] => {
    const both = one.when.and(when);
    return both === undefined
      ? []
      : [{ ...one, view, when: both, ipFamily: value.kind === 'known' ? value.value : undefined }];
  });
}

function toJudgement<M extends string>({ resource, source, when }: JudgedCase, outcome: CniOutcome<M>): Judgement<M> {
  const common = { resource, source, when };
  if (outcome.verdict !== 'fail') return { ...common, ...outcome };
  const what = cniTitle(resource);
  return { ...common, ...outcome, data: { what, ...outcome.data } };
}
