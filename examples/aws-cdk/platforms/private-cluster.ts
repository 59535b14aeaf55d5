import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** No way out of the VPC: AWS is reached by endpoints, the API server from within alone. */
export class PrivateCluster extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const subnets = { subnetType: ec2.SubnetType.PRIVATE_ISOLATED };
    const vpc = new ec2.Vpc(this, 'Vpc', { natGateways: 0, subnetConfiguration: [{ name: 'nodes', ...subnets }] });
    const cluster = new eks.Cluster(this, 'Cluster', {
      ...CLUSTER_DEFAULTS,
      vpc,
      vpcSubnets: [subnets],
      endpointAccess: eks.EndpointAccess.PRIVATE,
    });
    decideSupport(cluster);
    const addons = new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets });

    vpc.addGatewayEndpoint('s3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
    for (const name of addons.interfaceEndpoints)
      vpc.addInterfaceEndpoint(name, { service: new ec2.InterfaceVpcEndpointAwsService(name) });
  }
}
