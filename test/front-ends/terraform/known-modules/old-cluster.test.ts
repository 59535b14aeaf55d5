import { EksModel } from '../../../../lib/eks';
import { runRules } from '../../../../lib/engine';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { amiTypeKubernetesVersion } from '../../../../lib/rules/node-group/ami-type-kubernetes-version';
import { clusterNetworkAddons } from '../../../../lib/rules/addon/cluster-network-addons';
import { clusterVersionSupport } from '../../../../lib/rules/node-group/cluster-version-support';
import { imdsHopLimit } from '../../../../lib/rules/imds/imds-hop-limit';
import { irsaOidcProvider } from '../../../../lib/rules/iam/irsa-oidc-provider';
import { irsaTrustPolicy } from '../../../../lib/rules/iam/irsa-trust-policy';
import { podIdentityAgent } from '../../../../lib/rules/iam/pod-identity-agent';
import { windowsNodePrerequisites } from '../../../../lib/rules/node-bootstrap/windows-node-prerequisites';
import { AS_OF } from '../../../as-of';
import { configurations } from '../../../terraform/module/configurations';

const eks = (version = '17.24.0', more = 'cluster_version = "1.23"') => `
module "eks" {
  source       = "terraform-aws-modules/eks/aws"
  version      = "${version}"
  cluster_name = "a"
  subnets      = ["subnet-1", "subnet-2"]
  vpc_id       = "vpc-1"
  ${more}
}
`;
const group = (cluster = '"a"') => `
resource "aws_eks_node_group" "main" {
  cluster_name  = ${cluster}
  node_role_arn = "arn:aws:iam::111122223333:role/n"
  subnet_ids    = ["subnet-1"]
}
`;

const RULES = [amiTypeKubernetesVersion, clusterVersionSupport, clusterNetworkAddons, imdsHopLimit, podIdentityAgent];

function read(files: string | Readonly<Record<string, string>>, rules: Parameters<typeof runRules>[1] = RULES) {
  const { instances, problems } = configurations(files, { knownModule: expandKnownModule });
  const findings = runRules(new EksModel(readInstances(instances)), rules, { asOf: AS_OF });
  return {
    problems,
    said: findings.map(({ rule, verdict }) => `${rule} ${verdict}`),
    messages: findings.map(({ message }) => message).join('\n'),
    addresses: instances.map(({ address }) => address),
  };
}

describe('the cluster of terraform-aws-modules/eks before version 18', () => {
  it('is known by name and version, and its groups are told not to be read', () => {
    const { said, messages, problems, addresses } = read(eks() + group());
    expect(addresses).toContain('module.eks.aws_eks_cluster.this[0]');
    expect(messages).not.toContain('AL2023 (the default of EKS)');
    expect(said).toEqual([
      'ami-type-kubernetes-version fail',
      'cluster-version-support fail',
      'imds-hop-limit unverifiable',
    ]);
    expect(problems).toEqual([
      "warning main.tf:2:1 of module.eks only the name and the version of the cluster are known, its node groups and the rest aren't checked: terraform-aws-modules/eks/aws 17 isn't here, and is older than the versions that are read",
    ]);
  });

  it.each(['module.eks.cluster_id', 'data.aws_eks_cluster.main.name'])('is found by %s', (name) => {
    const data = 'data "aws_eks_cluster" "main" {\n  name = module.eks.cluster_id\n}\n';
    expect(read(eks() + data + group(name)).messages).not.toContain('AL2023 (the default of EKS)');
  });

  it.each(['12.0.0', '~> 15.0', '< 18', '17.0.0'])('is that of version %s, too', (version) => {
    expect(read(eks(version)).said).toEqual(['cluster-version-support fail']);
  });

  it('has a default version in 12 only', () => {
    expect(read(eks('12.2.0', '')).messages).toContain('1.16');
    expect(read(eks('17.24.0', '')).messages).not.toContain('1.16');
  });

  it('gives out its identity provider, which only some of its calls make', () => {
    const role = (condition: string) =>
      `resource "aws_iam_role" "app" {\n  name = "app"\n  assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = module.eks.oidc_provider_arn }${condition} }] })\n}\noutput "role" {\n  value = aws_iam_role.app.arn\n}\n`;
    const exact =
      ', Condition = { StringEquals = { "${replace(module.eks.cluster_oidc_issuer_url, "https://", "")}:sub" = "system:serviceaccount:a:b" } }';
    const saidOf = (condition: string, more: string) =>
      read(eks('17.24.0', `cluster_version = "1.23"\n${more}`) + role(condition), [irsaTrustPolicy]).said;
    expect(saidOf(exact, 'enable_irsa = true')).toEqual([]);
    expect(saidOf('', 'enable_irsa = true')).toEqual(['irsa-trust-policy fail']);
    expect(saidOf('', '')).toEqual(['irsa-trust-policy unverifiable']);
    expect(saidOf(exact, 'enable_irsa = true\nopenid_connect_audiences = ["vault"]')).toEqual([
      'irsa-trust-policy fail',
    ]);
  });

  it.each<[version: string, region: string, said: readonly string[]]>([
    ['12.2.0', 'cn-north-1', []],
    ['13.0.0', 'eu-west-1', []],
    ['13.0.0', 'cn-north-1', ['irsa-oidc-provider fail']],
  ])('gives its provider of %s in %s the audience that this version writes', (version, region, said) => {
    const inRegion = `provider "aws" {\n  region = "${region}"\n}\n`;
    const user = `resource "aws_iam_role" "app" {\n  assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRoleWithWebIdentity", Principal = { Federated = module.eks.oidc_provider_arn }, Condition = { StringEquals = { "\${replace(module.eks.cluster_oidc_issuer_url, "https://", "")}:sub" = "system:serviceaccount:a:b" } } }] })\n}\n`;
    expect(read(inRegion + eks(version, 'enable_irsa = true') + user, [irsaOidcProvider]).said).toEqual(said);
  });

  it('is none with create_eks = false', () => {
    expect(read(eks('17.24.0', 'create_eks = false')).addresses).toEqual([]);
  });

  it('may be old where files of values say so', () => {
    const files = {
      'main.tf': `variable "v" {}\n${eks('17.24.0', 'cluster_version = var.v')}${group()}`,
      'envs/dev.tfvars': 'v = "1.22"\n',
    };
    expect(read(files).messages).not.toContain('AL2023 (the default of EKS)');
  });

  it('is read as a whole where the module is installed', () => {
    const { addresses, problems } = read({
      'main.tf': eks(),
      '.terraform/modules/modules.json': JSON.stringify({
        Modules: [
          {
            Key: 'eks',
            Source: 'registry.terraform.io/terraform-aws-modules/eks/aws',
            Version: '17.24.0',
            Dir: '.terraform/modules/eks',
          },
        ],
      }),
      '.terraform/modules/eks/main.tf':
        'variable "cluster_name" {}\nvariable "subnets" {}\nvariable "vpc_id" {}\nvariable "cluster_version" {}\nresource "aws_eks_cluster" "own" {\n  name = var.cluster_name\n}\n',
    });
    expect(addresses).toContain('module.eks.aws_eks_cluster.own');
    expect(addresses).not.toContain('module.eks.aws_eks_cluster.this[0]');
    expect(problems.filter((problem) => problem.includes('module.eks'))).toEqual([]);
  });
});

describe('the version that the call of a cluster module names which is not here', () => {
  const own = (version: string) =>
    `module "own" {\n  source = "example/eks/aws"\n  name = "a"\n  kubernetes_version = ${version}\n}\n${group('module.own.cluster_name')}`;

  it('keeps a group from being taken for AL2023 where it is below 1.30', () => {
    expect(read(own('"1.24"')).messages).toContain(
      "the default of EKS depends on the Kubernetes version, and argument kubernetes_version of module.own, which wasn't read, says 1.24",
    );
    expect(read({ 'main.tf': `variable "v" {}\n${own('var.v')}`, 'dev.tfvars': 'v = "1.22"\n' }).messages).toContain(
      "dev.tfvars, which wasn't read, says 1.22",
    );
  });

  it('leaves it at that from 1.30 on, and where none is named', () => {
    for (const version of ['"1.33"', 'null', 'local.nothing'])
      expect(read(own(version)).said).toContain('imds-hop-limit fail');
  });
});

it('may have Linux nodes among the groups that are not read', () => {
  const windows = group().replace('subnet_ids', 'ami_type = "WINDOWS_CORE_2022_x86_64"\n  subnet_ids');
  const workers = 'cluster_version = "1.23"\n  worker_groups = [{ name = "linux", platform = "linux" }]';
  const { said } = read(eks('17.20.0', workers) + windows, [windowsNodePrerequisites]);
  expect(new Set(said)).toEqual(new Set(['windows-node-prerequisites unverifiable']));
  const own = 'resource "aws_eks_cluster" "a" {\n  name = "a"\n}\n';
  expect(read(own + windows, [windowsNodePrerequisites]).said).toContain('windows-node-prerequisites fail');
});
