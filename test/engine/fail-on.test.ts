import { fails, FAIL_ON, type Finding } from '../../lib/engine';
import { isCrash, reaches } from '../../lib/engine/fail-on';
import { nowhere } from '../../lib/eks';
import { findingOn, resourceAt } from '../reports/hand-made';

const plain = findingOn(resourceAt(nowhere), { rule: 'imds-v1', verdict: 'fail', severity: 'error' });
const findings: Readonly<Record<string, Finding>> = {
  error: plain,
  warning: { ...plain, severity: 'warning' },
  info: { ...plain, severity: 'info' },
  unverifiable: { ...plain, verdict: 'unverifiable', severity: 'info' },
  crash: { ...plain, rule: 'rule-crashed' },
};

it.each<[string, readonly string[]]>([
  ['error', ['error', 'crash']],
  ['warning', ['error', 'warning', 'crash']],
  ['unverifiable', ['error', 'warning', 'unverifiable', 'crash']],
  ['never', ['crash']],
])('a check that fails on %s fails on these: %j', (failOn, expected) => {
  const level = FAIL_ON.find((one) => one === failOn);
  expect(Object.keys(findings).filter((name) => reaches(findings[name] ?? plain, level))).toEqual(expected);
  expect(Object.keys(findings).filter((name) => fails(findings[name] ?? plain, level))).toEqual(expected);
  // What somebody accepted counts no more, but would.
  expect(
    Object.values(findings).filter((finding) => fails({ ...finding, suppressed: { reason: 'Known' } }, level)),
  ).toEqual([]);
  expect(
    Object.values(findings).filter((finding) => reaches({ ...finding, suppressed: { reason: 'Known' } }, level)),
  ).toHaveLength(expected.length);
});

it('a check fails on errors unless it is told otherwise', () => {
  expect(Object.keys(findings).filter((name) => fails(findings[name] ?? plain))).toEqual(['error', 'crash']);
  expect(Object.keys(findings).filter((name) => reaches(findings[name] ?? plain))).toEqual(['error', 'crash']);
  expect(Object.keys(findings).filter((name) => isCrash(findings[name] ?? plain))).toEqual(['crash']);
});
