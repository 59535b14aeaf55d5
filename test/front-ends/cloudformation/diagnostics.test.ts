import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { skippedText } from '../../../lib/reports/summary';
import { diagnostics, read, resource, show } from './reading';

const CASES: readonly (readonly [name: string, template: string, expected: readonly string[]])[] = [
  [
    'a key that stands twice in YAML, of which CloudFormation takes the last one',
    'Parameters:\n  P:\n    Type: String\n    Description: one\n    Description: two\nResources: {}',
    [
      'warning 5:5 "Description" is written twice in one map, first in line 4; CloudFormation takes this last one without a word',
    ],
  ],
  [
    'a key that stands twice in JSON, of which CloudFormation takes the last one',
    '{"Resources": {"A": {"Type": "T"},\n"A": {"Type": "T"}}}',
    ['warning 2:1 "A" is written twice in one map, first in line 1; CloudFormation takes this last one without a word'],
  ],
  [
    'a value that a macro may turn into the right one',
    'Transform: [AWS::LanguageExtensions, Expand]\nResources:\n  A: {Type: AWS::EKS::Nodegroup, Properties: {Subnets: "$subnets"}}',
    [`warning 1:38 ${unchecked('transform Expand')}`, 'warning 3:47 Subnets is "$subnets" where a list belongs'],
  ],
  [
    'one that no macro touches',
    'Transform: AWS::Serverless-2016-10-31\nResources:\n  A: {Type: AWS::EKS::Nodegroup, Properties: {Subnets: "$subnets"}}',
    ['error 3:47 Subnets is "$subnets" where a list belongs'],
  ],
  ['Resources that are a list', 'Resources: [a]', ['error 1:1 Resources is a list where a map belongs']],
  [
    'Parameters that are a list',
    'Parameters: []\nResources: {}',
    ['error 1:1 Parameters is a list where a map belongs'],
  ],
  [
    'a parameter that is a string',
    'Parameters:\n  P: x\nResources: {}',
    ['error 2:3 P is a string where a map belongs'],
  ],
  ['no Resources', 'Parameters: {}', ['error 1:1 there are no Resources, so this is no CloudFormation template']],
  ['a list', '- a', ['error 1:1 a CloudFormation template is a map with Resources; this is a list']],
  ['a string', 'just text', ['error 1:1 a CloudFormation template is a map with Resources; this is a string']],
  [
    'a resource that is a string',
    'Resources:\n  A: x\n  B: {Type: T}',
    ['error 2:3 resource A is a string where a map belongs'],
  ],
  ['a resource that is empty', 'Resources:\n  A:\n', ['error 2:3 resource A is empty where a map belongs']],
  ['a resource without Type', 'Resources:\n  A: {Properties: {}}', ['error 2:3 resource A has no Type']],
  ['a Type that is a list', 'Resources:\n  A:\n    Type: [x]', ['error 3:5 Type is a list where a string belongs']],
  [
    'Properties that are a list',
    'Resources:\n  A:\n    Type: AWS::EKS::Addon\n    Properties: [x]',
    ['error 4:5 Properties is a list where a map belongs'],
  ],
  [
    'empty Properties',
    'Resources:\n  A:\n    Type: AWS::EKS::Addon\n    Properties:',
    ['error 4:5 Properties is empty where a map belongs'],
  ],
  [
    'a list for a map',
    properties('AWS::EC2::LaunchTemplate', 'LaunchTemplateData: [1]'),
    ['error 5:7 LaunchTemplateData is a list where a map belongs'],
  ],
  [
    'a string for a map',
    properties('AWS::EKS::Nodegroup', 'LaunchTemplate: lt-1'),
    ['error 5:7 LaunchTemplate is "lt-1" where a map belongs'],
  ],
  [
    'a map for a string',
    properties('AWS::EKS::Nodegroup', 'AmiType: {a: b}'),
    ['error 5:7 AmiType is a map where a string belongs'],
  ],
  [
    'a list for a string',
    properties('AWS::EKS::Addon', 'AddonName: [vpc-cni]'),
    ['error 5:7 AddonName is a list where a string belongs'],
  ],
  [
    'a map for text that is JSON',
    properties('AWS::EKS::Addon', 'ConfigurationValues: {env: {}}'),
    ['error 5:7 ConfigurationValues is a map where a string belongs'],
  ],
  [
    'a string for a list',
    properties('AWS::EKS::Nodegroup', 'InstanceTypes: m5.large'),
    ['error 5:7 InstanceTypes is "m5.large" where a list belongs'],
  ],
  [
    'a map in a list of strings',
    properties('AWS::EKS::Nodegroup', 'InstanceTypes: [a, {b: c}]'),
    ['error 5:26 item 2 of InstanceTypes is a map where a string belongs'],
  ],
  [
    'a word for true or false',
    properties('AWS::EKS::Nodegroup', 'ForceUpdateEnabled: maybe'),
    ['error 5:7 ForceUpdateEnabled is "maybe" where true or false belongs'],
  ],
  [
    'a wrong branch of a condition',
    properties('AWS::EKS::Nodegroup', 'InstanceTypes: !If [C, [a], b]', 'Conditions: {C: !Equals [a, b]}'),
    ['error 6:35 InstanceTypes is "b" where a list belongs'],
  ],
  [
    'something empty',
    properties('AWS::EKS::Nodegroup', 'Version:'),
    ['error 5:7 Version is empty where a string belongs'],
  ],
  [
    'a statement that is text',
    properties('AWS::IAM::Role', 'AssumeRolePolicyDocument: {Statement: nothing}'),
    ['error 5:34 Statement is "nothing" where a list, or a map, belongs'],
  ],
  [
    'a reference to nothing',
    properties('AWS::EKS::Nodegroup', 'NodeRole: !Ref Role'),
    ['warning 5:7 there is no parameter or resource "Role"'],
  ],
  [
    'an attribute of nothing',
    properties('AWS::EKS::Nodegroup', 'NodeRole: !GetAtt Role.Arn'),
    ['warning 5:7 there is no resource "Role"'],
  ],
  [
    'names of nothing in a text',
    properties('AWS::EKS::Nodegroup', "NodeRole: !Sub '${X}${X}${B.C}${AWS::Region}${!D}'"),
    ['warning 5:7 there is no parameter or resource "X"', 'warning 5:7 there is no resource "B"'],
  ],
  [
    'a reference to nothing deep in a resource of no interest',
    properties('AWS::S3::Bucket', 'Tags: [{Key: a, Value: !Ref B}]'),
    ['warning 5:23 there is no parameter or resource "B"'],
  ],
  [
    'a condition that is not there',
    properties('AWS::EKS::Nodegroup', 'Version: !If [C, a, b]'),
    ['warning 5:7 there is no condition "C"'],
  ],
  [
    "a resource's condition that is not there",
    'Resources:\n  A:\n    Type: AWS::EKS::Addon\n    Condition: C',
    ['warning 4:5 there is no condition "C"'],
  ],
  [
    'a dependency on nothing',
    'Resources:\n  A:\n    Type: AWS::EKS::Addon\n    DependsOn: [B]',
    ['warning 4:17 there is no resource "B"'],
  ],
  [
    'an output of nothing',
    'Resources: {}\nOutputs:\n  O:\n    Value: !Ref A',
    ['warning 4:5 there is no parameter or resource "A"'],
  ],
  [
    'conditions in a circle',
    'Conditions:\n  A: !Not [!Condition B]\n  B: !Not [!Condition A]\nResources: {}',
    ['error 2:3 condition A refers to itself in a circle: A → B → A'],
  ],
  [
    'a condition of itself',
    'Conditions:\n  A: !Not [!Condition A]\nResources: {}',
    ['error 2:3 condition A refers to itself'],
  ],
  [
    'resources in a circle',
    'Resources:\n  A: {Type: T, Properties: {x: !Ref B}}\n  B: {Type: T, DependsOn: C}\n  C: {Type: T, Properties: {x: !Sub "${A.Arn}"}}',
    ['error 2:3 resource A refers to itself in a circle: A → B → C → A'],
  ],
  [
    'a resource of itself',
    'Resources:\n  A: {Type: T, Properties: {x: !Ref A}}',
    ['error 2:3 resource A refers to itself'],
  ],
  [
    'a loop through something else than a literal list',
    'Transform: AWS::LanguageExtensions\nParameters: {P: {Type: CommaDelimitedList}}\nResources:\n  Fn::ForEach::Loop: [X, !Ref P, {"R${X}": {Type: T}}]\n  A: {Type: T, DependsOn: Ra}',
    ["warning 4:3 what the loop Fn::ForEach::Loop goes through isn't known, so one stands for all"],
  ],
  [
    'a loop that makes a resource that is there',
    'Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::Loop: [X, [a], {"R${X}": {Type: T}}]\n  Ra: {Type: T}',
    ['error 3:3 resources of the loop Fn::ForEach::Loop are not read: Ra is there already'],
  ],
  ['a suppression without rule', suppression('{reason: x}'), ['error 6:20 the suppression names no rule']],
  ['a suppression of a number', suppression('{rule: 5, reason: x}'), ['error 6:20 the suppression names no rule']],
  [
    'a suppression with a misspelt end',
    suppression('{rule: a, reason: b, Until: 2020-01-01}'),
    ['warning 6:41 the suppression has no effect: there is no key "Until" here; did you mean "until"?'],
  ],
  [
    'a suppression with an unknown key',
    suppression('{rule: a, reason: b, expires: 2020-01-01}'),
    ['warning 6:41 the suppression has no effect: there is no key "expires" here; the keys are rule, reason, until'],
  ],
  [
    'misspelt suppressions',
    suppression('{rule: a, reason: b}').replace('suppress:', 'suppres:'),
    ['warning 6:9 there is no key "suppres" here; did you mean "suppress"?'],
  ],
  [
    'suppressions of another name',
    suppression('{rule: a, reason: b}').replace('eks-guardrails', 'EksGuardrails'),
    ['warning 5:7 "EksGuardrails" is not read; the key is "eks-guardrails"'],
  ],
  [
    'suppressions of a whole template',
    'Metadata:\n  eks-guardrails: {suppress: [{rule: a, reason: b}]}\nResources:\n  A:\n    Type: T\n',
    [
      'warning 2:3 "eks-guardrails" is not read here; suppressions stand in the Metadata of a resource, and what holds for several in the configuration file',
    ],
  ],
  [
    'a resource of EKS that is not read',
    properties('AWSQS::Kubernetes::Helm', 'Chart: a'),
    ["warning 2:3 resource A of type AWSQS::Kubernetes::Helm isn't read, so what it sets up isn't checked"],
  ],
  [
    'several of one type',
    'Resources:\n  A: {Type: Custom::KubeManifest}\n  B: {Type: T}\n  C: {Type: Custom::KubeManifest}',
    ["warning 2:3 2 resources of type Custom::KubeManifest aren't read, so what they set up isn't checked"],
  ],
  ['a macro', 'Transform: Evil\nResources:\n  A: {Type: T}', [`warning 1:1 ${unchecked('transform Evil')}`]],
  [
    'a macro whose name is nearly that of a transform of AWS',
    'Transform: aws::LanguageExtensions\nResources:\n  A: {Type: T}',
    [`warning 1:1 ${unchecked('transform aws::LanguageExtensions')}`],
  ],
  [
    'macros in several places, which may make what is referred to',
    'Transform: [AWS::Serverless-2016-10-31, {Name: AWS::Include, Parameters: {Location: s3://b/a.yaml}}]\nResources:\n  Fn::Transform: {Name: More}\n  A: {Type: T, Fn::Transform: [{Name: More}, {Name: !Ref N}], Properties: {x: !Ref B}}',
    [`warning 1:41 ${unchecked('transforms AWS::Include, More and one whose name is worked out')}`],
  ],
  [
    'a macro over the whole template in the form for parts of it',
    'Fn::Transform: {Name: Evil}\nResources:\n  A: {Type: T}',
    [`warning 1:1 ${unchecked('transform Evil')}`],
  ],
  [
    'an include among the resources',
    'Resources:\n  Fn::Transform: {Name: AWS::Include}\n  A: {Type: T, Properties: {x: !Ref B}}',
    [`warning 2:3 ${unchecked('transform AWS::Include')}`],
  ],
  [
    'a resource that is included',
    'Resources:\n  A: {Type: T}\n  B: !Transform {Name: AWS::Include}',
    [`warning 3:3 ${unchecked('transform AWS::Include')}`],
  ],
  [
    'suppressions that are a map',
    'Resources:\n  A:\n    Type: T\n    Metadata:\n      eks-guardrails: {suppress: {rule: x}}',
    ['error 5:24 suppress is a map where a list belongs'],
  ],
];

/** What is told of transforms that may add resources. */
function unchecked(transforms: string): string {
  return `what the ${transforms} may add or change isn't checked; the processed template of a change set or a stack can be (aws cloudformation get-template --template-stage Processed)`;
}

function properties(type: string, property: string, head = ''): string {
  return `${head === '' ? '' : `${head}\n`}Resources:\n  A:\n    Type: ${type}\n    Properties:\n      ${property}\n`;
}

function suppression(entry: string): string {
  return `Resources:\n  A:\n    Type: T\n    Metadata:\n      eks-guardrails:\n        suppress: [${entry}]\n`;
}

describe('a template with a defect', () => {
  it.each(CASES)('%s: one diagnostic at its place', (_, template, expected) => {
    expect(diagnostics(read(template))).toEqual(expected);
  });

  it.each([
    [
      'a macro',
      'Transform: AWS::Serverless-2016-10-31\nResources:\n  A: {Type: T, Properties: {x: !Ref FunctionRole}}',
    ],
    [
      "a transform of AWS's that adds nothing of EKS",
      'Transform: [AWS::LanguageExtensions, AWS::SecretsManager-2020-07-23, AWS::CodeDeployBlueGreen, AWS::ServiceCatalog]\nResources:\n  A: {Type: T, Properties: {Fn::Transform: {Name: M}}}',
    ],
    [
      'a map of texts that is included, with what refers to it',
      'Mappings: {Fn::Transform: {Name: AWS::Include}}\nConditions: {Fn::Transform: {Name: AWS::Include}, D: !Not [Condition: C]}\nResources:\n  A: {Type: T, Condition: C, Properties: {x: !If [C, 1, 2]}}',
    ],
    [
      'a module',
      'Resources:\n  M: {Type: My::Own::Thing::MODULE}\n  A: {Type: T, Properties: {x: !GetAtt MBucket.Arn}}',
    ],
    [
      "a resource of CDK's own, or of something else",
      'Resources:\n  A: {Type: Custom::AWSCDK-EKS-KubernetesObjectValue}\n  B: {Type: Custom::AWSCDKCfnJson}\n  C: {Type: Custom::WeeksOfCleanup}\n  D: {Type: AWS::EKS::IdentityProviderConfig}',
    ],
    [
      'a resource of EKS that is not created',
      'Conditions: {C: !Equals [a, b]}\nResources:\n  A: {Type: Custom::KubeManifest, Condition: C}',
    ],
    [
      'lenient scalars',
      properties('AWS::EKS::Nodegroup', 'ForceUpdateEnabled: "True"\n      Version: 1.30\n      NodegroupName: 7'),
    ],
    [
      'functions in place of anything',
      properties('AWS::EKS::Nodegroup', "InstanceTypes: !Split [',', a]\n      LaunchTemplate: !FindInMap [a, b, c]"),
    ],
  ])('%s is none', (_, template) => {
    expect(diagnostics(read(template))).toEqual([]);
  });

  it('is read on: the rest of it is there, and what is wrong is unknown', () => {
    const result = read(
      'Resources:\n  Bad: [1]\n  Nodes:\n    Type: AWS::EKS::Nodegroup\n    Properties: {AmiType: [x], Version: 1.33}\n',
    );
    const nodes = resource(result, 'node-group', 'Nodes');
    expect([show(nodes.amiType), show(nodes.version)]).toEqual(['? it is a list where a string belongs', '1.33']);
  });

  it('counts macros among what is not checked, once for each name and template', () => {
    const { diagnostics: told } = read('Transform: [A, A, B]\nResources:\n  A: {Type: T}');
    expect(skippedText(told)).toBe('2 transforms');
  });

  it('leaves what a macro may add to a resource open', () => {
    const result = read(
      'Resources:\n  A:\n    Type: AWS::EKS::Nodegroup\n    Fn::Transform: {Name: AWS::Include}\n    Properties: {AmiType: AL2023_x86_64_STANDARD}\n  B: {Type: AWS::EKS::Nodegroup}',
    );
    const a = resource(result, 'node-group', 'A');
    expect([show(a.amiType), show(a.version), show(resource(result, 'node-group', 'B').version)]).toEqual([
      'AL2023_x86_64_STANDARD',
      '? Fn::Transform may add it at deployment',
      'absent',
    ]);
  });

  it('leaves other templates of the run untouched', () => {
    const result = readTemplates([
      { file: 'broken.json', text: '{"Resources": ' },
      { file: 'good.yaml', text: 'Resources:\n  A: {Type: AWS::EKS::Addon}' },
    ]);
    expect(result.resources.map(({ id }) => id)).toEqual(['A']);
    expect(result.diagnostics).toEqual([
      {
        severity: 'error',
        message: 'the text ends here, but the "{" of line 1 is not closed',
        file: 'broken.json',
        line: 1,
        column: 15,
      },
    ]);
    expect(result.inputs.map(({ path, resources }) => [path, resources])).toEqual([
      ['broken.json', 0],
      ['good.yaml', 1],
    ]);
  });

  it('that others of the run have as well is told once, if it is a type that is not read', () => {
    const charts = (...ids: string[]) =>
      ['Resources:', ...ids.map((id) => `  ${id}: {Type: AWSQS::Kubernetes::Helm}`)].join('\n');
    const result = readTemplates([
      { file: 'a.yaml', text: charts('A', 'B') },
      { file: 'b.yaml', text: charts('C') },
    ]);
    expect(result.diagnostics).toEqual([
      {
        severity: 'warning',
        message:
          "3 resources of type AWSQS::Kubernetes::Helm in 2 templates aren't read, so what they set up isn't checked",
        file: 'a.yaml',
        line: 2,
        column: 3,
        skipped: { what: 'resource', count: 3 },
      },
    ]);
  });

  it('and a chain as long as the template overflow nothing', () => {
    const resources = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`R${index}`, { Type: 'T', DependsOn: `R${(index + 1) % 20_000}` }]),
    );
    const result = readTemplates([{ file: 'chain.json', text: JSON.stringify({ Resources: resources }) }]);
    expect(result.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('resource R0 refers to itself in a circle'),
    ]);
  });
});

it.each([
  ['YAML', 'Resources:\n  A:\n    Type: AWS::EKS::Nodegroup\n    Properties:\n      AmiType: X\n      AmiType: Y\n'],
  [
    'JSON',
    '{"Resources": {"A": {"Type": "AWS::EKS::Nodegroup", "Properties": {"AmiType": "X",\n\n\n\n\n"AmiType": "Y"}}}}',
  ],
])('judges the last of equal keys, at its place, in %s', (_, text) => {
  const { amiType } = resource(read(text), 'node-group', 'A');
  expect(show(amiType)).toBe('Y');
  expect(amiType.kind === 'known' && amiType.source.locate().line).toBe(6);
});
