import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { ClusterNetworkAddons, ManagedNodeGroup, WindowsBootstrap, WindowsNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** Windows nodes, with the CNI's address management for them, beside the Linux nodes that CoreDNS needs. */
export class Windows extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', CLUSTER_DEFAULTS);
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster, vpcCni: { windowsIpam: true } });
    new ManagedNodeGroup(this, 'Linux', { cluster });
    new WindowsNodeGroup(this, 'Windows', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.xlarge')],
      windowsBootstrap: new WindowsBootstrap({ scripts: ['Set-TimeZone -Id "W. Europe Standard Time"'] }),
    });
  }
}
