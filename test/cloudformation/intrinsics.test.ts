import { alternativesOf, sourceOf, type Unknown } from '../../lib/eks';
import type { TemplateInput } from '../../lib/cloudformation/template-input';
import { place, read, resource, show } from '../front-ends/cloudformation/reading';

/** What an expression as the value of a string property evaluates to. */
function evaluate(expression: string, input: Partial<TemplateInput> = {}) {
  return resource(read(template(expression), input), 'node-group', 'Nodes').version;
}

function template(expression: string): string {
  return `
Parameters:
  Open: {Type: String}
  Set: {Type: String, Default: '1.33'}
  Number: {Type: Number, Default: 2}
  Names: {Type: CommaDelimitedList, Default: 'a, b,c'}
  Path: {Type: AWS::SSM::Parameter::Value<String>, Default: /my/version}
Conditions:
  IsOpen: !Equals [!Ref Open, 'yes']
  Always: !Equals [a, a]
Mappings:
  Regions:
    eu-west-1: {version: '1.31'}
    fallback: {version: '1.30', list: [x, y]}
  Services: {aws: {ec2: ec2.amazonaws.com, own: a.amazonaws.com}, aws-cn: {ec2: ec2.amazonaws.com.cn, own: b.amazonaws.com.cn}}
Resources:
  Other: {Type: AWS::S3::Bucket}
  Json: {Type: Custom::AWSCDKCfnJson, Properties: {}}
  Cluster: {Type: AWS::EKS::Cluster, Properties: {Name: prod, RoleArn: arn:aws:iam::1:role/r}}
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Cluster
      Version: ${expression}
`;
}

describe('an expression', () => {
  it.each([
    ['1.33', '1.33'],
    ['1.30', '1.30'],
    ['"1.33"', '1.33'],
    ['true', 'true'],
    ['!Ref Set', '1.33'],
    ['!Ref Number', '2'],
    ['!Ref Open', '?${Open}'],
    ['!Ref Path', '?{{resolve:ssm:/my/version}}'],
    ['!Ref AWS::NoValue', 'absent'],
    ['!Ref AWS::Region', '?${AWS::Region}'],
    ['!Ref AWS::StackName', '?${AWS::StackName}'],
    ['!Ref Other', '?${Other}'],
    ['!Ref Cluster', '?${Cluster}'],
    ['!GetAtt Cluster.Arn', '?${Cluster.Arn}'],
    ['!GetAtt Json.Value', 'absent'],
    ['!GetAtt [Cluster, !Ref Set]', '?${Cluster.1.33}'],
    ["!Sub 'a-${Set}-${!Literal}'", 'a-1.33-${Literal}'],
    ["!Sub 'a-${Open}'", '?a-${Open}'],
    ["!Sub ['${X}-${Set}', {X: !Ref Open}]", '?${Open}-1.33'],
    ["!Sub '${Cluster}-${Cluster.Arn}'", '?prod-${Cluster.Arn}'],
    ["!Sub '${Cluster.Arn}'", '?${Cluster.Arn}'],
    ["!Join ['-', [a, !Ref Set, !Ref AWS::NoValue, b]]", 'a-1.33-b'],
    ["!Join ['', ['arn:', !Ref AWS::Partition, ':iam::aws:policy/X']]", '?arn:${AWS::Partition}:iam::aws:policy/X'],
    ["!Join ['+', !Ref Names]", 'a+b+c'],
    [
      "!Join ['+', [a, !If [IsOpen, b, !Ref AWS::NoValue]]]",
      { 'condition IsOpen is true': 'a+b', 'condition IsOpen is false': 'a' },
    ],
    ['{Ref: [Set]}', '? the call of Ref is malformed'],
    ['{Fn::GetStackOutput: {StackName: !Ref Open, OutputName: o}}', '?${Fn::GetStackOutput}'],
    ['{Fn::GetStackOutput: {StackName: other, OutputName: !Ref Open}}', '?${Fn::GetStackOutput}'],
    ["!Join ['', [a, !Select [1, !Ref Names]]]", 'ab'],
    ["!Select [1, !Split ['.', '1.33']]", '33'],
    ["!Select ['0', [x, y]]", 'x'],
    ['!Select [9, [x, y]]', '? the list has no item 9'],
    ["!Select [1, !Split ['/', !GetAtt Cluster.Arn]]", '?${Cluster}'],
    ["!Select [2, !Split [':', !GetAtt Cluster.Arn]]", '?${Cluster.Arn[2]}'],
    ["!Select [1, !Split [',', !Sub 'a,${AWS::Partition}:b,c']]", '?${AWS::Partition}:b'],
    ["!Select [2, !Split [',', !Sub 'a,${AWS::Partition}:b,c']]", 'c'],
    ["!Select [1, !Split ['-', !Sub 'a-${AWS::Region}-c']]", '?a-${AWS::Region}-c[1]'],
    ['!FindInMap [Regions, fallback, version]', '1.30'],
    ['!FindInMap [Regions, !Ref AWS::Region, version]', '?${Fn::FindInMap}'],
    ['!FindInMap [Services, !Ref AWS::Partition, ec2]', '?ec2.${AWS::URLSuffix}'],
    ['!FindInMap [Services, !Ref AWS::Partition, own]', '?${Fn::FindInMap}'],
    ["!Join ['', !FindInMap [Regions, fallback, list]]", 'xy'],
    ['!FindInMap [Regions, nowhere, version]', '? mapping Regions has no nowhere.version'],
    ['!FindInMap [Regions, nowhere, version, {DefaultValue: none}]', 'none'],
    [
      "!FindInMap [Regions, !If [IsOpen, nowhere, fallback], version, {DefaultValue: !If [IsOpen, 'x', 'never']}]",
      { 'condition IsOpen is true': 'x', 'condition IsOpen is false': '1.30' },
    ],
    ['!If [Always, yes, no]', 'yes'],
    ["!If [IsOpen, 'x', 'y']", { 'condition IsOpen is true': 'x', 'condition IsOpen is false': 'y' }],
    [
      "!If [IsOpen, 'x', !Ref AWS::NoValue]",
      { 'condition IsOpen is true': 'x', 'condition IsOpen is false': 'absent' },
    ],
    [
      "!Sub ['v${X}', {X: !If [IsOpen, '1', '2']}]",
      { 'condition IsOpen is true': 'v1', 'condition IsOpen is false': 'v2' },
    ],
    [
      "!If [IsOpen, !If [IsOpen, 'x', 'never'], 'y']",
      { 'condition IsOpen is true': 'x', 'condition IsOpen is false': 'y' },
    ],
    ['!Base64 hello', 'aGVsbG8='],
    ['!ImportValue elsewhere', '?${elsewhere}'],
    ["!GetAZs ''", '?${Fn::GetAZs}'],
    ['{Fn::Cidr: [10.0.0.0/16, 2, 8]}', '?${Fn::Cidr}'],
    ['{Fn::Length: !Ref Names}', '3'],
    ['{Fn::ToJsonString: {a: [1, !Ref Set], b: !Ref Open}}', '?{"a":[1,"1.33"],"b":"${Open}"}'],
    ['{Fn::ToJsonString: {a: !Ref Names}}', '{"a":["a","b","c"]}'],
    ["'{{resolve:ssm:/my/version}}'", '?{{resolve:ssm:/my/version}}'],
    ["'{{resolve:secretsmanager:x}}'", '?{{resolve:secretsmanager:x}}'],
    ["!Sub '{{resolve:ssm:/${Set}/version}}'", '?{{resolve:ssm:/1.33/version}}'],
    ['!Ref Missing', '?${Missing}'],
    ['[1, 2]', '? it is a list where a string belongs'],
    ['{a: 1}', '? it is a map where a string belongs'],
  ])('%s evaluates to %j', (expression, expected) => {
    expect(show(evaluate(expression))).toEqual(expected);
  });

  it.each([
    ['!Ref AWS::Region', 'cn-north-1'],
    ['!Ref AWS::Partition', 'aws-cn'],
    ['!Ref AWS::URLSuffix', 'amazonaws.com.cn'],
    ['!Ref AWS::AccountId', '111122223333'],
    ["!Sub 'arn:${AWS::Partition}:iam::aws:policy/X'", 'arn:aws-cn:iam::aws:policy/X'],
  ])('%s is %s in a known environment', (expression, expected) => {
    expect(show(evaluate(expression, { region: 'cn-north-1', account: '111122223333' }))).toBe(expected);
  });

  it('looks a mapping up by the known region', () => {
    const version = evaluate('!FindInMap [Regions, !Ref AWS::Region, version]', { region: 'eu-west-1' });
    expect(version).toMatchObject({ kind: 'known', value: '1.31', note: 'from mapping Regions' });
    expect(version.kind === 'known' && version.source.decided?.by).toBe('mapping Regions');
    expect(version.kind === 'known' && version.source.decided?.at.locate().line).toBe(13);
  });

  it.each([
    ['!Ref Open', 'parameter Open has no default'],
    ['!Ref AWS::NoValue', 'a key of the mapping is missing'],
  ])('says why the row of a mapping is not known: %s', (row, reason) => {
    expect(evaluate(`!FindInMap [Regions, ${row}, version]`)).toMatchObject({ kind: 'unknown', reason });
  });

  it.each([
    ['!Ref Open', '!Ref Open'],
    ["!Sub 'a-${Open}'", '!Sub "a-${Open}"'],
    ['!GetAtt Cluster.Arn', '!GetAtt Cluster.Arn'],
    ['!GetAtt [Cluster, Arn]', '!GetAtt Cluster.Arn'],
    ['{Fn::GetAtt: Cluster.Arn}', '!GetAtt Cluster.Arn'],
    ['!GetAtt [Cluster, !Ref Set]', undefined],
    ["!Join ['', [a]]", undefined],
    ["'a'", undefined],
  ])('%s is written as the reference %s', (expression, written) => {
    expect(sourceOf(evaluate(expression)).expression).toBe(written);
  });

  it('says where a default comes from', () => {
    expect(evaluate("!Sub 'v${Set}'")).toMatchObject({ kind: 'known', note: 'default of parameter Set' });
  });

  it('points at the key of the property, whatever functions the value is made of', () => {
    const version = evaluate("!If [IsOpen, !Sub 'x', !Ref Set]");
    expect(alternativesOf(version).map(({ value }) => place(value.source))).toEqual(['24:7', '24:7']);
    expect(alternativesOf(version)[0]?.value.source.locate().property).toBe('Properties.Version');
  });

  it.each([
    ['!Ref Open', '!Ref Open', true],
    ["!Sub 'a${Open}'", "!Join ['', [a, !Ref Open]]", true],
    ['!Ref Open', '!Ref Other', false],
    ['!GetAtt Other.Arn', '!Ref Other', false],
    ['!FindInMap [Regions, !Ref Open, list]', '!FindInMap [Regions, !Ref Open, list]', true],
    ['!FindInMap [Regions, !Ref Open, list]', '!FindInMap [Regions, !Ref AWS::Region, list]', false],
    ["!Select [0, !Split ['-', !Ref Open]]", "!Select [0, !Split ['-', !Ref Open]]", true],
    ["!Select [0, !Split ['-', !Ref Open]]", "!Select [1, !Split ['-', !Ref Open]]", false],
  ])('%s and %s are known to be equal: %s', (left, right, equal) => {
    const symbols = [left, right].map((expression) => (evaluate(expression) as Unknown).symbol);
    expect(symbols[0]).toBeDefined();
    expect(symbols[0] === symbols[1]).toBe(equal);
  });

  it('is not known to be equal to anything, if nothing tells what it is', () => {
    expect(evaluate('!Select [0, !FindInMap [Regions, nowhere, list]]')).toMatchObject({ symbol: undefined });
  });

  it.each(['!Ref Cluster', "!Sub '${Cluster}'", '!GetAtt Cluster.Name', "!Join ['', [!Ref Cluster]]"])(
    '%s refers to the cluster',
    (expression) => {
      const value = evaluate(expression);
      expect(value.kind === 'unknown' ? value.reference?.resource : undefined).toMatchObject({
        kind: 'cluster',
        id: 'Cluster',
      });
    },
  );

  it('that leads to itself across stacks is unknown', () => {
    const input = `
Parameters: {P: {Type: String}}
Resources:
  Nodes: {Type: AWS::EKS::Nodegroup, Properties: {Version: !Ref P}}
Outputs:
  O: {Value: !Ref P}
`;
    const outer =
      'Resources:\n  Inner: {Type: AWS::CloudFormation::Stack, Properties: {Parameters: {P: !GetAtt Inner.Outputs.O}}}\n';
    const nested = new Map([['Inner', { file: 'inner.yaml', text: input }]]);
    const result = read(outer, {
      assembly: { nestedTemplates: nested, constructPaths: new Map(), acknowledgements: [] },
    });
    expect(show(resource(result, 'node-group', 'Nodes').version)).toBe('? it refers to itself');
    expect(result.diagnostics.map(({ message }) => message)).toEqual(['resource Inner refers to itself']);
  });
});
