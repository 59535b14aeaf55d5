/**
 * Six clusters and what a plan must say of their upgrade, written by hand from the sources before any output was looked at. Of what must be
 * done, a plan may say nothing else.
 */
interface ExpectedTask {
  /** The version of the step, or `before` for what precedes the first one. */
  readonly step: string;
  readonly phase: 'before' | 'control-plane' | 'add-ons' | 'nodes';
  readonly level: 'must' | 'should' | 'note';
  readonly says: RegExp;
  /** Text of the line at which it points. */
  readonly at?: string;
}

interface KnownCluster {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly to: string;
  readonly from?: string;
  readonly asOf: string;
  readonly tasks: readonly ExpectedTask[];
  /** What it says that it can't see. */
  readonly unseen: readonly RegExp[];
  /** What it must not say. */
  readonly never?: readonly RegExp[];
}

const controlPlane = (from: string, to: string, at?: string): ExpectedTask => ({
  step: to,
  phase: 'control-plane',
  level: 'must',
  says: new RegExp(`control plane.* from ${from} to ${to}`),
  ...(at === undefined ? {} : { at }),
});

/** AL2 nodes that join by `bootstrap.sh`: AL2 ends with 1.32, so that the group is replaced in the step to 1.33. */
const AL2: KnownCluster = {
  title: 'AL2 with bootstrap.sh, in CloudFormation',
  to: '1.34',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Name: main
      Version: '1.31'
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.31/amazon-linux-2/recommended/image_id}}'
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: !Sub |
            #!/bin/bash
            set -o errexit
            sysctl -w vm.max_map_count=262144
            /etc/eks/bootstrap.sh \${Cluster} --use-max-pods false --kubelet-extra-args '--max-pods=58 --node-labels=team=web --register-with-taints=dedicated=web:NoSchedule --feature-gates=AppArmor=true'
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Cluster
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }
  Cni:
    Type: AWS::EKS::Addon
    Properties: { ClusterName: !Ref Cluster, AddonName: vpc-cni, AddonVersion: v1.19.0-eksbuild.1, ResolveConflicts: PRESERVE }
  Proxy:
    Type: AWS::EKS::Addon
    Properties: { ClusterName: !Ref Cluster, AddonName: kube-proxy, AddonVersion: v1.31.2-eksbuild.3 }
  Dns:
    Type: AWS::EKS::Addon
    Properties: { ClusterName: !Ref Cluster, AddonName: coredns, AddonVersion: v1.10.1-eksbuild.18 }
`,
  },
  tasks: [
    // Nobody patches AL2 any more, long before it ends.
    { step: 'before', phase: 'before', level: 'should', says: /Amazon Linux 2/, at: 'ImageId:' },
    controlPlane('1.31', '1.32', "Version: '1.31'"),
    // coredns 1.10.1 is offered up to 1.31; 1.11.4, the default for 1.32, for 1.31 too.
    {
      step: '1.32',
      phase: 'before',
      level: 'must',
      says: /coredns.*v1\.10\.1-eksbuild\.18 to v1\.11\.4-eksbuild\.40/,
      at: 'AddonName: coredns',
    },
    { step: '1.32', phase: 'add-ons', level: 'should', says: /kube-proxy.*v1\.31\.2-eksbuild\.3 to v1\.32\./ },
    { step: '1.32', phase: 'nodes', level: 'should', says: /"Workers" to 1\.32.*AMI of 1\.31/, at: 'ImageId:' },
    controlPlane('1.32', '1.33'),
    { step: '1.33', phase: 'add-ons', level: 'should', says: /kube-proxy.* to v1\.33\./ },
    // There is no AL2 AMI for 1.33.
    { step: '1.33', phase: 'nodes', level: 'must', says: /Amazon Linux 2 AMI.*1\.33.*there is none/, at: 'ImageId:' },
    { step: '1.33', phase: 'nodes', level: 'must', says: /NodeConfig/, at: '/etc/eks/bootstrap.sh' },
    // kubelet of 1.33 exits on a gate that was gone after 1.32; the translation leaves it out.
    { step: '1.33', phase: 'nodes', level: 'must', says: /feature gate `AppArmor`/, at: '/etc/eks/bootstrap.sh' },
    controlPlane('1.33', '1.34'),
    { step: '1.34', phase: 'add-ons', level: 'should', says: /kube-proxy.* to v1\.34\./ },
    { step: '1.34', phase: 'nodes', level: 'should', says: /"Workers" to 1\.34/ },
  ],
  unseen: [/manifests of the input, of which there are none/, /Quotas/],
  never: [/vpc-cni.*Update add-on/, /Update add-on .*vpc-cni/],
};

/** A call of terraform-aws-modules/eks: the groups take the version of the cluster, and add-ons the newest. */
const MODULE: KnownCluster = {
  title: 'a call of the Terraform module',
  to: '1.34',
  asOf: '2026-11-26',
  files: {
    'main.tf': `module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "21.10.1"

  name               = "platform"
  kubernetes_version = "1.33"
  subnet_ids         = ["subnet-1", "subnet-2"]
  vpc_id             = "vpc-1"

  addons = {
    vpc-cni    = { before_compute = true, addon_version = "v1.20.4-eksbuild.2" }
    kube-proxy = { addon_version = "v1.33.3-eksbuild.4" }
    coredns    = { most_recent = true }
  }

  eks_managed_node_groups = {
    workers = {
      instance_types = ["m6i.large"]
      min_size       = 2
      max_size       = 4
      desired_size   = 2
    }
  }
}
`,
  },
  tasks: [
    controlPlane('1.33', '1.34', 'kubernetes_version = "1.33"'),
    {
      step: '1.34',
      phase: 'add-ons',
      level: 'should',
      says: /kube-proxy.*v1\.33\.3-eksbuild\.4 to v1\.34\.6-eksbuild\.18/,
      at: 'addon_version = "v1.33.3',
    },
    { step: '1.34', phase: 'add-ons', level: 'note', says: /coredns.*what AWS offers/ },
    { step: '1.34', phase: 'nodes', level: 'should', says: /workers.*to 1\.34.*from where the cluster has it/ },
  ],
  unseen: [/Quotas/],
};

/** What a CDK app writes, with Bottlerocket and `forceUpdate` as the L2 sets it: nothing ends, and pods are evicted without asking budgets. */
const BOTTLEROCKET: KnownCluster = {
  title: 'Bottlerocket, as the AWS CDK writes it',
  to: '1.36',
  asOf: '2026-11-26',
  files: {
    'Platform.template.json': JSON.stringify(
      {
        Resources: {
          ClusterEB0386A7: {
            Type: 'AWS::EKS::Cluster',
            Properties: {
              Version: '1.34',
              RoleArn: 'arn:aws:iam::111122223333:role/cluster',
              ResourcesVpcConfig: { SubnetIds: ['subnet-1', 'subnet-2'] },
            },
            Metadata: { 'aws:cdk:path': 'Platform/Cluster/Resource' },
          },
          ClusterNodegroupBottlerocketE5B1F2A1: {
            Type: 'AWS::EKS::Nodegroup',
            Properties: {
              ClusterName: { Ref: 'ClusterEB0386A7' },
              NodeRole: 'arn:aws:iam::111122223333:role/nodes',
              Subnets: ['subnet-1', 'subnet-2'],
              AmiType: 'BOTTLEROCKET_x86_64',
              ForceUpdateEnabled: true,
              InstanceTypes: ['m6i.large'],
              ScalingConfig: { MinSize: 1, MaxSize: 3, DesiredSize: 2 },
            },
            Metadata: { 'aws:cdk:path': 'Platform/Cluster/NodegroupBottlerocket' },
          },
        },
      },
      undefined,
      1,
    ),
  },
  tasks: [
    { step: 'before', phase: 'before', level: 'should', says: /updates with force/, at: 'ForceUpdateEnabled' },
    controlPlane('1.34', '1.35', '"Version": "1.34"'),
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /NodegroupBottlerocket" to 1\.35.*update-nodegroup-version/,
    },
    controlPlane('1.35', '1.36'),
    { step: '1.36', phase: 'nodes', level: 'should', says: /NodegroupBottlerocket" to 1\.36/ },
  ],
  unseen: [/no add-on vpc-cni, kube-proxy, coredns/],
  never: [/Amazon Linux 2\b/, /NodeConfig/],
};

/** A Windows group beside a Linux one, each with a version of its own. */
const WINDOWS: KnownCluster = {
  title: 'a Windows group, in Terraform',
  to: '1.35',
  asOf: '2026-11-26',
  files: {
    'main.tf': `resource "aws_eks_cluster" "main" {
  name     = "main"
  version  = "1.34"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}

resource "aws_eks_node_group" "linux" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "linux"
  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids      = ["subnet-1"]
  ami_type        = "AL2023_x86_64_STANDARD"
  version         = aws_eks_cluster.main.version
  scaling_config {
    min_size     = 1
    max_size     = 2
    desired_size = 1
  }
}

resource "aws_eks_node_group" "windows" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "windows"
  node_role_arn   = "arn:aws:iam::111122223333:role/windows-nodes"
  subnet_ids      = ["subnet-1"]
  ami_type        = "WINDOWS_CORE_2022_x86_64"
  version         = "1.34"
  scaling_config {
    min_size     = 1
    max_size     = 2
    desired_size = 1
  }
}
`,
  },
  tasks: [
    controlPlane('1.34', '1.35', 'version  = "1.34"'),
    { step: '1.35', phase: 'nodes', level: 'should', says: /linux" to 1\.35.*from where the cluster has it/ },
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /windows" to 1\.35.*Its own version says 1\.34/,
      at: 'version         = "1.34"',
    },
  ],
  unseen: [/no add-on vpc-cni, kube-proxy, coredns/],
};

/** Custom networking, with a CNI that the next version doesn't take, and a key that the next CNI refuses. */
const CUSTOM_NETWORKING: KnownCluster = {
  title: 'custom networking with a pinned CNI whose keys break',
  to: '1.28',
  asOf: '2024-03-01',
  files: {
    'cluster.yaml': `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Version: '1.27'
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Cni:
    Type: AWS::EKS::Addon
    Properties:
      ClusterName: !Ref Cluster
      AddonName: vpc-cni
      AddonVersion: v1.13.0-eksbuild.1
      ResolveConflicts: OVERWRITE
      ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"topology.kubernetes.io/zone","ENABLE_NFTABLES":"true"}}'
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Cluster
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      AmiType: AL2023_x86_64_STANDARD
      LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }
  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
`,
  },
  tasks: [
    // OVERWRITE puts back what kubectl changed.
    { step: 'before', phase: 'before', level: 'should', says: /OVERWRITE/ },
    controlPlane('1.27', '1.28', "Version: '1.27'"),
    // v1.13.0 is offered from 1.22 to 1.27.
    {
      step: '1.28',
      phase: 'before',
      level: 'must',
      says: /vpc-cni.*v1\.13\.0-eksbuild\.1 to v1\./,
      at: 'AddonVersion: v1.13.0-eksbuild.1',
    },
    // The variable went with v1.13.2.
    { step: '1.28', phase: 'before', level: 'must', says: /ENABLE_NFTABLES/ },
    { step: '1.28', phase: 'before', level: 'should', says: /addon-diff|OVERWRITE.*kubectl|kubectl/ },
    { step: '1.28', phase: 'nodes', level: 'should', says: /"Workers" to 1\.28/ },
  ],
  unseen: [/no add-on kube-proxy, coredns/],
};

/** Karpenter, a budget and an API that goes, on a cluster of the CDK. */
const KARPENTER: KnownCluster = {
  title: 'Karpenter with budgets, from the AWS CDK',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Version: '1.31'
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
      UpgradePolicy: { SupportType: EXTENDED }
  Karpenter:
    Type: Custom::AWSCDK-EKS-HelmChart
    Properties:
      ClusterName: !Ref Cluster
      Chart: oci://public.ecr.aws/karpenter/karpenter
      Release: karpenter
      Namespace: kube-system
      Version: 1.2.1
  NodeClass:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties:
      ClusterName: !Ref Cluster
      Manifest: '[{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"default"},"spec":{"amiSelectorTerms":[{"alias":"al2@latest"}],"metadataOptions":{"httpTokens":"required","httpPutResponseHopLimit":2}}}]'
  Flow:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties:
      ClusterName: !Ref Cluster
      Manifest: '[{"apiVersion":"flowcontrol.apiserver.k8s.io/v1beta3","kind":"FlowSchema","metadata":{"name":"batch"},"spec":{}}]'
  Budget:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties:
      ClusterName: !Ref Cluster
      Manifest: '[{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web","namespace":"shop"},"spec":{"maxUnavailable":1,"selector":{"matchLabels":{"app":"web"}}}}]'
`,
  },
  tasks: [
    controlPlane('1.31', '1.32', "Version: '1.31'"),
    // v1beta3 of flow control went with 1.32.
    { step: '1.32', phase: 'before', level: 'must', says: /FlowSchema "batch".*v1beta3.*1\.32/, at: 'Flow:' },
    controlPlane('1.32', '1.33'),
    // 1.2 is enough for 1.32, and 1.33 needs 1.5.
    {
      step: '1.33',
      phase: 'before',
      level: 'must',
      says: /Karpenter.*1\.2\.1.*1\.33 needs 1\.5/,
      at: 'Version: 1.2.1',
    },
    { step: '1.33', phase: 'before', level: 'must', says: /EC2NodeClass "default".*Amazon Linux 2/, at: 'NodeClass:' },
  ],
  unseen: [/1 Helm chart makes/, /no add-on vpc-cni, kube-proxy, coredns/],
  never: [/PodDisruptionBudget "web" has/],
};

export const SIX_CLUSTERS: readonly KnownCluster[] = [AL2, MODULE, BOTTLEROCKET, WINDOWS, CUSTOM_NETWORKING, KARPENTER];
