import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodSecurityGroupMode,
  PodSecurityGroupPolicy,
} from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from '../platforms/support';

/** Pods with subnets and security groups of their own, on nodes that can give them both. */
export class PodNetworkingStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const zones = ['a', 'b'];
    const vpc = ec2.Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId: 'vpc-0123456789abcdef0',
      availabilityZones: zones.map((zone) => `eu-central-1${zone}`),
      privateSubnetIds: zones.map((zone) => `subnet-0123456789abcde${zone}0`),
    });
    const cluster = new eks.Cluster(this, 'Cluster', {
      vpc,
      vpcSubnets: [{ subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS }],
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
      // The add-ons find no copies that they would have to take over.
      bootstrapSelfManagedAddons: false,
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
      vpcCni: {
        podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD },
        networkPolicy: { mode: NetworkPolicyMode.STANDARD },
        // A misspelt zone, or one without subnet where nodes are, is refused here.
        customNetworking: {
          subnets: zones.map((zone) => ({
            subnet: ec2.Subnet.fromSubnetAttributes(this, `Pods-${zone}`, {
              subnetId: `subnet-0fedcba987654321${zone}`,
              availabilityZone: `eu-central-1${zone}`,
            }),
          })),
        },
        // Without it traffic that leaves the VPC would have the node's security groups in standard mode.
        env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' },
        // Keys are typed, and checked against the schema of the version.
        configuration: { nodeAgent: { logLevel: 'info' } },
      },
    });
    new ManagedNodeGroup(this, 'Workers', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
    });

    const database = new ec2.SecurityGroup(this, 'Database', { vpc });
    const api = new ec2.SecurityGroup(this, 'Api', { vpc });
    database.connections.allowFrom(api, ec2.Port.POSTGRES);
    new PodSecurityGroupPolicy(this, 'ApiPods', {
      cluster,
      podSelector: { matchLabels: { app: 'api' } },
      securityGroups: [api],
      probePorts: [8080],
    });
  }
}
