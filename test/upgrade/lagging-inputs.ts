import { controlPlane, type KnownCluster } from './cluster-templates';

/* Nodes that are older than their cluster, and those whose user data is written by somebody else. */

const TEMPLATE = `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Name: shop
      Version: '1.32'
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Proxy:
    Type: AWS::EKS::Addon
    Properties: { ClusterName: !Ref Cluster, AddonName: kube-proxy, AddonVersion: v1.32.0-eksbuild.2 }
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Cluster
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      AmiType: AL2023_x86_64_STANDARD
      Version: '1.31'
      ForceUpdateEnabled: true
`;

const BEHIND: KnownCluster = {
  title: 'a group of nodes that is a version behind its cluster',
  to: '1.34',
  asOf: '2026-11-20',
  files: { 'template.yaml': TEMPLATE },
  tasks: [
    { step: 'before', phase: 'before', level: 'should', says: /^Node group "Workers" updates with force/ },
    { step: 'before', phase: 'before', level: 'note', says: /nodes of 1\.31 work with control planes up to 1\.34\.$/ },
    controlPlane('1.32', '1.33'),
    { step: '1.33', phase: 'add-ons', level: 'should', says: /^Update add-on Proxy .* to v1\.33\./ },
    {
      step: '1.33',
      phase: 'nodes',
      level: 'should',
      says: /^Update node group "Workers" to 1\.33\. The version there says 1\.31: write 1\.33\.$/,
      at: "Version: '1.31'",
    },
    controlPlane('1.33', '1.34'),
    { step: '1.34', phase: 'add-ons', level: 'should', says: /^Update add-on Proxy .* to v1\.34\./ },
    { step: '1.34', phase: 'nodes', level: 'should', says: /The version there says 1\.33: write 1\.34\.$/ },
  ],
  unseen: [],
  never: [/says 1\.32/],
};

const CONFIG = `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-west-1, version: "1.32" }
addons:
  - { name: vpc-cni, version: v1.20.4-eksbuild.1, resolveConflicts: preserve }
  - { name: kube-proxy, version: v1.32.0-eksbuild.2 }
  - { name: coredns, version: v1.11.4-eksbuild.2 }
nodeGroups:
  - name: old
    amiFamily: AmazonLinux2
    instanceType: m5.large
`;

const WRITTEN_BY_EKSCTL: KnownCluster = {
  title: 'nodes of Amazon Linux 2 whose user data eksctl writes',
  to: '1.33',
  asOf: '2026-11-20',
  files: { 'cluster.yaml': CONFIG },
  tasks: [
    {
      step: 'before',
      phase: 'before',
      level: 'should',
      says: /^Node group "old" takes an Amazon Linux 2 AMI of EKS/,
      does: /amiFamily: AmazonLinux2023/,
    },
    controlPlane('1.32', '1.33'),
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /^Node group "old" takes the Amazon Linux 2 AMI of EKS for Kubernetes 1\.33/,
    },
  ],
  unseen: [],
  never: [/reads a NodeConfig\. This is what the call/],
};

/** With user data of one's own there is a call to be translated. */
const WRITTEN_IN_FILE: KnownCluster = {
  ...WRITTEN_BY_EKSCTL,
  title: 'nodes of Amazon Linux 2 of eksctl with a bootstrap of their own',
  files: {
    'cluster.yaml': `${CONFIG}    overrideBootstrapCommand: |\n      #!/bin/bash\n      /etc/eks/bootstrap.sh shop --kubelet-extra-args '--max-pods=20'\n`,
  },
  tasks: [
    ...WRITTEN_BY_EKSCTL.tasks,
    {
      step: '1.33',
      phase: 'nodes',
      level: 'must',
      says: /reads a NodeConfig\. This is what the call/,
      does: /maxPods: 20/,
    },
  ],
  never: [],
};

export const LAGGING_INPUTS: readonly KnownCluster[] = [BEHIND, WRITTEN_BY_EKSCTL, WRITTEN_IN_FILE];
