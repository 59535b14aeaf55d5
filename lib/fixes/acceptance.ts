import { isCrash, SUPPRESSION_RULES, type Finding } from '../engine';
import type { Decision } from './edit';
import { blockOf, whyNotWritten, type Job, type Plan, type Refused } from './jobs';
import { losses, type Checked, type Problem } from './recheck';

/*
 * Decisions to live with findings: which are written together, and whether they do what they should.
 */

const ABOUT_SUPPRESSIONS: ReadonlySet<string> = new Set(SUPPRESSION_RULES);

/** One decision for each block that has findings, with all their rules. */
export function planAcceptance(
  findings: readonly Finding[],
  decision: Omit<Decision, 'rules'>,
  isWanted: (finding: Finding) => boolean = () => true,
): Plan {
  const refused: Refused[] = [];
  const byTarget = new Map<string, { readonly line: number; readonly findings: [Finding, ...Finding[]] }>();
  for (const finding of findings) {
    if (finding.suppressed !== undefined || !isWanted(finding)) continue;
    const reason = whyNotAccepted(finding);
    if (reason !== undefined) {
      refused.push({ finding, reason });
      continue;
    }
    const { line } = finding.source.locate();
    const { target } = blockOf(finding);
    // What a module declares is accepted where the call tells of it.
    const key = JSON.stringify([target, finding.resource.moduleInputs === undefined ? 0 : line]);
    const known = byTarget.get(key);
    if (known === undefined) byTarget.set(key, { line, findings: [finding] });
    else known.findings.push(finding);
  }
  const jobs = [...byTarget.values()].map(({ line, findings: all }): Job => {
    const rules = [...new Set(all.map(({ rule }) => rule))];
    return {
      findings: all,
      ...blockOf(all[0]),
      steps: [{ repairs: [{ kind: 'accept', line, ...decision, rules }], item: undefined }],
    };
  });
  return { jobs, refused };
}

function whyNotAccepted(finding: Finding): string | undefined {
  if (isCrash(finding)) return 'nobody can accept that a rule could not check everything';
  if (ABOUT_SUPPRESSIONS.has(finding.rule)) return 'it is about a suppression: correct that';
  return whyNotWritten(finding.resource);
}

/** What decisions don't do, or do besides: a finding stays, a decision is of no use, or something is found that wasn't. */
export function acceptanceProblems(before: Checked, after: Checked, jobs: readonly Job[]): readonly Problem[] {
  const lost = losses(before, after, jobs);
  if (lost.length > 0) return lost;
  const open = countsOf(after.findings.filter(({ suppressed }) => suppressed === undefined));
  const was = countsOf(before.findings.filter(({ suppressed }) => suppressed === undefined));
  const problems: Problem[] = [];
  for (const job of jobs) {
    const left = job.findings.find(
      (finding) => (open.get(keyOf(finding)) ?? 0) > 0 && !isElsewhere(finding, jobs, before),
    );
    if (left !== undefined)
      problems.push({
        key: `left ${job.target} ${left.rule}`,
        reason: 'a decision there would not cover it',
        suspects: [job],
      });
  }
  for (const finding of after.findings) {
    const key = keyOf(finding);
    if (finding.suppressed !== undefined || (open.get(key) ?? 0) <= (was.get(key) ?? 0)) continue;
    const { file } = finding.source.locate();
    const there = jobs.filter(({ findings: [one] }) => one.resource.source.locate().file === file);
    problems.push({
      key: `new ${key}`,
      reason: `it would cause ${finding.rule}`,
      suspects: there.length > 0 ? there : jobs,
    });
  }
  const warned = new Set(before.diagnostics.map(({ message }) => message));
  for (const { message, file } of after.diagnostics) {
    if (warned.has(message)) continue;
    const there = jobs.filter(({ findings: [one] }) => one.resource.source.locate().file === file);
    problems.push({ key: `told ${file} ${message}`, reason: message, suspects: there.length > 0 ? there : jobs });
  }
  return problems;
}

/** Whether findings that look the same aren't all wanted. */
function isElsewhere(finding: Finding, jobs: readonly Job[], before: Checked): boolean {
  const key = keyOf(finding);
  const all = before.findings.filter((one) => one.suppressed === undefined && keyOf(one) === key).length;
  const wanted = jobs.reduce((sum, { findings }) => sum + findings.filter((one) => keyOf(one) === key).length, 0);
  return wanted < all;
}

function countsOf(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return counts;
}

/** Lines move. */
function keyOf({ rule, verdict, messageId, message, resource }: Finding): string {
  return JSON.stringify([rule, verdict, messageId ?? message.replaceAll(/\d+/g, '0'), resource.stack, resource.id]);
}
