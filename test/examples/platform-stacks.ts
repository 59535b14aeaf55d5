/** The platforms but for the pipeline, which has stacks by stage. */
export const IN_ONE_STACK = [
  'AutoMode',
  'CapacityBlock',
  'Gpu',
  'GravitonOwnAmi',
  'Imported',
  'Ipv6',
  'Karpenter',
  'PodSecurityGroups',
  'PrivateCluster',
  'SecondaryCidr',
  'Windows',
];

/** The stacks of all platforms in CDKTF and CDK Terrain. */
export const TERRAFORM_STACKS = [
  ...IN_ONE_STACK,
  ...['Production', 'Staging'].flatMap((name) => ['Control', 'Nodes'].map((stack) => `${name}-${stack}`)),
].sort();
