import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../lib/cli/program';
import { allRules } from '../../lib/rules';
import { listedRules } from '../../lib/rules/listed';
import { toolRules } from '../../lib/engine/tool-rules';
import { builtCommand, projectRoot, runCommand, startCommand } from './built-command';
import { workspace } from './workspace';
import { itWithAll } from '../share';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

const preloads = workspace({
  // Breaks something in the middle of a command.
  'break.cjs': "JSON.stringify = () => { throw new TypeError('broken\\non purpose'); };",
  // Packages, by their files, and modules of this one by their place in lib.
  'list-modules.cjs': `process.on('exit', () => {
    const packages = Object.keys(require.cache).filter((file) => file.includes('/node_modules/'));
    const { loaded } = require(${JSON.stringify(join(projectRoot, 'dist/lib/bundle/index.js'))});
    process.stderr.write([...packages, ...loaded.keys()].join('\\n'));
  });`,
});

describe('eks-guardrails', () => {
  it.each([[['--version']], [['-V']]])('%p prints the version', (args) => {
    expect(startCommand(args)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['--help']], [['-h']]])('%p prints the commands', (args) => {
    const { exitCode, stdout, stderr } = startCommand(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const command of ['check', 'rules', 'explain']) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('without command prints the help on standard error and fails', () => {
    const { exitCode, stdout, stderr } = startCommand([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(runCommand(['--help']).stdout);
  });

  it.each([
    [['chek'], "error: unknown command 'chek'\n(Did you mean check?)\n"],
    [['--verzion'], "error: unknown option '--verzion'\n(Did you mean --version?)\n"],
    [['explain'], "error: missing required argument 'RULE'\n"],
    [['completion', 'bash', 'zsh'], "error: too many arguments for 'completion'."],
    [['explain', 'imds-hoplimit'], 'error: there is no rule "imds-hoplimit"; did you mean "imds-hop-limit"?\n'],
    [['rules', '--format', 'xml'], 'Allowed choices are text, json.'],
  ])('%p is bad usage', (args, message) => {
    const { exitCode, stdout, stderr } = runCommand(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('documents exit codes and every option of check', () => {
    const { stdout } = runCommand(['check', '--help']);
    for (const option of ['--format', '--output', '--fail-on', '--preset', '--rule <', '--rule-option', '--verbose'])
      expect(stdout).toContain(option);
    expect(stdout).toMatch(/^ {2}2 {2}unreadable input or bad usage/m);
  });

  itWithAll('turns an internal error into one line and exit code 2', () => {
    const env = { NODE_OPTIONS: `--require ${join(preloads, 'break.cjs')}` };
    const quiet = startCommand(['rules', '--format', 'json'], { env });
    expect({ exitCode: quiet.exitCode, stdout: quiet.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(quiet.stderr).toMatch(/^internal error: broken on purpose\n.*please report.*\n$/);
    expect(startCommand(['rules', '--format', 'json'], { env: { ...env, EKS_GUARDRAILS_DEBUG: '1' } }).stderr).toMatch(
      /TypeError: broken\non purpose\n\s+at /,
    );
  });

  it.each<[string, Error, object]>([
    ['passes on what is no mistake of the user', new Error('broken'), { thrown: 'broken' }],
    [
      'tells that the working directory is gone',
      Object.assign(new Error('ENOENT'), { syscall: 'uv_cwd' }),
      { exitCode: 2, told: "error: the working directory isn't there any more; change to another one\n" },
    ],
    [
      'tells what a configuration lacks',
      Object.assign(new Error('no rule'), { name: 'ConfigurationError' }),
      { exitCode: 2, told: 'error: no rule\n' },
    ],
  ])('%s', async (_, error, expected) => {
    let told = '';
    const spies = [
      jest.spyOn(process.stdout, 'write').mockImplementation(() => {
        throw error;
      }),
      jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
        told += String(text);
        return true;
      }),
    ];
    const outcome = await run(['help'])
      .then((exitCode) => ({ exitCode, told }))
      .catch((reason: unknown) => ({ thrown: (reason as Error).message }))
      .finally(() => {
        for (const spy of spies) spy.mockRestore();
      });
    expect(outcome).toEqual(expected);
  });

  it('loads neither rules nor parsers to print its version', () => {
    const { stderr } = spawnSync(
      process.execPath,
      ['--require', join(preloads, 'list-modules.cjs'), builtCommand(), '--version'],
      { encoding: 'utf8' },
    );
    const modules = stderr.split('\n');
    expect(modules).toContain('cli/program');
    expect(modules.filter((file) => !/^(?:cli\/|user-code\/|files\/read$|version$)/.test(file))).toEqual([]);
  });

  it('loads neither the code of the rules nor parsers to list them', () => {
    const { stderr } = spawnSync(
      process.execPath,
      ['--require', join(preloads, 'list-modules.cjs'), builtCommand(), 'rules'],
      { encoding: 'utf8' },
    );
    const modules = stderr.split('\n');
    expect(modules).toContain('rules/listed');
    expect(
      modules.filter((file) =>
        /\/node_modules\/(?!commander\/)|^(?:front-ends|cloudformation|terraform|languages|eks)\/|^rules\/(?!listed$)/.test(
          file,
        ),
      ),
    ).toEqual([]);
  });

  it('has the rules in the list of its build', () => {
    const list = readFileSync(join(dirname(builtCommand()), '../rules/listed.json'), 'utf8');
    expect(JSON.parse(list)).toEqual(JSON.parse(JSON.stringify(listedRules)));
    expect(listedRules.map(({ id }) => id)).toEqual(allRules.map(({ id }) => id));
  });
});

describe('eks-guardrails rules', () => {
  it('lists every rule with its severity and title', () => {
    const lines = runCommand(['rules']).stdout.split('\n');
    for (const { id, severity, title } of [...allRules, ...toolRules]) {
      expect(lines.filter((line) => line.split(/ {2,}/).join('|') === `|${id}|${severity}|${title}`)).toHaveLength(1);
    }
  });

  it('gives the same as JSON', () => {
    const catalogue = JSON.parse(runCommand(['rules', '--format', 'json']).stdout) as {
      version: string;
      rules: { id: string; docs: string }[];
      toolRules: { id: string }[];
    };
    expect(catalogue.version).toBe(version);
    expect(catalogue.rules.map(({ id }) => id)).toEqual(allRules.map(({ id }) => id));
    expect(catalogue.toolRules.map(({ id }) => id)).toEqual(toolRules.map(({ id }) => id));
  });
});

describe('eks-guardrails explain', () => {
  it.each(allRules.map((rule) => [rule.id, rule] as const))('explains %s in full', (id, rule) => {
    const { exitCode, stdout, stderr } = runCommand(['explain', id, '--full']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.startsWith(`${id}\n\n`)).toBe(true);
    for (const heading of [
      'What happens',
      'Why',
      'What it reports, and the fix',
      "What it can't see",
      'When to ignore it',
      'Sources',
    ])
      expect(stdout).toMatch(new RegExp(`^${heading}$`, 'm'));
    for (const message of Object.keys(rule.messages)) expect(stdout).toMatch(new RegExp(`^${message}$`, 'm'));
    expect(stdout).not.toMatch(/\{\{(?!resolve:|EC2PrivateDNSName)|```|^#/m);
  });

  it.each(toolRules.map(({ id }) => [id]))('explains %s', (id) => {
    expect(runCommand(['explain', id])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('What to do') as string,
      stderr: '',
    });
  });
});
