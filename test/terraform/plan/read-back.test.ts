import { readPlan } from '../../../lib/terraform/plan/plan';
import { change, configured, planText, refers, valueAt } from './plans';

const GROUP = 'aws_eks_node_group.a';

/** An entry of `resource_changes` for what exists. */
function existing(address: string, before: object, after: object = before): Record<string, unknown> {
  const entry = change(address, { after });
  return {
    ...entry,
    change: { ...(entry['change'] as object), actions: [before === after ? 'no-op' : 'update'], before },
  };
}

function markAt(text: string, address: string, ...path: (string | number)[]): unknown {
  const value = valueAt(readPlan(text, 'plan.json'), address, ...path);
  return value.kind === 'known' ? (value.source.readBack ?? 'written') : value.kind;
}

describe('what a plan holds of something that exists', () => {
  const attributes = {
    node_group_name: 'a',
    cluster_name: 'main',
    version: '1.34',
    release_version: '1.34.0-20251112',
    ami_type: 'AL2023_x86_64_STANDARD',
    instance_types: ['t3.medium'],
    disk_size: 20,
  };
  const mark = (expressions: Record<string, unknown>, name: string, more: Record<string, unknown> = {}) =>
    markAt(planText([existing(GROUP, attributes)], { resources: [configured(GROUP, expressions)] }, more), GROUP, name);

  it('is what AWS answers where nothing is written, and the value is kept', () => {
    const text = planText([existing(GROUP, attributes)], {
      resources: [configured(GROUP, { cluster_name: { constant_value: 'main' } })],
    });
    expect(
      ['version', 'release_version', 'ami_type', 'instance_types', 'disk_size'].map((name) =>
        markAt(text, GROUP, name),
      ),
    ).toEqual(Array(5).fill('surely'));
    expect(valueAt(readPlan(text, 'plan.json'), GROUP, 'version')).toMatchObject({ kind: 'known', value: '1.34' });
    // Attributes that nobody but the user sets.
    expect(markAt(text, GROUP, 'cluster_name')).toBe('written');
  });

  it('is written where the configuration gives the same value', () => {
    expect(mark({ version: { constant_value: '1.34' } }, 'version')).toBe('written');
    expect(mark({ instance_types: { constant_value: ['t3.medium'] } }, 'instance_types')).toBe('written');
    expect(mark({ version: { constant_value: null } }, 'version')).toBe('surely');
    expect(mark({ version: refers('var.version') }, 'version', { variables: { version: { value: '1.34' } } })).toBe(
      'written',
    );
  });

  it('may be either where the plan does not tell', () => {
    expect(mark({ version: refers('local.version') }, 'version')).toBe('perhaps');
    expect(
      mark({ version: refers('var.version', 'var.image') }, 'version', {
        variables: { version: { value: '1.34' }, image: { value: 'ami-0a' } },
      }),
    ).toBe('perhaps');
    expect(mark({ version: refers('var.version') }, 'version', { variables: { version: { value: null } } })).toBe(
      'perhaps',
    );
    // Nothing of the configuration is there.
    expect(markAt(planText([existing(GROUP, attributes)]), GROUP, 'version')).toBe('perhaps');
    expect(
      markAt(
        planText(
          [],
          {},
          { planned_values: { root_module: { resources: [{ ...change(GROUP), values: attributes }] } } },
        ),
        GROUP,
        'version',
      ),
    ).toBe('perhaps');
  });

  it('is written where the plan changes it, and where the resource is new', () => {
    const resources = [configured(GROUP, { version: refers('local.version') })];
    expect(
      markAt(
        planText([existing(GROUP, attributes, { ...attributes, version: '1.35' })], { resources }),
        GROUP,
        'version',
      ),
    ).toBe('written');
    expect(markAt(planText([change(GROUP, { after: attributes })], { resources }), GROUP, 'version')).toBe('written');
  });

  it('is followed through for_each and modules', () => {
    const group = (module: string) => ({
      ...existing(`${GROUP}["x"]`, attributes),
      address: `${module}${GROUP}["x"]`,
      ...(module === '' ? {} : { module_address: module.slice(0, -1) }),
    });
    const each = configured(
      GROUP,
      { version: refers('each.value.version') },
      { for_each_expression: refers('var.groups') },
    );
    const variables = { groups: { value: { x: { version: '1.34' } } } };
    expect(markAt(planText([group('')], { resources: [each] }, { variables }), `${GROUP}["x"]`, 'version')).toBe(
      'written',
    );
    const call = {
      expressions: { groups: refers('var.groups') },
      module: { resources: [each], variables: { groups: {} } },
    };
    expect(
      markAt(
        planText([group('module.m.')], { module_calls: { m: call } }, { variables }),
        `module.m.${GROUP}["x"]`,
        'version',
      ),
    ).toBe('written');
    const byDefault = (groups: object) => {
      const open = { expressions: {}, module: { resources: [each], variables: { groups: { default: groups } } } };
      return markAt(planText([group('module.m.')], { module_calls: { m: open } }), `module.m.${GROUP}["x"]`, 'version');
    };
    expect(byDefault({ x: { version: '1.34' } })).toBe('written');
    expect(byDefault({ x: {} })).toBe('perhaps');
  });

  it('is never written where EKS answers with the AMI of the template', () => {
    const own = { ...attributes, release_version: 'ami-0123456789abcdef0' };
    const text = planText([existing(GROUP, own)], {
      resources: [configured(GROUP, { version: refers('var.a', 'var.b'), release_version: refers('var.a', 'var.c') })],
    });
    expect([markAt(text, GROUP, 'version'), markAt(text, GROUP, 'release_version')]).toEqual(['surely', 'surely']);
  });

  it('tells of nested blocks as much as their configuration does', () => {
    const template = {
      name: 't',
      metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: 1 }],
      instance_type: 'm7i.large',
    };
    const text = (expressions: Record<string, unknown>) =>
      planText([existing('aws_launch_template.t', template)], {
        resources: [configured('aws_launch_template.t', expressions)],
      });
    const at = (expressions: Record<string, unknown>, name: string) =>
      markAt(text(expressions), 'aws_launch_template.t', 'metadata_options', 0, name);
    const written = { metadata_options: [{ http_tokens: { constant_value: 'required' } }] };
    expect([at(written, 'http_tokens'), at(written, 'http_put_response_hop_limit')]).toEqual(['written', 'surely']);
    // A dynamic block, or none.
    expect([at({}, 'http_tokens'), at({}, 'http_put_response_hop_limit')]).toEqual(['perhaps', 'perhaps']);
    expect(markAt(text({}), 'aws_launch_template.t', 'instance_type')).toBe('written');
  });
});
