import * as eks from 'aws-cdk-lib/aws-eks-v2';

/** What the clusters here have in common: node groups of their own, and no copies that the add-ons would have to take over. */
export const CLUSTER_DEFAULTS = {
  version: eks.KubernetesVersion.V1_35,
  defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
  defaultCapacity: 0,
  bootstrapSelfManagedAddons: false,
} as const;
