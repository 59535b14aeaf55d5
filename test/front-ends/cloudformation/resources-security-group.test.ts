import { whereExists, type SecurityGroup } from '../../../lib/eks';
import { diagnostics, place, read, resource, show } from './reading';
import { readIt, template } from './resources-reading';

const CLUSTER = { Cluster: '{Type: AWS::EKS::Cluster, Properties: {}}' };

function group(properties: string, others: Readonly<Record<string, string>> = {}): SecurityGroup {
  return readIt('security-group', 'AWS::EC2::SecurityGroup', properties, {
    ...CLUSTER,
    Other: '{Type: AWS::EC2::SecurityGroup, Properties: {}}',
    ...others,
  });
}

function rules(found: SecurityGroup): unknown[] {
  return found.rules.map(({ direction, peer, ofPeer }) => [
    direction,
    show(peer),
    ...(ofPeer === true ? ['of peer'] : []),
  ]);
}

const ingress = (properties: string, head = '') =>
  `{Type: AWS::EC2::SecurityGroupIngress, ${head} Properties: ${properties}}`;
const egress = (properties: string) => `{Type: AWS::EC2::SecurityGroupEgress, Properties: ${properties}}`;

describe('rules of a security group', () => {
  it.each([
    ['{}', []],
    ['{SecurityGroupIngress: !Ref AWS::NoValue}', []],
    ['{SecurityGroupIngress: [{IpProtocol: "-1"}]}', [['ingress', 'absent']]],
    [
      '{SecurityGroupIngress: [{CidrIp: 10.0.0.0/8}, {CidrIpv6: "::/0"}, {SourcePrefixListId: pl-1}, {SourceSecurityGroupId: sg-1}, {SourceSecurityGroupName: web}]}',
      ['10.0.0.0/8', '::/0', 'pl-1', 'sg-1', 'web'].map((peer) => ['ingress', peer]),
    ],
    [
      '{SecurityGroupEgress: [{CidrIp: 0.0.0.0/0}, {CidrIpv6: "::/0"}, {DestinationPrefixListId: pl-1}, {DestinationSecurityGroupId: !Ref Other}]}',
      ['0.0.0.0/0', '::/0', 'pl-1', '?${Other}'].map((peer) => ['egress', peer]),
    ],
    [
      '{SecurityGroupIngress: [{CidrIp: !Ref Open}], SecurityGroupEgress: [{CidrIp: !Ref Default}]}',
      [
        ['ingress', '?${Open}'],
        ['egress', 'given'],
      ],
    ],
    ['{SecurityGroupIngress: !Ref Open}', [['ingress', '?${Open}']]],
    [
      '{SecurityGroupIngress: [!If [C, {CidrIp: 10.0.0.0/8}, !Ref AWS::NoValue]]}',
      [['ingress', { 'condition C is true': '10.0.0.0/8', 'condition C is false': 'absent' }]],
    ],
    [
      '{SecurityGroupIngress: !If [C, [{CidrIp: a}], [{CidrIp: b}]]}',
      [
        ['ingress', { 'condition C is true': 'a', 'condition C is false': 'absent' }],
        ['ingress', { 'condition C is true': 'absent', 'condition C is false': 'b' }],
      ],
    ],
    [
      '{SecurityGroupIngress: [{SourceSecurityGroupId: !If [C, sg-1, !Ref AWS::NoValue], CidrIp: !If [C, !Ref AWS::NoValue, 10.0.0.0/8]}]}',
      [['ingress', { 'condition C is true': 'sg-1', 'condition C is false': '10.0.0.0/8' }]],
    ],
  ])('inline: %s', (properties, expected) => {
    expect(rules(group(properties))).toEqual(expected);
  });

  it('keep the cluster whose security group they name', () => {
    const [rule] = group(
      '{SecurityGroupIngress: [{SourceSecurityGroupId: !GetAtt Cluster.ClusterSecurityGroupId}]}',
    ).rules;
    expect(rule?.peer).toMatchObject({
      kind: 'unknown',
      reference: { attribute: 'ClusterSecurityGroupId', resource: { id: 'Cluster' } },
    });
  });

  it.each([['!Ref It'], ['!GetAtt It.GroupId'], ['!Sub "${It.GroupId}"'], ['{Fn::GetAtt: [It, GroupId]}']])(
    'that are resources of their own name it as %s',
    (id) => {
      const found = group('{SecurityGroupIngress: [{CidrIp: 10.0.0.0/8}]}', {
        From: ingress(`{GroupId: ${id}, SourceSecurityGroupId: !GetAtt Cluster.ClusterSecurityGroupId}`),
        To: egress(`{GroupId: ${id}, DestinationSecurityGroupId: !GetAtt Other.GroupId}`),
        Elsewhere: ingress('{GroupId: sg-1, CidrIp: 10.0.0.0/8}'),
        Unknown: ingress('{GroupId: !Ref Open, CidrIp: 10.0.0.0/8}'),
      });
      expect(rules(found)).toEqual([
        ['ingress', '10.0.0.0/8'],
        ['ingress', '?${Cluster.ClusterSecurityGroupId}'],
        ['egress', '?${Other.GroupId}'],
      ]);
      expect(found.rules).toBe(found.rules);
      expect(found.rules[1]?.source.locate().line).toBe(8);
    },
  );

  it('of the cluster count for the group that they name', () => {
    const found = group('{}', {
      FromNodes: ingress(
        '{GroupId: !GetAtt Cluster.ClusterSecurityGroupId, SourceSecurityGroupId: !GetAtt It.GroupId}',
      ),
    });
    expect(rules(found)).toEqual([['ingress', '?${Cluster.ClusterSecurityGroupId}', 'of peer']]);
    expect(found.rules[0]?.peer).toMatchObject({ reference: { attribute: 'ClusterSecurityGroupId' } });
  });

  it('about itself count once', () => {
    expect(rules(group('{}', { Self: ingress('{GroupId: !Ref It, SourceSecurityGroupId: !Ref It}') }))).toEqual([
      ['ingress', '?${It}'],
    ]);
  });

  it('under conditions are absent elsewhere', () => {
    const found = group('{}', {
      Conditional: ingress('{GroupId: !Ref It, CidrIp: a}', 'Condition: C,'),
      Either: ingress('{GroupId: !If [C, !Ref It, !Ref Other], CidrIp: b}'),
    });
    expect(rules(found)).toEqual([
      ['ingress', { 'condition C is true': 'a', 'condition C is false': 'absent' }],
      ['ingress', { 'condition C is true': 'b', 'condition C is false': 'absent' }],
    ]);
  });

  it('that exist where the group does depend on nothing', () => {
    const result = read(`
Parameters: {Open: {Type: String}}
Conditions: {C: !Equals [!Ref Open, a]}
Resources:
  It: {Type: AWS::EC2::SecurityGroup, Condition: C, Properties: {}}
  Rule: {Type: AWS::EC2::SecurityGroupIngress, Condition: C, Properties: {GroupId: !Ref It, CidrIp: a}}
`);
    const found = resource(result, 'security-group', 'It');
    expect(found.rules.map(({ peer }) => show(whereExists(found, peer)))).toEqual(['a']);
  });

  it('of a stack that never makes them are left out', () => {
    const result = read(`
Conditions: {Never: !Equals [a, b]}
Resources:
  It: {Type: AWS::EC2::SecurityGroup, Properties: {}}
  Rule: {Type: AWS::EC2::SecurityGroupIngress, Condition: Never, Properties: {GroupId: !Ref It, CidrIp: a}}
`);
    expect(resource(result, 'security-group', 'It').rules).toEqual([]);
  });

  it('point at their item', () => {
    const result = read(
      'Resources:\n  It:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n        - CidrIp: a\n        - CidrIp: b\n',
    );
    expect(resource(result, 'security-group', 'It').rules.map(({ source }) => place(source))).toEqual(['6:11', '7:11']);
  });
});

it.each([
  [
    'AWS::EC2::SecurityGroup',
    'SecurityGroupIngress: {CidrIp: a}',
    'SecurityGroupIngress is a map where a list belongs',
  ],
  ['AWS::EC2::SecurityGroup', 'SecurityGroupEgress: [a]', 'item 1 of SecurityGroupEgress is "a" where a map belongs'],
  ['AWS::EC2::SecurityGroup', 'SecurityGroupIngress: [{CidrIp: [a]}]', 'CidrIp is a list where a string belongs'],
  ['AWS::EC2::SecurityGroupIngress', 'GroupId: [a]', 'GroupId is a list where a string belongs'],
  [
    'AWS::EC2::SecurityGroupEgress',
    'DestinationSecurityGroupId: {a: b}',
    'DestinationSecurityGroupId is a map where a string belongs',
  ],
])('in %s the wrong shape %s is told', (type, property, message) => {
  const result = read(template({ It: `{Type: '${type}', Properties: {${property}}}` }));
  expect(diagnostics(result).map((line) => line.replace(/^error \S+ /, ''))).toEqual([message]);
  for (const found of result.resources)
    expect(found.kind === 'security-group' && found.rules.every(({ peer }) => peer.kind !== 'known')).toBe(true);
});
