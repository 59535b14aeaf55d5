import { irsaTrustPolicy } from '../../../lib/rules/iam/irsa-trust-policy';
import { plan } from '../plan-templates';
import { testRule } from '../rule-tester';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
/** As the user guide writes it. */
const GUIDE = 'oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
const SUBJECT = 'system:serviceaccount:apps:web';

interface Trust {
  readonly principal?: string;
  readonly action?: string;
  readonly conditions?: readonly string[];
  readonly head?: string;
  readonly more?: string;
}

const equals = (...lines: readonly string[]) => ['StringEquals:', ...lines.map((line) => `  ${line}`)];
const SUB = `${ISSUER}:sub: ${SUBJECT}`;
const AUD = `${ISSUER}:aud: sts.amazonaws.com`;

const role = ({
  principal = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`,
  action = 'sts:AssumeRoleWithWebIdentity',
  conditions = equals(SUB, AUD),
  head = '',
  more = '',
}: Trust) =>
  [
    head,
    'Resources:',
    '  Role:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    // Whoever assumes a role without any may do nothing.
    '      ManagedPolicyArns: [arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess]',
    '      AssumeRolePolicyDocument:',
    "        Version: '2012-10-17'",
    '        Statement:',
    '          - Effect: Allow',
    `            Principal: { Federated: ${principal} }`,
    `            Action: ${action}`,
    ...(conditions.length === 0
      ? []
      : ['            Condition:', ...conditions.map((line) => `              ${line}`)]),
    more,
    '',
  ].join('\n');

const GITHUB = [
  'token.actions.githubusercontent.com:sub: repo:shop/app:ref:refs/heads/main',
  'token.actions.githubusercontent.com:aud: sts.amazonaws.com',
];

/** Nodes that run with the role. */
const NODES = [
  '  Nodes:',
  '    Type: AWS::EKS::Nodegroup',
  '    Properties:',
  '      ClusterName: demo',
  '      NodeRole: !GetAtt Role.Arn',
  '      Subnets: [subnet-0a]',
].join('\n');

const STATEMENT = 'Effect: Allow';
const PARAMETERS = 'Parameters:\n  Provider:\n    Type: String\n  Subject:\n    Type: String\n';
const CLUSTER = [
  '  Cluster:',
  '    Type: AWS::EKS::Cluster',
  '    Properties:',
  '      RoleArn: arn:aws:iam::111122223333:role/cluster',
  '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
  '  Oidc:',
  '    Type: AWS::IAM::OIDCProvider',
  '    Properties:',
  '      Url: !GetAtt Cluster.OpenIdConnectIssuerUrl',
  '      ClientIdList: [sts.amazonaws.com]',
].join('\n');

/** What CDK writes for a service account: the condition is an attribute of a custom resource that holds JSON text. */
const cdkRole = (subject: string) =>
  [
    'Resources:',
    '  Conditions:',
    '    Type: Custom::AWSCDKCfnJson',
    '    Properties:',
    '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:json',
    '      Value:',
    '        Fn::Join:',
    "          - ''",
    `          - - '{"'`,
    '            - !Select [1, !Split [":oidc-provider/", !Ref Oidc]]',
    `            - ':aud":"sts.amazonaws.com","'`,
    '            - !Select [1, !Split [":oidc-provider/", !Ref Oidc]]',
    `            - ':sub":"${subject}"}'`,
    '  Role:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    '      AssumeRolePolicyDocument:',
    "        Version: '2012-10-17'",
    '        Statement:',
    '          - Effect: Allow',
    '            Action: sts:AssumeRoleWithWebIdentity',
    '            Principal: { Federated: !Ref Oidc }',
    '            Condition:',
    '              StringEquals: !GetAtt Conditions.Value',
    '  Oidc:',
    '    Type: Custom::AWSCDKOpenIdConnectProvider',
    '    Properties:',
    '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:oidc',
    '      ClientIDList: [sts.amazonaws.com]',
    '      Url: !GetAtt Cluster.OpenIdConnectIssuerUrl',
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Properties:',
    '      RoleArn: arn:aws:iam::111122223333:role/cluster',
    '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
    '',
  ].join('\n');

/** As plain CloudFormation writes it, because keys can't hold functions: the whole policy is JSON text. */
const textRole = (issuer: string, head: string, more = '', subject = SUBJECT) =>
  [
    head,
    'Resources:',
    '  Role:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    '      AssumeRolePolicyDocument:',
    '        Fn::Sub: |',
    '          {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity",',
    `          "Principal":{"Federated":"arn:\${AWS::Partition}:iam::\${AWS::AccountId}:oidc-provider/${issuer}"},`,
    `          "Condition":{"StringEquals":{"${issuer}:aud":"sts.amazonaws.com","${issuer}:sub":"${subject}"}}}]}`,
    more,
    '',
  ].join('\n');

const PROVIDER = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;

const HAS_PROVIDER = 'Parameters:\n  Id:\n    Type: String\nConditions:\n  HasProvider: !Not [!Equals [!Ref Id, ""]]';

/** Without the id of a provider, the whole policy is about nobody. */
const emptyRole = (subject: string) => {
  const policy = (principal: string) =>
    `{Statement: [{Effect: Allow, Action: 'sts:AssumeRoleWithWebIdentity', Principal: {Federated: '${principal}'}, Condition: {StringLike: {'${ISSUER}:sub': '${subject}', '${ISSUER}:aud': sts.amazonaws.com}}}]}`;
  return [
    HAS_PROVIDER,
    'Resources:',
    '  Role:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    `      AssumeRolePolicyDocument: !If [HasProvider, ${policy(PROVIDER)}, ${policy('')}]`,
    '',
  ].join('\n');
};

/** A plan of a role whose condition keys have the scheme, and of the provider that it trusts. */
const planned = (provider: object) => {
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: PROVIDER },
        Condition: {
          StringEquals: { [`https://${ISSUER}:sub`]: SUBJECT, [`https://${ISSUER}:aud`]: 'sts.amazonaws.com' },
        },
      },
    ],
  };
  return plan(
    JSON.stringify({
      'aws_iam_openid_connect_provider.main': provider,
      'aws_iam_role.app': { after: { name: 'app', assume_role_policy: JSON.stringify(trust) } },
    }),
  );
};

testRule(irsaTrustPolicy, {
  valid: [
    {
      name: 'an audience by a pattern that takes sts.amazonaws.com in passes',
      template: role({ conditions: [...equals(SUB), 'StringLike:', `  ${ISSUER}:aud: sts.*`] }),
    },
    {
      name: 'claims of two issuers, each compared if the token has them, pass',
      template: role({
        principal: `[${PROVIDER}, ${PROVIDER}X]`,
        conditions: [
          'StringEqualsIfExists:',
          `  ${SUB}`,
          `  ${AUD}`,
          `  ${ISSUER}X:sub: ${SUBJECT}`,
          `  ${ISSUER}X:aud: sts.amazonaws.com`,
        ],
      }),
    },
    { name: 'exact subject and audience pass', template: role({}) },
    {
      name: 'an issuer whose scheme is split off, and its parts joined with nothing between, passes',
      template: [
        'Resources:',
        '  Role:',
        '    Type: AWS::IAM::Role',
        '    Properties:',
        '      AssumeRolePolicyDocument:',
        '        Fn::Sub:',
        '          - |',
        '            { "Version": "2012-10-17", "Statement": [{ "Effect": "Allow", "Action": "sts:AssumeRoleWithWebIdentity",',
        '              "Principal": { "Federated": "arn:aws:iam::${AWS::AccountId}:oidc-provider/${Issuer}" },',
        '              "Condition": { "StringEquals": { "${Issuer}:aud": "sts.amazonaws.com", "${Issuer}:sub": "system:serviceaccount:apps:web" } } }] }',
        "          - Issuer: !Join ['', !Split ['https://', !GetAtt Cluster.OpenIdConnectIssuerUrl]]",
        CLUSTER,
      ].join('\n'),
    },
    {
      name: 'an empty principal under one condition passes, since IAM refuses it',
      template: role({ principal: `!If [HasProvider, '${PROVIDER}', '']`, head: HAS_PROVIDER }),
    },
    { name: 'a whole policy with an empty principal under one condition passes', template: emptyRole(SUBJECT) },
    {
      name: "CDK's condition behind a custom resource passes",
      template: cdkRole('system:serviceaccount:kube-system:aws-node'),
    },
    {
      name: 'several subjects pass',
      template: role({ conditions: equals(`${ISSUER}:sub: [${SUBJECT}, 'system:serviceaccount:apps:api']`, AUD) }),
    },
    {
      name: 'a list operator and another case of the operator pass',
      template: role({ conditions: ['ForAnyValue:StringEquals:', `  ${SUB}`, 'StringEqualsIgnoreCase:', `  ${AUD}`] }),
    },
    {
      name: 'a pattern for accounts with a prefix passes',
      template: role({
        conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:apps:web-*`, ...equals(AUD)],
      }),
    },
    {
      name: 'a broad pattern beside an exact subject is harmless',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:*`, ...equals(SUB, AUD)] }),
    },
    {
      name: 'no audience passes where the provider takes none but AWS STS',
      template: role({ principal: '!Ref Oidc', conditions: equals(SUB), more: CLUSTER }),
    },
    {
      name: 'no audience passes where the provider is told by its URL',
      template: role({
        conditions: equals(SUB),
        more: CLUSTER.replace('!GetAtt Cluster.OpenIdConnectIssuerUrl', `https://${ISSUER}`),
      }),
    },
    ...["'*:apps:web'", "'*:serviceaccount:apps:web'", "'system:*:apps:web'", "'system:serviceaccoun?:apps:web'"].map(
      (subject) => ({
        name: `wildcards for what all subjects begin with pass: ${subject}`,
        template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: ${subject}`, ...equals(AUD)] }),
      }),
    ),
    {
      name: 'another case of a subject that is compared without passes',
      template: role({
        conditions: [
          'StringEqualsIgnoreCase:',
          `  ${ISSUER}:sub: System:ServiceAccount:Apps:Web`,
          `  ${ISSUER}:aud: STS.amazonaws.com`,
        ],
      }),
    },
    {
      name: 'another case of the issuer in condition keys passes',
      template: role({
        conditions: equals(`${ISSUER.replace('oidc.eks', 'OIDC.EKS')}:sub: ${SUBJECT}`, AUD.replace('oidc', 'Oidc')),
      }),
    },
    {
      name: 'condition keys in another case pass',
      template: role({
        conditions: equals(
          `OIDC.eks.eu-west-1.amazonaws.com/id/abc:Sub: ${SUBJECT}`,
          `${ISSUER.toLowerCase()}:AUD: sts.amazonaws.com`,
        ),
      }),
    },
    { name: 'a dual-stack issuer passes', template: role({}).replaceAll(ISSUER, 'oidc-eks.eu-west-1.api.aws/id/ABC') },
    {
      name: 'a statement that only tags sessions beside it passes',
      template: role({
        more: `          - Effect: Allow\n            Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER} }\n            Action: sts:TagSession\n            Condition:\n              StringEquals:\n                ${SUB}\n                ${AUD}`,
      }),
    },
    {
      name: 'JSON text with the issuer from a parameter with default passes',
      template: textRole('${Issuer}', `Parameters:\n  Issuer:\n    Type: String\n    Default: ${ISSUER}`),
    },
    {
      name: 'JSON text that is joined passes',
      template: textRole('${Issuer}', 'Parameters:\n  Issuer:\n    Type: String').replace(/Fn::Sub: \|\n[\s\S]*$/, () =>
        [
          'Fn::Join:',
          "          - ''",
          `          - - '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"sts:AssumeRoleWithWebIdentity","Principal":{"Federated":"arn:aws:iam::111122223333:oidc-provider/'`,
          '            - !Ref Issuer',
          `            - '"},"Condition":{"StringEquals":{"'`,
          '            - !Ref Issuer',
          `            - ':aud":"sts.amazonaws.com","'`,
          '            - !Ref Issuer',
          `            - ':sub":"${SUBJECT}"}}}}'`,
          '',
        ].join('\n'),
      ),
    },
    {
      name: 'JSON text with the issuer from a parameter without default passes',
      template: textRole('${Issuer}', 'Parameters:\n  Issuer:\n    Type: String'),
    },
  ],
  invalid: [
    {
      name: 'the same in a role that EC2 can assume as well',
      also: ['node-role-policies'],
      template: role({ action: 'sts:AssumeRole', more: NODES }).replace(
        '          - Effect: Allow',
        '          - Effect: Allow\n            Principal: { Service: ec2.amazonaws.com }\n            Action: sts:AssumeRole\n          - Effect: Allow # pods',
      ),
      findings: [
        { message: 'action', severity: 'error', resource: 'Role', at: 'Action: sts:AssumeRole\n            Condition' },
      ],
    },
    {
      name: 'a wildcard beside the exact subject is a value that admits nobody, which is a warning',
      template: role({ conditions: equals(`${ISSUER}:sub: [${SUBJECT}, 'system:serviceaccount:a:*']`, AUD) }),
      fixed: role({}),
      findings: [
        {
          message: 'dead-value',
          severity: 'warning',
          resource: 'Role',
          at: "'system:serviceaccount:a:*'",
          says: ['system:serviceaccount:a:*', 'StringEquals'],
        },
      ],
    },
    {
      name: 'where the exact subject is missing, the wildcard admits nobody at all',
      template: role({
        conditions: equals(
          `${ISSUER}:sub: [!If [IsProd, '${SUBJECT}', !Ref AWS::NoValue], 'system:serviceaccount:a:*']`,
          AUD,
        ),
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      }),
      findings: [
        {
          message: 'literal-wildcard',
          severity: 'error',
          resource: 'Role',
          at: "'system:serviceaccount:a:*'",
          related: [],
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'a wildcard beside an unknown namespace is literal under StringEquals',
      template: role({
        conditions: equals(`${ISSUER}:sub: !Sub 'system:serviceaccount:\${Subject}:*'`, AUD),
        head: PARAMETERS,
      }),
      findings: [
        {
          message: 'literal-wildcard',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['${Subject}:*'],
        },
      ],
    },
    {
      name: 'a wildcard beside an unknown namespace is the whole namespace under StringLike',
      template: role({
        conditions: ['StringLike:', `  ${ISSUER}:sub: !Sub 'system:serviceaccount:\${Subject}:*'`, ...equals(AUD)],
        head: PARAMETERS,
      }),
      findings: [{ message: 'any-account', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'tokens of a second issuer lack the claim, and IfExists lets them all in',
      template: role({
        principal: `[${PROVIDER}, ${PROVIDER}X]`,
        conditions: ['StringEqualsIfExists:', `  ${SUB}`, `  ${AUD}`],
      }),
      findings: [{ message: 'no-subject', severity: 'error', resource: 'Role', at: `${PROVIDER}X` }],
    },
    {
      name: 'a function that stands in a text without `Fn::Sub` names no provider, so that nobody gets in',
      template: role({
        principal: "'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/${!Ref Cluster}'",
        conditions: equals(AUD),
      }),
      findings: [
        { message: 'principal', severity: 'error', resource: 'Role', at: 'Federated:', says: ['${!Ref Cluster}'] },
      ],
    },
    {
      name: 'a function as a key is refused by CloudFormation',
      template: role({
        head: PARAMETERS,
        principal: '!Sub "arn:aws:iam::111122223333:oidc-provider/${Provider}"',
        conditions: equals(`!Sub "\${Provider}:sub": ${SUBJECT}`, '!Sub "${Provider}:aud": sts.amazonaws.com'),
      }),
      fixed: textRole('${Provider}', PARAMETERS),
      findings: [
        {
          message: 'function-key',
          severity: 'error',
          resource: 'Role',
          at: '"${Provider}:sub"',
          says: ['${Provider}:sub with !Sub', 'map keys must be strings'],
        },
      ],
    },
    {
      name: 'what is wrong besides a function as a key is told too',
      template: role({
        head: PARAMETERS,
        principal: '!Sub "arn:aws:iam::111122223333:oidc-provider/${Provider}"',
        conditions: equals(
          `!Sub "\${Provider}:sub": system:serviceaccount:apps:*`,
          '!Sub "${Provider}:aud": sts.amazonaws.com',
        ),
      }),
      findings: [
        { message: 'function-key', severity: 'error', resource: 'Role', at: '"${Provider}:sub"' },
        { message: 'literal-wildcard', severity: 'error', resource: 'Role', at: '"${Provider}:sub"' },
      ],
    },
    {
      name: 'a key with scheme fails',
      template: role({ conditions: equals(`https://${SUB}`, AUD) }),
      fixed: role({}),
      findings: [
        {
          message: 'key-scheme',
          severity: 'error',
          resource: 'Role',
          at: `https://${ISSUER}:sub`,
          says: [`https://${ISSUER}:sub`],
        },
      ],
    },
    {
      name: 'a key with scheme fails where the provider of a plan exists, which has none',
      template: planned({ before: { url: ISSUER, client_id_list: ['sts.amazonaws.com'] } }),
      findings: [
        { message: 'key-scheme', severity: 'error', resource: 'aws_iam_role.app', at: '"assume_role_policy"' },
      ],
    },
    {
      name: 'a wildcard under StringEquals fails',
      template: role({ conditions: equals(`${ISSUER}:sub: system:serviceaccount:kube-system:*`, AUD) }),
      findings: [
        {
          message: 'literal-wildcard',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['StringEquals', 'kube-system:*'],
        },
      ],
    },
    {
      name: 'a whole namespace is a warning',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:prod:*`, ...equals(AUD)] }),
      findings: [{ message: 'any-account', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'any namespace fails',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:*:*`, ...equals(AUD)] }),
      findings: [{ message: 'any-namespace', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'any namespace with one name is a warning: only service accounts of that name have the role',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:*:web`, ...equals(AUD)] }),
      findings: [
        {
          message: 'name-anywhere',
          severity: 'warning',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['system:serviceaccount:*:web'],
        },
      ],
    },
    {
      name: 'namespaces by the end of their names are a warning, with the name of the service account behind them',
      template: role({
        conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:*-dev:web`, ...equals(AUD)],
      }),
      findings: [{ message: 'some-namespaces', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'namespaces by what they end with are a warning: a subject has no other colon for the wildcard',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:*-dev:*`, ...equals(AUD)] }),
      findings: [{ message: 'some-namespaces', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    ...["'*:web'", "'system:*:web'", "'*:*:web'", "'system:serviceaccount*:web'"].map((subject) => ({
      name: `a wildcard for the beginning and the namespace leaves the name: ${subject}`,
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: ${subject}`, ...equals(AUD)] }),
      findings: [
        { message: 'name-anywhere' as const, severity: 'warning' as const, resource: 'Role', at: `${ISSUER}:sub` },
      ],
    })),
    {
      name: 'a wildcard for the beginning leaves the namespace',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: '*:apps:*'`, ...equals(AUD)] }),
      findings: [{ message: 'any-account', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    ...["'*web'", "'*:web-*'", "'*:*'"].map((subject) => ({
      name: `a wildcard that may stand for colons fails, whatever is behind it: ${subject}`,
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: ${subject}`, ...equals(AUD)] }),
      findings: [
        { message: 'any-namespace' as const, severity: 'error' as const, resource: 'Role', at: `${ISSUER}:sub` },
      ],
    })),
    {
      name: 'another case of a subject that is compared exactly fails',
      template: role({ conditions: equals(`${ISSUER}:sub: System:ServiceAccount:Apps:Web`, AUD) }),
      findings: [{ message: 'subject-form', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'any subject fails',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: '*'`, ...equals(AUD)] }),
      findings: [{ message: 'any-namespace', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'namespaces by prefix are a warning',
      template: role({
        conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:team-*:web`, ...equals(AUD)],
      }),
      findings: [{ message: 'some-namespaces', severity: 'warning', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'no subject fails',
      template: role({ conditions: equals(AUD) }),
      fixed: role({}),
      findings: [{ message: 'no-subject', severity: 'error', resource: 'Role', at: STATEMENT }],
    },
    {
      name: 'no condition at all fails for the subject and warns for the audience',
      template: role({ conditions: [] }),
      findings: [
        { message: 'no-subject', severity: 'error', resource: 'Role', at: STATEMENT },
        { message: 'no-audience', severity: 'info', resource: 'Role', at: STATEMENT },
      ],
    },
    {
      name: 'no audience is worth a note where the provider is not part of the input',
      template: role({ conditions: equals(SUB) }),
      fixed: role({}),
      findings: [
        {
          message: 'no-audience',
          severity: 'info',
          resource: 'Role',
          at: STATEMENT,
          says: ['is not part of the input'],
        },
      ],
    },
    {
      name: 'no audience is worth a note where the provider takes other audiences too',
      template: role({
        principal: '!Ref Oidc',
        conditions: equals(SUB),
        more: CLUSTER.replace('[sts.amazonaws.com]', '[sts.amazonaws.com, vault.example.org]'),
      }),
      findings: [
        {
          message: 'no-audience',
          severity: 'info',
          resource: 'Role',
          at: STATEMENT,
          says: ['also holds vault.example.org'],
        },
      ],
    },
    {
      name: 'no audience is worth a note where the provider takes others alone',
      template: role({
        principal: '!Ref Oidc',
        conditions: equals(SUB),
        more: CLUSTER.replace('[sts.amazonaws.com]', '["sts:amazonaws.com"]'),
      }),
      also: ['irsa-oidc-provider'],
      findings: [
        {
          message: 'no-audience',
          severity: 'info',
          resource: 'Role',
          at: STATEMENT,
          says: ['that list holds sts:amazonaws.com.'],
        },
      ],
    },
    {
      name: 'no audience is worth a note where another provider is all that is known',
      template: role({ conditions: equals(SUB), more: CLUSTER }),
      findings: [
        { message: 'no-audience', severity: 'info', resource: 'Role', at: STATEMENT, says: ['is not known here'] },
      ],
    },
    {
      name: 'no audience is worth a note where the audiences of the provider are a parameter',
      template: role({
        head: PARAMETERS,
        principal: '!Ref Oidc',
        conditions: equals(SUB),
        more: CLUSTER.replace('[sts.amazonaws.com]', '[!Ref Subject]'),
      }),
      findings: [{ message: 'no-audience', severity: 'info', resource: 'Role', at: STATEMENT, says: ['is not known'] }],
    },
    {
      name: 'another audience is a warning',
      template: role({ conditions: equals(SUB, `${ISSUER}:aud: sts.amazonaws.com.cn`) }),
      findings: [
        {
          message: 'audience',
          severity: 'warning',
          resource: 'Role',
          at: `${ISSUER}:aud`,
          says: ['sts.amazonaws.com.cn'],
        },
      ],
    },
    {
      name: 'a subject without the prefix fails',
      template: role({ conditions: equals(`${ISSUER}:sub: apps:web`, AUD) }),
      findings: [{ message: 'subject-form', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a subject with a slash fails',
      template: role({ conditions: equals(`${ISSUER}:sub: system:serviceaccount:apps/web`, AUD) }),
      findings: [{ message: 'subject-form', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a subject without wildcard under StringLike is checked too',
      template: role({ conditions: ['StringLike:', `  ${ISSUER}:sub: system:serviceaccount:apps`, ...equals(AUD)] }),
      findings: [{ message: 'subject-form', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'sts:AssumeRole fails',
      template: role({ action: 'sts:AssumeRole' }),
      findings: [
        {
          message: 'action',
          severity: 'error',
          resource: 'Role',
          at: 'Action: sts',
          says: ['allows sts:AssumeRole to'],
        },
      ],
    },
    {
      name: 'an empty principal fails where there is no other',
      template: role({ principal: "''" }),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'Federated',
          related: [],
          says: ['the principal "" for', 'no ARN', 'IAM refuses to make the role'],
        },
      ],
    },
    {
      name: 'a subject of GitHub of the provider of a cluster',
      template: role({ conditions: equals(`${ISSUER}:sub: repo:shop/app:ref:refs/heads/main`, AUD) }),
      findings: [
        {
          message: 'foreign-subject',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['repo:shop/app:ref:refs/heads/main, as GitHub'],
          fix: 'hand the role to a pod',
        },
      ],
    },
    {
      name: 'the ARN of the provider in a condition key',
      template: role({ conditions: equals(`${PROVIDER}:sub: ${SUBJECT}`, AUD) }),
      fixed: role({}),
      findings: [
        {
          message: 'key-scheme',
          severity: 'error',
          resource: 'Role',
          at: `${PROVIDER}:sub`,
          says: ['with the ARN of the provider in the place of its URL'],
          fix: `\`${ISSUER}:sub\``,
        },
      ],
    },
    {
      name: 'an issuer of an account, where the region belongs',
      template: role({
        principal:
          "!Sub 'arn:aws:iam::${AWS::AccountId}:oidc-provider/oidc.eks.${AWS::AccountId}.amazonaws.com/id/ABC'",
      }),
      fixed: role({}),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'Federated',
          says: ['the id of the account in the place of the region: pods get'],
        },
      ],
    },
    {
      name: 'the URL of an issuer, where its id belongs',
      template: role({
        principal:
          "!Sub 'arn:aws:iam::${AWS::AccountId}:oidc-provider/oidc.eks.${AWS::Region}.amazonaws.com/id/${Cluster.OpenIdConnectIssuerUrl}'",
        more: CLUSTER,
      }),
      fixed: role({ more: CLUSTER }),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'Federated',
          says: ['behind `/id/` it has the whole URL of an issuer: pods get'],
        },
      ],
    },
    {
      name: 'claims of GitHub beside the provider of a cluster are no subject of a pod that is misspelt',
      template: role({ principal: '!Ref Oidc', conditions: equals(...GITHUB), more: CLUSTER }),
      fixed: role({
        principal: 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com',
        conditions: equals(...GITHUB),
        more: CLUSTER,
      }),
      findings: [
        {
          message: 'foreign-claims',
          severity: 'error',
          resource: 'Role',
          at: 'token.actions.githubusercontent.com:sub',
          says: ['claims of token.actions.githubusercontent.com', 'Oidc'],
        },
      ],
    },
    {
      name: 'what is wrong beside an empty principal under one condition is told of the other one',
      template: emptyRole('system:serviceaccount:*:web'),
      findings: [
        {
          message: 'name-anywhere',
          severity: 'warning',
          resource: 'Role',
          at: `'${ISSUER}:sub'`,
          says: ['HasProvider is true'],
          omits: ['HasProvider is false'],
        },
      ],
    },
    {
      name: "the issuer's URL as principal fails",
      template: role({ principal: `https://${ISSUER}` }),
      findings: [
        { message: 'principal', severity: 'error', resource: 'Role', at: 'Federated', says: ["issuer's URL"] },
      ],
    },
    {
      name: 'a provider ARN with scheme fails',
      template: role({ principal: `arn:aws:iam::111122223333:oidc-provider/https://${ISSUER}` }),
      findings: [{ message: 'principal', severity: 'error', resource: 'Role', at: 'Federated', says: ['no https://'] }],
    },
    {
      name: 'a provider ARN with a colon too few fails',
      template: role({ principal: `arn:aws:iam:111122223333:oidc-provider/${ISSUER}` }),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'Federated',
          says: ['two colons', 'IAM refuses'],
        },
      ],
    },
    {
      name: 'a provider ARN with a colon too few fails, whatever its account is',
      template: role({ principal: `!Sub 'arn:\${AWS::Partition}:iam:\${AWS::AccountId}:oidc-provider/${ISSUER}'` }),
      findings: [{ message: 'principal', severity: 'error', resource: 'Role', at: 'Federated', says: ['two colons'] }],
    },
    {
      name: 'a provider ARN without oidc-provider/ fails, whatever its account is',
      template: role({ principal: `!Sub 'arn:aws:iam::\${AWS::AccountId}:${ISSUER}'` }),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'Federated',
          says: ['`oidc-provider/` is missing behind its account'],
        },
      ],
    },
    {
      name: 'a principal of another type fails',
      template: role({}).replace('Federated:', 'AWS:'),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: STATEMENT,
          says: ['only a federated principal'],
        },
      ],
    },
    {
      name: 'the issuer is that of the cluster which the same stack creates',
      template: role({ action: 'sts:AssumeRole', more: CLUSTER }),
      findings: [
        { message: 'action', severity: 'error', resource: 'Role', at: 'Action: sts', fixOmits: 'or a parameter' },
      ],
    },
    {
      name: 'a cluster attribute as principal fails',
      template: role({ principal: '!GetAtt Cluster.OpenIdConnectIssuerUrl', more: CLUSTER }),
      findings: [{ message: 'principal', severity: 'error', resource: 'Role', at: 'Federated', related: ['Cluster:'] }],
    },
    {
      name: 'a condition on the issuer of another cluster fails',
      template: role({ conditions: equals(`${ISSUER}X:sub: ${SUBJECT}`, `${ISSUER}X:aud: sts.amazonaws.com`) }),
      findings: [
        { message: 'other-issuer', severity: 'error', resource: 'Role', at: `${ISSUER}X:sub`, says: ['ABCX'] },
      ],
    },
    {
      name: 'a variable in the key, which IAM takes as it is, fails',
      template: role({ conditions: equals(`${ISSUER}-\${aws:userid}:sub: ${SUBJECT}`, AUD) }),
      findings: [
        {
          message: 'key-scheme',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}-`,
          says: ['with ${aws:userid}, which IAM replaces in values alone, it names a claim that no token has'],
        },
      ],
    },
    {
      name: 'the host of an issuer without its region fails',
      template: role({ conditions: equals(SUB, 'oidc.eks.amazonaws.com/id/ABC:aud: sts.amazonaws.com') }),
      findings: [
        {
          message: 'key-scheme',
          severity: 'error',
          resource: 'Role',
          at: 'oidc.eks.amazonaws.com/id/ABC:aud',
          says: ['with a host that has no region'],
        },
      ],
    },
    {
      name: 'conditions on the issuer of the user guide, beside the provider of a cluster',
      template: role({
        principal: '!Ref Oidc',
        conditions: equals(`${GUIDE}:sub: ${SUBJECT}`, `${GUIDE}:aud: sts.amazonaws.com`),
        more: CLUSTER,
      }),
      findings: [
        {
          message: 'placeholder',
          severity: 'error',
          resource: 'Role',
          at: `${GUIDE}:sub`,
          related: ['Oidc:'],
          says: ['EXAMPLED539D4633E53DE1B71EXAMPLE, a placeholder', 'it trusts Oidc'],
        },
      ],
    },
    {
      name: 'of the branches of the action the bad one is named',
      template: role({
        action: '!If [IsProd, sts:AssumeRole, sts:AssumeRoleWithWebIdentity]',
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      }),
      findings: [
        { message: 'action', severity: 'error', resource: 'Role', at: 'Action: !If', says: ['IsProd is true'] },
      ],
    },
    {
      name: 'the issuer attribute of a cluster, which has the scheme, fails in principal and keys',
      template: textRole('${Cluster.OpenIdConnectIssuerUrl}', '', CLUSTER),
      findings: [
        {
          message: 'principal',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['begins with https://'],
        },
        {
          message: 'key-scheme',
          severity: 'error',
          resource: 'Role',
          at: 'AssumeRolePolicyDocument',
          says: ['${Cluster.OpenIdConnectIssuerUrl}:sub'],
        },
      ],
    },
    {
      name: 'a wildcard in JSON text fails',
      template: textRole('${Issuer}', 'Parameters:\n  Issuer:\n    Type: String', '', 'system:serviceaccount:apps:*'),
      findings: [{ message: 'literal-wildcard', severity: 'error', resource: 'Role', at: 'AssumeRolePolicyDocument' }],
    },
    {
      name: "a wildcard in CDK's condition is found too",
      template: cdkRole('system:serviceaccount:kube-system:*'),
      findings: [
        {
          message: 'literal-wildcard',
          severity: 'error',
          resource: 'Role',
          at: 'StringEquals: !GetAtt',
          related: ['Oidc:'],
        },
      ],
    },
    {
      name: 'one bad branch of the trust policy fails and is named',
      template: role({
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      }).replace(`${ISSUER}:sub: ${SUBJECT}`, `${ISSUER}:sub: !If [IsProd, '${SUBJECT}', 'web']`),
      findings: [
        {
          message: 'subject-form',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['IsProd is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'blanks of a form, which are to be filled in',
      template: role({
        principal: `arn:aws:iam::(changeit)111122223333:oidc-provider/${ISSUER}`,
        conditions: equals(
          `'oidc.eks.eu-west-1.amazonaws.com/id/change it to your id:sub': ${SUBJECT}`,
          "'oidc.eks.eu-west-1.amazonaws.com/id/change it to your id:aud': sts.amazonaws.com",
        ),
      }),
      resources: ['Role'],
      because: 'a blank that somebody is to fill in',
    },
    {
      name: 'a key with scheme in a plan that is about to create the provider, which loses it',
      template: planned({ after: { url: `https://${ISSUER}`, client_id_list: ['sts.amazonaws.com'] } }),
      resources: ['aws_iam_role.app'],
      because: 'keeps its https://',
    },
    {
      name: 'a subject from a parameter',
      template: role({ conditions: equals(`${ISSUER}:sub: !Ref Subject`, AUD), head: PARAMETERS }),
      resources: ['Role'],
      because: 'Subject',
    },
    {
      name: 'an audience from a parameter',
      template: role({ conditions: equals(SUB, `${ISSUER}:aud: !Ref Subject`), head: PARAMETERS }),
      resources: ['Role'],
      because: 'the audience is not known',
    },
    {
      name: 'an audience from a parameter beside another',
      template: role({ conditions: equals(SUB, `${ISSUER}:aud: [other.example.com, !Ref Subject]`), head: PARAMETERS }),
      resources: ['Role'],
      because: 'the audience is not known',
    },
    {
      name: 'a negated audience',
      template: role({ conditions: [...equals(SUB), 'StringNotEquals:', `  ${ISSUER}:aud: other.example.com`] }),
      resources: ['Role'],
      because: 'StringNotEquals on the audience',
    },
    {
      name: 'a provider from a parameter',
      template: role({ principal: '!Ref Provider', head: PARAMETERS }),
      resources: ['Role'],
      because: 'Provider',
    },
    {
      name: 'a provider from a parameter and no conditions',
      template: role({ principal: '!Ref Provider', conditions: [], head: PARAMETERS }),
      resources: ['Role'],
      because: 'identity provider',
    },
    {
      name: 'a negated subject',
      template: role({ conditions: ['StringNotEquals:', `  ${SUB}`, ...equals(AUD)] }),
      resources: ['Role'],
      because: 'StringNotEquals',
    },
  ],
  notApplicable: [
    {
      name: 'the trust policy of pods in the role of nodes, of which node-role-policies tells',
      template: role({ action: 'sts:AssumeRole', conditions: [], more: NODES }),
    },
    {
      name: 'GitHub',
      template: role({
        principal: 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com',
        conditions: equals('token.actions.githubusercontent.com:sub: repo:a/b:*'),
      }),
    },
    { name: 'Kubernetes elsewhere', template: role({}).replaceAll(ISSUER, 'oidc.example.org/cluster') },
    {
      name: 'a node role',
      template: role({})
        .replace(/Principal: .*/, 'Principal: { Service: ec2.amazonaws.com }')
        .replace('sts:AssumeRoleWithWebIdentity', 'sts:AssumeRole')
        .replace(/ {12}Condition:[\s\S]*aud: .*\n/, ''),
    },
    { name: 'a Deny statement', template: role({ conditions: [] }).replace('Effect: Allow', 'Effect: Deny') },
  ],
});
