import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnAddon } from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * Settings copied from the environment of a running aws-node pod: one key no longer exists in the add-on's schema,
 * one belongs to the init container, and one is a boolean where the API wants text. The API refuses the add-on when the stack deploys.
 * And an ENIConfig has a slip in its zone, so that the nodes of that zone never get ready.
 */
export class CustomNetworkingStack extends Stack {
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
      resolveConflicts: 'PRESERVE',
      configurationValues: JSON.stringify({
        env: {
          AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
          ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone',
          AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false',
          DISABLE_TCP_EARLY_DEMUX: 'true',
          ENABLE_PREFIX_DELEGATION: true,
        },
        eniConfig: {
          create: true,
          region: 'ap-northeast-2',
          subnets: {
            'ap-noratheast-2a': { id: 'subnet-0a1b2c3d4e5f60718', securityGroups: ['sg-0a1b2c3d4e5f60718'] },
            'ap-northeast-2b': { id: 'subnet-0b2c3d4e5f6071829', securityGroups: ['sg-0a1b2c3d4e5f60718'] },
          },
        },
      }),
    });
  }
}
