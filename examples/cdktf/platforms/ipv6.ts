import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** Pods and services with IPv6 addresses: prefixes are on by themselves, and the CNI's role has the permissions for it. */
export class Ipv6 extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const cluster = this.addCluster({ kubernetesNetworkConfig: { ipFamily: 'ipv6' } });
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets: this.subnets });
  }
}
