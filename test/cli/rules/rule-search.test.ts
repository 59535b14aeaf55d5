import { searchRules } from '../../../lib/cli/rules/rule-search';
import type { Rule } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';

const [some] = allRules;

const rule = (id: string, ...signs: string[]): Rule => {
  if (some === undefined) throw new Error('there are no rules');
  return { ...some, id, title: '', signs, symptom: '', messages: {} };
};

const RULES = [
  rule('tracking', 'Connections stall: the conntrack table overflows'),
  rule('waiting', 'Pods wait'),
  rule(
    'logged',
    '`failed to assign an address to the container` in the log of the plugin, on each node that has joined since',
  ),
];

const found = (text: string): string[] => searchRules(text, RULES).map(({ rule: { id } }) => id);

describe('a search for rules', () => {
  it.each([
    ['conntrack table overflows', ['tracking']],
    ['the CONNTRACK-table, overflows!', ['tracking']],
    ['conntrak tables overflow', ['tracking']],
    ['conn tabl over', ['tracking']],
    ['pods wait', ['waiting']],
    ['failed to assign an address', ['logged']],
  ])('finds %j', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  it.each([
    ['a short word that is only like one', 'pobs wait'],
    ['a word of five letters that is only like one', 'pods waint'],
    ['the beginning of a word that is too short', 'pod wait'],
    ['one word of many', 'wait for the quarterly revenue forecast'],
    ['nothing but words that tell nothing', 'the of and'],
  ])('finds nothing by %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});
