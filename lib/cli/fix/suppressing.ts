import type { CheckResult } from '../../check';
import type { Finding } from '../../engine';
import { whyNotWritten as whyNotWrittenThere } from '../../fixes/jobs';
import { acceptFindings, type FixResult, type Texts } from '../../fixes/run';
import { directiveText, readDirective } from '../../languages/comments/directive';
import { count, printableLine } from '../../reports/prose';
import { position } from '../../reports/summary';
import { isDay } from '../../text/day';
import { acknowledgementId } from '../../value/acknowledgement-id';
import { patchOf, refuseUnfitDryRun, type Fixed, type WritingArguments } from './fixing';
import { UsageError } from '../parts/usage-error';
import { whyNotWritten, writeAtomically } from '../output/write-file';

/** The options of `check` that accept findings. */
export interface SuppressArguments {
  readonly suppress?: boolean;
  readonly suppressDryRun?: boolean;
  readonly reason?: string;
  readonly until?: string;
}

/** @throws UsageError if the options don't fit together, or the reason can't be written down */
export function refuseUnfitSuppression(
  given: SuppressArguments & WritingArguments & { readonly fix?: boolean; readonly fixDryRun?: boolean },
  today: string,
): void {
  const { suppress, suppressDryRun, reason, until } = given;
  if (suppress !== true && suppressDryRun !== true) {
    const [stray] = Object.entries({ reason, until }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (stray !== undefined) throw new UsageError(`--${stray} belongs to --suppress`);
    return;
  }
  const option = suppress === true ? '--suppress' : '--suppress-dry-run';
  if (given.fix === true || given.fixDryRun === true)
    throw new UsageError(
      `${option} and ${given.fix === true ? '--fix' : '--fix-dry-run'} don't go together: fix first, then accept what is left`,
    );
  if (given.paths.includes('-')) throw new UsageError(`${option} changes files, not the standard input`);
  if (given.writeBaseline !== undefined)
    throw new UsageError(`${option} and --write-baseline don't go together: a finding is accepted at one place`);
  if (suppressDryRun === true) refuseUnfitDryRun('--suppress-dry-run', given.outputs);
  if (reason === undefined || reason.trim() === '')
    throw new UsageError(`${option} needs --reason TEXT, which tells the next reader why the findings are accepted`);
  if (/[\p{Cc}\u2028\u2029]/u.test(reason)) throw new UsageError('--reason is one line, without control characters');
  if (reason.includes('{{resolve:'))
    throw new UsageError('--reason may not hold "{{resolve:", which CloudFormation would look up');
  if (until !== undefined && !isDay(until))
    throw new UsageError(`--until takes a day, as in 2027-01-31; not "${until}"`);
  if (until !== undefined && until < today) throw new UsageError(`--until ${until} has passed`);
  const written = readDirective(directiveText(['imds-v1'], tidy(reason), until));
  const isRead =
    written !== undefined && !('problem' in written) && written.reason === tidy(reason) && written.until === until;
  if (!isRead)
    throw new UsageError(
      `--reason can't be written as it is, because a comment would be read otherwise${written !== undefined && 'problem' in written ? ` (${written.problem})` : ''}; put a last day into --until`,
    );
}

/** With single blanks, as comments are read. */
export function tidy(reason: string): string {
  return reason.replaceAll(/\s+/g, ' ').trim();
}

/** Accepts what was found, if that is asked for. */
export async function withSuppressions(
  first: CheckResult,
  check: (texts: Texts) => Promise<CheckResult>,
  { suppress, suppressDryRun, reason = '', until }: SuppressArguments,
  isWanted: (finding: Finding) => boolean,
): Promise<Fixed | undefined> {
  if (suppress !== true && suppressDryRun !== true) return undefined;
  const isDryRun = suppress !== true;
  const decision = { reason: tidy(reason), ...(until === undefined ? {} : { until }) };
  const accepted = await acceptFindings(first, decision, {
    check,
    write: (file, text) => writeAtomically(file, [text]),
    whyNotWritten,
    isDryRun,
    isWanted,
  });
  const patch = isDryRun ? patchOf(accepted.files) : undefined;
  return {
    result: accepted.result,
    differences: patch?.text,
    notes: [...notesOf(accepted, decision, isDryRun), ...(patch?.notes ?? [])],
    isWritten: accepted.unwritten.length === 0,
  };
}

function notesOf(
  { files, refused, unwritten }: FixResult,
  decision: { readonly reason: string; readonly until?: string },
  isDryRun: boolean,
): string[] {
  const findings = files.reduce((sum, { jobs }) => sum + jobs.reduce((all, job) => all + job.findings.length, 0), 0);
  const verb = isDryRun ? 'would suppress' : 'suppressed';
  const notes = [
    findings === 0
      ? `${verb} nothing`
      : `${verb} ${count(findings, 'finding')} in ${count(files.length, 'file')}: ${files.map(({ file }) => file).join(', ')}`,
    ...unwritten.map(({ file, reason }) => `error: can't write ${file}: ${reason}`),
    ...refused.map(
      ({ finding, reason }) =>
        `not suppressed: ${position(finding.source.locate())} ${finding.rule}: ${reason}${whyNotWrittenThere(finding.resource) === reason ? insteadOf(finding, decision) : ''}`,
    ),
  ];
  return [...new Set(notes.map(printableLine))];
}

/** What accepts a finding in whatever writes its file. */
function insteadOf(
  { rule, resource }: Finding,
  { reason, until }: { readonly reason: string; readonly until?: string },
): string {
  const { name } = resource.dialect;
  const text = JSON.stringify(reason);
  const at = resource.createdAt === undefined ? '' : ` at ${position(resource.createdAt)}`;
  const path = resource.path === undefined ? 'the construct' : resource.path;
  if (name === 'aws-cdk')
    return `; instead, for ${path}${at}: Validations.of(construct).acknowledge({ id: '${acknowledgementId(rule)}', reason: ${text} })`;
  if (name === 'cdktf')
    return `; instead, for ${path}${at}: EksGuardrails.acknowledge(construct, { rule: '${rule}', reason: ${text}${until === undefined ? '' : `, until: '${until}'`} })`;
  return '; a baseline accepts it (--write-baseline), or `ignores` in the configuration file';
}
