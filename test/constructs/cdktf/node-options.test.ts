import { DataAwsKmsKey } from '@cdktf/provider-aws/lib/data-aws-kms-key';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { KmsKey } from '@cdktf/provider-aws/lib/kms-key';
import { PlacementGroup } from '@cdktf/provider-aws/lib/placement-group';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { SecurityGroup } from '@cdktf/provider-aws/lib/security-group';
import { Subnet } from '@cdktf/provider-aws/lib/subnet';
import { Testing } from 'cdktf';
import {
  AmiFamily,
  InstanceStore,
  ManagedNodeGroup,
  RepairAction,
  SelfManagedNodeGroup,
  UpdateStrategy,
  WarmPoolState,
} from '../../../constructs/cdktf';
import {
  AMI,
  decoded,
  elsewhere,
  launchTemplate,
  makeGroup,
  nodegroup,
  only,
  subnets,
  type Options,
} from './node-groups';
import { newCluster, newStack, resourcesOf, withProvider } from './stacks';

const BLOCK = 'cr-0123456789abcdef0';

describe('security groups', () => {
  it('stay with EKS unless there are others, and are added to that of the cluster', () => {
    expect(launchTemplate()).not.toHaveProperty('vpc_security_group_ids');
    const stack = newStack();
    const own = new SecurityGroup(stack, 'Own', { vpcId: 'vpc-1' });
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: newCluster(stack),
      subnets,
      securityGroups: [own, 'sg-0123456789abcdef0', own.id],
    });
    expect(only(stack, 'aws_launch_template')['vpc_security_group_ids']).toEqual([
      '${aws_eks_cluster.Cluster.vpc_config[0].cluster_security_group_id}',
      '${aws_security_group.Own.id}',
      'sg-0123456789abcdef0',
    ]);
  });

  it('stand alone on demand, and must be known of a cluster that is made elsewhere', () => {
    const securityGroups = ['sg-0123456789abcdef0'];
    const cluster = { cluster: elsewhere, subnets, securityGroups };
    expect(() => new ManagedNodeGroup(newStack(), 'Workers', cluster)).toThrow(
      "the cluster doesn't tell it; give securityGroupId in its attributes, or say clusterSecurityGroup: false",
    );
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', { ...cluster, clusterSecurityGroup: false });
    expect(only(stack, 'aws_launch_template')['vpc_security_group_ids']).toEqual(securityGroups);
    expect(() => makeGroup({ clusterSecurityGroup: false })).toThrow('clusterSecurityGroup is false without');
  });

  it('let operators in by SSH from groups alone', () => {
    const { stack } = makeGroup({ remoteAccess: { keyName: 'operators', from: ['sg-0123456789abcdef0'] } });
    expect(only(stack, 'aws_launch_template')).toMatchObject({ key_name: 'operators' });
    expect(only(stack, 'aws_vpc_security_group_ingress_rule')).toMatchObject({
      from_port: 22,
      to_port: 22,
      ip_protocol: 'tcp',
      referenced_security_group_id: 'sg-0123456789abcdef0',
    });
    expect(only(stack, 'aws_security_group')['vpc_id']).toBe('${aws_eks_cluster.Cluster.vpc_config[0].vpc_id}');
    expect(() => makeGroup({ remoteAccess: { keyName: 'operators', from: [] } })).toThrow('remoteAccess.from is empty');
    expect(
      () =>
        new ManagedNodeGroup(newStack(), 'Workers', {
          cluster: elsewhere,
          subnets,
          remoteAccess: { keyName: 'operators', from: ['sg-0123456789abcdef0'] },
        }),
    ).toThrow("the cluster doesn't tell its VPC; give vpcId in its attributes");
  });
});

describe('arguments that newer versions of the AWS provider have', () => {
  const errors = (options: Options, version?: string) => {
    const stack = newStack();
    if (version !== undefined) withProvider(stack, version);
    new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack), subnets, ...options });
    return stack.node.findAll().flatMap((construct) => construct.node.validate());
  };

  it('are refused where the stack asks for an older one', () => {
    expect(errors({ updateStrategy: UpdateStrategy.MINIMAL, warmPool: {} }, '6.25.0')).toEqual([
      expect.stringMatching(/^updateStrategy is set and .* 6\.25\.0 .* update_config\.update_strategy; .* '6\.26\.0'/),
      expect.stringMatching(/^warmPool is set and .* 6\.25\.0 .* warm_pool_config; .* '6\.56\.0'/),
    ]);
    expect(errors({ warmPool: {} }, '6.55.0')).toHaveLength(1);
    expect(errors({ updateStrategy: UpdateStrategy.DEFAULT }, '= 5.100.0')).toHaveLength(1);
  });

  it('are taken where it asks for one that knows them, or for one of several', () => {
    for (const version of ['6.56.0', '7.0.0', '~> 6.0', '>= 6.20, < 7.0.0'])
      expect(errors({ updateStrategy: UpdateStrategy.MINIMAL, warmPool: {} }, version)).toEqual([]);
    expect(errors({ updateStrategy: UpdateStrategy.MINIMAL }, '6.26.0')).toEqual([]);
    expect(errors({ nodeRepair: {}, maxUnavailable: 1 })).toEqual([]);
  });
});

describe('options', () => {
  it('about updates, repairs and warm pools reach the node group', () => {
    expect(
      nodegroup({
        updateStrategy: UpdateStrategy.MINIMAL,
        nodeRepair: {
          maxUnhealthyNodesPercentage: 40,
          maxParallelRepairs: 1,
          overrides: [
            { condition: 'KernelReady', reason: 'SoftLockup', waitMinutes: 10, action: RepairAction.NO_ACTION },
          ],
        },
        warmPool: { minSize: 1, maxPreparedCapacity: -1, state: WarmPoolState.HIBERNATED, reuseOnScaleIn: true },
      }),
    ).toMatchObject({
      update_config: { max_unavailable: 1, update_strategy: 'MINIMAL' },
      node_repair_config: {
        enabled: true,
        max_unhealthy_node_threshold_percentage: 40,
        max_parallel_nodes_repaired_count: 1,
        node_repair_config_overrides: [
          {
            node_monitoring_condition: 'KernelReady',
            node_unhealthy_reason: 'SoftLockup',
            min_repair_wait_time_mins: 10,
            repair_action: 'NoAction',
          },
        ],
      },
      warm_pool_config: {
        enabled: true,
        min_size: 1,
        max_group_prepared_capacity: -1,
        pool_state: 'HIBERNATED',
        reuse_on_scale_in: true,
      },
    });
    expect(nodegroup()).not.toHaveProperty('warm_pool_config');
    expect(nodegroup()['update_config']).toEqual({ max_unavailable: 1 });
  });

  it('about volumes reach the launch template', () => {
    expect(
      launchTemplate({
        amiFamily: AmiFamily.BOTTLEROCKET,
        volume: {
          size: 100,
          iops: 4000,
          throughput: 1000,
          kmsKey: { arn: 'arn:aws:kms:eu-west-1:111122223333:key/k' },
        },
        additionalVolumes: [{ deviceName: '/dev/xvdc', snapshotId: 'snap-0123456789abcdef0' }],
      })['block_device_mappings'],
    ).toEqual([
      { device_name: '/dev/xvda', ebs: { ...plain, kms_key_id: 'arn:aws:kms:eu-west-1:111122223333:key/k' } },
      {
        device_name: '/dev/xvdb',
        ebs: {
          ...plain,
          volume_size: 100,
          iops: 4000,
          throughput: 1000,
          kms_key_id: 'arn:aws:kms:eu-west-1:111122223333:key/k',
        },
      },
      { device_name: '/dev/xvdc', ebs: { ...plain, snapshot_id: 'snap-0123456789abcdef0' } },
    ]);
  });
  const plain = { encrypted: 'true', volume_type: 'gp3', delete_on_termination: 'true' };

  it('about volumes of an AMI of the user’s: as large as the AMI has them, or left to it altogether', () => {
    const devices = (options: Options): unknown =>
      only(makeGroup({ customAmi: AMI, ...options }).stack, 'aws_launch_template')['block_device_mappings'];
    expect(devices({})).toEqual([{ device_name: '/dev/xvda', ebs: plain }]);
    expect(devices({ diskSize: 8 })).toEqual([{ device_name: '/dev/xvda', ebs: { ...plain, volume_size: 8 } }]);
    expect(devices({ amiVolumes: true })).toBeUndefined();
  });

  it('about instances reach the launch template, with the type and the market of a capacity block', () => {
    const { stack } = makeGroup({
      instanceTypes: ['trn1.32xlarge'],
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: BLOCK },
      efa: { interfaces: 2 },
      placementGroup: 'close',
      detailedMonitoring: true,
      instanceStore: InstanceStore.RAID0,
    });
    const template = only(stack, 'aws_launch_template');
    expect(template).toMatchObject({
      instance_type: 'trn1.32xlarge',
      instance_market_options: { market_type: 'capacity-block' },
      capacity_reservation_specification: { capacity_reservation_target: { capacity_reservation_id: BLOCK } },
      placement: { group_name: 'close' },
      monitoring: { enabled: true },
      network_interfaces: [
        { device_index: 0, network_card_index: 0, interface_type: 'efa', delete_on_termination: 'true' },
        { device_index: 1, network_card_index: 1, interface_type: 'efa-only' },
      ],
    });
    expect(decoded(template['user_data'])).toContain('strategy: "RAID0"');
    const group = only(stack, 'aws_eks_node_group');
    expect(group).toMatchObject({
      ami_type: 'AL2023_x86_64_NEURON',
      capacity_type: 'CAPACITY_BLOCK',
      scaling_config: { min_size: 0, max_size: 1, desired_size: 0 },
    });
    expect(group).not.toHaveProperty('instance_types');
  });

  it('with EFA before Kubernetes 1.33 bring a group that lets all through', () => {
    const { stack } = makeGroup({ instanceTypes: ['p5.48xlarge'], efa: { interfaces: 1 } }, { version: '1.32' });
    const [name] = Object.keys(resourcesOf(stack, 'aws_security_group'));
    for (const type of ['aws_vpc_security_group_ingress_rule', 'aws_vpc_security_group_egress_rule'])
      expect(only(stack, type)).toMatchObject({
        ip_protocol: '-1',
        security_group_id: `\${aws_security_group.${name}.id}`,
        referenced_security_group_id: `\${aws_security_group.${name}.id}`,
      });
  });

  it('of a placement group ask for one zone if it is a cluster', () => {
    const stack = newStack();
    const placementGroup = new PlacementGroup(stack, 'Close', { name: 'close', strategy: 'cluster' });
    const [a, b] = ['a', 'b'].map(
      (zone) =>
        new Subnet(stack, `S${zone}`, { vpcId: 'v', cidrBlock: '10.0.0.0/24', availabilityZone: `eu-west-1${zone}` }),
    );
    if (a === undefined || b === undefined) throw new Error('no subnets');
    const cluster = newCluster(stack);
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, subnets: [a, b], placementGroup })).toThrow(
      'the subnets are in eu-west-1a, eu-west-1b',
    );
    new ManagedNodeGroup(stack, 'B', { cluster, subnets: [a, 'subnet-0123456789abcdef0'], placementGroup });
    const block = { cluster, capacityType: 'CAPACITY_BLOCK', capacityReservation: { id: BLOCK } } as const;
    expect(() => new ManagedNodeGroup(stack, 'C', { ...block, subnets: [a, b] })).toThrow(
      'CAPACITY_BLOCK, which is in',
    );
    new ManagedNodeGroup(stack, 'D', { ...block, subnets: [a] });
    new ManagedNodeGroup(stack, 'E', { ...block, subnets });
  });

  it.each<[Options, string]>([
    [{ volume: { size: 5 } }, 'volume.size is 5 GiB'],
    [{ amiVolumes: true }, 'amiVolumes is true without customAmi'],
    [{ warmPool: {}, capacityType: 'SPOT' }, 'no warm pools of spot instances'],
    [{ capacityType: 'CAPACITY_BLOCK' }, 'without the capacity block'],
    [{ nodeRepair: { enabled: false, maxParallelRepairs: 1 } }, 'enabled is false'],
    [{ efa: {}, instanceTypes: ['c5n.18xlarge', 'z99.large'] }, 'set efa.interfaces'],
    [{ efa: {}, instanceTypes: ['m5.large'] }, "instanceTypes has m5.large, which hasn't EFA"],
    [{ role: 'arn:aws:iam::111122223333:role/n', managedPolicies: [] }, 'managedPolicies and role are set'],
  ])('that no engine can make work are refused: %j', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });
});

describe('a key of the app', () => {
  it('is let to EC2 Auto Scaling by one grant, for which the nodes wait', () => {
    const stack = newStack();
    const cluster = newCluster(stack, { accessConfig: { authenticationMode: 'API' } });
    const kmsKey = new KmsKey(stack, 'Key', {});
    const props = { cluster, subnets, volume: { kmsKey } };
    const group = new ManagedNodeGroup(stack, 'A', props);
    new SelfManagedNodeGroup(stack, 'B', { ...props, serviceCidr: '172.20.0.0/16' });
    const grant = only(stack, 'aws_kms_grant');
    expect(grant).toMatchObject({
      key_id: '${aws_kms_key.Key.arn}',
      grantee_principal: expect.stringMatching(
        /^arn:\$\{data\.aws_partition\.\w+\.partition\}:iam::\$\{element\(split\(":", aws_kms_key\.Key\.arn\), 4\)\}:role\/aws-service-role\/autoscaling\.amazonaws\.com\/AWSServiceRoleForAutoScaling$/,
      ) as string,
      operations: expect.arrayContaining(['CreateGrant', 'GenerateDataKeyWithoutPlaintext']) as string[],
    });
    const waited = 'aws_kms_grant.EksGuardrailsKeyGrant1';
    expect(only(stack, 'aws_eks_node_group')['depends_on']).toContain(waited);
    expect(only(stack, 'aws_autoscaling_group')['depends_on']).toContain(waited);
    expect(group.launchTemplate).toBeDefined();
  });

  it('gets none where it is of elsewhere, or of another provider configuration', () => {
    const stack = withProvider(newStack());
    const cluster = newCluster(stack);
    const provider = new AwsProvider(stack, 'Other', { alias: 'other', region: 'eu-west-2' });
    new ManagedNodeGroup(stack, 'A', { cluster, subnets, volume: { kmsKey: new KmsKey(stack, 'Key', { provider }) } });
    new ManagedNodeGroup(stack, 'B', {
      cluster,
      subnets,
      volume: { kmsKey: new DataAwsKmsKey(stack, 'Known', { keyId: 'alias/nodes' }) },
    });
    expect(resourcesOf(stack, 'aws_kms_grant')).toEqual({});
  });
});

describe('role', () => {
  const aws = (name: string): string => `arn:aws:iam::aws:policy/${name}`;

  it('has further policies and a boundary, and the nodes wait for them', () => {
    const { stack } = makeGroup({
      managedPolicies: [{ arn: aws('AmazonSSMManagedInstanceCore') }],
      permissionsBoundary: { arn: 'arn:aws:iam::111122223333:policy/boundary' },
    });
    const nodes = Object.values(resourcesOf(stack, 'aws_iam_role')).find((one) => one['description'] !== undefined);
    expect(nodes?.['permissions_boundary']).toBe('arn:aws:iam::111122223333:policy/boundary');
    const [attachment] = Object.entries(resourcesOf(stack, 'aws_iam_role_policy_attachment')).find(
      ([, one]) => one['policy_arn'] === aws('AmazonSSMManagedInstanceCore'),
    ) ?? [''];
    expect(only(stack, 'aws_eks_node_group')['depends_on']).toContain(`aws_iam_role_policy_attachment.${attachment}`);
  });

  it('takes ARNs as text too, and refuses what has none', () => {
    const boundary = 'arn:aws:iam::111122223333:policy/boundary';
    const kmsKey = 'arn:aws:kms:eu-west-1:111122223333:key/k';
    const { stack } = makeGroup({
      managedPolicies: [aws('AmazonSSMManagedInstanceCore')],
      permissionsBoundary: boundary,
      volume: { kmsKey },
    });
    const roles = Object.values(resourcesOf(stack, 'aws_iam_role')).map((one) => one['permissions_boundary']);
    expect(roles).toContain(boundary);
    const policies = Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment'));
    expect(policies.map((one) => one['policy_arn'])).toContain(aws('AmazonSSMManagedInstanceCore'));
    expect(only(stack, 'aws_launch_template')['block_device_mappings']).toMatchObject([
      { ebs: { kms_key_id: kmsKey } },
    ]);
    const wrong = JSON.parse('{ "name": "boundary" }') as { arn: string };
    expect(() => makeGroup({ permissionsBoundary: wrong })).toThrow('permissionsBoundary has no ARN');
    expect(() => makeGroup({ managedPolicies: [aws('A'), wrong] })).toThrow('managedPolicies[1] has no ARN');
    expect(() => makeGroup({ volume: { kmsKey: wrong } })).toThrow('kmsKey of /dev/xvda has no ARN');
  });

  function problemsOf(service: string, ...policies: string[]): string {
    const stack = newStack();
    const Principal = { Service: service };
    const role = new IamRole(stack, 'Own', {
      assumeRolePolicy: JSON.stringify({ Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal }] }),
    });
    for (const name of policies) new IamRolePolicyAttachment(stack, name, { role: role.name, policyArn: aws(name) });
    new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack), subnets, role });
    try {
      Testing.synth(stack, true);
      return '';
    } catch (error) {
      return String(error);
    }
  }

  it('that is passed in is checked as far as the stack shows it', () => {
    expect(problemsOf('eks.amazonaws.com')).toContain('which trusts eks.amazonaws.com and not ec2.amazonaws.com');
    expect(problemsOf('ec2.amazonaws.com', 'AmazonEC2ContainerRegistryPullOnly')).toContain('ec2:DescribeInstances');
    expect(problemsOf('ec2.amazonaws.com', 'AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly')).toBe('');
    expect(problemsOf('ec2.amazonaws.com')).toBe('');
  });
});
