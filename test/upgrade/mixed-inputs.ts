import { controlPlane, type ExpectedTask, type KnownCluster } from './cluster-templates';

/* Inputs with parts of other clusters, parts that nothing makes, and parts that refuse the way. */

/** A cluster in the root module, and whatever stands behind it there. */
function cluster(version: string, ...more: readonly string[]): string {
  return [
    'resource "aws_eks_cluster" "this" {',
    '  name     = "live"',
    `  version  = ${/^\d/.test(version) ? JSON.stringify(version) : version}`,
    '  role_arn = "arn:aws:iam::111122223333:role/cluster"',
    '  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }',
    '}',
    ...more,
    '',
  ].join('\n');
}

const NETWORK = 'module "network" {\n  source = "./modules/network"\n}';
const IN_NETWORK = 'resource "aws_vpc" "this" {\n  cidr_block = "10.0.0.0/16"\n}\n';

/** A module with a cluster and an add-on of its own, which needs a name. */
const OTHER = `variable "name" {}

resource "aws_eks_cluster" "this" {
  name     = var.name
  version  = "1.32"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}

resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.20.4-eksbuild.2"
  resolve_conflicts_on_update = "OVERWRITE"
}
`;

function copies(names: string, level: ExpectedTask['level'] = 'should'): ExpectedTask {
  return {
    step: 'before',
    phase: 'before',
    level,
    says: new RegExp(`^Nothing in the input makes ${names} (?:an add-on|add-ons) of EKS`),
  };
}

const ALL = 'kube-proxy, CoreDNS and the VPC CNI';

function followed(step: string, says = /^Update kube-proxy and CoreDNS, if still no add-ons of EKS\./): ExpectedTask {
  return { step, phase: 'add-ons', level: 'should', says };
}

const MODULE_BESIDE: KnownCluster = {
  title: 'a cluster beside a module with another one, which nothing calls',
  to: '1.35',
  asOf: '2026-11-20',
  files: { 'main.tf': cluster('1.34', NETWORK), 'modules/network/main.tf': IN_NETWORK, 'modules/eks/main.tf': OTHER },
  tasks: [copies(ALL), controlPlane('1.34', '1.35'), followed('1.35')],
  unseen: [/no group of nodes/],
  never: [/OVERWRITE and has/],
};

const TURNED_OFF_ADDON: KnownCluster = {
  title: 'an add-on in a module that count turns off',
  to: '1.35',
  asOf: '2026-11-20',
  files: {
    'main.tf': cluster(
      '1.34',
      'variable "managed" {\n  default = false\n}',
      'module "cni" {\n  count   = var.managed ? 1 : 0\n  source  = "./modules/cni"\n  cluster = aws_eks_cluster.this.name\n}',
    ),
    'modules/cni/main.tf':
      'variable "cluster" {}\n\nresource "aws_eks_addon" "this" {\n  cluster_name                = var.cluster\n  addon_name                  = "vpc-cni"\n  addon_version               = "v1.11.4-eksbuild.1"\n  resolve_conflicts_on_update = "OVERWRITE"\n}\n',
  },
  tasks: [copies(ALL), controlPlane('1.34', '1.35'), followed('1.35')],
  unseen: [/no group of nodes/],
  never: [/OVERWRITE and has/, /v1\.11\.4/],
};

const NODE_POOL = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: { name: default }
---
apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata:
  name: batch
`;

/** Sources: karpenter.sh, "Compatibility"; Kubernetes, "Deprecated API Migration Guide", 1.32. */
const MANIFESTS: KnownCluster = {
  title: 'manifests beside a cluster and a module that nothing calls',
  to: '1.32',
  asOf: '2026-11-20',
  files: { 'main.tf': cluster('1.31'), 'modules/eks/main.tf': OTHER, 'karpenter/pool.yaml': NODE_POOL },
  tasks: [
    copies(ALL),
    {
      step: '1.32',
      phase: 'before',
      level: 'must',
      says: /^FlowSchema "batch" has .*which Kubernetes 1\.32 no longer serves.*"no matches for kind"\.$/,
      at: 'apiVersion: flowcontrol',
    },
    controlPlane('1.31', '1.32'),
    followed('1.32'),
    {
      step: '1.32',
      phase: 'add-ons',
      level: 'must',
      says: /NodePool "default" is of `karpenter\.sh\/v1beta1`.*Kubernetes 1\.32 needs Karpenter/,
    },
  ],
  unseen: [/looked for in the 2 manifests of the input/],
};

/** Source: Kubernetes, "Deprecated API Migration Guide", 1.25. */
const GONE: KnownCluster = {
  title: 'a manifest of an API that the cluster has lost already',
  to: '1.34',
  asOf: '2026-11-20',
  files: {
    'main.tf': cluster('1.33'),
    'manifests/pdb.yaml': 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata:\n  name: web\n',
  },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'must',
      says: /^PodDisruptionBudget "web" has `apiVersion: policy\/v1beta1`, which Kubernetes 1\.25 no longer serves: every deployment of it fails today already, on 1\.33, with "no matches for kind"\.$/,
      does: /^Write `apiVersion: policy\/v1`/,
      at: 'apiVersion: policy',
    },
    copies(ALL),
    controlPlane('1.33', '1.34'),
    followed('1.34'),
  ],
  unseen: [/looked for in the 1 manifest of the input/],
};

const TWO_CLUSTERS: KnownCluster = {
  title: 'manifests beside two clusters',
  to: '1.32',
  asOf: '2026-11-20',
  files: {
    'main.tf': cluster('1.31', cluster('1.31').replace('"this"', '"other"').replace('"live"', '"other"')),
    'manifests/flow.yaml': NODE_POOL.slice(NODE_POOL.indexOf('---\n') + '---\n'.length),
  },
  tasks: [
    // A FlowSchema brings neither of them.
    copies(ALL),
    {
      step: '1.32',
      phase: 'before',
      level: 'should',
      says: /^FlowSchema "batch" has .*The input doesn't tell which cluster it is for\.$/,
    },
    controlPlane('1.31', '1.32'),
    followed('1.32'),
  ],
  unseen: [/looked for in the 1 manifest of the input/],
};

/** EKS supports 1.32 and later on that day. Sources: EKS user guide, "Kubernetes versions", release calendar and automatic upgrades. */
const OLD: KnownCluster = {
  title: 'a cluster that EKS takes through versions without support',
  to: '1.34',
  asOf: '2026-11-26',
  files: {
    'main.tf': cluster(
      '1.28',
      'resource "aws_eks_node_group" "workers" {\n  cluster_name    = aws_eks_cluster.this.name\n  node_group_name = "workers"\n  version         = "1.28"\n  ami_type        = "BOTTLEROCKET_x86_64"\n  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"\n  subnet_ids      = ["subnet-1", "subnet-2"]\n  scaling_config {\n    min_size     = 1\n    max_size     = 2\n    desired_size = 1\n  }\n}',
    ),
  },
  staying: [
    /^Support of Kubernetes 1\.28 ended on 2025-11-26: .* to the oldest version that it supports, which is 1\.32 on 2026-11-26, and neither nodes nor add-ons\.$/,
    /may have a newer one by now/,
  ],
  tasks: [
    copies(ALL),
    {
      step: 'before',
      phase: 'before',
      level: 'note',
      says: /nodes of 1\.28 work with control planes up to 1\.31, and EKS goes on to 1\.32 without asking\.$/,
    },
    controlPlane('1.28', '1.32', {
      says: /^EKS takes the control plane from 1\.28 to 1\.32 by itself: .*AWS doesn't document; this plan asks for none\. There is no way back\.$/,
      does: /when this says 1\.32; once it says 1\.31, you may ask for 1\.32 yourself\..*would ask EKS to go back to 1\.28\.\naws eks describe-cluster --name live --query cluster\.version/,
      at: '"1.28"',
    }),
    followed('1.32'),
    {
      step: '1.32',
      phase: 'nodes',
      level: 'should',
      says: /aws_eks_node_group\.workers" to 1\.32\. .* says 1\.28: write 1\.32/,
    },
    controlPlane('1.32', '1.33'),
    followed('1.33'),
    { step: '1.33', phase: 'nodes', level: 'should', says: /aws_eks_node_group\.workers" to 1\.33/ },
    controlPlane('1.33', '1.34'),
    // CoreDNS has the same default in 1.33 and 1.34.
    followed('1.34', /^Update kube-proxy, if still no add-on of EKS\./),
    { step: '1.34', phase: 'nodes', level: 'should', says: /aws_eks_node_group\.workers" to 1\.34/ },
  ],
  unseen: [/Quotas/],
  // That the nodes lag then is part of the step.
  never: [/may refuse/, /1\.29|1\.30/, /versions behind/],
};

/** Source: Terraform, "Custom Conditions", input variable validation. */
const VALIDATION: KnownCluster = {
  title: 'variables on the way that refuse versions',
  to: '1.36',
  asOf: '2026-11-20',
  files: {
    'main.tf': `variable "kubernetes_version" {
  type = string

  validation {
    condition     = contains(["1.33", "1.34", "1.35"], var.kubernetes_version)
    error_message = "Ask the platform team first."
  }
}

module "eks" {
  source          = "./eks"
  cluster_version = var.kubernetes_version
}
`,
    'terraform.tfvars': 'kubernetes_version = "1.33"\n',
    'eks/main.tf': `variable "cluster_version" {
  type = string

  validation {
    condition     = can(regex("^1\\\\.(3[0-4])$", var.cluster_version))
    error_message = "1.30 to 1.34."
  }

  validation {
    condition     = tonumber(split(".", var.cluster_version)[1]) >= 30
    error_message = "Too old."
  }
}

${cluster('var.cluster_version')}`,
  },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'must',
      says: /^1\.36 is refused by the validation of variable kubernetes_version \("Ask the platform team first\."\)/,
      does: /Let it take that version\./,
      at: 'contains(',
    },
    {
      step: 'before',
      phase: 'before',
      level: 'must',
      says: /^1\.35 and 1\.36 are refused by the validation of variable cluster_version \("1\.30 to 1\.34\."\)/,
      at: 'can(regex(',
    },
    copies(ALL),
    controlPlane('1.33', '1.34', { at: 'kubernetes_version = "1.33"' }),
    followed('1.34'),
    controlPlane('1.34', '1.35'),
    followed('1.35'),
    controlPlane('1.35', '1.36'),
    followed('1.36'),
  ],
  unseen: [/no group of nodes/],
  never: [/Too old/],
};

/** Source: CloudFormation user guide, "Parameters", AllowedValues. */
const ALLOWED: KnownCluster = {
  title: 'a parameter whose allowed values end before the version',
  to: '1.35',
  asOf: '2026-11-20',
  files: {
    'cluster.yaml': `Parameters:
  Version:
    Type: String
    Default: '1.33'
    AllowedValues: ['1.33', '1.34']
Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Version: !Ref Version
      BootstrapSelfManagedAddons: false
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
`,
  },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'must',
      says: /^1\.35 is refused by the allowed values of parameter Version: /,
      at: 'AllowedValues',
    },
    controlPlane('1.33', '1.34'),
    controlPlane('1.34', '1.35'),
  ],
  unseen: [/no group of nodes/],
};

const INSTALLER: KnownCluster = {
  title: 'a cluster with something that may install whatever it likes',
  to: '1.35',
  asOf: '2026-11-20',
  files: {
    'main.tf': cluster(
      '1.34',
      'resource "null_resource" "bootstrap" {\n  provisioner "local-exec" { command = "./bootstrap.sh" }\n}',
    ),
    'apps/root.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: root, namespace: argocd }
spec:
  project: default
  destination: { server: https://kubernetes.default.svc }
  source: { repoURL: https://git.example.com/apps.git, path: apps }
`,
  },
  tasks: [
    {
      ...copies(ALL, 'note'),
      says: /add-ons of EKS, but a provisioner of null_resource\.bootstrap may install something \(and so with 1 more\)\. Unless that brings them, they are the copies/,
    },
    controlPlane('1.34', '1.35'),
    followed('1.35', /^Update kube-proxy and CoreDNS, if still no add-ons of EKS and brought by nothing else\./),
  ],
  unseen: [/no group of nodes/],
};

export const MIXED_INPUTS: readonly KnownCluster[] = [
  MODULE_BESIDE,
  TURNED_OFF_ADDON,
  MANIFESTS,
  GONE,
  TWO_CLUSTERS,
  OLD,
  VALIDATION,
  ALLOWED,
  INSTALLER,
];
