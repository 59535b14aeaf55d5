import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import type { Finding } from '../../../lib/engine';
import { workspace } from '../../cli/workspace';
import { pasted } from './hcl-pasted';
import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/* Several findings of one resource: whoever obeys one after the other must not have the first ones back at the end. */

const CLUSTER =
  'resource "aws_eks_cluster" "main" {\n  name = "main"\n  version = "1.36"\n  role_arn = "r"\n  vpc_config {\n    subnet_ids = ["a"]\n  }\n}\n';

const listed = (text: string, rules: RegExp): readonly Finding[] =>
  checkedHcl(text).findings.filter(({ rule, severity }) => severity !== 'info' && rules.test(rule));

const addon = (name: string, version: string, values: string): string =>
  `${CLUSTER}\nresource "aws_eks_addon" "it" {\n  cluster_name = aws_eks_cluster.main.name\n  addon_name = "${name}"\n  addon_version = "${version}"\n  resolve_conflicts_on_update = "PRESERVE"\n  configuration_values = jsonencode(${values})\n}\n`;

const folder = workspace({
  'main.tf': addon(
    'vpc-cni',
    'v1.21.1-eksbuild.1',
    '{ enableNetworkPolicy = true, env = { ENABLE_POD_ENI = "true" } }',
  ).replace(
    '  configuration_values',
    '  # eks-guardrails:ignore vpc-cni-tcp-early-demux -- no probes\n  configuration_values',
  ),
  'template.yaml': [
    'Resources:',
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    "    Properties: { Version: '1.36', RoleArn: !GetAtt Role.Arn, ResourcesVpcConfig: { SubnetIds: [subnet-1] } }",
    '  Role:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    "      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: Allow, Principal: { Service: eks.amazonaws.com }, Action: sts:AssumeRole }] }",
    '      ManagedPolicyArns: [arn:aws:iam::aws:policy/AmazonEKSClusterPolicy]',
    '  Cni:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    '      AddonName: vpc-cni',
    '      AddonVersion: v1.21.1-eksbuild.1',
    '      ConfigurationValues: \'{"env":{"ENABLE_POD_ENI":"true"}}\'',
  ].join('\n'),
});

describe('configuration values of one add-on', () => {
  it.each([
    [
      'two keys of coredns',
      addon('coredns', 'v1.13.2-eksbuild.1', '{ replicas = 3, autoscaling = { enabled = true } }'),
    ],
    [
      'what two rules say',
      addon(
        'vpc-cni',
        'v1.21.1-eksbuild.1',
        '{ enableNetworkPolicy = true, env = { ENABLE_PREFIX_DELEGATION = "true", WARM_PREFIX_TARGET = "0" } }',
      ),
    ],
  ])('%s are put right by the code of each', (_, text) => {
    const findings = listed(text, /configuration-schema|prefix-delegation-warm/);
    expect(findings.length).toBeGreaterThan(1);
    expect(new Set(findings.map(({ fixCode }) => fixCode)).size).toBe(1);
    const after = pasted(text, 'aws_eks_addon.it', findings[0]?.fixCode ?? '');
    expect(listed(after, /configuration-schema|prefix-delegation-warm/)).toEqual([]);
  });

  it('what somebody has accepted is in no code', () => {
    const schema = checkPaths([join(folder, 'main.tf')]).findings.find(({ rule }) => /configuration-schema/.test(rule));
    expect(schema?.fixCode).toContain('enableNetworkPolicy = "true"');
    expect(schema?.fixCode).not.toContain('DISABLE_TCP_EARLY_DEMUX');
  });
});

it('the AMI type of one of the groups that a `for` makes is for its key, and stays as it is for the others', () => {
  const text =
    'variable "groups" {\n  default = { a = "c7g.large", b = "c7i.large" }\n}\nmodule "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  version = "20.36.0"\n  cluster_name = "main"\n  cluster_version = "1.36"\n  eks_managed_node_groups = { for k, type in var.groups : k => {\n    ami_type = "AL2023_x86_64_STANDARD"\n    instance_types = [type]\n  } }\n}\n';
  const [finding] = listed(text, /ami-type-architecture/);
  expect(finding?.fixCode).toContain('ami_type = k == "a" ? "AL2023_ARM_64_STANDARD" : "AL2023_x86_64_STANDARD"');
  expect(finding === undefined ? '' : outcomeOf(text, finding)).toBe('works');
});

it('a trust policy that stands in a data source has the role named that it goes into', () => {
  const text = `${CLUSTER}
resource "aws_iam_openid_connect_provider" "main" {
  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.main.arn]
    }
    condition {
      test     = "StringEquals"
      variable = "\${replace(aws_iam_openid_connect_provider.main.url, "https://", "")}:sub"
      values   = ["system:serviceaccount:dns:external-dns"]
    }
  }
}
resource "aws_iam_role" "dns" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
`;
  const [finding] = listed(text, /irsa-trust-policy/);
  expect(finding?.fixCode?.split('\n')[0]).toBe('# in aws_iam_role.dns:');
  expect(finding === undefined ? '' : outcomeOf(text, finding)).toBe('works');
});

it('a policy of AWS stands in a list once, whichever way its ARN is written', () => {
  const finding = checkPaths([join(folder, 'template.yaml')]).findings.find(
    ({ rule }) => rule === 'pod-security-groups-cluster-role',
  );
  expect(finding?.fixCode?.match(/AmazonEKSClusterPolicy/g)).toHaveLength(1);
  expect(finding?.fixCode).toContain('AmazonEKSVPCResourceController');
});
