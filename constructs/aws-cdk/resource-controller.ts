import * as iam from 'aws-cdk-lib/aws-iam';
import { acknowledgeManagedPolicy } from './acknowledgements';
import type { ClusterFacts } from './cluster';

const POLICY = 'AmazonEKSVPCResourceController';

const granted = new WeakSet<iam.Role>();

/**
 * Lets the controller that runs in the control plane make network interfaces for pods, and give addresses to Windows nodes: attaches the
 * policy to the cluster's role, when the app defines it.
 */
export function grantResourceController({ role }: ClusterFacts): void {
  if (!(role instanceof iam.Role) || granted.has(role)) return;
  granted.add(role);
  role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName(POLICY));
  acknowledgeManagedPolicy(
    role,
    POLICY,
    'The policy that AWS provides for security groups for pods and for Windows nodes; the control plane needs it as it is.',
  );
}
