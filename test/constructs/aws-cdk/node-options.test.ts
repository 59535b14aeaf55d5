import { CfnParameter, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Match, Template } from 'aws-cdk-lib/assertions';
import {
  AmiFamily,
  CapacityReservationPreference,
  InstanceStore,
  ManagedNodeGroup,
  NodeConfig,
  RepairAction,
  UpdateStrategy,
  WarmPoolState,
} from '../../../constructs/aws-cdk';
import {
  importedCluster,
  importedVpc,
  launchTemplateData,
  nativeCluster,
  newStack,
  policyNames,
  resourceOf,
  resourcesOf,
  textOf,
} from './clusters';
import { AMI, launchTemplate, makeGroup, nodegroup, types, type Options } from './node-groups';

const BLOCK = 'cr-0123456789abcdef0';
const efaTypes = types('p5.48xlarge');

describe('security groups', () => {
  it('stay with EKS, which attaches the cluster’s, unless there are others', () => {
    expect(launchTemplate()).not.toHaveProperty('SecurityGroupIds');
  });

  function withGroup(options: Options = {}) {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const group = new ec2.SecurityGroup(stack, 'Own', { vpc: cluster.vpc });
    const nodes = new ManagedNodeGroup(stack, 'Workers', { cluster, securityGroups: [group], ...options });
    return { stack, cluster, group, nodes };
  }
  const clusterGroup = { 'Fn::GetAtt': [expect.stringMatching(/^Cluster/) as string, 'ClusterSecurityGroupId'] };
  const own = { 'Fn::GetAtt': [expect.stringMatching(/^Own/) as string, 'GroupId'] };

  it('are added to that of the cluster', () => {
    expect(launchTemplateData(withGroup().stack).SecurityGroupIds).toEqual([clusterGroup, own]);
  });

  it('stand alone on demand', () => {
    expect(launchTemplateData(withGroup({ clusterSecurityGroup: false }).stack).SecurityGroupIds).toEqual([own]);
  });

  it('are named once', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    new ManagedNodeGroup(stack, 'Workers', { cluster, securityGroups: [cluster.clusterSecurityGroup] });
    expect(launchTemplateData(stack).SecurityGroupIds).toEqual([clusterGroup]);
  });

  it('are what `connections` opens: the own ones, else that of the cluster', () => {
    const { stack, nodes, cluster } = withGroup();
    const database = new ec2.SecurityGroup(stack, 'Database', { vpc: cluster.vpc });
    database.connections.allowFrom(nodes, ec2.Port.tcp(5432));
    const plain = new ManagedNodeGroup(stack, 'Plain', { cluster });
    database.connections.allowFrom(plain, ec2.Port.tcp(3306));
    const peers = resourcesOf(stack, 'AWS::EC2::SecurityGroupIngress').map(({ Properties }) => [
      Properties['FromPort'],
      Properties['SourceSecurityGroupId'],
    ]);
    expect(peers).toEqual([
      [5432, own],
      [3306, clusterGroup],
    ]);
  });

  it.each<[Options, string]>([
    [{ clusterSecurityGroup: false }, 'clusterSecurityGroup is false without securityGroups'],
    [{ clusterSecurityGroup: false, efa: {}, instanceTypes: efaTypes }, 'clusterSecurityGroup is false'],
  ])('%j are refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(`Test/Workers: ${message}`);
  });

  it('of an imported cluster must be known, and no more than EC2 takes', () => {
    const stack = newStack();
    const vpc = importedVpc(stack);
    const cluster = importedCluster(stack, 'aws-eks-v2', { complete: true, vpc });
    const group = (index: number) =>
      ec2.SecurityGroup.fromSecurityGroupId(stack, `G${index}`, `sg-0123456789abcde${String(index).padStart(2, '0')}`);
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, securityGroups: [group(1)] })).toThrow(
      "securityGroups puts security groups into the launch template, so EKS no longer adds the cluster's security group, and the imported cluster doesn't tell it",
    );
    const many = Array.from({ length: 17 }, (_, index) => group(index + 2));
    const options = { cluster, clusterSecurityGroup: false };
    expect(() => new ManagedNodeGroup(stack, 'B', { ...options, securityGroups: many })).toThrow('come to 17');
    new ManagedNodeGroup(stack, 'C', { ...options, securityGroups: many.slice(1) });
    expect(() => new ManagedNodeGroup(stack, 'D', { cluster }).connections).toThrow(
      'connections need a security group',
    );
  });
});

describe('remote access', () => {
  function withAccess(options: Options = {}, from?: (stack: ReturnType<typeof newStack>) => ec2.IConnectable[]) {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const keyPair = ec2.KeyPair.fromKeyPairName(stack, 'Key', 'operators');
    const bastion = new ec2.SecurityGroup(stack, 'Bastion', { vpc: cluster.vpc });
    const remoteAccess = { keyPair, from: from?.(stack) ?? [bastion] };
    new ManagedNodeGroup(stack, 'Workers', { cluster, remoteAccess, ...options });
    return stack;
  }

  it.each([
    [AmiFamily.AL2023, 22],
    [AmiFamily.WINDOWS_CORE_2022, 3389],
  ])('to %s comes from security groups alone, on port %i of a group of its own', (amiFamily, port) => {
    const stack = withAccess({ amiFamily });
    expect(launchTemplateData(stack)).toMatchObject({
      KeyName: 'operators',
      SecurityGroupIds: [
        { 'Fn::GetAtt': [expect.stringMatching(/^Cluster/), 'ClusterSecurityGroupId'] },
        { 'Fn::GetAtt': [expect.stringMatching(/^WorkersRemoteAccess/), 'GroupId'] },
      ],
    });
    expect(resourceOf(stack, 'AWS::EC2::SecurityGroupIngress').Properties).toMatchObject({
      FromPort: port,
      ToPort: port,
      SourceSecurityGroupId: { 'Fn::GetAtt': [expect.stringMatching(/^Bastion/), 'GroupId'] },
    });
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties).not.toHaveProperty('RemoteAccess');
  });

  it('from nowhere, or from a peer without security groups, is refused', () => {
    expect(() => withAccess({}, () => [])).toThrow('remoteAccess.from is empty');
    const peer = { connections: new ec2.Connections({ peer: ec2.Peer.anyIpv4() }) };
    expect(() => withAccess({}, () => [peer])).toThrow('addresses are not let in');
  });
});

describe('updates and repairs', () => {
  it('reach the node group', () => {
    expect(
      nodegroup({
        updateStrategy: UpdateStrategy.MINIMAL,
        maxUnavailablePercentage: 20,
        nodeRepair: {
          maxUnhealthyNodes: 3,
          maxParallelRepairsPercentage: 50,
          overrides: [
            {
              condition: 'AcceleratedHardwareReady',
              reason: 'NvidiaXID64Error',
              waitMinutes: 5,
              action: RepairAction.REBOOT,
            },
          ],
        },
        warmPool: { minSize: 1, maxPreparedCapacity: 4, state: WarmPoolState.RUNNING, reuseOnScaleIn: true },
      }),
    ).toMatchObject({
      UpdateConfig: { MaxUnavailablePercentage: 20, UpdateStrategy: 'MINIMAL' },
      NodeRepairConfig: {
        Enabled: true,
        MaxUnhealthyNodeThresholdCount: 3,
        MaxParallelNodesRepairedPercentage: 50,
        NodeRepairConfigOverrides: [
          {
            NodeMonitoringCondition: 'AcceleratedHardwareReady',
            NodeUnhealthyReason: 'NvidiaXID64Error',
            MinRepairWaitTimeMins: 5,
            RepairAction: 'Reboot',
          },
        ],
      },
      WarmPoolConfig: {
        Enabled: true,
        MinSize: 1,
        MaxGroupPreparedCapacity: 4,
        PoolState: 'RUNNING',
        ReuseOnScaleIn: true,
      },
    });
  });

  it('are left to EKS otherwise, and switched on with its own limits by {}', () => {
    for (const property of ['NodeRepairConfig', 'WarmPoolConfig']) expect(nodegroup()).not.toHaveProperty(property);
    expect(nodegroup({ nodeRepair: {}, warmPool: {} })).toMatchObject({
      NodeRepairConfig: { Enabled: true },
      WarmPoolConfig: { Enabled: true },
    });
    expect(nodegroup({ nodeRepair: { enabled: false } })['NodeRepairConfig']).toEqual({ Enabled: false });
  });

  const override = {
    condition: 'KernelReady',
    reason: 'ForkFailedOutOfPID',
    waitMinutes: 1,
    action: RepairAction.REPLACE,
  };

  it.each<[Options, string]>([
    [{ updateStrategy: 'SURGE' as UpdateStrategy }, 'updateStrategy is "SURGE"; it is one of DEFAULT, MINIMAL'],
    [
      { nodeRepair: { enabled: false, maxParallelRepairs: 1 } },
      'nodeRepair has maxParallelRepairs and enabled is false',
    ],
    [{ nodeRepair: { enabled: false, overrides: [override] } }, 'nodeRepair has overrides and enabled is false'],
    [
      { nodeRepair: { maxUnhealthyNodes: 1, maxUnhealthyNodesPercentage: 5 } },
      'nodeRepair has maxUnhealthyNodes and maxUnhealthyNodesPercentage; EKS takes one',
    ],
    [
      { nodeRepair: { maxParallelRepairs: 1, maxParallelRepairsPercentage: 5 } },
      'nodeRepair has maxParallelRepairs and maxParallelRepairsPercentage',
    ],
    [{ nodeRepair: { maxUnhealthyNodesPercentage: 0 } }, 'a whole number from 1 to 100'],
    [{ nodeRepair: { maxParallelRepairs: 0 } }, 'nodeRepair.maxParallelRepairs is 0; a whole number from 1 on'],
    [{ nodeRepair: { overrides: [override, override] } }, 'nodeRepair.overrides[1] is for KernelReady with'],
    [{ nodeRepair: { overrides: [{ ...override, reason: '' }] } }, 'overrides[0] has an empty reason'],
    [{ nodeRepair: { overrides: [{ ...override, waitMinutes: 0 }] } }, 'overrides[0].waitMinutes is 0'],
    [
      { nodeRepair: { overrides: [{ ...override, action: 'Terminate' as RepairAction }] } },
      'overrides[0].action is "Terminate"; it is one of Replace, Reboot, NoAction',
    ],
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022, nodeRepair: {} }, 'EKS repairs Linux nodes only'],
    [{ customAmi: AMI, warmPool: {} }, 'warmPool and customAmi are set'],
    [
      { amiFamily: AmiFamily.BOTTLEROCKET, warmPool: { state: WarmPoolState.HIBERNATED } },
      'warmPool.state is HIBERNATED and the operating system is BOTTLEROCKET',
    ],
    [
      { amiFamily: AmiFamily.BOTTLEROCKET, warmPool: { reuseOnScaleIn: true } },
      'warmPool.reuseOnScaleIn is true and the operating system is BOTTLEROCKET',
    ],
    [{ warmPool: { minSize: -1 } }, 'warmPool.minSize is -1'],
    [
      { warmPool: { minSize: 3, maxPreparedCapacity: 2 } },
      'warmPool.maxPreparedCapacity is 2 and warmPool.minSize is 3',
    ],
    [{ warmPool: { state: 'Cold' as WarmPoolState } }, 'warmPool.state is "Cold"'],
  ])('%j are refused', (options, message) => {
    expect(() => makeGroup(options, { serviceIpv4Cidr: '10.100.0.0/16' })).toThrow(message);
  });

  it('take what is decided at deployment', () => {
    const stack = newStack();
    const count = new CfnParameter(stack, 'Count', { type: 'Number' }).valueAsNumber;
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack),
      nodeRepair: { maxUnhealthyNodes: count },
      warmPool: { minSize: count, maxPreparedCapacity: 1 },
      volume: { size: count, iops: count, throughput: count },
    });
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties).toMatchObject({
      NodeRepairConfig: { MaxUnhealthyNodeThresholdCount: { Ref: 'Count' } },
      WarmPoolConfig: { MinSize: { Ref: 'Count' } },
    });
  });
});

describe('volumes', () => {
  const plain = { Encrypted: true, VolumeType: 'gp3', DeleteOnTermination: true };

  it('have what is asked for, and further ones beside them', () => {
    expect(
      launchTemplate({
        volume: { size: 200, iops: 6000, throughput: 500 },
        additionalVolumes: [
          { deviceName: '/dev/xvdc', size: 500, type: 'st1' },
          { deviceName: '/dev/sdf', snapshotId: 'snap-0123456789abcdef0' },
        ],
      })['BlockDeviceMappings'],
    ).toEqual([
      { DeviceName: '/dev/xvda', Ebs: { ...plain, VolumeSize: 200, Iops: 6000, Throughput: 500 } },
      { DeviceName: '/dev/xvdc', Ebs: { ...plain, VolumeSize: 500, VolumeType: 'st1' } },
      { DeviceName: '/dev/sdf', Ebs: { ...plain, SnapshotId: 'snap-0123456789abcdef0' } },
    ]);
  });

  it('of Bottlerocket: the data volume has the settings and the snapshot, both have the key', () => {
    const stack = newStack();
    const kmsKey = kms.Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:123456789012:key/0123abcd');
    const KmsKeyId = 'arn:aws:kms:eu-west-1:123456789012:key/0123abcd';
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack),
      amiFamily: AmiFamily.BOTTLEROCKET,
      volume: { kmsKey, type: 'io2', iops: 20_000, snapshotId: 'snap-0123456789abcdef0' },
    });
    expect(launchTemplateData(stack)['BlockDeviceMappings']).toEqual([
      { DeviceName: '/dev/xvda', Ebs: { ...plain, KmsKeyId } },
      {
        DeviceName: '/dev/xvdb',
        Ebs: { ...plain, VolumeType: 'io2', Iops: 20_000, SnapshotId: 'snap-0123456789abcdef0', KmsKeyId },
      },
    ]);
  });

  it('with a key of the app can be used by EC2 Auto Scaling, said once', () => {
    const stack = newStack();
    const kmsKey = new kms.Key(stack, 'Key');
    const cluster = nativeCluster(stack);
    for (const id of ['A', 'B']) new ManagedNodeGroup(stack, id, { cluster, volume: { kmsKey } });
    const { Statement } = resourceOf(stack, 'AWS::KMS::Key').Properties['KeyPolicy'] as { Statement: unknown[] };
    expect(Statement).toHaveLength(3);
    expect(JSON.stringify(Statement[2])).toContain('AWSServiceRoleForAutoScaling');
    expect(Statement[2]).toMatchObject({
      Action: 'kms:CreateGrant',
      Condition: { Bool: { 'kms:GrantIsForAWSResource': true } },
    });
  });

  it('smaller than those of the AMI are refused, unless the AMI is the user’s', () => {
    expect(() => makeGroup({ diskSize: 10 })).toThrow(
      "diskSize is 10 GiB; the root volume of EKS's AL2023 AMI has 20, and EC2 starts no instance with a smaller one",
    );
    expect(() => makeGroup({ amiFamily: AmiFamily.BOTTLEROCKET, volume: { size: 19 } })).toThrow('the data volume');
    expect(() => makeGroup({ amiFamily: AmiFamily.WINDOWS_CORE_2022, diskSize: 49 })).toThrow('has 50');
    const own = makeGroup({ customAmi: AMI, diskSize: 8 }, { serviceIpv4Cidr: '10.100.0.0/16' });
    expect(launchTemplateData(own.stack)['BlockDeviceMappings']).toMatchObject([{ Ebs: { VolumeSize: 8 } }]);
  });

  it('of an AMI of the user’s are as large as the AMI has them, or left to it altogether', () => {
    const devices = (options: Options): unknown =>
      launchTemplateData(makeGroup(options, { serviceIpv4Cidr: '10.100.0.0/16' }).stack)['BlockDeviceMappings'];
    expect(devices({ customAmi: AMI })).toEqual([{ DeviceName: '/dev/xvda', Ebs: plain }]);
    expect(devices({ customAmi: AMI, amiFamily: AmiFamily.BOTTLEROCKET, volume: { iops: 12_000 } })).toEqual([
      { DeviceName: '/dev/xvda', Ebs: plain },
      { DeviceName: '/dev/xvdb', Ebs: { ...plain, Iops: 12_000 } },
    ]);
    expect(devices({ customAmi: AMI, amiVolumes: true })).toBeUndefined();
    expect(
      devices({ customAmi: AMI, amiVolumes: true, additionalVolumes: [{ deviceName: '/dev/xvdc', size: 5 }] }),
    ).toEqual([{ DeviceName: '/dev/xvdc', Ebs: { ...plain, VolumeSize: 5 } }]);
  });

  it.each<[Options, string]>([
    [{ amiVolumes: true }, 'amiVolumes is true without customAmi'],
    [{ amiVolumes: true, customAmi: AMI, diskSize: 50 }, 'amiVolumes is true and diskSize is set'],
    [{ amiVolumes: true, customAmi: AMI, volume: { size: 50 } }, 'amiVolumes is true and volume is set'],
    [{ diskSize: 50, volume: { size: 60 } }, 'diskSize is 50 and volume.size is 60'],
    [{ volume: { type: 'gp4' } }, 'volume.type is "gp4"; it is one of gp3, gp2'],
    [{ volume: { type: 'st1', size: 200 } }, 'volume.type is "st1", from which no instance starts'],
    [{ volume: { type: 'io1' } }, 'volume.type is "io1" without iops'],
    [{ volume: { type: 'gp2', iops: 3000 } }, 'volume is a gp2 volume with iops'],
    [{ volume: { type: 'io2', iops: 500, throughput: 200 } }, 'volume is a io2 volume with throughput'],
    [{ volume: { iops: 2000 } }, 'volume.iops of a gp3 volume is 2000; a whole number from 3000 to 80000'],
    [{ volume: { size: 20, iops: 10_001 } }, 'volume.iops is 10001 and the size 20 GiB; a gp3 volume has at most 500'],
    [{ volume: { type: 'io1', size: 20, iops: 1001 } }, 'a io1 volume has at most 50 for each GiB, here 1000'],
    [
      { volume: { throughput: 800 } },
      'iops not set, so 3000; gp3 gives a quarter of a MiB/s for each, so set iops to 3200',
    ],
    [{ volume: { throughput: 100 } }, 'volume.throughput is 100; a whole number from 125 to 2000'],
    [{ volume: { size: 70_000 } }, 'volume.size of a gp3 volume is 70000'],
    [{ volume: { snapshotId: 'snap-1' } }, 'volume.snapshotId is "snap-1"'],
    [{ additionalVolumes: [{ deviceName: '/dev/xvdc' }] }, 'additionalVolumes[0] has neither size nor snapshotId'],
    [{ additionalVolumes: [{ deviceName: '/dev/sda1', size: 5 }] }, 'where another volume of the nodes is'],
    [{ additionalVolumes: [{ deviceName: 'disk', size: 5 }] }, 'additionalVolumes[0].deviceName is "disk"'],
    [
      {
        additionalVolumes: [
          { deviceName: '/dev/sdb', size: 5 },
          { deviceName: '/dev/xvdb', size: 5 },
        ],
      },
      'additionalVolumes[1].deviceName is "/dev/xvdb"',
    ],
    [{ additionalVolumes: [{ deviceName: '/dev/xvdc', size: 50, type: 'sc1' }] }, 'size of a sc1 volume is 50'],
  ])('%j are refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });

  it('may have three thousand operations, however small they are', () => {
    makeGroup({ additionalVolumes: [{ deviceName: '/dev/xvdc', size: 1, iops: 3000 }] });
  });
});

describe('instance stores', () => {
  it('are set up by nodeadm', () => {
    expect(makeGroup({ instanceStore: InstanceStore.RAID0 }).group.userData).toContain('strategy: "RAID0"');
    const { stack } = makeGroup(
      { instanceStore: InstanceStore.MOUNT, customAmi: AMI },
      { serviceIpv4Cidr: '10.100.0.0/16' },
    );
    expect(textOf(launchTemplateData(stack)['UserData']).match(/kind: "NodeConfig"/g)).toHaveLength(2);
  });

  it.each<[Options, string]>([
    [{ amiFamily: AmiFamily.BOTTLEROCKET, instanceStore: InstanceStore.RAID0 }, 'settings.bootstrap-commands'],
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceStore: InstanceStore.RAID0 }, 'only nodeadm of AL2023'],
    [{ instanceStore: 'RAID5' as InstanceStore }, 'instanceStore is "RAID5"; it is one of RAID0, RAID10, Mount'],
    [
      {
        instanceStore: InstanceStore.RAID0,
        nodeConfig: new NodeConfig({ instance: { localStorage: { strategy: 'Mount' } } }),
      },
      'nodeConfig sets instance.localStorage',
    ],
  ])('%j are refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });
});

describe('instances', () => {
  it('of a capacity block: the template has market, target and type, the group the capacity type', () => {
    const { stack } = makeGroup({
      instanceTypes: efaTypes,
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: BLOCK },
      efa: {},
      detailedMonitoring: true,
    });
    const data = launchTemplateData(stack);
    expect(data).toMatchObject({
      InstanceType: 'p5.48xlarge',
      InstanceMarketOptions: { MarketType: 'capacity-block' },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: BLOCK } },
      Monitoring: { Enabled: true },
    });
    const group = resourceOf(stack, 'AWS::EKS::Nodegroup').Properties;
    expect(group).toMatchObject({
      AmiType: 'AL2023_x86_64_NVIDIA',
      CapacityType: 'CAPACITY_BLOCK',
      ScalingConfig: { MinSize: 0, MaxSize: 1 },
    });
    expect(group).not.toHaveProperty('InstanceTypes');
    const interfaces = data['NetworkInterfaces'] as Record<string, unknown>[];
    expect(interfaces).toHaveLength(32);
    expect(interfaces.slice(0, 2)).toEqual([
      {
        DeviceIndex: 0,
        NetworkCardIndex: 0,
        InterfaceType: 'efa',
        DeleteOnTermination: true,
        Groups: [{ 'Fn::GetAtt': [expect.stringMatching(/^Cluster/), 'ClusterSecurityGroupId'] }],
      },
      expect.objectContaining({ DeviceIndex: 1, NetworkCardIndex: 1, InterfaceType: 'efa-only' }),
    ]);
    expect(data).not.toHaveProperty('SecurityGroupIds');
  });

  it('have EFA behind a first network card that has none', () => {
    const { stack } = makeGroup({ instanceTypes: types('p6-b300.48xlarge'), efa: {} });
    const interfaces = launchTemplateData(stack)['NetworkInterfaces'] as Record<string, unknown>[];
    expect(interfaces.map((one) => [one['NetworkCardIndex'], one['DeviceIndex'], one['InterfaceType']])).toEqual([
      [0, 0, 'interface'],
      ...Array.from({ length: 16 }, (_, index) => [index + 1, 0, 'efa-only']),
    ]);
  });

  it('with EFA have a group that lets all through before Kubernetes 1.33, where the cluster’s doesn’t', () => {
    const { stack } = makeGroup(
      { instanceTypes: efaTypes, efa: { interfaces: 2, ipOnAll: true } },
      { version: '1.32' },
    );
    const [first, second] = launchTemplateData(stack)['NetworkInterfaces'] as {
      Groups: unknown[];
      InterfaceType: string;
    }[];
    expect(first?.Groups).toEqual([
      { 'Fn::GetAtt': [expect.stringMatching(/^Cluster/), 'ClusterSecurityGroupId'] },
      { 'Fn::GetAtt': [expect.stringMatching(/^WorkersEfa/), 'GroupId'] },
    ]);
    expect(second?.InterfaceType).toBe('efa');
    for (const type of ['AWS::EC2::SecurityGroupIngress', 'AWS::EC2::SecurityGroupEgress'])
      expect(resourceOf(stack, type).Properties).toMatchObject({
        IpProtocol: '-1',
        GroupId: { 'Fn::GetAtt': [expect.stringMatching(/^WorkersEfa/), 'GroupId'] },
      });
  });

  it('may come from a group of reservations, or from reservations alone', () => {
    const arn = 'arn:aws:resource-groups:eu-west-1:123456789012:group/gpus';
    const specification = (options: Options) => launchTemplate(options)['CapacityReservationSpecification'];
    expect(specification({ capacityReservation: { resourceGroupArn: arn } })).toEqual({
      CapacityReservationTarget: { CapacityReservationResourceGroupArn: arn },
    });
    const preference = CapacityReservationPreference.RESERVATIONS_ONLY;
    expect(specification({ capacityReservation: { preference } })).toEqual({
      CapacityReservationPreference: 'capacity-reservations-only',
    });
  });

  it.each<[Options, string]>([
    [{ capacityType: 'CAPACITY_BLOCK' }, 'capacityType is CAPACITY_BLOCK without the capacity block'],
    [
      { capacityType: 'CAPACITY_BLOCK', capacityReservation: { preference: CapacityReservationPreference.OPEN } },
      'without the capacity block',
    ],
    [
      {
        capacityType: 'CAPACITY_BLOCK',
        capacityReservation: { id: BLOCK },
        instanceTypes: types('p5.48xlarge', 'p5e.48xlarge'),
      },
      'a capacity block is of one type',
    ],
    [{ capacityReservation: {} }, 'capacityReservation has nothing; EC2 takes one of'],
    [
      { capacityReservation: { id: BLOCK, preference: CapacityReservationPreference.OPEN } },
      'capacityReservation has id and preference',
    ],
    [{ capacityReservation: { id: 'cr-1' } }, 'capacityReservation.id is "cr-1"'],
    [{ capacityReservation: { resourceGroupArn: 'gpus' } }, "isn't the ARN of a resource group"],
    [{ capacityReservation: { id: BLOCK }, capacityType: 'SPOT' }, 'spot instances use no reservation'],
    [
      { capacityReservation: { preference: 'any' as CapacityReservationPreference } },
      'capacityReservation.preference is "any"',
    ],
    [{ efa: { interfaces: 33 }, instanceTypes: efaTypes }, 'efa.interfaces is 33 and p5.48xlarge takes 32 adapters'],
    [{ efa: { interfaces: 0 }, instanceTypes: efaTypes }, 'efa.interfaces is 0'],
    [
      { efa: {}, instanceTypes: types('z99.metal'), architecture: ec2.InstanceArchitecture.X86_64 },
      "so the number of network cards isn't known; set efa.interfaces",
    ],
    [
      { efa: {}, instanceTypes: types('t3.large') },
      'instanceTypes has t3.large, a burstable type, of which none has EFA',
    ],
    [{ efa: { interfaces: 1 }, instanceTypes: types('m4.large') }, "m4.large, which isn't on Nitro and hasn't EFA"],
    [{ efa: { interfaces: 1 } }, "instanceTypes has m5.large, which hasn't EFA"],
    [{ efa: {}, instanceTypes: types('p5.48xlarge', 'g5.xlarge') }, "g5.xlarge, which hasn't EFA"],
    [
      { efa: { interfaces: 17 }, instanceTypes: types('p6-b300.48xlarge') },
      'efa.interfaces is 17 and p6-b300.48xlarge takes 16 adapters',
    ],
    [
      { efa: {}, instanceTypes: types('p6-b300.48xlarge', 'p5.48xlarge') },
      'p6-b300.48xlarge, whose first network card has no EFA, and p5.48xlarge, whose first has',
    ],
    [{ efa: {}, amiFamily: AmiFamily.WINDOWS_CORE_2022 }, 'efa is set and the operating system is WINDOWS'],
    [{ efa: { interfaces: Token.asNumber({ Ref: 'X' }) }, instanceTypes: efaTypes }, 'efa.interfaces is a token'],
    [{ tags: { 'aws:team': 'web' } }, 'tags has "aws:team"'],
  ])('%j are refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });

  it('of a capacity block are in its zone, where the zones are known', () => {
    const stack = newStack('eu-west-1');
    const cluster = nativeCluster(stack, { vpc: importedVpc(stack) });
    const block = {
      cluster,
      instanceTypes: efaTypes,
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: BLOCK },
    } as const;
    expect(() => new ManagedNodeGroup(stack, 'A', block)).toThrow(
      'capacityType is CAPACITY_BLOCK, which is in one Availability Zone, and the subnets are in eu-west-1a, eu-west-1b',
    );
    new ManagedNodeGroup(stack, 'B', { ...block, subnets: { availabilityZones: ['eu-west-1a'] } });
  });

  it('are in a placement group, of one zone if it is a cluster', () => {
    const stack = newStack('eu-west-1');
    const vpc = importedVpc(stack);
    const cluster = nativeCluster(stack, { vpc });
    const placementGroup = new ec2.PlacementGroup(stack, 'Close', { strategy: ec2.PlacementGroupStrategy.CLUSTER });
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, placementGroup })).toThrow(
      'placementGroup has the strategy cluster, which is in one Availability Zone, and the subnets are in eu-west-1a, eu-west-1b',
    );
    stack.node.tryRemoveChild('A');
    new ManagedNodeGroup(stack, 'B', { cluster, placementGroup, subnets: { availabilityZones: ['eu-west-1a'] } });
    expect(launchTemplateData(stack)['Placement']).toEqual({
      GroupName: { 'Fn::GetAtt': [expect.stringMatching(/^Close/), 'GroupName'] },
    });
  });
});

describe('tags', () => {
  it('are on the group, on its instances and on their volumes', () => {
    const { stack } = makeGroup({ tags: { team: 'web' } });
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties['Tags']).toMatchObject({ team: 'web' });
    const specifications = launchTemplateData(stack)['TagSpecifications'] as { ResourceType: string; Tags: unknown }[];
    expect(specifications.map(({ ResourceType }) => ResourceType)).toEqual(['instance', 'volume']);
    for (const { Tags } of specifications) expect(Tags).toContainEqual({ Key: 'team', Value: 'web' });
  });
});

describe('role', () => {
  const ec2Service = new iam.ServicePrincipal('ec2.amazonaws.com');
  const aws = (name: string) => iam.ManagedPolicy.fromAwsManagedPolicyName(name);

  it('has further policies and a boundary', () => {
    const stack = newStack();
    const boundary = iam.ManagedPolicy.fromManagedPolicyArn(stack, 'B', 'arn:aws:iam::123456789012:policy/boundary');
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack),
      managedPolicies: [aws('AmazonSSMManagedInstanceCore')],
      permissionsBoundary: boundary,
    });
    const role = resourcesOf(stack, 'AWS::IAM::Role').find((one) =>
      policyNames(one).includes('AmazonEKSWorkerNodePolicy'),
    );
    expect(role === undefined ? [] : policyNames(role)).toContain('AmazonSSMManagedInstanceCore');
    expect(role?.Properties['PermissionsBoundary']).toBe('arn:aws:iam::123456789012:policy/boundary');
  });

  it('and volumes take constructs: the ARN alone, which CDK would leave out without a word, is refused', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const text = (arn: string) => JSON.parse(JSON.stringify(arn)) as never;
    const options: [Options, string][] = [
      [
        { permissionsBoundary: text('arn:aws:iam::1:policy/b') },
        'permissionsBoundary has the text "arn:aws:iam::1:policy/b"',
      ],
      [{ managedPolicies: [aws('A'), text('arn:aws:iam::1:policy/p')] }, 'it takes an iam.IManagedPolicy'],
      [{ volume: { kmsKey: text('arn:aws:kms:eu-west-1:1:key/k') } }, 'it takes a kms.IKey'],
    ];
    for (const [index, [option, message]] of options.entries())
      expect(() => new ManagedNodeGroup(stack, `Workers${index}`, { cluster, ...option })).toThrow(message);
  });

  function problemsOf(role: (stack: ReturnType<typeof newStack>) => iam.IRole, options: Options = {}): string {
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack), role: role(stack), ...options });
    try {
      Template.fromStack(stack);
      return '';
    } catch (error) {
      return String(error);
    }
  }

  it('that is passed in must be one that EC2 can assume', () => {
    expect(
      problemsOf((stack) => new iam.Role(stack, 'Own', { assumedBy: new iam.ServicePrincipal('eks.amazonaws.com') })),
    ).toContain('role is Test/Own, which trusts eks.amazonaws.com and not ec2.amazonaws.com');
    const both = new iam.CompositePrincipal(new iam.ServicePrincipal('eks.amazonaws.com'), ec2Service);
    expect(problemsOf((stack) => new iam.Role(stack, 'Own', { assumedBy: both }))).toBe('');
    expect(problemsOf((stack) => iam.Role.fromRoleName(stack, 'Own', 'nodes'))).toBe('');
  });

  it.each<[string, string[], Options, string]>([
    ['can’t look itself up', ['AmazonEC2ContainerRegistryPullOnly'], {}, 'which lacks ec2:DescribeInstances'],
    ['lacks images', ['AmazonEKSWorkerNodePolicy'], {}, 'which lacks ecr:BatchGetImage'],
    ['is whole', ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly'], {}, ''],
    ['has a policy that nobody knows here', ['AmazonSomethingNew'], {}, ''],
    [
      'has an AMI of the user’s own',
      ['AmazonEKSWorkerNodePolicy'],
      { customAmi: AMI, serviceCidr: '10.100.0.0/16' },
      '',
    ],
  ])('that is passed in and %s', (_, names, options, message) => {
    const problems = problemsOf(
      (stack) => new iam.Role(stack, 'Own', { assumedBy: ec2Service, managedPolicies: names.map(aws) }),
      options,
    );
    if (message === '') expect(problems).toBe('');
    else expect(problems).toContain(message);
  });

  it('that is passed in and has statements of its own is taken as it is', () => {
    const withPolicy = (stack: ReturnType<typeof newStack>): iam.Role => {
      const role = new iam.Role(stack, 'Own', {
        assumedBy: ec2Service,
        managedPolicies: [aws('AmazonEKS_CNI_Policy')],
      });
      role.addToPolicy(new iam.PolicyStatement({ actions: ['ec2:*', 'ecr:*'], resources: ['*'] }));
      return role;
    };
    expect(problemsOf(withPolicy)).toBe('');
  });

  it('takes no policies beside a role that is passed in', () => {
    const stack = newStack();
    const role = iam.Role.fromRoleName(stack, 'Own', 'nodes');
    const cluster = nativeCluster(stack);
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, role, managedPolicies: [aws('X')] })).toThrow(
      'managedPolicies and role are set',
    );
    expect(() => new ManagedNodeGroup(stack, 'B', { cluster, role, permissionsBoundary: aws('X') })).toThrow(
      'permissionsBoundary and role are set',
    );
  });
});

describe('an L2 node group', () => {
  it('is what APIs of CDK take it for', () => {
    const { stack, group } = makeGroup();
    const l2: eks.INodegroup = group;
    expect(stack.resolve([l2.nodegroupName, l2.nodegroupRef.nodegroupArn])).toHaveLength(2);
    expect(l2.stack).toBe(stack);
    expect(l2.env.region).toBe(stack.region);
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::Nodegroup', Match.anyValue());
  });
});
