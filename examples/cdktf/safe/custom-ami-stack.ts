import { AmiFamily, ClusterNetworkAddons, ImdsAccess, ManagedNodeGroup, NodeConfig } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

/** Images of one's own: the whole bootstrap of each operating system is rendered from the cluster, so that the nodes join. */
export class CustomAmiStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, false);
    const { cluster, subnetIds: subnets } = this;
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'Hardened', {
      cluster,
      subnets,
      instanceTypes: ['m6i.large'],
      customAmi: 'ami-0123456789abcdef0',
      nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '30s' } } }),
      // A hop limit of 1 is a decision that can be right: say why, and the rules accept it.
      imds: ImdsAccess.NODE_ONLY,
      imdsReason: 'every workload here has its own role, region and VPC id',
    });
    new ManagedNodeGroup(this, 'Bottlerocket', {
      cluster,
      subnets,
      instanceTypes: ['m6i.large'],
      amiFamily: AmiFamily.BOTTLEROCKET,
      customAmi: 'ami-0fedcba9876543210',
    });
  }
}
