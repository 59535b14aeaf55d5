import { readTemplates } from '../../lib/front-ends/cloudformation';
import { diagnostics, read, resource, show, showData } from '../front-ends/cloudformation/reading';

/** Version of a node group, in a template with the given parameter and condition. */
function version(parameter: string, condition: string, expression: string, existence = ''): unknown {
  const result = read(`
Parameters:
  V: ${parameter}
  Other: {Type: String, Default: o}
Conditions:
  C: ${condition}
  NotC: !Not [!Condition C]
  Never: !Equals [a, b]
Mappings: {M: {none: {k: mapped}, x: {k: other}}}
Resources:
  Nodes:
    Type: AWS::EKS::Nodegroup
    ${existence === '' ? '' : `Condition: ${existence}`}
    Properties: {Version: ${expression}}
`);
  expect(diagnostics(result)).toEqual([]);
  return show(resource(result, 'node-group', 'Nodes').version);
}

const NONE = '{Type: String, Default: none}';
const SET = '!Not [!Equals [!Ref V, none]]';

describe('the default of a parameter', () => {
  it.each([
    [
      'holds in the branch that asks for it',
      NONE,
      '!Equals [!Ref V, none]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': 'none', 'condition C is false': 'x' },
    ],
    [
      'is ruled out in the other branch',
      NONE,
      '!Equals [!Ref V, none]',
      '!If [C, x, !Ref V]',
      { 'condition C is true': 'x', 'condition C is false': '?${V}' },
    ],
    [
      'is ruled out by a negation',
      NONE,
      SET,
      '!If [C, !Ref V, x]',
      { 'condition C is true': '?${V}', 'condition C is false': 'x' },
    ],
    [
      'is ruled out through another condition',
      NONE,
      '!Equals [!Ref V, none]',
      '!If [NotC, !Ref V, x]',
      { 'condition NotC is true': '?${V}', 'condition NotC is false': 'x' },
    ],
    [
      'is ruled out within a text',
      NONE,
      SET,
      "!If [C, !Sub 'v${V}', x]",
      { 'condition C is true': '?v${V}', 'condition C is false': 'x' },
    ],
    [
      'is ruled out within a joined text',
      NONE,
      SET,
      "!If [C, !Join ['', [v, !Ref V]], x]",
      { 'condition C is true': '?v${V}', 'condition C is false': 'x' },
    ],
    [
      'is ruled out around a part of a text',
      NONE,
      SET,
      "!Sub ['${A}${V}', {A: !If [C, x, y]}]",
      { 'condition C is true': '?x${V}', 'condition C is false': 'ynone' },
    ],
    [
      'is ruled out around a part of a joined text',
      NONE,
      SET,
      "!Join ['-', [!If [C, x, y], !Ref V]]",
      { 'condition C is true': '?x-${V}', 'condition C is false': 'y-none' },
    ],
    [
      'is ruled out in an inner branch',
      NONE,
      SET,
      '!If [C, !If [Never, x, !Ref V], x]',
      { 'condition C is true': '?${V}', 'condition C is false': 'x' },
    ],
    [
      'that is a number is ruled out',
      '{Type: Number, Default: 1}',
      "!Equals [!Ref V, '1']",
      "!If [C, '2', !Ref V]",
      { 'condition C is true': '2', 'condition C is false': '?${V}' },
    ],
    [
      'is replaced by the only value that the branch allows',
      NONE,
      '!Equals [!Ref V, y]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': 'y', 'condition C is false': 'x' },
    ],
    [
      'is replaced by the only allowed value that is left',
      '{Type: String, Default: a, AllowedValues: [a, b]}',
      '!Equals [!Ref V, a]',
      '!If [C, x, !Ref V]',
      { 'condition C is true': 'x', 'condition C is false': 'b' },
    ],
    [
      'gives way to the only value even if there is none',
      '{Type: String}',
      '!Equals [!Ref V, y]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': 'y', 'condition C is false': 'x' },
    ],
    [
      'stays where the condition is about something else',
      NONE,
      '!Equals [!Ref Other, p]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': 'none', 'condition C is false': 'x' },
    ],
    [
      'stays where the condition leaves it possible',
      NONE,
      '!Or [!Equals [!Ref V, none], !Equals [!Ref V, y]]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': 'none', 'condition C is false': 'x' },
    ],
    [
      'stays where a number without quotes is the same text',
      "{Type: String, Default: '1.30'}",
      '!Equals [!Ref V, 1.30]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': '1.30', 'condition C is false': 'x' },
    ],
    [
      'is replaced by a number as it is written',
      "{Type: String, Default: '1.29'}",
      '!Equals [!Ref V, 1.30]',
      '!If [C, !Ref V, x]',
      { 'condition C is true': '1.30', 'condition C is false': 'x' },
    ],
    [
      'is replaced by an allowed number as it is written',
      '{Type: String, Default: 1.29, AllowedValues: [1.29, 1.30]}',
      '!Equals [!Ref V, 1.29]',
      '!If [C, x, !Ref V]',
      { 'condition C is true': 'x', 'condition C is false': '1.30' },
    ],
    [
      'holds outside of branches where no condition rules it out',
      NONE,
      SET,
      '!Ref V',
      { 'condition C is true': '?${V}', 'condition C is false': 'none' },
    ],
    [
      'gives way to the value that a condition names',
      NONE,
      '!Equals [!Ref V, y]',
      '!Ref V',
      { 'condition C is true': 'y', 'condition C is false': 'none' },
    ],
    [
      'chooses the entry of a mapping together with conditions',
      NONE,
      '!Equals [!Ref V, x]',
      '!FindInMap [M, !Ref V, k]',
      { 'condition C is true': 'other', 'condition C is false': 'mapped' },
    ],
    [
      'stays where conditions on it leave it open',
      NONE,
      '!And [!Not [!Equals [!Ref V, y]], !Equals [!Ref Other, z]]',
      '!Ref V',
      'none',
    ],
    [
      'is ruled out as the key of a mapping',
      NONE,
      SET,
      '!If [C, !FindInMap [M, !Ref V, k], x]',
      { 'condition C is true': '?${Fn::FindInMap}', 'condition C is false': 'x' },
    ],
  ])('%s', (_, parameter, condition, expression, expected) => {
    expect(version(parameter, condition, expression)).toEqual(expected);
  });

  it('is ruled out where the condition of the resource does so', () => {
    expect(version(NONE, SET, '!Ref V', 'C')).toBe('?${V}');
    expect(version(NONE, SET, '!Ref V', 'NotC')).toBe('none');
    expect(version(NONE, SET, "!Sub 'v${V}'", 'C')).toBe('?v${V}');
    expect(version(NONE, '!Equals [!Ref V, y]', '!Ref V', 'C')).toBe('y');
  });

  it('is compared with numbers as JSON writes them', () => {
    const text = (parameter: string, condition: string) => `{
      "Parameters": {"V": ${parameter}},
      "Conditions": {"C": {"Fn::Equals": [{"Ref": "V"}, ${condition}]}},
      "Resources": {"Nodes": {"Type": "AWS::EKS::Nodegroup", "Properties": {"Version": {"Fn::If": ["C", {"Ref": "V"}, "x"]}}}}
    }`;
    const whenTrue = (parameter: string, condition: string) => {
      const { version: value } = resource(read(text(parameter, condition)), 'node-group', 'Nodes');
      return value.kind === 'choice' && value.alternatives.map(({ value: plain }) => show(plain))[0];
    };
    expect(whenTrue('{"Type": "String", "Default": "1.30"}', '1.30')).toBe('1.30');
    expect(whenTrue('{"Type": "String", "Default": "1.29"}', '1.30')).toBe('1.30');
    expect(whenTrue('{"Type": "String", "Default": 1.29, "AllowedValues": [1.29, 1.30]}', '1.30')).toBe('1.30');
  });

  it('says why it is not used', () => {
    const result = read(`
Parameters: {V: ${NONE}}
Conditions: {C: ${SET}}
Resources: {Cni: {Type: AWS::EKS::Addon, Condition: C, Properties: {AddonVersion: !Ref V}}}
`);
    expect(resource(result, 'addon', 'Cni').version).toMatchObject({
      kind: 'unknown',
      reason: 'parameter V differs from its default there',
      symbol: '/V',
    });
  });

  it('is ruled out where a rule of the template ties the parameter to another one', () => {
    const withRule = (assertion: string) => {
      const result = read(`
Parameters: {V: {Type: String, Default: a, AllowedValues: [a, b]}, Other: {Type: String}}
Rules: {R: {RuleCondition: !Equals [!Ref Other, p], Assertions: [{Assert: ${assertion}}]}}
Conditions: {C: !Equals [!Ref Other, p]}
Resources: {Nodes: {Type: AWS::EKS::Nodegroup, Properties: {Version: !Ref V}}}
`);
      return show(resource(result, 'node-group', 'Nodes').version);
    };
    const tied = { 'condition C is true': 'b', 'condition C is false': 'a' };
    expect(withRule('!Equals [!Ref V, b]')).toEqual(tied);
    expect(withRule('!Not [!Equals [!Ref V, a]]')).toEqual(tied);
    expect(withRule('!Contains [[b, c], !Ref V]')).toEqual(tied);
    expect(withRule("!EachMemberIn [!ValueOfAll ['AWS::EC2::Subnet::Id', Tags.X], [x]]")).toBe('a');
  });

  it('is ruled out within blocks and lists of a branch', () => {
    const result = read(`
Parameters: {V: {Type: Number, Default: 1}, T: {Type: String, Default: none}}
Conditions: {One: !Equals [!Ref V, 1], HasT: !Not [!Equals [!Ref T, none]]}
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions: !If [One, {HttpPutResponseHopLimit: 2}, {HttpPutResponseHopLimit: !Ref V}]
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties: {InstanceTypes: !If [HasT, [!Ref T], [m5.large]]}
  Cni:
    Type: AWS::EKS::Addon
    Properties: {ConfigurationValues: !If [HasT, !Sub '{"env": {"X": "\${T}"}}', '{}']}
`);
    expect(show(resource(result, 'launch-template', 'Template').metadata.hopLimit)).toEqual({
      'condition One is true': 2,
      'condition One is false': '?${V}',
    });
    const { instanceTypes } = resource(result, 'node-group', 'Nodes');
    const lists =
      instanceTypes.kind === 'choice'
        ? instanceTypes.alternatives.map(({ value }) => (value.kind === 'known' ? value.value.map(show) : value.kind))
        : [];
    expect(lists).toEqual([['?${T}'], ['m5.large']]);
    const { configuration } = resource(result, 'addon', 'Cni');
    const [first] = configuration.kind === 'choice' ? configuration.alternatives : [];
    expect(
      first?.value.kind === 'known' && first.value.value.kind === 'parsed' && showData(first.value.value.data),
    ).toEqual({ env: { X: '?${T}' } });
  });

  it('is ruled out in an output under a condition', () => {
    const result = readTemplates([
      {
        file: 'p.yaml',
        text: `Parameters: {V: ${NONE}}\nConditions: {C: ${SET}}\nResources: {}\nOutputs: {O: {Condition: C, Value: !Ref V, Export: {Name: o}}}\n`,
      },
      {
        file: 'c.yaml',
        text: 'Resources: {Cni: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !ImportValue o}}}\n',
      },
    ]);
    expect(show(resource(result, 'addon', 'Cni').version)).toBe('?${V}');
  });

  it('is ruled out in a nested stack by its own conditions and those of its parent', () => {
    const inner = {
      file: 'inner.yaml',
      text: `
Parameters: {W: {Type: String}, Own: {Type: String, Default: none}}
Conditions: {HasW: !Not [!Equals [!Ref W, none]], HasOwn: !Not [!Equals [!Ref Own, none]]}
Resources:
  Cni: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !If [HasW, !Ref W, x]}}
  Proxy: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !If [HasOwn, !Ref Own, x]}}
  Dns: {Type: AWS::EKS::Addon, Condition: HasW, Properties: {AddonVersion: !Ref W}}
  Ebs: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !Ref W}}
`,
    };
    const outer = (existence: string) => `
Parameters: {V: ${NONE}}
Conditions: {C: ${SET}}
Resources:
  Inner: {Type: AWS::CloudFormation::Stack${existence}, Properties: {Parameters: {W: !Ref V}}}
`;
    const versions = (existence: string) => {
      const assembly = {
        nestedTemplates: new Map([['Inner', inner]]),
        constructPaths: new Map<string, string>(),
        acknowledgements: [],
      };
      const result = readTemplates([{ file: 'outer.yaml', text: outer(existence), assembly }]);
      return ['Cni', 'Proxy', 'Dns', 'Ebs'].map((id) => show(resource(result, 'addon', id).version));
    };
    const own = { 'condition HasOwn is true': '?${Own}', 'condition HasOwn is false': 'x' };
    expect(versions('')).toEqual([
      { 'condition HasW is true': '?${V}', 'condition HasW is false': 'x' },
      own,
      '?${V}',
      { 'condition C is true': '?${V}', 'condition C is false': 'none' },
    ]);
    // Where the nested stack is made, so that its own condition decides nothing more.
    expect(versions(', Condition: C')).toEqual(['?${V}', own, '?${V}', '?${V}']);
  });
});

describe('an empty default', () => {
  it.each([
    ['!Ref V', "{Type: String, Default: ''}", '?${V}'],
    ["!Sub 'a-${V}'", "{Type: String, Default: ''}", '?a-${V}'],
    ["!Join ['', [a, !Ref V]]", "{Type: String, Default: ''}", '?a${V}'],
    ["!Join [',', !Ref V]", "{Type: CommaDelimitedList, Default: ''}", '?${V}'],
    ['!Select [0, !Ref V]', "{Type: CommaDelimitedList, Default: ''}", '?${V[0]}'],
    ['!Ref V', "{Type: AWS::SSM::Parameter::Value<String>, Default: ''}", '?${V}'],
  ])('%s of a parameter %s is not known', (expression, parameter, expected) => {
    expect(version(parameter, '!Equals [!Ref Other, p]', expression)).toBe(expected);
  });

  it('is no value either where a condition asks for it', () => {
    expect(version("{Type: String, Default: ''}", "!Equals [!Ref V, '']", '!If [C, !Ref V, x]')).toEqual({
      'condition C is true': '?${V}',
      'condition C is false': 'x',
    });
    expect(version("{Type: String, Default: ''}", "!Not [!Equals [!Ref V, '']]", '!Ref V', 'C')).toBe('?${V}');
  });

  it('says so', () => {
    const result = read(
      "Parameters: {V: {Type: String, Default: ''}}\nResources: {Cni: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !Ref V}}}\n",
    );
    expect(resource(result, 'addon', 'Cni').version).toMatchObject({
      kind: 'unknown',
      reason: 'parameter V has an empty default',
      symbol: '/V',
    });
  });
});

describe('a mapping by a key that is not known', () => {
  const mapped = (rows: string, call: string) => {
    const result = read(`
Mappings:
  M: {${rows}}
Resources: {Cni: {Type: AWS::EKS::Addon, Properties: {AddonVersion: ${call}}}}
`);
    return show(resource(result, 'addon', 'Cni').version);
  };

  it.each([
    ['all rows agree', 'eu-west-1: {v: a, w: b}, us-east-1: {v: a, w: c}', '!FindInMap [M, !Ref AWS::Region, v]', 'a'],
    [
      'rows differ',
      'eu-west-1: {v: a, w: b}, us-east-1: {v: a, w: c}',
      '!FindInMap [M, !Ref AWS::Region, w]',
      '?${Fn::FindInMap}',
    ],
    [
      'a row lacks the key',
      'eu-west-1: {v: a}, us-east-1: {}',
      '!FindInMap [M, !Ref AWS::Region, v]',
      '?${Fn::FindInMap}',
    ],
    [
      'another value is given for other regions',
      'eu-west-1: {v: a}',
      '!FindInMap [M, !Ref AWS::Region, v, {DefaultValue: b}]',
      '?${Fn::FindInMap}',
    ],
    [
      'the lists of all rows agree',
      'eu-west-1: {v: [a, b]}, us-east-1: {v: [a, b]}',
      "!Join [',', !FindInMap [M, !Ref AWS::Region, v]]",
      'a,b',
    ],
    [
      'the key in the row is not known',
      'eu-west-1: {v: a}',
      '!FindInMap [M, !Ref AWS::Region, !Ref AWS::AccountId]',
      '?${Fn::FindInMap}',
    ],
    ['there are no rows', '', '!FindInMap [M, !Ref AWS::Region, v]', '?${Fn::FindInMap}'],
  ])('where %s', (_, rows, call, expected) => {
    expect(mapped(rows, call)).toBe(expected);
  });
});
