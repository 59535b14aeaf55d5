import fc from 'fast-check';
import { fingerprints, type RuleMetadata } from '../../lib/engine';
import { nowhere } from '../../lib/eks';
import { render } from '../../lib/reports';
import { allRules } from '../../lib/rules';
import { expectGolden } from './golden';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';
import { everything, files, hopLimit, many, sample, suppressed, unverifiable } from './sample';
import { expectValid as expectStandard, officialSchema, validatorOf } from './official-sarif';
import { sarifSchema, type SarifLocation, type SarifLog } from './sarif-schema';

/** Rules whose texts stay as they are. */
const rules = [
  {
    ...allRules[0],
    id: 'imds-hop-limit',
    subject: 'imds',
    title: 'Pods reach the instance metadata',
    severity: 'error',
    symptom: 'Pods get `401`.',
    signs: [],
    why: 'The *hop limit* is 1.',
    limits: '',
    ignore: 'If each pod has a role.',
  },
] as readonly RuleMetadata[];

const isOurs = validatorOf(sarifSchema);

function expectValid(log: unknown): void {
  expectStandard(log);
  isOurs(log);
  expect(isOurs.errors ?? []).toEqual([]);
}

type Arguments = [result: Parameters<typeof render>[1], values?: Parameters<typeof contextWith>[1]];

/** Reads a report and checks what its parts say of each other. */
function read(...[result, values]: Arguments): SarifLog['runs'][0] {
  const log = JSON.parse(render('sarif', result, contextWith(files, values))) as SarifLog;
  expectValid(log);
  const [run] = log.runs;
  for (const { ruleId, ruleIndex, message, locations, relatedLocations = [] } of run.results) {
    expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    const ids = relatedLocations.map(({ id }) => String(id));
    for (const text of [message.text, message.markdown]) {
      expect([...text.matchAll(/(?<!\\)\]\((.*?)\)/g)].map(([, target]) => target)).toEqual(ids);
    }
    for (const location of [...locations, ...relatedLocations]) expectAddress(location, run);
  }
  return run;
}

function expectAddress(
  { physicalLocation: { artifactLocation, region } }: SarifLocation,
  run: SarifLog['runs'][0],
): void {
  const { index = -1, ...address } = artifactLocation;
  expect(run.artifacts[index]?.location).toEqual(address);
  // Section 3.4.4.
  expect('uriBaseId' in address).toBe(!/^[a-z]+:/.test(address.uri));
  if (region.endColumn !== undefined) expect(region.endColumn).toBeGreaterThan(region.startColumn);
}

describe('the SARIF report', () => {
  it.each([
    ['https://example.com/a|(b)%c#d#e', 'https://example.com/a%7C%28b%29%25c#d%23e'],
    ['https://example.com/ "x', undefined],
    ['docs/acme x.md', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
  ])('is valid for a rule with the documentation %s', (docs, helpUri) => {
    const [rule] = read(resultOf([{ ...hopLimit, rule: 'acme-x', docs }])).tool.driver.rules;
    expect(rule?.helpUri).toBe(helpUri);
    expect(rule?.help.markdown?.includes('](') ?? false).toBe(helpUri !== undefined);
  });

  it('holds no character that a terminal obeys', () => {
    const resource = resourceAt(nowhere, { id: 'W\u009b31mX\u202e' });
    const report = render(
      'sarif',
      resultOf([findingOn(resource, { message: 'see ##[error]W\u009b' })]),
      contextWith(files),
    );
    expect(report).not.toMatch(/[\u007f-\u009f\u202e]|##\[/);
    expect((JSON.parse(report) as SarifLog).runs[0].results[0]?.locations[0]?.logicalLocations?.[0]?.name).toBe(
      'W\u009b31mX\u202e',
    );
  });

  it('is checked with the schema of the standard', () => {
    expect([officialSchema['$schema'], officialSchema['id']]).toEqual([
      'http://json-schema.org/draft-04/schema#',
      expect.stringMatching(/sarif-2\.1\.0/),
    ]);
    expect(() => {
      expectValid({ version: '2.1.0', runs: [{}] });
    }).toThrow();
  });

  it('looks like the golden file', () => {
    expectGolden('sarif.json', render('sarif', sample, contextWith(files, { rules })));
    read(sample);
  });

  it('looks like the golden file when everything is listed', () => {
    expectGolden('sarif-verbose.json', render('sarif', sample, contextWith(files, { rules, list: everything })));
    read(sample, { list: everything });
  });

  it('is complete when there is nothing to report', () => {
    const run = read(resultOf([]));
    expect(run.results).toEqual([]);
    expect(run.tool.driver.rules).toEqual([]);
    expect(run.artifacts.map(({ location }) => location.uri)).toEqual(['cluster.yaml']);
    expect(run.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
  });

  it('tells what could not be read', () => {
    expect(read(sample).invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error' }, { level: 'warning' }] },
    ]);
  });

  it('marks the key or value from its first to behind its last column', () => {
    const [{ locations, relatedLocations = [] } = { locations: [] }] = read(resultOf([hopLimit])).results;
    expect(locations[0]?.physicalLocation.region).toEqual({ startLine: 13, startColumn: 11, endColumn: 34 });
    expect(relatedLocations[0]?.physicalLocation.region).toEqual({ startLine: 7, startColumn: 7, endColumn: 21 });
  });

  it.each([
    ['tabs', '\t"Key": 1', 2, 7],
    ['characters beyond the basic plane, as two', '"😀 key": 1', 1, 9],
    ['a place behind the end of its line', 'a: 1', 9, undefined],
  ])('counts %s', (_, content, column, endColumn) => {
    const source = { locate: () => ({ file: 'a.json', line: 1, column }) };
    const { locations } = read(resultOf([findingOn(resourceAt(source))]), { readSource: () => content }).results[0] ?? {
      locations: [],
    };
    expect(locations[0]?.physicalLocation.region).toEqual({
      startLine: 1,
      startColumn: column,
      ...(endColumn === undefined ? {} : { endColumn }),
    });
  });

  it('explains the rules that occur, and those of the user as far as they are known', () => {
    const { rules } = read(sample).tool.driver;
    expect(rules.map(({ id }) => id)).toEqual(['imds-hop-limit', 'imds-v1', 'my-own-rule', 'suppression-unused']);
    expect(rules[0]?.help.markdown).toMatch(
      /^## What happens\n\n[^]*## When to ignore it\n\n[^]*\[Documentation of imds-hop-limit\]/,
    );
    expect(rules[3]?.shortDescription.text).toBe('A suppression matches a finding');
    expect(rules.map(({ defaultConfiguration }) => defaultConfiguration.level)).toEqual([
      'error',
      'warning',
      'error',
      'warning',
    ]);
  });

  it('takes what cannot be told for a review, and only when it is listed', () => {
    const result = resultOf([unverifiable]);
    expect(read(result).results).toEqual([]);
    expect(read(result, { list: { ...everything, suppressed: false } }).results).toMatchObject([
      { kind: 'review', level: 'none' },
    ]);
  });

  it('has suppressions on all results or on none', () => {
    const result = resultOf([suppressed, hopLimit]);
    expect(read(result).results.map(({ suppressions }) => suppressions)).toEqual([undefined]);
    const all = read(result, { list: everything }).results.map(({ suppressions }) => suppressions);
    expect(all).toMatchObject([
      [{ kind: 'inSource', status: 'accepted', justification: 'one tenant', properties: { until: '2027-01-31' } }],
      [],
    ]);
  });

  it('tells decisions in the input from those in a configuration or a baseline', () => {
    const { results } = read(resultOf([suppressed, { ...suppressed, isSuppressedOutside: true }]), {
      list: everything,
    });
    expect(results.map(({ suppressions = [] }) => suppressions.map(({ kind }) => kind))).toEqual([
      ['inSource'],
      ['external'],
    ]);
  });

  it('does without a page of a custom rule', () => {
    const {
      rules: [rule],
    } = read(resultOf([{ ...hopLimit, rule: 'mine', docs: '' }])).tool.driver;
    expect(rule).toMatchObject({ id: 'mine', help: { text: 'mine.' } });
    expect(rule).not.toHaveProperty('helpUri');
  });

  it('names a page that is no web address, and links none to it', () => {
    const {
      rules: [rule],
    } = read(resultOf([{ ...hopLimit, rule: 'mine', docs: 'docs/mine.md' }])).tool.driver;
    expect(rule).toMatchObject({
      help: {
        text: 'mine. Documentation: docs/mine.md',
        markdown: expect.stringContaining('Documentation: ') as string,
      },
    });
    expect(rule).not.toHaveProperty('helpUri');
  });

  it.each([
    ['its path in the app', { path: 'App/Workers', stack: 'app' }, 'App/Workers'],
    ['its stack', { path: undefined, stack: 'app' }, 'app/Workers'],
    ['nothing else', { path: undefined, stack: '' }, 'Workers'],
  ])('names a resource by %s', (_, values, name) => {
    const resource = resourceAt(hopLimit.source, { id: 'Workers', ...values });
    const [result] = read(resultOf([findingOn(resource)])).results;
    expect(result?.locations[0]?.logicalLocations).toMatchObject([{ name: 'Workers', fullyQualifiedName: name }]);
  });

  it('keeps fingerprints when less is listed', () => {
    const again = { ...hopLimit };
    const [result] = read(resultOf([{ ...hopLimit, severity: 'info' }, again])).results;
    const expected = fingerprints([hopLimit, again], (file) => file).get(again);
    expect(result?.partialFingerprints).toEqual({ 'eksGuardrails/v1': expected });
  });

  it('tells GitHub findings apart that stand in one line, where that is the whole file', () => {
    const plan = resourceAt({ locate: () => ({ file: 'plan.json', line: 1, column: 5 }) });
    const { results } = read(resultOf([findingOn(plan), findingOn(plan), hopLimit]), {
      readSource: (file) => (file === 'plan.json' ? '{"a":1}\n' : new Map(Object.entries(files)).get(file)),
    });
    const [one, other, third] = results.map(({ partialFingerprints }) => partialFingerprints);
    expect(one).toEqual({
      'eksGuardrails/v1': one?.['eksGuardrails/v1'],
      primaryLocationLineHash: one?.['eksGuardrails/v1'],
    });
    expect(other?.['primaryLocationLineHash']).not.toBe(one?.['primaryLocationLineHash']);
    expect(third).not.toHaveProperty('primaryLocationLineHash');
  });

  it.each([
    ['cluster.yaml', 'cluster.yaml', true],
    ['./infra//a b/ü#1%.yaml', 'infra/a%20b/%C3%BC%231%25.yaml', true],
    ['../outside.yaml', '../outside.yaml', true],
    ['a:b/c?.yaml', 'a%3Ab/c%3F.yaml', true],
    ['infra\\eks\\main.tf', 'infra/eks/main.tf', true],
    ['/srv/a b.yaml', 'file:///srv/a%20b.yaml', false],
    ['c:\\src\\a b\\main.tf', 'file:///C:/src/a%20b/main.tf', false],
    ['\\\\server\\share\\main.tf', 'file://server/share/main.tf', false],
    ['half \ud800.yaml', 'half%20%EF%BF%BD.yaml', true],
  ])('addresses %s', (file, uri, isRelative) => {
    const source = { locate: () => ({ file, line: 1, column: 1 }) };
    const [result] = read(resultOf([findingOn(resourceAt(source))])).results;
    expect(result?.locations[0]?.physicalLocation.artifactLocation).toMatchObject(
      isRelative ? { uri, uriBaseId: 'SRCROOT' } : { uri },
    );
  });

  it('places a finding without place at the beginning of the first input', () => {
    const [result] = read(resultOf([findingOn(resourceAt(nowhere, { id: '', type: '' }))])).results;
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'cluster.yaml', uriBaseId: 'SRCROOT', index: 0 },
      region: { startLine: 1, startColumn: 1 },
    });
  });

  it('reads each file at most once, and writes one result per line', () => {
    const reads: string[] = [];
    const readSource = (file: string) => {
      reads.push(file);
      return undefined;
    };
    const report = render('sarif', many(500), contextWith({}, { readSource }));
    expect(reads).toEqual(['cluster.yaml']);
    expect(report.split('\n').filter((line) => line.startsWith('      {"ruleId":'))).toHaveLength(500);
  });

  it('stays valid, whatever messages hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('[', ']', '(', ')', '1', '\\', '`', '<', '\n', '\u0000', '\ud800', '{0}', 'a'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (message, related) => {
        const source = placeOf('cluster.yaml', files['cluster.yaml'], 'Workers');
        expectValid(
          JSON.parse(
            render(
              'sarif',
              resultOf([findingOn(resourceAt(source), { message, related: [{ message: related, source }] })]),
              contextWith(files),
            ),
          ),
        );
      }),
    );
  });
});
