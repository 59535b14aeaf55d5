import fc from 'fast-check';
import { runs } from '../share';
import { globMatcher, isGlob } from '../../lib/text/glob';
import { cpuTime } from '../cpu-time';

const matches = (pattern: string, text: string): boolean => globMatcher(pattern)(text);

describe('patterns', () => {
  it.each([
    ['Prod/Workers', 'Prod/Workers'],
    ['Prod/*', 'Prod/Workers'],
    ['*/Workers', 'Prod/Workers'],
    ['Prod/**', 'Prod/Nodes/Workers/Resource'],
    ['**/Workers', 'Workers'],
    ['**/Workers', 'Prod/Nodes/Workers'],
    ['Prod/**/Workers', 'Prod/Workers'],
    ['Prod/**/Workers', 'Prod/a/b/Workers'],
    ['W?rkers', 'Workers'],
    ['Workers[AB]', 'WorkersB'],
    ['Workers[!AB]', 'WorkersC'],
    ['Workers[!AB]', 'Workers!'],
    ['Workers[0-9][0-9]', 'Workers17'],
    ['aws_eks_node_group.this[0]', 'aws_eks_node_group.this[0]'],
    ['module.*.aws_eks_node_group.this["main"]', 'module.eks.aws_eks_node_group.this["main"]'],
    ['aws_eks_node_group.this[*]', 'aws_eks_node_group.this["a"]'],
    ['module.eks.*', 'module.eks.module.nodes.aws_launch_template.this[0]'],
    ['a\\*b', 'a*b'],
    ['*', ''],
    ['[', '['],
    ['a[', 'a['],
    ['[]]', ']'],
    ['a**b', 'a/x/b'],
    ['stacks/*.json', 'stacks/a.json'],
    // Brackets
    ['[^a]b', 'xb'],
    ['[!]a]b', 'xb'],
    ['[]a]b', 'ab'],
    ['[a-c]', 'a'],
    ['[a-c]', 'b'],
    ['[a-c]', 'c'],
    ['[a-]', '-'],
    ['[-a]', '-'],
    ['[a-c-e]', '-'],
    ['[a-c-e]', 'e'],
    ['[a-cx-z]', 'y'],
    ['[\u{1f389}]', '\u{1f389}'],
    ['a\\*b', 'a\\*b'],
    // A backslash at the end is one.
    ['*\\', 'a\\'],
    ['**b', 'a/xb'],
    ['a**', 'a/b/c'],
    ['a**/b', 'a/b'],
    ['a**/b', 'ax/y/b'],
    ['a/***/b', 'a/x/y/b'],
    ['**', ''],
    ['**/', ''],
    ['a?', 'a\u{1f389}'],
  ])('%s matches %s', (pattern, text) => {
    expect(matches(pattern, text)).toBe(true);
  });

  it.each([
    ['Prod/Workers', 'Prod/Workers/Resource'],
    ['Prod/*', 'Prod/Nodes/Workers'],
    ['Prod/**', 'Production/Workers'],
    ['**/Workers', 'Prod/MyWorkers'],
    ['Prod/**/Workers', 'Prod/xWorkers'],
    ['W?rkers', 'Wrkers'],
    ['a?b', 'a/b'],
    ['a[!x]b', 'a/b'],
    ['Workers[!AB]', 'WorkersA'],
    ['a\\*b', 'axb'],
    ['', 'a'],
    ['workers', 'Workers'],
    ['[^a]b', 'ab'],
    ['[!]a]b', ']b'],
    ['[!]a]b', 'ab'],
    ['[a-c]', 'd'],
    ['[a-c]', '-'],
    ['[b-c]', 'a'],
    ['[a-]', 'b'],
    ['[a-c-e]', 'd'],
    ['[/]', '/'],
    ['a[.-0]b', 'a/b'],
    ['*/b', 'x/y/b'],
    ['a**/b', 'ab'],
    ['**b', 'a/c'],
    ['a/**', 'a'],
    ['a/**/b', 'a/xb'],
    ['?', ''],
    ['ab', 'a'],
    ['a', 'ab'],
  ])('%s does not match %s', (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });

  const part = fc.array(fc.constantFrom('a', 'b', '/', '.', '"', '0'), { maxLength: 6 }).map((chars) => chars.join(''));

  it('agree with a regular expression that says the same', () => {
    const piece = fc.constantFrom(
      ['a', 'a'],
      ['b', 'b'],
      ['/', '\\/'],
      ['.', '\\.'],
      ['*', '[^/]*'],
      ['?', '[^/]'],
      ['[ab]', '[ab]'],
      ['[!a]', '[^a/]'],
    ) as fc.Arbitrary<[string, string]>;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), part, (pieces, text) => {
        const pattern = pieces.map(([glob]) => glob).join('');
        // Two stars beside each other mean something else; brackets are also taken as they are.
        fc.pre(!pattern.includes('**'));
        expect(matches(pattern, text)).toBe(new RegExp(`^${pieces.map(([, regex]) => regex).join('')}$`).test(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it('match themselves when they hold nothing special, and ** matches everything', () => {
    fc.assert(
      fc.property(part, fc.string(), (text, any) => {
        expect(matches(text, text)).toBe(true);
        expect(matches('**', any)).toBe(true);
        expect(typeof matches(any, text)).toBe('boolean');
        expect(matches(any, any) || isGlob(any)).toBe(true);
      }),
    );
  });

  it('take no longer for nasty texts', () => {
    const elapsed = cpuTime();
    expect(matches('*a*a*a*a*a*a*a*a*b', 'a'.repeat(20_000))).toBe(false);
    expect(matches('**/a/**/a/**/a/**/b', 'a/'.repeat(10_000))).toBe(false);
    expect(elapsed()).toBeLessThan(2000);
  });
});

it.each([
  ['a*', true],
  ['a?', true],
  ['[a]', true],
  ['a\\b', true],
  ['a/b.c-d]', false],
  ['', false],
])('%s is more than itself: %s', (pattern, expected) => {
  expect(isGlob(pattern)).toBe(expected);
});
