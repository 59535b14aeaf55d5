import { AspectPriority, Aspects } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { CniPermissions } from '../engine-neutral/node-group-options';
import { acknowledgeManagedPolicy } from './acknowledgements';
import type { ClusterFacts, ICluster } from './cluster';
import { cniHasOwnRoleBefore } from './cluster-members';
import { cniPolicy } from './vpc-cni-role';

/** A role of nodes, with what kubelet, the Pod Identity agent and pulling images need. */
export function nodeRole(scope: Construct, id: string, description: string): iam.Role {
  const role = new iam.Role(scope, id, { description, assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com') });
  attachAwsPolicy(
    role,
    'AmazonEKSWorkerNodePolicy',
    'The policy that AWS provides for EKS nodes: it lets kubelet describe its EC2 resources, and the Pod Identity agent fetch credentials.',
  );
  attachAwsPolicy(
    role,
    'AmazonEC2ContainerRegistryPullOnly',
    'The policy that AWS provides for pulling images from Amazon ECR, without the right to list or push.',
  );
  return role;
}

/**
 * Gives the node role of a construct the CNI's permissions when that turns out to be needed. Decided after construction, because an add-on with a role of
 * its own may be defined later than the nodes.
 */
export function grantCni(
  scope: Construct,
  cluster: ICluster,
  facts: ClusterFacts,
  role: iam.IRole,
  permissions: CniPermissions,
): void {
  if (permissions === CniPermissions.OWN_ROLE) return;
  const needed = (): boolean => permissions === CniPermissions.NODE_ROLE || !cniHasOwnRoleBefore(cluster, scope);
  let granted = false;
  Aspects.of(scope).add(
    {
      visit: (visited) => {
        if (visited !== scope || granted || !needed()) return;
        granted = true;
        if (facts.ipFamily === 'ipv6') role.addManagedPolicy(cniPolicy(scope, 'CniPolicy', ['ipv6']));
        else if (role instanceof iam.Role) {
          attachAwsPolicy(
            role,
            'AmazonEKS_CNI_Policy',
            'The policy that AWS provides for the VPC CNI, which has no role of its own here. A VpcCniAddon in the same stack takes it off the nodes.',
          );
        }
      },
    },
    { priority: AspectPriority.MUTATING },
  );
}

function attachAwsPolicy(role: iam.Role, name: string, reason: string): void {
  role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName(name));
  acknowledgeManagedPolicy(role, name, reason);
}
