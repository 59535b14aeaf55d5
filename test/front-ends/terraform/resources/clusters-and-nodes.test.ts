import { Unknown, type Value } from '../../../../lib/eks';
import { launchTemplateOf } from '../../../../lib/eks/analysis/node-group';
import { show } from '../../cloudformation/reading';
import { either, instance, readOne, ref, target, unknown, type Written } from '../../../terraform/instances';

const role = instance('aws_iam_role.nodes', { name: 'nodes' });
const group = instance('aws_security_group.extra', { id: 'sg-0a1' });
const cluster = instance('aws_eks_cluster.main', {
  name: 'main',
  version: '1.33',
  vpc_config: [{ cluster_security_group_id: 'sg-0c1', security_group_ids: [] }],
});
const template = instance('aws_launch_template.workers', { name: 'workers', id: 'lt-1' });
const subnet = instance('aws_subnet.a', {
  id: 'subnet-1',
  cidr_block: '10.0.0.0/24',
  availability_zone: 'eu-west-1a',
  map_public_ip_on_launch: false,
});
const OTHERS = [role, group, cluster, template, subnet];

/** Texts of a list, or why there is none. */
function listed(value: Value<readonly Value<string>[]>): unknown {
  return value.kind === 'known' ? value.value.map(show) : show(value);
}

describe('aws_eks_cluster', () => {
  const read = (attributes: Written, more: Parameters<typeof instance>[2] = {}) =>
    readOne('cluster', 'aws_eks_cluster.it', [...OTHERS, instance('aws_eks_cluster.it', attributes, more)]);

  it('is read', () => {
    const found = read({
      name: 'it',
      version: '1.30',
      role_arn: ref(role, 'arn'),
      bootstrap_self_managed_addons: false,
      vpc_config: [{ subnet_ids: ['subnet-1'], security_group_ids: ['sg-1', ref(group, 'id')] }],
      kubernetes_network_config: [{ ip_family: 'ipv6', service_ipv4_cidr: '10.1.0.0/16' }],
      compute_config: [{ enabled: true }],
      access_config: [{ authentication_mode: 'API' }],
      upgrade_policy: [{ support_type: 'STANDARD' }],
    });
    const {
      name,
      version,
      ipFamily,
      serviceIpv4Cidr,
      autoMode,
      authenticationMode,
      bootstrapSelfManagedAddons,
      supportType,
    } = found;
    expect(
      [
        name,
        version,
        ipFamily,
        serviceIpv4Cidr,
        autoMode,
        authenticationMode,
        bootstrapSelfManagedAddons,
        supportType,
      ].map(show),
    ).toEqual(['it', '1.30', 'ipv6', '10.1.0.0/16', true, 'API', false, 'STANDARD']);
    expect(target(found.role)).toBe('-> aws_iam_role.nodes');
    expect(listed(found.securityGroups)).toEqual(['sg-1', '?${aws_security_group.extra.id}']);
    const [, extra] = found.securityGroups.kind === 'known' ? found.securityGroups.value : [];
    expect(extra?.kind === 'unknown' && (extra.reference?.resource as { id?: string }).id).toBe(
      'aws_security_group.extra',
    );
    expect([found.type, found.id, found.stack, found.frontEnd, found.suppressions]).toEqual([
      'aws_eks_cluster',
      'aws_eks_cluster.it',
      'root',
      'terraform',
      [],
    ]);
  });

  it('without what is optional, written as nothing in one way or another', () => {
    const nothings: readonly Written[] = [
      {},
      { version: null, vpc_config: [], kubernetes_network_config: null },
      { version: '', vpc_config: [{ security_group_ids: [] }], kubernetes_network_config: [{ ip_family: '' }] },
    ];
    for (const nothing of nothings) {
      const { version, ipFamily, autoMode, securityGroups, authenticationMode } = read(nothing);
      expect([version, ipFamily, autoMode, securityGroups, authenticationMode].map(show)).toEqual(
        Array(5).fill('absent'),
      );
    }
  });

  it.each<[Written, string | undefined, object]>([
    [{}, 'eu-west-1', { region: 'eu-west-1', partition: 'aws' }],
    [{}, undefined, { region: undefined, partition: undefined }],
    [{ region: 'cn-north-1' }, 'eu-west-1', { region: 'cn-north-1', partition: 'aws-cn' }],
    [{ region: unknown('var.region') }, 'eu-west-1', { region: undefined, partition: undefined }],
  ])('in a region: %#', (attributes, region, expected) => {
    expect(read(attributes, { region }).environment).toEqual(expected);
  });
});

describe('aws_eks_node_group', () => {
  const read = (attributes: Written) =>
    readOne('node-group', 'aws_eks_node_group.it', [...OTHERS, instance('aws_eks_node_group.it', attributes)]);

  it('is read', () => {
    const found = read({
      cluster_name: ref(cluster, 'name'),
      node_group_name: 'n',
      node_role_arn: ref(role, 'arn'),
      subnet_ids: [ref(subnet, 'id'), 'subnet-1', 'subnet-2', unknown('var.subnet')],
      ami_type: 'AL2_x86_64',
      instance_types: ['m5.large', unknown('var.type')],
      capacity_type: 'SPOT',
      version: '1.33',
      release_version: 'r',
      force_update_version: true,
      disk_size: 50,
      scaling_config: [{ desired_size: 0, min_size: 0, max_size: 3 }],
      remote_access: [{ ec2_ssh_key: 'k', source_security_group_ids: [ref(group, 'id')] }],
      labels: { a: 'b', c: unknown('var.c'), gone: null },
      taint: [{ key: 'k', value: '', effect: 'NO_SCHEDULE' }],
      update_config: [{ max_unavailable: 1, max_unavailable_percentage: null }],
    });
    expect(target(found.cluster)).toBe('-> aws_eks_cluster.main');
    expect(target(found.nodeRole)).toBe('-> aws_iam_role.nodes');
    const {
      name,
      amiType,
      capacityType,
      version,
      releaseVersion,
      forceUpdate,
      diskSize,
      launchTemplate,
      minSize,
      desiredSize,
    } = found;
    expect(
      [
        name,
        amiType,
        capacityType,
        version,
        releaseVersion,
        forceUpdate,
        diskSize,
        launchTemplate,
        minSize,
        desiredSize,
      ].map(show),
    ).toEqual(['n', 'AL2_x86_64', 'SPOT', '1.33', 'r', true, 50, 'absent', 0, 0]);
    expect(listed(found.instanceTypes)).toEqual(['m5.large', '?${var.type}']);
    expect(found.subnets.kind === 'known' && found.subnets.value.map(target)).toEqual([
      '-> aws_subnet.a',
      '-> aws_subnet.a',
      'subnet-2',
      '?${var.subnet}',
    ]);
    expect(
      found.labels.kind === 'known' && found.labels.value.map(({ key, value }) => [show(key), show(value)]),
    ).toEqual([
      ['a', 'b'],
      ['c', '?${var.c}'],
    ]);
    expect(
      found.taints.kind === 'known' &&
        found.taints.value.map(({ key, value, effect }) => [key, value, effect].map(show)),
    ).toEqual([['k', '', 'NO_SCHEDULE']]);
    expect(
      found.updateConfig.kind === 'known' &&
        [found.updateConfig.value.maxUnavailable, found.updateConfig.value.maxUnavailablePercentage].map(show),
    ).toEqual([1, 'absent']);
    expect(found.remoteAccess.kind === 'known' && show(found.remoteAccess.value.sshKey)).toBe('k');
  });

  it('with blocks that are not there', () => {
    const { remoteAccess, updateConfig, labels, taints, diskSize, instanceTypes } = read({
      remote_access: [],
      update_config: [],
      taint: [],
      labels: null,
      disk_size: 0,
      instance_types: [],
    });
    expect([remoteAccess, updateConfig, labels, taints, diskSize, instanceTypes].map(show)).toEqual(
      Array(6).fill('absent'),
    );
  });

  it.each<[Written, string]>([
    [ref(role, 'arn'), '-> aws_iam_role.nodes'],
    ['arn:aws:iam::111122223333:role/nodes', '-> aws_iam_role.nodes'],
    ['arn:aws:iam::111122223333:role/some/path/nodes', '-> aws_iam_role.nodes'],
    ['arn:aws:iam::111122223333:role/other', 'arn:aws:iam::111122223333:role/other'],
    [unknown('var.role'), '?${var.role}'],
    [
      either('prod', ref(role, 'arn'), 'arn:aws:iam::111122223333:role/other'),
      'prod is true: -> aws_iam_role.nodes; prod is false: arn:aws:iam::111122223333:role/other',
    ],
  ])('with node role %#', (arn, expected) => {
    expect(target(read({ node_role_arn: arn }).nodeRole)).toBe(expected);
  });

  it.each<[Written, string, unknown, unknown]>([
    [
      [{ id: ref(template, 'id'), version: ref(template, 'latest_version') }],
      '-> aws_launch_template.workers',
      { text: 'aws_launch_template.workers.latest_version', tracks: 'latest' },
      'absent',
    ],
    [
      [{ id: ref(template, 'id'), version: ref(template, 'default_version') }],
      '-> aws_launch_template.workers',
      { text: 'aws_launch_template.workers.default_version', tracks: 'default' },
      'absent',
    ],
    [
      [{ name: ref(template, 'name'), version: '$Latest' }],
      '-> aws_launch_template.workers',
      { text: '$Latest', tracks: undefined },
      '?${aws_launch_template.workers.name}',
    ],
    [[{ name: 'workers', version: 3 }], '-> aws_launch_template.workers', { text: '3', tracks: undefined }, 'workers'],
    // What a plan of an existing group says: the provider tells the name, too.
    [
      [{ id: 'lt-1', name: 'workers', version: '3' }],
      '-> aws_launch_template.workers',
      { text: '3', tracks: undefined },
      'absent',
    ],
    [[{ id: '', name: 'others', version: unknown('var.v') }], 'others', '?${var.v}', 'others'],
    [[{ id: unknown('var.id'), version: '1' }], '${var.id}', { text: '1', tracks: undefined }, 'absent'],
  ])('with launch template %#', (written, expected, version, name) => {
    const { launchTemplate } = read({ launch_template: written });
    if (launchTemplate.kind !== 'known') throw new Error(String(show(launchTemplate)));
    const { template: used } = launchTemplate.value;
    expect(used.target === undefined ? used.text : `-> ${used.target.id}`).toBe(expected);
    expect(show(launchTemplate.value.version)).toEqual(version);
    expect(show(launchTemplate.value.name)).toBe(name);
  });

  it('with the version that a data source tells of a cluster of the input', () => {
    const versionOf = (name: Written, ...others: ReturnType<typeof instance>[]): unknown => {
      const lookup = instance('data.aws_eks_cluster.it', { name });
      const group = instance('aws_eks_node_group.it', { cluster_name: 'main', version: ref(lookup, 'version') });
      return show(readOne('node-group', group.address, [...OTHERS, ...others, lookup, group]).version);
    };
    expect(versionOf('main')).toBe('1.33');
    expect(versionOf(ref(cluster, 'name'))).toBe('1.33');
    expect(versionOf('elsewhere')).toBe('?${data.aws_eks_cluster.it.version}');
    const called = (name: string) => instance(`aws_eks_cluster.${name}`, { name: unknown(name), version: '1.31' });
    expect(versionOf(unknown('own'), called('own'), called('other'))).toBe('1.31');
    expect(
      versionOf(
        unknown('own'),
        called('own'),
        instance('aws_eks_cluster.twin', { name: unknown('own'), version: '1.30' }),
      ),
    ).toBe('?${data.aws_eks_cluster.it.version}');
    expect(versionOf(unknown('another'), called('own'))).toBe('?${data.aws_eks_cluster.it.version}');
    const asked = instance('data.aws_eks_cluster.own', { name: 'own' });
    expect(
      versionOf('own', asked, instance('aws_eks_cluster.own', { name: 'own', version: ref(asked, 'version') })),
    ).toBe('?${data.aws_eks_cluster.it.version}');
  });

  it.each<[string, string | undefined]>([
    ['/aws/service/eks/optimized-ami/1.31/amazon-linux-2/recommended/release_version', 'AL2'],
    ['/aws/service/eks/optimized-ami/1.31/amazon-linux-2023/x86_64/standard/recommended/release_version', 'AL2023'],
    ['/aws/service/bottlerocket/aws-k8s-1.31/x86_64/latest/image_version', 'BOTTLEROCKET'],
    ['/our/release', undefined],
  ])('with a release version from %s', (name, family) => {
    const parameter = instance('data.aws_ssm_parameter.release', { name });
    const group = instance('aws_eks_node_group.it', { cluster_name: 'main', release_version: ref(parameter, 'value') });
    const { releaseImage } = readOne('node-group', group.address, [...OTHERS, parameter, group]);
    expect(releaseImage.kind === 'known' && releaseImage.value.family).toBe(family);
  });

  it('with a launch template under a condition', () => {
    const { launchTemplate } = read({
      launch_template: [{ id: either('prod', ref(template, 'id'), 'lt-9'), version: '1' }],
    });
    expect(
      launchTemplate.kind === 'choice' &&
        launchTemplate.alternatives.map(({ when, value }) => [
          when.text,
          value.kind === 'known' && (value.value.template.target?.id ?? value.value.template.text),
        ]),
    ).toEqual([
      ['prod is true', 'aws_launch_template.workers'],
      ['prod is false', 'lt-9'],
    ]);
  });

  it('with a launch template of which nothing is known', () => {
    const { source } = template;
    const nodes = read({ launch_template: [{ id: new Unknown('nobody knows', source), version: '1' }] });
    expect(launchTemplateOf(nodes)).toMatchObject({ kind: 'unknown', reason: 'nobody knows' });
  });

  it('with a launch template that names nothing', () => {
    expect(show(read({ launch_template: [{ version: '1' }] }).launchTemplate)).toBe('? it names no launch template');
  });

  it('of a cluster that another stack has by the same name', () => {
    const other = instance('aws_eks_cluster.main', { name: 'main' }, { stack: 'other' });
    const nodes = instance('aws_eks_node_group.it', { cluster_name: 'main' }, { stack: 'other' });
    const found = readOne('node-group', 'aws_eks_node_group.it', [cluster, other, nodes]).cluster;
    expect(found.kind === 'known' && found.value.target?.stack).toBe('other');
    const elsewhere = readOne('node-group', 'aws_eks_node_group.it', [
      cluster,
      other,
      { ...nodes, stack: 'third' },
    ]).cluster;
    expect(target(elsewhere)).toBe('main');
  });

  it.each<[Written, string]>([
    [{ name: 'main' }, '-> aws_eks_cluster.main'],
    [{ name: ref(cluster, 'name') }, '-> aws_eks_cluster.main'],
    [{ name: 'elsewhere' }, 'elsewhere'],
    [{ name: unknown('var.cluster') }, '?${var.cluster}'],
    [{}, '?${data.aws_eks_cluster.this.id}'],
  ])('of a cluster that a data source looks up: %#', (attributes, expected) => {
    const lookup = instance('data.aws_eks_cluster.this', attributes);
    const nodes = instance('aws_eks_node_group.it', { cluster_name: ref(lookup, 'id') });
    expect(target(readOne('node-group', 'aws_eks_node_group.it', [...OTHERS, lookup, nodes]).cluster)).toBe(expected);
  });
});

describe('what belongs to a cluster', () => {
  const belonging: Written = {
    cluster_name: 'main',
    principal_arn: ref(role, 'arn'),
    role_arn: 'arn:aws:iam::111122223333:role/nodes',
    type: 'EC2_WINDOWS',
    kubernetes_groups: ['g'],
    namespace: 'n',
    service_account: 's',
  };

  it('aws_eks_access_entry', () => {
    const found = readOne('access-entry', 'aws_eks_access_entry.it', [
      ...OTHERS,
      instance('aws_eks_access_entry.it', belonging),
    ]);
    expect([target(found.cluster), target(found.principal), show(found.entryType), listed(found.groups)]).toEqual([
      '-> aws_eks_cluster.main',
      '-> aws_iam_role.nodes',
      'EC2_WINDOWS',
      ['g'],
    ]);
  });

  it('aws_eks_pod_identity_association', () => {
    const found = readOne('pod-identity-association', 'aws_eks_pod_identity_association.it', [
      ...OTHERS,
      instance('aws_eks_pod_identity_association.it', belonging),
    ]);
    expect([target(found.cluster), target(found.role), show(found.namespace), show(found.serviceAccount)]).toEqual([
      '-> aws_eks_cluster.main',
      '-> aws_iam_role.nodes',
      'n',
      's',
    ]);
  });

  it('aws_eks_fargate_profile', () => {
    expect(
      target(
        readOne('fargate-profile', 'aws_eks_fargate_profile.it', [
          ...OTHERS,
          instance('aws_eks_fargate_profile.it', belonging),
        ]).cluster,
      ),
    ).toBe('-> aws_eks_cluster.main');
    const profile = instance('aws_eks_fargate_profile.it', {
      ...belonging,
      selector: [{ namespace: 'web' }, { namespace: 'jobs', labels: { a: 'b' } }],
    });
    const { selectors } = readOne('fargate-profile', 'aws_eks_fargate_profile.it', [...OTHERS, profile]);
    expect(
      selectors.kind === 'known' && selectors.value.map(({ namespace, hasLabels }) => [show(namespace), hasLabels]),
    ).toEqual([
      ['web', false],
      ['jobs', true],
    ]);
  });

  it('aws_subnet and aws_iam_openid_connect_provider', () => {
    const found = readOne('subnet', 'aws_subnet.a', OTHERS);
    expect([found.cidr, found.availabilityZone, found.mapPublicIpOnLaunch].map(show)).toEqual([
      '10.0.0.0/24',
      'eu-west-1a',
      false,
    ]);
    const oidc = instance('aws_iam_openid_connect_provider.it', {
      url: ref(cluster, 'identity[0].oidc[0].issuer'),
      client_id_list: ['sts.amazonaws.com'],
    });
    const provider = readOne('oidc-provider', 'aws_iam_openid_connect_provider.it', [...OTHERS, oidc]);
    expect(provider.url.kind === 'unknown' && (provider.url.reference?.resource as { id?: string }).id).toBe(
      'aws_eks_cluster.main',
    );
    expect(listed(provider.clientIds)).toEqual(['sts.amazonaws.com']);
  });
});

describe('aws_eks_addon', () => {
  const read = (attributes: Written) =>
    readOne('addon', 'aws_eks_addon.it', [...OTHERS, instance('aws_eks_addon.it', attributes)]);

  it.each<[Written, unknown, unknown]>([
    [{ resolve_conflicts: 'OVERWRITE' }, 'OVERWRITE', 'OVERWRITE'],
    [{ resolve_conflicts_on_create: 'OVERWRITE', resolve_conflicts_on_update: 'PRESERVE' }, 'OVERWRITE', 'PRESERVE'],
    [{ resolve_conflicts: null, resolve_conflicts_on_update: 'NONE' }, 'absent', 'NONE'],
    [{ resolve_conflicts: '', resolve_conflicts_on_create: unknown('var.c') }, '?${var.c}', 'absent'],
  ])('resolves conflicts: %#', (attributes, onCreate, onUpdate) => {
    const { resolveConflictsOnCreate, resolveConflictsOnUpdate } = read(attributes);
    expect([show(resolveConflictsOnCreate), show(resolveConflictsOnUpdate)]).toEqual([onCreate, onUpdate]);
  });

  it('is read', () => {
    const found = read({
      cluster_name: ref(cluster, 'name'),
      addon_name: 'vpc-cni',
      addon_version: 'v1.19.0-eksbuild.1',
      configuration_values: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}',
      service_account_role_arn: ref(role, 'arn'),
      preserve: true,
      pod_identity_association: [{ role_arn: ref(role, 'arn'), service_account: 'aws-node' }],
    });
    expect([
      target(found.cluster),
      show(found.name),
      show(found.version),
      target(found.serviceAccountRole),
      show(found.preserveOnDelete),
    ]).toEqual(['-> aws_eks_cluster.main', 'vpc-cni', 'v1.19.0-eksbuild.1', '-> aws_iam_role.nodes', true]);
    expect(show(found.configuration)).toMatchObject({
      kind: 'parsed',
      data: { env: { ENABLE_PREFIX_DELEGATION: 'true' } },
    });
    expect(
      found.podIdentityAssociations.kind === 'known' &&
        found.podIdentityAssociations.value.map(({ serviceAccount, role: own }) => [show(serviceAccount), target(own)]),
    ).toEqual([['aws-node', '-> aws_iam_role.nodes']]);
  });
});
