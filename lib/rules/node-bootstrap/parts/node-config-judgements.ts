import { withoutIndices, type Judgement } from '../../../engine';
import { nodeConfigsOf, type BootCase, type EksModel, type NodeConfigs, type Source, type When } from '../../../eks';
import { correctedLines, type TextCorrection } from '../../../eks/user-data/correction';
import type { UserDataDocument } from '../../../eks/user-data/document';
import {
  NODE_CONFIG_PROBLEMS,
  type LocatedProblem,
  type NodeConfigReading,
  type NodeConfigSubject,
} from '../../../eks/user-data/node-config';
import { judgeAllUserData } from '../../parts/boot-judgements';
import { bootStateOf } from '../../parts/boot-state';
import type { LaunchOutcome } from '../../parts/launch-judgements';
import { lineAt } from '../../parts/about';

/** A boot of AL2023 nodes with the NodeConfigs in its user data. */
export interface NodeConfigBoot {
  readonly boot: BootCase;
  readonly document: UserDataDocument;
  readonly configs: NodeConfigs;
  /** EKS, or Karpenter, puts a NodeConfig of its own behind those of the user, and its values win. */
  readonly isMerged: boolean;
}

/**
 * Judges the boots of AL2023 nodes whose user data holds NodeConfigs that nodeadm gets at. All others aren't judged: that
 * something is missing, of the wrong format or broken is what other rules are about.
 */
export function* judgeNodeConfigs<M extends string>(
  model: EksModel,
  judge: (boot: NodeConfigBoot) => readonly LaunchOutcome<M>[],
): Generator<Judgement<M>> {
  yield* judgeAllUserData(model, ['AL2023'], (boot) => {
    const { document } = boot;
    if (document === undefined || !isJudged(boot)) return [];
    const configs = nodeConfigsOf(document);
    return configs === undefined ? [] : judge({ boot, document, configs, isMerged: isMergedBy(boot) });
  });
}

/** Whether the family is known to be AL2023, and its bootstrap is there, if not whole. */
export function isJudged(boot: BootCase): boolean {
  if (boot.family.kind !== 'known' || boot.family.value !== 'AL2023') return false;
  const state = bootStateOf(boot).kind;
  return state === 'own' || state === 'additions';
}

/** Whether somebody else's NodeConfig comes behind those of the user. */
export function isMergedBy({ bootstrapBy }: BootCase): boolean {
  return bootstrapBy === 'eks' || bootstrapBy === 'karpenter';
}

/** A problem and the NodeConfig that has it. */
export interface FoundProblem {
  readonly reading: NodeConfigReading;
  readonly problem: LocatedProblem;
  readonly severity: 'error' | 'warning' | 'info';
}

/** The problems of all NodeConfigs that a rule is about. */
export function problemsAbout(configs: NodeConfigs, subject: NodeConfigSubject): readonly FoundProblem[] {
  return configs.parts.flatMap(({ reading }) =>
    reading.problems.flatMap((problem): readonly FoundProblem[] => {
      const meaning = NODE_CONFIG_PROBLEMS[problem.kind];
      return meaning.subject === subject ? [{ reading, problem, severity: meaning.severity }] : [];
    }),
  );
}

/** A place in a NodeConfig: in the input, and as a line of the user data. */
export function placeOf(
  { body }: NodeConfigReading,
  offset: number,
): { readonly source: Source; readonly line: string } {
  return { source: body.sourceAt(offset), line: String(body.positionAt(offset).line) };
}

/** The place of the first of `paths` that the NodeConfigs set, where it is set last; of the first NodeConfig if they set none. */
export function placeOfMerged(
  { parts: [{ reading }], merged }: NodeConfigs,
  ...paths: readonly string[]
): ReturnType<typeof placeOf> {
  for (const path of paths) {
    const origin = merged.origin(path);
    if (origin !== undefined) return placeOf(origin.reading, origin.offset);
  }
  return placeOf(reading, Math.max(0, reading.body.text.search(/\S/)));
}

/** A failure at the line that has the problem, for a message with `{{line}}`, `{{what}}` and `{{problem}}`. */
export function failureOf<M extends string>(
  { reading, problem, severity }: FoundProblem,
  message: M,
  when: When,
): LaunchOutcome<M> {
  const { source, line } = placeOf(reading, problem.offset);
  return {
    verdict: 'fail',
    message,
    severity,
    source,
    data: { line, what: subjectOf(problem), problem: problem.message },
    about: aboutOf(reading, problem),
    ...correctedIn(reading, problem.correction),
    when,
  };
}

/** The lines that hold a correction of a NodeConfig, as a part of an outcome. */
export function correctedIn(
  { body }: NodeConfigReading,
  correction: TextCorrection | undefined,
): Pick<LaunchOutcome<string>, 'corrected'> {
  return correction === undefined ? {} : { corrected: correctedLines(body, correction) };
}

/** Which of the problems of NodeConfigs it is: by its field, or by its line where there is none, or an item of a list. */
function aboutOf({ body }: NodeConfigReading, { kind, path, offset }: LocatedProblem): string {
  const field = withoutIndices(path);
  return [kind, field, ...(path === '' || field !== path ? [lineAt(body, offset)] : [])].join(' ');
}

/** Field names aren't longer, unless somebody put something else there. */
const LONGEST_PATH = 120;

/** How messages call the value that a problem is about. */
function subjectOf({ path }: LocatedProblem): string {
  if (path === '') return 'it';
  return `\`${path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path}\``;
}
