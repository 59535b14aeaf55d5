import { ConfigurationError } from '../../lib/engine';
import { dayOfEnvironment, givenDay } from '../../lib/engine/as-of';
import { acknowledgedRule, acknowledgementId } from '../../lib/value/acknowledgement-id';
import { whyVoid } from '../../lib/engine/decision';

describe('the day of a check', () => {
  const given = process.env['EKS_GUARDRAILS_AS_OF'];
  afterEach(() => {
    process.env['EKS_GUARDRAILS_AS_OF'] = given;
  });

  it('is the one that is given, else that of the environment, else none', () => {
    process.env['EKS_GUARDRAILS_AS_OF'] = '2027-01-31';
    expect([givenDay({ asOf: '2027-02-01' }), givenDay({}), dayOfEnvironment()]).toEqual([
      '2027-02-01',
      '2027-01-31',
      '2027-01-31',
    ]);
    process.env['EKS_GUARDRAILS_AS_OF'] = '';
    expect([givenDay({ asOf: '2027-02-01' }), givenDay({}), dayOfEnvironment()]).toEqual([
      '2027-02-01',
      undefined,
      undefined,
    ]);
    delete process.env['EKS_GUARDRAILS_AS_OF'];
    expect([givenDay({}), dayOfEnvironment()]).toEqual([undefined, undefined]);
  });

  it('is a day', () => {
    expect(() => givenDay({ asOf: '2027-02-29' })).toThrow(
      new ConfigurationError('asOf is "2027-02-29", which is no day; write it as in 2027-01-31'),
    );
    expect(() => givenDay({ asOf: '' })).toThrow('asOf is "", which is no day');
    process.env['EKS_GUARDRAILS_AS_OF'] = 'today';
    expect(() => dayOfEnvironment()).toThrow('EKS_GUARDRAILS_AS_OF is "today", which is no day');
    expect(() => givenDay({})).toThrow('EKS_GUARDRAILS_AS_OF is "today", which is no day');
    expect(givenDay({ asOf: '2027-02-01' })).toBe('2027-02-01');
  });
});

describe('a decision', () => {
  const whyOn = (decision: object, today = '2026-11-21') => whyVoid(decision, today);

  it.each<[string, object]>([
    ['has a reason', { reason: 'Known' }],
    ['ends later', { reason: 'Known', until: '2026-11-22' }],
    ['ends on the day', { reason: 'Known', until: '2026-11-21' }],
    ['has an end that is undefined', { reason: 'Known', until: undefined }],
  ])('holds if it %s', (_, decision) => {
    expect(whyOn(decision)).toBeUndefined();
  });

  it.each<[object, string, string]>([
    [{}, 'suppression-without-reason', 'gives no reason, so it has no effect'],
    [{ reason: ' \n' }, 'suppression-without-reason', 'gives no reason, so it has no effect'],
    [{ reason: 5 }, 'suppression-without-reason', 'gives no reason, so it has no effect'],
    [{ reason: 'Known', until: '2026-11-20' }, 'suppression-expired', 'ended on 2026-11-20'],
    [{ reason: 'Known', until: 'later' }, 'suppression-expired', 'has no effect, because its end "later" is no day'],
    [
      { reason: 'Known', until: { day: 5 } },
      'suppression-expired',
      'has no effect, because its end "{"day":5}" is no day',
    ],
    [{ reason: 'Known', until: () => 1 }, 'suppression-expired', 'has no effect, because its end "() => 1" is no day'],
    [{ reason: 'Known', until: null }, 'suppression-expired', 'has no effect, because its end "null" is no day'],
    [
      { reason: 'Known', until: 'x'.repeat(60) },
      'suppression-expired',
      `has no effect, because its end "${'x'.repeat(60)}" is no day`,
    ],
    [
      { reason: 'Known', until: 'x'.repeat(61) },
      'suppression-expired',
      `has no effect, because its end "${'x'.repeat(60)}…" is no day`,
    ],
  ])('%j has no effect: %s', (decision, rule, text) => {
    expect(whyOn(decision)).toMatchObject({ rule, text });
  });
});

it('a rule has an id in CDK, and those of other tools are none', () => {
  expect(acknowledgementId('imds-v1')).toBe('EksGuardrails::imds-v1');
  expect([
    acknowledgedRule('EksGuardrails::imds-v1'),
    acknowledgedRule('AwsSolutions-EKS1'),
    acknowledgedRule('EksGuardrails'),
  ]).toEqual(['imds-v1', undefined, undefined]);
});
