import fc from 'fast-check';
import { fingerprintOf, fingerprints, type Finding } from '../../lib/engine';
import type { Source } from '../../lib/model';
import { findingOn, resourceAt } from '../report/hand-made';

function at(line: number, property?: string): Source {
  return { locate: () => ({ file: 'cluster.yaml', line, column: 3, ...(property === undefined ? {} : { property }) }) };
}

const finding = findingOn(resourceAt(at(4)), { source: at(7, 'Properties.LaunchTemplateData') });
const original = fingerprintOf(finding, 0);

describe('fingerprintOf', () => {
  it('is 32 hexadecimal digits, the same on every machine and in every version', () => {
    expect(original).toMatch(/^[0-9a-f]{32}$/);
    expect(original).toBe('f20b0045e583eb66e1fdbcdadb00a5ed');
  });

  it.each<[string, Finding]>([
    ['lines move', { ...finding, source: at(70, 'Properties.LaunchTemplateData') }],
    ['the message is reworded', { ...finding, message: 'The hop limit is 1.', fix: 'Set 2.', docs: 'https://example.com/new' }],
    ['the severity is set', { ...finding, severity: 'info' }],
    ['the user accepts it', { ...finding, suppressed: { reason: 'known' } }],
    ['the stack is named with ./', { ...finding, resource: { ...finding.resource, stack: './cluster' } }],
  ])('stays when %s', (_, changed) => {
    expect(fingerprintOf(changed, 0)).toBe(original);
  });

  it.each<[string, Finding]>([
    ['the rule', { ...finding, rule: 'imds-v1' }],
    ['the message that is meant', { ...finding, messageId: 'tooHigh' }],
    ['the verdict', { ...finding, messageId: undefined, verdict: 'unverifiable' }],
    ['the stack', { ...finding, resource: { ...finding.resource, stack: 'staging' } }],
    ['the resource', { ...finding, resource: { ...finding.resource, id: 'Other' } }],
    ['the construct path', { ...finding, resource: { ...finding.resource, path: 'Prod/WorkersTemplate' } }],
    ['the property', { ...finding, source: at(7, 'Properties.TagSpecifications') }],
  ])('tells %s apart', (_, changed) => {
    expect(fingerprintOf(changed, 0)).not.toBe(original);
  });

  it('tells the first of equal findings from the second', () => {
    expect(fingerprintOf(finding, 1)).not.toBe(original);
  });

  it('takes a path of Windows for the same stack', () => {
    const on = (stack: string) => fingerprintOf({ ...finding, resource: { ...finding.resource, stack } }, 0);
    expect(on('.\\infra\\prod')).toBe(on('infra/prod'));
  });
});

describe('fingerprints', () => {
  it('numbers equal findings, whatever stands between them', () => {
    const again = { ...finding };
    const other = { ...finding, rule: 'imds-v1' };
    const map = fingerprints([finding, other, again]);
    expect([...map.values()]).toEqual([original, fingerprintOf(other, 0), fingerprintOf(finding, 1)]);
    expect(map.get(again)).toBe(fingerprintOf(finding, 1));
  });

  it('gives no two findings the same, whatever their parts hold', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '"', '\\', '|', '\n', ',', '.', '/', '0'), maxLength: 4 });
    const any = fc.record({ rule: part, messageId: part, stack: part, id: part, property: part });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (parts) => {
        const findings = parts.map(({ rule, messageId, stack, id, property }) => findingOn(resourceAt(at(1), { stack, id }), { rule, messageId, source: at(1, property) }));
        expect(new Set(fingerprints(findings).values()).size).toBe(findings.length);
      }),
    );
  });
});
