import { unknown } from '../../../terraform/instances';
import { attribute, expand, findings, type CallOptions, type Given } from './calls';

const GROUP = { source: 'cloudposse/eks-node-group/aws', address: 'module.nodes', region: 'eu-central-1' } as const;
const SIZES = { desired_size: 2, min_size: 2, max_size: 4, subnet_ids: ['subnet-1', 'subnet-2'] };

function group(given: Given, version = '3.4.0', options: CallOptions = {}) {
  return expand(
    { cluster_name: 'main', kubernetes_version: ['1.34'], ami_type: 'AL2023_x86_64_STANDARD', ...SIZES, ...given },
    { ...GROUP, version, ...options },
  );
}

const errors = (lines: readonly string[]) => lines.filter((line) => line.includes(' fail error'));

describe('cloudposse/eks-node-group', () => {
  const NODES = 'module.nodes.aws_eks_node_group.cbd[0]';
  const TEMPLATE = 'module.nodes.aws_launch_template.default[0]';

  test.each(['2.12.0', '3.0.1', '3.4.0', '>= 2.0', null])('%s: requires tokens with a hop limit of 2', (version) => {
    const module = expand({ cluster_name: 'main', ...SIZES }, { ...GROUP, version });
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_put_response_hop_limit')).toMatch(
      /^2 \(default of cloudposse\/eks-node-group\/aws/,
    );
    expect(attribute(module, TEMPLATE, 'metadata_options', 'http_tokens')).toMatch(/^required \(default of/);
  });

  test('is in order with a current AMI type', () => {
    expect(findings([group({})]).filter((line) => line.includes(' fail '))).toEqual([]);
    expect(
      errors(
        findings([
          group({
            before_cluster_joining_userdata: ['echo hello'],
            kubernetes_taints: [{ key: 'a', value: 'b', effect: 'NO_SCHEDULE' }],
          }),
        ]),
      ),
    ).toEqual([]);
  });

  test('what the call sets is judged', () => {
    expect(findings([group({ metadata_http_put_response_hop_limit: 1 })])).toContain('imds-hop-limit fail error');
    expect(
      findings([group({ metadata_http_tokens_required: false })]).filter((line) => line.startsWith('imds-v1 fail')),
    ).toHaveLength(1);
    expect(findings([group({ ami_type: 'AL2_x86_64' })])).toContain('ami-type-kubernetes-version fail error');
  });

  test('the AMI type of the module is AL2', () => {
    expect(
      attribute(expand({ cluster_name: 'main', ...SIZES }, { ...GROUP, version: '3.4.0' }), NODES, 'ami_type'),
    ).toBe('AL2_x86_64 (default of cloudposse/eks-node-group/aws 3)');
  });

  test("an image or a template of its own takes the place of the module's", () => {
    const image = group({ ami_image_id: ['ami-0123456789abcdef0'] });
    expect([
      attribute(image, NODES, 'ami_type'),
      attribute(image, NODES, 'version'),
      attribute(image, TEMPLATE, 'image_id'),
    ]).toEqual(['absent', 'absent', 'ami-0123456789abcdef0']);
    const template = group({ launch_template_id: ['lt-0123456789abcdef0'], launch_template_version: ['3'] });
    expect([
      attribute(template, NODES, 'launch_template', '0', 'id'),
      attribute(template, NODES, 'launch_template', '0', 'version'),
    ]).toEqual(['lt-0123456789abcdef0', '3']);
    expect(template.instances.some(({ type }) => type === 'aws_launch_template')).toBe(false);
    const started = group({
      ami_type: 'AL2_x86_64',
      kubernetes_version: ['1.32'],
      bootstrap_additional_options: ['--use-max-pods false'],
    });
    expect(attribute(started, TEMPLATE, 'image_id')).toMatch(/^\?/);
    expect(attribute(started, NODES, 'ami_type')).toBe('absent');
  });

  test('its role', () => {
    const policies = (given: Given, version: string) =>
      group(given, version).instances.flatMap(({ address }) => /policy_attachment\.(\w+)/.exec(address)?.[1] ?? []);
    expect(policies({}, '3.4.0')).toEqual([
      'amazon_eks_worker_node_policy',
      'amazon_ec2_container_registry_read_only',
      'ipv6_eks_cni_policy',
    ]);
    expect(policies({ node_role_cni_policy_enabled: false }, '3.4.0')).not.toContain('ipv6_eks_cni_policy');
    expect(policies({ node_role_arn: ['arn:aws:iam::111122223333:role/nodes'] }, '3.4.0')).toEqual([]);
    expect(
      attribute(group({}, '2.4.0'), 'module.nodes.aws_iam_role_policy_attachment.ipv6_eks_cni_policy[0]', 'policy_arn'),
    ).toMatch(/AmazonEKS_CNI_Policy/);
  });

  test('versions that are not known, and groups that are not made', () => {
    expect(() => group({}, '1.0.0')).toThrow();
    expect(group({ enabled: false }).instances).toEqual([]);
  });
});

describe('cloudposse/eks-cluster', () => {
  const CLUSTER = {
    source: 'git::https://github.com/cloudposse/terraform-aws-eks-cluster.git?ref=v4.11.0',
    version: null,
    address: 'module.cluster',
    region: 'eu-central-1',
  } as const;
  const cluster = (given: Given, options: CallOptions = {}) =>
    expand({ kubernetes_version: '1.35', subnet_ids: ['subnet-1', 'subnet-2'], ...given }, { ...CLUSTER, ...options });
  const ADDON = 'module.cluster.aws_eks_addon.cluster["vpc-cni"]';
  const CNI = { addon_name: 'vpc-cni', addon_version: 'v1.20.4-eksbuild.1' };

  test('has what the call says', () => {
    const module = cluster({ kubernetes_network_ipv6_enabled: true, bootstrap_self_managed_addons_enabled: false });
    const field = (...path: string[]) => attribute(module, 'module.cluster.aws_eks_cluster.default[0]', ...path);
    expect([field('version'), field('bootstrap_self_managed_addons')]).toEqual(['1.35', 'false']);
    expect(field('kubernetes_network_config', '0', 'ip_family')).toMatch(/^ipv6/);
    expect(field('access_config', '0', 'authentication_mode')).toMatch(/^API \(default/);
    expect(attribute(expand({}, { ...CLUSTER }), 'module.cluster.aws_eks_cluster.default[0]', 'version')).toBe(
      '1.21 (default of cloudposse/eks-cluster/aws 4)',
    );
  });

  test('add-ons leave conflicts to EKS unless the call settles them', () => {
    expect(errors(findings([cluster({ addons: [CNI] })]))).toEqual([]);
    expect(attribute(cluster({ addons: [CNI] }), ADDON, 'resolve_conflicts_on_update')).toBe('absent');
    expect(findings([cluster({ addons: [{ ...CNI, resolve_conflicts_on_update: 'OVERWRITE' }] })])).toContain(
      'vpc-cni-resolve-conflicts fail error',
    );
    expect(
      attribute(
        cluster({ addons: [{ ...CNI, resolve_conflicts: 'OVERWRITE' }] }),
        ADDON,
        'resolve_conflicts_on_update',
      ),
    ).toMatch(/^\?/);
    const old = cluster(
      { addons: [{ ...CNI, resolve_conflicts: 'OVERWRITE', configuration_values: '{}' }] },
      { source: 'cloudposse/eks-cluster/aws', version: '2.8.1' },
    );
    expect([attribute(old, ADDON, 'resolve_conflicts'), attribute(old, ADDON, 'configuration_values')]).toEqual([
      'OVERWRITE',
      'absent',
    ]);
    expect(
      attribute(
        cluster({
          addons: [{ ...CNI, pod_identity_association: { 'aws-node': 'arn:aws:iam::111122223333:role/cni' } }],
        }),
        ADDON,
        'pod_identity_association',
        '0',
        'service_account',
      ),
    ).toBe('aws-node');
  });

  test('what is not known is no verdict', () => {
    expect(
      errors(
        findings([
          cluster({ addons: unknown('addons') }),
          cluster({ addons: [unknown('addon')], kubernetes_version: unknown('version') }),
        ]),
      ),
    ).toEqual([]);
  });
});
