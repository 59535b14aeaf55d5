import type { Diagnostic } from '../../lib/engine';
import { gatheredProblems } from '../../lib/reports/problems';
import { statisticsOf } from '../../lib/reports/statistics';
import { findingOn, placeOf, resourceAt } from './hand-made';

const problem = (file: string, message: string, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
  severity,
  message,
  file,
  line: 1,
  column: 1,
});
const told = (...problems: readonly Diagnostic[]) =>
  gatheredProblems(problems).map(({ diagnostic: { file, message }, others, more }) => [file, message, others, more]);

describe('problems of the input', () => {
  it('that are the same elsewhere are one', () => {
    expect(told(problem('a', 'x'), problem('b', 'x'), problem('a', 'x'), problem('a', 'y'))).toEqual([
      ['a', 'x', 2, 0],
      ['a', 'y', 0, 0],
    ]);
    expect(told(problem('a', 'x'), problem('a', 'x', 'warning'))).toHaveLength(2);
  });

  it('of one file are the first three, and how many more there are', () => {
    const three = ['x', 'y', 'z'].map((message) => problem('a', message));
    expect(told(...three)).toEqual(['x', 'y', 'z'].map((message) => ['a', message, 0, 0]));
    expect(
      told(...three, problem('a', '1'), problem('b', '2'), problem('a', '3'), problem('a', 'w', 'warning')),
    ).toEqual([
      ['a', 'x', 0, 0],
      ['a', 'y', 0, 0],
      ['a', 'z', 0, 2],
      ['b', '2', 0, 0],
      ['a', 'w', 0, 0],
    ]);
  });
});

describe('statistics', () => {
  const resource = resourceAt(placeOf('a.yaml', 'a: 1', 'a'));
  const of = (rule: string, values: Parameters<typeof findingOn>[1] = {}) => findingOn(resource, { rule, ...values });

  it('count by rule and severity: the worst first, then the most frequent, then by name', () => {
    const findings = [
      of('b', { severity: 'warning' }),
      of('e', { suppressed: { reason: 'known' } }),
      of('d'),
      of('c', { severity: 'warning' }),
      of('c', { severity: 'warning' }),
      of('a', { severity: 'warning' }),
      of('a', { verdict: 'unverifiable' }),
      of('a', { severity: 'info' }),
    ];
    expect(statisticsOf({ findings }).map(({ rule, label, count }) => `${count} ${label} ${rule}`)).toEqual([
      '1 error d',
      '2 warning c',
      '1 warning a',
      '1 warning b',
      '1 info a',
      '1 unverifiable a',
      '1 suppressed e',
    ]);
  });
});
