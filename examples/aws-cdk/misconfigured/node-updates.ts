import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * Node groups as the plain construct writes them without the feature flag for AL2023: an AMI type that EKS refuses from 1.33 on, and
 * updates that evict pods whatever their disruption budgets say. The second group mixes up processor architectures.
 */
export class NodeUpdatesStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    cluster.addNodegroupCapacity('General', { instanceTypes: [new ec2.InstanceType('m6i.large')] });

    const template = new ec2.LaunchTemplate(this, 'Graviton', {
      instanceType: new ec2.InstanceType('m7g.large'),
      requireImdsv2: true,
      httpPutResponseHopLimit: 2,
    });
    new eks.CfnNodegroup(this, 'Builders', {
      clusterName: cluster.clusterName,
      nodeRole: 'arn:aws:iam::111122223333:role/builders',
      subnets: cluster.vpc.privateSubnets.map((subnet) => subnet.subnetId),
      amiType: 'AL2023_x86_64_STANDARD',
      launchTemplate: { id: template.launchTemplateId!, version: '$Latest' },
    });
  }
}
