import { ConfigurationError, defineRule, resolveConfiguration, type Configuration } from '../../lib/engine';
import { rulesOf } from '../../lib/engine/configuration';
import { unknownRule } from '../../lib/engine/unknown-rule';

function rule(id: string, more: object = {}) {
  return defineRule({
    id,
    subject: 'node-group',
    title: 'T',
    severity: 'warning',
    since: '',
    messages: {},
    check: () => [],
    ...more,
  });
}
const options = {
  style: { description: '', allowed: ['short', 'long'], default: 'short' },
  other: { description: '', allowed: ['a'], default: 'a' },
};
const builtIn = [rule('imds-v1', { strictSeverity: 'error' }), rule('imds-hop-limit', { options })];
const own = { id: 'acme-rule', title: 'T', severity: 'error', messages: {}, check: () => [] };
const resolve = (configuration: unknown) => resolveConfiguration(configuration as Configuration, builtIn);

describe('what is set', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', {}, [undefined, undefined]],
    ['a level', { rules: { 'imds-v1': 'off' } }, ['off', undefined]],
    [
      'a level with options',
      { rules: { 'imds-hop-limit': { level: 'error', options: { style: 'long' } } } },
      [undefined, 'error'],
    ],
    ['preset strict', { preset: 'strict' }, ['error', undefined]],
    ['preset all', { preset: 'all' }, [undefined, undefined]],
    ['a level in preset strict', { preset: 'strict', rules: { 'imds-v1': 'info' } }, ['info', undefined]],
    ['an empty setting in preset strict', { preset: 'strict', rules: { 'imds-v1': {} } }, ['error', undefined]],
    [
      'an undefined setting in preset strict',
      { preset: 'strict', rules: { 'imds-v1': undefined } },
      ['error', undefined],
    ],
  ])('%s', (_, configuration, levels) => {
    const settings = resolve(configuration);
    expect(['imds-v1', 'imds-hop-limit'].map((id) => settings.get(id)?.level)).toEqual(levels);
  });

  it('are options beside those that stay as they are', () => {
    const optionsOf = (configuration: object) => resolve(configuration).get('imds-hop-limit')?.options;
    expect(optionsOf({})).toEqual({ style: 'short', other: 'a' });
    expect(optionsOf({ rules: { 'imds-hop-limit': { options: { style: 'long' } } } })).toEqual({
      style: 'long',
      other: 'a',
    });
    expect(resolve({}).get('imds-v1')?.options).toEqual({});
  });

  it('may be what the engine itself reports', () => {
    expect(resolve({ rules: { 'suppression-unused': 'off' } }).get('suppression-unused')).toEqual({
      level: 'off',
      options: {},
    });
  });
});

it.each<[unknown, string]>([
  [{ preset: 'srict' }, 'there is no preset "srict"; did you mean "strict"? the presets are recommended, strict, all'],
  [{ preset: 'x' }, 'there is no preset "x"; the presets are recommended, strict, all'],
  [{ asOf: 'today' }, 'asOf is "today", which is no day'],
  [{ rules: { 'imds-v9': 'off' } }, 'there is no rule "imds-v9"; did you mean "imds-v1"?'],
  [{ rules: { 'suppression-unusd': 'off' } }, 'did you mean "suppression-unused"?'],
  [{ rules: { 'rule-crashed': 'off' } }, 'rule-crashed says that something was not checked'],
  [
    { rules: { 'imds-v1': 'eror' } },
    '"eror" is no level of rule imds-v1; did you mean "error"? the levels are off, info, warning, error',
  ],
  [
    { rules: { 'imds-v1': { level: 'x' } } },
    '"x" is no level of rule imds-v1; the levels are off, info, warning, error',
  ],
  [{ rules: { 'imds-v1': { options: { style: 'long' } } } }, 'rule imds-v1 has no option "style"; it has none'],
  [
    { rules: { 'imds-hop-limit': { options: { styl: 'long' } } } },
    'rule imds-hop-limit has no option "styl"; did you mean "style"? it has style, other',
  ],
  [
    { rules: { 'imds-hop-limit': { options: { xyz: 'long' } } } },
    'rule imds-hop-limit has no option "xyz"; it has style, other',
  ],
  [
    { rules: { 'imds-hop-limit': { options: { style: 'lng' } } } },
    'option "style" of rule imds-hop-limit is one of short, long, not "lng"; did you mean "long"?',
  ],
  [
    { rules: { 'imds-hop-limit': { options: { style: 'xyz' } } } },
    'option "style" of rule imds-hop-limit is one of short, long, not "xyz"',
  ],
  [
    { rules: { 'suppression-unused': { options: { a: 'b' } } } },
    'rule suppression-unused has no option "a"; it has none',
  ],
  [{ customRules: [{ ...own, id: 'imds-v1' }] }, 'the custom rule "imds-v1" has the id of a built-in rule'],
  [{ customRules: [{ ...own, id: 'rule-crashed' }] }, 'the custom rule "rule-crashed" has the id of a built-in rule'],
  [
    { customRules: [{ ...own, id: 'suppression-unused' }] },
    'the custom rule "suppression-unused" has the id of a built-in rule',
  ],
  [{ customRules: [own, { ...own }] }, 'two custom rules have the id "acme-rule"'],
  [{ customRules: [null] }, 'a custom rule is what defineRule gives, not null'],
])('%j is refused: %s', (configuration, message) => {
  expect(() => resolve(configuration)).toThrow(ConfigurationError);
  const end = message.endsWith('?') || !message.startsWith('option') ? '' : '$';
  expect(() => resolve(configuration)).toThrow(new RegExp(message.replaceAll(/[?.]/g, '\\$&') + end));
});

it("rules are the built-in ones and then the user's own, each once", () => {
  expect(rulesOf({}, builtIn)).toBe(builtIn);
  const configuration = { customRules: [own, own, { ...own, id: 'acme-other' }] } as unknown as Configuration;
  expect(rulesOf(configuration, builtIn).map(({ id }) => id)).toEqual([
    'imds-v1',
    'imds-hop-limit',
    'acme-rule',
    'acme-other',
  ]);
  expect(
    resolveConfiguration({ ...configuration, rules: { 'acme-rule': 'info' } }, builtIn).get('acme-rule')?.level,
  ).toBe('info');
});

it.each([
  ['IMDS-V1', 'imds-v1'],
  ['imsd-v2', 'imds-v1'],
  // A piece of four letters is enough.
  ['hop-limit', 'imds-hop-limit'],
  ['IMDS', 'imds-v1'],
  ['mds', undefined],
  ['imxx-v12', 'imds-v1'],
  ['imxx-v123', undefined],
  // Of long names a third may differ.
  ['imds-hop-limits-of-two', undefined],
  ['imds-hop-limits-of', 'imds-hop-limit'],
  ['node-group-scaling', undefined],
])('for %s, %s is suggested', (id, meant) => {
  expect(unknownRule(id, builtIn)).toBe(
    `there is no rule "${id}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  );
});

it('nothing is suggested where there is nothing', () => {
  expect(unknownRule('imds-v1', [])).toBe('there is no rule "imds-v1"');
});
