import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedNote } from '../../needs';

const plugins = process.env['EKS_GUARDRAILS_TERRAFORM_PLUGINS'];

/** Whether plans can be made here: there is a folder of provider plugins, and `terraform` is on the PATH. */
export const canPlan = plugins !== undefined && spawnSync('terraform', ['version']).status === 0;

/** For the names of tests that need plans. */
export const IF_PLANNED = skippedNote(
  canPlan
    ? undefined
    : 'set EKS_GUARDRAILS_TERRAFORM_PLUGINS to a folder of provider plugins, with terraform on the PATH',
);

/** Starts the real Terraform in a folder. */
function terraformIn(folder: string): (...args: string[]) => string {
  return (...args) => {
    const { status, stdout, stderr } = spawnSync('terraform', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CHECKPOINT_DISABLE: '1' },
      maxBuffer: 1e8,
    });
    // What is wrong is in the JSON then.
    if (status !== 0 && args.join() !== 'validate,-json') throw new Error(`terraform ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
}

const INIT = ['init', '-input=false', '-no-color', `-plugin-dir=${plugins ?? ''}`];

/** What the real Terraform says against a configuration, as `file summary: detail`. The folder keeps what Terraform brings there. */
export function validateFolder(folder: string): string[] {
  const run = terraformIn(folder);
  run(...INIT);
  const { diagnostics } = JSON.parse(run('validate', '-json')) as {
    diagnostics: { severity: string; summary: string; detail: string; range?: { filename: string } }[];
  };
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ range, summary, detail }) => `${range?.filename ?? ''} ${summary}: ${detail}`);
}

/** The plan that the real Terraform makes of a folder, which stays as it is. */
export function planOfFolder(source: string): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'terraform-'));
  try {
    cpSync(source, folder, { recursive: true });
    const run = terraformIn(folder);
    run(...INIT);
    run('validate', '-no-color');
    // What exists is written by hand, and nobody is to ask AWS for it.
    const known = existsSync(join(folder, 'terraform.tfstate')) ? ['-refresh=false'] : [];
    run('plan', '-input=false', '-no-color', '-out=made', ...known);
    return JSON.parse(run('show', '-json', 'made')) as Record<string, unknown>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The parts of a plan that depend on the configuration alone. */
export const PLAN_PARTS = ['resource_changes', 'planned_values', 'configuration'] as const;
