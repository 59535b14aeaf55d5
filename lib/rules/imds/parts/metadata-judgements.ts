import type { Defect, LaunchJudgement } from '../../../engine';
import { bootsByResource, type EksModel, type NodeBoot } from '../../../eks';
import { judgeLaunches, type LaunchOutcome } from '../../parts/launch-judgements';

/**
 * Judges a metadata option of managed and self-managed nodes. However many groups and branches of conditions show that an option is wrong, it is
 * one defect.
 * @param tell what the finding says besides; it depends on all the launches that it is about
 */
export function* judgeMetadata<M extends string>(
  model: EksModel,
  judge: (launch: NodeBoot) => readonly LaunchOutcome<M>[],
  tell?: Defect['tell'],
): Generator<LaunchJudgement<M>> {
  const defect: Defect = tell === undefined ? {} : { tell };
  for (const judgement of judgeLaunches(bootsByResource(model), judge)) yield { ...judgement, defect };
}

/** Self-managed nodes always come from a launch template or launch configuration; not every way to name one is read. */
export function unseenOptions({ nodeGroup, template, when }: NodeBoot): LaunchOutcome<never> | undefined {
  const { kind, source } = template;
  if (kind === 'unknown')
    return { verdict: 'unverifiable', reason: `its launch template can't be judged: ${template.reason}`, source, when };
  if (kind === 'known' || nodeGroup.kind === 'node-group') return undefined;
  return { verdict: 'unverifiable', reason: 'it names no launch template, or several of them', source, when };
}
