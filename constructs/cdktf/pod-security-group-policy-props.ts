import type { PodSecurityGroupPolicyOptions } from '../engine-neutral/pod-security-group-policy-options';
import type { ICluster } from './cluster';
import type { ISecurityGroup } from './security-group';

export {
  LabelOperator,
  type LabelExpression,
  type LabelSelector,
} from '../engine-neutral/pod-security-group-policy-options';

export interface PodSecurityGroupPolicyProps extends PodSecurityGroupPolicyOptions {
  /** The cluster: the resource or data source `aws_eks_cluster`, or attributes of one that is made elsewhere. */
  readonly cluster: ICluster;

  /**
   * Security groups of the pods, which replace those of the node: `aws_security_group`, or their ids. At most 5, which is what EC2 has on a
   * network interface without a higher quota.
   */
  readonly securityGroups: readonly ISecurityGroup[];
}
