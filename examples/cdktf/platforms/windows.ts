import { ClusterNetworkAddons, ManagedNodeGroup, WindowsBootstrap, WindowsNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** Windows nodes, with the CNI's address management for them, beside the Linux nodes that CoreDNS needs. */
export class Windows extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { subnets } = this;
    const cluster = this.addCluster();
    new ClusterNetworkAddons(this, 'Network', { cluster, vpcCni: { windowsIpam: true } });
    new ManagedNodeGroup(this, 'Linux', { cluster, subnets });
    new WindowsNodeGroup(this, 'Windows', {
      cluster,
      subnets,
      instanceTypes: ['m6i.xlarge'],
      windowsBootstrap: new WindowsBootstrap({ scripts: ['Set-TimeZone -Id "W. Europe Standard Time"'] }),
    });
  }
}
