import { CfnResource } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { ICluster } from 'aws-cdk-lib/aws-eks-v2';
import type { ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';

/**
 * A cluster with `bootstrapSelfManagedAddons: false` starts without copies that add-ons would have to take over: without the CNI, which
 * `VpcCniAddon` brings, and without these two.
 */
export function addClusterAddons(scope: Construct, cluster: ICluster, nodes: ManagedNodeGroup): void {
  decideSupport(cluster);
  const common = { clusterName: cluster.clusterName, resolveConflicts: 'PRESERVE', preserveOnDelete: true };
  new eks.CfnAddon(scope, 'KubeProxy', { ...common, addonName: 'kube-proxy', addonVersion: 'v1.35.3-eksbuild.19' });
  // Its pods need nodes, for which the add-on waits.
  new eks.CfnAddon(scope, 'CoreDns', {
    ...common,
    addonName: 'coredns',
    addonVersion: 'v1.14.3-eksbuild.14',
  }).node.addDependency(nodes.nodegroup);
}

/** The L2 has no property for what happens at the end of standard support; nothing chosen means extended support, at six times the price. */
function decideSupport(cluster: ICluster): void {
  const { defaultChild } = cluster.node;
  if (CfnResource.isCfnResource(defaultChild))
    defaultChild.addPropertyOverride('UpgradePolicy.SupportType', 'STANDARD');
}
