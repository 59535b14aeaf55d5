import { VpcEndpoint } from '@cdktf/provider-aws/lib/vpc-endpoint';
import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** No way out of the VPC: AWS is reached by endpoints, the API server from within alone. */
export class PrivateCluster extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { subnets, vpcId } = this;
    const cluster = this.addCluster({
      vpcConfig: { subnetIds: subnets, endpointPrivateAccess: true, endpointPublicAccess: false },
    });
    const addons = new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets });

    new VpcEndpoint(this, 'S3', {
      vpcId,
      serviceName: 'com.amazonaws.eu-central-1.s3',
      routeTableIds: ['rtb-0123456789abcdef0'],
    });
    for (const name of addons.interfaceEndpoints)
      new VpcEndpoint(this, name, {
        vpcId,
        vpcEndpointType: 'Interface',
        serviceName: `com.amazonaws.eu-central-1.${name}`,
        subnetIds: subnets,
        privateDnsEnabled: true,
      });
  }
}
