import type { CheckResult } from '../check';
import { AS_WRITTEN, docsUrl, withCommonNames, type Finding } from '../engine';
import { resourceName, typeName, type Resource, type SourceLocation } from '../eks';
import { Sayings } from './alike';
import { blocksOf, type Block, type Located } from './blocks';
import { columnsOf } from '../text/columns';
import { codeFrame, markerOf, SourceText } from './code-frame';
import type { Format, ReportContext } from './format';
import { isListed, labelOf, type Label } from './listed';
import { namesNextTo, namesOf, otherPlaces, type OtherPlace, type OtherRow } from './other-places';
import { alone, gatheredProblems } from './problems';
import { count, printable, printableLine, wrap } from './prose';
import { ansiStyle, plainStyle, type Paint, type Style } from './style';
import { fixableText, repairMark } from './repairs';
import { statisticsOf } from './statistics';
import { judgedAsOf, knowledgeNotes, position, summaryLine } from './summary';
import { unjudged, unjudgedText } from './unjudged';

/** Causes of unverifiable findings that are told when these aren't listed. */
const MOST_CAUSES = 6;

/** Further places of a finding that are told where not everything is listed. */
const MOST_PLACES = 20;

/** Longest part of a message that is told of a further place. */
const MOST_OF_MESSAGE = 100;

/** Lines behind the first one of a declaration from which it isn't told again. */
const LEAST_REPEATED = 3;

/** Blocks up to which each has a frame of several lines; of more, the one line that is wrong. */
const MOST_FRAMED = 5;

export const text: Format = {
  description: 'for people: what one fix mends is told once, with the lines in question',
  *render(result, context) {
    yield* new TextReport(result, context).lines();
  },
};

class TextReport {
  private readonly style: Style;
  private readonly sayings: Sayings;
  private readonly sources = new Map<string, SourceText | undefined>();
  /** Fixes that were printed. */
  private readonly said = new Set<string>();
  private isApart = false;
  private framed = '';
  /** Few findings have room for what stands around each. */
  private isRoomy = false;

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.style = context.colour ? ansiStyle : plainStyle;
    this.sayings = new Sayings(result);
  }

  /** Whether each finding is told by itself, with all that there is to it. */
  private get isVerbose(): boolean {
    return this.context.list.suppressed;
  }

  *lines(): Iterable<string> {
    const findings = this.result.findings.filter((finding) => isListed(finding, this.context.list));
    if (this.context.statistics === true) {
      yield* this.statistics();
      yield* this.diagnostics();
      yield* this.summary();
      return;
    }
    const blocks = blocksOf(findings, this.result, this.isVerbose ? 'none' : 'similar');
    this.isRoomy = blocks.length <= MOST_FRAMED;
    yield* this.blocks(blocks);
    yield* this.diagnostics();
    yield* this.unjudged();
    if (blocks.length > 0) yield* this.pages(findings);
    yield* this.summary();
  }

  private *blocks(blocks: readonly Block[]): Iterable<string> {
    const { most = Infinity } = this.context;
    let told = 0;
    let left = 0;
    for (const block of blocks) {
      const size = block.others.length + block.rules.length;
      if (told >= most) left += size;
      else yield* this.block(block);
      told += size;
    }
    if (left > 0) yield `${this.style.bold(`... and ${count(left, 'more finding')}`)}\n\n`;
  }

  private *statistics(): Iterable<string> {
    const counts = statisticsOf(this.result);
    const digits = Math.max(...counts.map((one) => String(one.count).length));
    const widest = Math.max(...counts.map(({ label }) => label.length));
    for (const one of counts) {
      const paint = LABEL_PAINTS[one.label];
      yield `${String(one.count).padStart(digits)}  ${this.style[paint](one.label)}${' '.repeat(widest - one.label.length)}  ${this.style.bold(one.rule)}\n`;
    }
    if (counts.length > 0) yield '\n';
  }

  private *block(block: Block): Iterable<string> {
    const { finding, place, others, rules } = block;
    const { bold, cyan, dim } = this.style;
    const { resource } = finding;
    if (resource.isNotEnabled === true && !this.isApart) {
      this.isApart = true;
      yield `${bold('In modules that no root module enables')}\n\n`;
    }
    const [headline = '', ...more] = wrap(rules.join(', '), this.context.width - 24);
    const repair = repairMark([finding, ...others.map((other) => other.finding)], this.context);
    const mark = repair === '' ? '' : ` ${cyan(`[${repair}]`)}`;
    yield `${this.paint(finding)(labelOf(finding))}  ${bold(headline)}${mark}  ${dim(position(place))}\n`;
    for (const line of more) yield `  ${bold(line)}\n`;
    const isNamed = finding.message.includes(resourceName(resource));
    const isCalled = others.length === 0 && callerOf(resource, resource.source.locate()) !== '';
    if (this.isVerbose || !isNamed || isCalled) yield `  ${dim(nameLine(resource))}\n`;
    yield* this.prose(printableLine(this.untold(finding)), 2);
    yield* this.frame(finding, place);
    yield* this.related(finding);
    yield* this.others(block);
    yield* this.fix(block);
    yield* this.variants(block);
    yield* this.mended(block);
    if (finding.suppressed !== undefined) {
      const { reason, until } = finding.suppressed;
      yield* this.field(
        'kept',
        dim,
        printableLine(reason) + (until === undefined ? '' : ` (until ${printableLine(until)})`),
      );
    }
    if (this.isVerbose && finding.docs !== '') yield* this.field('docs', dim, printableLine(finding.docs));
    yield '\n';
  }

  private *fix({ finding: { rule, fix, fixCode = '' }, others }: Block): Iterable<string> {
    const { green } = this.style;
    const isSaid = this.isSaid(`${rule} ${fix} ${withCommonNames(fixCode)}`);
    const isOfFirst = others.some(({ finding }) => finding.fixCode !== fixCode) && fixCode !== '';
    const words = isSaid ? 'as above' : printableLine(isOfFirst ? `${fix} For the first:` : fix);
    // Where it goes is part of the words, if there is room: nobody has to paste that.
    const [whole = '', where = ''] = (!this.isVerbose && !isOfFirst && /^(?:\/\/|#) (.+:)\n/.exec(fixCode)) || [];
    const together = `${words} ${where.charAt(0).toUpperCase()}${where.slice(1)}`;
    const isTogether = !isSaid && where !== '' && columnsOf(together) <= this.context.width - 8;
    if (fix !== '') yield* this.field('fix', green, isTogether ? printableLine(together) : words);
    if (fixCode !== '' && !isSaid) yield* this.code(isTogether ? fixCode.slice(whole.length) : fixCode);
  }

  /** What fixes of others say that this one doesn't. */
  private *variants({ finding, variants }: Block): Iterable<string> {
    const { green } = this.style;
    for (const { words, code, located } of variants) {
      const parts = [`${namesNextTo(located, finding)}:`, words, code.length === 0 ? '' : 'These lines differ:'];
      yield* this.field('for', green, printableLine(parts.filter((part) => part !== '').join(' ')));
      for (const line of printable(code.join('\n')).split('\n')) if (line !== '') yield this.codeLine(line);
    }
  }

  private *mended({ finding, mended }: Block): Iterable<string> {
    const { dim } = this.style;
    for (const rule of new Set(mended.map((one) => one.finding.rule))) {
      const [first, ...more] = mended.filter((one) => one.finding.rule === rule);
      if (first === undefined) continue;
      const names = namesNextTo([first, ...more], finding);
      yield* this.field('too', dim, printableLine(`${labelOf(first.finding)} ${rule} of ${names}`));
    }
  }

  /** What is declared is told once, in a report that doesn't list everything. */
  private *code(fixCode: string): Iterable<string> {
    for (const [first = '', ...rest] of piecesOf(printable(fixCode.trimEnd()))) {
      const isShort = rest.length >= LEAST_REPEATED && this.isSaid([withCommonNames(first), ...rest].join('\n'));
      yield this.codeLine(isShort ? `${first} ... as above` : first);
      if (!isShort) for (const line of rest) yield this.codeLine(line);
    }
  }

  private codeLine(line: string): string {
    return `        ${this.style.green(line)}`.trimEnd() + '\n';
  }

  /** The message without sentences behind the first one that were told of the same rule before. */
  private untold({ rule, message }: Finding): string {
    const [first = '', ...rest] = message.split(/(?<=\.) (?=[A-Z])/);
    return [first, ...rest.filter((sentence) => !this.isSaid(`${rule} ${sentence}`))].join(' ');
  }

  /** Whether something was printed before, in a report that doesn't list everything. */
  private isSaid(text: string): boolean {
    if (this.isVerbose) return false;
    return this.said.size === this.said.add(text).size;
  }

  private *related({ related }: Finding): Iterable<string> {
    const { dim } = this.style;
    if (this.isVerbose) {
      for (const { source, message } of related)
        yield* this.field('also', dim, `${position(source.locate())} ${printableLine(message)}`);
      return;
    }
    // Nobody changes what an app writes.
    const isWritten = related.some(({ message }) => message === AS_WRITTEN);
    const places = related.map(({ source, message }) => ({ place: source.locate(), message }));
    const [first, ...others] = isWritten ? [] : places;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and ${count(others.length, 'more place')}`;
    const whole = `${position(first.place)} ${printableLine(first.message)}${more}`;
    yield* this.field('also', dim, whole.length > this.context.width - 8 ? `${position(first.place)}${more}` : whole);
  }

  /** At which other places it holds, and what it says there that it doesn't say here. */
  private *others(block: Block): Iterable<string> {
    const { finding, place, others } = block;
    if (others.length === 0) return;
    const { dim } = this.style;
    const varied = new Set(block.variants.flatMap(({ located }) => located));
    const isTold = (one: Located) => varied.has(one) && position(one.place) === position(place);
    const all = otherPlaces({ ...block, others: others.filter((one) => !isTold(one)) }, this.sayings);
    const isHere = (one: OtherPlace | undefined) => one !== undefined && position(one.place) === position(place);
    for (const row of isHere(all[0]) ? (all[0]?.rows ?? []) : []) {
      const [label, content] = row.detail === '' ? ['same', namesOf(row.located, finding)] : ['here', rowText(row)];
      if (content !== '') yield* this.field(label, dim, printableLine(content));
    }
    const elsewhere = isHere(all[0]) ? all.slice(1) : all;
    const [only] = elsewhere;
    if (only === undefined) return;
    if (elsewhere.length === 1 && only.rows.length === 1) {
      yield* this.field('same', dim, `${position(only.place)}  ${printableLine(only.rows.map(rowText).join())}`);
      return;
    }
    yield* this.field('same', dim, `at ${count(elsewhere.length, 'more place')}:`);
    for (const other of elsewhere.slice(0, MOST_PLACES)) {
      for (const row of other.rows) yield `        ${position(other.place)}  ${dim(printableLine(rowText(row)))}\n`;
    }
    if (elsewhere.length > MOST_PLACES)
      yield `        ${dim(`and ${count(elsewhere.length - MOST_PLACES, 'more place')}; --verbose lists all`)}\n`;
  }

  private *prose(content: string, indent: number): Iterable<string> {
    for (const line of wrap(content, this.context.width - indent)) yield `${' '.repeat(indent)}${line}\n`;
  }

  private *field(label: string, paint: Paint, content: string): Iterable<string> {
    const [first = '', ...rest] = wrap(content, this.context.width - 8);
    yield `  ${paint(label)}${' '.repeat(6 - label.length)}${first}\n`;
    for (const line of rest) yield `        ${line}\n`;
  }

  private *frame(finding: Finding, place: SourceLocation): Iterable<string> {
    // Where an app creates a resource, the line tells no more than the message.
    if (!this.isVerbose && finding.resource.createdAt !== undefined && place.file === finding.resource.createdAt.file)
      return;
    const at = position(place);
    if (at === this.framed) return;
    this.framed = at;
    const source = this.source(place.file);
    if (source === undefined) return;
    const digits = String(place.line + 2).length;
    const around = this.isVerbose ? 2 : this.isRoomy ? 1 : 0;
    const frame = codeFrame(source, place.line, place.column, this.context.width - digits - 7, around);
    if (frame === undefined) return;
    const paint = this.paint(finding);
    const { dim } = this.style;
    if (this.isVerbose) yield '\n';
    for (const line of frame) {
      const marker = markerOf(line);
      yield `  ${marker === undefined ? ' ' : paint('>')} ${dim(`${String(line.number).padStart(digits)} |`)} ${line.text}`.trimEnd() +
        '\n';
      if (marker !== undefined && around > 0) yield `    ${dim(`${' '.repeat(digits)} |`)} ${paint(marker)}\n`;
    }
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
    for (const { diagnostic, others, more } of this.isVerbose
      ? diagnostics.map(alone)
      : gatheredProblems(diagnostics)) {
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
    yield `${this.style.bold('What the input does not tell')}\n`;
    for (const cause of causes.slice(0, MOST_CAUSES)) {
      const text = unjudgedText(cause);
      const [first = '', ...more] = wrap(text, width - 5);
      // An address has no space at which it could be cut.
      const cut = first.length < width / 2 ? text.slice(0, width - 5) : first;
      yield `  ${more.length === 0 ? first : `${cut}...`}\n`;
    }
    if (causes.length > MOST_CAUSES) yield `  and ${count(causes.length - MOST_CAUSES, 'more cause')}\n`;
    yield '\n';
  }

  /** Where more is told, once: the page of a rule has the same name everywhere. */
  private *pages(findings: readonly Finding[]): Iterable<string> {
    if (this.isVerbose) return;
    const { dim } = this.style;
    const pages = [...new Map(findings.map(({ rule, docs }) => [rule, docs]))].filter(([, docs]) => docs !== '');
    const own = pages.filter(([rule, docs]) => docs !== docsUrl(rule));
    const ours = pages.filter(([rule, docs]) => docs === docsUrl(rule));
    const [first] = ours;
    if (first !== undefined)
      yield `${dim(`Why, and when to ignore it: eks-guardrails explain ${first[0]}, or ${ours.length === 1 ? first[1] : docsUrl('README')}`)}\n`;
    for (const [id, docs] of own) yield `${dim(printableLine(`About ${id}: ${docs}`))}\n`;
  }

  private *summary(): Iterable<string> {
    const { dim } = this.style;
    yield `${summaryLine(this.result, this.context.colour)}\n`;
    const { summary, diagnostics, asOf } = this.result;
    const unread = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    if (unread > 0) yield `${this.style.red(`${count(unread, 'input problem')}: not everything was checked`)}\n`;
    if (asOf !== undefined) yield `${dim(judgedAsOf(asOf))}\n`;
    for (const note of knowledgeNotes(this.result)) yield `${dim(note)}\n`;
    const { list } = this.context;
    if (list.warning === false) return;
    const fixable = fixableText(this.result, this.context);
    if (fixable !== '') yield `${fixable}\n`;
    if (this.context.statistics === true) return;
    const hidden = [
      ...(summary.info > 0 && !list.info ? [`${summary.info} info`] : []),
      ...(summary.unverifiable > 0 && !list.unverifiable ? [`${summary.unverifiable} unverifiable`] : []),
      ...(summary.suppressed > 0 && !list.suppressed ? [`${summary.suppressed} suppressed`] : []),
    ];
    if (hidden.length > 0) yield `${dim(`Not listed: ${hidden.join(', ')}. Add --verbose to see them.`)}\n`;
  }

  private paint(finding: Finding): Paint {
    return this.style[LABEL_PAINTS[labelOf(finding)]];
  }
}

/** The root module, of what stands in a module beside it: several may call that one, with other values. */
function callerOf({ dialect, stack }: Resource, { file }: SourceLocation): string {
  return dialect.hasPathsForStacks !== true || stack === '.' || file.startsWith(stack) ? '' : `, called by ${stack}`;
}

/** What a resource is, below the headline. */
function nameLine(resource: Resource): string {
  const place = resource.source.locate();
  const id = resource.path === undefined ? '' : ` ${resource.id}`;
  return printableLine(`${resource.path ?? resource.id}  ${typeName(resource)}${id}${callerOf(resource, place)}`);
}

function rowText({ located, detail }: OtherRow): string {
  return `${namesOf(located)}${detail === '' ? '' : `  ${clipped(detail)}`}`;
}

function clipped(detail: string): string {
  let end = detail.length;
  while (end > 0 && '),;:'.includes(detail.charAt(end - 1))) end--;
  const words = detail.slice(0, end);
  return words.length > MOST_OF_MESSAGE ? `${words.slice(0, MOST_OF_MESSAGE)}...` : words;
}

/** Code by what begins at the edge. */
function piecesOf(code: string): readonly (readonly string[])[] {
  return code.split(/\n(?![ \t)}\]]|$)/m).map((piece) => piece.split('\n'));
}

const LABEL_PAINTS = {
  error: 'red',
  warning: 'yellow',
  info: 'blue',
  unverifiable: 'cyan',
  suppressed: 'dim',
} as const satisfies Record<Label, keyof Style>;
