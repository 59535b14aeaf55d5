import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { itWithAll, share } from '../share';
import { checkPaths } from '../../lib/check';
import { collectScript } from '../../lib/cli/collect/collect-script';
import { projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

const HEALTHY = join(projectRoot, 'examples/live/healthy');

const has = (shell: string): boolean => spawnSync(shell, ['-c', ':']).error === undefined;

/** A shell that has what POSIX describes and nothing more, where there is one, and what most people have. */
const SHELLS = share([has('dash') ? 'dash' : 'sh', 'bash'].filter(has).map((shell): [name: string] => [shell]));

/** What stands between the words of a call that was written down. */
const BETWEEN = '\x1f';

/**
 * Writes the call down, refuses what is denied, and answers; what was answered before, and is kept under its words, needs one other process. A
 * script makes some sixty calls. Regions and profiles change no answer.
 */
const FAKE_AWS = `#!/bin/sh
{ printf '%s\\037' aws "$@"; echo; } >>"$CALLS"
case ",$DENIED," in
*",$2,"*)
  printf '\\nAn error occurred (AccessDenied) when calling "%s": not\\tauthorized\\n' "$2" >&2
  exit 254
  ;;
esac
words= skips=
for word do
  case $skips$word in
  --region|--profile) skips=yes ;;
  yes*) skips= ;;
  *) words="$words $word" ;;
  esac
done
known="$ANSWERED/$words answer"
if [ ! -f "$known" ]; then
  mkdir -p "\${known%/*}"
  node "$ANSWERER" "$@" >"$known.new" || exit
  mv "$known.new" "$known"
fi
cat "$known"
`;

/** Answers by how the call begins, from the files of an example. What isn't among them is refused, as AWS does. */
const ANSWERER = `
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
const option = (name) => { const at = args.indexOf(name); return at < 0 ? undefined : args[at + 1]; };
const [, call] = args;
const lastPart = (text) => text.replace(/^.*\\//, '');
const FILES = {
  'describe-cluster': () => 'cluster.json',
  'list-nodegroups': () => 'nodegroups.json',
  'describe-nodegroup': () => 'nodegroup-' + option('--nodegroup-name') + '.json',
  'describe-launch-template-versions': () => 'launch-template-' + option('--launch-template-id') + '-' + option('--versions') + '.json',
  'list-addons': () => 'addons.json',
  'describe-addon': () => 'addon-' + option('--addon-name') + '.json',
  'list-pod-identity-associations': () => 'pod-identity-associations.json',
  'describe-pod-identity-association': () => 'pod-identity-association-' + option('--association-id') + '.json',
  'list-access-entries': () => 'access-entries.json',
  'describe-access-entry': () => 'access-entry-' + lastPart(option('--principal-arn')) + '.json',
  'list-fargate-profiles': () => 'fargate-profiles.json',
  'list-open-id-connect-providers': () => 'oidc-providers.json',
  'get-open-id-connect-provider': () => 'oidc-provider.json',
  'describe-subnets': () => 'subnets.json',
  'describe-instances': () => 'instances.json',
  'get-role': () => 'role-' + option('--role-name') + '.json',
  'list-role-policies': () => 'role-' + option('--role-name') + '.inline-policies.json',
  'list-attached-role-policies': () => 'role-' + option('--role-name') + '.attached-policies.json',
};
if (FILES[call] === undefined) {
  process.stderr.write('nobody has recorded ' + call + '\\n');
  process.exit(252);
}
const answer = JSON.parse(readFileSync(join(process.env.ANSWERS, FILES[call]()), 'utf8'));
if (option('--output') === 'json') {
  process.stdout.write(JSON.stringify(answer, undefined, 4) + '\\n');
  process.exit(0);
}
// What of JMESPath the script has: names with dots, and the items of lists.
const select = (value, steps) => {
  const [step, ...rest] = steps;
  if (step === undefined || value === undefined || value === null) return value;
  if (step.endsWith('[]')) return (value[step.slice(0, -2)] || []).map((item) => select(item, rest));
  return select(value[step], rest);
};
const found = select(answer, option('--query').split('.'));
process.stdout.write((Array.isArray(found) ? found.join('\\t') : String(found ?? 'None')) + '\\n');
`;

const FAKE_KUBECTL = `#!/bin/sh
{ printf '%s\\037' kubectl "$@"; echo; } >>"$CALLS"
case " $* " in
*' config '*)
  printf '%s' "$SERVER"
  exit
  ;;
*' jsonpath'*) exit ;;
*' api-resources '*)
  # One API that is down makes the call fail, and the others are told all the same.
  [ -z "$SERVED" ] || printf 'pods\n%s\nservices\n' "$SERVED"
  echo 'error: unable to retrieve the complete list of server APIs' >&2
  exit 1
  ;;
esac
while [ "$1" != get ]; do shift; done
file=$ANSWERS/kubectl-$2.json
[ -f "$file" ] || file=$KARPENTER/kubectl-$2.json
if [ ! -f "$file" ]; then
  echo "error: the server doesn't have a resource type" >&2
  exit 1
fi
cat "$file"
`;

const place = workspace({
  'bin/aws': FAKE_AWS,
  'bin/kubectl': FAKE_KUBECTL,
  'aws-only/aws': FAKE_AWS,
  'answerer.js': ANSWERER,
  'answered/README': '',
  'karpenter/kubectl-ec2nodeclasses.karpenter.k8s.aws.json': listOf({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      role: 'shop-nodes',
      amiSelectorTerms: [{ alias: 'al2023@v20260801' }],
      metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
    },
  }),
  'karpenter/kubectl-nodepools.karpenter.sh.json': listOf(),
});

function listOf(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

for (const file of ['bin/aws', 'bin/kubectl', 'aws-only/aws']) chmodSync(join(place, file), 0o755);

const { cluster } = JSON.parse(readFileSync(join(HEALTHY, 'cluster.json'), 'utf8')) as {
  cluster: { endpoint: string };
};

interface Run {
  readonly status: number | null;
  readonly stderr: string;
  readonly folder: string;
  readonly calls: readonly (readonly string[])[];
}

let number = 0;

function run(
  shell: string,
  request: Partial<Parameters<typeof collectScript>[0]> = {},
  environment: Readonly<Record<string, string>> = {},
  bin = 'bin',
): Run {
  number++;
  const output = request.output ?? `dump ${number}`;
  const calls = join(place, `calls-${number}`);
  const script = collectScript({ cluster: 'shop', ...request, output });
  // The programs that the script itself needs, and node for the fakes.
  const path = [join(place, bin), '/usr/bin', '/bin', join(process.execPath, '..')].join(':');
  const { status, stderr } = spawnSync(shell, ['-s'], {
    cwd: place,
    input: script,
    encoding: 'utf8',
    env: {
      PATH: path,
      CALLS: calls,
      ANSWERS: HEALTHY,
      ANSWERER: join(place, 'answerer.js'),
      ANSWERED: join(place, 'answered'),
      SERVER: cluster.endpoint,
      SERVED: 'deployments.apps',
      KARPENTER: join(place, 'karpenter'),
      ...environment,
    },
  });
  const made = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return {
    status,
    stderr,
    folder: join(place, output),
    calls: made.map((line) => line.split(BETWEEN).slice(0, -1)),
  };
}

interface Manifest {
  readonly cluster: string;
  readonly region: string;
  readonly calls: readonly { readonly file: string; readonly call: string; readonly failed?: string }[];
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'eks-guardrails-dump.json'), 'utf8')) as Manifest;
}

function problems(folder: string): readonly string[] {
  return checkPaths([folder], { asOf: AS_OF }).diagnostics.map(({ severity, message }) => `${severity} ${message}`);
}

describe('the script of collect', () => {
  it.each(SHELLS)('writes all answers about a cluster with %s, so that nothing is left open', (shell) => {
    const { status, stderr, folder } = run(shell);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `${folder.slice(place.length + 1)}: the answers about cluster shop; calls that failed: 0\n`,
    });
    const { findings, diagnostics, model } = checkPaths([folder], { asOf: AS_OF });
    expect({ findings, diagnostics }).toEqual({ findings: [], diagnostics: [] });
    expect(model.resources.filter(({ isImplied }) => isImplied === true)).toEqual([]);
    expect(model.roles.map(({ id }) => id)).toEqual(['shop-cluster', 'shop-nodes', 'shop-vpc-cni']);
    const { cluster: name, region, calls } = manifestOf(folder);
    expect([name, region, calls.some(({ failed }) => failed !== undefined)]).toEqual(['shop', 'ap-northeast-2', false]);
    expect(readdirSync(folder).filter((file) => file.startsWith('.'))).toEqual([]);
  });

  itWithAll('makes no call that changes anything, and takes names for words, whatever is in them', () => {
    const output = `it's $(touch run) "quoted" \`touch run\``;
    const profile = `o'brien; touch run`;
    const { status, folder, calls } = run('sh', { region: 'ap-northeast-2', context: 'shop', output, profile });
    expect(status).toBe(0);
    expect([existsSync(join(folder, 'cluster.json')), existsSync(join(place, 'run'))]).toEqual([true, false]);
    expect(calls.length).toBeGreaterThan(40);
    for (const [program, ...args] of calls) {
      if (program === 'aws') {
        expect(args[1]).toMatch(/^(?:describe|list|get)-/);
        expect(args.slice(-6)).toEqual(expect.arrayContaining(['--region', 'ap-northeast-2', '--profile', profile]));
      } else {
        expect(args.slice(0, 2)).toEqual(['--context', 'shop']);
        expect(['get', 'config view', 'api-resources']).toContain(
          args[2] === 'config' ? args.slice(2, 4).join(' ') : args[2],
        );
        expect(args).not.toContain('secrets');
      }
    }
  });

  itWithAll('goes on when a call is denied, and writes down which', () => {
    const { status, stderr, folder } = run('sh', {}, { DENIED: 'describe-instances,get-role', SERVED: '' });
    expect(status).toBe(0);
    expect(stderr).toContain('failed: aws ec2 describe-instances');
    expect(existsSync(join(folder, 'instances.json'))).toBe(false);
    const failed = manifestOf(folder).calls.filter((call) => call.failed !== undefined);
    expect(failed.map(({ file }) => file)).toEqual([
      'instances.json',
      'kubectl',
      'role-shop-cluster.json',
      'role-shop-nodes.json',
      'role-shop-vpc-cni.json',
    ]);
    expect(failed[0]?.failed?.trim()).toBe(
      'An error occurred (AccessDenied) when calling "describe-instances": not authorized',
    );
    expect(problems(folder)).toContainEqual(expect.stringContaining('warning aws ec2 describe-instances'));
    expect(problems(folder)).toContainEqual('warning kubectl api-resources failed: the call failed');
  });

  itWithAll('takes nothing for absent whose list is denied', () => {
    const { folder } = run('sh', {}, { DENIED: 'list-addons,list-pod-identity-associations' });
    expect(problems(folder).join('\n')).toContain('aws eks list-addons, aws eks list-pod-identity-associations');
    const { findings } = checkPaths([folder], { asOf: AS_OF });
    expect(findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)).toEqual([]);
    expect(findings.some(({ verdict }) => verdict === 'unverifiable')).toBe(true);
  });

  itWithAll('asks kubectl only about the cluster that it is about', () => {
    const { stderr, folder, calls } = run('sh', {}, { SERVER: 'https://another.example' });
    expect(stderr).toContain('kubectl is not set up for cluster shop');
    expect(calls.some(([program, , ...args]) => program === 'kubectl' && args.includes('get'))).toBe(false);
    expect(problems(folder).join('\n')).toContain(
      'kubectl get failed: kubectl is set up for https://another.example, and not for shop',
    );
  });

  it('asks for the nodes of Karpenter where there are any', () => {
    const { stderr, folder } = run(
      'sh',
      {},
      { SERVED: 'ec2nodeclasses.karpenter.k8s.aws\nnodeclaims.karpenter.sh\nnodepools.karpenter.sh' },
    );
    expect(stderr).toContain('calls that failed: 0');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['kubectl-nodepools.karpenter.sh.json']));
    expect(checkPaths([folder], { asOf: AS_OF }).findings).toMatchObject([
      { rule: 'imds-hop-limit', verdict: 'fail', resource: { id: 'EC2NodeClass/default' } },
    ]);
  });

  it('does without kubectl', () => {
    const hasKubectl = ['/usr/bin/kubectl', '/bin/kubectl'].some((file) => existsSync(file));
    if (hasKubectl) return;
    const { status, folder } = run('sh', {}, {}, 'aws-only');
    expect(status).toBe(0);
    expect(problems(folder).join('\n')).toContain('kubectl get failed: kubectl is not installed');
  });

  it('writes into no folder that is there already', () => {
    const { status, stderr, calls } = run('sh', { output: 'aws-only' });
    expect({ status, stderr, calls }).toEqual({
      status: 1,
      stderr: 'aws-only is there already: remove it, or name another folder\n',
      calls: [],
    });
  });
});

describe('eks-guardrails collect', () => {
  const collect = (...args: string[]) => runCommand(['collect', ...args], { cwd: place });

  it('prints the script and runs nothing', () => {
    const { stdout, stderr, exitCode } = collect('--cluster', 'shop', '--region', 'eu-west-1', '--output', 'answers');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toBe(collectScript({ cluster: 'shop', region: 'eu-west-1', output: 'answers' }));
  });

  it.each([
    [[], 'error: --cluster is missing: the name of the cluster\n'],
    [['--cluster', 'a b'], 'error: "a b" is no name of a cluster: letters, digits, - and _, at most 100 of them\n'],
    [
      ['--cluster', 'shop', '--region', 'eu\nwest'],
      "error: --region is empty, or has characters that can't be printed\n",
    ],
  ])('refuses %j', (args, stderr) => {
    expect(collect(...args)).toMatchObject({ stdout: '', stderr, exitCode: 2 });
  });
});
