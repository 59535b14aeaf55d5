import { plan } from '../rules/plan-templates';
import { controlPlane, selfManaged, selfManagedIn, type ExpectedTask, type KnownCluster } from './cluster-templates';

/** Old group, new cluster: what its nodes run was decided when it was created. */
function lookWhichSystem(name: string): ExpectedTask {
  return {
    step: 'before',
    phase: 'before',
    level: 'should',
    says: new RegExp(`Look which system node groups? .*"${name}"`),
    does: /replace the group[^]*aws eks describe-nodegroup .*--query nodegroup\.amiType/,
  };
}

/**
 * A ClusterConfig: nothing that exists changes by its file alone. Sources: eksctl-io/eksctl, pkg/ctl/upgrade/cluster.go and nodegroup.go (`-f`,
 * `--approve`; `--cluster`, `--name`, `--kubernetes-version`, without which the version stays), pkg/ctl/update/addon.go (`-f`, and an add-on without
 * version keeps its own), pkg/actions/nodegroup/upgrade.go (managed groups only, and none whose AMI is its own).
 */
const EKSCTL: KnownCluster = {
  title: 'a ClusterConfig of eksctl',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: shop
  region: eu-central-1
  version: "1.32"
iam:
  withOIDC: true
addons:
  - name: vpc-cni
    version: latest
    resolveConflicts: preserve
  - name: coredns
    version: v1.11.4-eksbuild.2
managedNodeGroups:
  - name: workers
    minSize: 2
    maxSize: 4
  - name: gpu
    amiFamily: Bottlerocket
    instanceTypes: [g5.xlarge]
  - name: golden
    amiFamily: AmazonLinux2023
    ami: ami-0123456789abcdef0
  - name: templated
    launchTemplate:
      id: lt-0123456789abcdef0
nodeGroups:
  - name: legacy
`,
  },
  tasks: [
    controlPlane('1.32', '1.33', {
      at: 'version: "1.32"',
      does: /Write "1\.33" in `metadata\.version`[^]*eksctl upgrade cluster -f \S*cluster\.yaml --approve/,
    }),
    // eksctl before 0.219 took AL2 below 1.33 for a group that doesn't say it; Bottlerocket is written.
    lookWhichSystem('workers'),
    {
      step: '1.33',
      phase: 'add-ons',
      level: 'should',
      says: /vpc-cni takes the newest/,
      does: /eksctl update addon -f /,
    },
    // eksctl has installed it, and the file doesn't have it.
    {
      step: '1.33',
      phase: 'add-ons',
      level: 'should',
      says: /kube-proxy.*no version in the file/,
      does: /update-kube-proxy[^]*eksctl update addon --cluster shop --region eu-central-1 --name kube-proxy --version v1\.33\./,
    },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"workers" and "gpu" to 1\.33.*changes no group/,
      does: /eksctl upgrade nodegroup --cluster shop --region eu-central-1 --name workers --kubernetes-version 1\.33\n.*--name gpu /,
    },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"golden" to 1\.33.*AMI EKS doesn't choose.*under another name, with an AMI of 1\.33.*eksctl create nodegroup -f /,
      does: /eksctl delete nodegroup --cluster shop --region eu-central-1 --name golden/,
    },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"templated" to 1\.33.*--launch-template-version/,
      does: /eksctl upgrade nodegroup .*--name templated /,
    },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"legacy" to 1\.33.*no group of `nodeGroups`/,
      does: /eksctl delete nodegroup .*--name legacy/,
    },
  ],
  unseen: [/Quotas/],
  never: [
    /aws eks update-nodegroup-version/,
    /AMI of your own/,
    /Nothing in the input makes/,
    /Look which system.*"gpu"/,
  ],
};

/** What a plan tells of the present counts: 1.32 runs, and the group has a system that the code doesn't say. */
const TERRAFORM_PLAN: KnownCluster = {
  title: 'a plan of Terraform',
  to: '1.34',
  asOf: '2026-11-26',
  files: {
    'plan.json': plan(`
aws_eks_cluster.main:
  before: { name: main, version: '1.32', role_arn: 'arn:aws:iam::111122223333:role/cluster', vpc_config: [{ subnet_ids: [subnet-1, subnet-2] }] }
  after: { version: '1.33' }
aws_eks_node_group.known:
  before: { cluster_name: main, node_group_name: known, node_role_arn: 'arn:aws:iam::111122223333:role/nodes', subnet_ids: [subnet-1, subnet-2], ami_type: AL2_x86_64, version: '1.32', scaling_config: [{ min_size: 1, max_size: 2, desired_size: 1 }] }
  answered: [ami_type, version]
aws_eks_addon.proxy:
  before: { cluster_name: main, addon_name: kube-proxy, addon_version: v1.32.6-eksbuild.12 }
aws_eks_addon.dns:
  before: { cluster_name: main, addon_name: coredns, addon_version: v1.11.4-eksbuild.2 }
aws_eks_addon.cni:
  before: { cluster_name: main, addon_name: vpc-cni, addon_version: v1.20.4-eksbuild.2, resolve_conflicts_on_update: PRESERVE }
`),
  },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /"aws_eks_node_group.known" asks for AMI type AL2_x86_64/,
    },
    controlPlane('1.32', '1.33'),
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /AL2_x86_64 on Kubernetes 1\.33.*up to 1\.32 only/,
      does: /^As told before the first step\.$/m,
    },
    { step: '1.33', phase: 'add-ons', level: 'should', says: /kube-proxy.*v1\.32\.6-eksbuild\.12 to v1\.33\./ },
    controlPlane('1.33', '1.34'),
    { step: '1.34', phase: 'add-ons', level: 'should', says: /kube-proxy.* to v1\.34\./ },
  ],
  unseen: [/Quotas/],
  never: [/Nothing in the input makes/, /Look which system/],
};

/** What `cdktf synth` writes, with an autoscaler by its chart. Chart 9.43.2 installs 1.31.0, and 9.46.6 is the last one for 1.32. */
const CDKTF: KnownCluster = {
  title: 'what cdktf synth writes',
  to: '1.33',
  asOf: '2026-11-20',
  files: {
    'cdktf.out/manifest.json': JSON.stringify({
      version: '0.21.0',
      stacks: {
        Platform: {
          name: 'Platform',
          constructPath: 'Platform',
          workingDirectory: 'stacks/Platform',
          synthesizedStackPath: 'stacks/Platform/cdk.tf.json',
          annotations: [],
          dependencies: [],
        },
      },
    }),
    'cdktf.out/stacks/Platform/cdk.tf.json': JSON.stringify(
      {
        resource: {
          aws_eks_cluster: {
            Cluster: {
              name: 'platform',
              version: '1.31',
              role_arn: 'arn:aws:iam::111122223333:role/cluster',
              vpc_config: { subnet_ids: ['subnet-1', 'subnet-2'] },
            },
          },
          aws_eks_node_group: {
            Workers: {
              cluster_name: '\${aws_eks_cluster.Cluster.name}',
              node_group_name: 'workers',
              node_role_arn: 'arn:aws:iam::111122223333:role/nodes',
              subnet_ids: ['subnet-1', 'subnet-2'],
              version: '\${aws_eks_cluster.Cluster.version}',
              scaling_config: { min_size: 1, max_size: 3, desired_size: 2 },
            },
          },
          aws_eks_fargate_profile: {
            Jobs: {
              cluster_name: '\${aws_eks_cluster.Cluster.name}',
              fargate_profile_name: 'jobs',
              pod_execution_role_arn: 'arn:aws:iam::111122223333:role/fargate',
              subnet_ids: ['subnet-1', 'subnet-2'],
              selector: [{ namespace: 'jobs' }],
            },
          },
          helm_release: {
            Autoscaler: {
              name: 'cluster-autoscaler',
              repository: 'https://kubernetes.github.io/autoscaler',
              chart: 'cluster-autoscaler',
              version: '9.43.2',
              namespace: 'kube-system',
            },
          },
        },
      },
      undefined,
      1,
    ),
  },
  tasks: [
    selfManaged,
    controlPlane('1.31', '1.32', { at: '"version": "1.31"' }),
    selfManagedIn('1.32'),
    {
      step: '1.32',
      phase: 'add-ons',
      level: 'should',
      says: /Cluster Autoscaler.*1\.31\.0.* to 1\.32/,
      does: /chart 9\.46\.6/,
      at: '9.43.2',
    },
    {
      step: '1.32',
      phase: 'nodes',
      level: 'should',
      says: /Workers" to 1\.32\. The version comes from where the cluster has it/,
    },
    { step: '1.32', phase: 'nodes', level: 'should', says: /pods on Fargate anew/, does: /kubectl rollout restart/ },
    controlPlane('1.32', '1.33'),
    lookWhichSystem('aws_eks_node_group.Workers'),
    selfManagedIn('1.33'),
    {
      step: '1.33',
      phase: 'add-ons',
      level: 'should',
      says: /Cluster Autoscaler.* to 1\.33, too/,
      does: /chart 9\.51\.0/,
    },
    { step: '1.33', phase: 'nodes', level: 'should', says: /Workers" to 1\.33/ },
    { step: '1.33', phase: 'nodes', level: 'should', says: /pods on Fargate anew/ },
  ],
  unseen: [/1 Helm chart makes/],
};

/** Add-ons of another module, for a cluster whose name is that of the folder: the reference to it tells whose they are. */
const BLUEPRINTS: KnownCluster = {
  title: 'add-ons of the blueprints for a cluster without a known name',
  to: '1.35',
  asOf: '2026-11-26',
  files: {
    'main.tf': `module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "20.37.1"

  cluster_name    = basename(path.cwd)
  cluster_version = "1.34"
  subnet_ids      = ["subnet-1", "subnet-2"]
  vpc_id          = "vpc-1"
}

module "addons" {
  source  = "aws-ia/eks-blueprints-addons/aws"
  version = "1.21.0"

  cluster_name      = module.eks.cluster_name
  cluster_endpoint  = module.eks.cluster_endpoint
  cluster_version   = module.eks.cluster_version
  oidc_provider_arn = module.eks.oidc_provider_arn

  eks_addons = {
    kube-proxy = { addon_version = "v1.34.0-eksbuild.4" }
    coredns    = {}
  }
}
`,
  },
  tasks: [
    // The module lets EKS put its own copies in.
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /Nothing in the input makes the VPC CNI an add-on of EKS/,
    },
    controlPlane('1.34', '1.35', { at: 'cluster_version = "1.34"' }),
    {
      step: '1.35',
      phase: 'add-ons',
      level: 'should',
      says: /kube-proxy.*v1\.34\.0-eksbuild\.4 to v1\.35\./,
      at: 'kube-proxy =',
    },
    { step: '1.35', phase: 'add-ons', level: 'note', says: /Add-on coredns takes what AWS offers/ },
  ],
  unseen: [/no group of nodes/],
};

export const OTHER_INPUTS: readonly KnownCluster[] = [EKSCTL, TERRAFORM_PLAN, CDKTF, BLUEPRINTS];
