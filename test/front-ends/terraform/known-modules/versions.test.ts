import { Absent, Known } from '../../../../lib/value';
import { parseModuleSource } from '../../../../lib/terraform/module/module-source';
import { isAtLeast, Versions } from '../../../../lib/terraform/module/version-constraint';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { at } from '../../../terraform/instances';
import { attribute, callOf, doubts, EKS, expand, findings } from './calls';

const MAJORS = [18, 19, 20, 21];

function majorsOf(constraint: string): string {
  const versions = Versions.of(new Known(constraint, at('version')), MAJORS);
  return versions === undefined ? 'none' : versions.candidates.map(([major]) => major).join(' ');
}

describe('version constraints', () => {
  test.each([
    ['20.31.0', '20'],
    ['= 20.31.0', '20'],
    ['v21.0.0', '21'],
    ['~> 20.0', '20'],
    ['~> 20.31', '20'],
    ['~> 20.31.0', '20'],
    ['~> 20', '20 21'],
    ['>= 19', '19 20 21'],
    ['>= 19.0, < 21.0.0', '19 20'],
    ['> 19.21.0, <= 20.0.0', '19 20'],
    ['< 20', '18 19'],
    ['>= 18, != 19.0.0', '18 19 20 21'],
    ['17.24.0', 'none'],
    ['22.0.0', 'none'],
    ['~> 22.0', 'none'],
    ['main', '18 19 20 21'],
    ['', '18 19 20 21'],
    ['>= 21.0, < 21.0', 'none'],
  ])('%s allows %s', (constraint, expected) => {
    expect(majorsOf(constraint)).toBe(expected);
  });

  test('of a major version the newest allowed release counts', () => {
    const newest = (text: string) => Versions.of(new Known(text, at('version')), MAJORS)?.newest;
    expect(newest('20.29.0')).toEqual([20, 29, 0]);
    expect(newest('< 20.30')?.slice(0, 2)).toEqual([20, 29]);
    const open = newest('~> 20.0');
    expect(open !== undefined && isAtLeast(open, 20, 37, 2) && !isAtLeast(open, 21)).toBe(true);
  });

  test('without a version every one may be chosen', () => {
    expect(Versions.of(new Absent(at('version')), MAJORS)?.candidates).toHaveLength(4);
  });
});

describe('names of another version', () => {
  test.each([
    ['~> 21.15', 'main 1.35', { cluster_name: 'main', cluster_version: '1.35', cluster_addons: { coredns: {} } }],
    ['~> 20.37', 'main 1.35', { name: 'main', kubernetes_version: '1.35', addons: { coredns: {} } }],
    // Its own name counts.
    [
      '~> 21.15',
      'main 1.35',
      { name: 'main', cluster_name: 'other', kubernetes_version: '1.35', addons: { coredns: {} } },
    ],
  ])('mean what they are in theirs: %s', (version, expected, given) => {
    const module = expand(given, { version });
    const cluster = 'module.eks.aws_eks_cluster.this[0]';
    expect(`${attribute(module, cluster, 'name')} ${attribute(module, cluster, 'version')}`).toBe(expected);
    expect(module.instances.map(({ address }) => address)).toContain('module.eks.aws_eks_addon.this["coredns"]');
    expect(findings([module]).filter((line) => line.startsWith('cluster-version-pinned'))).toEqual([]);
  });
});

test('a commit of the repository is no version that Terraform installs anew', () => {
  const warnings = (reference: string) =>
    doubts(
      expand(
        { cluster_name: 'main', cluster_version: '1.35' },
        {
          source: `git::https://github.com/terraform-aws-modules/terraform-aws-eks.git?ref=${reference}`,
          version: null,
        },
      ),
    );
  expect(warnings('d7aea4ca6b7d5fa08c70bf67fa5e9e5c514d26d2')).toEqual([]);
  expect(warnings('master').join()).toContain('refuses the configuration');
});

describe('module sources', () => {
  test.each([
    ['terraform-aws-modules/eks/aws', 'eks||'],
    ['registry.terraform.io/terraform-aws-modules/eks/aws', 'eks||'],
    [
      'registry.opentofu.org/terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks',
      'iam|modules/iam-role-for-service-accounts-eks|',
    ],
    ['terraform-aws-modules/eks/aws//modules/karpenter', 'eks|modules/karpenter|'],
    ['git::https://github.com/terraform-aws-modules/terraform-aws-eks.git?ref=v20.31.0', 'eks||v20.31.0'],
    ['git::https://github.com/terraform-aws-modules/terraform-aws-eks?ref=v20.31.0', 'eks||v20.31.0'],
    [
      'git::https://github.com/terraform-aws-modules/terraform-aws-eks.git//modules/eks-managed-node-group?ref=v19.21.0&depth=1',
      'eks|modules/eks-managed-node-group|v19.21.0',
    ],
    ['github.com/terraform-aws-modules/terraform-aws-eks-pod-identity', 'eks-pod-identity||'],
    ['git@github.com:terraform-aws-modules/terraform-aws-eks.git', 'eks||'],
    [
      'git::ssh://git@github.com/terraform-aws-modules/terraform-aws-iam.git//modules/iam-role-for-service-accounts',
      'iam|modules/iam-role-for-service-accounts|',
    ],
  ])('%s', (source, expected) => {
    const parsed = parseModuleSource(source);
    expect(parsed && `${parsed.name}|${parsed.folder}|${parsed.reference ?? ''}`).toBe(expected);
  });

  test.each([
    './modules/eks',
    'someone/eks/aws',
    'git::https://github.com/someone/terraform-aws-eks',
    'https://github.com.example.com/terraform-aws-modules/terraform-aws-eks',
    '',
    '//',
    'x'.repeat(500),
  ])('%s is another module', (source) => {
    expect(parseModuleSource(source)).toBeUndefined();
  });

  test('modules and versions that are not known are left to others', () => {
    expect(expandKnownModule(callOf({}, { source: 'terraform-aws-modules/vpc/aws' }))).toBeUndefined();
    expect(
      expandKnownModule(callOf({}, { source: 'terraform-aws-modules/eks/aws//modules/hybrid-node-role' })),
    ).toBeUndefined();
    expect(expandKnownModule(callOf({}, { version: '11.1.0' }))).toBeUndefined();
    expect(expandKnownModule(callOf({}, { version: '22.0.0' }))).toBeUndefined();
  });
});

describe('what a constraint leaves open', () => {
  const TEMPLATE = 'module.eks.module.eks_managed_node_group["a"].aws_launch_template.this[0]';
  const HOP = ['metadata_options', 'http_put_response_hop_limit'] as const;

  test('a git tag is the version', () => {
    const module = expand(
      { cluster_name: 'main', eks_managed_node_groups: { a: {} } },
      { source: 'git::https://github.com/terraform-aws-modules/terraform-aws-eks?ref=v20.31.0', version: null },
    );
    expect(attribute(module, TEMPLATE, ...HOP)).toBe('2 (default of terraform-aws-modules/eks/aws 20)');
  });

  test('arguments that only some versions have say which', () => {
    const old = expand(
      { cluster_name: 'main', cluster_version: '1.33', eks_managed_node_groups: { a: {} } },
      { version: '>= 19' },
    );
    expect(attribute(old, TEMPLATE, ...HOP)).toBe('2 (default of terraform-aws-modules/eks/aws)');
    const current = expand(
      { name: 'main', kubernetes_version: '1.33', eks_managed_node_groups: { a: {} } },
      { version: '>= 19' },
    );
    expect(attribute(current, TEMPLATE, ...HOP)).toBe('1 (default of terraform-aws-modules/eks/aws 21)');
  });

  test('arguments of which no version has all are of the versions that have most of them', () => {
    // `write_kubeconfig` went before the oldest version that is known here; `cluster_version` has another name from 21 on.
    const module = expand(
      { cluster_name: 'main', cluster_version: '1.28', vpc_id: 'vpc-1', write_kubeconfig: false },
      { version: null },
    );
    expect(attribute(module, 'module.eks.aws_eks_cluster.this[0]', 'version')).toBe('1.28');
  });

  test('a default that differs between the versions that are left is unknown', () => {
    const module = expand(
      { subnet_ids: ['subnet-1', 'subnet-2'], eks_managed_node_groups: { a: {} } },
      { version: '>= 20' },
    );
    expect(attribute(module, TEMPLATE, ...HOP)).toBe(
      '? the default of http_put_response_hop_limit differs between versions of terraform-aws-modules/eks/aws, and ">= 20" allows several',
    );
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_tokens')).toBe(
      'required (default of terraform-aws-modules/eks/aws)',
    );
  });

  test.each([null, 'master'])(
    'without a version, what all versions make of a call is known, and the rest is not (%s)',
    (reference) => {
      const source =
        reference === null
          ? EKS
          : `git::https://github.com/terraform-aws-modules/terraform-aws-eks.git?ref=${reference}`;
      const groups = {
        eks_managed_node_groups: { a: { instance_types: ['m6i.large'] }, b: { create_launch_template: false } },
        self_managed_node_groups: { c: {} },
      };
      const module = expand(
        { vpc_id: 'vpc-1', subnet_ids: ['subnet-1', 'subnet-2'], ...groups },
        { source, version: null, region: 'eu-central-1' },
      );
      expect(
        attribute(
          module,
          'module.eks.module.eks_managed_node_group["a"].aws_eks_node_group.this[0]',
          'launch_template',
          '0',
          'id',
        ),
      ).toBe(`?\${${TEMPLATE}.id}`);
      expect(
        attribute(
          module,
          'module.eks.module.eks_managed_node_group["b"].aws_eks_node_group.this[0]',
          'launch_template',
          '0',
          'id',
        ),
      ).toMatch(/^\? the default of launch_template_id differs/);
      expect(
        attribute(module, 'module.eks.module.self_managed_node_group["c"].aws_launch_template.this[0]', 'image_id'),
      ).toMatch(/^\? the default of ami_type differs/);
      expect(
        attribute(
          module,
          'module.eks.module.eks_managed_node_group["a"].aws_iam_role_policy_attachment.this["AmazonEKS_CNI_Policy"]',
          'policy_arn',
        ),
      ).toMatch(/AmazonEKS_CNI_Policy/);
      expect(findings([module]).filter((line) => line.includes(' fail error'))).toEqual([]);
    },
  );

  test('the version of a group has the name that the module has for it', () => {
    const version = (constraint: string) =>
      attribute(
        expand(
          { vpc_id: 'vpc-1', eks_managed_node_groups: { a: { cluster_version: '1.32', kubernetes_version: '1.33' } } },
          { version: constraint },
        ),
        'module.eks.module.eks_managed_node_group["a"].aws_eks_node_group.this[0]',
        'version',
      );
    expect(version('~> 20.0')).toBe('1.32');
    expect(version('~> 21.0')).toBe('1.33');
    expect(version('>= 20.0')).toMatch(/^\? the default of kubernetes_version differs/);
  });
});
