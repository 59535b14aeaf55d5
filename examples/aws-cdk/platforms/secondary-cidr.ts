import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** Pods with addresses of a second range, which other networks don't route to, so that they can be many. */
export class SecondaryCidr extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const vpc = new ec2.Vpc(this, 'Vpc', {
      ipAddresses: ec2.IpAddresses.cidr('10.0.0.0/20'),
      maxAzs: 2,
      natGateways: 1,
    });
    const range = new ec2.CfnVPCCidrBlock(this, 'PodRange', { vpcId: vpc.vpcId, cidrBlock: '100.64.0.0/16' });
    const subnets = vpc.availabilityZones.map((availabilityZone, index) => {
      const subnet = new ec2.PrivateSubnet(this, `Pods${index}`, {
        vpcId: vpc.vpcId,
        availabilityZone,
        cidrBlock: `100.64.${index * 64}.0/18`,
      });
      subnet.node.addDependency(range);
      return { subnet, availabilityZone };
    });
    const cluster = new eks.Cluster(this, 'Cluster', { ...CLUSTER_DEFAULTS, vpc });
    decideSupport(cluster);
    // The number of pods without prefixes would be that of the remaining network interfaces alone.
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: { customNetworking: { subnets }, prefixDelegation: {} },
    });
    new ManagedNodeGroup(this, 'Workers', { cluster, instanceTypes: [new ec2.InstanceType('m6i.large')] });
  }
}
