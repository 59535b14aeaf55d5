import { readPlan } from '../../../lib/terraform/plan/plan';
import { change, planText } from './plans';

const secrets = (text: string) => readPlan(text, 'plan.json').secrets;
const of = (more: Record<string, unknown>, root: Record<string, unknown> = {}) => secrets(planText([], root, more));

describe('secrets of a plan', () => {
  it('are what changes mark, before and after', () => {
    const marked = {
      actions: ['update'],
      before: { password: 'old', user: 'u' },
      before_sensitive: { password: true },
      after: { password: 'new', user: 'u', keys: [{ a: 'x', b: 'y' }], port: 5432, on: true, all: { a: ['p', 7] } },
      after_sensitive: { password: true, keys: [{ b: true }], port: true, on: true, all: true },
    };
    expect(secrets(planText([{ ...change('aws_a.b'), change: marked }]))).toEqual([
      'old',
      'new',
      'y',
      '5432',
      'p',
      '7',
    ]);
    expect(of({ resource_drift: [{ ...change('aws_a.b'), change: marked }] })).toEqual(
      secrets(planText([{ ...change('aws_a.b'), change: marked }])),
    );
  });

  it('are outputs that change', () => {
    expect(
      of({
        output_changes: {
          token: { actions: ['create'], before: null, after: 't', before_sensitive: false, after_sensitive: true },
          name: { actions: ['create'], before: 'a', after: 'n', before_sensitive: false, after_sensitive: false },
        },
      }),
    ).toEqual(['t']);
  });

  it.each([
    ['planned_values', (values: unknown) => ({ planned_values: values })],
    ['values', (values: unknown) => ({ values })],
    ['prior_state', (values: unknown) => ({ prior_state: { values } })],
  ])('are outputs and resources of %s, in all modules', (_, within) => {
    const resource = (value: string) => ({
      ...change('aws_a.b'),
      values: { password: value, user: 'u' },
      sensitive_values: { password: true },
    });
    const values = {
      outputs: { a: { sensitive: true, value: ['o'] }, b: { sensitive: false, value: 'public' } },
      root_module: { resources: [resource('r')], child_modules: [{ resources: [resource('c')] }] },
    };
    expect(of(within(values))).toEqual(['o', 'r', 'c']);
  });

  it('are variables that are declared so, by default and as they are given', () => {
    const root = {
      variables: {
        password: { default: 'd', sensitive: true },
        token: { sensitive: true },
        name: { default: 'n' },
      },
      module_calls: {
        m: {
          expressions: { key: { constant_value: 'k' }, name: { constant_value: 'm' } },
          module: { variables: { key: { sensitive: true }, name: {}, other: { sensitive: true, default: 'e' } } },
        },
      },
    };
    expect(of({ variables: { password: { value: 'p' }, token: { value: 't' }, name: { value: 'n' } } }, root)).toEqual([
      'd',
      'p',
      't',
      'k',
      'e',
    ]);
  });

  it('are none where nothing is marked', () => {
    expect(of({ output_changes: [], resource_drift: {}, variables: null })).toEqual([]);
  });
});
