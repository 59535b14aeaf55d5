import { runRules } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../../lib/rules';
import { cpuTime } from '../../../cpu-time';
import { configurations } from '../../../terraform/module/configurations';
import { itWithAll } from '../../../share';

/** What the rules say of roles and who takes them, and what of it they can't tell. */
function judge(files: Parameters<typeof configurations>[0]) {
  const read = configurations(files, { knownModule: expandKnownModule });
  const findings = runRules(new EksModel(readInstances(read.instances)), allRules);
  return {
    said: [
      ...new Set(
        findings
          .filter(({ rule }) => /^(?:irsa|pod-identity|vpc-cni-role-(?:ip|missing|subnet))/.test(rule))
          .map(({ rule, verdict, message }) => `${rule} ${verdict === 'fail' ? verdict : message}`),
      ),
    ].sort(),
    circles: [...findings.map(({ message }) => message), ...read.problems].filter((text) =>
      text.includes('refers to itself'),
    ),
  };
}

const IAM = 'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts';

/** A role by the module of version 5. @param account who takes it */
const role = (name: string, account: string, more = '') => `module "${name}" {
  source                = "${IAM}-eks"
  version               = "5.60.0"
  role_name             = "${name}"
  attach_vpc_cni_policy = ${name.includes('cni')}
  vpc_cni_enable_ipv4   = true
  ${more}
  oidc_providers = {
    main = {
      provider_arn               = module.eks.oidc_provider_arn
      namespace_service_accounts = ["kube-system:${account}"]
    }
  }
}
`;

const cluster = (more: string, version = '20.37.2') => `module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "${version}"
  ${version.startsWith('20') ? 'cluster_name    = "main"\n  cluster_version' : 'name            = "main"\n  kubernetes_version'} = "1.33"
  ${more}
}
`;

const addons = (cni: string) => `cluster_addons = {
    vpc-cni = {
      addon_version            = "v1.20.1-eksbuild.1"
      service_account_role_arn = ${cni}
    }
  }`;

const CASES: Readonly<Record<string, (account: string) => string>> = {
  'a role of version 5': (account) => role('cni', account) + cluster(addons('module.cni.iam_role_arn')),
  'the cluster first': (account) => cluster(addons('module.cni.iam_role_arn')) + role('cni', account),
  'a role of version 6': (account) =>
    role('cni', account).replace('-eks"', '"').replace('5.60.0', '6.5.0').replace('role_name ', 'name ') +
    cluster(addons('module.cni.arn').replace('cluster_addons', 'addons'), '21.19.0'),
  'add-ons that are merged': (account) =>
    role('cni', account) +
    'locals {\n  more = { coredns = {} }\n}\n' +
    cluster(
      'cluster_addons = merge(local.more, {\n    vpc-cni = {\n      addon_version            = "v1.20.1-eksbuild.1"\n      service_account_role_arn = module.cni.iam_role_arn\n    }\n  })',
    ),
  'add-ons in a local value': (account) =>
    role('cni', account) +
    'locals {\n  addons = {\n    vpc-cni = {\n      addon_version            = "v1.20.1-eksbuild.1"\n      service_account_role_arn = module.cni.iam_role_arn\n    }\n  }\n}\n' +
    cluster('cluster_addons = local.addons'),
  'roles by for_each': (account) =>
    role('cni_roles', account, `for_each = { aws-node = "vpc-cni" }`).replace(
      `kube-system:${account}`,
      account === 'aws-node' ? 'kube-system:${each.key}' : `kube-system:${account}`,
    ) + cluster(addons('module.cni_roles["aws-node"].iam_role_arn')),
  'a role by count': (account) => role('cni', account, 'count = 1') + cluster(addons('module.cni[0].iam_role_arn')),
  'a name of the cluster': (account) =>
    role('cni', account).replace(
      'role_name             = "cni"',
      'role_name             = "cni-${module.eks.cluster_name}"',
    ) + cluster(addons('module.cni.iam_role_arn')),
  'a flag beside it': (account) =>
    role('cni', account, 'create_role = true') + cluster(`create = true\n  ${addons('module.cni.iam_role_arn')}`),
  'security groups both ways': (account) =>
    role('cni', account) +
    `resource "aws_security_group" "extra" {
  name = "\${module.eks.cluster_name}-extra"
  ingress {
    from_port       = 443
    to_port         = 443
    protocol        = "tcp"
    security_groups = [module.eks.node_security_group_id, module.eks.cluster_security_group_id]
  }
}
` +
    cluster(`cluster_additional_security_group_ids = [aws_security_group.extra.id]
  node_security_group_additional_rules = {
    extra = { type = "ingress", from_port = 443, to_port = 443, protocol = "tcp", source_security_group_id = aws_security_group.extra.id }
  }
  eks_managed_node_groups = { workers = { vpc_security_group_ids = [aws_security_group.extra.id] } }
  ${addons('module.cni.iam_role_arn')}`),
  'an add-on of its own with values of the cluster': (account) =>
    role('cni', account) +
    cluster('') +
    `resource "aws_eks_addon" "cni" {
  cluster_name             = module.eks.cluster_name
  addon_name               = "vpc-cni"
  addon_version            = "v1.20.1-eksbuild.1"
  service_account_role_arn = module.cni.iam_role_arn
}
`,
  blueprints: (account) =>
    role('cni', account) +
    cluster('') +
    `module "eks_blueprints_addons" {
  source            = "aws-ia/eks-blueprints-addons/aws"
  version           = "1.24.3"
  cluster_name      = module.eks.cluster_name
  cluster_endpoint  = module.eks.cluster_endpoint
  cluster_version   = module.eks.cluster_version
  oidc_provider_arn = module.eks.oidc_provider_arn
  enable_karpenter  = true
  eks_addons = {
    vpc-cni = { addon_version = "v1.20.1-eksbuild.1", service_account_role_arn = module.cni.iam_role_arn }
  }
}
`,
  'the role of a module for any issuer': (account) =>
    `module "cni" {
  source                        = "terraform-aws-modules/iam/aws//modules/iam-assumable-role-with-oidc"
  version                       = "5.60.0"
  create_role                   = true
  role_name                     = "cni"
  provider_url                  = replace(module.eks.cluster_oidc_issuer_url, "https://", "")
  role_policy_arns              = ["arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"]
  oidc_fully_qualified_subjects = ["system:serviceaccount:kube-system:${account}"]
}
` + cluster(addons('module.cni.iam_role_arn')),
  'a role that the code writes': (account) =>
    `data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [module.eks.oidc_provider_arn]
    }
    condition {
      test     = "StringEquals"
      variable = "\${module.eks.oidc_provider}:sub"
      values   = ["system:serviceaccount:kube-system:${account}"]
    }
    condition {
      test     = "StringEquals"
      variable = "\${replace(module.eks.cluster_oidc_issuer_url, "https://", "")}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}
resource "aws_iam_role" "cni" {
  name               = "cni"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
resource "aws_iam_role_policy_attachment" "cni" {
  role       = aws_iam_role.cni.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
}
` + cluster(addons('aws_iam_role.cni.arn')),
};

describe.each(Object.entries(CASES))('with %s, a cluster and the role of its add-on stand on each other', (_, text) => {
  it('and all is known', () => {
    expect(judge(text('aws-node'))).toEqual({ said: [], circles: [] });
  });

  it('and what is wrong is found', () => {
    expect(judge(text('wrong'))).toEqual({ said: ['irsa-subject fail'], circles: [] });
  });
});

it('associations for Pod Identity and the cluster stand on each other', () => {
  const text = (account: string) =>
    `module "cni" {
  source                    = "terraform-aws-modules/eks-pod-identity/aws"
  version                   = "2.8.1"
  name                      = "cni"
  attach_aws_vpc_cni_policy = true
  aws_vpc_cni_enable_ipv4   = true
  associations = {
    main = { cluster_name = module.eks.cluster_name, namespace = "kube-system", service_account = "${account}" }
  }
}
module "roles" {
  source                    = "terraform-aws-modules/eks-pod-identity/aws"
  version                   = "2.8.1"
  name                      = module.eks.cluster_name
  attach_aws_vpc_cni_policy = true
  aws_vpc_cni_enable_ipv4   = true
}
` +
    cluster(
      `addons = {
    eks-pod-identity-agent = {}
    vpc-cni = {
      addon_version            = "v1.20.1-eksbuild.1"
      pod_identity_association = [{ role_arn = module.roles.iam_role_arn, service_account = "aws-node" }]
    }
  }`,
      '21.19.0',
    );
  expect(judge(text('other'))).toEqual({ said: [], circles: [] });
});

it('Karpenter and the entries of the cluster stand on each other', () => {
  const text =
    `module "karpenter" {
  source       = "terraform-aws-modules/eks/aws//modules/karpenter"
  version      = "20.37.2"
  cluster_name = module.eks.cluster_name
  create_pod_identity_association = true
  create_access_entry = false
}
` +
    cluster(
      'cluster_addons = { eks-pod-identity-agent = {} }\n  access_entries = { nodes = { principal_arn = module.karpenter.node_iam_role_arn, type = "EC2_LINUX" } }',
    );
  const { one, problems } = configurations(text, { knownModule: expandKnownModule });
  const entry = one('module.eks.aws_eks_access_entry.this["nodes"]');
  expect(entry.attributes).toMatchObject({
    value: {
      entries: new Map([
        [
          'cluster_name',
          expect.objectContaining({
            reference: { resource: one('module.eks.aws_eks_cluster.this[0]'), attribute: 'name' },
          }),
        ],
        [
          'principal_arn',
          expect.objectContaining({
            reference: { resource: one('module.karpenter.aws_iam_role.node[0]'), attribute: 'arn' },
          }),
        ],
        ['type', expect.objectContaining({ value: 'EC2_LINUX' })],
      ]),
    },
  });
  expect(problems).toEqual([]);
});

it('outputs of groups are there for the add-ons of the same cluster', () => {
  const { value, one, problems } = configurations(
    cluster(
      'eks_managed_node_groups = { a = {} }\n  cluster_addons = { vpc-cni = { service_account_role_arn = module.eks.eks_managed_node_groups["a"].iam_role_arn } }',
    ),
    { knownModule: expandKnownModule },
  );
  expect(value('module.eks.aws_eks_addon.this["vpc-cni"]', 'service_account_role_arn')).toMatchObject({
    reference: {
      resource: one('module.eks.module.eks_managed_node_group["a"].aws_iam_role.this[0]'),
      attribute: 'arn',
    },
  });
  expect(problems).toEqual([]);
});

it('Karpenter trusts the provider of its cluster where it is told so', () => {
  const karpenter = (more: string) =>
    `module "karpenter" {
  source       = "terraform-aws-modules/eks/aws//modules/karpenter"
  version      = "20.37.2"
  cluster_name = module.eks.cluster_name
  enable_irsa  = true
  ${more}
}
${cluster('')}`;
  expect(judge(karpenter('irsa_oidc_provider_arn = module.eks.oidc_provider_arn'))).toEqual({ said: [], circles: [] });
  expect(
    judge(
      karpenter(
        'irsa_oidc_provider_arn = module.eks.oidc_provider_arn\n  irsa_namespace_service_accounts = ["kube-system:*"]',
      ),
    ).said,
  ).toEqual(['irsa-trust-policy fail']);
});

describe('what stands on itself', () => {
  const ROLE =
    'module "role" {\n  source = "terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks"\n  version = "5.60.0"\n';
  const KEYS = 'module.eks.cluster_name';

  it.each([
    [
      'by way of two modules that are known',
      `${ROLE}  role_name = ${KEYS}\n}\n${cluster('').replace('"main"', 'module.role.iam_role_name')}`,
      [
        'warning main.tf:9:3 argument cluster_name of module.eks refers to itself in a circle: argument cluster_name of module.eks → argument role_name of module.role → argument cluster_name of module.eks',
      ],
    ],
    [
      'in one module that is known',
      cluster('').replace('"main"', KEYS),
      [
        'warning main.tf:4:3 argument cluster_name of module.eks refers to itself in a circle: argument cluster_name of module.eks → argument cluster_name of module.eks',
      ],
    ],
    [
      'by way of a resource',
      `resource "aws_iam_role" "r" {\n  name = ${KEYS}\n}\n${cluster('').replace('"main"', 'aws_iam_role.r.tags.name')}`,
      [
        'warning main.tf:7:3 argument cluster_name of module.eks refers to itself in a circle: argument cluster_name of module.eks → aws_iam_role.r → argument cluster_name of module.eks',
      ],
    ],
    [
      'in the groups of one module',
      cluster('eks_managed_node_groups = { a = { name = module.eks.eks_managed_node_groups["a"].iam_role_name } }'),
      [],
    ],
  ])('%s is unknown, with one word about it', (_, text, expected) => {
    const read = configurations(text, { knownModule: expandKnownModule });
    expect(() => runRules(new EksModel(readInstances(read.instances)), allRules)).not.toThrow();
    expect(read.problems).toEqual(expected);
  });
});

itWithAll('a chain of many modules that stand on each other takes time in step with their number', () => {
  const chain = (size: number) =>
    Array.from({ length: size }, (_, index) =>
      role(`cni${index}`, 'aws-node')
        .replaceAll('module.eks.', `module.eks${index}.`)
        .concat(
          cluster(addons(`module.cni${index}.iam_role_arn`))
            .replace('"eks"', `"eks${index}"`)
            .replace('"main"', index === 0 ? '"main"' : `"\${module.eks${index - 1}.cluster_name}x"`),
        ),
    ).join('');
  const time = (size: number) => {
    const elapsed = cpuTime();
    expect(judge(chain(size)).circles).toEqual([]);
    return elapsed();
  };
  time(10);
  // In one of two, the memory of the tests before may be tidied up.
  expect(Math.min(time(80), time(80))).toBeLessThan(20 * time(10) + 500);
});
