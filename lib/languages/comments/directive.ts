import { isDay } from '../../text/day';
import { nearestName } from '../../text/nearest';

/** What a comment asks for: `eks-guardrails:ignore imds-hop-limit -- every pod has a role of its own (until 2027-01-31)`. */
interface IgnoreDirective {
  readonly rules: readonly string[];
  /** Undefined if none is given; the engine says so. */
  readonly reason: string | undefined;
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly until: string | undefined;
}

type Read = IgnoreDirective | { readonly problem: string };

/** How a comment begins that decides something. */
export const MARK = 'eks-guardrails';

const SYNTAX = 'write "eks-guardrails:ignore RULE -- reason", or "RULE, RULE -- reason (until 2027-01-31)"';

const DIRECTIVE = /^eks-guardrails:ignore(?=\s|$)/;

/** What people write who know the comments of other tools. Prose about eks-guardrails isn't meant. */
const ATTEMPT = /^eks[-_ ]?guardrails?[\s:_-]{0,4}(?:ignore|skip|disable|suppress|allow|acknowledge)(?=[\s:=_-]|$)/i;

/** A misspelt word is still meant, if it stands where no prose has one. */
const MISSPELT = /^eks[-_ ]?guardrails?[:=_-]([a-z]{4,15})\b/i;
const WORDS = ['ignore', 'skip', 'disable', 'suppress', 'allow', 'acknowledge'];

/** In the middle of other words, where the id of a rule follows: all ids have a hyphen. */
const INSIDE = /eks-guardrails:ignore [a-z][a-z\d]*-[a-z\d]/i;

/** The end of a reason. What has the shape of a limit must be one. */
const UNTIL = /\(until\b([^()]*)\)\.?$/i;

const DAY = String.raw`(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./](?:0?[1-9]|1[0-2])[-./](?:\d{4}|\d{2})|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{8})(?!\d)`;
const LIMIT = new RegExp(
  String.raw`[([{] ?until\b|\b(?:until|till?|expir(?:es|ing|y)|ends)\b[ :=]{0,3}(?:on )?${DAY}`,
  'i',
);
const BEGINS_WITH_LIMIT = /^[([{]? ?(?:until|till?|expir(?:es|ing|y))\b/i;

/** Whether a text may hold a decision, or what was meant as one. */
export function isAboutUs(text: string): boolean {
  return /eks[-_ ]?guardrail/i.test(text);
}

/**
 * Reads the text of a comment, without the characters that make it one.
 * @param below text of the comment in the next line, if there is one
 * @returns undefined for a comment that has nothing to do with eks-guardrails
 */
export function readDirective(comment: string, below = ''): Read | undefined {
  const text = collapsed(comment);
  const head = DIRECTIVE.exec(text)?.[0];
  if (head === undefined) return attempt(text);
  const { rules: names, reason: rest } = split(text.slice(head.length).trim());
  const rules = names.split(',').map((name) => name.trim());
  if (names === '') return { problem: `this comment names no rule; ${SYNTAX}` };
  if (rules.includes('')) return { problem: `there is a comma too many in this comment; ${SYNTAX}` };
  const odd = rules.find((rule) => !/^[A-Za-z][\w-]*$/.test(rule));
  if (odd !== undefined) return { problem: `"${odd}" is no id of a rule; ${SYNTAX}` };
  if (rest?.includes('eks-guardrails:ignore') === true)
    return {
      problem:
        'this comment ignores nothing, because there are two decisions in it; write a comment for each, or one for both: "eks-guardrails:ignore RULE, RULE -- reason"',
    };
  // A decision below is one of its own.
  return withLimit([...new Set(rules)], rest, isAboutUs(below) ? '' : collapsed(below));
}

/** A decision as a comment has it, which {@link readDirective} reads. */
export function directiveText(rules: readonly string[], reason: string, until?: string): string {
  return `eks-guardrails:ignore ${rules.join(', ')} -- ${reason}${until === undefined ? '' : ` (until ${until})`}`;
}

function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** What was probably meant as a decision. */
function attempt(text: string): { readonly problem: string } | undefined {
  const word = MISSPELT.exec(text)?.[1];
  if (ATTEMPT.test(text) || (word !== undefined && nearestName(word, WORDS) !== undefined))
    return { problem: `this comment ignores nothing, because it isn't written as expected; ${SYNTAX}` };
  return INSIDE.test(text)
    ? { problem: 'this comment ignores nothing, because "eks-guardrails:ignore" has to be its beginning' }
    : undefined;
}

/** Rule ids have single hyphens; a reason stands behind two of them, or behind the dash that editors make of those. */
function split(text: string): { readonly rules: string; readonly reason: string | undefined } {
  const dash = /(?:^| )(?:--|—|–)(?= |$)/.exec(text);
  if (dash === null) return { rules: text, reason: undefined };
  return { rules: text.slice(0, dash.index), reason: text.slice(dash.index + dash[0].length).trim() };
}

/** A limit that isn't read would make the decision one for ever, so whatever looks like one has to be right. */
function withLimit(rules: readonly string[], text: string | undefined, below: string): Read {
  const limit = text === undefined ? null : UNTIL.exec(text);
  const reason = limit === null ? text : text?.slice(0, limit.index).trim();
  if (LIMIT.test(reason ?? ''))
    return {
      problem:
        'this comment ignores nothing, because the day on which it ends is not where it is looked for; end the comment with it, as in "reason (until 2027-01-31)"',
    };
  if (UNTIL.test(below) || (BEGINS_WITH_LIMIT.test(below) && LIMIT.test(below)))
    return {
      problem:
        'this comment ignores nothing, because the day on which it ends stands in the next line; write it into the same, as in "reason (until 2027-01-31)"',
    };
  const until = limit?.[1]?.trim();
  if (until !== undefined && !isDay(until))
    return { problem: `this comment ignores nothing, because "${until}" is no day; write it as in (until 2027-01-31)` };
  return { rules, reason: reason === '' ? undefined : reason, until };
}
