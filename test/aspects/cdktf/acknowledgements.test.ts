import type { IConstruct } from 'constructs';
import { EksGuardrails, EksGuardrailsAspect } from '../../../aspects/cdktf';
import { Aspects, type App } from 'cdktf';
import { filesIn, launchTemplate, messages, nodeGroup, stackWithProvider, synthesize, testApp } from './apps';

const REASON = 'every workload has its own role, region and VPC id';

/** An app with one misconfigured launch template, and what was decided about it. */
function build(decide: (parts: { app: App; stack: IConstruct; template: IConstruct; nodes: IConstruct }) => void): App {
  const app = testApp();
  EksGuardrails.of(app);
  const stack = stackWithProvider(app, 'Platform');
  const template = launchTemplate(stack, 'Template', 1);
  const nodes = nodeGroup(stack, 'Nodes', template);
  decide({ app, stack, template, nodes });
  return app;
}

/** Errors and warnings. */
function failuresOf(app: App): string[] {
  return messages(synthesize(app)).filter((line) => !line.startsWith('info'));
}

describe('EksGuardrails.acknowledge', () => {
  it.each([
    ['the resource', 'template'],
    ['its stack', 'stack'],
    ['the app', 'app'],
  ] as const)('holds on %s', (_, key) => {
    expect(
      failuresOf(
        build((parts) => {
          EksGuardrails.acknowledge(parts[key], { rule: 'imds-hop-limit', reason: REASON });
        }),
      ),
    ).toEqual([]);
  });

  it('takes the id that AWS CDK users know', () => {
    expect(
      failuresOf(
        build(({ template }) => {
          EksGuardrails.acknowledge(template, { rule: 'EksGuardrails::imds-hop-limit', reason: REASON });
        }),
      ),
    ).toEqual([]);
  });

  it('holds for no other resource, and says that it has no use there', () => {
    const found = failuresOf(
      build(({ nodes }) => {
        EksGuardrails.acknowledge(nodes, { rule: 'imds-hop-limit', reason: REASON });
      }),
    );
    expect(found).toEqual(['error imds-hop-limit Platform/Template', 'warning suppression-unused Platform/Nodes']);
  });

  it.each([
    ['without a reason', { rule: 'imds-hop-limit', reason: ' ' }, 'suppression-without-reason'],
    ['for a misspelt rule', { rule: 'imds-hop-limt', reason: REASON }, 'suppression-unknown-rule'],
    ['after its end', { rule: 'imds-hop-limit', reason: REASON, until: '2026-11-20' }, 'suppression-expired'],
    [
      'with an end that is no day',
      { rule: 'imds-hop-limit', reason: REASON, until: '31.12.2099' },
      'suppression-expired',
    ],
    [
      'with an end that is no text',
      { rule: 'imds-hop-limit', reason: REASON, until: 20200101 as unknown as string },
      'suppression-expired',
    ],
  ])('has no effect %s', (_, options, rule) => {
    const found = failuresOf(
      build(({ template }) => {
        EksGuardrails.acknowledge(template, options);
      }),
    );
    expect(found).toEqual(['error imds-hop-limit Platform/Template', `warning ${rule} Platform/Template`]);
  });

  it.each([
    [
      'no rule',
      { id: 'imds-hop-limit', reason: REASON },
      'there is no key "id" here; the keys are rule, reason, until',
    ],
    ['a misspelt end', { rule: 'imds-hop-limit', reason: REASON, Until: '2020-01-01' }, 'did you mean "until"?'],
    ['nothing', {}, "takes the id of a rule and a reason: { rule: 'imds-hop-limit', reason: '…' }"],
  ])('refuses what is no decision: %s', (_, options, message) => {
    expect(() =>
      build(({ template }) => {
        EksGuardrails.acknowledge(template, options as unknown as { rule: string; reason: string });
      }),
    ).toThrow(message);
  });

  it('holds on its last day', () => {
    expect(
      failuresOf(
        build(({ template }) => {
          EksGuardrails.acknowledge(template, { rule: 'imds-hop-limit', reason: REASON, until: '2026-11-21' });
        }),
      ),
    ).toEqual([]);
  });

  it('is written into the configuration, with all others of the stack', () => {
    const app = build(({ template, stack }) => {
      EksGuardrails.acknowledge(template, { rule: 'imds-hop-limit', reason: REASON });
      EksGuardrails.acknowledge(stack, { rule: 'imds-v1', reason: 'none is used', until: '2099-12-31' });
    });
    expect(synthesize(app).thrown).toBeUndefined();
    const configuration = JSON.parse(filesIn(app.outdir)['stacks/Platform/cdk.tf.json'] ?? '') as {
      '//': { metadata: object };
    };
    expect(configuration['//']).toMatchObject({
      metadata: { stackName: 'Platform' },
      'eks-guardrails': {
        acknowledge: [
          { path: 'Platform/Template', rule: 'imds-hop-limit', reason: REASON },
          { path: 'Platform', rule: 'imds-v1', reason: 'none is used', until: '2099-12-31' },
        ],
      },
    });
  });

  it('holds for the aspect too', () => {
    const app = testApp();
    const stack = stackWithProvider(app, 'Platform');
    const template = launchTemplate(stack, 'Template', 1);
    nodeGroup(stack, 'Nodes', template);
    Aspects.of(stack).add(new EksGuardrailsAspect());
    EksGuardrails.acknowledge(template, { rule: 'imds-hop-limit', reason: REASON });
    expect(synthesize(app).thrown).toBeUndefined();
  });
});
