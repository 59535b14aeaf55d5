import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths, checkTemplates, type ParameterValues } from '../../lib';
import { nodeGroupTemplate, workspace } from '../cli/workspace';

/** How the rule about the hop limit judges a template. */
function hopLimit(text: string, parameters?: ParameterValues, stack?: string): string[] {
  const template = { file: 'nodes.yaml', text, ...(stack === undefined ? {} : { stack }) };
  const { findings } = checkTemplates([template], { ...(parameters === undefined ? {} : { parameters }) });
  return findings.filter(({ rule }) => rule === 'imds-hop-limit').map(({ verdict }) => verdict);
}

describe('given CloudFormation parameters', () => {
  const open = nodeGroupTemplate(['HttpPutResponseHopLimit: !Ref Hops', 'HttpTokens: required'], {
    parameters: ['Hops: { Type: Number }'],
  });
  const standard = nodeGroupTemplate(['HttpPutResponseHopLimit: !Ref Hops', 'HttpTokens: required'], {
    parameters: ['Hops: { Type: Number, Default: 1 }'],
  });

  it('decide what is unknown without them', () => {
    expect(hopLimit(open)).toEqual(['unverifiable']);
    expect(hopLimit(open, { cloudformation: { Hops: 1 } })).toEqual(['fail']);
    expect(hopLimit(open, { cloudformation: { Hops: '2' } })).toEqual([]);
    expect(hopLimit(open, { cloudformation: { hops: 2 } })).toEqual(['unverifiable']);
    expect(
      hopLimit(open, { cloudformation: JSON.parse('{ "__proto__": { "Hops": 2 } }') as Record<string, string> }),
    ).toEqual(['unverifiable']);
  });

  it('win over defaults, and those of a stack over those of all', () => {
    expect(hopLimit(standard)).toEqual(['fail']);
    expect(hopLimit(standard, { cloudformation: { Hops: 2 } })).toEqual([]);
    expect(hopLimit(standard, { cloudformation: { Hops: 1 }, stacks: { prod: { Hops: 2 } } }, 'prod')).toEqual([]);
    expect(hopLimit(standard, { cloudformation: { Hops: 1 }, stacks: { prod: { Hops: 2 } } }, 'test')).toEqual([
      'fail',
    ]);
  });

  it('decide conditions', () => {
    const conditional = nodeGroupTemplate(['HttpPutResponseHopLimit: !If [IsTight, 1, 2]', 'HttpTokens: required'], {
      parameters: ['Mode: { Type: String }'],
    }).replace('Resources:', 'Conditions: { IsTight: !Equals [!Ref Mode, tight] }\nResources:');
    expect(hopLimit(conditional)).toEqual(['fail']);
    expect(hopLimit(conditional, { cloudformation: { Mode: 'tight' } })).toEqual(['fail']);
    expect(hopLimit(conditional, { cloudformation: { Mode: 'loose' } })).toEqual([]);
  });
});

describe('given Terraform variables', () => {
  const main = [
    'variable "hops" { type = number }',
    'resource "aws_launch_template" "this" {',
    '  metadata_options {',
    '    http_tokens                 = "required"',
    '    http_put_response_hop_limit = var.hops',
    '  }',
    '}',
    'resource "aws_eks_node_group" "this" {',
    '  cluster_name  = "main"',
    '  node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
    '  subnet_ids    = ["subnet-1"]',
    '  ami_type      = "AL2023_x86_64_STANDARD"',
    '  launch_template {',
    '    id      = aws_launch_template.this.id',
    '    version = aws_launch_template.this.latest_version',
    '  }',
    '}',
    '',
  ].join('\n');
  const folder = workspace({ 'main.tf': main });
  const judged = (parameters?: ParameterValues) =>
    checkPaths([folder], { ...(parameters === undefined ? {} : { parameters }) }).findings.filter(
      ({ rule }) => rule === 'imds-hop-limit',
    );

  it('decide what is unknown without them, before .tfvars files', () => {
    expect(judged()).toMatchObject([{ verdict: 'unverifiable' }]);
    expect(judged({ terraform: { hops: 1 } })).toMatchObject([
      { verdict: 'fail', resource: { id: 'aws_launch_template.this' } },
    ]);
    expect(judged({ terraform: { hops: 1 } })[0]?.source.locate()).toMatchObject({ file: join(folder, 'main.tf') });
    expect(judged({ terraform: { hops: '2' } })).toEqual([]);
    expect(judged({ terraform: { other: 2 } })).toMatchObject([{ verdict: 'unverifiable' }]);
    writeFileSync(join(folder, 'terraform.tfvars'), 'hops = 1\n');
    expect(judged({ terraform: { hops: 2 } })).toEqual([]);
  });
});

describe('values that can not be meant so', () => {
  const folder = workspace({ 'main.tf': 'variable "hop_limit" {}\n', 'other/main.tf': 'variable "hop_limits" {}\n' });
  const two = (stack: string, ...names: string[]) => ({
    file: `${stack}.yaml`,
    stack,
    content: {
      Parameters: Object.fromEntries(
        names.map((name) => [name, { Type: name.startsWith('Hop') ? 'Number' : 'String' }]),
      ),
      Resources: { Main: { Type: 'AWS::EKS::Cluster', Properties: {} } },
    },
  });
  const told = (parameters: ParameterValues, ...templates: ReturnType<typeof two>[]) =>
    checkTemplates(templates, { parameters }).diagnostics.map(({ severity, message }) => `${severity}: ${message}`);

  it.each<[string, ParameterValues, string]>([
    [
      'two letters that changed places',
      { cloudformation: { HopLmiit: 1 } },
      'the configuration gives a value to parameter "HopLmiit", which no template declares; did you mean "HopLimit"?',
    ],
    [
      'a missing letter',
      { cloudformation: { HopLimt: 1 } },
      'the configuration gives a value to parameter "HopLimt", which no template declares; did you mean "HopLimit"?',
    ],
    [
      'another case',
      { cloudformation: { hoplimit: 1 } },
      'the configuration gives a value to parameter "hoplimit", which no template declares; did you mean "HopLimit"?',
    ],
    [
      'a parameter that the stack does not have',
      { stacks: { prod: { Hops: 1 } } },
      'the configuration gives a value to parameter "Hops" of stack "prod", which doesn\'t declare it',
    ],
    [
      'a file for a stack',
      { stacks: { 'prod.yaml': { HopLimit: 1 } } },
      'the configuration gives values to parameters of stack "prod.yaml"; this stack is called "prod"',
    ],
    [
      'a stack in another case',
      { stacks: { Prod: { HopLimit: 1 } } },
      'the configuration gives values to parameters of stack "Prod"; this stack is called "prod"',
    ],
    [
      'a list',
      { cloudformation: { HopLimit: [1, 2] } },
      'the configuration gives parameter "HopLimit" a list, and it is of type Number',
    ],
    [
      'a text for a number',
      { stacks: { prod: { HopLimit: 'two' } } },
      'the configuration gives parameter "HopLimit" the value "two", and it is of type Number',
    ],
  ])('%s', (_, parameters, message) => {
    expect(told(parameters, two('prod', 'HopLimit', 'SubnetB'), two('test', 'Name'))).toEqual([`warning: ${message}`]);
  });

  it.each<[string, ParameterValues]>([
    [
      'names of stacks that are not checked',
      {
        cloudformation: { Other: 1, SubnetA: 'a', HopLimits: 2, HopLimit2: 2 },
        stacks: { live: { HopLimit: 1 }, prod2: { HopLimit: 1 } },
      },
    ],
    ['names that another stack has', { cloudformation: { Name: 'a', HopLimit: '2' } }],
    ['one of two names that are near', { cloudformation: { HopLimit: 1, Hoplimit: 1 } }],
    ['what each stack has', { stacks: { prod: { HopLimit: 1 }, test: { Name: 'a' } } }],
  ])('nothing is told of %s', (_, parameters) => {
    expect(told(parameters, two('prod', 'HopLimit', 'SubnetB'), two('test', 'Name'))).toEqual([]);
  });

  it('variables of Terraform', () => {
    const warnings = (paths: string[], terraform: Record<string, unknown>) =>
      checkPaths(paths, { parameters: { terraform } }).diagnostics.map(({ message, line }) => [line, message]);
    expect(warnings([folder], { hop_limti: 1 })).toEqual([
      [1, 'the configuration gives a value to variable "hop_limti", which nothing declares; did you mean "hop_limit"?'],
    ]);
    expect(warnings([folder], { hop_limits: 1, region: 'eu-central-1' })).toEqual([]);
  });
});
