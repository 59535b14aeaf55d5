import { stringify } from 'yaml';
import { plan } from '../plan-templates';

/** An AMI type of which no rule calls a group without launch template an error. */
export const BOTTLEROCKET = 'BOTTLEROCKET_x86_64';

interface Change {
  /** What the group has now besides its name, cluster, AMI type and size. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly unknown?: Readonly<Record<string, string>>;
  readonly replace?: readonly (readonly string[])[];
  readonly createFirst?: boolean;
  readonly actions?: readonly string[];
}

/** A plan that changes a node group with two nodes. @param others more resources of the plan, in YAML */
export function groupChange({ before, ...change }: Change, ...others: readonly string[]): string {
  const now = {
    cluster_name: 'main',
    node_group_name: 'workers',
    ami_type: 'AL2_x86_64',
    scaling_config: [{ desired_size: 2, max_size: 4, min_size: 1 }],
    ...before,
  };
  return plan(stringify({ 'aws_eks_node_group.workers': { before: now, ...change } }), ...others);
}
