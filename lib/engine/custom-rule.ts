import type { EksModel } from '../eks';
import { nearestName } from '../text/nearest';
import { problemsOf, propertyText, type Shape } from '../text/shape';
import { ConfigurationError } from './configuration-error';
import type { Fix, Judgement, Message, Rule, RuleContext, RuleOption, Severity } from './rule';

/** A rule of the user's own. */
export interface CustomRule<M extends string = string> {
  /** Kebab-case, other than those of all other rules: `acme-private-endpoint`. */
  readonly id: string;
  /** What the rule requires, in one line without a full stop. */
  readonly title: string;
  /** The highest severity that the rule uses by itself. */
  readonly severity: Severity;
  /** In preset `strict`, if different. */
  readonly strictSeverity?: Severity;
  /** Address of a page about the rule. @default - none */
  readonly docs?: string;
  /** Options with their defaults and allowed values. */
  readonly options?: Readonly<Record<string, RuleOption>>;
  /** The ways in which the rule can speak, by a name that judgements use. `{{name}}` in a text is filled from the judgement's data. */
  readonly messages: Readonly<Record<M, CustomMessage>>;
  /** A pure function of the model: no I/O, no clock, no environment. What it throws is reported as `rule-crashed`, and other rules still run. */
  check(model: EksModel, context: RuleContext): Iterable<Judgement<M>>;
}

/** One way in which a custom rule can speak. */
export interface CustomMessage {
  /** What was found, where, and what it does. */
  readonly text: string;
  /** What to do about it: in words, or with code for each language. */
  readonly fix: string | (Omit<Fix, 'safety'> & Partial<Pick<Fix, 'safety'>>);
}

/**
 * Defines a rule of the user's own; the type parameter ties judgements to the messages that the rule declares.
 *
 * ```ts
 * export const clusterName = defineRule({
 *   id: 'acme-cluster-name',
 *   title: 'Clusters have a name',
 *   severity: 'error',
 *   messages: { nameless: { text: 'Cluster "{{cluster}}" has no name.', fix: 'Give it one.' } },
 *   *check(model) {
 *     for (const cluster of model.clusters) {
 *       if (cluster.name.kind === 'absent') yield { verdict: 'fail', resource: cluster, message: 'nameless', data: { cluster: cluster.id } };
 *     }
 *   },
 * });
 * ```
 * @throws ConfigurationError if it isn't whole
 */
export function defineCustomRule<M extends string>(rule: CustomRule<M>): Rule {
  // The same rule may come from a module of the configuration and from the app.
  const known = defined.get(rule);
  if (known !== undefined) return known;
  refuseUnwhole(rule);
  const whole = completeRule(rule);
  defined.set(rule, whole).set(whole, whole);
  return whole;
}

const defined = new WeakMap<object, Rule>();

function completeRule<M extends string>(rule: CustomRule<M>): Rule {
  const { docs = '', messages } = rule;
  const texts = Object.entries<CustomMessage>(messages).map(([name, message]): [string, Message] => [
    name,
    completeMessage(message),
  ]);
  return {
    // A custom rule may be an instance of a class, whose methods don't spread.
    check: (model, context) => rule.check(model, context),
    subject: 'custom',
    since: '',
    symptom: '',
    why: '',
    limits: '',
    ignore: '',
    sources: [],
    id: rule.id,
    title: rule.title,
    severity: rule.severity,
    docs,
    messages: Object.fromEntries(texts),
    ...(rule.strictSeverity === undefined ? {} : { strictSeverity: rule.strictSeverity }),
    ...(rule.options === undefined ? {} : { options: rule.options }),
  };
}

function completeMessage({ text, fix }: CustomMessage): Message {
  const given = typeof fix === 'string' ? { summary: fix } : fix;
  return { text, fix: { safety: 'needs-decision', ...given } };
}

const TEXT: Shape = { kind: 'text', what: 'a text' };
const SPOKEN: Shape = { kind: 'text', pattern: '\\S', what: 'a text' };
const SEVERITY: Shape = { kind: 'choice', values: ['error', 'warning', 'info'] };

function shapes(named: Readonly<Record<string, Shape>>) {
  return Object.fromEntries(Object.entries(named).map(([name, shape]) => [name, { shape, description: '' }]));
}

const FIX: Shape = {
  kind: 'object',
  required: ['summary'],
  properties: shapes({
    summary: SPOKEN,
    summaryIn: { kind: 'map', value: SPOKEN },
    code: { kind: 'map', value: TEXT },
    safety: { kind: 'choice', values: ['safe', 'needs-decision'] },
    repairs: { kind: 'list', item: { kind: 'json' } },
    effect: SPOKEN,
  }),
};
const MESSAGE: Shape = {
  kind: 'object',
  required: ['text', 'fix'],
  properties: shapes({ text: SPOKEN, fix: { kind: 'either', shapes: [SPOKEN, FIX] } }),
};
const OPTION: Shape = {
  kind: 'object',
  required: ['description', 'allowed', 'default'],
  properties: shapes({ description: TEXT, allowed: { kind: 'list', item: TEXT }, default: TEXT }),
};

const NEEDED: Readonly<Record<string, Shape>> = {
  id: { kind: 'text', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', what: 'an id of small letters, digits and hyphens' },
  title: SPOKEN,
  severity: SEVERITY,
  messages: { kind: 'map', value: MESSAGE },
};
const OPTIONAL: Readonly<Record<string, Shape>> = {
  strictSeverity: SEVERITY,
  docs: TEXT,
  options: { kind: 'map', value: OPTION },
};

/** Types say the same to those who use them. @throws ConfigurationError with the first thing that is wrong */
function refuseUnwhole(rule: unknown): void {
  if (typeof rule !== 'object' || rule === null)
    throw new ConfigurationError(
      `a custom rule is what defineRule gives, not ${rule === null ? 'null' : `a ${typeof rule}`}`,
    );
  const given = rule as Readonly<Record<string, unknown>>;
  const [problem] = problemsOfRule(given);
  const name = typeof given['id'] === 'string' ? `"${given['id']}"` : 'without id';
  if (problem !== undefined) throw new ConfigurationError(`rule ${name} is not whole: ${problem}`);
}

function problemsOfRule(rule: Readonly<Record<string, unknown>>): string[] {
  const missing = [...Object.keys(NEEDED), 'check'].filter((name) => rule[name] === undefined);
  // A class of rules may have more than is asked for; what looks like a misspelt name is none of that.
  const absent = [...missing, ...Object.keys(OPTIONAL).filter((name) => rule[name] === undefined)];
  const misspelt = Object.keys(rule).flatMap((key) => {
    const meant =
      Object.hasOwn(NEEDED, key) || Object.hasOwn(OPTIONAL, key) || key === 'check'
        ? undefined
        : nearestName(key, absent);
    return meant === undefined ? [] : [`${key}: there is no such setting of a rule; did you mean "${meant}"?`];
  });
  const present = Object.entries({ ...NEEDED, ...OPTIONAL }).filter(([name]) => rule[name] !== undefined);
  const problems = [
    ...misspelt,
    ...missing.map((name) => `"${name}" is missing`),
    ...present
      .flatMap(([name, shape]) => problemsOf(shape, rule[name], [name]))
      .map(({ path, message }) => `${propertyText(path)}: ${message}`),
    ...(rule['check'] === undefined || typeof rule['check'] === 'function' ? [] : ['check: expected a function']),
  ];
  return problems.length > 0
    ? problems
    : Object.entries((rule as unknown as CustomRule).options ?? {}).flatMap(([name, option]) =>
        defaultProblem(name, option),
      );
}

function defaultProblem(name: string, { allowed, default: standard }: RuleOption): string[] {
  return allowed.includes(standard)
    ? []
    : [`options.${name}.default: "${standard}" is not one of the allowed values ${allowed.join(', ')}`];
}
