import { checkFiles } from '../../front-ends/kubernetes/manifests';

/** What `arn-partition` says of access policies that are no part of an access entry, and of those of other front ends than CloudFormation. */
function told(name: string, text: string): readonly string[] {
  return checkFiles({ [name]: text })
    .result.findings.filter(({ rule, verdict }) => rule === 'arn-partition' && verdict === 'fail')
    .map(({ messageId, resource, source }) => `${messageId} ${resource.id} ${source.locate().line}`);
}

const POLICY = (partition: string) => `arn:${partition}:eks::aws:cluster-access-policy/AmazonEKSViewPolicy`;

/** Each with the finding where the policy is of the commercial partition; the cluster is in GovCloud. */
const INPUTS: readonly (readonly [what: string, file: string, text: (policy: string) => string, found: string])[] = [
  [
    'a resource of its own in Terraform',
    'main.tf',
    (policy) =>
      `provider "aws" {\n  region = "us-gov-west-1"\n}\nresource "aws_eks_access_policy_association" "view" {\n  cluster_name = "main"\n  principal_arn = "arn:aws-us-gov:iam::111122223333:role/dev"\n  policy_arn = "${policy}"\n  access_scope {\n    type = "cluster"\n  }\n}\n`,
    'access aws_eks_access_policy_association.view 7',
  ],
  [
    'an entry of the module',
    'main.tf',
    (policy) =>
      `provider "aws" {\n  region = "us-gov-west-1"\n}\nmodule "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "21.19.0"\n  name = "main"\n  kubernetes_version = "1.34"\n  access_entries = {\n    dev = {\n      principal_arn = "arn:aws-us-gov:iam::111122223333:role/dev"\n      policy_associations = {\n        view = {\n          policy_arn = "${policy}"\n          access_scope = { type = "cluster" }\n        }\n      }\n    }\n  }\n}\n`,
    'access module.eks.aws_eks_access_policy_association.this["dev_view"] 14',
  ],
  [
    'a ClusterConfig',
    'cluster.yaml',
    (policy) =>
      `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\n  name: shop\n  region: us-gov-west-1\naccessConfig:\n  accessEntries:\n    - principalARN: arn:aws-us-gov:iam::111122223333:role/dev\n      accessPolicies:\n        - policyARN: ${policy}\n          accessScope: { type: cluster }\n`,
    'access arn:aws-us-gov:iam::111122223333:role/dev 10',
  ],
  [
    'an object of Crossplane',
    'access.yaml',
    (policy) =>
      `apiVersion: eks.aws.upbound.io/v1beta1\nkind: Cluster\nmetadata: { name: main }\nspec:\n  forProvider:\n    region: us-gov-west-1\n    version: "1.34"\n---\napiVersion: eks.aws.upbound.io/v1beta1\nkind: AccessPolicyAssociation\nmetadata: { name: view }\nspec:\n  forProvider:\n    region: us-gov-west-1\n    clusterNameRef: { name: main }\n    policyArn: ${policy}\n`,
    'access view 16',
  ],
  [
    'an object of AWS Controllers for Kubernetes',
    'access.yaml',
    (policy) =>
      `apiVersion: eks.services.k8s.aws/v1alpha1\nkind: Cluster\nmetadata: { name: main, annotations: { services.k8s.aws/region: us-gov-west-1 } }\nspec:\n  name: main\n---\napiVersion: eks.services.k8s.aws/v1alpha1\nkind: AccessEntry\nmetadata: { name: dev, annotations: { services.k8s.aws/region: us-gov-west-1 } }\nspec:\n  clusterName: main\n  principalARN: arn:aws-us-gov:iam::111122223333:role/dev\n  accessPolicies:\n    - policyARN: ${policy}\n`,
    'access dev 14',
  ],
];

test.each(INPUTS)('%s', (_, file, text, found) => {
  expect(told(file, text(POLICY('aws-us-gov')))).toEqual([]);
  expect(told(file, text(POLICY('aws')))).toEqual([found]);
});

test('the principal that a resource of its own names is looked at, too', () => {
  const [[, file, text]] = INPUTS as readonly [(typeof INPUTS)[number]];
  const policy = text(POLICY('aws-us-gov'));
  expect(told(file, policy.replace('arn:aws-us-gov:iam', 'arn:aws:iam'))).toEqual([
    'reference aws_eks_access_policy_association.view 6',
  ]);
  expect(
    told(file, policy.replace(/principal_arn = .*/, 'principal_arn = aws_eks_access_entry.dev.principal_arn')),
  ).toEqual([]);
});

test('of a policy that is filled in, and where nothing tells the partition, nothing is said', () => {
  const [[, file, text]] = INPUTS as readonly [(typeof INPUTS)[number]];
  expect(
    told(
      file,
      `data "aws_partition" "current" {}\n${text('arn:${data.aws_partition.current.partition}:eks::aws:cluster-access-policy/AmazonEKSViewPolicy')}`,
    ),
  ).toEqual([]);
  expect(told(file, text(POLICY('aws')).replace('region = "us-gov-west-1"', ''))).toEqual([]);
});
