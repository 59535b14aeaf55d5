import { join } from 'node:path';
import { App, Aspects, Stack, Validations, type IPolicyValidationContext } from 'aws-cdk-lib';
import { CfnCluster } from 'aws-cdk-lib/aws-eks';
import { Aspects as TerraformAspects, type App as TerraformApp } from 'cdktf';
import { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import { EksGuardrails, EksGuardrailsAspect, type EksGuardrailsConfiguration } from '../../aspects/aws-cdk';
import { EksGuardrailsChecks } from '../../aspects/cdk-nag/eks-guardrails-checks';
import { EksGuardrails as TerraformGuardrails, EksGuardrailsAspect as TerraformAspect } from '../../aspects/cdktf';
import '../../aspects/jest';
import { checkTemplates } from '../../lib';
import { stackWithProvider, testApp } from '../aspects/cdktf/apps';
import { workspace } from '../cli/workspace';

/** The days before and on which extended support of the version ends. */
const [SUPPORTED, ENDED] = ['2026-11-25', '2026-11-26'];
const VERSION = '1.31';
const cluster = { roleArn: 'arn:aws:iam::111122223333:role/cluster', version: VERSION };
const folder = workspace({ 'supported.yaml': `asOf: ${SUPPORTED}\n`, 'ended.yaml': `asOf: ${ENDED}\n` });

function stack(): Stack {
  const made = new Stack(new App(), 'Prod');
  new CfnCluster(made, 'Cluster', { ...cluster, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } });
  return made;
}

function terraformApp(): TerraformApp {
  const app = testApp();
  new EksCluster(stackWithProvider(app, 'prod'), 'cluster', {
    name: 'main',
    ...cluster,
    vpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
  });
  return app;
}

function fails(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (!String(error).includes('cluster-version-support')) throw error;
    return true;
  }
}

/** Each door of the library: whether it fails, as the version is out of support. */
const doors: readonly (readonly [string, (configuration: EksGuardrailsConfiguration) => boolean])[] = [
  [
    'the plugin',
    (configuration) => {
      const plugin = new EksGuardrails(configuration);
      const made = stack();
      let isFailing = false;
      const recorder = {
        name: 'Recorder',
        validate: (context: IPolicyValidationContext) => {
          const { success, metadata } = plugin.validate(context);
          isFailing = !success;
          expect(metadata).toMatchObject({ asOf: success ? SUPPORTED : ENDED });
          return { success: true, violations: [] };
        },
      };
      Validations.of(made.node.root).addPlugins(recorder);
      (made.node.root as App).synth();
      return isFailing;
    },
  ],
  [
    'the Aspect',
    (configuration) => {
      const made = stack();
      Aspects.of(made).add(new EksGuardrailsAspect(configuration));
      const { messages } = (made.node.root as App).synth().getStackByName('Prod');
      return messages.some(
        ({ entry }) => entry.type === 'aws:cdk:error' && JSON.stringify(entry.data).includes('cluster-version-support'),
      );
    },
  ],
  [
    'the cdk-nag pack',
    (configuration) => !new EksGuardrailsChecks(undefined, configuration).validateScope(stack().node.root).success,
  ],
  [
    'toPassEksGuardrails',
    (configuration) =>
      fails(() => {
        expect(stack()).toPassEksGuardrails(configuration);
      }),
  ],
  [
    'CDKTF',
    (configuration) => {
      const app = terraformApp();
      TerraformGuardrails.of(app, configuration);
      return fails(() => {
        app.synth();
      });
    },
  ],
  [
    'the aspect of CDKTF',
    (configuration) => {
      const app = terraformApp();
      TerraformAspects.of(app.node.findChild('prod')).add(new TerraformAspect(configuration));
      return fails(() => {
        app.synth();
      });
    },
  ],
];

/** The environment of the tests gives a day, too. */
function withEnvironment<T>(day: string, work: () => T): T {
  const before = process.env['EKS_GUARDRAILS_AS_OF'];
  process.env['EKS_GUARDRAILS_AS_OF'] = day;
  try {
    return work();
  } finally {
    process.env['EKS_GUARDRAILS_AS_OF'] = before;
  }
}

describe('the day of a check', () => {
  it.each(doors)('is given to %s by code, the environment or the configuration file', (_, isFailing) => {
    const file = (name: string) => ({ configurationFile: join(folder, name) });
    withEnvironment('', () => {
      expect([isFailing(file('supported.yaml')), isFailing(file('ended.yaml'))]).toEqual([false, true]);
    });
    withEnvironment(ENDED, () => {
      expect([isFailing(file('supported.yaml')), isFailing({ ...file('ended.yaml'), asOf: SUPPORTED })]).toEqual([
        true,
        false,
      ]);
    });
    withEnvironment('tomorrow', () => {
      expect(() => isFailing({ configurationFile: false })).toThrow(
        'EKS_GUARDRAILS_AS_OF is "tomorrow", which is no day; write it as in 2027-01-31',
      );
    });
  });

  it('is given to a check of templates, and told by its result', () => {
    const template = [{ file: 'a.yaml', content: { Resources: {} } }];
    withEnvironment('', () => {
      expect(checkTemplates(template)).not.toHaveProperty('asOf');
      expect(checkTemplates(template, { asOf: ENDED }).asOf).toBe(ENDED);
    });
    expect(withEnvironment(SUPPORTED, () => checkTemplates(template).asOf)).toBe(SUPPORTED);
    expect(() => checkTemplates(template, { asOf: '2027-02-29' })).toThrow('asOf is "2027-02-29", which is no day');
  });
});
