import type { ListedFindings } from '../format';
import { labelOf, type Label } from '../listed';
import { printable, printableLine, wrap } from '../prose';
import { ansiStyle, plainStyle, type Paint, type Style } from '../style';
import type { MergedFinding, MergedPart, MergedReport } from './merged-report';
import {
  fixWords,
  listedOf,
  mergedSummary,
  PART_HEAD,
  partCounts,
  placeOf,
  problemText,
  totalCounts,
  unreadOf,
} from './words';

/** What the text may use of a terminal, and what it lists. */
export interface MergedTextContext {
  readonly colour: boolean;
  /** Columns to wrap prose at. */
  readonly width: number;
  readonly list: ListedFindings;
}

/** A table of the parts, and the findings of each. */
export function* mergedText(report: MergedReport, context: MergedTextContext): Iterable<string> {
  const style = context.colour ? ansiStyle : plainStyle;
  yield* table(report, style);
  for (const part of report.parts) yield* partText(part, context, style);
  if (report.problems.length > 0) yield `\n${style.bold('Reports that could not be read')}\n\n`;
  for (const problem of report.problems) yield `${style.red('error')}  ${printableLine(problemText(problem))}\n`;
  yield `\n${mergedSummary(report)}\n`;
}

function* table(report: MergedReport, style: Style): Iterable<string> {
  if (report.parts.length === 0) return;
  const rows = report.parts.map((part) => [printableLine(part.name), ...partCounts(part)]);
  const total = ['all', ...totalCounts(report)];
  const all = [[...PART_HEAD], ...rows, ...(rows.length > 1 ? [total] : [])];
  const widths = PART_HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const [index, row] of all.entries()) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    const line = cells.join('  ').trimEnd();
    yield `${index === 0 ? style.bold(line) : line}\n`;
  }
}

function* partText(part: MergedPart, { list, width }: MergedTextContext, style: Style): Iterable<string> {
  const findings = listedOf(part, list);
  const unread = unreadOf(part);
  if (findings.length + unread.length === 0) return;
  yield `\n${style.bold(printableLine(part.name))}\n\n`;
  for (const sentence of unread) yield indented('error', style.red, printableLine(sentence), width);
  for (const finding of findings) yield findingText(finding, width, style);
}

function findingText(finding: MergedFinding, width: number, style: Style): string {
  const label = labelOf(finding);
  const { rule, resource, message, suppressed } = finding;
  const head = `${paintOf(label, style)(label)}  ${style.bold(printableLine(rule))}  ${style.cyan(printableLine(placeOf(finding)))}  ${printableLine(resource.path ?? resource.id)}\n`;
  const body = [message, ...(suppressed === undefined ? [] : [`accepted: ${suppressed.reason}`])];
  const fix = fixWords(finding);
  return `${head}${body.map((text) => paragraph(text, width)).join('')}${fix === '' ? '' : indented('  fix', style.green, printable(fix), width, 8)}`;
}

function paragraph(text: string, width: number): string {
  return wrap(printable(text), width - 2)
    .map((line) => `  ${line}\n`)
    .join('');
}

function indented(label: string, paint: Paint, text: string, width: number, indent = label.length + 2): string {
  return wrap(text, width - indent)
    .map(
      (line, index) =>
        `${index === 0 ? paint(label) + ' '.repeat(indent - label.length) : ' '.repeat(indent)}${line}\n`,
    )
    .join('');
}

function paintOf(label: Label, style: Style): Paint {
  return { error: style.red, warning: style.yellow, info: style.blue, unverifiable: style.dim, suppressed: style.dim }[
    label
  ];
}
