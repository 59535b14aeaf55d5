import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { ConfigurationFileContent } from '../../lib/configuration';

/** What becomes of an operation whose template has a finding. */
export enum HookFailureMode {
  /** It goes on, with a warning. */
  WARN = 'WARN',
  /** It is stopped, and what it did is rolled back. */
  FAIL = 'FAIL',
}

/** What CloudFormation hands over to the hook. */
export enum HookTarget {
  /** A change set that is created, before anything happens; the CDK deploys with them. */
  CHANGE_SET = 'CHANGE_SET',
  /** A stack that is about to be created or updated, with a change set or without one. */
  STACK = 'STACK',
}

/** Stacks that a hook looks at; `*` stands for any text, `?` for one character. */
export interface HookStackFilter {
  /**
   * Only these, at most 50.
   *
   * @default - all
   */
  readonly include?: readonly string[];
  /**
   * All but these, at most 50.
   *
   * @default - none
   */
  readonly exclude?: readonly string[];
}

/** What a configuration file holds, but for what names files. */
export type HookConfiguration = Pick<
  ConfigurationFileContent,
  'preset' | 'rules' | 'ignores' | 'parameters' | 'asOf' | 'failOn'
>;

/** Options of a `GuardrailsHook`. */
export interface GuardrailsHookProps {
  /**
   * What becomes of an operation whose template has a finding that counts. Begin with a warning: the hook is asked about every stack of the account.
   *
   * @default HookFailureMode.WARN
   */
  readonly failureMode?: HookFailureMode;
  /**
   * What CloudFormation asks the hook about. A deployment with a change set is checked twice with both; those without one meet `STACK` only.
   *
   * @default - both
   */
  readonly targets?: readonly HookTarget[];
  /**
   * Stacks by their names.
   *
   * @default - all
   */
  readonly stackNames?: HookStackFilter;
  /**
   * Stacks by the ARNs of the roles with which CloudFormation deploys them.
   *
   * @default - all
   */
  readonly stackRoles?: HookStackFilter;
  /**
   * Levels and options of rules, decisions, values of parameters, and what fails.
   *
   * @default - preset `recommended`, errors fail
   */
  readonly configuration?: HookConfiguration;
  /**
   * Whether an operation fails whose template can't be read or checked as a whole. What the hook itself is to blame for never fails one.
   *
   * @default false, it is told
   */
  readonly failUnchecked?: boolean;
  /**
   * Whether an update fails for what the stack has already.
   *
   * @default false, it is told
   */
  readonly failKnown?: boolean;
  /**
   * Whether the function may read the parameters of change sets and the templates of stacks (`cloudformation:DescribeChangeSet`, `GetTemplate`), which requests
   * for change sets don't bring.
   *
   * @default true
   */
  readonly readsStacks?: boolean;
  /**
   * Name of the hook, which an account has once in each region: three parts of letters and digits, the first of which doesn't begin with AWS.
   *
   * @default 'EksGuardrails::Templates::Check'
   */
  readonly alias?: string;
  /**
   * Whether CloudFormation asks the hook at all.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * The least that the function logs: `INFO` is one line for each check.
   *
   * @default - INFO
   */
  readonly logLevel?: lambda.ApplicationLogLevel;
  /**
   * Where it logs.
   *
   * @default - a log group that keeps its lines for 90 days
   */
  readonly logGroup?: logs.ILogGroup;
  /**
   * Bounds the permissions of the roles that are made.
   *
   * @default - none
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;
}
