import { render } from '../../lib/reports';
import { unjudged, unjudgedText, unjudgedWithRules } from '../../lib/reports/unjudged';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const TEXT = 'Workers:\nOthers:\n';
const at = (text: string) => placeOf('nodes.yaml', TEXT, text);
const workers = resourceAt(at('Workers:'), { id: 'Workers', stack: 'shop' });
const others = resourceAt(at('Others:'), { id: 'Others', stack: 'shop' });
const elsewhere = resourceAt(at('Others:'), { id: 'Others', stack: 'office' });

const open = (resource: typeof workers, rule: string, cause?: string, more: object = {}) =>
  findingOn(resource, {
    rule,
    verdict: 'unverifiable',
    message: `${rule} is open.`,
    ...(cause === undefined ? {} : { cause }),
    ...more,
  });

describe('what keeps rules from judging', () => {
  it('is told once for all of them, that of the most first, and not for what fails or is accepted', () => {
    const [one, two, three] = [open(workers, 'a', 'x'), open(workers, 'b', 'y'), open(others, 'b', 'y')];
    const accepted = open(workers, 'c', 'z', { suppressed: { reason: 'known' } });
    const fails = findingOn(workers, { rule: 'd', cause: 'x' });
    expect(unjudged([one, two, accepted, fails, three])).toEqual([
      { cause: 'y', findings: [two, three] },
      { cause: 'x', findings: [one] },
    ]);
  });

  it.each([
    ['a rule, and a resource', [open(workers, 'a', 'x')], "a can't judge Workers: x"],
    ['rules', [open(workers, 'a', 'x'), open(workers, 'b', 'x')], "2 rules can't judge Workers: x"],
    ['resources', [open(workers, 'a', 'x'), open(others, 'a', 'x')], "a can't judge 2 resources: x"],
    [
      'resources of several stacks',
      [open(workers, 'a', 'x'), open(elsewhere, 'a', 'x')],
      "a can't judge 2 resources of 2 stacks: x",
    ],
    ['nothing', [open(workers, 'a')], "a can't judge Workers: the input does not tell enough"],
    ['a long cause', [open(workers, 'a', 'x'.repeat(141))], `a can't judge Workers: ${'x'.repeat(140)}...`],
    [
      'one that is just short enough',
      [open(workers, 'a', 'x'.repeat(140))],
      `a can't judge Workers: ${'x'.repeat(140)}`,
    ],
  ])('names %s', (_, findings, text) => {
    expect(unjudged(findings).map(unjudgedText)).toEqual([text]);
  });

  it('names the rules where it is told instead of their findings', () => {
    const told = (...findings: readonly ReturnType<typeof open>[]) => unjudged(findings).map(unjudgedWithRules);
    expect(told(open(workers, 'a', 'x'))).toEqual(['a is open.']);
    expect(told(open(workers, 'a', 'x'), open(others, 'a', 'x'))).toEqual(["a can't judge 2 resources: x."]);
    expect(told(open(workers, 'a', 'x'), open(workers, 'b', 'x'))).toEqual([
      "2 rules can't judge Workers: x. Not judged: a, b.",
    ]);
  });

  it('takes a line of the text, which says where it goes on', () => {
    const report = (cause: string) =>
      render('text', resultOf([open(workers, 'a', cause)]), contextWith({}, { width: 60 }));
    expect(report('short')).toContain("\n  a can't judge Workers: short\n");
    expect(report('a cause of many words '.repeat(4))).toMatch(
      /\n {2}a can't judge Workers: a cause of many words.*\.\.\.\n\n/,
    );
  });
});
