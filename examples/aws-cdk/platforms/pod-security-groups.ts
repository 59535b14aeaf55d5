import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  PodSecurityGroupMode,
  PodSecurityGroupPolicy,
} from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** Pods with security groups of their own: only those of the shop reach the database. */
export class PodSecurityGroups extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      ...CLUSTER_DEFAULTS,
      // Or the layer of a package such as @aws-cdk/lambda-layer-kubectl-v35.
      kubectlProviderOptions: {
        kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(
          this,
          'Kubectl',
          'arn:aws:lambda:eu-central-1:111122223333:layer:kubectl:1',
        ),
      },
    });
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: { podSecurityGroups: { mode: PodSecurityGroupMode.STRICT } },
    });
    // Types that carry a trunk interface, which t3 doesn't.
    new ManagedNodeGroup(this, 'Workers', { cluster, instanceTypes: [new ec2.InstanceType('m6i.large')] });

    const shop = new ec2.SecurityGroup(this, 'Shop', { vpc: cluster.vpc });
    const database = new ec2.SecurityGroup(this, 'Database', { vpc: cluster.vpc });
    database.connections.allowFrom(shop, ec2.Port.tcp(5432));
    new PodSecurityGroupPolicy(this, 'ShopPods', {
      cluster,
      namespace: 'default',
      podSelector: { matchLabels: { app: 'shop' } },
      securityGroups: [shop],
    });
  }
}
