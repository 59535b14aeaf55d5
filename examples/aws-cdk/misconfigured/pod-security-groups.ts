import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { CfnAddon } from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * Security groups for pods are switched on, and that is all: no node can carry the trunk interface that they need, the cluster may not
 * attach it, and kubelet's probes won't reach the pods.
 */
export class PodSecurityGroupsStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    const template = new ec2.LaunchTemplate(this, 'NodeTemplate', { requireImdsv2: true, httpPutResponseHopLimit: 2 });
    new eks.Nodegroup(this, 'Workers', {
      cluster,
      amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD,
      instanceTypes: [new ec2.InstanceType('t3.large')],
      launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },
      forceUpdate: false,
    });
    new CfnAddon(this, 'VpcCni', {
      clusterName: cluster.clusterName,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
      resolveConflicts: 'PRESERVE',
      configurationValues: JSON.stringify({ env: { ENABLE_POD_ENI: 'true' } }),
    });
  }
}
