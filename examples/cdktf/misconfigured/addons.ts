import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

/** Security groups for pods were switched on with kubectl. The next update of the add-on switches them off again. */
export class AddonUpdateStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new EksAddon(this, 'VpcCni', {
      clusterName: this.cluster.name,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
      resolveConflictsOnUpdate: 'OVERWRITE',
    });
  }
}

/**
 * Values as they show in a running aws-node pod, taken over into the add-on: one key is none of its schema any more, another is a boolean where
 * the API takes text, and a zone of the ENIConfigs is misspelt.
 */
export class CustomNetworkingStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const securityGroups = ['sg-0123456789abcdef0'];
    new EksAddon(this, 'VpcCni', {
      clusterName: this.cluster.name,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
      resolveConflictsOnUpdate: 'PRESERVE',
      configurationValues: JSON.stringify({
        env: {
          AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
          ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone',
          AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false',
          ENABLE_PREFIX_DELEGATION: true,
        },
        eniConfig: {
          create: true,
          region: 'eu-central-1',
          subnets: {
            'eu-central-1a': { id: 'subnet-0a0a0a0a0a0a0a0a0', securityGroups },
            'eu-centrall-1b': { id: 'subnet-0b0b0b0b0b0b0b0b0', securityGroups },
          },
        },
      }),
    });
  }
}
