// npm run bench: what a check costs, as ratios within one run, so that the figures mean the same on every machine. Whole processes are measured by
// the least CPU time of several runs, which other work on the machine changes least.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMonorepo } from '../bench/generate-monorepo.mjs';
import { generateMixedTemplate, generateTemplate } from '../bench/generate-template.mjs';
import { installIfMissing, root, run } from './install.mjs';

installIfMissing();
run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false });

const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-bench-'));
const command = join(root, 'dist', 'lib', 'cli', 'main.js');
try {
  console.log('\ncheck against JSON.parse of the same bytes (goal: at most 5x)');
  const sizes = [1_000, 10_000, 100_000];
  const files = new Map(sizes.map((size) => [size, template(size)]));
  const mixed = template(10_000, generateMixedTemplate);
  for (const { file, resources, bytes } of [...files.values(), mixed]) {
    const { parse, check, findings } = JSON.parse(
      node(['--expose-gc', join(root, 'bench', 'measure-check.mjs'), file, resources > 50_000 ? '5' : '9']).stdout,
    );
    console.log(
      `  ${pad(resources)} resources${file === mixed.file ? ', two in a hundred of EKS' : ''}, ${mib(bytes)}: parse ${ms(parse)}, check ${ms(check)}, ratio ${(check / parse).toFixed(2)}x, ` +
        `${((check / resources) * 1000).toFixed(1)} us per resource, ${findings} findings`,
    );
  }

  console.log('\npeak memory of the command beyond the runtime (goal: under 8x the input at 10,000 resources)');
  const idle = usage(['-e', '0'], 15);
  for (const [, { file, resources, bytes }] of files) {
    const { peak } = usage(check(file), 1);
    console.log(
      `  ${pad(resources)} resources: ${mib(peak - idle.peak)}, ${((peak - idle.peak) / bytes).toFixed(1)}x the input`,
    );
  }

  console.log('\nCPU time of whole commands against node -e 0');
  for (const [name, args, goal] of [
    ['--version', [command, '--version'], 1.3],
    ['rules', [command, 'rules'], 2],
    ['check of 200 resources', check(template(200).file), 2.5],
  ]) {
    const { cpu } = usage(args, 15);
    console.log(
      `  ${name}: ${ms(cpu)} against ${ms(idle.cpu)}, ratio ${(cpu / idle.cpu).toFixed(2)}x (goal: at most ${goal}x)`,
    );
  }

  const monorepo = join(scratch, 'monorepo');
  const { files: written, bytes } = generateMonorepo(monorepo);
  const { cpu, peak } = usage(check(monorepo), 3);
  console.log(
    `\na monorepo of Terraform, ${written} files, ${mib(bytes)}: ${ms(cpu)} of CPU time, ${(cpu / idle.cpu).toFixed(1)}x node -e 0, ` +
      `${mib(peak - idle.peak)} beyond the runtime (goal: at most 1.2 s)`,
  );

  console.log('\nCPU time of a keystroke in 2,000 lines of YAML (goal: under 50 ms)');
  const typing = JSON.parse(node([join(root, 'bench', 'measure-typing.mjs'), scratch]).stdout);
  for (const [name, { fresh, again }] of Object.entries(typing))
    console.log(
      `  ${name}: ${ms(again)}, ${(again / fresh).toFixed(2)} of a check that remembers nothing, ${(again / idle.cpu).toFixed(2)}x node -e 0`,
    );

  console.log(
    '\ntime added to cdk synth, 5 stacks with about 2,000 resources, half of them EKS resources with their launch templates and roles',
  );
  const { file } = template(400);
  const added = JSON.parse(node([join(root, 'bench', 'measure-synth.mjs'), file, '5']).stdout);
  console.log(
    `  ${Object.entries(added)
      .map(([variant, time]) => `${variant} ${ms(time)}`)
      .join(', ')}`,
  );
  for (const door of ['plugin', 'aspect']) {
    console.log(
      `  ${door}: ${(added[door] / added['cdk-nag']).toFixed(2)} of cdk-nag's AwsSolutions (goal: at most ${door === 'plugin' ? 0.5 : 1}), ` +
        `${(added[door] / added.builtin).toFixed(3)} of CDK's own validation${door === 'plugin' ? ' (goal: at most 0.05)' : ''}`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function template(count, generate = generateTemplate) {
  const content = generate(count);
  const file = join(scratch, `${generate.name}-${count}.json`);
  writeFileSync(file, JSON.stringify(content, undefined, 1));
  return { file, resources: Object.keys(content.Resources).length, bytes: statSync(file).size };
}

function node(args) {
  // To read certificates that a machine adds takes longer than Node.js takes to start.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const result = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${result.status}\n${result.stderr}`);
  return result;
}

/** What processes of Node.js take at the least of several runs: CPU time in milliseconds, and the bytes of their largest resident set. */
function usage(args, runs) {
  const taken = Array.from({ length: runs }, () => {
    const { stderr } = node(['-r', join(root, 'bench', 'usage.cjs'), ...args]);
    return JSON.parse(stderr.slice(stderr.lastIndexOf('\n')));
  });
  return { cpu: Math.min(...taken.map((one) => one.cpu)), peak: Math.min(...taken.map((one) => one.peak)) };
}

function check(path) {
  return [command, 'check', path, '--format', 'json', '--output', join(scratch, 'report.json'), '--fail-on', 'never'];
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function mib(bytes) {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function pad(count) {
  return String(count).padStart(7);
}
