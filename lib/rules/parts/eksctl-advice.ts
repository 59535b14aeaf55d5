/*
 * What advice for ClusterConfigs of eksctl says again and again.
 */

/** Source: eksctl, actions/nodegroup: nothing updates a group by what the file says of it. */
export const NEW_GROUP =
  'eksctl changes no group that exists: under another name it makes a new one, and `eksctl delete nodegroup` drains the old one.';

/** Of repairs of a group. */
export const NEW_GROUPS_ONLY = {
  eksctl: 'changes nothing that runs: eksctl makes new groups of the file, and leaves those that exist as they are',
} as const;

/** Beside an AMI, eksctl refuses the setting in managed groups, and EKS tells their nodes nothing. */
export const MAX_PODS_IN_CONFIG = {
  eksctl:
    'Set `maxPodsPerNode` of the group to {{pods}}; in a managed group with an `ami`, `maxPods` in the NodeConfig of `overrideBootstrapCommand`.',
} as const;
