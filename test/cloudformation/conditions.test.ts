import { alternativesOf, cases } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { read, resource, show } from '../front-ends/cloudformation/reading';

/** The combinations of two properties that can occur. */
function combinations(conditions: string, first: string, second: string, resourceCondition = ''): string[] {
  const result = read(`
Parameters:
  Env: {Type: String, AllowedValues: [dev, test, prod]}
  Free: {Type: String, Default: x}
  Other: {Type: String}
Conditions:
${conditions
  .trim()
  .split('\n')
  .map((line) => `  ${line.trim()}`)
  .join('\n')}
Resources:
  Nodes:
    Type: AWS::EKS::Nodegroup
    ${resourceCondition === '' ? '' : `Condition: ${resourceCondition}`}
    Properties:
      ClusterName: prod
      AmiType: ${first}
      Version: ${second}
`);
  expect(result.diagnostics).toEqual([]);
  const { amiType, version } = resource(result, 'node-group', 'Nodes');
  return cases({ amiType, version }).map(({ when, values }) =>
    `${String(show(values.amiType))} ${String(show(values.version))} ${when.text}`.trim(),
  );
}

describe('conditions', () => {
  it('of one name agree with themselves', () => {
    expect(combinations('A: !Equals [!Ref Free, y]', '!If [A, a, b]', '!If [A, c, d]')).toEqual([
      'a c condition A is true',
      'b d condition A is false',
    ]);
  });

  it('that are independent make all combinations', () => {
    expect(
      combinations('A: !Equals [!Ref Free, y]\nB: !Equals [!Ref Other, y]', '!If [A, a, b]', '!If [B, c, d]'),
    ).toEqual([
      'a c condition A is true and condition B is true',
      'a d condition A is true and condition B is false',
      'b c condition A is false and condition B is true',
      'b d condition A is false and condition B is false',
    ]);
  });

  it.each([
    ['one parameter has one value', 'A: !Equals [!Ref Free, y]\nB: !Equals [!Ref Free, z]', ['a d', 'b c', 'b d']],
    ['a negation', 'A: !Equals [!Ref Free, y]\nB: !Not [!Condition A]', ['a d', 'b c']],
    [
      'a conjunction',
      'A: !Equals [!Ref Free, y]\nB: !And [!Condition A, !Equals [!Ref Other, z]]',
      ['a c', 'a d', 'b d'],
    ],
    [
      'a disjunction',
      'A: !Equals [!Ref Free, y]\nB: !Or [!Condition A, !Equals [!Ref Other, z]]',
      ['a c', 'b c', 'b d'],
    ],
    [
      'two parameters that are compared',
      'A: !Equals [!Ref Free, !Ref Other]\nB: !Equals [!Ref Other, !Ref Free]',
      ['a c', 'b d'],
    ],
    [
      'a value that the parameter can not have',
      'A: !Equals [!Ref Env, prod]\nB: !Equals [!Ref Env, staging]',
      ['a d', 'b d'],
    ],
    ['constants', "A: !Equals ['1', 1]\nB: !Equals [a, b]", ['a d']],
    [
      'all allowed values ruled out',
      'A: !Or [!Equals [!Ref Env, dev], !Equals [!Ref Env, test]]\nB: !Equals [!Ref Env, prod]',
      ['a d', 'b c'],
    ],
    [
      'the same expression twice',
      "A: !Equals [!Select [0, !Split ['-', !Ref Free]], y]\nB: !Equals [!Select [0, !Split ['-', !Ref Free]], y]",
      ['a c', 'b d'],
    ],
  ])('respect %s', (_, conditions, expected) => {
    expect(
      combinations(conditions, '!If [A, a, b]', '!If [B, c, d]').map((text) => text.split(' condition')[0]),
    ).toEqual(expected);
  });

  it('respect parameters with few values where rules of the template list hundreds for others', () => {
    const types = Array.from({ length: 800 }, (_, index) => `m${index}.large`);
    const result = read(`
Parameters:
  System: {Type: String, AllowedValues: [Linux, Bottlerocket, Windows]}
  Kind: {Type: String, AllowedValues: [managed, other]}
  Type: {Type: String}
Rules:
  Windows:
    RuleCondition: !Equals [!Ref System, Windows]
    Assertions: [{Assert: !Contains [[${types.join(', ')}], !Ref Type]}]
  Managed:
    RuleCondition: !Equals [!Ref Kind, managed]
    Assertions: [{Assert: !Not [!Equals [!Ref System, Windows]]}]
Conditions:
  Linux: !Equals [!Ref System, Linux]
  Windows: !Equals [!Ref System, Windows]
  Managed: !Equals [!Ref Kind, managed]
Resources:
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties:
      AmiType: !If [Linux, linux, !If [Windows, windows, bottlerocket]]
      Version: !If [Windows, windows, other]
      ReleaseVersion: !If [Managed, managed, other]
`);
    const { amiType, version, releaseVersion } = resource(result, 'node-group', 'Nodes');
    expect(
      cases({ amiType, version, releaseVersion }).map(({ values }) => Object.values(values).map(show).join(' ')),
    ).toEqual([
      'linux other managed',
      'linux other other',
      'windows windows other',
      'bottlerocket other managed',
      'bottlerocket other other',
    ]);
  });

  it('of the resource itself rule out branches, and are no condition of those that are left', () => {
    expect(
      combinations('A: !Equals [!Ref Free, y]\nB: !Not [!Condition A]', '!If [A, a, b]', '!If [B, c, d]', 'A'),
    ).toEqual(['a d']);
  });

  it.each([
    ['a default', ', Default: x', [true, false]],
    ['no default', '', [false, false]],
  ])('are a choice of whoever deploys only where a parameter with %s has another value', (_, more, chosen) => {
    const result = read(`
Parameters: {P: {Type: String${more}}}
Conditions: {A: !Equals [!Ref P, y]}
Resources: {Nodes: {Type: AWS::EKS::Nodegroup, Properties: {Version: !If [A, a, b]}}}
`);
    const { version } = resource(result, 'node-group', 'Nodes');
    expect(alternativesOf(version).map(({ when }) => when.isChosen)).toEqual(chosen);
  });

  it.each(['[{toString: x}]', '[a, [b]]', '[a, null]', '{a: b}', 'a'])(
    'count a parameter as open whose allowed values can not be read: %s',
    (allowed) => {
      const result = read(`
Parameters: {P: {Type: String, AllowedValues: ${allowed}}}
Conditions: {Only: !Equals [!Ref P, a], Not: !Not [!Condition Only]}
Resources: {A: {Type: AWS::EKS::Addon, Condition: Only}, B: {Type: AWS::EKS::Addon, Condition: Not}}
`);
      expect(result.resources.map(({ id }) => id)).toEqual(['A', 'B']);
    },
  );

  it('that constants make false remove the resource, and those that may hold do not', () => {
    const result = read(`
Parameters: {P: {Type: String, AllowedValues: [a]}}
Conditions:
  Never: !Equals [a, b]
  Only: !Equals [!Ref P, a]
  NotOnly: !Not [!Condition Only]
Resources:
  A: {Type: AWS::EKS::Addon, Condition: Never}
  B: {Type: AWS::EKS::Addon, Condition: Only}
  C: {Type: AWS::EKS::Addon, Condition: NotOnly}
  D: {Type: AWS::IAM::Role, Condition: Never}
`);
    expect(result.resources.map(({ id }) => id)).toEqual(['B']);
    expect(result.inputs).toEqual([{ path: 'template.yaml', kind: 'cloudformation-template', resources: 4 }]);
  });

  it.each([
    ['allowed names', ', AllowedValues: [/flag]', {}],
    ['a name that is given', '', { cloudformation: { P: '/flag' } }],
    [
      'a name of which only one is allowed, and which is given',
      ', Default: /flag, AllowedValues: [/flag]',
      { cloudformation: { P: '/flag' } },
    ],
  ])('see what the parameter store holds, not %s', (_, parameter, given) => {
    const text = `
Parameters: {P: {Type: 'AWS::SSM::Parameter::Value<String>'${parameter}}}
Conditions: {On: !Equals [!Ref P, 'on'], Named: !Equals [!Ref P, /flag], Not: !Not [!Condition Named]}
Resources: {A: {Type: AWS::EKS::Addon, Condition: On}, B: {Type: AWS::EKS::Addon, Condition: Named}, C: {Type: AWS::EKS::Addon, Condition: Not}}
`;
    expect(readTemplates([{ file: 't.yaml', text }], given).resources.map(({ id }) => id)).toEqual(['A', 'B', 'C']);
  });

  it.each([
    ['a name that the parent passes', '/flag'],
    ['a parameter of the parent', '!Ref Name'],
  ])('see what the parameter store holds, not %s', (_, passed) => {
    const inner = {
      file: 'inner.yaml',
      text: `
Parameters: {P: {Type: 'AWS::SSM::Parameter::Value<String>'}}
Conditions: {On: !Equals [!Ref P, 'on'], Named: !Equals [!Ref P, /flag]}
Resources:
  A: {Type: AWS::EKS::Addon, Condition: On}
  B: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !If [Named, named, !Ref P]}}
`,
    };
    const text = `
Parameters: {Name: {Type: String, Default: /flag, AllowedValues: [/flag]}}
Resources: {Inner: {Type: AWS::CloudFormation::Stack, Properties: {Parameters: {P: ${passed}}}}}
`;
    const assembly = {
      nestedTemplates: new Map([['Inner', inner]]),
      constructPaths: new Map<string, string>(),
      acknowledgements: [],
    };
    const result = readTemplates([{ file: 'outer.yaml', text, assembly }]);
    expect(result.resources.map(({ id }) => id)).toEqual(['A', 'B']);
    expect(show(resource(result, 'addon', 'B').version)).toEqual({
      'condition Named is true': 'named',
      'condition Named is false': '?{{resolve:ssm:/flag}}',
    });
  });

  it('know the value of a parameter that is the name of one in the parameter store', () => {
    const result = read(`
Parameters: {P: {Type: 'AWS::SSM::Parameter::Name', AllowedValues: [/flag]}}
Conditions: {Named: !Equals [!Ref P, /flag], Not: !Not [!Condition Named]}
Resources: {A: {Type: AWS::EKS::Addon, Condition: Named}, B: {Type: AWS::EKS::Addon, Condition: Not}}
`);
    expect(result.resources.map(({ id }) => id)).toEqual(['A']);
  });

  it('around a block hold for all that stands in it', () => {
    const result = read(`
Parameters: {P: {Type: String}}
Conditions: {A: !Equals [!Ref P, a]}
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions: !If [A, {HttpTokens: required, HttpPutResponseHopLimit: 1}, !Ref AWS::NoValue]
        TagSpecifications:
          - !If [A, {ResourceType: instance, Tags: [{Key: a/b}]}, !Ref AWS::NoValue]
          - {ResourceType: volume, Tags: [{Key: c}]}
`);
    const { metadata, instanceTagKeys } = resource(result, 'launch-template', 'Template');
    expect(show(metadata.hopLimit)).toEqual({ 'condition A is true': 1, 'condition A is false': 'absent' });
    expect(instanceTagKeys.map(show)).toEqual([{ 'condition A is true': 'a/b', 'condition A is false': 'absent' }]);
  });

  it('as many as a template can have cost no exponential time', () => {
    const names = Array.from({ length: 60 }, (_, index) => `C${index}`);
    const result = read(`
Parameters:
${names.map((name) => `  P${name}: {Type: String}`).join('\n')}
Conditions:
${names.map((name, index) => `  ${name}: ${index === 0 ? `!Equals [!Ref P${name}, a]` : `!And [!Condition C${index - 1}, !Or [!Condition C${index - 1}, !Equals [!Ref P${name}, a]]]`}`).join('\n')}
Resources:
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties:
      Version: !Sub
        - '${names.map((name) => `\${${name}}`).join('')}'
        - {${names.map((name) => `${name}: !If [${name}, '1', '2']`).join(', ')}}
`);
    expect(show(resource(result, 'node-group', 'Nodes').version)).toBe('? it depends on too many conditions at once');
  });
});
