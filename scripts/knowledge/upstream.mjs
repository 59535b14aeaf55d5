// Which tables are regenerated from what: the arguments of each script, in their order. A repository is `owner/name`, a package `npm:name`.
export const REGENERATED = [
  ['kubernetes-versions', ['endoflife-date/endoflife.date']],
  ['addon-versions', ['plumdog/eks-addon-configuration']],
  ['addon-schemas', ['plumdog/eks-addon-configuration']],
  ['vpc-cni-environment', ['aws/amazon-vpc-cni-k8s']],
  ['cni-permissions', ['aws/amazon-vpc-cni-k8s']],
  [
    'instance-types',
    [
      'aws/amazon-vpc-cni-k8s',
      'aws/amazon-vpc-resource-controller-k8s',
      'aws/karpenter-provider-aws',
      'awslabs/amazon-eks-ami',
    ],
  ],
  ['managed-policies', ['zoph-io/IAMTrail']],
  ['managed-policies-index', ['zoph-io/IAMTrail']],
  [
    'controller-permissions',
    [
      'kubernetes-sigs/aws-load-balancer-controller',
      'aws/eks-charts',
      'kubernetes-sigs/external-dns',
      'kubernetes/autoscaler',
    ],
  ],
  ['controller-policies', ['kubernetes-sigs/aws-load-balancer-controller']],
  [
    'module-policies',
    [
      'terraform-aws-modules/terraform-aws-iam',
      'terraform-aws-modules/terraform-aws-eks-pod-identity',
      'aws-ia/terraform-aws-eks-blueprints-addons',
    ],
  ],
  ['ami-types', ['npm:@aws-sdk/client-eks', 'npm:aws-cdk-lib']],
  ['kubelet-feature-gates', ['kubernetes/website']],
  ['kubelet-feature-gates', ['gardener/gardener']],
  ['removed-apis', ['kubernetes/website']],
  ['karpenter-versions', ['aws/karpenter-provider-aws']],
  ['karpenter-fields', ['aws/karpenter-provider-aws']],
  ['eksctl-keys', ['eksctl-io/eksctl']],
];

/** Where a checkout may stand below the folder that was named: by owner and name, in one word, or by its name alone. */
export function placesOf(upstream) {
  if (upstream.startsWith('npm:')) {
    const name = upstream.slice('npm:'.length);
    return [`node_modules/${name}`, name];
  }
  const [owner, name] = upstream.split('/');
  return [`${owner}/${name}`, `${owner}/${name}.git`, `${owner}+${name}/repo`, `${owner}+${name}`, name, `${name}.git`];
}
