import { applyBaseline, baselineOf } from '../baseline';
import { checkTemplates, type CheckResult } from '../check';
import { mergeConfigurations, type CheckConfiguration } from '../configuration';
import { fails, type Diagnostic, type Finding } from '../engine';
import { CRASHED } from '../engine/fail-on';
import type { TemplateInput } from '../cloudformation/template-input';
import type { Payload } from './payload';
import type { StackIdentity } from './request';
import type { HookSettings } from './settings';

/** How a finding of a hook counts. */
export interface Judged {
  readonly finding: Finding;
  /** Whether it is a reason to fail the operation. */
  readonly counts: boolean;
  /** Whether the template before has it, too. */
  readonly isKnown: boolean;
}

/** What a hook finds in a template. */
export interface Verdict {
  /** Without those that the user accepted; what counts comes first, the most severe of it before the rest. */
  readonly judged: readonly Judged[];
  /** How many the user accepted. */
  readonly accepted: number;
  /** What could not be checked, by nobody's fault but the template's. */
  readonly unchecked: readonly Diagnostic[];
  /** What of the check failed by itself, which is never a reason to fail an operation. */
  readonly crashes: readonly Finding[];
  readonly resources: number;
}

/**
 * Judges the template of an operation.
 * @param parameters values of its parameters, as far as they are known
 */
export function judge(
  { template, previousTemplate, created }: Payload,
  stack: StackIdentity,
  parameters: Readonly<Record<string, string>>,
  { configuration, known }: HookSettings,
): Verdict {
  const given = mergeConfigurations(configuration, { parameters: { stacks: { [stack.name]: parameters } } });
  const result = checkTemplates([inputOf(template, stack)], given);
  const isKnown = knownIn(result, previousTemplate, stack, given);
  const open = result.findings.filter(({ suppressed }) => suppressed === undefined);
  const judged = open
    .filter(({ rule }) => rule !== CRASHED)
    .map((finding): Judged => {
      // CloudFormation may have no template before, or that of the change set itself.
      const before = isKnown(finding) && !created.has(finding.resource.id);
      return {
        finding,
        isKnown: before,
        counts: fails(finding, given.failOn) && (known === 'fail' || !before),
      };
    });
  return {
    judged: judged.toSorted((one, other) => rankOf(one) - rankOf(other)),
    accepted: result.findings.length - open.length,
    unchecked: result.diagnostics,
    crashes: open.filter(({ rule }) => rule === CRASHED),
    resources: result.inputs.reduce((sum, input) => sum + input.resources, 0),
  };
}

function inputOf(template: string, { name, region, account }: StackIdentity): TemplateInput {
  return {
    file: `${name}.${template.trimStart().startsWith('{') ? 'json' : 'yaml'}`,
    text: template,
    stack: name,
    ...(region === undefined ? {} : { region }),
    ...(account === undefined ? {} : { account }),
  };
}

/** Whether the template before has a finding, too: both are judged with the parameters of now. */
function knownIn(
  { findings }: CheckResult,
  previousTemplate: string,
  stack: StackIdentity,
  configuration: CheckConfiguration,
): (finding: Finding) => boolean {
  if (previousTemplate === '') return () => false;
  const previous = checkTemplates([inputOf(previousTemplate, stack)], configuration).findings;
  // It may have been written in the other language.
  const place = (): string => stack.name;
  const marked = applyBaseline(findings, baselineOf(previous, place), place).findings;
  const before = new Set(findings.filter((finding, index) => marked[index] !== finding));
  return (finding) => before.has(finding);
}

const SEVERITIES = ['error', 'warning', 'info'];

function rankOf({ finding: { verdict, severity }, counts }: Judged): number {
  return (counts ? 0 : 10) + (verdict === 'fail' ? SEVERITIES.indexOf(severity) : SEVERITIES.length);
}
