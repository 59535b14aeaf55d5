import { always, NO_DIALECT, nowhere, resourceName, type EksModel, type Resource } from '../eks';
import { messageOf } from '../user-code/guard';
import { placeOf, shownPlace } from '../user-code/place';
import { ENGINE_RULES, engineFinding } from './engine-findings';
import type { Finding } from './finding';
import { JudgementError } from './own-judgements';
import type { Crash } from './isolation';
import type { Rule } from './rule';

export function crashFinding(rule: Rule, { error, resource }: Crash, isComplete: boolean, model: EksModel): Finding {
  const told = {
    at: resource === undefined ? '' : ` at ${resourceName(resource)}`,
    left:
      resource !== undefined && isComplete
        ? 'it judged everything else as if nothing were known of that'
        : 'not everything was checked by it',
  };
  const texts = rule.subject === 'custom' ? ownCrash(rule, error, told) : builtInCrash(rule, error, told);
  return engineFinding(ENGINE_RULES.crashed, 'error', resource ?? model.resources[0] ?? wholeInput, {
    about: rule.id,
    ...texts,
  });
}

/** Where a rule stopped, and what that leaves unchecked, as parts of a sentence. */
interface CrashTexts {
  readonly at: string;
  readonly left: string;
}

function builtInCrash({ id }: Rule, error: unknown, { at, left }: CrashTexts): { message: string; fix: string } {
  return {
    message: `Rule ${id} stopped${at} with an internal error (${messageOf(error)}); ${left}.`,
    fix: `Report it with the template that causes it; until then run with ${id} off.`,
  };
}

function ownCrash({ id }: Rule, error: unknown, { at, left }: CrashTexts): { message: string; fix: string } {
  if (error instanceof JudgementError) {
    return {
      message: `Rule ${id} gives a judgement that is not whole (${error.message}), so what it found is missing.`,
      fix: 'Correct what the rule gives; checkRule of eks-guardrails/testing shows the same.',
    };
  }
  const place = placeOf(error);
  return {
    message: `Rule ${id} stopped${at} with an error (${messageOf(error)}${place === undefined ? '' : `, in ${shownPlace(place)}`}); ${left}.`,
    fix: 'Correct the rule: it must judge every input.',
  };
}

/** What a crash is reported on when the model holds nothing. */
const wholeInput: Resource = {
  type: '',
  id: '',
  path: undefined,
  stack: '',
  frontEnd: NO_DIALECT.name,
  dialect: NO_DIALECT,
  source: nowhere,
  suppressions: [],
  exists: always,
};
