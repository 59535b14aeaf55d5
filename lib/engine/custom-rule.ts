import type { EksModel } from '../model';
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
 */
export function defineCustomRule<M extends string>(rule: CustomRule<M>): Rule {
  const { docs = '', messages } = rule;
  const texts = Object.entries<CustomMessage>(messages).map(([name, message]): [string, Message] => [name, completeMessage(message)]);
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
