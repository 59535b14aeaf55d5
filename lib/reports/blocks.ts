import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { Sayings } from './alike';
import { LABELS, labelOf } from './listed';

/** A finding with its place, which is worked out once. */
export interface Located {
  readonly finding: Finding;
  readonly place: SourceLocation;
}

/** What is told once: a finding, with those of other resources that the same fix mends. */
export interface Block extends Located {
  /** In the order of their places. */
  readonly others: readonly Located[];
  /** That of the finding, and those that can't judge for the same reason. */
  readonly rules: readonly string[];
}

/**
 * Findings in the order in which people act on them: errors first, within a severity by file and line; what no root module enables comes last.
 * Files come in the order in which the findings name them.
 * @param isGathered whether findings of one message and one fix are one block
 */
export function blocksOf(findings: readonly Finding[], result: CheckResult, isGathered: boolean): readonly Block[] {
  const located = findings.map((finding): Located => ({ finding, place: finding.source.locate() }));
  const files = new Map<string, number>();
  for (const { place } of located) if (!files.has(place.file)) files.set(place.file, files.size);
  const ranked = located
    .map((one) => ({ one, rank: LABELS.indexOf(labelOf(one.finding)), file: files.get(one.place.file) ?? 0 }))
    .sort(
      (a, b) =>
        apart(a.one) - apart(b.one) ||
        a.rank - b.rank ||
        a.file - b.file ||
        a.one.place.line - b.one.place.line ||
        a.one.place.column - b.one.place.column,
    );
  return gathered(
    ranked.map(({ one }) => one),
    isGathered ? new Sayings(result) : undefined,
  );
}

function apart({ finding }: Located): number {
  return finding.resource.isNotEnabled === true ? 1 : 0;
}

function gathered(located: readonly Located[], sayings: Sayings | undefined): readonly Block[] {
  const blocks: (Block & { readonly others: Located[]; readonly rules: string[] })[] = [];
  const byKey = new Map<string, (typeof blocks)[number]>();
  for (const one of located) {
    const { finding } = one;
    const key = isOpen(finding) ? reasonOf(one) : sayings?.needOf(finding);
    const known = key === undefined ? undefined : byKey.get(`${apart(one)} ${key}`);
    if (known === undefined) {
      const block = { ...one, others: [], rules: [finding.rule] };
      blocks.push(block);
      if (key !== undefined) byKey.set(`${apart(one)} ${key}`, block);
    } else if (isOpen(finding)) known.rules.push(finding.rule);
    else known.others.push(one);
  }
  return blocks;
}

function isOpen({ verdict, suppressed }: Finding): boolean {
  return verdict === 'unverifiable' && suppressed === undefined;
}

/** A template that nobody sees stops many rules, at one place and for one reason. */
function reasonOf({ finding: { resource, message }, place: { file, line, column } }: Located): string {
  return JSON.stringify([file, line, column, resource.stack, resource.id, message]);
}
