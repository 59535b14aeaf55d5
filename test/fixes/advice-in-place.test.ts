import { runRules, type Finding, type Rule } from '../../lib/engine';
import { EksModel } from '../../lib/eks';
import { expandKnownModule } from '../../lib/front-ends/terraform/known-modules';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import { addonVersion } from '../../lib/rules/addon/addon-version';
import { irsaTrustPolicy } from '../../lib/rules/iam/irsa-trust-policy';
import { imdsHopLimit } from '../../lib/rules/imds/imds-hop-limit';
import { imdsV1 } from '../../lib/rules/imds/imds-v1';
import { launchTemplateNodeGroupConflict } from '../../lib/rules/launch-template/launch-template-node-group-conflict';
import { amiTypeKubernetesVersion } from '../../lib/rules/node-group/ami-type-kubernetes-version';
import { clusterPrivateEndpoints } from '../../lib/rules/node-group/cluster-private-endpoints';
import { configurations } from '../terraform/module/configurations';

/** What configurations of others have that vectors of one resource don't: advice has to fit there, too. */

function found(rule: Rule, text: string | Readonly<Record<string, string>>): readonly Finding[] {
  const { instances, problems } = configurations(text, { knownModule: expandKnownModule });
  expect(problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
  return runRules(new EksModel(readInstances(instances)), [rule]);
}

describe('service accounts that a module takes without the prefix of subjects', () => {
  const PROVIDER =
    'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
  const role = (accounts: string, folder = 'iam-role-for-service-accounts-eks', version = '5.39.0') =>
    [
      'module "controller" {',
      `  source  = "terraform-aws-modules/iam/aws//modules/${folder}"`,
      `  version = "${version}"`,
      '  oidc_providers = {',
      `    main = { provider_arn = "${PROVIDER}", namespace_service_accounts = [${accounts}] }`,
      '  }',
      '}',
    ].join('\n');
  const fixes = (text: string) => found(irsaTrustPolicy, text).map(({ fix }) => fix);

  it.each([
    ['the namespace alone', '"kube-system"', 'kube-system:<service account>'],
    ['the prefix once more', '"system:serviceaccount:kube-system:web"', 'kube-system:web'],
    ['another separator', '"kube-system/web"', 'kube-system:web'],
    ['too many parts', '"a:b:c"', '<namespace>:<service account>'],
  ])('%s', (_, written, right) => {
    expect(fixes(role(written))).toEqual([
      `Write the subject as \`system:serviceaccount:<namespace>:<service account>\`. In \`namespace_service_accounts\` that is \`"${right}"\`: the module adds \`system:serviceaccount:\` itself.`,
    ]);
    expect(fixes(role(`"${right.replace(/<.*?>/g, 'x')}"`))).toEqual([]);
  });

  it.each([
    ['iam-role-for-service-accounts-eks', '5.39.0', 'assume_role_condition_test'],
    ['iam-role-for-service-accounts', '6.2.0', 'trust_condition_test'],
  ])('a pattern needs the argument of %s', (folder, version, argument) => {
    const text = role('"kube-system:lbc-*"', folder, version);
    expect(fixes(text)).toEqual([
      `Name the service account in full, or use \`StringLike\` for a pattern. The module has \`${argument} = "StringLike"\` for that.`,
    ]);
    expect(fixes(text.replace('\n}', `\n  ${argument} = "StringLike"\n}`))).toEqual([]);
  });
});

describe('a node class that Terraform makes a text of', () => {
  const nodeClass = (encode: string, options: string, tag: string) => `
    variable "name" {}
    resource "kubectl_manifest" "nodes" {
      yaml_body = ${encode}({
        apiVersion = "karpenter.k8s.aws/v1"
        kind = "EC2NodeClass"
        metadata = { name = "default" }
        spec = {
          amiSelectorTerms = [{ alias = "al2023@latest" }]
          subnetSelectorTerms = [{ tags = { ${tag} : "shared" } }]
          ${options}
        }
      })
    }`;

  it.each([
    ['jsonencode', 'a'],
    ['yamlencode', 'a'],
    ['jsonencode', '"kubernetes.io/cluster/${var.name}"'],
  ])('is shown in HCL: %s, with tag %s', (encode, tag) => {
    const [first, ...more] = found(
      imdsHopLimit,
      nodeClass(encode, 'metadataOptions = { httpPutResponseHopLimit = 1 }', tag),
    );
    expect(more).toEqual([]);
    const code = first?.fixCode ?? '';
    expect(code).toContain('metadataOptions = {');
    expect(found(imdsHopLimit, nodeClass(encode, code, tag)).length).toBe(0);
  });
});

describe('a route that may be there or not', () => {
  const routed = (forEach: string, content: string) => `
    variable "open" {}
    resource "aws_vpc" "v" { cidr_block = "10.0.0.0/16" }
    resource "aws_vpc_peering_connection" "p" {
      vpc_id      = aws_vpc.v.id
      peer_vpc_id = "vpc-1"
    }
    resource "aws_nat_gateway" "n" { subnet_id = "subnet-9" }
    resource "aws_subnet" "s" { vpc_id = aws_vpc.v.id }
    resource "aws_route_table" "t" {
      vpc_id = aws_vpc.v.id
      dynamic "route" {
        for_each = ${forEach}
        content {
          cidr_block = "0.0.0.0/0"
          ${content}
        }
      }
    }
    resource "aws_route_table_association" "a" {
      subnet_id      = aws_subnet.s.id
      route_table_id = aws_route_table.t.id
    }
    resource "aws_eks_cluster" "c" {
      name     = "main"
      role_arn = "arn:aws:iam::111122223333:role/cluster"
      vpc_config {
        subnet_ids              = [aws_subnet.s.id]
        endpoint_private_access = true
      }
    }
    resource "aws_eks_node_group" "g" {
      cluster_name  = aws_eks_cluster.c.name
      node_role_arn = "arn:aws:iam::111122223333:role/nodes"
      subnet_ids    = [aws_subnet.s.id]
      ami_type      = "AL2023_x86_64_STANDARD"
    }`;
  const NAT = 'nat_gateway_id = aws_nat_gateway.n.id';
  const PEERING = 'vpc_peering_connection_id = aws_vpc_peering_connection.p.id';
  const told = (text: string) =>
    found(clusterPrivateEndpoints, text).map(({ verdict, message }) => `${verdict} ${message}`);

  it.each(['var.open', 'var.open ? [1] : []', 'var.open == "x" ? ["a"] : []'])(
    'is not called a peering connection: %s',
    (forEach) => {
      const [first = '', ...more] = told(routed(forEach, NAT));
      expect(more).toEqual([]);
      expect(first).toMatch(/^unverifiable /);
      expect(first).not.toContain('peering');
      expect(first).toMatch(/in some cases only|isn't known: .*variable open/);
    },
  );

  it('is a way out where it is there, and a connection is called one', () => {
    expect(told(routed('[1]', NAT))).toEqual([]);
    expect(told(routed('[1]', PEERING)).join()).toContain('a peering connection leads to another VPC');
  });
});

describe('an add-on whose version is looked up, of a block that makes several', () => {
  const lookup = (each: string, key: string) => `
      resource "aws_eks_cluster" "main" {
        name    = "main"
        version = "1.33"
      }
      data "aws_eks_addon_version" "newest" {
        ${each}
        addon_name         = ${key}
        kubernetes_version = "1.33"
        most_recent        = true
      }
      resource "aws_eks_addon" "this" {
        ${each}
        cluster_name  = aws_eks_cluster.main.name
        addon_name    = ${key}
        addon_version = data.aws_eks_addon_version.newest${each === '' ? '' : '[each.key]'}.version
      }`;
  const fixes = (text: string | Readonly<Record<string, string>>) =>
    found(addonVersion, text).map(({ fix, fixCode }) => `${fix} | ${fixCode ?? ''}`);

  it('takes no text for all of them, but vpc-cni one of its own', () => {
    const all = fixes(lookup('for_each = toset(["vpc-cni", "coredns"])', 'each.key'));
    expect(all.length).toBe(2);
    for (const fix of all)
      expect(fix).toMatch(/^Give each add-on that this block makes a version of its own, .*for instance `v1\..*\| /);
    const codes = all.map((fix) => fix.slice(fix.lastIndexOf(' | ') + ' | '.length));
    expect(codes.toSorted()).toEqual([
      '',
      expect.stringMatching(/^addon_version = each\.key == "vpc-cni" \? "v1\.[\w.-]+" : data\.aws_eks_addon_version\./),
    ]);
  });

  it('takes none for calls of a module whose clusters have different versions', () => {
    const calls = (...versions: readonly string[]) => ({
      'main.tf': versions
        .map((version, index) => `module "m${index}" {\n  source  = "./addon"\n  cluster = "${version}"\n}\n`)
        .join(''),
      'addon/main.tf': `variable "cluster" {}\n${lookup('', '"vpc-cni"').replaceAll('"1.33"', 'var.cluster')}`,
    });
    const begins = (...versions: readonly string[]) => fixes(calls(...versions)).map((fix) => fix.slice(0, 16));
    expect(begins('1.33', '1.34')).toEqual(['Give each add-on', 'Give each add-on']);
    expect(begins('1.33', '1.33')).toEqual(['Write a version ', 'Write a version ']);
    expect(begins('1.33')).toEqual(['Write a version ']);
  });

  it('has the text where it is the only one', () => {
    expect(fixes(lookup('', '"vpc-cni"'))).toEqual([
      expect.stringMatching(/^Write a version in the place of the data source.* \| addon_version = "v1\./),
    ]);
  });
});

describe('a group of terraform-aws-modules/eks with Amazon Linux 2', () => {
  const group = (version: string, more = '') => `
    module "eks" {
      source          = "terraform-aws-modules/eks/aws"
      version         = "${version}"
      cluster_name    = "main"
      cluster_version = "1.32"
      eks_managed_node_groups = {
        workers = {
          ami_type = "AL2_x86_64"
          ${more}
        }
      }
    }`;
  const fixOf = (text: string) =>
    found(amiTypeKubernetesVersion, text)
      .map(({ fix }) => fix)
      .join();

  it('needs one line where the module sets the hop limit and makes the new group first', () => {
    expect(fixOf(group('20.31.0'))).toContain('so that this line is enough');
    expect(found(imdsHopLimit, group('20.31.0').replace('AL2_x86_64', 'AL2023_x86_64_STANDARD'))).toEqual([]);
  });

  it.each([
    'use_name_prefix = false',
    'use_custom_launch_template = false',
    'metadata_options = { http_put_response_hop_limit = 1 }',
  ])('needs more with %s', (more) => {
    expect(fixOf(group('20.31.0', more))).toContain('so add a new one');
  });
});

describe('a group whose call of a module names no launch template, and has the module make none', () => {
  const group = (more = '') => `
    module "eks" {
      source          = "terraform-aws-modules/eks/aws"
      version         = "20.31.0"
      cluster_name    = "main"
      cluster_version = "1.32"
      eks_managed_node_groups = {
        workers = {
          create_launch_template = false
          launch_template_name   = ""
          remote_access          = { ec2_ssh_key = "admin" }
          ${more}
        }
      }
    }`;

  it('is told of the switch of the module, with which the finding is gone', () => {
    const [finding] = found(launchTemplateNodeGroupConflict, group());
    expect(finding?.message).toContain('a launch template that nothing names');
    expect(finding?.message).not.toContain('another input');
    expect(finding?.fixCode).toContain('\nuse_custom_launch_template = false');
    expect(finding?.fix).toContain('`use_custom_launch_template = false`');
    expect(finding?.related).toEqual([]);
    expect(found(launchTemplateNodeGroupConflict, group(finding?.fixCode))).toEqual([]);
  });

  it('is unverifiable where the switch is not known: with `false` nothing stands beside the settings', () => {
    const open = `variable "custom" {}\n${group('use_custom_launch_template = var.custom')}`;
    expect(new Set(found(launchTemplateNodeGroupConflict, open).map(({ verdict }) => verdict))).toEqual(
      new Set(['unverifiable']),
    );
  });
});

describe('two fixes that declare the same launch template', () => {
  const group = `
    resource "aws_eks_cluster" "main" {
      name    = "main"
      version = "1.32"
    }
    resource "aws_eks_node_group" "workers" {
      cluster_name = aws_eks_cluster.main.name
      ami_type     = "AL2_x86_64"
    }`;
  const codes = (rules: readonly Rule[]) => {
    const { instances } = configurations(group, {});
    return runRules(new EksModel(readInstances(instances)), rules).filter(({ verdict }) => verdict === 'fail');
  };

  it('are one code and a word that names it, whichever comes first', () => {
    for (const rules of [
      [amiTypeKubernetesVersion, imdsV1],
      [imdsV1, amiTypeKubernetesVersion],
    ]) {
      const all = codes(rules);
      expect(
        all.filter(({ fixCode }) => fixCode?.startsWith('resource "aws_launch_template"')).map(({ rule }) => rule),
      ).toEqual(['ami-type-kubernetes-version']);
      expect(all.find(({ rule }) => rule === 'imds-v1')?.fix).toMatch(
        / The code of ami-type-kubernetes-version for it does this, too\.$/,
      );
    }
  });

  it('each has its own where the other is not asked', () => {
    expect(codes([imdsV1])[0]?.fixCode).toContain('resource "aws_launch_template" "nodes" {');
  });
});
