import fc from 'fast-check';
import { runs } from '../../share';
import {
  BOOTSTRAP_OPTIONS,
  BootstrapScriptError,
  bootstrapCallsIn,
  bootstrapProblems,
  kubeletArguments,
  kubeletInterventions,
  mentionsBootstrapScript,
  nodeadmInitCallsIn,
  nodeConfigDropIns,
  renderBootstrapScript,
  type BootstrapCall,
  type BootstrapContext,
} from '../../../lib/eks/user-data/bootstrap-script';
import { readShell, type ShellScript } from '../../../lib/eks/user-data/shell';
import { SourceText, type TextPiece } from '../../../lib/eks/user-data/source-text';
import { nowhere, Unknown } from '../../../lib/value';
import { expectTold } from './told';

type BootstrapScriptOptions = Parameters<typeof renderBootstrapScript>[0];

const CA = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');
const ENDPOINT = 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com';
const PAIR = `--apiserver-endpoint ${ENDPOINT} --b64-cluster-ca ${CA}`;

/** A script in which `«…»` stands for what a template fills in. */
function script(text: string): ShellScript {
  const pieces = text
    .split(/(«\w+»)/)
    .map(
      (piece): TextPiece =>
        piece.startsWith('«')
          ? { unknown: new Unknown('it is a parameter', nowhere, piece) }
          : { text: piece, sourceAt: () => nowhere },
    );
  return readShell(SourceText.compose(pieces));
}

function call(args: string): BootstrapCall {
  const [first, ...rest] = bootstrapCallsIn(script(`#!/bin/bash\n/etc/eks/bootstrap.sh ${args}\n`));
  if (first === undefined || rest.length > 0) throw new Error('not one call');
  return first;
}

const problems = (args: string, context?: BootstrapContext): string[] =>
  bootstrapProblems(call(args), context).map(({ kind, level }) => `${kind} ${level}`);

describe('bootstrapCallsIn', () => {
  it.each([
    '/etc/eks/bootstrap.sh main',
    'sudo /etc/eks/bootstrap.sh main',
    'bash -xe /etc/eks/bootstrap.sh main',
    'set -o xtrace\nexec > >(tee /var/log/user-data.log) 2>&1\n/etc/eks/bootstrap.sh main || exit 1',
    'B=/etc/eks/bootstrap.sh\n"$B" main',
    'USE_MAX_PODS=x /etc/eks/bootstrap.sh main',
    'f() { /etc/eks/bootstrap.sh main; }\nf',
    '/etc/eks/bootstrap.sh main 2>&1 | tee /var/log/b',
  ])('sees the call in %s', (text) => {
    expect(bootstrapCallsIn(script(text)).map(({ clusterName }) => clusterName?.text)).toEqual(['main']);
  });

  it.each([
    '# /etc/eks/bootstrap.sh main',
    'echo /etc/eks/bootstrap.sh main',
    'cat <<EOF\n/etc/eks/bootstrap.sh main\nEOF',
    "sed -i 's/x/y/' /etc/eks/bootstrap.sh",
    'exit 0\n/etc/eks/bootstrap.sh main',
    '/etc/eks/bootstrap.sh.orig main',
    '[ -x /etc/eks/bootstrap.sh ]',
  ])('sees no call in %s', (text) => {
    expect(bootstrapCallsIn(script(text))).toEqual([]);
  });

  it('tells of mentions that may be calls', () => {
    expect(mentionsBootstrapScript(script('retry 5 /etc/eks/bootstrap.sh main'))).toBe(8);
    expect(mentionsBootstrapScript(script('# /etc/eks/bootstrap.sh'))).toBeUndefined();
  });

  it('tells of conditions', () => {
    const of = (text: string): unknown[] =>
      bootstrapCallsIn(script(text)).map(({ condition, isGuarded }) => [condition, isGuarded]);
    expect(of('/etc/eks/bootstrap.sh a')).toEqual([['always', false]]);
    expect(of('[ -x /etc/eks/bootstrap.sh ] && /etc/eks/bootstrap.sh a')).toEqual([['conditional', true]]);
    expect(
      of('if [[ -f /etc/eks/bootstrap.sh ]]; then\n  /etc/eks/bootstrap.sh a\nelse\n  /etc/eks/bootstrap.sh b\nfi'),
    ).toEqual([
      ['conditional', true],
      ['conditional', false],
    ]);
  });

  it('takes arguments as the script does', () => {
    const { clusterName, options, ignored, unknownFlags } = call(
      `--ip-family ipv4 --foo main --use-max-pods true --bar=1 --use-max-pods false`,
    );
    expect(clusterName?.text).toBe('--foo');
    expect([...options].map(([name, { value }]) => [name, value?.text])).toEqual([
      ['--ip-family', 'ipv4'],
      ['--use-max-pods', 'false'],
    ]);
    expect(ignored.map((word) => word.text)).toEqual(['main', '--bar=1']);
    expect(unknownFlags.map((word) => word.text)).toEqual(['--foo', '--bar=1']);
  });

  it('gives offsets of what is written', () => {
    const text = '#!/bin/bash\nsudo /etc/eks/bootstrap.sh main \\\n  --ip-family "ipv4"\n';
    const [found] = bootstrapCallsIn(script(text));
    expect(found?.offset).toBe(text.indexOf('/etc/eks'));
    expect(found?.options.get('--ip-family')).toMatchObject({
      offset: text.indexOf('--ip'),
      value: { start: text.indexOf('"ipv4"') },
    });
  });

  it.each([
    ['«Name»', false],
    ['«Name» «Arguments»', true],
    ['$CLUSTER --use-max-pods false', false],
    ['"$CLUSTER"', false],
    ['$ARGUMENTS', true],
    ['x$@ y', false],
    ['"$@"', true],
    ['main ${EXTRA[@]}', true],
    ['main "${EXTRA}"', false],
    ['main --kubelet-extra-args «Extra»', false],
    ["main --kubelet-extra-args '«Extra»'", false],
    ['main --service-«Family»-cidr «Range»', true],
    ['"«Flag»" x', true],
    ['main "--$NAME" x', true],
    ['main "--kubelet-extra-args=$EXTRA"', false],
    ['"«Stage»-main" x', false],
  ])('knows whether words may be missing: %s', (args, expected) => {
    expect(call(args).hasUnknownWords).toBe(expected);
  });
});

describe('words of which a part is not known', () => {
  it.each<[string, string | undefined, string[]]>([
    ['--service-«Family»-cidr «Range» main', undefined, []],
    ['--service-$F-cidr X main', undefined, []],
    ['--$(cat /etc/flag) x', undefined, []],
    ['"--«Flag»" y z', undefined, []],
    ['"--«Flag»" x y z', undefined, ['z']],
    ['«Flag» y', undefined, []],
    ['«Flag» y z', undefined, []],
    ['$FLAG y z x', undefined, ['x']],
    ['main --«Flag» x', 'main', []],
    ['main --«Flag» x y', 'main', ['y']],
    ['main "$FLAG" x', 'main', []],
    ['main $FLAG $VALUE x', 'main', []],
    ['main --«Flag» --ip-family ipv4', 'main', []],
    ['«Stage»-main x', '«Stage»-main', ['x']],
    ['«Name» --foo', '«Name»', ['--foo']],
    ['--foo-«Name» main', '--foo-«Name»', ['main']],
  ])('may be options: %s', (args, name, ignored) => {
    const { clusterName, ignored: found } = call(args);
    expect([clusterName?.show(), found.map((word) => word.show())]).toEqual([name, ignored]);
  });

  it('may stand for the options that they look like, and change what was given before', () => {
    const { options, possibleOptions } = call(
      'main --service-ipv4-cidr 10.0.0.0/16 --ip-family ipv4 --service-«Family»-cidr «Range» --service-ipv6-cidr fd00::/108',
    );
    expect([...options.keys()]).toEqual(['--ip-family', '--service-ipv6-cidr']);
    expect([...possibleOptions]).toEqual(['--service-ipv4-cidr', '--service-ipv6-cidr']);
  });
});

describe('bootstrapProblems', () => {
  it.each<[string, BootstrapContext]>([
    ['main', {}],
    ['«Name» «Arguments» --use-max-pods false', {}],
    ['main --ip-family ipv6', {}],
    ['main --ip-family IPv4', {}],
    [`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr fd00:1::/108`, {}],
    [`main ${PAIR} --ip-family ipv6 --dns-cluster-ip fd00:1::a`, {}],
    [`main ${PAIR} --service-ipv6-cidr fd00:1::/108`, {}],
    [`main ${PAIR} --dns-cluster-ip 169.254.20.10`, {}],
    [`main ${PAIR}`, { serviceCidr: 'default' }],
    [`main ${PAIR}`, { serviceCidr: { known: '10.100.0.0/16' } }],
    [`main ${PAIR}`, { serviceCidr: { known: '172.20.0.0/20' } }],
    [`main ${PAIR} --service-ipv4-cidr 192.168.0.0/20`, { serviceCidr: { known: '192.168.0.0/20' } }],
    [`main ${PAIR} --service-ipv4-cidr «Cidr»`, { serviceCidr: { known: '192.168.0.0/20' } }],
    ["main --use-max-pods false --kubelet-extra-args '--max-pods=20 --node-labels=a=b'", {}],
    [`main ${PAIR} --kubelet-extra-args '--cluster-dns=192.168.0.10'`, { serviceCidr: { known: '192.168.0.0/20' } }],
    [`main ${PAIR} --kubelet-extra-args '«Flags»'`, { serviceCidr: { known: '192.168.0.0/20' } }],
    [
      `main ${PAIR} --service-ipv4-cidr 10.1.0.0/16 --kubelet-extra-args «Flags»`,
      { serviceCidr: { known: '192.168.0.0/20' } },
    ],
    ["main --use-max-pods «Use» --kubelet-extra-args '--max-pods=20'", {}],
    ['main --container-runtime containerd', { kubernetesMinor: 30 }],
    ['main --container-runtime dockerd', { kubernetesMinor: 23 }],
    ['main --container-runtime ""', { kubernetesMinor: 30 }],
    ['main --kubelet-extra-args "" --apiserver-endpoint "" --b64-cluster-ca ""', {}],
    ['main --local-disks raid0', {}],
    ['«Name»', {}],
    ['--use-max-pods false main', {}],
    ["main ''", {}],
    ['--service-«Family»-cidr «Range» main', {}],
    ['--service-$F-cidr X c', {}],
    ['--$(cat /etc/flag) x', {}],
    ['--«Flag» y', {}],
    ['«Flag» y', {}],
    ['--«Flag» --ip-family ipv4', {}],
    [`main ${PAIR} --ip-family ipv6 --service-«Family»-cidr «Range»`, {}],
    [`main ${PAIR} --service-«Family»-cidr «Range»`, { ipFamily: 'ipv6' }],
    [`main ${PAIR} --service-«Family»-cidr «Range»`, { ipFamily: 'ipv4', serviceCidr: { known: '10.96.0.0/16' } }],
    [`main --ip-family ipv4 --service-«Family»-cidr «Range»`, { ipFamily: 'ipv4' }],
    [`main --ip-family ipv4 --service-ipv6-cidr "«Range»"`, { ipFamily: 'ipv4' }],
    [`main --service-ipv6-cidr "«Range»"`, { ipFamily: 'ipv4' }],
    [`main --apiserver-endpoint ${ENDPOINT} "--b64-«Which»-ca" ${CA} --ip-family ipv6`, {}],
    [`main "--apiserver-«What»" ${ENDPOINT}`, {}],
    ["main --use-«What»-pods false --kubelet-extra-args '--max-pods=20'", {}],
  ])('finds nothing wrong with %s', (args, context) => {
    expect(problems(args, context).filter((found) => !found.endsWith('unverifiable'))).toEqual([]);
  });

  const WRONG: readonly (readonly [args: string, ...expected: string[]])[] = [
    ['', 'cluster-name-missing error'],
    ['""', 'cluster-name-missing error'],
    ['--use-max-pods false', 'cluster-name-missing error'],
    ['--foo main', 'flag-as-cluster-name error', 'argument-ignored warning'],
    ['--ip-family=ipv4 main', 'flag-as-cluster-name error', 'argument-ignored warning'],
    ['main --ip-family=ipv6', 'argument-ignored warning'],
    ['main --kubelet-extra-args --node-labels=a=b --max-pods=3', 'argument-ignored warning'],
    ['main --use-max-pods', 'option-without-value error'],
    [
      'main --ip-family --use-max-pods false',
      'option-without-value error',
      'ip-family error',
      'argument-ignored warning',
    ],
    ['main --help', 'help error'],
    [`main --apiserver-endpoint ${ENDPOINT}`, 'endpoint-and-certificate-authority info'],
    [`main --b64-cluster-ca ${CA} --apiserver-endpoint ''`, 'endpoint-and-certificate-authority info'],
    ['main --ip-family dual', 'ip-family error'],
    [`main --ip-family ipv6 ${PAIR}`, 'ipv6-without-service-range error'],
    ['main --ip-family ipv4 --service-ipv6-cidr fd00:1::/108', 'ipv6-range-on-ipv4 error'],
    ['main --container-runtime docker', 'container-runtime error'],
    ['main --container-runtime dockerd', 'container-runtime unverifiable'],
    ['main --local-disks RAID5', 'local-disks error'],
    ['main --use-max-pods no', 'use-max-pods warning'],
    ["main --kubelet-extra-args '--max-pods=20'", 'max-pods-twice warning'],
    ["main --use-max-pods true --kubelet-extra-args '--max-pods 20'", 'max-pods-twice warning'],
    [`main --kubelet-extra-args "--node-labels='a=b'"`, 'quote-in-kubelet-arguments warning'],
    [`main ${PAIR}`, 'dns-cluster-ip-guessed unverifiable'],
    ['main «Arguments»', 'unknown-arguments unverifiable'],
    [
      `main ${PAIR} --ip-family ipv6 «Arguments»`,
      'unknown-arguments unverifiable',
      'ipv6-without-service-range unverifiable',
    ],
    [
      'main --use-max-pods=false --foo=1 --x y',
      'argument-ignored warning',
      'argument-ignored warning',
      'argument-ignored warning',
      'argument-ignored warning',
    ],
    ['--foo', 'flag-as-cluster-name error'],
    [`main --b64-cluster-ca ${CA}`, 'endpoint-and-certificate-authority info'],
    [
      `main --apiserver-endpoint ${ENDPOINT} «More»`,
      'unknown-arguments unverifiable',
      'endpoint-and-certificate-authority unverifiable',
    ],
    ["main --use-max-pods «Use» «More» --kubelet-extra-args '--max-pods=20'", 'unknown-arguments unverifiable'],
    [
      "main «More» --kubelet-extra-args '--max-pods=20'",
      'unknown-arguments unverifiable',
      'max-pods-twice unverifiable',
    ],
    ['main --local-disks raid10 --container-runtime runc', 'container-runtime error'],
    ['main -h --foo', 'help error'],
    ['main --ip-family', 'option-without-value error'],
    [
      `main --apiserver-endpoint «Endpoint» --b64-cluster-ca ${CA} --ip-family IPV6`,
      'ipv6-without-service-range error',
    ],
  ];

  it.each(WRONG)('tells of %s', (args, ...expected) => {
    expect(problems(args)).toEqual(expected);
  });

  it('tells all of it as the golden file does', () => {
    const range = { serviceCidr: { known: '192.168.0.0/20' } };
    const known: readonly (readonly [args: string, context: BootstrapContext])[] = [
      ['main --container-runtime dockerd', { kubernetesMinor: 24 }],
      [`main ${PAIR}`, { serviceCidr: 'custom' }],
      [`main ${PAIR}`, range],
      [`main ${PAIR} «More»`, range],
      [`main ${PAIR} --kubelet-extra-args «Flags»`, range],
      [`main ${PAIR} --service-ipv4-cidr 192.168.16.0/20`, range],
      [`main ${PAIR} --service-ipv4-cidr 192.168.16.0/20 --kubelet-extra-args «Flags»`, range],
      [`main ${PAIR} --service-ipv4-cidr 192.168.16.0/20 --ip-family ipv6`, range],
      [`main ${PAIR}`, { ipFamily: 'ipv6' }],
      [`main ${PAIR} «More»`, { ipFamily: 'ipv6' }],
      ['main --ip-family ipv4', { ipFamily: 'ipv6' }],
      [`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr fd00:1::/108`, { ipFamily: 'ipv4' }],
      ['main --service-ipv6-cidr fd00:1::/108', { ipFamily: 'ipv4' }],
      ['main --service-ipv6-cidr fd00:1::/108 «More»', { ipFamily: 'ipv4' }],
    ];
    const told = [...WRONG.map(([args]) => [args, {}] as const), ...known].map(([args, context]) => {
      const { text } = script(`#!/bin/bash\n/etc/eks/bootstrap.sh ${args}\n`).body;
      return [`${text}${JSON.stringify(context)}`, bootstrapProblems(call(args), context)] as const;
    });
    expectTold('bootstrap-problems.txt', told);
  });

  it('uses what is known of the cluster', () => {
    expect(problems('main --container-runtime dockerd', { kubernetesMinor: 24 })).toEqual(['container-runtime error']);
    expect(problems(`main ${PAIR}`, { serviceCidr: 'custom' })).toEqual(['dns-cluster-ip-guessed warning']);
    expect(problems(`main ${PAIR}`, { serviceCidr: { known: '192.168.0.0/20' } })).toEqual([
      'dns-cluster-ip-guessed warning',
    ]);
    expect(problems(`main ${PAIR} --kubelet-extra-args --v=2`, { serviceCidr: { known: '192.168.0.0/20' } })).toEqual([
      'dns-cluster-ip-guessed warning',
    ]);
    expect(
      problems(`main ${PAIR} --service-ipv4-cidr 192.168.16.0/20`, { serviceCidr: { known: '192.168.0.0/20' } }),
    ).toEqual(['service-cidr-differs error']);
    expect(problems(`main ${PAIR}`, { ipFamily: 'ipv6' })).toEqual(['ip-family-differs error']);
    expect(problems('main --ip-family ipv4', { ipFamily: 'ipv6' })).toEqual(['ip-family-differs error']);
    expect(problems(`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr fd00:1::/108`, { ipFamily: 'ipv4' })).toEqual([
      'ip-family-differs error',
    ]);
    expect(problems(`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr «Range»`, { ipFamily: 'ipv4' })).toEqual([
      'ip-family-differs error',
    ]);
    expect(problems(`main ${PAIR} --ip-family ipv6 --dns-cluster-ip fd00:1::a`, { ipFamily: 'ipv4' })).toEqual([
      'ip-family-differs error',
    ]);
    expect(problems(`main ${PAIR} --service-ipv6-cidr fd00:1::/108`, { ipFamily: 'ipv4' })).toEqual([
      'ip-family-differs error',
    ]);
    expect(problems('main --service-ipv6-cidr fd00:1::/108', { ipFamily: 'ipv4' })).toEqual([
      'ip-family-differs error',
    ]);
    expect(problems('main --service-ipv6-cidr fd00:1::/108', { ipFamily: 'ipv6' })).toEqual([]);
    expect(problems('main', { ipFamily: 'ipv6', serviceCidr: 'custom', kubernetesMinor: 33 })).toEqual([]);
    expect(problems(`main --ip-family «Family» ${PAIR} --dns-cluster-ip 10.0.0.10`, { ipFamily: 'ipv6' })).toEqual([]);
  });

  it.each([
    ['an exported variable', 'export SERVICE_IPV4_CIDR=10.96.0.0/16'],
    ['one that is exported later', 'DNS_CLUSTER_IP=10.96.0.10\nexport DNS_CLUSTER_IP'],
    ['one under a condition', 'if true; then declare -x DNS_CLUSTER_IP=10.96.0.10; fi'],
    ['all variables', 'set -o allexport\nDNS_CLUSTER_IP=10.96.0.10'],
    ['a variable of the call', 'DNS_CLUSTER_IP=10.96.0.10 \\'],
    ['a variable of env', 'env DNS_CLUSTER_IP=10.96.0.10 \\'],
    ['a file of variables', 'source /opt/parameters.sh'],
    ['what a program prints', 'eval "$(/opt/parameters)"'],
    ['a variable of sudo', 'sudo DNS_CLUSTER_IP=10.96.0.10 \\'],
    ['one that typeset exports', 'typeset -rx DNS_CLUSTER_IP=10.96.0.10'],
    ['all variables, in short', 'set -ea\nDNS_CLUSTER_IP=10.96.0.10'],
  ])('counts what the script gets from its environment: %s', (_, before) => {
    const calls = bootstrapCallsIn(script(`${before}\n/etc/eks/bootstrap.sh main ${PAIR}`));
    expect(calls.map((one) => bootstrapProblems(one, { serviceCidr: { known: '10.96.0.0/16' } }))).toEqual([[]]);
  });

  it.each([
    ['of the shell alone', 'DNS_CLUSTER_IP=10.96.0.10'],
    ['of another command', 'DNS_CLUSTER_IP=10.96.0.10 yum update'],
    ['of the operating system', '. /etc/os-release'],
    ['of a profile', 'source /etc/profile.d/proxy.sh'],
    ['that is only declared', 'declare -r DNS_CLUSTER_IP=10.96.0.10'],
    ['after other settings', 'set -e\nDNS_CLUSTER_IP=10.96.0.10'],
    ['of words that look like it', 'echo export DNS_CLUSTER_IP=10.96.0.10\nsourced /opt/x'],
    ['that means nothing to the script', 'export CLUSTER_DNS=10.96.0.10'],
  ])('counts no variable %s', (_, before) => {
    const calls = bootstrapCallsIn(script(`${before}\n/etc/eks/bootstrap.sh main ${PAIR}\nexport DNS_CLUSTER_IP=x`));
    expect(
      calls
        .flatMap((one) => bootstrapProblems(one, { serviceCidr: { known: '10.96.0.0/16' } }))
        .map(({ kind }) => kind),
    ).toEqual(['dns-cluster-ip-guessed']);
  });

  it('leaves open what only the environment may give', () => {
    const of = (args: string, before: string, context: BootstrapContext): string[] =>
      bootstrapCallsIn(script(`if true; then export ${before}; fi\n/etc/eks/bootstrap.sh main ${args}`)).flatMap(
        (one) => bootstrapProblems(one, context).map(({ kind, level }) => `${kind} ${level}`),
      );
    expect(of('--ip-family ipv4', 'SERVICE_IPV6_CIDR=fd00::/108', {})).toEqual(['ipv6-range-on-ipv4 unverifiable']);
    expect(of(`--ip-family ipv6 --apiserver-endpoint ${ENDPOINT}`, `B64_CLUSTER_CA=${CA}`, {})).toEqual([
      'ipv6-without-service-range unverifiable',
    ]);
    expect(of(`--apiserver-endpoint ${ENDPOINT}`, `B64_CLUSTER_CA=${CA}`, { ipFamily: 'ipv6' })).toEqual([]);
    expect(
      of(`--apiserver-endpoint ${ENDPOINT} --service-ipv4-cidr 10.1.0.0/16`, `B64_CLUSTER_CA=${CA}`, {
        serviceCidr: { known: '10.2.0.0/16' },
      }),
    ).toEqual(['service-cidr-differs unverifiable']);
    expect(of('', `B64_CLUSTER_CA=${CA}`, {})).toEqual([]);
  });

  it('leaves it open what a patched script does', () => {
    const calls = bootstrapCallsIn(
      script("/etc/eks/bootstrap.sh --foo\nsed -i 's/a/b/' /etc/eks/bootstrap.sh\n/etc/eks/bootstrap.sh --foo"),
    );
    expect(calls.map((one) => bootstrapProblems(one).map(({ kind, level }) => `${kind} ${level}`))).toEqual([
      ['flag-as-cluster-name error'],
      ['flag-as-cluster-name unverifiable'],
    ]);
  });

  it('says where, what and how', () => {
    const [found] = bootstrapProblems(call('--service-ipv6-cidr fd00::/108 main --ip-family ipv4'));
    expect(found).toEqual({
      kind: 'ipv6-range-on-ipv4',
      level: 'error',
      offset: '#!/bin/bash\n/etc/eks/bootstrap.sh --service-ipv6-cidr fd00::/108 main --ip-family '.length,
      message: 'bootstrap.sh ends with "ERROR: --ip-family should be ipv6 when --service-ipv6-cidr is specified"',
      fix: 'Remove --service-ipv6-cidr, or write --ip-family ipv6.',
    });
  });
});

describe('kubeletArguments', () => {
  const extra = (args: string): ReturnType<typeof kubeletArguments> => {
    const value = call(`main --kubelet-extra-args ${args}`).options.get('--kubelet-extra-args')?.value;
    if (value === undefined) throw new Error('no value');
    return kubeletArguments(value);
  };

  it('takes flags apart', () => {
    const found = extra(
      `"--node-labels=a/b=c,d= --max-pods 10 --max-pods=20 --register-with-taints=e=f:NoSchedule,g:NoExecute --feature-gates=H=true --v"`,
    );
    expect(found.labels.map(({ key, value }) => [key.text, value?.text])).toEqual([
      ['a/b', 'c'],
      ['d', ''],
    ]);
    expect(found.taints.map(({ key, value, effect }) => [key.text, value?.text, effect?.text])).toEqual([
      ['e', 'f', 'NoSchedule'],
      ['g', undefined, 'NoExecute'],
    ]);
    expect(found.featureGates.map(({ key, value }) => [key.text, value?.text])).toEqual([['H', 'true']]);
    expect(found.maxPods?.text).toBe('20');
    expect(found.flags.map(({ name, value }) => [name, value?.text]).at(-1)).toEqual(['--v', undefined]);
    expect(found.hasUnknownFlags).toBe(false);
  });

  it('takes single dashes, and skips what is no flag', () => {
    const found = extra(
      '"-v 2 x --node-labels --max-pods=10 --node-labels=,a=b,,=c, --register-with-taints=a=b:c:NoSchedule"',
    );
    expect(found.flags.map(({ name, value }) => `${name} ${value?.text ?? 'none'}`)).toEqual([
      '--v 2',
      '--node-labels none',
      '--max-pods 10',
      '--node-labels ,a=b,,=c,',
      '--register-with-taints a=b:c:NoSchedule',
    ]);
    expect(found.labels.map(({ key, value }) => [key.text, value?.text])).toEqual([
      ['a', 'b'],
      ['', 'c'],
    ]);
    expect(found.taints.map(({ key, value, effect }) => [key.text, value?.text, effect?.text])).toEqual([
      ['a', 'b:c', 'NoSchedule'],
    ]);
    expect(extra('"--v=2"').maxPods).toBeUndefined();
    expect(extra('"--«Flag» --x=1"').flags.map(({ name }) => name)).toEqual(['--x']);
    expect(extra('"--max-pods=«Pods»"')).toMatchObject({ hasUnknownFlags: false, maxPods: { text: undefined } });
  });

  it('knows taints that lack their effect', () => {
    const { taints } = extra('"--register-with-taints=a=b,c,d=e:NoExecute"');
    expect(taints.map(({ key, value, effect }) => [key.text, value?.text, effect?.text])).toEqual([
      ['a', 'b', undefined],
      ['c', undefined, undefined],
      ['d', 'e', 'NoExecute'],
    ]);
  });

  it('keeps what is unknown unknown, and offsets right', () => {
    const text = "#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--node-labels=team=«Team»,x=y «More»'";
    const [found] = bootstrapCallsIn(script(text));
    const value = found?.options.get('--kubelet-extra-args')?.value;
    const parsed = value === undefined ? undefined : kubeletArguments(value);
    expect(parsed?.labels.map(({ key, value: label }) => [key.text, label?.text, label?.show])).toEqual([
      ['team', undefined, '«Team»'],
      ['x', 'y', 'y'],
    ]);
    expect(parsed?.labels[0]?.key.offset).toBe(text.indexOf('team'));
    expect(parsed?.labels[1]?.key.offset).toBe(text.indexOf('x=y') + '70000000'.length - '«Team»'.length);
    expect(parsed?.hasUnknownFlags).toBe(true);
  });
});

describe('nodeadm and kubelet', () => {
  it('tells nodeadm init from other commands', () => {
    const calls = nodeadmInitCallsIn(
      script(
        'nodeadm config check -c file://x\nnodeadm init --help\n/usr/bin/nodeadm -d init -c file:///a\nsudo nodeadm init --config-source=file:///b\n# nodeadm init\necho nodeadm init',
      ),
    );
    expect(calls.map(({ configSource }) => configSource?.text)).toEqual(['file:///a', 'file:///b']);
  });

  it.each<[string, (string | undefined)[]]>([
    ['nodeadm init', [undefined]],
    ['nodeadm init -c', [undefined]],
    ['nodeadm init -d --config-source file:///a x', ['file:///a']],
    ['nodeadm init -c="file:///a b"', ['file:///a b']],
    ['nodeadm init --config=x', [undefined]],
    ['nodeadm init -h', []],
    ['nodeadm uninstall init', []],
    ['/opt/nodeadm-old init', []],
    ['$NODEADM init', []],
    ['exit 0\nnodeadm init', []],
    ['nodeadm', []],
  ])('reads %s', (text, expected) => {
    expect(nodeadmInitCallsIn(script(text)).map(({ configSource }) => configSource?.text)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['systemctl enable kubelet', []],
    ['systemctl reenable --now kubelet', ['start']],
    ['systemctl start --now containerd', []],
    ['systemctl reload-or-restart kubelet.service', ['start']],
    ['systemctl kubelet start', []],
    ['/usr/bin/systemctl --no-block start kubelet', ['start']],
    ['service kubelet start', ['start']],
    ['service kubelet stop', []],
    ['service containerd start', []],
    ['service kubelet restarted', []],
    ['ctl start kubelet', []],
    ['exit\nsystemctl start kubelet\nsed -i s/a/b/ /etc/sysconfig/kubelet', []],
    ['sed -i s/a/b/ /etc/sysconfig/kubelet\nsystemctl restart kubelet', ['edit', 'start']],
    ['sed -i s/a/b/ /etc/sysconfig/kubelet.bak', []],
  ])('knows what %s does to kubelet', (text, expected) => {
    expect(kubeletInterventions(script(text)).map(({ kind }) => kind)).toEqual(expected);
  });

  it('passes over files that nodeadm does not read', () => {
    expect(
      nodeConfigDropIns(script('echo a > /etc/eks/other.yaml\nexit\necho a > /etc/eks/nodeadm.d/10.yaml')),
    ).toEqual([]);
  });

  it('finds what starts kubelet and what edits its files', () => {
    const found = kubeletInterventions(
      script(
        [
          'systemctl daemon-reload',
          'systemctl status kubelet',
          'systemctl stop kubelet',
          'sudo systemctl enable --now kubelet.service',
          'systemctl restart containerd kubelet',
          'service kubelet restart',
          'cat /etc/kubernetes/kubelet/kubelet-config.json',
          'jq .maxPods=20 /etc/kubernetes/kubelet/kubelet-config.json > /tmp/k',
          'mv /tmp/k /etc/kubernetes/kubelet/kubelet-config.json',
          'echo "$(jq .a=1 /etc/kubernetes/kubelet/kubelet-config.json)" > /etc/kubernetes/kubelet/kubelet-config.json',
          'sed -i s/a/b/ /etc/sysconfig/kubelet',
          'echo x | tee -a /etc/sysconfig/kubelet',
        ].join('\n'),
      ),
    );
    expect(found.map(({ kind, command, file }) => `${kind} ${command.effective[0]?.text ?? ''} ${file ?? ''}`)).toEqual(
      [
        'start systemctl ',
        'start systemctl ',
        'start service ',
        'edit mv /etc/kubernetes/kubelet/kubelet-config.json',
        'edit echo /etc/kubernetes/kubelet/kubelet-config.json',
        'edit sed /etc/sysconfig/kubelet',
        'edit tee /etc/sysconfig/kubelet',
      ],
    );
  });

  it('finds NodeConfigs that a script drops in', () => {
    const found = nodeConfigDropIns(
      script(
        "mkdir -p /etc/eks/nodeadm.d\ncat <<'EOF' > /etc/eks/nodeadm.d/10.yaml\napiVersion: node.eks.aws/v1alpha1\nEOF\naws s3 cp s3://b/n.yaml /etc/eks/nodeadm.d/20.yaml\necho a >> /etc/eks/nodeadm.d/10.yaml",
      ),
    );
    expect(found.map(({ file, content }) => [file.text, content?.text])).toEqual([
      ['/etc/eks/nodeadm.d/10.yaml', 'apiVersion: node.eks.aws/v1alpha1\n'],
      ['/etc/eks/nodeadm.d/20.yaml', undefined],
      ['/etc/eks/nodeadm.d/10.yaml', undefined],
    ]);
  });
});

describe('renderBootstrapScript', () => {
  it('writes a script', () => {
    const text = renderBootstrapScript({
      clusterName: 'main',
      apiServerEndpoint: ENDPOINT,
      certificateAuthority: CA,
      dnsClusterIp: '10.1.0.10',
      maxPods: 20,
      labels: { 'example.com/team': 'a' },
      taints: [
        { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
        { key: 'x', effect: 'NoExecute' },
      ],
      before: ['yum install -y jq'],
      after: ['echo done'],
    });
    expect(text).toBe(
      [
        '#!/bin/bash',
        'set -ex',
        'yum install -y jq',
        '/etc/eks/bootstrap.sh "main" \\',
        `  --apiserver-endpoint "${ENDPOINT}" \\`,
        `  --b64-cluster-ca "${CA}" \\`,
        '  --dns-cluster-ip "10.1.0.10" \\',
        '  --use-max-pods false \\',
        '  --kubelet-extra-args "--max-pods=20 --node-labels=example.com/team=a --register-with-taints=dedicated=gpu:NoSchedule,x:NoExecute"',
        'echo done',
        '',
      ].join('\n'),
    );
  });

  const value = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,20}$/);
  const options: fc.Arbitrary<BootstrapScriptOptions> = fc
    .record({
      clusterName: value,
      pair: fc.option(
        fc.record({
          apiServerEndpoint: fc.webUrl({ validSchemes: ['https'] }).filter((url) => !/['$"\\`]/.test(url)),
          certificateAuthority: value,
        }),
        { nil: undefined },
      ),
      family: fc.constantFrom<Partial<BootstrapScriptOptions>>(
        {},
        { ipFamily: 'ipv4', serviceIpv4Cidr: '10.5.0.0/16' },
        { ipFamily: 'ipv6', serviceIpv6Cidr: 'fd00:1::/108' },
        { ipFamily: 'ipv6', dnsClusterIp: 'fd00:1::a' },
      ),
      maxPods: fc.option(fc.integer({ min: 1, max: 737 }), { nil: undefined }),
      labels: fc.dictionary(value, value, { maxKeys: 3 }),
      taints: fc.array(
        fc.record({ key: value, value, effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const) }),
        { maxLength: 2 },
      ),
      before: fc.array(fc.constantFrom('echo "a b"', 'if x; then y; fi', "cat <<'EOF' > /f\nit's\nEOF", 'A=1 # b'), {
        maxLength: 3,
      }),
    })
    .map(({ pair, family, maxPods, ...rest }) => ({
      ...rest,
      ...pair,
      ...family,
      ...(maxPods === undefined ? {} : { maxPods }),
    }));

  it('is read back as it was meant, without problems', () => {
    fc.assert(
      fc.property(options, (wanted) => {
        const [found, ...others] = bootstrapCallsIn(readShell(SourceText.of(renderBootstrapScript(wanted))));
        expect(others).toEqual([]);
        const read = (name: string): string | undefined => found?.options.get(name)?.value?.text;
        const extra = found?.options.get('--kubelet-extra-args')?.value;
        const kubelet = extra === undefined ? undefined : kubeletArguments(extra);
        expect({
          clusterName: found?.clusterName?.text,
          apiServerEndpoint: read('--apiserver-endpoint'),
          certificateAuthority: read('--b64-cluster-ca'),
          ipFamily: read('--ip-family'),
          serviceIpv4Cidr: read('--service-ipv4-cidr'),
          serviceIpv6Cidr: read('--service-ipv6-cidr'),
          dnsClusterIp: read('--dns-cluster-ip'),
          maxPods: kubelet?.maxPods?.text,
          labels: Object.fromEntries<string | undefined>(
            (kubelet?.labels ?? []).map((label) => [label.key.text ?? '', label.value?.text]),
          ),
          taints: (kubelet?.taints ?? []).map((taint) => ({
            key: taint.key.text,
            value: taint.value?.text,
            effect: taint.effect?.text,
          })),
        }).toEqual({ ...wanted, before: undefined, maxPods: wanted.maxPods?.toString() });
        if (found !== undefined)
          expect(bootstrapProblems(found, { serviceCidr: 'default', kubernetesMinor: 32 })).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  it('leaves stand-ins as they are', () => {
    const token = '${Token[TOKEN.123]}';
    const isOpaque = (text: string): boolean => text.includes('${Token[');
    const text = renderBootstrapScript({ clusterName: token, labels: { a: token }, isOpaque });
    expect(text).toContain(`/etc/eks/bootstrap.sh "${token}"`);
    expect(text).toContain(`"--node-labels=a=${token}"`);
    expect(() => renderBootstrapScript({ clusterName: token })).toThrow(BootstrapScriptError);
  });

  it.each<[string, string, BootstrapScriptOptions]>([
    ['a double quote', 'clusterName', { clusterName: 'a"b' }],
    ['a variable', 'clusterName', { clusterName: '$HOME' }],
    ['a backtick', 'clusterName', { clusterName: '`a`' }],
    ['a line feed', 'clusterName', { clusterName: 'a\nb' }],
    ['a single quote', 'labels', { clusterName: 'a', labels: { a: "b'c" } }],
    ['nothing', 'clusterName', { clusterName: '' }],
    ['a dash in front of the name', 'clusterName', { clusterName: '--main' }],
    ['a blank in a label', 'labels', { clusterName: 'a', labels: { a: 'b c' } }],
    ['a comma in a label', 'labels', { clusterName: 'a', labels: { a: 'b,c=d' } }],
    ['an endpoint alone', 'certificateAuthority', { clusterName: 'a', apiServerEndpoint: ENDPOINT }],
    ['a certificate authority alone', 'apiServerEndpoint', { clusterName: 'a', certificateAuthority: CA }],
    ['an IPv6 range on IPv4', 'serviceIpv6Cidr', { clusterName: 'a', serviceIpv6Cidr: 'fd00::/108' }],
    [
      'IPv6 without a range',
      'serviceIpv6Cidr',
      { clusterName: 'a', apiServerEndpoint: ENDPOINT, certificateAuthority: CA, ipFamily: 'ipv6' },
    ],
    ['no pods', 'maxPods', { clusterName: 'a', maxPods: 0 }],
    ['max pods twice', 'kubeletArguments', { clusterName: 'a', maxPods: 5, kubeletArguments: ['--max-pods=6'] }],
    ['an argument that is no flag', 'kubeletArguments', { clusterName: 'a', kubeletArguments: ['max-pods=6'] }],
    ['an exit before the bootstrap', 'before', { clusterName: 'a', before: ['exit 0'] }],
    ['a quote left open', 'before', { clusterName: 'a', before: ['echo "a'] }],
    ['an if left open', 'before', { clusterName: 'a', before: ['if true; then'] }],
    ['a second bootstrap', 'before', { clusterName: 'a', before: ['/etc/eks/bootstrap.sh a'] }],
    ['a second bootstrap behind', 'after', { clusterName: 'a', after: ['/etc/eks/bootstrap.sh a'] }],
  ])('refuses %s', (_, option, refused) => {
    let thrown: unknown;
    try {
      renderBootstrapScript(refused);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BootstrapScriptError);
    expect(thrown).toMatchObject({ option });
  });

  it('knows every option that it writes', () => {
    const text = renderBootstrapScript({
      clusterName: 'a',
      apiServerEndpoint: 'b',
      certificateAuthority: 'c',
      ipFamily: 'ipv6',
      serviceIpv6Cidr: 'd',
      dnsClusterIp: 'e',
      maxPods: 1,
    });
    for (const [flag] of text.matchAll(/^ {2}(--[\w-]+)/gm)) expect(BOOTSTRAP_OPTIONS).toContain(flag.trim());
  });
});
