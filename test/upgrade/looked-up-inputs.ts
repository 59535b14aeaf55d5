import { controlPlane, selfManagedIn, type KnownCluster } from './cluster-templates';

/** Clusters whose AMIs and add-ons are looked up by their version, or by AWS. */

const ROOT = `variable "eks_version" {
  default = "1.31"
}

module "eks" {
  source      = "./modules/eks"
  eks_version = var.eks_version
}

resource "kubernetes_deployment" "app" {
  metadata { name = "app" }
  spec {
    template {
      spec {
        container {
          name  = "app"
          image = "nginx:1.27"
        }
      }
    }
  }
}

resource "helm_release" "argocd" {
  name       = "argocd"
  repository = "https://argoproj.github.io/argo-helm"
  chart      = "argo-cd"
}
`;

const MODULE = `variable "eks_version" {}

resource "aws_eks_cluster" "this" {
  name     = "main"
  version  = var.eks_version
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
  upgrade_policy { support_type = "STANDARD" }
}

data "aws_ami" "eks_node" {
  owners      = ["amazon"]
  most_recent = true
  filter {
    name   = "name"
    values = [format("amazon-eks-node-%s-*", var.eks_version)]
  }
}

resource "aws_launch_template" "nodes" {
  image_id = data.aws_ami.eks_node.image_id
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(templatefile("\${path.module}/user_data.tpl", {
    endpoint = aws_eks_cluster.this.endpoint
    ca       = aws_eks_cluster.this.certificate_authority[0].data
    dns      = cidrhost(aws_eks_cluster.this.kubernetes_network_config[0].service_ipv4_cidr, 10)
  }))
}

resource "aws_eks_node_group" "workers" {
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = "workers"
  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids      = ["subnet-1"]
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
  scaling_config {
    min_size     = 1
    max_size     = 2
    desired_size = 1
  }
}

resource "aws_eks_addon" "cni" {
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = "vpc-cni"
  addon_version               = "v1.19.0-eksbuild.1"
  resolve_conflicts_on_update = "OVERWRITE"
}
`;

const STANDARD: KnownCluster = {
  title: 'a module whose AMI is looked up by the version of a cluster with support type STANDARD',
  to: '1.33',
  asOf: '2026-11-20',
  files: {
    'main.tf': ROOT,
    'modules/eks/main.tf': MODULE,
    'modules/eks/user_data.tpl': `#!/bin/bash -ex
/etc/eks/bootstrap.sh main --b64-cluster-ca '\${ca}' --apiserver-endpoint '\${endpoint}' --dns-cluster-ip '\${dns}'
`,
  },
  // Standard support of 1.31 has ended on 2025-11-26.
  staying: [/ended on 2025-11-26, .*STANDARD: since then EKS updates/, /may have a newer one by now/],
  tasks: [
    // It keeps its version, and what is updated in no step resets nothing.
    { step: 'before', phase: 'before', level: 'note', says: /OVERWRITE and has no configuration values/ },
    // Neither the deployment nor Argo CD itself is one of these.
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /Nothing in the input makes kube-proxy and CoreDNS add-ons/,
      does: /kubernetes_deployment\.app may install something: should that bring them/i,
    },
    { step: 'before', phase: 'before', level: 'should', says: /Amazon Linux 2/, at: 'data.aws_ami.eks_node' },
    controlPlane('1.31', '1.32', { at: 'default = "1.31"' }),
    selfManagedIn('1.32'),
    {
      step: '1.32',
      phase: 'nodes',
      level: 'should',
      says: /workers" to 1\.32\. The AMI is looked up by the version of the cluster.*nothing else is to be written/,
    },
    // The data source finds none, which fails the plan before the control plane has its turn.
    {
      step: '1.33',
      phase: 'before',
      level: 'must',
      says: /Amazon Linux 2 AMI.*there is none.*deployment of the new version fails before it begins/,
    },
    // A file for templatefile() reaches no resource.
    {
      step: '1.33',
      phase: 'before',
      level: 'must',
      says: /NodeConfig/,
      does: /call of `templatefile`[^]*name: "?main"?\n *apiServerEndpoint: "?<endpoint of the cluster>"?\n *certificateAuthority: "?<certificate authority of the cluster>"?\n *cidr: "?<service range of the cluster>[^]*clusterDNS:\n *- "?<value of cidrhost\(.*, 10\)>/,
      at: '/etc/eks/bootstrap.sh',
    },
    controlPlane('1.32', '1.33'),
    selfManagedIn('1.33'),
    { step: '1.33', phase: 'nodes', level: 'should', says: /Roll node group .*workers" over to 1\.33/ },
  ],
  unseen: [/Quotas/],
  never: [/write 1\.32 in/],
};

/** The same, with user data in the code of the module, a version of its own in the filter, and add-ons that AWS is asked for. */
const OWN_VERSION: KnownCluster = {
  title: 'a module with a literal version in the filter, and add-ons that take the newest version',
  to: '1.33',
  asOf: '2026-11-20',
  files: {
    'main.tf': ROOT.replace('"app" }', '"coredns" }'),
    'modules/eks/main.tf': `${MODULE.replace('var.eks_version)]', '"1.31")]')
      .replace('  upgrade_policy { support_type = "STANDARD" }\n', '')
      .replace(
        /base64encode\(templatefile[^]*?\}\)\)/,
        'base64encode(<<-EOT\n    #!/bin/bash\n    /etc/eks/bootstrap.sh main --apiserver-endpoint ${aws_eks_cluster.this.endpoint}\n  EOT\n  )',
      )
      .replace('"v1.19.0-eksbuild.1"', 'data.aws_eks_addon_version.cni.version')}
data "aws_eks_addon_version" "cni" {
  addon_name         = "vpc-cni"
  kubernetes_version = aws_eks_cluster.this.version
  most_recent        = true
}
`,
  },
  staying: [/1\.31 is in extended support/, /Until then a control plane costs/],
  tasks: [
    // Settings may go, if somebody made any, but nothing stops.
    { step: 'before', phase: 'before', level: 'should', says: /OVERWRITE and has no configuration values/ },
    { step: 'before', phase: 'before', level: 'should', says: /Amazon Linux 2/ },
    // A deployment of that name may be what EKS would bring.
    {
      step: 'before',
      phase: 'before',
      level: 'note',
      says: /makes kube-proxy an add-on of EKS, but kubernetes_deployment\.app may install something\. Unless that brings it/,
    },
    controlPlane('1.31', '1.32'),
    // Told once.
    {
      step: '1.32',
      phase: 'add-ons',
      level: 'note',
      says: /vpc-cni takes what AWS offers at every plan: that of each step/,
    },
    {
      step: '1.32',
      phase: 'nodes',
      level: 'should',
      says: /names the AMI of 1\.31: write 1\.32 into what `module\.eks\.data\.aws_ami\.eks_node\.image_id` looks up/,
    },
    controlPlane('1.32', '1.33'),
    // Whoever writes 1.33 there does so for the nodes.
    { step: '1.33', phase: 'nodes', level: 'must', says: /Amazon Linux 2 AMI.*there is none/ },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /NodeConfig/,
      does: /apiServerEndpoint: "?\$\{aws_eks_cluster\.this\.endpoint\}/,
    },
    { step: '1.33', phase: 'nodes', level: 'should', says: /Roll node group/ },
  ],
  unseen: [/Quotas/],
  never: [/1\.33 add-ons note .*what AWS offers/],
};

/** One name of a variable in two modules, each of which is given a value of its own. */
const TWO_MODULES: KnownCluster = {
  title: 'nodes in a module whose variable is called like that of the cluster',
  to: '1.34',
  asOf: '2026-11-20',
  files: {
    'main.tf': `module "cluster" {
  source      = "./modules/cluster"
  eks_version = "1.33"
}

module "nodes" {
  source      = "./modules/nodes"
  cluster     = module.cluster.name
  eks_version = "1.33"
}
`,
    'modules/cluster/main.tf': `${MODULE.slice(0, MODULE.indexOf('data "aws_ami"'))}
output "name" {
  value = aws_eks_cluster.this.name
}
`,
    'modules/nodes/main.tf': `variable "eks_version" {}
variable "cluster" {}

${MODULE.slice(MODULE.indexOf('data "aws_ami"'), MODULE.indexOf('resource "aws_eks_addon"'))
  .replace(/format\(.*\)\]/, '"amazon-eks-node-al2023-x86_64-standard-${var.eks_version}-*"]')
  .replace(/ {2}user_data[^]*?\}\)\)\n/, '')
  .replace('aws_eks_cluster.this.name', 'var.cluster')}`,
  },
  tasks: [
    controlPlane('1.33', '1.34'),
    {
      step: '1.34',
      phase: 'nodes',
      level: 'should',
      says: /names the AMI of 1\.33: write 1\.34 into what/,
      at: 'eks_version = "1.33"',
    },
    // Nodes with an AMI of their own join by what is in their user data.
    { step: 'before', phase: 'before', level: 'should', says: /Nothing in the input makes/ },
    selfManagedIn('1.34'),
  ],
  unseen: [/Quotas/],
};

export const LOOKED_UP: readonly KnownCluster[] = [STANDARD, OWN_VERSION, TWO_MODULES];
