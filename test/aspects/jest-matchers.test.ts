import { expect as expectOfGlobals } from '@jest/globals';
import { App, Stack, Stage, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EksGuardrails } from '../../aspects/aws-cdk';
import '../../aspects/jest';
import { launchTemplate, MISCONFIGURED_ERRORS, misconfiguredApp, nodeGroup, Workers } from './apps';

function stackWith(hopLimit: number): Stack {
  const stack = new Stack(new App(), 'Nodes');
  new Workers(stack, 'Pool', hopLimit);
  return stack;
}

/** The message with which an expectation fails. */
function failure(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('the expectation holds');
}

describe('toPassEksGuardrails', () => {
  it('passes for a sound stack, its template and its app', () => {
    const stack = stackWith(2);
    expect(Template.fromStack(stack)).toPassEksGuardrails();
    expect(stack).toPassEksGuardrails();
    expect(stack.node.root).toPassEksGuardrails();
  });

  it('fails for a stack, its template and its app, with resource, message, fix and docs', () => {
    const stack = stackWith(1);
    for (const received of [Template.fromStack(stack), stack, stack.node.root]) {
      expect(received).not.toPassEksGuardrails();
      const message = failure(() => {
        expect(received).toPassEksGuardrails();
      });
      expect(message).toMatch(/expected no findings, and found 1:\n {2}error imds-hop-limit on .*PoolTemplate/);
      expect(message).toContain('Fix: ');
      expect(message).toContain('docs/rules/imds-hop-limit.md');
    }
    expect(
      failure(() => {
        expect(stack).toPassEksGuardrails();
      }),
    ).toContain('Nodes/Pool/Template (NodesPoolTemplate'.replace('(Nodes', '('));
  });

  it('sees nested stages and stacks of an app', () => {
    const message = failure(() => {
      expect(misconfiguredApp()).toPassEksGuardrails();
    });
    for (const line of MISCONFIGURED_ERRORS) {
      const [rule, path] = line.split(' ');
      expect(message).toContain(`error ${rule ?? ''} on ${path ?? ''} (`);
    }
  });

  it('takes a configuration', () => {
    const stack = new Stack(new App(), 'Nodes');
    nodeGroup(stack, 'Group', launchTemplate(stack, 'Template', 2)).forceUpdateEnabled = true;
    expect(stack).toPassEksGuardrails();
    expect(stack).not.toPassEksGuardrails({ failOn: 'warning' });
    expect(stackWith(1)).toPassEksGuardrails({ rules: { 'imds-hop-limit': 'warning' } });
    expect(() => {
      expect(stack).toPassEksGuardrails({ rules: { nonsense: 'off' } });
    }).toThrow('there is no rule "nonsense"');
  });

  it('honours acknowledgements', () => {
    const stack = stackWith(1);
    Validations.of(stack).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: 'on purpose' });
    expect(stack).toPassEksGuardrails();
  });

  it('says so when a negated expectation meets a sound stack', () => {
    expect(
      failure(() => {
        expect(stackWith(2)).not.toPassEksGuardrails();
      }),
    ).toContain('expected at least one finding');
  });

  it('refuses what is no CDK thing', () => {
    expect(() => {
      expect({ Resources: {} }).toPassEksGuardrails();
    }).toThrow('expected a Template');
  });
});

describe('toViolate', () => {
  it('finds a rule, by logical id, path of the resource and path of the construct, and severity', () => {
    const stack = new Stack(new App(), 'Nodes');
    const id = stack.getLogicalId(new Workers(stack, 'Pool', 1).template);
    expect(stack).toViolate('imds-hop-limit');
    expect(stack).toViolate('imds-hop-limit', { resource: 'Nodes/Pool/Template' });
    expect(Template.fromStack(stack)).toViolate('imds-hop-limit', { resource: id, severity: 'error' });
    expect(stack).not.toViolate('imds-hop-limit', { resource: 'Nodes/Pool/Nodes' });
    expect(stack).not.toViolate('imds-hop-limit', { severity: 'warning' });
    expect(stackWith(2)).not.toViolate('imds-hop-limit');
  });

  it('works on an app whose plugin already fails the synthesis', () => {
    const app = misconfiguredApp();
    Validations.of(app).addPlugins(new EksGuardrails());
    expect(app).toViolate('imds-hop-limit', { resource: 'Prod/Workers/Pool/Template' });
  });

  it('looks at one stage', () => {
    const stage = misconfiguredApp().node.findChild('Prod');
    expect(Stage.isStage(stage)).toBe(true);
    expect(stage).toViolate('vpc-cni-resolve-conflicts', { resource: 'Prod/Cluster/VpcCni' });
    expect(stage).not.toViolate('imds-hop-limit', { resource: 'Templates/Shared' });
  });

  it('can look for what can not be judged', () => {
    const stack = new Stack(new App(), 'Nodes');
    const template = launchTemplate(stack, 'Template');
    template.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', {
      'Fn::ImportValue': 'HopLimit',
    });
    nodeGroup(stack, 'Group', template);
    expect(stack).toViolate('imds-hop-limit', { verdict: 'unverifiable' });
    expect(stack).not.toViolate('imds-hop-limit');
  });

  it('tells what was found instead', () => {
    expect(
      failure(() => {
        expect(stackWith(1)).toViolate('imds-hop-limit', { severity: 'info' });
      }),
    ).toMatch(
      /expected a violation of imds-hop-limit of severity info, and found none\.\nWhat imds-hop-limit found:\n {2}error imds-hop-limit/,
    );
    expect(
      failure(() => {
        expect(stackWith(1)).toViolate('imds-v1');
      }),
    ).toContain('Other rules found: imds-hop-limit');
    expect(
      failure(() => {
        expect(stackWith(1)).not.toViolate('imds-hop-limit');
      }),
    ).toContain('expected no violation of imds-hop-limit, and found:');
  });

  it('suggests a rule for a misspelt one, negated too', () => {
    expect(() => {
      expect(stackWith(2)).not.toViolate('imds-hoplimit');
    }).toThrow('did you mean "imds-hop-limit"');
  });

  it('is there for the expect of @jest/globals too', () => {
    expectOfGlobals(stackWith(1)).toViolate('imds-hop-limit');
    expectOfGlobals(stackWith(2)).toPassEksGuardrails();
  });
});
