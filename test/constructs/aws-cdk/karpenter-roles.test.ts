import type { Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import {
  CniPermissions,
  KarpenterRoles,
  PodIdentityAgent,
  VpcCniAddon,
  type KarpenterRolesProps,
} from '../../../constructs/aws-cdk';
import { customCluster, importedCluster, nativeCluster, newStack, policyNames, resourcesOf, textOf } from './clusters';

const make = (props: Partial<KarpenterRolesProps> = {}, stack: Stack = newStack()) => ({
  stack,
  roles: new KarpenterRoles(stack, 'Karpenter', { ...props, cluster: props.cluster ?? nativeCluster(stack) }),
});

interface Statement {
  readonly Action: string[];
  readonly Resource: string[];
  readonly Condition?: Record<string, Record<string, unknown>>;
}

/** The statements of all policies of the controller. */
function statementsOf(stack: Stack): Statement[] {
  return resourcesOf(stack, 'AWS::IAM::ManagedPolicy').flatMap(({ Properties }) => {
    const document = Properties.PolicyDocument as { Statement?: Statement[] };
    return document.Statement ?? (JSON.parse(textOf(document)) as { Statement: Statement[] }).Statement;
  });
}

const nodeRoleOf = (stack: Stack) => {
  const role = resourcesOf(stack, 'AWS::IAM::Role').find(({ Properties }) =>
    String(Properties.Description).startsWith('Nodes that Karpenter'),
  );
  if (role === undefined) throw new Error('no role of nodes');
  return role;
};

describe('the permissions of Karpenter', () => {
  it('change only what has the tag of the cluster, and pass on no other role than that of the nodes', () => {
    const { stack } = make();
    const statements = statementsOf(stack);
    const conditions = (action: string) =>
      statements.filter(({ Action }) => [Action].flat().includes(action)).map(({ Condition }) => Condition);
    for (const action of ['ec2:TerminateInstances', 'ec2:DeleteLaunchTemplate', 'iam:AddRoleToInstanceProfile'])
      expect(conditions(action)).toEqual([
        expect.objectContaining({
          StringEquals: expect.objectContaining({
            [String(/aws:ResourceTag\/kubernetes\.io\/cluster\/\$\{Cluster\w+\}/.exec(JSON.stringify(statements)))]:
              'owned',
          }) as unknown,
        }),
      ]);
    const pass = statements.find(({ Action }) => [Action].flat().includes('iam:PassRole'));
    expect(pass?.Resource).toEqual([expect.stringMatching(/^\$\{KarpenterNodeRole\w+\.Arn\}$/)]);
    expect(JSON.stringify(statements)).not.toMatch(/\$\{(?:partition|region|clusterName|clusterArn|queueArn)\}/);
  });

  it.each([
    ['1.14.1', ['arc-zonal-shift:GetManagedResource', 'ec2:DescribeInstanceStatus', 'iam:ListInstanceProfiles'], 5],
    ['1.11.1', ['ec2:DescribePlacementGroups', 'iam:ListInstanceProfiles'], 5],
    ['1.10.0', ['iam:ListInstanceProfiles'], 4],
    ['1.7.0', [], 4],
  ])('of version %s are those of its template', (version, expected, events) => {
    const { stack, roles } = make({ version });
    const later = ['arc-zonal-shift:GetManagedResource', 'ec2:DescribeInstanceStatus', 'iam:ListInstanceProfiles'];
    const actions = statementsOf(stack).flatMap(({ Action }) => Action);
    expect(actions).toEqual(expect.arrayContaining(expected));
    for (const action of later.filter((one) => !expected.includes(one))) expect(actions).not.toContain(action);
    expect(resourcesOf(stack, 'AWS::Events::Rule')).toHaveLength(events);
    expect(roles.version).toBe(version);
  });

  it.each<[string, string]>([
    ['1.3.0', 'version is "1.3.0", and Kubernetes 1.34 needs Karpenter 1.6'],
    ['2.0.0', 'version is "2.0.0", and the newest whose permissions are known here is 1.14.1'],
    ['v1.14.1', 'version is "v1.14.1"; a version of Karpenter looks like 1.14.1'],
  ])('of version %s are refused', (version, message) => {
    expect(() => make({ version })).toThrow(`Test/Karpenter: ${message}`);
  });

  it('each fit into a managed policy, with a cluster name of 100 characters', () => {
    const stack = newStack('us-gov-west-1');
    const cluster = eks.Cluster.fromClusterAttributes(stack, 'Long', { clusterName: 'c'.repeat(100) });
    make({ cluster, podIdentityAgent: PodIdentityAgent.INSTALL, accessEntry: true }, stack);
    const documents = resourcesOf(stack, 'AWS::IAM::ManagedPolicy').map(({ Properties }) =>
      JSON.stringify(Properties.PolicyDocument).replaceAll(
        /\{"Fn::Join":\["",\[("(?:[^"]*)"),\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g,
        '$1aws-us-gov$2"',
      ),
    );
    expect(documents).toHaveLength(3);
    for (const text of documents) expect(text.length).toBeLessThan(6144);
  });
});

describe('the nodes', () => {
  it('have what nodes need, and the CNI its permissions only where it has no role of its own', () => {
    const alone = make({
      nodePolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
    });
    expect(policyNames(nodeRoleOf(alone.stack))).toEqual([
      'AmazonEKSWorkerNodePolicy',
      'AmazonEC2ContainerRegistryPullOnly',
      'AmazonSSMManagedInstanceCore',
      'AmazonEKS_CNI_Policy',
    ]);
    // Whoever chose a policy of AWS has said so.
    const { violations } = new AwsSolutionsChecks(alone.stack.node.root).validateScope(alone.stack);
    expect(
      violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath = '' }) => `${ruleName} ${constructPath}`),
      ),
    ).not.toContainEqual(expect.stringMatching(/IAM4.* Test\/Karpenter\/NodeRole/));
    const stack = newStack();
    const cluster = nativeCluster(stack);
    make({ cluster }, stack);
    new VpcCniAddon(stack, 'Cni', { cluster });
    expect(policyNames(nodeRoleOf(stack))).not.toContain('AmazonEKS_CNI_Policy');
    const own = make({ cniPermissions: CniPermissions.OWN_ROLE });
    expect(policyNames(nodeRoleOf(own.stack))).not.toContain('AmazonEKS_CNI_Policy');
  });

  it('join by an access entry, or by aws-auth where the cluster has nothing else', () => {
    const { stack, roles } = make();
    expect(roles.accessEntry).toBeDefined();
    expect(resourcesOf(stack, 'AWS::EKS::AccessEntry').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({
        Type: 'EC2_LINUX',
        PrincipalArn: { 'Fn::GetAtt': [expect.stringMatching(/^KarpenterNodeRole/) as string, 'Arn'] },
      }),
    );
    const legacy = newStack();
    const mapped = make({ cluster: customCluster(legacy) }, legacy);
    expect(mapped.roles.accessEntry).toBeUndefined();
    const [auth] = resourcesOf(legacy, 'Custom::AWSCDK-EKS-KubernetesResource');
    expect(JSON.stringify(auth)).toContain('KarpenterNodeRole');
  });

  it('of an imported cluster need a word on how they join', () => {
    const stack = newStack();
    const props = { cluster: importedCluster(stack, 'aws-eks-v2'), podIdentityAgent: PodIdentityAgent.INSTALL };
    expect(() => make(props, stack)).toThrow("the cluster doesn't tell its authentication mode");
    const other = newStack();
    const cluster = importedCluster(other, 'aws-eks-v2');
    const { roles } = make({ ...props, cluster, accessEntry: false }, other);
    expect(roles.accessEntry).toBeUndefined();
  });

  it('of a cluster without access entries get none', () => {
    const stack = newStack();
    const cluster = customCluster(stack, { authenticationMode: eks.AuthenticationMode.CONFIG_MAP });
    expect(() => make({ cluster, accessEntry: true }, stack)).toThrow('accessEntry is true and the cluster');
  });
});

describe('the queue', () => {
  it('is encrypted, takes events by TLS alone, and the chart knows its name', () => {
    const { stack, roles } = make();
    const [queue] = resourcesOf(stack, 'AWS::SQS::Queue');
    expect(queue?.Properties).toMatchObject({ MessageRetentionPeriod: 300, SqsManagedSseEnabled: true });
    expect(stack.resolve(roles.helmValues)).toEqual({
      settings: {
        clusterName: { Ref: expect.stringMatching(/^Cluster/) as string },
        interruptionQueue: { 'Fn::GetAtt': [expect.stringMatching(/^KarpenterQueue/) as string, 'QueueName'] },
      },
      serviceAccount: { create: true, name: 'karpenter' },
    });
  });

  it('can be left out, with its permissions', () => {
    const { stack, roles } = make({ interruptionQueue: false });
    for (const type of ['AWS::SQS::Queue', 'AWS::Events::Rule']) expect(resourcesOf(stack, type)).toEqual([]);
    expect(JSON.stringify(statementsOf(stack))).not.toContain('sqs:');
    expect(roles.helmValues).toMatchObject({ settings: { clusterName: expect.anything() as unknown } });
    expect(roles.helmValues['settings']).not.toHaveProperty('interruptionQueue');
  });
});
