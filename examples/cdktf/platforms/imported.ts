import { ClusterNetworkAddons, ManagedNodeGroup, PodIdentityAgent } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** Nodes and add-ons for a cluster that something else makes, and which has the Pod Identity agent. */
export class Imported extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const cluster = { clusterName: 'prod', kubernetesVersion: '1.35' };
    new ClusterNetworkAddons(this, 'Network', { cluster, podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE });
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets: this.subnets });
  }
}
