import fc from 'fast-check';
import { evaluateMaxPodsExpression } from '../../../lib/eks/networking';

// An m5.large.
const VARIABLES = { default_enis: 3, ips_per_eni: 10, max_pods: 29 };

describe('evaluateMaxPodsExpression', () => {
  it.each<[string, number]>([
    ['110', 110],
    ['(default_enis * (ips_per_eni - 1)) + 2', 29],
    ['(default_enis * (ips_per_eni - 1)) * 16 + 2', 434],
    ['((default_enis - 1) * (ips_per_eni - 1)) + 2', 20],
    ['max_pods + 2', 31],
    ['max_pods * 16 > 110 ? 110 : max_pods * 16', 110],
    ['max_pods > 100 ? 100 : (max_pods < 10 ? 10 : max_pods)', 29],
    ['max_pods > 100 ? 100 : max_pods > 50 ? 50 : 25', 25],
    ['default_enis >= 3 && ips_per_eni != 4 ? 58 : 17', 58],
    ['!(default_enis == 3) || false_is_no_variable > 0 ? 1 : 2', NaN],
    ['max_pods > 100 || default_enis == 3 ? 5 : 6', 5],
    ['default_enis == 3 || max_pods > 100 ? 5 : 6', 5],
    ['max_pods > 100 || default_enis > 3 ? 5 : 6', 6],
    ['max_pods > 100 && default_enis == 3 ? 5 : 6', 6],
    ['default_enis == 3 && max_pods > 100 ? 5 : 6', 6],
    ['1 < 2 || 1 < 2 && 2 < 1 ? 5 : 6', 5],
    ['max_pods <= 29 ? 5 : 6', 5],
    ['max_pods <= 28 ? 5 : 6', 6],
    ['max_pods >= 29 ? 5 : 6', 5],
    ['max_pods >= 30 ? 5 : 6', 6],
    ['max_pods >= 28 ? 5 : 6', 5],
    ['max_pods <= 30 ? 5 : 6', 5],
    ['max_pods > 28 ? 5 : 6', 5],
    ['max_pods < 30 ? 5 : 6', 5],
    ['max_pods != 28 ? 5 : 6', 5],
    ['max_pods > 29 ? 5 : 6', 6],
    ['max_pods < 29 ? 5 : 6', 6],
    ['max_pods != 29 ? 5 : 6', 6],
    ['!(max_pods > 29) ? 5 : 6', 5],
    ['2147483647', 2_147_483_647],
    ['12 % 5 * 2', 4],
    ['100 - 8 / 4 + 1', 99],
    ['7 / 2', 3],
    ['-(0 - 7) % 4', 3],
    ['2 + 3 * 4', 14],
    ['10 - 4 - 3', 3],
    ['\n  max_pods\t+ 1 ', 30],
  ])('%j', (expression, pods) => {
    expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBe(Number.isNaN(pods) ? undefined : pods);
  });

  it.each(['0', '-5', 'max_pods - 29', '2147483648', '999999999999999'])(
    'goes back to the standard number for %j, as nodeadm does',
    (expression) => {
      expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBe(29);
    },
  );

  it.each([
    '',
    '1.5',
    'max_pods * 1.5',
    'min(max_pods, 110)',
    'math.least(max_pods, 110)',
    'max_pods /',
    '(max_pods',
    'max_pods)',
    '1 / 0',
    '1 % 0',
    '1 2',
    '9999999999999999',
    '1 < 2 ? 5 : 2 < 3',
    '(1 < 2) + 1',
    '(1 < 2) == (2 < 3) ? 5 : 6',
    '1 < 2 && 1 ? 5 : 6',
    '1 || 1 < 2 ? 5 : 6',
    '-(1 < 2)',
    '!1 ? 5 : 6',
    '(1 2)',
    '1 ? 2',
    '1 && 1',
    'vcpus * 8',
    'true',
    '1 < 2',
    'max_pods > 1 ? 5',
    'max_pods ? 1 : 2',
    '"110"',
    '16u',
    '999999999999999 * 999999999999999',
    '1 < 2 < 3',
    'constructor',
    '__proto__',
  ])('makes nothing of %j', (expression) => {
    expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBeUndefined();
  });

  it('reads a thousand characters and fifty parentheses, and no more', () => {
    const nested = (depth: number) => evaluateMaxPodsExpression(`${'('.repeat(depth)}5${')'.repeat(depth)}`, VARIABLES);
    expect([nested(50), nested(51)]).toEqual([5, undefined]);
    expect([1000, 1001].map((length) => evaluateMaxPodsExpression('5'.padEnd(length), VARIABLES))).toEqual([
      5,
      undefined,
    ]);
  });

  it('gives up on what nobody writes', () => {
    for (const expression of [
      `${'('.repeat(400)}1${')'.repeat(400)}`,
      '-'.repeat(900) + '1',
      '1+'.repeat(100_000) + '1',
      '1?1:'.repeat(200) + '1',
    ]) {
      expect(() => evaluateMaxPodsExpression(expression, VARIABLES)).not.toThrow();
    }
  });

  type Tree = readonly [text: string, value: number];
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 0, max: 300 }).map((number): Tree => [String(number), number]),
      fc.constantFrom<Tree>(['default_enis', 3], ['ips_per_eni', 10], ['max_pods', 29]),
      fc
        .tuple(tie('tree'), fc.constantFrom('+', '-', '*'), tie('tree'))
        .map(
          ([[a, x], operator, [b, y]]): Tree => [
            `(${a} ${operator}${b})`,
            operator === '+' ? x + y : operator === '-' ? x - y : x * y,
          ],
        ),
      fc
        .tuple(tie('tree'), tie('tree'), tie('tree'))
        .map(([[a, x], [b, y], [c, z]]): Tree => [`(${a} < ${b} ? ${c}:1)`, x < y ? z : 1]),
    ),
  }));

  it('calculates as arithmetic does', () => {
    fc.assert(
      fc.property(tree, ([text, value]) => {
        const expected = value > 0 && value <= 2 ** 31 - 1 ? value : 29;
        // Values on the way may be too large to be exact; then nothing is said.
        expect([expected, undefined]).toContain(evaluateMaxPodsExpression(text, VARIABLES));
        if (Math.abs(value) < 1e6 && !text.includes('*'))
          expect(evaluateMaxPodsExpression(text, VARIABLES)).toBe(expected);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void evaluateMaxPodsExpression(text, VARIABLES)));
  });
});
