import fc from 'fast-check';
import { runs } from '../../share';
import { readDirective } from '../../../lib/languages/comments/directive';

describe('a comment that ignores', () => {
  it.each([
    ['eks-guardrails:ignore imds-v1 -- legacy agent', ['imds-v1'], 'legacy agent', undefined],
    [
      'eks-guardrails:ignore imds-v1, imds-hop-limit -- legacy agent',
      ['imds-v1', 'imds-hop-limit'],
      'legacy agent',
      undefined,
    ],
    ['eks-guardrails:ignore imds-v1,imds-v1 -- twice', ['imds-v1'], 'twice', undefined],
    ['eks-guardrails:ignore imds-v1 -- legacy agent (until 2027-01-31)', ['imds-v1'], 'legacy agent', '2027-01-31'],
    ['eks-guardrails:ignore imds-v1 -- legacy agent (until 2027-01-31).', ['imds-v1'], 'legacy agent', '2027-01-31'],
    [
      'eks-guardrails:ignore imds-v1 — an editor made one dash of two',
      ['imds-v1'],
      'an editor made one dash of two',
      undefined,
    ],
    [
      'eks-guardrails:ignore imds-v1 -- see TICKET-7 -- and the wiki',
      ['imds-v1'],
      'see TICKET-7 -- and the wiki',
      undefined,
    ],
    ['eks-guardrails:ignore imds-v1 -- kept (as agreed)', ['imds-v1'], 'kept (as agreed)', undefined],
    ['  eks-guardrails:ignore  imds-v1\n  --  over\n  two lines ', ['imds-v1'], 'over two lines', undefined],
    // The engine says that a reason is missing.
    ['eks-guardrails:ignore imds-v1', ['imds-v1'], undefined, undefined],
    ['eks-guardrails:ignore imds-v1 --', ['imds-v1'], undefined, undefined],
    ['eks-guardrails:ignore imds-v1 -- (until 2027-01-31)', ['imds-v1'], undefined, '2027-01-31'],
  ])('%j', (text, rules, reason, until) => {
    expect(readDirective(text)).toEqual({ rules, reason, until });
  });

  it.each([
    ['eks-guardrails:ignore', /names no rule/],
    ['eks-guardrails:ignore -- because', /names no rule/],
    ['eks-guardrails:ignore imds-v1, -- because', /a comma too many/],
    ['eks-guardrails:ignore imds-v1 imds-hop-limit -- because', /"imds-v1 imds-hop-limit" is no id of a rule/],
    ['eks-guardrails:ignore imds-v1: because', /"imds-v1: because" is no id/],
    ['eks-guardrails:ignore imds-v1 -- soon (until next week)', /"next week" is no day/],
    ['eks-guardrails:ignore imds-v1 -- soon (until 2027-02-30)', /"2027-02-30" is no day/],
    ['eks-guardrails-ignore: imds-v1', /isn't written as expected/],
    ['eks-guardrails: ignore imds-v1 -- because', /isn't written as expected/],
    ['eks-guardrails:skip=imds-v1:because', /isn't written as expected/],
    ['EKS-Guardrails:Ignore imds-v1 -- because', /isn't written as expected/],
    ['eks-guardrails:ignore=imds-v1', /isn't written as expected/],
    ['Eks-Guardrails:ignore imds-v1 -- because', /isn't written as expected/],
    ['eks-guardrail:ignore imds-v1 -- because', /isn't written as expected/],
    ['eks_guardrails:ignore imds-v1 -- because', /isn't written as expected/],
    ['eks-guardrails:ignor imds-v1 -- because', /isn't written as expected/],
    ['eks-guardrails:ingore imds-v1 -- because', /isn't written as expected/],
    ['nosec # eks-guardrails:ignore imds-v1 -- because', /has to be its beginning/],
    ['TODO eks-guardrails:ignore imds-v1', /has to be its beginning/],
    ['eks-guardrails:ignore imds-v1 -- because eks-guardrails:ignore imds-hop-limit -- because', /two decisions/],
  ])('%j is malformed', (text, problem) => {
    expect(readDirective(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it('looks for the reason behind the dash that stands alone', () => {
    expect(readDirective('eks-guardrails:ignore imds-v1 --x -- reason')).toEqual({
      problem: expect.stringContaining('"imds-v1 --x" is no id of a rule') as unknown,
    });
  });
  it.each([
    'ok (until 2020-01-01) see TICKET-1',
    'ok (until 2020-01-01), really',
    'ok [until 2020-01-01]',
    'ok until 2020-01-01',
    'ok until: 31.12.2020',
    'ok, expires 2020/12/31',
    'ok till 20200101',
    'ok (until next week) or later',
    'ok (until 2020-01-01) or (until 2027-01-31)',
    'ok (until 2027-01-31',
  ])('%j has an end that is not read, so it does not hold for ever', (reason) => {
    expect(readDirective(`eks-guardrails:ignore imds-v1 -- ${reason}`)).toEqual({
      problem: expect.stringContaining('the day on which it ends') as string,
    });
  });

  it.each(['(until 2020-01-01)', 'until 2020-01-01', 'and that is all (until 2027-01-31).', '[until 2027-01-31]'])(
    'has no end in the next line: %j',
    (below) => {
      expect(readDirective('eks-guardrails:ignore imds-v1 -- ok', below)).toEqual({
        problem: expect.stringContaining('stands in the next line') as string,
      });
    },
  );

  it('stands alone above another one', () => {
    expect(
      readDirective(
        'eks-guardrails:ignore imds-v1 -- ok',
        'eks-guardrails:ignore imds-hop-limit -- ok (until 2027-01-31)',
      ),
    ).toEqual({ rules: ['imds-v1'], reason: 'ok', until: undefined });
  });

  it.each([
    'kept until the migration ends',
    'kept until 1.29.15 is out',
    'agreed on 2026-11-01 with the owners',
    'see the page (expires with the contract)',
  ])('%j is just a reason', (reason) => {
    expect(readDirective(`eks-guardrails:ignore imds-v1 -- ${reason}`, 'the old agent, until it goes')).toEqual({
      rules: ['imds-v1'],
      reason,
      until: undefined,
    });
  });

  it.each([
    '',
    'eks-guardrails: see the docs',
    'eks-guardrails: disabled in CI',
    'eks-guardrails-action v1',
    'checked by eks-guardrails',
    'eks-guardrails ignores this',
    'see eks-guardrails:ignore in the docs',
    'eks-guardrails finds that a group ignores its taints',
    'tflint-ignore: all',
  ])('%j is another comment', (text) => {
    expect(readDirective(text)).toBeUndefined();
  });

  it('is read in linear time, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('eks-guardrails:ignore', ' ', '--', '—', '(until', ')', ',', 'imds-v1', '2027-01-31', '\n'),
        ),
        (parts) => {
          const read = readDirective(parts.join(''));
          if (read !== undefined && 'rules' in read) expect(read.rules.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(300) },
    );
    for (const filler of [' ', '(until ', '-- ', ', '])
      expect(() => readDirective(`eks-guardrails:ignore a ${filler.repeat(100_000)}`)).not.toThrow();
  });
});
