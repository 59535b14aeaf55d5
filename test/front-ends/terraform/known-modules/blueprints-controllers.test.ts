import { instance, ref, unknown } from '../../../terraform/instances';
import { attribute, expand, findings, type Given } from './calls';

const PROVIDER =
  'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';

const call = (given: Given, version = '1.24.3', kubernetes = '1.34') =>
  expand(
    { cluster_name: 'main', cluster_version: kubernetes, oidc_provider_arn: PROVIDER, ...given },
    { source: 'aws-ia/eks-blueprints-addons/aws', version, address: 'module.addons', region: 'eu-central-1' },
  );

/** What rules about controllers and instance metadata say of a cluster with such a call. */
function said(given: Given, version?: string, kubernetes = '1.34', hops = 2) {
  const cluster = instance('aws_eks_cluster.main', { name: 'main', version: kubernetes });
  const template = instance('aws_launch_template.nodes', {
    metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: hops }],
  });
  const group = instance('aws_eks_node_group.nodes', {
    cluster_name: ref(cluster, 'name'),
    launch_template: [{ id: ref(template, 'id'), version: '1' }],
  });
  return findings([call(given, version, kubernetes)], [cluster, template, group]).filter((line) =>
    /^(?:load-balancer-controller|external-dns|irsa|pod-identity|imds)/.test(line),
  );
}

const release = (name: string) => `module.addons.module.${name}.helm_release.this[0]`;
const VPC = { set: [{ name: 'vpcId', value: 'vpc-1' }] };
const ZONES = ['arn:aws:route53:::hostedzone/Z0123456789'];

describe('the AWS Load Balancer Controller', () => {
  // Older releases have a policy without what Elastic Load Balancing asks for by now.
  test.each([
    ['1.24.3', []],
    ['1.16.4', ['load-balancer-controller-policy fail info']],
    ['1.12.0', ['load-balancer-controller-policy fail info']],
    ['~> 1.16', []],
  ])('has in version %s the policy that its chart calls for', (version, expected) => {
    expect(said({ enable_aws_load_balancer_controller: true, aws_load_balancer_controller: VPC }, version)).toEqual(
      expected,
    );
  });

  test('has the chart of the release, unless the call names one', () => {
    const of = (given: Given, version: string) =>
      attribute(
        call({ enable_aws_load_balancer_controller: true, aws_load_balancer_controller: given }, version),
        release('aws_load_balancer_controller'),
        'version',
      );
    expect(of({}, '1.16.0')).toMatch(/^1\.7\.1 \(default of /);
    expect(of({}, '1.15.1')).toMatch(/^1\.6\.0 \(default of /);
    expect(of({ chart_version: '1.13.0' }, '1.16.0')).toBe('1.13.0');
  });

  test('lacks what a newer chart calls, where the release of the module is older', () => {
    const newer = { ...VPC, chart_version: '1.13.0' };
    const given = { enable_aws_load_balancer_controller: true, aws_load_balancer_controller: newer };
    expect(said(given, '1.16.3')).toEqual(['load-balancer-controller-policy fail error']);
    expect(said(given, '1.24.3')).toEqual([]);
    const statement = { actions: ['elasticloadbalancing:*', 'ec2:*'], resources: ['*'] };
    expect(
      said({ ...given, aws_load_balancer_controller: { ...newer, policy_statements: [statement] } }, '1.16.3'),
    ).toEqual([]);
    const attached = { all: 'arn:aws:iam::aws:policy/AdministratorAccess' };
    expect(said({ ...given, aws_load_balancer_controller: { ...newer, role_policies: attached } }, '1.16.3')).toEqual(
      [],
    );
  });

  test('looks up its VPC on the nodes, unless the call names it', () => {
    const withOneHop = (given: Given) =>
      said({ enable_aws_load_balancer_controller: true, aws_load_balancer_controller: given }, undefined, '1.34', 1);
    // Pods that are no part of the input may still need more hops.
    expect(withOneHop(VPC)).toEqual(['imds-hop-limit fail warning']);
    expect(withOneHop({ values: ['vpcId: vpc-1'] })).toEqual(['imds-hop-limit fail warning']);
    expect(withOneHop({})).toEqual(['imds-hop-limit fail error']);
    expect(said({ enable_aws_load_balancer_controller: true })).toEqual([]);
  });

  test('is too old for newer clusters in early releases', () => {
    expect(
      said(
        { enable_aws_load_balancer_controller: true, aws_load_balancer_controller: { ...VPC, chart_version: '1.4.1' } },
        '1.0.0',
        '1.33',
      ),
    ).toEqual(['load-balancer-controller-policy unverifiable info', 'load-balancer-controller-version fail warning']);
  });

  test('is no release where GitOps installs it', () => {
    const module = call({ enable_aws_load_balancer_controller: true, create_kubernetes_resources: false });
    expect(module.instances.map(({ type }) => type)).not.toContain('helm_release');
    expect(module.instances.map(({ type }) => type)).toContain('aws_iam_role');
    expect(call({}).instances).toEqual([]);
    expect(call({ enable_aws_load_balancer_controller: false }).instances).toEqual([]);
  });
});

test.each<[string, Given, string]>([
  ['the name that is given', { role_name_use_prefix: false }, 'lbc'],
  ['a prefix only by default', {}, '? it has a prefix only'],
  ['a prefix only, which may be given', { role_name_use_prefix: unknown('var.prefix') }, '? it has a prefix only'],
])('the role of a controller has %s', (_, given, expected) => {
  const module = call({
    enable_aws_load_balancer_controller: true,
    aws_load_balancer_controller: { role_name: 'lbc', ...given },
  });
  expect(attribute(module, 'module.addons.module.aws_load_balancer_controller.aws_iam_role.this[0]', 'name')).toBe(
    expected,
  );
});

describe('ExternalDNS', () => {
  test('may change the zones that the call names', () => {
    const given = { enable_external_dns: true, external_dns_route53_zone_arns: ZONES };
    expect(said(given)).toEqual([]);
    expect(said(given, '1.0.0')).toEqual([]);
  });

  test('has no role without zones', () => {
    const module = call({ enable_external_dns: true });
    expect(module.instances.map(({ type }) => type)).toEqual(['helm_release']);
    expect(said({ enable_external_dns: true, external_dns_route53_zone_arns: unknown('zones') })).toEqual([
      'external-dns-policy unverifiable info',
    ]);
  });
});

test('the Cluster Autoscaler has the image of the Kubernetes version', () => {
  const image = (kubernetes: string, given: Given = {}) =>
    attribute(
      call({ enable_cluster_autoscaler: true, cluster_autoscaler: given }, '1.24.3', kubernetes),
      release('cluster_autoscaler'),
      'set',
      '2',
      'value',
    );
  expect(image('1.32')).toMatch(/^v1\.32\.1 /);
  expect(image('1.34')).toMatch(/^v1\.34\.0 /);
  expect(image('1.34', { image_tag_override: 'v1.34.2' })).toBe('v1.34.2');
  expect(said({ enable_cluster_autoscaler: true })).toEqual([]);
});

test("Karpenter's release and role", () => {
  const module = call({ enable_karpenter: true, karpenter: { namespace: 'kube-system', chart_version: '1.8.1' } });
  expect(attribute(module, release('karpenter'), 'version')).toBe('1.8.1');
  expect(attribute(module, release('karpenter'), 'namespace')).toBe('kube-system');
  expect(attribute(call({ enable_karpenter: true }), release('karpenter'), 'version')).toMatch(/^0\.37\.0 /);
  expect(said({ enable_karpenter: true })).toEqual([]);
});
