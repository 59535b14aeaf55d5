import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../built-command';
import { workspace } from '../workspace';

const SCRIPT = '#!/bin/bash\n/etc/eks/bootstrap.sh main\n';
const MIME = `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="B"\r\n\r\n--B\r\nContent-Type: text/x-shellscript\r\n\r\n${SCRIPT.replaceAll('\n', '\r\n')}--B--\r\n`;
const COMMENT = '# eks-guardrails:ignore user-data-ami-family -- replaced soon';
const folder = workspace({
  'script.sh': SCRIPT,
  'mime.txt': MIME,
  'settings.toml': '[settings.kubernetes]\nmax-pods = 8\n',
  'windows.txt': '<powershell>\n/etc/eks/bootstrap.sh main\n</powershell>',
  'settings.json':
    '{"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": {"cluster": {"name": "a"}}}\n',
  'packed.txt': `${Buffer.from(SCRIPT).toString('base64')}\n`,
  'fine.txt': MIME.replace('/etc/eks/bootstrap.sh main', 'yum install -y jq'),
  'template.yaml':
    'Resources:\n  Nodes: { Type: AWS::EC2::LaunchTemplate, Properties: { LaunchTemplateData: { UserData: eA== } } }\n',
});
const run = (file: string, ...options: readonly string[]) =>
  runCommand(['user-data', file, '--family', 'al2023', '--bootstrap', 'user', ...options], { cwd: folder });
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

describe('user-data --suppress', () => {
  it.each([
    ['script.sh', SCRIPT.replace('\n', `\n${COMMENT}\n`)],
    ['mime.txt', MIME.replace('\n--B', `\n${COMMENT}\r\n--B`)],
    ['settings.toml', `${COMMENT}\n[settings.kubernetes]\nmax-pods = 8\n`],
    ['windows.txt', `<powershell>\n${COMMENT}\n/etc/eks/bootstrap.sh main\n</powershell>`],
  ])('accepts what is found in %s, below what has to come first', (file, expected) => {
    const before = textOf(file);
    expect(run(file).exitCode).toBe(1);
    const dry = run(file, '--suppress-dry-run', '--reason', 'replaced soon');
    expect(dry.stdout).toContain(`+${COMMENT}`);
    expect(dry.stderr).toBe(`would suppress 1 finding in 1 file: ${file}\n`);
    expect(textOf(file)).toBe(before);
    const { exitCode, stderr, stdout } = run(file, '--suppress', '--reason', 'replaced  soon');
    expect([exitCode, stderr]).toEqual([0, `suppressed 1 finding in 1 file: ${file}\n`]);
    expect(stdout).toContain('1 suppressed in 1 input');
    expect(textOf(file)).toBe(expected);
    expect(run(file).exitCode).toBe(0);
  });

  it('writes nothing where nothing is found, or where no comment can stand', () => {
    for (const [file, note, exitCode] of [
      ['fine.txt', 'suppressed nothing\n', 0],
      ['settings.json', 'not suppressed: a comment in settings.json would not cover it\n', 1],
    ] as const) {
      const before = textOf(file);
      const result = run(
        file,
        '--suppress',
        '--reason',
        'so be it',
        '--bootstrap',
        file === 'fine.txt' ? 'eks' : 'user',
      );
      expect([result.stderr, result.exitCode]).toEqual([note, exitCode]);
      expect(textOf(file)).toBe(before);
    }
  });

  it.each([
    ['script.sh', [], '--suppress needs --reason TEXT, which tells the next reader why the findings are accepted'],
    ['script.sh', ['--reason', 'x', '--until', '2020-01-01'], '--until 2020-01-01 has passed'],
    ['-', ['--reason', 'x'], '--suppress changes files, not the standard input'],
    ['packed.txt', ['--reason', 'x'], 'packed.txt is no plain text; unpack it to write a comment into it'],
    [
      'template.yaml',
      ['--reason', 'x'],
      'template.yaml is no lone file of user data; check --suppress writes into templates',
    ],
  ])('refuses %s with %j', (file, options, message) => {
    const { exitCode, stderr } = run(file, '--suppress', ...options);
    expect([exitCode, stderr]).toEqual([2, `error: ${message}\n`]);
  });
});
