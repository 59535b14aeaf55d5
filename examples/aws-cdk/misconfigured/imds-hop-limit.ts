import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * The cluster was upgraded past 1.30, so its managed node groups start AL2023. The team did turn on IMDSv2, but
 * nobody wrote a hop limit that reaches into pods: the load balancer controller stops finding its VPC.
 */
export class ImdsHopLimitStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });

    const hardened = new ec2.LaunchTemplate(this, 'Hardened', {
      requireImdsv2: true,
      httpPutResponseHopLimit: 1,
    });
    new eks.Nodegroup(this, 'Workers', {
      cluster,
      amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      launchTemplateSpec: { id: hardened.launchTemplateId!, version: hardened.latestVersionNumber },
      forceUpdate: false,
    });

    // No launch template at all: AL2023 then starts with a limit of 1 too.
    new eks.Nodegroup(this, 'Batch', {
      cluster,
      amiType: eks.NodegroupAmiType.AL2023_ARM_64_STANDARD,
      instanceTypes: [new ec2.InstanceType('m7g.large')],
      forceUpdate: false,
    });
  }
}
