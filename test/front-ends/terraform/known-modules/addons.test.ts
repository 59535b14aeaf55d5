import { runRules } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { clusterNetworkAddons } from '../../../../lib/rules/addon/cluster-network-addons';
import { vpcCniRoleOnNodes } from '../../../../lib/rules/iam/vpc-cni-role-on-nodes';
import { vpcCniResolveConflicts } from '../../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { either, unknown, type Written } from '../../../terraform/instances';
import { attribute, doubts, expand, findings, instanceAt, type Given } from './calls';

const ADDON = 'module.eks.aws_eks_addon.this["vpc-cni"]';
const VPC = { vpc_id: 'vpc-1', subnet_ids: ['subnet-1', 'subnet-2'] };
const PINNED = { addon_version: 'v1.20.4-eksbuild.1' };

function withAddons(version: string, addons: Written, others: Given = {}) {
  const names: Given = version.startsWith('21')
    ? { name: 'main', kubernetes_version: '1.33', addons }
    : { cluster_name: 'main', cluster_version: '1.33', cluster_addons: addons };
  return expand({ ...VPC, ...names, ...others }, { version, region: 'eu-central-1' });
}

describe('conflicts, as Terraform plans them with the sources of each version', () => {
  test.each([
    ['18.31.2', 'absent', 'absent', 'absent'],
    ['19.0.0', 'OVERWRITE (default of terraform-aws-modules/eks/aws 19)', 'absent', 'absent'],
    ['19.21.0', 'OVERWRITE (default of terraform-aws-modules/eks/aws 19)', 'absent', 'absent'],
    [
      '20.0.0',
      'absent',
      'OVERWRITE (default of terraform-aws-modules/eks/aws 20)',
      'OVERWRITE (default of terraform-aws-modules/eks/aws 20)',
    ],
    [
      '20.37.2',
      'absent',
      'OVERWRITE (default of terraform-aws-modules/eks/aws 20)',
      'OVERWRITE (default of terraform-aws-modules/eks/aws 20)',
    ],
    [
      '21.19.0',
      'absent',
      'NONE (default of terraform-aws-modules/eks/aws 21)',
      'OVERWRITE (default of terraform-aws-modules/eks/aws 21)',
    ],
  ])('%s', (version, both, create, update) => {
    const module = withAddons(version, { 'vpc-cni': {} });
    expect(attribute(module, ADDON, 'resolve_conflicts')).toBe(both);
    expect(attribute(module, ADDON, 'resolve_conflicts_on_create')).toBe(create);
    expect(attribute(module, ADDON, 'resolve_conflicts_on_update')).toBe(update);
  });

  test('from 20.30 on, what EKS installs of its own decides about creation', () => {
    const without = { bootstrap_self_managed_addons: false };
    expect(attribute(withAddons('20.37.2', { 'vpc-cni': {} }, without), ADDON, 'resolve_conflicts_on_create')).toMatch(
      /^NONE /,
    );
    expect(attribute(withAddons('20.29.0', { 'vpc-cni': {} }, without), ADDON, 'resolve_conflicts_on_create')).toMatch(
      /^OVERWRITE /,
    );
    expect(
      attribute(
        withAddons('20.37.2', { 'vpc-cni': {} }, { bootstrap_self_managed_addons: unknown('own') }),
        ADDON,
        'resolve_conflicts_on_create',
      ),
    ).toBe('? own has no default');
  });

  test('what is written wins, at its place', () => {
    const module = withAddons('21.19.0', { 'vpc-cni': { resolve_conflicts_on_update: 'PRESERVE' } });
    expect(attribute(module, ADDON, 'resolve_conflicts_on_update')).toBe('PRESERVE');
    const { attributes } = instanceAt(module, ADDON);
    expect(attributes.kind).toBe('known');
  });
});

describe('versions that nobody writes', () => {
  const LOOKUP = 'module.eks.data.aws_eks_addon_version.this["vpc-cni"]';
  test.each([
    ['19.0.0', 'absent'],
    ['20.37.2', 'absent'],
    ['21.0.5', 'true (default of terraform-aws-modules/eks/aws 21)'],
    ['21.19.0', 'true (default of terraform-aws-modules/eks/aws 21)'],
  ])('%s looks them up at every plan', (version, newest) => {
    const module = withAddons(version, { 'vpc-cni': {} });
    expect(attribute(module, ADDON, 'addon_version')).toBe('?${' + LOOKUP + '.version}');
    expect(attribute(module, LOOKUP, 'most_recent')).toBe(newest);
  });

  test.each(['18.31.2', '21.0.0', '21.0.4'])('%s leaves them to EKS', (version) => {
    expect(attribute(withAddons(version, { 'vpc-cni': { most_recent: true } }), ADDON, 'addon_version')).toBe('absent');
  });

  test('what is written wins', () => {
    expect(attribute(withAddons('21.19.0', { 'vpc-cni': PINNED }), ADDON, 'addon_version')).toBe('v1.20.4-eksbuild.1');
    expect(attribute(withAddons('21.19.0', { 'vpc-cni': { most_recent: false } }), LOOKUP, 'most_recent')).toBe(
      'false',
    );
  });
});

describe('verdicts', () => {
  test('an add-on of defaults overwrites what others set, and names no version', () => {
    expect(findings([withAddons('21.19.0', { 'vpc-cni': {} })])).toEqual([
      'addon-version fail warning',
      'vpc-cni-resolve-conflicts fail warning',
    ]);
  });

  test('overwriting is an error where the call asks for it', () => {
    const rule = (version: string, addon: Written) =>
      findings([withAddons(version, { 'vpc-cni': { ...PINNED, ...(addon as Given) } })]);
    expect(rule('21.19.0', { resolve_conflicts_on_update: 'OVERWRITE' })).toEqual([
      'vpc-cni-resolve-conflicts fail error',
    ]);
    expect(rule('20.37.2', { resolve_conflicts_on_update: 'OVERWRITE' })).toEqual([
      'vpc-cni-resolve-conflicts fail error',
    ]);
    expect(rule('19.21.0', { resolve_conflicts: 'OVERWRITE' })).toEqual(['vpc-cni-resolve-conflicts fail error']);
    expect(rule('19.21.0', {})).toEqual(['vpc-cni-resolve-conflicts fail warning']);
  });

  test('of a module with one mode, PRESERVE is for creation, too, which is for somebody to decide', () => {
    const found = (version: string, addon: Given) =>
      runRules(new EksModel(readInstances(withAddons(version, { 'vpc-cni': { ...PINNED, ...addon } }).instances)), [
        vpcCniResolveConflicts,
      ]).map(({ fix, repairEffect }) => [fix.includes('keep `OVERWRITE` for the one deployment'), repairEffect]);
    const effect: unknown = expect.stringContaining('no longer takes over a copy that differs');
    expect(found('19.21.0', { resolve_conflicts: 'OVERWRITE' })).toEqual([[true, effect]]);
    expect(found('18.31.2', { resolve_conflicts: 'OVERWRITE' })).toEqual([[true, effect]]);
    expect(found('19.21.0', { resolve_conflicts: 'NONE' })).toEqual([[false, undefined]]);
    expect(found('21.19.0', { resolve_conflicts_on_update: 'OVERWRITE' })).toEqual([[false, undefined]]);
  });

  test.each([
    ['18.31.2', 'info', 'Keep `AmazonEKS_CNI_Policy` on the node role', undefined],
    ['19.8.0', 'info', 'Keep `AmazonEKS_CNI_Policy` on the node role', undefined],
    ['19.9.0', 'warning', 'by `before_compute = true`', 'iam_role_attach_cni_policy = false'],
    ['21.19.0', 'warning', 'by `before_compute = true`', 'iam_role_attach_cni_policy = false'],
  ])('version %s can or can not create the add-on before the nodes', (version, severity, says, code) => {
    const groups = { eks_managed_node_groups: { workers: {} } };
    const addon = { ...PINNED, service_account_role_arn: 'arn:aws:iam::111122223333:role/cni' };
    const { instances } = withAddons(version, { 'vpc-cni': addon }, groups);
    const [finding, ...others] = runRules(new EksModel(readInstances(instances)), [vpcCniRoleOnNodes]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity, fix: expect.stringContaining(says) as string });
    expect(finding?.fixCode?.includes(String(code)) ?? false).toBe(code !== undefined);
  });

  test('most_recent pins nothing', () => {
    const keep = { resolve_conflicts_on_update: 'PRESERVE' };
    const rest = (version: string, addon: Written) =>
      findings([withAddons(version, { 'vpc-cni': addon })]).filter((line) => line.startsWith('addon-version'));
    expect(rest('20.37.2', { ...keep, most_recent: true })).toEqual(['addon-version fail warning']);
    expect(rest('20.37.2', { ...keep, ...PINNED })).toEqual([]);
    expect(rest('21.19.0', { ...keep, ...PINNED, most_recent: true })).toEqual([]);
  });

  test('configuration values are read, and with them overwriting is a warning', () => {
    const configured = { ...PINNED, configuration_values: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"},"evn":{}}' };
    const found = findings([withAddons('21.19.0', { 'vpc-cni': configured })]);
    expect(found).toContain('vpc-cni-configuration-schema fail error');
    expect(found).toContain('vpc-cni-resolve-conflicts fail warning');
  });

  test('security groups for pods: version 21 no longer gives the cluster role what they need', () => {
    const pods = {
      'vpc-cni': {
        ...PINNED,
        resolve_conflicts_on_update: 'PRESERVE',
        configuration_values: '{"env":{"ENABLE_POD_ENI":"true"}}',
      },
    };
    const rule = (version: string, others: Given = {}) =>
      findings([withAddons(version, pods, others)]).filter((line) =>
        line.startsWith('pod-security-groups-cluster-role'),
      );
    expect(rule('20.37.2')).toEqual([]);
    expect(rule('20.37.2', { enable_security_groups_for_pods: false })).toEqual([
      'pod-security-groups-cluster-role fail error',
    ]);
    expect(rule('21.19.0')).toEqual(['pod-security-groups-cluster-role fail error']);
    expect(
      rule('21.19.0', {
        iam_role_additional_policies: { pods: 'arn:aws:iam::aws:policy/AmazonEKSVPCResourceController' },
      }),
    ).toEqual([]);
  });
});

describe('addresses', () => {
  test('before or behind the nodes', () => {
    const module = withAddons('20.37.2', { 'vpc-cni': { before_compute: true }, coredns: {} });
    expect(instanceAt(module, 'module.eks.aws_eks_addon.before_compute["vpc-cni"]')).toBeDefined();
    expect(instanceAt(module, 'module.eks.aws_eks_addon.this["coredns"]')).toBeDefined();
    const conditional = withAddons('20.37.2', { 'vpc-cni': { before_compute: either('early', true, false) } });
    expect(instanceAt(conditional, 'module.eks.aws_eks_addon.before_compute["vpc-cni"]').exists.text).toBe(
      'early is true',
    );
    expect(instanceAt(conditional, ADDON).exists.text).toBe('early is false');
    expect(instanceAt(withAddons('19.0.0', { 'vpc-cni': { before_compute: true } }), ADDON)).toBeDefined();
  });

  test('the key names the add-on unless the add-on does', () => {
    const module = withAddons('21.19.0', { cni: { name: 'vpc-cni' }, coredns: {} });
    expect(attribute(module, 'module.eks.aws_eks_addon.this["cni"]', 'addon_name')).toBe('vpc-cni');
    expect(attribute(module, 'module.eks.aws_eks_addon.this["coredns"]', 'addon_name')).toBe('coredns');
  });

  test('add-ons that are not known may be any', () => {
    const module = withAddons('21.19.0', unknown('addons'));
    expect(findings([module]).filter((line) => line.includes(' fail '))).toEqual([]);
    expect(findings([module])).not.toEqual([]);
  });
});

describe('what is dropped', () => {
  test.each([
    [
      '21.19.0',
      { resolve_conflict_on_update: 'PRESERVE' },
      'terraform-aws-modules/eks/aws 21 ignores `resolve_conflict_on_update` in addons.vpc-cni; did you mean `resolve_conflicts_on_update`?',
    ],
    [
      '20.37.2',
      { resolve_conflicts: 'PRESERVE' },
      'terraform-aws-modules/eks/aws 20 ignores `resolve_conflicts` in cluster_addons.vpc-cni; did you mean `resolve_conflicts_on_update`?',
    ],
    [
      '20.37.2',
      { resolve_conflicts: 'OVERWRITE' },
      'terraform-aws-modules/eks/aws 20 ignores `resolve_conflicts` in cluster_addons.vpc-cni; did you mean `resolve_conflicts_on_create`?',
    ],
    [
      '19.21.0',
      { resolve_conflicts_on_update: 'PRESERVE' },
      'terraform-aws-modules/eks/aws 19 ignores `resolve_conflicts_on_update` in cluster_addons.vpc-cni; did you mean `resolve_conflicts`?',
    ],
    [
      '19.0.0',
      { configuration_values: '{}' },
      'terraform-aws-modules/eks/aws 19.0.0 ignores `configuration_values`, which later releases read',
    ],
  ])('%s %j', (version, addon, message) => {
    expect(doubts(withAddons(version, { 'vpc-cni': addon }))).toEqual([message]);
  });

  test('one key of several add-ons is told once, with all of them', () => {
    const old = { resolve_conflicts: 'OVERWRITE' };
    const module = withAddons('20.37.2', { coredns: old, 'kube-proxy': { ...old, versoin: 'v1' }, 'vpc-cni': old });
    expect(doubts(module)).toEqual([
      'terraform-aws-modules/eks/aws 20 ignores `resolve_conflicts` in cluster_addons.coredns, cluster_addons.kube-proxy, cluster_addons.vpc-cni; did you mean `resolve_conflicts_on_create`?',
      'terraform-aws-modules/eks/aws 20 ignores `versoin` in cluster_addons.kube-proxy',
    ]);
  });

  test('names of another version', () => {
    expect(doubts(expand({ name: 'main', cluster_addons: {} }))).toEqual([
      'terraform-aws-modules/eks/aws 21 has no argument `cluster_addons`: Terraform refuses the configuration. It is called `addons` from version 21 on',
    ]);
    expect(doubts(expand({ cluster_name: 'main', addons: {} }, { version: '~> 20.0' }))).toEqual([
      'terraform-aws-modules/eks/aws 20 has no argument `addons`: Terraform refuses the configuration. It is `cluster_addons` in this version, and `addons` from 21 on',
    ]);
    expect(
      doubts(expand({ cluster_name: 'main', cluster_version: '1.33', cluster_endpoint_public_access: true })),
    ).toEqual([
      'terraform-aws-modules/eks/aws 21 has no argument `cluster_name`: Terraform refuses the configuration. It is called `name` from version 21 on',
      'terraform-aws-modules/eks/aws 21 has no argument `cluster_version`: Terraform refuses the configuration. It is called `kubernetes_version` from version 21 on',
      'terraform-aws-modules/eks/aws 21 has no argument `cluster_endpoint_public_access`: Terraform refuses the configuration. It is called `endpoint_public_access` from version 21 on',
    ]);
  });

  test('names of a version that Terraform does not install, since a newer one is allowed', () => {
    const old = { cluster_name: 'main', cluster_version: '1.33', subnet_ids: ['subnet-1', 'subnet-2'] };
    const refused =
      'and refuses the configuration: that has no `cluster_name` (there `name`), `cluster_version` (there `kubernetes_version`); name the version that the call is written for, as in `version = "~> 20.0"`';
    expect(doubts(expand(old, { version: '>= 20.0' }))).toEqual([
      `Terraform installs terraform-aws-modules/eks/aws 21 for ">= 20.0", ${refused}`,
    ]);
    expect(doubts(expand(old, { version: null }))).toEqual([
      `Terraform installs terraform-aws-modules/eks/aws 21 where no version is named, ${refused}`,
    ]);
    const many = {
      ...old,
      cluster_endpoint_public_access: true,
      cluster_enabled_log_types: ['audit'],
      eks_managed_node_group_defaults: {},
    };
    expect(doubts(expand(many, { version: '>= 20.0' }))).toEqual([
      expect.stringMatching(/`cluster_enabled_log_types` \(there `enabled_log_types`\) and 1 more;/),
    ]);
    for (const version of ['>= 20.0, < 21.0', '~> 20.0']) expect(doubts(expand(old, { version }))).toEqual([]);
    expect(doubts(expand({ name: 'main', kubernetes_version: '1.33' }, { version: '>= 20.0' }))).toEqual([]);
  });
});

test('the default of a module is told once', () => {
  const { instances } = withAddons('20.37.2', {
    'vpc-cni': { ...PINNED, configuration_values: '{"env":{"WARM_ENI_TARGET":"1"}}' },
  });
  const [finding] = runRules(new EksModel(readInstances(instances)), [vpcCniResolveConflicts]);
  expect(finding?.message).toContain('updates with OVERWRITE: its configuration values survive');
  expect(finding?.message.match(/terraform-aws-modules/g)).toHaveLength(1);
});

describe('what a module sets, whatever the call says', () => {
  test('is told as that', () => {
    const group = { nodes: { instance_types: ['m6i.large'] } };
    const module = withAddons('21.19.0', { 'vpc-cni': { before_compute: true } }, { eks_managed_node_groups: group });
    const [finding] = runRules(new EksModel(readInstances(module.instances)), [clusterNetworkAddons]).filter(
      ({ verdict }) => verdict === 'fail',
    );
    expect(finding?.message).toMatch(/can't resolve names\. The value is set by terraform-aws-modules\/eks\/aws 21\.$/);
    expect(finding?.fix).toBe('Declare kube-proxy and CoreDNS as add-ons too.');
  });
});
