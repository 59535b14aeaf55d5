import { join } from 'node:path';
import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnAddon, CfnNodegroup } from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import type { Construct } from 'constructs';

/** L1 constructs, and a template of CloudFormation from before. */
export class LowLevelStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    new CfnNodegroup(this, 'Workers', {
      clusterName: cluster.clusterName,
      nodeRole: 'arn:aws:iam::111122223333:role/workers',
      subnets: cluster.vpc.privateSubnets.map((subnet) => subnet.subnetId),
      amiType: 'AL2023_x86_64_STANDARD',
    });
    new CfnAddon(this, 'VpcCni', {
      clusterName: cluster.clusterName,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
    });
    new CfnInclude(this, 'Included', {
      templateFile: join(__dirname, 'included.template.json'),
      parameters: { Cluster: cluster.clusterName },
    });
  }
}
