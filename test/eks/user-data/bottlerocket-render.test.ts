import fc from 'fast-check';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { runs } from '../../share';
import { PlainText } from '../../../lib/eks/user-data/node-config/render';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import {
  BottlerocketSettingsError,
  bottlerocketSpecProblems,
  constructsEksCannotMerge,
  readBottlerocket,
  renderBottlerocket,
  type BottlerocketSettingsSpec,
} from '../../../lib/eks/user-data/bottlerocket';

const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');
const cluster = { name: 'main', apiServer: 'https://ABC.gr7.eu-west-1.eks.amazonaws.com', certificate };
const isToken = (value: unknown): boolean => typeof value === 'string' && value.includes('${Token[');

describe('renderBottlerocket', () => {
  it('writes all kinds of settings', () => {
    const text = renderBottlerocket({
      cluster: { ...cluster, dnsIp: '172.20.0.10' },
      maxPods: 110,
      labels: { 'example.org/team': 'a', tier: 'web' },
      taints: [
        { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
        { key: 'dedicated', effect: 'NoExecute' },
      ],
      settings: {
        kubernetes: { 'eviction-hard': { 'memory.available': '15%' } },
        kernel: { sysctl: { 'vm.max_map_count': '262144' } },
        'host-containers': { admin: { enabled: true } },
        'container-registry': { mirrors: [{ registry: 'docker.io', endpoint: ['https://mirror.example.org'] }] },
      },
    });
    expect(text).toBe(`[settings.kubernetes]
cluster-name = "main"
api-server = "https://ABC.gr7.eu-west-1.eks.amazonaws.com"
cluster-certificate = "${certificate}"
cluster-dns-ip = "172.20.0.10"
max-pods = 110

[settings.kubernetes.node-labels]
"example.org/team" = "a"
tier = "web"

[settings.kubernetes.node-taints]
dedicated = ["gpu:NoSchedule", ":NoExecute"]

[settings.kubernetes.eviction-hard]
"memory.available" = "15%"

[settings.kernel.sysctl]
"vm.max_map_count" = "262144"

[settings.host-containers.admin]
enabled = true

[[settings.container-registry.mirrors]]
registry = "docker.io"
endpoint = ["https://mirror.example.org"]
`);
    const reading = readBottlerocket(SourceText.of(text));
    expect(reading.problems).toEqual([]);
    expect(constructsEksCannotMerge(reading)).toEqual([]);
  });

  it('writes an empty document that Bottlerocket takes', () => {
    expect(renderBottlerocket({})).toBe('[settings]\n');
    expect(renderBottlerocket({ labels: {} })).toBe('[settings.kubernetes.node-labels]\n');
  });

  it('keeps tokens as they are, and escapes what stands around them', () => {
    const text = renderBottlerocket(
      {
        cluster: { name: '${Token[Cluster.1]}', apiServer: 'a"\n${Token[X.2]}\\' },
        maxPods: new PlainText('${Token[Pods.3]}'),
        labels: { 'example.org/${Token[K.4]}': '${Token[V.5]}' },
      },
      isToken,
    );
    expect(text).toBe(
      '[settings.kubernetes]\ncluster-name = "${Token[Cluster.1]}"\napi-server = "a\\u0022\\n${Token[X.2]}\\\\"\nmax-pods = ${Token[Pods.3]}\n\n[settings.kubernetes.node-labels]\n"example.org/${Token[K.4]}" = "${Token[V.5]}"\n',
    );
  });

  it('puts keys that need quotes into no header', () => {
    const text = renderBottlerocket({
      settings: { kubernetes: { 'static-pods': { 'a.b': { enabled: true, manifest: 'eA==' }, 'c.d': {} } } },
    });
    expect(text).toBe('[settings.kubernetes.static-pods]\n"a.b".enabled = true\n"a.b".manifest = "eA=="\n"c.d" = {}\n');
  });

  it('writes quotation marks so that EKS can merge them', () => {
    expect(renderBottlerocket({ settings: { motd: 'say "hi"' } })).toBe('[settings]\nmotd = \'say "hi"\'\n');
    expect(renderBottlerocket({ settings: { motd: 'it\'s "x"' } })).toBe(
      '[settings]\nmotd = "it\'s \\u0022x\\u0022"\n',
    );
  });

  it.each<[string, BottlerocketSettingsSpec, string[]]>([
    [
      'a setting that is set twice',
      { maxPods: 20, settings: { kubernetes: { 'max-pods': 30 } } },
      ['settings', 'kubernetes', 'max-pods'],
    ],
    [
      'a label that is set twice',
      { labels: { 'a.b/c': 'x' }, settings: { kubernetes: { 'node-labels': { 'a.b/c': 'y' } } } },
      ['settings', 'kubernetes', 'node-labels', 'a.b/c'],
    ],
    ['a value in place of a table', { labels: { a: 'x' }, settings: { kubernetes: 5 } }, ['settings', 'kubernetes']],
    ['null', { settings: { a: { b: null } } }, ['settings', 'a', 'b']],
    ['a function', { settings: { a: [() => 1] } }, ['settings', 'a', '0']],
    ['an object of a class', { settings: { a: new Date(0) } }, ['settings', 'a']],
    ['no number', { maxPods: Number.NaN }, ['settings', 'kubernetes', 'max-pods']],
    ['mixed types', { settings: { a: [1, 'x'] } }, ['settings', 'a']],
    ['mixed numbers', { settings: { a: [1, 1.5] } }, ['settings', 'a']],
    ['quotation marks in keys', { settings: { a: { 'b"c': 1 } } }, ['settings', 'a', 'b"c']],
  ])('refuses %s and says where', (_, spec, path) => {
    const error = (() => {
      try {
        return renderBottlerocket(spec);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(BottlerocketSettingsError);
    expect(error).toMatchObject({ path });
  });

  it('refuses numbers that stand for something and objects without end', () => {
    expect(() => renderBottlerocket({ maxPods: -1.8e289 }, (value) => value === -1.8e289)).toThrow(
      'settings.kubernetes.max-pods is a number that is decided at deployment',
    );
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    expect(() => renderBottlerocket({ settings: endless })).toThrow(BottlerocketSettingsError);
    const endlessList: unknown[] = [];
    endlessList.push(endlessList);
    expect(() => renderBottlerocket({ settings: { a: endlessList } })).toThrow(BottlerocketSettingsError);
    const nested = (depth: number): Record<string, unknown> => (depth === 0 ? {} : { a: nested(depth - 1) });
    expect(renderBottlerocket({ settings: nested(49) })).toContain('.a]');
    expect(() => renderBottlerocket({ settings: nested(50) })).toThrow('settings.a.a.a.a is nested too deeply');
  });

  it("parses back to what was put in, and to nothing that EKS can't merge", () => {
    const bare = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);
    const key = fc.oneof(bare, fc.stringMatching(/^[a-z0-9./ é]{0,8}$/));
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('"', "'", '\\', '\n', '\r', '\t', '\u0000', '\u007f', '\u0085', '#', '=', '$', '{', 'a'),
      }),
      fc.boolean(),
      fc.maxSafeInteger().map((n) => n + 0),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    );
    const { tree } = fc.letrec<{ tree: Record<string, unknown>; value: unknown }>((tie) => ({
      tree: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(fc.string(), { maxLength: 3 }),
        fc.array(fc.integer(), { maxLength: 3 }),
        tie('tree'),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (settings) => {
        const text = renderBottlerocket({ settings });
        expect(getStaticTOMLValue(parseTOML(text, { tomlVersion: '1.0' }))).toEqual({ settings });
        const reading = readBottlerocket(SourceText.of(text));
        expect(reading.data).toEqual({ settings });
        expect(constructsEksCannotMerge(reading)).toEqual([]);
        expect(reading.problems.filter(({ kind }) => kind === 'syntax' || kind === 'duplicate')).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('bottlerocketSpecProblems', () => {
  it('finds what is wrong with values, and leaves tokens alone', () => {
    expect(bottlerocketSpecProblems({ cluster, maxPods: 110, labels: { 'example.org/team': 'a' } })).toEqual([]);
    expect(
      bottlerocketSpecProblems(
        {
          cluster: { certificate: '${Token[Ca.1]}', dnsIp: ['${Token[Ip.2]}'] },
          maxPods: new PlainText('${Token[N.3]}'),
          labels: { a: '${Token[V.4]}' },
        },
        isToken,
      ),
    ).toEqual([]);
    const problems = bottlerocketSpecProblems({
      cluster: { certificate: 'x!' },
      maxPods: -1,
      labels: { a: 'b c' },
      settings: { kubernetes: { 'log-level': '2' } },
    });
    expect(problems.map(({ kind, level }) => [kind, level])).toEqual([
      ['cluster-certificate', 'error'],
      ['max-pods', 'error'],
      ['label', 'error'],
      ['wrong-type', 'warning'],
    ]);
  });
});
