import type { Repair } from '../../lib/engine';
import type { CallPlace } from '../../lib/fixes/edited-text';
import { replaceLines } from '../../lib/fixes/lines-edit';
import { HclFile, JsonConfigurationFile } from '../../lib/fixes/terraform';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';

/* Repairs of Terraform in both of its forms, in the text alone: what becomes of it, or why it is left alone. */

const GROUP = 'aws_eks_node_group';
const TEMPLATE = 'aws_launch_template';
const NEW: Repair = { kind: 'newTemplate', field: 'launchTemplate' };
const ENCODE: Repair = { kind: 'encode', field: 'userData' };

function outcome(text: string, plan: EditPlan | undefined): string {
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? `refused: ${plan.refusal}` : applyEdits(text, plan.edits);
}

const inHcl = (text: string, type: string, repair: Repair, call?: CallPlace): string =>
  outcome(text, HclFile.read(text)?.repair(type, `${type}.r`, repair, undefined, call));

const inJson = (resource: object, type: string, repair: Repair, others: object = {}): unknown => {
  const text = JSON.stringify({ resource: { [type]: { r: resource }, ...others } });
  const made = outcome(text, JsonConfigurationFile.read(text)?.repair(type, `${type}.r`, repair, undefined));
  return made.startsWith('{') ? (JSON.parse(made) as { resource: unknown }).resource : made;
};

const hcl = (type: string, ...lines: readonly string[]): string =>
  [`resource "${type}" "r" {`, ...lines.map((line) => `  ${line}`), '}', ''].join('\n');

describe('a resource', () => {
  it('is not the data source of the same type and name', () => {
    const data = `data "${GROUP}" "r" {\n  force_update_version = true\n}\n`;
    const text = data + hcl(GROUP, 'force_update_version = true');
    const repair: Repair = { kind: 'set', field: 'forceUpdate', to: false };
    expect(inHcl(text, GROUP, repair)).toBe(data + hcl(GROUP, 'force_update_version = false'));
    expect(inHcl(data, GROUP, repair)).toMatch(/^refused: what makes it is no resource of this file but a module/);
  });

  it('is left alone where no machine knows the setting', () => {
    const repair: Repair = { kind: 'set', field: 'supportType', to: 'STANDARD' };
    expect(inHcl(hcl(GROUP), GROUP, repair)).toBe(`refused: there is no machine edit for ${GROUP}`);
    expect(inJson({}, GROUP, repair)).toBe(`refused: there is no machine edit for ${GROUP}`);
  });

  it('keeps what is there, or lacks it, if only the opposite is to be changed', () => {
    const set: Repair = { kind: 'set', field: 'capacityType', to: 'SPOT', unlessSet: true };
    const text = hcl(GROUP, 'capacity_type = "ON_DEMAND"');
    expect(inHcl(text, GROUP, set)).toBe(text);
    expect(inHcl(hcl(GROUP), GROUP, set)).toBe(hcl(GROUP, 'capacity_type = "SPOT"'));
    expect(inJson({ capacity_type: 'ON_DEMAND' }, GROUP, set)).toEqual({
      [GROUP]: { r: { capacity_type: 'ON_DEMAND' } },
    });
    expect(inJson({}, GROUP, set)).toEqual({ [GROUP]: { r: { capacity_type: 'SPOT' } } });
    const remove: Repair = { kind: 'remove', field: 'capacityType', ifSet: true };
    expect(inHcl(hcl(GROUP), GROUP, remove)).toBe(hcl(GROUP));
    expect(inJson({}, GROUP, remove)).toEqual({ [GROUP]: { r: {} } });
    expect(inJson({ capacity_type: 'SPOT', version: '1.35' }, GROUP, remove)).toEqual({
      [GROUP]: { r: { version: '1.35' } },
    });
  });

  it('refers to another one only where that is', () => {
    const to = (terraform: string): Repair => ({
      kind: 'refer',
      field: 'launchTemplate.version',
      cloudFormation: '',
      terraform,
    });
    const version = `${TEMPLATE}.r.latest_version`;
    const lines = (value: string): string[] => ['launch_template {', '  id      = "lt-1"', `  version = ${value}`, '}'];
    expect(inHcl(hcl(GROUP, ...lines('"1"')), GROUP, to(version))).toBe(hcl(GROUP, ...lines(version)));
    expect(inJson({ launch_template: { version: '1' } }, GROUP, to(version))).toEqual({
      [GROUP]: { r: { launch_template: { version: `\${${version}}` } } },
    });
    const elsewhere = 'refused: what it has to refer to stands elsewhere';
    expect(inHcl(hcl(GROUP, ...lines('"1"')), GROUP, to(''))).toBe(elsewhere);
    expect(inJson({ launch_template: { version: '1' } }, GROUP, to(''))).toBe(elsewhere);
  });
});

describe('what becomes Base64', () => {
  it.each([
    ['"#!/bin/bash"', 'base64encode("#!/bin/bash")'],
    ['file("boot.sh")', 'base64encode(file("boot.sh"))'],
    ['join("\\n", ["a"])', 'base64encode(join("\\n", ["a"]))'],
    ['"#!${var.shell}"', 'base64encode("#!${var.shell}")'],
  ])('is a text: %s', (before, after) => {
    expect(inHcl(hcl(TEMPLATE, `user_data = ${before}`), TEMPLATE, ENCODE)).toBe(hcl(TEMPLATE, `user_data = ${after}`));
  });

  it('is a text over several lines, behind which the bracket stands', () => {
    expect(inHcl(hcl(TEMPLATE, 'user_data = <<-EOT', '  #!/bin/bash', 'EOT'), TEMPLATE, ENCODE)).toBe(
      hcl(TEMPLATE, 'user_data = base64encode(<<-EOT', '  #!/bin/bash', 'EOT', ')'),
    );
  });

  it.each(['var.script', 'local.script', 'filebase64("boot.sh")', 'var.a ? "b" : "c"'])('is not %s', (value) => {
    expect(inHcl(hcl(TEMPLATE, `user_data = ${value}`), TEMPLATE, ENCODE)).toMatch(/^refused: /);
  });

  it('is nothing that is not there', () => {
    expect(inHcl(hcl(TEMPLATE), TEMPLATE, ENCODE)).toBe('refused: it stands elsewhere than in the resource itself');
    expect(inJson({}, TEMPLATE, ENCODE)).toMatch(/^refused: it is written in a way/);
    expect(inJson({ user_data: ['a'] }, TEMPLATE, ENCODE)).toMatch(/^refused: it is written in a way/);
  });

  it('is an interpolation in JSON, if it is none yet', () => {
    expect(inJson({ user_data: '#!/bin/bash\n"a"' }, TEMPLATE, ENCODE)).toEqual({
      [TEMPLATE]: { r: { user_data: '${base64encode("#!/bin/bash\\n\\"a\\"")}' } },
    });
    for (const user_data of ['${var.script}', '%{ if var.a }b%{ endif }'])
      expect(inJson({ user_data }, TEMPLATE, ENCODE)).toBe('refused: what it holds is put together');
  });
});

describe('a launch template beside a group', () => {
  const USE = ['launch_template {', `  id      = ${TEMPLATE}.r.id`, `  version = ${TEMPLATE}.r.latest_version`, '}'];

  it('takes the disk with it, which is 20 GiB at least', () => {
    for (const [size, volume] of [
      ['50', 'volume_size = 50'],
      ['"50"', 'volume_size = 50'],
      ['8', 'volume_size = 20'],
    ] as const) {
      const made = inHcl(hcl(GROUP, 'version = "1.35"', `disk_size = ${size}`), GROUP, NEW);
      expect(made.replaceAll(/ +=/g, ' =')).toContain(volume);
      expect(made).not.toContain('disk_size');
      expect(made).toContain(USE.map((line) => `  ${line}`).join('\n'));
    }
    expect(inHcl(hcl(GROUP), GROUP, NEW)).not.toContain('volume_size');
    expect(inJson({ version: '1.35', disk_size: 8 }, GROUP, NEW)).toMatchObject({
      [GROUP]: { r: { launch_template: expect.anything() as unknown } },
      [TEMPLATE]: { r: { block_device_mappings: { ebs: { volume_size: 20 } } } },
    });
    expect(JSON.stringify(inJson({ version: '1.35', disk_size: 8 }, GROUP, NEW))).not.toContain('disk_size');
    expect(JSON.stringify(inJson({}, GROUP, NEW))).not.toContain('block_device');
  });

  it('has another name, where that of the group is taken, or none', () => {
    const taken = (name: string): string => `resource "${TEMPLATE}" "${name}" {}\n`;
    expect(inHcl(taken('r') + hcl(GROUP), GROUP, NEW)).toContain(`resource "${TEMPLATE}" "r_nodes" {`);
    const none = 'refused: the names that its launch template could have are taken';
    expect(inHcl(taken('r') + taken('r_nodes') + hcl(GROUP), GROUP, NEW)).toBe(none);
    expect(inJson({}, GROUP, NEW, { [TEMPLATE]: { r: {} } })).toMatchObject({ [TEMPLATE]: { r_nodes: {} } });
    expect(inJson({}, GROUP, NEW, { [TEMPLATE]: { r: {}, r_nodes: {} } })).toBe(none);
  });

  const MOVES = /^refused: its remote access would have to move/;
  it.each<[string, string, object, RegExp]>([
    [
      'one',
      'launch_template {\n    id = "lt-1"\n  }',
      { launch_template: { id: 'lt-1' } },
      /^refused: it is written in/,
    ],
    [
      'one of its own making',
      'launch_template = var.template',
      { launch_template: '${var.a}' },
      /^refused: it is written in/,
    ],
    [
      'one that a dynamic block makes',
      'dynamic "launch_template" {\n    for_each = var.a\n    content {}\n  }',
      { dynamic: { launch_template: { for_each: '${var.a}' } } },
      /^refused: /,
    ],
    ['remote access', 'remote_access {\n    ec2_ssh_key = "a"\n  }', { remote_access: { ec2_ssh_key: 'a' } }, MOVES],
    [
      'remote access that a dynamic block makes',
      'dynamic "remote_access" {\n    for_each = var.a\n    content {}\n  }',
      { dynamic: [{ other: {} }, { remote_access: { for_each: '${var.a}' } }] },
      MOVES,
    ],
    ['a disk of which the size is not written', 'disk_size = var.size', { disk_size: '${var.size}' }, /^refused: /],
  ])('is not made for a group with %s', (_, line, resource, refusal) => {
    expect(inHcl(hcl(GROUP, line), GROUP, NEW)).toMatch(refusal);
    expect(inJson(resource, GROUP, NEW)).toMatch(refusal);
  });
});

describe('the call of a module', () => {
  const at = (steps: string, inputs: Readonly<Record<string, string>>): CallPlace => ({
    at: `module.eks${steps}`,
    inputs: new Map(Object.entries(inputs)),
  });
  const call = (...lines: readonly string[]): string =>
    ['module "vpc" {', '}', 'module "eks" {', ...lines.map((line) => `  ${line}`), '}', ''].join('\n');
  const set: Repair = { kind: 'set', field: 'preserveOnDelete', to: true };
  const ADDON = 'aws_eks_addon';
  const PRESERVE = at('.addons["vpc-cni"]', { preserve: 'preserve' });

  it('gets the setting where its module has it', () => {
    expect(inHcl(call(), ADDON, set, at('', { preserve: 'keep' }))).toBe(call('keep = true'));
    expect(inHcl(call('keep = false'), ADDON, set, at('', { preserve: 'keep' }))).toBe(call('keep = true'));
    expect(inHcl(call(), ADDON, set, PRESERVE)).toBe(call('addons = { vpc-cni = { preserve = true } }'));
    expect(inHcl(call('addons = { vpc-cni = { preserve = false } }'), ADDON, set, PRESERVE)).toBe(
      call('addons = { vpc-cni = { preserve = true } }'),
    );
    expect(inHcl(call(), ADDON, set, at('.addons["my cni"]', { preserve: 'preserve' }))).toBe(
      call('addons = { "my cni" = { preserve = true } }'),
    );
  });

  it('keeps what it has, if that is enough', () => {
    const text = call('addons = { vpc-cni = { preserve = var.keep } }');
    expect(inHcl(text, ADDON, { ...set, unlessSet: true }, PRESERVE)).toBe(text);
    const remove: Repair = { kind: 'remove', field: 'preserveOnDelete', ifSet: true };
    expect(inHcl(call('addons = { vpc-cni = {} }'), ADDON, remove, PRESERVE)).toBe(call('addons = { vpc-cni = {} }'));
  });

  it('loses what stands in it, and what is decided elsewhere stays', () => {
    const remove: Repair = { kind: 'remove', field: 'preserveOnDelete' };
    expect(
      inHcl(call('addons = { vpc-cni = { preserve = false, most_recent = true } }'), ADDON, remove, PRESERVE),
    ).toBe(call('addons = { vpc-cni = { most_recent = true } }'));
    expect(inHcl(call('addons = { vpc-cni = { preserve = false } }'), ADDON, remove, PRESERVE)).toBe(
      call('addons = { vpc-cni = {} }'),
    );
    expect(inHcl(call('addons = { vpc-cni = { preserve = var.keep } }'), ADDON, remove, PRESERVE)).toMatch(
      /^refused: /,
    );
    for (const addons of ['coredns = {}', 'vpc-cni = { most_recent = true }'])
      expect(inHcl(call(`addons = { ${addons} }`), ADDON, remove, PRESERVE)).toBe(
        'refused: it stands elsewhere than in the call itself',
      );
    expect(inHcl(call('keep = false'), ADDON, remove, at('', { preserve: 'keep' }))).toMatch(/^refused: /);
  });

  it.each<[string, string, string, CallPlace]>([
    ['the call of another file', 'module "other" {}\n', 'the call of the module stands elsewhere', PRESERVE],
    ['a setting that its module has no input for', call(), 'the module has no input for it', at('', {})],
    ['an address that is none', call(), 'the call of the module stands elsewhere', { ...PRESERVE, at: 'eks' }],
    [
      'an input that other versions call otherwise',
      call(),
      "which version of the module is called isn't known, and its input has another name in others",
      at('', { preserve: 'keep\nhold' }),
    ],
  ])('is left alone with %s', (_, text, refusal, place) => {
    expect(inHcl(text, ADDON, set, place)).toBe(`refused: ${refusal}`);
  });

  it.each(['var.addons', 'merge(var.a, {})', 'local.addons'])('is left alone where %s decides', (value) => {
    expect(inHcl(call(`addons = ${value}`), ADDON, set, PRESERVE)).toMatch(/^refused: it is decided by/);
  });

  it('is left alone by repairs of resources', () => {
    const place = at('', { user_data: 'user_data', launch_template: 'launch_template' });
    for (const repair of [ENCODE, NEW])
      expect(inHcl(call(), repair === ENCODE ? TEMPLATE : GROUP, repair, place)).toBe(
        'refused: the module has no input for it',
      );
  });

  it('is there in its own lines only', () => {
    const file = HclFile.read(call('keep = true'));
    const why = (line: number) => file?.whyNotDeclared(ADDON, 'x', { line, column: 1 }, PRESERVE);
    expect([2, 3, 4, 5, 6].map(why)).toEqual([
      'the call of the module stands elsewhere',
      undefined,
      undefined,
      undefined,
      'the call of the module stands elsewhere',
    ]);
  });
});

describe('lines', () => {
  const lines = (text: string, first: number, before: readonly string[], after: readonly string[]): string =>
    outcome(text, replaceLines(text, { file: 'a', first, before, after }));
  const MOVED = 'refused: the lines that it is about are written otherwise than they read';

  it('are replaced where they are, or where they are now', () => {
    expect(lines('a\nb\nc\n', 2, ['b'], ['x', 'y'])).toBe('a\nx\ny\nc\n');
    expect(lines('new\na\nb\nc\n', 2, ['b', 'c'], ['x'])).toBe('new\na\nx\n');
    expect(lines('a\nb  \nc\n', 2, ['b'], ['x'])).toBe('a\nx\nc\n');
    expect(lines('b\na\nb\n', 3, ['b'], ['x'])).toBe('b\na\nx\n');
  });

  it('go with their ends', () => {
    expect(lines('a\nb\nc\n', 2, ['b'], [])).toBe('a\nc\n');
    expect(lines('a\nb', 2, ['b'], [])).toBe('a\n');
  });

  it('keep line breaks of Windows', () => {
    expect(lines('a\r\nb\r\nc\r\n', 2, ['b'], ['x', 'y'])).toBe('a\r\nx\r\ny\r\nc\r\n');
    expect(lines('a\r\nb\r\nc\r\n', 2, ['b'], [])).toBe('a\r\nc\r\n');
  });

  it('are left alone where they are gone, or there twice', () => {
    expect(lines('a\nc\n', 2, ['b'], ['x'])).toBe(MOVED);
    expect(lines('b\na\nb\n', 2, ['b'], ['x'])).toBe(MOVED);
    expect(outcome('a', replaceLines('a', undefined))).toBe(MOVED);
  });

  it('are not those of a text in JSON', () => {
    const repair: Repair = {
      kind: 'lines',
      field: 'userData',
      lines: { file: 'a', first: 1, before: ['b'], after: ['x'] },
    };
    expect(inJson({ user_data: 'a\nb' }, TEMPLATE, repair)).toBe(MOVED);
    expect(inHcl('b\n', TEMPLATE, repair)).toBe('unreadable');
  });
});
