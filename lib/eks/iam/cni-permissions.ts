import { cniPermissions } from '../../knowledge';
import type { IamPolicyDocument } from './policy-document';

export interface CniPolicyOptions {
  /** For which IP families the cluster's pods get addresses. */
  readonly families: readonly ('ipv4' | 'ipv6')[];
  /** Partition of the ARNs: `aws`, `aws-cn`, `aws-us-gov`, or a token that stands for it. */
  readonly partition: string;
}

/**
 * Network interfaces of a partition, as the pattern on which the CNI must be allowed to create tags.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function cniTagResource(partition: string): string {
  return cniPermissions.createTags.resource.replace('${partition}', () => partition);
}

/**
 * The documented policy of the VPC CNI for one IP family or both: the calls on all resources, and creating tags on
 * network interfaces only. Source: aws/amazon-vpc-cni-k8s, docs/iam-policy.md.
 *
 * @throws RangeError without any IP family: such a policy could create tags and nothing else
 */
export function cniPolicyDocument({ families, partition }: CniPolicyOptions): IamPolicyDocument {
  if (families.length === 0)
    throw new RangeError('a policy for the VPC CNI needs at least one IP family, ipv4 or ipv6');
  const actions = new Set(families.flatMap((family) => cniPermissions[family]));
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'PodNetworking', Effect: 'Allow', Action: [...actions].sort(), Resource: ['*'] },
      {
        Sid: 'TagNetworkInterfaces',
        Effect: 'Allow',
        Action: [cniPermissions.createTags.action],
        Resource: [cniTagResource(partition)],
      },
    ],
  };
}
