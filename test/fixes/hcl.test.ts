import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import type { Repair } from '../../lib/engine';
import { HclFile } from '../../lib/fixes/terraform';
import { applyEdits } from '../../lib/fixes/text-edit';
import { skippedNote } from '../needs';

const PRESERVE: Repair = { kind: 'set', field: 'preserveOnDelete', to: true };
const MODE: Repair = { kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' };
const TOKENS: Repair = { kind: 'set', field: 'metadata.httpTokens', to: 'required' };
const PROFILE: Repair = { kind: 'remove', field: 'instanceProfile' };
const BEHAVIOR: Repair = { kind: 'remove', field: 'shutdownBehavior' };
const SUBNET: Repair = { kind: 'remove', field: 'networkInterfaces.subnet' };
const MOVE: Repair = {
  kind: 'moveData',
  field: 'configuration',
  at: 'env.DISABLE_TCP_EARLY_DEMUX',
  to: 'init.env.DISABLE_TCP_EARLY_DEMUX',
};

const NOT_CLEAR = 'refused: it is written in a way that a machine had better leave alone';
const BESIDE = 'refused: a comment stands beside it';

function made(text: string, repair: Repair, type: string): string {
  const plan = HclFile.read(text)?.repair(type, `${type}.r`, repair, undefined);
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : applyEdits(text, plan.edits);
}

const inBlock = (type: string) => (lines: readonly string[]) =>
  [`resource "${type}" "r" {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}', ''].join('\n');
const addon = inBlock('aws_eks_addon');
const template = inBlock('aws_launch_template');

/** Expects lines, or a refusal, and the same with Windows line breaks. */
function expectLines(
  block: typeof addon,
  before: readonly string[],
  repair: Repair,
  after: readonly string[] | string,
): void {
  const type = block === addon ? 'aws_eks_addon' : 'aws_launch_template';
  const expected = typeof after === 'string' ? after : block(after);
  expect(made(block(before), repair, type)).toBe(expected);
  expect(made(block(before).replaceAll('\n', '\r\n'), repair, type)).toBe(
    typeof after === 'string' ? after : expected.replaceAll('\n', '\r\n'),
  );
}

describe('comments over several lines', () => {
  it.each<[string, string[], string[] | string]>([
    [
      'the last argument',
      ['addon_name = "coredns" /* again', '     and more */'],
      ['addon_name = "coredns" /* again', '     and more */', 'preserve   = true'],
    ],
    [
      'the brace',
      ['/* only', '   this */', '', 'timeouts {', '  create = "1m"', '}'],
      ['preserve = true', '', '/* only', '   this */', '', 'timeouts {', '  create = "1m"', '}'],
    ],
  ])('behind %s stay whole', (_, before, after) => {
    expectLines(addon, before, PRESERVE, after);
  });

  it('before a closing brace stay whole', () => {
    expectLines(template, ['name = "a" /* the', '   last */'], TOKENS, [
      'name = "a" /* the',
      '   last */',
      '',
      'metadata_options {',
      '  http_tokens = "required"',
      '}',
    ]);
    expect(
      made(
        'resource "aws_launch_template" "r" {\n  name = "a"\n  /* the\n  last */ }\n',
        TOKENS,
        'aws_launch_template',
      ),
    ).toBe(
      'resource "aws_launch_template" "r" {\n  name = "a"\n  /* the\n  last */ \n\n  metadata_options {\n    http_tokens = "required"\n  }\n}\n',
    );
    expect(made('resource "aws_eks_addon" "r" { name = "a" /* the\n  last */ }\n', PRESERVE, 'aws_eks_addon')).toBe(
      NOT_CLEAR,
    );
  });

  const values = (...lines: string[]) => [
    'configuration_values = jsonencode({',
    ...lines.map((line) => `  ${line}`),
    '})',
  ];
  it("in data don't swallow what moves", () => {
    const rest = ['livenessProbeTimeoutSeconds = 10 /* was 5;', '  probes failed */'];
    expectLines(
      addon,
      values('env                         = { DISABLE_TCP_EARLY_DEMUX = "true" }', ...rest),
      MOVE,
      values(...rest, 'init                        = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }'),
    );
  });
  it.each<[string, string[]]>([
    ['in the map that goes', ['env = {', '  # only', '  DISABLE_TCP_EARLY_DEMUX = "true"', '}', 'a = 1']],
    ['in the map whose place is taken', ['env = {', '  # only', '  DISABLE_TCP_EARLY_DEMUX = "true"', '}']],
    ['behind what moves', ['env = {', '  DISABLE_TCP_EARLY_DEMUX = "true" # probes', '  A = "b"', '}']],
    ['above what moves', ['env = {', '  # probes', '  DISABLE_TCP_EARLY_DEMUX = "true"', '  A = "b"', '}']],
    ['between two entries', ['env = { DISABLE_TCP_EARLY_DEMUX = "true", /* b */ A = "b" }']],
  ])('are not lost %s', (_, lines) => {
    expectLines(addon, values(...lines), MOVE, BESIDE);
  });
  it('are left alone where the brace stands behind the last entry', () => {
    expectLines(
      addon,
      [
        'configuration_values = jsonencode({',
        '  a = 1',
        '  env = {',
        '    A = "b"',
        '    DISABLE_TCP_EARLY_DEMUX = "true"',
        '  } })',
      ],
      MOVE,
      NOT_CLEAR,
    );
  });
});

describe('a block of one line', () => {
  it('keeps its comments when it gets more', () => {
    expectLines(template, ['metadata_options { http_endpoint = "enabled" /* keep me */ }'], TOKENS, [
      'metadata_options {',
      '  http_endpoint = "enabled" /* keep me */',
      '  http_tokens   = "required"',
      '}',
    ]);
    expectLines(template, ['metadata_options { /* keep me */ http_endpoint = "enabled" }'], TOKENS, [
      'metadata_options {',
      '  /* keep me */',
      '  http_endpoint = "enabled"',
      '  http_tokens   = "required"',
      '}',
    ]);
    expectLines(template, ['metadata_options { /* keep me */ }'], TOKENS, [
      'metadata_options {',
      '  /* keep me */',
      '  http_tokens = "required"',
      '}',
    ]);
  });
});

describe('what goes', () => {
  it.each<[string, string[], string[] | string]>([
    [
      'takes the comment with it that is about it alone',
      ['name = "a"', '', '# odd', '// very', 'instance_initiated_shutdown_behavior = "stop"', '', 'image_id = "b"'],
      ['name = "a"', '', 'image_id = "b"'],
    ],
    [
      'and one over several lines',
      ['name = "a"', '/* odd', '   very */', 'instance_initiated_shutdown_behavior = "stop"'],
      ['name = "a"'],
    ],
    [
      'before another comment',
      ['# odd', 'instance_initiated_shutdown_behavior = "stop"', '# even', 'name = "a"'],
      ['# even', 'name = "a"'],
    ],
    [
      'before another comment with slashes',
      ['# odd', 'instance_initiated_shutdown_behavior = "stop"', '// even', 'name = "a"'],
      ['// even', 'name = "a"'],
    ],
    [
      'before another comment of lines',
      ['# odd', 'instance_initiated_shutdown_behavior = "stop"', '/* even', '   more */', 'name = "a"'],
      ['/* even', '   more */', 'name = "a"'],
    ],
    [
      'leaves one alone that stands apart',
      ['# all of it', '', 'instance_initiated_shutdown_behavior = "stop"', 'name = "a"'],
      ['# all of it', '', 'name = "a"'],
    ],
    [
      'leaves the one in the line above',
      ['name = "a" # a', 'instance_initiated_shutdown_behavior = "stop"'],
      ['name = "a" # a'],
    ],
    [
      'has its own comment',
      ['name = "a"', 'instance_initiated_shutdown_behavior = "stop" /* odd', '  very */'],
      ['name = "a"'],
    ],
    [
      'may be one of a group',
      ['# both', 'instance_initiated_shutdown_behavior = "stop"', 'name = "a"'],
      'refused: the comment above it may be about what follows, too',
    ],
    [
      'may be known to a tool',
      ['name = "a"', '# eks-guardrails:ignore imds-v1 -- why', 'instance_initiated_shutdown_behavior = "stop"'],
      'refused: a comment above it tells a tool what to ignore',
    ],
    [
      'may be known to another tool',
      ['name = "a"', '#tfsec:ignore:x', 'instance_initiated_shutdown_behavior = "stop"'],
      'refused: a comment above it tells a tool what to ignore',
    ],
    [
      'may not be all of a block',
      ['instance_initiated_shutdown_behavior = "stop"'],
      'refused: nothing else stands beside it',
    ],
    ['may share its line', ['name = "a"', '/* x', '  y */ instance_initiated_shutdown_behavior = "stop"'], NOT_CLEAR],
  ])('%s', (_, before, after) => {
    expectLines(template, before, BEHAVIOR, after);
  });
  it('takes the comment with a block', () => {
    expectLines(
      template,
      [
        'name = "a"',
        '',
        '# role of the nodes',
        'iam_instance_profile {',
        '  # by name',
        '  name = "x"',
        '}',
        '',
        'key_name = "k"',
      ],
      PROFILE,
      ['name = "a"', '', 'key_name = "k"'],
    );
  });
  it('leaves no empty block behind', () => {
    expectLines(
      template,
      ['network_interfaces {', '  subnet_id = "subnet-1"', '}'],
      SUBNET,
      'refused: nothing else stands beside it',
    );
    expectLines(
      template,
      ['network_interfaces { subnet_id = "subnet-1" }'],
      SUBNET,
      'refused: nothing else stands beside it',
    );
  });
});

it('is no resource of the file that a module makes', () => {
  const file = HclFile.read('module "m" {}\nresource "aws_eks_addon" "r" {}\n');
  expect(file?.whyNotDeclared('aws_eks_addon', 'aws_eks_addon.r[0]', { line: 2, column: 1 })).toBeUndefined();
  expect(file?.whyNotDeclared('aws_eks_addon', 'module.m.aws_eks_addon.r["a"]', { line: 1, column: 1 })).toBe(
    'what makes it is no resource of this file but a module: change its call',
  );
});

const lack = spawnSync('terraform', ['version']).status === 0 ? undefined : 'there is no terraform on the PATH';

describe('the form of terraform fmt', () => {
  it('aligns with arguments of Terraform itself', () => {
    expectLines(addon, ['for_each     = toset([])', 'cluster_name = "a"', 'depends_on   = [x.y]'], MODE, [
      'for_each                    = toset([])',
      'cluster_name                = "a"',
      'resolve_conflicts_on_update = "PRESERVE"',
      'depends_on                  = [x.y]',
    ]);
    expectLines(addon, ['count = 1', 'tags = {', '}'], MODE, [
      'resolve_conflicts_on_update = "PRESERVE"',
      '',
      'count = 1',
      'tags = {',
      '}',
    ]);
  });

  const COMMON = ['count = 1', 'provider = aws.x', '# comment', '', 'tags = {\n    a = 1\n  }'];
  (lack === undefined ? it : it.skip).each<[string, typeof addon, Repair, string[]]>([
    [
      'when an argument comes',
      addon,
      MODE,
      [
        'depends_on = [a.b]',
        'cluster_name = "a"',
        'addon_name = "vpc-cni" # c',
        'timeouts {\n    create = "1m"\n  }',
        'configuration_values = jsonencode({ env = { A = "b" } }) /* c */',
        'preserve = true',
        'service_account_role_arn = <<-EOT\n    a\n  EOT',
      ],
    ],
    [
      'when an argument goes',
      template,
      BEHAVIOR,
      [
        'name = "a" # c',
        'image_id = "a"',
        'user_data = <<E\nE',
        'instance_initiated_shutdown_behavior = "stop"',
        'iam_instance_profile {\n    name = "x"\n  }',
      ],
    ],
    [
      'when a block goes',
      template,
      PROFILE,
      [
        'name = "a" # c',
        'image_id = "a"',
        'user_data = <<E\nE',
        'instance_initiated_shutdown_behavior = "stop"',
        'iam_instance_profile {\n    name = "x"\n  }',
      ],
    ],
    [
      'when a block comes',
      template,
      TOKENS,
      [
        'name = "a" # c',
        'image_id = "a"',
        'metadata_options {\n    http_endpoint = "enabled"\n  }',
        'user_data = <<E\nE',
      ],
    ],
  ])(`stays %s${skippedNote(lack)}`, (_, block, repair, more) => {
    const item = fc.constantFrom(...COMMON, ...more);
    const type = block === addon ? 'aws_eks_addon' : 'aws_launch_template';
    const bodies = fc.sample(fc.uniqueArray(item, { minLength: 4, maxLength: 8 }), { numRuns: 100, seed: 7 });
    const format = (text: string) =>
      execFileSync('terraform', ['fmt', '-'], { input: text, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
    const blocks = (texts: readonly string[]) => texts.join('# next\n');
    const written = format(blocks(bodies.map(block))).split('# next\n');
    expect(written).toHaveLength(bodies.length);
    const after = written.map((text) => made(text, repair, type)).filter((text) => !text.startsWith('refused'));
    expect(after.length).toBeGreaterThan(20);
    expect(format(blocks(after))).toBe(blocks(after));
  });
});
