import type { CheckResult } from '../check';
import type { Diagnostic, Finding, Severity, Skipped } from '../engine';
import { resourceName, type Resource, type SourceLocation } from '../eks';
import { sameText, Sayings } from './alike';
import { codeFrame, markerOf, SourceText } from './code-frame';
import type { Format, ReportContext } from './format';
import { isListed, LABELS, labelOf } from './listed';
import { count, printable, printableLine, wrap } from './prose';
import { ansiStyle, plainStyle, type Paint, type Style } from './style';
import { unjudged, unjudgedText } from './unjudged';

/** Causes of unverifiable findings that are told when these aren't listed. */
const MOST_CAUSES = 6;

/** Places that say the same as one before them, where not everything is listed. */
const MOST_PLACES = 20;

/** A finding with its place, which is worked out once. */
interface Located {
  readonly finding: Finding;
  readonly place: SourceLocation;
  /** Those that say the same of other resources, here or elsewhere. */
  readonly others: Located[];
}

/** The findings of one resource. */
interface Group {
  readonly resource: Resource;
  readonly place: SourceLocation;
  readonly findings: readonly Located[];
}

export const text: Format = {
  description: 'for people: grouped by resource, with the lines in question',
  *render(result, context) {
    yield* new TextReport(result, context).lines();
  },
};

class TextReport {
  private readonly style: Style;
  private readonly sources = new Map<string, SourceText | undefined>();
  /** Fixes and pages that were printed. */
  private readonly said = new Set<string>();

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.style = context.colour ? ansiStyle : plainStyle;
  }

  *lines(): Iterable<string> {
    let isApart = false;
    for (const group of this.groups()) {
      if (group.resource.isNotEnabled === true && !isApart)
        yield `${this.style.bold('In modules that no root module enables')}\n\n`;
      isApart = group.resource.isNotEnabled === true;
      yield* this.group(group);
    }
    yield* this.diagnostics();
    yield* this.unjudged();
    yield* this.summary();
  }

  /** Files in the order in which findings name them, resources within a file by line; what no root module enables comes last. */
  private groups(): Group[] {
    const byResource = new Map<Resource, Located[]>();
    for (const finding of this.result.findings) {
      if (!isListed(finding, this.context.list)) continue;
      const located = { finding, place: finding.source.locate(), others: [] };
      const list = byResource.get(finding.resource);
      if (list === undefined) byResource.set(finding.resource, [located]);
      else list.push(located);
    }
    const groups = [...byResource].map(([resource, findings]) => ({
      resource,
      place: resource.source.locate(),
      findings: findings.sort(bySeverity),
    }));
    const fileOrder = new Map<string, number>();
    for (const { place } of groups) if (!fileOrder.has(place.file)) fileOrder.set(place.file, fileOrder.size);
    const rank = ({ place }: Group) => fileOrder.get(place.file) ?? 0;
    const apart = ({ resource }: Group) => (resource.isNotEnabled === true ? 1 : 0);
    return this.gathered(
      groups.sort(
        (a, b) =>
          apart(a) - apart(b) || rank(a) - rank(b) || a.place.line - b.place.line || a.place.column - b.place.column,
      ),
    );
  }

  /** What is said once isn't said again of the next resource: the places are named where it is said first. */
  private gathered(groups: readonly Group[]): Group[] {
    const sayings = new Sayings(this.result);
    const said = new Map<string, Located>();
    const gathered = groups.map((group) => ({
      ...group,
      findings: group.findings.filter((located) => {
        if (located.finding.verdict === 'unverifiable') return true;
        const saying = sayings.of(located.finding);
        const first = said.get(saying);
        if (first === undefined) said.set(saying, located);
        else first.others.push(located);
        return first === undefined;
      }),
    }));
    return gathered.filter(({ findings }) => findings.length > 0);
  }

  private *group({ resource, place, findings }: Group): Iterable<string> {
    const { bold, dim } = this.style;
    const id = resource.path === undefined ? '' : ` ${resource.id}`;
    const kind = printableLine(`${resource.type}${id}`);
    yield `${bold(printableLine(resource.path ?? resource.id))}  ${dim(`${kind}  ${printableLine(`${place.file}${callerOf(resource, place)}`)}`)}\n\n`;
    let framed = '';
    for (const { located, rules } of mergeEqual(findings)) {
      const { file, line, column } = located.place;
      const position = `${file}:${line}:${column}`;
      yield* this.finding(located, rules, position !== framed);
      framed = position;
    }
  }

  private *finding(
    { finding, place, others }: Located,
    rules: readonly string[],
    withFrame: boolean,
  ): Iterable<string> {
    const { bold, dim, green } = this.style;
    const [headline = '', ...more] = wrap(rules.join(', '), this.context.width - 24);
    yield `  ${this.paint(finding)(labelOf(finding))}  ${bold(headline)}  ${dim(position(place))}\n`;
    for (const line of more) yield `    ${bold(line)}\n`;
    for (const line of wrap(printableLine(finding.message), this.context.width - 4)) yield `    ${line}\n`;
    yield '\n';
    if (withFrame) yield* this.frame(finding, place);
    const isSaid = this.isSaid(`${finding.rule} ${finding.fix} ${finding.fixCode ?? ''}`);
    if (finding.fix !== '') yield* this.field('fix', green, isSaid ? 'as above' : printableLine(finding.fix));
    if (finding.fixCode !== undefined && !isSaid) {
      for (const line of printable(finding.fixCode.trimEnd()).split('\n'))
        yield `          ${green(line)}`.trimEnd() + '\n';
    }
    for (const related of finding.related) {
      yield* this.field('also', dim, `${position(related.source.locate())} ${printableLine(related.message)}`);
    }
    yield* this.same(finding, place, others);
    if (rules.length === 1 && finding.docs !== '' && !this.isSaid(`${finding.rule} ${finding.docs}`))
      yield* this.field('docs', dim, printableLine(finding.docs));
    if (finding.suppressed !== undefined) {
      const { reason, until } = finding.suppressed;
      yield* this.field(
        'kept',
        dim,
        printableLine(reason) + (until === undefined ? '' : ` (until ${printableLine(until)})`),
      );
    }
    yield '\n';
  }

  /** Whether something was printed before, in a report that doesn't list everything. */
  private isSaid(text: string): boolean {
    if (this.context.list.suppressed) return false;
    return this.said.size === this.said.add(text).size;
  }

  /** Of which other resources it holds at this place, and at which other places. */
  private *same(finding: Finding, place: SourceLocation, others: readonly Located[]): Iterable<string> {
    const { dim } = this.style;
    const byPlace = new Map<string, Finding[]>();
    for (const other of others) {
      const known = byPlace.get(position(other.place));
      if (known === undefined) byPlace.set(position(other.place), [other.finding]);
      else known.push(other.finding);
    }
    const here = byPlace.get(position(place)) ?? [];
    if (here.length > 0) yield* this.field('same', dim, printableLine(sameText(finding, here)));
    byPlace.delete(position(place));
    const elsewhere = [...byPlace];
    if (elsewhere.length === 0) return;
    yield* this.field('same', dim, `at ${count(elsewhere.length, 'more place')}:`);
    const most = this.context.list.suppressed ? elsewhere.length : MOST_PLACES;
    for (const [where, findings] of elsewhere.slice(0, most)) {
      const [first, ...more] = findings.map(({ resource }) => resourceName(resource));
      yield `          ${where}  ${dim(printableLine(`${first ?? ''}${more.length === 0 ? '' : ` and ${more.length} more`}`))}\n`;
    }
    if (elsewhere.length > most)
      yield `          ${dim(`and ${count(elsewhere.length - most, 'more place')}; --verbose lists all`)}\n`;
  }

  private *field(label: string, paint: Paint, content: string): Iterable<string> {
    const [first = '', ...rest] = wrap(content, this.context.width - 10);
    yield `    ${paint(label)}${' '.repeat(6 - label.length)}${first}\n`;
    for (const line of rest) yield `          ${line}\n`;
  }

  private *frame(finding: Finding, place: SourceLocation): Iterable<string> {
    const source = this.source(place.file);
    if (source === undefined) return;
    const digits = String(place.line + 2).length;
    const frame = codeFrame(source, place.line, place.column, this.context.width - digits - 9);
    if (frame === undefined) return;
    const paint = this.paint(finding);
    const { dim } = this.style;
    for (const line of frame) {
      const marker = markerOf(line);
      yield `    ${marker === undefined ? ' ' : paint('>')} ${dim(`${String(line.number).padStart(digits)} |`)} ${line.text}`.trimEnd() +
        '\n';
      if (marker !== undefined) yield `      ${dim(`${' '.repeat(digits)} |`)} ${paint(marker)}\n`;
    }
    yield '\n';
  }

  /** Each file is read again at most once: keeping all texts from the check would cost their whole size. */
  private source(file: string): SourceText | undefined {
    if (!this.sources.has(file)) {
      const content = file === '' ? undefined : this.context.readSource(file);
      this.sources.set(file, content === undefined ? undefined : new SourceText(content));
    }
    return this.sources.get(file);
  }

  private *diagnostics(): Iterable<string> {
    const isQuiet = this.context.list.warning === false;
    const diagnostics = this.result.diagnostics.filter(({ severity }) => severity === 'error' || !isQuiet);
    if (diagnostics.length === 0) return;
    const { bold, dim } = this.style;
    yield `${bold('Problems with the input')}\n\n`;
    for (const { diagnostic, others, more } of this.context.list.suppressed
      ? diagnostics.map(alone)
      : gathered(diagnostics)) {
      const paint = diagnostic.severity === 'error' ? this.style.red : this.style.yellow;
      yield `  ${paint(diagnostic.severity)}  ${dim(`${position(diagnostic)}${others === 0 ? '' : ` and ${count(others, 'more place')}`}`)}\n`;
      for (const line of wrap(printableLine(diagnostic.message), this.context.width - 4)) yield `    ${line}\n`;
      if (more > 0) yield `    ${dim(`and ${count(more, 'more problem')} in this file`)}\n`;
    }
    yield '\n';
  }

  /** What keeps rules from judging, in short; each finding of it is listed only when that is wanted. */
  private *unjudged(): Iterable<string> {
    const { list, width } = this.context;
    const causes = list.unverifiable || list.warning === false ? [] : unjudged(this.result.findings);
    if (causes.length === 0) return;
    yield `${this.style.bold('What the input does not tell')}\n\n`;
    for (const cause of causes.slice(0, MOST_CAUSES)) {
      const [first = '', ...more] = wrap(unjudgedText(cause), width - 4);
      yield `  ${first}\n`;
      for (const line of more) yield `    ${line}\n`;
    }
    if (causes.length > MOST_CAUSES) yield `  and ${count(causes.length - MOST_CAUSES, 'more cause')}\n`;
    yield '\n';
  }

  private *summary(): Iterable<string> {
    const { dim } = this.style;
    yield `${summaryLine(this.result, this.context.colour)}\n`;
    const { summary, diagnostics, asOf } = this.result;
    const unread = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    if (unread > 0) yield `${this.style.red(`${count(unread, 'input problem')}: not everything was checked`)}\n`;
    if (asOf !== undefined) yield `${dim(judgedAsOf(asOf))}\n`;
    const { list } = this.context;
    if (list.warning === false) return;
    const hidden = [
      ...(summary.info > 0 && !list.info ? [`${summary.info} info`] : []),
      ...(summary.unverifiable > 0 && !list.unverifiable ? [`${summary.unverifiable} unverifiable`] : []),
      ...(summary.suppressed > 0 && !list.suppressed ? [`${summary.suppressed} suppressed`] : []),
    ];
    if (hidden.length > 0) yield `${dim(`Not listed: ${hidden.join(', ')}. Add --verbose to see them.`)}\n`;
  }

  private paint(finding: Finding): Paint {
    if (finding.suppressed !== undefined) return this.style.dim;
    return finding.verdict === 'unverifiable' ? this.style.cyan : severityPaint(finding.severity, this.style);
  }
}

/** Problems of one file that are told where not everything is listed: what is wrong with the first often causes the others. */
const MOST_PROBLEMS = 3;

interface GatheredDiagnostic {
  readonly diagnostic: Diagnostic;
  /** Other places where the same is wrong. */
  readonly others: number;
  /** Problems of the same file that have no room. */
  readonly more: number;
}

function alone(diagnostic: Diagnostic): GatheredDiagnostic {
  return { diagnostic, others: 0, more: 0 };
}

/** Problems with those that say the same elsewhere as one, and the first few of each file. */
function gathered(diagnostics: readonly Diagnostic[]): readonly GatheredDiagnostic[] {
  const told = new Map<string, { readonly diagnostic: Diagnostic; others: number; more: number }>();
  const files = new Map<string, { last: { more: number }; number: number }>();
  for (const diagnostic of diagnostics) {
    const { severity, file, message } = diagnostic;
    const same = told.get(`${severity} ${message}`);
    const inFile = files.get(`${severity} ${file}`);
    if (same !== undefined) same.others++;
    else if (inFile !== undefined && inFile.number >= MOST_PROBLEMS) inFile.last.more++;
    else {
      const entry = { diagnostic, others: 0, more: 0 };
      told.set(`${severity} ${message}`, entry);
      files.set(`${severity} ${file}`, { last: entry, number: (inFile?.number ?? 0) + 1 });
    }
  }
  return [...told.values()];
}

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
  ['file', 'file', 'files'],
  ['link', 'link', 'links'],
  ['transform', 'transform', 'transforms'],
  ['stack', "stack whose template isn't here", "stacks whose templates aren't here"],
  ['resource', "resource that isn't read", "resources that aren't read"],
];

/** The root module, of what stands in a module beside it: several may call that one, with other values. */
function callerOf({ dialect, stack }: Resource, { file }: SourceLocation): string {
  return dialect.hasPathsForStacks !== true || stack === '.' || file.startsWith(stack) ? '' : `, called by ${stack}`;
}

function severityPaint(severity: Severity, style: Style): Paint {
  switch (severity) {
    case 'error':
      return style.red;
    case 'warning':
      return style.yellow;
    case 'info':
      return style.blue;
  }
}

/** Worst first; then what can't be told, and what the user accepted. */
function bySeverity(a: Located, b: Located): number {
  const rank = ({ finding }: Located) => LABELS.indexOf(labelOf(finding));
  return rank(a) - rank(b) || a.place.line - b.place.line || a.place.column - b.place.column;
}

/** Findings of one resource, with those that are unverifiable for the same reason at the same place as one: a template that nobody sees stops many rules. */
function mergeEqual(findings: readonly Located[]): { readonly located: Located; readonly rules: readonly string[] }[] {
  const merged: { readonly located: Located; readonly rules: string[] }[] = [];
  const byReason = new Map<string, string[]>();
  for (const located of findings) {
    const { finding, place } = located;
    const key =
      finding.verdict === 'unverifiable' && finding.suppressed === undefined
        ? `${position(place)} ${finding.message}`
        : undefined;
    const known = key === undefined ? undefined : byReason.get(key);
    if (known !== undefined) {
      known.push(finding.rule);
      continue;
    }
    const rules = [finding.rule];
    merged.push({ located, rules });
    if (key !== undefined) byReason.set(key, rules);
  }
  return merged;
}

/** `file:line:column`, the form that terminals and editors turn into a link. */
export function position({ file, line, column }: SourceLocation | Diagnostic): string {
  return printableLine(`${file}:${line}:${column}`);
}
