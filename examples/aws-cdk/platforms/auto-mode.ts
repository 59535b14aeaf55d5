import { Stack, type StackProps } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';
import { decideSupport } from './support';

/** EKS Auto Mode, whose nodes bring CNI, kube-proxy, DNS and the Pod Identity agent: `ClusterNetworkAddons` refuses such a cluster. */
export class AutoMode extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    decideSupport(
      new eks.Cluster(this, 'Cluster', {
        version: eks.KubernetesVersion.V1_35,
        defaultCapacityType: eks.DefaultCapacityType.AUTOMODE,
      }),
    );
  }
}
