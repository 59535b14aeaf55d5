import type { ListedFindings } from '../format';
import { labelOf } from '../listed';
import { code, inline } from '../markdown-text';
import { count } from '../prose';
import { webAddress } from '../web-address';
import { ruleCounts, type MergedFinding, type MergedReport } from './merged-report';
import { listedOf, mergedSummary, PART_HEAD, partCounts, placeOf, problemText, totalCounts, unreadOf } from './words';

/** Comments on GitHub may have 65,536 characters; this leaves room for what a workflow puts around it. */
const LIMIT = 60_000;

/** Tables for a comment or the summary of a job, as much as has room there: the table of the parts comes first. */
export function* mergedMarkdown(report: MergedReport, list: ListedFindings, version: string): Iterable<string> {
  let length = 0;
  let left = 0;
  const end = `\nMerged by eks-guardrails ${version}.\n`;
  for (const piece of pieces(report, list)) {
    if (left > 0 || length + piece.length > LIMIT) left++;
    else {
      length += piece.length;
      yield piece;
    }
  }
  if (left > 0)
    yield `\n${count(left, 'more line')} ${left === 1 ? 'is' : 'are'} left out here, because comments may not be longer.\n`;
  yield end;
}

function* pieces(report: MergedReport, list: ListedFindings): Iterable<string> {
  yield `### eks-guardrails\n\n${mergedSummary(report)}\n`;
  if (report.problems.length > 0) {
    yield '\n**Not everything was read:**\n\n';
    for (const problem of report.problems) yield `- ${inline(problemText(problem))}\n`;
  }
  if (report.parts.length > 0) {
    yield `\n| ${PART_HEAD.join(' | ')} |\n|---|${'--:|'.repeat(PART_HEAD.length - 1)}\n`;
    for (const part of report.parts) yield `| ${inline(part.name)} | ${partCounts(part).join(' | ')} |\n`;
    if (report.parts.length > 1) yield `| **all** | ${totalCounts(report).join(' | ')} |\n`;
  }
  const rules = ruleCounts(report);
  if (rules.length > 0) {
    yield '\n| Severity | Rule | Findings | Parts |\n|---|---|--:|--:|\n';
    for (const rule of rules)
      yield `| ${rule.severity} | ${linked(rule.rule, rule.docs)} | ${rule.findings} | ${rule.parts} |\n`;
  }
  for (const part of report.parts) {
    const unread = unreadOf(part);
    const findings = listedOf(part, list);
    if (unread.length + findings.length === 0) continue;
    yield `\n#### ${inline(part.name)}\n\n`;
    for (const sentence of unread) yield `- **error** ${inline(sentence)}\n`;
    for (const finding of findings) yield `- **${labelOf(finding)}** ${findingMarkdown(finding)}\n`;
  }
}

function findingMarkdown(finding: MergedFinding): string {
  const { rule, docs, message } = finding;
  return `${linked(rule, docs)} ${code(placeOf(finding))}: ${inline(message)}`;
}

function linked(rule: string, docs: string): string {
  const address = webAddress(docs);
  return address === undefined ? inline(rule) : `[${inline(rule)}](${address})`;
}
