import type { CheckResult } from '../../lib/check';
import { summarize, type Diagnostic, type Finding, type RelatedPlace } from '../../lib/engine';
import { always, EksModel, NO_DIALECT, type Dialect, type Resource, type Source } from '../../lib/eks';
import { DIALECTS } from '../../lib/front-ends/registry';
import type { ReportContext } from '../../lib/reports';

/** A place found by its text, as a reader would find it. */
export function placeOf(file: string, content: string, text: string, property?: string): Source {
  const offset = content.indexOf(text);
  if (offset < 0) throw new Error(`${file} doesn't contain "${text}"`);
  const before = content.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { locate: () => ({ file, line: before.length, column, ...(property === undefined ? {} : { property }) }) };
}

function dialectOf(name: Dialect['name']): Dialect {
  return DIALECTS.find((one) => one.name === name) ?? NO_DIALECT;
}

export function resourceAt(source: Source, values: Partial<Resource> = {}): Resource {
  const { frontEnd = 'cloudformation' } = values;
  return {
    type: 'AWS::EC2::LaunchTemplate',
    id: 'WorkersTemplate',
    path: undefined,
    stack: 'cluster',
    frontEnd,
    dialect: dialectOf(frontEnd),
    source,
    suppressions: [],
    exists: always,
    ...values,
  };
}

export function findingOn(
  resource: Resource,
  values: Partial<Finding> & { related?: readonly RelatedPlace[] } = {},
): Finding {
  return {
    rule: 'imds-hop-limit',
    severity: 'error',
    verdict: 'fail',
    messageId: 'tooLow',
    message: 'Launch template "WorkersTemplate" sets the hop limit to 1.',
    fix: 'Declare 2.',
    fixCode: undefined,
    docs: 'https://example.com/imds-hop-limit',
    resource,
    source: resource.source,
    related: [],
    ...values,
  };
}

export function resultOf(findings: readonly Finding[], diagnostics: readonly Diagnostic[] = []): CheckResult {
  return {
    inputs: [{ path: 'cluster.yaml', kind: 'cloudformation-template', resources: 12 }],
    findings,
    diagnostics,
    summary: summarize(findings),
    model: new EksModel([]),
  };
}

export function contextWith(
  files: Readonly<Record<string, string>>,
  values: Partial<ReportContext> = {},
): ReportContext {
  return {
    version: '1.2.3',
    readSource: (file) => files[file],
    colour: false,
    width: 80,
    list: { info: false, unverifiable: false, suppressed: false },
    ...values,
  };
}
