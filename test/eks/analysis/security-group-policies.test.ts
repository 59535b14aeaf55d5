import * as fc from 'fast-check';
import { runs } from '../../share';
import { EksModel, namespaceOf, nowhere, securityGroupPoliciesOf, selects, Unknown, type Data } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { CLUSTER, manifest, resources } from '../../rules/node-templates';
import { policy } from '../../rules/vpc-cni/pod-eni-templates';

const UNKNOWN = new Unknown('it is decided later', nowhere);
const expression = (operator: Data, values?: Data, key: Data = 'app'): Data => ({
  matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
});

describe('selects', () => {
  it.each<[string, Data, Data | undefined, 'yes' | 'no' | 'maybe']>([
    ['an empty selector fits everything', {}, { app: 'web' }, 'yes'],
    ['an empty selector fits what has no labels', {}, undefined, 'yes'],
    ['an empty selector fits labels that are not known', {}, UNKNOWN, 'yes'],
    ['empty fields are an empty selector', { matchLabels: {}, matchExpressions: [] }, undefined, 'yes'],
    ['null fields are an empty selector', { matchLabels: null, matchExpressions: null }, undefined, 'yes'],
    ['a label fits', { matchLabels: { app: 'web' } }, { app: 'web', tier: 'a' }, 'yes'],
    ['a label has another value', { matchLabels: { app: 'web' } }, { app: 'api' }, 'no'],
    ['a label is missing', { matchLabels: { app: 'web' } }, undefined, 'no'],
    ['a label is only inherited by JavaScript objects', { matchLabels: { constructor: 'x' } }, {}, 'no'],
    ['all labels must fit', { matchLabels: { app: 'web', tier: 'a' } }, { app: 'web' }, 'no'],
    ['In', expression('In', ['api', 'web']), { app: 'web' }, 'yes'],
    ['In, another value', expression('In', ['api']), { app: 'web' }, 'no'],
    ['In, no label', expression('In', ['api']), {}, 'no'],
    ['NotIn', expression('NotIn', ['api']), { app: 'web' }, 'yes'],
    ['NotIn, the value', expression('NotIn', ['web']), { app: 'web' }, 'no'],
    ['NotIn fits where the label is missing', expression('NotIn', ['web']), undefined, 'yes'],
    ['Exists', expression('Exists'), { app: 'web' }, 'yes'],
    ['Exists, no label', expression('Exists'), {}, 'no'],
    ['Exists with an empty list of values', expression('Exists', []), { app: 'web' }, 'yes'],
    ['DoesNotExist', expression('DoesNotExist'), {}, 'yes'],
    ['DoesNotExist, with the label', expression('DoesNotExist'), { app: 'web' }, 'no'],
    [
      'labels and expressions must both fit',
      { matchLabels: { app: 'web' }, ...(expression('Exists', undefined, 'tier') as object) },
      { app: 'web' },
      'no',
    ],
    // The controller can't read these and passes over the policy.
    ['an operator that is none', expression('in', ['web']), { app: 'web' }, 'no'],
    ['In without values', expression('In'), { app: 'web' }, 'no'],
    ['NotIn with an empty list', expression('NotIn', []), { app: 'web' }, 'no'],
    ['Exists with values', expression('Exists', ['web']), { app: 'web' }, 'no'],
    ['a selector that is text', 'app=web', { app: 'web' }, 'no'],
    ['null', null, {}, 'no'],
    // What isn't known.
    ['a selector that is not known', UNKNOWN, { app: 'web' }, 'maybe'],
    ['labels that are not known', { matchLabels: { app: 'web' } }, UNKNOWN, 'maybe'],
    ['a value that is not known', { matchLabels: { app: UNKNOWN } }, { app: 'web' }, 'maybe'],
    ['a value that is not known of a label that is missing', { matchLabels: { app: UNKNOWN } }, {}, 'no'],
    ['a label whose value is not known', { matchLabels: { app: 'web' } }, { app: UNKNOWN }, 'maybe'],
    ['a key that is not known', { matchLabels: { '${Key}': 'web' } }, { app: 'web' }, 'maybe'],
    ['a label behind a key that is not known', { matchLabels: { app: 'web' } }, { '${Key}': 'web' }, 'maybe'],
    ['one that surely does not fit decides', { matchLabels: { app: UNKNOWN, tier: 'a' } }, { app: 'web' }, 'no'],
    ['all labels are not known', { matchLabels: UNKNOWN }, {}, 'maybe'],
    ['all expressions are not known', { matchExpressions: UNKNOWN }, {}, 'maybe'],
    ['an expression that is not known', { matchExpressions: [UNKNOWN] }, {}, 'maybe'],
    ['an operator that is not known', expression(UNKNOWN, ['web']), { app: 'web' }, 'maybe'],
    ['a key of an expression that is not known', expression('Exists', undefined, UNKNOWN), {}, 'maybe'],
    ['values that are not known', expression('In', UNKNOWN), { app: 'web' }, 'maybe'],
    ['a value of the list that is not known', expression('In', ['api', UNKNOWN]), { app: 'web' }, 'maybe'],
    [
      'a value of the list that is not known does not matter beside the right one',
      expression('In', ['web', UNKNOWN]),
      { app: 'web' },
      'yes',
    ],
    ['a value of the list that is not known does not matter without the label', expression('In', [UNKNOWN]), {}, 'no'],
    ['NotIn with a value that is not known', expression('NotIn', [UNKNOWN]), { app: 'web' }, 'maybe'],
    ['Exists, and a label whose value is not known', expression('Exists'), { app: UNKNOWN }, 'yes'],
    ['DoesNotExist, and a label whose value is not known', expression('DoesNotExist'), { app: UNKNOWN }, 'no'],
    ['Exists, and a key that is not known', expression('Exists'), { '${Key}': 'x' }, 'maybe'],
    ['Exists, and labels that are not known', expression('Exists'), UNKNOWN, 'maybe'],
    ['labels directly in the selector', { app: 'web' }, { app: 'web' }, 'maybe'],
  ])('%s', (_, selector, labels, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });

  const label = fc.constantFrom('a', 'b');
  const value = fc.constantFrom<Data>('1', '2', UNKNOWN);
  const map = fc.dictionary(label, value, { noNullPrototype: true });
  const selectors = fc.record({
    matchLabels: map,
    matchExpressions: fc.array(
      fc.record({
        key: label,
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
        values: fc.array(value, { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  });

  it('never contradicts itself when more becomes known', () => {
    fc.assert(
      fc.property(selectors, map, fc.constantFrom('1', '2', '3'), (selector, labels, text) => {
        const before = selects(selector, labels);
        const after = selects(resolved(selector, text), resolved(labels, text));
        expect(after).not.toBe('maybe');
        if (before !== 'maybe') expect(after).toBe(before);
      }),
      { numRuns: runs(300) },
    );
  });
});

/** With every unknown part replaced by a text. */
function resolved(data: Data, text: string): Data {
  if (data instanceof Unknown) return text;
  if (Array.isArray(data)) return (data as readonly Data[]).map((item) => resolved(item, text));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries<Data>(data as Readonly<Record<string, Data>>).map(([key, value]) => [key, resolved(value, text)]),
  );
}

describe('namespaceOf', () => {
  it.each<[Data, string | undefined]>([
    [{ metadata: { namespace: 'shop' } }, 'shop'],
    [{ metadata: { namespace: null } }, 'default'],
    [{ metadata: {} }, 'default'],
    [{}, 'default'],
    [{ metadata: { namespace: UNKNOWN } }, undefined],
    [{ metadata: UNKNOWN }, undefined],
    [UNKNOWN, undefined],
  ])('%j', (object, expected) => {
    expect(namespaceOf(object)).toBe(expected);
  });
});

describe('securityGroupPoliciesOf', () => {
  const policiesIn = (...blocks: readonly string[]) => {
    const [view] = new EksModel(
      readTemplates([{ file: 'template.yaml', text: resources(CLUSTER, ...blocks) }]).resources,
    ).clusterViews;
    return view === undefined ? [] : securityGroupPoliciesOf(view);
  };

  it('gives what policies say', () => {
    expect(policiesIn(policy('Web'), manifest('Map', { kind: 'ConfigMap' }))).toMatchObject([
      {
        label: 'web',
        namespace: 'shop',
        podSelector: { matchLabels: { app: 'web' } },
        serviceAccountSelector: undefined,
        groupIds: ['sg-0123456789abcdef0'],
      },
    ]);
  });

  it('takes null as not written, and the resource for a name', () => {
    expect(
      policiesIn(
        manifest('Some', {
          kind: 'SecurityGroupPolicy',
          spec: { podSelector: null, serviceAccountSelector: {}, securityGroups: null },
        }),
      ),
    ).toMatchObject([
      { label: 'Some', namespace: 'default', podSelector: undefined, serviceAccountSelector: {}, groupIds: undefined },
    ]);
  });
});
