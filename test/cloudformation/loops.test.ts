import { diagnostics, place, read, resource, show } from '../front-ends/cloudformation/reading';

const LOOPS = `
Transform: AWS::LanguageExtensions
Parameters: {P: {Type: String, Default: p}}
Resources:
  Fn::ForEach::Addons:
    - Name
    - [vpc-cni, coredns]
    - Addon&{Name}:
        Type: AWS::EKS::Addon
        Properties:
          AddonName: !Ref Name
          AddonVersion: !Sub '\${Name}-\${P}'
          ServiceAccountRoleArn: !GetAtt 'Role&{Name}.Arn'
      Role&{Name}: {Type: AWS::IAM::Role, Properties: {RoleName: 'role-\${Name}'}}
  Fn::ForEach::Zones:
    - Zone
    - [a, b]
    - Fn::ForEach::Sizes:
        - Size
        - [1, 2]
        - Nodes\${Zone}\${Size}: {Type: AWS::EKS::Nodegroup, Properties: {NodegroupName: '\${Zone}\${Size}', Version: 1.30}}
  Plain: {Type: AWS::EKS::Addon, DependsOn: Rolecoredns}
`;

describe('a loop through a literal list', () => {
  const result = read(LOOPS);

  it('makes a resource of each item', () => {
    expect(diagnostics(result)).toEqual([]);
    expect(result.resources.map(({ id }) => id)).toEqual([
      'Addonvpccni',
      'Rolevpccni',
      'Addoncoredns',
      'Rolecoredns',
      'Nodesa1',
      'Nodesa2',
      'Nodesb1',
      'Nodesb2',
      'Plain',
    ]);
    expect(result.inputs).toMatchObject([{ resources: 9 }]);
  });

  it('gives each resource the item in its values', () => {
    const addon = resource(result, 'addon', 'Addonvpccni');
    expect([show(addon.name), show(addon.version), show(resource(result, 'role', 'Rolecoredns').name)]).toEqual([
      'vpc-cni',
      'vpc-cni-p',
      'role-coredns',
    ]);
    expect(addon.serviceAccountRole).toMatchObject({ value: { target: { id: 'Rolevpccni' } } });
    const nodes = resource(result, 'node-group', 'Nodesb2');
    expect([show(nodes.name), show(nodes.version)]).toEqual(['b2', '1.30']);
  });

  it('is where findings about its resources point', () => {
    expect(place(resource(result, 'addon', 'Addoncoredns').source)).toBe('8:7');
    const { version } = resource(result, 'addon', 'Addoncoredns');
    expect(version.kind === 'known' && version.source.locate()).toEqual({
      file: 'template.yaml',
      line: 12,
      column: 11,
      property: 'Properties.AddonVersion',
    });
    expect(place(resource(result, 'node-group', 'Nodesa2').source)).toBe('21:11');
  });
});

describe('a loop through what is not known', () => {
  const result = read(`
Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: CommaDelimitedList}}
Resources:
  Fn::ForEach::Addons:
    - Name
    - !Ref Names
    - Addon&{Name}:
        Type: AWS::EKS::Addon
        Properties:
          AddonName: !Ref Name
          AddonVersion: !Sub 'v1-\${Name}-\${AWS::Region}'
          ConfigurationValues: 'a \${HOME} of \${Name}'
          ResolveConflicts: OVERWRITE
          ServiceAccountRoleArn: !GetAtt 'Role\${Name}.Arn'
      Role\${Name}: {Type: AWS::IAM::Role}
  Fn::ForEach::Zones:
    - Zone
    - !Split [',', !ImportValue zones]
    - Fn::ForEach::Sizes:
        - Size
        - [1, 2]
        - Nodes\${Zone}\${Size}: {Type: AWS::EKS::Nodegroup, Properties: {Version: '1.3\${Size}', '\${Zone}': a}}
`);

  it('makes one of each kind, which stands for all', () => {
    expect(result.resources.map(({ id }) => id)).toEqual([
      'Addon${Name}',
      'Role${Name}',
      'Nodes${Zone}1',
      'Nodes${Zone}2',
    ]);
    expect(diagnostics(result)).toEqual([
      "warning 5:3 what the loop Fn::ForEach::Addons goes through isn't known, so one stands for all",
      "warning 17:3 what the loop Fn::ForEach::Zones goes through isn't known, so one stands for all",
    ]);
  });

  it('leaves unknown what depends on the item, and nothing else', () => {
    const addon = resource(result, 'addon', 'Addon${Name}');
    expect([show(addon.name), show(addon.version), show(addon.resolveConflictsOnCreate)]).toEqual([
      '?${Name}',
      '?v1-${Name}-${AWS::Region}',
      'OVERWRITE',
    ]);
    expect(addon.name).toMatchObject({ reason: "what the loop over Name goes through isn't known" });
    expect(addon.configuration).toMatchObject({ value: { data: { text: 'a ${HOME} of ${Name}' } } });
    expect(addon.serviceAccountRole).toMatchObject({ value: { target: { id: 'Role${Name}' } } });
    const nodes = resource(result, 'node-group', 'Nodes${Zone}2');
    expect([show(nodes.version), show(nodes.amiType)]).toEqual(['1.32', '? Fn::ForEach may add it at deployment']);
    expect(place(addon.source)).toBe('8:7');
  });
});

it('a loop through what is not known is told within one that is, too', () => {
  const result = read(`
Parameters: {Names: {Type: CommaDelimitedList}}
Resources:
  Fn::ForEach::Zones:
    - Zone
    - [a]
    - Cluster\${Zone}: {Type: AWS::EKS::Cluster}
      Fn::ForEach::Addons: [Name, !Ref Names, {'Addon\${Zone}\${Name}': {Type: AWS::EKS::Addon}}]
`);
  expect(result.resources.map(({ id }) => id)).toEqual(['Clustera', 'Addona${Name}']);
  expect(diagnostics(result)).toEqual([
    "warning 4:3 what the loop Fn::ForEach::Zones goes through isn't known, so one stands for all",
  ]);
});

describe('functions in a loop through what is not known', () => {
  const result = read(`
Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: CommaDelimitedList}, Other: {Type: String, Default: other}}
Resources:
  Fn::ForEach::Addons:
    - Name
    - !Ref Names
    - Addon\${Name}:
        Type: AWS::EKS::Addon
        Properties:
          AddonName: !Sub ['\${Prefix}-\${Name}-\${!Name}', {Prefix: !Ref Name}]
          AddonVersion: !Ref Other
          ServiceAccountRoleArn: !GetAtt ['Role\${Name}', Arn]
          ClusterName: !Ref Cluster
          ConfigurationValues: {Fn::ToJsonString: {Ref: Name, Other: '\${Name}'}}
      Role\${Name}: {Type: AWS::IAM::Role}
  Cluster: {Type: AWS::EKS::Cluster}
`);
  const addon = resource(result, 'addon', 'Addon${Name}');

  it('have its variable in a text and in what fills it', () => {
    expect(show(addon.name)).toBe('?${Name}-${Name}-${Name}');
    expect(addon.name).toMatchObject({ reason: "what the loop over Name goes through isn't known" });
  });

  it('mean what they mean elsewhere, if they name something else', () => {
    expect(show(addon.version)).toBe('other');
    expect(addon.cluster).toMatchObject({ value: { target: { id: 'Cluster' } } });
    expect(addon.serviceAccountRole).toMatchObject({ value: { target: { id: 'Role${Name}' } } });
  });

  it('are none beside other keys', () => {
    expect(addon.configuration).toMatchObject({ value: { data: { Ref: 'Name' } } });
  });
});

describe('a loop that makes too much', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`).join(', ');

  it('is judged by one resource that stands for all', () => {
    const result = read(
      `Resources:\n  Fn::ForEach::Loop: [X, [${items(1200)}], {"R\${X}": {Type: AWS::EKS::Addon}}]\n  A: {Type: AWS::EKS::Addon}\n`,
    );
    expect(diagnostics(result)).toEqual([
      'warning 2:3 the loop Fn::ForEach::Loop makes too many resources to look at each, so one stands for all',
    ]);
    expect(result.resources.map(({ id }) => id)).toEqual(['R${X}', 'A']);
  });

  it('nor grows without bounds', () => {
    let loop = '{"R${X0}${X1}${X2}${X3}${X4}${X5}": {Type: AWS::EKS::Addon}}';
    for (let level = 0; level < 6; level++)
      loop = `{"Fn::ForEach::L${level}": [X${level}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ${loop}]}`;
    const result = read(`Resources: ${loop}\n`);
    expect(diagnostics(result)).toEqual([
      'warning 1:13 the loop Fn::ForEach::L5 makes too many resources to look at each, so one stands for all',
    ]);
    expect(result.resources.map(({ id }) => id)).toEqual(['R${X0}${X1}${X2}${X3}${X4}${X5}']);
  });
});

it.each(['!Ref P', '[b]'])('a loop through a list with %s is one through what is not known', (item) => {
  const result = read(
    `Parameters: {P: {Type: String}}\nResources:\n  Fn::ForEach::Loop: [X, [a, ${item}], {"R\${X}": {Type: AWS::EKS::Addon}}]\n`,
  );
  expect(diagnostics(result)).toEqual([
    "warning 3:3 what the loop Fn::ForEach::Loop goes through isn't known, so one stands for all",
  ]);
  expect(result.resources.map(({ id }) => id)).toEqual(['R${X}']);
});

it('an item that is in a list twice counts once', () => {
  const result = read(`Resources:\n  Fn::ForEach::Loop: [X, [a, b, a], {"R\${X}": {Type: AWS::EKS::Addon}}]\n`);
  expect(diagnostics(result)).toEqual([]);
  expect(result.resources.map(({ id }) => id)).toEqual(['Ra', 'Rb']);
});

describe('a loop that can not be deployed', () => {
  it.each([
    ['through items that are no text', '[X, [true], {"R${X}": {Type: T}}]', 'it is not a variable, a list and a map'],
    ['that gives the same name twice', '[X, [a, b], {R: {Type: T}}]', 'it makes R more than once'],
    ['that gives no name', '[X, [a-b], {"R${X}": {Type: T}}]', '"Ra-b" is no logical id'],
    ['with a variable that is none', '[X, [a], {"R${Y}": {Type: T}}]', '"R${Y}" is no logical id'],
    ['that gives a name that is there', '[X, [a], {A: {Type: T}}]', 'A is there already'],
    ['that is malformed', '[X, [a]]', 'it is not a variable, a list and a map'],
    ['whose variable is no text', '[[X], [a], {R: {Type: T}}]', 'it is not a variable, a list and a map'],
    ['that makes no map', '[X, [a], R]', 'it is not a variable, a list and a map'],
    ['that is no list', '{a: b}', 'it is not a variable, a list and a map'],
  ])('%s is an error, because what it makes is not judged', (_, loop, problem) => {
    const result = read(`Resources:\n  Fn::ForEach::Loop: ${loop}\n  A: {Type: AWS::EKS::Addon}\n`);
    expect(diagnostics(result)).toEqual([`error 2:3 resources of the loop Fn::ForEach::Loop are not read: ${problem}`]);
    expect(result.resources.map(({ id }) => id)).toEqual(['A']);
  });
});

it('loops make conditions and outputs, too', () => {
  const result = read(`
Transform: AWS::LanguageExtensions
Conditions:
  Fn::ForEach::Regions: [X, [eu-west-1, us-east-1], {'Is&{X}': !Equals [!Ref 'AWS::Region', !Ref X]}]
Resources:
  A: {Type: AWS::EKS::Addon, Properties: {AddonName: !If [Iseuwest1, vpc-cni, coredns]}}
  Role: {Type: AWS::IAM::Role}
Outputs:
  Fn::ForEach::Arns: [X, [Role], {'Arn\${X}': {Value: !GetAtt ['\${X}', Arn], Export: {Name: !Sub 'arn-\${X}'}}}]
`);
  expect(diagnostics(result)).toEqual([]);
  const { name } = resource(result, 'addon', 'A');
  expect(name.kind === 'choice' && name.alternatives.map(({ when }) => when.text)).toEqual([
    'condition Iseuwest1 is true',
    'condition Iseuwest1 is false',
  ]);
});

it('a loop within properties may make any that is not written', () => {
  const result = read(`
Resources:
  A:
    Type: AWS::EKS::Addon
    Properties:
      AddonName: vpc-cni
      Fn::ForEach::Rest: [X, [ServiceAccountRoleArn], {'\${X}': a}]
  B: {Type: AWS::EKS::Addon, Properties: {AddonName: coredns}}
`);
  const { name, version } = resource(result, 'addon', 'A');
  expect([show(name), show(version), show(resource(result, 'addon', 'B').version)]).toEqual([
    'vpc-cni',
    '? Fn::ForEach may add it at deployment',
    'absent',
  ]);
});
