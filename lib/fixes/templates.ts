import { checkTemplates, type CheckResult } from '../check';
import type { TemplateInput } from '../cloudformation/template-input';
import type { Configuration, Finding } from '../engine';
import { isOpenFailure, isRepairable, planJobs, type Job, type Refused } from './jobs';
import { problemsOf } from './recheck';
import { repairTexts, writtenFileOf, type RepairedFile, type TextSource } from './repairs';
import { settleAtOnce, type Trial } from './settle';

/** Repairs of templates that no file holds. */
interface TemplateRepairs {
  /** Those that are changed, by their names. */
  readonly files: readonly RepairedFile[];
  /** Findings that a machine could repair elsewhere, but not here. */
  readonly refused: readonly Refused[];
  /** What is wrong as before, and no machine repairs at that level. */
  readonly open: readonly Finding[];
}

interface TemplateRepairRequest {
  readonly configuration: Configuration;
  /** Which findings are to be repaired, if they can be. */
  readonly isWanted: (finding: Finding) => boolean;
  /** Also makes repairs that need a decision. */
  readonly isUnsafe: boolean;
}

/**
 * Repairs templates in memory, as `fixFiles` does files: what doesn't do what it should, or more, is given up.
 * @param templates their texts, in JSON
 */
export function repairTemplates(
  templates: readonly TemplateInput[],
  { configuration, isWanted, isUnsafe }: TemplateRepairRequest,
): TemplateRepairs {
  const first = checkTemplates(templates, configuration);
  const plan = planJobs(first.findings, isWanted, { isUnsafe, resources: first.model.resources });
  const texts = new Map(allOf(templates).map(({ file, text = '' }) => [file, text]));
  const fileOf = new Map(plan.jobs.map((job) => [job.path, writtenFileOf(job).file]));
  const read: TextSource = (path) => ({ text: texts.get(fileOf.get(path) ?? '') ?? '' });
  const attempt = (jobs: readonly Job[]): Trial => {
    const repaired = repairTexts(jobs, read);
    const after = checkTemplates(withTexts(templates, repaired.files), configuration);
    return { ...repaired, problems: problemsIn(first, after, repaired.files, isUnsafe) };
  };
  const { trial, refused } = settleAtOnce(plan.jobs, attempt);
  const files = trial?.files ?? [];
  const left = files.length === 0 ? first : checkTemplates(withTexts(templates, files), configuration);
  return {
    files,
    open: left.findings.filter((finding) => isOpenFailure(finding) && !isRepairable(finding, isUnsafe)),
    refused: [
      ...plan.refused,
      ...refused.flatMap(({ job, reason }) =>
        // What others would cause is told with them.
        job.isFollowing === true ? [] : job.findings.map((finding) => ({ finding, reason })),
      ),
    ],
  };
}

function problemsIn(
  first: CheckResult,
  after: CheckResult,
  files: readonly RepairedFile[],
  isUnsafe: boolean,
): Trial['problems'] {
  return problemsOf(
    first,
    after,
    files.flatMap(({ jobs }) => jobs),
    isUnsafe,
  );
}

function allOf(templates: readonly TemplateInput[]): TemplateInput[] {
  return templates.flatMap((one) => [one, ...allOf([...(one.assembly?.nestedTemplates.values() ?? [])])]);
}

function withTexts(templates: readonly TemplateInput[], files: readonly RepairedFile[]): TemplateInput[] {
  const texts = new Map(files.map(({ file, after }) => [file, after]));
  const withText = (one: TemplateInput): TemplateInput => ({
    ...one,
    text: texts.get(one.file) ?? one.text ?? '',
    ...(one.assembly === undefined
      ? {}
      : {
          assembly: {
            ...one.assembly,
            nestedTemplates: new Map([...one.assembly.nestedTemplates].map(([id, nested]) => [id, withText(nested)])),
          },
        }),
  });
  return templates.map(withText);
}
