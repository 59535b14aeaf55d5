import { AmiFamily, BottlerocketSettings, ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** GPUs on Bottlerocket, whose variant with drivers follows from the instance types, beside nodes for everything else. */
export class Gpu extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { subnets } = this;
    const cluster = this.addCluster();
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'System', { cluster, subnets });
    new ManagedNodeGroup(this, 'Gpu', {
      cluster,
      subnets,
      amiFamily: AmiFamily.BOTTLEROCKET,
      instanceTypes: ['g6.xlarge', 'g6.2xlarge'],
      bottlerocketSettings: new BottlerocketSettings({ sysctl: { 'vm.max_map_count': '262144' } }),
      diskSize: 200,
      minSize: 0,
      maxSize: 8,
      taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NO_SCHEDULE' }],
    });
  }
}
