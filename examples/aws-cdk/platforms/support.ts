import { CfnResource } from 'aws-cdk-lib';
import type { ICluster } from 'aws-cdk-lib/aws-eks-v2';

/** The L2 has no property for what happens at the end of standard support; nothing chosen means extended support, at six times the price. */
export function decideSupport(cluster: ICluster): void {
  const { defaultChild } = cluster.node;
  if (CfnResource.isCfnResource(defaultChild))
    defaultChild.addPropertyOverride('UpgradePolicy.SupportType', 'STANDARD');
}
