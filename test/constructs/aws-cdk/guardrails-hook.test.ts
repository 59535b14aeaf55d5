import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import {
  EksGuardrails,
  GuardrailsHook,
  HookFailureMode,
  HookTarget,
  type GuardrailsHookProps,
} from '../../../constructs/aws-cdk';
import { builtCommand } from '../../cli/built-command';
import { schemaComplaints } from '../../cloudformation-schema';
import { goldenValues } from '../../golden';
import { itWithAll } from '../../share';

// The build makes the function.
beforeAll(() => void builtCommand());

function templateOf(props?: GuardrailsHookProps): Template {
  const stack = new Stack(new App(), 'Test');
  new GuardrailsHook(stack, 'Hook', props);
  return Template.fromStack(stack);
}

const HOOK = 'AWS::CloudFormation::LambdaHook';

describe('GuardrailsHook', () => {
  const expectGolden = goldenValues(join(__dirname, 'golden/guardrails-hook.json'));

  it('warns, and is asked about change sets and stacks that are created or updated', () => {
    templateOf().hasResourceProperties(HOOK, {
      Alias: 'EksGuardrails::Templates::Check',
      FailureMode: 'WARN',
      HookStatus: 'ENABLED',
      TargetOperations: ['CHANGE_SET', 'STACK'],
      TargetFilters: { Actions: ['CREATE', 'UPDATE'] },
      StackFilters: Match.absent(),
    });
  });

  it('takes what it is told', () => {
    const template = templateOf({
      failureMode: HookFailureMode.FAIL,
      targets: [HookTarget.CHANGE_SET],
      stackNames: { include: ['platform-*'], exclude: ['platform-sandbox'] },
      stackRoles: { exclude: ['arn:aws:iam::111122223333:role/break-glass'] },
      configuration: { preset: 'strict', rules: { 'imds-v1': 'error' } },
      failUnchecked: true,
      failKnown: true,
      readsStacks: false,
      alias: 'Acme::Platform::Eks',
      enabled: false,
      logLevel: lambda.ApplicationLogLevel.WARN,
    });
    template.hasResourceProperties(HOOK, {
      Alias: 'Acme::Platform::Eks',
      FailureMode: 'FAIL',
      HookStatus: 'DISABLED',
      TargetOperations: ['CHANGE_SET'],
      StackFilters: {
        FilteringCriteria: 'ALL',
        StackNames: { Include: ['platform-*'], Exclude: ['platform-sandbox'] },
        StackRoles: { Exclude: ['arn:aws:iam::111122223333:role/break-glass'] },
      },
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          EKS_GUARDRAILS_CONFIGURATION: '{"preset":"strict","rules":{"imds-v1":"error"}}',
          EKS_GUARDRAILS_UNCHECKED: 'fail',
          EKS_GUARDRAILS_KNOWN: 'fail',
          EKS_GUARDRAILS_READS_STACK: 'false',
        },
      },
      LoggingConfig: Match.objectLike({ ApplicationLogLevel: 'WARN' }),
    });
    expect(JSON.stringify(template.toJSON())).not.toContain('cloudformation:GetTemplate');
  });

  it('bounds the permissions of its roles', () => {
    const stack = new Stack(new App(), 'Test');
    const permissionsBoundary = iam.ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'boundary');
    new GuardrailsHook(stack, 'Hook', { permissionsBoundary });
    Template.fromStack(stack).allResourcesProperties('AWS::IAM::Role', { PermissionsBoundary: Match.anyValue() });
  });

  it.each<[string, GuardrailsHookProps]>([
    ['alias is "AWS::Eks::Hook"', { alias: 'AWS::Eks::Hook' }],
    ['alias is "Check"', { alias: 'Check' }],
    ['targets is empty', { targets: [] }],
    [
      'stackNames.exclude has 51 entries',
      { stackNames: { exclude: Array.from({ length: 51 }, (_, index) => `s${index}`) } },
    ],
    ['stackRoles.include has 0 entries', { stackRoles: { include: [] } }],
    ['stackNames has "my_stack"', { stackNames: { exclude: ['my_stack'] } }],
    ['did you mean "imds-v1"?', { configuration: { rules: { 'imds-v2': 'error' } } }],
    ['configuration: customRules: a hook has no files', { configuration: { customRules: ['./rules.js'] } as object }],
    ['configuration takes', { configuration: { ignores: [{ rule: '*', resource: '*', reason: 'x'.repeat(4000) }] } }],
  ])('refuses what can not work: %s', (words, props) => {
    expect(() => templateOf(props)).toThrow(words);
  });

  itWithAll('makes a template that CloudFormation takes', () => {
    const text = JSON.stringify(templateOf({ stackNames: { exclude: ['sandbox-*'] } }).toJSON());
    // CDK writes a dependency of its own, which a reference has already.
    const complaints = (template: string): string[] =>
      schemaComplaints(template, 'hook.json').filter((complaint) => !complaint.startsWith('W3005 '));
    expect(complaints(text)).toEqual([]);
    expect(complaints(text.replace('"UPDATE"', '"CHANGE"'))).not.toEqual([]);
  });

  it('passes AwsSolutions and our own rules', () => {
    const app = new App();
    const stack = new Stack(app, 'Test');
    new GuardrailsHook(stack, 'Hook', { stackNames: { exclude: ['sandbox-*'] } });
    // What is wrong here shows that both are asked.
    new lambda.CfnFunction(stack, 'Old', {
      code: { zipFile: ' ' },
      handler: 'index.handler',
      role: 'arn:aws:iam::111122223333:role/x',
      runtime: 'nodejs18.x',
    });
    new CfnResource(stack, 'Nodes', {
      type: 'AWS::EKS::Nodegroup',
      properties: {
        AmiType: 'AL2023_x86_64_STANDARD',
        ClusterName: 'prod',
        NodeRole: 'arn:aws:iam::111122223333:role/x',
        Subnets: ['subnet-0123456789abcdef0'],
      },
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new EksGuardrails());
    const { exitCode } = process;
    const silent = jest.spyOn(console, 'error').mockImplementation();
    try {
      app.synth();
    } catch {
      // It fails by what is wrong.
    } finally {
      silent.mockRestore();
      process.exitCode = exitCode;
    }
    const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')) as {
      readonly pluginReports: readonly { readonly pluginName: string; readonly violations: readonly object[] }[];
    };
    const reported = pluginReports.map(
      ({ pluginName, violations }) => [pluginName, JSON.stringify(violations)] as const,
    );
    expect(reported).toHaveLength(2);
    for (const [, violations] of reported) expect(violations).not.toMatch(/"Test\/Hook/);
  });

  it('makes this template', () => {
    const { Resources } = templateOf().toJSON() as {
      Resources: Record<string, { Properties: { Code?: { S3Key?: string } } }>;
    };
    // The key is a hash of all our code.
    for (const { Properties } of Object.values(Resources))
      if (Properties.Code?.S3Key !== undefined) Properties.Code.S3Key = 'CODE';
    expectGolden('without options', Resources);
  });
});
