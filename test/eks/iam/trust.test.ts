import {
  acceptsServiceAccount,
  isAllow,
  podIdentityTrust,
  serviceAccountSubjects,
  serviceTrust,
  trustOf,
  trustsAction,
  webIdentityStatements,
  type TrustStatement,
} from '../../../lib/eks/iam';
import { EksModel, Known, nowhere, Unknown, type OidcProvider, type Principal } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { absent, documentOf, either, roleOf, trustedBy, unknown, type StatementSpec } from './roles';

const ISSUER = 'oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF';
const PROVIDER = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;
const AWS_NODE = 'system:serviceaccount:kube-system:aws-node';

function irsa(condition: StatementSpec['Condition'], overrides: StatementSpec = {}): StatementSpec {
  return {
    Action: 'sts:AssumeRoleWithWebIdentity',
    Principal: { Federated: PROVIDER },
    ...(condition === undefined ? {} : { Condition: condition }),
    ...overrides,
  };
}

function statementsOf(...specs: readonly StatementSpec[]): readonly TrustStatement[] {
  const [only] = trustOf(trustedBy(...specs));
  if (only?.statements === undefined) throw new Error('the trust policy was not read');
  return only.statements;
}

function first(...specs: readonly StatementSpec[]): TrustStatement {
  const [statement] = statementsOf(...specs);
  if (statement === undefined) throw new Error('no statement');
  return statement;
}

describe('trustOf', () => {
  it('gives one case per alternative, and the reason of an unreadable one', () => {
    const role = roleOf({ trust: either('Prod', documentOf(irsa(undefined)), unknown()) });
    expect(trustOf(role).map(({ when, statements, reason }) => [when.text, statements?.length, reason])).toEqual([
      ['Prod is true', 1, undefined],
      ['Prod is false', undefined, 'parameter X has no default'],
    ]);
  });

  it('has no statements when the role has no trust policy', () => {
    expect(trustOf(roleOf({})).map(({ statements }) => statements)).toEqual([[]]);
  });
});

describe('alternatives that IAM refuses', () => {
  const byPrincipal = (id: string) => documentOf({ Action: 'sts:AssumeRole', Principal: { AWS: [id] } });
  const ids = (trust: Parameters<typeof roleOf>[0]['trust']) =>
    trustOf(roleOf({ trust })).map(({ statements }) =>
      statements?.flatMap(({ statement }) =>
        statement.principals.flatMap(({ id }) =>
          id.kind === 'choice' ? id.alternatives.map(({ value }) => value) : [id],
        ),
      ),
    );
  const texts = (trust: Parameters<typeof roleOf>[0]['trust']) =>
    ids(trust).map((all) => all?.map((one) => (one.kind === 'known' ? one.value : one.kind)));

  it('are left out as a whole, because a principal is empty there, unless there are no others', () => {
    expect(texts(either('Prod', byPrincipal('arn:a'), byPrincipal('')))).toEqual([['arn:a']]);
    expect(texts(either('Prod', byPrincipal(' '), byPrincipal('arn:a')))).toEqual([['arn:a']]);
    expect(texts(either('Prod', byPrincipal(''), byPrincipal('')))).toEqual([[''], ['']]);
    expect(texts(either('Prod', byPrincipal('arn:a'), byPrincipal('arn:b')))).toEqual([['arn:a'], ['arn:b']]);
    expect(texts(byPrincipal(''))).toEqual([['']]);
  });

  it('are left out of a principal, likewise', () => {
    const split = (one: string, other: string) =>
      documentOf({
        Action: 'sts:AssumeRole',
        Principal: { AWS: [either('Prod', new Known(one, nowhere), new Known(other, nowhere)), 'arn:c'] },
      });
    expect(texts(split('arn:a', ''))).toEqual([['arn:a', 'arn:c']]);
    expect(texts(split('', ''))).toEqual([['', '', 'arn:c']]);
    expect(texts(split('arn:a', 'arn:b'))).toEqual([['arn:a', 'arn:b', 'arn:c']]);
  });
});

describe('web identity statements', () => {
  it('have their issuer, subjects and audiences read', () => {
    const statement = first(
      irsa({ StringEquals: { [`${ISSUER}:sub`]: AWS_NODE, [`${ISSUER}:aud`]: 'sts.amazonaws.com' } }),
    );
    expect(statement.issuer).toBe('eks');
    expect(statement.subjects.map(({ comparison, issuer, hasScheme }) => [comparison, issuer, hasScheme])).toEqual([
      ['equals', ISSUER, false],
    ]);
    expect(statement.audiences).toHaveLength(1);
    expect(trustsAction(statement, 'sts:AssumeRoleWithWebIdentity')).toBe('yes');
    expect(trustsAction(statement, 'sts:AssumeRole')).toBe('no');
    expect(isAllow(statement)).toBe('yes');
  });

  it('show a condition key with a scheme', () => {
    const [subject] = first(irsa({ StringEquals: { [`https://${ISSUER}:sub`]: AWS_NODE } })).subjects;
    expect(subject?.hasScheme).toBe(true);
    expect(subject?.issuer).toBe(ISSUER);
  });

  const provider = (url: OidcProvider['url']): OidcProvider => ({
    ...trustedBy(),
    kind: 'oidc-provider',
    type: 'AWS::IAM::OIDCProvider',
    id: 'Provider',
    url,
    clientIds: absent,
  });
  const pointingAt = (target: NonNullable<Principal['target']>): StatementSpec => ({
    Action: 'sts:AssumeRoleWithWebIdentity',
    Principal: { Federated: [{ type: 'Federated', id: unknown(), target }] },
  });

  const [cluster] = new EksModel(
    readTemplates([
      { file: 'template.yaml', text: 'Resources: { Cluster: { Type: AWS::EKS::Cluster, Properties: {} } }' },
    ]).resources,
  ).clusters;
  if (cluster === undefined) throw new Error('the cluster was not read');

  it.each([
    ['an EKS provider', irsa(undefined), 'eks'],
    [
      'an EKS provider in China',
      irsa(undefined, {
        Principal: { Federated: 'arn:aws-cn:iam::1:oidc-provider/oidc.eks.cn-north-1.amazonaws.com.cn/id/A' },
      }),
      'eks',
    ],
    [
      'a provider that may be one of EKS',
      irsa(undefined, { Principal: { Federated: 'arn:aws:iam::1:oidc-provider/oidc-eks.eu-west-1.api.aws/id/A' } }),
      'unknown',
    ],
    [
      'the issuer URL in the place of the provider',
      irsa(undefined, { Principal: { Federated: `https://${ISSUER}` } }),
      'eks',
    ],
    [
      'GitHub',
      irsa(
        { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:o/r:*' } },
        { Principal: { Federated: 'arn:aws:iam::1:oidc-provider/token.actions.githubusercontent.com' } },
      ),
      'other',
    ],
    ['an unknown provider', irsa(undefined, { Principal: { Federated: [unknown()] } }), 'unknown'],
    [
      'an unknown provider with a service account subject',
      irsa({ StringEquals: { '${Issuer}:sub': AWS_NODE } }, { Principal: { Federated: [unknown()] } }),
      'eks',
    ],
    [
      'an unknown provider with an issuer of a cluster',
      irsa({ StringEquals: { '${Cluster.OpenIdConnectIssuer}:aud': 'x' } }, { Principal: { Federated: [unknown()] } }),
      'eks',
    ],
    ['a provider of the input for an EKS issuer', pointingAt(provider(new Known(`https://${ISSUER}`, nowhere))), 'eks'],
    [
      'a provider of the input for another issuer',
      pointingAt(provider(new Known('https://token.actions.githubusercontent.com', nowhere))),
      'other',
    ],
    ['a provider of the input with an unknown URL', pointingAt(provider(unknown())), 'unknown'],
    [
      'a provider of the input for an issuer that is not known',
      pointingAt(
        provider(either('Prod', new Known('https://token.actions.githubusercontent.com', nowhere), unknown())),
      ),
      'unknown',
    ],
    ['a cluster, in the place of the provider', pointingAt(cluster), 'eks'],
    [
      'a provider of the input whose URL is an attribute of a cluster',
      pointingAt(
        provider(
          new Unknown('it is created with the cluster', nowhere, undefined, undefined, {
            resource: cluster,
            attribute: 'Issuer',
          }),
        ),
      ),
      'eks',
    ],
    [
      'a provider of the input whose URL is an attribute of something else',
      pointingAt(
        provider(
          new Unknown('it is created', nowhere, undefined, undefined, {
            resource: provider(unknown()),
            attribute: 'Url',
          }),
        ),
      ),
      'unknown',
    ],
    [
      'another provider beside one of a cluster',
      {
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: {
          Federated: [
            'arn:aws:iam::1:oidc-provider/token.actions.githubusercontent.com',
            { type: 'Federated', id: unknown(), target: cluster },
          ],
        },
      },
      'eks',
    ],
    [
      'a provider that may be one of EKS, beside GitHub',
      irsa(undefined, {
        Principal: {
          Federated: [
            'arn:aws:iam::1:oidc-provider/token.actions.githubusercontent.com',
            'arn:aws:iam::1:oidc-provider/oidc-eks.eu-west-1.api.aws/id/A',
          ],
        },
      }),
      'unknown',
    ],
    [
      'an unknown provider, with one service account among the subjects',
      irsa(
        { StringEquals: { '${Issuer}:sub': ['repo:o/r:ref', AWS_NODE] } },
        { Principal: { Federated: [unknown()] } },
      ),
      'eks',
    ],
    [
      'no provider, under a condition',
      {
        Action: 'sts:AssumeRole',
        Principal: { Service: 'ec2.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': '1' } },
      },
      'other',
    ],
    ['a service', { Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }, 'other'],
  ] as [string, StatementSpec, string][])('of %s', (_, spec, issuer) => {
    const statement = first(spec);
    expect(statement.issuer).toBe(issuer);
    expect(webIdentityStatements([statement])).toHaveLength(issuer === 'other' ? 0 : 1);
  });

  it('leave out one of an unknown provider that has another action', () => {
    expect(
      webIdentityStatements(
        statementsOf(irsa(undefined, { Action: 'sts:AssumeRole', Principal: { Federated: [unknown()] } })),
      ),
    ).toEqual([]);
    expect(
      webIdentityStatements(
        statementsOf(irsa(undefined, { Action: 'sts:AssumeRoleWithSAML', Principal: { Federated: [unknown()] } })),
      ),
    ).toEqual([]);
  });

  it.each([
    ['https://', true, ISSUER],
    ['http://', true, ISSUER],
    ['HTTPS://', true, ISSUER],
    ['', false, ISSUER],
    ['x-https://', false, `x-https://${ISSUER}`],
  ])('with "%s" before the issuer of a key', (scheme, hasScheme, issuer) => {
    expect(first(irsa({ StringEquals: { [`${scheme}${ISSUER}:sub`]: AWS_NODE } })).subjects).toMatchObject([
      { hasScheme, issuer },
    ]);
  });

  it.each([
    ['StringEquals', 'equals'],
    ['ForAllValues:StringEquals', 'equals'],
    ['ForAnyValue:StringLikeIfExists', 'like'],
    ['stringnotlike', 'not-like'],
    ['StringEqualsIgnoreCaseIfExists', 'equals-ignore-case'],
    ['XForAnyValue:StringLike', 'other'],
    ['StringLikeIfExistsX', 'other'],
    ['ArnLike', 'other'],
  ])('with %s compare by %s', (operator, comparison) => {
    expect(first(irsa({ [operator]: { [`${ISSUER}:sub`]: AWS_NODE } })).subjects).toMatchObject([
      { operator, comparison },
    ]);
  });

  it('say why their conditions cannot be read', () => {
    const reason = (condition: StatementSpec['Condition']) => first(irsa(condition)).unreadableConditions;
    expect(reason('unreadable')).toBe('an import');
    expect(reason({ StringEquals: { 'aws:SourceAccount': '1', '${Key}': 'x' } })).toBe(
      'the key ${Key} of one of them is not known',
    );
    expect(reason({ StringEquals: { '${Issuer}:sub': AWS_NODE } })).toBeUndefined();
    expect(reason({ StringEquals: { 'odd}': AWS_NODE } })).toBeUndefined();
    expect(reason(undefined)).toBeUndefined();
  });

  it('include one that has the wrong action, so that a rule can say so', () => {
    expect(webIdentityStatements(statementsOf(irsa(undefined, { Action: 'sts:AssumeRole' })))).toHaveLength(1);
  });
});

describe('acceptsServiceAccount', () => {
  const sub = `${ISSUER}:sub`;
  it.each([
    ['the exact subject', [irsa({ StringEquals: { [sub]: AWS_NODE } })], 'yes'],
    ['another namespace', [irsa({ StringEquals: { [sub]: 'system:serviceaccount:default:aws-node' } })], 'no'],
    [
      'two subjects, one of them right',
      [irsa({ StringEquals: { [sub]: ['system:serviceaccount:default:aws-node', AWS_NODE] } })],
      'yes',
    ],
    [
      'a * in StringEquals, which is no wildcard',
      [irsa({ StringEquals: { [sub]: 'system:serviceaccount:kube-system:*' } })],
      'no',
    ],
    ['a * in StringLike', [irsa({ StringLike: { [sub]: 'system:serviceaccount:kube-system:*' } })], 'yes'],
    ['a * for another namespace', [irsa({ StringLike: { [sub]: 'system:serviceaccount:prod:*' } })], 'no'],
    [
      'ForAnyValue:StringLike',
      [irsa({ 'ForAnyValue:StringLike': { [sub]: 'system:serviceaccount:kube-system:aws-*' } })],
      'yes',
    ],
    ['StringEqualsIgnoreCase', [irsa({ StringEqualsIgnoreCase: { [sub]: AWS_NODE.toUpperCase() } })], 'yes'],
    ['StringEqualsIfExists', [irsa({ StringEqualsIfExists: { [sub]: AWS_NODE } })], 'yes'],
    ['StringNotEquals', [irsa({ StringNotEquals: { [sub]: AWS_NODE } })], 'no'],
    ['StringNotLike of others', [irsa({ StringNotLike: { [sub]: 'system:serviceaccount:prod:*' } })], 'yes'],
    [
      'StringNotEquals of another',
      [irsa({ StringNotEquals: { [sub]: 'system:serviceaccount:prod:aws-node' } })],
      'yes',
    ],
    ['StringNotEquals of an unknown one', [irsa({ StringNotEquals: { [sub]: [unknown()] } })], 'maybe'],
    ['StringNotLike of these', [irsa({ StringNotLike: { [sub]: 'system:serviceaccount:kube-*' } })], 'no'],
    [
      'StringNotLike with a scheme, which is never found',
      [irsa({ StringNotLike: { [`https://${sub}`]: 'system:serviceaccount:kube-*' } })],
      'no',
    ],
    [
      'StringNotEquals with a scheme',
      [irsa({ StringNotEquals: { [`https://${sub}`]: 'system:serviceaccount:prod:x' } })],
      'yes',
    ],
    ['StringLike of an unknown pattern', [irsa({ StringLike: { [sub]: [unknown()] } })], 'maybe'],
    [
      'StringLike of a pattern that is known in part',
      [irsa({ StringLike: { [sub]: [unknown('system:serviceaccount:${Namespace}:aws-*')] } })],
      'maybe',
    ],
    [
      'StringLike of another that is known in part',
      [irsa({ StringLike: { [sub]: [unknown('system:serviceaccount:${Namespace}:ebs-*')] } })],
      'no',
    ],
    [
      'StringEqualsIgnoreCase of another',
      [irsa({ StringEqualsIgnoreCase: { [sub]: 'system:serviceaccount:default:aws-node' } })],
      'no',
    ],
    [
      'StringEqualsIgnoreCase of one that is known in part',
      [irsa({ StringEqualsIgnoreCase: { [sub]: [unknown('SYSTEM:serviceaccount:${Namespace}:AWS-node')] } })],
      'maybe',
    ],
    [
      'a * in StringEquals beside an unknown part, which is no wildcard',
      [irsa({ StringEquals: { [sub]: [unknown('system:serviceaccount:${Namespace}:aws-*')] } })],
      'no',
    ],
    [
      'a ? in StringEquals beside an unknown part',
      [irsa({ StringEquals: { [sub]: [unknown('system:serviceaccount:${Namespace}:aws-nod?')] } })],
      'no',
    ],
    ['a condition whose key is not known', [irsa({ StringEquals: { '${Key}': 'x' } })], 'maybe'],
    ['an unknown effect', [irsa(undefined, { Effect: unknown() })], 'maybe'],
    [
      'two conditions, one of which excludes it',
      [irsa({ StringLike: { [sub]: 'system:*' }, StringNotEquals: { [sub]: AWS_NODE } })],
      'no',
    ],
    ['an operator that is not for text', [irsa({ Null: { [sub]: 'false' } })], 'maybe'],
    ['a key with a scheme, which is never found', [irsa({ StringEquals: { [`https://${sub}`]: AWS_NODE } })], 'no'],
    ['no subject condition', [irsa({ StringEquals: { [`${ISSUER}:aud`]: 'sts.amazonaws.com' } })], 'yes'],
    ['no condition', [irsa(undefined)], 'yes'],
    ['conditions that cannot be read', [irsa('unreadable')], 'maybe'],
    ['an unknown subject', [irsa({ StringEquals: { [sub]: [unknown()] } })], 'maybe'],
    [
      'a subject with an unknown name',
      [irsa({ StringEquals: { [sub]: [unknown('system:serviceaccount:kube-system:${Name}')] } })],
      'maybe',
    ],
    [
      'a subject with an unknown name in another namespace',
      [irsa({ StringEquals: { [sub]: [unknown('system:serviceaccount:default:${Name}')] } })],
      'no',
    ],
    ['the wrong action', [irsa({ StringEquals: { [sub]: AWS_NODE } }, { Action: 'sts:AssumeRole' })], 'no'],
    ['a Deny', [irsa({ StringEquals: { [sub]: AWS_NODE } }, { Effect: 'Deny' })], 'no'],
    ['no IRSA statement', [{ Action: 'sts:AssumeRole', Principal: { Service: 'pods.eks.amazonaws.com' } }], 'no'],
    [
      'a second statement that has it',
      [irsa({ StringEquals: { [sub]: 'system:serviceaccount:a:b' } }), irsa({ StringEquals: { [sub]: AWS_NODE } })],
      'yes',
    ],
  ] as [string, StatementSpec[], string][])('%s', (_, specs, expected) => {
    expect(acceptsServiceAccount(statementsOf(...specs), 'kube-system', 'aws-node')).toBe(expected);
  });

  it('lists the subjects as written', () => {
    const statements = statementsOf(
      irsa({
        StringLike: { [sub]: ['system:serviceaccount:a:*', unknown('system:serviceaccount:${B}:c'), unknown()] },
      }),
    );
    expect(serviceAccountSubjects(statements).map(({ text, condition }) => [condition.operator, text])).toEqual([
      ['StringLike', 'system:serviceaccount:a:*'],
      ['StringLike', 'system:serviceaccount:${B}:c'],
    ]);
  });
});

describe('podIdentityTrust', () => {
  const pods = (Action: StatementSpec['Action'], overrides: StatementSpec = {}): StatementSpec => ({
    Principal: { Service: 'pods.eks.amazonaws.com' },
    ...(Action === undefined ? {} : { Action }),
    ...overrides,
  });

  it.each([
    ['both actions', [pods(['sts:AssumeRole', 'sts:TagSession'])], { trusted: 'yes' }],
    [
      'two statements, as CDK writes them',
      [pods('sts:AssumeRole'), pods(['sts:AssumeRole', 'sts:TagSession'])],
      { trusted: 'yes' },
    ],
    ['one action in each of two statements', [pods('sts:AssumeRole'), pods('sts:TagSession')], { trusted: 'yes' }],
    ['sts:*', [pods('sts:*')], { trusted: 'yes' }],
    ['no sts:TagSession', [pods('sts:AssumeRole')], { trusted: 'yes', missingActions: ['sts:TagSession'] }],
    ['an IRSA role', [irsa(undefined)], { trusted: 'no', missingActions: ['sts:AssumeRole', 'sts:TagSession'] }],
    [
      'EC2',
      [pods(['sts:AssumeRole', 'sts:TagSession'], { Principal: { Service: 'ec2.amazonaws.com' } })],
      { trusted: 'no', missingActions: ['sts:AssumeRole', 'sts:TagSession'], otherServices: ['ec2.amazonaws.com'] },
    ],
    [
      'EKS itself',
      [pods('sts:AssumeRole', { Principal: { Service: ['eks.amazonaws.com'] } })],
      { trusted: 'no', missingActions: ['sts:AssumeRole', 'sts:TagSession'], otherServices: ['eks.amazonaws.com'] },
    ],
    [
      'EC2 beside it',
      [
        pods(['sts:AssumeRole', 'sts:TagSession'], {
          Principal: { Service: ['ec2.amazonaws.com', 'pods.eks.amazonaws.com'] },
        }),
      ],
      { trusted: 'yes', otherServices: ['ec2.amazonaws.com'] },
    ],
    [
      'an unknown service',
      [pods(['sts:AssumeRole', 'sts:TagSession'], { Principal: { Service: [unknown()] } })],
      { trusted: 'maybe', unknownActions: ['sts:AssumeRole', 'sts:TagSession'] },
    ],
    [
      'an unknown action',
      [pods(['sts:AssumeRole', unknown()])],
      { trusted: 'yes', unknownActions: ['sts:TagSession'] },
    ],
    [
      'anyone',
      [pods(['sts:AssumeRole', 'sts:TagSession'], { Principal: { '*': '*' } })],
      { trusted: 'maybe', unknownActions: ['sts:AssumeRole', 'sts:TagSession'] },
    ],
    [
      'anyone, beside an account',
      [pods(['sts:AssumeRole', 'sts:TagSession'], { Principal: { AWS: '111122223333', '*': '*' } })],
      { trusted: 'maybe', unknownActions: ['sts:AssumeRole', 'sts:TagSession'] },
    ],
    [
      'an unknown effect',
      [pods(['sts:AssumeRole', 'sts:TagSession'], { Effect: unknown() })],
      { trusted: 'maybe', unknownActions: ['sts:AssumeRole', 'sts:TagSession'] },
    ],
    [
      'a Deny of EC2',
      [
        pods(['sts:AssumeRole', 'sts:TagSession']),
        pods('sts:*', { Effect: 'Deny', Principal: { Service: 'ec2.amazonaws.com' } }),
      ],
      { trusted: 'yes' },
    ],
    [
      'a service of which a part is not known',
      [pods('sts:*', { Principal: { Service: [unknown('ec2.${Suffix}')] } })],
      { trusted: 'no', missingActions: ['sts:AssumeRole', 'sts:TagSession'], otherServices: ['ec2.${Suffix}'] },
    ],
    [
      'one service under a condition',
      [
        pods('sts:*', {
          Principal: {
            Service: [
              either('Prod', new Known('pods.eks.amazonaws.com', nowhere), new Known('ec2.amazonaws.com', nowhere)),
            ],
          },
        }),
      ],
      { trusted: 'maybe', unknownActions: ['sts:AssumeRole', 'sts:TagSession'], otherServices: ['ec2.amazonaws.com'] },
    ],
    [
      'a conditional Deny',
      [
        pods(['sts:AssumeRole', 'sts:TagSession']),
        pods('sts:TagSession', {
          Effect: 'Deny',
          Condition: { StringNotEquals: { 'aws:RequestTag/kubernetes-namespace': 'a' } },
        }),
      ],
      { trusted: 'yes', unknownActions: ['sts:TagSession'] },
    ],
    [
      'a Deny',
      [pods(['sts:AssumeRole', 'sts:TagSession']), pods('sts:TagSession', { Effect: 'Deny' })],
      { trusted: 'yes', missingActions: ['sts:TagSession'] },
    ],
  ] as [string, StatementSpec[], object][])('%s', (_, specs, expected) => {
    expect(podIdentityTrust(statementsOf(...specs))).toEqual({
      missingActions: [],
      unknownActions: [],
      otherServices: [],
      ...expected,
    });
  });

  it('needs no tags where EKS sets none', () => {
    const statements = statementsOf(pods('sts:AssumeRole'));
    expect(podIdentityTrust(statements, false)).toEqual({
      trusted: 'yes',
      missingActions: [],
      unknownActions: [],
      otherServices: [],
    });
    expect(podIdentityTrust(statementsOf(pods('sts:TagSession')), false).missingActions).toEqual(['sts:AssumeRole']);
  });

  it('judges other services by the same rule', () => {
    const statements = statementsOf(
      pods('sts:AssumeRole', { Principal: { Service: [unknown('ec2.${AWS::URLSuffix}')] } }),
    );
    expect(serviceTrust(statements, 'ec2.amazonaws.com', ['sts:AssumeRole'])).toEqual({
      trusted: 'maybe',
      missingActions: [],
      unknownActions: ['sts:AssumeRole'],
      otherServices: [],
    });
    expect(serviceTrust(statements, 'eks.amazonaws.com', ['sts:AssumeRole']).trusted).toBe('no');
  });
});
