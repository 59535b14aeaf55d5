import type { NodeGroup, Value } from '../../../lib/eks';
import { diagnostics, place, read, show } from './reading';
import { readIt, showList, template } from './resources-reading';

const TYPE = 'AWS::EKS::Nodegroup';

function nodes(properties: string, others: Readonly<Record<string, string>> = {}): NodeGroup {
  return readIt('node-group', TYPE, properties, others);
}

const NO_VALUE = '!Ref AWS::NoValue';

describe('sizes of a node group', () => {
  const sizes: readonly (readonly [string, (group: NodeGroup) => Value<unknown>, (value: string) => string])[] = [
    ['DiskSize', (group) => group.diskSize, (value) => `{DiskSize: ${value}}`],
    ['MinSize', (group) => group.minSize, (value) => `{ScalingConfig: {MinSize: ${value}}}`],
    ['MaxSize', (group) => group.maxSize, (value) => `{ScalingConfig: {MaxSize: ${value}}}`],
    ['DesiredSize', (group) => group.desiredSize, (value) => `{ScalingConfig: {DesiredSize: ${value}}}`],
  ];
  const written: readonly (readonly [string, unknown])[] = [
    ['50', 50],
    ["'50'", 50],
    ['many', 'many'],
    ['!Ref Open', '?${Open}'],
    [NO_VALUE, 'absent'],
    [`!If [C, 20, ${NO_VALUE}]`, { 'condition C is true': 20, 'condition C is false': 'absent' }],
  ];

  it.each(
    sizes.flatMap(([name, get, properties]) =>
      written.map(([value, expected]) => ({ name, get, properties: properties(value), value, expected })),
    ),
  )('$name: $value', ({ get, properties, expected }) => {
    expect(show(get(nodes(properties)))).toEqual(expected);
  });

  it.each(sizes)('%s is absent when it is not written', (_, get) => {
    expect(show(get(nodes('{}')))).toBe('absent');
  });

  it('are unknown in a scaling configuration that is', () => {
    const { minSize, maxSize, desiredSize } = nodes('{ScalingConfig: !Ref Open}');
    expect([minSize, maxSize, desiredSize].map(show)).toEqual(['?${Open}', '?${Open}', '?${Open}']);
  });
});

describe('remote access of a node group', () => {
  const access = (written: string): unknown => {
    const { remoteAccess } = nodes(written);
    return remoteAccess.kind === 'known'
      ? { key: show(remoteAccess.value.sshKey), groups: showList(remoteAccess.value.sourceSecurityGroups, show) }
      : show(remoteAccess);
  };

  it.each([
    ['{}', 'absent'],
    [`{RemoteAccess: ${NO_VALUE}}`, 'absent'],
    ['{RemoteAccess: !Ref Open}', '?${Open}'],
    ['{RemoteAccess: {}}', { key: 'absent', groups: 'absent' }],
    ['{RemoteAccess: {Ec2SshKey: ops}}', { key: 'ops', groups: 'absent' }],
    [
      '{RemoteAccess: {Ec2SshKey: !Ref Open, SourceSecurityGroups: [sg-1, !Ref Open]}}',
      { key: '?${Open}', groups: ['sg-1', '?${Open}'] },
    ],
    [
      '{RemoteAccess: {SourceSecurityGroups: !If [C, [sg-1], []]}}',
      { key: 'absent', groups: { 'condition C is true': ['sg-1'], 'condition C is false': [] } },
    ],
  ])('in %s', (written, expected) => {
    expect(access(written)).toEqual(expected);
  });

  it('under a condition', () => {
    const { remoteAccess } = nodes(`{RemoteAccess: !If [C, {Ec2SshKey: ops}, ${NO_VALUE}]}`);
    if (remoteAccess.kind !== 'choice') throw new Error();
    expect(
      remoteAccess.alternatives.map(({ when, value }) => [
        when.text,
        value.kind === 'known' ? show(value.value.sshKey) : value.kind,
      ]),
    ).toEqual([
      ['condition C is true', 'ops'],
      ['condition C is false', 'absent'],
    ]);
  });
});

describe('labels of a node group', () => {
  const labels = (written: string, others: Readonly<Record<string, string>> = {}) =>
    showList(nodes(written, others).labels, ({ key, value }) => [show(key), show(value)]);

  it.each([
    ['{}', 'absent'],
    [`{Labels: ${NO_VALUE}}`, 'absent'],
    ['{Labels: !Ref Open}', '?${Open}'],
    ['{Labels: {}}', []],
    [
      '{Labels: {role: workers, gpu: "true", n: 1}}',
      [
        ['role', 'workers'],
        ['gpu', 'true'],
        ['n', '1'],
      ],
    ],
    [
      '{Labels: {role: !Ref Open, team: !Ref Default}}',
      [
        ['role', '?${Open}'],
        ['team', 'given'],
      ],
    ],
    ['{Labels: !If [C, {a: b}, {}]}', { 'condition C is true': [['a', 'b']], 'condition C is false': [] }],
    [`{Labels: {a: ${NO_VALUE}, b: c}}`, [['b', 'c']]],
    [
      `{Labels: {a: !If [C, b, ${NO_VALUE}]}}`,
      [
        [
          { 'condition C is true': 'a', 'condition C is false': 'absent' },
          { 'condition C is true': 'b', 'condition C is false': 'absent' },
        ],
      ],
    ],
    ['{Labels: {a: [b]}}', [['a', '? it is a list where a string belongs']]],
    ['{Labels: {"a${Open}": b}}', [['a${Open}', 'b']]],
    [
      '{Labels: {a: b, Fn::Transform: {Name: M}}}',
      [
        ['a', 'b'],
        ['? Fn::Transform may add labels at deployment', '? Fn::Transform may add labels at deployment'],
      ],
    ],
  ])('in %s', (written, expected) => {
    expect(labels(written)).toEqual(expected);
  });

  it('behind CfnJson, whose keys may be unknown in parts', () => {
    const json = `{Type: Custom::AWSCDKCfnJson, Properties: {Value: {Fn::Join: ['', ['{"plain":"x","tier/', !Ref Open, '":"y"}']]}}}`;
    expect(labels('{Labels: !GetAtt Json.Value}', { Json: json })).toEqual([
      ['plain', 'x'],
      ['?tier/${Open}', 'y'],
    ]);
  });

  it('point at their line', () => {
    const result = read(
      'Resources:\n  It:\n    Type: AWS::EKS::Nodegroup\n    Properties:\n      Labels:\n        a: b\n        c: d\n',
    );
    const [found] = result.resources;
    if (found?.kind !== 'node-group' || found.labels.kind !== 'known') throw new Error();
    expect(found.labels.value.map(({ source }) => place(source))).toEqual(['6:9', '7:9']);
  });
});

describe('taints of a node group', () => {
  const taints = (written: string) =>
    showList(nodes(written).taints, ({ key, value, effect }) => [key, value, effect].map(show));

  it.each([
    ['{}', 'absent'],
    [`{Taints: ${NO_VALUE}}`, 'absent'],
    ['{Taints: !Ref Open}', '?${Open}'],
    ['{Taints: []}', []],
    [
      '{Taints: [{Key: a, Value: b, Effect: NO_SCHEDULE}, {Key: !Ref Open, Effect: !Ref Open}]}',
      [
        ['a', 'b', 'NO_SCHEDULE'],
        ['?${Open}', 'absent', '?${Open}'],
      ],
    ],
    [
      '{Taints: !If [C, [{Key: a}], []]}',
      { 'condition C is true': [['a', 'absent', 'absent']], 'condition C is false': [] },
    ],
    [
      `{Taints: [!If [C, {Key: a}, ${NO_VALUE}]]}`,
      [
        [{ 'condition C is true': 'a', 'condition C is false': 'absent' }, 'absent', 'absent'].map((one, index) =>
          index === 0 ? one : { 'condition C is true': 'absent', 'condition C is false': 'absent' },
        ),
      ],
    ],
  ])('in %s', (written, expected) => {
    expect(taints(written)).toEqual(expected);
  });
});

describe('update configuration of a node group', () => {
  const config = (written: string): unknown => {
    const { updateConfig } = nodes(written);
    if (updateConfig.kind !== 'known') return show(updateConfig);
    const { maxUnavailable, maxUnavailablePercentage, strategy } = updateConfig.value;
    return [maxUnavailable, maxUnavailablePercentage, strategy].map(show);
  };

  it.each([
    ['{}', 'absent'],
    [`{UpdateConfig: ${NO_VALUE}}`, 'absent'],
    ['{UpdateConfig: !Ref Open}', '?${Open}'],
    ['{UpdateConfig: {MaxUnavailable: 2}}', [2, 'absent', 'absent']],
    ['{UpdateConfig: {MaxUnavailablePercentage: "33", UpdateStrategy: MINIMAL}}', ['absent', 33, 'MINIMAL']],
    ['{UpdateConfig: {MaxUnavailable: some, MaxUnavailablePercentage: !Ref Open}}', ['some', '?${Open}', 'absent']],
    [
      '{UpdateConfig: {MaxUnavailable: !If [C, 1, 2]}}',
      [{ 'condition C is true': 1, 'condition C is false': 2 }, 'absent', 'absent'],
    ],
  ])('in %s', (written, expected) => {
    expect(config(written)).toEqual(expected);
  });
});

describe('the launch template that a node group names', () => {
  it.each([
    ['{Id: lt-1}', ['lt-1', 'absent']],
    ['{Name: workers}', ['absent', 'workers']],
    ['{Id: lt-1, Name: workers}', ['lt-1', 'workers']],
    ['{Id: !Ref Open, Name: !Ref Default}', ['?${Open}', 'given']],
    [`{Id: ${NO_VALUE}, Name: workers}`, ['absent', 'workers']],
    [`{Id: !If [C, lt-1, lt-2]}`, [{ 'condition C is true': 'lt-1', 'condition C is false': 'lt-2' }, 'absent']],
  ])('%s keeps what is written', (written, expected) => {
    const { launchTemplate } = nodes(`{LaunchTemplate: ${written}}`);
    const [first] =
      launchTemplate.kind === 'choice' ? launchTemplate.alternatives.map(({ value }) => value) : [launchTemplate];
    if (first?.kind !== 'known') throw new Error();
    expect([first.value.id, first.value.name].map(show)).toEqual(expected);
  });
});

it.each([
  ['DiskSize: [1]', 'DiskSize is a list where a string belongs'],
  ['RemoteAccess: [x]', 'RemoteAccess is a list where a map belongs'],
  ['RemoteAccess: {SourceSecurityGroups: sg-1}', 'SourceSecurityGroups is "sg-1" where a list belongs'],
  ['RemoteAccess: {Ec2SshKey: {a: b}}', 'Ec2SshKey is a map where a string belongs'],
  ['Labels: [a]', 'Labels is a list where a map belongs'],
  ['Taints: {Key: a}', 'Taints is a map where a list belongs'],
  ['Taints: [a]', 'item 1 of Taints is "a" where a map belongs'],
  ['Taints: [{Effect: [a]}]', 'Effect is a list where a string belongs'],
  ['UpdateConfig: 1', 'UpdateConfig is a number where a map belongs'],
  ['UpdateConfig: {MaxUnavailable: {}}', 'MaxUnavailable is a map where a string belongs'],
  ['ScalingConfig: {MinSize: [1]}', 'MinSize is a list where a string belongs'],
  ['ScalingConfig: three', 'ScalingConfig is "three" where a map belongs'],
])('the wrong shape %s is told', (property, message) => {
  const result = read(template({ It: `{Type: '${TYPE}', Properties: {${property}}}` }));
  expect(diagnostics(result).map((line) => line.replace(/^error \S+ /, ''))).toEqual([message]);
  const [found] = result.resources;
  if (found?.kind !== 'node-group') throw new Error();
  const values = [
    found.diskSize,
    found.remoteAccess,
    found.labels,
    found.taints,
    found.updateConfig,
    found.minSize,
    found.maxSize,
    found.desiredSize,
  ];
  for (const value of values) expect(value.kind).not.toBe('choice');
});
