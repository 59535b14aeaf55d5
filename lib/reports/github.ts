import type { CheckResult } from '../check';
import type { Diagnostic, Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { alikeByPlace, messageOf, type Alike } from './alike';
import type { Format, ReportContext } from './format';
import { isListed, LABELS, labelOf } from './listed';
import { Places } from './places';
import { count, printable } from './prose';
import { fixableText, repairText } from './repairs';
import { summaryLine } from './summary';
import { unjudged, unjudgedWithRules, type Unjudged } from './unjudged';

/*
 * Workflow commands of GitHub Actions ("Workflow commands for GitHub Actions" in GitHub's documentation; escapes: toolkit, packages/core/src/command.ts).
 */

/** Annotations of each level that GitHub shows for one step of a job; it drops the others without a word. */
const SHOWN = 10;

type Level = 'error' | 'warning' | 'notice';

const PLURALS: readonly (readonly [level: Level, plural: string])[] = [
  ['error', 'errors'],
  ['warning', 'warnings'],
  ['notice', 'notices'],
];

interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly place: SourceLocation;
  readonly endColumn: number | undefined;
}

export const github: Format = {
  description: 'annotations of a GitHub Actions run',
  *render(result, context) {
    yield* annotations(result, context);
    const fixable = fixableText(result, context);
    yield `${summaryLine(result, false)}${fixable === '' ? '' : `. ${fixable}`}\n`;
  },
};

/** One line per annotation, worst first, and one that counts those beyond what GitHub shows. What the user accepted is none. */
export function* annotations(result: CheckResult, context: ReportContext): Iterable<string> {
  const places = new Places(result, context);
  const written = { error: 0, warning: 0, notice: 0 };
  const left = { error: 0, warning: 0, notice: 0 };
  for (const item of ordered(result, context)) {
    const level = 'cause' in item ? 'notice' : levelOf('finding' in item ? item.finding : item);
    if (written[level] >= SHOWN) {
      left[level]++;
      continue;
    }
    written[level]++;
    yield `${command('cause' in item ? ofUnjudged(item, places) : 'finding' in item ? ofFinding(item, level, places, context) : ofDiagnostic(item, level, places))}\n`;
  }
  const more = PLURALS.filter(([level]) => left[level] > 0).map(([level, plural]) =>
    count(left[level], `more ${level}`, `more ${plural}`),
  );
  if (more.length > 0) yield `Not annotated, because GitHub shows ${SHOWN} per level and step: ${more.join(', ')}\n`;
}

/** What could not be read comes first: it makes the rest incomplete. */
function* ordered(result: CheckResult, { list }: ReportContext): Iterable<Diagnostic | Alike | Unjudged> {
  const { diagnostics, findings } = result;
  yield* diagnostics.filter(({ severity }) => severity === 'error');
  for (const label of LABELS) {
    const found = findings.filter((finding) => labelOf(finding) === label && isListed(finding, list));
    if (label === 'unverifiable') yield* unjudged(found);
    else if (label !== 'suppressed') yield* alikeByPlace(found, result);
    if (label === 'warning' && list.warning !== false)
      yield* diagnostics.filter(({ severity }) => severity === 'warning');
  }
}

function levelOf(item: Diagnostic | Finding): Level {
  return item.severity === 'info' ? 'notice' : item.severity;
}

function ofFinding(alike: Alike, level: Level, places: Places, context: ReportContext): Annotation {
  const { finding } = alike;
  const { fix, docs, rule: title } = finding;
  const repair = repairText(finding, context);
  const text = [
    messageOf(alike),
    ...(fix === '' ? [] : [`Fix: ${fix}`]),
    ...(repair === '' ? [] : [`${repair}.`]),
    ...(docs === '' ? [] : [docs]),
  ].join('\n');
  return {
    level,
    title,
    message: text,
    place: places.of(finding),
    endColumn: places.endColumn(finding.source.locate()),
  };
}

/** One annotation for all findings with the same cause, at the place of the first, because GitHub shows only a few annotations. */
function ofUnjudged(one: Unjudged, places: Places): Annotation {
  const [first] = one.findings;
  const title = one.findings.length === 1 ? `${first.rule} (unverifiable)` : 'unverifiable';
  return {
    level: 'notice',
    title,
    message: unjudgedWithRules(one),
    place: places.of(first),
    endColumn: places.endColumn(first.source.locate()),
  };
}

function ofDiagnostic(diagnostic: Diagnostic, level: Level, places: Places): Annotation {
  const title = level === 'error' ? 'Input that could not be read' : 'Doubt about the input';
  return { level, title, message: diagnostic.message, place: places.ofDiagnostic(diagnostic), endColumn: undefined };
}

function command({ level, title, message, place, endColumn }: Annotation): string {
  const { file, line, column } = place;
  const properties: readonly (readonly [name: string, value: string])[] = [
    ['file', file],
    ['line', String(line)],
    ['endLine', String(line)],
    ['col', String(column)],
    // GitHub's end is the last column.
    ...(endColumn === undefined ? [] : [['endColumn', String(endColumn - 1)] as const]),
    ['title', title],
  ];
  return `::${level} ${properties.map(([name, value]) => `${name}=${escapeProperty(value)}`).join(',')}::${escapeData(printable(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
