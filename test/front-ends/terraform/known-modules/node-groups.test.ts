import { allRules } from '../../../../lib/rules';
import { EksModel } from '../../../../lib/eks';
import { resolveConfiguration, runRules } from '../../../../lib/engine';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { configurations } from '../../../terraform/module/configurations';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { assumption, at, either, unknown, type Written } from '../../../terraform/instances';
import { attribute, doubts, EKS, expand, findings, instanceAt, type Given, CNI_ON_NODES } from './calls';

const group = (name: string, resource: string) => `module.eks.module.eks_managed_node_group["${name}"].${resource}`;
const TEMPLATE = group('workers', 'aws_launch_template.this[0]');
const NODE_GROUP = group('workers', 'aws_eks_node_group.this[0]');

/** A call of version 21 that is in order, with groups. */
function v21(workers: Written, others: Given = {}) {
  return expand({ ...IN_ORDER_21, eks_managed_node_groups: { workers }, ...others }, { region: 'eu-central-1' });
}

function v20(workers: Written, others: Given = {}, version = '~> 20.31') {
  return expand(
    { ...IN_ORDER_20, eks_managed_node_groups: { workers }, ...others },
    { version, region: 'eu-central-1' },
  );
}

const VPC = { vpc_id: 'vpc-1', subnet_ids: ['subnet-1', 'subnet-2'] };
const SIZES = { instance_types: ['m6i.large'], min_size: 2, max_size: 4, desired_size: 2 };
const CNI = { before_compute: true, addon_version: 'v1.20.4-eksbuild.1', resolve_conflicts_on_update: 'PRESERVE' };
const IN_ORDER_21 = {
  ...VPC,
  name: 'main',
  kubernetes_version: '1.33',
  addons: {
    'vpc-cni': CNI,
    'kube-proxy': { addon_version: 'v1.33.0-eksbuild.2' },
    coredns: { addon_version: 'v1.12.1-eksbuild.2' },
  },
};
const IN_ORDER_20 = { ...VPC, cluster_name: 'main', cluster_version: '1.33', cluster_addons: { 'vpc-cni': CNI } };

test('a group tells where the call has its settings, and leaves its size to the Cluster Autoscaler', () => {
  const { ignoredChanges, moduleInputs, moduleInputsAt } = instanceAt(v21(SIZES), NODE_GROUP);
  expect([ignoredChanges, moduleInputsAt]).toEqual([
    ['scaling_config'],
    'module.eks.eks_managed_node_groups["workers"]',
  ]);
  expect(['labels', 'version', 'scaling_config'].map((argument) => moduleInputs?.get(argument))).toEqual([
    'labels',
    'kubernetes_version',
    '',
  ]);
});

describe('defaults, as Terraform plans them with the sources of each version', () => {
  test.each([
    ['18.0.0', '2'],
    ['18.31.2', '2'],
    ['19.21.0', '2'],
    ['20.0.0', '2'],
    ['20.37.2', '2'],
    ['21.0.0', '1'],
    ['21.19.0', '1'],
  ])('%s: hop limit %s', (version, hop) => {
    const given = version.startsWith('21') ? IN_ORDER_21 : IN_ORDER_20;
    const module = expand({ ...given, eks_managed_node_groups: { workers: {} } }, { version });
    const note = `(default of terraform-aws-modules/eks/aws ${version.slice(0, 2)})`;
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_put_response_hop_limit')).toBe(`${hop} ${note}`);
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_tokens')).toBe(`required ${note}`);
  });

  test('sizes, update config, AMI type and what version 21 changed', () => {
    const [before, now] = [v20({}), v21({})];
    for (const module of [before, now]) {
      expect(attribute(module, NODE_GROUP, 'scaling_config', '0', 'max_size')).toMatch(/^3 /);
      expect(attribute(module, NODE_GROUP, 'scaling_config', '0', 'min_size')).toMatch(/^1 /);
      expect(attribute(module, NODE_GROUP, 'update_config', 'max_unavailable_percentage')).toMatch(/^33 /);
      expect(attribute(module, NODE_GROUP, 'cluster_name')).toBe('?${module.eks.aws_eks_cluster.this[0].name}');
      expect(attribute(module, NODE_GROUP, 'version')).toBe('1.33');
      expect(attribute(module, NODE_GROUP, 'launch_template', '0', 'version')).toBe(`?\${${TEMPLATE}.default_version}`);
      expect(attribute(module, TEMPLATE, 'vpc_security_group_ids')).toBe(
        '[?${module.eks.aws_security_group.node[0].id}]',
      );
    }
    expect(attribute(before, NODE_GROUP, 'ami_type')).toBe('absent');
    expect(attribute(now, NODE_GROUP, 'ami_type')).toBe(
      'AL2023_x86_64_STANDARD (default of terraform-aws-modules/eks/aws 21)',
    );
    expect(attribute(before, NODE_GROUP, 'release_version')).toBe('absent');
    expect(attribute(now, NODE_GROUP, 'release_version')).toBe('? the module looks the newest release up');
    expect(
      attribute(
        expand({ ...IN_ORDER_20, eks_managed_node_groups: { workers: {} } }, { version: '18.31.2' }),
        NODE_GROUP,
        'update_config',
      ),
    ).toBe('absent');
  });

  test.each(['update_config', 'remote_access'])('an empty %s is none', (name) => {
    for (const empty of [[], {}]) expect(attribute(v20({ [name]: empty }), NODE_GROUP, name)).toBe('absent');
    expect(attribute(v20({ [name]: { max_unavailable: 2 } }), NODE_GROUP, name)).toBe('{max_unavailable=2}');
    expect(attribute(v20({ [name]: [{ max_unavailable: 2 }] }), NODE_GROUP, name)).toBe('[{max_unavailable=2}]');
  });

  test('an object of metadata options replaces the defaults up to version 20, and is filled up from 21 on', () => {
    const options = { metadata_options: { http_tokens: 'required' } };
    expect(attribute(v20(options), TEMPLATE, 'metadata_options')).toBe('{http_tokens=required}');
    expect(attribute(v21(options), TEMPLATE, 'metadata_options', 'http_put_response_hop_limit')).toBe(
      '1 (default of terraform-aws-modules/eks/aws 21)',
    );
    expect(attribute(v21(options), TEMPLATE, 'metadata_options', 'http_tokens')).toBe('required');
  });

  test('defaults of the call stand in for what a group does not say, up to version 20', () => {
    const defaults = {
      eks_managed_node_group_defaults: {
        ami_type: 'BOTTLEROCKET_x86_64',
        metadata_options: { http_tokens: 'required', http_put_response_hop_limit: 1 },
      },
    };
    const module = v20({ ami_type: 'AL2023_x86_64_STANDARD' }, defaults);
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_put_response_hop_limit')).toBe('1');
    expect(attribute(module, NODE_GROUP, 'ami_type')).toBe('AL2023_x86_64_STANDARD');
    expect(attribute(v20({}, defaults), NODE_GROUP, 'ami_type')).toBe('BOTTLEROCKET_x86_64');
    expect(attribute(v20({ ami_type: null }, defaults), NODE_GROUP, 'ami_type')).toBe('absent');
    expect(doubts(v21({}, defaults))).toEqual([
      'terraform-aws-modules/eks/aws 21 has no argument `eks_managed_node_group_defaults`: Terraform refuses the configuration. Version 21 has no more of it: write the values in each of eks_managed_node_groups',
    ]);
  });
});

describe('verdicts', () => {
  test('what version 20 makes of plain groups is in order', () => {
    expect(findings([v20(SIZES)])).toEqual([CNI_ON_NODES]);
  });

  test('the hop limit of version 21 is told, where nobody wrote another one', () => {
    expect(findings([v21(SIZES)])).toEqual(['imds-hop-limit fail error', CNI_ON_NODES]);
    expect(findings([v21({ ...SIZES, metadata_options: { http_put_response_hop_limit: 2 } })])).toEqual([CNI_ON_NODES]);
  });

  test('of a group with defaults only, the finding stands at its key', () => {
    const module = v21(SIZES);
    resolveConfiguration({}, allRules);
    const finding = runRules(new EksModel(readInstances(module.instances)), allRules, {}).find(
      ({ rule }) => rule === 'imds-hop-limit',
    );
    expect(finding?.resource.id).toBe(TEMPLATE);
    expect(finding?.source.locate().property).toBe('eks_managed_node_groups.workers');
  });

  test('metadata options of version 20 without a hop limit leave it undeclared', () => {
    expect(findings([v20({ ...SIZES, metadata_options: { http_tokens: 'required' } })])).toEqual([
      'imds-hop-limit fail error',
      CNI_ON_NODES,
    ]);
  });

  test('groups that refer to their own security groups and policies are linked', () => {
    const module = v20(
      { ...SIZES, iam_role_attach_cni_policy: false },
      { node_security_group_enable_recommended_rules: false },
    );
    expect(findings([module])).toEqual(['vpc-cni-role-missing fail error']);
    const withRole = v20({
      ...SIZES,
      iam_role_attach_cni_policy: false,
      iam_role_additional_policies: { cni: 'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy' },
    });
    expect(findings([withRole])).toEqual([CNI_ON_NODES]);
  });

  test('disk size besides a launch template is dropped, as the module does', () => {
    expect(attribute(v20({ disk_size: 50 }), NODE_GROUP, 'disk_size')).toBe('absent');
    const bare = v20({ disk_size: 50, use_custom_launch_template: false });
    expect(attribute(bare, NODE_GROUP, 'disk_size')).toBe('50');
    expect(attribute(bare, NODE_GROUP, 'launch_template')).toBe('absent');
  });

  test('nodes without a launch template of the module have no hop limit of it', () => {
    expect(findings([v21({ ...SIZES, use_custom_launch_template: false })])).toContain('imds-hop-limit fail error');
    const module = v21({ ...SIZES, use_custom_launch_template: false });
    expect(module.instances.some(({ type }) => type === 'aws_launch_template')).toBe(false);
  });

  test('what is not known is no verdict', () => {
    expect(
      findings([v20({ ...SIZES, metadata_options: unknown('options') })]).filter((line) => line.includes(' fail ')),
    ).toEqual([CNI_ON_NODES]);
    expect(findings([v21(unknown('workers'))]).filter((line) => line.includes(' fail '))).toEqual([]);
    const module = expand({ ...IN_ORDER_21, eks_managed_node_groups: unknown('groups') }, { region: 'eu-central-1' });
    expect(instanceAt(module, group('?', 'aws_eks_node_group.this[0]'))).toBeDefined();
    expect(findings([module]).filter((line) => line.includes(' fail '))).toEqual([]);
  });
});

describe('existence', () => {
  test('a group under a condition exists under it', () => {
    const module = expand(
      { ...IN_ORDER_20, eks_managed_node_groups: either('spot', { workers: SIZES }, {}) },
      { version: '20.37.2' },
    );
    expect(instanceAt(module, NODE_GROUP).exists.text).toBe('spot is true');
    const off = v20({ ...SIZES, create: false });
    expect(off.instances.some(({ address }) => address === NODE_GROUP)).toBe(false);
  });

  test('a module that creates nothing', () => {
    expect(expand({ ...IN_ORDER_21, create: false }).instances).toEqual([]);
    const module = expand({ ...IN_ORDER_21, create: either('on', true, false) }, { exists: assumption('prod', true) });
    expect(instanceAt(module, 'module.eks.aws_eks_cluster.this[0]').exists.text).toBe('prod is true and on is true');
  });

  test('roles of others', () => {
    const module = v20({ create_iam_role: false, iam_role_arn: 'arn:aws:iam::111122223333:role/nodes' });
    expect(attribute(module, NODE_GROUP, 'node_role_arn')).toBe('arn:aws:iam::111122223333:role/nodes');
    expect(module.instances.some(({ address }) => address === group('workers', 'aws_iam_role.this[0]'))).toBe(false);
  });
});

describe('self-managed groups', () => {
  test('bootstrap themselves, with the hop limit of the version', () => {
    const module = expand(
      {
        ...IN_ORDER_20,
        self_managed_node_groups: { own: { ami_id: 'ami-0123456789abcdef0', instance_type: 'm6i.large' } },
      },
      { version: '20.37.2', region: 'eu-central-1' },
    );
    const own = (resource: string) => `module.eks.module.self_managed_node_group["own"].${resource}`;
    expect(
      attribute(module, own('aws_launch_template.this[0]'), 'metadata_options', 'http_put_response_hop_limit'),
    ).toMatch(/^2 /);
    expect(attribute(module, own('aws_launch_template.this[0]'), 'user_data')).toMatch(/^\?/);
    expect(attribute(module, own('aws_eks_access_entry.this[0]'), 'type')).toMatch(/^EC2_LINUX/);
    expect(
      readInstances(module.instances)
        .filter(({ kind }) => kind === 'self-managed-node-group')
        .map(({ id }) => id),
    ).toEqual([own('aws_autoscaling_group.this[0]')]);
    expect(findings([module]).filter((line) => line.includes(' fail error'))).toEqual([]);
  });

  test('have the hop limit of version 21 told like managed ones', () => {
    const own = { ami_id: 'ami-0123456789abcdef0', instance_type: 'm6i.large' };
    const told = (group: Given) =>
      findings([
        expand(
          { ...IN_ORDER_21, self_managed_node_groups: { own: { ...own, ...group } } },
          { version: '21.19.0', region: 'eu-central-1' },
        ),
      ]).filter((line) => line.startsWith('imds-'));
    expect(told({})).toEqual(['imds-hop-limit fail error']);
    expect(told({ metadata_options: { http_put_response_hop_limit: 2 } })).toEqual([]);
    expect(told({ metadata_options: { http_tokens: 'optional', http_put_response_hop_limit: 2 } })).toEqual([
      'imds-v1 fail warning',
    ]);
  });

  describe('with a policy for mixed instances', () => {
    const TYPES = [{ instance_type: 't3.2xlarge' }, { instance_type: 't3a.2xlarge' }];
    const mixed = (version: string, policy: Written, others: Given = {}) =>
      expand(
        {
          ...(version.startsWith('21') ? IN_ORDER_21 : IN_ORDER_20),
          self_managed_node_groups: {
            own: { use_mixed_instances_policy: true, mixed_instances_policy: policy, ...others },
          },
        },
        { version, region: 'eu-central-1' },
      );
    const groupOf = (module: ReturnType<typeof expand>) =>
      readInstances(module.instances).flatMap((one) => (one.kind === 'self-managed-node-group' ? [one] : []))[0];
    const typesOf = (module: ReturnType<typeof expand>) => {
      const types = groupOf(module)?.instanceTypes;
      return types?.kind === 'known'
        ? types.value.map((type) => (type.kind === 'known' ? type.value : type.kind))
        : types?.kind;
    };

    test.each(['18.31.2', '19.21.0', '20.37.2', '21.19.0'])(
      '%s: the template is that of the group, the instance types are those of the overrides',
      (version) => {
        const module = mixed(
          version,
          version.startsWith('21') ? { launch_template: { override: TYPES } } : { override: TYPES },
        );
        const use = groupOf(module)?.launchTemplate;
        expect(use?.kind === 'known' && use.value.template.target?.id).toBe(
          'module.eks.module.self_managed_node_group["own"].aws_launch_template.this[0]',
        );
        expect(typesOf(module)).toEqual(['t3.2xlarge', 't3a.2xlarge']);
      },
    );

    test('the rules judge it like one without', () => {
      const told = (version: string, policy: Written, others: Given = {}) =>
        findings([mixed(version, policy, others)]).filter((line) => /^(imds-|ami-type-)/.test(line));
      expect(told('20.29.0', { override: TYPES })).toEqual(['ami-type-kubernetes-version fail error']);
      expect(told('20.29.0', { override: TYPES }, { cluster_version: '1.31' })).toEqual([
        'ami-type-kubernetes-version fail warning',
      ]);
      expect(told('21.19.0', { launch_template: { override: TYPES } })).toEqual(['imds-hop-limit fail error']);
      expect(
        told(
          '21.19.0',
          { launch_template: { override: TYPES } },
          { metadata_options: { http_put_response_hop_limit: 2 } },
        ),
      ).toEqual([]);
    });

    test('without overrides, the template decides; what is not known stays so', () => {
      expect(typesOf(mixed('20.37.2', { instances_distribution: {} }))).toBe('absent');
      expect(typesOf(mixed('20.37.2', unknown('policy')))).toBe('unknown');
      const anyVersion = expand(
        {
          ...VPC,
          self_managed_node_groups: {
            own: { use_mixed_instances_policy: true, mixed_instances_policy: { override: TYPES } },
          },
        },
        { version: '>= 20', region: 'eu-central-1' },
      );
      expect(typesOf(anyVersion)).toBe('unknown');
      expect(
        groupOf(mixed('20.37.2', { override: TYPES }, { use_mixed_instances_policy: unknown('mixes') }))?.launchTemplate
          .kind,
      ).toBe('unknown');
    });

    test('an override with another template makes several of them', () => {
      const other = {
        instance_type: 'm6g.large',
        launch_template_specification: { launch_template_id: 'lt-0123456789abcdef0' },
      };
      expect(groupOf(mixed('20.37.2', { override: [...TYPES, other] }))?.launchTemplate.kind).toBe('absent');
    });
  });

  test.each([
    ['20.8.5', {}, '?${module.eks.module.self_managed_node_group["own"].data.aws_ami.eks_default[0].image_id}', 'AL2'],
    ['20.37.2', {}, '/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/image_id', 'AL2'],
    // The platform counts for nothing any more.
    [
      '20.37.2',
      { platform: 'al2023' },
      '/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/image_id',
      'AL2',
    ],
    [
      '20.37.2',
      { ami_type: 'AL2_x86_64_GPU', cluster_version: '1.32' },
      '/aws/service/eks/optimized-ami/1.32/amazon-linux-2-gpu/recommended/image_id',
      'AL2',
    ],
    [
      '20.37.2',
      { ami_type: 'BOTTLEROCKET_ARM_64_NVIDIA' },
      '/aws/service/bottlerocket/aws-k8s-1.33-nvidia/arm64/latest/image_id',
      'BOTTLEROCKET',
    ],
    [
      '20.37.2',
      { ami_type: 'WINDOWS_CORE_2022_x86_64' },
      '/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.33/image_id',
      'WINDOWS',
    ],
    [
      '21.19.0',
      {},
      '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
      'AL2023',
    ],
    [
      '21.19.0',
      { ami_type: 'AL2023_ARM_64_NVIDIA' },
      '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/nvidia/recommended/image_id',
      'AL2023',
    ],
  ])('%s %j: without an image of its own, the one that AWS publishes', (version, own, path, family) => {
    const module = expand(
      { ...(version.startsWith('21') ? IN_ORDER_21 : IN_ORDER_20), self_managed_node_groups: { own } },
      { version, region: 'eu-central-1' },
    );
    const prefix = 'module.eks.module.self_managed_node_group["own"].';
    expect(
      path.startsWith('?')
        ? attribute(module, `${prefix}aws_launch_template.this[0]`, 'image_id')
        : attribute(module, `${prefix}data.aws_ssm_parameter.ami[0]`, 'name').replace(/ \(.*/, ''),
    ).toBe(path);
    const [template] = readInstances(module.instances).filter((one) => one.kind === 'launch-template');
    expect(template?.imageId.kind === 'known' && template.imageId.value.family).toBe(family);
  });
});

describe('which template a group has', () => {
  const reference = (
    version: string,
    workers: Written,
    source?: { readonly source: string; readonly address: string },
  ) => {
    const given: Given =
      source === undefined ? { ...IN_ORDER_20, eks_managed_node_groups: { workers } } : (workers as Given);
    const module = expand(given, { version, region: 'eu-central-1', ...source });
    const block = (key: string) =>
      attribute(
        module,
        source === undefined ? NODE_GROUP : 'module.nodes.aws_eks_node_group.this[0]',
        'launch_template',
        '0',
        key,
      );
    return [block('id'), block('name'), module.instances.some(({ type }) => type === 'aws_launch_template')];
  };
  const OWN = [`?\${${TEMPLATE}.id}`, 'absent', true];
  const NONE = ['absent', 'absent', false];
  const SUBMODULE = { source: `${EKS}//modules/eks-managed-node-group`, address: 'module.nodes' };

  test('version 18 takes an empty name for none, and else the name', () => {
    expect(reference('18.31.2', {})).toEqual(OWN);
    expect(reference('18.31.2', { launch_template_name: '' })).toEqual(OWN);
    expect(reference('18.31.2', { create_launch_template: false, launch_template_name: '' })).toEqual(NONE);
    expect(reference('18.2.4', { launch_template_name: '' })).toEqual(NONE);
    expect(reference('18.31.2', { create_launch_template: false, launch_template_name: 'theirs' })).toEqual([
      'absent',
      'theirs',
      false,
    ]);
    expect(reference('18.31.2', { create_launch_template: false })).toEqual(['absent', 'workers', false]);
    expect(reference('18.31.2', { name: 'workers', create_launch_template: false }, SUBMODULE)).toEqual(NONE);
  });

  test('later ones have a switch, and the id', () => {
    expect(
      reference('19.21.0', {
        create_launch_template: false,
        launch_template_name: '',
        launch_template_id: 'lt-0123456789abcdef0',
      }),
    ).toEqual(['lt-0123456789abcdef0', 'absent', false]);
    expect(reference('20.37.2', { use_custom_launch_template: false })).toEqual(NONE);
    expect(reference('20.37.2', { name: 'workers', use_custom_launch_template: false }, SUBMODULE)).toEqual(NONE);
  });
});

test('a Fargate profile takes the pods of its namespaces', () => {
  const module = expand(
    { ...IN_ORDER_21, fargate_profiles: { system: { selectors: [{ namespace: 'kube-system' }] } } },
    { region: 'eu-central-1' },
  );
  const [profile] = readInstances(module.instances).filter((one) => one.kind === 'fargate-profile');
  expect(
    profile?.selectors.kind === 'known' &&
      profile.selectors.value.map(({ namespace, hasLabels }) => [
        namespace.kind === 'known' && namespace.value,
        hasLabels,
      ]),
  ).toEqual([['kube-system', false]]);
});

describe('the submodule for node groups', () => {
  const SUBMODULE = `${EKS}//modules/eks-managed-node-group`;

  test('has the same defaults', () => {
    const module = expand(
      {
        name: 'workers',
        cluster_name: 'main',
        cluster_version: '1.33',
        subnet_ids: ['subnet-1'],
        vpc_security_group_ids: ['sg-1'],
      },
      { source: SUBMODULE, version: '20.37.2', address: 'module.nodes' },
    );
    expect(
      attribute(module, 'module.nodes.aws_launch_template.this[0]', 'metadata_options', 'http_put_response_hop_limit'),
    ).toBe('2 (default of terraform-aws-modules/eks/aws//modules/eks-managed-node-group 20)');
    expect(attribute(module, 'module.nodes.aws_eks_node_group.this[0]', 'cluster_name')).toBe('main');
    expect(attribute(module, 'module.nodes.aws_eks_node_group.this[0]', 'scaling_config', '0', 'min_size')).toMatch(
      /^0 /,
    );
    expect(attribute(module, 'module.nodes.aws_launch_template.this[0]', 'vpc_security_group_ids')).toBe('[sg-1]');
    expect([...module.outputs.keys()]).toContain('iam_role_arn');
  });

  test('says what an argument is called now', () => {
    const module = expand(
      { name: 'workers', cluster_name: 'main', cluster_version: '1.33' },
      { source: SUBMODULE, address: 'module.nodes' },
    );
    expect(doubts(module)).toEqual([
      'terraform-aws-modules/eks/aws//modules/eks-managed-node-group 21 has no argument `cluster_version`: Terraform refuses the configuration. It is called `kubernetes_version` from version 21 on',
    ]);
  });
});

test('what a dropped key was meant to be is said where a name is near it in words, too', () => {
  const hints = doubts(v21({ ...SIZES, name_prefix: 'a', description: 'b', lables: {}, taint: {} })).map((doubt) =>
    doubt.replace(/^.* ignores | in eks_managed_node_groups\.workers/g, ''),
  );
  expect(hints).toEqual([
    '`name_prefix`; did you mean `name`?',
    '`description`',
    '`lables`; did you mean `labels`?',
    '`taint`; did you mean `taints`?',
  ]);
});

test('keys that the module drops are told where they stand', () => {
  const module = v21({ ...SIZES, instance_type: ['m6i.large'], metadata_options: { http_put_response_hop_limt: 2 } });
  expect(doubts(module)).toEqual([
    'terraform-aws-modules/eks/aws 21 ignores `instance_type` in eks_managed_node_groups.workers; did you mean `instance_types`?',
    'terraform-aws-modules/eks/aws 21 ignores `http_put_response_hop_limt` in eks_managed_node_groups.workers.metadata_options; did you mean `http_put_response_hop_limit`?',
  ]);
  expect(module.diagnostics.every(({ severity }) => severity === 'warning')).toBe(true);
  expect(at('x').locate().file).toBe(module.diagnostics[0]?.file);
  expect(doubts(v20(SIZES))).toEqual([]);
});

test('the submodules for self-managed groups and Fargate profiles', () => {
  const nodes = (version: string) =>
    expand(
      {
        name: 'own',
        cluster_name: 'main',
        cluster_version: '1.32',
        kubernetes_version: '1.34',
        subnet_ids: ['subnet-1'],
      },
      {
        source: 'terraform-aws-modules/eks/aws//modules/self-managed-node-group',
        version,
        address: 'module.nodes',
        region: 'eu-central-1',
      },
    );
  expect(attribute(nodes('20.37.2'), 'module.nodes.data.aws_ssm_parameter.ami[0]', 'name')).toMatch(
    /\/1\.32\/amazon-linux-2\//,
  );
  expect(attribute(nodes('21.19.0'), 'module.nodes.data.aws_ssm_parameter.ami[0]', 'name')).toMatch(
    /\/1\.34\/amazon-linux-2023\//,
  );
  expect(attribute(nodes('21.19.0'), 'module.nodes.aws_autoscaling_group.this[0]', 'tag', '0', 'key')).toMatch(
    /^kubernetes\.io\/cluster\/main /,
  );
  const profile = expand(
    { name: 'f', cluster_name: 'main', selectors: [{ namespace: 'x' }] },
    { source: 'terraform-aws-modules/eks/aws//modules/fargate-profile', version: '20.37.2', address: 'module.fargate' },
  );
  expect(attribute(profile, 'module.fargate.aws_eks_fargate_profile.this[0]', 'selector', '0', 'namespace')).toBe('x');
});

describe('groups of which the key alone is not known', () => {
  const written = '{ a = { max_size = 2 } }, { (var.name) = { max_size = 5 } }';
  test.each([
    ['merged with known ones', `merge(${written})`, ['a', '${var.name}']],
    ['in one map', '{ a = { max_size = 2 }, (var.name) = { max_size = 5 } }', ['a', '${var.name}']],
  ])('%s', (_, groups, keys) => {
    const text = `variable "name" {}\nmodule "eks" {\n  source = "${EKS}"\n  version = "~> 21.0"\n  eks_managed_node_groups = ${groups}\n}`;
    const read = configurations(text, { knownModule: expandKnownModule });
    const found = read.addresses.filter((address) => address.includes('.aws_eks_node_group.'));
    expect(found).toEqual(keys.map((key) => group(key, 'aws_eks_node_group.this[0]')));
    const exists = read.one(group('a', 'aws_eks_node_group.this[0]')).exists.text;
    expect(exists).toBe('var.name is not "a"');
    expect(read.show(group('a', 'aws_eks_node_group.this[0]'), 'scaling_config', 0, 'max_size')).toBe(2);
  });
});
