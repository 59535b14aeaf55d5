import fc from 'fast-check';
import { runs } from '../../share';
import {
  clusterDnsAddressOf,
  dnsAddressOf,
  effectiveMaxPods,
  kubeletFeatureGatesOf,
  mergeNodeConfigs,
  missingClusterFields,
  overriddenByEks,
  readNodeConfig,
  type MergedNodeConfig,
} from '../../../lib/eks/user-data/node-config';
import { pairsOf, parseFlags } from '../../../lib/eks/user-data/node-config/flags';
import { serviceCidrProblem } from '../../../lib/eks/user-data/service-cidr';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { dataAt, nowhere, Unknown, type Data } from '../../../lib/value';

/** Reads one NodeConfig per text, which is the content of `spec` in flow style; `«…»` marks an unknown part. */
function merge(...specs: readonly string[]): MergedNodeConfig {
  return mergeNodeConfigs(
    specs.map((spec) => {
      const text = spec.startsWith('!')
        ? spec.slice(1)
        : `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: ${spec}\n`;
      return readNodeConfig(
        SourceText.compose(
          text
            .split(/[«»]/)
            .map((piece, index) =>
              index % 2 === 0
                ? { text: piece, sourceAt: () => nowhere }
                : { unknown: new Unknown('later', nowhere, `\${${piece}}`) },
            ),
        ),
      );
    }),
  );
}

/** The number of the NodeConfig, and what stands at the place in it. */
function at(merged: MergedNodeConfig, origin: ReturnType<MergedNodeConfig['origin']>): string {
  if (origin === undefined) return 'nowhere';
  return `${merged.readings.indexOf(origin.reading)} ${origin.reading.body.text.slice(origin.offset, origin.offset + 8).trim()}`;
}

function spec(merged: MergedNodeConfig, ...keys: readonly string[]): Data | undefined {
  return dataAt(merged.data, 'spec', ...keys);
}

describe('mergeNodeConfigs', () => {
  it('lets later values win, merges maps, replaces lists and joins the flags', () => {
    const merged = merge(
      '{cluster: {name: a, cidr: 10.0.0.0/16}, kubelet: {config: {maxPods: 10, clusterDNS: [1.1.1.1, 2.2.2.2], evictionHard: {a: 1, b: 2}}, flags: [--a=1, --b=2]}}',
      '{cluster: {name: b}, kubelet: {config: {maxPods: 20, clusterDNS: [3.3.3.3], evictionHard: {b: 3}}, flags: [--c=3]}}',
    );
    expect(merged.data).toMatchObject({
      spec: {
        cluster: { name: 'b', cidr: '10.0.0.0/16' },
        kubelet: {
          config: { maxPods: 20, clusterDNS: ['3.3.3.3'], evictionHard: { a: 1, b: 3 } },
          flags: ['--a=1', '--b=2', '--c=3'],
        },
      },
    });
    const places = [
      'cluster.cidr',
      'cluster.name',
      'kubelet.config.maxPods',
      'kubelet.config.evictionHard.a',
      'kubelet.config.clusterDNS.0',
      'kubelet.flags.1',
      'kubelet.flags.2',
      'kubelet.config.clusterDNS.1',
      'kubelet.flags.3',
      'nothing',
    ];
    expect(places.map((path) => at(merged, merged.origin(`spec.${path}`)))).toEqual([
      '0 cidr: 10',
      '1 name: b}',
      '1 maxPods:',
      '0 a: 1, b:',
      '1 3.3.3.3]',
      '0 --b=2]}}',
      '1 --c=3]}}',
      'nowhere',
      'nowhere',
      'nowhere',
    ]);
  });

  it("doesn't let empty values override, unless they stand in kubelet's configuration", () => {
    const merged = merge(
      '{cluster: {name: a, enableOutpost: true}, featureGates: {FastImagePull: true}, kubelet: {config: {maxPods: 10, x: y, list: [1]}}}',
      '{cluster: {name: "", enableOutpost: false, id: }, featureGates: {FastImagePull: false}, kubelet: {config: {maxPods: 0, x: "", list: []}, flags: }}',
    );
    expect(merged.data).toMatchObject({
      spec: {
        cluster: { name: 'a', enableOutpost: true },
        featureGates: { FastImagePull: false },
        kubelet: { config: { maxPods: 0, x: '', list: [1] } },
      },
    });
    expect(at(merged, merged.origin('spec.cluster.name'))).toMatch(/^0 /);
    expect(at(merged, merged.origin('spec.kubelet.config.maxPods'))).toMatch(/^1 /);
    expect(at(merged, merged.origin('spec.kubelet.config.list'))).toMatch(/^0 /);
  });

  it("keeps what isn't known unknown", () => {
    const merged = merge(
      '{kubelet: {config: {maxPods: 10}, flags: [--a=1]}}',
      '{kubelet: {config: «Config», flags: «Flags»}, cluster: {name: «Name»}}',
      '{kubelet: {config: {x: 1}, flags: [--b=2]}}',
    );
    expect(spec(merged, 'kubelet', 'config')).toBeInstanceOf(Unknown);
    expect(spec(merged, 'kubelet', 'flags')).toEqual(['--a=1', expect.any(Unknown), '--b=2']);
    expect(
      ['spec.kubelet.flags.1', 'spec.kubelet.flags.2', 'spec.cluster.name'].map((path) =>
        at(merged, merged.origin(path)).slice(0, 7),
      ),
    ).toEqual(['1 flags', '2 --b=2', '1 name:']);
  });

  it("tells of NodeConfigs that aren't in it", () => {
    const merged = merge('{cluster: {name: a}}', '!', '!«All»', '!a: [', '!text');
    expect(spec(merged, 'cluster', 'name')).toBe('a');
    expect(merged.unknown).toBeInstanceOf(Unknown);
    expect(merged.unreadable.map((reading) => merged.readings.indexOf(reading))).toEqual([1, 3, 4]);
    expect(mergeNodeConfigs([]).data).toBeNull();
  });

  it('finds the place of whatever it holds', () => {
    const config = fc.dictionary(fc.constantFrom('a', 'b', 'c.d'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    fc.assert(
      fc.property(fc.array(config, { minLength: 1, maxLength: 3 }), (configs) => {
        const merged = merge(...configs.map((one) => JSON.stringify({ kubelet: { config: one, flags: ['--x=1'] } })));
        const walk = (data: Data | undefined, keys: readonly string[]): void => {
          if (keys.length > 0) expect(merged.origin(keys)).toBeDefined();
          if (typeof data === 'object' && data !== null && !(data instanceof Unknown))
            for (const [key, value] of Object.entries<Data>(data)) walk(value, [...keys, key]);
        };
        walk(merged.data, []);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('missingClusterFields', () => {
  const all = 'name: a, apiServerEndpoint: b, certificateAuthority: Yw==, cidr: 10.0.0.0/16';

  it.each<[readonly string[], readonly string[]]>([
    [[`{cluster: {${all}}}`], []],
    [['{kubelet: {}}', `{cluster: {${all}}}`], []],
    [[`{cluster: {${all}}}`, '{cluster: {name: ""}}'], []],
    [['{kubelet: {}}'], ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr']],
    [['{cluster: {name: a, cidr: "", apiServerEndpoint: }}'], ['apiServerEndpoint', 'certificateAuthority', 'cidr']],
    [[`{cluster: {${all}, enableOutpost: true}}`], ['id']],
    [[`{cluster: {${all}, enableOutpost: «Outpost»}}`], []],
    [['{cluster: {name: «A», apiServerEndpoint: «B», certificateAuthority: «C», cidr: «D»}}'], []],
    [['{cluster: {name: «A»}}'], ['apiServerEndpoint', 'certificateAuthority', 'cidr']],
    [['{cluster: «Cluster»}'], []],
    [['{cluster: {«Field»: x}}'], []],
    [['{cluster: {name: 1}}'], ['apiServerEndpoint', 'certificateAuthority', 'cidr']],
  ])('of %j are %j', (specs, missing) => {
    expect(missingClusterFields(spec(merge(...specs), 'cluster'))).toEqual(missing);
  });

  it('are all of them without a cluster', () => {
    expect(missingClusterFields(undefined)).toHaveLength(4);
    expect(missingClusterFields(new Unknown('later', nowhere))).toEqual([]);
  });
});

describe('effectiveMaxPods', () => {
  it.each<[readonly string[], object | undefined]>([
    [['{}'], undefined],
    [['{kubelet: {maxPodsExpression: max_pods}}'], { from: 'expression', value: 'max_pods' }],
    [['{kubelet: {maxPodsExpression: max_pods, config: {maxPods: 20}}}'], { from: 'config', value: 20 }],
    [['{kubelet: {config: {maxPods: 20}}}', '{kubelet: {config: {maxPods: }}}'], undefined],
    [
      ['{kubelet: {config: {maxPods: 20}, flags: [--max-pods=30]}}', '{kubelet: {config: {maxPods: 40}}}'],
      { from: 'flag', value: 30 },
    ],
    [['{kubelet: {flags: ["--v=2 --max-pods=30", --max-pods, "31"]}}'], { from: 'flag', value: 31 }],
    [['{kubelet: {flags: [--max-pods=many]}}'], { from: 'flag', value: 'many' }],
    [['{kubelet: {flags: [--max-pods=«Pods»]}}'], { from: 'flag', value: expect.any(Unknown) as unknown }],
    [['{kubelet: {flags: [--max-pods, «Pods»]}}'], { from: 'flag', value: expect.any(Unknown) as unknown }],
    [['{kubelet: {config: {maxPods: «Pods»}}}'], { from: 'config', value: expect.any(Unknown) as unknown }],
    [['{kubelet: {config: {maxPods: 20}, flags: [«Flag»]}}'], { from: 'unknown' }],
    [['{kubelet: {config: {maxPods: 20}, flags: [--«Flag»]}}'], { from: 'unknown' }],
    [['{kubelet: {config: {maxPods: 20}, flags: [--node-labels=a=«A»]}}'], { from: 'config', value: 20 }],
    [['{kubelet: {config: {maxPods: 20}}}', '!«Part»'], { from: 'unknown' }],
  ])('of %j', (specs, expected) => {
    if (expected === undefined) expect(effectiveMaxPods(merge(...specs))).toBeUndefined();
    else expect(effectiveMaxPods(merge(...specs))).toMatchObject(expected);
  });

  it('tells its place', () => {
    const merged = merge('{kubelet: {config: {maxPods: 20}}}', '{kubelet: {flags: [--v=2, --max-pods=30]}}');
    expect(at(merged, effectiveMaxPods(merged)?.origin)).toBe('1 --max-po');
  });
});

describe('flags', () => {
  /** Name, value, the item that holds its name, and whether its end isn't known; then whether there may be others. */
  const parsed = (...items: readonly Data[]): unknown[] => {
    const { flags, unknown } = parseFlags([...items]);
    return [
      ...flags.map(
        ({ name, value, index, unknown: end }) => `${name}=${value ?? ''} ${index}${end === undefined ? '' : ' …'}`,
      ),
      ...(unknown === undefined ? [] : ['…']),
    ];
  };
  const open = (text: string): Unknown => new Unknown('later', nowhere, text);

  it.each<[string, Data[], string[]]>([
    ['one item each', ['--a=1', '--b', '2', '--c'], ['a=1 0', 'b=2 1', 'c= 3']],
    ['several in an item', ['--a=1  --b 2\n--c="x y"'], ['a=1 0', 'b=2 0', 'c=x 0']],
    ['quotation marks', ["--a='1'", '--b', '"2"', "--c='"], ['a=1 0', 'b=2 1', 'c= 3']],
    ['a value that begins with dashes', ['--a', '--b=1', '--c=--d'], ['a= 0', 'b=1 1', 'c=--d 2']],
    ['words that are no flags', ['a', '-b', '--', '--1', '--c=1', '2'], ['c=1 4']],
    ['an unknown value', ['--a', open('${V}'), '--b=1'], ['a= 0 …', 'b=1 2']],
    ['an unknown end', [open('--a=x${V}'), '--b'], ['a=x 0 …', 'b= 1']],
    ['an unknown item behind a flag with its value', ['--a=1', open('${V}')], ['a=1 0', '…']],
    ['an unknown item behind a flag whose end is unknown', [open('--a=${V}'), open('${W}')], ['a= 0 …', '…']],
    ['an unknown name', [open('--max-${What}=5')], ['…']],
    [
      'known flags in front of an unknown one',
      [open('--a=1 --b ${V}'), open('--c=2 ${W}')],
      ['a=1 0', 'b= 0 …', 'c=2 1', '…'],
    ],
    ['an unknown flag where a value would be', ['--a', open('--${F}')], ['a= 0', '…']],
    ['text without what stands for the unknown', [new Unknown('later', nowhere)], ['…']],
    ['other data', [null, 3, '--a=1'], ['a=1 2']],
  ])('are taken apart: %s', (_, items, expected) => {
    expect(parsed(...items)).toEqual(expected);
  });

  it('may be unknown altogether, or none', () => {
    expect(parseFlags(open('${Flags}'))).toEqual({ flags: [], unknown: expect.any(Unknown) as unknown });
    expect(parseFlags('--a=1')).toEqual({ flags: [], unknown: undefined });
    expect(parseFlags(undefined)).toEqual({ flags: [], unknown: undefined });
  });

  it('hold pairs, of which the last may be cut', () => {
    const pairs = (...items: readonly Data[]): unknown[] =>
      pairsOf(parseFlags([...items]).flags, 'l').map(({ key, value }) => [key, value]);
    expect(pairs('--l=a=b,,c=d=e,f', '--m=x=y', '--l=', '--l', '--l=g=')).toEqual([
      ['a', 'b'],
      ['c', 'd=e'],
      ['f', undefined],
      ['g', ''],
    ]);
    expect(pairs(open('--l=a=b,c=d${V}'))).toEqual([
      ['a', 'b'],
      ['c', undefined],
    ]);
    expect(pairs(open('--l=a=b,c${V}'))).toEqual([['a', 'b']]);
    expect(pairs('--l=a,b=c')).toEqual([
      ['a', undefined],
      ['b', 'c'],
    ]);
  });

  it("give kubelet's feature gates together with its configuration", () => {
    const merged = merge(
      '{featureGates: {FastImagePull: true}, kubelet: {config: {featureGates: {A: true, B: false}}}}',
      '{kubelet: {config: {featureGates: {B: «B»}}, flags: ["--feature-gates=C=true,D=False,E=«E»"]}}',
    );
    const { gates, unknown } = kubeletFeatureGatesOf(merged);
    expect(gates.map(({ name, value, origin }) => [name, value, at(merged, origin).slice(0, 1)])).toEqual([
      ['A', true, '0'],
      ['B', expect.any(Unknown), '1'],
      ['C', true, '1'],
      ['D', false, '1'],
      ['E', expect.any(Unknown), '1'],
    ]);
    expect(unknown).toBeInstanceOf(Unknown);
    expect(kubeletFeatureGatesOf(merge('{kubelet: {config: {featureGates: «Gates»}}}'))).toMatchObject({
      gates: [],
      unknown: expect.any(Unknown) as unknown,
    });
    expect(kubeletFeatureGatesOf(merge('{kubelet: {config: {featureGates: [A]}}}'))).toEqual({
      gates: [],
      unknown: undefined,
    });
  });
});

describe('overriddenByEks', () => {
  it.each<[string, readonly string[]]>([
    [
      '{kubelet: {config: {maxPods: 110, clusterDNS: [1.1.1.1], evictionHard: {a: b}}}}',
      ['spec.kubelet.config.maxPods order', 'spec.kubelet.config.clusterDNS order'],
    ],
    ['{kubelet: {maxPodsExpression: max_pods}}', ['spec.kubelet.maxPodsExpression other-field']],
    ['{kubelet: {flags: [--v=2, --max-pods=20]}}', ['spec.kubelet.flags.1 flag']],
    ['{kubelet: {config: {maxPods: «Pods»}}}', ['spec.kubelet.config.maxPods order']],
    ['{kubelet: {config: «Config»}}', []],
    ['{kubelet: {config: {maxPods: }, flags: [--cluster-dns=1.1.1.1]}}', []],
    ['{cluster: {name: a}}', []],
  ])('of %s', (text, expected) => {
    const merged = merge(text);
    const settings = overriddenByEks(merged);
    expect(settings.map(({ path, decides }) => `${path} ${decides}`)).toEqual(expected);
    for (const { path } of settings) expect(merged.origin(path)).toBeDefined();
  });
});

describe('DNS addresses', () => {
  it.each([
    ['172.20.0.0/16', '172.20.0.10', '172.20.0.10'],
    ['10.100.5.7/16', '10.100.5.10', '10.100.0.10'],
    ['10.0.3.128/25', '10.0.3.10', '10.0.3.138'],
    ['fd00:abcd::/108', 'fd00:abcd::a', 'fd00:abcd::a'],
    ['fd00::1/108', 'fd00::1a', 'fd00::a'],
    ['fd00:0:0:0:0:0:0:0/108', 'fd00:0:0:0:0:0:0:0a', 'fd00::a'],
    ['fd00:1:2:3:4:5:6:0/112', 'fd00:1:2:3:4:5:6:0a', 'fd00:1:2:3:4:5:6:a'],
    ['::/0', '::a', '::a'],
    ['172.20.0.0', undefined, undefined],
    ['172.20.00.0/16', undefined, undefined],
    ['1.2.3.4/16/2', undefined, undefined],
    ['fd00::1::/64', undefined, undefined],
    ['', undefined, undefined],
  ])('of %p', (cidr, nodes, cluster) => {
    expect([dnsAddressOf(cidr), clusterDnsAddressOf(cidr)]).toEqual([nodes, cluster]);
  });

  it('agree exactly where an IPv4 range has no problem', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 12, max: 24 }), (address, prefix) => {
        const cidr = `${address}/${prefix}`;
        expect(serviceCidrProblem(cidr) === undefined).toBe(dnsAddressOf(cidr) === clusterDnsAddressOf(cidr));
      }),
    );
  });

  it('of IPv6 ranges in any spelling are well-formed', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 124 }), (address, prefix) => {
        const found = clusterDnsAddressOf(`${address}/${prefix}`);
        if (found !== undefined) expect(clusterDnsAddressOf(`${found}/${prefix}`)).toBe(found);
        else expect(address).toMatch(/\./);
      }),
    );
  });
});
