import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import {
  AmiFamily,
  BottlerocketSettings,
  ClusterNetworkAddons,
  ImdsAccess,
  ManagedNodeGroup,
  NodeConfig,
} from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from '../platforms/support';

/** AMIs of one's own: the whole bootstrap of each operating system is rendered from the cluster, so that the nodes join. */
export class CustomAmiStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
      // The add-ons find no copies that they would have to take over.
      bootstrapSelfManagedAddons: false,
      serviceIpv4Cidr: '172.20.0.0/16',
    });
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster, vpcCni: { prefixDelegation: { warmPrefixTarget: 1 } } });
    new ManagedNodeGroup(this, 'Hardened', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      customAmi: ec2.MachineImage.fromSsmParameter(
        '/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id',
      ),
      nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '30s' } } }),
      // No bootstrap knows of the add-on's prefixes: the 110 pods that AWS recommends for this size are written into it.
      // A hop limit of 1 is a decision that can be right: say why, and the rules accept it.
      imds: ImdsAccess.NODE_ONLY,
      imdsReason: 'every workload here has its own role, region and VPC id',
    });
    new ManagedNodeGroup(this, 'Bottlerocket', {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      amiFamily: AmiFamily.BOTTLEROCKET,
      customAmi: ec2.MachineImage.fromSsmParameter('/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id'),
      bottlerocketSettings: new BottlerocketSettings({ sysctl: { 'vm.max_map_count': '262144' } }),
    });
  }
}
