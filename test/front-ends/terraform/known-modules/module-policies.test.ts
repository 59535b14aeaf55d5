import { instance, unknown } from '../../../terraform/instances';
import { attribute, expand, findings, type Given } from './calls';

/*
 * What the modules for roles of service accounts grant. The verdicts follow from the policies that kubernetes-sigs/aws-load-balancer-controller
 * publishes with its versions, and from the releases of the modules.
 */

const PROVIDER =
  'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
const cluster = instance('aws_eks_cluster.main', { name: 'main', version: '1.33' });

const V5 = 'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks';
const V6 = 'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts';
const POD_IDENTITY = 'terraform-aws-modules/eks-pod-identity/aws';

/** A controller that a chart installs, with the role of a module. */
function judged(chart: string, chartVersion: string, source: string, version: string, given: Given): string[] {
  const namespace = 'kube-system';
  const ofPods = source === POD_IDENTITY;
  const association = { cluster_name: 'main', namespace, service_account: chart };
  const providers = { main: { provider_arn: PROVIDER, namespace_service_accounts: [`${namespace}:${chart}`] } };
  const module = expand(
    { ...(ofPods ? { name: 'it', associations: { it: association } } : { oidc_providers: providers }), ...given },
    { source, version, address: 'module.role', region: 'eu-central-1' },
  );
  const role = module.outputs.get(source === V6 ? 'arn' : 'iam_role_arn') ?? null;
  const annotation = { name: 'serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn', value: role };
  const release = instance('helm_release.it', {
    name: chart,
    chart,
    namespace,
    version: chartVersion,
    set: [
      { name: 'serviceAccount.name', value: chart },
      { name: 'provider.name', value: 'aws' },
      { name: 'vpcId', value: 'vpc-1' },
      ...(ofPods ? [] : [annotation]),
    ],
  });
  return findings([module], [cluster, release]).filter((line) =>
    /^(?:load-balancer-controller-policy|external-dns-policy|irsa)/.test(line),
  );
}

const lbc = (chartVersion: string, source: string, version: string, given: Given = {}) =>
  judged('aws-load-balancer-controller', chartVersion, source, version, {
    [source === POD_IDENTITY ? 'attach_aws_lb_controller_policy' : 'attach_load_balancer_controller_policy']: true,
    ...given,
  });

describe('the AWS Load Balancer Controller', () => {
  test.each([
    // Charts with what their controllers call: 1.13 has 2.13, 1.8 has 2.8, 1.17 has 2.17.
    ['1.13.4', V5, '5.60.0'],
    ['1.13.4', V6, '6.5.0'],
    ['1.17.1', V6, '~> 6.0'],
    ['1.13.4', POD_IDENTITY, '2.8.1'],
  ])('has with chart %s what it calls from %s %s', (chart, source, version) => {
    expect(lbc(chart, source, version)).toEqual([]);
  });

  test.each([
    [V5, '5.34.0'],
    [POD_IDENTITY, '1.2.0'],
  ])('has what an old one calls from %s %s, and not what Elastic Load Balancing asks for by now', (source, version) => {
    expect(lbc('1.8.1', source, version)).toEqual(['load-balancer-controller-policy fail info']);
  });

  test('lacks what a release of the module that is older than it does not grant', () => {
    expect(lbc('1.13.4', V5, '5.34.0')).toEqual(['load-balancer-controller-policy fail error']);
    expect(lbc('1.13.4', POD_IDENTITY, '1.2.0')).toEqual(['load-balancer-controller-policy fail error']);
  });

  test('may have more where the versions that Terraform may choose differ', () => {
    expect(lbc('1.13.4', V5, '>= 4.12')).toEqual(['load-balancer-controller-policy unverifiable info']);
  });

  test('registers targets only with the policy for that', () => {
    const only = {
      attach_load_balancer_controller_policy: false,
      attach_load_balancer_controller_targetgroup_binding_only_policy: true,
      load_balancer_controller_targetgroup_arns: ['*'],
    };
    expect(lbc('1.13.4', V5, '5.60.0', only)).toEqual(['load-balancer-controller-policy fail info']);
  });

  test('has the policy beside others', () => {
    const both = {
      attach_external_dns_policy: true,
      external_dns_hosted_zone_arns: ['arn:aws:route53:::hostedzone/Z1'],
    };
    expect(lbc('1.13.4', V5, '5.60.0', both)).toEqual([]);
    expect(lbc('1.13.4', V6, '6.5.0', both)).toEqual([]);
  });
});

describe('ExternalDNS', () => {
  const dns = (source: string, version: string, given: Given = {}) =>
    judged('external-dns', '1.15.0', source, version, { attach_external_dns_policy: true, ...given });

  test('may change all zones by default up to version 5, and those of the call', () => {
    // Every zone of the account, which is told.
    expect(dns(V5, '5.60.0')).toEqual(['external-dns-policy fail warning']);
    const zones = { external_dns_hosted_zone_arns: ['arn:aws:route53:::hostedzone/Z1'] };
    expect(dns(V5, '5.60.0', zones)).toEqual([]);
    expect(dns(V6, '6.5.0', zones)).toEqual([]);
    expect(dns(POD_IDENTITY, '2.8.1', zones)).toEqual([]);
  });

  test('has a statement without zones from version 6 on, which IAM refuses', () => {
    expect(dns(V6, '6.5.0')).toEqual(['external-dns-policy unverifiable info']);
    expect(dns(V6, '6.5.0', { external_dns_hosted_zone_arns: unknown('zones') })).toEqual([
      'external-dns-policy unverifiable info',
    ]);
  });
});

test('statements that depend on the call', () => {
  const statements = (given: Given) =>
    attribute(
      expand(
        { attach_cluster_autoscaler_policy: true, ...given },
        { source: V6, version: '6.5.0', address: 'module.role', region: 'eu-central-1' },
      ),
      'module.role.data.aws_iam_policy_document.cluster_autoscaler[0]',
      'statement',
    );
  expect(statements({})).not.toContain('autoscaling:SetDesiredCapacity');
  const two = statements({ cluster_autoscaler_cluster_names: ['a', 'b'] });
  expect(two).toContain('autoscaling:ResourceTag/kubernetes.io/cluster/a');
  expect(two).toContain('autoscaling:ResourceTag/kubernetes.io/cluster/b');
  expect(statements({ cluster_autoscaler_cluster_names: unknown('names') })).toContain('is not known');
});
