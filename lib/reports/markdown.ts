import { codeLanguage } from '../text/code-language';
import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { alikeByPlace, messageOf } from './alike';
import type { Format, ReportContext } from './format';
import { isListed, LABELS, labelOf } from './listed';
import { code, codeBlock, inline } from './markdown-text';
import { Places } from './places';
import { count } from './prose';
import { fixableText, repairText } from './repairs';
import { judgedAsOf, knowledgeNotes, summaryLine } from './summary';
import { unjudged, unjudgedText } from './unjudged';
import { webAddress } from './web-address';

/** A comment on GitHub may have 65,536 characters. The report stays below, with room for what a workflow puts around it. */
const LIMIT = 60_000;

/** Places that one finding names beside its own: a launch template may have hundreds of users. */
const MOST_RELATED = 10;

/** Causes of unverifiable findings. */
const MOST_CAUSES = 10;

/** What tells how much was left out. */
const ROOM_FOR_END = 300;

/** What is around the details of a file. */
const ROOM_FOR_FOLD = 200;

export const markdown: Format = {
  description: 'for comments on pull requests: tables, with the details folded',
  *render(result, context) {
    yield* new MarkdownReport(result, context).pieces();
  },
};

interface Located {
  readonly finding: Finding;
  readonly place: SourceLocation;
  /** Those that say the same of other resources. */
  readonly others: readonly Finding[];
}

/** The findings of one file. */
interface FileFindings {
  readonly file: string;
  readonly findings: readonly Located[];
}

interface Chosen {
  readonly rows: Set<Located>;
  readonly details: Map<Located, string>;
}

class MarkdownReport {
  private readonly places: Places;
  private length = 0;

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.places = new Places(result, context);
  }

  *pieces(): Iterable<string> {
    const { asOf } = this.result;
    const fixable = fixableText(this.result, this.context).replaceAll(/--fix(?: --unsafe)?/g, '`$&`');
    yield* this.whole(
      `### eks-guardrails\n\n${summaryLine(this.result, false)}\n${fixable === '' ? '' : `\n${fixable}\n`}${asOf === undefined ? '' : `\n${judgedAsOf(asOf)}\n`}`,
    );
    const unread = this.problems();
    if (unread.length > 0) {
      yield* this.whole('\n**Not everything was checked:**\n\n');
      yield* this.asManyAsFit(unread, (more) => `- and ${count(more, 'more problem')} with the input\n`);
    }
    yield* this.unjudged();
    const files = this.byFile();
    const all = files.flatMap(({ findings }) => findings);
    const chosen = this.choose(all);
    for (const { file, findings } of files) yield* section(file, findings, chosen);
    for (const note of knowledgeNotes(this.result)) yield* this.whole(`\n${inline(note)}\n`);
    const left = all.filter((located) => !chosen.rows.has(located));
    if (left.length > 0)
      yield `\n${count(left.length, 'more finding')} ${left.length === 1 ? 'is' : 'are'} left out here, because comments may not be longer: ${countsOf(left)}.\n`;
  }

  /** What keeps rules from judging, where each of their findings isn't listed. */
  private *unjudged(): Iterable<string> {
    const { list } = this.context;
    const causes = list.unverifiable || list.warning === false ? [] : unjudged(this.result.findings);
    if (causes.length === 0) return;
    yield* this.whole('\n<details>\n<summary>What the input does not tell</summary>\n\n');
    for (const cause of causes.slice(0, MOST_CAUSES)) yield* this.whole(`- ${inline(unjudgedText(cause))}\n`);
    yield* this.whole(
      `${causes.length > MOST_CAUSES ? `- and ${count(causes.length - MOST_CAUSES, 'more cause')}\n` : ''}\n</details>\n`,
    );
  }

  private problems(): string[] {
    return this.result.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => {
        const { file, line } = this.places.ofDiagnostic(diagnostic);
        return `- ${code(`${file}:${line}`)}: ${inline(diagnostic.message)}\n`;
      });
  }

  /** The files with the worst findings first, and the worst findings of each. */
  private byFile(): FileFindings[] {
    const files = new Map<string, Located[]>();
    const listed = this.result.findings.filter((finding) => isListed(finding, this.context.list));
    for (const { finding, others } of alikeByPlace(listed, this.result)) {
      const located = { finding, place: this.places.of(finding), others };
      const known = files.get(located.place.file);
      if (known === undefined) files.set(located.place.file, [located]);
      else known.push(located);
    }
    const rank = ({ finding }: Located) => LABELS.indexOf(labelOf(finding));
    const found = [...files].map(([file, findings]) => ({
      file,
      findings: findings.sort(
        (a, b) => rank(a) - rank(b) || a.place.line - b.place.line || a.place.column - b.place.column,
      ),
      worst: Math.min(...findings.slice(0, 1).map(rank)),
    }));
    return found.sort((a, b) => a.worst - b.worst);
  }

  /** What there is room for, the worst of all files first: their rows, then their details, then what is less bad. */
  private choose(all: readonly Located[]): Chosen {
    const chosen: Chosen = { rows: new Set(), details: new Map() };
    const begun = new Set<string>();
    for (const label of LABELS) {
      const found = all.filter(({ finding }) => labelOf(finding) === label);
      for (const located of found) {
        const { file } = located.place;
        if (!this.take(row(located).length + (begun.has(file) ? 0 : headOf(file).length + ROOM_FOR_FOLD)))
          return chosen;
        begun.add(file);
        chosen.rows.add(located);
      }
      for (const located of found) {
        const text = details(located, this.places, this.context);
        if (!this.take(text.length)) break;
        chosen.details.set(located, text);
      }
    }
    return chosen;
  }

  private *asManyAsFit(texts: readonly string[], rest: (more: number) => string): Iterable<string> {
    let written = 0;
    for (const text of texts) {
      if (!this.fits(text.length)) break;
      yield* this.whole(text);
      written++;
    }
    if (written < texts.length) yield* this.whole(rest(texts.length - written));
  }

  private fits(length: number): boolean {
    return this.length + length + ROOM_FOR_END <= LIMIT;
  }

  /** False if there is no room. */
  private take(length: number): boolean {
    if (!this.fits(length)) return false;
    this.length += length;
    return true;
  }

  private *whole(text: string): Iterable<string> {
    this.length += text.length;
    yield text;
  }
}

function headOf(file: string): string {
  return `\n#### ${code(file)}\n\n| Result | Rule | Resource | Line |\n|---|---|---|---|\n`;
}

/** The table of a file, and below it the details. */
function* section(file: string, findings: readonly Located[], chosen: Chosen): Iterable<string> {
  const rows = findings.filter((located) => chosen.rows.has(located));
  if (rows.length === 0) return;
  yield headOf(file);
  for (const located of rows) yield row(located);
  const texts = rows.flatMap((located) => chosen.details.get(located) ?? []);
  if (texts.length === 0) return;
  yield '\n<details>\n<summary>Details and fixes</summary>\n';
  yield* texts;
  const left = rows.length - texts.length;
  if (left > 0)
    yield `\nThe details of ${count(left, 'more finding')} are left out here: comments may not be longer.\n`;
  yield '\n</details>\n';
}

/** `1 error, 98 warnings`. */
function countsOf(findings: readonly Located[]): string {
  const counts = LABELS.map((label) => ({
    label,
    number: findings.filter(({ finding }) => labelOf(finding) === label).length,
  }));
  return counts
    .flatMap(({ label, number }) =>
      number === 0 ? [] : [label === 'error' || label === 'warning' ? count(number, label) : `${number} ${label}`],
    )
    .join(', ');
}

/** Custom rules may have no page. */
function linkTo({ rule, docs }: Finding): string {
  const address = webAddress(docs);
  return address === undefined ? inline(rule) : `[${inline(rule)}](${address})`;
}

function row({ finding, place, others }: Located): string {
  const { resource } = finding;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `| ${[labelOf(finding), linkTo(finding), `${code(resource.path ?? resource.id)}${more}`, place.line].join(' | ')} |\n`;
}

function details({ finding, place, others }: Located, places: Places, context: ReportContext): string {
  const repair = repairText(finding, context);
  const { fix, fixCode, related, suppressed, resource } = finding;
  const links = related.slice(0, MOST_RELATED).map((other) => {
    const { file, line } = places.inRepository(other.source.locate());
    return `- ${code(`${file}:${line}`)}: ${inline(other.message)}\n`;
  });
  return [
    `\n**${labelOf(finding)}** ${linkTo(finding)}, line ${place.line}: ${inline(messageOf({ finding, others }))}\n`,
    suppressed === undefined
      ? ''
      : `\nAccepted${suppressed.until === undefined ? '' : ` until ${inline(suppressed.until)}`}: ${inline(suppressed.reason)}\n`,
    links.length === 0
      ? ''
      : `\n${links.join('')}${related.length > MOST_RELATED ? `- and ${count(related.length - MOST_RELATED, 'more place')}\n` : ''}`,
    fix === '' ? '' : `\n**Fix:** ${inline(fix)}\n`,
    repair === '' ? '' : `\n${inline(repair)}.\n`,
    fixCode === undefined
      ? ''
      : `\n<details>\n<summary>Code</summary>\n\n${codeBlock(codeLanguage(fixCode, resource.dialect.fixes.language), fixCode)}\n\n</details>\n`,
  ].join('');
}
