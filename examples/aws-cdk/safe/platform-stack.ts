import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import {
  AmiFamily,
  ClusterNetworkAddons,
  ManagedNodeGroup,
  PodSecurityGroupMode,
  WindowsNodeGroup,
} from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from '../platforms/support';

/** What the misconfigured twin gets wrong, with constructs that can't. */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
      // The add-ons find no copies that they would have to take over.
      bootstrapSelfManagedAddons: false,
    });
    decideSupport(cluster);

    // Settings live in the configuration values, where no update can reset them; updates preserve the rest. The CNI's add-on brings
    // its own role for both IP families, and the Pod Identity agent that hands it out. CoreDNS waits for the nodes.
    new ClusterNetworkAddons(this, 'Network', {
      cluster,
      vpcCni: {
        podSecurityGroups: { mode: PodSecurityGroupMode.STRICT },
        prefixDelegation: { warmPrefixTarget: 1 },
        windowsIpam: true,
      },
    });

    // IMDSv2 with hop limit 2, AL2023 of the instances' architecture, a launch template version that rolls out.
    new ManagedNodeGroup(this, 'General', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
    });
    new ManagedNodeGroup(this, 'Graviton', { cluster, instanceTypes: [new ec2.InstanceType('m7g.large')] });
    new ManagedNodeGroup(this, 'Bottlerocket', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      amiFamily: AmiFamily.BOTTLEROCKET,
    });

    // With the policy on the cluster's role, and a node role that no Linux node has.
    new WindowsNodeGroup(this, 'Windows', { cluster, instanceTypes: [new ec2.InstanceType('m6i.xlarge')] });
  }
}
