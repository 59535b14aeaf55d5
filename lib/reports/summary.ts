import type { CheckResult } from '../check';
import type { Diagnostic, Skipped } from '../engine';
import type { SourceLocation } from '../eks';
import { OLD } from '../knowledge';
import { count, listText, printableLine } from './prose';
import { ansiStyle, plainStyle } from './style';

/** The counts of a run in one line, without line break. */
export function summaryLine({ inputs, summary, diagnostics }: CheckResult, colour: boolean): string {
  const style = colour ? ansiStyle : plainStyle;
  const resources = inputs.reduce((sum, input) => sum + input.resources, 0);
  const scope = `${count(inputs.length, 'input')}, ${count(resources, 'resource')}`;
  const counts = [
    ...(summary.error > 0 ? [style.red(count(summary.error, 'error'))] : []),
    ...(summary.warning > 0 ? [style.yellow(count(summary.warning, 'warning'))] : []),
    ...(summary.info > 0 ? [`${summary.info} info`] : []),
    ...(summary.unverifiable > 0 ? [`${summary.unverifiable} unverifiable`] : []),
    ...(summary.suppressed > 0 ? [`${summary.suppressed} suppressed`] : []),
  ];
  const skipped = skippedText(diagnostics);
  const rest = skipped === '' ? scope : `${scope}. Not checked: ${skipped}`;
  if (counts.length > 0) return `${counts.join(', ')} in ${rest}`;
  const isComplete = skipped === '' && diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
  return `${isComplete ? style.green('No findings') : 'No findings'} in ${rest}`;
}

/** Who reads the report later must not take the day for the one on which the check ran. */
export function judgedAsOf(day: string): string {
  return `Judged as of ${day}.`;
}

/** What there is to say of the tables that a check goes by: whose rows they have, and that some are old. Each is one line. */
export function knowledgeNotes({ knowledge, oldTables = [] }: Pick<CheckResult, 'knowledge' | 'oldTables'>): string[] {
  const overlaid =
    knowledge === undefined
      ? []
      : [
          `Judged with the rows of ${printableLine(knowledge.file)} (as of ${knowledge.asOf}) for ${listText(knowledge.tables)}.`,
        ];
  if (oldTables.length === 0) return overlaid;
  const days = [...new Set(oldTables.map(({ asOf }) => asOf))].map((day) => {
    const names = oldTables.flatMap(({ name, asOf }) => (asOf === day ? [name] : []));
    return `${listText(names)} (${day})`;
  });
  return [
    ...overlaid,
    `More than ${OLD} days old: ${days.join(', ')}. npm install eks-guardrails@latest brings newer tables, --knowledge FILE rows of your own.`,
  ];
}

/** `3 modules that are not here, 2 Terragrunt folders`; empty if all was checked that could be read. */
export function skippedText(diagnostics: readonly Diagnostic[]): string {
  return SKIPPED.flatMap(([what, singular, plural]) => {
    const number = diagnostics.reduce((sum, { skipped }) => sum + (skipped?.what === what ? skipped.count : 0), 0);
    return number === 0 ? [] : [count(number, singular, plural)];
  }).join(', ');
}

const SKIPPED: readonly (readonly [what: Skipped['what'], singular: string, plural: string])[] = [
  ['module', "module that isn't here", "modules that aren't here"],
  ['Terragrunt folder', 'Terragrunt folder', 'Terragrunt folders'],
  ['encrypted file', 'encrypted file', 'encrypted files'],
  ['app', 'app that is not synthesized', 'apps that are not synthesized'],
  ['Pulumi project', 'Pulumi project', 'Pulumi projects'],
  ['Terraform Stack', 'Terraform Stack', 'Terraform Stacks'],
  ['file', 'file', 'files'],
  ['link', 'link', 'links'],
  ['transform', 'transform', 'transforms'],
  ['answer', "answer that isn't here", "answers that aren't here"],
  ['chart', 'Helm chart', 'Helm charts'],
  ['kustomization', 'kustomization', 'kustomizations'],
  ['stack', "stack whose template isn't here", "stacks whose templates aren't here"],
  ['resource', "resource that isn't read", "resources that aren't read"],
];

/** `file:line:column`, the form that terminals and editors turn into a link. */
export function position({ file, line, column }: SourceLocation | Diagnostic): string {
  return printableLine(`${file}:${line}:${column}`);
}
