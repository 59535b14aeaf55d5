import { advised, outcomes } from './advised';

/* What a literal reader makes of the advice for a folder, which has more than one file: the same as `npm run advice` tells. */

const CLUSTER = 'resource "aws_eks_cluster" "main" {\n  name = "main"\n  role_arn = "r"\n  version = var.release\n}\n';

const POOL = (name: string, kubelet: string): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${name}
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
${kubelet}`;

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: nodes
  amiSelectorTerms:
    - alias: al2023@v20250920
  subnetSelectorTerms:
    - tags: { a: b }
  securityGroupSelectorTerms:
    - tags: { a: b }
  metadataOptions: { httpTokens: required, httpPutResponseHopLimit: 2 }
`;

const CONFIG = (settings: string): string => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: main
  region: eu-west-1
  version: "1.35"
${settings}`;

describe('an advice that is obeyed', () => {
  it('works in the file of the folder where the value stands', () => {
    const files = { 'main.tf': CLUSTER, 'variables.tf': 'variable "release" {\n  default = "1.29"\n}\n' };
    expect(outcomes(files, 'cluster-version-support')).toEqual(['works']);
  });

  it('leaves the brace of a block of one line where it is', () => {
    const files = { 'main.tf': CLUSTER, 'variables.tf': 'variable "release" { default = "1.29" }\n' };
    expect(outcomes(files, 'cluster-version-support')).toEqual(['works']);
  });

  it('works in the module that a folder calls', () => {
    const files = {
      'main.tf': 'module "eks" {\n  source = "./eks"\n}\n',
      'eks/cluster.tf': CLUSTER,
      'eks/variables.tf': 'variable "release" {\n  default = "1.29"\n}\n',
    };
    expect(outcomes(files, 'cluster-version-support')).toEqual(['works']);
  });

  it('keeps the anchor of a list to which other groups of eksctl refer, and drains the old group', () => {
    const groups = `iam: {withOIDC: true}
managedNodeGroups:
  - name: one
    iam:
      attachPolicyARNs: &policies
        - arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy
        - arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly
        - arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy
  - name: other
    iam: { attachPolicyARNs: *policies }
`;
    expect(outcomes({ 'cluster.yaml': CONFIG(groups) }, 'vpc-cni-role-on-nodes')).toEqual(['works', 'works']);
  });

  it('gives a self-managed group of eksctl its new name, whatever else has the old one', () => {
    const config = CONFIG('nodeGroups:\n  - instanceType: m5.large\n    name: main\n    amiFamily: AmazonLinux2\n');
    expect(outcomes({ 'cluster.yaml': config.replace('1.35', '1.30') }, 'cluster-version-support')).toEqual(['works']);
  });

  it('is words alone where a role of one of several add-ons is to go', () => {
    const files = {
      'main.tf': `${CLUSTER.replace('var.release', '"1.35"')}
resource "aws_eks_addon" "this" {
  for_each                    = toset(["vpc-cni", "eks-pod-identity-agent"])
  cluster_name                = aws_eks_cluster.main.name
  addon_name                  = each.key
  resolve_conflicts_on_update = "PRESERVE"
  service_account_role_arn    = "arn:aws:iam::111122223333:role/one"
}
resource "aws_eks_pod_identity_association" "cni" {
  cluster_name    = aws_eks_cluster.main.name
  namespace       = "kube-system"
  service_account = "aws-node"
  role_arn        = "arn:aws:iam::111122223333:role/two"
}
`,
    };
    expect(outcomes(files, 'pod-identity-and-irsa')).toEqual(['prose']);
  });

  it('trusts tokens with a whole statement where a role trusts none yet', () => {
    const files = {
      'main.tf': `${CLUSTER.replace('var.release', '"1.35"')}
resource "aws_iam_openid_connect_provider" "main" {
  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_iam_role" "app" {
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "eks.amazonaws.com" } }]
  })
}
resource "kubernetes_service_account" "app" {
  metadata {
    name        = "app"
    namespace   = "shop"
    annotations = { "eks.amazonaws.com/role-arn" = aws_iam_role.app.arn }
  }
}
`,
    };
    expect(outcomes(files, 'irsa-subject')).toEqual(['works']);
  });

  it('keeps the instance types that are built on Nitro', () => {
    const files = {
      'main.tf': `${CLUSTER.replace('var.release', '"1.35"')}
resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.main.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.21.1-eksbuild.1"
  resolve_conflicts_on_update = "PRESERVE"
  configuration_values        = jsonencode({ env = { ENABLE_PREFIX_DELEGATION = "true", WARM_PREFIX_TARGET = "1" } })
}
resource "aws_eks_node_group" "main" {
  cluster_name   = aws_eks_cluster.main.name
  node_role_arn  = "r"
  subnet_ids     = ["subnet-1"]
  instance_types = ["m4.large", "m5.large", "m5a.large"]
}
`,
    };
    expect(outcomes(files, 'prefix-delegation-nitro')).toEqual(['works']);
  });

  it('moves the kubelet of a node pool to its class, in another file', () => {
    const kubelet = '      kubelet:\n        maxPods: 20\n        kubeReserved:\n          cpu: 100m\n';
    expect(outcomes({ 'pool.yaml': POOL('main', kubelet), 'class.yaml': CLASS }, 'karpenter-node-pool')).toEqual([
      'works',
    ]);
  });

  it.each([
    [
      'YAML',
      (options: string) => ({ 'class.yaml': CLASS.replace(/metadataOptions:.*/, `metadataOptions: { ${options} }`) }),
    ],
    [
      'a text of YAML in Terraform',
      (options: string) => ({
        'main.tf': `resource "kubectl_manifest" "class" {\n  yaml_body = <<-EOT\n${CLASS.replace(/metadataOptions:.*/, `metadataOptions: { ${options} }`)}EOT\n}\n`,
      }),
    ],
  ])('has the other metadata options of a node class, in %s', (_, files) => {
    const [own, set] = ['httpEndpoint: enabled, httpProtocolIPv6: disabled', 'httpPutResponseHopLimit: 2'];
    const codes = (options: string, rule: string): readonly unknown[] =>
      advised(files(options), rule).map(({ outcome, finding }) => [outcome, finding.fixCode?.split('\n').slice(1)]);
    expect(codes(`${own}, httpTokens: optional, ${set}`, 'imds-v1')).toEqual([
      [
        'works',
        [
          'metadataOptions:',
          '  httpEndpoint: enabled',
          '  httpProtocolIPv6: disabled',
          '  httpTokens: required',
          '  httpPutResponseHopLimit: 2',
        ],
      ],
    ]);
    expect(codes(`${own}, httpPutResponseHopLimit: 100`, 'imds-hop-limit')).toEqual([
      [
        'works',
        [
          'metadataOptions:',
          '  httpEndpoint: enabled',
          '  httpProtocolIPv6: disabled',
          '  httpPutResponseHopLimit: 2',
          '  httpTokens: required',
        ],
      ],
    ]);
  });

  it("goes into the metadata options of a node class where another one of them can't be told", () => {
    const object = `resource "kubernetes_manifest" "class" {
  manifest = {
    apiVersion = "karpenter.k8s.aws/v1"
    kind       = "EC2NodeClass"
    metadata   = { name = "default" }
    spec = {
      role                       = "nodes"
      amiSelectorTerms           = [{ alias = "al2023@v20250920" }]
      subnetSelectorTerms        = [{ tags = { a = "b" } }]
      securityGroupSelectorTerms = [{ tags = { a = "b" } }]
      metadataOptions = {
        httpTokens       = "optional"
        httpProtocolIPv6 = upper(data.aws_ssm_parameter.ipv6.value)
      }
    }
  }
}
`;
    expect(advised({ 'main.tf': object }, 'imds-v1').map(({ outcome, finding }) => [outcome, finding.fixCode])).toEqual(
      [['works', '# in the spec.metadataOptions of the EC2NodeClass:\nhttpTokens = "required"']],
    );
  });

  it.each([
    [
      'moves a field to where v1 has it',
      'disruption: { consolidateAfter: 1m, expireAfter: 24h }',
      'expireAfter: "24h"',
    ],
    ['writes a misspelt field right', 'disruption: { consolidateAfter: 1m, budget: [{ nodes: "1" }] }', 'budgets: '],
    ['takes a field out that no version has', 'provider: { a: b }', 'spec of the NodePool "main", without provider'],
  ])('%s', (_, field, becomes) => {
    const files = { 'pool.yaml': POOL('main', '').replace('spec:\n', `spec:\n  ${field}\n`), 'class.yaml': CLASS };
    const all = advised(files, 'karpenter-node-pool');
    expect(all.map(({ outcome, why }) => [outcome, why])).toEqual([['works', undefined]]);
    expect(all[0]?.finding.fixCode).toContain(becomes);
  });

  it('leaves two pools that disagree about the kubelet of one class to the reader', () => {
    const files = {
      'one.yaml': POOL('one', '      kubelet: { maxPods: 20 }\n'),
      'two.yaml': POOL('two', '      kubelet: { maxPods: 30 }\n'),
      'class.yaml': CLASS,
    };
    expect(outcomes(files, 'karpenter-node-pool')).toEqual(['prose', 'prose']);
  });

  it('goes into the part of an object of Karpenter that the heading names', () => {
    const pool = POOL('main', '').replace('group: karpenter.k8s.aws, ', '');
    expect(outcomes({ 'pool.yaml': pool, 'class.yaml': CLASS }, 'karpenter-node-pool')).toEqual(['works']);
  });

  it.each([
    [
      'names a family beside AMIs that tell none',
      CLASS.replace('alias: al2023@v20250920', 'id: ami-0123456789abcdef0'),
    ],
    ['drops a family that contradicts the alias', CLASS.replace('  role:', '  amiFamily: AL2\n  role:')],
  ])('%s', (_, text) => {
    expect(outcomes({ 'class.yaml': text }, 'karpenter-node-class')).toEqual(['works']);
  });

  it('takes the lines of a setting out that eksctl refuses, and nothing else', () => {
    const groups = (own: string): string =>
      `managedNodeGroups:\n  - name: workers\n    desiredCapacity: 2\n${own}    labels: { team: shop }\n`;
    const block = groups('    securityGroups:\n      withLocal: true\n      attachIDs: [sg-1]\n');
    expect(outcomes({ 'cluster.yaml': CONFIG(block) }, 'eksctl-refuses')).toEqual(['works']);
    const inFlow = groups('    securityGroups: { withLocal: true }\n');
    expect(outcomes({ 'cluster.yaml': CONFIG(inFlow) }, 'eksctl-refuses')).toEqual(['prose']);
  });

  it.each([
    [
      'what a launch template has to say',
      '    launchTemplate: { id: lt-0123456789abcdef0 }\n    placement: { groupName: one }\n',
    ],
    ['one of two that exclude each other', '    instanceType: m5.large\n    instanceTypes: [m5.large]\n'],
  ])('takes lines out of a group: %s', (_, own) => {
    const group = `managedNodeGroups:\n  - name: workers\n    desiredCapacity: 2\n${own}`;
    expect(outcomes({ 'cluster.yaml': CONFIG(group) }, 'eksctl-refuses')).toEqual(['works']);
  });

  it('takes the CNI policy out of the list of a group, and leaves the others there', () => {
    const names = ['AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy', 'AmazonEC2ContainerRegistryPullOnly'];
    const list = names.map((name) => `        - arn:aws:iam::aws:policy/${name}\n`).join('');
    const group = `managedNodeGroups:\n  - name: workers\n    iam:\n      attachPolicyARNs:\n${list}`;
    const files = { 'cluster.yaml': CONFIG(`iam: { withOIDC: true }\n${group}`) };
    expect(outcomes(files, 'vpc-cni-role-on-nodes')).toEqual(['works']);
  });

  it('raises what is pinned beside the version of a cluster, each in its line', () => {
    const files = {
      'main.tf': `${CLUSTER.replace('var.release', '"1.29"')}
resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.main.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.16.2-eksbuild.1"
  resolve_conflicts_on_update = "PRESERVE"
}
resource "aws_eks_addon" "proxy" {
  cluster_name  = aws_eks_cluster.main.name
  addon_name    = "kube-proxy"
  addon_version = var.proxy
}
resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  ami_type      = "AL2023_x86_64_STANDARD"
  version       = "1.29"
}
resource "aws_eks_node_group" "follows" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  ami_type      = "AL2023_x86_64_STANDARD"
  version       = aws_eks_cluster.main.version
}
`,
      'variables.tf': 'variable "proxy" {\n  default = "v1.29.0-eksbuild.1"\n}\n',
    };
    const [advice, ...others] = advised(files, 'cluster-version-support');
    expect([advice?.outcome, others]).toEqual(['works', []]);
    const headings = advice?.finding.fixCode?.replaceAll(/^(?!#).*\n?/gm, '').replaceAll(/\S*\//g, '');
    expect(headings?.trim().split('\n')).toEqual([
      '# main.tf:10, aws_eks_addon.cni:',
      '# variables.tf:2, default of variable proxy:',
      '# main.tf:23, aws_eks_node_group.main:',
    ]);
  });

  it('raises what is pinned beside the version of a cluster of eksctl', () => {
    const pinned = `addons:
  - { name: vpc-cni, version: v1.16.2-eksbuild.1, resolveConflicts: preserve }
  - { name: coredns, version: v1.11.1-eksbuild.4 }
managedNodeGroups:
  - { name: workers, amiFamily: AmazonLinux2023 }
`;
    const files = { 'cluster.yaml': CONFIG(pinned).replace('1.35', '1.29') };
    const [advice] = advised(files, 'cluster-version-support');
    expect(advice?.outcome).toBe('works');
    expect(advice?.finding.fixCode).toMatch(/\n# in the add-on "vpc-cni":\nversion: v1\./);
  });

  it('puts values of a chart behind those that a release has', () => {
    const release = `resource "helm_release" "cni" {
  name      = "aws-vpc-cni"
  namespace = "kube-system"
  chart     = "aws-vpc-cni"
  values = [
    yamlencode({ env = { ENABLE_POD_ENI = "true" }, eniConfig = { region = data.aws_region.current.region } }),
  ]
}
`;
    const files = { 'main.tf': `${CLUSTER.replace('var.release', '"1.35"')}\n${release}` };
    expect(advised(files, 'vpc-cni-tcp-early-demux').map(({ outcome, finding }) => [outcome, finding.fixCode])).toEqual(
      [
        [
          'works',
          `# behind the other values of helm_release.cni, over which Helm merges them:
yamlencode({
  env  = { ENABLE_POD_ENI = "true" }
  init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }
})`,
        ],
      ],
    );
  });

  it('goes to the resource whose value is read from a file', () => {
    const files = {
      'main.tf': `${CLUSTER.replace('var.release', 'local.settings.version')}
locals {
  settings = yamldecode(file("\${path.module}/settings.yaml"))
}
`,
      'settings.yaml': 'version: "1.29"\n',
    };
    expect(outcomes(files, 'cluster-version-support')).toEqual(['works']);
  });
});
