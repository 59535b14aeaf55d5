import { fixText, fixTexts } from '../../aspects/engine-neutral/finding-text';
import { nowhere } from '../../lib/eks';
import type { Finding } from '../../lib/engine';
import { findingOn, resourceAt } from '../reports/hand-made';

describe('what to do about findings that are read one after another', () => {
  const finding = (id: string, values: Partial<Finding> = {}): Finding => ({
    ...findingOn(resourceAt(nowhere, { id, path: `Platform/${id}` }), {
      rule: 'imds-hop-limit',
      fix: 'Set it to 2.',
      fixCode: 'hop: 2',
      docs: 'https://example.com/imds-hop-limit',
    }),
    ...values,
  });
  const texts = (...findings: readonly Finding[]): string[] => {
    const told = fixTexts(findings, ({ severity }) => severity);
    return findings.map((one) => told.get(one) ?? '');
  };
  const WHOLE = 'Set it to 2.\nhop: 2\nDocs: https://example.com/imds-hop-limit';

  it('tells a fix and a page once', () => {
    expect(texts(finding('A'), finding('B'), finding('C', { fixCode: 'hop: 3' }))).toEqual([
      WHOLE,
      'The same as for Platform/A.',
      'Set it to 2.\nhop: 3',
    ]);
  });

  it('tells it again at another level, and of another rule', () => {
    const other = finding('B', { rule: 'imds-v1', docs: 'https://example.com/imds-v1' });
    expect(texts(finding('A'), finding('B', { severity: 'warning' }), other)).toEqual([
      WHOLE,
      WHOLE,
      WHOLE.replace('imds-hop-limit', 'imds-v1'),
    ]);
  });

  it('tells all of what somebody accepted, and refers nobody to it', () => {
    const suppressed = { reason: 'so it is' };
    expect(texts(finding('A', { suppressed }), finding('B'), finding('C', { suppressed }))).toEqual([
      WHOLE,
      WHOLE,
      WHOLE,
    ]);
  });

  it('tells what is different', () => {
    const code = 'template: {\n  hop: 2,\n}';
    const other = finding('B', { fix: 'Set it to 3.', fixCode: code.replace('2', '3') });
    expect(texts(finding('A', { fixCode: code }), other, finding('C', { fix: 'Set it to `3`.' }))).toEqual([
      WHOLE.replace('hop: 2', code),
      'Set it to 3.\ntemplate: {\n  hop: 3,\n}',
      'Set it to `3`.\nhop: 2',
    ]);
    const more = finding('B', { fix: 'Set it to 2. Move the disk.', fixCode: code.replace('}', '  disk: 8,\n}') });
    expect(texts(finding('A', { fixCode: code }), more)[1]).toBe(
      'The same as for Platform/A, but: Move the disk.\n  disk: 8,',
    );
  });

  it('names no other places, which it has not', () => {
    const related = [{ message: 'one', source: nowhere }];
    expect(texts(finding('A'), finding('B', { related }))[1]).toBe('The same as for Platform/A.');
    expect(fixText(finding('B', { related }))).toContain('\nRelated: one\n');
  });
});
