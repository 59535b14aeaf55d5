import {
  addon,
  controlPlane,
  LATEST,
  launchTemplate,
  nodeGroup,
  resource,
  selfManagedIn,
  template,
  type ExpectedTask,
  type KnownCluster,
} from './cluster-templates';

/*
 * Clusters of which a plan could say too much: what another default of EKS doesn't change, commands for versions that are gone, modules that
 * nothing calls.
 */

const kubeProxy: ExpectedTask = {
  step: 'before',
  phase: 'before',
  level: 'should',
  says: /Nothing in the input makes kube-proxy an add-on of EKS/,
  does: /once the control plane has 1\.32, run this [^]*--addon-name kube-proxy --addon-version v1\.32\./,
};

/** Groups that were there before EKS had another default: EKS user guide, "Kubernetes versions", 1.30. */
const OLD_CLUSTER: KnownCluster = {
  title: 'a cluster that EKS no longer supports, whose groups say no AMI type or one of AL2',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': template(
      '1.29',
      ['Name: old'],
      nodeGroup('Silent'),
      nodeGroup('Named', 'AmiType: AL2_x86_64', "Version: '1.29'"),
      addon('Cni', 'vpc-cni'),
      addon('Dns', 'coredns', 'AddonVersion: v1.11.4-eksbuild.40'),
    ),
  },
  tasks: [
    // The conflict mode counts when the add-on is updated, which no step of the input does.
    { step: 'before', phase: 'before', level: 'note', says: /sets no conflict mode for updates/ },
    kubeProxy,
    // It would be rolled over three times on a system that ends.
    { step: 'before', phase: 'before', level: 'should', says: /Move node group "Named" from Amazon Linux 2/ },
    // Nobody can ask for 1.30 and 1.31 any more.
    controlPlane('1.29', '1.32', {
      says: /by itself: .*There is no way back/,
      does: /^Go on when this says 1\.32;[^]*describe-cluster/,
    }),
    selfManagedIn('1.32'),
    {
      step: '1.32',
      phase: 'add-ons',
      level: 'note',
      says: /Add-on vpc-cni has no version/,
      does: /one minor version at a time[^]*--addon-version v1\.22\.4/,
    },
    { step: '1.32', phase: 'nodes', level: 'should', says: /"Named" asks for AMI type AL2_x86_64/ },
    controlPlane('1.32', '1.33'),
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /Look which system node group "Silent" has/,
      does: /describe-nodegroup .*--query nodegroup\.amiType/,
    },
    { step: '1.33', phase: 'nodes', level: 'must', says: /"Named" asks for AMI type AL2_x86_64 on Kubernetes 1\.33/ },
    // The group that takes its place needs the version, too.
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"Named" can't be updated to 1\.33: the new one that takes its place starts with 1\.33/,
      does: /says 1\.32: write 1\.33/,
      at: "Version: '1.29'",
    },
  ],
  unseen: [/Quotas/],
  never: [/default of EKS for Kubernetes 1\.30/, /addon-version v1\.(?:29|30|31)\./],
};

/** Sources: EKS user guide, "Upgrade hybrid nodes for your cluster" and "Create an access entry". */
const HYBRID: KnownCluster = {
  title: 'hybrid nodes, a version by reference in a text, and a module that nothing calls',
  to: '1.35',
  asOf: '2026-11-26',
  files: {
    'live/main.tf': `resource "aws_eks_cluster" "this" {
  name                          = "live"
  version                       = "1.34"
  role_arn                      = "arn:aws:iam::111122223333:role/cluster"
  bootstrap_self_managed_addons = false
  vpc_config {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
}

resource "aws_eks_node_group" "workers" {
  cluster_name    = aws_eks_cluster.this.name
  version         = "\${aws_eks_cluster.this.version}"
  ami_type        = "BOTTLEROCKET_x86_64"
  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids      = ["subnet-1", "subnet-2"]
  scaling_config {
    min_size     = 1
    max_size     = 2
    desired_size = 1
  }
}

resource "aws_eks_access_entry" "site" {
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = "arn:aws:iam::111122223333:role/site"
  type          = "HYBRID_LINUX"
}
`,
    'modules/eks/main.tf': `variable "name" {
  type = string
}

variable "kubernetes_version" {
  type    = string
  default = "1.32"
}

resource "aws_eks_cluster" "this" {
  name     = var.name
  version  = var.kubernetes_version
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
}
`,
  },
  tasks: [
    controlPlane('1.34', '1.35', { at: 'version                       = "1.34"' }),
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /aws_eks_node_group\.workers" to 1\.35\. The version comes from where the cluster has it: the same deployment updates the nodes,/,
    },
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /hybrid nodes to 1\.35/,
      does: /nodeadm install 1\.35[^]*nodeadm upgrade 1\.35 -c file:/,
      at: 'aws_eks_access_entry',
    },
  ],
  unseen: [/Quotas/],
};

function chart(id: string, name: string): string {
  return resource(id, 'Custom::AWSCDK-EKS-HelmChart', 'ClusterName: !Ref Cluster', `Chart: ${name}`, `Release: ${id}`);
}

/** Source: Kubernetes autoscaler, cluster-autoscaler/README.md; karpenter.sh, "Compatibility". */
const SILENT: KnownCluster = {
  title: 'groups that say no AMI type, and charts that say no version',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': template(
      '1.32',
      ['Name: main', 'BootstrapSelfManagedAddons: false'],
      nodeGroup('One'),
      nodeGroup('Two'),
      chart('Scaler', 'cluster-autoscaler'),
      chart('Karpenter', 'oci://public.ecr.aws/karpenter/karpenter'),
    ),
  },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /^Look which system node groups "One" and "Two" have: /,
      does: /--nodegroup-name .*\naws eks describe-nodegroup /,
    },
    controlPlane('1.32', '1.33'),
  ],
  unseen: [
    /The input has no add-on vpc-cni, kube-proxy, coredns: /,
    /The version of the Cluster Autoscaler \(Scaler\) isn't known/,
    /The version of Karpenter \(Karpenter\) isn't known; Kubernetes 1\.33 needs 1\.5 or later/,
  ],
  never: [/Update the Cluster Autoscaler/, /Karpenter has the version/],
};

/** With the system of a group its user data changes, which is checked for that system: AL2 reads no NodeConfig, and to that of AL2023 EKS adds its own. */
const FOLLOWED: KnownCluster = {
  title: 'a group of AL2 whose advice is followed in the system and in the user data',
  to: '1.33',
  asOf: '2026-11-20',
  files: {
    'cluster.yaml': template(
      '1.32',
      ['Name: main', 'BootstrapSelfManagedAddons: false'],
      launchTemplate(
        'Nodes',
        'UserData:',
        '  Fn::Base64: |',
        '    MIME-Version: 1.0',
        '    Content-Type: multipart/mixed; boundary="=="',
        '',
        '    --==',
        '    Content-Type: text/x-shellscript',
        '',
        '    #!/bin/bash',
        "    /etc/eks/bootstrap.sh main --use-max-pods false --kubelet-extra-args '--max-pods=58'",
        '    --==--',
      ),
      nodeGroup('Workers', 'AmiType: AL2_x86_64', 'InstanceTypes: [t3.medium]', LATEST),
    ),
  },
  tasks: [
    { step: 'before', phase: 'before', level: 'should', says: /"Workers" asks for AMI type AL2_x86_64/ },
    controlPlane('1.32', '1.33'),
    { step: '1.33', phase: 'nodes', level: 'must', says: /"Workers" asks for AMI type AL2_x86_64 on Kubernetes 1\.33/ },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /reads a NodeConfig\. This is what the call/,
      does: /maxPods: 58/,
    },
    { step: '1.33', phase: 'nodes', level: 'should', says: /"Workers" can't be updated to 1\.33/ },
    { step: '1.33', phase: 'nodes', level: 'note', says: /sets `spec\.kubelet\.config\.maxPods`.* but names no AMI/ },
  ],
  unseen: [/Quotas/],
  never: [/Nothing on AL2 reads that/],
};

export const QUIET_INPUTS: readonly KnownCluster[] = [OLD_CLUSTER, SILENT, FOLLOWED, HYBRID];
