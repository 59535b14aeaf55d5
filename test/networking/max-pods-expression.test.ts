import fc from 'fast-check';
import { evaluateMaxPodsExpression } from '../../lib/networking';

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
    ['7 / 2', 3],
    ['-(0 - 7) % 4', 3],
    ['2 + 3 * 4', 14],
    ['10 - 4 - 3', 3],
    ['\n  max_pods\t+ 1 ', 30],
  ])('%j', (expression, pods) => {
    expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBe(Number.isNaN(pods) ? undefined : pods);
  });

  it.each(['0', '-5', 'max_pods - 29', '2147483648'])('goes back to the standard number for %j, as nodeadm does', (expression) => {
    expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBe(29);
  });

  it.each(['', '1.5', 'max_pods * 1.5', 'min(max_pods, 110)', 'math.least(max_pods, 110)', 'max_pods /', '(max_pods', 'max_pods)', '1 / 0', '1 2', 'vcpus * 8', 'true', '1 < 2', 'max_pods > 1 ? 5', 'max_pods ? 1 : 2', '"110"', '16u', '999999999999999 * 999999999999999', '1 < 2 < 3', 'constructor', '__proto__'])(
    'makes nothing of %j',
    (expression) => {
      expect(evaluateMaxPodsExpression(expression, VARIABLES)).toBeUndefined();
    },
  );

  it('gives up on what nobody writes', () => {
    for (const expression of [`${'('.repeat(400)}1${')'.repeat(400)}`, '-'.repeat(900) + '1', '1+'.repeat(100_000) + '1', '1?1:'.repeat(200) + '1']) {
      expect(() => evaluateMaxPodsExpression(expression, VARIABLES)).not.toThrow();
    }
  });

  type Tree = readonly [text: string, value: number];
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 0, max: 300 }).map((number): Tree => [String(number), number]),
      fc.constantFrom<Tree>(['default_enis', 3], ['ips_per_eni', 10], ['max_pods', 29]),
      fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*'), tie('tree')).map(([[a, x], operator, [b, y]]): Tree => [`(${a} ${operator}${b})`, operator === '+' ? x + y : operator === '-' ? x - y : x * y]),
      fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([[a, x], [b, y], [c, z]]): Tree => [`(${a} < ${b} ? ${c}:1)`, x < y ? z : 1]),
    ),
  }));

  it('calculates as arithmetic does', () => {
    fc.assert(
      fc.property(tree, ([text, value]) => {
        const expected = value > 0 && value <= 2 ** 31 - 1 ? value : 29;
        // Values on the way may be too large to be exact; then nothing is said.
        expect([expected, undefined]).toContain(evaluateMaxPodsExpression(text, VARIABLES));
        if (Math.abs(value) < 1e6 && !text.includes('*')) expect(evaluateMaxPodsExpression(text, VARIABLES)).toBe(expected);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void evaluateMaxPodsExpression(text, VARIABLES)));
  });
});
