import type { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import type { ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';

/**
 * A cluster with `bootstrapSelfManagedAddons: false` starts without copies that add-ons would have to take over: without the CNI, which
 * `VpcCniAddon` brings, and without these two.
 */
export function addClusterAddons(scope: Construct, cluster: EksCluster, nodes: ManagedNodeGroup): void {
  const common = { clusterName: cluster.name, resolveConflictsOnUpdate: 'PRESERVE', preserve: true };
  new EksAddon(scope, 'KubeProxy', { ...common, addonName: 'kube-proxy', addonVersion: 'v1.35.3-eksbuild.19' });
  // Its pods need nodes, for which the add-on waits.
  new EksAddon(scope, 'CoreDns', {
    ...common,
    addonName: 'coredns',
    addonVersion: 'v1.14.3-eksbuild.14',
    dependsOn: [nodes.nodegroup],
  });
}
