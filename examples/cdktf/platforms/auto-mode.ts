import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** EKS Auto Mode, whose nodes bring CNI, kube-proxy, DNS and the Pod Identity agent: `ClusterNetworkAddons` refuses such a cluster. */
export class AutoMode extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodeRole = this.addRole('NodeRole', 'ec2.amazonaws.com', [
      'AmazonEKSWorkerNodeMinimalPolicy',
      'AmazonEC2ContainerRegistryPullOnly',
    ]);
    const policies = ['Cluster', 'Compute', 'BlockStorage', 'LoadBalancing', 'Networking'];
    this.addCluster(
      {
        computeConfig: { enabled: true, nodePools: ['general-purpose', 'system'], nodeRoleArn: nodeRole.arn },
        kubernetesNetworkConfig: { elasticLoadBalancing: { enabled: true } },
        storageConfig: { blockStorage: { enabled: true } },
      },
      policies.map((name) => `AmazonEKS${name}Policy`),
    );
  }
}
