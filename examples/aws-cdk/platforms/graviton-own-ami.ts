import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup, NodeConfig } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** An AMI of one's own for Graviton, built on EKS's AL2023: the bootstrap and the number of pods are rendered into the user data. */
export class GravitonOwnAmi extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', { ...CLUSTER_DEFAULTS, serviceIpv4Cidr: '172.20.0.0/16' });
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster, vpcCni: { prefixDelegation: {} } });
    new ManagedNodeGroup(this, 'Workers', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m7g.large'), new ec2.InstanceType('m8g.large')],
      customAmi: ec2.MachineImage.fromSsmParameter('/golden/eks-1.35/arm64'),
      nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '30s' } } }),
      labels: { 'example.com/tier': 'web' },
    });
  }
}
