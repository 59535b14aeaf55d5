import Ajv from 'ajv';
import fc from 'fast-check';
import { runs } from '../share';
import { configurationSchema } from '../../lib/configuration/content';
import { contentProblems } from '../../lib/configuration/load';
import { allRules } from '../../lib/rules';

const validate = new Ajv({ allErrors: false, strict: true, strictTypes: false, strictRequired: false }).compile(
  configurationSchema(allRules),
);
const accepts = (value: unknown): boolean => contentProblems(value, allRules).length === 0;

const full = {
  $schema: './node_modules/eks-guardrails/docs/eks-guardrails.config.schema.json',
  extends: ['./base.yaml', '@acme/eks-guardrails-config'],
  preset: 'strict',
  rules: {
    'imds-v1': 'off',
    'suppression-unused': 'error',
    'imds-hop-limit': { level: 'warning', options: { hopLimitOne: 'allow' } },
    'cluster-version-support': {},
  },
  ignores: [
    {
      rule: 'imds-*',
      resource: 'Prod/**',
      file: 'cdk.out/*.json',
      reason: 'Until the nodes are replaced',
      until: '2027-06-30',
    },
  ],
  parameters: {
    cloudformation: { A: 'a', B: 1, C: true, D: ['x', 2] },
    stacks: { prod: { A: 'b' } },
    terraform: { a: { b: [null, 1.5] }, c: 'd' },
  },
  failOn: 'warning',
  customRules: [],
};

describe('the JSON Schema', () => {
  it.each([
    ['everything', full],
    ['nothing', {}],
    ['own rules', { customRules: ['./rules.js'], rules: { 'my-rule': 'error', 'my-other': { options: { a: 'b' } } } }],
    ['rules of what is extended', { extends: 'acme', rules: { 'acme-rule': 'error' } }],
    ['rules of one of what is extended', { extends: ['acme'], rules: { 'acme-rule': 'error' } }],
  ])('accepts %s, as the reader does', (_, value) => {
    expect([validate(value), validate.errors ?? []]).toEqual([true, []]);
    expect(accepts(value)).toBe(true);
  });

  it.each([
    ['a misspelt setting', { presets: 'strict' }],
    ['an unknown rule', { rules: { 'imds-v9': 'off' } }],
    ['an unknown rule beside no modules', { customRules: [], rules: { 'my-rule': 'off' } }],
    ['an unknown rule where nothing is extended', { extends: [], rules: { 'my-rule': 'off' } }],
    ['a map in the place of what is extended', { extends: {} }],
    ['a blank in the place of what is extended', { extends: [' '] }],
    ['an unknown option', { rules: { 'imds-hop-limit': { options: { hopLimit: 'allow' } } } }],
    ['a built-in rule that is wrong beside own ones', { customRules: ['./a.js'], rules: { 'imds-v1': 'loud' } }],
    ['an ignore without reason', { ignores: [{ rule: 'imds-v1', resource: '*' }] }],
    [
      'an ignore until a day that does not exist',
      { ignores: [{ rule: 'imds-v1', resource: '*', reason: 'Known', until: '2027-02-30' }] },
    ],
    ['a level of what can not have one', { rules: { 'rule-crashed': 'off' } }],
    ['an option of what has none', { rules: { 'suppression-unused': { options: { a: 'b' } } } }],
    ['a list', []],
  ])('refuses %s, as the reader does', (_, value) => {
    expect(validate(value)).toBe(false);
    expect(accepts(value)).toBe(false);
  });

  const leaf = fc.constantFrom<unknown>(
    'off',
    'error',
    'strict',
    'warning',
    '*',
    '',
    ' ',
    '2027-06-30',
    '2027-6-30',
    '2028-02-29',
    '2027-02-29',
    '2100-02-29',
    '2027-04-31',
    0,
    1.5,
    true,
    null,
    [],
    {},
    ['a'],
    [{}],
    { level: 'info' },
    { options: {} },
    { 'my-rule': 'off' },
    'allow',
  );
  const name = fc.constantFrom(
    'preset',
    'rules',
    'ignores',
    'parameters',
    'failOn',
    'customRules',
    'extends',
    'level',
    'options',
    'reason',
    'until',
    'rule',
    'resource',
    'imds-v1',
    'my-rule',
    'hopLimitOne',
    'toString',
    '$schema',
    'stacks',
  );

  /** Replaces, adds or removes something at a random place. */
  function mutated(
    value: unknown,
    steps: readonly number[],
    key: string,
    replacement: unknown,
    action: 'set' | 'add' | 'remove',
  ): unknown {
    if (typeof value !== 'object' || value === null || steps.length === 0)
      return action === 'set' ? replacement : value;
    const entries = Object.entries(value);
    const [step = 0, ...rest] = steps;
    const index = entries.length === 0 ? -1 : step % entries.length;
    const changed = entries.flatMap(([entryKey, member], at): [string, unknown][] => {
      if (at !== index) return [[entryKey, member]];
      if (action === 'remove' && rest.length === 0) return [];
      return [
        [entryKey, action !== 'set' || rest.length > 0 ? mutated(member, rest, key, replacement, action) : replacement],
      ];
    });
    if (action === 'add' && rest.length === 0) changed.push([key, replacement]);
    return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
  }

  it('accepts what the reader accepts, and nothing else', () => {
    let accepted = 0;
    const mutation = fc.record({
      steps: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      key: name,
      replacement: leaf,
      action: fc.constantFrom<('set' | 'add' | 'remove')[]>('set', 'add', 'remove'),
    });
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 4 }), fc.boolean(), (mutations, hasOwn) => {
        const start: unknown = hasOwn ? { ...full, customRules: ['./a.js'] } : full;
        const value = mutations.reduce(
          (current, { steps, key, replacement, action }) => mutated(current, steps, key, replacement, action),
          start,
        );
        const isAccepted = accepts(value);
        if (isAccepted) accepted++;
        expect({ value, accepted: isAccepted }).toEqual({ value, accepted: validate(value) });
      }),
      { numRuns: runs(600) },
    );
    // Otherwise the property would say little.
    expect(accepted).toBeGreaterThan(50);
  });
});
