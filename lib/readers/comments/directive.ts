/** What a comment asks for: `eks-guardrails:ignore imds-hop-limit -- every pod has a role of its own (until 2027-01-31)`. */
export interface IgnoreDirective {
  readonly rules: readonly string[];
  /** Undefined if none is given; the engine says so. */
  readonly reason: string | undefined;
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly until: string | undefined;
}

/** Without it no comment of a file is looked at. */
export const MARK = 'eks-guardrails';

const SYNTAX = 'write "eks-guardrails:ignore RULE -- reason", or "RULE, RULE -- reason (until 2027-01-31)"';

const DIRECTIVE = /^eks-guardrails:ignore(?=\s|$)/;

/** What people write who know the comments of other tools. Prose about eks-guardrails isn't meant. */
const ATTEMPT = /^eks-guardrails[\s:_-]{0,4}(?:ignore|skip|disable|suppress|allow|acknowledge)(?=[\s:=_-]|$)/i;

/** The end of a reason. What has the shape of a limit must be one. */
const UNTIL = /\(until\b([^()]*)\)\.?$/i;

/**
 * Reads the text of a comment, without the characters that make it one.
 * @returns undefined for a comment that has nothing to do with eks-guardrails
 */
export function readDirective(comment: string): IgnoreDirective | { readonly problem: string } | undefined {
  const text = comment.replaceAll(/\s+/g, ' ').trim();
  const head = DIRECTIVE.exec(text)?.[0];
  if (head === undefined) return ATTEMPT.test(text) ? { problem: `this comment ignores nothing, because it isn't written as expected; ${SYNTAX}` } : undefined;
  const { rules: names, reason: rest } = split(text.slice(head.length).trim());
  const rules = names.split(',').map((name) => name.trim());
  if (names === '') return { problem: `this comment names no rule; ${SYNTAX}` };
  if (rules.includes('')) return { problem: `there is a comma too many in this comment; ${SYNTAX}` };
  const odd = rules.find((rule) => !/^[A-Za-z][\w-]*$/.test(rule));
  if (odd !== undefined) return { problem: `"${odd}" is no id of a rule; ${SYNTAX}` };
  return withLimit([...new Set(rules)], rest);
}

/** Rule ids have single hyphens; a reason stands behind two of them, or behind the dash that editors make of those. */
function split(text: string): { readonly rules: string; readonly reason: string | undefined } {
  const [dash] = /(?:^| )(?:--|—|–)(?= |$)/.exec(text) ?? [];
  if (dash === undefined) return { rules: text, reason: undefined };
  const at = text.indexOf(dash);
  return { rules: text.slice(0, at).trim(), reason: text.slice(at + dash.length).trim() };
}

function withLimit(rules: readonly string[], text: string | undefined): IgnoreDirective | { readonly problem: string } {
  const limit = text === undefined ? null : UNTIL.exec(text);
  if (text === undefined || limit === null) return { rules, reason: text === '' ? undefined : text, until: undefined };
  const until = (limit[1] ?? '').trim();
  if (!isDay(until)) return { problem: `this comment ignores nothing, because "${until}" is no day; write it as in (until 2027-01-31)` };
  const reason = text.slice(0, limit.index).trim();
  return { rules, reason: reason === '' ? undefined : reason, until };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
