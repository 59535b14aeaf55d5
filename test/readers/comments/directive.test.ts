import fc from 'fast-check';
import { readDirective } from '../../../lib/readers/comments/directive';

describe('a comment that ignores', () => {
  it.each([
    ['eks-guardrails:ignore imds-v1 -- legacy agent', ['imds-v1'], 'legacy agent', undefined],
    ['eks-guardrails:ignore imds-v1, imds-hop-limit -- legacy agent', ['imds-v1', 'imds-hop-limit'], 'legacy agent', undefined],
    ['eks-guardrails:ignore imds-v1,imds-v1 -- twice', ['imds-v1'], 'twice', undefined],
    ['eks-guardrails:ignore imds-v1 -- legacy agent (until 2027-01-31)', ['imds-v1'], 'legacy agent', '2027-01-31'],
    ['eks-guardrails:ignore imds-v1 -- legacy agent (until 2027-01-31).', ['imds-v1'], 'legacy agent', '2027-01-31'],
    ['eks-guardrails:ignore imds-v1 — an editor made one dash of two', ['imds-v1'], 'an editor made one dash of two', undefined],
    ['eks-guardrails:ignore imds-v1 -- see TICKET-7 -- and the wiki', ['imds-v1'], 'see TICKET-7 -- and the wiki', undefined],
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
  ])('%j is malformed', (text, problem) => {
    expect(readDirective(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it.each(['', 'checked by eks-guardrails', 'eks-guardrails ignores this', 'see eks-guardrails:ignore in the docs', 'eks-guardrails finds that a group ignores its taints', 'tflint-ignore: all'])('%j is another comment', (text) => {
    expect(readDirective(text)).toBeUndefined();
  });

  it('is read in linear time, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('eks-guardrails:ignore', ' ', '--', '—', '(until', ')', ',', 'imds-v1', '2027-01-31', '\n')), (parts) => {
        const read = readDirective(parts.join(''));
        if (read !== undefined && 'rules' in read) expect(read.rules.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
    for (const filler of [' ', '(until ', '-- ', ', ']) expect(() => readDirective(`eks-guardrails:ignore a ${filler.repeat(100_000)}`)).not.toThrow();
  });
});
