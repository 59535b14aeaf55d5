import { App, Aspects, AspectPriority, Stack, Stage, Validations, type IAspect } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { CfnLaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import { EksGuardrailsAspect, type EksGuardrailsConfiguration } from '../../aspects/aws-cdk';
import { launchTemplate, MISCONFIGURED_ERRORS, misconfiguredApp, nodeGroup, Workers } from './apps';
import { synthesize } from './reported';

// Where constructs were made is what is told here.
delete process.env.CDK_CONTEXT_JSON;

/** `rule path`, for each error on a construct of the app's own stacks. */
function annotatedErrors(root: IConstruct): string[] {
  return annotations(root, 'aws:cdk:error');
}

function annotations(root: IConstruct, type: string): string[] {
  return root.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter((entry) => entry.type === type)
        .map(({ data }) => `${/EksGuardrails::([\w-]+)/.exec(String(data))?.[1] ?? ''} ${node.path}`),
    )
    .filter((line) => !line.startsWith(' '))
    .sort();
}

function stackWith(build: (stack: Stack) => void, configuration: EksGuardrailsConfiguration = {}): Stack {
  const stack = new Stack(new App(), 'Nodes');
  build(stack);
  Aspects.of(stack).add(new EksGuardrailsAspect(configuration));
  return stack;
}

function appOf(stack: Stack): App {
  const { root } = stack.node;
  if (!(root instanceof App)) throw new Error('not in an app');
  return root;
}

describe('EksGuardrailsAspect', () => {
  it('puts an error with message, fix, docs and source line on the construct', () => {
    const stack = stackWith((scope) => new Workers(scope, 'Pool', 1));
    Annotations.fromStack(stack).hasError(
      '/Nodes/Pool/Template',
      Match.stringLikeRegexp(
        'imds-hop-limit: [^]*Fix: [^]*docs/rules/imds-hop-limit\\.md[^]*Created at test/aspects/apps\\.ts:\\d+',
      ),
    );
  });

  it("gives the user's line as the place of the error, as CDK shows it", () => {
    const stack = stackWith((scope) => new Workers(scope, 'Pool', 1));
    synthesize(appOf(stack));
    const [error] = stack.node
      .findChild('Pool')
      .node.findChild('Template')
      .node.metadata.filter(({ type }) => type === 'aws:cdk:error');
    expect(error?.trace?.[0]).toMatch(/test\/aspects\/apps\.ts:\d+:\d+\)$/);
  });

  it('finds the launch template of another stack, not the one of the same logical id', () => {
    const app = misconfiguredApp();
    Aspects.of(app.node.findChild('Nodes')).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotatedErrors(app)).toEqual([
      'imds-hop-limit Nodes/FromParent',
      'imds-hop-limit Nodes/Inner/InnerTemplate',
      'imds-hop-limit Templates/Overridden',
      'imds-hop-limit Templates/Shared',
    ]);
  });

  it.each(['strong', 'both', 'weak'])('follows %s references between stacks', (strength) => {
    const app = misconfiguredApp({ context: { '@aws-cdk/core:defaultCrossStackReferences': strength } });
    Aspects.of(app.node.findChild('Nodes')).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotatedErrors(app)).toContain('imds-hop-limit Templates/Shared');
  });

  it('reports only what concerns its scope', () => {
    const app = misconfiguredApp();
    Aspects.of(app.node.findChild('Nodes').node.findChild('Inner')).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotatedErrors(app)).toEqual([
      'imds-hop-limit Nodes/FromParent',
      'imds-hop-limit Nodes/Inner/InnerTemplate',
    ]);
  });

  it('works on a single construct', () => {
    const app = new App();
    const stack = new Stack(app, 'Nodes');
    new Workers(stack, 'Other', 1);
    Aspects.of(new Workers(stack, 'Pool', 1)).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotatedErrors(app)).toEqual(['imds-hop-limit Nodes/Pool/Template']);
  });

  it.each([
    ['added before it', 1, undefined],
    ['added after it with a later priority', 1, AspectPriority.READONLY + 500],
    ['that repairs', 2, AspectPriority.READONLY + 500],
  ])('judges after a mutating aspect %s', (_, hopLimit, priority) => {
    const app = new App();
    const stack = new Stack(app, 'Nodes');
    new Workers(stack, 'Pool', 3 - hopLimit);
    const mutating = new SetHopLimit(hopLimit);
    if (priority === undefined) Aspects.of(stack).add(mutating);
    Aspects.of(app).add(new EksGuardrailsAspect());
    if (priority !== undefined) Aspects.of(stack.node.findChild('Pool')).add(mutating, { priority });
    synthesize(app);
    expect(annotatedErrors(app)).toEqual(hopLimit === 1 ? ['imds-hop-limit Nodes/Pool/Template'] : []);
  });

  it.each([true, false])('works with aspect stabilization %s', (stabilization) => {
    const app = misconfiguredApp({ context: { '@aws-cdk/core:aspectStabilization': stabilization } });
    Aspects.of(app.node.findChild('Templates')).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotatedErrors(app)).toEqual(['imds-hop-limit Templates/Overridden', 'imds-hop-limit Templates/Shared']);
  });

  it.each([
    ['the resource', 'Nodes/Pool/Template'],
    ['its parent', 'Nodes/Pool'],
    ['its stack', 'Nodes'],
    ['the app', ''],
  ])('accepts an acknowledgement with reason on %s', (_, path) => {
    const stack = stackWith((scope) => new Workers(scope, 'Pool', 1));
    const construct = appOf(stack)
      .node.findAll()
      .find((one) => one.node.path === path);
    if (construct === undefined) throw new Error(path);
    Validations.of(construct).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: 'on purpose' });
    synthesize(appOf(stack));
    expect(annotatedErrors(stack)).toEqual([]);
  });

  it('does not take an acknowledgement without a reason', () => {
    const stack = stackWith((scope) => new Workers(scope, 'Pool', 1));
    Validations.of(stack).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: ' ' });
    synthesize(appOf(stack));
    expect(annotatedErrors(stack)).toEqual(['imds-hop-limit Nodes/Pool/Template']);
  });

  it('annotates warnings that can be acknowledged, and what can not be judged as info', () => {
    const stack = stackWith((scope) => {
      const template = launchTemplate(scope, 'Template');
      template.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', {
        'Fn::ImportValue': 'HopLimit',
      });
      nodeGroup(scope, 'Group', template).forceUpdateEnabled = true;
    });
    expect(synthesize(appOf(stack))).toBeUndefined();
    expect(annotations(stack, 'aws:cdk:warning')).toEqual(['node-group-force-update Nodes/Group']);
    expect(annotations(stack, 'aws:cdk:info')).toContain('imds-hop-limit Nodes/Template');
    expect(annotatedErrors(stack)).toEqual([]);
  });

  it('warns of a reference that leads nowhere', () => {
    const stack = stackWith((scope) => {
      nodeGroup(scope, 'Group', launchTemplate(scope, 'Template', 2)).addPropertyOverride('NodeRole', {
        'Fn::GetAtt': ['Missing', 'Arn'],
      });
    });
    Annotations.fromStack(stack).hasWarning(
      '/Nodes',
      Match.stringLikeRegexp('Missing.*ack: EksGuardrails::template-diagnostic'),
    );
  });

  it('refuses a configuration that names unknown rules, where the user wrote it', () => {
    expect(() => new EksGuardrailsAspect({ rules: { 'imds-hop-limits': 'off' } })).toThrow(
      'did you mean "imds-hop-limit"',
    );
  });

  it('failOn: warning makes errors of warnings', () => {
    const stack = stackWith(
      (scope) => {
        nodeGroup(scope, 'Group', launchTemplate(scope, 'Template', 2)).forceUpdateEnabled = true;
      },
      { failOn: 'warning' },
    );
    synthesize(appOf(stack));
    expect(annotatedErrors(stack)).toEqual(['node-group-force-update Nodes/Group']);
  });

  describe('nested stages', () => {
    const inProduction = MISCONFIGURED_ERRORS.filter((line) => line.includes(' Prod/')).map(
      (line) => line.split(' ')[1] ?? '',
    );

    it('on the app: throws what the nested stages violate, and annotates the rest', () => {
      const app = misconfiguredApp();
      Aspects.of(app).add(new EksGuardrailsAspect());
      const message = synthesize(app);
      expect(message).toContain('Validation failed with the following errors');
      for (const path of inProduction) expect(message).toContain(`${path}: `);
      expect(message).not.toContain('Templates/Shared');
      expect(annotatedErrors(app)).toHaveLength(MISCONFIGURED_ERRORS.length - inProduction.length);
    });

    it('on the stage: throws too, because the CDK command does not look at errors in nested stages', () => {
      const app = misconfiguredApp();
      Aspects.of(app.node.findChild('Prod')).add(new EksGuardrailsAspect());
      const message = synthesize(app);
      for (const path of inProduction) expect(message).toContain(`${path}: `);
    });

    it('on the app and on its sound stage: passes', () => {
      const app = new App();
      const stage = new Stage(app, 'Prod');
      new Workers(new Stack(stage, 'Nodes'), 'Pool', 2);
      const aspect = new EksGuardrailsAspect();
      Aspects.of(app).add(aspect);
      Aspects.of(stage).add(aspect);
      expect(synthesize(app)).toBeUndefined();
    });

    it('prints warnings that the app finds in a stage that is already written', () => {
      const app = new App();
      const stack = new Stack(new Stage(app, 'Prod'), 'Nodes');
      nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)).forceUpdateEnabled = true;
      Aspects.of(app).add(new EksGuardrailsAspect());
      const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      try {
        app.synth();
        expect(printed.mock.calls.flat().join('\n')).toContain('[warning] Prod/Nodes/Group: node-group-force-update');
      } finally {
        printed.mockRestore();
      }
    });
  });

  it('renders each stage once for many stacks with the same configuration', () => {
    const app = new App();
    const stacks = Array.from({ length: 5 }, (_, index) => new Stack(app, `Nodes${index}`));
    for (const stack of stacks) {
      new Workers(stack, 'Pool', 1);
      Aspects.of(stack).add(new EksGuardrailsAspect());
    }
    const rendered = jest.spyOn(CfnLaunchTemplate.prototype, '_toCloudFormation');
    synthesize(app);
    const withAspects = rendered.mock.calls.length;
    rendered.mockRestore();
    const plain = new App();
    for (const { node } of stacks) new Workers(new Stack(plain, node.id), 'Pool', 1);
    const again = jest.spyOn(CfnLaunchTemplate.prototype, '_toCloudFormation');
    synthesize(plain);
    const withoutAspects = again.mock.calls.length;
    again.mockRestore();
    expect(withAspects - withoutAspects).toBe(5);
    expect(annotatedErrors(app)).toHaveLength(5);
  });

  it('judges anew when the app is synthesized again', () => {
    const stack = new Stack(new App(), 'Nodes');
    const { template } = new Workers(stack, 'Pool', 2);
    Aspects.of(stack).add(new EksGuardrailsAspect());
    synthesize(appOf(stack));
    expect(annotatedErrors(stack)).toEqual([]);
    template.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', 1);
    appOf(stack).synth({ force: true });
    expect(annotatedErrors(stack)).toEqual(['imds-hop-limit Nodes/Pool/Template']);
  });

  it('works when another aspect hands on its visits', () => {
    const stack = new Stack(new App(), 'Nodes');
    new Workers(stack, 'Pool', 1);
    const inner = new EksGuardrailsAspect();
    Aspects.of(stack).add({
      visit: (construct) => {
        inner.visit(construct);
      },
    });
    synthesize(appOf(stack));
    expect(annotatedErrors(stack)).toEqual(['imds-hop-limit Nodes/Pool/Template']);
  });
});

class SetHopLimit implements IAspect {
  constructor(private readonly hopLimit: number) {}

  visit(construct: IConstruct): void {
    if (construct instanceof CfnLaunchTemplate) {
      construct.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', this.hopLimit);
    }
  }
}
