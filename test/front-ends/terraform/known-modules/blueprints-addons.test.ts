import { EksModel } from '../../../../lib/eks';
import { runRules } from '../../../../lib/engine';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { vpcCniResolveConflicts } from '../../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { unknown } from '../../../terraform/instances';
import { attribute, expand, findings, type Given } from './calls';

const call = (given: Given) =>
  expand(
    {
      cluster_name: 'main',
      cluster_version: '1.34',
      oidc_provider_arn: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/0123',
      ...given,
    },
    {
      source: 'aws-ia/eks-blueprints-addons/aws',
      version: '~> 1.16',
      address: 'module.addons',
      region: 'eu-central-1',
    },
  );
const ADDON = 'module.addons.aws_eks_addon.this["vpc-cni"]';
const rule = (given: Given, id: string) => findings([call(given)]).filter((line) => line.startsWith(id));

describe('EKS add-ons', () => {
  describe('have one conflict mode, which goes to their creation, too', () => {
    const judged = (given: Given) =>
      runRules(
        new EksModel(readInstances(call({ eks_addons: { 'vpc-cni': given } }).instances)),
        [vpcCniResolveConflicts],
        {},
      );
    const said = (given: Given) =>
      judged(given).map(({ verdict, message }) => `${verdict}: ${message.replace(/^Can't tell whether .*?: /, '')}`);

    test('for which the provider refuses PRESERVE, so that it is no pass', () => {
      expect(said({ resolve_conflicts: 'PRESERVE' })).toEqual([
        'unverifiable: its module gives PRESERVE to the creation of the add-on, too, for which the AWS provider of Terraform takes NONE and OVERWRITE only, and refuses the plan.',
      ]);
    });

    test('so that no fix sets it there', () => {
      for (const given of [{} as Given, { resolve_conflicts: 'OVERWRITE' }, { resolve_conflicts: 'NONE' }]) {
        const [finding] = judged(given);
        expect(finding?.fixCode).toBeUndefined();
        expect(finding?.fix).toContain('Declare the add-on as an `aws_eks_addon` of its own instead.');
      }
    });
  });

  test('overwrite by default, and take the newest version', () => {
    const module = call({ eks_addons: { 'vpc-cni': {} } });
    expect(attribute(module, ADDON, 'resolve_conflicts_on_update')).toBe(
      'OVERWRITE (default of aws-ia/eks-blueprints-addons/aws 1)',
    );
    expect(attribute(module, ADDON, 'addon_version')).toBe(
      '?${module.addons.data.aws_eks_addon_version.this["vpc-cni"].version}',
    );
    expect(attribute(module, 'module.addons.data.aws_eks_addon_version.this["vpc-cni"]', 'most_recent')).toMatch(
      /^true \(default/,
    );
    expect(rule({ eks_addons: { 'vpc-cni': {} } }, 'vpc-cni-resolve-conflicts')).toEqual([
      'vpc-cni-resolve-conflicts fail warning',
    ]);
    expect(
      rule({ eks_addons: { 'vpc-cni': { resolve_conflicts: 'OVERWRITE' } } }, 'vpc-cni-resolve-conflicts'),
    ).toEqual(['vpc-cni-resolve-conflicts fail error']);
    expect(
      rule(
        {
          eks_addons: {
            'vpc-cni': {
              resolve_conflicts: 'PRESERVE',
              addon_version: 'v1.20.4-eksbuild.1',
              configuration_values: '{"evn":{}}',
            },
          },
        },
        'vpc-cni-configuration-schema',
      ),
    ).toEqual(['vpc-cni-configuration-schema fail error']);
  });

  test('what is not known is no verdict', () => {
    expect(
      findings([call({ eks_addons: unknown('addons'), enable_karpenter: unknown('karpenter') })]).filter((line) =>
        line.includes(' fail '),
      ),
    ).toEqual([]);
  });
});

test('Karpenter has a role for its service account, and one for its nodes', () => {
  const module = call({
    enable_karpenter: true,
    karpenter: { namespace: 'kube-system' },
    karpenter_node: { iam_role_additional_policies: { ssm: 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore' } },
  });
  expect(
    attribute(
      module,
      'module.addons.module.karpenter.data.aws_iam_policy_document.assume[0]',
      'statement',
      '0',
      'condition',
      '0',
      'values',
    ),
  ).toContain('system:serviceaccount:kube-system:karpenter');
  expect(
    module.instances.flatMap(({ address }) => /policy_attachment\.(\w+\["\w+"\])/.exec(address)?.[1] ?? []),
  ).toEqual([
    'karpenter["AmazonEKSWorkerNodePolicy"]',
    'karpenter["AmazonEC2ContainerRegistryReadOnly"]',
    'karpenter["AmazonEKS_CNI_Policy"]',
    'additional["ssm"]',
  ]);
  expect(findings([module]).filter((line) => line.includes(' fail '))).toEqual([]);
});
