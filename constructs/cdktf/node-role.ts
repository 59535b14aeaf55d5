import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { Aspects } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { CniPermissions } from '../engine-neutral/node-group-options';
import type { ClusterFacts, ICluster } from './cluster';
import { cniHasOwnRoleBefore } from './cluster-members';
import { partitionOf } from './partition';
import { cniPolicy } from './vpc-cni-role';

export const NODE_TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

/**
 * Gives a new node role of a construct what nodes need. The CNI's permissions are decided on after construction, because an add-on with a role of its own may be
 * defined later than the nodes.
 *
 * @param attached is told of each attachment
 */
export function grantNodePolicies(
  scope: Construct,
  cluster: ICluster,
  facts: ClusterFacts,
  role: IamRole,
  permissions: CniPermissions,
  attached: (attachment: IamRolePolicyAttachment) => void,
): void {
  const attach = (id: string, policyArn: string): void => {
    attached(new IamRolePolicyAttachment(scope, id, { ...facts.place, role: role.name, policyArn }));
  };
  const awsPolicy = (name: string): string => `arn:${partitionOf(scope, facts.provider)}:iam::aws:policy/${name}`;
  attach('WorkerNodePolicy', awsPolicy('AmazonEKSWorkerNodePolicy'));
  attach('PullPolicy', awsPolicy('AmazonEC2ContainerRegistryPullOnly'));
  if (permissions === CniPermissions.OWN_ROLE) return;
  onceComplete(scope, () => {
    if (permissions === CniPermissions.AUTOMATIC && cniHasOwnRoleBefore(cluster, scope)) return;
    const arn =
      facts.ipFamily === 'ipv6'
        ? cniPolicy(scope, 'CniPolicy', ['ipv6'], facts.provider).arn
        : awsPolicy('AmazonEKS_CNI_Policy');
    attach('CniPolicyAttachment', arn);
  });
}

/** Runs an action once, when aspects are called: by then the app has added everything. */
export function onceComplete(scope: Construct, action: () => void): void {
  let done = false;
  Aspects.of(scope).add({
    visit: (visited: IConstruct) => {
      if (visited !== scope || done) return;
      done = true;
      action();
    },
  });
}
