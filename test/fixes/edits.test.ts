import fc from 'fast-check';
import { runs } from '../share';
import type { Repair } from '../../lib/engine';
import { templateText } from './template-text';
import { HclFile, JsonConfigurationFile } from '../../lib/fixes/terraform';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';
import { parseDocument } from '../../lib/languages';
import { parseHcl } from '../../lib/languages/hcl/parser';

const PRESERVE: Repair = { kind: 'set', field: 'preserveOnDelete', to: true };
const MODE: Repair = { kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' };
const ENDPOINT: Repair = { kind: 'set', field: 'metadata.httpEndpoint', to: 'enabled' };
const PROFILE: Repair = { kind: 'remove', field: 'instanceProfile' };
const BEHAVIOR: Repair = { kind: 'remove', field: 'shutdownBehavior' };

function made(text: string, plan: EditPlan | undefined): string {
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : applyEdits(text, plan.edits);
}

function inTemplate(text: string, repair: Repair, type = 'AWS::EKS::Addon', item?: number): string {
  return made(text, templateText(text, 'template.yaml')?.repair(type, 'R', repair, item));
}

function inHcl(text: string, repair: Repair, type = 'aws_eks_addon', item?: number): string {
  return made(text, HclFile.read(text)?.repair(type, `${type}.r`, repair, item));
}

function inJson(text: string, repair: Repair, type = 'aws_eks_addon'): string {
  return made(text, JsonConfigurationFile.read(text)?.repair(type, `${type}.r`, repair, undefined));
}

describe('YAML', () => {
  const addon = (...lines: string[]) =>
    ['Resources:', '  R:', '    Type: AWS::EKS::Addon', ...lines, '  S: { Type: AWS::SNS::Topic }', ''].join('\n');
  it.each<[string, string[], string[]]>([
    [
      'behind the last property, with its comment',
      ['    Properties:', '      AddonName: coredns # dns', '    # end'],
      ['    Properties:', '      AddonName: coredns # dns', '      PreserveOnDelete: true', '    # end'],
    ],
    [
      'over a value, with its comment',
      ['    Properties:', '      PreserveOnDelete: false # why not'],
      ['    Properties:', '      PreserveOnDelete: true # why not'],
    ],
    [
      'in braces',
      ['    Properties: { AddonName: coredns }'],
      ['    Properties: { AddonName: coredns, PreserveOnDelete: true }'],
    ],
    ['in empty braces', ['    Properties: {}'], ['    Properties: { PreserveOnDelete: true }']],
    [
      'in braces over several lines',
      ['    Properties: {', '      AddonName: coredns # dns', '    }'],
      ['    Properties: {', '      AddonName: coredns, # dns', '      PreserveOnDelete: true', '    }'],
    ],
    ['without properties', ['    Properties:'], ['    Properties:', '      PreserveOnDelete: true']],
    ['without even the key', [], ['    Properties:', '      PreserveOnDelete: true']],
    [
      'behind a block scalar',
      ['    Properties:', '      ConfigurationValues: |', '        {}', ''],
      ['    Properties:', '      ConfigurationValues: |', '        {}', '      PreserveOnDelete: true', ''],
    ],
    [
      'before a block scalar that keeps what follows',
      ['    Properties:', '      ConfigurationValues: |+', '        {}', ''],
      ['    Properties:', '      PreserveOnDelete: true', '      ConfigurationValues: |+', '        {}', ''],
    ],
    [
      'behind a list',
      ['    Properties:', '      Tags:', '      - Key: a', '        Value: b'],
      ['    Properties:', '      Tags:', '      - Key: a', '        Value: b', '      PreserveOnDelete: true'],
    ],
  ])('sets %s', (_, before, after) => {
    expect(inTemplate(addon(...before), PRESERVE)).toBe(addon(...after));
  });

  it('sets a value that is left out, before its comment', () => {
    const text = (line: string) => addon('    Properties:', `      ${line}`, '      AddonName: coredns');
    expect(inTemplate(text('PreserveOnDelete: # TODO'), PRESERVE)).toBe(text('PreserveOnDelete: true # TODO'));
    expect(inTemplate(text('PreserveOnDelete:   '), PRESERVE)).toBe(text('PreserveOnDelete: true'));
    expect(inTemplate(addon('    Properties: {AddonName: a, PreserveOnDelete: }'), PRESERVE)).toBe(
      addon('    Properties: {AddonName: a, PreserveOnDelete: true }'),
    );
    expect(inTemplate(addon('    Properties: {PreserveOnDelete}'), PRESERVE)).toMatch(/^refused/);
    expect(inTemplate(text('PreserveOnDelete: !!null # x'), PRESERVE)).toMatch(/^refused/);
  });

  it('writes keys in quotes where the others are', () => {
    const quoted = (...more: string[]) =>
      addon('    Properties: {', ['"ClusterName": "a"', ...more].map((line) => `      ${line}`).join(',\n'), '    }');
    expect(inTemplate(quoted(), PRESERVE)).toBe(quoted('"PreserveOnDelete": true'));
    expect(inTemplate(quoted(), MODE)).toBe(quoted('"ResolveConflicts": "PRESERVE"'));
  });

  it('keeps the quotes of a text', () => {
    const type = 'AWS::EKS::Nodegroup';
    const text = (value: string) => `Resources:\n  R:\n    Type: ${type}\n    Properties:\n      AmiType: ${value}\n`;
    const repair: Repair = { kind: 'set', field: 'amiType', to: 'CUSTOM' };
    for (const quote of ['', "'", '"'])
      expect(inTemplate(text(`${quote}custom${quote}`), repair, type)).toBe(text(`${quote}CUSTOM${quote}`));
  });

  it.each<[string, string[], string]>([
    ['a parameter', ['    Properties:', '      PreserveOnDelete: !Ref Keep'], 'it is decided by parameter Keep'],
    [
      'a condition',
      ['    Properties:', '      PreserveOnDelete: !If [Prod, true, false]'],
      'it is decided by a condition (`Fn::If`)',
    ],
    [
      'a condition around it',
      ['    Properties:', '      Fn::If: [Prod, { AddonName: a }, { AddonName: b }]'],
      'it is decided by a condition (`Fn::If`)',
    ],
    ['a merge key', ['    Properties:', '      <<: &x { AddonName: a }'], 'a merge key ("<<") may set it'],
    [
      'an anchor that is used',
      ['    Properties: &p', '      AddonName: a', '  T:', '    Type: AWS::EKS::Addon', '    Properties: *p'],
      'it is used in several places (`&p`)',
    ],
    [
      'keys behind question marks',
      ['    Properties:', '      ? AddonName', '      : a'],
      'it is written in a way that a machine had better leave alone',
    ],
    [
      'a text in several lines',
      ['    Properties:', '      PreserveOnDelete: >', '        false'],
      'it is written in a way that a machine had better leave alone',
    ],
  ])('refuses %s', (_, lines, reason) => {
    const parameters = 'Parameters: { Keep: { Type: String } }\nConditions: { Prod: !Equals [a, b] }\n';
    expect(inTemplate(parameters + addon(...lines), PRESERVE)).toBe(`refused: ${reason}`);
  });

  it('removes lines, and what is left of an item of a list', () => {
    const template = (...lines: string[]) =>
      [
        'Resources:',
        '  R:',
        '    Type: AWS::EC2::LaunchTemplate',
        '    Properties:',
        '      LaunchTemplateData:',
        '        # keep',
        '        KeyName: a',
        ...lines.map((line) => `        ${line}`),
        '',
      ].join('\n');
    const type = 'AWS::EC2::LaunchTemplate';
    expect(
      inTemplate(template('IamInstanceProfile: # gone', '  Name: x', 'ImageId: ami-1 # stays'), PROFILE, type),
    ).toBe(template('ImageId: ami-1 # stays'));
    const subnet: Repair = { kind: 'remove', field: 'networkInterfaces.subnet' };
    expect(
      inTemplate(
        template('NetworkInterfaces:', '- SubnetId: s', '  DeviceIndex: 0', '- DeviceIndex: 1'),
        subnet,
        type,
        0,
      ),
    ).toBe(template('NetworkInterfaces:', '- DeviceIndex: 0', '- DeviceIndex: 1'));
    expect(inTemplate(template('IamInstanceProfile: { Name: x }').replace(/ +KeyName.*\n/, ''), PROFILE, type)).toBe(
      'refused: nothing else stands beside it',
    );
  });

  it('removes no anchor that is used', () => {
    const type = 'AWS::EC2::LaunchTemplate';
    const text = [
      'Resources:',
      '  R:',
      `    Type: ${type}`,
      '    Properties:',
      '      LaunchTemplateData:',
      '        KeyName: a',
      '        IamInstanceProfile:',
      '          Name: &p x',
      '  S: *p',
      '',
    ].join('\n');
    expect(inTemplate(text, PROFILE, type)).toBe('refused: it is used in several places (`&p`)');
  });

  it.each<[string, string[], string[]]>([
    [
      'goes with it before another comment',
      ['# odd', 'IamInstanceProfile: { Name: x }', '# even', 'ImageId: ami-1'],
      ['# even', 'ImageId: ami-1'],
    ],
    [
      'goes with it before an empty line',
      ['# odd', '# and long', 'IamInstanceProfile: { Name: x }', '', 'ImageId: ami-1'],
      ['', 'ImageId: ami-1'],
    ],
    ['goes with it at the end', ['ImageId: ami-1', '# odd', 'IamInstanceProfile: { Name: x }'], ['ImageId: ami-1']],
    [
      'stays above an empty line',
      ['ImageId: ami-1', '# all of it', '', 'IamInstanceProfile: { Name: x }'],
      ['ImageId: ami-1', '# all of it', ''],
    ],
    [
      'may be about more',
      ['ImageId: ami-1', '# both', 'IamInstanceProfile: { Name: x }', 'KeyName: a'],
      ['refused: the comment above it may be about what follows, too'],
    ],
    [
      'may be for a tool',
      ['ImageId: ami-1', '# checkov:skip=CKV_AWS_1:x', 'IamInstanceProfile: { Name: x }'],
      ['refused: a comment above it tells a tool what to ignore'],
    ],
  ])('a comment above what goes %s', (_, before, after) => {
    const type = 'AWS::EC2::LaunchTemplate';
    const template = (lines: string[]) =>
      [
        'Resources:',
        '  R:',
        `    Type: ${type}`,
        '    Properties:',
        '      LaunchTemplateData:',
        ...lines.map((line) => (line === '' ? '' : `        ${line}`)),
        '  S: { Type: AWS::SNS::Topic }',
        '',
      ].join('\n');
    expect(inTemplate(template(before), PROFILE, type)).toBe(
      after[0]?.startsWith('refused') === true ? after[0] : template(after),
    );
  });

  it.each([
    ['is broken', 'Resources:\n  R: [\n'],
    ['holds two documents', 'Resources:\n  R:\n    Type: AWS::EKS::Addon\n---\nResources: {}\n'],
  ])('leaves alone what %s', (_, text) => {
    expect(inTemplate(text, PRESERVE)).toBe('unreadable');
  });

  it('keeps Windows line breaks', () => {
    const text = addon('    Properties:', '      AddonName: coredns').replaceAll('\n', '\r\n');
    expect(inTemplate(text, PRESERVE)).toBe(
      addon('    Properties:', '      AddonName: coredns', '      PreserveOnDelete: true').replaceAll('\n', '\r\n'),
    );
  });

  it.each([
    ['- DeviceIndex: 0', '  SubnetId: subnet-1'],
    ['-   DeviceIndex: 0', '    SubnetId: subnet-1'],
    ['- DeviceIndex: 0\n          Groups: [sg-1]', '  SubnetId: subnet-1'],
  ])('sets in an item of a list, below its keys: %j', (item, line) => {
    const text = (...lines: string[]) =>
      `Resources:\n  R:\n    Type: AWS::EC2::LaunchTemplate\n    Properties:\n      LaunchTemplateData:\n        NetworkInterfaces:\n${lines.map((one) => `        ${one}\n`).join('')}`;
    const subnet: Repair = { kind: 'set', field: 'networkInterfaces.subnet', to: 'subnet-1' };
    expect(inTemplate(text(item, '- DeviceIndex: 1'), subnet, 'AWS::EC2::LaunchTemplate', 0)).toBe(
      text(item, line, '- DeviceIndex: 1'),
    );
  });

  it('makes the maps that lead to a setting', () => {
    const text =
      'Resources:\n    R:\n        Type: AWS::EC2::LaunchTemplate\n        Properties:\n            LaunchTemplateData:\n                ImageId: ami-1\n';
    expect(inTemplate(text, ENDPOINT, 'AWS::EC2::LaunchTemplate')).toBe(
      `${text}                MetadataOptions:\n                    HttpEndpoint: enabled\n`,
    );
  });
});

describe('JSON', () => {
  it.each([undefined, 2, 4, '\t'])('keeps an indentation of %j', (indent) => {
    const template = (more: object) =>
      JSON.stringify(
        { Resources: { R: { Type: 'AWS::EKS::Addon', Properties: { AddonName: 'coredns', ...more } } } },
        undefined,
        indent,
      );
    expect(inTemplate(template({}), PRESERVE)).toBe(template({ PreserveOnDelete: true }));
    expect(inTemplate(template({ PreserveOnDelete: false }), PRESERVE)).toBe(template({ PreserveOnDelete: true }));
  });
  it.each([
    ['{"Resources":{"R":{"Type":"T","Properties":{"AddonName":"a"}}}}\n', '"a","PreserveOnDelete":true}'],
    ['{"Resources":{"R":{\n"Type":"T",\n"Properties":{"AddonName":"a"}}}}\n', '"a","PreserveOnDelete":true}'],
    ['{"Resources":{"R":{"Type":"T",\n"Properties":{\n"AddonName":"a"\n}}}}\n', '"a",\n"PreserveOnDelete":true\n}'],
    ['{"Resources": {"R": {"Type": "T", "Properties": {"AddonName": "a"}}}}\n', '"a", "PreserveOnDelete": true}'],
  ])('has blanks as %j', (text, expected) => {
    expect(inTemplate(text, PRESERVE)).toContain(expected);
  });
  it('is the same in configurations of Terraform', () => {
    const configuration = (more: object) =>
      JSON.stringify({ resource: { aws_launch_template: { r: { image_id: 'ami-1', ...more } } } }, undefined, 2);
    const type = 'aws_launch_template';
    expect(inJson(configuration({}), ENDPOINT, type)).toBe(
      configuration({ metadata_options: { http_endpoint: 'enabled' } }),
    );
    expect(inJson(configuration({ metadata_options: [{ http_endpoint: 'disabled' }] }), ENDPOINT, type)).toBe(
      configuration({ metadata_options: [{ http_endpoint: 'enabled' }] }),
    );
    expect(inJson(configuration({ iam_instance_profile: { name: 'x' } }), PROFILE, type)).toBe(configuration({}));
    expect(inJson(configuration({ metadata_options: { http_endpoint: '${var.endpoint}' } }), ENDPOINT, type)).toBe(
      'refused: it is decided by `${var.endpoint}`',
    );
  });
});

describe('HCL', () => {
  const block = (...lines: string[]) =>
    [
      '# head',
      'resource "aws_eks_addon" "r" {',
      ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
      '}',
      '',
    ].join('\n');
  it.each<[string, string[], string[]]>([
    [
      'aligned with what stands above',
      ['cluster_name = "a"', 'addon_name   = "b" # b', '', 'tags = {}'],
      ['cluster_name = "a"', 'addon_name   = "b" # b', '', 'tags     = {}', 'preserve = true'],
    ],
    ['and moves the signs for a longer name', ['tags = {}'], ['tags     = {}', 'preserve = true']],
    [
      'unaligned where nothing is',
      ['cluster_name = "a"', 'name = "b"'],
      ['cluster_name = "a"', 'name = "b"', 'preserve = true'],
    ],
    ['over a value', ['preserve = false # no'], ['preserve = true # no']],
    [
      'behind arguments, before blocks',
      ['name = "a"', '', 'timeouts {', '  create = "1m"', '}'],
      ['name     = "a"', 'preserve = true', '', 'timeouts {', '  create = "1m"', '}'],
    ],
    [
      'not among arguments of Terraform itself',
      ['count = 1', '', 'name  = "a"', '', 'depends_on = [a.b]'],
      ['count = 1', '', 'name  = "a"', 'preserve = true', '', 'depends_on = [a.b]'],
    ],
    [
      'where there are only blocks',
      ['timeouts {', '  create = "1m"', '}'],
      ['preserve = true', '', 'timeouts {', '  create = "1m"', '}'],
    ],
  ])('sets an argument %s', (_, before, after) => {
    expect(inHcl(block(...before), PRESERVE)).toBe(block(...after));
  });
  it('opens blocks of one line', () => {
    expect(inHcl('resource "aws_eks_addon" "r" {}\n', PRESERVE)).toBe(
      'resource "aws_eks_addon" "r" {\n  preserve = true\n}\n',
    );
    expect(inHcl('resource "aws_eks_addon" "r" { name = "a" }\n', PRESERVE)).toBe(
      'resource "aws_eks_addon" "r" {\n  name     = "a"\n  preserve = true\n}\n',
    );
  });
  it.each<[string, string, string]>([
    ['a variable', 'preserve = var.keep', 'it is decided by `var.keep`'],
    ['a local value', 'preserve = local.keep', 'it is decided by `local.keep`'],
    ['a condition', 'preserve = var.prod ? true : false', 'it is decided by `var.prod ? true : false`'],
  ])('refuses %s', (_, line, reason) => {
    expect(inHcl(block(line), PRESERVE)).toBe(`refused: ${reason}`);
  });
  it('leaves an argument for creation and updates to a person', () => {
    expect(inHcl(block('resolve_conflicts = "OVERWRITE"'), MODE)).toContain('refused: `resolve_conflicts` is set');
  });

  const template = (...lines: string[]) => block(...lines).replace('aws_eks_addon', 'aws_launch_template');
  it('adds and removes nested blocks', () => {
    const type = 'aws_launch_template';
    expect(inHcl(template('name = "a"'), ENDPOINT, type)).toBe(
      template('name = "a"', '', 'metadata_options {', '  http_endpoint = "enabled"', '}'),
    );
    expect(
      inHcl(
        template('name = "a"', '', 'iam_instance_profile {', '  name = aws_iam_instance_profile.x.name', '}'),
        PROFILE,
        type,
      ),
    ).toBe(template('name = "a"'));
    expect(inHcl(template('iam_instance_profile {', '  name = var.x', '}'), PROFILE, type)).toBe(
      'refused: it is decided by `var.x`',
    );
    expect(
      inHcl(template('dynamic "iam_instance_profile" {', '  for_each = [1]', '  content {}', '}'), PROFILE, type),
    ).toContain('dynamic block');
  });
  it.each<[string, string[], string[]]>([
    ['goes with it at the end', ['name = "a"', '# odd', 'PROFILE'], ['name = "a"']],
    [
      'may be about more',
      ['# both', 'PROFILE', 'name = "a"'],
      ['refused: the comment above it may be about what follows, too'],
    ],
    [
      'may be for a tool',
      ['name = "a"', '# odd', '#tfsec:ignore:aws-x', '# so', 'PROFILE'],
      ['refused: a comment above it tells a tool what to ignore'],
    ],
  ])('a comment above a block that goes %s', (_, before, after) => {
    const lines = before.flatMap((line) =>
      line === 'PROFILE' ? ['iam_instance_profile {', '  name = "x"', '}'] : [line],
    );
    expect(inHcl(template(...lines), PROFILE, 'aws_launch_template')).toBe(
      after[0]?.startsWith('refused') === true ? after[0] : template(...after),
    );
  });
  it('sets nothing in a block that is made for each of something', () => {
    const dynamic = template('dynamic "metadata_options" {', '  for_each = [1]', '  content {}', '}');
    expect(inHcl(dynamic, ENDPOINT, 'aws_launch_template')).toMatch(/^refused: .*dynamic block/);
  });
  it('closes up what stood below each other with an argument that goes', () => {
    const lines = [
      'name                                 = "a"',
      'instance_initiated_shutdown_behavior = "stop"',
      'image_id                             = "ami-1"',
    ];
    expect(inHcl(template(...lines), BEHAVIOR, 'aws_launch_template')).toBe(
      template('name     = "a"', 'image_id = "ami-1"'),
    );
  });

  const values = (...lines: string[]) =>
    block('configuration_values = jsonencode({', ...lines.map((line) => `  ${line}`), '})');
  it('changes the data of jsonencode', () => {
    const quote: Repair = { kind: 'setData', field: 'configuration', at: 'env.ENABLE_POD_ENI', to: '"true"' };
    expect(inHcl(values('env = { ENABLE_POD_ENI = true } # pods'), quote)).toBe(
      values('env = { ENABLE_POD_ENI = "true" } # pods'),
    );
    expect(inHcl(values('env = { ENABLE_POD_ENI = var.eni }'), quote)).toBe('refused: it is decided by `var.eni`');
    const move: Repair = {
      kind: 'moveData',
      field: 'configuration',
      at: 'env.DISABLE_TCP_EARLY_DEMUX',
      to: 'init.env.DISABLE_TCP_EARLY_DEMUX',
    };
    expect(
      inHcl(values('env = {', '  DISABLE_TCP_EARLY_DEMUX = "true"', '  A                       = "b" # b', '}'), move),
    ).toBe(values('env = {', '  A = "b" # b', '}', 'init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }'));
    expect(inHcl(values('env = { DISABLE_TCP_EARLY_DEMUX = "true" }'), move)).toBe(
      values('init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }'),
    );
    const early = 'env = { DISABLE_TCP_EARLY_DEMUX';
    expect(inHcl(values(`${early} = "true" }`, 'init = { env = { DISABLE_TCP_EARLY_DEMUX = "false" } }'), move)).toBe(
      'refused: `init.env.DISABLE_TCP_EARLY_DEMUX` is set, too',
    );
    for (const [value, reason] of [
      ['{ a = 1 }', 'more than a plain value would have to move'],
      ['<<-EOT\n    true\n  EOT\n', 'it is written over several lines'],
    ])
      expect(inHcl(values(`${early} = ${value} }`), move)).toBe(`refused: ${reason}`);
    expect(inHcl(values('env = { A = "b" }'), move)).toBe('refused: more than a plain value would have to move');
    expect(
      inHcl(block('configuration_values = jsonencode({ env = { DISABLE_TCP_EARLY_DEMUX = "true" } })'), move),
    ).toBe(block('configuration_values = jsonencode({ init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } } })'));
  });
});

describe('any text', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
  const value = fc.oneof(
    word,
    fc.integer(),
    fc.boolean(),
    fc.array(word, { maxLength: 2 }),
    fc.dictionary(word, word, { maxKeys: 2, noNullPrototype: true }),
  );
  const data = fc.dictionary(word, value, { maxKeys: 4, noNullPrototype: true });

  it('in JSON holds what it held, and what is set', () => {
    fc.assert(
      fc.property(data, fc.constantFrom(undefined, 2, 4, '\t'), fc.boolean(), (properties, indent, set) => {
        const root = (more: object) => ({
          Resources: { R: { Type: 'AWS::EKS::Addon', Properties: { ...properties, ...more } } },
        });
        const text = JSON.stringify(root(set ? { PreserveOnDelete: false } : {}), undefined, indent);
        expect(JSON.parse(inTemplate(text, PRESERVE))).toEqual(root({ PreserveOnDelete: true }));
      }),
      { numRuns: runs(60) },
    );
  });

  it('in YAML holds what it held, and what is set; other lines stay as they are', () => {
    fc.assert(
      fc.property(data, fc.boolean(), fc.boolean(), (properties, set, isFlow) => {
        const lines = Object.entries({ ...properties, ...(set ? { PreserveOnDelete: false } : {}) }).map(
          ([key, item]) => `${key}: ${JSON.stringify(item)}`,
        );
        const body =
          isFlow || lines.length === 0
            ? `    Properties: { ${lines.join(', ')} } # p`
            : ['    Properties:', ...lines.map((line) => `      ${line} # c`)].join('\n');
        const text = `# a\nResources:\n  R:\n    Type: AWS::EKS::Addon\n${body}\n# z\n`;
        const after = inTemplate(text, PRESERVE);
        const { root, diagnostics } = parseDocument(after, 'template.yaml');
        expect(diagnostics).toEqual([]);
        expect(root).toEqual({
          Resources: { R: { Type: 'AWS::EKS::Addon', Properties: { ...properties, PreserveOnDelete: true } } },
        });
        const left = new Set(after.split('\n'));
        expect(text.split('\n').filter((line) => !left.has(line)).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(60) },
    );
  });

  it('in HCL can be read, and sets the argument once', () => {
    const item = fc.tuple(
      word,
      fc.constantFrom('1', '"a"', '[1, 2]', '{ a = 1 }', '[\n    1,\n  ]'),
      fc.constantFrom('', ' # c', ' // c'),
      fc.constantFrom('', '\n'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ([name]) => name, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        (items, lineBreak) => {
          const lines = items.map(([name, expression, comment, gap]) => `  ${name} = ${expression}${comment}\n${gap}`);
          const text = `resource "aws_eks_addon" "r" {\n${lines.join('')}}\n`.replaceAll('\n', lineBreak);
          const after = inHcl(text, PRESERVE);
          const { body, problems } = parseHcl(after);
          expect(problems).toEqual([]);
          expect(body.blocks[0]?.body.attributes.map(({ name }) => name).sort()).toEqual(
            [...items.map(([name]) => name), 'preserve'].sort(),
          );
          for (const [, , comment] of items) expect(after).toContain(comment);
          expect(/(?<!\r)\n/.test(after)).toBe(lineBreak === '\n');
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('never makes the command throw', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const around = `Resources:\n  R:\n    Type: AWS::EKS::Addon\n    Properties:\n      A: ${text}\n`;
        expect(typeof inTemplate(around, PRESERVE)).toBe('string');
        expect(typeof inHcl(`resource "aws_eks_addon" "r" {\n  a = ${text}\n}`, PRESERVE)).toBe('string');
        expect(typeof inJson(text, PRESERVE)).toBe('string');
      }),
      { numRuns: runs(200) },
    );
  });
});

it.each([
  [
    'in their order in the text',
    [
      [4, 5, 'x'],
      [0, 1, 'y'],
    ],
    'ybcdxf',
  ],
  [
    'an insertion before what it stands in front of',
    [
      [1, 5, 'x'],
      [1, 1, 'y'],
    ],
    'ayxf',
  ],
  [
    'the first of those that overlap',
    [
      [2, 5, 'x'],
      [1, 3, 'y'],
    ],
    'aydef',
  ],
  [
    'equal ones once',
    [
      [1, 1, 'x'],
      [1, 1, 'x'],
    ],
    'axbcdef',
  ],
  [
    'different ones at a place',
    [
      [1, 1, 'x'],
      [1, 1, 'y'],
    ],
    'axybcdef',
  ],
] as [string, [number, number, string][], string][])('edits are made %s', (_, edits, expected) => {
  expect(
    applyEdits(
      'abcdef',
      edits.map(([start, end, text]) => ({ start, end, text })),
    ),
  ).toBe(expected);
});
