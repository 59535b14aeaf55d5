import { isUtf8 } from 'node:buffer';
import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import { fileBytes } from '../files/read';
import { acceptanceProblems, planAcceptance } from './acceptance';
import type { Decision } from './edit';
import { planJobs, type Job, type Plan, type Refused } from './jobs';
import { problemsOf, type Problem } from './recheck';
import { repairTexts, type RefusedJob, type RepairedFile, type TextSource } from './repairs';
import { settle, type Trial } from './settle';

/** Texts that stand for those of files, by the real paths of these. */
export type Texts = ReadonlyMap<string, string>;

/** What became of a run's findings. */
export interface FixResult {
  /** The check after the repairs; before them, of a dry run. */
  readonly result: CheckResult;
  /** Files that are repaired now, or that would be. */
  readonly files: readonly RepairedFile[];
  /** Findings that a machine could repair elsewhere, but not here. */
  readonly refused: readonly Refused[];
  /** Files that could not be written. */
  readonly unwritten: readonly { readonly file: string; readonly reason: string }[];
}

export interface FixRequest {
  /** Runs the check again, with other texts in place of some. */
  readonly check: (texts: Texts) => Promise<CheckResult>;
  /** Which findings are to be repaired, if they can be. @default - all */
  readonly isWanted?: (finding: Finding) => boolean;
  /** Also makes repairs that need a decision. @default false */
  readonly isUnsafe?: boolean;
  /** Told before anything is written what will be. */
  readonly announce?: (files: readonly RepairedFile[]) => void;
  readonly write: (file: string, text: string) => Promise<void>;
  /** In words, an error of `write`; undefined for one that isn't the system's. */
  readonly whyNotWritten: (error: unknown) => string | undefined;
  readonly isDryRun: boolean;
  /** @default - what the disk holds */
  readonly read?: TextSource;
}

interface CheckedTrial extends Trial {
  readonly result: CheckResult;
}

/**
 * Repairs the files of a check. All repairs are made and checked in memory first; those that do not do what they should, or more, are given up.
 * A dry run differs in nothing but that the files are not written.
 */
export async function fixFiles(first: CheckResult, request: FixRequest): Promise<FixResult> {
  const { isUnsafe = false } = request;
  const plan = planJobs(first.findings, request.isWanted, { isUnsafe, resources: first.model.resources });
  return editFiles(first, plan, request, (after, done) => problemsOf(first, after, done, isUnsafe));
}

/** Writes a decision to live with findings, in the same way. */
export async function acceptFindings(
  first: CheckResult,
  decision: Omit<Decision, 'rules'>,
  request: FixRequest,
): Promise<FixResult> {
  const plan = planAcceptance(first.findings, decision, request.isWanted);
  return editFiles(first, plan, request, (after, done) => acceptanceProblems(first, after, done));
}

async function editFiles(
  first: CheckResult,
  plan: Plan,
  request: FixRequest,
  problemsIn: (after: CheckResult, done: readonly Job[]) => readonly Problem[],
): Promise<FixResult> {
  const read = remembered(request.read ?? readEditable);
  const attempt = async (jobs: readonly Job[]): Promise<CheckedTrial> => {
    const repaired = repairTexts(jobs, read);
    const done = repaired.files.flatMap((file) => file.jobs);
    const result =
      repaired.files.length === 0
        ? first
        : await request.check(new Map(repaired.files.map(({ path, after }) => [path, after])));
    return { ...repaired, result, problems: problemsIn(result, done) };
  };
  const writing = new Writing(request);
  let isAnnounced = false;
  for (let jobs = plan.jobs; ; ) {
    const { trial, refused } = await settle(jobs, attempt);
    const files = trial?.files ?? [];
    const outcome = { files, refused: inOrder(first.findings, [...plan.refused, ...refused.flatMap(refusedFindings)]) };
    if (!isAnnounced) request.announce?.(files);
    isAnnounced = true;
    if (request.isDryRun) return { ...outcome, result: first, unwritten: [] };
    const failed = await writing.write(files);
    // If a file could not be written, the disk doesn't hold what the trial checked, so it is checked again.
    if (failed.size === 0)
      return {
        ...outcome,
        result: writing.failures.length > 0 ? await request.check(new Map()) : (trial?.result ?? first),
        unwritten: writing.failures,
      };
    jobs = jobs.filter(({ path }) => !failed.has(path));
  }
}

function refusedFindings({ job, reason }: RefusedJob): Refused[] {
  // What others would cause is told with them.
  return job.isFollowing === true ? [] : job.findings.map((finding) => ({ finding, reason }));
}

function inOrder(findings: readonly Finding[], refused: readonly Refused[]): readonly Refused[] {
  const order = new Map(findings.map((finding, index) => [finding, index]));
  return refused.toSorted((one, other) => (order.get(one.finding) ?? 0) - (order.get(other.finding) ?? 0));
}

/** Brings files to what they should be, and back if they turn out not to be among the repaired ones. */
class Writing {
  readonly failures: { readonly file: string; readonly reason: string }[] = [];
  private readonly written = new Map<string, RepairedFile>();
  private readonly failed = new Set<string>();

  constructor(private readonly request: FixRequest) {}

  /** The paths of those that could not be written. */
  async write(files: readonly RepairedFile[]): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    const wanted = new Set(files.map(({ path }) => path));
    const restored = [...this.written.values()]
      .filter(({ path }) => !wanted.has(path))
      .map((file) => ({ ...file, after: file.before }));
    for (const file of [...files, ...restored]) {
      if (this.failed.has(file.path) || (this.written.get(file.path)?.after ?? file.before) === file.after) continue;
      const reason = await this.attempt(file.file, file.after);
      if (reason === undefined) this.written.set(file.path, file);
      else {
        failed.add(file.path);
        this.failed.add(file.path);
        this.failures.push({ file: file.file, reason });
      }
    }
    return failed;
  }

  private async attempt(file: string, text: string): Promise<string | undefined> {
    const { write, whyNotWritten } = this.request;
    try {
      await write(file, text);
      return undefined;
    } catch (error) {
      const reason = whyNotWritten(error);
      if (reason === undefined) throw error;
      return reason;
    }
  }
}

/** A source that is asked once for each text: every attempt begins with the same ones. */
function remembered(read: TextSource): TextSource {
  const known = new Map<string, ReturnType<TextSource>>();
  return (path) => {
    let content = known.get(path);
    if (content === undefined) known.set(path, (content = read(path)));
    return content;
  };
}

/** A file that can be given back byte by byte. */
export const readEditable: TextSource = (path) => {
  try {
    const bytes = fileBytes(path);
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { problem: 'the file is not UTF-8' };
  } catch {
    return { problem: 'the file can no longer be read' };
  }
};
