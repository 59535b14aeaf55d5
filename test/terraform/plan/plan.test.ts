import fc from 'fast-check';
import { looksLikePlan, readPlan } from '../../../lib/terraform/plan/plan';
import { cpuTime } from '../../cpu-time';
import { change, configured, planText, refers, shown, valueAt } from './plans';
import { itWithAll, runs } from '../../share';

const read = (text: string) => readPlan(text, 'plan.json');
const messages = (text: string) =>
  read(text).diagnostics.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);
const addresses = (text: string) => read(text).instances.map(({ address }) => address);

describe('what exists after the plan', () => {
  it('is what is created, updated, replaced and kept', () => {
    const text = planText([
      change('aws_a.created'),
      change('aws_a.updated', { actions: ['update'] }),
      change('aws_a.replaced', { actions: ['delete', 'create'] }),
      change('aws_a.replaced_later', { actions: ['create', 'delete'] }),
      change('aws_a.kept', { actions: ['no-op'] }),
      {
        ...change('aws_a.gone', { actions: ['delete'] }),
        change: { actions: ['delete'], before: {}, after: null, after_unknown: {} },
      },
      change('aws_a.forgotten', { actions: ['forget'] }),
      { ...change('aws_a.kept', { actions: ['delete'] }), deposed: '0a1b2c3d' },
    ]);
    expect(addresses(text)).toEqual([
      'aws_a.created',
      'aws_a.updated',
      'aws_a.replaced',
      'aws_a.replaced_later',
      'aws_a.kept',
    ]);
    expect(read(text).summary).toEqual({ path: 'plan.json', kind: 'terraform-plan', resources: 5 });
  });

  it('has data sources that were read, and what a plan for targets leaves alone, but nothing that is deleted or moved', () => {
    const resource = (address: string, values: object) => ({ ...change(address), change: undefined, values });
    const prior = [
      resource('data.aws_ami.eks', { id: 'ami-0a' }),
      resource('aws_a.other', { id: 'a' }),
      resource('aws_a.gone', {}),
      resource('aws_a.old', {}),
    ];
    const text = planText(
      [
        change('aws_a.gone', { actions: ['delete'] }),
        { ...change('aws_a.new', { after: { id: 'x' } }), previous_address: 'aws_a.old' },
      ],
      {},
      { prior_state: { values: { root_module: { resources: prior } } } },
    );
    expect(addresses(text)).toEqual(['aws_a.new', 'data.aws_ami.eks', 'aws_a.other']);
    expect(shown(valueAt(read(text), 'data.aws_ami.eks'))).toEqual({ id: 'ami-0a' });
    expect(read(text).summary?.resources).toBe(2);
  });

  it('is told by planned_values where there are no changes', () => {
    const values = {
      root_module: {
        child_modules: [
          {
            address: 'module.a',
            resources: [
              { ...change('aws_a.b[0]'), address: 'module.a.aws_a.b[0]', values: { name: 'n', list: ['x', null] } },
            ],
          },
        ],
      },
    };
    const plan = read(
      planText(
        [],
        {
          module_calls: {
            a: { module: { resources: [configured('aws_a.b', { name: {}, role_arn: refers('local.x') })] } },
          },
        },
        { planned_values: values },
      ),
    );
    expect(plan.instances.map(({ address, module }) => [address, module])).toEqual([
      ['module.a.aws_a.b[0]', 'module.a'],
    ]);
    // What is written and not there is unknown; what is neither isn't set.
    expect(shown(valueAt(plan, 'module.a.aws_a.b[0]'))).toEqual({ name: 'n', list: ['x', '?'], role_arn: '?' });
  });
});

describe('values', () => {
  const value = (options: Parameters<typeof change>[1], expressions?: Record<string, unknown>) =>
    shown(
      valueAt(
        read(
          planText(
            [change('aws_eks_node_group.a', options)],
            expressions === undefined ? {} : { resources: [configured('aws_eks_node_group.a', expressions)] },
          ),
        ),
        'aws_eks_node_group.a',
      ),
    );

  it('are known, absent or unknown, in lists and blocks too', () => {
    expect(
      value({
        after: { s: 'x', n: 1, b: false, none: null, list: ['a', null], block: [{ x: 1 }] },
        unknown: { list: [false, true], block: [{ y: true }], whole: true },
      }),
    ).toEqual({
      s: 'x',
      n: 1,
      b: false,
      none: null,
      list: ['a', '?'],
      block: [{ x: 1, y: '?' }],
      whole: '?',
    });
  });

  it('that are sensitive are not looked at', () => {
    const plan = read(
      planText([
        change('aws_a.b', {
          after: { user_data: 'c2VjcmV0', block: [{ x: 'secret', y: 1 }] },
          sensitive: { user_data: true, block: [{ x: true }] },
        }),
      ]),
    );
    expect(shown(valueAt(plan, 'aws_a.b'))).toEqual({ user_data: '?', block: [{ x: '?', y: 1 }] });
    expect(valueAt(plan, 'aws_a.b', 'user_data')).toMatchObject({
      kind: 'unknown',
      reason: 'it is sensitive, so it is not looked at',
    });
    expect(JSON.stringify(shown(valueAt(plan, 'aws_a.b')))).not.toContain('secret');
  });

  it('that AWS chooses because nothing is written are absent', () => {
    const unknown = {
      ami_type: true,
      id: true,
      node_repair_config: true,
      remote_access: true,
      launch_template: [{ id: true, name: true }],
    };
    const sensitive = { node_repair_config: [], remote_access: [], launch_template: [{}] };
    expect(
      value(
        { after: { launch_template: [{}] }, unknown, sensitive },
        { launch_template: [{ id: refers('local.id') }] },
      ),
    ).toEqual({
      launch_template: [{ id: '?', name: null }],
      ami_type: null,
      id: '?',
      node_repair_config: null,
      // Nobody sets it; a dynamic block may.
      remote_access: '?',
    });
  });

  it('that are left to AWS because an expression gives null are absent', () => {
    const unknown = { ami_type: true, version: true, capacity_type: true };
    expect(
      value({ unknown }, { ami_type: refers('var.ami_type'), version: refers('local.version'), capacity_type: {} }),
    ).toEqual({ ami_type: null, version: '?', capacity_type: '?' });
  });

  it('that a module takes out of a map for the groups of an access entry are absent: nothing computes names of groups', () => {
    const groups = (type: string, ...references: readonly string[]) =>
      shown(
        valueAt(
          read(
            planText([change(`${type}.b["x"]`, { unknown: { kubernetes_groups: true } })], {
              resources: [
                configured(
                  `${type}.b`,
                  { kubernetes_groups: refers(...references) },
                  { for_each_expression: refers('local.entries') },
                ),
              ],
            }),
          ),
          `${type}.b["x"]`,
          'kubernetes_groups',
        ),
      );
    expect(groups('aws_eks_access_entry', 'each.value.kubernetes_groups', 'each.value')).toBe(null);
    expect(groups('aws_eks_access_entry', 'each.value.kubernetes_groups', 'each.value', 'terraform_data.groups')).toBe(
      '?',
    );
    expect(groups('aws_other', 'each.value.kubernetes_groups', 'each.value')).toBe('?');
  });

  it('without configuration stay unknown', () => {
    expect(value({ unknown: { ami_type: true } })).toEqual({ ami_type: '?' });
  });
});

describe('places', () => {
  const text = JSON.stringify(
    JSON.parse(
      planText([
        change('aws_a.x'),
        change('aws_a.b', { after: { block: [{ 'a/b': 'text' }] }, unknown: { block: [{ id: true }] } }),
      ]),
    ),
    undefined,
    1,
  );
  const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

  it('are those of the resource and of its attributes in the plan', () => {
    const plan = read(text);
    const instance = plan.instances.find(({ address }) => address === 'aws_a.b');
    expect(instance?.source.locate()).toMatchObject({ file: 'plan.json', line: lineOf('"address": "aws_a.b"') - 1 });
    expect(valueAt(plan, 'aws_a.b', 'block', 0, 'a/b')).toMatchObject({ kind: 'known' });
    const value = valueAt(plan, 'aws_a.b', 'block', 0, 'a/b');
    if (value.kind !== 'known') throw new Error('it is known');
    expect(value.source.locate()).toEqual({
      file: 'plan.json',
      line: lineOf('"a/b"'),
      column: 8,
      property: 'block[0]["a/b"]',
    });
    expect(value.source.inText?.('text', 2).locate()).toMatchObject({
      line: lineOf('"a/b"'),
      column: 8 + '"a/b": "te'.length,
    });
  });
});

describe('the region', () => {
  const provider = (region: object, module = '') => ({
    name: 'aws',
    ...(module === '' ? {} : { module_address: module }),
    expressions: { region },
  });
  const regionOf = (text: string) => read(text).instances[0]?.region;
  const root = { resources: [configured('aws_a.b')] };
  const withProvider = (region: object, more: Record<string, unknown> = {}, after: object = {}) =>
    regionOf(
      planText([change('aws_a.b', { after })], root, {
        configuration: { provider_config: { aws: provider(region) }, root_module: root },
        ...more,
      }),
    );

  it('is that of the provider, if it is known', () => {
    expect(withProvider({ constant_value: 'eu-central-1' })).toBe('eu-central-1');
    expect(withProvider(refers('var.region'), { variables: { region: { value: 'eu-west-1' } } })).toBe('eu-west-1');
    expect(
      withProvider(refers('var.config.region'), { variables: { config: { value: { region: 'eu-west-2' } } } }),
    ).toBe('eu-west-2');
    expect(withProvider(refers('local.region'))).toBeUndefined();
    expect(withProvider(refers('var.a', 'var.b'), { variables: { a: { value: 'eu' } } })).toBeUndefined();
  });

  it('is that of the resource before that of the provider', () => {
    expect(withProvider({ constant_value: 'eu-central-1' }, {}, { region: 'us-west-2' })).toBe('us-west-2');
  });

  it('is in the ARN of what exists already', () => {
    expect(withProvider(refers('local.region'), {}, { arn: 'arn:aws:eks:ap-south-1:111122223333:cluster/main' })).toBe(
      'ap-south-1',
    );
  });
});

describe('texts that are no plan', () => {
  it.each([
    [
      'a binary plan',
      'PK\u0003\u0004rest',
      /^error 1:1 this is a zip archive.*`terraform show -json FILE > plan\.json`/,
    ],
    [
      'the log of a plan',
      '{"@level":"info","@message":"Terraform 1.11.4"}\n{"@level":"info"}',
      /`terraform plan -json`, not a plan/,
    ],
    [
      'a state file',
      '{\n  "version": 4,\n  "terraform_version": "1.11.4", "resources": []}',
      /this is a state file of Terraform: run `terraform show -json/,
    ],
    ['schemas of providers', '{"format_version":"1.0","provider_schemas":{}}', /providers schema -json/],
    ['the outcome of validate', '{"format_version":"1.0","valid":true}', /validate -json/],
    ['other JSON', '{"a": 1}', /^error 1:1 this is no plan of Terraform/],
    ['a list', '[1]', /no plan of Terraform/],
    [
      'a plan that is cut off',
      '{"format_version":"1.2",\n"planned_values":{',
      /^error 2:19 the text ends here, but the "\{" of line 2 is not closed/,
    ],
    ['nothing', '', /^error 1:1 the file is empty/],
  ])('%s is refused', (_, text, message) => {
    expect(read(text)).toMatchObject({ instances: [], summary: undefined });
    expect(messages(text)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['stopped with an error', { errored: true }, /stopped with an error/],
    ['is made for targets', { complete: false }, /not complete/],
    ['has no configuration', { configuration: undefined }, /holds no configuration/],
    ['is of a newer format', { format_version: '2.0' }, /format version 2\.0 is newer/],
  ])('a plan that %s is read with a warning', (_, more, message) => {
    const text = planText([change('aws_a.b')], {}, more);
    expect(messages(text)).toEqual([expect.stringMatching(new RegExp(`^warning 1:1 .*${message.source}`))]);
    expect(addresses(text)).toEqual(['aws_a.b']);
  });

  it('a plan from which the version of its format was cut is one', () => {
    const text = planText([change('aws_a.b')], {}, { format_version: undefined });
    expect(looksLikePlan(text)).toBe(true);
    expect(read(text)).toMatchObject({ diagnostics: [], summary: { resources: 1 } });
    expect(looksLikePlan('{"resource_changes":[]}')).toBe(false);
    expect(looksLikePlan('{"Resources":{"A":{"Properties":{"planned_values":{}}}}}')).toBe(false);
  });

  it('a plan of an old or of the current format gives no warning', () => {
    for (const format_version of ['0.1', '0.2', '1.0', '1.2'])
      expect(messages(planText([], {}, { format_version }))).toEqual([]);
  });
});

describe('a state', () => {
  const state = JSON.stringify({
    format_version: '1.0',
    terraform_version: '1.11.4',
    values: {
      root_module: {
        resources: [
          {
            ...change('aws_eks_cluster.a'),
            values: { name: 'main', arn: 'arn:aws:eks:eu-west-1:111122223333:cluster/main' },
            sensitive_values: {},
          },
        ],
      },
    },
  });

  it('is read, with a warning that says what is not in it', () => {
    const plan = read(state);
    expect(plan.instances.map(({ address, region }) => [address, region])).toEqual([
      ['aws_eks_cluster.a', 'eu-west-1'],
    ]);
    expect(shown(valueAt(plan, 'aws_eks_cluster.a', 'name'))).toBe('main');
    expect(messages(state)).toEqual([expect.stringMatching(/^warning 1:1 this is a state, not a plan/)]);
  });

  it('may be empty', () => {
    expect(read('{"format_version":"1.0"}')).toMatchObject({ instances: [], summary: { resources: 0 } });
  });
});

describe('any input', () => {
  const keys = fc.constantFrom(
    'resource_changes',
    'change',
    'after',
    'after_unknown',
    'values',
    'root_module',
    'resources',
    'child_modules',
    'expressions',
    'references',
    'module_calls',
    'a',
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(null, true, 'aws_a.b', 'var.a', 1),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
    ),
  })).node;

  it('is read without a throw', () => {
    fc.assert(
      fc.property(tree, tree, tree, (changes, values, configuration) => {
        for (const { attributes, region, source } of read(
          JSON.stringify({
            format_version: '1.2',
            resource_changes: [changes, { ...change('aws_a.b'), change: changes }],
            planned_values: values,
            configuration,
          }),
        ).instances) {
          shown(attributes);
          source.locate();
          expect(region).toBeUndefined();
        }
      }),
      { numRuns: runs(200) },
    );
  });

  itWithAll('takes time in proportion to its size', () => {
    const many = (count: number) => {
      const changes = Array.from({ length: count }, (_, index) =>
        change(`aws_launch_template.a[${index}]`, { after: { name: 'x'.repeat(200) }, unknown: { id: true } }),
      );
      const root = {
        resources: [
          configured('aws_launch_template.a', { name: refers('var.name') }, { count_expression: refers('var.count') }),
        ],
      };
      return planText(changes, root);
    };
    const time = (text: string) => {
      const elapsed = cpuTime();
      for (const { attributes, source } of read(text).instances) if (attributes.kind === 'known') source.locate();
      return elapsed();
    };
    const small = many(500);
    const large = many(8000);
    time(small);
    expect(time(large)).toBeLessThan(Math.max(time(small) * 100, 2000));
  });
});
