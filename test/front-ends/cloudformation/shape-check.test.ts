import { Cursor } from '../../../lib/cloudformation/cursor';
import type { Template } from '../../../lib/cloudformation/template';
import { fits, reportMisfits } from '../../../lib/front-ends/cloudformation/shape-check';
import type { Shape } from '../../../lib/front-ends/cloudformation/resources/shapes';
import { diagnostics, read } from './reading';

const list: Shape = { list: 'text' };
const map: Shape = { map: { a: 'text', b: 'boolean' } };
const oneOrMore: Shape = { oneOrMore: 'text' };
const statements: Shape = { oneOrMore: { map: { a: 'text' } } };
const mapOrText: Shape = { mapOrText: { a: 'text' } };

describe('a value', () => {
  it.each<[unknown, Shape]>([
    [undefined, 'text'],
    [null, 'any'],
    [[{}], 'any'],
    ['a', 'text'],
    [5, 'text'],
    [true, 'boolean'],
    ['TRUE', 'boolean'],
    ['off', 'boolean'],
    ['{{resolve:ssm:a}}', 'boolean'],
    [['a', 1], list],
    [[], list],
    [{ a: 'x', b: false }, map],
    [{}, map],
    [{ other: [] }, map],
    ['a', oneOrMore],
    [['a'], oneOrMore],
    [{ a: 'x' }, statements],
    [[{ a: 'x' }], statements],
    ['a', mapOrText],
    [{ a: 'x' }, mapOrText],
    [{ Ref: 'A' }, list],
    [{ 'Fn::Split': [',', 'a'] }, list],
    [{ 'Fn::If': ['C', ['a'], { Ref: 'A' }] }, list],
    [{ 'Fn::If': 'C' }, list],
    [{ 'Fn::If': ['C', ['a']] }, list],
  ])('%j fits %j', (raw, shape) => {
    expect(fits(raw, shape)).toBe(true);
  });

  it.each<[unknown, Shape]>([
    [null, 'text'],
    ['maybe', 'boolean'],
    ['trues', 'boolean'],
    [1, 'boolean'],
    ['a', list],
    ['a', map],
    [5, mapOrText],
    [['a'], 'text'],
    [[{}], list],
    [['a'], map],
    [['a'], mapOrText],
    [{ a: 'x' }, 'text'],
    [{ a: 'x' }, list],
    [{ a: [] }, map],
    [{ b: 'maybe' }, map],
    [{ a: 'x' }, oneOrMore],
    [{ a: [] }, statements],
    [{ a: [] }, mapOrText],
    [{ 'Fn::If': ['C', 'a', ['a']] }, list],
    [{ 'Fn::If': ['C', ['a'], 'a'] }, list],
  ])('%j does not fit %j', (raw, shape) => {
    expect(fits(raw, shape)).toBe(false);
  });
});

describe('what is told of a value that does not fit', () => {
  const told = (raw: unknown, shape: Shape) => {
    const found: string[] = [];
    // Only places need a template.
    const cursor = new Cursor({} as Template, { Key: raw }, undefined, '').child('Key');
    reportMisfits(cursor, shape, (_, message) => found.push(message));
    return found;
  };

  it.each<[unknown, Shape, readonly string[]]>([
    ['a', 'text', []],
    [{}, 'text', ['Key is a map where a string belongs']],
    [null, 'boolean', ['Key is empty where true or false belongs']],
    [5, list, ['Key is a number where a list belongs']],
    [
      [['a'], 'b', {}],
      list,
      ['item 1 of Key is a list where a string belongs', 'item 3 of Key is a map where a string belongs'],
    ],
    [{ a: [], b: 'x' }, map, ['a is a list where a string belongs', 'b is "x" where true or false belongs']],
    [{ a: [] }, mapOrText, ['a is a list where a string belongs']],
    [['a'], mapOrText, ['Key is a list where a map belongs']],
    [[{ a: [] }, 'x'], statements, ['a is a list where a string belongs', 'item 2 of Key is "x" where a map belongs']],
    [{ a: [] }, statements, ['a is a list where a string belongs']],
    ['x', statements, ['Key is "x" where a list, or a map, belongs']],
    [{}, oneOrMore, ['Key is a map where a string belongs']],
    [{ 'Fn::If': ['C', 'a', 'b'] }, list, ['Key is "a" where a list belongs', 'Key is "b" where a list belongs']],
    [{ 'Fn::If': ['C', ['a', {}], []] }, list, ['item 2 of Key is a map where a string belongs']],
    ['x'.repeat(80), list, [`Key is "${'x'.repeat(60)}" where a list belongs`]],
  ])('%j', (raw, shape, expected) => {
    expect(told(raw, shape)).toEqual(expected);
  });
});

describe('names', () => {
  const problems = (resources: string, more = '') => diagnostics(read(`${more}Resources:\n${resources}`));
  const addon = (properties: string, more = '') =>
    `  A:\n    Type: AWS::EKS::Addon\n${more}    Properties:\n      AddonName: ${properties}\n`;

  it.each([
    ['!Ref Nothing', ['there is no parameter or resource "Nothing"']],
    ["!Sub '${Nothing}'", ['there is no parameter or resource "Nothing"']],
    ["!Sub '${ Nothing }'", ['there is no parameter or resource "Nothing"']],
    ["!Sub '${Nothing.Arn}'", ['there is no resource "Nothing"']],
    [
      "!Sub '${Nothing} ${Nothing} ${Other}'",
      ['there is no parameter or resource "Nothing"', 'there is no parameter or resource "Other"'],
    ],
    ["!Sub ['${Nothing} ${x}', {x: y}]", ['there is no parameter or resource "Nothing"']],
    ["!Sub ['${x}', {x: !Ref Nothing}]", ['there is no parameter or resource "Nothing"']],
    ['!GetAtt Nothing.Arn', ['there is no resource "Nothing"']],
    ['!GetAtt [Nothing, Arn]', ['there is no resource "Nothing"']],
    ['!If [Nothing, a, b]', ['there is no condition "Nothing"']],
    ["!Join ['', [a, !Ref Nothing]]", ['there is no parameter or resource "Nothing"']],
    ['!Ref AWS::Region', []],
    ["!Sub '${AWS::Region} ${!Nothing} ${} ${a{b} ${'", []],
    ["!Sub '$Nothing'", []],
    ['!Ref P', []],
    ['!Ref A', ['resource A refers to itself']],
    ['!If [C, a, b]', []],
  ])('%s', (value, expected) => {
    const found = problems(
      addon(value),
      'Parameters: {P: {Type: String, Default: p}}\nConditions: {C: !Equals [!Ref P, p]}\n',
    );
    expect(found.map((problem) => problem.replace(/^\w+ [\d:]+ /, ''))).toEqual(expected);
  });

  it('that DependsOn has are those of resources', () => {
    expect(problems(addon('a', '    DependsOn: Nothing\n'))).toEqual(['warning 4:5 there is no resource "Nothing"']);
    expect(problems(addon('a', '    DependsOn: [B, Nothing]\n') + '  B: {Type: T}\n')).toEqual([
      'warning 4:20 there is no resource "Nothing"',
    ]);
    expect(problems(addon('a', '    DependsOn: P\n'), 'Parameters: {P: {Type: String}}\n')).toEqual([
      'warning 5:5 there is no resource "P"',
    ]);
  });

  it('in outputs and conditions are checked, too', () => {
    const resources = '  A: {Type: T}\n';
    expect(problems(`${resources}Outputs: {O: {Value: !Ref Nothing}}\n`)).toEqual([
      'warning 3:15 there is no parameter or resource "Nothing"',
    ]);
    expect(problems(resources, 'Conditions: {C: !Equals [!Ref Nothing, a]}\n')).toEqual([
      'warning 1:26 there is no parameter or resource "Nothing"',
    ]);
  });

  it('may be made by what adds resources', () => {
    expect(problems('  A: {Type: T, Properties: {B: !Ref Nothing}}\n', 'Transform: Mine\n')).toEqual([
      expect.stringMatching(/^warning 1:1 what the transform Mine may add/),
    ]);
  });
});

describe('what a table names', () => {
  it.each([
    ['AWS::EKS::Addon', 'NamespaceConfig', '"kube-system"', 'a map'],
    ['AWS::EKS::PodIdentityAssociation', 'DisableSessionTags', '[]', 'true or false'],
    ['AWSQS::EKS::Cluster', 'KubernetesNetworkConfig', '[]', 'a map'],
    ['Custom::AWSCDK-EKS-Cluster', 'Config', '{outpostConfig: []}', 'a map'],
    ['AWS::EC2::LaunchTemplate', 'LaunchTemplateData', '{HibernationOptions: {Configured: maybe}}', 'true or false'],
    ['AWS::AutoScaling::LaunchConfiguration', 'BlockDeviceMappings', '[{Ebs: []}]', 'a map'],
  ])('of %s has its shape: %s', (type, property, value, wanted) => {
    expect(diagnostics(read(`Resources: {A: {Type: '${type}', Properties: {${property}: ${value}}}}`))).toEqual([
      expect.stringContaining(`where ${wanted} belongs`),
    ]);
  });
});

describe('settings of a launch template beside LaunchTemplateData', () => {
  const problems = (properties: string, more = '') =>
    diagnostics(read(`${more}Resources: {A: {Type: 'AWS::EC2::LaunchTemplate', Properties: {${properties}}}}`));

  it('are told, as CloudFormation refuses them', () => {
    expect(problems('UserData: e30=, MetadataOptions: {HttpTokens: required}, LaunchTemplateData: {}')).toEqual([
      expect.stringMatching(
        /^error 1:\d+ UserData stands beside LaunchTemplateData, .* write it in LaunchTemplateData$/,
      ),
      expect.stringMatching(/^error 1:\d+ MetadataOptions stands beside LaunchTemplateData, /),
    ]);
    expect(problems('ImageId: ami-1')).toHaveLength(1);
  });

  it('may be what a macro takes', () => {
    expect(problems('ImageId: ami-1, LaunchTemplateData: {}', 'Transform: Mine\n')).toContainEqual(
      expect.stringMatching(/^warning .* ImageId stands beside LaunchTemplateData/),
    );
  });

  it("are not the template's own", () => {
    expect(
      problems(
        'LaunchTemplateName: a, VersionDescription: b, TagSpecifications: [{ResourceType: launch-template, Tags: [{Key: a, Value: b}]}], LaunchTemplateData: {UserData: e30=}',
      ),
    ).toEqual([]);
  });
});
