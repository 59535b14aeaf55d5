import { DataAwsSsmParameter } from '@cdktf/provider-aws/lib/data-aws-ssm-parameter';
import { ClusterNetworkAddons, ManagedNodeGroup, NodeConfig } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** An AMI of one's own for Graviton, built on EKS's AL2023: the bootstrap and the number of pods are rendered into the user data. */
export class GravitonOwnAmi extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const image = new DataAwsSsmParameter(this, 'Image', { name: '/golden/eks-1.35/arm64' });
    const cluster = this.addCluster({ kubernetesNetworkConfig: { serviceIpv4Cidr: '172.20.0.0/16' } });
    new ClusterNetworkAddons(this, 'Network', { cluster, vpcCni: { prefixDelegation: {} } });
    new ManagedNodeGroup(this, 'Workers', {
      cluster,
      subnets: this.subnets,
      instanceTypes: ['m7g.large', 'm8g.large'],
      customAmi: image.insecureValue,
      nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '30s' } } }),
      labels: { 'example.com/tier': 'web' },
    });
  }
}
