import { ebsCsiRoleMissing } from '../../../lib/rules/iam/ebs-csi-role-missing';
import { testRule } from '../rule-tester';
import { CNI, cniTemplate, ECR, inline, WORKER, type CniTemplate } from './cni-templates';

const NODES = [WORKER, ECR, CNI];
const EBS = '!Sub arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy';

/** @param driver further properties of the add-on, one line each */
function driverTemplate(driver: readonly string[] = [], options: CniTemplate = {}, more = ''): string {
  return [
    cniTemplate({ nodeRole: NODES, ...options }).trimEnd(),
    '  Driver:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    `      ClusterName: ${options.cluster ?? '!Ref Cluster'}`,
    '      AddonName: aws-ebs-csi-driver',
    ...driver.map((line) => `      ${line}`),
    more,
  ].join('\n');
}

const association = (account: string) =>
  [
    '  OfPods:',
    '    Type: AWS::EKS::PodIdentityAssociation',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    '      Namespace: kube-system',
    `      ServiceAccount: ${account}`,
    '      RoleArn: arn:aws:iam::111122223333:role/ebs',
    '',
  ].join('\n');

const AGENT =
  '  Agent:\n    Type: AWS::EKS::Addon\n    Properties: { ClusterName: !Ref Cluster, AddonName: eks-pod-identity-agent }\n';

const TRUSTING = [
  '  DriverRole:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  "        Version: '2012-10-17'",
  '        Statement:',
  '          - Effect: Allow',
  '            Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC }',
  '            Action: sts:AssumeRoleWithWebIdentity',
  '            Condition:',
  '              StringEquals:',
  '                oidc.eks.eu-west-1.amazonaws.com/id/ABC:sub: system:serviceaccount:kube-system:ebs-csi-controller-sa',
  '',
].join('\n');

const NODE_CLASS = [
  '  Class:',
  '    Type: Custom::AWSCDK-EKS-KubernetesResource',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: !Ref Cluster',
  `      Manifest: '[{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"default"},"spec":{"role":"nodes"}}]'`,
  '',
].join('\n');

const PROVIDER = [
  '  Provider:',
  '    Type: AWS::IAM::OIDCProvider',
  '    Properties:',
  '      Url: !GetAtt Second.OpenIdConnectIssuerUrl',
  '      ClientIdList: [sts.amazonaws.com]',
  '',
].join('\n');

const SECOND_GROUP = [
  '  Others:',
  '    Type: AWS::EKS::Nodegroup',
  '    Properties:',
  '      ClusterName: !Ref Cluster',
  '      NodeRole: !GetAtt OtherRole.Arn',
  '      Subnets: [subnet-1]',
  '  OtherRole:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  "        Version: '2012-10-17'",
  '        Statement: [{ Effect: Allow, Principal: { Service: ec2.amazonaws.com }, Action: sts:AssumeRole }]',
].join('\n');

const PARAMETER = [
  'Parameters:',
  '  Own:',
  '    Type: String',
  'Conditions:',
  "  HasOwn: !Equals [!Ref Own, 'true']",
].join('\n');

/** The cluster of the driver and a second one, whose driver has a role. */
const SECOND_CLUSTER = [
  '  Second:',
  '    Type: AWS::EKS::Cluster',
  '    Properties:',
  '      RoleArn: arn:aws:iam::111122223333:role/cluster',
  '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
].join('\n');

const secondDriver = (role: string) =>
  [
    SECOND_CLUSTER,
    '  SecondDriver:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    '      ClusterName: !Ref Second',
    '      AddonName: aws-ebs-csi-driver',
    `      ServiceAccountRoleArn: ${role}`,
    '',
  ].join('\n');

const ofNameless = (account: string) => association(account).replace('!Ref Cluster', '!Ref Which');
const WHICH = 'Parameters:\n  Which:\n    Type: String';

const FOUND = { message: 'missing', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n' } as const;

testRule(ebsCsiRoleMissing, {
  valid: [
    { name: 'the node role may do it', template: driverTemplate([], { nodeRole: [...NODES, EBS] }) },
    {
      name: 'the node role may do it by a policy of its own',
      template: driverTemplate([], { nodeRole: [...NODES, inline(['ec2:*Volume', 'ec2:Describe*'])] }),
    },
    {
      name: 'nodes of one group may do it, on which the driver may be told to run',
      template: driverTemplate([], {}, `${SECOND_GROUP}\n      ManagedPolicyArns:\n        - ${EBS}\n`),
    },
    {
      name: 'the add-on has a service account role',
      template: driverTemplate(['ServiceAccountRoleArn: arn:aws:iam::111122223333:role/ebs']),
    },
    {
      name: 'the add-on has a Pod Identity association',
      template: driverTemplate([
        'PodIdentityAssociations: [{ ServiceAccount: ebs-csi-controller-sa, RoleArn: arn:aws:iam::111122223333:role/ebs }]',
      ]),
    },
    {
      name: 'an association is for the service account in the namespace of the add-on',
      template: driverTemplate(
        ['NamespaceConfig: { Namespace: storage }'],
        {},
        association('ebs-csi-controller-sa').replace('kube-system', 'storage') + AGENT,
      ),
    },
    {
      name: 'an association on its own is for the service account',
      template: driverTemplate([], {}, association('ebs-csi-controller-sa')),
    },
  ],
  invalid: [
    {
      name: 'neither the add-on nor the nodes have a role with the permission',
      template: driverTemplate(),
      fixed: driverTemplate([], { nodeRole: [...NODES, EBS] }),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['Driver:', 'Nodes:'],
          says: ['Add-on Driver', 'node role NodeRole', 'claims for one stay Pending'],
          advises: 'AmazonEBSCSIDriverPolicy',
        },
      ],
    },
    {
      name: 'an association for the pods on the nodes is none for those that make volumes',
      template: driverTemplate([], {}, association('ebs-csi-node-sa') + AGENT),
      findings: [{ message: 'missing', severity: 'warning', resource: 'NodeRole', at: 'NodeRole:\n' }],
    },
    {
      name: 'the other roles of nodes are named, too',
      template: driverTemplate(
        [],
        {},
        `${SECOND_GROUP}\n      ManagedPolicyArns:\n        - ${WORKER}\n        - ${ECR}\n        - ${CNI}\n`,
      ),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['Driver:', 'Nodes:', 'Others:'],
          says: ['nor may OtherRole'],
        },
      ],
    },
    {
      name: 'the driver of another cluster has a role',
      template: driverTemplate([], {}, secondDriver('!GetAtt DriverRole.Arn') + TRUSTING),
      findings: [FOUND],
    },
    {
      name: 'an association is for the driver of another cluster',
      template: driverTemplate(
        [],
        {},
        `${SECOND_CLUSTER}\n${association('ebs-csi-controller-sa').replace('!Ref Cluster', '!Ref Second')}`,
      ),
      findings: [FOUND],
    },
    {
      name: 'a role trusts the service account of another cluster',
      template: driverTemplate(
        [],
        {},
        `${SECOND_CLUSTER}\n${TRUSTING.replace(/Federated: \S+/, 'Federated: !GetAtt Provider.Arn')}${PROVIDER}`,
      ),
      findings: [FOUND],
    },
    {
      name: 'an association in another namespace',
      template: driverTemplate([], {}, association('ebs-csi-controller-sa').replace('kube-system', 'storage') + AGENT),
      findings: [FOUND],
    },
    {
      name: 'one branch of a condition has no role',
      template: driverTemplate(
        ["ServiceAccountRoleArn: !If [HasOwn, 'arn:aws:iam::111122223333:role/ebs', !Ref AWS::NoValue]"],
        { head: PARAMETER },
      ),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['This happens when', 'HasOwn is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a role trusts the service account, and kubectl may annotate it',
      template: driverTemplate([], {}, TRUSTING),
      resources: ['Driver'],
      because: 'role DriverRole trusts its service account',
    },
    {
      name: 'a role trusts the service account beside two clusters, of which it may be for either',
      template: driverTemplate([], {}, `${SECOND_CLUSTER}\n${TRUSTING}`),
      resources: ['Driver'],
      because: 'role DriverRole trusts its service account',
    },
    {
      name: 'an association is for a cluster that is not known',
      template: driverTemplate([], { head: WHICH }, SECOND_CLUSTER + '\n' + ofNameless('ebs-csi-controller-sa')),
      resources: ['Driver'],
      because: 'whether OfPods is of the same cluster',
    },
    {
      name: 'an association for a service account that is not known',
      template: driverTemplate([], { head: 'Parameters:\n  Account:\n    Type: String' }, association('!Ref Account')),
      resources: ['Driver'],
      because: 'OfPods may be for its service account',
    },
    {
      name: 'pods may run on nodes of Karpenter',
      template: driverTemplate([], {}, NODE_CLASS),
      resources: ['Driver'],
      because: 'nodes of Karpenter (Class)',
    },
    {
      name: 'pods may run on nodes of Auto Mode',
      template: driverTemplate([], { autoMode: true }),
      resources: ['Driver'],
      because: 'nodes of EKS Auto Mode',
    },
    {
      name: 'the controller has settings of its own',
      template: driverTemplate([`ConfigurationValues: '{"controller":{"env":[]}}'`]),
      resources: ['Driver'],
      because: 'other credentials',
    },
    {
      name: 'the role of the add-on is not known',
      template: driverTemplate(['ServiceAccountRoleArn: !Ref DriverRoleArn'], {
        head: 'Parameters:\n  DriverRoleArn:\n    Type: String',
      }),
      resources: ['Driver'],
      because: "its service account role isn't known",
    },
    {
      name: 'the node role is not part of the input',
      template: driverTemplate().replace('!GetAtt NodeRole.Arn', 'arn:aws:iam::111122223333:role/nodes'),
      resources: ['Driver'],
      because: "what the role of Nodes may do isn't known",
    },
    {
      name: 'nothing is attached to the node role here',
      template: driverTemplate([], { nodeRole: [] }),
      resources: ['Driver'],
      because: "what the role of Nodes may do isn't known",
    },
  ],
  notApplicable: [
    { name: 'another add-on', template: driverTemplate().replace('aws-ebs-csi-driver', 'metrics-server') },
    { name: 'a cluster without nodes in sight', template: driverTemplate([], { nodeGroup: false }) },
    {
      name: 'Auto Mode alone, which has a driver of its own',
      template: driverTemplate([], { autoMode: true, nodeGroup: false }),
    },
  ],
});
