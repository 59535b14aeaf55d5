import { causeOf } from '../../lib/engine/cause';

describe('the cause of a reason', () => {
  it.each([
    ['its version is not known (variable version has no default)', 'variable version has no default'],
    ["its subnets aren't known: module.vpc isn't here", "module.vpc isn't here"],
    [
      "its AMI type isn't known: it is decided by ${var.a ? var.b : var.c}",
      'it is decided by ${var.a ? var.b : var.c}',
    ],
    [
      "whether a is on isn't known (module.a isn't here); its version is not known (module.a isn't here)",
      "module.a isn't here",
    ],
    ['a is not known (x); b is not known (y)', 'x; y'],
    ['a is not known (it is x; or y); b is not known: z', 'it is x; or y; z'],
    ['a is not known: one of [x; y]; b is not known: {"c; d"}', 'one of [x; y]; {"c; d"}'],
    ['a is not known: b) and c; d', 'b) and c; d'],
    ['a;b is not known: c', 'c'],
    ['it has a version, and cluster prod is not part of the input', 'cluster prod is not part of the input'],
    ['cluster prod is not part of the input, nor is its role', 'cluster prod is not part of the input'],
    [
      'it has a version, and cluster (name not known) is not part of the input',
      'cluster (name not known) is not part of the input',
    ],
    ['its template sets it; see there', 'its template sets it; see there'],
    [
      'before version 1.16.4 (1.2 here) ordinary pods could use the trunk interface',
      'before version 1.16.4 (1.2 here) ordinary pods could use the trunk interface',
    ],
    ['', ''],
  ])('of "%s" is "%s"', (reason, cause) => {
    expect(causeOf(reason)).toBe(cause);
  });
});
