import type { EksModel } from '../eks';
import { isDay } from '../text/day';
import { isGlob } from '../text/glob';
import type { ResolvedSetting } from './configuration';
import { CRASH_IS_FINAL, ENGINE_RULES, isCrash, SUPPRESSION_RULES } from './engine-findings';
import type { Finding } from './finding';
import type { Rule } from './rule';
import { unknownRule } from './unknown-rule';

/** What every decision to live with a finding says, wherever it is written. */
export interface Decision {
  readonly reason?: string | undefined;
  readonly until?: string | undefined;
}

/** Why a decision has no effect, or no use. */
export interface Voidness {
  /** The rule under which it is reported. */
  readonly rule: string;
  /** Goes on a sentence that begins with the decision. */
  readonly text: string;
  readonly fix: string;
}

/** What decisions are judged against. */
export interface DecisionContext {
  readonly model: EksModel;
  readonly rules: readonly Rule[];
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Ids of the engine's own findings about decisions, which can be accepted like any other. */
export const OWN_RULES: ReadonlySet<string> = new Set(SUPPRESSION_RULES);

/** What to do about a decision that covers nothing. */
export const REMOVE = 'Remove it, so that it does not hide a later finding.';

/** What a decision marks a finding with. */
export function acceptance(reason: string, until: string | undefined): NonNullable<Finding['suppressed']> {
  return until === undefined ? { reason } : { reason, until };
}

/** Why nobody can live with findings of the rules that a decision names, whatever its reason: undefined if there is such a rule, but for crashes. */
export function whyNothing(
  decision: { readonly rule: string },
  exists: boolean,
  rules: readonly Rule[],
  called: 'ignore' | 'suppression',
): Voidness | undefined {
  const { rule } = decision;
  if (isCrash(decision))
    return { rule: ENGINE_RULES.suppressionUnknownRule, text: `has no effect: ${CRASH_IS_FINAL}.`, fix: 'Remove it.' };
  if (exists) return undefined;
  // Only ignores take patterns.
  const unknown =
    called === 'ignore' && isGlob(rule)
      ? `no rule has an id like "${rule}"`
      : unknownRule(rule, [...rules, ...SUPPRESSION_RULES.map((id) => ({ id }))]);
  return {
    rule: ENGINE_RULES.suppressionUnknownRule,
    text: `has no effect, because ${unknown}${unknown.endsWith('?') ? '' : '.'}`,
    fix: `Correct the rule id, or remove the ${called}.`,
  };
}

/**
 * Why a decision has no effect, whatever it covers; undefined if it has. An end that can't be read is no end that lies far away: nobody knows it.
 * @param today `YYYY-MM-DD`
 */
export function whyVoid({ reason, until }: Decision, today: string): Voidness | undefined {
  // JavaScript users may leave the reason out, or write anything.
  if (typeof reason !== 'string' || reason.trim() === '') {
    return {
      rule: ENGINE_RULES.suppressionWithoutReason,
      text: 'gives no reason, so it has no effect',
      fix: 'Add a reason that a later reader can check',
    };
  }
  if (until === undefined) return undefined;
  if (!isDay(until)) {
    return {
      rule: ENGINE_RULES.suppressionExpired,
      text: `has no effect, because its end "${shown(until)}" is no day`,
      fix: 'Write the last day as YYYY-MM-DD, such as 2027-01-31',
    };
  }
  return until < today
    ? {
        rule: ENGINE_RULES.suppressionExpired,
        text: `ended on ${until}`,
        fix: 'Fix what it covers, or decide again and set a later date',
      }
    : undefined;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
