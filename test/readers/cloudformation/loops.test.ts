import { diagnostics, place, read, resource, show } from './reading';

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
    expect(result.resources.map(({ id }) => id)).toEqual(['Addonvpccni', 'Rolevpccni', 'Addoncoredns', 'Rolecoredns', 'Nodesa1', 'Nodesa2', 'Nodesb1', 'Nodesb2', 'Plain']);
    expect(result.inputs).toMatchObject([{ resources: 9 }]);
  });

  it('gives each resource the item in its values', () => {
    const addon = resource(result, 'addon', 'Addonvpccni');
    expect([show(addon.name), show(addon.version), show(resource(result, 'role', 'Rolecoredns').name)]).toEqual(['vpc-cni', 'vpc-cni-p', 'role-coredns']);
    expect(addon.serviceAccountRole).toMatchObject({ value: { target: { id: 'Rolevpccni' } } });
    const nodes = resource(result, 'node-group', 'Nodesb2');
    expect([show(nodes.name), show(nodes.version)]).toEqual(['b2', '1.30']);
  });

  it('is where findings about its resources point', () => {
    expect(place(resource(result, 'addon', 'Addoncoredns').source)).toBe('8:7');
    const { version } = resource(result, 'addon', 'Addoncoredns');
    expect(version.kind === 'known' && version.source.locate()).toEqual({ file: 'template.yaml', line: 12, column: 11, property: 'Properties.AddonVersion' });
    expect(place(resource(result, 'node-group', 'Nodesa2').source)).toBe('21:11');
  });
});

describe('a loop that is not written out', () => {
  it.each([
    ['through too many items', `[X, [${Array.from({ length: 1200 }, (_, index) => `i${index}`).join(', ')}], {"R\${X}": {Type: T}}]`],
    ['through items that are no text', '[X, [{a: b}], {"R${X}": {Type: T}}]'],
    ['that gives the same name twice', '[X, [a, b], {R: {Type: T}}]'],
    ['that gives no name', '[X, [a-b], {"R${X}": {Type: T}}]'],
    ['that is malformed', '[X, [a]]'],
    ['that is no list', '{a: b}'],
  ])('%s is said to be left out', (_, loop) => {
    const result = read(`Resources:\n  Fn::ForEach::Loop: ${loop}\n  A: {Type: AWS::EKS::Addon}\n`);
    expect(diagnostics(result)).toEqual(['warning 2:3 resources of the loop Fn::ForEach::Loop are not read']);
    expect(result.resources.map(({ id }) => id)).toEqual(['A']);
  });

  it('nor grows without bounds', () => {
    let loop = '{"R${X0}${X1}${X2}${X3}${X4}${X5}": {Type: T}}';
    for (let level = 0; level < 6; level++) loop = `{"Fn::ForEach::L${level}": [X${level}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ${loop}]}`;
    expect(diagnostics(read(`Resources: ${loop}\n`))).toEqual(['warning 1:13 resources of the loop Fn::ForEach::L5 are not read']);
  });
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
  expect([show(name), show(version), show(resource(result, 'addon', 'B').version)]).toEqual(['vpc-cni', '? Fn::ForEach may add it at deployment', 'absent']);
});
