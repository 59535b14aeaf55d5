import { type Judgement, type RelatedPlace } from '../../../engine';
import {
  alternativesOf,
  amiFamilyOf,
  bootCasesOf,
  bootsByResource,
  casesOf,
  cniCasesOf,
  cniTitleWithin,
  dataAt,
  except,
  nodeConfigsOf,
  nodeMaxPodsOf,
  nodeTypesOf,
  otherCnisOf,
  type AmiFamily,
  type BootCase,
  type ClusterView,
  type CniCase,
  type EksModel,
  type NodeBoot,
  type NodeMaxPods,
  type NodeTypes,
  type Plain,
  type When,
} from '../../../eks';
import { settingsOutsideAddon } from '../../../eks/analysis/addon-evidence';
import { ipFamilyOf, type IpFamily } from '../../../eks/analysis/ip-family';
import { parseIpv4Range } from '../../../eks/networking/cidr';
import { CAPACITY_SETTINGS } from '../../../eks/networking/node-capacity';
import { bootStateOf } from '../../parts/boot-state';
import { judgeLaunches, passing, unseenTemplate, type LaunchOutcome } from '../../parts/launch-judgements';

/** The nodes of a sound boot of a Linux group, beside the CNI that gives their pods addresses, under one assumption. */
export interface MaxPodsCase {
  readonly boot: BootCase;
  readonly cni: CniCase;
  readonly family: AmiFamily | undefined;
  readonly types: NodeTypes;
  /** Undefined when the cluster's isn't known. */
  readonly ipFamily: IpFamily | undefined;
  /** Why the IP family isn't known. */
  readonly ipFamilyReason: string;
  readonly setting: NodeMaxPods;
  readonly when: When;
}

/**
 * Judges how many pods kubelet takes against what the VPC CNI has addresses for. Groups of clusters whose CNI nothing in the input
 * configures aren't judged, nor Windows groups, where pods without an address aren't scheduled at all; where another CNI may give the
 * addresses, nothing fails.
 * @param concerns whether the rule has anything to say about a CNI with these settings
 */
export function* judgeMaxPods<M extends string>(
  model: EksModel,
  concerns: (cni: CniCase) => boolean,
  judge: (one: MaxPodsCase) => readonly LaunchOutcome<M>[],
): Generator<Judgement<M>> {
  const cnisByView = new Map<ClusterView, readonly CniCase[]>();
  for (const view of model.clusterViews) cnisByView.set(view, cniCasesOf(view).filter(concerns));
  const judgeOne = (boot: NodeBoot): readonly LaunchOutcome<M>[] => {
    const cnis = cnisByView.get(boot.view) ?? [];
    if (cnis.length === 0 || !mayRunLinux(boot)) return [];
    const { template } = boot;
    if (template.kind === 'unknown')
      return cnis.flatMap(({ when }) => together(boot.when, when).map((both) => unseenTemplate(template, both)));
    return bootCasesOf(boot).flatMap((one) => judgeBoot(one, cnis, judge));
  };
  yield* judgeLaunches(bootsByResource(model), judgeOne);
}

function mayRunLinux({ nodeGroup, view }: NodeBoot): boolean {
  return alternativesOf(amiFamilyOf(nodeGroup, view)).some(
    ({ value }) => value.kind !== 'known' || value.value !== 'WINDOWS',
  );
}

function together(one: When, other: When): readonly When[] {
  const both = one.and(other);
  return both === undefined ? [] : [both];
}

function judgeBoot<M extends string>(
  boot: BootCase,
  cnis: readonly CniCase[],
  judge: (one: MaxPodsCase) => readonly LaunchOutcome<M>[],
): readonly LaunchOutcome<M>[] {
  const {
    family,
    boot: { nodeGroup, view },
  } = boot;
  if (family.kind === 'known' && family.value === 'WINDOWS') return [];
  const state = bootStateOf(boot);
  const isSound = state.kind === 'own' || state.kind === 'additions' || state.kind === 'eks-alone';
  if (!isSound && state.kind !== 'unknown') return [];
  const setting: NodeMaxPods | undefined = state.kind === 'unknown' ? state : nodeMaxPodsOf(boot);
  if (setting === undefined) return [];
  const ipFamily = ipFamilyOf(view);
  // What nearly every group leaves to EKS is right, whatever nodes it has.
  if (setting.kind === 'eks' && ipFamily.kind === 'known')
    return ipFamily.value === 'ipv6' ? [] : cnis.flatMap((cni) => together(boot.when, cni.when).flatMap(passing));
  return cnis.flatMap((cni) =>
    together(boot.when, cni.when).flatMap((both) =>
      casesOf(nodeGroup, { ip: ipFamily }, both).flatMap(({ when, values: { ip } }) =>
        nodeTypesOf(nodeGroup).flatMap((types) =>
          together(when, types.when).flatMap((all) =>
            besideOtherCnis(
              view,
              judge({
                boot,
                cni,
                types,
                family: family.kind === 'known' ? family.value : undefined,
                ipFamily: ip.kind === 'known' ? ip.value : familyOfNodes(boot),
                ipFamilyReason: reasonOf(ip, view),
                setting,
                when: all,
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

function reasonOf(ip: Plain<IpFamily>, { name }: ClusterView): string {
  return ip.kind === 'unknown' ? ip.reason : `the IP family of cluster ${name} isn't known`;
}

const MOST_CASES = 32;

/** What is wrong with the VPC CNI's addresses is so only where it gives them. */
function besideOtherCnis<M extends string>(
  view: ClusterView,
  outcomes: readonly LaunchOutcome<M>[],
): readonly LaunchOutcome<M>[] {
  const others = otherCnisOf(view);
  if (others.length === 0) return outcomes;
  return outcomes.flatMap((outcome): readonly LaunchOutcome<M>[] => {
    if (outcome.verdict !== 'fail') return [outcome];
    let rest: readonly When[] = [outcome.when];
    const open: LaunchOutcome<M>[] = [];
    for (const { reason, source, when } of others) {
      open.push(
        ...rest
          .flatMap((one) => together(one, when))
          .map((both): LaunchOutcome<M> => ({ verdict: 'unverifiable', reason, source, when: both })),
      );
      rest = except(rest, when);
      // More combinations than can be told apart.
      if (rest.length > MOST_CASES)
        return [
          ...open,
          ...rest.map((one): LaunchOutcome<M> => ({ verdict: 'unverifiable', reason, source, when: one })),
        ];
      if (rest.length === 0) break;
    }
    return [...open, ...rest.map((when) => ({ ...outcome, when }))];
  });
}

/** The service range that a node is given is of the family of its cluster. */
function familyOfNodes({ document }: BootCase): IpFamily | undefined {
  const configs = document === undefined ? undefined : nodeConfigsOf(document);
  const range = configs === undefined ? undefined : dataAt(configs.merged.data, 'spec', 'cluster', 'cidr');
  return typeof range === 'string' && parseIpv4Range(range) !== undefined ? 'ipv4' : undefined;
}

/** Whether something else in the input than the CNI's own configuration turns prefix delegation on. */
export function hasPrefixesByPatch(view: ClusterView): boolean {
  let found = patched.get(view);
  if (found === undefined) {
    found = settingsOutsideAddon(view).some(({ path }) => path.join('.') === CAPACITY_SETTINGS.prefixDelegation);
    patched.set(view, found);
  }
  return found;
}

const patched = new WeakMap<ClusterView, boolean>();

/** What says how the CNI works, for the related places of a finding. */
export function cniPlace({ resource, source }: CniCase, what: string): RelatedPlace {
  return {
    message: `${cniTitleWithin(resource, '"')} ${what}`,
    source,
  };
}

/** What sets the instance types, for the related places of a finding; none where nothing does. */
export function typesPlace({ isDefault, source }: NodeTypes): readonly RelatedPlace[] {
  return [{ message: isDefault ? 'no instance type is named, so EKS starts t3.medium' : 'the instance types', source }];
}

/** How the number of pods is set in the user data of an operating system. */
export function maxPodsCode(family: AmiFamily | undefined, pods: number): string {
  if (family === 'AL2') return `/etc/eks/bootstrap.sh … --use-max-pods false --kubelet-extra-args '--max-pods=${pods}'`;
  if (family === 'BOTTLEROCKET') return `[settings.kubernetes]\nmax-pods = ${pods}`;
  return `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet:\n    config:\n      maxPods: ${pods}`;
}

/** The names of instance types, each once. */
export function namesOf(types: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(types.map(({ name }) => name))];
}
