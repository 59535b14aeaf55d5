import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../cli/built-command';
import { PipelineMachine } from '../cli/pipeline-tools';
import { workspace } from '../cli/workspace';
import { share } from '../share';

const guide = readFileSync(join(projectRoot, 'docs/guides/pipelines.md'), 'utf8');
const commandGuide = readFileSync(join(projectRoot, 'docs/guides/command.md'), 'utf8');

describe('the guide to pipelines', () => {
  const folder = workspace({
    'wrong/run.plan': planOf({ force_update_version: true }),
    'right/run.plan': planOf({ force_update_version: false }),
    'refused.plan': planOf({ ami_type: 'AL2_x86_64', version: '1.35' }),
  });
  const machine = new PipelineMachine(folder);
  // Plans of the test are JSON already.
  machine.program('terraform', '[[ "$1 $2" == "show -json" ]] && cat "$3"');

  function planOf(settings: object): string {
    const values = { cluster_name: 'main', ami_type: 'BOTTLEROCKET_x86_64', ...settings };
    const resource = {
      address: 'aws_eks_node_group.nodes',
      mode: 'managed',
      type: 'aws_eks_node_group',
      name: 'nodes',
      provider_name: 'registry.terraform.io/hashicorp/aws',
    };
    return JSON.stringify({
      format_version: '1.2',
      terraform_version: '1.9.0',
      planned_values: { root_module: { resources: [{ ...resource, values }] } },
      resource_changes: [
        { ...resource, change: { actions: ['create'], before: null, after: values, after_unknown: {} } },
      ],
      configuration: { root_module: { resources: [{ ...resource, expressions: {} }] } },
    });
  }

  interface Step {
    readonly run?: string;
    readonly cmd?: readonly string[];
  }

  interface Workflow {
    readonly plan: { readonly steps: readonly (string | Step)[] };
  }

  /** What a block of the guide that begins with this text holds. */
  function block(language: string, begin: string, page = guide): string {
    const found = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].find(
      ([, name, text = '']) => name === language && text.startsWith(begin),
    );
    return found?.[2] ?? '';
  }

  /** Scripts by their platforms; where the platform names the plan, with the name of a file here. */
  const platforms: Readonly<Record<string, () => { readonly script: string; readonly env?: object }>> = {
    Spacelift: () => {
      const { stack_defaults: defaults } = parse(block('yaml', "version: '1'\n")) as {
        stack_defaults: { after_plan: readonly string[] };
      };
      return { script: defaults.after_plan.join('\n').replace('spacelift.plan', './run.plan') };
    },
    Digger: () => {
      const { projects, workflows } = parse(block('yaml', 'projects:\n')) as {
        projects: readonly { workflow: string }[];
        workflows: Readonly<Record<string, Workflow>>;
      };
      const [init, plan, step] = workflows[projects[0]?.workflow ?? '']?.plan.steps ?? [];
      expect([init, plan]).toEqual(['init', 'plan']);
      return { script: (step as Step).run ?? '', env: { DIGGER_PLANFILE: './run.plan' } };
    },
    Terrateam: () => {
      const { workflows } = parse(block('yaml', 'workflows:\n')) as {
        workflows: readonly { plan: readonly (Step & { type: string })[] }[];
      };
      const steps = workflows[0]?.plan ?? [];
      expect(steps.map(({ type }) => type)).toEqual(['init', 'plan', 'run']);
      const env = { TERRATEAM_TF_CMD: 'terraform', TERRATEAM_PLAN_FILE: './run.plan' };
      const words = (steps.at(-1)?.cmd ?? []).map((word) => filledIn(word, env));
      return { script: words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' '), env };
    },
    Scalr: () => ({
      script: block('bash', '#!/usr/bin/env bash\n').replace('/opt/data/terraform.tfplan.bin', './run.plan'),
      env: { SCALR_TERRAFORM_EXIT_CODE: '0' },
    }),
  };

  /** As `string.Template` of Python, which Terrateam has for it. */
  function filledIn(word: string, env: Readonly<Record<string, string>>): string {
    return word.replace(/\$(?:\{(\w+)\}|([a-z_]\w*)|)/gi, (_, braced?: string, bare?: string) => {
      const value = env[braced ?? bare ?? ''];
      if (value === undefined) throw new Error(`Terrateam finds nothing to fill in: ${word}`);
      return value;
    });
  }

  it.each(share(Object.entries(platforms)))(
    'has steps of %s that fail a run whose plan could not be read, and show what is wrong',
    (_, step) => {
      const { script, env = {} } = step();
      const steps = (cwd: string) => machine.run(script, { cwd, env: { ...env } });

      expect(steps('right')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(steps('wrong').stdout).toContain('node-group-force-update');
      expect(steps('.').exitCode).not.toBe(0);
    },
  );

  it('fails a plan in Atlantis by what the check prints, as its exit code would hide that', () => {
    const { repos, workflows } = parse(block('yaml', 'repos:\n  - id: /', commandGuide)) as {
      repos: readonly { custom_policy_check: boolean; workflow?: string }[];
      workflows: Readonly<Record<string, { policy_check: { steps: readonly [string, Step] } }>>;
    };
    expect(repos[0]?.custom_policy_check).toBe(true);
    const [show, step] = workflows[repos[0]?.workflow ?? 'default']?.policy_check.steps ?? [];
    expect(show).toBe('show');
    const steps = (file: string) => machine.run(step?.run ?? '', { env: { SHOWFILE: join(folder, file) } });

    // Source: runatlantis/atlantis, server/events/project_command_runner.go, doPolicyCheck.
    const isFailure = (output: string) => /[1-9][0-9]* failure|failures": \[/.test(output) || output.startsWith('FAIL');
    for (const [file, fails] of [
      ['right/run.plan', false],
      ['refused.plan', true],
      ['none.plan', true],
    ] as const) {
      const { exitCode, stdout } = steps(file);
      expect({ file, exitCode, fails: isFailure(stdout), isEmpty: stdout === '' }).toEqual({
        file,
        exitCode: 0,
        fails,
        isEmpty: false,
      });
    }
  });

  it('leaves a run of Scalr alone whose plan has failed', () => {
    const { script } = platforms['Scalr']?.() ?? { script: '' };

    expect(machine.run(script, { env: { SCALR_TERRAFORM_EXIT_CODE: '1' } })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect(machine.run(script).exitCode).not.toBe(0);
  });
});
