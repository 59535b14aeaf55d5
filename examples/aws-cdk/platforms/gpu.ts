import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { AmiFamily, BottlerocketSettings, ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** GPUs on Bottlerocket, whose variant with drivers follows from the instance types, beside nodes for everything else. */
export class Gpu extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', CLUSTER_DEFAULTS);
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'System', { cluster });
    new ManagedNodeGroup(this, 'Gpu', {
      cluster,
      amiFamily: AmiFamily.BOTTLEROCKET,
      instanceTypes: [new ec2.InstanceType('g6.xlarge'), new ec2.InstanceType('g6.2xlarge')],
      bottlerocketSettings: new BottlerocketSettings({ sysctl: { 'vm.max_map_count': '262144' } }),
      diskSize: 200,
      minSize: 0,
      maxSize: 8,
      taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NO_SCHEDULE' }],
    });
  }
}
