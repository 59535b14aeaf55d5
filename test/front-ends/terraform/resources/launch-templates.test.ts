import { Known, Unknown, type UserData, type Value } from '../../../../lib/eks';
import { Base64Text, UnknownBase64 } from '../../../../lib/value/composed-text';
import { show } from '../../cloudformation/reading';
import { at, either, instance, readOne, ref, text, unknown, type Written } from '../../../terraform/instances';

const group = instance('aws_security_group.nodes', { id: 'sg-0a1' });
const cluster = instance('aws_eks_cluster.main', {
  name: 'main',
  version: '1.33',
  vpc_config: [{ cluster_security_group_id: 'sg-0c1' }],
});

const template = (attributes: Written, ...others: ReturnType<typeof instance>[]) =>
  readOne('launch-template', 'aws_launch_template.it', [
    group,
    cluster,
    ...others,
    instance('aws_launch_template.it', attributes),
  ]);
const configuration = (attributes: Written) =>
  readOne('launch-template', 'aws_launch_configuration.it', [
    group,
    cluster,
    instance('aws_launch_configuration.it', attributes),
  ]);

/** A list of groups, with the resources that they lead to. */
function groups(value: Value<readonly Value<string>[]>): unknown {
  return value.kind !== 'known'
    ? show(value)
    : value.value.map((one) =>
        one.kind === 'unknown' && one.reference !== undefined
          ? `${(one.reference.resource as { id?: string }).id ?? ''} ${one.reference.attribute}`
          : show(one),
      );
}

describe('aws_launch_template', () => {
  it('is read', () => {
    const found = template({
      name: 'workers',
      instance_type: 'm5.large',
      key_name: 'k',
      instance_initiated_shutdown_behavior: 'stop',
      vpc_security_group_ids: [ref(group, 'id'), 'sg-0a1', 'sg-0c1', 'sg-9'],
      security_group_names: ['named'],
      metadata_options: [
        {
          http_tokens: 'required',
          http_put_response_hop_limit: 2,
          http_endpoint: 'enabled',
          instance_metadata_tags: 'disabled',
        },
      ],
      tag_specifications: [
        { resource_type: 'instance', tags: { a: 'b', 'k8s.io/c': 'd' } },
        { resource_type: 'volume', tags: { v: 'w' } },
        { resource_type: unknown('var.type'), tags: unknown('var.tags') },
      ],
      iam_instance_profile: [{ name: 'p' }],
      hibernation_options: [{ configured: false }],
      instance_requirements: [{ vcpu_count: [{ min: 2 }] }],
      instance_market_options: [{ market_type: 'spot' }],
      network_interfaces: [{ subnet_id: 'subnet-1', security_groups: [ref(group, 'id')] }],
      block_device_mappings: [
        { device_name: '/dev/xvda', ebs: [{ volume_size: 50 }] },
        { device_name: '/dev/xvdb', ebs: [] },
      ],
    });
    const {
      name,
      instanceType,
      keyName,
      shutdownBehavior,
      instanceProfile,
      hibernation,
      instanceRequirements,
      marketType,
    } = found;
    expect(
      [
        name,
        instanceType,
        keyName,
        shutdownBehavior,
        instanceProfile,
        hibernation,
        instanceRequirements,
        marketType,
      ].map(show),
    ).toEqual(['workers', 'm5.large', 'k', 'stop', 'p', false, true, 'spot']);
    expect(
      [
        found.metadata.httpTokens,
        found.metadata.hopLimit,
        found.metadata.httpEndpoint,
        found.metadata.instanceTags,
      ].map(show),
    ).toEqual(['required', 2, 'enabled', 'disabled']);
    expect(found.instanceTagKeys.map(show)).toEqual(['a', 'k8s.io/c', '?${var.tags}']);
    expect(groups(found.securityGroups)).toEqual([
      'aws_security_group.nodes id',
      'aws_security_group.nodes id',
      'aws_eks_cluster.main vpc_config.cluster_security_group_id',
      'sg-9',
      'named',
    ]);
    expect(found.networkInterfaces.map(({ subnet, securityGroups }) => [show(subnet), groups(securityGroups)])).toEqual(
      [['subnet-1', ['aws_security_group.nodes id']]],
    );
    expect(found.blockDevices.map(({ name: device, size }) => [show(device), show(size)])).toEqual([
      ['/dev/xvda', 50],
      ['/dev/xvdb', 'absent'],
    ]);
  });

  it('without what is optional', () => {
    const nothings: readonly Written[] = [
      {},
      {
        image_id: '',
        user_data: '',
        key_name: '',
        metadata_options: [],
        hibernation_options: [],
        vpc_security_group_ids: [],
        iam_instance_profile: [],
        instance_market_options: [],
      },
    ];
    for (const nothing of nothings) {
      const {
        imageId,
        userData,
        keyName,
        hibernation,
        instanceRequirements,
        securityGroups,
        instanceProfile,
        marketType,
        metadata,
      } = template(nothing);
      expect(
        [
          imageId,
          userData,
          keyName,
          hibernation,
          instanceRequirements,
          securityGroups,
          instanceProfile,
          marketType,
          metadata.httpTokens,
          metadata.hopLimit,
        ].map(show),
      ).toEqual(Array(10).fill('absent'));
    }
  });
});

describe('the image of aws_launch_template', () => {
  const parameter = instance('data.aws_ssm_parameter.ami', {
    name: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
    value: 'ami-0a23',
  });
  const open = instance('data.aws_ssm_parameter.open', {
    name: text('/aws/service/bottlerocket/aws-k8s-', unknown('var.v'), '/x86_64/latest/image_id') as Unknown,
  });
  const ami = (attributes: Written) => instance('data.aws_ami.it', attributes);
  const named = (...values: Written[]): Written => ({
    filter: [
      { name: 'architecture', values: ['x86_64'] },
      { name: 'name', values },
    ],
  });

  it.each<[Written, unknown]>([
    ['ami-1', { text: 'ami-1' }],
    [
      'resolve:ssm:/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id',
      {
        text: '/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id',
        family: 'BOTTLEROCKET',
        architecture: 'x86_64',
        kubernetesVersion: '1.33',
        resolvedAtLaunch: true,
        isPublished: true,
      },
    ],
    [
      ref(parameter, 'value'),
      {
        text: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
        family: 'AL2023',
        architecture: 'x86_64',
        kubernetesVersion: '1.33',
        isPublished: true,
      },
    ],
    [
      ref(open, 'value'),
      {
        text: '/aws/service/bottlerocket/aws-k8s-${var.v}/x86_64/latest/image_id',
        family: 'BOTTLEROCKET',
        architecture: 'x86_64',
        isPublished: true,
      },
    ],
    // A plan holds what the data source found.
    [
      'ami-0a23',
      { text: 'ami-0a23', family: 'AL2023', architecture: 'x86_64', kubernetesVersion: '1.33', isPublished: true },
    ],
    [unknown('var.ami'), '?${var.ami}'],
  ])('%#', (image, expected) => {
    expect(show(template({ image_id: image }, parameter, open).imageId)).toEqual(expected);
  });

  it.each<[string, Written, unknown]>([
    [
      'AL2023',
      named('amazon-eks-node-al2023-x86_64-standard-1.33-v*'),
      { family: 'AL2023', architecture: 'x86_64', kubernetesVersion: '1.33' },
    ],
    [
      'AL2',
      named('amazon-eks-node-1.32-v*', 'amazon-eks-gpu-node-1.32-*'),
      { family: 'AL2', architecture: 'x86_64', kubernetesVersion: '1.32' },
    ],
    [
      'AL2 for arm',
      named('amazon-eks-arm64-node-1.32-*'),
      { family: 'AL2', architecture: 'arm64', kubernetesVersion: '1.32' },
    ],
    [
      'AL2 for the version of the cluster',
      named(text('amazon-eks-node-', ref(cluster, 'version'), '-v*')),
      { family: 'AL2', architecture: 'x86_64' },
    ],
    [
      'two versions',
      named('amazon-eks-node-1.32-v*', 'amazon-eks-arm64-node-1.31-*'),
      { family: 'AL2', architecture: 'x86_64' },
    ],
    [
      'Bottlerocket',
      named('bottlerocket-aws-k8s-1.33-x86_64-*'),
      { family: 'BOTTLEROCKET', architecture: 'x86_64', kubernetesVersion: '1.33' },
    ],
    [
      'Windows',
      { name_regex: '^Windows_Server-2022-English-Core-EKS_Optimized-1.33' },
      { family: 'WINDOWS', architecture: 'x86_64', kubernetesVersion: '1.33' },
    ],
    ['Ubuntu', named('ubuntu-eks/k8s_1.33/images/*'), { architecture: 'x86_64', kubernetesVersion: '1.33' }],
    [
      'any architecture, with the filter for it',
      {
        filter: [
          { name: 'name', values: ['amazon-eks-node-al2023-*'] },
          { name: 'architecture', values: ['arm64'] },
        ],
      },
      { family: 'AL2023', architecture: 'arm64' },
    ],
    [
      'either architecture',
      {
        filter: [
          { name: 'name', values: ['amazon-eks-node-al2023-*'] },
          { name: 'architecture', values: ['arm64', 'x86_64'] },
        ],
      },
      { family: 'AL2023' },
    ],
    [
      'the image that was found',
      { name: 'amazon-eks-node-al2023-x86_64-standard-1.33-v20250801', ...(named('*') as object) },
      { family: 'AL2023', architecture: 'x86_64', kubernetesVersion: '1.33' },
    ],
    ['two families', named('amazon-eks-node-al2023-*', 'bottlerocket-aws-k8s-*'), { architecture: 'x86_64' }],
    ['either family', named('amazon-eks-node-*'), { architecture: 'x86_64' }],
    ["somebody's own", named('my-amazon-eks-node-al2023-*'), { architecture: 'x86_64' }],
    [
      'an AMI of AWS',
      { ...(named('amazon-eks-node-1.32-v*') as object), owners: ['amazon'] },
      { family: 'AL2', architecture: 'x86_64', kubernetesVersion: '1.32', isPublished: true },
    ],
    [
      'an AMI of AWS or of somebody else',
      { ...(named('amazon-eks-node-1.32-v*') as object), owners: ['602401143452', 'self'] },
      { family: 'AL2', architecture: 'x86_64', kubernetesVersion: '1.32' },
    ],
    ['nothing', { owners: ['self'] }, undefined],
    ['something unknown', { filter: unknown('var.filters') }, undefined],
  ])('found by the name of %s', (_, attributes, facts) => {
    const lookup = ami(attributes);
    const image = template({ image_id: ref(lookup, 'id') }, lookup).imageId;
    expect(facts === undefined ? show(image) : image.kind === 'known' && image.value).toEqual(
      facts === undefined ? '?${data.aws_ami.it.id}' : { text: '${data.aws_ami.it.id}', ...facts },
    );
  });
});

describe('user data', () => {
  const SCRIPT = '#!/bin/bash\necho hello\n';
  const base64 = (written: string) => Buffer.from(written).toString('base64');
  const described = (value: Value<UserData>) =>
    value.kind === 'known'
      ? [
          value.value.encodedBy,
          value.value.layers,
          value.value.text.isKnown ? value.value.text.text : value.value.text.show(),
        ]
      : show(value);
  const literal = (written: string) => new Known(written, at('user_data'));
  const composed = (...parts: (string | Unknown)[]) => text(...parts) as Unknown;

  it.each<[string, Written, unknown]>([
    ['that a function encodes', new Base64Text(literal(SCRIPT), at('user_data')), ['engine', [], SCRIPT]],
    [
      'of which a function encodes unknown parts',
      new UnknownBase64(composed('#!/bin/bash\n', unknown('var.x')), at('user_data')),
      ['engine', [], '#!/bin/bash\n${var.x}'],
    ],
    ['that is base64', base64(SCRIPT), ['user', [], SCRIPT]],
    ['that is base64 twice', base64(base64(SCRIPT)), ['user', ['base64'], SCRIPT]],
    ['that nobody encodes', SCRIPT, ['nobody', [], SCRIPT]],
    ['that is unknown', unknown('var.user_data'), '?${var.user_data}'],
  ])('of a launch template %s', (_, written, expected) => {
    expect(described(template({ user_data: written }).userData)).toEqual(expected);
  });

  it.each<[string, Written, unknown]>([
    ['that the provider encodes', { user_data: SCRIPT }, ['engine', [], SCRIPT]],
    ['that is base64 already', { user_data: base64(SCRIPT) }, ['user', [], SCRIPT]],
    [
      'with unknown parts',
      { user_data: composed('#!/bin/bash\n', unknown('var.x')) },
      ['engine', [], '#!/bin/bash\n${var.x}'],
    ],
    ['as a hash', { user_data: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }, '? the plan holds only a hash of it'],
    ['in the attribute for base64', { user_data: '', user_data_base64: base64(SCRIPT) }, ['user', [], SCRIPT]],
    ['that is not there', { user_data: '' }, 'absent'],
  ])('of a launch configuration %s', (_, attributes, expected) => {
    expect(described(configuration(attributes).userData)).toEqual(expected);
  });

  describe('of cloudinit_config', () => {
    const MIME = [
      'Content-Type: multipart/mixed; boundary="MIMEBOUNDARY"\nMIME-Version: 1.0\r\n\r\n--MIMEBOUNDARY\r\n',
      'Content-Transfer-Encoding: 7bit\r\nContent-Type: text/x-shellscript\r\nMime-Version: 1.0\r\n\r\n#!/bin/bash\necho ${var.x}\r\n--MIMEBOUNDARY\r\n',
      'Content-Disposition: attachment; filename="b.yaml"\r\nContent-Transfer-Encoding: 7bit\r\nContent-Type: text/plain\r\nMime-Version: 1.0\r\nX-Merge-Type: list(append)\r\n\r\nb\r\n--MIMEBOUNDARY--\r\n',
    ].join('');
    const parts: Written = [
      { content_type: 'text/x-shellscript', content: composed('#!/bin/bash\necho ', unknown('var.x')) },
      { filename: 'b.yaml', content_type: '', merge_type: 'list(append)', content: 'b' },
    ];
    const config = (attributes: Written) => instance('data.cloudinit_config.it', attributes);

    it.each<[string, Written, boolean, unknown]>([
      ['compressed by default', { part: parts }, false, ['engine', ['gzip'], MIME]],
      ['as text in base64', { part: parts, gzip: false }, false, ['engine', [], MIME]],
      ['as text that nothing encodes', { part: parts, gzip: false, base64_encode: false }, false, ['nobody', [], MIME]],
      [
        'as text that a function encodes',
        { part: parts, gzip: false, base64_encode: false },
        true,
        ['engine', [], MIME],
      ],
      ['in base64 that a function encodes once more', { part: parts, gzip: false }, true, ['engine', ['base64'], MIME]],
      [
        'with an unknown switch',
        { part: parts, gzip: unknown('var.gzip') },
        false,
        "? it isn't known whether it is compressed and encoded",
      ],
      ['with unknown parts', { part: unknown('var.parts') }, false, '?${var.parts}'],
    ])('%s', (_, attributes, isEncoded, expected) => {
      const own = config(attributes);
      const rendered = ref(own, 'rendered');
      expect(
        described(
          template({ user_data: isEncoded ? new UnknownBase64(rendered, at('user_data')) : rendered }, own).userData,
        ),
      ).toEqual(expected);
    });

    it('under a condition', () => {
      const own = config({ gzip: either('prod', true, false), part: [{ content: 'a' }] });
      const { userData } = template({ user_data: ref(own, 'rendered') }, own);
      expect(
        userData.kind === 'choice' &&
          userData.alternatives.map(({ when, value }) => [when.text, value.kind === 'known' && value.value.layers]),
      ).toEqual([
        ['prod is true', ['gzip']],
        ['prod is false', []],
      ]);
    });
  });
});

describe('aws_autoscaling_group', () => {
  const workers = instance('aws_launch_template.workers', { name: 'workers' });
  const old = instance('aws_launch_configuration.old', { name: 'old' });
  const read = (attributes: Written, ...others: ReturnType<typeof instance>[]) =>
    readOne('self-managed-node-group', 'aws_autoscaling_group.it', [
      cluster,
      workers,
      old,
      ...others,
      instance('aws_autoscaling_group.it', attributes),
    ]);
  const tag: Written = { key: 'kubernetes.io/cluster/main', value: 'owned', propagate_at_launch: true };
  const usedBy = ({ launchTemplate }: ReturnType<typeof read>) =>
    launchTemplate.kind === 'known'
      ? (launchTemplate.value.template.target?.id ?? launchTemplate.value.template.text)
      : show(launchTemplate);
  const clusterOf = ({ cluster: value }: ReturnType<typeof read>) =>
    value.kind === 'known' ? (value.value.target?.id ?? value.value.text) : show(value);

  it('is a node group by its tag', () => {
    const found = read({
      tag: [{ key: 'Name', value: 'x' }, tag],
      launch_template: [{ id: ref(workers, 'id'), version: '$Latest' }],
      vpc_zone_identifier: ['subnet-1'],
      max_size: 0,
    });
    expect([clusterOf(found), usedBy(found), show(found.instanceTypes), show(found.maxSize)]).toEqual([
      'aws_eks_cluster.main',
      'aws_launch_template.workers',
      'absent',
      0,
    ]);
  });

  it.each<[string, Written, string]>([
    [
      'a tag with a reference in its key',
      { tag: [{ key: text('kubernetes.io/cluster/', ref(cluster, 'name')) as Unknown, value: 'shared' }] },
      'aws_eks_cluster.main',
    ],
    ['a tag as the provider took it before', { tags: [tag] }, 'aws_eks_cluster.main'],
    [
      'a tag of a cluster elsewhere',
      { tag: [{ key: 'kubernetes.io/cluster/elsewhere', value: 'owned' }] },
      'elsewhere',
    ],
  ])('is one by %s', (_, attributes, expected) => {
    expect(clusterOf(read(attributes))).toBe(expected);
  });

  it('is one by a tag that is a resource of its own', () => {
    const plain = instance('aws_autoscaling_group.it', {});
    const own = instance('aws_autoscaling_group_tag.it', { autoscaling_group_name: ref(plain, 'name'), tag: [tag] });
    expect(clusterOf(readOne('self-managed-node-group', 'aws_autoscaling_group.it', [cluster, plain, own]))).toBe(
      'aws_eks_cluster.main',
    );
  });

  it.each<[string, Written]>([
    ['without the tag', { tag: [{ key: 'Name', value: 'x' }] }],
    ['with another value', { tag: [{ key: 'kubernetes.io/cluster/main', value: 'no' }] }],
    ['with tags that nobody knows', { tag: unknown('var.tags') }],
  ])('is none %s', (_, attributes) => {
    expect(() => read(attributes)).toThrow('no self-managed-node-group');
  });

  it.each<[string, Written, string]>([
    ['a launch configuration', { launch_configuration: ref(old, 'name') }, 'aws_launch_configuration.old'],
    ['a launch configuration by name', { launch_configuration: 'old' }, 'aws_launch_configuration.old'],
    [
      'a mixed instances policy',
      {
        mixed_instances_policy: [
          {
            launch_template: [
              {
                launch_template_specification: [{ launch_template_id: ref(workers, 'id') }],
                override: [{ instance_type: 'm5.large' }],
              },
            ],
          },
        ],
      },
      'aws_launch_template.workers',
    ],
    [
      'a policy with several templates',
      {
        mixed_instances_policy: [
          {
            launch_template: [
              {
                launch_template_specification: [{ launch_template_id: ref(workers, 'id') }],
                override: [{ launch_template_specification: [{ launch_template_id: 'lt-9' }] }],
              },
            ],
          },
        ],
      },
      'absent',
    ],
  ])('uses %s', (_, attributes, expected) => {
    expect(usedBy(read({ tag: [tag], ...(attributes as object) }))).toBe(expected);
  });
});
