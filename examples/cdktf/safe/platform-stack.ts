import { ClusterNetworkAddons, ManagedNodeGroup, PodSecurityGroupMode } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

/** What the misconfigured twin gets wrong, with constructs that can't. */
export class PlatformStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, false);
    const { cluster, subnetIds: subnets } = this;

    // Settings live in the configuration values, where no update can reset them; the CNI's add-on brings its own role for both IP families.
    // CoreDNS waits for the nodes.
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: {
        podSecurityGroups: { mode: PodSecurityGroupMode.STRICT },
        prefixDelegation: { warmPrefixTarget: 1 },
      },
    });

    // IMDSv2 with hop limit 2, AL2023 of the instances' architecture, a launch template version that rolls out.
    new ManagedNodeGroup(this, 'General', { cluster, subnets, instanceTypes: ['m6i.large'] });
    new ManagedNodeGroup(this, 'Graviton', { cluster, subnets, instanceTypes: ['m7g.large'] });
  }
}
