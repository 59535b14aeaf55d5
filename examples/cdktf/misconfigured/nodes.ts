import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { Token } from 'cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

const NODE_ROLE = 'arn:aws:iam::111122223333:role/nodes';
const SCALING = { minSize: 2, maxSize: 6, desiredSize: 2 };

/**
 * A security review asked for IMDSv2, and somebody copied the hop limit of 1 along with it: pods of the first group get no answer from the
 * metadata service. The second group has no launch template, and starts with the same limit.
 */
export class ImdsHopLimitStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = {
      clusterName: this.cluster.name,
      nodeRoleArn: NODE_ROLE,
      subnetIds: this.subnetIds,
      scalingConfig: SCALING,
    };
    const reviewed = new LaunchTemplate(this, 'Reviewed', {
      metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
    });
    new EksNodeGroup(this, 'Workers', {
      ...common,
      amiType: 'AL2023_x86_64_STANDARD',
      launchTemplate: { id: reviewed.id, version: Token.asString(reviewed.latestVersion) },
    });
    new EksNodeGroup(this, 'Batch', { ...common, amiType: 'AL2023_ARM_64_STANDARD', instanceTypes: ['m7g.large'] });
  }
}

/**
 * The AMI type was never touched while the cluster went to 1.35, for which there is no AL2; updates go ahead over disruption budgets.
 * In the second group the image doesn't fit the processors, and `$Latest` lets edits of the template lie unused until somebody updates by hand.
 */
export class NodeUpdatesStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = {
      clusterName: this.cluster.name,
      nodeRoleArn: NODE_ROLE,
      subnetIds: this.subnetIds,
      scalingConfig: SCALING,
    };
    new EksNodeGroup(this, 'General', {
      ...common,
      amiType: 'AL2_x86_64',
      instanceTypes: ['m6i.large'],
      forceUpdateVersion: true,
    });
    const graviton = new LaunchTemplate(this, 'Graviton', {
      instanceType: 'm7g.large',
      metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
    });
    new EksNodeGroup(this, 'Builders', {
      ...common,
      amiType: 'AL2023_x86_64_STANDARD',
      launchTemplate: { id: graviton.id, version: '$Latest' },
    });
  }
}
