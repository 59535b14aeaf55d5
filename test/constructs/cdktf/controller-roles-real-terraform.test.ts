import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing } from 'cdktf';
import { Construct } from 'constructs';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { skippedNote } from '../../needs';
import { controllerRoleCases } from './controller-role-cases';
import { newStack } from './stacks';

// The bindings of version 5 of the AWS provider, which is the version of the plugin.
jest.mock('@cdktf/provider-aws/lib/cloudwatch-event-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/cloudwatch-event-rule'),
);
jest.mock('@cdktf/provider-aws/lib/cloudwatch-event-target', () =>
  jest.requireActual<object>('provider-aws-v5/lib/cloudwatch-event-target'),
);
jest.mock('@cdktf/provider-aws/lib/eks-access-entry', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-access-entry'),
);
jest.mock('@cdktf/provider-aws/lib/sqs-queue', () => jest.requireActual<object>('provider-aws-v5/lib/sqs-queue'));
jest.mock('@cdktf/provider-aws/lib/sqs-queue-policy', () =>
  jest.requireActual<object>('provider-aws-v5/lib/sqs-queue-policy'),
);
jest.mock('@cdktf/provider-aws/lib/data-aws-partition', () =>
  jest.requireActual<object>('provider-aws-v5/lib/data-aws-partition'),
);
jest.mock('@cdktf/provider-aws/lib/data-aws-region', () =>
  jest.requireActual<object>('provider-aws-v5/lib/data-aws-region'),
);
jest.mock('@cdktf/provider-aws/lib/eks-addon', () => jest.requireActual<object>('provider-aws-v5/lib/eks-addon'));
jest.mock('@cdktf/provider-aws/lib/eks-cluster', () => jest.requireActual<object>('provider-aws-v5/lib/eks-cluster'));
jest.mock('@cdktf/provider-aws/lib/eks-pod-identity-association', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-pod-identity-association'),
);
jest.mock('@cdktf/provider-aws/lib/iam-openid-connect-provider', () =>
  jest.requireActual<object>('provider-aws-v5/lib/iam-openid-connect-provider'),
);
jest.mock('@cdktf/provider-aws/lib/iam-policy', () => jest.requireActual<object>('provider-aws-v5/lib/iam-policy'));
jest.mock('@cdktf/provider-aws/lib/iam-role', () => jest.requireActual<object>('provider-aws-v5/lib/iam-role'));
jest.mock('@cdktf/provider-aws/lib/iam-role-policy-attachment', () =>
  jest.requireActual<object>('provider-aws-v5/lib/iam-role-policy-attachment'),
);
jest.mock('@cdktf/provider-aws/lib/provider', () => jest.requireActual<object>('provider-aws-v5/lib/provider'));

/** Folder of provider plugins for `terraform init -plugin-dir`, with version 5.100 of the AWS provider. */
const PLUGINS = process.env['EKS_GUARDRAILS_TERRAFORM_PLUGINS'];
const lack =
  PLUGINS === undefined
    ? 'set EKS_GUARDRAILS_TERRAFORM_PLUGINS to a folder of provider plugins, with terraform on the PATH'
    : undefined;
const whenInstalled = lack === undefined ? it : it.skip;

interface Planned {
  readonly planned_values: {
    readonly root_module: {
      readonly resources: readonly { readonly type: string; readonly values: Readonly<Record<string, unknown>> }[];
    };
  };
}

describe('Terraform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-roles-'));

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function terraform(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('terraform', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' },
      maxBuffer: 1e8,
    });
    if (status !== 0) throw new Error(`terraform ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  whenInstalled(
    `plans the roles of all controllers without finding${skippedNote(lack)}`,
    () => {
      const stack = newStack();
      for (const [name, make] of Object.entries(controllerRoleCases))
        make(new Construct(stack, name.replaceAll(/\W+/g, '-')));
      writeFileSync(join(folder, 'cdk.tf.json'), Testing.synth(stack, true));
      terraform('init', `-plugin-dir=${PLUGINS ?? ''}`);
      terraform('validate');
      terraform('plan', '-out=plan');
      const text = terraform('show', '-json', 'plan');

      const { resources } = (JSON.parse(text) as Planned).planned_values.root_module;
      const policies = resources.flatMap(({ type, values }) =>
        type === 'aws_iam_policy' && typeof values['policy'] === 'string' ? [values['policy']] : [],
      );
      expect(policies.length).toBeGreaterThan(8);
      for (const policy of policies) {
        const { Statement } = JSON.parse(policy) as { Statement: { Resource: string[] }[] };
        const arns = Statement.flatMap(({ Resource }) => Resource).filter((one) => one !== '*');
        for (const arn of arns) expect(arn).toMatch(/^arn:aws:/);
      }
      const { instances, diagnostics } = readPlan(text, 'plan.json');
      expect(diagnostics).toEqual([]);
      const failed = runRules(new EksModel(readInstances(instances)), allRules, { preset: 'strict' })
        .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
        // The clusters are scenery.
        .filter(({ resource, rule }) => resource.type !== 'aws_eks_cluster' && rule !== 'cluster-role-policies');
      expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
    },
    120_000,
  );
});
