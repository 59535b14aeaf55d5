import type { ConfigProblem, EksModel } from '../../../eks';
import type { Judgement } from '../../../engine';

/** What a rule says of a problem. */
export type Told<M extends string> = Pick<Judgement<M>, 'severity' | 'data' | 'about'> & { readonly message: M };

/**
 * Judges the problems of configuration files; a file of whose problems a rule tells none passes it.
 * @param tell undefined of a problem that another rule tells
 */
export function* judgeProblems<M extends string>(
  model: EksModel,
  tell: (problem: ConfigProblem) => Told<M> | undefined,
): Generator<Judgement<M>> {
  for (const resource of model.configurationFiles) {
    let isTold = false;
    for (const problem of resource.problems) {
      const told = tell(problem);
      if (told === undefined) continue;
      isTold = true;
      yield { ...told, verdict: 'fail', resource, source: problem.source, ...correction(problem) };
    }
    if (!isTold) yield { verdict: 'pass', resource };
  }
}

function correction(problem: ConfigProblem): Pick<Judgement, 'corrected'> {
  if (!('removed' in problem) || problem.removed === undefined) return {};
  const { file, first, lines } = problem.removed;
  return { corrected: { file, first, before: lines, after: [] } };
}
