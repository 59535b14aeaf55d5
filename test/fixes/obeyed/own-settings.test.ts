import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/* What the user has around a defect is in the code of its fix, with references as they are written. */

const CNI = (values: string, version = 'addon_version = "v1.20.4-eksbuild.2"'): string => `
resource "aws_eks_cluster" "payments" {
  name = "payments"
  version = "1.35"
}
resource "aws_security_group" "pods" {
  name   = "pods"
  vpc_id = "vpc-0aaa1111"
}
resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.payments.name
  addon_name                  = "vpc-cni"
  resolve_conflicts_on_update = "PRESERVE"
  ${version}
  configuration_values = jsonencode(${values})
}
`;

const SUBNET = (zone: string): string =>
  `"${zone}" = { id = "subnet-0ccc3333", securityGroup = [aws_security_group.pods.id] }`;

const TEMPLATE = `
resource "aws_launch_template" "db" {
  image_id = "ami-0123456789abcdef0"
  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    instance_metadata_tags      = "enabled"
  }
}
resource "aws_eks_node_group" "db" {
  cluster_name = "shop"
  launch_template {
    id      = aws_launch_template.db.id
    version = aws_launch_template.db.latest_version
  }
}
`;

const COMPUTED = `variable "options" {
  default = {}
}
${TEMPLATE.replace(
  /metadata_options \{[^}]*/,
  `metadata_options {
    http_endpoint               = lookup(var.options, "endpoint", null)
    http_tokens                 = lookup(var.options, "tokens", "optional")
    http_put_response_hop_limit = lookup(var.options, "hops", 2)
    http_protocol_ipv6          = lookup(var.options, "ipv6", null)
  `,
)}`;

const IRSA = (subject: string): string => `
resource "aws_iam_openid_connect_provider" "this" {
  url            = "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF0123456789ABCDEF0123456789"
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_iam_role" "dns" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.this.arn }
      Condition = {
        StringEquals = {
          "oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF0123456789ABCDEF0123456789:sub" = "system:serviceaccount:${subject}"
          "oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF0123456789ABCDEF0123456789:aud" = "sts.amazonaws.com"
        }
      }
    }]
  })
}
`;

const IPV6_ROLE = `
module "eks" {
  source = "terraform-aws-modules/eks/aws"
  version = "~> 20.8"
  cluster_name = "six"
  cluster_version = "1.35"
  cluster_ip_family = "ipv6"
  cluster_addons = {
    vpc-cni = {
      addon_version               = "v1.20.4-eksbuild.2"
      resolve_conflicts_on_update = "PRESERVE"
      service_account_role_arn    = module.irsa.iam_role_arn
    }
  }
}
module "irsa" {
  source                = "terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks"
  version               = "~> 5.39"
  role_name             = "six-vpc-cni"
  attach_vpc_cni_policy = true
  vpc_cni_enable_ipv4   = true
  oidc_providers = {
    main = {
      provider_arn               = module.eks.oidc_provider_arn
      namespace_service_accounts = ["kube-system:aws-node"]
    }
  }
}
`;

/** A template with user data, and a group that launches it. */
const NODES = (userData: string): string => `
resource "aws_launch_template" "front" {
  image_id = "ami-0123456789abcdef0"
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(<<-EOT
${userData}
  EOT
  )
}
resource "aws_eks_node_group" "front" {
  cluster_name = "shop"
  launch_template {
    id      = aws_launch_template.front.id
    version = aws_launch_template.front.latest_version
  }
}
`;

const NODE_CONFIG = `    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec:
      cluster:
        name: shop
        apiServerEndpoint: https://example.com
        certificateAuthority: Y2VydA==
        cidr: 10.100.0.0/16
      kubelet:
        flags:
          - --node-labels=node-role.kubernetes.io/front=true,team=web,kubernetes.io/tier=gold`;

const found = (text: string, rule: string, messageId: string) =>
  checkedHcl(text).findings.filter((one) => one.rule === rule && one.messageId === messageId);

describe('an advice keeps what the user has:', () => {
  it.each([
    [
      'a key below a zone is renamed, with its references',
      'vpc-cni-configuration-schema',
      'unknown-key',
      CNI(`{ eniConfig = { create = true, region = "eu-west-1", subnets = { ${SUBNET('eu-west-1a')} } } }`),
      'securityGroups = [aws_security_group.pods.id]',
    ],
    [
      'and below each of several zones',
      'vpc-cni-configuration-schema',
      'unknown-key',
      CNI(
        `{ eniConfig = { create = true, region = "eu-west-1", subnets = { ${SUBNET('eu-west-1a')}, ${SUBNET('eu-west-1b')} } } }`,
      ),
      'securityGroups = [aws_security_group.pods.id]',
    ],
    [
      'the zones of ENIConfigs tell their region',
      'vpc-cni-configuration-schema',
      'required',
      CNI('{ eniConfig = { create = true, subnets = { eu-west-1a = { id = "subnet-0ccc3333" } } } }'),
      'region = "eu-west-1"',
    ],
    ['other metadata options stay', 'imds-hop-limit', 'one', TEMPLATE, 'instance_metadata_tags      = "enabled"'],
    ...[
      'http_protocol_ipv6          = lookup(var.options, "ipv6", null)',
      'http_put_response_hop_limit = lookup(var.options, "hops", 2)',
    ].map((line): [string, string, string, string, string] => [
      'expressions of metadata options stay what they are',
      'imds-v1',
      'optional',
      COMPUTED,
      line,
    ]),
    ['a pattern stays one', 'irsa-trust-policy', 'literal-wildcard', IRSA('dns:external-dns-*'), 'StringLike = {'],
    [
      'labels of user data move to a domain that kubelet accepts, all of one line at once',
      'node-label-reserved',
      'userData',
      NODES(NODE_CONFIG),
      '- --node-labels=node.kubernetes.io/front=true,team=web,node.kubernetes.io/tier=gold',
    ],
    [
      'the module of a role has an input for the family',
      'vpc-cni-role-ip-family',
      'ipv6',
      IPV6_ROLE,
      'vpc_cni_enable_ipv6   = true',
    ],
  ])('%s', (_, rule, messageId, text, code) => {
    const findings = found(text, rule, messageId);
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding.fixCode).toContain(code);
      expect(outcomeOf(text, finding)).toBe('works');
    }
  });

  it('no block of metadata options goes beside a dynamic one', () => {
    const dynamic = COMPUTED.replace(
      'metadata_options {',
      'dynamic "metadata_options" {\nfor_each = [1]\ncontent {',
    ).replace('null)\n  }', 'null)\n  }\n}');
    const [finding] = found(dynamic, 'imds-v1', 'optional');
    expect(finding?.fix).toMatch(/Require tokens/);
    expect(finding?.fixCode).toBeUndefined();
  });

  it.each(['*:external-dns', 'dns:*'])("a pattern that would fit too much isn't advised: %s", (subject) => {
    const [finding] = found(IRSA(subject), 'irsa-trust-policy', 'literal-wildcard');
    expect(finding?.fix).not.toMatch(/StringLike/);
    expect(finding?.fixCode).toBeUndefined();
  });

  it('zones of several regions tell none', () => {
    const [finding] = found(
      CNI(
        '{ eniConfig = { create = true, subnets = { eu-west-1a = { id = "subnet-1" }, us-east-1a = { id = "subnet-2" } } } }',
      ),
      'vpc-cni-configuration-schema',
      'required',
    );
    expect(finding).toBeDefined();
    expect(finding?.fixCode).toBeUndefined();
  });
});
