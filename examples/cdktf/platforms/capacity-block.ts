import { ClusterNetworkAddons, InstanceStore, ManagedNodeGroup, UpdateStrategy } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

export interface CapacityBlockProps {
  /** The capacity block, `cr-0123456789abcdef0`, which is bought before the deployment. */
  readonly capacityReservationId: string;
  /** A subnet where the block is. */
  readonly subnet: string;
  /** Instances of the block. */
  readonly instances: number;
}

/** Training on p5 from a capacity block: an EFA on each of the 32 network cards, images and scratch data on the NVMe disks, and no node before the block begins. */
export class CapacityBlock extends ClusterStack {
  constructor(scope: Construct, id: string, props: CapacityBlockProps) {
    super(scope, id);
    // Provider 6.25, which the last bindings ask for, doesn't know update strategies.
    this.addOverride('terraform.required_providers.aws.version', '>= 6.26.0');
    const cluster = this.addCluster();
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'System', { cluster, subnets: this.subnets });
    new ManagedNodeGroup(this, 'Training', {
      cluster,
      subnets: [props.subnet],
      instanceTypes: ['p5.48xlarge'],
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: props.capacityReservationId },
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
