import type { CheckResult } from '../check';
import type { Finding, Severity } from '../engine';
import type { Resource } from '../value';
import { isOpenFailure, isRepairable, jobOf, stepOf, whyNotEdited, type Job } from './jobs';
import { obstacleTo } from './obstacles';

/** What a check needs to tell to be compared. */
export type Checked = Pick<CheckResult, 'findings' | 'diagnostics' | 'inputs' | 'model'>;

/** Why repairs can't be kept. */
export interface Problem {
  /** Identifies a problem across checks: the same problem has the same key in each. */
  readonly key: string;
  readonly reason: string;
  /** The jobs that may have caused it. */
  readonly suspects: readonly Job[];
  /** The same job, going on where it came to. */
  readonly next?: Job;
  /** A job that would repair what the suspects cause. */
  readonly following?: Job;
}

/**
 * What is worse after some jobs than before them: the file can't be read, resources are gone, what was repaired is still found or can't be told any
 * more, or something is found that wasn't.
 */
export function problemsOf(
  before: Checked,
  after: Checked,
  jobs: readonly Job[],
  isUnsafe: boolean,
): readonly Problem[] {
  const lost = losses(before, after, jobs);
  // All else follows from that.
  if (lost.length > 0) return lost;
  return [...stillThere(before, after, jobs, isUnsafe), ...newFindings(before, after, jobs, isUnsafe)];
}

/** Files that can no longer be read, and resources that are gone. */
export function losses(before: Checked, after: Checked, jobs: readonly Job[]): Problem[] {
  return [...unreadable(before, after, jobs), ...missing(before, after, jobs)];
}

function unreadable(before: Checked, after: Checked, jobs: readonly Job[]): Problem[] {
  const known = new Set(before.diagnostics.map(contentOf));
  const files = new Set(
    after.diagnostics.flatMap((one) => (one.severity === 'error' && !known.has(contentOf(one)) ? [one.file] : [])),
  );
  return [...files].map((file) => ({
    key: `unreadable ${file}`,
    reason: 'the file could no longer be read',
    suspects: suspectsIn(file, jobs),
  }));
}

/** Lines move. */
function contentOf({ severity, file, message }: Checked['diagnostics'][number]): string {
  return JSON.stringify([severity, file, message.replaceAll(/\b(lines?|columns?) \d+/g, '$1')]);
}

function missing(before: Checked, after: Checked, jobs: readonly Job[]): Problem[] {
  const left = countsOf(after.model.resources.map(nameOf));
  const problems = new Map<string, Problem>();
  for (const resource of before.model.resources) {
    const name = nameOf(resource);
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    if (count > 0) continue;
    const { file } = resource.source.locate();
    problems.set(file, {
      key: `missing ${file}`,
      reason: `${resource.id} would be gone`,
      suspects: suspectsIn(file, jobs),
    });
  }
  const inputs = new Map(after.inputs.map(({ path, resources }) => [path, resources]));
  for (const { path, resources } of before.inputs) {
    // A repair may add some.
    if ((inputs.get(path) ?? 0) < resources && problems.size === 0)
      problems.set(path, { key: `missing in ${path}`, reason: 'resources would be gone', suspects: jobs });
  }
  return [...problems.values()];
}

function nameOf({ stack, type, id }: Finding['resource']): string {
  return JSON.stringify([stack, type, id]);
}

function suspectsIn(file: string, jobs: readonly Job[]): readonly Job[] {
  const there = jobs.filter(({ findings }) => findings.some(({ resource }) => resource.source.locate().file === file));
  return there.length > 0 ? there : jobs;
}

/** What a rule says of a resource, in whatever words. */
function subjectOf({ rule, resource }: Finding): string {
  return JSON.stringify([rule, resource.stack, resource.id]);
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function stillThere(before: Checked, after: Checked, jobs: readonly Job[], isUnsafe: boolean): Problem[] {
  const [failedBefore, failedAfter] = [before, after].map(({ findings }) =>
    countsOf(findings.filter(isOpenFailure).map(subjectOf)),
  );
  const [unknownBefore, unknownAfter] = [before, after].map(({ findings }) =>
    countsOf(findings.filter(isOpenQuestion).map(subjectOf)),
  );
  const bySubject = new Map<string, { repaired: number; jobs: Set<Job> }>();
  for (const job of jobs) {
    for (const finding of job.findings) {
      const entry = bySubject.get(subjectOf(finding)) ?? { repaired: 0, jobs: new Set() };
      entry.repaired++;
      entry.jobs.add(job);
      bySubject.set(subjectOf(finding), entry);
    }
  }
  return [...bySubject].flatMap(([subject, { repaired, jobs: own }]): Problem[] => {
    const count = (counts: ReadonlyMap<string, number> | undefined): number => counts?.get(subject) ?? 0;
    if (count(failedAfter) > count(failedBefore) - repaired)
      return [whatIsLeft(subject, before, after, [...own], isUnsafe)];
    if (count(unknownAfter) > count(unknownBefore))
      return [
        {
          key: `unknown ${subject}`,
          reason: 'it could no longer be told whether the rule is followed',
          suspects: [...own],
        },
      ];
    return [];
  });
}

function isOpenQuestion({ verdict, suppressed }: Finding): boolean {
  return verdict === 'unverifiable' && suppressed === undefined;
}

/** A rule may show its next finding only when the one before it is gone. */
function whatIsLeft(
  subject: string,
  before: Checked,
  after: Checked,
  jobs: readonly Job[],
  isUnsafe: boolean,
): Problem {
  const key = `left ${subject}`;
  const stepsOf = ({ findings }: Checked): { finding: Finding; text: string }[] =>
    findings.flatMap((finding) =>
      isOpenFailure(finding) && subjectOf(finding) === subject
        ? [{ finding, text: JSON.stringify(stepOf(finding)) }]
        : [],
    );
  const left = stepsOf(after);
  const untouched = jobs.filter(({ steps }) =>
    left.some(({ text }) => steps.some((step) => JSON.stringify(step) === text)),
  );
  const reason = 'the finding would still be there';
  if (untouched.length > 0) return { key, reason, suspects: untouched };
  const known = new Set(stepsOf(before).map(({ text }) => text));
  const fresh = left.find(({ text }) => !known.has(text))?.finding;
  if (fresh === undefined || !isRepairable(fresh, isUnsafe)) return { key, reason, suspects: jobs };
  const job = ownerOf(fresh, jobs);
  if (job === undefined) return { key, reason, suspects: jobs };
  const refusal = whyNotEdited(fresh);
  return refusal === undefined
    ? { key, reason, suspects: [job], next: { ...job, steps: [...job.steps, stepOf(fresh)] } }
    : { key, reason: refusal, suspects: [job] };
}

/** The job that a finding goes on with: one that is about the same, of which only the first place was shown, or one that does the same. */
function ownerOf(fresh: Finding, jobs: readonly Job[]): Job | undefined {
  const repairs = JSON.stringify(fresh.repairs);
  const alike = jobs.filter(({ steps }) => steps.some((step) => JSON.stringify(step.repairs) === repairs));
  return alike.find(({ findings }) => findings.some(({ message }) => message === fresh.message)) ?? alike[0];
}

const LEVELS: readonly (readonly Severity[])[] = [['error'], ['error', 'warning']];

/** Errors and warnings that only the jobs can have caused. */
function newFindings(before: Checked, after: Checked, jobs: readonly Job[], isUnsafe: boolean): Problem[] {
  const repaired = new Set(jobs.flatMap(({ findings }) => findings.map(subjectOf)));
  const problems = new Map<string, Problem>();
  const jobsOn = byResource(jobs);
  const resources = resourcesByName(before.model.resources);
  for (const level of LEVELS) {
    const isOfLevel = (finding: Finding): boolean => isOpenFailure(finding) && level.includes(finding.severity);
    const old = countsOf(before.findings.filter(isOfLevel).map(identityOf));
    for (const finding of after.findings.filter(isOfLevel)) {
      const identity = identityOf(finding);
      const count = old.get(identity) ?? 0;
      old.set(identity, count - 1);
      if (count > 0 || repaired.has(subjectOf(finding))) continue;
      const problem = causedBy(finding, identity, jobsOn.get(resourceOf(finding)) ?? jobs);
      const following = followingJob(finding, resources, isUnsafe);
      problems.set(identity, following === undefined ? problem : { ...problem, following });
    }
  }
  return [...problems.values()];
}

function identityOf({ rule, messageId, resource }: Finding): string {
  return JSON.stringify([rule, messageId, resource.stack, resource.id]);
}

function causedBy({ rule, resource }: Finding, identity: string, suspects: readonly Job[]): Problem {
  return { key: `new ${identity}`, reason: `it would cause ${rule} on ${resource.path ?? resource.id}`, suspects };
}

function resourceOf({ resource: { stack, id } }: Finding): string {
  return JSON.stringify([stack, id]);
}

function byResource(jobs: readonly Job[]): ReadonlyMap<string, readonly Job[]> {
  const found = new Map<string, Job[]>();
  for (const job of jobs) {
    for (const name of new Set(job.findings.map(resourceOf))) {
      const others = found.get(name);
      if (others === undefined) found.set(name, [job]);
      else others.push(job);
    }
  }
  return found;
}

/** Of equal names the first. */
function resourcesByName(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.toReversed().map((resource) => [nameOf(resource), resource]));
}

/** What would repair a finding that jobs cause, where the resource was there before: it is told by its place in the text that is there. */
function followingJob(finding: Finding, resources: ReadonlyMap<string, Resource>, isUnsafe: boolean): Job | undefined {
  if (!isRepairable(finding, isUnsafe)) return undefined;
  const resource = resources.get(nameOf(finding.resource));
  if (resource === undefined) return undefined;
  const there: Finding = { ...finding, resource };
  return whyNotEdited(there) === undefined && obstacleTo(there) === undefined
    ? { ...jobOf(there), isFollowing: true }
    : undefined;
}
