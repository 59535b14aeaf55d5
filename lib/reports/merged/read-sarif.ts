import type { Severity } from '../../engine';
import { allRules } from '../../rules';
import { docsUrl } from '../../engine';
import type { JsonDiagnostic, JsonLocation } from '../json';
import { FINGERPRINT, LEVELS, TOOL } from '../sarif';
import { Field } from './fields';
import type { MergedFinding, ReadReport, SarifRun } from './merged-report';

/** What our runs consist of; what others have added to them stays behind. */
const RUN_KEYS = ['tool', 'columnKind', 'originalUriBaseIds', 'results', 'invocations', 'artifacts'] as const;

/**
 * Reads a log of SARIF that we wrote: alone, or as a run among those of others, which are passed by. Undefined if none is ours.
 * @throws FieldProblem for a run of ours that lacks something
 */
export function readSarif(log: Field, file: string): readonly ReadReport[] | undefined {
  const own = log.at('runs').items.filter((run) => run.at('tool').at('driver').at('name').value === TOOL);
  return own.length === 0 ? undefined : own.map((run) => reportOf(run, file));
}

function reportOf(run: Field, file: string): ReadReport {
  const driver = run.at('tool').at('driver');
  const levels = new Map(
    driver
      .at('rules')
      .itemsIfAny.map((rule) => [rule.at('id').text, severityOf(rule.at('defaultConfiguration').at('level'))]),
  );
  const help = new Map(driver.at('rules').itemsIfAny.map((rule) => [rule.at('id').text, rule.at('helpUri').textIfAny]));
  const results = run.at('results').items;
  const name = nameOf(run.at('automationDetails').at('id').textIfAny);
  return {
    file,
    version: driver.at('semanticVersion').text,
    ...(name === undefined ? {} : { name }),
    inputs: run.at('artifacts').itemsIfAny.map((artifact) => ({
      path: pathOf(artifact.at('location')),
      kind: 'unknown',
      resources: 0,
    })),
    findings: results.map((result) => findingOf(result, levels, help)),
    diagnostics: run
      .at('invocations')
      .itemsIfAny.flatMap((invocation) =>
        invocation.at('toolExecutionNotifications').itemsIfAny.map((notification) => diagnosticOf(notification)),
      ),
    run: {
      ...Object.fromEntries(RUN_KEYS.flatMap((key) => (run.at(key).isThere ? [[key, run.at(key).value]] : []))),
      results: results.map(({ value }) => value),
    } satisfies SarifRun,
  };
}

/** Merging gives runs the ids `eks-guardrails/NAME/`; others are of uploads. */
function nameOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : new RegExp(`^${TOOL}/(.+?)(?:#\\d+)?/$`).exec(id)?.[1];
}

function findingOf(
  result: Field,
  levels: ReadonlyMap<string, Severity>,
  help: ReadonlyMap<string, string | undefined>,
): MergedFinding {
  const rule = result.at('ruleId').text;
  const isOpen = result.at('kind').value === 'review';
  const [location] = result.at('locations').items;
  if (location === undefined) throw result.at('locations').problem('a list with a place');
  const [logical] = location.at('logicalLocations').items;
  if (logical === undefined) throw location.at('logicalLocations').problem('a list with a resource');
  const id = logical.at('name').text;
  const path = logical.at('fullyQualifiedName').text;
  const [suppression] = result.at('suppressions').itemsIfAny;
  const until = suppression?.at('properties').at('until').textIfAny;
  const property = logical.at('properties').at('property').textIfAny ?? null;
  const own = allRules.find((known) => known.id === rule);
  return {
    rule,
    severity: isOpen ? (levels.get(rule) ?? own?.severity ?? 'info') : severityOf(result.at('level')),
    verdict: isOpen ? 'unverifiable' : 'fail',
    ...textsOf(result.at('message').at('text').text),
    docs: help.get(rule) ?? (own === undefined ? '' : docsUrl(rule)),
    fingerprint: result.at('partialFingerprints').at(FINGERPRINT).text,
    resource: { type: logical.at('properties').at('type').text, id, path: path === id ? null : path },
    location: { ...placeOf(location), property },
    related: result.at('relatedLocations').itemsIfAny.map((related) => ({
      message: related.at('message').at('text').text,
      location: { ...placeOf(related), property: null },
    })),
    ...(suppression === undefined
      ? {}
      : { suppressed: { reason: suppression.at('justification').text, ...(until === undefined ? {} : { until }) } }),
  };
}

/** The message and the fix, of the paragraphs that our results consist of. */
function textsOf(text: string): { message: string; fix: string } {
  const [message = '', ...more] = text.split('\n\n');
  const fix = more.find((paragraph) => paragraph.startsWith(FIX)) ?? '';
  return { message, fix: fix.slice(FIX.length) };
}

const FIX = 'Fix: ';

function severityOf(level: Field): Severity {
  const found = level.oneOf(...Object.values(LEVELS));
  return (Object.keys(LEVELS) as Severity[]).find((severity) => LEVELS[severity] === found) ?? 'info';
}

function diagnosticOf(notification: Field): JsonDiagnostic {
  const [location] = notification.at('locations').items;
  if (location === undefined) throw notification.at('locations').problem('a list with a place');
  return {
    severity: notification.at('level').oneOf('error', 'warning'),
    message: notification.at('message').at('text').text,
    ...placeOf(location),
  };
}

function placeOf(location: Field): Pick<JsonLocation, 'file' | 'line' | 'column'> {
  const physical = location.at('physicalLocation');
  const region = physical.at('region');
  return {
    file: pathOf(physical.at('artifactLocation')),
    line: region.at('startLine').number(1),
    column: region.at('startColumn').number(1),
  };
}

/** The path that an address was made of. */
function pathOf(location: Field): string {
  const uri = location.at('uri').text;
  try {
    return decodeURIComponent(uri.replace(/^file:\/\/(?=\/)/, ''));
  } catch {
    return uri;
  }
}
