import { irsaOidcProvider } from '../../../lib/rules/iam/irsa-oidc-provider';
import { addon, block, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith } from './role-templates';

const CLUSTER = clusterWith();
const HOST = "!Select [1, !Split ['//', !GetAtt Cluster.OpenIdConnectIssuerUrl]]";
const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';

/** A role that trusts a provider. Keys of conditions can't be made of references, so the subject is a literal issuer's. */
const role = (federated: string, audience = 'sts.amazonaws.com') =>
  block('Web', 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    '  Statement:',
    '    - Effect: Allow',
    `      Principal: { Federated: ${federated} }`,
    '      Action: sts:AssumeRoleWithWebIdentity',
    '      Condition:',
    '        StringEquals:',
    `          ${ISSUER}:sub: system:serviceaccount:apps:web`,
    `          ${ISSUER}:aud: ${audience}`,
  ]);
const OF_CLUSTER = `!Sub ['arn:aws:iam::111122223333:oidc-provider/\${Host}', { Host: ${HOST} }]`;
const LITERAL = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;
const provider = (url = '!GetAtt Cluster.OpenIdConnectIssuerUrl', ids = 'ClientIdList: [sts.amazonaws.com]') =>
  block('Provider', 'AWS::IAM::OIDCProvider', [`Url: ${url}`, ...(ids === '' ? [] : [ids])]);
const PARAMETER = 'Parameters:\n  Given:\n    Type: String\n';
const CONDITION = `${PARAMETER}Conditions:\n  IsProd: !Equals [!Ref Given, prod]\n`;

const second = (url?: string) => provider(url).replace('Provider:', 'Second:');

testRule(irsaOidcProvider, {
  valid: [
    {
      name: 'providers of two clusters',
      template: resources(
        CLUSTER,
        clusterWith().replace('Cluster:', 'Other:'),
        role(OF_CLUSTER),
        provider(),
        second('!GetAtt Other.OpenIdConnectIssuerUrl'),
      ),
    },
    {
      name: 'two providers for one cluster, of which a condition makes one',
      template: template(
        CONDITION.replace('prod]', 'prod]\n  IsTest: !Not [!Condition IsProd]'),
        CLUSTER,
        onCondition('IsProd', role('!GetAtt Provider.Arn')),
        onCondition('IsProd', provider()),
        onCondition('IsTest', second()),
      ),
    },
    { name: 'a provider for the issuer of the cluster', template: resources(CLUSTER, role(OF_CLUSTER), provider()) },
    {
      name: 'a provider that the role refers to',
      template: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider()),
    },
    {
      name: 'a provider for a literal issuer',
      template: resources(role(LITERAL), provider(`https://${ISSUER}`)),
    },
    {
      name: 'several client ids',
      template: resources(
        CLUSTER,
        role('!GetAtt Provider.Arn'),
        provider(undefined, 'ClientIdList: [vault, sts.amazonaws.com]'),
      ),
    },
    {
      name: 'a client id with the domain that the engine fills in',
      template: resources(
        CLUSTER,
        role('!GetAtt Provider.Arn'),
        provider(undefined, "ClientIdList: [!Sub 'sts.${AWS::URLSuffix}']"),
      ),
    },
    {
      name: 'a provider under the condition of the role',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProd', role(OF_CLUSTER)),
        onCondition('IsProd', provider()),
      ),
    },
  ],
  invalid: [
    {
      name: 'two providers for one cluster',
      template: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider(), second()),
      fixed: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider()),
      findings: [
        {
          message: 'second',
          severity: 'error',
          resource: 'Second',
          at: 'Second:',
          related: ['Provider:'],
          says: ['for which Provider makes one already', 'EntityAlreadyExists'],
          advises: 'use Provider in its place',
        },
      ],
    },
    {
      name: 'two providers for one literal issuer',
      template: resources(role(LITERAL), provider(`https://${ISSUER}`), second(`https://${ISSUER}`)),
      findings: [{ message: 'second', severity: 'error', resource: 'Second', at: 'Second:' }],
    },
    {
      name: 'a role that trusts the issuer of a cluster without provider',
      template: resources(CLUSTER, role(OF_CLUSTER)),
      fixed: resources(CLUSTER, role(OF_CLUSTER), provider()),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'Web',
          at: 'Federated: !Sub',
          says: ['Cluster', 'No OpenIDConnect provider found'],
          related: ['Cluster:'],
        },
      ],
    },
    {
      name: 'a provider of another issuer changes nothing',
      template: resources(CLUSTER, role(OF_CLUSTER), provider('https://token.actions.githubusercontent.com')),
      findings: [{ message: 'missing', severity: 'warning', resource: 'Web', at: 'Federated: !Sub' }],
    },
    {
      name: 'a provider that never exists beside the role is missing',
      template: template(
        CONDITION.replace('Conditions:\n', 'Conditions:\n  IsTest: !Not [!Condition IsProd]\n'),
        CLUSTER,
        onCondition('IsTest', role(OF_CLUSTER)),
        onCondition('IsProd', provider()),
      ),
      findings: [{ message: 'missing', severity: 'warning', resource: 'Web', at: 'Federated: !Sub' }],
    },
    {
      name: 'a provider for another audience fails',
      template: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider(undefined, 'ClientIdList: [vault]')),
      fixed: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider()),
      findings: [
        {
          message: 'audience',
          severity: 'error',
          resource: 'Provider',
          at: 'ClientIdList',
          says: ['accepts vault only', 'Web'],
        },
      ],
    },
    {
      name: 'a provider without client ids fails',
      template: resources(CLUSTER, role('!GetAtt Provider.Arn'), provider(undefined, '')),
      findings: [
        {
          message: 'audience',
          severity: 'error',
          resource: 'Provider',
          at: 'Properties: # provider',
          says: ['names no client id'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'client ids from a parameter',
      template: template(
        PARAMETER,
        CLUSTER,
        role('!GetAtt Provider.Arn'),
        provider(undefined, 'ClientIdList: [!Ref Given]'),
      ),
      resources: ['Provider'],
      because: 'client ids',
    },
    {
      name: 'a provider behind a switch, which may be off because there is one already',
      template: template(CONDITION, CLUSTER, role(OF_CLUSTER), onCondition('IsProd', provider())),
      resources: ['Web'],
      because: 'Provider is made under a condition only',
    },
    {
      name: 'a provider whose issuer is a parameter',
      template: template(PARAMETER, CLUSTER, role(OF_CLUSTER), provider('!Ref Given')),
      resources: ['Web'],
      because: 'Provider may be for',
    },
    {
      name: 'a role that an add-on names by ARN',
      template: resources(
        CLUSTER,
        addon('Ebs', 'AddonName: aws-ebs-csi-driver', 'ServiceAccountRoleArn: arn:aws:iam::111122223333:role/ebs'),
      ),
      resources: ['Ebs'],
      because: 'role/ebs is not part of the input',
    },
  ],
  notApplicable: [
    { name: 'the issuer of a cluster elsewhere, whose provider may be anywhere', template: resources(role(LITERAL)) },
    {
      name: 'an audience of its own',
      template: resources(CLUSTER, role('!GetAtt Provider.Arn', 'vault'), provider(undefined, 'ClientIdList: [vault]')),
    },
    {
      name: 'tokens of GitHub',
      template: resources(
        CLUSTER,
        role('!GetAtt Provider.Arn')
          .replaceAll(ISSUER, 'token.actions.githubusercontent.com')
          .replace('system:serviceaccount:apps:web', 'repo:example/app:*'),
        provider('https://token.actions.githubusercontent.com', 'ClientIdList: [other]'),
      ),
    },
  ],
});
