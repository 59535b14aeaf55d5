import { TerraformOutput } from 'cdktf';
import { ClusterNetworkAddons, KarpenterRoles, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** A small group for Karpenter and CoreDNS, which tolerate its taint; Karpenter makes the nodes for everything else. */
export class Karpenter extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { subnets } = this;
    const cluster = this.addCluster();
    new ClusterNetworkAddons(this, 'Network', { cluster });
    new ManagedNodeGroup(this, 'System', {
      cluster,
      subnets,
      taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NO_SCHEDULE' }],
    });

    const karpenter = new KarpenterRoles(this, 'Karpenter', { cluster, version: '1.14.1' });
    // For the configuration that has the providers for Helm and Kubernetes, which can't start before there is a cluster.
    new TerraformOutput(this, 'KarpenterValues', { value: karpenter.helmValues });
    new TerraformOutput(this, 'KarpenterNodes', {
      value: [
        karpenter.nodeClass({ amiAlias: 'al2023@v20260813', subnetIds: subnets }),
        karpenter.nodePool({ limits: { cpu: 200 } }),
      ],
    });
  }
}
