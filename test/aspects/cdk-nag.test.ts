import { App, Stack, Validations, type IPolicyValidationContext } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { EksGuardrailsChecks } from '../../aspects/cdk-nag';
import { launchTemplate, MISCONFIGURED_ERRORS, misconfiguredApp, nodeGroup, Workers } from './apps';
import { linesOf, reportOf, synthesize } from './reported';

function errorsOf(app: App): string[] {
  return linesOf(reportOf(app)?.violations ?? []).filter((line) => line.endsWith(' error'));
}

describe('EksGuardrailsChecks', () => {
  it('finds the same as the plugin, beside AwsSolutionsChecks', () => {
    const app = misconfiguredApp();
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new EksGuardrailsChecks(app));
    const message = synthesize(app);
    expect(message).toContain("Acknowledge with 'EksGuardrails::EksGuardrails-imds-hop-limit'");
    expect(errorsOf(app)).toEqual(MISCONFIGURED_ERRORS);
    expect(reportOf(app, 'AwsSolutions')?.violations.map(({ ruleName }) => ruleName)).toContain('AwsSolutions-EKS1');
  });

  it('keeps the text of each finding, although cdk-nag has one text per rule', () => {
    const app = new App();
    const stack = new Stack(app, 'Nodes');
    new Workers(stack, 'One', 1);
    new Workers(stack, 'Two', 70);
    Validations.of(app).addPlugins(new EksGuardrailsChecks(app));
    synthesize(app);
    const texts = reportOf(app)
      ?.violations.filter(({ ruleName }) => ruleName === 'EksGuardrails-imds-hop-limit')
      .map(({ description }) => description);
    expect(texts).toHaveLength(2);
    expect(new Set(texts).size).toBe(2);
  });

  it.each([
    'EksGuardrails-imds-hop-limit',
    'EksGuardrails::imds-hop-limit',
    'EksGuardrails::EksGuardrails-imds-hop-limit',
  ])('accepts an acknowledgement of %s', (id) => {
    const app = new App();
    const stack = new Stack(app, 'Nodes');
    Validations.of(new Workers(stack, 'Pool', 1)).acknowledge({ id, reason: 'on purpose' });
    new Workers(stack, 'Sound', 2);
    Validations.of(app).addPlugins(new EksGuardrailsChecks(app));
    expect(synthesize(app)).toBeUndefined();
    expect(errorsOf(app)).toEqual([]);
  });

  it('does not fail for a warning alone, unless told to', () => {
    const build = (failOn: 'error' | 'warning') => {
      const app = new App();
      const stack = new Stack(app, 'Nodes');
      nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)).forceUpdateEnabled = true;
      Validations.of(app).addPlugins(new EksGuardrailsChecks(app, { failOn }));
      return app;
    };
    expect(synthesize(build('error'))).toBeUndefined();
    expect(synthesize(build('warning'))).toContain('Nodes/Group');
  });

  it('tells why with verbose', () => {
    const describe = (verbose: boolean) => {
      const app = new App();
      new Workers(new Stack(app, 'Nodes'), 'Pool', 1);
      const { violations } = new EksGuardrailsChecks(app, { verbose }).validateScope(app);
      return violations.find(({ ruleName }) => ruleName === 'EksGuardrails-imds-hop-limit')?.description ?? '';
    };
    expect(describe(true).startsWith(describe(false))).toBe(true);
    expect(describe(true).length).toBeGreaterThan(describe(false).length);
  });

  it('checks a tree outside of a synthesis, with links between stacks', () => {
    const { success, violations } = new EksGuardrailsChecks().validateScope(misconfiguredApp());
    expect(success).toBe(false);
    expect(
      violations
        .filter(({ severity }) => severity === 'error')
        .map(
          ({ ruleName, violatingResources }) =>
            `${ruleName.replace('EksGuardrails-', '')} ${violatingResources[0]?.constructPath ?? ''} error`,
        )
        .sort(),
    ).toEqual(MISCONFIGURED_ERRORS);
  });

  it('says what is missing where CDK gives no construct tree', () => {
    const context: Partial<IPolicyValidationContext> = { templatePaths: [] };
    expect(() => new EksGuardrailsChecks().validate(context as IPolicyValidationContext)).toThrow(
      'requires a construct tree',
    );
  });

  it('names its rules as cdk-nag does', () => {
    const pack = new EksGuardrailsChecks();
    expect(pack.readPackName).toBe('EksGuardrails');
    expect(pack.ruleIds).toContain('EksGuardrails-imds-hop-limit');
  });

  it('refuses a configuration that names unknown rules', () => {
    expect(() => new EksGuardrailsChecks(undefined, { rules: { nonsense: 'off' } })).toThrow(
      'there is no rule "nonsense"',
    );
  });
});
