/** Vectors of which a rule says something else where all of it is made under a condition, with the reason: `rule: name of the vector`. */
export const UNDER_CONDITION: ReadonlyMap<string, string> = new Map(
  Object.entries<readonly string[]>({
    'profiles that exist under a condition do not count as all that runs the pods of a cluster that exists under it': [
      'addon-preserve-on-delete: the CNI of a cluster that only has Fargate',
      'addon-version: the CNI of a cluster that only has Fargate',
      'custom-networking-eni-config: a cluster that only has Fargate',
      'imds-hop-limit: a controller that a Fargate profile takes is not named',
      'pod-security-groups-cluster-role: Fargate only',
      'pod-security-groups-ip-family: Fargate only',
      'pod-security-groups-kube-proxy: Fargate only',
      'pod-security-groups-snat: Fargate only',
      'security-group-policy: policies for Fargate alone need no ENABLE_POD_ENI',
      'vpc-cni-resolve-conflicts: OVERWRITE on a cluster that only has Fargate, where no pod of aws-node runs',
      'vpc-cni-resolve-conflicts: a SecurityGroupPolicy of pods on Fargate, which need no variable',
      'vpc-cni-tcp-early-demux: a cluster with Fargate alone',
      'vpc-cni-warm-targets: a cluster that only has Fargate',
    ],
    'the name of a cluster outside of the input is not read where a condition chooses it': [
      'max-pods-capacity: a cluster outside of the input',
      'pod-security-groups-instance-types: an imported cluster',
      'prefix-delegation-max-pods: a cluster outside of the input',
      'prefix-delegation-nitro: a cluster outside of the input: it fails whatever its IP family',
      'vpc-cni-windows-ipam: an add-on of an imported cluster',
      'windows-node-prerequisites: an access entry for Linux nodes of an imported cluster',
    ],
    'a label whose value a condition chooses counts as one that may be missing': [
      'custom-networking-eni-config: ENIConfigs named freely, and every group has the label',
      'custom-networking-eni-config: a label of the team that every group has',
    ],
    'a taint that a condition chooses counts as one that may be missing': [
      'imds-hop-limit: a limit of 1 on nodes with a taint is a warning that does not name a controller which does not tolerate it',
      'pod-security-groups-instance-types: nodes of Karpenter beside a group that only pods with a toleration get to',
    ],
    'what is tagged counts as an instance where a condition chooses the tags': [
      'imds-instance-tags: tags of volumes are not shown in metadata',
    ],
    'a manifest that exists under a condition is no evidence of settings': [
      'vpc-cni-resolve-conflicts: OVERWRITE with a SecurityGroupPolicy and no ENABLE_POD_ENI fails and names both',
      'vpc-cni-resolve-conflicts: OVERWRITE with a SecurityGroupPolicy and other configuration values fails',
      'vpc-cni-resolve-conflicts: OVERWRITE with a patch of a variable that EKS renders fails',
      'vpc-cni-resolve-conflicts: OVERWRITE with a patch of the init container names the init variable',
      'vpc-cni-resolve-conflicts: OVERWRITE with an ENIConfig and no custom networking in the values fails',
    ],
  }).flatMap(([reason, names]) => names.map((name): [string, string] => [name, reason])),
);
