/** Vectors about which Terraform and CloudFormation differ by right, with the reason: `rule: name of the vector`. */
export const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    'imds-hop-limit: a limit of 0 fails: EC2 refuses it',
    'the AWS provider takes 0 for "not written", and refuses it when it validates',
  ],
  [
    'arn-partition: two roles with policies of two partitions, wherever it is deployed to',
    'two providers of one configuration may be of two partitions',
  ],
  [
    'launch-template-node-group-conflict: a template by id and by name',
    'the AWS provider refuses both when it validates',
  ],
  [
    'launch-template-version: the default version number is reported: CloudFormation has no property that moves it',
    'Terraform has one: update_default_version',
  ],
  [
    'node-group-update-config: zero fails',
    'the AWS provider takes 0 for "not written", and refuses it when it validates',
  ],
  [
    'node-group-update-config: zero percent fails',
    'the AWS provider takes 0 for "not written", and refuses it when it validates',
  ],
  [
    'node-group-update-config: a bad number and MINIMAL are two findings',
    'the AWS provider takes 0 for "not written", and refuses it when it validates',
  ],
  [
    'irsa-trust-policy: where the exact subject is missing, the wildcard admits nobody at all',
    'jsonencode writes null where CloudFormation leaves a key out',
  ],
  [
    'irsa-trust-policy: a function as a key is refused by CloudFormation',
    'a key of a map may be any expression in Terraform',
  ],
  [
    'irsa-trust-policy: what is wrong besides a function as a key is told too',
    'a key of a map may be any expression in Terraform',
  ],
  [
    'karpenter-node-class: a size without a unit',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  [
    'karpenter-node-class: a tag whose value is no text',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  [
    'karpenter-node-pool: a label that is no text',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  [
    'karpenter-node-pool: a number of nodes that is no text',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  [
    'karpenter-node-pool: a weight that is a text',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  [
    'karpenter-node-pool: values that are no texts',
    'the provider of kubernetes_manifest makes the types that the definition asks for',
  ],
  ['launch-template-forbidden-field: an instance profile from a parameter counts as set', 'a variable may be null'],
  ['launch-template-node-group-conflict: CUSTOM beside an AMI from a parameter', 'a variable may be null'],
  ['launch-template-node-group-conflict: a disk size from a parameter beside a template', 'a variable may be null'],
  [
    'node-group-remote-access: a source security group from a parameter without default passes: one is named',
    'a variable may be null',
  ],
  ['node-group-update-config: both settings fail whatever the parameter says', 'a variable may be null'],
  [
    'cluster-version-pinned: a version that is looked up',
    'Terraform has no dynamic references: it is plain text there',
  ],
]);

/** Vectors of which a plan knows more than a template: whether a resource exists already. */
export const PLAN_KNOWS_MORE: ReadonlyMap<string, string> = new Map([
  [
    'arn-partition: the partition of the stack',
    'the plan of the test is one of the commercial partition, whatever zones it names',
  ],
  [
    'arn-partition: a principal of an access entry whose partition CloudFormation fills in',
    'the plan of the test is one of the commercial partition, whatever zones it names',
  ],
  [
    'node-group-kubernetes-version: one version behind is a warning',
    'EKS refuses to create a group with another version than its cluster',
  ],
  [
    'node-group-kubernetes-version: three versions behind are a warning',
    'EKS refuses to create a group with another version than its cluster',
  ],
  [
    'node-group-kubernetes-version: three versions behind a cluster of 1.28 are a warning',
    'EKS refuses to create a group with another version than its cluster',
  ],
]);
