import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { packageVersion } from '../../lib/version';
import { projectRoot } from './built-command';
import { PipelineMachine, type ScriptResult } from './pipeline-tools';
import { nodeGroupTemplate, workspace } from './workspace';

const FILE = join(projectRoot, 'templates/check.yml');

interface Inputs {
  readonly spec: { readonly inputs: Readonly<Record<string, { readonly default: string }>> };
}

interface Jobs {
  readonly 'eks-guardrails': {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: { readonly codequality: string } };
  };
}

describe('the component of GitLab', () => {
  const [head, body] = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document) => document.toJS() as unknown);
  const { inputs } = (head as Inputs).spec;
  const job = (body as Jobs)['eks-guardrails'];
  const folder = workspace({
    'infra/nodes.yaml': nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']),
    'two words/nodes.yaml': nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 2']),
  });
  const machine = new PipelineMachine(folder);
  const report = join(folder, job.artifacts.reports.codequality);

  /** As GitLab does it: inputs go into the text, and what begins the script is the variables. */
  function run(given: Readonly<Record<string, string>>): ScriptResult {
    const env = Object.entries(job.variables).map(([name, value]) => [
      name,
      value.replace(
        /^\$\[\[ inputs\.([\w-]+) \]\]$/,
        (_, input: string) => given[input] ?? inputs[input]?.default ?? '',
      ),
    ]);
    return machine.run(job.script.join('\n'), { env: Object.fromEntries(env) as NodeJS.ProcessEnv });
  }

  it('checks all paths, and leaves the report that it names', () => {
    const { exitCode, stdout } = run({ paths: 'infra\ntwo words\n' });

    expect(exitCode).toBe(1);
    expect(stdout).toContain('in 2 inputs');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toContainEqual(
      expect.objectContaining({ check_name: 'imds-hop-limit' }),
    );
  });

  it('passes what is right, and what nobody wants to fail', () => {
    expect(run({ paths: 'two words' }).exitCode).toBe(0);
    expect(run({ 'fail-on': 'never' }).exitCode).toBe(0);
  });

  it('takes no commands from its inputs', () => {
    run({
      paths: '$(touch bad1)\n; touch bad2',
      version: `${packageVersion()}"; touch bad3; "`,
      'fail-on': '`touch bad4`',
    });

    expect(['bad1', 'bad2', 'bad3', 'bad4'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });

  it('is of this version', () => {
    expect(inputs['version']?.default).toBe(packageVersion());
  });
});
