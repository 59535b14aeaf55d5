import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { builtCommand } from './built-command';
import { workspace } from './workspace';

const folder = workspace({
  'a/t.yaml': 'Resources:\n  Cni: {Type: AWS::EKS::Addon, Properties: {ClusterName: a, AddonName: vpc-cni}}\n',
  'b/t.yaml': 'Resources:\n  A: {Type: AWS::SNS::Topic}\n',
  'tf/main.tf':
    'variable "a" {}\nresource "aws_launch_template" "a" {\n  user_data = base64encode(file("${path.module}/ud.sh"))\n}\n',
  'named/x': '',
});

/** Whoever opens a pipe waits for somebody to write to it: the limit of time ends that. */
function run(...args: string[]) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 90_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, signal, told: stdout + stderr };
}

jest.setTimeout(400_000);
const PIPE = 'it is a named pipe, not a file';

(process.platform === 'win32' ? describe.skip : describe)('a named pipe', () => {
  beforeAll(() => {
    builtCommand();
    for (const name of [
      'a/pipe.yaml',
      'b/manifest.json',
      'tf/ud.sh',
      'named/pipe.yaml',
      'named/pipe.json',
      'named/pipe.js',
      'named/pipe.tfvars',
    ])
      execFileSync('mkfifo', [join(folder, name)]);
  });

  it.each([
    ['as an input', ['check', '--no-config', 'named/pipe.yaml']],
    ['as the configuration', ['check', '--config', 'named/pipe.json', 'a/t.yaml']],
    ['as a program with the configuration', ['check', '--config', 'named/pipe.js', 'a/t.yaml']],
    ['as the baseline', ['check', '--no-config', '--baseline', 'named/pipe.json', 'a/t.yaml']],
    ['as values of variables', ['check', '--no-config', '--var-file', 'named/pipe.tfvars', 'tf']],
    ['as user data', ['user-data', 'named/pipe.yaml']],
  ])('is not waited for %s', (_, args) => {
    const { status, signal, told } = run(...args);
    expect({ status, signal }).toEqual({ status: 2, signal: null });
    expect(told).toContain(PIPE);
  });

  it('is told in a folder, whose rest is checked', () => {
    const { signal, told } = run('check', '--no-config', 'a', 'b', 'tf');
    expect(signal).toBeNull();
    expect(told).toContain(`a/pipe.yaml:1:1 and 1 more place\n    not checked: ${PIPE}`);
    expect(told).toMatch(/in 3 inputs, 3 resources\. Not checked: 2 files$/m);
  });
});
