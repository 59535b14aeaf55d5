import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, InstanceStore, ManagedNodeGroup, UpdateStrategy } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

export interface CapacityBlockProps extends StackProps {
  /** The capacity block, `cr-0123456789abcdef0`, which is bought before the deployment. */
  readonly capacityReservationId: string;
  /** Where the block is. */
  readonly availabilityZone: string;
  /** Instances of the block. */
  readonly instances: number;
}

/** Training on p5 from a capacity block: an EFA on each of the 32 network cards, images and scratch data on the NVMe disks, and no node before the block begins. */
export class CapacityBlock extends Stack {
  constructor(scope: Construct, id: string, props: CapacityBlockProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', CLUSTER_DEFAULTS);
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'System', { cluster });
    new ManagedNodeGroup(this, 'Training', {
      cluster,
      instanceTypes: [new ec2.InstanceType('p5.48xlarge')],
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: props.capacityReservationId },
      subnets: { availabilityZones: [props.availabilityZone] },
      minSize: 0,
      maxSize: props.instances,
      efa: {},
      instanceStore: InstanceStore.RAID0,
      // There are no instances beside those of the block, so old nodes go first.
      updateStrategy: UpdateStrategy.MINIMAL,
      nodeRepair: {},
      taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NO_SCHEDULE' }],
    });
  }
}
