import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CfnLambdaHook, Duration, Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { configurationProblems } from '../../lib/hook/settings';
import { acknowledgeWildcards } from './acknowledgements';
import { refuse } from './construction-error';
import { HookFailureMode, HookTarget, type GuardrailsHookProps, type HookStackFilter } from './guardrails-hook-props';

/** CloudFormation, `AWS::CloudFormation::LambdaHook`: pattern of `Alias`. */
const ALIAS = /^(?!aws)[a-z0-9]{2,64}::[a-z0-9]{2,64}::[a-z0-9]{2,64}$/i;

/** The same resource: pattern of names of stacks in its filters. */
const STACK_NAME = /^[a-zA-Z*?][-a-zA-Z0-9*?]*$/;

/** CloudFormation Hooks User Guide: entries of each list of a filter. */
const MOST_ENTRIES = 50;

/** Lambda takes 4 KB of environment; the other variables and their names need some of it. */
const MOST_CONFIGURATION = 3500;

/**
 * A CloudFormation hook that checks every template of this account and region before it is deployed, whoever deploys it and whatever wrote it.
 *
 * ```ts
 * new GuardrailsHook(stack, 'Hook');
 * ```
 *
 * Findings appear in the events of the stack and as annotations of the hook's result. It judges one template at a time, so what links stacks is
 * unknown to it. The function needs no network but S3 and CloudFormation, and holds the rules of this version of the package.
 *
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks.html
 */
export class GuardrailsHook extends Construct {
  /** The function that judges. */
  readonly function: lambda.Function;
  /** The role with which CloudFormation calls it. */
  readonly executionRole: iam.Role;
  readonly hook: CfnLambdaHook;

  /** @throws ConstructionError for a configuration that can't be used, an alias or filter that CloudFormation doesn't take, and no targets */
  constructor(scope: Construct, id: string, props: GuardrailsHookProps = {}) {
    super(scope, id);
    const { alias = 'EksGuardrails::Templates::Check', targets = [HookTarget.CHANGE_SET, HookTarget.STACK] } = props;
    if (!ALIAS.test(alias))
      refuse(
        this,
        `alias is "${alias}"; it has three parts, A::B::C, of 2 to 64 letters and digits, and doesn't begin with AWS`,
      );
    if (targets.length === 0)
      refuse(this, 'targets is empty, so the hook would never be asked; leave it out for all, or set enabled: false');
    this.refuseFilter('stackNames', props.stackNames);
    this.refuseFilter('stackRoles', props.stackRoles);
    const { include = [], exclude = [] } = props.stackNames ?? {};
    const odd = [...include, ...exclude].find((name) => !Token.isUnresolved(name) && !STACK_NAME.test(name));
    if (odd !== undefined)
      refuse(
        this,
        `stackNames has "${odd}", which no stack can be called; beside letters, digits and hyphens, * and ? are taken`,
      );

    this.function = this.makeFunction(props);
    this.executionRole = this.makeExecutionRole(props);
    this.hook = new CfnLambdaHook(this, 'Resource', {
      alias,
      executionRole: this.executionRole.roleArn,
      lambdaFunction: this.function.functionArn,
      failureMode: props.failureMode ?? HookFailureMode.WARN,
      hookStatus: props.enabled === false ? 'DISABLED' : 'ENABLED',
      targetOperations: [...new Set(targets)],
      ...filtersOf(props),
    });
    // Nothing is wrong with a stack that is deleted. The CDK takes no actions without types of resources, which are not meant for whole templates.
    this.hook.addPropertyOverride('TargetFilters', { Actions: ['CREATE', 'UPDATE'] });
    // Without the permission, the first check would fail.
    this.hook.node.addDependency(this.node.findChild('ExecutionPolicy'));
  }

  private makeFunction(props: GuardrailsHookProps): lambda.Function {
    const logGroup = props.logGroup ?? new logs.LogGroup(this, 'Logs', { retention: logs.RetentionDays.THREE_MONTHS });
    const role = new iam.Role(this, 'FunctionRole', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: 'Function of a CloudFormation hook that checks templates (eks-guardrails)',
      ...(props.permissionsBoundary === undefined ? {} : { permissionsBoundary: props.permissionsBoundary }),
    });
    const made = new lambda.Function(this, 'Function', {
      description: 'Checks templates for CloudFormation (eks-guardrails)',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(functionFolder()),
      role,
      memorySize: 1024,
      // CloudFormation waits for 30 seconds.
      timeout: Duration.seconds(29),
      environment: this.environment(props),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      applicationLogLevelV2: props.logLevel ?? lambda.ApplicationLogLevel.INFO,
    });
    const stacks = Stack.of(this).formatArn({ service: 'cloudformation', resource: 'stack', resourceName: '*' });
    const policy = new iam.ManagedPolicy(this, 'FunctionPolicy', {
      roles: [role],
      statements: [
        new iam.PolicyStatement({
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [logGroup.logGroupArn],
        }),
        ...(props.readsStacks === false
          ? []
          : [
              new iam.PolicyStatement({
                actions: ['cloudformation:DescribeChangeSet', 'cloudformation:GetTemplate'],
                resources: [stacks],
              }),
            ]),
      ],
    });
    if (props.readsStacks !== false)
      acknowledgeWildcards(policy, [stacks], 'The hook is asked about every stack of the account, and only reads');
    made.node.addDependency(policy);
    return made;
  }

  private makeExecutionRole({ permissionsBoundary }: GuardrailsHookProps): iam.Role {
    const role = new iam.Role(this, 'ExecutionRole', {
      assumedBy: new iam.ServicePrincipal('hooks.cloudformation.amazonaws.com'),
      description: 'With this role CloudFormation calls a hook that checks templates (eks-guardrails)',
      ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    });
    new iam.ManagedPolicy(this, 'ExecutionPolicy', {
      roles: [role],
      statements: [
        new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [this.function.functionArn] }),
      ],
    });
    return role;
  }

  private environment(props: GuardrailsHookProps): Record<string, string> {
    const { configuration = {}, failUnchecked = false, failKnown = false, readsStacks = true } = props;
    const problems = configurationProblems(configuration);
    if (problems.length > 0) refuse(this, `configuration: ${problems.join('; ')}`);
    const text = JSON.stringify(configuration);
    const bytes = Buffer.byteLength(text);
    if (bytes > MOST_CONFIGURATION)
      refuse(
        this,
        `configuration takes ${bytes} bytes as JSON, and the environment of a function has room for ${MOST_CONFIGURATION} of them`,
      );
    return {
      EKS_GUARDRAILS_CONFIGURATION: text,
      EKS_GUARDRAILS_UNCHECKED: failUnchecked ? 'fail' : 'tell',
      EKS_GUARDRAILS_KNOWN: failKnown ? 'fail' : 'tell',
      EKS_GUARDRAILS_READS_STACK: String(readsStacks),
    };
  }

  private refuseFilter(name: string, { include, exclude }: HookStackFilter = {}): void {
    for (const [list, entries] of Object.entries({ include, exclude })) {
      if (entries !== undefined && (entries.length === 0 || entries.length > MOST_ENTRIES))
        refuse(this, `${name}.${list} has ${entries.length} entries; CloudFormation takes 1 to ${MOST_ENTRIES}`);
    }
  }
}

/** CloudFormation calls the hook where all filters match. */
function filtersOf({ stackNames, stackRoles }: GuardrailsHookProps): {
  readonly stackFilters?: CfnLambdaHook.StackFiltersProperty;
} {
  const [names, roles] = [stackNames, stackRoles].map((filter) =>
    filter?.include === undefined && filter?.exclude === undefined
      ? undefined
      : {
          ...(filter.include === undefined ? {} : { include: [...filter.include] }),
          ...(filter.exclude === undefined ? {} : { exclude: [...filter.exclude] }),
        },
  );
  if (names === undefined && roles === undefined) return {};
  return {
    stackFilters: {
      filteringCriteria: 'ALL',
      ...(names === undefined ? {} : { stackNames: names }),
      ...(roles === undefined ? {} : { stackRoles: roles }),
    },
  };
}

/** Where the build has put the code of the function. The compiled files lie one folder deeper than the sources. */
function functionFolder(): string {
  const root = join(__dirname, '..', '..');
  return (
    [join(root, 'hook/function'), join(root, 'dist/hook/function')].find(existsSync) ?? join(root, 'hook/function')
  );
}
