import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { Sayings } from './alike';
import { LABELS, labelOf } from './listed';
import { variantOf, type Variant } from './variants';

/** A finding with its place, which is worked out once. */
export interface Located {
  readonly finding: Finding;
  readonly place: SourceLocation;
}

/** What is told once: a finding, with those of other resources that the same fix mends. */
export interface Block extends Located {
  /** In the order of their places. */
  readonly others: readonly Located[];
  /** What fixes of others say that the one of the finding doesn't, in the order of their places. */
  readonly variants: readonly LocatedVariant[];
  /** Findings of other rules about the same resources that its code mends, too. */
  readonly mended: readonly Located[];
  /** That of the finding, and those that can't judge for the same reason. */
  readonly rules: readonly string[];
}

interface LocatedVariant extends Variant {
  readonly located: readonly [Located, ...Located[]];
}

/** `alike`: findings of one message and one fix are one block. `similar`: those whose fixes are variants of one, too. */
type Gathering = 'none' | 'alike' | 'similar';

/** Findings in the order in which people act on them. */
export function blocksOf(findings: readonly Finding[], result: CheckResult, gathering: Gathering): readonly Block[] {
  const sayings = gathering === 'none' ? undefined : new Sayings(result);
  const blocks = gathered(inOrder(findings), sayings);
  return sayings === undefined || gathering === 'alike' ? blocks : withMended(withVariants(blocks, sayings));
}

/**
 * Findings in the order in which people act on them: errors first, within a severity by file and line; what no root module enables comes last.
 * Files come in the order in which the findings name them.
 */
export function inOrder(findings: readonly Finding[]): readonly Located[] {
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
  return ranked.map(({ one }) => one);
}

/** Blocks of one message that later ones are compared with. */
const MOST_KINDS = 20;

/** Blocks of which later ones with a variant of their fix are part of them. */
function withVariants(blocks: readonly Block[], sayings: Sayings): readonly Block[] {
  const joined: (Block & { readonly others: Located[]; readonly variants: LocatedVariant[] })[] = [];
  const byKind = new Map<string, typeof joined>();
  for (const block of blocks) {
    const { finding, others } = block;
    const key = `${apart(block)} ${sayings.kindOf(finding)}`;
    const known = byKind.get(key) ?? [];
    const isJoined = (isOpen(finding) ? [] : known).some((first) => {
      const variant = variantOf(finding, first.finding, (text) => sayings.nameless(text));
      if (variant === undefined) return false;
      first.others.push(block, ...others);
      first.variants.push({ ...variant, located: [block, ...others] });
      return true;
    });
    if (isJoined) continue;
    const own = { ...block, others: [...others], variants: [] };
    joined.push(own);
    if (known.length < MOST_KINDS) byKind.set(key, [...known, own]);
  }
  return joined;
}

/** Blocks with what their code mends besides, which then has no block of its own. */
function withMended(blocks: readonly Block[]): readonly Block[] {
  const owners = new Map<string, Located[]>();
  const open = blocks.map((block) => ({ ...block, mended: [] as Located[] }));
  for (const { finding, others, mended } of open)
    for (const one of [finding, ...others.map((other) => other.finding)]) owners.set(ownerKey(one.rule, one), mended);
  return open.filter(({ finding, place, others }) => {
    const all = [{ finding, place }, ...others];
    const mending = all.map((one) => owners.get(ownerKey(one.finding.fixedBy ?? '', one.finding)));
    if (mending.some((mended) => mended === undefined)) return true;
    for (const [index, one] of all.entries()) mending[index]?.push(one);
    return false;
  });
}

function ownerKey(rule: string, { resource: { stack, type, id } }: Finding): string {
  return JSON.stringify([rule, stack, type, id]);
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
      const block = { ...one, others: [], variants: [], mended: [], rules: [finding.rule] };
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
