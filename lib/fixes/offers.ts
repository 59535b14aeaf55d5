import type { CheckResult } from '../check';
import type { Finding, OfferedRepair, RepairOffers } from '../engine';
import { Secrets } from '../text/secrets';
import { editsAlone } from './alone';
import { EditPlaces } from './edit-places';
import { planJobs, type Job } from './jobs';
import { writtenFileOf, type TextSource } from './repairs';
import { readEditable } from './run';

export interface OfferOptions {
  /** Which findings are reported. @default - all */
  readonly isWanted?: (finding: Finding) => boolean;
  /** Which repairs were tried already: those that are left can't be made. @default - none */
  readonly tried?: 'safe' | 'all';
  /** @default - what the disk holds */
  readonly read?: TextSource;
}

/**
 * What could be repaired of a run's findings. Nothing is worked out before it is asked for, and then for all of them. What the text doesn't allow, such as
 * a value that a variable decides, isn't offered. That no repair causes another finding is what `--fix` sees to, because it takes a second check.
 */
export class Offers implements RepairOffers {
  private planned: ReadonlyMap<Job, OfferedRepair> | undefined;
  private told: ReadonlyMap<Finding, OfferedRepair> | undefined;
  private edited: ReadonlyMap<Finding, OfferedRepair> | undefined;

  constructor(
    private readonly result: CheckResult,
    private readonly options: OfferOptions = {},
  ) {}

  of(finding: Finding): OfferedRepair | undefined {
    return (this.edited ?? (this.told ??= byFinding(this.possible(MOST_TEXT)))).get(finding);
  }

  withEdits(finding: Finding): OfferedRepair | undefined {
    this.edited ??= byFinding(this.possible(Infinity));
    return this.edited.get(finding);
  }

  private plan(): ReadonlyMap<Job, OfferedRepair> {
    return (this.planned ??= this.planAll());
  }

  /** What needs a decision only where nothing else does it. */
  private planAll(): ReadonlyMap<Job, OfferedRepair> {
    const { isWanted, tried } = this.options;
    const { findings, model } = this.result;
    const offers = new Map<Job, OfferedRepair>();
    if (tried === 'all' || findings.every(({ repairs }) => repairs === undefined)) return offers;
    const { resources } = model;
    const safe = new Set(planJobs(findings, isWanted, { resources }).jobs.flatMap((job) => job.findings));
    for (const job of planJobs(findings, isWanted, { resources, isUnsafe: true }).jobs) {
      const isSafe = job.findings.every((finding) => safe.has(finding));
      if (isSafe && tried === 'safe') continue;
      const effect = job.effect === undefined ? {} : { effect: job.effect };
      offers.set(job, isSafe ? { safety: 'safe' } : { safety: 'unsafe', ...effect });
    }
    return offers;
  }

  /**
   * Without what turns out to be impossible in the text.
   * @param most characters of files that are read for that; what stands in further ones is offered unasked
   */
  private possible(most: number): ReadonlyMap<Job, OfferedRepair> {
    const byPath = new Map<string, [Job, ...Job[]]>();
    for (const job of this.plan().keys()) {
      const jobs = byPath.get(job.path);
      if (jobs === undefined) byPath.set(job.path, [job]);
      else jobs.push(job);
    }
    const { secrets = new Secrets() } = this.result;
    const { read = readEditable } = this.options;
    const offers = new Map<Job, OfferedRepair>();
    let left = most;
    for (const [path, jobs] of byPath) {
      if (left <= 0) {
        for (const job of jobs) offers.set(job, this.plan().get(job) ?? { safety: 'unsafe' });
        continue;
      }
      const content = read(path);
      if ('problem' in content) continue;
      const text = content.text.replace(/^\uFEFF/, '');
      left -= text.length;
      const file = writtenFileOf(jobs[0]);
      const places = new EditPlaces(file.file, text, secrets);
      for (const [index, plan] of editsAlone(file, text, jobs).entries()) {
        const job = jobs[index];
        const offer = job === undefined ? undefined : this.plan().get(job);
        if (job === undefined || offer === undefined || 'refusal' in plan) continue;
        const edits = places.of(plan.edits);
        offers.set(job, edits === undefined ? offer : { ...offer, edits });
      }
    }
    return offers;
  }
}

/** Reading a file again takes about as long as it took the first time. */
const MOST_TEXT = 2_000_000;

function byFinding(offers: ReadonlyMap<Job, OfferedRepair>): ReadonlyMap<Finding, OfferedRepair> {
  return new Map([...offers].flatMap(([{ findings }, offer]) => findings.map((finding) => [finding, offer])));
}
