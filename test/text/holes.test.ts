import { fillHoles, splitAtHoles } from '../../lib/text/holes';

const split = (text: string) => splitAtHoles(text).map((stretch) => (stretch.isHole ? [stretch.text] : stretch.text));

describe('texts that are known in parts', () => {
  it.each<[string, (string | string[])[]]>([
    ['', []],
    ['plain $x {y}', ['plain $x {y}']],
    ['a-${b}-c', ['a-', ['${b}'], '-c']],
    ['${a}${b}', [['${a}'], ['${b}']]],
    ['x${merge(var.a, { b = 1 }).c}:sub', ['x', ['${merge(var.a, { b = 1 }).c}'], ':sub']],
    ['${replace(var.url, "}", "")}:aud', [['${replace(var.url, "}", "")}'], ':aud']],
    ['${replace(var.url, "a\\"}", "{")}:aud', [['${replace(var.url, "a\\"}", "{")}'], ':aud']],
    ['${lookup(var.m, "${var.k}-{x")}/y', [['${lookup(var.m, "${var.k}-{x")}'], '/y']],
    ['${f("${g("x}")}")}/y', [['${f("${g("x}")}")}'], '/y']],
    ['a ${b', ['a ', ['${b']]],
    ['a ${b "}', ['a ', ['${b "}']]],
    ['a ${b "\\', ['a ', ['${b "\\']]],
  ])('takes %p apart', (text, expected) => {
    expect(split(text)).toEqual(expected);
    expect(
      splitAtHoles(text)
        .map((stretch) => stretch.text)
        .join(''),
    ).toBe(text);
  });

  it('fills them', () => {
    expect(fillHoles('arn:${AWS::Partition}:iam::aws:policy/${format("{%s}", "x")}', '*')).toBe(
      'arn:*:iam::aws:policy/*',
    );
  });
});
