import fc from 'fast-check';
import {
  addonVersion,
  addonVersions,
  compareVersions,
  defaultAddonVersion,
  kubernetesMinor,
  knownAddons,
  newestAddonVersion,
  parseMinor,
  parseVersion,
} from '../../lib/knowledge';

describe('parseMinor', () => {
  it.each([
    ['1.33', 33],
    ['1.0', 0],
    ['1.9', 9],
    ['1.033', undefined],
    ['2.1', undefined],
    ['v1.33', undefined],
    ['1.33.1', undefined],
    ['1.', undefined],
    ['', undefined],
    ['1.33 ', undefined],
    ['1.99999', undefined],
  ])('%s: %s', (text, minor) => {
    expect(parseMinor(text)).toBe(minor);
  });
});

describe('parseVersion', () => {
  it.each([
    ['v1.19.0-eksbuild.1', { major: 1, minor: 19, patch: 0, build: 1 }],
    ['v1.19.0', { major: 1, minor: 19, patch: 0, build: undefined }],
    ['1.19.0-eksbuild.12', { major: 1, minor: 19, patch: 0, build: 12 }],
    ['v1.4.0-eksbuild.preview', { major: 1, minor: 4, patch: 0, build: 0 }],
    ['v1.19', undefined],
    ['xv1.19.0', undefined],
    ['v1.19.0-eksbuild.x', undefined],
    ['v1.19.0-eksbuild.1-rc', undefined],
    ['v1.19.0-eksbuild', undefined],
    ['latest', undefined],
  ])('%s', (text, expected) => {
    expect(parseVersion(text)).toEqual(expected);
  });
});

describe('compareVersions', () => {
  it.each([
    ['v1.9.0-eksbuild.1', 'v1.10.0-eksbuild.1'],
    ['v1.10.0-eksbuild.2', 'v1.10.0-eksbuild.10'],
    ['v1.19.0', 'v1.19.0-eksbuild.1'],
    ['v1.4.0', 'v1.4.0-eksbuild.preview'],
    ['v1.4.0-eksbuild.preview', 'v1.4.0-eksbuild.1'],
    ['1.9', '1.33'],
    ['1.8.5', '1.9'],
    ['1.9', 'v1.9.1'],
    ['1', '1.0.1'],
    ['latest', 'v0.0.0'],
    ['xv1.9.0', 'v0.0.0'],
    ['v1.9.0-eksbuild.1-rc', 'v0.0.0'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });

  it.each([
    ['v1.19.0', '1.19.0'],
    ['1.19.0', '1.19'],
    ['1', '1.0.0'],
    ['v1.19.0-eksbuild.1', '1.19.0-eksbuild.1'],
    ['latest', 'newest'],
  ])('%s is as old as %s', (one, other) => {
    expect(compareVersions(one, other)).toBe(0);
    expect(compareVersions(other, one)).toBe(0);
  });

  it('takes as many different versions as there are', () => {
    for (let minor = 0; minor < 2500; minor++) expect(compareVersions(`v1.${minor}.0`, `v1.${minor + 1}.0`)).toBe(-1);
    expect(compareVersions('v1.9.0', 'v1.10.0')).toBeLessThan(0);
  });

  it('sorts by numbers, in any order of the input', () => {
    const version = fc.tuple(fc.nat(3), fc.nat(30), fc.nat(30), fc.nat(30));
    fc.assert(
      fc.property(version, version, (a, b) => {
        const text = ([major, minor, patch, build]: number[]) =>
          `v${major ?? 0}.${minor ?? 0}.${patch ?? 0}-eksbuild.${build ?? 0}`;
        const index = a.findIndex((part, position) => part !== b[position]);
        const expected = index < 0 ? 0 : Math.sign((a[index] ?? 0) - (b[index] ?? 0));
        expect(Math.sign(compareVersions(text(a), text(b)))).toBe(expected);
      }),
    );
  });
});

describe.each(knownAddons().map((name) => [name]))('versions of %s', (addon) => {
  const versions = addonVersions(addon);

  it('go from the newest to the oldest, each once', () => {
    expect(versions.length).toBeGreaterThan(0);
    versions.forEach(({ version }, index) => {
      const next = versions[index + 1];
      if (next !== undefined)
        expect([version, next.version, compareVersions(version, next.version) > 0]).toEqual([
          version,
          next.version,
          true,
        ]);
      expect(parseVersion(version)?.build).toBeDefined();
      expect(addonVersion(addon, version)?.version).toBe(version);
    });
  });

  it('fit Kubernetes versions of the calendar, and are the default only where they fit', () => {
    for (const { version, clusterMinors, defaultFor } of versions) {
      expect(clusterMinors.length).toBeGreaterThan(0);
      for (const minor of clusterMinors) expect(kubernetesMinor(minor)).toBeDefined();
      expect([version, defaultFor.filter((minor) => !clusterMinors.includes(minor))]).toEqual([version, []]);
    }
  });

  it('have one default and one newest for each Kubernetes version that has any', () => {
    const minors = new Set(versions.flatMap(({ clusterMinors }) => clusterMinors));
    for (const minor of minors) {
      expect([minor, versions.filter(({ defaultFor }) => defaultFor.includes(minor)).length]).toEqual([minor, 1]);
      const newest = newestAddonVersion(addon, minor);
      expect(newest).toBeDefined();
      for (const { version, clusterMinors } of versions)
        if (clusterMinors.includes(minor)) expect(compareVersions(newest ?? '', version)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('add-on versions', () => {
  it('know the facts that rules are built on', () => {
    expect(defaultAddonVersion('vpc-cni', '1.34')).toBe('v1.22.4-eksbuild.3');
    expect(newestAddonVersion('vpc-cni', '1.30')).toBe('v1.22.4-eksbuild.3');
    expect(addonVersion('coredns', 'v1.8.7-eksbuild.21')?.clusterMinors).not.toContain('1.34');
    expect(addonVersion('vpc-cni', 'v1.99.0-eksbuild.1')).toBeUndefined();
    expect(addonVersions('unknown')).toEqual([]);
    expect(addonVersion('unknown', 'v1.8.7-eksbuild.21')).toBeUndefined();
    expect(defaultAddonVersion('vpc-cni', '1.99')).toBeUndefined();
    expect(defaultAddonVersion('unknown', '1.34')).toBeUndefined();
    expect(addonVersion('vpc-cni', 'v1.23.0-eksbuild.1')).toEqual({
      version: 'v1.23.0-eksbuild.1',
      clusterMinors: ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36'],
      defaultFor: [],
    });
    expect(newestAddonVersion('vpc-cni', '1.99')).toBeUndefined();
  });

  it('offer kube-proxy for its own Kubernetes version and at most three later ones', () => {
    for (const { version, clusterMinors } of addonVersions('kube-proxy')) {
      const own = parseVersion(version)?.minor ?? NaN;
      for (const minor of clusterMinors.map((text) => parseMinor(text) ?? NaN)) {
        expect(minor - own).toBeGreaterThanOrEqual(0);
        expect(minor - own).toBeLessThanOrEqual(3);
      }
    }
  });
});
