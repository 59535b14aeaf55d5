import fc from 'fast-check';
import { runs } from '../../share';
import { arnCovers, arnsIntersect, globsIntersect, literalGlob, parseGlob } from '../../../lib/eks/iam/glob';

/** The meaning of a pattern, said another way. */
function reference(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '[^]*')
    .replace(/\?/g, '[^]');
  return new RegExp(`^${source}$`);
}

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', ':', '/', '*', '?'), maxLength: 8 });
const literal = fc.string({ unit: fc.constantFrom('a', 'b', ':', '/'), maxLength: 8 });
const parse = (text: string) => parseGlob(text, 'any');

describe('globs', () => {
  it('match a text exactly when the regular expression of the same meaning does', () => {
    fc.assert(
      fc.property(
        pattern,
        literal,
        (glob, text) => globsIntersect(parse(glob), literalGlob(text)) === reference(glob).test(text),
      ),
      { numRuns: runs(2000) },
    );
  });

  it('intersect whenever a text matches both, in either order', () => {
    fc.assert(
      fc.property(pattern, pattern, literal, (left, right, text) => {
        const both = reference(left).test(text) && reference(right).test(text);
        expect(globsIntersect(parse(left), parse(right))).toBe(globsIntersect(parse(right), parse(left)));
        if (both) expect(globsIntersect(parse(left), parse(right))).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('cover another pattern only if every text of that pattern matches', () => {
    fc.assert(
      fc.property(pattern, pattern, literal, (outer, inner, text) => {
        if (arnCovers(parse(outer), parse(inner)) && reference(inner).test(text))
          expect(reference(outer).test(text)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('cover themselves', () => {
    fc.assert(fc.property(pattern, (glob) => arnCovers(parse(glob), parse(glob))));
  });

  it("take IAM's escapes as plain characters", () => {
    expect(globsIntersect(parse('a${*}b'), literalGlob('a*b'))).toBe(true);
    expect(globsIntersect(parse('a${*}b'), literalGlob('axb'))).toBe(false);
    expect(globsIntersect(parse('${$}${?}'), literalGlob('$?'))).toBe(true);
    expect(globsIntersect(parse('a${x-${*}}b'), literalGlob('a*b'))).toBe(true);
    expect(globsIntersect(parse('a${x-${*}}b'), literalGlob('axxb'))).toBe(true);
    expect(globsIntersect(parse('a${**}b'), literalGlob('axxb'))).toBe(true);
  });

  it('take an unknown part as anything, or as nothing sure outside of the environment', () => {
    const arn = 'arn:${AWS::Partition}:ec2:${AWS::Region}:${AWS::AccountId}:${Kind}/*';
    const asked = parse('arn:aws:ec2:*:*:network-interface/*');
    expect(arnsIntersect(parseGlob(arn, 'any'), asked)).toBe(true);
    expect(arnsIntersect(parseGlob(arn, 'own-environment'), asked)).toBe(false);
    expect(arnsIntersect(parseGlob(arn.replace('${Kind}', 'network-interface'), 'own-environment'), asked)).toBe(true);
  });
});

describe('unknown parts of an ARN', () => {
  const ofEc2 = 'arn:aws:ec2:*:*:instance/*';

  it.each([
    ['arn:${P}:ec2:*:*:*', true, true],
    ['arn:aws:${S}:*:*:*', false, false],
    ['arn:aws:ec2:${R}:*:*', true, false],
    ['arn:aws:ec2:*:${A}:*', true, false],
    ['arn:aws:ec2:*:*:${X}', false, false],
    ['arn:aws:ec2:*:*:instance/${X}', false, false],
    // No ARN, so nobody knows what stands there.
    ['${P}:ec2:*', false, false],
    ['${P}', false, false],
  ])(
    '%s takes in all, where it stands for the own environment (%s), and for the own partition (%s)',
    (pattern, environment, partition) => {
      expect(arnCovers(parseGlob(pattern, 'own-environment'), parse(ofEc2))).toBe(environment);
      expect(arnCovers(parseGlob(pattern, 'own-partition'), parse(ofEc2))).toBe(partition);
      expect(arnCovers(parseGlob(pattern, 'any'), parse(ofEc2))).toBe(true);
    },
  );

  it('at its end stand for the parts that it leaves out', () => {
    expect(arnsIntersect(parseGlob('arn:aws:${X}', 'own-partition'), parse('arn:aws:*'))).toBe(true);
    expect(arnsIntersect(parseGlob('arn:aws:${X}', 'own-partition'), parse('arn:aws:*:*:*:*'))).toBe(true);
    expect(arnsIntersect(parseGlob('arn:aws:${X}', 'own-partition'), parse(ofEc2))).toBe(false);
  });

  it('and one character match one character, but nothing that is not known', () => {
    expect(arnCovers(parse('a?'), parse('a?'))).toBe(true);
    expect(arnCovers(parse('ab'), parse('a?'))).toBe(false);
    expect(arnCovers(parse('a?'), parse('a*'))).toBe(false);
    expect(globsIntersect(parseGlob('a?', 'any'), parseGlob('a${X}', 'own-partition'))).toBe(false);
    expect(globsIntersect(parseGlob('a${X}', 'own-partition'), parseGlob('a?', 'any'))).toBe(false);
    expect(globsIntersect(parse('a?'), parse('?b'))).toBe(true);
    expect(globsIntersect(parse('a?'), parse('bb'))).toBe(false);
  });
});

describe('ARNs', () => {
  it.each([
    ['arn:aws:ec2:*:*:network-interface/*', 'arn:*:ec2:*:*:network-interface/*', true],
    ['arn:aws:ec2:*:*:instance/*', 'arn:*:ec2:*:*:network-interface/*', false],
    ['arn:aws-cn:ec2:*:*:network-interface/*', 'arn:aws:ec2:*:*:network-interface/*', false],
    ['*', 'arn:*:ec2:*:*:network-interface/*', true],
    ['arn:aws:ec2:*', 'arn:aws:ec2:*:*:network-interface/eni-1', true],
    ['arn:aws:s3:*', 'arn:aws:ec2:*:*:network-interface/eni-1', false],
    ['arn:aws:ec2:*:*:*', 'arn:aws:ec2:*:*:network-interface/eni-1', true],
    ['arn:aws:*:eu-west-1:1:instance/i-1', 'arn:aws:s3:x:eu-west-1:1:instance/i-1', false],
    // What isn't written like an ARN has no parts.
    ['ark:aws:*:eu-west-1:1:instance/i-1', 'ark:aws:s3:x:eu-west-1:1:instance/i-1', true],
    ['ar:aws:*:eu-west-1:1:instance/i-1', 'ar:aws:s3:x:eu-west-1:1:instance/i-1', true],
    ['arn:aws:ec2', 'arn:aws:ec2:eu-west-1:1:instance/i-1', false],
    ['a*:aws:ec2:*', 'arn:aws:ec2:eu-west-1:1:instance/i-1', true],
    ['arn:aws:ec2:?', 'arn:aws:ec2:e:u:instance/i-1', false],
    ['arn:aws:iam::aws:policy/a:b', 'arn:aws:iam::aws:policy/*', true],
  ])('%s meets %s: %s', (left, right, expected) => {
    expect(arnsIntersect(parse(left), parse(right))).toBe(expected);
    expect(arnsIntersect(parse(right), parse(left))).toBe(expected);
  });

  it.each([
    ['arn:*:ec2:*:*:*', 'arn:aws:ec2:*:*:network-interface/*', true],
    ['arn:aws:ec2:*', 'arn:aws:ec2:*:*:network-interface/*', true],
    ['arn:aws:ec2:*:*:network-interface/*', 'arn:*:ec2:*:*:network-interface/*', false],
    ['arn:aws:ec2:eu-west-1:*:network-interface/*', 'arn:aws:ec2:*:*:network-interface/*', false],
    ['*', 'arn:aws:ec2:*:*:network-interface/*', true],
  ])('%s covers %s: %s', (outer, inner, expected) => {
    expect(arnCovers(parse(outer), parse(inner))).toBe(expected);
  });
});
