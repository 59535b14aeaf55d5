import type { EksResource, LaunchTemplate, Value } from '../../../lib/eks';
import { diagnostics, place, read, resource, show } from './reading';
import { readIt, showList, template } from './resources-reading';

type Kind = 'AWS::EC2::LaunchTemplate' | 'AWS::AutoScaling::LaunchConfiguration';

function launch(
  data: string,
  type: Kind = 'AWS::EC2::LaunchTemplate',
  others: Readonly<Record<string, string>> = {},
): LaunchTemplate {
  return readIt(
    'launch-template',
    type,
    type === 'AWS::EC2::LaunchTemplate' ? `{LaunchTemplateData: ${data}}` : data,
    others,
  );
}

const NO_VALUE = '!Ref AWS::NoValue';
const PROFILE = { Profile: '{Type: AWS::IAM::InstanceProfile, Properties: {Roles: [nodes]}}' };
const GROUP = { Group: '{Type: AWS::EC2::SecurityGroup, Properties: {GroupDescription: nodes}}' };

describe('plain settings of a launch template', () => {
  const settings: readonly (readonly [string, (found: LaunchTemplate) => Value<unknown>, (value: string) => string])[] =
    [
      ['profile ARN', (found) => found.instanceProfile, (value) => `{IamInstanceProfile: {Arn: ${value}}}`],
      ['profile name', (found) => found.instanceProfile, (value) => `{IamInstanceProfile: {Name: ${value}}}`],
      [
        'shutdown behaviour',
        (found) => found.shutdownBehavior,
        (value) => `{InstanceInitiatedShutdownBehavior: ${value}}`,
      ],
      ['market type', (found) => found.marketType, (value) => `{InstanceMarketOptions: {MarketType: ${value}}}`],
      ['key name', (found) => found.keyName, (value) => `{KeyName: ${value}}`],
    ];
  const written: readonly (readonly [string, unknown])[] = [
    ['text', 'text'],
    ['!Ref Default', 'given'],
    ['!Ref Open', '?${Open}'],
    [NO_VALUE, 'absent'],
    [`!If [C, text, ${NO_VALUE}]`, { 'condition C is true': 'text', 'condition C is false': 'absent' }],
  ];

  it.each(
    settings.flatMap(([name, get, data]) =>
      written.map(([value, expected]) => ({ name, get, data: data(value), value, expected })),
    ),
  )('$name: $value', ({ get, data, expected }) => {
    expect(show(get(launch(data)))).toEqual(expected);
  });

  it.each(settings)('%s is absent when it is not written', (_, get) => {
    expect(show(get(launch('{}')))).toBe('absent');
    expect(show(get(launch('{IamInstanceProfile: {}, InstanceMarketOptions: {}}')))).toBe('absent');
  });

  it.each(settings)('%s is unknown when the data is', (_, get) => {
    expect(show(get(launch('!Ref Open')))).toBe('?${Open}');
  });

  it('profile by reference', () => {
    expect(show(launch('{IamInstanceProfile: {Arn: !GetAtt Profile.Arn}}', undefined, PROFILE).instanceProfile)).toBe(
      '?${Profile.Arn}',
    );
    expect(show(launch('{IamInstanceProfile: {Name: !Ref Profile}}', undefined, PROFILE).instanceProfile)).toBe(
      '?${Profile}',
    );
  });
});

describe.each([
  ['HibernationOptions', (found: LaunchTemplate): Value<unknown> => found.hibernation, 'absent', false],
  ['InstanceRequirements', (found: LaunchTemplate): Value<unknown> => found.instanceRequirements, true, true],
])('%s', (key, get, empty, switchedOff) => {
  it.each([
    ['{}', empty],
    ['{Configured: false}', switchedOff],
    ['!Ref Open', '?${Open}'],
    [NO_VALUE, 'absent'],
    [`!If [C, {Configured: true}, ${NO_VALUE}]`, { 'condition C is true': true, 'condition C is false': 'absent' }],
  ])('as %s', (written, expected) => {
    expect(show(get(launch(`{${key}: ${written}}`)))).toEqual(expected);
  });

  it('is absent when it is not written', () => {
    expect(show(get(launch('{}')))).toBe('absent');
  });
});

describe('security groups of a launch template', () => {
  it.each([
    ['{}', 'absent'],
    [`{SecurityGroupIds: ${NO_VALUE}}`, 'absent'],
    ['{SecurityGroupIds: !Ref Open}', '?${Open}'],
    ['{SecurityGroupIds: []}', []],
    ['{SecurityGroupIds: [sg-1, !Ref Open, !GetAtt Group.GroupId]}', ['sg-1', '?${Open}', '?${Group.GroupId}']],
    ['{SecurityGroups: [web]}', ['web']],
    ['{SecurityGroupIds: [sg-1], SecurityGroups: [web]}', ['sg-1', 'web']],
    ['{SecurityGroupIds: [sg-1], SecurityGroups: !Ref Open}', ['sg-1', '?${Open}']],
    ['{SecurityGroupIds: !Ref Open, SecurityGroups: [web]}', ['?${Open}', 'web']],
    [
      '{SecurityGroupIds: !If [C, [sg-1], !Ref AWS::NoValue]}',
      { 'condition C is true': ['sg-1'], 'condition C is false': 'absent' },
    ],
    ['{SecurityGroupIds: [!If [C, sg-1, sg-2]]}', [{ 'condition C is true': 'sg-1', 'condition C is false': 'sg-2' }]],
  ])('in %s', (data, expected) => {
    expect(showList(launch(data, undefined, GROUP).securityGroups, show)).toEqual(expected);
  });

  it('keep what they refer to', () => {
    const { securityGroups } = launch(
      '{SecurityGroupIds: [!GetAtt Cluster.ClusterSecurityGroupId, !Ref Group]}',
      undefined,
      { ...GROUP, Cluster: '{Type: AWS::EKS::Cluster, Properties: {}}' },
    );
    const references =
      securityGroups.kind === 'known'
        ? securityGroups.value.map((one) => (one.kind === 'unknown' ? one.reference : undefined))
        : [];
    expect(references).toMatchObject([
      { attribute: 'ClusterSecurityGroupId', resource: { id: 'Cluster', kind: 'cluster' } },
      { attribute: 'Ref', resource: { id: 'Group', kind: 'security-group' } },
    ]);
  });
});

describe('network interfaces of a launch template', () => {
  const interfaces = (data: string) =>
    launch(data).networkInterfaces.map(({ subnet, securityGroups }) => [show(subnet), showList(securityGroups, show)]);

  it.each([
    ['{}', []],
    [`{NetworkInterfaces: ${NO_VALUE}}`, []],
    ['{NetworkInterfaces: []}', []],
    ['{NetworkInterfaces: [{DeviceIndex: 0}]}', [['absent', 'absent']]],
    [
      '{NetworkInterfaces: [{SubnetId: subnet-1, Groups: [sg-1, !Ref Open]}, {SubnetId: !Ref Open, Groups: !Ref Open}]}',
      [
        ['subnet-1', ['sg-1', '?${Open}']],
        ['?${Open}', '?${Open}'],
      ],
    ],
    [`{NetworkInterfaces: [{SubnetId: ${NO_VALUE}}]}`, [['absent', 'absent']]],
    ['{NetworkInterfaces: !Ref Open}', [['?${Open}', '?${Open}']]],
    [
      `{NetworkInterfaces: [!If [C, {SubnetId: subnet-1}, ${NO_VALUE}]]}`,
      [
        [
          { 'condition C is true': 'subnet-1', 'condition C is false': 'absent' },
          { 'condition C is true': 'absent', 'condition C is false': 'absent' },
        ],
      ],
    ],
    [
      `{NetworkInterfaces: !If [C, [{Groups: [sg-1]}], ${NO_VALUE}]}`,
      [
        [
          { 'condition C is true': 'absent', 'condition C is false': 'absent' },
          { 'condition C is true': ['sg-1'], 'condition C is false': 'absent' },
        ],
      ],
    ],
  ])('in %s', (data, expected) => {
    expect(interfaces(data)).toEqual(expected);
  });
});

describe.each<Kind>(['AWS::EC2::LaunchTemplate', 'AWS::AutoScaling::LaunchConfiguration'])(
  'block devices of %s',
  (type) => {
    it.each([
      ['{}', []],
      [
        '{BlockDeviceMappings: [{DeviceName: /dev/xvda, Ebs: {VolumeSize: 100}}, {DeviceName: !Ref Open, Ebs: {VolumeSize: big}}, {DeviceName: /dev/sdb}]}',
        [
          ['/dev/xvda', 100],
          ['?${Open}', 'big'],
          ['/dev/sdb', 'absent'],
        ],
      ],
      ['{BlockDeviceMappings: [{Ebs: {VolumeSize: !Ref Open}}]}', [['absent', '?${Open}']]],
      ['{BlockDeviceMappings: !Ref Open}', [['?${Open}', '?${Open}']]],
      [
        '{BlockDeviceMappings: [{DeviceName: a, Ebs: !If [C, {VolumeSize: "8"}, {}]}]}',
        [['a', { 'condition C is true': 8, 'condition C is false': 'absent' }]],
      ],
    ])('in %s', (data, expected) => {
      expect(launch(data, type).blockDevices.map(({ name, size }) => [show(name), show(size)])).toEqual(expected);
    });
  },
);

describe('a launch configuration', () => {
  const configuration = (properties: string, others: Readonly<Record<string, string>> = {}) =>
    launch(properties, 'AWS::AutoScaling::LaunchConfiguration', others);

  it('is read as a launch template', () => {
    const found = configuration(
      '{LaunchConfigurationName: lc, ImageId: ami-0123456789abcdef0, InstanceType: m5.large, MetadataOptions: {HttpTokens: required, HttpPutResponseHopLimit: 2, HttpEndpoint: enabled}, SecurityGroups: [sg-1, !Ref Open], IamInstanceProfile: !Ref Profile, KeyName: ops, SpotPrice: "0.1"}',
      PROFILE,
    );
    const { metadata } = found;
    expect(
      [
        found.name,
        found.imageId,
        found.instanceType,
        found.instanceProfile,
        found.keyName,
        metadata.httpTokens,
        metadata.hopLimit,
        metadata.httpEndpoint,
        metadata.instanceTags,
      ].map(show),
    ).toEqual([
      'lc',
      { text: 'ami-0123456789abcdef0', family: undefined },
      'm5.large',
      '?${Profile}',
      'ops',
      'required',
      2,
      'enabled',
      'absent',
    ]);
    expect(showList(found.securityGroups, show)).toEqual(['sg-1', '?${Open}']);
  });

  it('has none of what only launch templates have', () => {
    const found = configuration('{SpotPrice: "0.1"}');
    expect([found.shutdownBehavior, found.hibernation, found.instanceRequirements, found.marketType].map(show)).toEqual(
      ['absent', 'absent', 'absent', 'absent'],
    );
    expect([found.instanceTagKeys, found.networkInterfaces]).toEqual([[], []]);
  });

  it.each([
    ['!Ref Open', '?${Open}'],
    [NO_VALUE, 'absent'],
    ['!If [C, m5.large, m5.xlarge]', { 'condition C is true': 'm5.large', 'condition C is false': 'm5.xlarge' }],
  ])('with instance type %s', (written, expected) => {
    expect(show(configuration(`{InstanceType: ${written}}`).instanceType)).toEqual(expected);
  });

  it.each([
    ['aGVsbG8=', 'user', 'hello'],
    ['!Base64 hello', 'engine', 'hello'],
  ])('with user data %s', (written, encodedBy, text) => {
    const { userData } = configuration(`{UserData: ${written}}`);
    if (userData.kind !== 'known') throw new Error();
    expect([userData.value.encodedBy, userData.value.text.text]).toEqual([encodedBy, text]);
  });

  it('says in its own place what it lacks', () => {
    const found = configuration('{}');
    expect(found.marketType.kind === 'absent' && place(found.marketType.source)).toBe(place(found.source));
  });

  it('is no launch template of its name', () => {
    const result = read(
      template({
        Lc: '{Type: AWS::AutoScaling::LaunchConfiguration, Properties: {LaunchConfigurationName: workers}}',
        Lt: '{Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: workers, LaunchTemplateData: {}}}',
        Nodes: '{Type: AWS::EKS::Nodegroup, Properties: {LaunchTemplate: {Name: workers}}}',
      }),
    );
    expect(resource(result, 'node-group', 'Nodes').launchTemplate).toMatchObject({
      value: { template: { target: { id: 'Lt' } } },
    });
  });
});

it.each<readonly [Kind, string, string]>([
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {IamInstanceProfile: nodes}',
    'IamInstanceProfile is "nodes" where a map belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {IamInstanceProfile: {Arn: [a]}}',
    'Arn is a list where a string belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {InstanceInitiatedShutdownBehavior: {a: b}}',
    'InstanceInitiatedShutdownBehavior is a map where a string belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {HibernationOptions: true}',
    'HibernationOptions is a boolean where a map belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {InstanceRequirements: [a]}',
    'InstanceRequirements is a list where a map belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {InstanceMarketOptions: spot}',
    'InstanceMarketOptions is "spot" where a map belongs',
  ],
  ['AWS::EC2::LaunchTemplate', 'LaunchTemplateData: {KeyName: [a]}', 'KeyName is a list where a string belongs'],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {SecurityGroupIds: sg-1}',
    'SecurityGroupIds is "sg-1" where a list belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {NetworkInterfaces: {Groups: [a]}}',
    'NetworkInterfaces is a map where a list belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {NetworkInterfaces: [{Groups: sg-1}]}',
    'Groups is "sg-1" where a list belongs',
  ],
  [
    'AWS::EC2::LaunchTemplate',
    'LaunchTemplateData: {BlockDeviceMappings: [{Ebs: 8}]}',
    'Ebs is a number where a map belongs',
  ],
  [
    'AWS::AutoScaling::LaunchConfiguration',
    'IamInstanceProfile: {Arn: a}',
    'IamInstanceProfile is a map where a string belongs',
  ],
  ['AWS::AutoScaling::LaunchConfiguration', 'SecurityGroups: sg-1', 'SecurityGroups is "sg-1" where a list belongs'],
  ['AWS::AutoScaling::LaunchConfiguration', 'MetadataOptions: [a]', 'MetadataOptions is a list where a map belongs'],
])('in %s the wrong shape %s is told', (type, property, message) => {
  const result = read(template({ It: `{Type: '${type}', Properties: {${property}}}` }));
  expect(diagnostics(result).map((line) => line.replace(/^error \S+ /, ''))).toEqual([message]);
  const found: EksResource | undefined = result.resources[0];
  if (found?.kind !== 'launch-template') throw new Error();
  // Whatever is wrong, everything can be asked for.
  for (const key of [
    'instanceProfile',
    'shutdownBehavior',
    'hibernation',
    'instanceRequirements',
    'marketType',
    'keyName',
    'securityGroups',
    'networkInterfaces',
    'blockDevices',
  ] as const)
    expect(found[key]).toBeDefined();
});
