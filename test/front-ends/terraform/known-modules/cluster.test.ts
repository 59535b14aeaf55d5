import { runRules, type Rule } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { clusterVersionSupport } from '../../../../lib/rules/node-group/cluster-version-support';
import { vpcCniResolveConflicts } from '../../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { instance, ref, unknown } from '../../../terraform/instances';
import { attribute, EKS, expand, findings, instanceAt, shown, type Given, CNI_ON_NODES } from './calls';

const CLUSTER = 'module.eks.aws_eks_cluster.this[0]';
const OLD: Given = {
  cluster_name: 'main',
  cluster_version: '1.33',
  vpc_id: 'vpc-1',
  subnet_ids: ['subnet-1', 'subnet-2'],
};
const NEW: Given = { name: 'main', kubernetes_version: '1.33', vpc_id: 'vpc-1', subnet_ids: ['subnet-1', 'subnet-2'] };

function policies(given: Given, version: string): string[] {
  const module = expand(given, { version, region: 'cn-north-1' });
  return module.instances.flatMap(({ address }) =>
    address.startsWith('module.eks.aws_iam_role_policy_attachment.')
      ? [attribute(module, address, 'policy_arn').replace(/ \(.*/, '').replace('arn:aws-cn:iam::aws:policy/', '')]
      : [],
  );
}

describe('the cluster', () => {
  test('has what the call says, under the names of each version', () => {
    for (const [given, version] of [
      [OLD, '20.37.2'],
      [NEW, '21.19.0'],
    ] as const) {
      const module = expand(given, { version });
      expect(attribute(module, CLUSTER, 'name')).toBe('main');
      expect(attribute(module, CLUSTER, 'version')).toBe('1.33');
      expect(attribute(module, CLUSTER, 'kubernetes_network_config', '0', 'ip_family')).toMatch(/^ipv4 \(default of/);
      expect(attribute(module, CLUSTER, 'access_config', '0', 'authentication_mode')).toMatch(
        /^API_AND_CONFIG_MAP \(default of/,
      );
      expect(attribute(module, CLUSTER, 'role_arn')).toBe('?${module.eks.aws_iam_role.this[0].arn}');
      expect(attribute(module, CLUSTER, 'vpc_config', '0', 'security_group_ids')).toBe(
        '[?${module.eks.aws_security_group.cluster[0].id}]',
      );
    }
    expect(attribute(expand(OLD, { version: '19.21.0' }), CLUSTER, 'access_config', '0', 'authentication_mode')).toBe(
      'absent',
    );
  });

  test('whether EKS installs add-ons of its own', () => {
    const field = (given: Given, version: string) =>
      attribute(expand(given, { version }), CLUSTER, 'bootstrap_self_managed_addons');
    expect(field(NEW, '21.0.0')).toBe('false (set by terraform-aws-modules/eks/aws 21)');
    expect(field(OLD, '20.37.2')).toBe('absent');
    expect(field({ ...OLD, bootstrap_self_managed_addons: false }, '20.18.0')).toBe('false');
    expect(field({ ...OLD, cluster_compute_config: { enabled: true } }, '20.37.2')).toMatch(/^false \(default/);
  });

  test('policies of its role', () => {
    expect(policies(OLD, '19.21.0')).toEqual(['AmazonEKSClusterPolicy', 'AmazonEKSVPCResourceController']);
    expect(policies(OLD, '20.37.2')).toEqual(['AmazonEKSClusterPolicy', 'AmazonEKSVPCResourceController']);
    expect(policies(NEW, '21.19.0')).toEqual(['AmazonEKSClusterPolicy']);
    expect(policies({ ...NEW, compute_config: { enabled: true } }, '21.19.0')).toContain('AmazonEKSComputePolicy');
    expect(
      policies(
        { ...OLD, iam_role_additional_policies: ['arn:aws-cn:iam::aws:policy/AmazonSSMManagedInstanceCore'] },
        '18.31.2',
      ),
    ).toContain('AmazonSSMManagedInstanceCore');
  });

  test('Auto Mode', () => {
    const module = expand({ ...NEW, compute_config: { enabled: true, node_pools: ['general-purpose'] } });
    expect(attribute(module, CLUSTER, 'compute_config', 'enabled')).toBe('true');
    expect(instanceAt(module, 'module.eks.aws_iam_role.eks_auto[0]')).toBeDefined();
    expect(shown(module.outputs.get('node_iam_role_arn') ?? unknown('no output'))).toBe(
      '?${module.eks.aws_iam_role.eks_auto[0].arn}',
    );
  });

  test('the roles of Auto Mode alone, since 21.3', () => {
    const given = { ...NEW, create_auto_mode_iam_resources: true };
    expect(policies(given, '21.19.0')).toEqual(
      expect.arrayContaining(['AmazonEKSComputePolicy', 'AmazonEKSWorkerNodeMinimalPolicy']),
    );
    expect(attribute(expand(given), CLUSTER, 'compute_config')).toBe('absent');
  });

  test('the role may be handed on with tags since 20.31', () => {
    const actions = (given: Given, version: string) =>
      attribute(
        expand(given, { version }),
        'module.eks.data.aws_iam_policy_document.assume_role_policy[0]',
        'statement',
        '0',
        'actions',
      );
    expect(actions(OLD, '20.30.1')).not.toContain('sts:TagSession');
    expect(actions(OLD, '20.31.0')).toContain('sts:TagSession');
  });

  test('the OIDC provider: on its own since 18.4, with the domain of the partition up to 19', () => {
    const PROVIDER = 'module.eks.aws_iam_openid_connect_provider.oidc_provider[0]';
    const audiences = (given: Given, version: string, region?: string) =>
      attribute(
        expand(given, { version, ...(region === undefined ? {} : { region }) }),
        PROVIDER,
        'client_id_list',
      ).replaceAll(/ \(set by [^)]*\)/g, '');
    expect(expand(OLD, { version: '18.3.1' }).instances.some(({ address }) => address === PROVIDER)).toBe(false);
    expect(audiences({ ...OLD, enable_irsa: true }, '18.3.1', 'eu-central-1')).toBe('[sts.amazonaws.com]');
    expect(audiences(OLD, '18.4.0', 'cn-north-1')).toBe('[sts.amazonaws.com.cn]');
    expect(audiences({ ...OLD, cluster_iam_role_dns_suffix: 'amazonaws.com' }, '19.21.0', 'cn-north-1')).toBe(
      '[sts.amazonaws.com]',
    );
    expect(audiences(OLD, '19.21.0')).toBe('[?sts.${data.aws_partition.current.dns_suffix}]');
    expect(audiences(OLD, '20.0.0', 'cn-north-1')).toBe('[sts.amazonaws.com]');
    expect(audiences(OLD, '>= 18.0, < 21.0', 'eu-central-1')).toBe('[sts.amazonaws.com]');
    expect(audiences(OLD, '>= 18.0, < 21.0', 'cn-north-1')).toMatch(/differs between versions/);
  });

  test('on Outposts there are no managed groups, add-ons, Fargate profiles or OIDC provider', () => {
    const parts = {
      eks_managed_node_groups: { a: {} },
      fargate_profiles: { f: { selectors: [{ namespace: 'x' }] } },
      self_managed_node_groups: { s: {} },
    };
    const local = {
      outpost_config: {
        control_plane_instance_type: 'm5.large',
        outpost_arns: ['arn:aws:outposts:eu-central-1:111122223333:outpost/op-0123456789abcdef0'],
      },
    };
    for (const [given, version] of [
      [{ ...OLD, cluster_addons: { coredns: {} } }, '19.21.0'],
      [{ ...NEW, addons: { coredns: {} } }, '21.19.0'],
    ] as const) {
      const types = (others: Given) =>
        new Set(expand({ ...given, ...parts, ...others }, { version }).instances.map(({ type }) => type));
      const absent = [
        'aws_eks_node_group',
        'aws_eks_addon',
        'aws_eks_fargate_profile',
        'aws_iam_openid_connect_provider',
      ];
      expect(absent.filter((type) => types({ outpost_config: version === '19.21.0' ? {} : null }).has(type))).toEqual(
        absent,
      );
      expect(absent.filter((type) => types(local).has(type))).toEqual([]);
      expect(types(local).has('aws_autoscaling_group')).toBe(true);
      expect(
        attribute(
          expand({ ...given, ...local }, { version }),
          CLUSTER,
          'outpost_config',
          '0',
          'control_plane_instance_type',
        ),
      ).toBe('m5.large');
      expect(policies({ ...given, ...local }, version)).toContain('AmazonEKSLocalOutpostClusterPolicy');
    }
  });

  test('addresses of IPv6: the policy of the account is the one that the nodes have', () => {
    const GROUPS = { eks_managed_node_groups: { a: { instance_types: ['m6i.large'] } } };
    const addons = { 'vpc-cni': { addon_version: 'v1.20.4-eksbuild.1', resolve_conflicts_on_update: 'PRESERVE' } };
    const rules = (given: Given) =>
      findings([
        expand({ ...OLD, ...GROUPS, cluster_addons: addons, ...given }, { version: '20.37.2', region: 'eu-central-1' }),
      ]).filter((line) => line.startsWith('vpc-cni-role'));
    expect(rules({ cluster_ip_family: 'ipv6', create_cni_ipv6_iam_policy: true })).toEqual([CNI_ON_NODES]);
    expect(rules({ cluster_ip_family: 'ipv6' })).toEqual(
      expect.arrayContaining([expect.stringContaining('unverifiable')]),
    );
    expect(rules({})).toEqual([CNI_ON_NODES]);
  });
});

describe('outputs', () => {
  test('lead to what the module creates', () => {
    const { outputs } = expand({ ...NEW, eks_managed_node_groups: { a: {} } });
    const output = (name: string) => shown(outputs.get(name) ?? unknown('no output'));
    expect(output('cluster_name')).toBe('main');
    expect(output('cluster_arn')).toBe('?${module.eks.aws_eks_cluster.this[0].arn}');
    expect(output('cluster_endpoint')).toBe('?${module.eks.aws_eks_cluster.this[0].endpoint}');
    expect(output('cluster_certificate_authority_data')).toBe(
      '?${module.eks.aws_eks_cluster.this[0].certificate_authority[0].data}',
    );
    expect(output('oidc_provider_arn')).toBe('?${module.eks.aws_iam_openid_connect_provider.oidc_provider[0].arn}');
    expect(output('node_security_group_id')).toBe('?${module.eks.aws_security_group.node[0].id}');
    expect(output('eks_managed_node_groups')).toContain(
      'iam_role_arn=?${module.eks.module.eks_managed_node_group["a"].aws_iam_role.this[0].arn}',
    );
    expect([output('fargate_profiles'), output('self_managed_node_groups')]).toEqual(['{}', '{}']);
    const others = expand({ ...NEW, fargate_profiles: { a: {} } }).outputs;
    expect(others.has('fargate_profiles')).toBe(false);
  });

  test('the name of a cluster that is not known refers to it', () => {
    const { outputs, instances } = expand({ ...NEW, name: unknown('cluster') });
    const name = outputs.get('cluster_name');
    expect(name?.kind === 'unknown' && name.reference?.resource).toBe(
      instances.find(({ address }) => address === CLUSTER),
    );
    const addon = instance('aws_eks_addon.cni', {
      cluster_name: name ?? null,
      addon_name: 'vpc-cni',
      addon_version: 'v1.20.4-eksbuild.1',
      resolve_conflicts_on_update: 'OVERWRITE',
    });
    const module = { instances, outputs, diagnostics: [] };
    expect(findings([module], [addon])).toContain('vpc-cni-resolve-conflicts fail error');
  });

  test('node groups elsewhere find the cluster and its security group', () => {
    const eks = expand(NEW, { region: 'eu-central-1' });
    const output = (name: string) => eks.outputs.get(name) ?? null;
    const role = instance('aws_iam_role.nodes', { assume_role_policy: '{}' });
    const template = instance('aws_launch_template.nodes', {
      metadata_options: { http_tokens: 'required', http_put_response_hop_limit: 2 },
      vpc_security_group_ids: [output('node_security_group_id')],
    });
    const nodes = instance('aws_eks_node_group.nodes', {
      cluster_name: output('cluster_name'),
      node_role_arn: ref(role, 'arn'),
      version: output('cluster_version'),
      launch_template: { id: ref(template, 'id'), version: '1' },
    });
    expect(findings([eks], [role, template, nodes]).filter((line) => line.startsWith('launch-template'))).toEqual([]);
  });
});

describe('code that a fix shows', () => {
  const codeOf = (source: string, version: string, given: Given, rule: Rule) => {
    const { instances } = expand(
      { vpc_id: 'vpc-1', subnet_ids: ['subnet-1', 'subnet-2'], ...given },
      { source, version },
    );
    return runRules(new EksModel(readInstances(instances)), [rule]).map(({ fixCode }) => fixCode);
  };

  test.each([
    ['terraform-aws-modules/eks/aws', '20.37.2', 'cluster_version', { cluster_name: 'main' }],
    ['terraform-aws-modules/eks/aws', '21.19.0', 'kubernetes_version', { name: 'main' }],
    ['cloudposse/eks-cluster/aws', '4.8.0', 'kubernetes_version', { region: 'eu-central-1' }],
  ])('names the input of %s %s for the version, not the version of the module', (source, version, input, given) => {
    expect(codeOf(source, version, { ...given, [input]: '1.24' }, clusterVersionSupport)).toEqual([
      expect.stringMatching(new RegExp(`^${input} = "1\\.`)),
    ]);
  });

  test.each(['>= 20.0', '>= 18.0.0'])(
    'names both inputs for the version where %s has Terraform install a version with the other one',
    (version) => {
      const [code] = codeOf(EKS, version, { cluster_name: 'main', cluster_version: '1.24' }, clusterVersionSupport);
      expect(code).toMatch(/^# `kubernetes_version` from version 21 of the module on, .*\ncluster_version = "1\./);
      expect(codeOf(EKS, version, { name: 'main', kubernetes_version: '1.24' }, clusterVersionSupport)).toEqual([
        expect.stringMatching(/^kubernetes_version = "1\./),
      ]);
      expect(
        codeOf(EKS, `${version}, < 21.0`, { cluster_name: 'main', cluster_version: '1.24' }, clusterVersionSupport),
      ).toEqual([expect.stringMatching(/^cluster_version = "1\./)]);
    },
  );

  test.each<[string, string, Given, string | undefined]>([
    [
      EKS,
      '21.19.0',
      { name: 'main', kubernetes_version: '1.33', addons: { 'vpc-cni': {} } },
      '# in module.eks.addons["vpc-cni"]:\nresolve_conflicts_on_update = "PRESERVE"',
    ],
    [
      EKS,
      '20.37.2',
      { cluster_name: 'main', cluster_version: '1.33', cluster_addons: { 'vpc-cni': {} } },
      '# in module.eks.cluster_addons["vpc-cni"]:\nresolve_conflicts_on_update = "PRESERVE"',
    ],
    [
      EKS,
      '19.10.3',
      { cluster_name: 'main', cluster_version: '1.33', cluster_addons: { 'vpc-cni': {} } },
      '# in module.eks.cluster_addons["vpc-cni"]:\nresolve_conflicts = "PRESERVE"',
    ],
    [
      EKS,
      '18.31.2',
      { cluster_name: 'main', cluster_version: '1.33', cluster_addons: { 'vpc-cni': {} } },
      '# in module.eks.cluster_addons["vpc-cni"]:\nresolve_conflicts = "PRESERVE"',
    ],
    [
      EKS,
      '>= 19.0, < 21.0',
      {
        cluster_name: 'main',
        cluster_version: '1.33',
        cluster_addons: { 'vpc-cni': { resolve_conflicts_on_update: 'OVERWRITE' } },
      },
      '# in module.eks.cluster_addons["vpc-cni"]:\nresolve_conflicts_on_update = "PRESERVE"',
    ],
    [
      EKS,
      '>= 19.0, < 21.0',
      { cluster_name: 'main', cluster_version: '1.33', cluster_addons: { 'vpc-cni': {} } },
      undefined,
    ],
    [
      'aws-ia/eks-blueprints-addons/aws',
      '1.24.3',
      { cluster_name: 'main', cluster_version: '1.33', eks_addons: { 'vpc-cni': {} } },
      // It goes to creation, too, which takes no PRESERVE.
      undefined,
    ],
    [
      'cloudposse/eks-cluster/aws',
      '2.9.0',
      {
        region: 'eu-central-1',
        kubernetes_version: '1.33',
        addons: [{ addon_name: 'vpc-cni', resolve_conflicts: 'OVERWRITE' }],
      },
      'resolve_conflicts = "PRESERVE"',
    ],
    [
      'cloudposse/eks-cluster/aws',
      '4.8.0',
      {
        region: 'eu-central-1',
        kubernetes_version: '1.33',
        addons: [{ addon_name: 'vpc-cni', resolve_conflicts_on_update: 'OVERWRITE' }],
      },
      'resolve_conflicts_on_update = "PRESERVE"',
    ],
  ])('names the conflict mode that %s %s reads: %j', (source, version, given, code) => {
    expect(codeOf(source, version, given, vpcCniResolveConflicts)).toEqual(code === undefined ? [undefined] : [code]);
  });
});

describe('a setting beside the groups, as if it were one', () => {
  const saidOf = (version: string, subnets: Given[string]) => {
    const groups = { eks_managed_node_groups: { workers: {}, subnet_ids: subnets } };
    const { instances, diagnostics } = expand({ ...(version < '21' ? OLD : NEW), ...groups }, { version });
    return [
      instances.filter(({ type }) => type === 'aws_eks_node_group').map(({ address }) => address),
      diagnostics.map(({ message }) => message).filter((message) => message.includes('subnet_ids')),
    ];
  };
  const address = (key: string) => `module.eks.module.eks_managed_node_group["${key}"].aws_eks_node_group.this[0]`;

  test.each([
    ['a list', ['subnet-1']],
    ['a list that is not known', unknown('subnets')],
  ])('%s is told', (_, subnets) => {
    expect(saidOf('19.21.0', subnets)).toEqual([
      expect.arrayContaining([address('workers')]),
      [
        expect.stringMatching(
          /^eks_managed_node_groups\.subnet_ids is no group, but a value beside the groups: .* makes a group called "subnet_ids" of it/,
        ),
      ],
    ]);
    expect(saidOf('21.19.0', subnets)).toEqual([
      [address('workers')],
      [expect.stringContaining('Terraform refuses the configuration')],
    ]);
  });

  test('a group may be called like a setting', () => {
    expect(saidOf('19.21.0', {})[1]).toEqual([]);
  });
});
