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
import { versionSchema } from '../../eks/networking/version-schema';
import { cniCases } from './cni-cases';
import { newStack } from './stacks';

// The bindings of version 5 of the AWS provider, which is the version of the plugin.
jest.mock('@cdktf/provider-aws/lib/data-aws-partition', () =>
  jest.requireActual<object>('provider-aws-v5/lib/data-aws-partition'),
);
jest.mock('@cdktf/provider-aws/lib/eks-addon', () => jest.requireActual<object>('provider-aws-v5/lib/eks-addon'));
jest.mock('@cdktf/provider-aws/lib/eks-access-entry', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-access-entry'),
);
jest.mock('@cdktf/provider-aws/lib/eks-cluster', () => jest.requireActual<object>('provider-aws-v5/lib/eks-cluster'));
jest.mock('@cdktf/provider-aws/lib/eks-node-group', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-node-group'),
);
jest.mock('@cdktf/provider-aws/lib/iam-openid-connect-provider', () =>
  jest.requireActual<object>('provider-aws-v5/lib/iam-openid-connect-provider'),
);
jest.mock('@cdktf/provider-aws/lib/iam-policy', () => jest.requireActual<object>('provider-aws-v5/lib/iam-policy'));
jest.mock('@cdktf/provider-aws/lib/iam-role', () => jest.requireActual<object>('provider-aws-v5/lib/iam-role'));
jest.mock('@cdktf/provider-aws/lib/iam-role-policy-attachment', () =>
  jest.requireActual<object>('provider-aws-v5/lib/iam-role-policy-attachment'),
);
jest.mock('@cdktf/provider-aws/lib/launch-template', () =>
  jest.requireActual<object>('provider-aws-v5/lib/launch-template'),
);
jest.mock('@cdktf/provider-aws/lib/provider', () => jest.requireActual<object>('provider-aws-v5/lib/provider'));
jest.mock('@cdktf/provider-aws/lib/security-group', () =>
  jest.requireActual<object>('provider-aws-v5/lib/security-group'),
);
jest.mock('@cdktf/provider-aws/lib/subnet', () => jest.requireActual<object>('provider-aws-v5/lib/subnet'));
jest.mock('@cdktf/provider-aws/lib/vpc-security-group-egress-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/vpc-security-group-egress-rule'),
);
jest.mock('@cdktf/provider-aws/lib/vpc-security-group-ingress-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/vpc-security-group-ingress-rule'),
);

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

it('is written with the bindings of version 5', () => {
  const stack = newStack();
  const { terraform } = JSON.parse(Testing.synth(stack)) as { terraform: unknown };
  expect(terraform).toEqual({ required_providers: { aws: { source: 'aws', version: '5.100.0' } } });
});

describe('Terraform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-cni-'));

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
    `plans all of it without finding${skippedNote(lack)}`,
    () => {
      const stack = newStack();
      for (const [name, make] of Object.entries(cniCases)) make(new Construct(stack, name.replaceAll(/\W+/g, '-')));
      writeFileSync(join(folder, 'cdk.tf.json'), Testing.synth(stack, true));
      terraform('init', `-plugin-dir=${PLUGINS ?? ''}`);
      terraform('validate');
      terraform('plan', '-out=plan');
      const text = terraform('show', '-json', 'plan');

      const resources = (JSON.parse(text) as Planned).planned_values.root_module.resources;
      const addons = resources.filter(
        ({ type, values }) => type === 'aws_eks_addon' && values['addon_name'] === 'vpc-cni',
      );
      expect(addons).toHaveLength(Object.keys(cniCases).length);
      for (const { values } of addons) {
        const { addon_version: version, configuration_values: configuration } = values;
        const isValid = versionSchema(String(version));
        isValid(JSON.parse(typeof configuration === 'string' ? configuration : '{}'));
        expect(isValid.errors ?? []).toEqual([]);
      }
      for (const { values } of resources.filter(({ type }) => type === 'aws_iam_policy')) {
        expect(JSON.parse(String(values['policy']))).toMatchObject({
          Statement: [{ Resource: ['*'] }, { Resource: ['arn:aws:ec2:*:*:network-interface/*'] }],
        });
      }
      const { instances, diagnostics } = readPlan(text, 'plan.json');
      expect(diagnostics).toEqual([]);
      const failed = runRules(new EksModel(readInstances(instances)), allRules)
        .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info')
        // The clusters are scenery; comments, and the reasons in them, are in no plan.
        .filter(({ resource, rule }) => resource.type !== 'aws_eks_cluster' && rule !== 'vpc-cni-resolve-conflicts');
      expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
    },
    120_000,
  );
});
