import { isByEks, startVersion, stepsBetween, targetVersion } from '../../lib/upgrade/route';

/* Days of the past, whose calendar stays: 1.20 ended on 2022-11-01, 1.21 in extended support on 2024-07-15, and 1.22 came on 2022-04-04. */

describe('the version that an upgrade is to reach', () => {
  it.each([
    ['latest', '2022-04-03', '1.21'],
    ['latest', '2022-04-04', '1.22'],
    ['standard', '2022-10-31', '1.20'],
    ['standard', '2022-11-01', '1.21'],
    ['1.20', '2022-10-31', '1.20'],
    ['1.21', '2024-07-14', '1.21'],
    ['1.22', '2022-04-04', '1.22'],
  ])('%s is on %s %s', (target, asOf, version) => {
    expect(targetVersion(target, asOf)).toBe(version);
  });

  it.each([
    [
      'latest',
      '2021-05-17',
      /^on 2021-05-17 no Kubernetes version .* is in standard support on EKS; name one with --to$/,
    ],
    [
      '1.20',
      '2022-11-01',
      /^--to is 1\.20, whose support on EKS ended on 2022-11-01.*; it takes 1\.21 to 1\.23, latest/,
    ],
    ['1.21', '2024-07-15', /^--to is 1\.21, whose support on EKS ended on 2024-07-15/],
    [
      '1.22',
      '2022-04-03',
      /^EKS got Kubernetes 1\.22 on 2022-04-04, .*; --to takes 1\.20 to 1\.21, latest and standard$/,
    ],
    ['1.99', '2022-04-03', /^--to is 1\.99, and the calendar .* ends with 1\.\d+; .* may know it\. It takes 1\.20 to/],
    ['1.1', '2022-04-03', /^--to is 1\.1, and the calendar begins with 1\.20: .* any more; it takes 1\.20 to/],
    ['v1.22', '2022-04-03', /^--to is "v1\.22", which is no Kubernetes version; it takes 1\.20 to 1\.21/],
  ])('%s is on %s none', (target, asOf, says) => {
    expect(() => targetVersion(target, asOf)).toThrow(says);
  });
});

describe('the version that a cluster has', () => {
  it('is one that EKS has had by that day, however old', () => {
    expect(startVersion('1.22', '2022-04-04')).toBe('1.22');
    expect(startVersion('1.20', '2030-01-01')).toBe('1.20');
  });

  it.each([
    ['1.22', '2022-04-03', /^EKS got Kubernetes 1\.22 on 2022-04-04, which is after 2022-04-03/],
    ['1.99', '2022-04-03', /^--from is 1\.99, .* may know it$/],
    ['1.1', '2022-04-03', /^--from is 1\.1, .* any more$/],
    ['1', '2022-04-03', /^--from is "1", which is no Kubernetes version; one looks like 1\.34$/],
  ])('is not %s on %s', (version, asOf, says) => {
    expect(() => startVersion(version, asOf)).toThrow(says);
  });
});

it.each([
  ['1.20', '1.23', '2022-11-01', ['1.21', '1.22', '1.23']],
  ['1.20', '1.23', '2024-07-15', ['1.22', '1.23']],
  ['1.20', '1.21', '2030-01-01', ['1.21']],
  ['1.22', '1.22', '2022-11-01', []],
  ['1.23', '1.22', '2022-11-01', []],
])('from %s to %s a control plane goes on %s through %j', (from, to, asOf, steps) => {
  expect(stepsBetween(from, to, asOf)).toEqual(steps);
});

it('EKS alone makes steps of more than one version', () => {
  expect([isByEks('1.20', '1.21'), isByEks('1.20', '1.22'), isByEks('1.22', '1.20')]).toEqual([false, true, false]);
});
