import type { Finding } from '../../lib/engine';
import { render, type JsonReport } from '../../lib/reports';
import {
  MERGED_FORMATS,
  mergeReports,
  readReport,
  type MergedFormat,
  type MergedReport,
  type NamedReport,
} from '../../lib/reports/merged';
import { contextWith, resultOf } from './hand-made';
import { elementsOf, readPage, textOf } from './html-page';
import { expectValid } from './official-sarif';
import { files, hopLimit, sample, suppressed, unverifiable } from './sample';
import type { SarifLog } from './sarif-schema';

const list = { warning: true, info: true, unverifiable: true, suppressed: true };

function written(format: 'json' | 'sarif', findings: readonly Finding[], all = sample): string {
  return render(format, { ...all, ...resultOf(findings, all.diagnostics) }, contextWith(files, { list }));
}

/** What a file with this text holds, as parts of these names. */
function readAs(name: string, text: string): NamedReport[] {
  const read = readReport(text, `${name}.json`);
  if ('problem' in read) throw new Error(read.problem.message);
  return read.reports.map((report) => ({ ...report, name: report.name ?? name }));
}

function merged(format: MergedFormat, report: MergedReport): string {
  const context = { version: '1.2.3', date: '2026-11-21', colour: false, width: 80, list };
  return [...MERGED_FORMATS[format](report, context)].join('');
}

describe('merging reports', () => {
  const json = written('json', sample.findings);
  const sarif = written('sarif', sample.findings);

  it('has each finding of a part once, however many reports tell it, in whichever format', () => {
    const report = mergeReports([...readAs('shop', json), ...readAs('shop', json), ...readAs('shop', sarif)]);
    const { summary } = JSON.parse(json) as JsonReport;

    expect(report.parts).toMatchObject([{ name: 'shop', summary }]);
    expect(report.summary).toEqual(summary);
  });

  it('keeps what two repositories have in common in both', () => {
    const report = mergeReports([...readAs('b', json), ...readAs('a', json)]);

    expect(report.parts.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(report.summary.error).toBe(2 * (JSON.parse(json) as JsonReport).summary.error);
  });

  it('takes the worse of two reports about the same finding, in any order', () => {
    const accepted = readAs('shop', written('json', [{ ...hopLimit, suppressed: { reason: 'known' } }]));
    const open = readAs('shop', written('json', [hopLimit]));

    for (const reports of [
      [...accepted, ...open],
      [...open, ...accepted],
    ])
      expect(mergeReports(reports).summary).toMatchObject({ error: 1, suppressed: 0 });
  });

  it('reads from SARIF what the JSON says of a finding', () => {
    const [fromJson, fromSarif] = (['json', 'sarif'] as const).map(
      (format) => mergeReports(readAs('shop', written(format, [hopLimit, unverifiable, suppressed]))).parts[0],
    );
    const told = fromJson?.findings.map(({ fix, related, ...finding }) => ({
      ...finding,
      related: related.map(({ message, location }) => ({ message, location: { ...location, property: null } })),
      fix: fix.split('\n\n```')[0],
    }));

    // SARIF names resources with their stack, and no severity of what can't be told but that of the rule.
    const { path: _, ...resource } = told?.[0]?.resource ?? {};
    expect(fromSarif?.findings[0]).toMatchObject({ ...told?.[0], resource });
    expect(fromSarif?.findings.map(({ verdict, suppressed: decision }) => [verdict, decision])).toEqual(
      told?.map(({ verdict, suppressed: decision }) => [verdict, decision]),
    );
    expect(fromSarif?.diagnostics.map(({ severity }) => severity)).toEqual(
      fromJson?.diagnostics.map(({ severity }) => severity),
    );
  });

  it('makes SARIF that the standard allows, of JSON and of SARIF, with a run for each report and each finding once', () => {
    const reports = [...readAs('shop', json), ...readAs('shop', sarif), ...readAs('pay & co', sarif)];
    const log = JSON.parse(merged('sarif', mergeReports(reports))) as {
      readonly runs: readonly (SarifLog['runs'][0] & { readonly automationDetails: { readonly id: string } })[];
    };

    expectValid(log);
    expect(log.runs.map((run) => run.automationDetails.id)).toEqual([
      'eks-guardrails/pay & co/',
      'eks-guardrails/shop/',
      'eks-guardrails/shop#2/',
    ]);
    const [original] = (JSON.parse(sarif) as SarifLog).runs;
    expect(log.runs[0]).toMatchObject({ results: original.results, artifacts: original.artifacts });
    expect(log.runs[1]?.results).toHaveLength((JSON.parse(json) as JsonReport).findings.length);
    expect(log.runs[2]?.results).toEqual([]);
  });

  it.each(['json', 'sarif'] as const)('can be merged again from %s', (format) => {
    const first = mergeReports([...readAs('a', json), ...readAs('b', sarif)]);
    const again = mergeReports(readAs('unused', merged(format, first)));

    expect(again.parts.map(({ name, summary }) => [name, summary])).toEqual(
      first.parts.map(({ name, summary }) => [name, summary]),
    );
  });

  it('says where SARIF leaves out what nobody asked for, and counts what a report in JSON has of the same files', () => {
    const some = render(
      'sarif',
      sample,
      contextWith(files, { list: { info: false, unverifiable: false, suppressed: false } }),
    );
    const columns = (...reports: readonly NamedReport[]): (string[] | undefined)[] =>
      merged('text', mergeReports(reports))
        .split('\n')
        .slice(0, 4)
        .map((line) => line.trim().split(/ {2,}/));
    const { summary } = JSON.parse(json) as JsonReport;

    expect(columns(...readAs('shop', some))[1]?.slice(3, 6)).toEqual(['not known', 'not known', 'not known']);
    expect(columns(...readAs('shop', some), ...readAs('shop', json))[1]?.[4]).toBe(String(summary.unverifiable));
    expect(columns(...readAs('a', some), ...readAs('b', json))[3]?.[4]).toBe(`${summary.unverifiable} or more`);
  });

  it('writes one page, in which nothing of a report is markup', () => {
    const report = mergeReports(readAs('<b>shop</b>', json), [{ file: '<i>.json', message: 'the file is <empty>' }]);
    const elements = elementsOf(readPage(merged('html', report)));

    const names = new Set(elements.map(({ name }) => name));
    expect(['b', 'i', 'script', 'img'].filter((name) => name !== 'b' && names.has(name))).toEqual([]);
    const links = elements.flatMap(({ attributes }) => attributes['href'] ?? []);
    expect(links.filter((link) => !/^(?:#part-1$|https:\/\/)/.test(link))).toEqual([]);
    expect(elements.filter(({ name }) => name === 'h2').map(textOf)).toContain('<b>shop</b>');
    const rows = elements.filter(({ name }) => name === 'tr').map((row) => row.children.map(textOf));
    const { error, warning, info, unverifiable: open, suppressed: accepted } = report.summary;
    expect(rows).toContainEqual(['<b>shop</b>', ...[error, warning, info, open, accepted].map(String), '1']);
  });

  it('writes Markdown that mentions nobody and has room for a comment', () => {
    const many = Array.from({ length: 400 }, (_, index) => readAs(`@team/repo-${index}`, json)).flat();
    const text = merged('markdown', mergeReports(many));

    expect(text).not.toMatch(/(?<![\w`])@team/);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/\d+ more lines are left out here/);
  });

  it.each([
    ['{', 'eks.json', /closed|end/, false],
    ['', 'eks.json', /empty/, false],
    ['[]', 'eks.json', /no report of eks-guardrails/, true],
    ['{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"trivy"}},"results":[]}]}', 'a', /no report/, true],
    ['{"version":"2.1.0","runs":{}}', 'a', /"runs" is not a list/, false],
    ['{"version":"1","findings":[],"summary":{}}', 'a', /"inputs" is missing; it is a list/, false],
  ])('says what is wrong with %s', (text, file, message, isForeign) => {
    expect(readReport(text, file)).toMatchObject({
      problem: { file, message: expect.stringMatching(message) as string },
      isForeign,
    });
  });

  it('tells of a report that could not be read as precisely as it can', () => {
    const problems = [
      { file: 'a.json', message: 'it is empty' },
      { file: 'b.json', line: 3, column: 7, message: 'a list is missing' },
      { file: 'c.json', line: 4, message: 'a list is missing' },
    ];
    expect(merged('text', mergeReports([], problems)).match(/^error .*$/gm)).toEqual([
      'error  a.json: it is empty',
      'error  b.json:3:7: a list is missing',
      'error  c.json:4:1: a list is missing',
    ]);
  });

  it('says where a report lacks something', () => {
    const [, line = ''] = /\n( +\{"rule":"imds-hop-limit".*)\n/.exec(json) ?? [];
    const broken = json.replace(line, line.replace('"severity":"error"', '"severity":"bad"'));

    expect(readReport(broken, 'a.json')).toEqual({
      problem: {
        file: 'a.json',
        line: json.split('\n').indexOf(line) + 1,
        column: expect.any(Number) as number,
        message: '"severity" is not "error" or "warning" or "info"',
      },
      isForeign: false,
    });
  });
});
