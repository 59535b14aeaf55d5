import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** Pods and services with IPv6 addresses: prefixes are on by themselves, and the CNI's role has the permissions for it. */
export class Ipv6 extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const vpc = new ec2.Vpc(this, 'Vpc', { ipProtocol: ec2.IpProtocol.DUAL_STACK, natGateways: 1 });
    const cluster = new eks.Cluster(this, 'Cluster', { ...CLUSTER_DEFAULTS, vpc, ipFamily: eks.IpFamily.IP_V6 });
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'Workers', { cluster });
  }
}
