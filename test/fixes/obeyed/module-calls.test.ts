import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/** What a call has, by the names of version 21; those of the cluster have a prefix before. */
function call(version: string, given: string): string {
  const old = !version.startsWith('21');
  const named = old
    ? given
        .replaceAll(/^name /gm, 'cluster_name ')
        .replaceAll('kubernetes_version', 'cluster_version')
        .replaceAll(/^(?=(?:addons|upgrade_policy) )/gm, 'cluster_')
    : given;
  return `module "eks" {\nsource = "terraform-aws-modules/eks/aws"\nversion = "${version}"\n${named}\n}\n`;
}

const ASSOCIATION = `resource "aws_eks_pod_identity_association" "web" {
  cluster_name    = module.eks.cluster_name
  namespace       = "shop"
  service_account = "web"
  role_arn        = "arn:aws:iam::111122223333:role/web"
}
`;

const VERSIONS = ['18.31.2', '19.21.0', '20.37.2', '21.19.0'];

const group = (settings: string, version = '1.36'): string =>
  `name = "main"\nkubernetes_version = "${version}"\neks_managed_node_groups = { workers = {\n${settings}\n} }`;

/** Findings of calls, with the versions of the module for which they are obeyed. */
const CALLS: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'imds-v1 optional',
    'tokens that are optional',
    group(
      'ami_type = "AL2023_x86_64_STANDARD"\nmetadata_options = { http_endpoint = "enabled", http_tokens = "optional", http_put_response_hop_limit = 2 }',
    ),
    VERSIONS,
  ],
  [
    'imds-hop-limit one',
    'a hop limit of 1',
    group(
      'ami_type = "AL2023_x86_64_STANDARD"\nmetadata_options = { http_tokens = "required", http_put_response_hop_limit = 1 }',
    ),
    VERSIONS,
  ],
  [
    'imds-hop-limit groupDefault',
    'a group without the launch template that the module would make',
    group('ami_type = "AL2023_x86_64_STANDARD"\ncreate_launch_template = false\nuse_custom_launch_template = false'),
    ['19.21.0', '20.37.2', '21.19.0'],
  ],
  ['cluster-version-support ended', 'a version that has ended', 'name = "main"\nkubernetes_version = "1.24"', VERSIONS],
  [
    'ami-type-kubernetes-version unpatched',
    'AL2',
    group('ami_type = "AL2_x86_64"\ninstance_types = ["m6i.large"]', '1.32'),
    VERSIONS,
  ],
  ['node-group-force-update forced', 'force', group('force_update_version = true'), VERSIONS],
  [
    'node-group-update-config allAtOnce',
    'all at once',
    group('update_config = { max_unavailable_percentage = 100 }'),
    VERSIONS,
  ],
  ['pod-identity-agent no-agent', 'no agent', 'name = "main"\nkubernetes_version = "1.36"', ['20.37.2', '21.19.0']],
  [
    'vpc-cni-resolve-conflicts overwrite',
    'a mode that overwrites, beside values',
    'name = "main"\nkubernetes_version = "1.36"\naddons = { vpc-cni = {\naddon_version = "v1.22.4-eksbuild.3"\nresolve_conflicts_on_update = "OVERWRITE"\nconfiguration_values = jsonencode({ env = { WARM_ENI_TARGET = "1" } })\n} }',
    ['20.37.2', '21.19.0'],
  ],
  [
    'vpc-cni-resolve-conflicts overwrite',
    'one mode for both occasions',
    'name = "main"\nkubernetes_version = "1.36"\naddons = { vpc-cni = {\naddon_version = "v1.22.4-eksbuild.3"\nresolve_conflicts = "OVERWRITE"\nconfiguration_values = jsonencode({ env = { WARM_ENI_TARGET = "1" } })\n} }',
    ['19.21.0'],
  ],
];

describe('an advice for the call of a module, obeyed word by word, works:', () => {
  it.each(
    CALLS.flatMap(([id, name, given, versions]) => versions.map((version) => [id, version, name, given] as const)),
  )('%s in version %s: %s', (id, version, _, given) => {
    const text = call(version, given) + (id.startsWith('pod-identity') ? ASSOCIATION : '');
    const found = checkedHcl(text).findings.filter(({ rule, messageId }) => `${rule} ${messageId ?? ''}` === id);
    expect(found).toHaveLength(1);
    expect(found.map((finding) => [finding.fixCode === undefined, outcomeOf(text, finding)])).toEqual([
      [false, 'works'],
    ]);
  });
});

describe('what the role of a service account lacks stands beside the call that makes the role', () => {
  const role = (label: string, version: string): string =>
    `module "cni" {
  source = "terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts${label}"
  version = "${version}"
  ${version.startsWith('6') ? 'name' : 'role_name'} = "cni"
  attach_vpc_cni_policy = true
  vpc_cni_enable_ipv6 = true
  oidc_providers = {
    main = {
      provider_arn = "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
      namespace_service_accounts = ["kube-system:aws-node"]
    }
  }
}
resource "aws_eks_addon" "cni" {
  cluster_name = aws_eks_cluster.main.name
  addon_name = "vpc-cni"
  addon_version = "v1.22.4-eksbuild.3"
  resolve_conflicts_on_update = "PRESERVE"
  service_account_role_arn = module.cni.${version.startsWith('6') ? 'arn' : 'iam_role_arn'}
}
resource "aws_eks_cluster" "main" {
  name = "main"
  version = "1.36"
  role_arn = "r"
  kubernetes_network_config {
    ip_family = "ipv6"
  }
  vpc_config {
    subnet_ids = ["a"]
  }
}
`;

  it.each([
    ['-eks', '5.30.0', 'module.cni.iam_role_name'],
    ['', '6.0.0', 'module.cni.name'],
  ])('%s %s', (label, version, name) => {
    const text = role(label, version);
    const [finding] = checkedHcl(text).findings.filter(({ rule }) => rule === 'vpc-cni-role-subnet-discovery');
    expect(finding?.fixCode).toContain(`  role = ${name}\n`);
    expect(finding && outcomeOf(text, finding)).toBe('works');
  });
});
