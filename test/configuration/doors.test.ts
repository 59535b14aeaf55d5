import { join } from 'node:path';
import { App, Aspects, Stack, Validations } from 'aws-cdk-lib';
import { CfnNodegroup } from 'aws-cdk-lib/aws-eks';
import { App as TerraformApp, TerraformStack } from 'cdktf';
import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import '../../aspects/jest';
import { EksGuardrails, EksGuardrailsAspect } from '../../aspects/aws-cdk';
import { EksGuardrailsChecks } from '../../aspects/cdk-nag/eks-guardrails-checks';
import { EksGuardrails as TerraformGuardrails, EksGuardrailsAspect as TerraformAspect } from '../../aspects/cdktf';
import { workspace } from '../cli/workspace';

const ignores = 'ignores: [{ rule: imds-hop-limit, resource: Prod/Workers, reason: Known }]\n';
const folder = workspace({
  'eks-guardrails.config.yaml': ignores,
  'broken/eks-guardrails.config.yaml': 'presett: strict\n',
  'extending/eks-guardrails.config.yaml': 'extends: [acme]\n',
  'extending/node_modules/acme/package.json': '{ "main": "base.yaml" }',
  'extending/node_modules/acme/base.yaml': `extends: ./more.yaml\n${ignores}customRules: [./rule.cjs]\n`,
  'extending/node_modules/acme/more.yaml': 'failOn: warning\n',
  'extending/node_modules/acme/rule.cjs': `module.exports = {
  id: 'acme-name', title: 'T', severity: 'error', messages: { bad: { text: 'It has no name.', fix: 'Give it one.' } },
  *check(model) { for (const resource of model.nodeGroups) yield { verdict: 'fail', resource, message: 'bad' }; },
};`,
});

function inFolder<T>(path: string, work: () => T): T {
  const before = process.cwd();
  process.chdir(path);
  try {
    return work();
  } finally {
    process.chdir(before);
  }
}

/** A stack whose one error is the hop limit. */
function stack(app: App): Stack {
  const made = new Stack(app, 'Prod', { env: { region: 'eu-central-1', account: '111122223333' } });
  new CfnNodegroup(made, 'Workers', {
    clusterName: 'main',
    nodeRole: 'arn:aws:iam::111122223333:role/nodes',
    subnets: ['subnet-1'],
  });
  return made;
}

function annotated(aspect: EksGuardrailsAspect): boolean {
  const app = new App();
  Aspects.of(stack(app)).add(aspect);
  const { messages } = app.synth().getStackByName('Prod');
  return messages.some(
    ({ entry }) => typeof entry.data === 'string' && entry.data.includes('EksGuardrails::imds-hop-limit'),
  );
}

describe('the doors read the configuration file of the working directory', () => {
  it('the Aspect', () => {
    expect(annotated(new EksGuardrailsAspect())).toBe(true);
    expect(annotated(inFolder(folder, () => new EksGuardrailsAspect()))).toBe(false);
    expect(annotated(inFolder(folder, () => new EksGuardrailsAspect({ configurationFile: false })))).toBe(true);
    expect(annotated(new EksGuardrailsAspect({ configurationFile: join(folder, 'eks-guardrails.config.yaml') }))).toBe(
      false,
    );
  });

  it('and what it extends: levels, ignores, and custom rules of a package', () => {
    inFolder(join(folder, 'extending'), () => {
      const synthesized = (prepare: (app: App) => void): string => {
        const app = new App();
        prepare(app);
        const made = stack(app);
        const printed: string[] = [];
        const silenced = jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
        try {
          const { messages } = app.synth().getStackByName(made.stackName);
          printed.push(...messages.map(({ entry }) => JSON.stringify(entry.data)));
        } catch (error) {
          printed.push(error instanceof Error ? error.message : String(error));
        } finally {
          silenced.mockRestore();
        }
        return printed.join('\n');
      };
      for (const text of [
        synthesized((app) => {
          Validations.of(app).addPlugins(new EksGuardrails());
        }),
        synthesized((app) => {
          Validations.of(app).addPlugins(new EksGuardrailsChecks(app));
        }),
        synthesized((app) => {
          Aspects.of(app).add(new EksGuardrailsAspect());
        }),
      ]) {
        expect(text).toContain('It has no name.');
        expect(text).not.toContain('imds-hop-limit');
      }
      expect(new EksGuardrails().ruleIds).toContain('acme-name');
      const made = stack(new App());
      expect(() => {
        expect(made).toPassEksGuardrails();
      }).toThrow(/^(?!.*imds-hop-limit)[^]*acme-name/);
      expect(made).toPassEksGuardrails({ rules: { 'acme-name': 'off' }, failOn: 'error' });
      const app = new TerraformApp({ outdir: join(folder, 'cdktf.out') });
      TerraformGuardrails.of(app);
      const terraform = new TerraformStack(app, 'Prod');
      new AwsProvider(terraform, 'Aws', { region: 'eu-central-1' });
      new EksNodeGroup(terraform, 'Workers', {
        clusterName: 'main',
        nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
        subnetIds: ['subnet-1'],
        scalingConfig: { minSize: 1, maxSize: 1, desiredSize: 1 },
      });
      expect(() => {
        app.synth();
      }).toThrow('It has no name.');
    });
  });

  it('all refuse one that is wrong, unless they shall use none', () => {
    inFolder(join(folder, 'broken'), () => {
      for (const make of [
        () => new EksGuardrails(),
        () => new EksGuardrailsAspect(),
        () => new EksGuardrailsChecks(),
        () => TerraformGuardrails.of(new TerraformApp()),
        () => new TerraformAspect(),
      ]) {
        expect(make).toThrow('presett: there is no setting "presett"; did you mean "preset"?');
      }
      for (const make of [
        () => new EksGuardrails({ configurationFile: false }),
        () => new EksGuardrailsAspect({ configurationFile: false }),
        () => new EksGuardrailsChecks(undefined, { configurationFile: false }),
        () => TerraformGuardrails.of(new TerraformApp(), { configurationFile: false }),
        () => new TerraformAspect({ configurationFile: false }),
      ]) {
        expect(make).not.toThrow();
      }
    });
  });

  it('the plugin, which knows the ids of own rules', () => {
    const rule = {
      id: 'acme-rule',
      subject: 'custom',
      title: 'T',
      severity: 'error',
      since: '',
      symptom: '',
      why: '',
      limits: '',
      ignore: '',
      sources: [],
      messages: {},
      check: () => [],
    } as const;
    const app = new App();
    const plugin = new EksGuardrails({
      customRules: [rule],
      configurationFile: join(folder, 'eks-guardrails.config.yaml'),
    });
    expect(plugin.ruleIds).toContain('acme-rule');
    Validations.of(app).addPlugins(plugin);
    stack(app);
    expect(() => app.synth()).not.toThrow();
  });
});
