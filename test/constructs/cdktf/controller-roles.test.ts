import { DataAwsEksCluster } from '@cdktf/provider-aws/lib/data-aws-eks-cluster';
import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import {
  App,
  DefaultTokenResolver,
  StringConcat,
  TerraformStack,
  TerraformVariable,
  Testing,
  Tokenization,
} from 'cdktf';
import { Construct } from 'constructs';
import * as cdk from '../../../constructs/aws-cdk';
import {
  ConstructionError,
  EbsCsiDriverRole,
  ExternalDnsRole,
  KarpenterRoles,
  LoadBalancerControllerRole,
  PodIdentityAgent,
  PodIdentityKind,
  type PodRole,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import * as cdkStacks from '../aws-cdk/clusters';
import { allRoles, controllerRoleCases, release, ZONE } from './controller-role-cases';
import { newCluster, newStack, resourcesOf } from './stacks';

const { IRSA } = PodIdentityKind;

const resolver = new DefaultTokenResolver(new StringConcat());
const resolved = (scope: TerraformStack, value: unknown): unknown =>
  Tokenization.resolve(value, { scope, resolver, preparing: false }) as unknown;

/** What the rules say of a stack, by sentences. */
function judged(stack: TerraformStack): string[] {
  Testing.synth(stack, true);
  const { resources, diagnostics } = readTerraformStacks([
    {
      name: 'Test',
      constructPath: 'Test',
      app: 'cdktf.out',
      file: 'cdk.tf.json',
      content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
    },
  ]);
  expect(diagnostics).toEqual([]);
  return (
    runRules(new EksModel(resources), allRules, { preset: 'strict' })
      .filter(({ verdict, severity }) => verdict === 'unverifiable' || severity !== 'info')
      // The clusters and their roles are scenery, and of one that is made elsewhere its version isn't known.
      .filter(({ message }) => !message.includes("the cluster's Kubernetes version is not known"))
      .filter(({ resource, rule }) => resource.type !== 'aws_eks_cluster' && !rule.startsWith('cluster-'))
      .map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`)
  );
}

describe.each(Object.entries(controllerRoleCases))('%s', (_, make) => {
  it('passes all rules', () => {
    const stack = newStack();
    make(stack);
    expect(judged(stack)).toEqual([]);
  });

  it('puts each policy into a managed policy, and the association behind all of them', () => {
    const stack = newStack();
    make(stack);
    for (const type of ['aws_iam_role_policy', 'aws_iam_role_policies_exclusive'])
      expect(resourcesOf(stack, type)).toEqual({});
    for (const association of Object.values(resourcesOf(stack, 'aws_eks_pod_identity_association'))) {
      expect(association['depends_on']).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^aws_iam_role_policy_attachment\./),
          expect.stringMatching(/^aws_eks_addon\.\w*PodIdentityAgent/),
        ]),
      );
    }
  });
});

describe('the rules', () => {
  function withController(version: string, chart: string, identity: PodIdentityKind): TerraformStack {
    const stack = newStack();
    const cluster = newCluster(stack);
    new IamOpenidConnectProvider(stack, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
    });
    const role = new LoadBalancerControllerRole(stack, 'Role', { cluster, version, identity });
    release(stack, { role, chart: 'aws-load-balancer-controller', version: chart });
    return stack;
  }

  it.each([
    ['2.4.7', '1.4.8'],
    ['2.13.4', '1.13.4'],
    ['3.5.0', '3.5.0'],
  ])('have nothing to say of controller %s by chart %s', (version, chart) => {
    expect(judged(withController(version, chart, PodIdentityKind.POD_IDENTITY))).toEqual([]);
    expect(judged(withController(version, chart, IRSA))).toEqual([]);
  });

  it('tell when the chart is newer than the policy', () => {
    expect(judged(withController('2.8.3', '1.13.4', IRSA))).toEqual([
      expect.stringMatching(/^fail load-balancer-controller-policy: .*DescribeListenerAttributes/),
    ]);
  });

  it('have nothing to say of ExternalDNS, by chart or add-on', () => {
    const charted = newStack();
    const hostedZones = [{ zoneId: ZONE }];
    const role = new ExternalDnsRole(charted, 'Role', { cluster: newCluster(charted), hostedZones });
    release(charted, { role, chart: 'external-dns', version: '1.21.1' });
    expect(judged(charted)).toEqual([]);

    const added = newStack();
    const cluster = newCluster(added);
    const { addonSettings, dependencies } = new ExternalDnsRole(added, 'Role', {
      cluster,
      hostedZones,
      association: false,
    });
    new EksAddon(added, 'Dns', {
      clusterName: cluster.name,
      addonName: 'external-dns',
      addonVersion: 'v0.20.0-eksbuild.1',
      resolveConflictsOnUpdate: 'PRESERVE',
      preserve: true,
      dependsOn: dependencies,
      ...addonSettings,
    });
    expect(Object.values(resourcesOf(added, 'aws_eks_addon'))).toContainEqual(
      expect.objectContaining({
        pod_identity_association: [
          { service_account: 'external-dns', role_arn: expect.stringContaining('aws_iam_role.Role') as string },
        ],
      }),
    );
    expect(judged(added)).toEqual([]);
  });
});

describe('what charts are told', () => {
  it('is known where the provider and the cluster tell it', () => {
    const stack = newStack();
    const roles = allRoles(stack, { cluster: newCluster(stack) });
    const values = (role: PodRole & { helmValues: unknown }) => resolved(stack, role.helmValues);
    expect(values(roles.loadBalancerController)).toEqual({
      clusterName: '${aws_eks_cluster.Cluster.name}',
      region: 'eu-west-1',
      vpcId: '${aws_eks_cluster.Cluster.vpc_config[0].vpc_id}',
      serviceAccount: { create: true, name: 'aws-load-balancer-controller' },
    });
    expect(values(roles.externalDns)).toMatchObject({ extraArgs: [`--zone-id-filter=${ZONE}`] });
    expect(values(roles.ebsCsiDriver)).toMatchObject({ controller: { region: 'eu-west-1' } });
    expect(values(roles.efsCsiDriver)).toEqual({
      controller: { serviceAccount: { create: true, name: 'efs-csi-controller-sa' } },
    });
    expect(values(roles.clusterAutoscaler)).toMatchObject({ awsRegion: 'eu-west-1' });
    expect(values(roles.karpenter)).toEqual({
      settings: {
        clusterName: '${aws_eks_cluster.Cluster.name}',
        interruptionQueue: expect.stringMatching(/^\$\{aws_sqs_queue\.Karpenter_Queue\w*\.name\}$/) as string,
      },
      serviceAccount: { create: true, name: 'karpenter' },
    });
  });

  it('is looked up otherwise, once for each provider', () => {
    const stack = new TerraformStack(new App(), 'Test');
    const region = new TerraformVariable(stack, 'region', { type: 'string' }).stringValue;
    new AwsProvider(stack, 'Aws', { region });
    const provider = new AwsProvider(stack, 'Other', { region, alias: 'other' });
    const of = (id: string, place: object) => {
      const scope = new Construct(stack, id);
      const cluster = new DataAwsEksCluster(scope, 'Cluster', { name: id, ...place });
      return new LoadBalancerControllerRole(scope, 'Role', {
        cluster,
        podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
      });
    };
    const roles = [of('One', {}), of('Two', {}), of('Three', { provider })];
    expect(roles.map((role) => (resolved(stack, role.helmValues) as { region: string }).region)).toEqual([
      '${data.aws_region.EksGuardrailsRegion.id}',
      '${data.aws_region.EksGuardrailsRegion.id}',
      '${data.aws_region.EksGuardrailsRegion2.id}',
    ]);
    expect(resolved(stack, roles[0]?.helmValues['vpcId'])).toMatch(
      /^\$\{data\.aws_eks_cluster\..*vpc_config\[0\]\.vpc_id\}$/,
    );
  });

  it('is the region of the cluster, if it has one of its own', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    Object.defineProperty(cluster, 'regionInput', { value: 'eu-central-1' });
    const role = new EbsCsiDriverRole(stack, 'Role', { cluster });
    expect(role.helmValues).toMatchObject({ controller: { region: 'eu-central-1' } });
    expect(Object.values(resourcesOf(stack, 'aws_eks_pod_identity_association'))[0]).toMatchObject({
      region: 'eu-central-1',
    });
  });
});

describe('KarpenterRoles', () => {
  it('lets its nodes in, and its controller at nothing but what has the tags of the cluster', () => {
    const stack = newStack();
    const cluster = newCluster(stack, { accessConfig: { authenticationMode: 'API' } });
    const roles = new KarpenterRoles(stack, 'Karpenter', { cluster });
    expect(Object.values(resourcesOf(stack, 'aws_eks_access_entry'))).toEqual([
      expect.objectContaining({
        type: 'EC2_LINUX',
        principal_arn: expect.stringMatching(/^\$\{aws_iam_role\.Karpenter_NodeRole/) as string,
      }),
    ]);
    const policies = Object.values(resourcesOf(stack, 'aws_iam_policy')).map(({ policy }) => String(policy));
    expect(policies).toHaveLength(3);
    expect(policies.join('')).toContain(
      '"aws:ResourceTag/kubernetes.io/cluster/${aws_eks_cluster.Cluster.name}":"owned"',
    );
    expect(policies.join('')).not.toMatch(/\$\{(?:partition|region|clusterName|clusterArn|nodeRoleArn|queueArn)\}/);
    expect(roles.dependencies.length).toBeGreaterThan(3);
    const attached = Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment')).map(({ policy_arn }) =>
      String(policy_arn).replace(/^.*\//, ''),
    );
    expect(attached).toEqual(
      expect.arrayContaining([
        'AmazonEKSWorkerNodePolicy',
        'AmazonEC2ContainerRegistryPullOnly',
        'AmazonEKS_CNI_Policy',
      ]),
    );
  });

  it('asks how nodes get in where the cluster has no access entries, or does not tell', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    expect(() => new KarpenterRoles(stack, 'Karpenter', { cluster })).toThrow(
      "Test/Karpenter: the cluster's authentication mode is CONFIG_MAP",
    );
    const elsewhere = { clusterName: 'main' };
    expect(
      () =>
        new KarpenterRoles(newStack(), 'Karpenter', {
          cluster: elsewhere,
          podIdentityAgent: PodIdentityAgent.INSTALL,
        }),
    ).toThrow("the cluster doesn't tell its authentication mode");
  });
});

it('the actions that isolated partitions lack are left out', () => {
  const policyOf = (region: string) => {
    const stack = newStack(region);
    new LoadBalancerControllerRole(stack, 'Role', { cluster: newCluster(stack) });
    return String(Object.values(resourcesOf(stack, 'aws_iam_policy'))[0]?.['policy']);
  };
  expect(policyOf('us-isob-east-1')).not.toContain('DescribeTrustStores');
  expect(policyOf('us-gov-west-1')).toContain('DescribeTrustStores');
});

describe('the twins of AWS CDK', () => {
  const inPartition = (document: unknown): unknown =>
    JSON.parse(
      JSON.stringify(document)
        .replaceAll(/\$\{data\.aws_partition\.\w+\.partition\}/g, 'P')
        .replaceAll(/\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g, '"arn:P$1"'),
    );
  const listed = (document: unknown) =>
    (document as { Statement: { Action: string | string[]; Resource: string | string[] }[] }).Statement.map(
      (statement) => ({ ...statement, Action: [statement.Action].flat(), Resource: [statement.Resource].flat() }),
    );

  it('have the same policies and values', () => {
    const one = cdkStacks.newStack('eu-west-1');
    const cluster = cdkStacks.importedCluster(one, 'aws-eks-v2');
    const other = newStack();
    const named = { clusterName: 'production', kubernetesVersion: '1.34' };
    const common = { podIdentityAgent: PodIdentityAgent.INSTALL, vpcId: 'vpc-0123456789abcdef0' };
    new cdk.LoadBalancerControllerRole(one, 'Controller', { cluster, ...common });
    new LoadBalancerControllerRole(other, 'Controller', { cluster: named, ...common });
    const policy = cdkStacks.resourceOf(one, 'AWS::IAM::ManagedPolicy').Properties['PolicyDocument'];
    const [twin] = Object.values(resourcesOf(other, 'aws_iam_policy'));
    expect(listed(inPartition(JSON.parse(String(twin?.['policy']))))).toEqual(listed(inPartition(policy)));
    expect(cdkStacks.resourcesOf(one, 'AWS::EKS::PodIdentityAssociation')[0]?.Properties).toMatchObject({
      Namespace: 'kube-system',
    });
  });

  it.each<[string, () => unknown, () => unknown]>([
    [
      'an old version',
      () => new cdk.LoadBalancerControllerRole(cdkStack(), 'Role', { cluster: cdkCluster(), version: '2.0.0' }),
      () => new LoadBalancerControllerRole(newStack(), 'Role', { cluster: { clusterName: 'x' }, version: '2.0.0' }),
    ],
    [
      'no zone',
      () => new cdk.ExternalDnsRole(cdkStack(), 'Role', { cluster: cdkCluster(), hostedZones: [] }),
      () => new ExternalDnsRole(newStack(), 'Role', { cluster: { clusterName: 'x' }, hostedZones: [] }),
    ],
    [
      'a name that Kubernetes refuses',
      () => new cdk.EbsCsiDriverRole(cdkStack(), 'Role', { cluster: cdkCluster(), serviceAccount: 'ebs-*' }),
      () => new EbsCsiDriverRole(newStack(), 'Role', { cluster: { clusterName: 'x' }, serviceAccount: 'ebs-*' }),
    ],
    [
      'an unknown VPC',
      () =>
        new cdk.LoadBalancerControllerRole(cdkStack(), 'Role', {
          cluster: cdkCluster(),
          podIdentityAgent: PodIdentityAgent.INSTALL,
        }),
      () =>
        new LoadBalancerControllerRole(newStack(), 'Role', {
          cluster: { clusterName: 'x' },
          podIdentityAgent: PodIdentityAgent.INSTALL,
        }),
    ],
  ])('refuse %s with the same words', (_, one, other) => {
    let message = '';
    try {
      one();
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('ConstructionError: Test/Role: ');
    expect(other).toThrow(message.replace('ConstructionError: ', ''));
    expect(other).toThrow(ConstructionError);
  });

  const cdkStack = () => cdkStacks.newStack();
  const cdkCluster = () => cdkStacks.importedCluster(cdkStacks.newStack(), 'aws-eks-v2');
});
