import {
  addon,
  controlPlane,
  LATEST,
  launchTemplate,
  nodeGroup,
  resource,
  selfManaged,
  selfManagedIn,
  selfManagedOfOld,
  template,
  type KnownCluster,
} from './cluster-templates';

/** AL2 nodes that join by `bootstrap.sh`: AL2 ends with 1.32, so that the group is replaced in the step to 1.33. */
export const AL2: KnownCluster = {
  title: 'AL2 with bootstrap.sh, in CloudFormation',
  to: '1.34',
  asOf: '2026-11-20',
  files: {
    'cluster.yaml': template(
      '1.31',
      ['Name: main'],
      launchTemplate(
        'Nodes',
        "ImageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.31/amazon-linux-2/recommended/image_id}}'",
        'UserData:',
        '  Fn::Base64: !Sub |',
        '    #!/bin/bash',
        '    set -o errexit',
        '    sysctl -w vm.max_map_count=262144',
        "    /etc/eks/bootstrap.sh ${Cluster} --use-max-pods false --kubelet-extra-args '--max-pods=58 --node-labels=team=web --register-with-taints=dedicated=web:NoSchedule --feature-gates=AppArmor=true'",
      ),
      nodeGroup('Workers', LATEST),
      addon('Cni', 'vpc-cni', 'AddonVersion: v1.19.0-eksbuild.1', 'ResolveConflicts: PRESERVE'),
      addon('Proxy', 'kube-proxy', 'AddonVersion: v1.31.2-eksbuild.3'),
      addon('Dns', 'coredns', 'AddonVersion: v1.10.1-eksbuild.18'),
    ),
  },
  tasks: [
    // Nobody patches AL2 any more, long before it ends.
    { step: 'before', phase: 'before', level: 'should', says: /Amazon Linux 2/, at: 'ImageId:' },
    // Extended support of 1.31 goes on until 2026-11-26, so EKS can go back to it.
    controlPlane('1.31', '1.32', {
      at: "Version: '1.31'",
      says: /from 1\.31 to 1\.32.* seven days .*unless the next step/,
    }),
    // coredns 1.10.1 is offered up to 1.31; 1.11.4, the default for 1.32, for 1.31 too.
    {
      step: '1.32',
      phase: 'before',
      level: 'must',
      says: /coredns.*v1\.10\.1-eksbuild\.18 to v1\.11\.4-eksbuild\.40/,
      at: 'AddonVersion: v1.10.1',
    },
    { step: '1.32', phase: 'add-ons', level: 'should', says: /kube-proxy.*v1\.31\.2-eksbuild\.3 to v1\.32\./ },
    { step: '1.32', phase: 'nodes', level: 'should', says: /"Workers" to 1\.32.*AMI of 1\.31/, at: 'ImageId:' },
    controlPlane('1.32', '1.33'),
    { step: '1.33', phase: 'add-ons', level: 'should', says: /kube-proxy.* to v1\.33\./ },
    // There is no AL2 AMI for 1.33.
    { step: '1.33', phase: 'nodes', level: 'must', says: /Amazon Linux 2 AMI.*1\.33.*there is none/, at: 'ImageId:' },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /NodeConfig/,
      does: /maxPods: 58[^]*--node-labels=team=web/,
      at: '/etc/eks/bootstrap.sh',
    },
    // Its AMI is the launch template's, so that the group goes on with another one.
    { step: '1.33', phase: 'nodes', level: 'should', says: /Roll node group "Workers" over to 1\.33/, at: 'ImageId:' },
    // kubelet of 1.33 exits on a gate that was gone after 1.32; the translation leaves it out.
    { step: '1.33', phase: 'nodes', level: 'must', says: /feature gate `AppArmor`/, at: '/etc/eks/bootstrap.sh' },
    controlPlane('1.33', '1.34'),
    { step: '1.34', phase: 'add-ons', level: 'should', says: /kube-proxy.* to v1\.34\./ },
    { step: '1.34', phase: 'nodes', level: 'should', says: /"Workers" to 1\.34/ },
  ],
  unseen: [/manifests of the input, of which there are none/, /Quotas/],
  never: [
    /vpc-cni.*Update add-on/,
    /Update add-on .*vpc-cni/,
    /The input has no add-on/,
    /Nothing in the input makes/,
    /unless the next step.*1\.33 to 1\.34/,
  ],
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
    controlPlane('1.33', '1.34', { at: 'kubernetes_version = "1.33"' }),
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
          // The CDK waits for its own custom resources with it: it installs nothing.
          Providerwaiterstatemachine5D4A9DF0: {
            Type: 'AWS::StepFunctions::StateMachine',
            Properties: {
              RoleArn: 'arn:aws:iam::111122223333:role/waiter',
              DefinitionString:
                '{"StartAt":"framework-isComplete-task","States":{"framework-isComplete-task":{"Type":"Task","End":true}}}',
            },
          },
        },
      },
      undefined,
      1,
    ),
  },
  tasks: [
    { step: 'before', phase: 'before', level: 'should', says: /updates with force/, at: 'ForceUpdateEnabled' },
    selfManaged,
    controlPlane('1.34', '1.35', { at: '"Version": "1.34"' }),
    selfManagedIn('1.35'),
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /NodegroupBottlerocket" to 1\.35.*No version is written/,
      // The name is made up by CloudFormation, so it has to be filled in.
      does: /update-nodegroup-version .*--kubernetes-version 1\.35/,
    },
    controlPlane('1.35', '1.36'),
    selfManagedIn('1.36'),
    { step: '1.36', phase: 'nodes', level: 'should', says: /NodegroupBottlerocket" to 1\.36/ },
  ],
  unseen: [/Quotas/],
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
  release_version = "1.34.1-20251112"
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
    selfManaged,
    controlPlane('1.34', '1.35', { at: 'version  = "1.34"' }),
    selfManagedIn('1.35'),
    // A release of 1.34 is none of 1.35.
    {
      step: '1.35',
      phase: 'nodes',
      level: 'must',
      says: /linux" to 1\.35.*pinned to the release `1\.34\.1-20251112`.*EKS refuses it for another version/,
      at: 'release_version',
    },
    {
      step: '1.35',
      phase: 'nodes',
      level: 'should',
      says: /windows" to 1\.35.*The version there says 1\.34/,
      at: 'version         = "1.34"',
    },
  ],
  unseen: [/Quotas/],
  // Both say what they start.
  never: [/Look which system/],
};

/** Custom networking, with a CNI that the next version doesn't take, and a key that the next CNI refuses. */
const CUSTOM_NETWORKING: KnownCluster = {
  title: 'custom networking with a pinned CNI whose keys break',
  to: '1.28',
  asOf: '2024-03-01',
  files: {
    'cluster.yaml': template(
      '1.27',
      [],
      addon(
        'Cni',
        'vpc-cni',
        'AddonVersion: v1.13.0-eksbuild.1',
        'ResolveConflicts: OVERWRITE',
        `ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"topology.kubernetes.io/zone","ENABLE_NFTABLES":"true"}}'`,
      ),
      nodeGroup('Workers', 'AmiType: AL2023_x86_64_STANDARD', LATEST),
      launchTemplate('Nodes'),
    ),
  },
  tasks: [
    // OVERWRITE puts back what kubectl changed.
    { step: 'before', phase: 'before', level: 'should', says: /OVERWRITE: its configuration/ },
    { step: 'before', phase: 'before', level: 'should', says: /makes kube-proxy and CoreDNS add-ons of EKS/ },
    controlPlane('1.27', '1.28', { at: "Version: '1.27'" }),
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
    { step: '1.28', phase: 'before', level: 'should', says: /OVERWRITE.*kubectl/, does: /addon-diff/ },
    selfManagedIn('1.28'),
    { step: '1.28', phase: 'nodes', level: 'should', says: /"Workers" to 1\.28/ },
  ],
  unseen: [/Quotas/],
  // EKS could take no control plane back in 2024.
  never: [/seven days|no way back/],
};

/** Karpenter, a budget and an API that goes, on a cluster of the CDK. */
const KARPENTER: KnownCluster = {
  title: 'Karpenter with budgets, from the AWS CDK',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': template(
      '1.31',
      ['UpgradePolicy: { SupportType: EXTENDED }'],
      resource(
        'Karpenter',
        'Custom::AWSCDK-EKS-HelmChart',
        'ClusterName: !Ref Cluster',
        'Chart: oci://public.ecr.aws/karpenter/karpenter',
        'Release: karpenter',
        'Namespace: kube-system',
        'Version: 1.1.3',
      ),
      manifest(
        'NodeClass',
        '{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"default"},"spec":{"amiSelectorTerms":[{"alias":"al2@latest"}],"metadataOptions":{"httpTokens":"required","httpPutResponseHopLimit":2}}}',
      ),
      manifest(
        'Following',
        '{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"following"},"spec":{"amiSelectorTerms":[{"alias":"al2023@latest"}],"metadataOptions":{"httpTokens":"required","httpPutResponseHopLimit":2}}}',
      ),
      manifest(
        'Pinned',
        '{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"pinned"},"spec":{"amiSelectorTerms":[{"alias":"al2023@v20250212"}],"metadataOptions":{"httpTokens":"required","httpPutResponseHopLimit":2}}}',
      ),
      manifest(
        'Flow',
        '{"apiVersion":"flowcontrol.apiserver.k8s.io/v1beta3","kind":"FlowSchema","metadata":{"name":"batch"},"spec":{}}',
      ),
      manifest(
        'Budget',
        '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web","namespace":"shop"},"spec":{"maxUnavailable":1,"selector":{"matchLabels":{"app":"web"}}}}',
      ),
    ),
  },
  tasks: [
    // Once for the whole way: 1.2 is the oldest for 1.32, 1.5 for 1.33, and both run on 1.31.
    {
      step: 'before',
      phase: 'before',
      level: 'must',
      says: /Karpenter.*1\.1\.3.*1\.32 needs 1\.2 and 1\.33 needs 1\.5/,
      does: /1\.5 or later runs on 1\.31, too/,
      at: 'Version: 1.1.3',
    },
    selfManagedOfOld,
    // Support of 1.31 ends on the day.
    controlPlane('1.31', '1.32', { says: /from 1\.31 to 1\.32\. There is no way back/, at: "Version: '1.31'" }),
    // v1beta3 of flow control went with 1.32.
    { step: '1.32', phase: 'before', level: 'must', says: /FlowSchema "batch".*v1beta3.*1\.32/, at: 'Flow:' },
    selfManagedIn('1.32'),
    { step: '1.32', phase: 'nodes', level: 'note', says: /"following" by drift/ },
    controlPlane('1.32', '1.33'),
    selfManagedIn('1.33'),
    { step: '1.33', phase: 'before', level: 'must', says: /EC2NodeClass "default".*Amazon Linux 2/, at: 'NodeClass:' },
    // EKS got 1.33 on 2025-05-29, three months after that release.
    { step: '1.33', phase: 'before', level: 'must', says: /"pinned" pins `al2023@v20250212`/, at: 'Pinned:' },
    { step: '1.33', phase: 'nodes', level: 'note', says: /"following" by drift/ },
  ],
  unseen: [/1 Helm chart makes/],
  never: [/PodDisruptionBudget "web" has/, /1\.32 \w+ must .*"pinned"/],
};

function manifest(id: string, object: string): string {
  return resource(id, 'Custom::AWSCDK-EKS-KubernetesResource', 'ClusterName: !Ref Cluster', `Manifest: '[${object}]'`);
}

/** A Windows group whose template names the AMI of one version, and an AMI of somebody's own that calls `bootstrap.sh`. */
const OWN_AMIS: KnownCluster = {
  title: 'a Windows AMI by its parameter and an AMI of its own with bootstrap.sh',
  to: '1.33',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': template(
      '1.32',
      ['Name: main', 'UpgradePolicy: { SupportType: STANDARD }', 'BootstrapSelfManagedAddons: false'],
      nodeGroup('Linux', LATEST),
      launchTemplate(
        'Nodes',
        'ImageId: ami-0123456789abcdef0',
        'UserData:',
        '  Fn::Base64: !Sub |',
        '    #!/bin/bash',
        '    /etc/eks/bootstrap.sh ${Cluster}',
      ),
      nodeGroup(
        'Windows',
        'LaunchTemplate: { Id: !Ref WindowsNodes, Version: !GetAtt WindowsNodes.LatestVersionNumber }',
      ),
      launchTemplate(
        'WindowsNodes',
        "ImageId: '{{resolve:ssm:/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.32/image_id}}'",
        'UserData:',
        '  Fn::Base64: !Sub |',
        '    <powershell>',
        `    & "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName "\${Cluster}"`,
        '    </powershell>',
      ),
      addon('Cni', 'vpc-cni', 'AddonVersion: v1.20.4-eksbuild.2', 'ResolveConflicts: PRESERVE'),
      addon('Proxy', 'kube-proxy'),
      addon('Dns', 'coredns', 'AddonVersion: v1.11.4-eksbuild.2'),
    ),
  },
  tasks: [
    // 1.32 is in extended support, which a cluster of support type STANDARD has to ask for first.
    controlPlane('1.32', '1.33', { says: /from 1\.32 to 1\.33.* to 1\.32 .*support type is set to EXTENDED/ }),
    {
      step: '1.33',
      phase: 'add-ons',
      level: 'should',
      says: /Add-on kube-proxy has no version/,
      does: /aws eks update-addon --cluster-name main --addon-name kube-proxy --addon-version v1\.33\.\S+ --resolve-conflicts PRESERVE/,
    },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'note',
      says: /`\/etc\/eks\/bootstrap\.sh`.*unless the AMI is one of Ubuntu/,
    },
    { step: '1.33', phase: 'nodes', level: 'must', says: /NodeConfig/, at: '/etc/eks/bootstrap.sh' },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /"Windows" to 1\.33.*AMI of 1\.32.*write 1\.33 in `.*Windows_Server-2022/,
      at: 'Windows_Server-2022',
    },
  ],
  unseen: [/Quotas/],
  never: [/Nothing in the input makes/, /Look which system/],
};

/** EKS Auto Mode alone: EKS brings nodes and their software along. Source: EKS user guide, "Update existing cluster to new Kubernetes version". */
const AUTO_MODE: KnownCluster = {
  title: 'EKS Auto Mode',
  to: '1.35',
  asOf: '2026-11-26',
  files: {
    'cluster.yaml': template('1.33', [
      'Name: main',
      'BootstrapSelfManagedAddons: false',
      'ComputeConfig: { Enabled: true, NodePools: [general-purpose, system], NodeRoleArn: arn:aws:iam::111122223333:role/nodes }',
      'StorageConfig: { BlockStorage: { Enabled: true } }',
      'KubernetesNetworkConfig: { ElasticLoadBalancing: { Enabled: true } }',
    ]),
  },
  tasks: [
    // Its nodes go back by themselves; only add-ons are left to do.
    controlPlane('1.33', '1.34', {
      says: /from 1\.33 to 1\.34.* to 1\.33 \(add-ons that it doesn't take go back first\), unless the next step has begun\.$/,
    }),
    { step: '1.34', phase: 'nodes', level: 'note', says: /Auto Mode replaces its nodes by itself/ },
    controlPlane('1.34', '1.35', { says: /from 1\.34 to 1\.35.* go back first\)\.$/ }),
  ],
  unseen: [/Quotas/],
  never: [/Nothing in the input makes/, /Update node group/, /kube-proxy/, /no group of nodes/],
};

export const TEMPLATES: readonly KnownCluster[] = [
  AL2,
  MODULE,
  BOTTLEROCKET,
  WINDOWS,
  CUSTOM_NETWORKING,
  KARPENTER,
  OWN_AMIS,
  AUTO_MODE,
];
