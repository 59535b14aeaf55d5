import type { CorrectedLines } from '../eks/user-data/correction';
import type { AnyNodeGroup, DialectName, EksModel, Launch, Resource, Source, When } from '../eks';
import type { Repair } from './repair';
import { readPage, type RuleProse } from './rule-prose';

export type Severity = 'error' | 'warning' | 'info';

/** How a user wants a rule to run. */
export type RuleLevel = Severity | 'off';

/**
 * - `fail`: the setting is known and wrong.
 * - `unverifiable`: it depends on something that can't be known before deployment. Never a pass, never a failure.
 * - `pass`: looked at, and right.
 *
 * A resource that the rule doesn't concern gets no judgement at all.
 */
export type Verdict = 'pass' | 'fail' | 'unverifiable';

/** What to do about a finding. */
export interface Fix {
  /** One or two sentences; code in backticks; may hold `{{placeholders}}` like the message. */
  readonly summary: string;
  /** The same where the settings of the place are others, or their owner does more by itself. @default - the summary holds there, too */
  readonly summaryIn?: Partial<Record<DialectName, string>>;
  /** The same in the user's language, ready to paste. Front ends without an entry show the summary alone. */
  readonly code?: Partial<Record<DialectName, string>>;
  /**
   * `safe`: only writes down what AWS would do anyway, or what AWS demands.
   * `needs-decision`: replaces nodes, restarts pods or changes permissions.
   */
  readonly safety: 'safe' | 'needs-decision';
  /** What `--fix` does about it, all of it or nothing; where the fix needs a decision, only with `--unsafe`. @default - a person has to do it */
  readonly repairs?: readonly Repair[];
  /** Of repairs that need a decision: what they do to what runs, in a clause such as "replaces the nodes". Without it they aren't made. */
  readonly effect?: string;
  /** Of safe repairs that do more in some dialects: what they do there to what runs, so that they need a decision there. @default - they are safe everywhere */
  readonly effectIn?: Partial<Record<DialectName, string>>;
  /** Changes that can be made in one dialect alone, instead of `repairs`. @default - `repairs` */
  readonly repairsIn?: Partial<Record<DialectName, readonly Repair[]>>;
}

/** One way in which a rule can speak. `{{name}}` is filled from the judgement's data. */
export interface Message {
  /** What was found, where, what it does to the cluster: at most two sentences. */
  readonly text: string;
  readonly fix: Fix;
}

/** Everything about a rule but its code; the docs page is generated from it. */
export interface RuleMetadata<M extends string = string> extends RuleProse {
  /** Kebab-case, permanent once released. */
  readonly id: string;
  /** Folder of the rule, and section of the catalogue. */
  readonly subject:
    | 'imds'
    | 'launch-template'
    | 'node-bootstrap'
    | 'node-group'
    | 'vpc-cni'
    | 'addon'
    | 'iam'
    | 'eksctl'
    | 'custom';
  /** What the rule requires, in one line without a full stop. */
  readonly title: string;
  /** The highest severity that the rule uses by itself. */
  readonly severity: Severity;
  /** In preset `strict`, if different. */
  readonly strictSeverity?: Severity;
  readonly since: string;
  /**
   * It is about what is written, or what a deployment comes to, so that it has nothing to say of a cluster that runs: all of it, or some of its messages.
   * @default - what it says holds of either
   */
  readonly isAboutCode?: true | readonly M[];
  /** Page about the rule; empty if there is none. @default - the page of the built-in rule */
  readonly docs?: string;
  /** Options with their defaults and allowed values. */
  readonly options?: Readonly<Record<string, RuleOption>>;
  readonly messages: Readonly<Record<M, Message>>;
}

export interface RuleOption {
  readonly description: string;
  readonly allowed: readonly string[];
  readonly default: string;
}

/** One verdict of a rule on a resource. */
export interface Judgement<M extends string = string> {
  readonly verdict: Verdict;
  /** The resource that the fix changes. */
  readonly resource: Resource;
  /** Needed for `fail`. */
  readonly message?: M;
  /** Values for the message's placeholders. */
  readonly data?: Readonly<Record<string, string>>;
  /** For `unverifiable`: what can't be known, and why. */
  readonly reason?: string;
  /** Severity of this failure, if lower than the rule's own. */
  readonly severity?: Severity;
  /** The value that causes it; the resource itself when the value is missing. */
  readonly source?: Source;
  /**
   * For a message that can be said several times of one property: which key, item or line it is about. Reports and baselines know a finding again
   * by that, so it holds neither counts nor days nor line numbers. @default - the property tells
   */
  readonly about?: string;
  /** The assumption under which it holds, when it depends on a condition. */
  readonly when?: When;
  readonly related?: readonly RelatedPlace[];
  /** The lines that a user wrote, put right: they stand in place of the code of the fix, and a repair of `lines` writes them. */
  readonly corrected?: CorrectedLines | undefined;
  /** Lines of user data that have to change with the code of the fix, which isn't shown without them. @default - none */
  readonly linesToo?: CorrectedLines | undefined;
  /** What has to change in other resources with it, so that the fix leads to no other finding. @default - nothing */
  readonly besides?: readonly ChangeBeside[];
  /** What a safe repair does to what runs for this resource alone, so that it needs a decision here. @default - what the fix says of the dialect */
  readonly repairEffect?: string | undefined;
}

/** A setting of another resource that changes with a fix. */
export interface ChangeBeside {
  readonly resource: Resource;
  /** Where its value stands. */
  readonly source: Source;
  /** What it becomes, ready to paste. */
  readonly code: NonNullable<Fix['code']>;
  /** Lines of user data that change with it. @default - none */
  readonly linesToo?: CorrectedLines | undefined;
}

/**
 * A judgement of one launch: of a node group, and how it starts its nodes. `resource` is the launch template, or the group if it has none; what is said
 * of several of its launches becomes one finding, and messages get `{{where}}`: `Launch template "Nodes" of node groups "A" and "B"`.
 */
export interface LaunchJudgement<M extends string = string> extends Judgement<M> {
  readonly launch: Launch<AnyNodeGroup>;
  /** However many launches and cases show it, it is one defect: what is wrong at one place is told once, at its highest severity. */
  readonly defect?: Defect;
}

export interface Defect {
  /** What the finding says besides; it depends on all the launches that it is about. */
  tell?(launches: readonly Launch<AnyNodeGroup>[]): Pick<Judgement, 'data' | 'related'>;
}

export function isOfLaunch(judgement: Judgement): judgement is LaunchJudgement {
  return 'launch' in judgement;
}

/** Another place that takes part in the story. */
export interface RelatedPlace {
  readonly message: string;
  readonly source: Source;
}

export interface RuleContext {
  /** The day of the check, `YYYY-MM-DD`. */
  readonly today: string;
  /** Values of the rule's options, defaults filled in. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Rule<M extends string = string> extends RuleMetadata<M> {
  /** A pure function of the model: no I/O, no clock, no environment. */
  check(model: EksModel, context: RuleContext): Iterable<Judgement<M>>;
}

/** What the module of a built-in rule says of it. */
type RuleModule<M extends string> = Omit<Rule<M>, keyof RuleProse>;

/**
 * Defines a built-in rule; the type parameter ties judgements to the messages that the rule declares. What is told of it at length stands in
 * the page beside it, `lib/rules/<subject>/<id>.md`, which is read when somebody asks.
 */
export function defineRule<M extends string>(rule: RuleModule<M>): Rule {
  let page: RuleProse | undefined;
  const prose = (): RuleProse =>
    (page ??= readPage(rule.subject, rule.id, `This installation lacks the texts of the rule: ${docsUrl(rule.id)}.`));
  return {
    ...rule,
    get symptom() {
      return prose().symptom;
    },
    get signs() {
      return prose().signs ?? [];
    },
    get why() {
      return prose().why;
    },
    get examples() {
      return prose().examples ?? '';
    },
    get limits() {
      return prose().limits;
    },
    get ignore() {
      return prose().ignore;
    },
    get sources() {
      return prose().sources;
    },
  };
}

/** Page of a rule in the documentation. */
export function docsUrl(ruleId: string): string {
  return `https://github.com/eks-guardrails/eks-guardrails/blob/main/docs/rules/${ruleId}.md`;
}
