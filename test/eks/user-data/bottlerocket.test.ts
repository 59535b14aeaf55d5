import fc from 'fast-check';
import { nowhere, Unknown } from '../../../lib/value';
import { SourceText, type TextPiece } from '../../../lib/eks/user-data/source-text';
import {
  constructsEksCannotMerge,
  eksOwnedSettings,
  labelsOf,
  maxPodsOf,
  missingJoinSettings,
  readBottlerocket,
  type BottlerocketProblem,
} from '../../../lib/eks/user-data/bottlerocket';
import { cpuTime } from '../../cpu-time';
import { expectTold } from './told';
import { itWithAll, runs } from '../../share';

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const certificate = Buffer.from(pem).toString('base64');
const trio = `[settings.kubernetes]
cluster-name = "main"
api-server = "https://ABC.gr7.eu-west-1.eks.amazonaws.com"
cluster-certificate = "${certificate}"
`;

const reference = (text: string, target?: object): Unknown =>
  new Unknown(
    'it is decided at deployment',
    nowhere,
    text,
    undefined,
    target && { resource: target, attribute: 'Ref' },
  );

/** A text with unknown parts where `${…}` stands. */
function withUnknowns(text: string, target?: object): SourceText {
  const pieces = text
    .split(/(\$\{[^}]*\})/)
    .map(
      (piece): TextPiece =>
        piece.startsWith('${') ? { unknown: reference(piece, target) } : { text: piece, sourceAt: () => nowhere },
    );
  return SourceText.compose(pieces);
}

const read = (text: string): ReturnType<typeof readBottlerocket> => readBottlerocket(SourceText.of(text));

/** Kind, level and the text from the offset to the end of the line. */
function summary(text: string, problems: readonly BottlerocketProblem[]): string[] {
  return problems.map(({ kind, level, offset }) => `${level} ${kind} @ ${text.slice(offset).split('\n', 1)[0] ?? ''}`);
}

describe('readBottlerocket: correct user data', () => {
  it.each([
    ['the settings that a node needs', trio],
    ['max-pods alone', '[settings.kubernetes]\nmax-pods = 110\n'],
    ['no pods at all', '[settings.kubernetes]\nmax-pods = 0\n'],
    ['a setting of 2026', '[settings.kubernetes]\nfail-cgroup-v1 = false\n'],
    [
      'settings of other parts',
      '[settings.host-containers.admin]\nenabled = true\n\n[settings.kernel.sysctl]\n"vm.max_map_count" = "262144"\n\n[[settings.container-registry.mirrors]]\nregistry = "docker.io"\nendpoint = ["https://mirror.example.org"]\n',
    ],
    [
      'labels and taints',
      '[settings.kubernetes.node-labels]\n"example.org/team" = "a-b.c_d"\nempty = ""\n[settings.kubernetes.node-taints]\ndedicated = ["gpu:NoSchedule", ":NoExecute"]\nspecial = "true:PreferNoSchedule"\n',
    ],
    [
      'an inline table and dotted keys with quotes',
      'settings.kubernetes.node-labels."a.b/c" = "x"\nsettings.kubernetes.node-taints = { "d.e/f" = ":NoExecute" }\n',
    ],
    [
      'lists and single values',
      '[settings.kubernetes]\ncluster-dns-ip = ["172.20.0.10", "fd00::a"]\nimage-gc-high-threshold-percent = "85"\nimage-gc-low-threshold-percent = 80\nallowed-unsafe-sysctls = ["net.core.somaxconn"]\nserver-tls-bootstrap = true\nlog-level = 2\n[settings.kubernetes.eviction-hard]\n"memory.available" = "15%"\n',
    ],
    [
      'named blocks',
      '[settings.kubernetes.credential-providers.ecr-credential-provider]\nenabled = true\n[settings.kubernetes.memory-manager-reserved-memory.0]\nenabled = true\n',
    ],
    [
      'a table of which a part was there already',
      '[settings.kubernetes.node-labels]\na = "b"\n[settings.kubernetes]\nmax-pods = 20\n',
    ],
    ['CRLF line ends and comments', '# a comment: not = "TOML\r\n[settings.kubernetes]\r\nmax-pods = 20 # "quoted\r\n'],
    ['a byte order mark', '\ufeff[settings.kubernetes]\nmax-pods = 20\n'],
    ['nothing', ' \n'],
  ])('finds nothing wrong with %s', (_, text) => {
    expect(summary(text, read(text).problems)).toEqual([]);
  });

  it('gives the data', () => {
    expect(
      read(
        '[settings.kubernetes]\nmax-pods = 20\nnode-labels."a.b/c" = "x"\n[[settings.l]]\nx = 1.5\n[[settings.l]]\nx = true\n',
      ).data,
    ).toEqual({
      settings: { kubernetes: { 'max-pods': 20, 'node-labels': { 'a.b/c': 'x' } }, l: [{ x: 1.5 }, { x: true }] },
    });
  });

  it('says where things stand', () => {
    const text = `${trio}node-labels = { a = "b" }\ntaint-list = ["x", "y"]\n`;
    const reading = read(text);
    expect(reading.offsetOf(['settings', 'kubernetes', 'api-server'])).toBe(text.indexOf('api-server'));
    expect(reading.offsetOf(['settings', 'kubernetes', 'node-labels', 'a'])).toBe(text.indexOf('a = "b"'));
    expect(reading.offsetOf(['settings', 'kubernetes', 'taint-list', '1'])).toBe(text.indexOf('"y"'));
    // Nothing like it: the table around it.
    expect(reading.offsetOf(['settings', 'kubernetes', 'max-pods'])).toBe(text.indexOf('kubernetes'));
    expect(reading.offsetOf(['motd'])).toBe(0);
  });
});

describe('readBottlerocket: keys', () => {
  it.each([
    [(key: string) => `${key} = 1`, '# first\n'.length],
    [(key: string) => `[${key}]`, '# first\n['.length],
  ])('of more than a hundred parts are refused where they stand', (line, offset) => {
    const problemsOf = (parts: number) =>
      read(`# first\n${line(Array.from({ length: parts }, () => 'a').join('.'))}\n`).problems;
    expect(problemsOf(100)).toMatchObject([{ kind: 'no-settings' }]);
    expect(problemsOf(101)).toMatchObject([
      { kind: 'syntax', offset, message: expect.stringContaining('Nested too deeply') as string },
    ]);
  });
});

describe('readBottlerocket: problems', () => {
  const k = '[settings.kubernetes]\n';
  const WRONG: readonly (readonly [text: string, expected: readonly string[]])[] = [
    // Syntax
    [`${k}enabled = yes\n`, ['error syntax @ yes']],
    ['settings.kubernetes.node-labels.a.b/c = "x"\n', ['error syntax @ /c = "x"']],
    [`${k}cluster-name = main\n`, ['error syntax @ main']],
    [`${k}cluster-name = "main\n`, ['error syntax @ ']],
    [`${k}x = { a = 1, }\n`, ['warning unknown-setting @ x = { a = 1, }', 'warning syntax @ }']],
    // Twice
    [`${k}max-pods = 1\n[settings.other]\n${k}api-server = "x"\n`, ['error duplicate @ kubernetes]']],
    [`${k}max-pods = 1\nmax-pods = 2\n`, ['error duplicate @ max-pods = 2']],
    // Top level
    ['[kubernetes]\nmax-pods = 1\n', ['error no-settings @ kubernetes]']],
    ['# only a comment\n', ['error no-settings @ # only a comment']],
    [`${k}max-pods = 1\n[extra]\na = 1\n`, ['warning outside-settings @ extra]']],
    ['settings = "x"\n', ['warning wrong-type @ settings = "x"']],
    ['[settings.metadata]\nhop-limit = 2\n', ['warning metadata @ metadata]']],
    // Nesting
    [`${k}settings.kubernetes.max-pods = 20\n`, ['error repeated-path @ settings.kubernetes.max-pods = 20']],
    ['[settings.kubernetes.node-labels]\nexample.org = "x"\n', ['error nested-key @ example.org = "x"']],
    [
      '[settings.kubernetes.node-taints]\nexample.org = ["a:NoExecute"]\n',
      ['error nested-key @ example.org = ["a:NoExecute"]'],
    ],
    [
      '[settings.kubernetes.eviction-hard]\nmemory.available = "15%"\n',
      ['warning nested-key @ memory.available = "15%"'],
    ],
    ['[settings.kernel.sysctl]\nvm.max_map_count = "1"\n', ['warning nested-key @ vm.max_map_count = "1"']],
    // Labels and taints
    [
      '[settings.kubernetes.node-labels]\ngpu = true\ncount = 2\n',
      ['error label @ gpu = true', 'error label @ count = 2'],
    ],
    [
      '[settings.kubernetes.node-labels]\na = "b c"\n"-x" = "y"\n',
      ['error label @ a = "b c"', 'error label @ "-x" = "y"'],
    ],
    [`${k}node-labels = "a=b"\n`, ['error wrong-type @ node-labels = "a=b"']],
    [
      '[settings.kubernetes.node-taints]\na = "NoSchedule"\nb = ["x:NoSchedule", "x:Never"]\nc = ["x:noexecute"]\nd = []\ne = 1\n',
      [
        'error taint @ a = "NoSchedule"',
        'error taint-effect @ "x:Never"]',
        'error taint-effect @ "x:noexecute"]',
        'error taint @ d = []',
        'error taint @ e = 1',
      ],
    ],
    // Types
    [`${k}max-pods = "20"\n`, ['warning max-pods @ max-pods = "20"']],
    [`${k}max-pods = -1\n`, ['error max-pods @ max-pods = -1']],
    [`${k}max-pods = 20.0\n`, ['error max-pods @ max-pods = 20.0']],
    [`${k}cluster-dns-ip = "172.20.0"\n`, ['error cluster-dns-ip @ cluster-dns-ip = "172.20.0"']],
    [`${k}cluster-dns-ip = ["172.20.0.10", 5]\n`, ['warning wrong-type @ 5]']],
    [
      `${k}server-tls-bootstrap = "true"\nlog-level = "2"\nevent-qps = 1.0\nallowed-unsafe-sysctls = "a"\n`,
      [
        'warning wrong-type @ server-tls-bootstrap = "true"',
        'warning wrong-type @ log-level = "2"',
        'warning wrong-type @ event-qps = 1.0',
        'warning wrong-type @ allowed-unsafe-sysctls = "a"',
      ],
    ],
    ['[settings.kernel.sysctl]\n"vm.max_map_count" = 262144\n', ['warning wrong-type @ "vm.max_map_count" = 262144']],
    [
      `${k}max_pods = 20\nmade-up = 1\n`,
      ['warning unknown-setting @ max_pods = 20', 'warning unknown-setting @ made-up = 1'],
    ],
    // Certificate
    [`${k}cluster-certificate = "not base64!"\n`, ['error cluster-certificate @ cluster-certificate = "not base64!"']],
    [
      `${k}cluster-certificate = """${pem}"""\n`,
      [`error cluster-certificate @ cluster-certificate = """-----BEGIN CERTIFICATE-----`],
    ],
    [
      `${k}cluster-certificate = "bm90IGEgY2VydGlmaWNhdGU="\n`,
      ['warning cluster-certificate @ cluster-certificate = "bm90IGEgY2VydGlmaWNhdGU="'],
    ],
    [`${k}cluster-certificate = "TUlJ\\nTUlJ"\n`, ['error cluster-certificate @ cluster-certificate = "TUlJ\\nTUlJ"']],
    [
      `${k}cluster-certificate = "${Buffer.from(certificate).toString('base64')}"\n`,
      [expect.stringContaining('error cluster-certificate') as string],
    ],
    [
      `${k}cluster-certificate = " "\nlog-level = 1.5\nimage-gc-high-threshold-percent = 80.5\nevent-qps = 1\n`,
      ['warning wrong-type @ log-level = 1.5', 'warning wrong-type @ image-gc-high-threshold-percent = 80.5'],
    ],
    [
      `${k}cluster-dns-ip = 5\ncluster-name = ["a"]\nserver-tls-bootstrap = 1\nmax-pods = true\nallowed-unsafe-sysctls = ["a", 1, "b", {}]\n`,
      [
        'warning wrong-type @ cluster-dns-ip = 5',
        'warning wrong-type @ cluster-name = ["a"]',
        'warning wrong-type @ server-tls-bootstrap = 1',
        'error max-pods @ max-pods = true',
        'warning wrong-type @ 1, "b", {}]',
        'warning wrong-type @ {}]',
      ],
    ],
    ['[settings]\nkubernetes = 5\n', ['warning wrong-type @ kubernetes = 5']],
    [
      `${k}node-taints = "a"\neviction-hard = 5\ncredential-providers = ["x"]\n`,
      [
        'error wrong-type @ node-taints = "a"',
        'warning wrong-type @ eviction-hard = 5',
        'warning wrong-type @ credential-providers = ["x"]',
      ],
    ],
    [
      '[settings.kubernetes.credential-providers]\nx = 5\n[settings.kubernetes.eviction-hard]\na = 1\nb = "c"\n',
      ['warning wrong-type @ x = 5', 'warning wrong-type @ a = 1'],
    ],
    [
      `[settings.kubernetes.node-labels]\n"a/b/c" = "x"\n"/b" = "x"\n"a_b/c" = "x"\n"${'a'.repeat(63)}" = "${'b'.repeat(64)}"\n"x-" = "y."\nd = ["e"]\n`,
      [
        'error label @ "a/b/c" = "x"',
        'error label @ "/b" = "x"',
        'error label @ "a_b/c" = "x"',
        expect.stringContaining(`error label @ "${'a'.repeat(63)}"`) as string,
        'error label @ "x-" = "y."',
        'error label @ "x-" = "y."',
        'error label @ d = ["e"]',
      ],
    ],
    [
      '[settings.kubernetes.node-taints]\na = "NoExec"\nb = "x y:NoSchedule"\nc = "x:"\nd = ["x:No Way", 5]\n"e f" = ":NoSchedule"\ng = ["NoExecute"]\n',
      [
        'error taint @ a = "NoExec"',
        'error taint @ b = "x y:NoSchedule"',
        'error taint @ c = "x:"',
        'error taint @ "x:No Way", 5]',
        'error taint @ 5]',
        'error label @ "e f" = ":NoSchedule"',
        'error taint @ "NoExecute"]',
      ],
    ],
    ['[settings.kubernetes.node-labels]\nexample.org/team = "x"\n', ['error syntax @ /team = "x"']],
    ['[settings.kubernetes.node-labels.a]\n', ['error nested-key @ a]']],
    [`${k}cluster-certificate = "TUlJ="\n`, ['error cluster-certificate @ cluster-certificate = "TUlJ="']],
    [
      `${k}Cluster_Name = "a"\nclusterDnsIp = "x"\n`,
      ['warning unknown-setting @ Cluster_Name = "a"', 'warning unknown-setting @ clusterDnsIp = "x"'],
    ],
    [
      `${k}cluster-dns-ip = "a@b"\nmax-pods = "a"\ncluster-name = ${'"' + 'n'.repeat(61) + '"'}\nlog-level = "${'n'.repeat(61)}"\n`,
      [
        'error cluster-dns-ip @ cluster-dns-ip = "a@b"',
        'warning max-pods @ max-pods = "a"',
        expect.stringContaining('warning wrong-type @ log-level') as string,
      ],
    ],
  ];

  it.each(WRONG)('%j', (text, expected) => {
    expect(summary(text, read(text).problems)).toEqual(expected);
  });

  it('tells all of it as the golden file does', () => {
    expectTold(
      'bottlerocket-problems.txt',
      WRONG.map(([text]) => [
        text,
        read(text).problems.map(({ message, path, ...rest }) => ({
          ...rest,
          message: `${path.join(' > ')} ${message}`.trim(),
        })),
      ]),
    );
  });

  it.each([
    [`${k}enabled = yes\n`, 'Write true or false.'],
    [`${k}cluster-name = main\n`, 'Put the value in quotes.'],
    ['[settings.kubernetes.node-labels]\na/b = "x"\n', 'Quote the key'],
    ['settings:\n  kubernetes: {}\n', 'is YAML'],
    ['[settings.kubernetes.node-labels]\na.b.c = "x"\n', 'Quote the key: "a.b.c".'],
    [`${k}settings.kubernetes.max-pods = 20\n`, 'Write `max-pods` below [settings.kubernetes].'],
    [`${k}max_pods = 20\n`, 'Write `max-pods`.'],
    ['[settings.kubernetes.node-taints]\na = "x:noSchedule"\n', 'Write "x:NoSchedule".'],
    ['[settings.kubernetes.node-labels]\na = true\n', 'Write "true", in quotes.'],
    ['[kubernetes]\nmax-pods = 2\n', 'Write `settings.kubernetes`'],
  ])('%j is told what to write', (text, fix) => {
    expect(read(text).problems[0]?.fix).toContain(fix);
  });

  it('gives line and column of a syntax error', () => {
    expect(read(`${k}\nenabled = yes\n`).problems[0]?.message).toContain('line 3, column 11');
  });
});

describe('unknown parts', () => {
  it('are leaves of the data, in quotes and outside of them', () => {
    const reading = readBottlerocket(
      withUnknowns(
        '[settings.kubernetes]\ncluster-name = "${Cluster}"\napi-server = "https://${Host}/x"\nmax-pods = ${Pods}\n',
      ),
    );
    expect(reading.problems).toEqual([]);
    expect(reading.data).toEqual({
      settings: {
        kubernetes: {
          'cluster-name': expect.objectContaining({ text: '${Cluster}' }) as unknown,
          'api-server': expect.objectContaining({ kind: 'unknown', text: 'https://${Host}/x' }) as unknown,
          'max-pods': expect.any(Unknown) as unknown,
        },
      },
    });
    expect(missingJoinSettings(reading)).toEqual(['cluster-certificate']);
    expect(maxPodsOf(reading)?.value).toBeInstanceOf(Unknown);
  });

  it('make labels with unknown keys, whose known parts are shown', () => {
    const reading = readBottlerocket(
      withUnknowns('[settings.kubernetes.node-labels]\n"example.org/${Name}" = "owned"\n'),
    );
    expect(reading.problems).toEqual([]);
    expect(labelsOf(reading)).toEqual([{ key: 'example.org/${Name}', keyIsKnown: false, value: 'owned', offset: 34 }]);
  });

  it('make the reading unknown where they may be to blame for a syntax error', () => {
    for (const text of [
      '${Everything}',
      '[settings.kubernetes]\n${More}\n',
      '[settings.kubernetes]\nallowed-unsafe-sysctls = [\n  ${Items}\n  "x"]\n',
      '[settings.kubernetes]\nmax-pods = 1${Zeros}x\n',
    ]) {
      const reading = readBottlerocket(withUnknowns(text));
      expect(reading.data).toBeInstanceOf(Unknown);
      expect(reading.problems).toEqual([]);
      expect(missingJoinSettings(reading)).toEqual([]);
    }
  });

  it('excuse no syntax error elsewhere', () => {
    for (const text of [
      '[settings.kubernetes]\ncluster-name = "${Name}"\n\nenabled = yes\n',
      '[settings.kubernetes]\ncluster-name = "${Name}"x\n',
      '[settings]\nmax-pods = ${N}\n\n\nx = "y"\nenabled = yes\n',
    ]) {
      expect(readBottlerocket(withUnknowns(text)).problems).toEqual([
        expect.objectContaining({ kind: 'syntax', level: 'error' }),
      ]);
    }
  });

  it('may be the settings that seem to be missing', () => {
    expect(missingJoinSettings(readBottlerocket(withUnknowns('[settings.kubernetes]\n${key} = "x"\n')))).toEqual([]);
    expect(readBottlerocket(withUnknowns('[${Top}]\na = 1\n')).problems).toEqual([]);
    expect(missingJoinSettings(readBottlerocket(withUnknowns('[settings]\nkubernetes = ${All}\n')))).toEqual([]);
  });

  it('need quotes where they are names of other resources', () => {
    const text = '[settings.kubernetes]\ncluster-name = ${Cluster}\n';
    expect(readBottlerocket(withUnknowns(text, {})).problems).toEqual([
      expect.objectContaining({
        kind: 'unquoted-value',
        level: 'warning',
        fix: 'Write `cluster-name = "${Cluster}"`.',
      }),
    ]);
    // A parameter could hold the quotes.
    expect(readBottlerocket(withUnknowns(text)).problems).toEqual([]);
  });
});

describe('missingJoinSettings', () => {
  it('lists what is missing or empty', () => {
    expect(missingJoinSettings(read(trio))).toEqual([]);
    expect(missingJoinSettings(read('[settings.host-containers.admin]\nenabled = true\n'))).toEqual([
      'api-server',
      'cluster-certificate',
      'cluster-name',
    ]);
    expect(missingJoinSettings(read(trio.replace('"main"', '""')))).toEqual(['cluster-name']);
    expect(missingJoinSettings(read(trio.replace('cluster-name = "main"', 'authentication-mode = "tls"')))).toEqual([]);
  });

  it('says nothing of user data that is no TOML', () => {
    expect(missingJoinSettings(read('enabled = yes'))).toEqual([]);
  });
});

describe('constructsEksCannotMerge', () => {
  const kinds = (text: string): string[] => constructsEksCannotMerge(read(text)).map(({ kind }) => kind);

  it.each([
    ['settings.motd.\'a "b"\' = "x"', ['quote-in-key']],
    ['settings.motd = "say \\"hi\\""', ['escaped-quote']],
    ['settings.x = [1, 2.5]', ['mixed-numbers']],
    ['settings.x = ["a", { b = 1 }]', ['mixed-types']],
    ['[settings."a.b"]\nc = 1', ['quoted-header']],
    ['[[settings."a.b"]]\nc = 1', ['quoted-header']],
  ])('finds %j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it.each([
    '[settings.kubernetes.node-labels]\n"a.b/c" = "x"',
    'settings.motd = \'say "hi"\'',
    'settings.motd = "a\\\\"',
    'settings.x = [[1], [2.5]]',
    'settings.x = [1, 2]',
    trio,
  ])('takes %j', (text) => {
    expect(kinds(text)).toEqual([]);
  });

  it("doesn't judge lists with unknown items", () => {
    expect(constructsEksCannotMerge(readBottlerocket(withUnknowns('settings.x = [${A}, "b"]')))).toEqual([]);
  });
});

describe('eksOwnedSettings', () => {
  it("lists the cluster's coordinates and EKS's labels that are written out", () => {
    const text = `${trio}[settings.kubernetes.node-labels]\n"eks.amazonaws.com/nodegroup" = "blue"\n"example.org/team" = "a"\n`;
    expect(
      eksOwnedSettings(read(text)).map(({ kind, path, offset }) => [kind, path.at(-1), text.slice(offset, offset + 5)]),
    ).toEqual([
      ['cluster', 'api-server', 'api-s'],
      ['cluster', 'cluster-certificate', 'clust'],
      ['cluster', 'cluster-name', 'clust'],
      ['label', 'eks.amazonaws.com/nodegroup', '"eks.'],
    ]);
  });

  it('leaves labels alone that follow the group', () => {
    expect(
      eksOwnedSettings(
        readBottlerocket(
          withUnknowns('[settings.kubernetes.node-labels]\n"eks.amazonaws.com/nodegroup" = "${Group}"\n'),
        ),
      ),
    ).toEqual([]);
    expect(eksOwnedSettings(readBottlerocket(withUnknowns('[settings.kubernetes]\n${key} = "x"\n')))).toEqual([]);
  });
});

describe('labelsOf and maxPodsOf', () => {
  it('give values and places', () => {
    const text = '[settings.kubernetes]\nmax-pods = 20\nnode-labels = { a = "b", c = 1 }\n';
    expect(maxPodsOf(read(text))).toEqual({ value: 20, offset: text.indexOf('max-pods') });
    expect(labelsOf(read(text))).toEqual([
      { key: 'a', keyIsKnown: true, value: 'b', offset: text.indexOf('a = "b"') },
      { key: 'c', keyIsKnown: true, value: undefined, offset: text.indexOf('c = 1') },
    ]);
    expect(maxPodsOf(read('[settings.kubernetes]\nmax-pods = "20"\n'))).toBeUndefined();
    expect(maxPodsOf(read(trio))).toBeUndefined();
    expect(labelsOf(read(trio))).toEqual([]);
    expect(labelsOf(readBottlerocket(withUnknowns('${All}')))).toBeInstanceOf(Unknown);
  });
});

describe('any text', () => {
  const all = (text: SourceText): void => {
    const reading = readBottlerocket(text);
    for (const { offset, path } of [...reading.problems, ...eksOwnedSettings(reading)]) {
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(text.text.length);
      reading.offsetOf(path);
    }
    missingJoinSettings(reading);
    constructsEksCannotMerge(reading);
    labelsOf(reading);
    maxPodsOf(reading);
  };

  it('is read without an exception, whatever is edited', () => {
    const base = `${trio}max-pods = 20\n[settings.kubernetes.node-labels]\n"a.b/c" = "x"\n[[settings.container-registry.mirrors]]\nendpoint = ["a", 'b']\n`;
    const snippet = fc.constantFrom(
      '"',
      "'",
      '"""',
      '[',
      ']',
      '[[',
      '{',
      '}',
      '=',
      '.',
      '\n',
      '#',
      '\\',
      ',',
      'settings',
      '__proto__.x = 1',
      '1',
      '${X}',
      '-',
      '\u0000',
      '\ud800',
      '1979-05-27',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(base.length), fc.nat(8), snippet), { minLength: 1, maxLength: 4 }),
        (edits) => {
          const text = edits.reduce(
            (current, [at, length, insert]) => current.slice(0, at) + insert + current.slice(at + length),
            base,
          );
          all(withUnknowns(text));
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('is read without an exception, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        all(SourceText.of(text));
      }),
      { numRuns: runs(200) },
    );
    for (const text of [
      '['.repeat(50000),
      `a = ${'['.repeat(20000)}`,
      `a = ${'{a='.repeat(10000)}`,
      'a.'.repeat(10000),
      `${'a.'.repeat(10000)}a = 1`,
      `a = ${'{b.c.d='.repeat(90)}1${'}'.repeat(90)}`,
      `a = ${'['.repeat(1000)}${']'.repeat(1000)}`,
      '\ufeff[settings]\n',
    ])
      all(SourceText.of(text));
  });

  itWithAll('is read in about linear time', () => {
    const lines = (count: number): string =>
      `[settings.x]\n${Array.from({ length: count }, (_, index) => `k${index} = "\${V${index}}"`).join('\n')}\n`;
    const elapsed = cpuTime();
    all(withUnknowns(lines(8000)));
    all(withUnknowns(`${lines(8000)}x = [${'"${V}", '.repeat(8000)}\nbroken = yes`));
    expect(elapsed()).toBeLessThan(5000);
  });
});
