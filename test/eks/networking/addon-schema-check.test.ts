import { vpcCni } from '../../../lib/knowledge';
import { describeProblem } from '../../../lib/eks/networking/addon-problems';
import { configurationProblems, type ConfigurationProblem } from '../../../lib/eks/networking/addon-schema-check';
import { nowhere, Unknown, type DataMap } from '../../../lib/value';

const NEWEST = 'v1.23.0-eksbuild.1';
const hidden = new Unknown('it is a parameter', nowhere);

const problems = (data: DataMap, version = NEWEST) => configurationProblems(data, { kind: 'pinned', version });
const anyVersion = (data: DataMap, clusterMinor?: string) =>
  configurationProblems(data, { kind: 'any', clusterMinor, because: 'the add-on pins no version' });

/** The subnets of an eniConfig that is right otherwise. */
const eniConfig = (subnets: DataMap): DataMap => ({ eniConfig: { create: true, region: 'eu-west-1', subnets } });

describe('the type of a value', () => {
  it.each([
    ['60', '60'],
    ['-1', '-1'],
    ['007', '7'],
    ['60s', undefined],
    ['x60', undefined],
    ['6.5', undefined],
    ['true', undefined],
  ])('corrects %j to an integer if it is one', (text, correct) => {
    const [problem] = problems({ livenessProbeTimeoutSeconds: text });
    expect(problem).toEqual({
      kind: 'type',
      path: 'livenessProbeTimeoutSeconds',
      expected: 'an integer',
      found: `the text "${text}"`,
      correct,
    });
  });

  it.each([
    ['true', 'true'],
    ['false', 'false'],
    ['True', undefined],
    ['1', undefined],
  ])('corrects %j to a boolean if it is one', (text, correct) => {
    expect(problems({ nodeAgent: { enabled: text } })).toEqual([
      { kind: 'type', path: 'nodeAgent.enabled', expected: 'a boolean', found: `the text "${text}"`, correct },
    ]);
  });

  it.each<[DataMap[string], string, string | undefined]>([
    [2, 'the number 2', '"2"'],
    [1.5, 'the number 1.5', '"1.5"'],
    [true, 'the boolean true', '"true"'],
    [null, 'null', undefined],
    [[], 'a list', undefined],
    [{}, 'a map', undefined],
  ])('wants text in place of %j', (value, found, correct) => {
    expect(problems({ env: { WARM_IP_TARGET: value } })).toEqual([
      { kind: 'type', path: 'env.WARM_IP_TARGET', expected: 'text', found, correct },
    ]);
  });

  it('is right', () => {
    expect(
      problems({
        livenessProbeTimeoutSeconds: 60,
        nodeAgent: { enabled: false, logLevel: 'warn' },
        extraEnv: [{ name: 'A', value: 'b' }],
        tolerations: [],
      }),
    ).toEqual([]);
  });

  it('is right, but the value is none of those that are allowed', () => {
    expect(problems({ nodeAgent: { logLevel: 'trace' } })).toEqual([
      {
        kind: 'value',
        path: 'nodeAgent.logLevel',
        allowed: ['info', 'debug', 'warn', 'error'],
        found: 'the text "trace"',
      },
    ]);
  });

  it('names what a key takes besides null', () => {
    expect(problems({ podLabels: 'a=b', init: { image: { pullPolicy: false } } })).toEqual([
      { kind: 'type', path: 'podLabels', expected: 'a map', found: 'the text "a=b"', correct: undefined },
      { kind: 'type', path: 'init.image.pullPolicy', expected: 'text', found: 'the boolean false', correct: '"false"' },
    ]);
    expect(problems({ podLabels: null, init: { image: { pullPolicy: null } } })).toEqual([]);
  });

  it('takes no number, text or map for another', () => {
    expect(problems({ livenessProbeTimeoutSeconds: null }).map(({ kind }) => kind)).toEqual(['type']);
    expect(problems({ livenessProbeTimeoutSeconds: true })).toEqual([
      {
        kind: 'type',
        path: 'livenessProbeTimeoutSeconds',
        expected: 'an integer',
        found: 'the boolean true',
        correct: undefined,
      },
    ]);
    expect(problems({ livenessProbeTimeoutSeconds: ['5'] })).toEqual([
      {
        kind: 'type',
        path: 'livenessProbeTimeoutSeconds',
        expected: 'an integer',
        found: 'a list',
        correct: undefined,
      },
    ]);
    expect(problems({ nodeAgent: { enabled: 1 } })).toEqual([
      { kind: 'type', path: 'nodeAgent.enabled', expected: 'a boolean', found: 'the number 1', correct: undefined },
    ]);
    expect(problems({ tolerations: {} })).toEqual([
      { kind: 'type', path: 'tolerations', expected: 'a list', found: 'a map', correct: undefined },
    ]);
    expect(problems({ tolerations: ['x', {}, 3] }).map(({ path }) => path)).toEqual([
      'tolerations[0]',
      'tolerations[2]',
    ]);
    expect(problems({ podLabels: { team: 3, tier: null, list: [] } })).toEqual([]);
  });
});

describe('what is not known yet', () => {
  it('can be any text, but nothing else', () => {
    expect(problems({ env: { WARM_IP_TARGET: hidden }, podLabels: { team: hidden } })).toEqual([]);
    const doubt = (path: string): ConfigurationProblem => ({
      kind: 'doubt',
      path,
      reason: `${path} is not known (it is a parameter)`,
    });
    expect(problems({ branchENICooldown: hidden, env: hidden, init: { image: { pullPolicy: hidden } } })).toEqual([
      doubt('branchENICooldown'),
      doubt('env'),
    ]);
    expect(problems({ env: { NETWORK_POLICY_ENFORCING_MODE: hidden } })).toEqual([
      doubt('env.NETWORK_POLICY_ENFORCING_MODE'),
    ]);
  });

  it('can be any key of a closed map', () => {
    expect(problems({ env: { '${Name}': '1' } })).toEqual([
      { kind: 'doubt', path: 'env.${Name}', reason: 'the key env.${Name} is not known before deployment' },
    ]);
    expect(problems({ podLabels: { '${Name}': '1' } })).toEqual([]);
  });
});

describe('what a map must have', () => {
  it('an entry, where the schema says so', () => {
    expect(problems(eniConfig({}))).toEqual([{ kind: 'required', path: 'eniConfig.subnets', key: 'entry' }]);
    expect(problems(eniConfig({ 'eu-west-1a': { id: 'subnet-1' } }))).toEqual([]);
  });

  it('its required keys', () => {
    expect(problems({ eniConfig: { region: 'eu-west-1' } })).toEqual([
      { kind: 'required', path: 'eniConfig', key: 'create' },
      { kind: 'required', path: 'eniConfig', key: 'subnets' },
    ]);
    expect(problems(eniConfig({ 'eu-west-1a': { id: 'subnet-1' }, 'eu-west-1b': { securityGroups: [] } }))).toEqual([
      { kind: 'required', path: 'eniConfig.subnets.eu-west-1b', key: 'id' },
    ]);
  });

  it('no more keys than it knows, if it is closed', () => {
    expect(
      problems({ tolerations: [{ anything: 1 }], affinity: { anything: [1] }, podAnnotations: { 'a.b/c': 'd' } }),
    ).toEqual([]);
    expect(
      problems(eniConfig({ 'eu-west-1a': { id: 'subnet-1', colour: 'red' } })).map(({ kind, path }) => [kind, path]),
    ).toEqual([['unknown-key', 'eniConfig.subnets.eu-west-1a.colour']]);
  });
});

describe('the versions that have a key', () => {
  it('of a block that is too new names the keys in it', () => {
    const tooNew = (path: string): ConfigurationProblem => ({
      kind: 'too-new',
      path,
      since: 'v1.18.6-eksbuild.1',
      alsoIn: [],
    });
    const old = 'v1.18.5-eksbuild.1';
    expect(problems({ init: { image: { pullPolicy: 'Always' } } }, old)).toEqual([tooNew('init.image.pullPolicy')]);
    // Nothing in it says more.
    expect(problems({ init: { image: {} } }, old)).toEqual([tooNew('init.image')]);
    expect(problems({ init: { image: { pullPolicy: 'Always', tag: 'v1' } } }, old)).toEqual([tooNew('init.image')]);
    expect(problems({ init: { image: 'latest' } }, old)).toEqual([tooNew('init.image')]);
    expect(
      problems({ eniConfig: { create: true } }, 'v1.12.6-eksbuild.2').map(({ kind, path }) => [kind, path]),
    ).toEqual([['too-new', 'eniConfig.create']]);
  });

  it('are told with the builds of the line that have it, and no other', () => {
    const alsoIn = (version: string) =>
      problems({ env: { MAX_ENI: '4' } }, version).map((problem) => problem.kind === 'too-new' && problem.alsoIn);
    expect(alsoIn('v1.11.2-eksbuild.1')).toEqual([
      ['v1.11.0-eksbuild.3', 'v1.11.2-eksbuild.3', 'v1.11.3-eksbuild.3', 'v1.11.4-eksbuild.3', 'v1.11.5-eksbuild.1'],
    ]);
    expect(alsoIn('v1.8.0-eksbuild.1')).toEqual([['v1.8.0-eksbuild.3']]);
    expect(problems({ env: { MAX_ENI: '4' } }, 'v1.11.2-eksbuild.3')).toEqual([]);
  });

  it('of a key that is gone are those before', () => {
    const mode = { env: { ENABLE_NFTABLES: 'true' } };
    expect(problems(mode, 'v1.13.2-eksbuild.1')).toEqual([
      { kind: 'removed', path: 'env.ENABLE_NFTABLES', removedIn: 'v1.13.2-eksbuild.1' },
    ]);
    expect(problems(mode)).toEqual([{ kind: 'removed', path: 'env.ENABLE_NFTABLES', removedIn: 'v1.13.2-eksbuild.1' }]);
    expect(problems(mode, 'v1.13.0-eksbuild.1')).toEqual([]);
    expect(problems(mode, 'v1.11.0-eksbuild.1')).toEqual([
      { kind: 'too-new', path: 'env.ENABLE_NFTABLES', since: 'v1.12.1-eksbuild.1', alsoIn: [] },
    ]);
  });

  it('are not known of a build that is not in the table, if its line has rebuilds with later keys', () => {
    const unlisted = 'v1.11.2-eksbuild.99';
    expect(vpcCni.schemaVersions).not.toContain(unlisted);
    expect(problems({ env: { MAX_ENI: '4' } }, unlisted)).toEqual([
      { kind: 'doubt', path: 'env.MAX_ENI', reason: `the schema of ${unlisted} is not in the table` },
    ]);
    // No rebuild has these.
    expect(problems({ branchENICooldown: 60 }, unlisted)).toEqual([
      { kind: 'too-new', path: 'branchENICooldown', since: 'v1.16.0-eksbuild.1', alsoIn: [] },
    ]);
    expect(problems({ env: { ENABLE_NFTABLES: 'true' } }, unlisted).map(({ kind }) => kind)).toEqual(['too-new']);
  });

  it("don't matter where only the case of a name is wrong", () => {
    const wrongCase = (path: string, suggestion: string): ConfigurationProblem => ({
      kind: 'unknown-key',
      path,
      suggestion,
    });
    expect(problems({ Env: {}, resources: { limits: { CPU: '1' } } }, 'v1.99.0-eksbuild.1')).toEqual([
      wrongCase('Env', 'env'),
      wrongCase('resources.limits.CPU', 'resources.limits.cpu'),
    ]);
  });

  it('decide nothing about a name that the newest table lacks', () => {
    expect(problems({ env: { A_NEW_SWITCH: 'true' } }, 'v1.99.0-eksbuild.1')).toEqual([
      {
        kind: 'doubt',
        path: 'env.A_NEW_SWITCH',
        reason: `the table of configuration keys ends with ${NEWEST} and has no env.A_NEW_SWITCH`,
      },
    ]);
  });
});

describe('an add-on whose version is not known', () => {
  it('takes what all versions for the cluster take', () => {
    expect(anyVersion({ env: { WARM_IP_TARGET: '2' } }, '1.33')).toEqual([]);
    expect(anyVersion({ resources: { limits: { cpu: '100m' } } })).toEqual([]);
  });

  it('is in doubt where only some take it', () => {
    const doubt = {
      kind: 'doubt',
      path: 'nodeAgent.conntrackCacheTableSize',
      reason:
        'nodeAgent.conntrackCacheTableSize is accepted by some versions of the add-on only, and the add-on pins no version',
    };
    expect(anyVersion({ nodeAgent: { conntrackCacheTableSize: 1024 } }, '1.33')).toEqual([doubt]);
    // Of a version of Kubernetes that no add-on lists, and of none, all are asked.
    for (const minor of ['9.99', undefined]) {
      expect(
        anyVersion({ env: { WARM_IP_TARGET: '2', AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'true' } }, minor).map(
          ({ kind }) => kind,
        ),
      ).toEqual(['doubt', 'doubt']);
    }
  });

  it('refuses what none takes', () => {
    expect(anyVersion({ env: { ENABLE_NFTABLES: 'true' } }, '1.33')).toEqual([
      { kind: 'removed', path: 'env.ENABLE_NFTABLES', removedIn: 'v1.13.2-eksbuild.1' },
    ]);
    expect(anyVersion({ nodeAgent: { conntrackCacheTableSize: 1024 } }, '1.20')).toEqual([
      { kind: 'too-new', path: 'nodeAgent.conntrackCacheTableSize', since: 'v1.22.1-eksbuild.2', alsoIn: [] },
    ]);
    expect(anyVersion({ cri: { hostPath: { path: '/run' } } }, '1.33')).toEqual([
      { kind: 'removed', path: 'cri.hostPath.path', removedIn: 'v1.12.0-eksbuild.1' },
    ]);
    expect(anyVersion({ env: { A_NEW_SWITCH: 'true' } }, '1.33')).toEqual([
      { kind: 'unknown-key', path: 'env.A_NEW_SWITCH', suggestion: undefined },
    ]);
  });
});

describe('a key that the schema lacks', () => {
  it.each<[string, DataMap, ConfigurationProblem]>([
    [
      'one letter too many',
      { env: { WARM_IP_TARGETS: '2' } },
      { kind: 'unknown-key', path: 'env.WARM_IP_TARGETS', suggestion: 'env.WARM_IP_TARGET' },
    ],
    ['a short name with one wrong letter', { envs: {} }, { kind: 'unknown-key', path: 'envs', suggestion: 'env' }],
    [
      'a short name with two wrong letters',
      { envss: {} },
      { kind: 'unknown-key', path: 'envss', suggestion: undefined },
    ],
    [
      'in a long name, a fifth of its letters',
      { env: { ENABLE_PREFX_DELGATON: 'true' } },
      { kind: 'unknown-key', path: 'env.ENABLE_PREFX_DELGATON', suggestion: 'env.ENABLE_PREFIX_DELEGATION' },
    ],
    [
      'the nearer of two',
      { env: { MINIMUM_IP_TARGE: '2' } },
      { kind: 'unknown-key', path: 'env.MINIMUM_IP_TARGE', suggestion: 'env.MINIMUM_IP_TARGET' },
    ],
    [
      'one that is near to a key elsewhere only',
      { env: { enableWindowsIpm: 'true' } },
      { kind: 'unknown-key', path: 'env.enableWindowsIpm', suggestion: 'enableWindowsIpam' },
    ],
    [
      'another case',
      { env: { warm_ip_target: '2' } },
      { kind: 'unknown-key', path: 'env.warm_ip_target', suggestion: 'env.WARM_IP_TARGET' },
    ],
    [
      'another case at the top',
      { ENABLENETWORKPOLICY: 'true' },
      { kind: 'unknown-key', path: 'ENABLENETWORKPOLICY', suggestion: 'enableNetworkPolicy' },
    ],
    [
      'another place',
      { ENABLE_POD_ENI: 'true' },
      { kind: 'wrong-place', path: 'ENABLE_POD_ENI', place: 'env.ENABLE_POD_ENI' },
    ],
    [
      'another place and case',
      { Enable_Pod_Eni: 'true' },
      { kind: 'wrong-place', path: 'Enable_Pod_Eni', place: 'env.ENABLE_POD_ENI' },
    ],
    ['a name that stands in many places', { cpu: '10m' }, { kind: 'unknown-key', path: 'cpu', suggestion: undefined }],
    [
      'a name that is near to one that stands in many places',
      { cpus: '10m' },
      { kind: 'unknown-key', path: 'cpus', suggestion: undefined },
    ],
    [
      'the same beside it',
      { resources: { limits: { cpus: '10m' } } },
      { kind: 'unknown-key', path: 'resources.limits.cpus', suggestion: 'resources.limits.cpu' },
    ],
    [
      'the nearer, which comes later',
      { env: { WARM_IN_TARGET: '1' } },
      { kind: 'unknown-key', path: 'env.WARM_IN_TARGET', suggestion: 'env.WARM_IP_TARGET' },
    ],
    [
      'the nearer, which comes first',
      { env: { WARM_NI_TARGET: '1' } },
      { kind: 'unknown-key', path: 'env.WARM_NI_TARGET', suggestion: 'env.WARM_ENI_TARGET' },
    ],
    [
      'the first of two that are as near',
      { env: { WARM_NX_TARGET: '1' } },
      { kind: 'unknown-key', path: 'env.WARM_NX_TARGET', suggestion: 'env.WARM_ENI_TARGET' },
    ],
    [
      'a key that no version accepts',
      { env: { ENABLE_IPv6: 'true' } },
      { kind: 'not-configurable', path: 'env.ENABLE_IPv6', why: vpcCni.neverAccepted('env.ENABLE_IPv6')?.why ?? '' },
    ],
    [
      'a dotted name, which is one key to EKS',
      { 'env.WARM_IP_TARGET': '2' },
      { kind: 'unknown-key', path: 'env.WARM_IP_TARGET', suggestion: undefined },
    ],
    [
      'a key that was removed, one letter off',
      { env: { ENABLE_NFTABLE: '1' } },
      { kind: 'unknown-key', path: 'env.ENABLE_NFTABLE', suggestion: undefined },
    ],
  ])('%s', (_, data, problem) => {
    expect(problems(data)).toEqual([problem]);
  });

  it('is compared with others only if it is no longer than they may be', () => {
    const suggestion = (name: string) =>
      problems({ env: { [name]: '1' } }).map((problem) => problem.kind === 'unknown-key' && problem.suggestion);
    const longest = Math.max(...vpcCni.keys.map(({ path }) => path.slice(path.lastIndexOf('.') + 1).length));
    expect(longest).toBeLessThan(80);
    expect(suggestion(`AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDR${'_'.repeat(5)}`)).toEqual([
      'env.AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS',
    ]);
    expect(suggestion('x'.repeat(100_000))).toEqual([undefined]);
  });

  it('is one of fifty, after which no other is searched for', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`WARM_IP_TARGE${String.fromCodePoint(0x4e00 + index)}`, '1']),
    );
    const found = problems({ env: many }).map(
      (problem) => problem.kind === 'unknown-key' && problem.suggestion !== undefined,
    );
    expect(found.filter(Boolean)).toHaveLength(50);
    expect(found.indexOf(false)).toBe(50);
  });
});

describe('what is wrong, as a sentence', () => {
  const at = { path: 'env.X' } as const;

  it.each<[ConfigurationProblem, string]>([
    [{ ...at, kind: 'unknown-key', suggestion: undefined }, 'the schema of v1.2.3 has no such key'],
    [{ ...at, kind: 'unknown-key', suggestion: 'env.Y' }, 'the schema of v1.2.3 has no such key; did you mean env.Y?'],
    [{ ...at, kind: 'wrong-place', place: 'init.env.X' }, 'the schema has this key as init.env.X'],
    [{ ...at, kind: 'not-configurable', why: 'EKS sets it' }, 'no version accepts it (EKS sets it)'],
    [{ ...at, kind: 'removed', removedIn: 'v1.2.0' }, 'the schema has it no longer since v1.2.0'],
    [{ ...at, kind: 'too-new', since: 'v1.3.0', alsoIn: [] }, 'the schema has it from v1.3.0 on'],
    [
      { ...at, kind: 'too-new', since: 'v1.3.0', alsoIn: ['v1.2.4', 'v1.2.5'] },
      'the schema has it from v1.3.0 on, and in v1.2.4, v1.2.5',
    ],
    [{ ...at, kind: 'type', expected: 'text', found: 'null', correct: undefined }, 'it must be text, and is null'],
    [
      { ...at, kind: 'type', expected: 'text', found: 'the number 2', correct: '"2"' },
      'it must be text, and is the number 2: write "2"',
    ],
    [{ ...at, kind: 'value', allowed: ['a', 'b'], found: 'the text "c"' }, 'it must be a or b, and is the text "c"'],
    [{ ...at, kind: 'required', key: 'entry' }, 'it must have an entry'],
    [{ ...at, kind: 'required', key: 'id' }, 'it must have the key id'],
    [{ ...at, kind: 'doubt', reason: 'env.X is not known' }, 'env.X is not known'],
  ])('%j', (problem, sentence) => {
    expect(describeProblem(problem, 'v1.2.3')).toBe(sentence);
  });
});
