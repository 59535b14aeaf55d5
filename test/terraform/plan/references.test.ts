import { isIdentifier } from '../../../lib/terraform/plan/links';
import { readPlan } from '../../../lib/terraform/plan/plan';
import type { Origin } from '../../../lib/terraform/plan/references';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { change, configured, planText, refers, shown, valueAt } from './plans';

const NODES = 'aws_eks_node_group.n';
const template = (address: string, unknown: object = { id: true, latest_version: true }) =>
  change(address, { unknown });
const role = (address: string) => change(address, { unknown: { arn: true, name: true } });
/** A node group of which one attribute isn't known. */
const nodes = (attribute: 'id' | 'node_role_arn' | 'version' | 'labels', address = NODES) =>
  change(
    address,
    attribute === 'id'
      ? { after: { launch_template: [{ version: '1' }] }, unknown: { launch_template: [{ id: true }] } }
      : { unknown: { [attribute]: true } },
  );

function idOf(changes: readonly unknown[], rootModule: Record<string, unknown>, address = NODES): unknown {
  return shown(valueAt(readPlan(planText(changes, rootModule), 'p.json'), address, 'launch_template', 0, 'id'));
}

const usesId = (...references: string[]) => configured(NODES, { launch_template: [{ id: refers(...references) }] });

describe('a reference', () => {
  it('leads to the instance, with attribute, text and symbol', () => {
    const plan = readPlan(
      planText([template('aws_launch_template.t'), nodes('id')], {
        resources: [usesId('aws_launch_template.t.id'), configured('aws_launch_template.t')],
      }),
      'infra/p.json',
    );
    const target = plan.instances.find(({ address }) => address === 'aws_launch_template.t');
    expect(valueAt(plan, NODES, 'launch_template', 0, 'id')).toMatchObject({
      text: '${aws_launch_template.t.id}',
      symbol: 'infra/p ${aws_launch_template.t.id}',
      reference: { resource: target, attribute: 'id' },
    });
  });

  it.each([
    ['an index', 'aws_launch_template.t[1].id', '?${aws_launch_template.t[1].id}'],
    ['a key', 'aws_launch_template.k["a.b"].id', '?${aws_launch_template.k["a.b"].id}'],
    ['an instance that is not there', 'aws_launch_template.t[7].id', null],
    ['one of many, not told which', 'aws_launch_template.t', '?'],
  ])('by %s', (_, reference, expected) => {
    const changes = [
      template('aws_launch_template.t[0]'),
      template('aws_launch_template.t[1]'),
      template('aws_launch_template.k["a.b"]'),
      nodes('id'),
    ];
    expect(idOf(changes, { resources: [usesId(reference)] })).toBe(expected);
  });

  it('to the instance of the own key', () => {
    const changes = [
      template('aws_launch_template.t["a"]'),
      template('aws_launch_template.t["b"]'),
      nodes('id', `${NODES}["b"]`),
    ];
    expect(idOf(changes, { resources: [usesId('aws_launch_template.t', 'each.key')] }, `${NODES}["b"]`)).toBe(
      '?${aws_launch_template.t["b"].id}',
    );
  });

  it('through the resource of for_each', () => {
    const changes = [
      template('aws_launch_template.t["a"]'),
      template('aws_launch_template.t["b"]'),
      nodes('id', `${NODES}["b"]`),
    ];
    const uses = { ...usesId('each.value.id'), for_each_expression: refers('aws_launch_template.t') };
    expect(idOf(changes, { resources: [uses] }, `${NODES}["b"]`)).toBe('?${aws_launch_template.t["b"].id}');
  });

  it('through inputs and outputs of modules', () => {
    const rootModule = {
      resources: [usesId('module.lt["x"].template')],
      module_calls: {
        lt: {
          expressions: { given: refers('aws_launch_template.root.id') },
          module: {
            outputs: { template: { expression: refers('module.deep.id') } },
            module_calls: {
              deep: {
                expressions: { id: refers('var.given') },
                module: { outputs: { id: { expression: refers('var.id') } } },
              },
            },
          },
        },
      },
    };
    expect(idOf([template('aws_launch_template.root'), nodes('id')], rootModule)).toBe(
      '?${aws_launch_template.root.id}',
    );
  });

  it.each(['id', 'name'])('to what modules are given as a whole, of which they take the %s', (attribute) => {
    const inner = {
      expressions: { template: refers('var.whole') },
      module: { resources: [usesId(`var.template.${attribute}`)] },
    };
    const rootModule = {
      module_calls: {
        o: { expressions: { whole: refers('aws_launch_template.root') }, module: { module_calls: { m: inner } } },
      },
    };
    const address = `module.o.module.m.${NODES}`;
    const changes = [template('aws_launch_template.root', { [attribute]: true }), nodes('id', address)];
    expect(idOf(changes, rootModule, address)).toBe(`?\${aws_launch_template.root.${attribute}}`);
  });

  it('of one of two templates is told by neither', () => {
    const changes = [template('aws_launch_template.a'), template('aws_launch_template.b'), nodes('id')];
    expect(
      idOf(changes, { resources: [usesId('var.which', 'aws_launch_template.a.id', 'aws_launch_template.b.id')] }),
    ).toBe('?');
  });

  it('that leads in circles ends', () => {
    const rootModule = {
      resources: [usesId('module.a.out')],
      module_calls: {
        a: {
          expressions: { x: refers('module.a.out') },
          module: { outputs: { out: { expression: refers('var.x') } } },
        },
      },
    };
    expect(idOf([nodes('id')], rootModule)).toBe(null);
  });
});

describe('a template that a local or a dynamic block names', () => {
  const own = configured('aws_launch_template.t');
  const local = usesId('local.template');
  const dynamic = configured(NODES);

  it.each([
    ['a local', local],
    ['a dynamic block', dynamic],
  ])('is the only one of the module, by %s', (_, uses) => {
    expect(idOf([template('aws_launch_template.t'), nodes('id')], { resources: [own, uses] })).toBe(
      '?${aws_launch_template.t.id}',
    );
    // One that exists has an id, which would be told.
    expect(
      idOf([change('aws_launch_template.t', { after: { id: 'lt-0a' } }), nodes('id')], { resources: [own, uses] }),
    ).toBe('?');
    expect(
      idOf([template('aws_launch_template.t'), template('aws_launch_template.u'), nodes('id')], {
        resources: [own, uses],
      }),
    ).toBe('?');
    expect(idOf([template('module.a.aws_launch_template.t'), nodes('id')], { resources: [own, uses] })).toBe('?');
    const other = configured('aws_autoscaling_group.g', {
      launch_template: [{ id: refers('aws_launch_template.t.id') }],
    });
    expect(idOf([template('aws_launch_template.t'), nodes('id')], { resources: [own, uses, other] })).toBe('?');
  });

  it('is told by its id, and its name is what AWS says', () => {
    const group = change(NODES, {
      after: { launch_template: [{}] },
      unknown: { launch_template: [{ id: true, name: true }] },
    });
    const plan = readPlan(
      planText([template('aws_launch_template.t'), group], { resources: [own, dynamic] }),
      'p.json',
    );
    expect(shown(valueAt(plan, NODES, 'launch_template'))).toEqual([
      { id: '?${aws_launch_template.t.id}', name: null },
    ]);
  });
});

describe('a template that is named', () => {
  const templateOf = (expressions: Record<string, unknown>) => {
    const template = change('aws_launch_template.own', { after: { name: 'workers' }, unknown: { id: true } });
    const group = change('aws_eks_node_group.a', {
      after: { launch_template: [{ name: 'workers', version: '1' }] },
      unknown: { launch_template: [{ id: true }] },
    });
    const plan = readPlan(
      planText([template, group], {
        resources: [
          configured('aws_launch_template.own', { name: { constant_value: 'workers' } }),
          configured('aws_eks_node_group.a', expressions),
        ],
      }),
      'plan.json',
    );
    const [nodes] = readInstances(plan.instances).filter((one) => one.kind === 'node-group');
    return nodes?.launchTemplate.kind === 'known'
      ? nodes.launchTemplate.value.template.target?.id
      : nodes?.launchTemplate.kind;
  };

  it('is found by its name, which is known before its id', () => {
    expect(
      templateOf({
        launch_template: [{ name: refers('aws_launch_template.own.name'), version: { constant_value: '1' } }],
      }),
    ).toBe('aws_launch_template.own');
    // In a dynamic block.
    expect(templateOf({})).toBe('aws_launch_template.own');
  });
});

describe('an expression that refers to several', () => {
  const arnOf = (changes: readonly unknown[], ...references: string[]) =>
    shown(
      valueAt(
        readPlan(
          planText([...changes, nodes('node_role_arn')], {
            resources: [configured(NODES, { node_role_arn: refers(...references) })],
          }),
          'p.json',
        ),
        NODES,
        'node_role_arn',
      ),
    );

  it('names the only role among them', () => {
    expect(arnOf([role('aws_iam_role.r[0]')], 'var.create', 'aws_iam_role.r[0].arn', 'var.arn')).toBe(
      '?${aws_iam_role.r[0].arn}',
    );
    expect(arnOf([role('aws_iam_role.r[0]')], 'local.create', 'aws_iam_role.r[0].arn')).toBe(
      '?${aws_iam_role.r[0].arn}',
    );
    expect(
      arnOf(
        [role('aws_iam_role.r'), change('aws_iam_role.s', { after: { arn: 'arn:known' } })],
        'aws_iam_role.s.arn',
        'aws_iam_role.r.arn',
      ),
    ).toBe('?${aws_iam_role.r.arn}');
  });

  it('names no other resource or data source beside it', () => {
    const others = [
      change('data.aws_iam_role.d', { unknown: { arn: true } }),
      change('aws_iam_policy.p', { unknown: { arn: true } }),
      role('aws_iam_role.r'),
    ];
    expect(arnOf(others, 'data.aws_iam_role.d.arn', 'aws_iam_policy.p.arn', 'aws_iam_role.r.arn')).toBe(
      '?${aws_iam_role.r.arn}',
    );
    expect(arnOf(others, 'data.aws_iam_role.d.arn', 'var.x')).toBe('?');
    expect(arnOf(others, 'aws_iam_policy.p.arn', 'var.x')).toBe('?');
    // What is taken of the role is no ARN.
    expect(arnOf(others, 'aws_iam_role.r.name', 'var.x')).toBe('?');
    expect(arnOf([change('aws_iam_role.r', { unknown: { arn: [true] } })], 'aws_iam_role.r.arn[0]', 'var.x')).toBe('?');
    // The role as a whole is given, and its ARN is what isn't known of it.
    expect(arnOf([role('aws_iam_role.r')], 'aws_iam_role.r', 'var.x')).toBe('?${aws_iam_role.r.arn}');
    expect(
      arnOf([change('aws_iam_role.r', { after: { arn: 'a' }, unknown: { name: true } })], 'aws_iam_role.r', 'var.x'),
    ).toBe('?');
  });

  it('names none of two', () => {
    expect(arnOf([role('aws_iam_role.r'), role('aws_iam_role.s')], 'aws_iam_role.r.arn', 'aws_iam_role.s.arn')).toBe(
      '?',
    );
    expect(arnOf([role('aws_iam_role.r')], 'local.role')).toBe('?');
  });
});

describe('texts and lists that hold a reference', () => {
  const first = (
    attribute: string,
    reference: string,
    changes: readonly unknown[],
    options: Parameters<typeof change>[1],
  ) =>
    valueAt(
      readPlan(
        planText([...changes, change('aws_x.a', options)], {
          resources: [configured('aws_x.a', { [attribute]: refers(reference) })],
        }),
        'p.json',
      ),
      'aws_x.a',
      attribute,
    );
  const document = change('data.aws_iam_policy_document.d', { unknown: { json: true } });

  it.each([
    ['policy', 'data.aws_iam_policy_document.d.json', '?${data.aws_iam_policy_document.d.json}'],
    ['policy', 'aws_iam_role.r.arn', '?'],
    ['user_data', 'aws_iam_role.r.arn', '?'],
    ['configuration_values', 'aws_iam_role.r.arn', '?'],
    ['name', 'aws_iam_role.r.name', '?'],
    ['role', 'aws_iam_role.r.name', '?${aws_iam_role.r.name}'],
    ['security_group_ids', 'aws_iam_role.r.name', '?'],
  ])('%s = %s', (attribute, reference, expected) => {
    expect(
      shown(first(attribute, reference, [role('aws_iam_role.r'), document], { unknown: { [attribute]: true } })),
    ).toBe(expected);
  });

  it('a sensitive value that is but a reference', () => {
    const parameter = change('data.aws_ssm_parameter.p', { after: { value: 'ami-0a' }, sensitive: { value: true } });
    expect(
      shown(
        first('image_id', 'data.aws_ssm_parameter.p.value', [parameter], {
          after: { image_id: 'ami-0a' },
          sensitive: { image_id: true },
        }),
      ),
    ).toBe('?${data.aws_ssm_parameter.p.value}');
  });

  it('items of a list, where each has its own', () => {
    const text = (references: readonly string[]) =>
      planText(
        [
          role('aws_iam_role.r'),
          role('aws_iam_role.s'),
          change('aws_x.a', {
            after: { role_arns: [null, 'arn:known', null] },
            unknown: { role_arns: [true, false, true] },
          }),
        ],
        {
          resources: [configured('aws_x.a', { role_arns: refers(...references) })],
        },
      );
    const items = (...references: string[]) =>
      shown(valueAt(readPlan(text(references), 'p.json'), 'aws_x.a', 'role_arns'));
    expect(items('aws_iam_role.r.arn', 'aws_iam_role.s.arn')).toEqual([
      '?${aws_iam_role.r.arn}',
      'arn:known',
      '?${aws_iam_role.s.arn}',
    ]);
    expect(items('aws_iam_role.r.arn')).toEqual(['?', 'arn:known', '?']);
  });
});

it.each([
  [['cluster_name'], true],
  [['name'], false],
  [['metadata', 0, 'name'], true],
  [['metadata', 0, 'annotations'], false],
])('%j is the name of another resource as it stands: %s', (steps, expected) => {
  expect(isIdentifier(steps, { attribute: ['name'] } as unknown as Origin)).toBe(expected);
});
