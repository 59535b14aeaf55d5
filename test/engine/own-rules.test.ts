import { alternativesOf, defineRule, fails, type Judgement } from '../../lib';
import { runRules, type Finding } from '../../lib/engine';
import { EksModel, type Cluster } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';

const template = {
  Resources: {
    Main: {
      Type: 'AWS::EKS::Cluster',
      Properties: { Name: 'main', Version: '1.34' },
      Metadata: { 'eks-guardrails': { suppress: [{ rule: 'rule-crashed', reason: 'Known' }] } },
    },
  },
};
const model = new EksModel(readTemplates([{ file: 'template.json', content: template }]).resources);
const [cluster] = model.clusters as [Cluster];

/** What a rule of the user's own comes to that gives this. No compiler has seen it. */
function findingsOf(check: () => unknown): readonly Finding[] {
  const rule = {
    id: 'acme-rule',
    title: 'T',
    severity: 'error' as const,
    messages: { bad: { text: 'Bad {{what}}.', fix: 'Fix.' }, plain: { text: 'Plain.', fix: 'Fix.' } },
    check: check as () => Judgement[],
  };
  return runRules(model, [], { customRules: [defineRule(rule)] }).filter(
    ({ rule: id }) => !id.startsWith('suppression-'),
  );
}

const whole = { verdict: 'fail', resource: cluster, message: 'plain' };

describe('a judgement of an own rule that is not whole', () => {
  it.each<[string, unknown, string]>([
    ['nothing', null, 'expected a map, found nothing'],
    [
      'a verdict',
      { ...whole, verdict: 'fial' },
      'verdict: expected fail, unverifiable or pass, found "fial"; did you mean "fail"?',
    ],
    ['no verdict', { resource: cluster }, '"verdict" is missing; it is fail, unverifiable or pass'],
    [
      'a severity',
      { ...whole, severity: 'Error' },
      'severity: expected error, warning or info, found "Error"; did you mean "error"?',
    ],
    [
      'a misspelt severity',
      { ...whole, severty: 'info' },
      'severty: there is no part of a judgement "severty"; did you mean "severity"?',
    ],
    ['no resource', { verdict: 'fail', message: 'plain' }, '"resource" is missing; it is a value'],
    ['a resource of its own', { ...whole, resource: { ...cluster } }, 'resource: expected a resource of the model'],
    [
      'another message',
      { ...whole, message: 'plan' },
      'message: expected a message that the rule declares (bad, plain), found "plan"',
    ],
    [
      'a message of Object',
      { ...whole, message: 'toString' },
      'message: expected a message that the rule declares (bad, plain), found "toString"',
    ],
    [
      'no message',
      { verdict: 'fail', resource: cluster },
      'message: expected a message that the rule declares (bad, plain), found nothing',
    ],
    [
      'data',
      { ...whole, message: 'bad', data: { what: {} } },
      'data.what: expected a text, number or boolean, found a map',
    ],
    [
      'a place',
      { ...whole, source: { line: 1 } },
      'source: expected a place, such as the source of a value or of a resource',
    ],
    ['a place that tells nothing', { ...whole, source: { locate: 5 } }, 'source: expected a place'],
    ['no place', { ...whole, source: null }, 'source: expected a place'],
    [
      'a place that is none',
      { ...whole, source: { locate: () => undefined } },
      'source: its locate() gives no file, line and column',
    ],
    [
      'a place whose origin is none',
      { ...whole, source: { from: 5, locate: () => ({ file: 'a', line: 1, column: 1 }) } },
      'source: expected a place',
    ],
    [
      'a place without a file',
      { ...whole, source: { locate: () => ({ line: 1, column: 1 }) } },
      'source: its locate() gives no file, line and column',
    ],
    [
      'a column that is none',
      { ...whole, source: { locate: () => ({ file: 'a', line: 1, column: 1.5 }) } },
      'source: its locate() gives no file, line and column',
    ],
    [
      'a property that is none',
      { ...whole, source: { locate: () => ({ file: 'a', line: 1, column: 1, property: 5 }) } },
      'source: its locate() gives no file, line and column',
    ],
    [
      'a line that is none',
      { ...whole, source: { locate: () => ({ file: 'a', line: 0, column: 1 }) } },
      'source: its locate() gives no file, line and column',
    ],
    [
      'a place of what is unverifiable',
      { verdict: 'unverifiable', resource: cluster, source: 5 },
      'source: expected a place',
    ],
    ['a reason', { verdict: 'unverifiable', resource: cluster, reason: 5 }, 'reason: expected a text, found 5'],
    ['an assumption', { ...whole, when: {} }, 'when: expected the assumption'],
    ['related places', { ...whole, related: 'x' }, 'related: expected a list, found "x"'],
    ['an empty related place', { ...whole, related: [{}] }, 'related[0]: "message" is missing'],
    [
      'a resource as a related place',
      { ...whole, related: [{ message: 'Here', source: {} }] },
      'related[0].source: expected a place',
    ],
  ])('%s', (_, judgement, message) => {
    const findings = findingsOf(() => [judgement, { ...whole, message: 'bad', data: { what: 5 } }]);
    expect(findings).toMatchObject([
      { rule: 'acme-rule', severity: 'error', message: 'Bad 5.' },
      {
        rule: 'rule-crashed',
        severity: 'error',
        about: 'acme-rule',
        message: expect.stringContaining(`Rule acme-rule gives a judgement that is not whole (${message}`) as string,
      },
    ]);
  });

  it('is none when all is there, or is undefined', () => {
    const [alternative] = alternativesOf(cluster.version);
    const { source } = alternative?.value ?? {};
    const findings = findingsOf(() => [
      {
        ...whole,
        message: 'bad',
        data: { what: 'thing' },
        severity: 'warning',
        source,
        when: alternative?.when,
        related: [{ message: 'Here', source: cluster.source }],
        reason: undefined,
      },
      { verdict: 'unverifiable', resource: cluster, reason: 'nobody knows', source: undefined, related: undefined },
      { verdict: 'pass', resource: cluster },
    ]);
    expect(findings).toMatchObject([
      { rule: 'acme-rule', severity: 'warning', message: 'Bad thing.', related: [{ message: 'Here' }] },
      { rule: 'acme-rule', verdict: 'unverifiable', message: expect.stringContaining('nobody knows') as string },
    ]);
    expect(findings[0]?.source.locate()).toEqual(source?.locate());
  });
});

it('a place says where the value comes from, if it does', () => {
  const at = (from: object) => ({ ...whole, source: { ...from, locate: () => ({ file: 'a', line: 1, column: 1 }) } });
  expect(findingsOf(() => [at({ from: 'local.a' })]).map(({ message }) => message)).toEqual([
    'Plain. The value comes from local.a.',
  ]);
  expect(findingsOf(() => [at({ from: undefined })]).map(({ message }) => message)).toEqual(['Plain.']);
});

describe('an own rule that stops', () => {
  const crash = (message: RegExp): object => ({
    rule: 'rule-crashed',
    message: expect.stringMatching(message) as string,
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'with an error',
      () => {
        throw new Error('boom\n  twice');
      },
      /stopped with an error \(boom twice, in \S*own-rules\.test\.ts:\d+:\d+\); not everything was checked by it/,
    ],
    [
      'with a text',
      () => {
        throw 'boom' as unknown as Error;
      },
      /stopped with an error \(boom\)/,
    ],
    [
      'with what has no text',
      () => {
        throw {
          toString: () => {
            throw new Error('boom');
          },
        } as unknown as Error;
      },
      /stopped with an error \(what was thrown has no text\)/,
    ],
    [
      'asynchronously',
      async () => {
        await Promise.resolve();
        throw new Error('boom');
      },
      /check is asynchronous; it must give its judgements at once/,
    ],
    [
      'as an asynchronous generator',
      async function* () {
        await Promise.resolve();
        yield whole;
      },
      /check is asynchronous/,
    ],
    ['with nothing', () => undefined, /check gives no list of judgements/],
    [
      'with the process',
      () => {
        process.exit(0);
      },
      /it calls process\.exit\(0\), in \S*own-rules/,
    ],
    [
      'without the data of its message',
      () => [{ ...whole, message: 'bad' }],
      /no value for \{\{what\}\} in "Bad \{\{what\}\}\."/,
    ],
  ])('%s', (_, check, message) => {
    const { exit } = process as { exit: unknown };
    expect(findingsOf(check)).toMatchObject([crash(message)]);
    expect((process as { exit: unknown }).exit).toBe(exit);
  });

  it('keeps what it said before, and nobody can accept that it stopped', () => {
    const findings = findingsOf(function* () {
      yield whole;
      throw new Error('boom');
    });
    expect(findings).toMatchObject([{ rule: 'acme-rule' }, crash(/boom/)]);
    expect(findings.map(({ suppressed }) => suppressed)).toEqual([undefined, undefined]);
    expect(findings.map((finding) => fails(finding, 'never'))).toEqual([false, true]);
    const rule = defineRule({
      id: 'acme-rule',
      title: 'T',
      severity: 'error',
      messages: {},
      check: () => {
        throw new Error('boom');
      },
    });
    const ignored = runRules(model, [], {
      customRules: [rule],
      ignores: [{ rule: 'rule-crashed', resource: '*', reason: 'Known' }],
    });
    expect(ignored.find((finding) => finding.rule === 'rule-crashed')?.suppressed).toBeUndefined();
  });
});

it('a rule says the same thing again about another place', () => {
  const at = (line: number, column = 1) => ({
    ...whole,
    source: { locate: () => ({ file: 'template.json', line, column }) },
  });
  expect(
    findingsOf(() => [at(7), at(9), at(7), at(9, 2), whole, whole]).map(({ source }) => [
      source.locate().line,
      source.locate().column,
    ]),
  ).toEqual([
    [7, 1],
    [9, 1],
    [9, 2],
    [cluster.source.locate().line, cluster.source.locate().column],
  ]);
});
