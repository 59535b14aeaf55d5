import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './built-command';
import { PipelineMachine, type ScriptResult } from './pipeline-tools';
import { nodeGroupTemplate, workspace } from './workspace';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly if?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly run?: string;
    }[];
  };
}
const action = parse(readFileSync(join(projectRoot, 'action.yml'), 'utf8')) as Action;

const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const folder = workspace({
  'templates/one.yaml': bad,
  'templates/two.yaml': bad,
  'good.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
  'broken.yaml': 'Resources: [\n',
});
const machine = new PipelineMachine(folder);

interface StepResult extends ScriptResult {
  readonly outputs: string;
}

/** Runs the step of the action that checks. */
function use(inputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): StepResult {
  const outputs = join(folder, 'outputs');
  rmSync(outputs, { force: true });
  const [step] = action.runs.steps;
  const valueOf = (expression: string) =>
    expression.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
    );
  const variables = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, valueOf(value)]));
  const result = machine.run(step?.run ?? '', {
    env: { ...variables, GITHUB_OUTPUT: outputs, RUNNER_TEMP: folder, ...env },
  });
  return { ...result, outputs: existsSync(outputs) ? readFileSync(outputs, 'utf8') : '' };
}

describe('the action', () => {
  it('fails for findings, and leaves the report for code scanning', () => {
    const { exitCode, stdout, outputs } = use({ paths: 'templates/one.yaml\ntemplates/two.yaml\n' });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/same {2}templates\/two\.yaml:13:11 Template/);
    expect(stdout).toContain('::error ');
    expect(JSON.parse(readFileSync(join(folder, 'eks-guardrails.sarif'), 'utf8'))).toHaveProperty('runs');
    expect(outputs).toBe('sarif-file=./eks-guardrails.sarif\n');
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(`eks-guardrails@${version}\n`);
  });

  it('passes options on, and takes nothing for a command or an option that is none', () => {
    expect(use({ paths: 'good.yaml' }).exitCode).toBe(0);
    expect(use({ paths: 'templates', arguments: '--rule=imds-hop-limit=off' }).exitCode).toBe(0);
    expect(use({ paths: 'templates', 'fail-on': 'never' }).exitCode).toBe(0);
    expect(use({ paths: '$(touch pwned)\n--help', 'fail-on': '' }).exitCode).toBe(2);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('takes lines without the blanks and carriage returns around them', () => {
    const { exitCode, outputs } = use({
      paths: '  good.yaml \r\n\r\n\ttemplates/o*.yaml\r\n',
      arguments: ' --rule=imds-hop-limit=off \r\n',
      'fail-on': 'warning\n',
      'sarif-file': ' out/my report.sarif\n',
      'changed-since': '\n',
    });
    expect({ exitCode, outputs }).toEqual({ exitCode: 0, outputs: 'sarif-file=./out/my report.sarif\n' });
    expect(existsSync(join(folder, 'out/my report.sarif'))).toBe(true);
  });

  it('has no outputs of the making of an input', () => {
    const { exitCode, stdout, outputs } = use({ paths: 'good.yaml', 'sarif-file': 'x.sarif\nupload=true' });
    expect({ exitCode, stdout, outputs }).toEqual({
      exitCode: 2,
      stdout: '::error title=eks-guardrails::the input sarif-file takes the name of one file\n',
      outputs: '',
    });
  });

  it('tells nothing of an earlier use in the same job', () => {
    expect(use({ paths: 'templates' }).stdout).toContain('::error ');
    const { exitCode, stdout, outputs } = use({ paths: 'good.yaml', arguments: '--bogus', 'upload-sarif': 'true' });
    expect({ exitCode, stdout, outputs }).toEqual({ exitCode: 2, stdout: '', outputs: '' });
    expect(use({ paths: 'good.yaml', 'upload-sarif': 'true', version: 'unreachable' })).toMatchObject({
      exitCode: 1,
      stdout: '',
      outputs: '',
    });
  });
});

describe('the upload to code scanning', () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'begin');
  const upload = { 'upload-sarif': 'true' };

  it.each([
    ['a clean report', { paths: 'good.yaml' }, {}, 0, true],
    ['findings', { paths: 'templates' }, {}, 1, true],
    ['what was not asked for', { paths: 'good.yaml', 'upload-sarif': 'false' }, {}, 0, false],
    ['a part, as not everything could be read', { paths: 'good.yaml\nbroken.yaml' }, {}, 2, false],
    [
      'the changes of a branch',
      { paths: 'good.yaml', 'changed-since': 'HEAD' },
      { GITHUB_REF: 'refs/heads/main' },
      0,
      false,
    ],
    [
      'the changes of a pull request',
      { paths: 'good.yaml', 'changed-since': 'HEAD' },
      { GITHUB_REF: 'refs/pull/1/merge' },
      0,
      true,
    ],
  ])('%s', (_, inputs: Readonly<Record<string, string>>, env, code, isUploaded) => {
    const { exitCode, stdout, outputs } = use({ ...upload, ...inputs }, env);
    expect({ exitCode, isUploaded: outputs.includes('upload=true') }).toEqual({ exitCode: code, isUploaded });
    expect(stdout.includes('::warning title=eks-guardrails::not uploaded')).toBe(
      !isUploaded && inputs['upload-sarif'] === undefined,
    );
    expect(action.runs.steps[1]?.if).toBe("${{ !cancelled() && steps.check.outputs.upload == 'true' }}");
  });
});
