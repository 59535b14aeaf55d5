import type { Diagnostic, Finding, Severity } from '../engine';
import { resourceName } from '../eks';
import { count, printable, printableLine } from '../reports/prose';
import type { Judged, Verdict } from './judge';

/** What a hook answers. Source: AWS CloudFormation Hooks User Guide; AWS CloudFormation API Reference, `Annotation`. */
export interface HookAnswer {
  readonly hookStatus: 'SUCCESS' | 'FAILED';
  /** Only of a failure. */
  readonly errorCode?: 'NonCompliant' | 'InternalFailure';
  readonly message: string;
  readonly clientRequestToken: string;
  readonly annotations: readonly Annotation[];
}

/** One thing that was looked at, as `GetHookResult`, the console and the CDK's command show it. */
interface Annotation {
  readonly annotationName: string;
  readonly status: 'PASSED' | 'FAILED' | 'SKIPPED';
  readonly severityLevel: 'INFORMATIONAL' | 'MEDIUM' | 'HIGH';
  readonly statusMessage: string;
  readonly remediationMessage?: string;
  readonly remediationLink?: string;
}

/** CloudFormation cuts longer messages. */
const MESSAGE_LENGTH = 4096;
const NAME_LENGTH = 1024;
const TEXT_LENGTH = 16_384;

/** How many CloudFormation takes is not documented; nobody reads more. */
const MOST_ANNOTATIONS = 100;

/** The answer to a request whose templates were judged. */
export function answerOf(token: string, stack: string, verdict: Verdict, failsUnchecked: boolean): HookAnswer {
  const { judged, unchecked, crashes } = verdict;
  const isUnchecked = unchecked.some(({ severity }) => severity === 'error');
  const isFailed = judged.some(({ counts }) => counts);
  return {
    ...(isFailed
      ? { hookStatus: 'FAILED', errorCode: 'NonCompliant' }
      : isUnchecked && failsUnchecked
        ? { hookStatus: 'FAILED', errorCode: 'InternalFailure' }
        : { hookStatus: 'SUCCESS' }),
    message: shortened(messageOf(stack, verdict), MESSAGE_LENGTH),
    clientRequestToken: token,
    annotations: listed([
      ...judged.map(annotationOf),
      ...unchecked.map(uncheckedAnnotation),
      ...crashes.map(({ message }) => skipped('rule-crashed', message)),
    ]),
  };
}

/** The answer where nothing was checked. */
export function uncheckedAnswer(token: string, reason: string, isFailure: boolean): HookAnswer {
  const message = shortened(printable(`eks-guardrails checked nothing: ${reason}.`), MESSAGE_LENGTH);
  return {
    ...(isFailure ? { hookStatus: 'FAILED', errorCode: 'InternalFailure' } : { hookStatus: 'SUCCESS' }),
    message,
    clientRequestToken: token,
    annotations: [skipped('eks-guardrails', message)],
  };
}

/** The answer where there is nothing to check. */
export function passedAnswer(token: string, message: string): HookAnswer {
  return { hookStatus: 'SUCCESS', message, clientRequestToken: token, annotations: [] };
}

function messageOf(stack: string, { judged, accepted, unchecked, crashes, resources }: Verdict): string {
  const failed = judged.filter(({ finding }) => finding.verdict === 'fail');
  const number = (severity: Severity): number => failed.filter(({ finding }) => finding.severity === severity).length;
  const counts = [
    ...(number('error') === 0 ? [] : [count(number('error'), 'error')]),
    ...(number('warning') === 0 ? [] : [count(number('warning'), 'warning')]),
    ...(number('info') === 0 ? [] : [`${number('info')} info`]),
    ...(judged.length === failed.length ? [] : [`${judged.length - failed.length} unverifiable`]),
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
  ];
  const known = failed.filter(({ isKnown }) => isKnown).length;
  return [
    `eks-guardrails: ${counts.length === 0 ? 'no findings' : counts.join(', ')} in ${count(resources, 'resource')} of stack ${printableLine(stack)}.`,
    ...(known === 0
      ? []
      : [`Before this update the stack had ${known === failed.length ? 'all' : known} of them already.`]),
    ...(crashes.length === 0 ? [] : [`${count(crashes.length, 'rule')} stopped with an internal error.`]),
    ...unchecked.filter(({ severity }) => severity === 'error').map((one) => `Not checked: ${placed(one)}`),
    ...judged.filter(({ counts: isReason }) => isReason).map(({ finding }) => line(finding)),
  ].join('\n');
}

function line({ rule, severity, resource, message }: Finding): string {
  return printable(`${severity} ${rule}, ${resourceName(resource)}: ${message}`);
}

function annotationOf({ finding, isKnown }: Judged): Annotation {
  const { rule, verdict, severity, resource, message, fix, fixCode, docs, source } = finding;
  const { line: row } = source.locate();
  const before = isKnown ? 'The stack had this before the update. ' : '';
  return {
    annotationName: `${rule}: ${resourceName(resource)}`,
    // What is mere information stands in nobody's way.
    status: verdict === 'unverifiable' ? 'SKIPPED' : severity === 'info' ? 'PASSED' : 'FAILED',
    severityLevel: verdict === 'unverifiable' ? 'INFORMATIONAL' : LEVELS[severity],
    statusMessage: `${before}${message} (line ${row})`,
    remediationMessage: fixCode === undefined ? fix : `${fix}\n\n${fixCode.trimEnd()}`,
    ...(docs === '' ? {} : { remediationLink: docs }),
  };
}

const LEVELS = { error: 'HIGH', warning: 'MEDIUM', info: 'INFORMATIONAL' } as const satisfies Record<Severity, string>;

function uncheckedAnnotation(diagnostic: Diagnostic): Annotation {
  return skipped('template', placed(diagnostic));
}

function placed({ message, line: row, column }: Diagnostic): string {
  return `${message} (${row}:${column})`;
}

function skipped(annotationName: string, statusMessage: string): Annotation {
  return { annotationName, status: 'SKIPPED', severityLevel: 'INFORMATIONAL', statusMessage };
}

/** No two of one name, no text longer than CloudFormation takes, and one that says how many are left out. */
function listed(all: readonly Annotation[]): readonly Annotation[] {
  const met = new Map<string, number>();
  const shown = all.length > MOST_ANNOTATIONS ? all.slice(0, MOST_ANNOTATIONS - 1) : all;
  const annotations = shown.map((annotation): Annotation => {
    const name = shortened(printableLine(annotation.annotationName), NAME_LENGTH - 8);
    const number = (met.get(name) ?? 0) + 1;
    met.set(name, number);
    const { remediationMessage: remedy } = annotation;
    return {
      ...annotation,
      annotationName: number === 1 ? name : `${name} (${number})`,
      statusMessage: shortened(printable(annotation.statusMessage), TEXT_LENGTH),
      ...(remedy === undefined ? {} : { remediationMessage: shortened(printable(remedy), TEXT_LENGTH) }),
    };
  });
  const left = all.length - shown.length;
  return left === 0
    ? annotations
    : [
        ...annotations,
        skipped('eks-guardrails', `${left} more: run eks-guardrails check on the template to see them.`),
      ];
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
