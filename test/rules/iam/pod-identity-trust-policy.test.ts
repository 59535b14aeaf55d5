import { podIdentityTrustPolicy } from '../../../lib/rules/iam/pod-identity-trust-policy';
import { testRule } from '../rule-tester';

const PODS = 'Service: pods.eks.amazonaws.com';
const statement = (principal: string, actions: string, effect = 'Allow', condition: readonly string[] = []) => [
  `          - Effect: ${effect}`,
  `            Principal: { ${principal} }`,
  `            Action: ${actions}`,
  ...condition,
];

const role = (...statements: (readonly string[])[]) => [
  '  Role:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  '        Statement:',
  ...statements.flat(),
];

const association = (arn = '!GetAtt Role.Arn', ...more: readonly string[]) => [
  '  Association:',
  '    Type: AWS::EKS::PodIdentityAssociation',
  '    Properties:',
  '      ClusterName: demo',
  '      Namespace: apps',
  '      ServiceAccount: web',
  `      RoleArn: ${arn}`,
  ...more,
];

const ADDON = [
  '  Cni:',
  '    Type: AWS::EKS::Addon',
  '    Properties:',
  '      ClusterName: demo',
  '      AddonName: vpc-cni',
  '      PodIdentityAssociations:',
  '        - ServiceAccount: aws-node',
  '          RoleArn: !GetAtt Role.Arn',
];

const template = (...parts: (readonly string[])[]) => ['Resources:', ...parts.flat(), ''].join('\n');
const HEAD = 'Parameters:\n  Name:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Name, prod]\n';
const IRSA = statement(
  'Federated: arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/A',
  'sts:AssumeRoleWithWebIdentity',
);

testRule(podIdentityTrustPolicy, {
  valid: [
    {
      name: 'a trust policy that fits where the association exists passes',
      template:
        HEAD +
        template(
          association().map((line) => (line === '    Properties:' ? `    Condition: IsProd\n${line}` : line)),
          role(
            statement(
              'Service: !If [IsProd, pods.eks.amazonaws.com, ec2.amazonaws.com]',
              '[sts:AssumeRole, sts:TagSession]',
            ),
          ),
        ),
    },
    {
      name: "CDK's two statements pass together",
      template: template(
        association(),
        role(statement(PODS, 'sts:AssumeRole'), statement(PODS, '[sts:AssumeRole, sts:TagSession]')),
      ),
    },
    {
      name: 'one action in each statement passes',
      template: template(association(), role(statement(PODS, 'sts:AssumeRole'), statement(PODS, 'sts:TagSession'))),
    },
    { name: 'wildcards pass', template: template(association(), role(statement(PODS, "'sts:*'"))) },
    {
      name: 'conditions on session tags pass',
      template: template(
        association(),
        role(
          statement(PODS, '[sts:AssumeRole, sts:TagSession]', 'Allow', [
            '            Condition:',
            '              StringEquals:',
            '                aws:RequestTag/kubernetes-namespace: apps',
          ]),
        ),
      ),
    },
    {
      name: 'a role for both IRSA and Pod Identity passes',
      template: template(association(), role(IRSA, statement(PODS, '[sts:AssumeRole, sts:TagSession]'))),
    },
    {
      name: 'without session tags, AssumeRole is enough',
      template: template(
        association(undefined, '      DisableSessionTags: true'),
        role(statement(PODS, 'sts:AssumeRole')),
      ),
    },
    {
      name: 'one without TagSession that is used only where session tags are off passes',
      template:
        HEAD +
        template(
          association(undefined, '      DisableSessionTags: !If [IsProd, true, false]').map((line) =>
            line === '    Properties:' ? `    Condition: IsProd\n${line}` : line,
          ),
          role(statement(PODS, 'sts:AssumeRole')),
        ),
    },
    {
      name: "an add-on's association passes",
      template: template(ADDON, role(statement(PODS, '[sts:AssumeRole, sts:TagSession]'))),
    },
  ],
  invalid: [
    {
      name: 'without TagSession it fails',
      template: template(association(), role(statement(PODS, 'sts:AssumeRole'))),
      fixed: template(association(), role(statement(PODS, '[sts:AssumeRole, sts:TagSession]'))),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          related: ['RoleArn: !GetAtt Role.Arn'],
          says: ['sts:TagSession', 'Association'],
        },
      ],
    },
    {
      name: 'a second association that sets session tags needs TagSession for both',
      template: template(
        association(undefined, '      DisableSessionTags: true'),
        association().map((line) => (line === '  Association:' ? '  Tagged:' : line)),
        role(statement(PODS, 'sts:AssumeRole')),
      ),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          related: ['RoleArn: !GetAtt Role.Arn', 'RoleArn: !GetAtt Role.Arn'],
          says: ['by Tagged'],
        },
      ],
    },
    {
      name: 'of the branches of the session tags the one with tags is named',
      template:
        HEAD +
        template(
          association(undefined, '      DisableSessionTags: !If [IsProd, true, false]'),
          role(statement(PODS, 'sts:AssumeRole')),
        ),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          related: ['RoleArn: !GetAtt Role.Arn'],
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'without session tags AssumeRole is still needed',
      template: template(
        association(undefined, '      DisableSessionTags: true'),
        role(statement(PODS, 'sts:TagSession')),
      ),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['sts:AssumeRole'],
          omits: ['session tags'],
        },
      ],
    },
    {
      name: 'without either action it fails, and session tags are not all that is missing',
      template: template(association(), role(statement(PODS, 'sts:GetCallerIdentity'))),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['sts:AssumeRole and sts:TagSession', 'with its session tags'],
        },
      ],
    },
    {
      name: 'without AssumeRole it fails',
      template: template(association(), role(statement(PODS, 'sts:TagSession'))),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['does not allow sts:AssumeRole to'],
        },
      ],
    },
    {
      name: 'a role for IRSA fails',
      also: ['irsa-trust-policy'],
      template: template(association(), role(IRSA)),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          related: ['RoleArn: !GetAtt Role.Arn'],
          says: ['IRSA'],
        },
      ],
    },
    {
      name: "the cluster's principal fails",
      template: template(
        association(),
        role(statement('Service: eks.amazonaws.com', '[sts:AssumeRole, sts:TagSession]')),
      ),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['trusts eks.amazonaws.com'],
        },
      ],
    },
    {
      name: "an add-on's role for nodes fails",
      also: ['vpc-cni-role-ip-family'],
      template: template(ADDON, role(statement('Service: ec2.amazonaws.com', 'sts:AssumeRole'))),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          related: ['RoleArn: !GetAtt Role.Arn'],
          says: ['Cni', 'ec2.amazonaws.com'],
        },
      ],
    },
    {
      name: 'a role that nodes have, too, keeps EC2',
      template: template(association(), role(statement('Service: ec2.amazonaws.com', 'sts:AssumeRole'))),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          fix: 'ec2.amazonaws.com',
        },
      ],
    },
    {
      name: 'of the branches of an action the bad one is named',
      template:
        HEAD +
        template(
          association(),
          role(statement(PODS, '[sts:AssumeRole, !If [IsProd, sts:TagSession, sts:SetSourceIdentity]]')),
        ),
      findings: [
        {
          message: 'actions',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['sts:TagSession', 'IsProd is false'],
        },
      ],
    },
    {
      name: 'a Deny does not count as trust',
      template: template(association(), role(statement(PODS, '[sts:AssumeRole, sts:TagSession]', 'Deny'))),
      findings: [{ message: 'principal', severity: 'error', resource: 'Role', at: 'AssumeRolePolicyDocument' }],
    },
  ],
  unverifiable: [
    {
      name: 'a role outside the input',
      template: template(association('arn:aws:iam::111122223333:role/elsewhere')),
      resources: ['Association'],
      because: 'role/elsewhere',
    },
    {
      name: 'session tags from a parameter, and no TagSession',
      template:
        HEAD +
        template(
          association(undefined, '      DisableSessionTags: !Ref Name'),
          role(statement(PODS, 'sts:AssumeRole')),
        ),
      resources: ['Role'],
      because: 'session tags',
    },
    {
      name: 'a principal from a parameter',
      template:
        HEAD + template(association(), role(statement('Service: !Ref Name', '[sts:AssumeRole, sts:TagSession]'))),
      resources: ['Role'],
    },
  ],
  notApplicable: [
    { name: 'a role that no association uses', template: template(role(statement(PODS, 'sts:AssumeRole'))) },
    {
      name: 'an add-on without association',
      template: template(ADDON.slice(0, 5), role(statement(PODS, 'sts:AssumeRole'))),
    },
  ],
});
