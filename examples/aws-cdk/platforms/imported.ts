import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup, PodIdentityAgent } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';

/** Nodes and add-ons for a cluster that something else makes, and which has the Pod Identity agent. */
export class Imported extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = eks.Cluster.fromClusterAttributes(this, 'Cluster', {
      clusterName: 'prod',
      vpc: ec2.Vpc.fromVpcAttributes(this, 'Vpc', {
        vpcId: 'vpc-0123456789abcdef0',
        availabilityZones: ['eu-central-1a', 'eu-central-1b'],
        privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
      }),
    });
    const kubernetesVersion = '1.35';
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      kubernetesVersion,
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
    });
    new ManagedNodeGroup(this, 'Workers', { cluster, kubernetesVersion });
  }
}
