import { SecurityGroup, type SecurityGroupConfig } from '@cdktf/provider-aws/lib/security-group';
import type { TerraformStack } from 'cdktf';
import {
  ConstructionError,
  LabelOperator,
  PodSecurityGroupPolicy,
  VpcCniAddon,
  type ICluster,
  type PodSecurityGroupPolicyProps,
} from '../../../constructs/cdktf';
import { newCluster, newStack, resourcesOf } from './stacks';

type Options = Partial<Omit<PodSecurityGroupPolicyProps, 'cluster'>>;

function make(
  options: Options = {},
  makeCluster: (stack: TerraformStack) => ICluster = newCluster,
): { stack: TerraformStack; policy: PodSecurityGroupPolicy; cluster: ICluster } {
  const stack = newStack();
  const cluster = makeCluster(stack);
  return {
    stack,
    cluster,
    policy: new PodSecurityGroupPolicy(stack, 'ApiPods', {
      cluster,
      securityGroups: ['sg-a'],
      podSelector: { matchLabels: { app: 'api' } },
      ...options,
    }),
  };
}

const group = (stack: TerraformStack, config: Partial<SecurityGroupConfig> = {}, id = 'Pods') =>
  new SecurityGroup(stack, id, { vpcId: 'vpc-0123456789abcdef0', ...config });
const attributes = (): ICluster => ({ clusterName: 'main' });

/** The rules of a direction, `tcp 53 at <group> for <group>`. */
const rules = (stack: TerraformStack, direction: 'ingress' | 'egress') =>
  Object.values(resourcesOf(stack, `aws_vpc_security_group_${direction}_rule`)).map(
    (rule) =>
      `${String(rule['ip_protocol'])} ${String(rule['from_port'])} at ${shortOf(rule['security_group_id'])} for ${shortOf(rule['referenced_security_group_id'])}`,
  );
const shortOf = (id: unknown): string => (String(id).includes('cluster_security_group_id') ? 'cluster' : String(id));

describe('the manifest', () => {
  it("is that of the cluster's API", () => {
    const { policy } = make({ namespace: 'shop', name: 'api' });
    expect(policy.manifest).toEqual({
      apiVersion: 'vpcresources.k8s.aws/v1beta1',
      kind: 'SecurityGroupPolicy',
      metadata: { name: 'api', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'api' } }, securityGroups: { groupIds: ['sg-a'] } },
    });
  });

  it('has both selectors, expressions, a name of its own, and each group once', () => {
    const stack = newStack();
    const pods = group(stack);
    const policy = new PodSecurityGroupPolicy(stack, 'Api_Pods', {
      cluster: newCluster(stack),
      securityGroups: [pods, 'sg-a', pods, 'sg-a'],
      podSelector: {},
      serviceAccountSelector: {
        matchExpressions: [
          { key: 'example.com/tier', operator: LabelOperator.IN, values: ['web', 'api'] },
          { key: 'legacy', operator: LabelOperator.DOES_NOT_EXIST },
        ],
      },
    });
    expect(policy.manifest).toMatchObject({
      metadata: { name: 'api-pods', namespace: 'default' },
      spec: {
        podSelector: {},
        serviceAccountSelector: {
          matchExpressions: [
            { key: 'example.com/tier', operator: 'In', values: ['web', 'api'] },
            { key: 'legacy', operator: 'DoesNotExist' },
          ],
        },
      },
    });
    expect(policy.manifest.spec.securityGroups.groupIds).toHaveLength(2);
  });

  it.each<[string, Options, string]>([
    [
      'no selector',
      { podSelector: undefined },
      'podSelector and serviceAccountSelector are missing; EKS then ignores the policy silently',
    ],
    ['no groups', { securityGroups: [] }, 'securityGroups is empty; EKS then ignores the policy silently'],
    ['six groups', { securityGroups: ['1', '2', '3', '4', '5', '6'] }, 'securityGroups has 6 groups'],
    ['a namespace with capitals', { namespace: 'Shop' }, 'namespace is "Shop"'],
    ['a name with a space', { name: 'my policy' }, 'name is "my policy"'],
    [
      "a label that Kubernetes doesn't take",
      { podSelector: { matchLabels: { app: 'a b' } } },
      'podSelector.matchLabels has "app" with the value "a b"',
    ],
    [
      'an expression without values',
      { podSelector: { matchExpressions: [{ key: 'app', operator: LabelOperator.IN }] } },
      '"app" with In and no values',
    ],
    ['no port', { probePorts: [0] }, 'probePorts has 0'],
  ] as [string, Options, string][])('refuses %s', (_, options, message) => {
    expect(() => make(options)).toThrow(message);
    expect(() => make(options)).toThrow(ConstructionError);
  });

  it('takes tokens', () => {
    expect(() =>
      make({
        namespace: '${var.namespace}',
        name: '${var.name}',
        podSelector: { matchLabels: { app: '${var.app} x' } },
      }),
    ).not.toThrow();
  });
});

describe('traffic', () => {
  it('lets the pods ask CoreDNS, and the kubelet probe them', () => {
    const { stack } = make({ probePorts: [8080] });
    expect(rules(stack, 'ingress')).toEqual([
      'tcp 53 at cluster for sg-a',
      'udp 53 at cluster for sg-a',
      'tcp 8080 at sg-a for cluster',
    ]);
    expect(rules(stack, 'egress')).toEqual([]);
  });

  it('goes out of groups of the app, to which Terraform gives no egress rule', () => {
    const stack = newStack();
    const pods = group(stack);
    const everywhere = group(
      stack,
      { egress: [{ fromPort: 0, toPort: 0, protocol: '-1', cidrBlocks: ['0.0.0.0/0'] }] },
      'Open',
    );
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: newCluster(stack),
      securityGroups: [pods, everywhere],
      podSelector: {},
    });
    expect(rules(stack, 'egress')).toEqual([
      'tcp 53 at ${aws_security_group.Pods.id} for cluster',
      'udp 53 at ${aws_security_group.Pods.id} for cluster',
    ]);
    expect(rules(stack, 'ingress')).toHaveLength(4);
  });

  it('is refused where Terraform would remove the rule of a probe', () => {
    const stack = newStack();
    const inline = group(stack, { ingress: [{ fromPort: 80, toPort: 80, protocol: 'tcp', selfAttribute: true }] });
    const props = { cluster: newCluster(stack), securityGroups: [inline], podSelector: {} };
    expect(() => new PodSecurityGroupPolicy(stack, 'Probed', { ...props, probePorts: [80] })).toThrow(
      'security group Test/Pods has its ingress rules inline',
    );
    expect(() => new PodSecurityGroupPolicy(stack, 'Policy', props)).not.toThrow();
  });

  it("is left alone on demand, and for the cluster's own group", () => {
    expect(rules(make({ allowDns: false }).stack, 'ingress')).toEqual([]);
    const stack = newStack();
    const cluster = newCluster(stack);
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster,
      securityGroups: [cluster.vpcConfig.clusterSecurityGroupId, 'sg-a'],
      podSelector: {},
    });
    expect(rules(stack, 'ingress')).toEqual([]);
  });

  it('of two policies of one group is allowed once', () => {
    const { stack, cluster } = make();
    new PodSecurityGroupPolicy(stack, 'Other', {
      cluster,
      securityGroups: ['sg-a'],
      podSelector: {},
      namespace: 'shop',
    });
    expect(rules(stack, 'ingress')).toHaveLength(2);
  });

  it('needs the security group of the cluster when it is asked for', () => {
    expect(rules(make({}, attributes).stack, 'ingress')).toEqual([]);
    expect(() => make({ allowDns: true }, attributes)).toThrow(
      "allowDns is true, but the cluster doesn't tell its security group",
    );
    expect(() => make({ probePorts: [80] }, attributes)).toThrow('probePorts is set, but');
    expect(rules(make({}, () => ({ clusterName: 'main', securityGroupId: 'sg-c' })).stack, 'ingress')).toEqual([
      'tcp 53 at sg-c for sg-a',
      'udp 53 at sg-c for sg-a',
    ]);
  });
});

describe('the add-on', () => {
  it.each([true, false])('comes before the policy (defined first: %p), unless the pods run on Fargate', (isFirst) => {
    for (const onFargate of [false, true]) {
      const stack = newStack();
      const cluster = newCluster(stack);
      const addon = () => new VpcCniAddon(stack, 'Cni', { cluster, podSecurityGroups: {} });
      const early = isFirst ? addon() : undefined;
      const policy = new PodSecurityGroupPolicy(stack, 'Policy', {
        cluster,
        securityGroups: ['sg-a'],
        podSelector: {},
        onFargate,
      });
      const made = early ?? addon();
      expect(policy.dependencies.includes(made.addon)).toBe(!onFargate);
      expect(policy.dependencies).toHaveLength(onFargate ? 2 : 3);
    }
  });

  it('must have security groups for pods, unless the pods run on Fargate', () => {
    const made = (options: Options) => {
      const { stack, cluster } = make(options);
      new VpcCniAddon(stack, 'Cni', { cluster });
      return () => resourcesOf(stack, 'aws_eks_addon');
    };
    expect(made({})).toThrow('the vpc-cni add-on Test/Cni has no podSecurityGroups');
    expect(made({ onFargate: true })).not.toThrow();
  });
});
