import type { Diagnostic } from '../../lib/engine';
import { CRASHED } from '../../lib/engine/fail-on';
import { render } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const resource = resourceAt(placeOf('main.tf', 'a\nb\n', 'b'), { id: 'nodes' });
const of = (values: Parameters<typeof findingOn>[1] = {}) => findingOn(resource, { message: 'Wrong.', ...values });
const lines = (
  findings: readonly ReturnType<typeof of>[],
  values: Parameters<typeof contextWith>[1] = {},
  diagnostics: readonly Diagnostic[] = [],
) => render('atlantis', resultOf(findings, diagnostics), contextWith({}, values)).trimEnd().split('\n');

describe('the report for Atlantis', () => {
  const warning = of({ severity: 'warning', rule: 'imds-v1' });

  it('has a line that begins with FAIL for each thing that fails the run, and their number at the end', () => {
    const report = lines([of(), warning]);
    expect(report).toEqual([
      'FAIL - main.tf:2:1 - imds-hop-limit - Wrong.',
      'WARNING - main.tf:2:1 - imds-v1 - Wrong.',
      expect.stringContaining('1 error, 1 warning'),
      '1 failure',
    ]);
    expect(lines([of(), warning], { failOn: 'warning' }).filter((line) => line.startsWith('FAIL'))).toHaveLength(2);
    expect(lines([warning]).at(-1)).toBe('No failures');
  });

  it('leaves out what is not listed, but never what fails', () => {
    const list = { warning: false, info: false, unverifiable: false, suppressed: false };
    expect(lines([warning], { list })).toHaveLength(2);
    expect(lines([warning], { list, failOn: 'warning' })[0]).toMatch(/^FAIL - /);
    const accepted = of({ suppressed: { reason: 'known' } });
    expect(lines([accepted])).toHaveLength(2);
    expect(lines([accepted], { list: { ...list, suppressed: true } })[0]).toMatch(/^SUPPRESSED - /);
  });

  it('fails for what was not read or judged', () => {
    const problem = { message: 'no\nYAML', file: 'a.yaml', line: 3, column: 4 };
    expect(lines([], {}, [{ ...problem, severity: 'error' }])).toEqual([
      'FAIL - a.yaml:3:4 - input - no YAML',
      expect.any(String),
      '1 failure',
    ]);
    expect(lines([], {}, [{ ...problem, severity: 'warning' }]).at(-1)).toBe('No failures');
    const crash = of({ rule: CRASHED, severity: 'info', verdict: 'unverifiable' });
    expect(lines([crash])[0]).toMatch(/^FAIL - /);
  });
});
