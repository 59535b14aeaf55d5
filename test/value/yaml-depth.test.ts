import { LIMITS, withLimits } from '../../lib/value';
import { isNestedDeeper } from '../../lib/value/yaml-depth';
import { valueOf } from '../terraform/evaluation/scopes';

const TEXTS: readonly (readonly [string, (depth: number) => string])[] = [
  ['brackets', (depth) => '['.repeat(depth) + ']'.repeat(depth)],
  ['braces', (depth) => '{a: '.repeat(depth) + '}'.repeat(depth)],
  ['keys', (depth) => '{? '.repeat(depth) + '}'.repeat(depth)],
  ['lines', (depth) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ['lists', (depth) => '- '.repeat(depth)],
];

it.each(TEXTS)('the depth of YAML is told before anything recurses: %s', (_, nested) => {
  expect([9, 10, 12, 13].map((depth) => isNestedDeeper(nested(depth), 10))).toEqual([false, false, true, true]);
  expect(isNestedDeeper(`# one\n---\n${nested(9)}\n---\n${nested(13)}`, 10)).toBe(true);
});

it('brackets in quotes and comments nest nothing', () => {
  expect(isNestedDeeper(`a: "${'['.repeat(300)}" # ${'['.repeat(300)}`, 256)).toBe(false);
  expect(isNestedDeeper(`[${'[], '.repeat(300)}]`, 256)).toBe(false);
});

it('what yamldecode is given is not nested deeper than that', () => {
  const decoded = (depth: number) =>
    withLimits(() => valueOf(`yamldecode("${'['.repeat(depth)}${']'.repeat(depth)}")`));
  expect(decoded(9).result).toMatchObject({ kind: 'known' });
  const { result, beyond } = decoded(LIMITS.depth + 2);
  expect(result).toMatchObject({ kind: 'unknown' });
  expect(beyond).toHaveLength(1);
  expect(decoded(50_000).result).toMatchObject({ kind: 'unknown' });
});
