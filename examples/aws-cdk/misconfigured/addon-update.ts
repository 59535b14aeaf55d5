import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnAddon } from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * Pods have their own security groups; ENABLE_POD_ENI and DISABLE_TCP_EARLY_DEMUX were set with kubectl. The next
 * update of the add-on puts both back to false and the pods fail their health checks.
 */
export class AddonUpdateStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    new CfnAddon(this, 'VpcCni', {
      clusterName: cluster.clusterName,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
      resolveConflicts: 'OVERWRITE',
    });
  }
}
