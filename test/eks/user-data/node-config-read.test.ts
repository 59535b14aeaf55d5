import fc from 'fast-check';
import { runs } from '../../share';
import {
  NODE_CONFIG_PROBLEMS,
  readNodeConfig,
  renderNodeConfig,
  type NodeConfigReading,
  type NodeConfigSpec,
} from '../../../lib/eks/user-data/node-config';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { dataAt, nowhere, Unknown } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';
import { expectTold } from './told';

const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');
const HEAD = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n';

function read(text: string): NodeConfigReading {
  return readNodeConfig(SourceText.of(text));
}

/** `«…»` marks an unknown part. */
function readWithUnknown(text: string): NodeConfigReading {
  const pieces = text
    .split(/[«»]/)
    .map((piece, index) =>
      index % 2 === 0
        ? { text: piece, sourceAt: () => nowhere }
        : { unknown: new Unknown(`${piece} has no default`, nowhere, `\${${piece}}`) },
    );
  return readNodeConfig(SourceText.compose(pieces));
}

function kinds(reading: NodeConfigReading): string[] {
  return reading.problems.map(({ path, kind }) => `${path} ${kind}`.trim());
}

describe('readNodeConfig', () => {
  it.each([
    ['the head alone', HEAD],
    ['a leading document marker and comments', `# main\n---\n# here\n${HEAD}spec: {}\n`],
    ['an end marker', `${HEAD}spec: {}\n---\n# nothing\n`],
    ['a byte order mark', `\ufeff${HEAD}`],
    ['CRLF', `${HEAD}spec:\n  cluster:\n    name: main\n`.replaceAll('\n', '\r\n')],
    [
      'JSON with tabs',
      '{\n\t"apiVersion": "node.eks.aws\\/v1alpha1",\n\t"kind": "NodeConfig",\n\t"spec": {"kubelet": {"flags": [\n\t\t"--v=2"\n\t]}}\n}\n',
    ],
    [
      'empty blocks, which are null',
      `${HEAD}metadata:\nspec:\n  cluster:\n    name:\n    certificateAuthority: ~\n  kubelet:\n    config:\n    flags:\n  featureGates:\n    FastImagePull:\n`,
    ],
    [
      'yes and no, as YAML 1.1 has them',
      `${HEAD}spec:\n  cluster:\n    enableOutpost: no\n  featureGates:\n    FastImagePull: yes\n`,
    ],
    ['text that looks like times', `${HEAD}spec:\n  cluster:\n    name: 2026-01-01\n    id: 1:30\n`],
    ['duplicate keys of which the last is right', `${HEAD}spec:\n  cluster:\n    name: 1\n    name: main\n`],
    [
      'anchors and merge keys',
      `${HEAD}spec:\n  instance:\n    environment:\n      default: &d {A: b}\n      kubelet:\n        <<: *d\n        C: d\n`,
    ],
    [
      'an empty name, which nodeadm takes for none',
      `${HEAD}spec:\n  cluster:\n    name: ""\n    cidr: ''\n  instance:\n    localStorage:\n      strategy: ""\n`,
    ],
    ['a bracket that closes at the margin', `${HEAD}spec:\n  kubelet:\n    flags: [\n      --v=2,\n]\n`],
    ['a quoted text that goes on at the margin', `${HEAD}spec:\n  kubelet:\n    flags: ["--node-labels=a=b,\nc=d"]\n`],
    ["lists that aren't indented", `${HEAD}spec:\n  kubelet:\n    flags:\n    - --v=2\n`],
    [
      'a certificate authority over several lines',
      `${HEAD}spec:\n  cluster:\n    certificateAuthority: |\n      ${certificate.replace(/.{24}/g, '$&\n      ')}\n`,
    ],
    [
      'free content',
      `${HEAD}metadata: {name: x}\nspec:\n  kubelet:\n    config: {x: {y: [1]}}\n  containerd:\n    baseRuntimeSpec: {process: {}}\n    config: |\n      [plugins]\n`,
    ],
    [
      'allowed labels',
      `${HEAD}spec:\n  kubelet:\n    flags: ["--node-labels=node.kubernetes.io/role=x,mycorp.io/x=y,topology.kubernetes.io/zone=a"]\n`,
    ],
  ])('takes %s', (_, text) => {
    const reading = read(text);
    expect(kinds(reading)).toEqual([]);
    expect(reading.unknown).toBeUndefined();
    expect(dataAt(reading.data, 'kind')).toBe('NodeConfig');
  });

  const WRONG: readonly (readonly [what: string, text: string, problem: string, at: string | undefined])[] = [
    ['tabs', `${HEAD}spec:\n\tcluster:\n`, 'syntax', '\tcluster'],
    ['an open quote', `${HEAD}spec:\n  cluster:\n    name: "main\n`, 'syntax', undefined],
    ['an open list', `${HEAD}spec:\n  kubelet:\n    flags: [a, b\n  cluster: {}\n`, 'syntax', 'cluster'],
    ['an alias without anchor', `${HEAD}spec: *base\n`, 'syntax', '*base'],
    ['an anchor that holds itself', `${HEAD}spec: &base {cluster: *base}\n`, 'syntax', '*base'],
    ['a merge of text', `${HEAD}spec:\n  <<: text\n`, 'syntax', '<<'],
    ['a map for a key', `${HEAD}? {a: b}\n: c\n`, 'syntax', '{a'],
    ['a list for a key', `${HEAD}? [a, b]\n: c\n`, 'syntax', '[a'],
    ['an alias of a list for a key', `${HEAD}spec: &s [a]\n*s : c\n`, 'syntax', '*s'],
    ['nothing for a key', `${HEAD}? \n: c\n`, 'syntax', undefined],
    ['a merge of a list of lists', `${HEAD}spec:\n  <<: [[{a: b}]]\n`, 'syntax', '<<'],
    ['nothing', '', 'empty', undefined],
    ['comments', '# nothing here\n', 'empty', '#'],
    ['an empty first document', `---\n---\n${HEAD}`, 'empty', undefined],
    ['text', 'hello', 'wrong-type', 'hello'],
    ['a list', `- ${HEAD.replace('\n', '\n  ')}`, 'wrong-type', '- '],
    ['another version', HEAD.replace('v1alpha1', 'v1'), 'apiVersion head', 'apiVersion'],
    ['a kind of small letters', HEAD.replace('NodeConfig', 'nodeconfig'), 'kind head', 'kind'],
    ['an empty kind', HEAD.replace('NodeConfig', ''), 'kind head', 'kind'],
    ['a number for a name', `${HEAD}spec:\n  cluster:\n    name: 123\n`, 'spec.cluster.name wrong-type', 'name'],
    ['a truth value for a name', `${HEAD}spec:\n  cluster:\n    name: on\n`, 'spec.cluster.name wrong-type', 'name'],
    [
      'a list of ranges',
      `${HEAD}spec:\n  cluster:\n    cidr: [172.20.0.0/16]\n`,
      'spec.cluster.cidr wrong-type',
      'cidr',
    ],
    [
      'one text for flags',
      `${HEAD}spec:\n  kubelet:\n    flags: --node-labels=a=b\n`,
      'spec.kubelet.flags wrong-type',
      'flags',
    ],
    [
      'a number among flags',
      `${HEAD}spec:\n  kubelet:\n    flags:\n      - --v=2\n      - 3\n`,
      'spec.kubelet.flags.1 wrong-type',
      '3\n',
    ],
    [
      'a number for an expression',
      `${HEAD}spec:\n  kubelet:\n    maxPodsExpression: 110\n`,
      'spec.kubelet.maxPodsExpression wrong-type',
      'maxPodsExpression',
    ],
    [
      'text for a gate',
      `${HEAD}spec:\n  featureGates:\n    FastImagePull: "true"\n`,
      'spec.featureGates.FastImagePull wrong-type',
      'FastImagePull',
    ],
    ['a second document', `${HEAD}---\n${HEAD}`, 'further-document', '---'],
    [
      'a block at the wrong level',
      `${HEAD}spec:\n  cluster:\n    kubelet:\n      config: {}\n`,
      'spec.cluster.kubelet misplaced-field',
      'kubelet',
    ],
    ['a field of another case', `${HEAD}Spec:\n  cluster: {}\n`, 'Spec unknown-field', 'Spec'],
    [
      'head fields below kubelet',
      `${HEAD}spec:\n  kubelet:\n    kind: KubeletConfiguration\n`,
      'spec.kubelet.kind unknown-field',
      'kind: Kubelet',
    ],
    [
      'doubled padding',
      `${HEAD}spec:\n  cluster:\n    certificateAuthority: Y2VydA===\n`,
      'spec.cluster.certificateAuthority certificate-authority',
      'certificateAuthority',
    ],
    [
      'a placeholder for a certificate',
      `${HEAD}spec:\n  cluster:\n    certificateAuthority: Y2VydA==\n`,
      'spec.cluster.certificateAuthority certificate-authority-placeholder',
      'certificateAuthority',
    ],
    [
      'a range without mask',
      `${HEAD}spec:\n  cluster:\n    cidr: 172.20.0.0\n`,
      'spec.cluster.cidr service-cidr',
      'cidr',
    ],
    [
      'an unknown strategy',
      `${HEAD}spec:\n  instance:\n    localStorage:\n      strategy: RAID5\n`,
      'spec.instance.localStorage.strategy strategy',
      'strategy',
    ],
    [
      'text for maxPods',
      `${HEAD}spec:\n  kubelet:\n    config:\n      maxPods: "110"\n`,
      'spec.kubelet.config.maxPods value',
      'maxPods',
    ],
    [
      'too many pods',
      `${HEAD}spec:\n  kubelet:\n    config:\n      maxPods: 500\n`,
      'spec.kubelet.config.maxPods ceiling',
      'maxPods',
    ],
    [
      'a reserved label',
      `${HEAD}spec:\n  kubelet:\n    flags: [--v=2, "--node-labels=k8s.io/x=y"]\n`,
      'spec.kubelet.flags.1 reserved-label',
      '"--node-labels',
    ],
  ];

  it('tells all of it as the golden file does', () => {
    expectTold(
      'node-config-problems.txt',
      WRONG.map(([, text]) => [
        text,
        read(text).problems.map(({ offset, path, kind, message }) => ({
          offset,
          message: `${path} ${kind} ${message}`.trim(),
        })),
      ]),
    );
  });

  it.each(WRONG)('reports %s', (_, text, problem, at) => {
    const reading = read(text);
    expect(kinds(reading)).toEqual([problem]);
    const [found] = reading.problems;
    if (at !== undefined) expect(text.slice(found?.offset).trimStart().startsWith(at.trimStart())).toBe(true);
    expect(NODE_CONFIG_PROBLEMS[found?.kind ?? 'blank'].subject).not.toBe('cluster');
    expect(found?.message).toMatch(/^(is|has|sets|holds) /);
  });

  it('reports several problems in the order of the text', () => {
    const reading = read(
      `kind: NodeConfig\nspec:\n  featureGates:\n    Fast: true\n  cluster:\n    cluster: {}\n    cidr: 1\n`,
    );
    expect(kinds(reading)).toEqual([
      'apiVersion head',
      'spec.featureGates.Fast value',
      'spec.cluster.cluster misplaced-field',
      'spec.cluster.cidr wrong-type',
    ]);
  });

  it('takes scalars as go-yaml does', () => {
    const text = `${HEAD}spec:\n  kubelet:\n    config: {a: 2026-01-01, b: ., c: .NaN, d: ~, e: "5", f: 1_000, g: yes}\n`;
    expect(dataAt(read(text).data, 'spec', 'kubelet', 'config')).toEqual({
      a: '2026-01-01',
      b: '.',
      c: NaN,
      d: null,
      e: '5',
      f: 1000,
      g: true,
    });
  });

  it('tells where keys and list items stand, of repeated keys the last', () => {
    const text = `${HEAD}spec:\n  kubelet:\n    config:\n      maxPods: 1\n      maxPods: 2\n      evictionHard:\n        memory.available: 5%\n    flags:\n      - --v=2\n      - --a=b\n`;
    const reading = read(text);
    expect(dataAt(reading.data, 'spec', 'kubelet', 'config', 'maxPods')).toBe(2);
    expect(reading.offsetOf('spec.kubelet.config.maxPods')).toBe(text.indexOf('maxPods: 2'));
    expect(reading.offsetOf('spec.kubelet.config.evictionHard.memory.available')).toBe(
      text.indexOf('memory.available'),
    );
    expect(reading.offsetOf('spec.kubelet.flags.1')).toBe(text.indexOf('--a=b'));
    for (const path of [
      '',
      'spec.cluster',
      'spec.kubelet.flags.2',
      'spec.kubelet.flags.x',
      'kind.x',
      '__proto__',
      'a.'.repeat(1000),
    ])
      expect(reading.offsetOf(path)).toBeUndefined();
  });

  it('finds what an alias stands for where the anchor is', () => {
    const text = `${HEAD}spec:\n  instance:\n    environment:\n      default: &d {A: 1}\n      kubelet: *d\n`;
    expect(read(text).problems.map(({ path, offset }) => [path, offset])).toEqual([
      ['spec.instance.environment.default.A', text.indexOf('A: 1')],
      ['spec.instance.environment.kubelet.A', text.indexOf('A: 1')],
    ]);
  });
});

describe("readNodeConfig of a text that isn't fully known", () => {
  it('holds unknown values for unknown, and judges the others', () => {
    const reading = readWithUnknown(
      `${HEAD}spec:\n  cluster:\n    name: «Name»\n    cidr: "10.«Net».0.0/16"\n    certificateAuthority: '«Ca»'\n    apiServerEndpoint: 5\n  kubelet:\n    flags:\n      - --max-pods=«Pods»\n`,
    );
    expect(kinds(reading)).toEqual(['spec.cluster.apiServerEndpoint wrong-type']);
    expect(dataAt(reading.data, 'spec', 'cluster', 'name')).toMatchObject({ kind: 'unknown', text: '${Name}' });
    expect(dataAt(reading.data, 'spec', 'cluster', 'cidr')).toMatchObject({
      kind: 'unknown',
      text: '10.${Net}.0.0/16',
      reason: 'Net has no default',
    });
    expect(dataAt(reading.data, 'spec', 'cluster', 'certificateAuthority')).toMatchObject({
      kind: 'unknown',
      text: '${Ca}',
    });
  });

  it('knows nothing of a map with an unknown key', () => {
    const reading = readWithUnknown(`${HEAD}spec:\n  cluster:\n    «Field»: x\n    names: y\n  kubelt: {}\n`);
    expect(dataAt(reading.data, 'spec', 'cluster')).toBeInstanceOf(Unknown);
    expect(kinds(reading)).toEqual(['spec.kubelt unknown-field']);
  });

  it.each(['«All»', `«Start»\n${HEAD}`, `${HEAD}spec:\n\tcluster: «X»\n`, `${HEAD}spec: [«X»\n`])(
    'says nothing of %j',
    (text) => {
      const reading = readWithUnknown(text);
      expect(reading.problems).toEqual([]);
      expect(reading.unknown).toBeInstanceOf(Unknown);
    },
  );

  it("judges a head of which a part isn't known only where it is", () => {
    expect(kinds(readWithUnknown('apiVersion: «Version»\nkind: Nodeconfig\n'))).toEqual(['kind head']);
  });

  it('finds reserved labels before an unknown part, not behind it', () => {
    const flags = (flag: string) => kinds(readWithUnknown(`${HEAD}spec:\n  kubelet:\n    flags:\n      - "${flag}"\n`));
    expect(flags('--node-labels=k8s.io/role=,env=«Env»')).toEqual(['spec.kubelet.flags.0 reserved-label']);
    expect(flags('--node-labels=env=«Env»,k8s.io/role=x')).toEqual([]);
    expect(flags('--node-labels=k8s.io«Rest»')).toEqual([]);
    expect(flags('«Flag»')).toEqual([]);
  });
});

describe('readNodeConfig of anything', () => {
  const texts = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
  const json = fc.jsonValue({ maxDepth: 3 });
  const spec: fc.Arbitrary<NodeConfigSpec> = fc.record(
    {
      cluster: fc.record(
        {
          name: texts,
          apiServerEndpoint: texts,
          certificateAuthority: fc.constant(certificate),
          cidr: fc.constantFrom('172.20.0.0/16', 'fd00:1::/108'),
        },
        { requiredKeys: [] },
      ),
      kubelet: fc.record(
        {
          config: fc.dictionary(
            fc.string().filter((key) => key !== '__proto__' && key !== '<<'),
            json,
          ),
          flags: fc.array(texts.map((text) => `--v=${text}`)),
          maxPodsExpression: texts,
        },
        { requiredKeys: [] },
      ),
      instance: fc.record(
        {
          environment: fc.dictionary(
            texts.filter((key) => key !== '__proto__' && key !== '<<'),
            fc.constant({ A: 'b' }),
          ),
          localStorage: fc.record({ strategy: fc.constantFrom('RAID0', 'Mount') }),
        },
        { requiredKeys: [] },
      ),
      featureGates: fc.record({ InstanceIdNodeName: fc.boolean(), FastImagePull: fc.boolean() }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );

  it('gives back what was rendered, without problems', () => {
    fc.assert(
      fc.property(spec, (rendered) => {
        const expected: unknown = JSON.parse(
          JSON.stringify({ apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec: rendered }),
        );
        for (const text of [renderNodeConfig(rendered), JSON.stringify(expected, null, '\t')]) {
          const reading = read(text);
          expect(JSON.parse(JSON.stringify(reading.data))).toEqual(expected);
          expect(reading.problems.filter(({ path }) => path !== 'spec.kubelet.config.maxPods')).toEqual([]);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('never throws, and puts every problem inside of the text', () => {
    const fragments = fc.constantFrom(
      '\n',
      '  ',
      '\t',
      ':',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '|',
      '&a',
      '*a',
      '<<: *a',
      '---\n',
      '#',
      '!!',
      '? ',
      ',',
      '%',
      '\u0000',
      'é',
      '1',
      '«X»',
    );
    const base = `${HEAD}spec:\n  cluster: &a\n    name: "main"\n    cidr: 10.0.0.0/16\n  kubelet:\n    config: {maxPods: 5}\n    flags:\n      - "--node-labels=a=b"\n`;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(base.length), fc.nat(12), fragments), { maxLength: 6 }), (edits) => {
        let text = base;
        for (const [at, drop, put] of edits) text = text.slice(0, at) + put + text.slice(at + drop);
        const reading = readWithUnknown(text);
        for (const { offset } of reading.problems) expect(offset >= 0 && offset <= reading.body.text.length).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ['deep nesting', '['.repeat(20_000)],
    ['deep blocks', `${HEAD}spec: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`],
    [
      'aliases of aliases',
      `${HEAD}a: &a [1]\n${Array.from({ length: 40 }, (_, index) => `b${index}: &b${index} [*${index === 0 ? 'a' : `b${index - 1}`}, *${index === 0 ? 'a' : `b${index - 1}`}]\n`).join('')}`,
    ],
    ['a long text of loose lines', `${HEAD}spec: "${'x\n'.repeat(20_000)}"`],
    [
      'many unknown fields',
      `${HEAD}spec:\n${Array.from({ length: 3_000 }, (_, index) => `  field${index}: 1\n`).join('')}`,
    ],
  ])('copes with %s', (_, text) => {
    const elapsed = cpuTime();
    expect(Array.isArray(read(text).problems)).toBe(true);
    expect(elapsed()).toBeLessThan(8_000);
  });
});
