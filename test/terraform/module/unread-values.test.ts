import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { expandKnownModule } from '../../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { amiTypeKubernetesVersion } from '../../../lib/rules/node-group/ami-type-kubernetes-version';
import { podIdentityAgent } from '../../../lib/rules/iam/pod-identity-agent';
import { clusterVersionSupport } from '../../../lib/rules/node-group/cluster-version-support';
import { imdsHopLimit } from '../../../lib/rules/imds/imds-hop-limit';
import { AS_OF } from '../../as-of';
import { configurations } from './configurations';

const GROUP = `
resource "aws_eks_cluster" "main" {
  name    = "main"
  version = var.cluster_version
}
resource "aws_eks_node_group" "main" {
  cluster_name   = aws_eks_cluster.main.name
  instance_types = ["m5.large"]
}
`;
const MAIN = `variable "cluster_version" {}\n${GROUP}`;
const OLD = 'cluster_version = "1.24"\n';
const NEW = 'cluster_version = "1.33"\n';

function findings(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof configurations>[1] = {},
): string[] {
  const { instances } = configurations(files, { knownModule: expandKnownModule, ...options });
  return runRules(new EksModel(readInstances(instances)), [amiTypeKubernetesVersion, imdsHopLimit], {}).map(
    ({ verdict, rule, message }) =>
      verdict === 'fail' ? `${rule} fails` : message.replace(/^Can't tell whether aws_eks_node_group\S* follows /, ''),
  );
}

/** What is said about the system that EKS takes: "a file says a version", or nothing if the group is judged as one with AL2023. */
function doubts(
  files: Readonly<Record<string, string>>,
  options?: Parameters<typeof configurations>[1],
): readonly string[] {
  return findings(files, options).flatMap((finding) => {
    const said = /(?<file>\S+), which wasn't read, (?<what>says \S+)\.$/.exec(finding)?.groups;
    if (said !== undefined) return `${said['file'] ?? ''} ${said['what'] ?? ''}`;
    return finding === 'imds-hop-limit fails' ? [] : finding;
  });
}

describe('a Kubernetes version below 1.30 in a file of values that Terraform does not read by itself', () => {
  it('leaves open which system EKS takes, and whether it is patched', () => {
    expect(findings({ 'main.tf': MAIN, 'envs/prod.tfvars': OLD })).toEqual([
      "ami-type-kubernetes-version: it names no AMI type, and whether EKS takes Amazon Linux 2 isn't known: the default of EKS depends on the Kubernetes version, and envs/prod.tfvars, which wasn't read, says 1.24.",
      "imds-hop-limit: the hop limit depends on the operating system: the default of EKS depends on the Kubernetes version, and envs/prod.tfvars, which wasn't read, says 1.24.",
    ]);
  });

  const twice = (said: string) => [said, said];

  it.each<[string, Record<string, string>, string]>([
    ['JSON', { 'config/dev.tfvars.json': '{"cluster_version": "1.20"}' }, 'config/dev.tfvars.json says 1.20'],
    ['an example', { 'terraform.tfvars.example': OLD }, 'terraform.tfvars.example says 1.24'],
    [
      'an example in JSON',
      { 'terraform.tfvars.json.dist': '{"cluster_version": "1.20"}' },
      'terraform.tfvars.json.dist says 1.20',
    ],
    [
      'a unit of Terragrunt',
      {
        'terragrunt.hcl':
          'include {\n  path = find_in_parent_folders()\n}\ninputs = {\n  name            = local.name\n  cluster_version = "1.19"\n}\n',
      },
      'terragrunt.hcl says 1.19',
    ],
    [
      'one of several files',
      { 'dev.tfvars': NEW, 'prod.tfvars': OLD, 'test.tfvars': 'other = 1' },
      'prod.tfvars says 1.24',
    ],
    [
      'a folder of an environment that only names its backend',
      { 'envs/prod/backend.tf': 'terraform {\n  backend "s3" {}\n}\n', 'envs/prod/prod.tfvars': OLD },
      'envs/prod/prod.tfvars says 1.24',
    ],
  ])('counts in %s', (_, files, said) => {
    expect(doubts({ 'main.tf': MAIN, ...files })).toEqual(twice(said));
  });

  it('counts beside the folder of the root module, where it is for no other', () => {
    const roots = { 'stacks/eks/main.tf': MAIN, 'stacks/vpc/main.tf': 'variable "cidr" {}\n' };
    expect(doubts({ ...roots, 'envs/prod.tfvars': `${OLD}cidr = "10.0.0.0/16"\n` })).toEqual(
      twice('envs/prod.tfvars says 1.24'),
    );
    expect(doubts({ ...roots, 'live/prod/eks/terragrunt.hcl': 'inputs = {\n  cluster_version = "1.19"\n}\n' })).toEqual(
      twice('live/prod/eks/terragrunt.hcl says 1.19'),
    );
    expect(doubts({ ...roots, 'other/main.tf': 'variable "cluster_version" {}\n', 'other/prod.tfvars': OLD })).toEqual(
      [],
    );
  });

  it('counts through locals, objects, modules and references', () => {
    const version = (value: string, declared = 'variable "cluster_version" {}\n') => ({
      'main.tf': declared + GROUP.replace('var.cluster_version', value),
      'prod.tfvars': OLD,
    });
    expect(
      doubts(
        version(
          'local.v',
          'variable "cluster_version" {\n  type = string\n}\nlocals {\n  v = "${var.cluster_version}"\n}\n',
        ),
      ),
    ).toEqual(twice('prod.tfvars says 1.24'));
    expect(
      doubts({
        ...version('var.cluster.version', 'variable "cluster" {}\n'),
        'prod.tfvars': 'cluster = {\n  name    = "main"\n  version = "1.24"\n}\n',
      }),
    ).toEqual(twice('prod.tfvars says 1.24'));
    expect(
      doubts({
        'main.tf': 'variable "v" {}\nmodule "m" {\n  source          = "./m"\n  cluster_version = var.v\n}\n',
        'm/main.tf': MAIN,
        'prod.tfvars': 'v = "1.24"',
      }),
    ).toEqual(twice('prod.tfvars says 1.24'));
    const ofGroup = MAIN.replace('instance_types', 'version = aws_eks_cluster.main.version\n  instance_types');
    expect(doubts({ 'main.tf': ofGroup, 'prod.tfvars': OLD })).toEqual(twice('prod.tfvars says 1.24'));
    const known = `variable "v" {}
module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "20.0.0"
  cluster_name    = "main"
  cluster_version = var.v
  eks_managed_node_groups = {
    one = {
      use_custom_launch_template = false
    }
  }
}
`;
    expect(doubts({ 'main.tf': known, 'prod.tfvars': 'v = "1.24"' })).toEqual(twice('prod.tfvars says 1.24'));
  });

  it('counts for the own version of a group, too', () => {
    const group = MAIN.replace('instance_types', 'version = var.cluster_version\n  instance_types').replace(
      'version = var.cluster_version',
      'version = "1.31"',
    );
    expect(doubts({ 'main.tf': group, 'prod.tfvars': OLD })).toEqual(twice('prod.tfvars says 1.24'));
  });
});

describe('the system that EKS takes stays known', () => {
  it.each<[string, Record<string, string>]>([
    ['all files name later versions', { 'dev.tfvars': NEW, 'prod.tfvars': 'cluster_version = "1.30"\n' }],
    [
      'no file names one',
      {
        'dev.tfvars': 'other = 1\n',
        'prod.tfvars': 'cluster_version = var.x\n',
        'bad.tfvars': '}',
        'template.tfvars.tmpl': 'cluster_version = "{{ version }}"\n',
      },
    ],
    ['the variable has a value', { 'terraform.tfvars': NEW, 'prod.tfvars': OLD }],
    ["the file is the editor's", { '.#prod.tfvars': OLD }],
    ['the file is encrypted', { 'prod.tfvars': `${OLD}secret = "ENC[AES256_GCM,data:x]"\n` }],
  ])('where %s', (_, files) => {
    expect(doubts({ 'main.tf': MAIN, ...files })).toEqual([]);
  });

  it('where the variable has a default, the user names files, or the AMI type is written', () => {
    expect(doubts({ 'main.tf': MAIN.replace('{}', '{\n  default = "1.33"\n}'), 'prod.tfvars': OLD })).toEqual([]);
    expect(doubts({ 'main.tf': MAIN, 'prod.tfvars': OLD }, { variableFiles: { 'other.tfvars': 'x = 1' } })).toEqual([]);
    expect(
      doubts({
        'main.tf': MAIN.replace('instance_types', 'ami_type = "AL2023_x86_64_STANDARD"\n  instance_types'),
        'prod.tfvars': OLD,
      }),
    ).toEqual([]);
  });
});

describe('the default of a variable, in a root module that cannot be applied without files that give values to others', () => {
  const REQUIRED = 'variable "environment" {}\n';
  const WITH_DEFAULT = `variable "cluster_version" {\n  default = "1.31"\n}\n${GROUP}`;
  const PROD = `environment = "prod"\n${NEW}`;

  /** What is said of the version of the cluster. */
  function ofVersion(
    files: Readonly<Record<string, string>>,
    options: Parameters<typeof configurations>[1] = {},
  ): string[] {
    const { instances } = configurations(files, { knownModule: expandKnownModule, ...options });
    return runRules(new EksModel(readInstances(instances)), [clusterVersionSupport], { asOf: AS_OF }).map(
      ({ message }) =>
        message.replace(
          /^.* (?:follows cluster-version-support: its Kubernetes version isn't known: |has Kubernetes )/,
          '',
        ),
    );
  }
  const said = (files: Readonly<Record<string, string>>, options?: Parameters<typeof configurations>[1]) =>
    ofVersion(files, options).map((text) => text.slice(0, 4));

  it('is not taken where such a file sets it', () => {
    expect(ofVersion({ 'main.tf': REQUIRED + WITH_DEFAULT, 'hom.tfvars': PROD, 'prod.tfvars': PROD })).toEqual([
      'variable cluster_version is set by hom.tfvars, prod.tfvars, and Terraform needs such files (--var-file), since variable environment has no other value.',
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['a file sets it that sets no required one', { 'common.tfvars': 'environment = "prod"\n', 'version.tfvars': NEW }],
    [
      'a file beside the folder of the module does',
      { 'terraform/main.tf': REQUIRED + WITH_DEFAULT, 'envs/prod.tfvars': PROD, 'main.tf': '' },
    ],
    [
      'a unit of Terragrunt does',
      { 'terragrunt.hcl': `inputs = {\n  environment = "prod"\n  cluster_version = "1.33"\n}\n` },
    ],
    [
      'a local value stands for it',
      {
        'main.tf': `${REQUIRED}locals {\n  v = "\${var.cluster_version}"\n}\n${WITH_DEFAULT.replace('version = var.cluster_version', 'version = local.v')}`,
        'prod.tfvars': PROD,
      },
    ],
  ])('nor where %s', (_, files) => {
    const all = { 'main.tf': REQUIRED + WITH_DEFAULT, ...files };
    expect(said(Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '')))).toEqual(['vari']);
  });

  it.each<[string, Record<string, string>]>([
    ['no file sets it', { 'prod.tfvars': 'environment = "prod"\n' }],
    ['the files set no required variable', { 'prod.tfvars': NEW }],
    ['only an example sets it', { 'prod.tfvars.example': PROD }],
    ['the required ones have values', { 'terraform.tfvars': 'environment = "prod"\n', 'prod.tfvars': PROD }],
  ])('is taken where %s', (_, files) => {
    expect(said({ 'main.tf': REQUIRED + WITH_DEFAULT, ...files })).toEqual(['1.31']);
  });

  it('is taken where the user names files that give values to those', () => {
    expect(
      said(
        { 'main.tf': REQUIRED + WITH_DEFAULT, 'prod.tfvars': PROD },
        { variableFiles: { 'all.tfvars': 'environment = "prod"\n' } },
      ),
    ).toEqual(['1.31']);
  });
});

describe('values of several variables that no file gives together', () => {
  const main = (agent = 'var.agent', association = 'var.flow', declared = '') => `
variable "cluster" {}
variable "agent" {
  default = false
}
variable "flow" {
  default = false
}
${declared}
module "eks" {
  source             = "terraform-aws-modules/eks/aws"
  version            = "21.0.0"
  name               = "main"
  kubernetes_version = var.cluster
  addons = merge(
    { coredns = {} },
    ${agent} ? { eks-pod-identity-agent = {} } : {},
    ${association} ? {
      aws-network-flow-monitoring-agent = {
        pod_identity_association = [{ role_arn = "arn:aws:iam::111122223333:role/r", service_account = "s" }]
      }
    } : {},
  )
}
`;
  const values = (agent: boolean, flow: boolean) => `cluster = "1.33"\nagent = ${agent}\nflow = ${flow}\n`;

  function verdicts(files: Readonly<Record<string, string>>): string[] {
    const { instances } = configurations(files, { knownModule: expandKnownModule });
    return runRules(new EksModel(readInstances(instances)), [podIdentityAgent], {}).map(
      ({ verdict, message }) =>
        `${verdict}: ${/(?:it doesn't|This happens) when (?<when>.*)\./.exec(message)?.groups?.['when'] ?? message}`,
    );
  }
  const UNLIKELY = [
    'unverifiable: var.agent is false and var.flow is true, and neither a file of values in sight nor the defaults say all of that',
  ];
  const FAILS = ['fail: var.agent is false and var.flow is true'];

  it.each<[string, Record<string, string>]>([
    ['all set both', { 'main.tf': main(), 'dev.tfvars': values(true, true), 'envs/prod.tfvars': values(true, true) }],
    ['a unit of Terragrunt sets both', { 'main.tf': main(), 'terragrunt.hcl': `inputs = {\n${values(true, true)}}\n` }],
    [
      'each sets both alike',
      { 'main.tf': main(), 'dev.tfvars': values(true, true), 'prod.tfvars': values(false, false) },
    ],
    [
      'two that may be given together set one each',
      { 'main.tf': main(), 'a.tfvars': 'agent = true\ncluster = "1.33"\n', 'b.tfvars': 'flow = true\n' },
    ],
    [
      'the module gets them from another one',
      {
        'main.tf': `variable "cluster" {}\nvariable "agent" {}\nvariable "flow" {}\nmodule "m" {\n  source = "./m"\n  cluster = var.cluster\n  agent = var.agent\n  flow = var.flow\n}\n`,
        'm/main.tf': main(),
        'prod.tfvars': values(true, true),
      },
    ],
    [
      'they are compared with texts',
      {
        'main.tf': main('var.agent == "true"', 'var.flow == "yes"'),
        'prod.tfvars': 'cluster = "1.33"\nagent = true\nflow = "yes"\n',
      },
    ],
  ])('are not failed where %s', (_, files) => {
    expect(verdicts(files).map((one) => one.slice(0, 12))).toEqual(['unverifiable']);
  });

  it('are named', () => {
    expect(verdicts({ 'main.tf': main(), 'prod.tfvars': values(true, true) })).toEqual(UNLIKELY);
  });

  it.each(['lower(var.agent) == "yes"', '"${var.agent}-x" == "yes-x"', 'var.agent < 5'])(
    'are not failed where %s is not worked out for each file',
    (test) => {
      const files = {
        'main.tf': main(test),
        'prod.tfvars': 'cluster = "1.33"\nagent = "yes"\nflow = true\n',
      };
      expect(verdicts(files).map((one) => one.slice(0, 12))).toEqual(['unverifiable']);
    },
  );

  it('are not failed where attributes of one variable are meant', () => {
    const objects = main(
      'var.on.agent',
      'var.on.flow',
      'variable "on" {\n  default = { agent = false, flow = false }\n}\n',
    );
    const file = (agent: boolean) => `cluster = "1.33"\non = { agent = ${agent}, flow = true }\n`;
    expect(verdicts({ 'main.tf': objects, 'prod.tfvars': file(true) }).map((one) => one.slice(0, 12))).toEqual([
      'unverifiable',
    ]);
    expect(verdicts({ 'main.tf': objects, 'prod.tfvars': file(true), 'dev.tfvars': file(false) })).toEqual([
      'fail: var.on.agent is false and var.on.flow is true',
    ]);
  });

  it('are not failed for a resource that exists only with the other one', () => {
    const group = (count: string) => `
variable "cluster" {}
variable "small" {
  default = false
}
variable "more" {
  default = false
}
resource "aws_eks_node_group" "main" {
  count        = ${count}
  cluster_name = var.cluster
  ami_type     = var.small ? "AL2023_x86_64_STANDARD" : "CUSTOM"
}
`;
    const file = 'cluster = "main"\nsmall = true\nmore = false\n';
    expect(findings({ 'main.tf': group('var.more ? 1 : 0'), 'prod.tfvars': file })).toContainEqual(
      expect.stringContaining("it doesn't when var.more is true and var.small is true"),
    );
    expect(findings({ 'main.tf': group('1'), 'prod.tfvars': file })).toContain('imds-hop-limit fails');
  });

  it.each<[string, Record<string, string>]>([
    ['a file gives them', { 'dev.tfvars': values(true, true), 'prod.tfvars': values(false, true) }],
    [
      'a file gives the one and the default is the other',
      { 'prod.tfvars': 'cluster = "1.33"\nflow = true\n', 'dev.tfvars': values(true, true) },
    ],
    ['nothing tells', {}],
  ])('are failed where %s', (_, files) => {
    const needed = Object.keys(files).length === 0 ? main().replaceAll('default = false', '') : main();
    expect(verdicts({ 'main.tf': needed, ...files })).toEqual(FAILS);
  });
});
