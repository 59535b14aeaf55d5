import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  Aspects,
  AspectPriority,
  CfnResource,
  NestedStack,
  Stack,
  Stage,
  Validations,
  type IAspect,
  type IPolicyValidationContext,
} from 'aws-cdk-lib';
import { CfnLaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import { EksGuardrails, type EksGuardrailsConfiguration } from '../../aspects/aws-cdk';
import { packageVersion } from '../../lib/version';
import { launchTemplate, MISCONFIGURED_ERRORS, misconfiguredApp, nodeGroup, Workers } from './apps';
import { linesOf, reportOf, synthesize } from './reported';

// Where constructs were made is what is told here.
delete process.env.CDK_CONTEXT_JSON;

function appWith(build: (stack: Stack) => void, configuration: EksGuardrailsConfiguration = {}): App {
  const app = new App();
  build(new Stack(app, 'Nodes'));
  Validations.of(app).addPlugins(new EksGuardrails(configuration));
  return app;
}

/** The errors of a report. */
function errorsOf(app: App): string[] {
  return linesOf(reportOf(app)?.violations ?? []).filter((line) => line.endsWith(' error'));
}

describe('EksGuardrails', () => {
  it('fails the synthesis for pitfalls in other stacks, nested stacks, nested stages and raw overrides', () => {
    const app = misconfiguredApp();
    Validations.of(app).addPlugins(new EksGuardrails());
    expect(synthesize(app)).toContain('imds-hop-limit');
    expect(errorsOf(app)).toEqual(MISCONFIGURED_ERRORS);
    expect(reportOf(app)).toMatchObject({
      conclusion: 'failure',
      pluginVersion: packageVersion(),
      metadata: { errors: `${MISCONFIGURED_ERRORS.length}` },
    });
  });

  it('finds the same with path metadata in the templates, as the CDK command does it', () => {
    const app = misconfiguredApp({ context: { 'aws:cdk:enable-path-metadata': true } });
    Validations.of(app).addPlugins(new EksGuardrails());
    synthesize(app);
    expect(errorsOf(app)).toEqual(MISCONFIGURED_ERRORS);
  });

  it.each(['strong', 'both', 'weak'])('follows %s references between stacks', (strength) => {
    const app = misconfiguredApp({ context: { '@aws-cdk/core:defaultCrossStackReferences': strength } });
    Validations.of(app).addPlugins(new EksGuardrails());
    synthesize(app);
    expect(errorsOf(app)).toEqual(MISCONFIGURED_ERRORS);
  });

  it('lets a sound app pass', () => {
    const app = appWith((stack) => nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)));
    expect(synthesize(app)).toBeUndefined();
    expect(errorsOf(app)).toEqual([]);
  });

  it("shows the line of the user's code, the construct, the property, the fix and the docs", () => {
    let line = '';
    const app = appWith((stack) => {
      const launchTemplateData = { metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 } };
      const [template, here] = [new CfnLaunchTemplate(stack, 'Template', { launchTemplateData }), thisLine()] as const;
      line = here;
      nodeGroup(stack, 'Group', template);
    });
    const message = synthesize(app);
    expect(message).toContain(`test/aspects/plugin.test.ts:${line}:`);
    expect(message).toContain('Nodes/Template');
    expect(message).toContain('Suggested fix:');
    expect(message).toContain('docs/rules/imds-hop-limit.md');
    expect(message).toContain("Acknowledge with 'EksGuardrails::imds-hop-limit'");
    const [violation] = reportOf(app)?.violations.filter(({ ruleName }) => ruleName === 'imds-hop-limit') ?? [];
    expect(violation?.violatingConstructs[0]?.cloudFormationResource).toMatchObject({
      templatePath: 'Nodes.template.json',
      propertyPaths: ['Properties.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit'],
    });
  });

  it('names the template of a nested stack', () => {
    const app = misconfiguredApp();
    Validations.of(app).addPlugins(new EksGuardrails());
    synthesize(app);
    const inner = reportOf(app)
      ?.violations.flatMap(({ violatingConstructs }) => violatingConstructs)
      .find(({ constructPath }) => constructPath === 'Nodes/Inner/InnerTemplate');
    expect(inner?.cloudFormationResource?.templatePath).toMatch(/^NodesInner.*\.nested\.template\.json$/);
  });

  it('checks the stacks of one stage only, when put on a stage', () => {
    const app = misconfiguredApp();
    Validations.of(app.node.findChild('Prod')).addPlugins(new EksGuardrails());
    synthesize(app);
    expect(errorsOf(app)).toEqual(MISCONFIGURED_ERRORS.filter((line) => line.includes(' Prod/')));
  });

  it('sees what a later aspect changed', () => {
    const app = appWith((stack) => nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)));
    Aspects.of(app).add(new SetHopLimit(1), { priority: AspectPriority.READONLY + 100 });
    expect(synthesize(app)).toContain('Nodes/Template');
    expect(errorsOf(app)).toEqual(['imds-hop-limit Nodes/Template error']);
  });

  it.each([
    ['the resource', 'Nodes/Pool/Template'],
    ['its parent', 'Nodes/Pool'],
    ['its stack', 'Nodes'],
    ['the app', ''],
  ])('accepts an acknowledgement with reason on %s', (_, path) => {
    const app = appWith((stack) => {
      const { node } = new Workers(stack, 'Pool', 1);
      const construct = [node.root, ...node.findAll(), stack].find((one) => one.node.path === path);
      if (construct === undefined) throw new Error(path);
      Validations.of(construct).acknowledge({
        id: 'EksGuardrails::imds-hop-limit',
        reason: 'pods get no credentials from nodes on purpose',
      });
    });
    expect(synthesize(app)).toBeUndefined();
    const report = reportOf(app);
    expect(errorsOf(app)).toEqual([]);
    expect(
      report?.suppressedViolations?.map(({ ruleName, reason, acknowledgedAt }) => ({
        ruleName,
        reason,
        acknowledgedAt,
      })),
    ).toEqual([
      {
        ruleName: 'imds-hop-limit',
        reason: 'pods get no credentials from nodes on purpose',
        acknowledgedAt: path === '' ? undefined : path,
      },
    ]);
  });

  it.each(['', '  '])(
    'fails on an error that is acknowledged with the reason %j, which CDK would take out',
    (reason) => {
      const app = appWith((stack) => {
        Validations.of(new Workers(stack, 'Pool', 1)).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason });
      });
      expect(synthesize(app)).toContain('hop limit');
      expect(reportOf(app)?.violations).toContainEqual(
        expect.objectContaining({ ruleName: 'imds-hop-limit', severity: 'fatal' }),
      );
      expect(reportOf(app)?.conclusion).toBe('failure');
    },
  );

  it('does not take an acknowledgement on a sibling', () => {
    const app = appWith((stack) => {
      new Workers(stack, 'Pool', 1);
      Validations.of(new Workers(stack, 'Poo', 2)).acknowledge({
        id: 'EksGuardrails::imds-hop-limit',
        reason: 'on purpose',
      });
    });
    expect(synthesize(app)).toContain('Nodes/Pool/Template');
  });

  it('accepts a suppression with reason in the metadata of the template', () => {
    const app = appWith((stack) => {
      const template = launchTemplate(stack, 'Template', 1);
      template.addMetadata('eks-guardrails', { suppress: [{ rule: 'imds-hop-limit', reason: 'on purpose' }] });
      nodeGroup(stack, 'Group', template);
    });
    expect(synthesize(app)).toBeUndefined();
    expect(reportOf(app)?.violations.map(({ ruleName }) => ruleName) ?? []).not.toContain('imds-hop-limit');
  });

  it('says once that an acknowledgement matches nothing, wherever it stands', () => {
    const app = new App();
    for (const id of ['Blue', 'Green']) new Workers(new Stack(app, id), 'Pool', 2);
    Validations.of(app).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: 'on purpose' });
    Validations.of(app).addPlugins(new EksGuardrails());
    synthesize(app);
    const unused = reportOf(app)?.violations.filter(({ ruleName }) => ruleName === 'suppression-unused');
    expect(unused?.map(({ description }) => description)).toEqual([expect.stringContaining('imds-hop-limit')]);
  });

  it('does not call an acknowledgement on the app unused that matches in one of its stacks', () => {
    const app = new App();
    for (const [id, hopLimit] of [
      ['Blue', 1],
      ['Green', 2],
    ] as const)
      new Workers(new Stack(app, id), 'Pool', hopLimit);
    Validations.of(app).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: 'on purpose' });
    Validations.of(app).addPlugins(new EksGuardrails());
    expect(synthesize(app)).toBeUndefined();
    expect(reportOf(app)?.violations.map(({ ruleName }) => ruleName)).not.toContain('suppression-unused');
  });

  it('says that an acknowledgement names no rule', () => {
    const app = appWith((stack) => {
      new Workers(stack, 'Pool', 2);
      Validations.of(stack).acknowledge({ id: 'EksGuardrails::imds-hop-limits', reason: 'on purpose' });
    });
    synthesize(app);
    const [unknown, ...more] =
      reportOf(app)?.violations.filter(({ ruleName }) => ruleName === 'suppression-unknown-rule') ?? [];
    expect(unknown?.description).toContain('did you mean "imds-hop-limit"');
    expect(more).toEqual([]);
  });

  describe('failOn', () => {
    const forced = (stack: Stack) => {
      const group = nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2));
      group.forceUpdateEnabled = true;
    };

    it('lets warnings pass by default, and reports them', () => {
      const app = appWith(forced);
      expect(synthesize(app)).toBeUndefined();
      expect(linesOf(reportOf(app)?.violations ?? [])).toContain('node-group-force-update Nodes/Group warning');
    });

    it('warning: warnings fail, also when something else is acknowledged', () => {
      const app = appWith(
        (stack) => {
          forced(stack);
          Validations.of(new Workers(stack, 'Pool', 1)).acknowledge({
            id: 'EksGuardrails::imds-hop-limit',
            reason: 'on purpose',
          });
        },
        { failOn: 'warning' },
      );
      expect(synthesize(app)).toContain('Nodes/Group');
      expect(
        reportOf(app)?.violations.find(({ ruleName }) => ruleName === 'node-group-force-update')?.ruleMetadata,
      ).toMatchObject({ severity: 'warning' });
    });

    it('never: errors are reported and pass, also when something else is acknowledged', () => {
      const app = appWith(
        (stack) => {
          new Workers(stack, 'Pool', 1);
          Validations.of(new Workers(stack, 'Other', 1)).acknowledge({
            id: 'EksGuardrails::imds-hop-limit',
            reason: 'on purpose',
          });
        },
        { failOn: 'never' },
      );
      expect(synthesize(app)).toBeUndefined();
      expect(linesOf(reportOf(app)?.violations ?? [])).toContain('imds-hop-limit Nodes/Pool/Template warning');
    });

    const unknownHopLimit = (stack: Stack) => {
      const template = launchTemplate(stack, 'Template');
      template.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', {
        'Fn::ImportValue': 'HopLimit',
      });
      nodeGroup(stack, 'Group', template);
    };

    it('lists what can not be judged as info, and lets it pass', () => {
      const app = appWith(unknownHopLimit);
      expect(synthesize(app)).toBeUndefined();
      const violation = reportOf(app)?.violations.find(({ ruleName }) => ruleName === 'imds-hop-limit');
      expect(violation).toMatchObject({ severity: 'info', ruleMetadata: { verdict: 'unverifiable' } });
    });

    it('unverifiable: what can not be judged fails', () => {
      const app = appWith(unknownHopLimit, { failOn: 'unverifiable' });
      expect(synthesize(app)).toContain('imds-hop-limit');
    });
  });

  it('is not switched off by CDK_VALIDATION=false', () => {
    expect(process.env.CDK_VALIDATION).toBe('false');
    expect(synthesize(appWith((stack) => new Workers(stack, 'Pool', 1)))).toContain('Nodes/Pool/Template');
  });

  it('works beside the built-in validation', () => {
    delete process.env.CDK_VALIDATION;
    try {
      expect(synthesize(appWith((stack) => new Workers(stack, 'Pool', 1)))).toContain('Nodes/Pool/Template');
    } finally {
      process.env.CDK_VALIDATION = 'false';
    }
  });

  it('runs the rules as configured', () => {
    const app = appWith((stack) => new Workers(stack, 'Pool', 1), { rules: { 'imds-hop-limit': 'off' } });
    expect(synthesize(app)).toBeUndefined();
  });

  it('refuses a configuration that names unknown rules, where the user wrote it', () => {
    expect(() => new EksGuardrails({ rules: { 'imds-hop-limits': 'off' } })).toThrow('did you mean "imds-hop-limit"');
  });

  it('turns an error of its own into a violation', () => {
    const app = new App();
    const report = new EksGuardrails().validate({
      templatePaths: ['/nowhere/Missing.template.json'],
      stackTemplates: [],
      appConstruct: app,
    });
    expect(report).toMatchObject({ success: false, violations: [{ ruleName: 'rule-crashed', severity: 'fatal' }] });
  });

  it('reads the assembly where CDK gives no construct tree, as version 2.257', () => {
    const app = misconfiguredApp({ context: { 'aws:cdk:enable-path-metadata': true } });
    const { stacksRecursively } = app.synth();
    const context: Partial<IPolicyValidationContext> = {
      templatePaths: stacksRecursively.map(({ templateFullPath }) => templateFullPath),
    };
    const { success, violations } = new EksGuardrails().validate(context as IPolicyValidationContext);
    expect(success).toBe(false);
    const errors = violations.filter(({ severity }) => severity === 'error');
    expect(
      errors
        .map(({ ruleName, violatingResources: [resource] }) => `${ruleName} ${resource?.constructPath ?? ''} error`)
        .sort(),
    ).toEqual(MISCONFIGURED_ERRORS);
  });

  it('reports a template that can not be read, and fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
    const file = join(folder, 'Broken.template.json');
    writeFileSync(file, '{ "Resources": { ');
    const report = new EksGuardrails().validate({ templatePaths: [file], stackTemplates: [], appConstruct: new App() });
    rmSync(folder, { recursive: true });
    expect(report).toMatchObject({
      success: false,
      violations: [
        { ruleName: 'template-diagnostic', severity: 'error', violatingResources: [{ templatePath: file }] },
      ],
    });
  });

  it('reports a reference that leads nowhere as a warning, and lets it pass', () => {
    const app = appWith((stack) => {
      nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)).addPropertyOverride('NodeRole', {
        'Fn::GetAtt': ['Missing', 'Arn'],
      });
    });
    expect(synthesize(app)).toBeUndefined();
    expect(reportOf(app)?.violations.find(({ ruleName }) => ruleName === 'template-diagnostic')).toMatchObject({
      severity: 'warning',
    });
  });

  it('knows resources by their CloudFormation type, not by their class', () => {
    const app = appWith((stack) => {
      const template = new CfnResource(stack, 'Template', {
        type: 'AWS::EC2::LaunchTemplate',
        properties: { LaunchTemplateData: { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 } } },
      });
      new CfnResource(stack, 'Group', {
        type: 'AWS::EKS::Nodegroup',
        properties: {
          ClusterName: 'shop',
          NodeRole: 'arn:aws:iam::123456789012:role/nodes',
          Subnets: ['subnet-1'],
          LaunchTemplate: { Id: template.ref, Version: '1' },
        },
      });
    });
    synthesize(app);
    expect(errorsOf(app)).toEqual(['imds-hop-limit Nodes/Template error']);
  });

  it('links a nested stack in a nested stack', () => {
    const app = appWith((stack) => {
      const deep = new NestedStack(new NestedStack(stack, 'Outer'), 'Deep');
      nodeGroup(deep, 'Group', launchTemplate(stack, 'Template'));
    });
    synthesize(app);
    expect(errorsOf(app)).toEqual(['imds-hop-limit Nodes/Template error']);
  });

  it('judges stages with equal stacks one by one', () => {
    const app = new App();
    for (const [id, hopLimit] of [
      ['Blue', 1],
      ['Green', 2],
    ] as const)
      new Workers(new Stack(new Stage(app, id), 'Nodes'), 'Pool', hopLimit);
    Validations.of(app).addPlugins(new EksGuardrails());
    synthesize(app);
    expect(errorsOf(app)).toEqual(['imds-hop-limit Blue/Nodes/Pool/Template error']);
  });
});

/** The line that calls this, as stack traces see it. */
function thisLine(): string {
  const line = /plugin\.test\.ts:(\d+):/.exec(new Error().stack?.split('\n')[2] ?? '')?.[1];
  if (line === undefined) throw new Error('no line');
  return line;
}

class SetHopLimit implements IAspect {
  constructor(private readonly hopLimit: number) {}

  visit(construct: IConstruct): void {
    if (construct instanceof CfnLaunchTemplate) {
      construct.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', this.hopLimit);
    }
  }
}
