import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectureByName, instanceType, instanceTypeNames } from '../../lib/knowledge';

const all = instanceTypeNames().flatMap((name) => instanceType(name) ?? []);

describe('instance types', () => {
  it('are over a thousand, each once', () => {
    expect(all.length).toBeGreaterThan(1300);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('have columns as the reader takes them', () => {
    const table = JSON.parse(readFileSync(join(__dirname, '../../lib/knowledge/data/instance-types.json'), 'utf8')) as {
      columns: string[];
      types: Record<string, unknown[]>;
    };
    expect(table.columns).toEqual([
      'enis',
      'ipv4PerEni',
      'nitro',
      'bareMetal',
      'trunk',
      'branchEnis',
      'architecture',
      'vcpus',
      'maxPodsAws',
      'networkCards',
      'efaInterfaces',
    ]);
    expect(Object.entries(table.types).filter(([, row]) => row.length !== table.columns.length)).toEqual([]);
  });

  it("have AWS's max-pods figure by AWS's formula", () => {
    expect(
      all.filter(
        ({ maxPodsAws, enis, ipv4PerEni }) => maxPodsAws !== undefined && maxPodsAws !== enis * (ipv4PerEni - 1) + 2,
      ),
    ).toEqual([]);
  });

  it('have the architecture that their family name tells', () => {
    const nodes = all.filter(({ name }) => !name.startsWith('mac'));
    expect(
      nodes.filter(({ name, architecture }) => architectureByName(name) !== architecture).map(({ name }) => name),
    ).toEqual([]);
  });

  it('are sane', () => {
    for (const type of all) {
      expect(type.enis).toBeGreaterThan(0);
      expect(type.ipv4PerEni).toBeGreaterThan(0);
      expect(type.networkCards).toBeGreaterThan(0);
      if (type.bareMetal) expect(type.nitro).toBe(true);
      expect(type.bareMetal).toBe(/\.metal/.test(type.name));
      if (type.trunk) expect(type.nitro).toBe(true);
      expect(type.branchEnis > 0).toBe(type.trunk);
    }
  });

  it('tell Nitro types without trunk interface apart', () => {
    for (const name of ['t3.large', 't3a.large', 't4g.large'])
      expect(instanceType(name)).toMatchObject({ nitro: true, trunk: false, trunkKnown: true });
    expect(instanceType('trn2.48xlarge')).toMatchObject({ trunk: false, trunkKnown: false, branchEnis: 0 });
    expect(instanceType('m5.large')).toEqual({
      name: 'm5.large',
      enis: 3,
      ipv4PerEni: 10,
      nitro: true,
      bareMetal: false,
      trunk: true,
      trunkKnown: true,
      branchEnis: 9,
      architecture: 'x86_64',
      vcpus: 2,
      maxPodsAws: 29,
      networkCards: 1,
      efaInterfaces: 0,
    });
  });

  it('have an adapter of EFA for each network card, but for a first card without', () => {
    const withEfa = all.filter(({ efaInterfaces = 0 }) => efaInterfaces > 0);
    expect(withEfa.length).toBeGreaterThan(290);
    expect(withEfa.filter(({ nitro }) => !nitro)).toEqual([]);
    expect(withEfa.filter((type) => type.efaInterfaces !== type.networkCards).map(({ name }) => name)).toEqual([
      'p6-b300.48xlarge',
    ]);
    expect(['p5.48xlarge', 'trn1.32xlarge', 'c5n.9xlarge'].map((name) => instanceType(name)?.efaInterfaces)).toEqual([
      32, 8, 1,
    ]);
    expect(instanceType('dl1.24xlarge')?.efaInterfaces).toBeUndefined();
  });

  it.each(['', 'm5', 'M5.LARGE', 'constructor', 'm5.large '])('has no "%s"', (name) => {
    expect(instanceType(name)).toBeUndefined();
  });
});

describe('architectureByName', () => {
  it.each([
    ['m9g.large', 'arm64'],
    ['c6gn.16xlarge', 'arm64'],
    ['g5g.xlarge', 'arm64'],
    ['a1.metal', 'arm64'],
    ['g5.xlarge', 'x86_64'],
    ['m7i-flex.large', 'x86_64'],
    ['u-6tb1.56xlarge', 'x86_64'],
    ['r8gd.metal-24xl', 'arm64'],
    ['a10.large', 'x86_64'],
    ['x2gd.metal', 'arm64'],
    ['im4gn.large', 'arm64'],
    ['g4dn.xlarge', 'x86_64'],
    ['trn2u.48xlarge', 'x86_64'],
    ['u7i-12tb.224xlarge', 'x86_64'],
    ['u-12tb1.112xlarge', 'x86_64'],
    ['m5', undefined],
    ['m5.', undefined],
    ['m5.large!', undefined],
    ['1m5.large', undefined],
    ['.large', undefined],
    ['m.large', undefined],
    ['m5.large.x', undefined],
    ['mac2-m1ultra.metal', undefined],
    ['mac2.metal', undefined],
    ['large', undefined],
    ['${Type}', undefined],
  ])('%s: %s', (name, expected) => {
    expect(architectureByName(name)).toBe(expected);
  });
});
