import type { FailOn } from '../engine';
import { fails } from '../engine/fail-on';
import type { JsonFinding, JsonReport } from '../reports/json';
import { LABELS, labelOf } from '../reports/listed';
import { code, inline } from '../reports/markdown-text';
import { count, printableLine } from '../reports/prose';
import { webAddress } from '../reports/web-address';

/** One line of a task's result, as HCP Terraform takes it. */
export interface Outcome {
  readonly type: 'task-result-outcomes';
  readonly attributes: {
    readonly 'outcome-id': string;
    /** One line. */
    readonly description: string;
    /** Markdown. */
    readonly body: string;
    readonly url?: string;
    readonly tags: Readonly<Record<'Status' | 'Severity', readonly Tag[]>>;
  };
}

interface Tag {
  readonly label: string;
  readonly level: 'none' | 'info' | 'warning' | 'error';
}

/** Outcomes of one task: beyond that, nobody reads. */
const MOST = 100;

/** Characters of a description, whose end the body has. */
const LONGEST = 240;

/** The errors, warnings and remarks of a report, and what couldn't be read, the worst first. */
export function outcomesOf({ findings, diagnostics }: JsonReport, failOn: FailOn): readonly Outcome[] {
  const unread = diagnostics.filter(({ severity }) => severity === 'error');
  const told = findings
    .filter(({ verdict, suppressed }) => suppressed === undefined && (verdict === 'fail' || failOn === 'unverifiable'))
    .toSorted((a, b) => LABELS.indexOf(labelOf(a)) - LABELS.indexOf(labelOf(b)));
  return [
    ...unread.map(({ message }, index) =>
      outcome(
        `unread-${index + 1}`,
        message,
        inline(message),
        undefined,
        tag('Not checked', 'warning'),
        tag('Unknown', 'none'),
      ),
    ),
    ...told.map((finding) => outcomeOf(finding, failOn)),
  ].slice(0, MOST);
}

function outcomeOf(finding: JsonFinding, failOn: FailOn): Outcome {
  const { rule, message, fix, docs, fingerprint, resource, severity, verdict } = finding;
  const [words = '', sample] = fix.split(/\n\n(?=```)/);
  const body = [
    inline(message),
    ...(words === '' ? [] : [`**Fix:** ${inline(words)}`]),
    ...(sample === undefined ? [] : [sample]),
    code(resource.id),
  ].join('\n\n');
  return outcome(
    `${rule}-${fingerprint.slice(0, 12)}`,
    `${rule}: ${message}`,
    body,
    webAddress(docs),
    fails(finding, failOn) ? tag('Failed', 'error') : tag('Told', 'none'),
    verdict === 'unverifiable' ? tag('Unverifiable', 'none') : tag(severity, severity),
  );
}

function tag(label: string, level: Tag['level']): Tag {
  return { label: label.replace(/^./, (first) => first.toUpperCase()), level };
}

function outcome(
  id: string,
  description: string,
  body: string,
  url: string | undefined,
  status: Tag,
  severity: Tag,
): Outcome {
  const line = printableLine(description);
  return {
    type: 'task-result-outcomes',
    attributes: {
      'outcome-id': id,
      description: line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line,
      body,
      ...(url === undefined ? {} : { url }),
      tags: { Status: [status], Severity: [severity] },
    },
  };
}

/** `1 error, 2 warnings in 14 resources`. */
export function messageOf({ summary, inputs }: JsonReport): string {
  const counts = [
    ...(summary.error > 0 ? [count(summary.error, 'error')] : []),
    ...(summary.warning > 0 ? [count(summary.warning, 'warning')] : []),
    ...(summary.info > 0 ? [`${summary.info} info`] : []),
    ...(summary.unverifiable > 0 ? [`${summary.unverifiable} unverifiable`] : []),
    ...(summary.suppressed > 0 ? [`${summary.suppressed} accepted`] : []),
  ];
  const resources = inputs.reduce((sum, input) => sum + input.resources, 0);
  return `${counts.length === 0 ? 'No findings' : counts.join(', ')} in ${count(resources, 'resource')}`;
}
