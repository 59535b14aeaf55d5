import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAround } from '../../lib/cli/git/repository';
import { FORMATS } from '../../lib/reports';
import { readXml } from '../reports/xml';
import { runCommand } from './built-command';
import { nodeGroupTemplate, workspace } from './workspace';
import { share } from '../share';

const folder = realpathSync(
  workspace({
    'error.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
    'both.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']).replace(
      '      AmiType',
      '      ForceUpdateEnabled: true\n      AmiType',
    ),
    'evil.json': JSON.stringify({
      Resources: {
        '::stop-commands::x': {
          Type: 'AWS::EKS::Nodegroup',
          Properties: { ClusterName: 'prod', ForceUpdateEnabled: true },
        },
      },
    }),
    'addon.yaml':
      'Resources:\n  Dns:\n    Type: AWS::EKS::Addon\n    Properties:\n      AddonName: coredns\n      ClusterName: main\n    Metadata:\n      note: |\n        ::set-output name=pwn::1\n',
    'broken.json': '{"Resources": {"A": {"Type": "AWS::EKS::Clu',
    'infra/error.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
    'infra/.keep': '',
  }),
);

function check(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = folder) {
  return runCommand(['check', ...args], { cwd, env });
}

describe('the report formats of the command', () => {
  it('are all named in the help', () => {
    const [, help = ''] = /--format <format> +([^]*?)\(default:\s/.exec(runCommand(['check', '--help']).stdout) ?? [];
    expect(help.split(/[\s,]+/).filter((word) => !['', 'or'].includes(word))).toEqual(Object.keys(FORMATS));
  });

  it.each(Object.keys(FORMATS))(
    '%s names the finding and exits with 1, but 0 where Atlantis would else drop the report',
    (format) => {
      const { stdout, stderr, exitCode } = check(['error.yaml', '--format', format]);
      expect(stdout).toContain('imds-hop-limit');
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: format === 'atlantis' ? 0 : 1 });
    },
  );

  it('for Atlantis say what could not be read, with exit code 0 on the screen alone', () => {
    const { stdout, exitCode } = check(['broken.json', 'error.yaml', '--format', 'atlantis']);
    expect(stdout.match(/^FAIL - \S+ - (?:input|imds-hop-limit) - /gm)).toHaveLength(2);
    expect(stdout).toMatch(/\n2 failures\n$/);
    expect(exitCode).toBe(0);
    expect(check(['error.yaml', '--format', 'atlantis', '--output', 'atlantis.log']).exitCode).toBe(1);
  });

  it('run the rules that are selected by id, pattern or subject', () => {
    const rules = (...args: string[]) =>
      check(['both.yaml', '--statistics', ...args]).stdout.match(/(?<=(?:error|warning) +)\S+$/gm);
    expect(rules('--only', 'imds')).toEqual(['imds-hop-limit']);
    expect(rules('--only', 'node-group-*')).toEqual(['node-group-force-update']);
    expect(rules('--skip', 'imds-hop-limit')).toEqual(['node-group-force-update']);
    expect(rules('--only', 'imds', '--only', 'node-group-*', '--skip', '*-limit')).toEqual(['node-group-force-update']);
    expect(rules('--only', 'imds,node-group-*', '--skip', '*-limit, imds-v1')).toEqual(['node-group-force-update']);
    expect(rules('--only', 'imds', '--rule', 'imds-hop-limit=off')).toBeNull();
    expect(check(['both.yaml', '--only', 'imds-hop-limt'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('there is no rule "imds-hop-limt"; did you mean "imds-hop-limit"?') as string,
    });
    expect(check(['both.yaml', '--skip', 'eni-*']).stderr).toContain('no rule is called like "eni-*"');
  });

  it('check the working folder where no path is given', () => {
    expect(check(['--format', 'compact'], {}, join(folder, 'infra')).stdout).toMatch(/^error\.yaml:\d+:\d+: error /);
  });

  it('list no more findings than is wanted, and count them by rule', () => {
    const both = check(['both.yaml', '--max-findings', '1']);
    expect(both.stdout.match(/^(?:error|warning) /gm)).toHaveLength(1);
    expect(both.stdout).toContain('... and 1 more finding\n');
    expect(check(['both.yaml', '--max-findings', '1', '--format', 'compact']).stdout).toMatch(
      /^both\.yaml:\d+:\d+: error imds-hop-limit .*\n\.\.\. and 1 more finding\n1 error, 1 warning/,
    );
    expect(check(['both.yaml', '--statistics']).stdout).toMatch(
      /^1 +error +imds-hop-limit\n1 +warning +node-group-force-update\n/,
    );
    expect(check(['both.yaml', '--statistics']).exitCode).toBe(1);
    expect(check(['both.yaml', '--max-findings', 'many'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('It takes a whole number from 1.') as string,
    });
  });

  it('suggests the format that was meant', () => {
    const { stderr, exitCode } = check(['error.yaml', '--format', 'sarfi']);
    expect(stderr).toMatch(
      /^error: there is no format "sarfi"; did you mean "sarif"\? The formats are text, compact, json, sarif, .*\n$/,
    );
    expect(exitCode).toBe(2);
  });

  it('tell in each report that an input could not be read', () => {
    const sarif = JSON.parse(check(['broken.json', '--format', 'sarif']).stdout) as {
      runs: [{ invocations: [{ executionSuccessful: boolean }] }];
    };
    expect(sarif.runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(readXml(check(['broken.json', '--format', 'junit']).stdout).attributes['errors']).toBe('1');
    expect(check(['broken.json', '--format', 'github']).stdout).toMatch(/^::error file=broken\.json,/);
    expect(check(['broken.json', '--format', 'gitlab']).stdout).toContain('"severity":"blocker"');
    expect(check(['broken.json', '--format', 'markdown']).stdout).toContain('**Not everything was checked:**');
  });
});

describe('--quiet', () => {
  it('lists errors only, and counts the others', () => {
    const { stdout, exitCode } = check(['both.yaml', '--quiet']);
    expect(stdout).toContain('imds-hop-limit');
    expect(stdout).not.toMatch(/^ {2}warning /m);
    expect(stdout).not.toContain('Not listed');
    expect(stdout).toMatch(/\n1 error, \d+ warnings?.* in 1 input, 5 resources\n$/);
    expect(exitCode).toBe(1);
  });

  it('holds for the formats for programs too, but what makes the command fail is always listed', () => {
    expect(check(['both.yaml', '--quiet', '--format', 'gitlab']).stdout).not.toContain('"minor"');
    expect(check(['both.yaml', '--quiet', '--fail-on', 'warning', '--format', 'gitlab']).stdout).toContain('"minor"');
  });

  it('excludes --verbose', () => {
    const { stderr, exitCode } = check(['both.yaml', '--quiet', '--verbose']);
    expect(stderr).toContain("option '--quiet' cannot be used with option '--verbose'");
    expect(exitCode).toBe(2);
  });
});

describe('in GitHub Actions', () => {
  const actions = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder };

  it('annotations follow the text when no format is asked for', () => {
    const plain = check(['both.yaml']).stdout;
    const { stdout, exitCode } = check(['both.yaml'], actions);
    expect(stdout.startsWith(plain)).toBe(true);
    expect(stdout.slice(plain.length)).toMatch(/^(?:::(?:error|warning) file=both\.yaml,line=\d+,.*\n)+$/);
    expect(exitCode).toBe(1);
  });

  it('no name of a template becomes a command', () => {
    expect(check(['evil.json', '--verbose']).stdout).toMatch(/^ *::stop-commands::x /m);
    const { stdout } = check(['evil.json', '--verbose'], actions);
    expect(stdout).toMatch(/^ *: :stop-commands::x /m);
    expect(stdout.split('\n').filter((line) => /^\s*::(?!error |warning |notice )/.test(line))).toEqual([]);
  });

  it.each(share([['json'], ['junit'], ['html']]))('%s is for programs, who read the same as elsewhere', (format) => {
    const { stdout } = check(['evil.json', 'both.yaml', 'broken.json', '--format', format], actions);
    expect(stdout).toBe(
      check(['evil.json', 'both.yaml', 'broken.json', '--format', format], { GITHUB_WORKSPACE: folder }).stdout,
    );
    expect(stdout).not.toMatch(/^\s*::|##\[/m);
  });

  it('a diff stays as it is, and the runner is told to take no commands from it', () => {
    const plain = check(['addon.yaml', '--fix-dry-run']).stdout;
    expect(plain).toMatch(/^ +::set-output name=pwn::1$/m);
    const { stdout } = check(['addon.yaml', '--fix-dry-run'], actions);
    const [, token = ''] = /^::stop-commands::([\w-]{36})\n/.exec(stdout) ?? [];
    expect(stdout).toBe(`::stop-commands::${token}\n${plain}::${token}::\n`);
    const target = join(folder, 'patched');
    mkdirSync(target);
    copyFileSync(join(folder, 'addon.yaml'), join(target, 'addon.yaml'));
    expect(spawnSync('git', ['apply', '-'], { cwd: target, input: stdout }).status).toBe(0);
    expect(readFileSync(join(target, 'addon.yaml'), 'utf8')).toContain('PreserveOnDelete: true');
  });

  it('who asks for a format, or a file, gets nothing else', () => {
    expect(check(['both.yaml', '--format', 'text'], actions).stdout).toBe(check(['both.yaml']).stdout);
    expect(check(['both.yaml', '--output', 'report.txt'], actions).stdout).toBe('');
  });

  it('the summary of the job is written for --format github alone, after what other steps wrote', () => {
    const summary = join(folder, 'summary.md');
    check(['both.yaml'], { ...actions, GITHUB_STEP_SUMMARY: summary });
    expect(existsSync(summary)).toBe(false);
    appendFileSync(summary, '# Before\n');
    check(['both.yaml', '--format', 'github'], { ...actions, GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, 'utf8')).toMatch(/^# Before\n### eks-guardrails\n\n1 error, [^]*#### `both\.yaml`\n/);
  });

  it('a summary that cannot be written is told, and changes nothing else', () => {
    const { stdout, stderr, exitCode } = check(['both.yaml', '--format', 'github'], {
      ...actions,
      GITHUB_STEP_SUMMARY: folder,
    });
    expect(stderr).toBe(`warning: can't write the summary of the job to ${folder}: it is a folder\n`);
    expect(stdout).toContain('::error file=both.yaml,');
    expect(exitCode).toBe(1);
  });

  it('files are named from the root of the repository, wherever the step runs', () => {
    const { stdout } = check(['error.yaml', '--format', 'github'], actions, join(folder, 'infra'));
    expect(stdout).toContain('::error file=infra/error.yaml,');
  });
});

describe('repositoryAround', () => {
  const nested = join(folder, 'checkout/a/b');
  mkdirSync(nested, { recursive: true });
  mkdirSync(join(folder, 'checkout/.git'));
  symlinkSync(join(folder, 'checkout'), join(folder, 'link'));

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['the nearest folder with .git', {}, 'checkout'],
    ['the checkout of GitHub', { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder }, '.'],
    ['the checkout of GitLab', { GITLAB_CI: 'true', CI_PROJECT_DIR: join(folder, 'checkout/a') }, 'checkout/a'],
    ['a checkout that a link leads to', { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(folder, 'link') }, 'checkout'],
    ['no checkout elsewhere', { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/somewhere/else' }, 'checkout'],
    ['no folder of a system that does not run', { GITHUB_WORKSPACE: folder }, 'checkout'],
  ])('is %s', (_, env, root) => {
    expect(repositoryAround(nested, env)).toMatchObject({ root: join(folder, root), workingFolder: nested });
  });

  it.each<[string, NodeJS.ProcessEnv, readonly string[]]>([
    ['the shell', { PWD: join(folder, 'link/a/b') }, ['link']],
    ['the CI system', { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(folder, 'link') }, ['link']],
    ['a shell elsewhere', { PWD: join(folder, 'checkout/a') }, []],
    ['nobody', { PWD: nested }, []],
  ])('knows what %s calls its root', (_, env, names) => {
    expect(repositoryAround(nested, env).otherRoots).toEqual(names.map((name) => join(folder, name)));
  });
});
