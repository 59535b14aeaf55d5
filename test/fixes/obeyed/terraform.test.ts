import { examplesOf } from '../../../lib/cli/rules/page-examples';
import { allRules } from '../../../lib/rules';
import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/** What words have to tell beside the code: which of two settings stays, and further steps. */
const OPEN: ReadonlySet<string> = new Set([
  'cluster-network-addons no-cni',
  'cluster-support-type tooLate',
  'node-group-update-config both',
]);

describe('an advice for the wrong example of a page, obeyed word by word, works or is words alone:', () => {
  const examples = allRules.flatMap(({ id, examples: page = '' }) =>
    examplesOf(id, page).flatMap(({ language, message, text }): [string, string, string, string][] =>
      language === 'hcl' && message !== undefined ? [[`${id} ${message}`, id, message, text]] : [],
    ),
  );

  it.each(examples.filter(([name]) => !OPEN.has(name)))('%s', (_, id, message, text) => {
    const found = checkedHcl(text).findings.filter(({ rule, messageId }) => rule === id && messageId === message);
    expect(found.length).toBeGreaterThan(0);
    for (const finding of found) expect(outcomeOf(text, finding)).toMatch(/^(?:works|prose)$/);
  });

  it('works for more than a third of them', () => {
    const outcomes = examples.flatMap(([, id, message, text]) =>
      checkedHcl(text)
        .findings.filter(({ rule, messageId }) => rule === id && messageId === message)
        .map((finding) => outcomeOf(text, finding)),
    );
    expect(outcomes.filter((one) => one === 'works').length).toBeGreaterThan(outcomes.length / 3);
  });
});
