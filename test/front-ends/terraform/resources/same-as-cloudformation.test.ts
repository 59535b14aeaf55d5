import type { Unknown } from '../../../../lib/eks';
import { Base64Text } from '../../../../lib/value/composed-text';
import type { TerraformInstance } from '../../../../lib/terraform/instance';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { Known } from '../../../../lib/value';
import { read } from '../../cloudformation/reading';
import { at, findingsIn, instance, ref, text, type Written } from '../../../terraform/instances';

/** A cluster with everything that nodes need; what the configurations have in common. */
const clusterRole = instance('aws_iam_role.cluster', {
  assume_role_policy: trust('eks.amazonaws.com'),
  managed_policy_arns: ['arn:aws:iam::aws:policy/AmazonEKSClusterPolicy'],
});
const cluster = instance(
  'aws_eks_cluster.main',
  {
    name: 'main',
    version: '1.33',
    role_arn: ref(clusterRole, 'arn'),
    vpc_config: [{ subnet_ids: ['subnet-1', 'subnet-2'] }],
  },
  { region: 'eu-west-1' },
);
const nodeRole = instance('aws_iam_role.nodes', { name: 'nodes', assume_role_policy: trust('ec2.amazonaws.com') });
const nodePolicies = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'].map(
  (name) =>
    instance(`aws_iam_role_policy_attachment.nodes["${name}"]`, {
      role: ref(nodeRole, 'name'),
      policy_arn: `arn:aws:iam::aws:policy/${name}`,
    }),
);
const BASE = [clusterRole, cluster, nodeRole, ...nodePolicies];

const BASE_TEMPLATE = `
  ClusterRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: [{Effect: Allow, Principal: {Service: eks.amazonaws.com}, Action: sts:AssumeRole}]}
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonEKSClusterPolicy']
  Cluster:
    Type: AWS::EKS::Cluster
    Properties: {Name: main, Version: '1.33', RoleArn: !GetAtt ClusterRole.Arn, ResourcesVpcConfig: {SubnetIds: [subnet-1, subnet-2]}}
  NodeRole:
    Type: AWS::IAM::Role
    Properties:
      RoleName: nodes
      AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: [{Effect: Allow, Principal: {Service: ec2.amazonaws.com}, Action: sts:AssumeRole}]}
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy', 'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly', 'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy']
`;

const PATH = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id';
const PARAMETER = instance('data.aws_ssm_parameter.ami', { name: PATH });

function trust(service: string): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  });
}

/** A trust policy for a service account, as `jsonencode` writes it. */
function webIdentity(provider: Unknown, issuer: Unknown): Written {
  return text(
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity","Principal":{"Federated":"',
    provider,
    '"},"Condition":{"StringEquals":{"',
    issuer,
    ':sub":"system:serviceaccount:apps:web"}}}]}',
  );
}

const nodeGroup = (attributes: { readonly [key: string]: Written }) =>
  instance('aws_eks_node_group.workers', {
    cluster_name: ref(cluster, 'name'),
    node_role_arn: ref(nodeRole, 'arn'),
    subnet_ids: ['subnet-1'],
    scaling_config: [{ min_size: 1, max_size: 3, desired_size: 2 }],
    ...attributes,
  });

const nodeGroupTemplate = (properties: string) => `
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties: {ClusterName: !Ref Cluster, NodeRole: !GetAtt NodeRole.Arn, Subnets: [subnet-1], ScalingConfig: {MinSize: 1, MaxSize: 3, DesiredSize: 2}, ${properties}}
`;

const launchTemplate = (attributes: { readonly [key: string]: Written }) =>
  instance('aws_launch_template.workers', { name: 'workers', ...attributes });
const used = (template: TerraformInstance): Written => [
  { id: ref(template, 'id'), version: ref(template, 'latest_version') },
];
const launchTemplateTemplate = (data: string) => `
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties: {LaunchTemplateName: workers, LaunchTemplateData: {${data}}}
`;
const USED = 'LaunchTemplate: {Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber}';

interface Twins {
  readonly instances: readonly TerraformInstance[];
  readonly template: string;
  /** A rule that must be among what is found, so that equal silence doesn't pass. */
  readonly rule?: string;
}

const SAFE_METADATA: Written = [{ http_tokens: 'required', http_put_response_hop_limit: 2, http_endpoint: 'enabled' }];
const SAFE_METADATA_TEMPLATE =
  'MetadataOptions: {HttpTokens: required, HttpPutResponseHopLimit: 2, HttpEndpoint: enabled}';

function twins(): Record<string, Twins> {
  const safe = launchTemplate({ metadata_options: SAFE_METADATA });
  const hop = launchTemplate({ metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: 1 }] });
  const al2 = '#!/bin/bash\n/etc/eks/bootstrap.sh main\n';
  const wrong = launchTemplate({
    metadata_options: SAFE_METADATA,
    image_id: ref(PARAMETER, 'value'),
    user_data: new Base64Text(new Known(al2, at('user_data')), at('user_data')),
  });
  const group = instance('aws_security_group.nodes', {
    description: 'nodes',
    vpc_id: 'vpc-1',
    egress: [{ cidr_blocks: ['0.0.0.0/0'] }],
  });
  const grouped = launchTemplate({ metadata_options: SAFE_METADATA, vpc_security_group_ids: [ref(group, 'id')] });
  const oidc = instance('aws_iam_openid_connect_provider.eks', {
    url: ref(cluster, 'identity[0].oidc[0].issuer'),
    client_id_list: ['sts.amazonaws.com'],
  });
  const document = instance('data.aws_iam_policy_document.cni', {
    statement: [
      {
        actions: ['sts:AssumeRoleWithWebIdentity'],
        principals: [{ type: 'Federated', identifiers: [ref(oidc, 'arn')] }],
        condition: [
          {
            test: 'StringEquals',
            variable: text(ref(oidc, 'url'), ':sub') as Unknown,
            values: ['system:serviceaccount:kube-system:*'],
          },
        ],
      },
    ],
  });
  const cniRole = instance('aws_iam_role.cni', { assume_role_policy: ref(document, 'json') });
  const cniPolicy = instance('aws_iam_role_policy_attachment.cni', {
    role: ref(cniRole, 'name'),
    policy_arn: 'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
  });
  const addon = (attributes: { readonly [key: string]: Written }) =>
    instance(
      'aws_eks_addon.cni',
      { cluster_name: ref(cluster, 'name'), addon_name: 'vpc-cni', addon_version: 'v1.19.0-eksbuild.1', ...attributes },
      { region: 'eu-west-1' },
    );
  const appRole = instance('aws_iam_role.app', { assume_role_policy: trust('pods.eks.amazonaws.com') });
  const subnet = instance('aws_subnet.pods', { cidr_block: '10.0.0.0/24', availability_zone: 'eu-west-1a' });
  return {
    'safe nodes': {
      instances: [
        safe,
        nodeGroup({ instance_types: ['m5.large'], ami_type: 'AL2023_x86_64_STANDARD', launch_template: used(safe) }),
      ],
      template:
        launchTemplateTemplate(SAFE_METADATA_TEMPLATE) +
        nodeGroupTemplate(`InstanceTypes: [m5.large], AmiType: AL2023_x86_64_STANDARD, ${USED}`),
    },
    'a hop limit of one': {
      instances: [
        hop,
        nodeGroup({ instance_types: ['m5.large'], ami_type: 'AL2023_x86_64_STANDARD', launch_template: used(hop) }),
      ],
      template:
        launchTemplateTemplate('MetadataOptions: {HttpTokens: required, HttpPutResponseHopLimit: 1}') +
        nodeGroupTemplate(`InstanceTypes: [m5.large], AmiType: AL2023_x86_64_STANDARD, ${USED}`),
      rule: 'imds-hop-limit',
    },
    'nodes of another architecture, updated by force': {
      instances: [
        nodeGroup({ instance_types: ['m7g.large'], ami_type: 'AL2023_x86_64_STANDARD', force_update_version: true }),
      ],
      template: nodeGroupTemplate(
        'InstanceTypes: [m7g.large], AmiType: AL2023_x86_64_STANDARD, ForceUpdateEnabled: true',
      ),
      rule: 'node-group-force-update',
    },
    'a version that floats, labels that the kubelet refuses': {
      instances: [
        safe,
        nodeGroup({
          launch_template: [{ name: 'workers', version: '$Latest' }],
          labels: { 'node-role.kubernetes.io/worker': 'true' },
        }),
      ],
      template:
        launchTemplateTemplate(SAFE_METADATA_TEMPLATE) +
        nodeGroupTemplate(
          "LaunchTemplate: {Name: workers, Version: '$Latest'}, Labels: {node-role.kubernetes.io/worker: 'true'}",
        ),
      rule: 'launch-template-version',
    },
    'the bootstrap of another family': {
      instances: [PARAMETER, wrong, nodeGroup({ instance_types: ['m5.large'], launch_template: used(wrong) })],
      template:
        launchTemplateTemplate(
          `${SAFE_METADATA_TEMPLATE}, ImageId: '{{resolve:ssm:${PATH}}}', UserData: {Fn::Base64: "#!/bin/bash\\n/etc/eks/bootstrap.sh main\\n"}`,
        ) + nodeGroupTemplate(`InstanceTypes: [m5.large], ${USED}`),
      rule: 'user-data-ami-family',
    },
    'a security group that nothing links to the cluster': {
      instances: [group, grouped, nodeGroup({ instance_types: ['m5.large'], launch_template: used(grouped) })],
      template: `
  Group: {Type: AWS::EC2::SecurityGroup, Properties: {GroupDescription: nodes, VpcId: vpc-1, SecurityGroupEgress: [{IpProtocol: '-1', CidrIp: 0.0.0.0/0}]}}
${launchTemplateTemplate(`${SAFE_METADATA_TEMPLATE}, SecurityGroupIds: [!GetAtt Group.GroupId]`)}${nodeGroupTemplate(`InstanceTypes: [m5.large], ${USED}`)}`,
      rule: 'launch-template-security-groups',
    },
    'the CNI with a role that any account may assume': {
      instances: [
        oidc,
        document,
        cniRole,
        cniPolicy,
        addon({
          service_account_role_arn: ref(cniRole, 'arn'),
          resolve_conflicts_on_create: 'OVERWRITE',
          resolve_conflicts_on_update: 'OVERWRITE',
          configuration_values: '{"env":{"WARM_IP_TARGT":"2"}}',
        }),
      ],
      template: `
  Oidc: {Type: AWS::IAM::OIDCProvider, Properties: {Url: !GetAtt Cluster.OpenIdConnectIssuerUrl, ClientIdList: [sts.amazonaws.com]}}
  CniRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: !Sub '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity","Principal":{"Federated":"\${Oidc.Arn}"},"Condition":{"StringEquals":{"\${Oidc}:sub":"system:serviceaccount:kube-system:*"}}}]}'
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy']
  Cni:
    Type: AWS::EKS::Addon
    Properties: {ClusterName: !Ref Cluster, AddonName: vpc-cni, AddonVersion: v1.19.0-eksbuild.1, ServiceAccountRoleArn: !GetAtt CniRole.Arn, ResolveConflicts: OVERWRITE, ConfigurationValues: '{"env":{"WARM_IP_TARGT":"2"}}'}
`,
      rule: 'irsa-trust-policy',
    },
    'a trust policy with the scheme in its key': {
      instances: [
        oidc,
        instance('aws_iam_role.app', {
          assume_role_policy: webIdentity(ref(oidc, 'arn'), ref(cluster, 'identity[0].oidc[0].issuer')),
        }),
      ],
      template: `
  Oidc: {Type: AWS::IAM::OIDCProvider, Properties: {Url: !GetAtt Cluster.OpenIdConnectIssuerUrl, ClientIdList: [sts.amazonaws.com]}}
  AppRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: !Sub '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity","Principal":{"Federated":"\${Oidc.Arn}"},"Condition":{"StringEquals":{"\${Cluster.OpenIdConnectIssuerUrl}:sub":"system:serviceaccount:apps:web"}}}]}'
`,
      rule: 'irsa-trust-policy fail',
    },
    'a trust policy for the URL of the issuer': {
      instances: [
        instance('aws_iam_role.app', {
          assume_role_policy: webIdentity(
            text('arn:aws:iam::111122223333:oidc-provider/', ref(cluster, 'identity[0].oidc[0].issuer')) as Unknown,
            ref(cluster, 'identity[0].oidc[0].issuer'),
          ),
        }),
      ],
      template: `
  AppRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: !Sub '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity","Principal":{"Federated":"arn:aws:iam::111122223333:oidc-provider/\${Cluster.OpenIdConnectIssuerUrl}"},"Condition":{"StringEquals":{"\${Cluster.OpenIdConnectIssuerUrl}:sub":"system:serviceaccount:apps:web"}}}]}'
`,
      rule: 'irsa-trust-policy fail',
    },
    'Pod Identity without its agent': {
      instances: [
        appRole,
        instance('aws_eks_pod_identity_association.app', {
          cluster_name: ref(cluster, 'name'),
          namespace: 'apps',
          service_account: 'web',
          role_arn: ref(appRole, 'arn'),
        }),
        nodeGroup({ instance_types: ['m5.large'] }),
      ],
      template: `
  AppRole: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {Service: pods.eks.amazonaws.com}, Action: sts:AssumeRole}]}}}
  App: {Type: AWS::EKS::PodIdentityAssociation, Properties: {ClusterName: !Ref Cluster, Namespace: apps, ServiceAccount: web, RoleArn: !GetAtt AppRole.Arn}}
${nodeGroupTemplate('InstanceTypes: [m5.large]')}`,
      rule: 'pod-identity-agent',
    },
    'an ENIConfig of another zone than its subnet': {
      instances: [
        subnet,
        addon({
          resolve_conflicts_on_update: 'PRESERVE',
          resolve_conflicts_on_create: 'PRESERVE',
          configuration_values:
            '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"topology.kubernetes.io/zone"}}',
        }),
        instance(
          'kubernetes_manifest.eni',
          {
            manifest: {
              apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
              kind: 'ENIConfig',
              metadata: { name: 'eu-west-1b' },
              spec: { subnet: ref(subnet, 'id'), securityGroups: ['sg-1'] },
            },
          },
          { region: 'eu-west-1' },
        ),
      ],
      template: `
  Subnet: {Type: AWS::EC2::Subnet, Properties: {VpcId: vpc-1, CidrBlock: 10.0.0.0/24, AvailabilityZone: eu-west-1a}}
  Cni: {Type: AWS::EKS::Addon, Properties: {ClusterName: !Ref Cluster, AddonName: vpc-cni, AddonVersion: v1.19.0-eksbuild.1, ResolveConflicts: PRESERVE, ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"topology.kubernetes.io/zone"}}'}}
  Eni:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties:
      ClusterName: !Ref Cluster
      Manifest: !Sub '[{"apiVersion":"crd.k8s.amazonaws.com/v1alpha1","kind":"ENIConfig","metadata":{"name":"eu-west-1b"},"spec":{"subnet":"\${Subnet}","securityGroups":["sg-1"]}}]'
`,
      rule: 'custom-networking-eni-config',
    },
  };
}

describe('the rules find in Terraform what they find in CloudFormation', () => {
  it.each(Object.entries(twins()))('%s', (_, { instances, template, rule }) => {
    const ours = findingsIn(readInstances([...BASE, ...instances]));
    const result = read(`Resources:\n${BASE_TEMPLATE}${template}`, { region: 'eu-west-1' });
    expect(result.diagnostics).toEqual([]);
    expect(ours).toEqual(findingsIn(result.resources));
    if (rule !== undefined) expect(ours.join('\n')).toContain(rule);
  });
});
