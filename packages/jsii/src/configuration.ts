/** Which levels rules have. */
export enum Preset {
  /** Every rule has its own severity. */
  RECOMMENDED = 'recommended',
  /** What costs nothing to follow is raised. */
  STRICT = 'strict',
  /** Rules in preview run, too. */
  ALL = 'all',
}

/** The least that fails the synthesis; each value includes the ones before it, except `NEVER`. */
export enum FailOn {
  /** A setting that breaks nodes, pods or upgrades. */
  ERROR = 'error',
  /** Also what works today and bites later. */
  WARNING = 'warning',
  /** Also what can't be judged before deployment. */
  UNVERIFIABLE = 'unverifiable',
  /** Everything is reported, nothing fails. */
  NEVER = 'never',
}

/** How the findings of a rule count. */
export enum RuleLevel {
  /** The rule doesn't run. */
  OFF = 'off',
  /** They are information. */
  INFO = 'info',
  /** They are warnings. */
  WARNING = 'warning',
  /** They are errors. */
  ERROR = 'error',
}

/** Level and options of one rule. */
export interface RuleSetting {
  /**
   * Replaces the severity of all errors and warnings of the rule; what it reports as mere information stays that.
   *
   * @default - as the preset has it
   */
  readonly level?: RuleLevel;

  /**
   * Options by name; the page of the rule has them.
   *
   * @default - each option has its default
   */
  readonly options?: { [name: string]: string };
}

/** A decision to live with findings, made for all resources that a pattern covers. */
export interface IgnoredFinding {
  /** Id of a rule, or a pattern of ids: `imds-*`. */
  readonly rule: string;

  /** Pattern of construct paths or logical ids; `*` alone is all of them. `Prod/Workers` covers all that is below it. */
  readonly resource: string;

  /** Why it is right to live with it. Without one the decision has no effect and is reported. */
  readonly reason: string;

  /**
   * Last day on which it holds, `YYYY-MM-DD`.
   *
   * @default - no end
   */
  readonly until?: string;
}

/** How an app is checked. What isn't given here comes from the configuration file. */
export interface EksGuardrailsValidatorProps {
  /**
   * Which levels rules have.
   *
   * @default Preset.RECOMMENDED
   */
  readonly preset?: Preset;

  /**
   * Levels and options of single rules, by the id of the rule, such as `imds-hop-limit`.
   *
   * @default - every rule as the preset has it
   */
  readonly rules?: { [rule: string]: RuleSetting };

  /**
   * The least that fails the synthesis.
   *
   * @default FailOn.ERROR
   */
  readonly failOn?: FailOn;

  /**
   * The day for which support dates and ends of decisions are judged, `YYYY-MM-DD`, so that a check gives the same on any day.
   *
   * @default - what EKS_GUARDRAILS_AS_OF says, else today in UTC
   */
  readonly asOf?: string;

  /**
   * Findings to live with.
   *
   * @default - none
   */
  readonly ignoredFindings?: IgnoredFinding[];

  /**
   * Values of CloudFormation parameters by name, in every stack, as if the deployment gave them. That of a list has commas.
   *
   * @default - a parameter has its default; without one its value is unknown
   */
  readonly parameters?: { [parameter: string]: string };

  /**
   * The same for single stacks, by the name of the stack; these win.
   *
   * @default - none
   */
  readonly stackParameters?: { [stack: string]: { [parameter: string]: string } };

  /**
   * A file of newer rows for some tables of the knowledge: Kubernetes versions, versions of add-ons, AMI types and others.
   *
   * @default - the tables of this version
   */
  readonly knowledge?: string;

  /**
   * Path of the configuration file.
   *
   * @default - `eks-guardrails.config.*` of the nearest folder that has one, from the working directory up to the root of the repository
   */
  readonly configurationFile?: string;

  /**
   * Whether a configuration file is read at all.
   *
   * @default true
   */
  readonly readsConfigurationFile?: boolean;
}
