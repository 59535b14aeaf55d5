import { SecurityGroup } from '@cdktf/provider-aws/lib/security-group';
import { VpcSecurityGroupIngressRule } from '@cdktf/provider-aws/lib/vpc-security-group-ingress-rule';
import { TerraformOutput } from 'cdktf';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  PodSecurityGroupMode,
  PodSecurityGroupPolicy,
} from 'eks-guardrails/cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from './cluster-stack';

/** Pods with security groups of their own: only those of the shop reach the database. */
export class PodSecurityGroups extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { subnets, vpcId } = this;
    const cluster = this.addCluster({}, ['AmazonEKSClusterPolicy', 'AmazonEKSVPCResourceController']);
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: { podSecurityGroups: { mode: PodSecurityGroupMode.STRICT } },
    });
    // Types that carry a trunk interface, which t3 doesn't.
    new ManagedNodeGroup(this, 'Workers', { cluster, subnets, instanceTypes: ['m6i.large'] });

    const shop = new SecurityGroup(this, 'Shop', { vpcId });
    const database = new SecurityGroup(this, 'Database', { vpcId });
    new VpcSecurityGroupIngressRule(this, 'ShopToDatabase', {
      securityGroupId: database.id,
      referencedSecurityGroupId: shop.id,
      ipProtocol: 'tcp',
      fromPort: 5432,
      toPort: 5432,
    });
    const policy = new PodSecurityGroupPolicy(this, 'ShopPods', {
      cluster,
      namespace: 'default',
      podSelector: { matchLabels: { app: 'shop' } },
      securityGroups: [shop],
    });
    // For the configuration that has the provider for Kubernetes, which can't start before there is a cluster.
    new TerraformOutput(this, 'ShopPolicy', { value: policy.manifest });
  }
}
