import type { Repair } from '../../lib/engine';
import { resourceName } from '../../lib/fixes/address';
import { templateText } from './template-text';
import { HclFile, JsonConfigurationFile } from '../../lib/fixes/terraform';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';

const TOKENS: Repair = { kind: 'set', field: 'metadata.httpTokens', to: 'required' };
const TOKENS_IF_ABSENT: Repair = { ...TOKENS, unlessSet: true };
const HOP: Repair = { kind: 'set', field: 'metadata.hopLimit', to: 2 };
const PROFILE: Repair = { kind: 'remove', field: 'instanceProfile' };
const BEHAVIOR: Repair = { kind: 'remove', field: 'shutdownBehavior' };
const SUBNET: Repair = { kind: 'remove', field: 'networkInterfaces.subnet' };

const ELSEWHERE = 'refused: it stands elsewhere than in the resource itself';
const NOT_CLEAR = 'refused: it is written in a way that a machine had better leave alone';
const NOTHING_ELSE = 'refused: nothing else stands beside it';
const BESIDE = 'refused: a comment stands beside it';
const NO_MAP = 'refused: what it would stand in is no map';

function made(text: string, plan: EditPlan | undefined): string {
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : applyEdits(text, plan.edits);
}

describe('a launch template of CloudFormation', () => {
  const type = 'AWS::EC2::LaunchTemplate';
  const head = `Parameters: { Given: { Type: String } }\nConditions: { C: !Equals [!Ref Given, a] }\nResources:\n  R:\n    Type: ${type}\n    Properties:\n      LaunchTemplateData:`;
  const tail = '\n  S: { Type: AWS::SNS::Topic }\n';

  /** What is behind `LaunchTemplateData:` after a repair, or why there is none. */
  function repaired(data: string, repair: Repair, item?: number): string {
    const text = head + data + tail;
    const after = made(text, templateText(text, 'a.yaml')?.repair(type, 'R', repair, item));
    return after.startsWith(head) && after.endsWith(tail)
      ? after.slice(head.length, after.length - tail.length)
      : after;
  }
  const data = (lines: readonly string[]) => lines.map((line) => (line === '' ? '\n' : `\n        ${line}`)).join('');
  const inLines = (lines: readonly string[], repair: Repair, item?: number) => repaired(data(lines), repair, item);
  const expected = (after: readonly string[] | string) => (typeof after === 'string' ? after : data(after));

  it.each([
    ['!Ref Profile', 'goes'],
    ['{ Name: !Ref Profile }', 'goes'],
    ['{ Arn: !GetAtt Profile.Arn }', 'goes'],
    ['{ Name: !ImportValue profile }', 'goes'],
    ['{ Name: !Sub "${AWS::StackName}" }', 'goes'],
    ['{ Name: !ImportValue Given }', 'goes'],
    ['!Ref Given', 'refused: it is decided by parameter Given'],
    ['{ Name: !Ref Given }', 'refused: it is decided by parameter Given'],
    ['{ Name: [a, !Ref Given] }', 'refused: it is decided by parameter Given'],
    ['{ Name: !If [C, a, b] }', 'refused: it is decided by a condition (`Fn::If`)'],
    ['{ Name: !Join ["", [a]] }', 'refused: it is decided by `Fn::Join`'],
    ['{ Name: !FindInMap [a, b, c] }', 'refused: it is decided by `Fn::FindInMap`'],
  ])('whose profile is %s', (profile, outcome) => {
    expect(inLines(['KeyName: a', `IamInstanceProfile: ${profile}`], PROFILE)).toBe(
      outcome === 'goes' ? data(['KeyName: a']) : outcome,
    );
  });

  it.each([
    ['!Ref Default', 'refused: it is decided by `Ref`'],
    ['!GetAtt A.B', 'refused: it is decided by `Fn::GetAtt`'],
    ['!Sub required', 'refused: it is decided by `Fn::Sub`'],
    ['!ImportValue a', 'refused: it is decided by `Fn::ImportValue`'],
    ['[optional]', 'refused: a map or list stands where a plain value is expected'],
  ])('that has %s where a value shall be set', (value, outcome) => {
    expect(inLines(['MetadataOptions:', `  HttpTokens: ${value}`], TOKENS)).toBe(outcome);
  });

  it.each<[string, string, string]>([
    ['the last', ' { KeyName: a, IamInstanceProfile: { Name: x } }', ' { KeyName: a }'],
    ['the first', ' { IamInstanceProfile: { Name: x }, KeyName: a }', ' { KeyName: a }'],
    ['one before a comma', ' { KeyName: a, IamInstanceProfile: { Name: x }, }', ' { KeyName: a, }'],
    [
      'one between texts with #',
      ' { KeyName: "# no", IamInstanceProfile: { Name: x }, ImageId: "a#b" }',
      ' { KeyName: "# no", ImageId: "a#b" }',
    ],
    [
      'a line',
      ' {\n          KeyName: a,\n          IamInstanceProfile: { Name: x }\n        }',
      ' {\n          KeyName: a\n        }',
    ],
    ['the only one', ' { IamInstanceProfile: { Name: x } }', NOTHING_ELSE],
    ['one behind a comment', ' { KeyName: a, # c\n          IamInstanceProfile: { Name: x } }', BESIDE],
  ])('gives %s of its braces away', (_, before, after) => {
    expect(repaired(before, PROFILE)).toBe(after);
  });

  it.each<[string, string[], string[] | string]>([
    ['the first lines', ['IamInstanceProfile:', '  Name: x', 'KeyName: a'], ['KeyName: a']],
    ['the last lines', ['KeyName: a', 'IamInstanceProfile:', '  Name: x'], ['KeyName: a']],
    ['a line with a comment', ['KeyName: a', 'IamInstanceProfile: { Name: x } # gone'], ['KeyName: a']],
    ['a key without a value', ['KeyName: a', 'IamInstanceProfile:'], ['KeyName: a']],
    [
      'a text, and not the empty line behind it',
      ['KeyName: a', 'IamInstanceProfile:', '  Name: |', '    x', '', 'UserData: u'],
      ['KeyName: a', '', 'UserData: u'],
    ],
    [
      'a text that keeps the empty line',
      ['KeyName: a', 'IamInstanceProfile:', '  Name: |+', '    x', '', 'UserData: u'],
      NOT_CLEAR,
    ],
    [
      'nothing of a comment that is deeper',
      ['KeyName: a', '  # deeper', 'IamInstanceProfile: { Name: x }'],
      ['KeyName: a', '  # deeper'],
    ],
  ])('gives away %s', (_, before, after) => {
    expect(inLines(before, PROFILE)).toBe(expected(after));
  });

  it.each<[string, string[], string[] | string]>([
    [
      'behind a dash',
      ['NetworkInterfaces:', '  - SubnetId: s # c', '    DeviceIndex: 0'],
      ['NetworkInterfaces:', '  - DeviceIndex: 0'],
    ],
    [
      'behind a dash and before an empty line',
      ['NetworkInterfaces:', '  - SubnetId: s', '', '    DeviceIndex: 0'],
      ['NetworkInterfaces:', '  - DeviceIndex: 0'],
    ],
    [
      'behind a dash and before a comment',
      ['NetworkInterfaces:', '  - SubnetId: s', '    # c', '    DeviceIndex: 0'],
      NOT_CLEAR,
    ],
    [
      'below a dash',
      ['NetworkInterfaces:', '  -', '    SubnetId: s', '    DeviceIndex: 0'],
      ['NetworkInterfaces:', '  -', '    DeviceIndex: 0'],
    ],
    [
      'in brackets',
      ['NetworkInterfaces: [{ SubnetId: s, DeviceIndex: 0 }]'],
      ['NetworkInterfaces: [{ DeviceIndex: 0 }]'],
    ],
    ['alone', ['NetworkInterfaces:', '  - SubnetId: s'], NOTHING_ELSE],
    ['in no list', ['NetworkInterfaces: { SubnetId: s, DeviceIndex: 0 }'], ELSEWHERE],
    ['nowhere', ['NetworkInterfaces:', '  - {}'], ELSEWHERE],
  ])('gives a subnet away that stands %s', (_, before, after) => {
    expect(inLines(before, SUBNET, 0)).toBe(expected(after));
  });
  it('gives no subnet away where it is not told of which interface', () => {
    expect(inLines(['NetworkInterfaces: [{ SubnetId: s, DeviceIndex: 0 }]'], SUBNET)).toBe(ELSEWHERE);
  });

  it.each<[string, string[], string[] | string]>([
    [
      'braces',
      ['MetadataOptions: { HttpEndpoint: enabled }'],
      ['MetadataOptions: { HttpEndpoint: enabled, HttpTokens: required }'],
    ],
    [
      'braces of texts in quotes',
      ['MetadataOptions: {"HttpEndpoint":"enabled","A":"b"}'],
      ['MetadataOptions: {"HttpEndpoint":"enabled","A":"b","HttpTokens":"required"}'],
    ],
    [
      'braces without blanks behind commas',
      ['MetadataOptions: {A: b,HttpEndpoint: enabled}'],
      ['MetadataOptions: {A: b,HttpEndpoint: enabled,HttpTokens: required}'],
    ],
    [
      'braces with a comma at the end',
      ['MetadataOptions: { HttpEndpoint: enabled, }'],
      ['MetadataOptions: { HttpEndpoint: enabled, HttpTokens: required, }'],
    ],
    [
      'braces in lines',
      ['MetadataOptions: {', '  A: b, # c', '  HttpEndpoint: enabled, # d', '}'],
      ['MetadataOptions: {', '  A: b, # c', '  HttpEndpoint: enabled, # d', '  HttpTokens: required', '}'],
    ],
    [
      'braces that end in a line of theirs',
      ['MetadataOptions: {', '  HttpEndpoint: enabled }'],
      ['MetadataOptions: {', '  HttpEndpoint: enabled,', '  HttpTokens: required }'],
    ],
    [
      'braces that begin with a member',
      ['MetadataOptions: { A: b,', '  HttpEndpoint: enabled', '}'],
      ['MetadataOptions: { A: b,', '  HttpEndpoint: enabled, HttpTokens: required', '}'],
    ],
    [
      'braces whose last value is left out',
      ['MetadataOptions: { HttpEndpoint: }'],
      ['MetadataOptions: { HttpEndpoint: , HttpTokens: required}'],
    ],
    ['empty braces', ['MetadataOptions: {}'], ['MetadataOptions: { HttpTokens: required }']],
    [
      'a key with nothing but a comment',
      ['MetadataOptions: # c', 'KeyName: a'],
      ['MetadataOptions: # c', '  HttpTokens: required', 'KeyName: a'],
    ],
    [
      'lines of which the last has no value',
      ['MetadataOptions:', '  HttpEndpoint:', 'KeyName: a'],
      ['MetadataOptions:', '  HttpEndpoint:', '  HttpTokens: required', 'KeyName: a'],
    ],
    ['a text', ['MetadataOptions: x'], NO_MAP],
    ['a list', ['MetadataOptions: []'], 'refused: a list stands where a map is expected'],
    ['a question mark', ['MetadataOptions: { ? HttpTokens }'], NOT_CLEAR],
  ])('gets a setting in %s', (_, before, after) => {
    expect(inLines(before, TOKENS)).toBe(expected(after));
  });
  it.each([
    ['MetadataOptions: { HttpTokens: optional }'],
    ['MetadataOptions: { HttpTokens: }'],
    ['MetadataOptions:\n          HttpTokens: optional'],
  ])('keeps %s where only what is absent shall be set', (line) => {
    expect(inLines([line], TOKENS_IF_ABSENT)).toBe(data([line]));
    expect(inLines([line], TOKENS)).toContain('required');
  });

  it('gets all that leads to a setting', () => {
    const of = (text: string) => made(text, templateText(text, 'a.yaml')?.repair(type, 'R', TOKENS, undefined));
    expect(of(`Resources: { R: { Type: ${type} } }\n`)).toBe(
      `Resources: { R: { Type: ${type}, Properties: { LaunchTemplateData: { MetadataOptions: { HttpTokens: required } } } } }\n`,
    );
    expect(of(`{"Resources":{"R":{"Type":"${type}"}}}`)).toBe(
      `{"Resources":{"R":{"Type":"${type}","Properties":{"LaunchTemplateData":{"MetadataOptions":{"HttpTokens":"required"}}}}}}`,
    );
    expect(of(`{"Resources": {"R": {"Type": "${type}", "Properties": {}}}}`)).toBe(
      `{"Resources": {"R": {"Type": "${type}", "Properties": { "LaunchTemplateData": { "MetadataOptions": { "HttpTokens": "required" } } }}}}`,
    );
    const lines = (more: object) => JSON.stringify({ Resources: { R: { Type: type, ...more } } }, undefined, 2);
    expect(of(lines({}))).toBe(
      lines({ Properties: { LaunchTemplateData: { MetadataOptions: { HttpTokens: 'required' } } } }),
    );
    expect(of(`Resources: { R: }\n`)).toBe(NOT_CLEAR);
    expect(of(`Resources:\n  Fn::ForEach::X: [A, [b], { R: { Type: ${type} } }]\n`)).toBe(
      "refused: R isn't written as a resource of its own",
    );
  });

  it('is not edited through an alias', () => {
    const text = (first: string, second: string) =>
      `Resources:\n  ${first}: &r\n    Type: ${type}\n    Properties: { LaunchTemplateData: {} }\n  ${second}: *r\n`;
    const of = (written: string) =>
      made(written, templateText(written, 'a.yaml')?.repair(type, 'R', TOKENS, undefined));
    expect(of(text('R', 'S'))).toBe('refused: it is used in several places (`&r`)');
    expect(of(text('S', 'R'))).toBe('refused: it is an alias (`*r`)');
    expect(of('Resources: {}\n---\nResources: {}\n')).toBe('unreadable');
  });

  it('has none of the settings of add-ons', () => {
    expect(inLines(['KeyName: a'], { kind: 'set', field: 'preserveOnDelete', to: true })).toBe(
      `refused: there is no machine edit for ${type}`,
    );
  });
});

it('a conflict mode of CloudFormation becomes PRESERVE, in the quotes that it has', () => {
  const of = (mode: string) => {
    const text = `Resources:\n  R:\n    Type: AWS::EKS::Addon\n    Properties:\n      ResolveConflicts: ${mode}\n`;
    return made(
      text,
      templateText(text, 'a.yaml')?.repair(
        'AWS::EKS::Addon',
        'R',
        { kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' },
        undefined,
      ),
    )
      .split('\n')
      .at(-2);
  };
  expect(of('NONE')).toBe('      ResolveConflicts: PRESERVE');
  expect(of('""')).toBe('      ResolveConflicts: "PRESERVE"');
  expect(of('OVERWRITE')).toBe('      ResolveConflicts: PRESERVE');
  expect(of('"OVERWRITE"')).toBe('      ResolveConflicts: "PRESERVE"');
  // A value that CloudFormation doesn't have.
  expect(of('overwrite')).toBeUndefined();
});

describe('a launch template of Terraform in HCL', () => {
  const type = 'aws_launch_template';
  const repairedText = (text: string, repair: Repair, item?: number) =>
    made(text, HclFile.read(text)?.repair(type, `${type}.r`, repair, item));
  const block = (lines: readonly string[]) =>
    [`resource "${type}" "r" {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}', ''].join('\n');
  const inBlock = (lines: readonly string[], repair: Repair, item?: number) => repairedText(block(lines), repair, item);

  it.each([
    ['{}', '{\n  metadata_options {\n    http_tokens = "required"\n  }\n}'],
    ['{\n}', '{\n  metadata_options {\n    http_tokens = "required"\n  }\n}'],
    ['{ name = "a" }', '{\n  name = "a"\n\n  metadata_options {\n    http_tokens = "required"\n  }\n}'],
    ['{\n  name = "a"\n}', '{\n  name = "a"\n\n  metadata_options {\n    http_tokens = "required"\n  }\n}'],
    ['{\n  metadata_options {}\n}', '{\n  metadata_options {\n    http_tokens = "required"\n  }\n}'],
    [
      '{\n  metadata_options {\n    http_tokens = "optional"\n  }\n}',
      '{\n  metadata_options {\n    http_tokens = "required"\n  }\n}',
    ],
  ])('gets a nested block, or a setting in it: %j', (before, after) => {
    expect(repairedText(`resource "${type}" "r" ${before}\n`, TOKENS)).toBe(`resource "${type}" "r" ${after}\n`);
  });
  it('gets numbers', () => {
    expect(inBlock(['metadata_options {', '  http_tokens = "required"', '}'], HOP)).toBe(
      block([
        'metadata_options {',
        '  http_tokens                 = "required"',
        '  http_put_response_hop_limit = 2',
        '}',
      ]),
    );
  });
  it.each(['"optional"', 'var.tokens'])('keeps %s where only what is absent shall be set', (value) => {
    const lines = ['metadata_options {', `  http_tokens = ${value}`, '}'];
    expect(inBlock(lines, TOKENS_IF_ABSENT)).toBe(block(lines));
    expect(inBlock(lines, { ...HOP, unlessSet: true })).toContain('http_put_response_hop_limit = 2');
    expect(inBlock(['name = "a"'], TOKENS_IF_ABSENT)).toContain('http_tokens = "required"');
  });
  it('is left alone where the blocks are made, or written as a value', () => {
    expect(inBlock(['dynamic "metadata_options" {', '  for_each = []', '  content {}', '}'], TOKENS)).toBe(
      'refused: it is made by a dynamic block (`dynamic "metadata_options"`)',
    );
    expect(inBlock(['dynamic "tag_specifications" {', '  for_each = []', '  content {}', '}'], TOKENS)).toContain(
      'http_tokens = "required"',
    );
    expect(inBlock(['metadata_options = {}'], TOKENS)).toBe(
      'refused: `metadata_options` is written as an argument, not as a block',
    );
  });

  const interfaces = (first: string, second: string) => [
    'network_interfaces {',
    `  ${first}device_index = 0`,
    '}',
    'network_interfaces {',
    `  ${second}device_index = 1`,
    '}',
  ];
  const subnet = 'subnet_id    = "s"\n    ';
  it.each<[number | undefined, string[] | string]>([
    [0, interfaces('', subnet)],
    [1, interfaces(subnet, '')],
    [2, ELSEWHERE],
    [undefined, 'refused: there are several `network_interfaces` blocks'],
  ])('gives the subnet of interface %s away', (item, after) => {
    expect(inBlock(interfaces(subnet, subnet), SUBNET, item)).toBe(typeof after === 'string' ? after : block(after));
  });
  it('gives away nothing that stands elsewhere', () => {
    expect(inBlock(['name = "a"'], SUBNET, 0)).toBe(ELSEWHERE);
    expect(inBlock(['name = "a"'], PROFILE)).toBe(ELSEWHERE);
    expect(inBlock(['name = "a"', 'network_interfaces {', '  device_index = 0', '}'], SUBNET, 0)).toBe(ELSEWHERE);
  });

  it.each([
    ['"a"', 'goes'],
    ['true', 'goes'],
    ['["a"]', 'goes'],
    ['aws_x.y.z', 'goes'],
    ['aws_x.y[0].z', 'goes'],
    ['data.x.y.z', 'goes'],
    ['["a", var.b]', 'refused: it is decided by `var.b`'],
    ['var.x.y', 'refused: it is decided by `var.x.y`'],
    ['local.a[0]', 'refused: it is decided by `local.a[0]`'],
    ['"a${aws_x.y}"', 'refused: it is decided by `"a${aws_x.y}"`'],
    ['f("a",   "b")', 'refused: it is decided by `f("a", "b")`'],
    ['-1', 'refused: it is decided by `-1`'],
    [`f("${'a'.repeat(56)}")`, `refused: it is decided by \`f("${'a'.repeat(56)}…\``],
    [`f("${'a'.repeat(55)}")`, `refused: it is decided by \`f("${'a'.repeat(55)}")\``],
  ])('whose argument is %s', (value, outcome) => {
    expect(inBlock(['name = "n"', `instance_initiated_shutdown_behavior = ${value}`], BEHAVIOR)).toBe(
      outcome === 'goes' ? block(['name = "n"']) : outcome,
    );
  });

  it('gets texts in which there is no interpolation', () => {
    expect(inBlock(['name = "a"'], { kind: 'set', field: 'shutdownBehavior', to: 'a${b}%{c}$d' })).toContain(
      '= "a$${b}%%{c}$d"\n',
    );
  });
  it('keeps what is written over several lines', () => {
    expect(
      repairedText(`resource "${type}" "r" {\n  instance_initiated_shutdown_behavior = <<-E\n  stop\n  E\n}\n`, {
        kind: 'set',
        field: 'shutdownBehavior',
        to: 'stop',
      }),
    ).toBe('refused: it is written over several lines');
  });
});

describe('a launch template of Terraform in JSON', () => {
  const type = 'aws_launch_template';
  const text = (resource: object) => JSON.stringify({ resource: { [type]: { r: resource } } });
  const inJson = (resource: object, repair: Repair, item?: number) =>
    made(text(resource), JsonConfigurationFile.read(text(resource))?.repair(type, `${type}.r`, repair, item));

  it.each<[string, object, object | string]>([
    ['is no block', {}, { http_tokens: 'required' }],
    ['is an empty one', { metadata_options: {} }, { http_tokens: 'required' }],
    ['is an empty one in a list', { metadata_options: [{}] }, [{ http_tokens: 'required' }]],
    ['is a value', { metadata_options: { http_tokens: 'optional' } }, { http_tokens: 'required' }],
    [
      'is a value that only looks like an interpolation',
      { metadata_options: { http_tokens: '$${var.x}' } },
      { http_tokens: 'required' },
    ],
    ['is a list of none', { metadata_options: [] }, 'refused: there are several blocks where one is expected'],
    ['are several', { metadata_options: [{}, {}] }, 'refused: there are several blocks where one is expected'],
    ['is an expression', { metadata_options: { http_tokens: '${var.x}' } }, 'refused: it is decided by `${var.x}`'],
    [
      'is an expression of a resource',
      { metadata_options: { http_tokens: '${aws_x.y.z}' } },
      'refused: it is decided by `${aws_x.y.z}`',
    ],
    [
      'is a directive',
      { metadata_options: { http_tokens: '%{if x}a%{endif}' } },
      'refused: it is decided by `%{if x}`',
    ],
    ['is a text for a block', { metadata_options: '${var.x}' }, NO_MAP],
    [
      'is a dynamic block',
      { dynamic: { metadata_options: { for_each: [], content: {} } } },
      'refused: it is made by a dynamic block (`dynamic "metadata_options"`)',
    ],
    [
      'is a dynamic block in a list',
      { dynamic: [{ tag_specifications: {} }, { metadata_options: [{ for_each: [], content: {} }] }] },
      'refused: it is made by a dynamic block (`dynamic "metadata_options"`)',
    ],
    ['is a dynamic block of another name', { dynamic: { tag_specifications: {} } }, { http_tokens: 'required' }],
  ])('where there %s', (_, options, after) => {
    expect(inJson({ name: 'a', ...options }, TOKENS)).toBe(
      typeof after === 'string' ? after : text({ name: 'a', ...options, metadata_options: after }),
    );
  });
  it('keeps what is there where only what is absent shall be set', () => {
    const resource = { metadata_options: { http_tokens: 'optional' } };
    expect(inJson(resource, TOKENS_IF_ABSENT)).toBe(text(resource));
    expect(inJson({ metadata_options: {} }, TOKENS_IF_ABSENT)).toBe(
      text({ metadata_options: { http_tokens: 'required' } }),
    );
  });
  it.each<[object, object | string]>([
    [{ name: 'x' }, 'goes'],
    [[{ name: '${aws_iam_instance_profile.x.name}' }], 'goes'],
    [{ name: '${var.x}' }, 'refused: it is decided by `${var.x}`'],
    [{ name: '${a ? b : c}' }, 'refused: it is decided by `${a ? b : c}`'],
  ])('whose profile is %j', (profile, outcome) => {
    expect(inJson({ name: 'a', iam_instance_profile: profile }, PROFILE)).toBe(
      outcome === 'goes' ? text({ name: 'a' }) : outcome,
    );
  });
  it.each<[number | undefined, object | string]>([
    [0, { network_interfaces: [{ device_index: 0 }, { subnet_id: 'b', device_index: 1 }] }],
    [1, { network_interfaces: [{ subnet_id: 'a', device_index: 0 }, { device_index: 1 }] }],
    [2, ELSEWHERE],
    [undefined, 'refused: there are several blocks where one is expected'],
  ])('gives the subnet of interface %s away', (item, after) => {
    expect(
      inJson(
        {
          network_interfaces: [
            { subnet_id: 'a', device_index: 0 },
            { subnet_id: 'b', device_index: 1 },
          ],
        },
        SUBNET,
        item,
      ),
    ).toBe(typeof after === 'string' ? after : text(after));
  });
  it('gives away nothing that is all of it, or that is not there', () => {
    expect(inJson({ iam_instance_profile: { name: 'x' } }, PROFILE)).toBe(NOTHING_ELSE);
    expect(inJson({ name: 'a' }, PROFILE)).toBe(ELSEWHERE);
  });

  it('has none of the settings of add-ons, which have one for creation and updates', () => {
    const addon = (resource: object, repair: Repair) => {
      const written = JSON.stringify({ resource: { aws_eks_addon: { r: resource } } });
      return made(
        written,
        JsonConfigurationFile.read(written)?.repair('aws_eks_addon', 'aws_eks_addon.r', repair, undefined),
      );
    };
    expect(inJson({}, { kind: 'set', field: 'preserveOnDelete', to: true })).toBe(
      `refused: there is no machine edit for ${type}`,
    );
    const mode: Repair = { kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' };
    expect(addon({ resolve_conflicts: 'OVERWRITE' }, mode)).toBe(
      'refused: `resolve_conflicts` is set, which is for more than updates',
    );
    expect(addon({ a: 1 }, mode)).toBe(
      '{"resource":{"aws_eks_addon":{"r":{"a":1,"resolve_conflicts_on_update":"PRESERVE"}}}}',
    );
    const value: Repair = { kind: 'setData', field: 'configuration', at: 'env.A', to: '"b"' };
    expect(addon({ configuration_values: '{"env":{}}' }, value)).toContain(String.raw`"{\"env\":{\"A\":\"b\"}}"`);
    expect(addon({ configuration_values: '${jsonencode(var.x)}' }, value)).toBe(
      'refused: it is decided by `${jsonencode(var.x)}`',
    );
  });
});

describe('where a resource is declared', () => {
  it('is told by its address', () => {
    const type = 'aws_eks_addon';
    for (const address of [
      'aws_eks_addon.r',
      'aws_eks_addon.r[0]',
      'module.m["a.b"].aws_eks_addon.r',
      'module.m[0].aws_eks_addon.r["x"]',
    ])
      expect(resourceName(address, type)).toBe('r');
    for (const address of ['my_aws_eks_addon.r', 'aws_eks_addon', 'data.aws_eks_addons.r'])
      expect(resourceName(address, type)).toBeUndefined();
  });
  it('is told by its place, in HCL by the line', () => {
    const hcl = HclFile.read('resource "aws_eks_addon" "r" {}\nresource "aws_eks_addon" "s" {}\n');
    const why = (name: string, line: number) =>
      hcl?.whyNotDeclared('aws_eks_addon', `aws_eks_addon.${name}`, { line, column: 1 });
    expect(why('s', 2)).toBeUndefined();
    for (const [name, line] of [
      ['s', 1],
      ['t', 2],
    ] as const)
      expect(why(name, line)).toContain('change its call');
  });
  it('is told by its place, in JSON by line and column', () => {
    const json = JsonConfigurationFile.read('{"resource":{"aws_eks_addon":{\n"r":{},"s":{}}}}');
    const why = (name: string, line: number, column: number) =>
      json?.whyNotDeclared('aws_eks_addon', `aws_eks_addon.${name}`, { line, column });
    expect(why('s', 2, 8)).toBeUndefined();
    for (const [name, line, column] of [
      ['s', 1, 8],
      ['s', 2, 1],
      ['t', 2, 8],
      ['t', 1, 2],
    ] as const)
      expect(why(name, line, column)).toContain('change its call');
  });
});
