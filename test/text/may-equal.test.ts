import { isAllHoles, mayBeEqual } from '../../lib/text/may-equal';

describe('texts of which parts are not known', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['prod-node', '${var.env}-node', true],
    ['prod-lambda', '${var.env}-node', false],
    ['prod', 'prod-${var.name}', false],
    ['aa', 'a${var.x}a', true],
    ['a', 'a${var.x}a', false],
    ['${a}-node', 'prod-${b}', true],
    ['prod-${a}', 'dev-${b}', false],
    ['${a}-x', '${b}-y', false],
    ['anything', '{{resolve:ssm:/role}}', true],
    ['x-y', '{{resolve:ssm:/role}}-z', false],
  ])('%s and %s', (one, other, expected) => {
    expect(mayBeEqual(one, other)).toBe(expected);
    expect(mayBeEqual(other, one)).toBe(expected);
  });

  it('may be all unknown', () => {
    expect(['${a}', '${a}${b}', '{{resolve:ssm:/a}}', 'x${a}', ''].map(isAllHoles)).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});
