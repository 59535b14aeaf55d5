import { launchTemplateSecurityGroups } from '../../../lib/rules/launch-template/launch-template-security-groups';
import { config, selfManaged } from '../../front-ends/eksctl/configs';
import {
  block,
  cluster,
  CLUSTER,
  launchTemplate,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';

const IMDS = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const WORKERS = nodeGroup(USES_NODES);
const OWN = launchTemplate(IMDS, 'SecurityGroupIds: [!GetAtt NodeGroup.GroupId]');
const WITH_CLUSTER = launchTemplate(
  IMDS,
  'SecurityGroupIds: [!GetAtt NodeGroup.GroupId, !GetAtt Cluster.ClusterSecurityGroupId]',
);
const INTERFACE = launchTemplate(IMDS, 'NetworkInterfaces: [{ DeviceIndex: 0, Groups: [!GetAtt NodeGroup.GroupId] }]');

function group(id: string, ...properties: readonly string[]): string {
  return block(id, 'AWS::EC2::SecurityGroup', ['GroupDescription: a group', ...properties]);
}

/** What every group of CDK has. */
const ANYWHERE = "SecurityGroupEgress: [{ CidrIp: 0.0.0.0/0, IpProtocol: '-1' }]";
const NODE_GROUP = group('NodeGroup', ANYWHERE);

function rule(id: string, direction: 'Ingress' | 'Egress', groupId: string, peer: string): string {
  return block(id, `AWS::EC2::SecurityGroup${direction}`, [`GroupId: ${groupId}`, "IpProtocol: '-1'", peer]);
}

const FROM_ITSELF = rule(
  'Itself',
  'Ingress',
  '!GetAtt NodeGroup.GroupId',
  'SourceSecurityGroupId: !GetAtt NodeGroup.GroupId',
);
const TO_CLUSTER = rule(
  'ToCluster',
  'Ingress',
  '!GetAtt Cluster.ClusterSecurityGroupId',
  'SourceSecurityGroupId: !GetAtt NodeGroup.GroupId',
);
const FROM_CLUSTER = rule(
  'FromCluster',
  'Ingress',
  '!GetAtt NodeGroup.GroupId',
  'SourceSecurityGroupId: !GetAtt Cluster.ClusterSecurityGroupId',
);

const CDK_CLUSTER = block('Cluster', 'Custom::AWSCDK-EKS-Cluster', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:provider',
  "Config: { name: main, version: '1.33', roleArn: 'arn:aws:iam::111122223333:role/cluster' }",
]);

/** A cluster whose control plane is given these groups, besides the one that EKS makes. */
const given = (groups: string): string =>
  cluster("Version: '1.33'", `ResourcesVpcConfig: { SubnetIds: [subnet-1], SecurityGroupIds: ${groups} }`);
const SHARED = given('[!GetAtt NodeGroup.GroupId]');
const SEPARATE = given('[!Ref ControlPlane]');
const CDK_SHARED = CDK_CLUSTER.replace(
  "cluster' }",
  "cluster', resourcesVpcConfig: { subnetIds: [subnet-1], securityGroupIds: [!GetAtt NodeGroup.GroupId] } }",
);
const KUBELET = rule('Kubelet', 'Ingress', '!Ref NodeGroup', 'SourceSecurityGroupId: !Ref ControlPlane');

testRule(launchTemplateSecurityGroups, {
  valid: [
    { name: 'the cluster security group in the list', template: resources(CLUSTER, WORKERS, WITH_CLUSTER, NODE_GROUP) },
    {
      name: 'the same with the cluster of CDK, which is a custom resource',
      template: resources(CDK_CLUSTER, WORKERS, WITH_CLUSTER, NODE_GROUP),
    },
    {
      name: 'the cluster security group beside one that is imported',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [sg-0abc, !GetAtt Cluster.ClusterSecurityGroupId]'),
      ),
    },
    {
      name: 'the cluster security group of the network interface',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(
          IMDS,
          'NetworkInterfaces: [{ DeviceIndex: 0, Groups: [!GetAtt Cluster.ClusterSecurityGroupId] }]',
        ),
      ),
    },
    {
      name: 'a rule of the cluster security group lets the nodes in',
      template: resources(CLUSTER, WORKERS, OWN, NODE_GROUP, TO_CLUSTER),
    },
    {
      name: 'a separate rule lets the control plane in',
      template: resources(CLUSTER, WORKERS, OWN, NODE_GROUP, FROM_CLUSTER),
    },
    {
      name: 'a rule of the group itself lets the control plane in',
      template: resources(
        CLUSTER,
        WORKERS,
        OWN,
        group(
          'NodeGroup',
          'SecurityGroupIngress: [{ IpProtocol: tcp, FromPort: 10250, ToPort: 10250, SourceSecurityGroupId: !GetAtt Cluster.ClusterSecurityGroupId }]',
        ),
      ),
    },
    {
      name: 'a rule of the second of two groups',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref Other, !Ref NodeGroup]'),
        NODE_GROUP,
        group('Other'),
        FROM_CLUSTER,
      ),
    },
    {
      name: 'a group that the control plane has too, and that lets in what is in it',
      template: resources(SHARED, WORKERS, OWN, NODE_GROUP, FROM_ITSELF),
    },
    {
      name: 'the same with the cluster of CDK, and !Ref for the group',
      template: resources(
        CDK_SHARED,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref NodeGroup]'),
        NODE_GROUP,
        FROM_ITSELF,
      ),
    },
    {
      name: 'the group of the control plane beside one of its own',
      template: resources(
        SHARED,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref Other, !Ref NodeGroup]'),
        NODE_GROUP,
        group('Other'),
        FROM_ITSELF,
      ),
    },
    {
      name: 'a rule of another group for the one that the control plane has too',
      template: resources(
        SHARED,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref Other, !Ref NodeGroup]'),
        NODE_GROUP,
        group('Other'),
        rule('Between', 'Ingress', '!Ref Other', 'SourceSecurityGroupId: !Ref NodeGroup'),
      ),
    },
    {
      name: 'a rule for a group of the control plane',
      template: resources(SEPARATE, WORKERS, OWN, NODE_GROUP, group('ControlPlane'), KUBELET),
    },
    {
      name: 'a separate rule of a group of the control plane',
      template: resources(
        SEPARATE,
        WORKERS,
        OWN,
        NODE_GROUP,
        group('ControlPlane'),
        rule('Api', 'Ingress', '!Ref ControlPlane', 'SourceSecurityGroupId: !Ref NodeGroup'),
      ),
    },
    {
      name: 'a rule within a group of the control plane',
      template: resources(
        SEPARATE,
        WORKERS,
        OWN,
        NODE_GROUP,
        group(
          'ControlPlane',
          'SecurityGroupIngress: [{ IpProtocol: tcp, FromPort: 443, ToPort: 443, SourceSecurityGroupId: !GetAtt NodeGroup.GroupId }]',
        ),
      ),
    },
    {
      name: 'a rule for a group of the control plane by its id',
      template: resources(
        given('[sg-0abc]'),
        WORKERS,
        OWN,
        NODE_GROUP,
        rule('Kubelet', 'Ingress', '!Ref NodeGroup', 'SourceSecurityGroupId: sg-0abc'),
      ),
    },
    {
      name: 'a rule for a group of the control plane by the same parameter',
      template: template(
        'Parameters:\n  Shared: { Type: String }',
        given('[!Ref Shared]'),
        WORKERS,
        OWN,
        NODE_GROUP,
        rule('Kubelet', 'Ingress', '!Ref NodeGroup', 'SourceSecurityGroupId: !Ref Shared'),
      ),
    },
    {
      name: 'a group of the control plane where there is the node group',
      template: template(
        PRODUCTION,
        given('[!If [IsProduction, !Ref NodeGroup, !Ref Other]]'),
        onCondition('IsProduction', WORKERS),
        OWN,
        NODE_GROUP,
        group('Other'),
        FROM_ITSELF,
      ),
    },
    {
      name: 'a template without groups',
      template: resources(CLUSTER, WORKERS, launchTemplate(IMDS, 'KeyName: admin')),
    },
    {
      name: 'an empty list',
      template: resources(CLUSTER, WORKERS, launchTemplate(IMDS, 'SecurityGroupIds: [!Ref AWS::NoValue]')),
    },
    {
      name: 'a link that exists whenever the group does',
      template: template(
        PRODUCTION,
        CLUSTER,
        onCondition('IsProduction', WORKERS),
        OWN,
        NODE_GROUP,
        onCondition('IsProduction', FROM_CLUSTER),
      ),
    },
  ],
  invalid: [
    {
      name: 'nodes of eksctl that share no group with others',
      template: config(selfManaged('securityGroups: {withShared: false}')),
      findings: [
        {
          message: 'apart',
          severity: 'warning',
          resource: 'workers',
          at: 'withShared: false',
          says: ['CoreDNS'],
        },
      ],
    },
    {
      name: 'a group that the control plane has too, and that lets nothing in',
      template: resources(SHARED, WORKERS, OWN, NODE_GROUP),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds: [!GetAtt NodeGroup.GroupId]\n',
          related: ['LaunchTemplate:', 'NodeGroup:'],
          says: ['security group "NodeGroup"'],
          omits: ['of its own'],
        },
      ],
      fixed: resources(SHARED, WORKERS, OWN, NODE_GROUP, FROM_ITSELF),
    },
    {
      name: 'a group of the control plane that has nothing to do with it',
      template: resources(SEPARATE, WORKERS, OWN, NODE_GROUP, group('ControlPlane'), FROM_ITSELF),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds: [!GetAtt NodeGroup.GroupId]',
        },
      ],
      fixed: resources(SEPARATE, WORKERS, OWN, NODE_GROUP, group('ControlPlane'), FROM_ITSELF, KUBELET),
    },
    {
      name: 'a group of the control plane under a condition',
      template: template(
        PRODUCTION,
        given('[!If [IsProduction, !Ref NodeGroup, !Ref Other]]'),
        WORKERS,
        OWN,
        NODE_GROUP,
        group('Other'),
        FROM_ITSELF,
      ),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds: [!GetAtt NodeGroup.GroupId]',
          says: ['This happens when condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'a group of its own without rules',
      template: resources(CLUSTER, WORKERS, OWN, NODE_GROUP),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds',
          says: ['Launch template "Nodes" of node group "Workers"', 'security group "NodeGroup" of its own'],
        },
      ],
      fixed: resources(CLUSTER, WORKERS, WITH_CLUSTER, NODE_GROUP),
    },
    {
      name: 'the same with the cluster of CDK',
      template: resources(CDK_CLUSTER, WORKERS, OWN, NODE_GROUP),
      findings: [{ message: 'unlinked', severity: 'warning', resource: 'Nodes', at: 'SecurityGroupIds' }],
    },
    {
      name: 'rules of two groups among themselves link nothing',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref NodeGroup, !Ref Other]'),
        NODE_GROUP,
        group('Other'),
        FROM_ITSELF,
        rule('Between', 'Ingress', '!Ref Other', 'SourceSecurityGroupId: !Ref NodeGroup'),
      ),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds',
          related: ['LaunchTemplate:', 'NodeGroup:', 'Other:'],
          says: ['security groups "NodeGroup" and "Other"'],
        },
      ],
    },
    {
      name: 'a group of its own in the network interface',
      template: resources(CLUSTER, WORKERS, INTERFACE, NODE_GROUP),
      findings: [{ message: 'unlinked', severity: 'warning', resource: 'Nodes', at: 'Groups' }],
      fixed: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(
          IMDS,
          'NetworkInterfaces: [{ DeviceIndex: 0, Groups: [!GetAtt NodeGroup.GroupId, !GetAtt Cluster.ClusterSecurityGroupId] }]',
        ),
        NODE_GROUP,
      ),
    },
    {
      name: 'two groups of one template are one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        OWN,
        NODE_GROUP,
      ),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds',
          related: ['LaunchTemplate:', 'LaunchTemplate:', 'NodeGroup:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'one branch of a condition is named',
      template: template(
        PRODUCTION,
        CLUSTER,
        WORKERS,
        launchTemplate(
          IMDS,
          'SecurityGroupIds: [!Ref NodeGroup, !If [IsProduction, !GetAtt Cluster.ClusterSecurityGroupId, !Ref AWS::NoValue]]',
        ),
        NODE_GROUP,
      ),
      findings: [
        {
          message: 'unlinked',
          severity: 'warning',
          resource: 'Nodes',
          at: 'SecurityGroupIds',
          says: ['This happens when condition IsProduction is false'],
        },
      ],
    },
    {
      name: 'groups on both levels, even of a known cluster',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(
          IMDS,
          'SecurityGroupIds: [!GetAtt Cluster.ClusterSecurityGroupId]',
          'NetworkInterfaces: [{ DeviceIndex: 0, Groups: [sg-0abc] }, { DeviceIndex: 1, Groups: [sg-0abc] }]',
        ),
      ),
      findings: [
        {
          message: 'both',
          severity: 'error',
          resource: 'Nodes',
          at: 'SecurityGroupIds',
          related: ['LaunchTemplate:', 'Groups: [sg-0abc] }, { DeviceIndex: 1, G'],
          says: ['network interface'],
        },
      ],
      fixed: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(
          IMDS,
          'NetworkInterfaces: [{ DeviceIndex: 0, Groups: [sg-0abc, !GetAtt Cluster.ClusterSecurityGroupId] }]',
        ),
      ),
    },
  ],
  unverifiable: [
    {
      name: 'a group by id',
      template: resources(CLUSTER, WORKERS, launchTemplate(IMDS, 'SecurityGroupIds: [sg-0abc]')),
      resources: ['Nodes'],
      because: 'sg-0abc',
    },
    {
      name: 'a group of the input beside one that is imported',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!Ref NodeGroup, !ImportValue shared-group]'),
        NODE_GROUP,
      ),
      resources: ['Nodes'],
      because: 'shared-group',
    },
    {
      name: 'a list from a parameter',
      template: template(
        'Parameters:\n  Groups: { Type: CommaDelimitedList }',
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: !Ref Groups'),
      ),
      resources: ['Nodes'],
      because: 'Groups',
    },
    {
      name: 'a cluster that the input does not hold',
      template: resources(namedNodeGroup('Workers', USES_NODES).replace('!Ref Cluster', 'main'), OWN, NODE_GROUP),
      resources: ['Nodes'],
      because: 'main',
    },
    {
      name: 'a rule for a group of which is not known what it is for',
      template: resources(
        CLUSTER,
        WORKERS,
        OWN,
        NODE_GROUP,
        group('ControlPlane'),
        rule('Kubelet', 'Ingress', '!Ref NodeGroup', 'SourceSecurityGroupId: !Ref ControlPlane'),
      ),
      resources: ['Nodes'],
      because: '"ControlPlane"',
    },
    {
      name: 'a group that lets the nodes in by a rule of its own',
      template: resources(
        CLUSTER,
        WORKERS,
        OWN,
        NODE_GROUP,
        group(
          'ControlPlane',
          'SecurityGroupIngress: [{ IpProtocol: tcp, FromPort: 443, ToPort: 443, SourceSecurityGroupId: !GetAtt NodeGroup.GroupId }]',
        ),
      ),
      resources: ['Nodes'],
      because: '"ControlPlane"',
    },
    {
      name: 'groups of the control plane from a parameter, and a rule of its own group for itself',
      template: template(
        'Parameters:\n  Groups: { Type: CommaDelimitedList }',
        given('!Ref Groups'),
        WORKERS,
        OWN,
        NODE_GROUP,
        FROM_ITSELF,
      ),
      resources: ['Nodes'],
      because: 'Groups',
    },
    {
      name: 'a group of the control plane from a parameter, and a rule of its own group for itself',
      template: template(
        'Parameters:\n  Shared: { Type: String }',
        given('[!Ref Shared]'),
        WORKERS,
        OWN,
        NODE_GROUP,
        FROM_ITSELF,
      ),
      resources: ['Nodes'],
      because: 'Shared',
    },
    {
      name: 'a group of the control plane, given by its id',
      template: resources(given('[sg-0abc]'), WORKERS, launchTemplate(IMDS, 'SecurityGroupIds: [sg-0abc]')),
      resources: ['Nodes'],
      because: 'sg-0abc',
    },
    {
      name: 'a rule for the group of the control plane under a condition',
      template: template(
        PRODUCTION,
        SEPARATE,
        WORKERS,
        OWN,
        NODE_GROUP,
        group('ControlPlane'),
        onCondition('IsProduction', KUBELET),
      ),
      resources: ['Nodes'],
      because: 'under a condition',
    },
    {
      name: 'a rule for an address range',
      template: resources(
        CLUSTER,
        WORKERS,
        OWN,
        group('NodeGroup', "SecurityGroupIngress: [{ IpProtocol: '-1', CidrIp: 10.0.0.0/16 }]"),
      ),
      resources: ['Nodes'],
      because: '10.0.0.0/16',
    },
    {
      name: 'a link under a condition',
      template: template(PRODUCTION, CLUSTER, WORKERS, OWN, NODE_GROUP, onCondition('IsProduction', FROM_CLUSTER)),
      resources: ['Nodes'],
      because: 'under a condition',
    },
    {
      name: 'a network interface without groups',
      template: resources(
        CLUSTER,
        WORKERS,
        launchTemplate(IMDS, 'NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: false }]'),
      ),
      resources: ['Nodes'],
      because: 'without security groups',
    },
    {
      name: 'the security group of another cluster',
      template: resources(
        CLUSTER,
        CLUSTER.replace('Cluster:', 'Second:'),
        WORKERS,
        launchTemplate(IMDS, 'SecurityGroupIds: [!GetAtt Second.ClusterSecurityGroupId]'),
      ),
      resources: ['Nodes'],
      because: 'Second',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: { Id: lt-0abc }')),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup()) },
    { name: 'a template that no managed group uses', template: resources(CLUSTER, OWN, NODE_GROUP) },
    {
      name: 'a template that only a self-managed group uses',
      template: resources(
        CLUSTER,
        OWN,
        NODE_GROUP,
        block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '2'",
          "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
          'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
        ]),
      ),
    },
  ],
});
