import { acknowledgementsIn } from '../../../lib/front-ends/terraform/acknowledgements';

describe('acknowledgements in the comment of a stack', () => {
  const read = (own: unknown) => {
    const { acknowledgements, diagnostics } = acknowledgementsIn([
      { file: 'cdk.tf.json', comment: { 'eks-guardrails': own } },
    ]);
    return [...acknowledgements, ...diagnostics.map(({ severity, message, file }) => `${severity} ${file} ${message}`)];
  };
  const whole = { path: 'Platform', rule: 'imds-v1', reason: 'none is used' };

  it('are read, with an end that is told as it is', () => {
    expect(
      read({
        acknowledge: [
          whole,
          { ...whole, until: '2027-01-31' },
          { ...whole, until: 20200101 },
          { ...whole, until: null },
        ],
      }).map((one) => (typeof one === 'string' ? one : one.until)),
    ).toEqual([undefined, '2027-01-31', '20200101', 'null']);
    expect(acknowledgementsIn([{ file: 'main.tf.json' }, { file: 'main.tf.json', comment: 'eks-guardrails' }])).toEqual(
      { acknowledgements: [], diagnostics: [] },
    );
  });

  it.each<[unknown, string]>([
    [
      { acknowledge: [{ ...whole, Until: '2020-01-01' }] },
      '.acknowledge[0]: this has no effect: there is no key "Until" here; did you mean "until"?',
    ],
    [
      { acknowledge: [{ ...whole, expires: '2020-01-01' }] },
      '.acknowledge[0]: this has no effect: there is no key "expires" here; the keys are path, rule, reason, until',
    ],
    [
      { acknowledge: [{ rule: 'imds-v1', reason: 'none is used' }] },
      '.acknowledge[0]: this has no effect: it needs the path of a construct and a rule, as texts',
    ],
    [
      { acknowledge: ['imds-v1'] },
      '.acknowledge[0]: this has no effect: it needs the path of a construct and a rule, as texts',
    ],
    [{ acknowledge: whole }, '.acknowledge: a list belongs here, of maps with path, rule and reason'],
    [{ aknowledge: [whole] }, ': there is no key "aknowledge" here; did you mean "acknowledge"?'],
    ['imds-v1', '.acknowledge: a list belongs here, of maps with path, rule and reason'],
  ])('%j is told, and counts for nothing', (own, message) => {
    expect(read(own)).toEqual([`warning cdk.tf.json "//".eks-guardrails${message}`]);
  });
});
