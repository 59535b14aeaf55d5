import type { Job } from './jobs';
import type { Problem } from './recheck';
import type { RefusedJob, RepairedTexts } from './repairs';

/** Some jobs, done in memory and checked. */
export interface Trial extends RepairedTexts {
  readonly problems: readonly Problem[];
}

/** So many times a whole input is checked to find out which jobs do harm; then all that may be to blame are given up. */
const MOST_TRIALS = 64;

/** More than a resource has items that a rule shows one by one. */
const MOST_STEPS = 64;

export interface Settled<T extends Trial> {
  /** Of the jobs that do no harm; undefined if none is left. */
  readonly trial: T | undefined;
  readonly refused: readonly RefusedJob[];
}

/** Finds the jobs that can be done together without harm. */
export async function settle<T extends Trial>(
  jobs: readonly Job[],
  attempt: (jobs: readonly Job[]) => Promise<T>,
): Promise<Settled<T>> {
  const steps = new Settling<T>(jobs).run();
  let step = steps.next();
  while (step.done !== true) step = steps.next(await attempt(step.value));
  return step.value;
}

/** The same where nobody can wait, as in the synthesis of an app. */
export function settleAtOnce<T extends Trial>(jobs: readonly Job[], attempt: (jobs: readonly Job[]) => T): Settled<T> {
  const steps = new Settling<T>(jobs).run();
  let step = steps.next();
  while (step.done !== true) step = steps.next(attempt(step.value));
  return step.value;
}

/** Yields jobs to try together, and is told how that went. */
type Steps<T extends Trial, R> = Generator<readonly Job[], R, T>;

class Settling<T extends Trial> {
  private trials = 0;
  private readonly refused = new Map<Job, string>();
  /** Jobs that were given up on a guess, until it is known that this was right. */
  private blamed: { readonly key: string; readonly job: Job }[] = [];
  /** Jobs that repair what others cause, by what that is: each is tried once. */
  private readonly followed = new Set<string>();
  /** Problems whose likely causes were none. */
  private readonly mysteries = new Set<string>();

  constructor(private jobs: readonly Job[]) {}

  *run(): Steps<T, Settled<T>> {
    while (this.open().length > 0) {
      const trial = yield* this.tryOut(this.open());
      for (const { job, reason } of trial.refused) this.refused.set(job, reason);
      if (trial.problems.length === 0) return { trial, refused: this.refusals() };
      if (this.goOn(trial.problems) || this.follow(trial.problems) || this.takeBack(trial.problems)) continue;
      yield* this.blame(trial.problems);
    }
    return { trial: undefined, refused: this.refusals() };
  }

  private open(): readonly Job[] {
    return this.jobs.filter((job) => !this.refused.has(job));
  }

  private refusals(): readonly RefusedJob[] {
    return [...this.refused].map(([job, reason]) => ({ job, reason }));
  }

  private *tryOut(jobs: readonly Job[]): Steps<T, T> {
    this.trials++;
    return yield jobs;
  }

  /** Jobs that came upon the next finding of their kind get another step. */
  private goOn(problems: readonly Problem[]): boolean {
    const longer = new Map(
      problems.flatMap(({ suspects: [job], next }) =>
        job === undefined || next === undefined || next.steps.length > MOST_STEPS ? [] : [[job, next] as const],
      ),
    );
    this.jobs = this.jobs.map((job) => longer.get(job) ?? job);
    return longer.size > 0;
  }

  /** What jobs cause is repaired, too, if that can be. */
  private follow(problems: readonly Problem[]): boolean {
    const added = problems.flatMap(({ key, following }) =>
      following === undefined || this.followed.has(key) || this.trials > MOST_TRIALS ? [] : [{ key, following }],
    );
    for (const { key } of added) this.followed.add(key);
    this.jobs = [...this.jobs, ...added.map(({ following }) => following)];
    return added.length > 0;
  }

  /** Whoever was blamed for what is still there didn't do it. */
  private takeBack(problems: readonly Problem[]): boolean {
    const wrong = this.blamed.filter(({ key }) => problems.some((problem) => problem.key === key));
    this.blamed = [];
    if (this.trials > MOST_TRIALS) return false;
    for (const { key, job } of wrong) {
      this.mysteries.add(key);
      this.refused.delete(job);
    }
    return wrong.length > 0;
  }

  private *blame(problems: readonly Problem[]): Steps<T, void> {
    const open = this.open();
    const suspected = problems.map((problem) => ({
      ...problem,
      suspects: this.mysteries.has(problem.key) ? open : problem.suspects,
    }));
    const clear = suspected.filter(({ suspects }) => suspects.length === 1 || this.trials > MOST_TRIALS);
    for (const { key, reason, suspects } of clear) {
      for (const job of suspects) {
        this.refused.set(job, reason);
        this.blamed.push({ key, job });
      }
    }
    const [first] = suspected;
    if (clear.length === 0 && first !== undefined) this.refused.set(yield* this.culprit(first), first.reason);
  }

  /** The last of the fewest suspects, in their order, with which there is the problem; of the others if it is there without any of them. */
  private *culprit({ key, suspects: likely }: Problem): Steps<T, Job> {
    const open = this.open();
    const rest = open.filter((job) => !likely.includes(job));
    const isMystery = rest.length > 0 && (yield* this.tryOut(rest)).problems.some((problem) => problem.key === key);
    if (isMystery) this.mysteries.add(key);
    const suspects = isMystery ? rest : likely;
    let [well, ill] = [0, suspects.length];
    while (ill - well > 1) {
      const middle = Math.floor((well + ill) / 2);
      const left = new Set(suspects.slice(middle));
      const { problems } = yield* this.tryOut(open.filter((job) => !left.has(job)));
      if (problems.some((problem) => problem.key === key)) ill = middle;
      else well = middle;
    }
    return suspects[ill - 1] as Job;
  }
}
