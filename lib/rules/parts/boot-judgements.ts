import type { LaunchJudgement } from '../../engine';
import {
  alternativesOf,
  amiFamilyOf,
  bootCasesOf,
  bootsByResource,
  bootsWithUserData,
  nodeClassBoots,
  type AmiFamily,
  type BootCase,
  type EksModel,
  type LaunchUser,
  type NodeBoot,
} from '../../eks';
import { judgeLaunches, unseenTemplate, type LaunchOutcome } from './launch-judgements';

/**
 * Judges how the machines of managed and self-managed groups become nodes; like `judgeLaunches`, with the boot taken apart into
 * its cases. A launch template that the input doesn't hold is unverifiable.
 * @param families the operating systems that the rule is about; groups that surely have another aren't judged
 */
export function judgeBoots<M extends string>(
  model: EksModel,
  families: readonly AmiFamily[],
  judge: BootJudge<M>,
): Generator<LaunchJudgement<M>> {
  return judgeUsers(bootsByResource(model), families, judge);
}

/** The same for rules that have nothing to say of machines without user data. */
export function judgeUserData<M extends string>(
  model: EksModel,
  families: readonly AmiFamily[],
  judge: BootJudge<M>,
): Generator<LaunchJudgement<M>> {
  return judgeUsers(bootsWithUserData(model), families, judge);
}

/** The same for rules that say something of the user data of Karpenter's node classes, too. */
export function* judgeAllUserData<M extends string>(
  model: EksModel,
  families: readonly AmiFamily[],
  judge: BootJudge<M>,
): Generator<LaunchJudgement<M>> {
  yield* judgeUserData(model, families, judge);
  yield* judgeUsers(nodeClassBoots(model), families, judge);
}

type BootJudge<M extends string> = (boot: BootCase) => readonly LaunchOutcome<M>[];

function judgeUsers<M extends string>(
  users: readonly LaunchUser<NodeBoot>[],
  families: readonly AmiFamily[],
  judge: BootJudge<M>,
): Generator<LaunchJudgement<M>> {
  const concerns = (family: AmiFamily | undefined) => family === undefined || families.includes(family);
  const judgeOne = (boot: NodeBoot): readonly LaunchOutcome<M>[] => {
    const { template, when, nodeGroup, view } = boot;
    if (template.kind !== 'unknown') {
      return bootCasesOf(boot).flatMap((one) =>
        concerns(one.family.kind === 'known' ? one.family.value : undefined) ? judge(one) : [],
      );
    }
    const isConcerned = alternativesOf(amiFamilyOf(nodeGroup, view)).some(({ value }) =>
      concerns(value.kind === 'known' ? value.value : undefined),
    );
    return isConcerned ? [unseenTemplate(template, when)] : [];
  };
  return judgeLaunches(users, judgeOne);
}

/** Every operating system, for rules that concern all of them. */
export const EVERY_FAMILY: readonly AmiFamily[] = ['AL2', 'AL2023', 'BOTTLEROCKET', 'WINDOWS'];
