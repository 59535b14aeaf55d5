import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import type { SourceLocation } from '../model';
import type { Format, ReportContext } from './format';
import { CODE_LANGUAGES } from './json';
import { isListed, LABELS, labelOf } from './listed';
import { cell, code, codeBlock, inline } from './markdown-text';
import { Places } from './places';
import { count } from './prose';
import { summaryLine } from './text';

/** A comment on GitHub may have 65,536 characters. The report stays below, with room for what a workflow puts around it. */
const LIMIT = 60_000;

/** What tells how much was left out. */
const ROOM_FOR_END = 300;

export const markdown: Format = {
  description: 'for comments on pull requests: tables, with the details folded',
  *render(result, context) {
    yield* new MarkdownReport(result, context).pieces();
  },
};

interface Located {
  readonly finding: Finding;
  readonly place: SourceLocation;
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
    yield* this.whole(`### eks-guardrails\n\n${summaryLine(this.result, false)}\n`);
    const unread = this.problems();
    if (unread.length > 0) {
      yield* this.whole('\n**Not everything was checked:**\n\n');
      yield* this.asManyAsFit(unread, (more) => `- and ${count(more, 'more problem')} with the input\n`);
    }
    let left = 0;
    for (const [file, findings] of this.byFile()) left += yield* this.file(file, findings);
    if (left > 0) yield `\n${count(left, 'more finding')} ${left === 1 ? 'is' : 'are'} left out here: comments may not be longer.\n`;
  }

  private problems(): string[] {
    return this.result.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => {
        const { file, line } = this.places.ofDiagnostic(diagnostic);
        return `- ${code(`${file}:${line}`)}: ${inline(diagnostic.message)}\n`;
      });
  }

  /** Files in the order in which findings name them, the worst findings of each first. */
  private byFile(): Map<string, Located[]> {
    const files = new Map<string, Located[]>();
    for (const finding of this.result.findings) {
      if (!isListed(finding, this.context.list)) continue;
      const place = this.places.of(finding);
      const known = files.get(place.file);
      if (known === undefined) files.set(place.file, [{ finding, place }]);
      else known.push({ finding, place });
    }
    const rank = ({ finding }: Located) => LABELS.indexOf(labelOf(finding));
    for (const findings of files.values()) findings.sort((a, b) => rank(a) - rank(b) || a.place.line - b.place.line || a.place.column - b.place.column);
    return files;
  }

  /** Gives how many findings had no room. */
  private *file(file: string, findings: readonly Located[]): Generator<string, number> {
    const head = `\n#### ${code(file)}\n\n| Result | Rule | Resource | Line |\n|---|---|---|---|\n`;
    const [first = ''] = findings.slice(0, 1).map(row);
    // A table without rows tells nothing.
    if (!this.fits(head + first)) return findings.length;
    yield* this.whole(head);
    let rows = 0;
    for (const located of findings) {
      const text = row(located);
      if (!this.fits(text)) break;
      yield* this.whole(text);
      rows++;
    }
    yield* this.details(findings.slice(0, rows));
    return findings.length - rows;
  }

  private *details(findings: readonly Located[]): Iterable<string> {
    const start = '\n<details>\n<summary>Details and fixes</summary>\n';
    const end = '\n</details>\n';
    const texts = findings.map((located) => details(located, this.places));
    if (!this.fits(start + (texts[0] ?? '') + end)) return;
    yield* this.whole(start);
    this.length += end.length;
    yield* this.asManyAsFit(texts, (more) => `\nThe details of ${count(more, 'more finding')} are left out here: comments may not be longer.\n`);
    yield end;
  }

  private *asManyAsFit(texts: readonly string[], rest: (more: number) => string): Iterable<string> {
    let written = 0;
    for (const text of texts) {
      if (!this.fits(text)) break;
      yield* this.whole(text);
      written++;
    }
    if (written < texts.length) yield* this.whole(rest(texts.length - written));
  }

  private fits(text: string): boolean {
    return this.length + text.length + ROOM_FOR_END <= LIMIT;
  }

  private *whole(text: string): Iterable<string> {
    this.length += text.length;
    yield text;
  }
}

/** Custom rules may have no page. */
function linkTo({ rule, docs }: Finding): string {
  return docs === '' ? inline(rule) : `[${rule}](${docs})`;
}

function row({ finding, place }: Located): string {
  const { resource } = finding;
  return `| ${[labelOf(finding), cell(linkTo(finding)), cell(code(resource.path ?? resource.id)), place.line].join(' | ')} |\n`;
}

function details({ finding, place }: Located, places: Places): string {
  const { message, fix, fixCode, related, suppressed, resource } = finding;
  const links = related.map((other) => {
    const { file, line } = places.inRepository(other.source.locate());
    return `- ${code(`${file}:${line}`)}: ${inline(other.message)}\n`;
  });
  return [
    `\n**${labelOf(finding)}** ${linkTo(finding)}, line ${place.line}: ${inline(message)}\n`,
    suppressed === undefined ? '' : `\nAccepted${suppressed.until === undefined ? '' : ` until ${inline(suppressed.until)}`}: ${inline(suppressed.reason)}\n`,
    links.length === 0 ? '' : `\n${links.join('')}`,
    fix === '' ? '' : `\n**Fix:** ${inline(fix)}\n`,
    fixCode === undefined ? '' : `\n<details>\n<summary>Code</summary>\n\n${codeBlock(CODE_LANGUAGES[resource.frontEnd], fixCode)}\n\n</details>\n`,
  ].join('');
}
