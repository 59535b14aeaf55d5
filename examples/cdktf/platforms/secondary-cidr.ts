import { Subnet } from '@cdktf/provider-aws/lib/subnet';
import { VpcIpv4CidrBlockAssociation } from '@cdktf/provider-aws/lib/vpc-ipv4-cidr-block-association';
import { ClusterNetworkAddons, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** Pods with addresses of a second range, which other networks don't route to, so that they can be many. */
export class SecondaryCidr extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const range = new VpcIpv4CidrBlockAssociation(this, 'PodRange', { vpcId: this.vpcId, cidrBlock: '100.64.0.0/16' });
    const podSubnets = ['eu-central-1a', 'eu-central-1b'].map((availabilityZone, index) => {
      const cidrBlock = `100.64.${index * 64}.0/18`;
      const subnet = new Subnet(this, `Pods${index}`, { vpcId: range.vpcId, availabilityZone, cidrBlock });
      return { subnet, availabilityZone };
    });
    const cluster = this.addCluster();
    // The number of pods without prefixes would be that of the remaining network interfaces alone.
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: { customNetworking: { subnets: podSubnets }, prefixDelegation: {} },
    });
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets: this.subnets, instanceTypes: ['m6i.large'] });
  }
}
