import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import {
  ConstructionError,
  LabelOperator,
  ManagedNodeGroup,
  PodSecurityGroupMode,
  PodSecurityGroupPolicy,
  VpcCniAddon,
  type ICluster,
  type PodSecurityGroupPolicyProps,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import {
  customCluster,
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  resourcesOf,
  textOf,
  type TemplateResource,
} from './clusters';

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
type Options = Partial<Omit<PodSecurityGroupPolicyProps, 'cluster'>>;

const groupsOf = (stack: Stack, ...ids: string[]) =>
  ids.map((id) => ec2.SecurityGroup.fromSecurityGroupId(stack, `Group${id}`, `sg-${id}`));
const cluster = (stack: Stack) => nativeCluster(stack, { kubectl: true, vpc: importedVpc(stack) });

function make(
  options: Options = {},
  makeCluster: (stack: Stack) => ICluster = cluster,
): { stack: Stack; policy: PodSecurityGroupPolicy } {
  const stack = newStack();
  const policy = new PodSecurityGroupPolicy(stack, 'Policy', {
    cluster: makeCluster(stack),
    securityGroups: groupsOf(stack, 'a'),
    podSelector: { matchLabels: { app: 'api' } },
    ...options,
  });
  return { stack, policy };
}

/** The SecurityGroupPolicy of a template, as CDK's handler gets it. */
function policyOf(stack: Stack): { resource: TemplateResource; manifest: unknown } {
  const [resource] = resourcesOf(stack, MANIFEST).filter(({ Properties }) =>
    textOf(Properties.Manifest).includes('SecurityGroupPolicy'),
  );
  if (resource === undefined) throw new Error('no policy');
  const [manifest] = JSON.parse(textOf(resource.Properties.Manifest)) as { metadata: { labels?: unknown } }[];
  delete manifest?.metadata.labels;
  return { resource, manifest };
}

describe('the manifest', () => {
  it.each<[string, (stack: Stack) => ICluster]>([
    ['an aws-eks-v2 cluster', cluster],
    ['an aws-eks cluster', (stack) => customCluster(stack, { vpc: importedVpc(stack) })],
    [
      'an imported aws-eks-v2 cluster',
      (stack) =>
        eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', {
          clusterName: 'main',
          kubectlProvider: kubectlProvider(stack),
          vpc: importedVpc(stack),
        }),
    ],
    [
      'an imported aws-eks cluster',
      (stack) => {
        const kubectlProvider = eks.KubectlProvider.fromKubectlProviderAttributes(stack, 'Provider', {
          functionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:k',
          kubectlRoleArn: 'arn:aws:iam::111122223333:role/k',
          handlerRole: iam.Role.fromRoleArn(stack, 'HandlerRole', 'arn:aws:iam::111122223333:role/handler'),
        });
        return eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'main', kubectlProvider });
      },
    ],
  ])('is applied to %s', (_, makeCluster) => {
    const { stack, policy } = make({ namespace: 'shop', name: 'api' }, makeCluster);
    expect(policyOf(stack).manifest).toEqual({
      apiVersion: 'vpcresources.k8s.aws/v1beta1',
      kind: 'SecurityGroupPolicy',
      metadata: { name: 'api', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'api' } }, securityGroups: { groupIds: ['sg-a'] } },
    });
    expect([policy.policyName, policy.namespace]).toEqual(['api', 'shop']);
  });

  it('has both selectors, expressions, a name of its own, and each group once', () => {
    const { stack, policy } = make({
      podSelector: {},
      serviceAccountSelector: {
        matchExpressions: [
          { key: 'example.com/tier', operator: LabelOperator.IN, values: ['web', 'api'] },
          { key: 'legacy', operator: LabelOperator.DOES_NOT_EXIST },
        ],
      },
    });
    expect(policyOf(stack).manifest).toMatchObject({
      metadata: { name: policy.policyName, namespace: 'default' },
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
    expect(policy.policyName).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
    const twice = newStack();
    const [group] = groupsOf(twice, 'a');
    const securityGroups = group === undefined ? [] : [group, group];
    new PodSecurityGroupPolicy(twice, 'Policy', { cluster: cluster(twice), securityGroups, podSelector: {} });
    expect(policyOf(twice).manifest).toMatchObject({ spec: { securityGroups: { groupIds: ['sg-a'] } } });
  });

  it('takes groups that are known at deployment', () => {
    const stack = newStack();
    const id = new CfnParameter(stack, 'GroupId').valueAsString;
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: cluster(stack),
      securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'Group', id)],
      podSelector: {},
      allowDns: false,
    });
    expect(policyOf(stack).manifest).toMatchObject({ spec: { securityGroups: { groupIds: ['${GroupId}'] } } });
  });

  it('refuses no selector', () => {
    const stack = newStack();
    expect(
      () =>
        new PodSecurityGroupPolicy(stack, 'Policy', { cluster: cluster(stack), securityGroups: groupsOf(stack, 'a') }),
    ).toThrow('podSelector and serviceAccountSelector are missing; EKS then ignores the policy silently');
  });

  it.each<[string, Options | ((stack: Stack) => Options), string]>([
    ['no groups', { securityGroups: [] }, 'securityGroups is empty; EKS then ignores the policy silently'],
    [
      'six groups',
      (stack) => ({ securityGroups: groupsOf(stack, '1', '2', '3', '4', '5', '6') }),
      'securityGroups has 6 groups; EKS documents 5 at most',
    ],
    ["a namespace that Kubernetes doesn't take", { namespace: 'Shop' }, 'namespace is "Shop"'],
    ["a name that Kubernetes doesn't take", { name: 'api_v1' }, 'name is "api_v1"'],
    [
      "a label that Kubernetes doesn't take",
      { podSelector: { matchLabels: { 'app name': 'api' } } },
      'podSelector.matchLabels has "app name"',
    ],
    [
      "a value that Kubernetes doesn't take",
      { podSelector: { matchLabels: { app: 'api/v1' } } },
      'podSelector.matchLabels has "app" with the value "api/v1"',
    ],
    [
      'In without values',
      { podSelector: { matchExpressions: [{ key: 'app', operator: LabelOperator.IN }] } },
      'has "app" with In and no values',
    ],
    [
      'Exists with values',
      { podSelector: { matchExpressions: [{ key: 'app', operator: LabelOperator.EXISTS, values: ['api'] }] } },
      'has "app" with Exists and values',
    ],
    ['no port', { probePorts: [0] }, 'probePorts has 0'],
  ])('refuses %s', (_, options, message) => {
    const stack = newStack();
    const given = typeof options === 'function' ? options(stack) : options;
    const refused = () =>
      new PodSecurityGroupPolicy(stack, 'Policy', {
        cluster: cluster(stack),
        securityGroups: groupsOf(stack, 'a'),
        podSelector: {},
        ...given,
      });
    expect(refused).toThrow(message);
    expect(() => make(given)).toThrow(ConstructionError);
  });

  it.each<[string, (stack: Stack) => ICluster]>([
    ['an aws-eks-v2 cluster', (stack) => nativeCluster(stack)],
    ['an imported cluster', (stack) => importedCluster(stack, 'aws-eks')],
  ])('needs a kubectl provider of %s', (_, makeCluster) => {
    expect(() => make({}, makeCluster)).toThrow('the cluster has no kubectl provider');
  });
});

describe('traffic', () => {
  const ports = (stack: Stack, direction: 'Ingress' | 'Egress') =>
    resourcesOf(stack, `AWS::EC2::SecurityGroup${direction}`).map(
      ({ Properties }) =>
        `${String(Properties.IpProtocol)} ${String(Properties.FromPort)} at ${textOf(Properties.GroupId).replace(/\$\{.*\}/, 'cluster')}`,
    );

  it('lets the pods ask CoreDNS, and the kubelet probe them', () => {
    const { stack } = make({ probePorts: [8080] });
    expect(ports(stack, 'Ingress')).toEqual(['tcp 53 at cluster', 'udp 53 at cluster', 'tcp 8080 at sg-a']);
  });

  it("goes out of groups that don't allow it by themselves", () => {
    const stack = newStack();
    const vpc = importedVpc(stack);
    const group = new ec2.SecurityGroup(stack, 'Pods', { vpc, allowAllOutbound: false });
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: nativeCluster(stack, { kubectl: true, vpc }),
      securityGroups: [group],
      podSelector: {},
    });
    expect(resourcesOf(stack, 'AWS::EC2::SecurityGroupEgress').map(({ Properties }) => Properties.ToPort)).toEqual([
      53, 53,
    ]);
  });

  it("is left alone on demand, and for the cluster's own group", () => {
    expect(ports(make({ allowDns: false }).stack, 'Ingress')).toEqual([]);
    const stack = newStack();
    const own = cluster(stack);
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: own,
      securityGroups: [own.clusterSecurityGroup, ...groupsOf(stack, 'a')],
      podSelector: {},
    });
    expect(ports(stack, 'Ingress')).toEqual([]);
  });

  it('two policies of one group make its rules once', () => {
    const stack = newStack();
    const props = { cluster: cluster(stack), securityGroups: groupsOf(stack, 'a') };
    new PodSecurityGroupPolicy(stack, 'One', { ...props, podSelector: {} });
    new PodSecurityGroupPolicy(stack, 'Two', { ...props, podSelector: {}, namespace: 'shop' });
    expect(ports(stack, 'Ingress')).toHaveLength(2);
  });

  it('needs the security group of an imported cluster when it is asked for', () => {
    const imported = (stack: Stack) =>
      eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', {
        clusterName: 'main',
        kubectlProvider: kubectlProvider(stack),
      });
    expect(ports(make({}, imported).stack, 'Ingress')).toEqual([]);
    expect(() => make({ allowDns: true }, imported)).toThrow(
      "allowDns is true, but the imported cluster doesn't tell its security group",
    );
    expect(() => make({ probePorts: [80] }, imported)).toThrow('probePorts is set, but');
  });
});

describe.each([
  ['an aws-eks-v2 cluster', cluster],
  ['an aws-eks cluster', (stack: Stack) => customCluster(stack, { vpc: importedVpc(stack) })],
])('with add-on and nodes on %s', (_, makeCluster) => {
  it.each([{}, { mode: PodSecurityGroupMode.STANDARD }])('every rule passes: %j', (podSecurityGroups) => {
    const stack = newStack('eu-west-1');
    const own = makeCluster(stack);
    new VpcCniAddon(stack, 'Cni', { cluster: own, podSecurityGroups, env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } });
    new ManagedNodeGroup(stack, 'Workers', { cluster: own });
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: own,
      securityGroups: groupsOf(stack, 'a', 'b'),
      podSelector: { matchLabels: { app: 'api' } },
      probePorts: [8080],
    });
    const { resources, diagnostics } = readTemplates([
      { file: 'template.json', text: JSON.stringify(Template.fromStack(stack).toJSON()) },
    ]);
    expect(diagnostics).toEqual([]);
    const findings = runRules(new EksModel(resources), allRules);
    // The cluster is scenery: its version ages.
    const failed = findings.filter(
      ({ verdict, severity, suppressed, resource }) =>
        verdict === 'fail' &&
        severity !== 'info' &&
        suppressed === undefined &&
        resource.type !== 'AWS::EKS::Cluster' &&
        resource.type !== 'Custom::AWSCDK-EKS-Cluster',
    );
    expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });
});

describe('the add-on', () => {
  it.each([true, false])('comes before the policy (defined first: %p)', (addonFirst) => {
    const stack = newStack();
    const own = cluster(stack);
    const addon = () => new VpcCniAddon(stack, 'Cni', { cluster: own, podSecurityGroups: {} });
    if (addonFirst) addon();
    new PodSecurityGroupPolicy(stack, 'Policy', {
      cluster: own,
      securityGroups: groupsOf(stack, 'a'),
      podSelector: {},
    });
    if (!addonFirst) addon();
    expect(policyOf(stack).resource.DependsOn).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Cni[0-9A-F]+$/)]),
    );
  });

  it('must have security groups for pods, unless the pods run on Fargate', () => {
    const made = (options: Options) => {
      const stack = newStack();
      const own = cluster(stack);
      new PodSecurityGroupPolicy(stack, 'Policy', {
        cluster: own,
        securityGroups: groupsOf(stack, 'a'),
        podSelector: {},
        ...options,
      });
      new VpcCniAddon(stack, 'Cni', { cluster: own });
      return () => policyOf(stack);
    };
    expect(made({})).toThrow('the vpc-cni add-on Test/Cni has no podSecurityGroups');
    expect(made({ onFargate: true })).not.toThrow();
  });
});

function kubectlProvider(stack: Stack): eksv2.IKubectlProvider {
  return eksv2.KubectlProvider.fromKubectlProviderAttributes(stack, 'Provider', {
    serviceToken: 'arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  });
}
