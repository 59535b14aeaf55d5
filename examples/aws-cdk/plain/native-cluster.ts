import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/** A cluster of `aws-eks-v2`: its default capacity, groups with and without a launch template, and add-ons. */
export class NativeClusterStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
    });
    cluster.addNodegroupCapacity('General', { instanceTypes: [new ec2.InstanceType('m6i.large')], diskSize: 80 });

    const template = new ec2.LaunchTemplate(this, 'Template', { requireImdsv2: true });
    new eks.Nodegroup(this, 'Graviton', {
      cluster,
      amiType: eks.NodegroupAmiType.AL2023_ARM_64_STANDARD,
      instanceTypes: [new ec2.InstanceType('m7g.large')],
      launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },
    });

    new eks.Addon(this, 'VpcCni', { cluster, addonName: 'vpc-cni', addonVersion: 'v1.21.1-eksbuild.5' });
    new eks.Addon(this, 'CoreDns', { cluster, addonName: 'coredns', addonVersion: 'v1.13.1-eksbuild.1' });
  }
}
