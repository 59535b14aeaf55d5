import { Testing } from 'cdktf';
import { Construct } from 'constructs';
import { versionSchema } from '../../eks/networking/version-schema';
import { cniCases } from './cni-cases';
import { controllerRoleCases } from './controller-role-cases';
import { karpenterCombinations, makeKarpenterRoles } from './karpenter-combinations';
import { makeNetworkAddons, networkCombinations } from './network-addon-combinations';
import { itPlans, planned } from './planned';
import { newStack } from './stacks';

// The bindings of version 5 of the AWS provider, which is the version of the plugin.
jest.mock('@cdktf/provider-aws/lib/cloudwatch-event-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/cloudwatch-event-rule'),
);
jest.mock('@cdktf/provider-aws/lib/cloudwatch-event-target', () =>
  jest.requireActual<object>('provider-aws-v5/lib/cloudwatch-event-target'),
);
jest.mock('@cdktf/provider-aws/lib/data-aws-partition', () =>
  jest.requireActual<object>('provider-aws-v5/lib/data-aws-partition'),
);
jest.mock('@cdktf/provider-aws/lib/data-aws-region', () =>
  jest.requireActual<object>('provider-aws-v5/lib/data-aws-region'),
);
jest.mock('@cdktf/provider-aws/lib/eks-access-entry', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-access-entry'),
);
jest.mock('@cdktf/provider-aws/lib/eks-addon', () => jest.requireActual<object>('provider-aws-v5/lib/eks-addon'));
jest.mock('@cdktf/provider-aws/lib/eks-cluster', () => jest.requireActual<object>('provider-aws-v5/lib/eks-cluster'));
jest.mock('@cdktf/provider-aws/lib/eks-node-group', () =>
  jest.requireActual<object>('provider-aws-v5/lib/eks-node-group'),
);
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
jest.mock('@cdktf/provider-aws/lib/launch-template', () =>
  jest.requireActual<object>('provider-aws-v5/lib/launch-template'),
);
jest.mock('@cdktf/provider-aws/lib/provider', () => jest.requireActual<object>('provider-aws-v5/lib/provider'));
jest.mock('@cdktf/provider-aws/lib/security-group', () =>
  jest.requireActual<object>('provider-aws-v5/lib/security-group'),
);
jest.mock('@cdktf/provider-aws/lib/sqs-queue', () => jest.requireActual<object>('provider-aws-v5/lib/sqs-queue'));
jest.mock('@cdktf/provider-aws/lib/sqs-queue-policy', () =>
  jest.requireActual<object>('provider-aws-v5/lib/sqs-queue-policy'),
);
jest.mock('@cdktf/provider-aws/lib/subnet', () => jest.requireActual<object>('provider-aws-v5/lib/subnet'));
jest.mock('@cdktf/provider-aws/lib/vpc-security-group-egress-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/vpc-security-group-egress-rule'),
);
jest.mock('@cdktf/provider-aws/lib/vpc-security-group-ingress-rule', () =>
  jest.requireActual<object>('provider-aws-v5/lib/vpc-security-group-ingress-rule'),
);

/** A configuration with all cases. */
function configurationOf(cases: Readonly<Record<string, (scope: Construct) => unknown>>): string {
  const stack = newStack();
  for (const [name, make] of Object.entries(cases)) make(new Construct(stack, name.replaceAll(/\W+/g, '-')));
  return Testing.synth(stack, true);
}

it('is written with the bindings of version 5', () => {
  const stack = newStack();
  const { terraform } = JSON.parse(Testing.synth(stack)) as { terraform: unknown };
  expect(terraform).toEqual({ required_providers: { aws: { source: 'aws', version: '5.100.0' } } });
});

describe('Terraform', () => {
  itPlans('plans all of the VPC CNI without finding', () => {
    const { resources, failures } = planned(configurationOf(cniCases));
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

    // Comments, and the reasons in them, are in no plan.
    const failed = failures().filter(({ rule }) => rule !== 'vpc-cni-resolve-conflicts');
    expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });

  itPlans('plans the network add-ons with options of which each value meets each of the others', () => {
    const cases = networkCombinations().accepted.map(
      (combination, index) =>
        [`case-${index}`, (scope: Construct): unknown => makeNetworkAddons(scope, combination)] as const,
    );
    expect(cases.length).toBeGreaterThan(35);
    const { resources, failures } = planned(configurationOf(Object.fromEntries(cases)));
    const addons = resources.filter(({ type }) => type === 'aws_eks_addon').map(({ values }) => values);
    for (const name of ['vpc-cni', 'kube-proxy'])
      expect(addons.filter((values) => values['addon_name'] === name)).toHaveLength(cases.length);
    for (const values of addons)
      expect(values).toMatchObject({ preserve: true, resolve_conflicts_on_update: 'PRESERVE' });
    // Older than the cluster where somebody has pinned it.
    const failed = failures().filter(({ rule }) => rule !== 'kube-proxy-version-skew');
    expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });

  itPlans("plans Karpenter's roles with options of which each value meets each of the others", () => {
    const { accepted } = karpenterCombinations();
    const cases = accepted.map(
      (combination, index) => [`case-${index}`, (scope: Construct) => makeKarpenterRoles(scope, combination)] as const,
    );
    const { resources, failures } = planned(configurationOf(Object.fromEntries(cases)));
    expect(resources.filter(({ type }) => type === 'aws_sqs_queue')).toHaveLength(
      accepted.filter(({ queue }) => queue !== 'none').length,
    );
    const failed = failures({ preset: 'strict' }).filter(({ rule }) => rule !== 'cluster-role-policies');
    expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });

  itPlans('plans the roles of all controllers without finding', () => {
    const { resources, failures } = planned(configurationOf(controllerRoleCases));
    const policies = resources.flatMap(({ type, values }) =>
      type === 'aws_iam_policy' && typeof values['policy'] === 'string' ? [values['policy']] : [],
    );
    expect(policies.length).toBeGreaterThan(8);
    for (const policy of policies) {
      const { Statement } = JSON.parse(policy) as { Statement: { Resource: string[] }[] };
      const arns = Statement.flatMap(({ Resource }) => Resource).filter((one) => one !== '*');
      for (const arn of arns) expect(arn).toMatch(/^arn:aws:/);
    }

    const failed = failures({ preset: 'strict' }).filter(({ rule }) => rule !== 'cluster-role-policies');
    expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });
});
