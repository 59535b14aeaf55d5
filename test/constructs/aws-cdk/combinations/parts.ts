import { Stack, type App } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import {
  AmiFamily,
  CapacityReservationPreference,
  InstanceStore,
  ManagedNodeGroup,
  SelfManagedNodeGroup,
  type ManagedNodeGroupProps,
} from '../../../../constructs/aws-cdk';
import { SERVICE_CIDR } from '../clusters';
import { AMI, types } from '../node-groups';
import { combinations, Untried } from './choices';
import { clusterKinds, ENVIRONMENT, tryMake } from './made';
import { UPDATES } from '../../shared-axes';

interface Parts {
  readonly os: Partial<ManagedNodeGroupProps>;
  readonly network: 'none' | 'groups' | 'alone' | 'ssh';
  readonly volume: Partial<ManagedNodeGroupProps>;
  readonly instances: Partial<ManagedNodeGroupProps>;
  readonly updates: Partial<ManagedNodeGroupProps>;
  readonly more: boolean;
}

const partCombinations = combinations<Parts>({
  os: [
    {},
    { instanceTypes: types('p5.48xlarge') },
    { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('trn1.32xlarge') },
    { amiFamily: AmiFamily.WINDOWS_CORE_2022 },
    { customAmi: AMI, serviceCidr: SERVICE_CIDR, instanceTypes: types('p4d.24xlarge') },
  ],
  network: ['none', 'groups', 'alone', 'ssh'],
  volume: [
    {},
    { volume: { size: 200, iops: 6000, throughput: 1500 } },
    { volume: { type: 'io2', iops: 5000 }, additionalVolumes: [{ deviceName: '/dev/xvdf', size: 500, type: 'st1' }] },
    { amiVolumes: true, additionalVolumes: [{ deviceName: '/dev/xvdf', size: 500 }] },
  ],
  instances: [
    {},
    { capacityType: 'CAPACITY_BLOCK', capacityReservation: { id: 'cr-0123456789abcdef0' }, efa: {} },
    { efa: { interfaces: 1 }, detailedMonitoring: true },
    {
      instanceStore: InstanceStore.RAID0,
      capacityReservation: { preference: CapacityReservationPreference.RESERVATIONS_ONLY },
    },
  ],
  updates: UPDATES,
  more: [false, true],
});

/** Groups with the options about network, volumes, instances, updates and role, every two of which meet on each kind of cluster. */
export function addParts(app: App): void {
  for (const kind of ['Native', 'NativeOld', 'Custom']) {
    const [untried, untriedAlone] = [new Untried(2), new Untried(2)];
    const stack = new Stack(app, `${kind}Parts`, { env: ENVIRONMENT });
    const cluster = clusterKinds[kind]?.(stack);
    if (cluster === undefined) throw new Error(kind);
    const own = new ec2.SecurityGroup(stack, 'Own', { vpc: cluster.vpc });
    const keyPair = ec2.KeyPair.fromKeyPairName(stack, 'Operators', 'operators');
    // Control plane and nodes let each other in, so that the nodes can do without the cluster's group.
    own.connections.allowFrom(cluster.clusterSecurityGroup, ec2.Port.allTraffic());
    const networks: Record<Parts['network'], Partial<ManagedNodeGroupProps>> = {
      none: {},
      groups: { securityGroups: [own] },
      alone: { securityGroups: [own], clusterSecurityGroup: false },
      ssh: { remoteAccess: { keyPair, from: [own] } },
    };
    const more = {
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
      permissionsBoundary: iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Limit', 'arn:aws:iam::123456789012:policy/b'),
      placementGroup: new ec2.PlacementGroup(stack, 'Spread', { strategy: ec2.PlacementGroupStrategy.SPREAD }),
      tags: { team: 'web' },
    };
    const kmsKey = kms.Key.fromKeyArn(
      stack,
      'Key',
      'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef',
    );
    for (const { options, number, choices } of partCombinations) {
      if (!untried.has(choices)) continue;
      const { os, network, volume, instances, updates } = options;
      const id = `Parts${number}`;
      const keyed = options.more && volume.volume !== undefined ? { volume: { ...volume.volume, kmsKey } } : {};
      const shared = { cluster, ...os, ...networks[network], ...volume, ...instances, ...keyed };
      const withMore = options.more ? more : {};
      if (number % 4 === 0 && untriedAlone.has(choices)) {
        const own = `Own${id}`;
        if (tryMake(stack, own, () => new SelfManagedNodeGroup(stack, own, { ...shared, ...withMore })) !== undefined)
          untriedAlone.accept(choices);
      }
      const props = { ...shared, ...updates };
      if (tryMake(stack, id, () => new ManagedNodeGroup(stack, id, { ...props, ...withMore })) !== undefined)
        untried.accept(choices);
    }
  }
}
