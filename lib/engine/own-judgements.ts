import type { EksModel, Source, SourceLocation } from '../eks';
import { problemsOf, propertyText, type Shape } from '../text/shape';
import { isPromise, runUserCode } from '../user-code/guard';
import type { Judgement, RelatedPlace, Rule, RuleContext } from './rule';

/** A judgement of a rule of the user's own that isn't whole; the message says what is wrong, without a full stop. */
export class JudgementError extends Error {}

/**
 * Runs a rule of the user's own. No compiler has seen it, maybe, so each judgement is looked at before anybody relies on it.
 * @param take takes a judgement that is whole
 * @throws Error for the first one that isn't, or that `take` refuses, once all others are taken; what the rule throws
 */
export function judgeByOwnRule(
  rule: Rule,
  model: EksModel,
  context: RuleContext,
  take: (judgement: Judgement) => void,
): void {
  const failures: unknown[] = [];
  runUserCode(() => {
    for (const judgement of judgementsOf(rule.check(model, context))) {
      try {
        take(wholeJudgement(judgement, rule, model));
      } catch (error) {
        failures.push(error);
      }
    }
  });
  if (failures.length > 0) throw failures[0];
}

function judgementsOf(result: unknown): Iterable<unknown> {
  const isObject = typeof result === 'object' && result !== null;
  if (isPromise(result) || (isObject && Symbol.asyncIterator in result))
    throw new Error('check is asynchronous; it must give its judgements at once');
  if (!isObject || !(Symbol.iterator in result)) throw new Error('check gives no list of judgements');
  return result as Iterable<unknown>;
}

const TEXT: Shape = { kind: 'text', what: 'a text' };
const ANYTHING: Shape = { kind: 'anything' };

/** What is not said here is looked at below. */
const JUDGEMENT: Shape = {
  kind: 'object',
  noun: 'part of a judgement',
  required: ['verdict', 'resource'],
  properties: Object.fromEntries(
    Object.entries<Shape>({
      verdict: { kind: 'choice', values: ['fail', 'unverifiable', 'pass'] },
      resource: ANYTHING,
      message: TEXT,
      data: { kind: 'map', value: { kind: 'scalar' } },
      reason: TEXT,
      about: TEXT,
      severity: { kind: 'choice', values: ['error', 'warning', 'info'] },
      source: ANYTHING,
      when: ANYTHING,
      related: {
        kind: 'list',
        item: {
          kind: 'object',
          required: ['message', 'source'],
          properties: { message: { shape: TEXT, description: '' }, source: { shape: ANYTHING, description: '' } },
        },
      },
    }).map(([name, shape]) => [name, { shape, description: '' }]),
  ),
};

function wholeJudgement(given: unknown, rule: Rule, model: EksModel): Judgement {
  const [problem] = problemsOf(JUDGEMENT, given);
  if (problem !== undefined) throw unwhole(propertyText(problem.path), problem.message);
  const judgement = given as Judgement;
  const { verdict, resource, message, source, when, related = [] } = judgement;
  if (!resourcesOf(model).has(resource)) throw unwhole('resource', 'expected a resource of the model');
  if (verdict === 'fail' && (message === undefined || !Object.hasOwn(rule.messages, message)))
    throw unwhole('message', messageProblem(message, rule));
  if (when !== undefined && typeof (when as { text?: unknown } | null)?.text !== 'string')
    throw unwhole('when', 'expected the assumption under which an alternative or a case holds');
  return {
    ...judgement,
    data: texts(judgement.data ?? {}),
    ...(source === undefined ? {} : { source: settledSource(source, 'source') }),
    related: related.map(
      (place, index): RelatedPlace => ({
        message: place.message,
        source: settledSource(place.source, `related[${index}].source`),
      }),
    ),
  };
}

/** Numbers are texts to those who read them. */
function texts(data: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
}

function messageProblem(message: string | undefined, { messages }: Rule): string {
  const names = Object.keys(messages);
  return `expected ${names.length === 0 ? 'a message of the rule, which declares none' : `a message that the rule declares (${names.join(', ')})`}, found ${message === undefined ? 'nothing' : `"${message}"`}`;
}

function unwhole(property: string, message: string): JudgementError {
  return new JudgementError(property === '' ? message : `${property}: ${message}`);
}

const known = new WeakMap<EksModel, ReadonlySet<unknown>>();

function resourcesOf(model: EksModel): ReadonlySet<unknown> {
  const resources = known.get(model) ?? new Set<unknown>(model.resources);
  known.set(model, resources);
  return resources;
}

/** The place is computed now: later, nobody could tell whose fault it is that there is none. */
function settledSource(source: unknown, name: string): Source {
  if (!isSource(source)) throw unwhole(name, 'expected a place, such as the source of a value or of a resource');
  const place: unknown = source.locate();
  if (!isLocation(place)) throw unwhole(name, 'its locate() gives no file, line and column');
  return { ...(source.from === undefined ? {} : { from: source.from }), locate: () => place };
}

function isSource(source: unknown): source is Source {
  if (typeof source !== 'object' || source === null || !('locate' in source) || typeof source.locate !== 'function')
    return false;
  return !('from' in source) || source.from === undefined || typeof source.from === 'string';
}

function isLocation(place: unknown): place is SourceLocation {
  if (typeof place !== 'object' || place === null) return false;
  const { file, line, column, property } = place as Partial<Record<keyof SourceLocation, unknown>>;
  const isCount = (number: unknown): boolean => Number.isSafeInteger(number) && Number(number) >= 1;
  return (
    typeof file === 'string' &&
    isCount(line) &&
    isCount(column) &&
    (property === undefined || typeof property === 'string')
  );
}
