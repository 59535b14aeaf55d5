import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { TerraformVariable, Token } from 'cdktf';
import {
  AmiFamily,
  SelfManagedNodeGroup,
  VpcCniAddon,
  type SelfManagedNodeGroupProps,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { AMI, decoded, elsewhere, only, subnets } from './node-groups';
import { newCluster, newStack, resourcesOf } from './stacks';

type Options = Omit<SelfManagedNodeGroupProps, 'cluster' | 'subnets'>;

const api = { accessConfig: { authenticationMode: 'API' } };

function make(options: Options = {}) {
  const stack = newStack();
  const cluster = newCluster(stack, api);
  return { stack, cluster, nodes: new SelfManagedNodeGroup(stack, 'Own', { cluster, subnets, ...options }) };
}

describe('nodes that EKS does not manage', () => {
  it('have the whole bootstrap, EKS’s image, a profile of their role and an access entry that comes first', () => {
    const { stack } = make({ minSize: 2, maxSize: 6, labels: { tier: 'web' } });
    const template = only(stack, 'aws_launch_template');
    expect(decoded(template['user_data'])).toContain('--node-labels=tier=web');
    expect(template).toMatchObject({
      instance_type: 'm5.large',
      image_id: expect.stringMatching(/^\$\{data\.aws_ssm_parameter\..*\.insecure_value\}$/) as string,
      iam_instance_profile: { name: expect.stringMatching(/^\$\{aws_iam_instance_profile/) as string },
      vpc_security_group_ids: ['${aws_eks_cluster.Cluster.vpc_config[0].cluster_security_group_id}'],
    });
    const group = only(stack, 'aws_autoscaling_group');
    expect(group).toMatchObject({
      min_size: 2,
      max_size: 6,
      instance_refresh: { strategy: 'Rolling', preferences: { min_healthy_percentage: 90 } },
      lifecycle: { create_before_destroy: true, ignore_changes: ['desired_capacity'] },
      tag: [
        { key: 'kubernetes.io/cluster/${aws_eks_cluster.Cluster.name}', value: 'owned', propagate_at_launch: true },
      ],
    });
    expect(group['depends_on']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^aws_eks_access_entry/),
        expect.stringMatching(/^aws_iam_role_policy_attachment.*WorkerNodePolicy/),
      ]),
    );
    expect(only(stack, 'aws_eks_access_entry')).toMatchObject({ type: 'EC2_LINUX' });
  });

  it.each<[number, number, number]>([
    [0, 20, 95],
    [2, 20, 95],
    [1, 1, 90],
    [3, 100, 99],
    [0, 500, 99],
    [0, Token.asNumber(new TerraformVariable(newStack(), 'max', { type: 'number' }).value), 90],
  ])('are replaced one at a time, whatever number is desired: group %#', (minSize, maxSize, percentage) => {
    expect(only(make({ minSize, maxSize }).stack, 'aws_autoscaling_group')['instance_refresh']).toEqual({
      strategy: 'Rolling',
      preferences: { min_healthy_percentage: percentage },
    });
  });

  it('come of several types on the spot market, or with a role of the user’s own', () => {
    const { stack } = make({ instanceTypes: ['m5.large', 'm6i.large'], capacityType: 'SPOT', desiredSize: 3 });
    expect(only(stack, 'aws_autoscaling_group')).toMatchObject({
      desired_capacity: 3,
      capacity_rebalance: true,
      mixed_instances_policy: {
        instances_distribution: { on_demand_percentage_above_base_capacity: 0 },
        launch_template: { override: [{ instance_type: 'm5.large' }, { instance_type: 'm6i.large' }] },
      },
    });
    const other = newStack();
    const role = new IamRole(other, 'Nodes', { name: 'nodes', assumeRolePolicy: '{}' });
    new SelfManagedNodeGroup(other, 'Own', { cluster: newCluster(other, api), subnets, role });
    expect(only(other, 'aws_iam_instance_profile')['role']).toBe('${aws_iam_role.Nodes.name}');
    expect(resourcesOf(other, 'aws_iam_role_policy_attachment')).toEqual({});
  });

  it('of a cluster that is made elsewhere must be told what is there', () => {
    const group = { subnets, accessEntry: true };
    const known = { ...elsewhere, securityGroupId: 'sg-0123456789abcdef0' };
    expect(() => new SelfManagedNodeGroup(newStack(), 'Own', { ...group, cluster: known })).toThrow(
      'set kubernetesVersion or customAmi',
    );
    expect(() => new SelfManagedNodeGroup(newStack(), 'Own', { ...group, cluster: elsewhere, customAmi: AMI })).toThrow(
      "nodes that EKS does not manage need the cluster's security group",
    );
    expect(() => new SelfManagedNodeGroup(newStack(), 'Own', { subnets, cluster: known, customAmi: AMI })).toThrow(
      "the cluster doesn't tell its authentication mode, and accessEntry isn't set",
    );
    new SelfManagedNodeGroup(newStack(), 'Own', { ...group, cluster: known, customAmi: AMI });
  });

  it.each<[Options, string]>([
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022 }, 'amiFamily is Windows; use WindowsNodeGroup'],
    [{ volume: { size: 10 } }, 'has 20'],
    [{ customAmi: 'resolve:ssm:/x' }, 'customAmi is "resolve:ssm:/x"'],
  ])('are refused with %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });

  it('name their labels in the bootstrap, and so don’t take a map that is decided at deployment', () => {
    const stack = newStack();
    const labels = Token.asStringMap(new TerraformVariable(stack, 'labels', { type: 'map(string)' }).value);
    expect(() => new SelfManagedNodeGroup(stack, 'Own', { cluster: newCluster(stack, api), subnets, labels })).toThrow(
      'labels is a token',
    );
  });

  it('pass every rule of this library', () => {
    const { stack, cluster } = make({ amiFamily: AmiFamily.BOTTLEROCKET });
    new VpcCniAddon(stack, 'Cni', { cluster });
    new SelfManagedNodeGroup(stack, 'Spot', { cluster, subnets, capacityType: 'SPOT', tags: { team: 'web' } });
    resourcesOf(stack, 'any');
    const { resources, diagnostics } = readTerraformStacks([
      {
        name: 'T',
        constructPath: 'Test',
        app: 'cdktf.out',
        file: 'cdk.tf.json',
        content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
      },
    ]);
    expect(diagnostics).toEqual([]);
    const model = new EksModel(resources);
    expect(model.selfManagedNodeGroups).toHaveLength(2);
    const failed = runRules(model, allRules).filter(
      ({ verdict, severity, resource }) =>
        verdict === 'fail' && severity !== 'info' && resource.type !== 'aws_eks_cluster',
    );
    expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });
});
