import { EksModel } from '../../../lib/eks';
import { hasNoOwnNodes, nodesElsewhereOf, whereOwnNodes } from '../../../lib/eks/analysis/own-nodes';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { always } from '../../../lib/value';
import {
  block,
  cluster,
  CLUSTER,
  helmChart,
  manifest,
  namedNodeGroup,
  onCondition,
  SELF_MANAGED,
  template,
} from '../../rules/node-templates';

const HEAD =
  'Parameters:\n  P: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref P, prod]\n  IsTest: !Not [!Condition IsProd]';
const NODES = 'arn:aws:iam::111122223333:role/nodes';

function modelOf(blocks: readonly string[]): EksModel {
  return new EksModel(readTemplates([{ file: 'template.yaml', text: template(HEAD, ...blocks) }]).resources);
}

/** Of the first cluster of a template. */
function viewIn(model: EksModel) {
  const [main] = model.clusters;
  if (main === undefined) throw new Error('no cluster in the template');
  return model.viewOf(main);
}

function elsewhere(...blocks: readonly string[]): string[] {
  const model = modelOf(blocks);
  return nodesElsewhereOf(viewIn(model), model).map(({ what, when }) =>
    when.text === '' ? what : `${what} if ${when.text}`,
  );
}

function places(...blocks: readonly string[]): string[] {
  const model = modelOf(blocks);
  const found = whereOwnNodes(viewIn(model), model, always);
  expect(hasNoOwnNodes(viewIn(model), model, always)).toBe(found.length === 0);
  return found.map(({ text }) => (text === '' ? 'everywhere' : text));
}

const OTHER = block('Other', 'AWS::EKS::Cluster', ['RoleArn: arn:aws:iam::111122223333:role/cluster']);
const fargate = (id = 'Fargate') =>
  block(id, 'AWS::EKS::FargateProfile', [
    'ClusterName: !Ref Cluster',
    'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
    'Selectors: [{ Namespace: default }]',
  ]);
const entry = (principal: string, type = 'EC2_LINUX') =>
  block('Entry', 'AWS::EKS::AccessEntry', ['ClusterName: !Ref Cluster', `PrincipalArn: ${principal}`, `Type: ${type}`]);
const association = (account: string) =>
  block('Association', 'AWS::EKS::PodIdentityAssociation', [
    'ClusterName: !Ref Cluster',
    'Namespace: kube-system',
    `ServiceAccount: ${account}`,
    `RoleArn: ${NODES}`,
  ]);
const issuerOf = (id: string) =>
  block('Provider', 'AWS::IAM::OIDCProvider', [
    `Url: !GetAtt ${id}.OpenIdConnectIssuerUrl`,
    'ClientIdList: [sts.amazonaws.com]',
  ]);
const trust = (provider: string, account = 'karpenter', issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC') =>
  block('Role', 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    '  Statement:',
    '    - Effect: Allow',
    `      Principal: { Federated: ${provider} }`,
    '      Action: sts:AssumeRoleWithWebIdentity',
    `      Condition: { StringEquals: { "${issuer}:sub": "system:serviceaccount:kube-system:${account}" } }`,
  ]);
const FOREIGN = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC';
const auth = (...mappings: readonly object[]) =>
  manifest('Auth', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'aws-auth', namespace: 'kube-system' },
    data: { mapRoles: JSON.stringify(mappings) },
  });
const mapping = (rolearn: string, ...groups: readonly string[]) => ({
  rolearn,
  username: 'system:node:{{EC2PrivateDNSName}}',
  groups,
});

describe('nodesElsewhereOf', () => {
  const OTHER_ENTRY = 'access entry "Entry" lets in nodes with another role';
  const OTHER_MAPPING = '`aws-auth` lets in nodes with another role';

  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing', [CLUSTER], []],
    ['an access entry for nodes', [CLUSTER, entry('arn:aws:iam::111122223333:role/other')], [OTHER_ENTRY]],
    [
      'an access entry under a condition',
      [CLUSTER, onCondition('IsProd', entry('arn:aws:iam::111122223333:role/other'))],
      [`${OTHER_ENTRY} if condition IsProd is true`],
    ],
    ['an access entry for the nodes of a group', [CLUSTER, namedNodeGroup('Group'), entry(NODES)], []],
    [
      'an access entry for other nodes than those of a group',
      [CLUSTER, namedNodeGroup('Group'), entry('arn:aws:iam::111122223333:role/other')],
      [OTHER_ENTRY],
    ],
    [
      'an access entry for one of two roles',
      [CLUSTER, namedNodeGroup('Group'), entry(`!If [IsProd, ${NODES}, "arn:aws:iam::111122223333:role/other"]`)],
      [OTHER_ENTRY],
    ],
    [
      'an access entry of a parameter that a group names, too',
      [CLUSTER, namedNodeGroup('Group').replace(NODES, '!Ref P'), entry('!Ref P')],
      [],
    ],
    ['an access entry of a parameter', [CLUSTER, namedNodeGroup('Group'), entry('!Ref P')], [OTHER_ENTRY]],
    ['an access entry for people', [CLUSTER, entry('arn:aws:iam::111122223333:role/other', 'STANDARD')], []],
    [
      'an access entry for nodes of Windows',
      [CLUSTER, entry('arn:aws:iam::111122223333:role/other', 'EC2_WINDOWS')],
      [],
    ],
    [
      'an access entry beside self-managed nodes',
      [cluster('Name: main'), SELF_MANAGED, entry('arn:aws:iam::111122223333:role/other')],
      [],
    ],

    [
      'a mapping for nodes',
      [CLUSTER, auth(mapping('arn:aws:iam::111122223333:role/other', 'system:bootstrappers', 'system:nodes'))],
      [OTHER_MAPPING],
    ],
    ['a mapping for people', [CLUSTER, auth(mapping('arn:aws:iam::111122223333:role/other', 'system:masters'))], []],
    [
      'a mapping for Fargate',
      [CLUSTER, auth(mapping('arn:aws:iam::111122223333:role/other', 'system:nodes', 'system:node-proxier'))],
      [],
    ],
    [
      'a mapping for the nodes of a group',
      [CLUSTER, namedNodeGroup('Group'), auth(mapping(NODES, 'system:nodes'))],
      [],
    ],
    [
      'a mapping beside self-managed nodes',
      [cluster('Name: main'), SELF_MANAGED, auth(mapping('arn:aws:iam::111122223333:role/other', 'system:nodes'))],
      [],
    ],

    [
      'a Pod Identity association for Karpenter',
      [CLUSTER, association('karpenter')],
      ['Pod Identity association "Association" is for Karpenter'],
    ],
    ['a Pod Identity association for something else', [CLUSTER, association('ebs-csi')], []],
    ['a Pod Identity association that may be for Karpenter', [CLUSTER, association('!Ref P')], []],

    ['a role for Karpenter', [CLUSTER, trust(FOREIGN)], ['role "Role" is for Karpenter']],
    ['a role for something else', [CLUSTER, trust(FOREIGN, 'not-karpenter')], []],
    ['a role for Karpenter beside two clusters', [CLUSTER, OTHER, trust(FOREIGN)], []],
    [
      'a role for the Karpenter of this cluster',
      [CLUSTER, OTHER, issuerOf('Cluster'), trust('!Ref Provider')],
      ['role "Role" is for Karpenter'],
    ],
    ['a role for the Karpenter of another cluster', [CLUSTER, OTHER, issuerOf('Other'), trust('!Ref Provider')], []],
  ])('tells of %s', (_, blocks, expected) => {
    expect(elsewhere(...blocks)).toEqual(expected);
  });
});

describe('whereOwnNodes', () => {
  const AUTO_MODE = cluster('ComputeConfig: { Enabled: true }');
  const POOL = manifest('Pool', { apiVersion: 'karpenter.sh/v1', kind: 'NodePool' });

  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing else is shown', [CLUSTER], ['everywhere']],
    ['there are nodes', [CLUSTER, namedNodeGroup('Group')], ['everywhere']],
    ['there is Auto Mode alone', [AUTO_MODE], []],
    ['there are nodes beside Auto Mode', [AUTO_MODE, namedNodeGroup('Group')], ['everywhere']],
    ['Auto Mode may be off', [cluster('ComputeConfig: { Enabled: !Ref P }')], ['everywhere']],
    [
      'Auto Mode is on in one branch only',
      [cluster('ComputeConfig: { Enabled: !If [IsProd, true, false] }')],
      ['everywhere'],
    ],
    ['there is Karpenter beside Auto Mode', [AUTO_MODE, helmChart('Scaler', 'karpenter', {})], ['everywhere']],
    ['there is Fargate alone', [CLUSTER, fargate()], []],
    ['there is Fargate under a condition', [CLUSTER, onCondition('IsProd', fargate())], ['condition IsProd is false']],
    [
      'there is Fargate under a condition, and under its opposite',
      [CLUSTER, onCondition('IsProd', fargate()), onCondition('IsTest', fargate('More'))],
      [],
    ],
    [
      'the cluster is made with its Fargate profile alone',
      [onCondition('IsProd', CLUSTER), onCondition('IsProd', fargate())],
      [],
    ],
    [
      'the cluster is made without its Fargate profile',
      [onCondition('IsProd', CLUSTER), onCondition('IsTest', fargate())],
      ['everywhere'],
    ],
    [
      'nodes and a chart are made only where the cluster is not',
      [
        onCondition('IsProd', CLUSTER),
        onCondition('IsProd', fargate()),
        onCondition('IsTest', namedNodeGroup('Group')),
        onCondition('IsTest', helmChart('Scaler', 'karpenter', {})),
      ],
      [],
    ],
    ['there are nodes beside Fargate', [CLUSTER, fargate(), namedNodeGroup('Group')], ['everywhere']],
    ['there is Karpenter beside Fargate', [CLUSTER, fargate(), POOL], ['everywhere']],
    [
      'nodes of another role are let in beside Fargate',
      [CLUSTER, fargate(), entry('arn:aws:iam::111122223333:role/other')],
      ['everywhere'],
    ],
  ])('answers where %s', (_, blocks, expected) => {
    expect(places(...blocks)).toEqual(expected);
  });
});
