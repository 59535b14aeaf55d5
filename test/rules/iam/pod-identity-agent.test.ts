import { podIdentityAgent } from '../../../lib/rules/iam/pod-identity-agent';
import { testRule } from '../rule-tester';

const cluster = (more: readonly string[] = []) => [
  '  Cluster:',
  '    Type: AWS::EKS::Cluster',
  '    Properties:',
  '      RoleArn: arn:aws:iam::111122223333:role/cluster',
  '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
  ...more.map((line) => `      ${line}`),
];
const AUTO = ['ComputeConfig: { Enabled: true }'];

const association = (name = '!Ref Cluster') => [
  '  Association:',
  '    Type: AWS::EKS::PodIdentityAssociation',
  '    Properties:',
  `      ClusterName: ${name}`,
  '      Namespace: apps',
  '      ServiceAccount: web',
  '      RoleArn: arn:aws:iam::111122223333:role/web',
];

const addon = (name: string, more: readonly string[] = []) => [
  '  Addon:',
  '    Type: AWS::EKS::Addon',
  '    Properties:',
  '      ClusterName: !Ref Cluster',
  `      AddonName: ${name}`,
  ...more.map((line) => `      ${line}`),
];
const AGENT = addon('eks-pod-identity-agent');

const daemonSet = (name: string) => [
  '  Manifest:',
  '    Type: Custom::AWSCDK-EKS-KubernetesResource',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: !Ref Cluster',
  `      Manifest: '${JSON.stringify([{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, namespace: 'kube-system' } }])}'`,
];

const nodes = (policies: string, more: readonly string[] = []) => [
  '  Nodes:',
  '    Type: AWS::EKS::Nodegroup',
  '    Properties:',
  '      ClusterName: !Ref Cluster',
  '      NodeRole: !GetAtt NodeRole.Arn',
  '      Subnets: [subnet-1]',
  ...more.map((line) => `      ${line}`),
  '  NodeRole:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument: { Statement: [{ Effect: Allow, Principal: { Service: ec2.amazonaws.com }, Action: sts:AssumeRole }] }',
  `      ManagedPolicyArns: [${policies}]`,
];
const WORKER_POLICY = 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy';
const ECR = 'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly';
const WORKER = `${WORKER_POLICY}, ${ECR}`;
/** What nodes need to join, and nothing of Pod Identity. */
const BARE = `arn:aws:iam::aws:policy/AmazonEC2ReadOnlyAccess, ${ECR}`;

const template = (...parts: (readonly string[])[]) => ['Resources:', ...parts.flat(), ''].join('\n');
const HEAD = 'Parameters:\n  Name:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Name, prod]\n';

/** All that could hold the agent: EKS's own nodes, and add-ons. */
const WHOLE = [...nodes(WORKER), ...addon('coredns').map((line) => line.replace('  Addon:', '  CoreDns:'))];

const under = (condition: string, resource: readonly string[]) =>
  resource.map((line) => (line === '    Properties:' ? `    Condition: ${condition}\n${line}` : line));

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
/** As modules make it by themselves: for a namespace that nobody chose. */
const KARPENTER_ASSOCIATION = [
  '  KarpenterAssociation:',
  '    Type: AWS::EKS::PodIdentityAssociation',
  '    Properties:',
  '      ClusterName: !Ref Cluster',
  '      Namespace: kube-system',
  '      ServiceAccount: karpenter',
  '      RoleArn: !GetAtt KarpenterRole.Arn',
];
const KARPENTER_ROLE = [
  '  KarpenterRole:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  '        Statement:',
  '          - Effect: Allow',
  '            Principal: { Service: pods.eks.amazonaws.com }',
  '            Action: [sts:AssumeRole, sts:TagSession]',
  '          - Effect: Allow',
  `            Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER} }`,
  '            Action: sts:AssumeRoleWithWebIdentity',
  '            Condition:',
  '              StringEquals:',
  `                ${ISSUER}:sub: system:serviceaccount:karpenter:karpenter`,
  `                ${ISSUER}:aud: sts.amazonaws.com`,
];
const karpenter = (namespace: string) => [
  '  Karpenter:',
  '    Type: Custom::AWSCDK-EKS-HelmChart',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: !Ref Cluster',
  '      Release: karpenter',
  '      Chart: oci://public.ecr.aws/karpenter/karpenter',
  `      Namespace: ${namespace}`,
  '      Values:',
  '        Fn::Join:',
  "          - ''",
  `          - - '{"serviceAccount":{"name":"karpenter","annotations":{"eks.amazonaws.com/role-arn":"'`,
  '            - !GetAtt KarpenterRole.Arn',
  `            - '"}}}'`,
];

testRule(podIdentityAgent, {
  valid: [
    {
      name: 'the agent under the condition of the association passes',
      template: HEAD + template(cluster(), under('IsProd', association()), under('IsProd', AGENT)),
    },
    {
      name: 'an association that only exists without the agent-less branch passes',
      template: HEAD + template(cluster(), under('IsProd', association()), AGENT),
    },
    {
      name: 'the agent add-on on the node groups of an Auto Mode cluster passes',
      template: template(cluster(AUTO), association(), AGENT, nodes(WORKER)),
    },
    { name: 'the agent add-on passes', template: template(cluster(), association(), AGENT) },
    {
      name: 'the agent add-on and the worker node policy pass',
      template: template(cluster(), association(), AGENT, nodes(WORKER)),
    },
    {
      name: 'the minimal worker node policy has the permission too',
      template: template(
        cluster(),
        association(),
        AGENT,
        nodes('arn:aws:iam::aws:policy/AmazonEKSWorkerNodeMinimalPolicy'),
      ),
    },
    {
      name: 'the agent as a chart passes',
      template: template(cluster(), association(), [
        '  Chart:',
        '    Type: Custom::AWSCDK-EKS-HelmChart',
        '    Properties:',
        '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
        '      ClusterName: !Ref Cluster',
        '      Release: agent',
        '      Chart: eks-pod-identity-agent',
        '      Namespace: kube-system',
      ]),
    },
    {
      name: 'the agent as a manifest passes',
      template: template(cluster(), WHOLE, association(), daemonSet('eks-pod-identity-agent')),
    },
    {
      name: 'a node role with which no node joins is told by node-role-policies alone',
      template: template(cluster(), association(), AGENT, nodes(ECR)),
    },
    {
      name: 'Windows nodes run no agent',
      template: template(cluster(), association(), AGENT, nodes(BARE, ['AmiType: WINDOWS_CORE_2022_x86_64'])),
    },
  ],
  invalid: [
    {
      name: 'an agent that is created under a condition fails without it',
      template: HEAD + template(cluster(), WHOLE, association(), under('IsProd', AGENT)),
      fixed: HEAD + template(cluster(), WHOLE, association(), AGENT),
      findings: [
        {
          message: 'no-agent',
          severity: 'error',
          resource: 'Cluster',
          at: 'Cluster:\n',
          related: ['Association:'],
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'conditions that say the same in other words are one finding',
      template:
        `${HEAD}  IsLive: !Equals [prod, !Ref Name]\n` +
        template(
          cluster(),
          WHOLE,
          under('IsProd', association()),
          under('IsLive', association()).map((line) => line.replace('  Association:', '  Live:')),
        ),
      findings: [{ message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n' }],
    },
    {
      name: 'an agent under another condition than the association fails',
      template:
        HEAD +
        '  IsTest: !Equals [!Ref Name, test]\n' +
        template(cluster(), WHOLE, under('IsProd', association()), under('IsTest', AGENT)),
      findings: [
        { message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n', says: ['IsProd is true'] },
      ],
    },
    {
      name: 'node groups of an Auto Mode cluster have no agent built in, which is a warning',
      template: template(cluster(AUTO), association(), nodes(WORKER)),
      fixed: template(cluster(AUTO), association(), nodes(WORKER), AGENT),
      findings: [
        {
          message: 'not-on-nodes',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:\n',
          related: ['Association:', 'Nodes:'],
          says: ['Nodes'],
        },
      ],
    },
    {
      name: 'their node role is judged too',
      template: template(cluster(AUTO), association(), AGENT, nodes(BARE)),
      findings: [
        {
          message: 'node-role',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['NodeRole: !GetAtt NodeRole.Arn', 'Association:'],
        },
      ],
    },
    {
      name: 'Auto Mode under a condition does without the agent there only',
      template: HEAD + template(cluster(['ComputeConfig: { Enabled: !If [IsProd, true, false] }']), association()),
      findings: [
        { message: 'no-agent', severity: 'warning', resource: 'Cluster', at: 'Cluster:\n', says: ['IsProd is false'] },
      ],
    },
    {
      name: 'an association without agent fails',
      template: template(cluster(), WHOLE, association()),
      fixed: template(cluster(), WHOLE, association(), AGENT),
      findings: [
        {
          message: 'no-agent',
          severity: 'error',
          resource: 'Cluster',
          at: 'Cluster:\n',
          says: ['Association', 'eks-pod-identity-agent'],
        },
      ],
    },
    {
      name: 'an association for the namespace in which the controller runs needs the agent',
      template: template(cluster(), WHOLE, KARPENTER_ASSOCIATION, karpenter('kube-system'), KARPENTER_ROLE),
      findings: [{ message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n' }],
    },
    {
      name: 'a controller elsewhere whose service account role does not trust it has no role of its own',
      template: template(cluster(), WHOLE, KARPENTER_ASSOCIATION, karpenter('other'), KARPENTER_ROLE),
      findings: [{ message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n' }],
      also: ['irsa-subject'],
    },
    {
      name: 'a second association, which pods use, needs the agent',
      template: template(
        cluster(),
        WHOLE,
        KARPENTER_ASSOCIATION,
        association(),
        karpenter('karpenter'),
        KARPENTER_ROLE,
      ),
      findings: [
        { message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n', related: ['Association:'] },
      ],
    },
    {
      name: 'an agent whose name is written wrongly is none',
      template: template(cluster(), WHOLE, association(), addon('eks-pod-idenitity-agent')),
      fixed: template(cluster(), WHOLE, association(), AGENT),
      findings: [
        {
          message: 'misspelt',
          severity: 'error',
          resource: 'Addon',
          at: 'AddonName: eks-pod-idenitity-agent',
          says: ['Association', 'EKS has no such add-on'],
          related: ['Association:'],
        },
      ],
    },
    {
      name: 'the manifest of something else is no agent',
      template: template(cluster(), WHOLE, association(), daemonSet('node-exporter')),
      findings: [{ message: 'no-agent', severity: 'error', resource: 'Cluster', at: 'Cluster:\n' }],
    },
    {
      name: "an add-on's association without agent fails",
      template: template(
        cluster(),
        WHOLE,
        addon('vpc-cni', [
          'PodIdentityAssociations:',
          '  - ServiceAccount: aws-node',
          '    RoleArn: arn:aws:iam::111122223333:role/cni',
        ]),
      ),
      findings: [
        {
          message: 'no-agent',
          severity: 'error',
          resource: 'Cluster',
          at: 'Cluster:\n',
          related: ['Addon:'],
          says: ['Addon'],
        },
      ],
    },
    {
      name: 'an association without agent, where the nodes are elsewhere, is a warning',
      template: template(cluster(), association()),
      findings: [{ message: 'no-agent', severity: 'warning', resource: 'Cluster', at: 'Cluster:\n' }],
    },
    {
      name: 'an association without agent on nodes with an image of their own, which may have it, is a warning',
      template: template(
        cluster(),
        association(),
        addon('coredns'),
        nodes(WORKER, ['LaunchTemplate: { Id: !Ref Template, Version: 1 }']),
        [
          '  Template:',
          '    Type: AWS::EC2::LaunchTemplate',
          '    Properties:',
          '      LaunchTemplateData: { ImageId: ami-0123456789abcdef0 }',
        ],
      ),
      findings: [{ message: 'no-agent', severity: 'warning', resource: 'Cluster', at: 'Cluster:\n' }],
    },
    {
      name: 'a node role without the permission fails',
      template: template(cluster(), association(), AGENT, nodes(BARE)),
      fixed: template(cluster(), association(), AGENT, nodes(`${BARE}, ${WORKER_POLICY}`)),
      findings: [
        {
          message: 'node-role',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          says: ['Nodes', 'eks-auth:AssumeRoleForPodIdentity'],
        },
      ],
    },
    {
      name: 'a policy that is attached under a condition fails without it',
      template:
        HEAD +
        template(cluster(), association(), AGENT, nodes(`${BARE}, !If [IsProd, ${WORKER_POLICY}, !Ref AWS::NoValue]`)),
      findings: [
        { message: 'node-role', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n', says: ['IsProd is false'] },
      ],
    },
    {
      name: 'neither agent nor permission are two findings',
      template: template(cluster(), association(), nodes(BARE)),
      findings: [
        { message: 'no-agent', severity: 'warning', resource: 'Cluster', at: 'Cluster:\n' },
        { message: 'node-role', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n' },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'the only association is for a namespace beside that in which the controller runs with a service account role',
      template: template(cluster(), WHOLE, KARPENTER_ASSOCIATION, karpenter('karpenter'), KARPENTER_ROLE),
      resources: ['Cluster'],
      because: 'Karpenter runs as system:serviceaccount:karpenter:karpenter, with a service account role of its own',
    },
    {
      name: 'nodes beside Auto Mode with a taint that only some pods tolerate',
      template: template(
        cluster(AUTO),
        association(),
        nodes(WORKER, ['Taints: [{ Key: sandbox, Value: "true", Effect: NO_SCHEDULE }]']),
      ),
      resources: ['Cluster'],
      because: 'tolerate the taints of Nodes',
    },
    {
      name: 'a cluster outside the input',
      template: template(association('shared')),
      resources: ['Association'],
      because: 'not part of the input',
    },
    {
      name: 'Auto Mode from a parameter',
      template: HEAD + template(cluster(['ComputeConfig: { Enabled: !Ref Name }']), association()),
      resources: ['Cluster'],
      because: 'Auto Mode',
    },
    {
      name: 'an add-on whose name is a parameter',
      template: HEAD + template(cluster(), association(), addon('!Ref Name')),
      resources: ['Cluster'],
      because: 'add-on',
    },
    {
      name: 'a node role outside the input',
      template: template(cluster(), association(), AGENT, nodes(WORKER)).replace(
        '!GetAtt NodeRole.Arn',
        'arn:aws:iam::111122223333:role/nodes',
      ),
      resources: ['Nodes'],
      because: 'role/nodes',
    },
    {
      name: 'a node policy outside the input',
      template: template(cluster(), association(), AGENT, nodes('arn:aws:iam::111122223333:policy/Nodes')),
      resources: ['NodeRole'],
      because: 'policy/Nodes',
    },
  ],
  notApplicable: [
    { name: 'no association', template: template(cluster(), nodes(BARE)) },
    { name: 'Auto Mode, which has the agent built in', template: template(cluster(AUTO), association()) },
    {
      name: 'only Fargate, where Pod Identity does not work',
      template: template(cluster(), association(), [
        '  Profile:',
        '    Type: AWS::EKS::FargateProfile',
        '    Properties:',
        '      ClusterName: !Ref Cluster',
        '      PodExecutionRoleArn: arn:aws:iam::111122223333:role/f',
        '      Selectors: [{ Namespace: apps }]',
      ]),
    },
  ],
});
