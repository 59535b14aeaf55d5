import MiniSearch from 'minisearch';
import type { Rule } from '../../engine';
import { UsageError } from '../parts/usage-error';

/** A rule that may be behind what somebody sees. */
export interface FoundRule {
  readonly rule: Rule;
  /** What of the rule is like the text. Markdown. */
  readonly because: string;
}

/**
 * The same as a page, in Markdown.
 * @throws UsageError if no rule says anything like it
 */
export function foundRules(text: string, rules: readonly Rule[]): string {
  const all = searchRules(text, rules);
  const found = all.slice(0, MOST);
  const [first] = found;
  if (first === undefined)
    throw new UsageError(
      `no rule says anything of "${text}"; give a line of a log, an error message, or what you see in other words, or run "eks-guardrails rules" for the list`,
    );
  const others = all.slice(MOST).map(({ rule: { id } }) => id);
  return [
    `# ${found.length === 1 ? 'This rule tells' : 'These rules tell'} of something like it`,
    ...found.flatMap(({ rule: { id, title, severity }, because }) => [
      `## ${id}`,
      `${title}. (${severity})`,
      ...(because.startsWith(`${id}: `) ? [] : [`> ${because}`]),
    ]),
    ...(others.length === 0 ? [] : [`## And less like it\n\n${others.join(', ')}`]),
    `More about one: \`eks-guardrails explain ${first.rule.id}\`. Whether you have it: \`eks-guardrails check\`.`,
    '',
  ].join('\n\n');
}

/** A piece of what is told of a rule. */
interface Passage {
  readonly id: number;
  readonly rule: Rule;
  readonly text: string;
  /** What somebody sees tells more than what a rule requires. */
  readonly weight: number;
}

/** More than a few are no answer. */
const MOST = 5;
/** Of the words of a text so many have to be found, and of a line that a sign quotes. */
const LEAST_SHARE = 0.4;
const LEAST_QUOTED = 0.6;
/** Fewer words of a longer text are a coincidence. */
const LEAST_WORDS = 3;
/** So many words in a row tell enough, whatever else the text says. */
const LONG_RUN = 4;
/** What is this much less like the text than the best is left out. */
const LEAST_OF_BEST = 0.35;

/**
 * Rules by a line of a log, an error message, or words: the likeliest first.
 * @param text as somebody copies or types it
 */
export function searchRules(text: string, rules: readonly Rule[]): readonly FoundRule[] {
  const passages = rules.flatMap(passagesOf).map((passage, id): Passage => ({ ...passage, id }));
  const index = new MiniSearch<Passage>({
    fields: ['text'],
    tokenize: wordsOf,
    processTerm: (word) => (FILLERS.has(word) ? null : word),
    searchOptions: { fuzzy: (word) => (word.length > 5 ? 0.2 : false), prefix: (word) => word.length > 3 },
  });
  index.addAll(passages);
  const words = wordsOf(text).slice(0, LONGEST_TEXT);
  const telling = new Set(words.filter((word) => !FILLERS.has(word)));
  const best = new Map<Rule, { readonly passage: Passage; readonly score: number }>();
  for (const { id, score, queryTerms } of index.search([...telling].join(' '))) {
    const passage = passages[Number(id)];
    if (passage === undefined) continue;
    const run = longestRun(words, wordsOf(passage.text));
    const found = new Set(queryTerms).size;
    const [ofText, ofQuoted] = [found / telling.size, shareOfQuoted(passage.text, telling)];
    const isLike = ofText >= LEAST_SHARE && found >= Math.min(LEAST_WORDS, telling.size);
    if (!isLike && ofQuoted < LEAST_QUOTED && run < LONG_RUN) continue;
    const share = Math.max(ofText, ofQuoted);
    const likeness = score * share * share * passage.weight * (1 + Math.max(0, run - 2));
    if (likeness > (best.get(passage.rule)?.score ?? 0)) best.set(passage.rule, { passage, score: likeness });
  }
  const ranked = [...best.values()].sort((a, b) => b.score - a.score);
  const least = (ranked[0]?.score ?? 0) * LEAST_OF_BEST;
  return ranked
    .filter(({ score }) => score >= least)
    .map(({ passage: { rule, text: because } }) => ({ rule, because }));
}

/** Words of a text that are looked for; a whole log tells no more than its first lines. */
const LONGEST_TEXT = 300;

/** How many words stand in both, one after another. */
function longestRun(one: readonly string[], other: readonly string[]): number {
  let longest = 0;
  let before = new Uint16Array(other.length + 1);
  for (const word of one) {
    const now = new Uint16Array(other.length + 1);
    for (const [index, candidate] of other.entries()) {
      if (word !== candidate) continue;
      const run = (before[index] ?? 0) + 1;
      now[index + 1] = run;
      longest = Math.max(longest, run);
    }
    before = now;
  }
  return longest;
}

function passagesOf(rule: Rule): Omit<Passage, 'id'>[] {
  const passage = (weight: number) => (text: string) => ({ rule, text, weight });
  return [
    passage(1.2)(`${rule.id}: ${rule.title}`),
    ...(rule.signs ?? []).map(passage(1.5)),
    ...rule.symptom.split(/(?<=[.:]) +|\n\n+/).map(passage(1)),
    ...Object.values(rule.messages).map(({ text }) => passage(0.7)(text.replaceAll(/\{\{\w+\}\}/g, '…'))),
  ];
}

/** How much of a line that a sign quotes stands in the text, however much else does. */
function shareOfQuoted(sign: string, asked: ReadonlySet<string>): number {
  const quoted = [...sign.matchAll(/`([^`]+)`/g)]
    .map(([, line = '']) => wordsOf(line).filter((word) => !FILLERS.has(word)))
    .filter((line) => line.length > 2);
  return Math.max(0, ...quoted.map((line) => line.filter((word) => asked.has(word)).length / line.length));
}

/**
 * Words in lower case; those of names such as `FailedCreatePodSandBox` or `vpcId` each, and of what people write in one word. Long numbers and ids
 * differ from case to case.
 */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\badd-on/g, 'addon')
    .replaceAll(COMPOUNDS, '$1 $2')
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word.length > 1 && !/^\d{4,}|^(?=.*\d)[\da-f]{6,}$/.test(word));
}

const COMPOUNDS =
  /\b(container|instance|kube|launch|network|node|pod|security|service|user)(account|creating|data|group|identity|polic|profile|proxy|template|type)/g;

/** They tell nothing apart: the small words of English, and what every log and every error has. */
const FILLERS: ReadonlySet<string> = new Set(
  "an and are as at be by can can't do does doesn't for from get has have how in into is isn't it its my no not of on or our that the their them they this to was we what when which why will with".split(
    ' ',
  ),
);
