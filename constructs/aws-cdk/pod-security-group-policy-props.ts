import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { PodSecurityGroupPolicyOptions } from '../engine-neutral/pod-security-group-policy-options';
import type { ICluster } from './cluster';

export {
  LabelOperator,
  type LabelExpression,
  type LabelSelector,
} from '../engine-neutral/pod-security-group-policy-options';

export interface PodSecurityGroupPolicyProps extends PodSecurityGroupPolicyOptions {
  /** The cluster: of `aws-eks` or `aws-eks-v2`, defined in the app or imported; with a kubectl provider. */
  readonly cluster: ICluster;

  /** Security groups of the pods, which replace those of the node. At most 5, which is what EC2 has on a network interface without a higher quota. */
  readonly securityGroups: readonly ec2.ISecurityGroup[];
}
