import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skippedNote } from '../needs';
import { runCommand } from './built-command';
import { workspace } from './workspace';

/** The add-ons whose schemas are known. */
const ADDONS = [
  'vpc-cni',
  'coredns',
  'kube-proxy',
  'eks-pod-identity-agent',
  'aws-ebs-csi-driver',
  'external-dns',
  'metrics-server',
  'eks-node-monitoring-agent',
];

const scripts = new Map<string, string>();
function scriptOf(shell: string): string {
  const script = scripts.get(shell) ?? runCommand(['completion', shell]).stdout;
  scripts.set(shell, script);
  return script;
}

/** A repository with names that a shell has to quote, and references that it must not run. */
function repository(): string {
  const folder = workspace({
    'sp ace.yaml': '',
    'sp two.yaml': '',
    'my dir/x.yaml': '',
    '[ab].yaml': '',
    'a.yaml': '',
  });
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'begin'],
    ['branch', 'feature/one'],
    ['branch', 'bad$(touch${IFS}pwned)'],
    ['tag', 'v1.0'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
  return folder;
}

describe('bash', () => {
  const folder = repository();
  /** What is offered for the last word; readline completes names of files where nothing is, unless that is switched off. */
  const complete = (words: readonly string[]): { offered: string[]; files: boolean } => {
    const line = ['eks-guardrails', ...words].map((word) => `'${word}'`).join(' ');
    const run = `compopt() { if [[ $* == '+o default' ]]; then files=no; fi; }
      files=yes COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:' COMP_WORDS=(${line}) COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      _eks_guardrails; printf '%s\\n' "$files" "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${scriptOf('bash')}\n${run}`], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect(stderr).toBe('');
    const [files, ...offered] = stdout.trimEnd().split('\n');
    return { offered: offered.filter((word) => word !== ''), files: files === 'yes' };
  };

  it.each([
    [['ch'], ['check']],
    [['--v'], ['--version']],
    [['check', '--changed'], ['--changed-since']],
    [['check', '--format', 'js'], ['json']],
    [['check', '--format', '=', 'js'], ['json']],
    [['check', '--format=js'], ['json']],
    [['check', '--rule', 'imds-v'], ['imds-v1=']],
    [['check', '--rule', 'imds-v1', '=', 'e'], ['error']],
    [['check', '--rule', '=', 'imds-v'], ['imds-v1=']],
    [['check', '--rule', '=', 'imds-v1', '=', 'e'], ['error']],
    [['check', '--rule-option', 'imds-hop-limit.hopLimitOne', '=', 'al'], ['allow']],
    [
      ['check', '--changed-since', ''],
      ['HEAD', 'feature/one', 'main', 'v1.0'],
    ],
    [['check', '--fail-on', 'zzz'], []],
    [['user-data', '--id', ''], []],
    [['user-data', '--kubernetes-version', '1.3'], expect.arrayContaining(['1.33']) as unknown],
    [['addon-diff', ''], ADDONS],
    [['addon-diff', '--format', 'text', 'vpc-cni', 'v1.6'], expect.arrayContaining(['v1.6.3-eksbuild.2']) as unknown],
    [['addon-diff', 'vpc-cni', 'v1.6.3-eksbuild.2', 'v'], expect.not.arrayContaining(['vpc-cni']) as unknown],
    [['rules', 'imds-v'], ['imds-v1']],
    [
      ['rules', '--'],
      ['--config', '--no-config', '--config-code', '--no-config-code', '--search', '--format', '--help'],
    ],
    [['explain', 'imds-hop'], ['imds-hop-limit']],
    [['help', 'che'], ['check']],
    [['completion', 'po'], ['powershell']],
  ])('offers the words that begin as in %p', (words, expected) => {
    expect(complete(words)).toEqual({ offered: expected, files: false });
  });

  it.each([
    [['check', 'sp']],
    [['check', '']],
    [['check', '--quiet', '--', '--']],
    [['check', '--output', 'a']],
    [['check', '--output', '=', 'a']],
    [['user-data', '']],
  ])('leaves %p to the names of files', (words) => {
    expect(complete(words)).toEqual({ offered: [], files: true });
  });

  const { error, stdout: terminals } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  const lack =
    error === undefined && terminals.includes('util-linux') ? undefined : "there is no util-linux' script on the PATH";
  (lack === undefined ? it : it.skip)(`completes on a terminal${skippedNote(lack)}`, () => {
    writeFileSync(
      join(folder, 'rc'),
      `PS1='> '\n${scriptOf('bash')}\neks-guardrails() { printf '<%s>' "$@"; echo; }\n`,
    );
    const typed = [
      'check sp\\ a\t',
      'check my\t',
      'check [\t',
      'check --output=a\t',
      'check --rule=imds-v\twarn\t',
      'check --changed-since=fea\t',
      'user-data --id a\t',
    ];
    const { stdout } = spawnSync('script', ['-qec', 'bash --noprofile --rcfile rc -i', '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, INPUTRC: '/dev/null', TERM: 'dumb', HISTFILE: '' },
      input: [...typed.map((words) => `eks-guardrails ${words}\n`), 'exit\n'].join(''),
    });
    expect(stdout.split(/\r*\n/).filter((line) => line.startsWith('<'))).toEqual([
      '<check><sp ace.yaml>',
      '<check><my dir/>',
      '<check><[ab].yaml>',
      '<check><--output=a.yaml>',
      '<check><--rule=imds-v1=warning>',
      '<check><--changed-since=feature/one>',
      '<user-data><--id><a>',
    ]);
  });
});

describe('other shells', () => {
  it.each(['zsh', 'fish'])('%s takes the script, if it is there', (shell) => {
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: scriptOf(shell), encoding: 'utf8' });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    [
      'zsh',
      [
        /^#compdef eks-guardrails\n/,
        "'*--changed-since=[",
        ']:changed-since:_eks_guardrails_revisions',
        '[such as 1.34, for what depends on it]:kubernetes-version:(1.',
        ']:id: ',
        "'*:PATH:_files'",
        `':ADDON:(${ADDONS.join(' ')})'`,
        '== loadautofunc ]]; then _eks-guardrails "$@"',
      ],
    ],
    [
      'fish',
      [
        "-l changed-since -x -a 'HEAD (git for-each-ref ",
        '-l id -x -d',
        '-l output -r -F',
        `and not __fish_seen_subcommand_from ${ADDONS.join(' ')}' -a '${ADDONS.join(' ')}'`,
        'imds-v1=off',
      ],
    ],
    [
      'powershell',
      [
        "'check --changed-since' = { @('HEAD') + @(git for-each-ref ",
        "'check --output' = { @() }",
        "'check all' = { @() }",
        `'addon-diff 0' = { @(${ADDONS.map((name) => `'${name}'`).join(', ')}) }`,
        'imds-v1=off',
        "-match '^(--[a-z-]+)=(.*)$'",
      ],
    ],
  ] as const)('%s: what stands where', (shell, parts) => {
    const script = scriptOf(shell);
    for (const part of parts)
      expect(script).toEqual(typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part));
  });
});

it('PowerShell may be called pwsh', () => {
  expect(scriptOf('pwsh')).toBe(scriptOf('powershell'));
  expect(scriptOf('pwsh')).not.toBe('');
});

it('fish asks for one word of an argument after the other', () => {
  const lines = scriptOf('fish').matchAll(/-n '(__fish_seen_subcommand_from addon-diff; [^']*)' -a '([\w-]+)/g);
  expect(Array.from(lines, ([, when, first]) => [when, first])).toEqual([
    [`__fish_seen_subcommand_from addon-diff; and not __fish_seen_subcommand_from ${ADDONS.join(' ')}`, 'vpc-cni'],
    [`__fish_seen_subcommand_from addon-diff; and __fish_seen_subcommand_from ${ADDONS.join(' ')}`, 'v1'],
  ]);
});
