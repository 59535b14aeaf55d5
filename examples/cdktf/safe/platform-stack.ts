import { ManagedNodeGroup, PodSecurityGroupMode, VpcCniAddon } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';
import { addClusterAddons } from './cluster-addons';

/** What the misconfigured twin gets wrong, with constructs that can't. */
export class PlatformStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id, false);
    const { cluster, subnetIds: subnets } = this;

    // Settings live in the configuration values, where no update can reset them; the add-on brings its own role for both IP families.
    new VpcCniAddon(this, 'VpcCni', {
      cluster,
      podSecurityGroups: { mode: PodSecurityGroupMode.STRICT },
      prefixDelegation: { warmPrefixTarget: 1 },
    });

    // IMDSv2 with hop limit 2, AL2023 of the instances' architecture, a launch template version that rolls out.
    const general = new ManagedNodeGroup(this, 'General', { cluster, subnets, instanceTypes: ['m6i.large'] });
    new ManagedNodeGroup(this, 'Graviton', { cluster, subnets, instanceTypes: ['m7g.large'] });
    addClusterAddons(this, cluster, general);
  }
}
