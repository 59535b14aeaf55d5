// npm run bench: what a check costs, as ratios within one run, so that the figures mean the same on every machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateTemplate } from '../bench/generate-template.mjs';
import { installIfMissing, root, run } from './install.mjs';

installIfMissing();
run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false });

const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-bench-'));
const command = join(root, 'dist', 'lib', 'cli', 'main.js');
try {
  console.log('\ncheck against JSON.parse of the same bytes (goal: at most 3x)');
  const sizes = [1_000, 10_000, 100_000];
  const files = new Map(sizes.map((size) => [size, template(size)]));
  for (const [size, { file, resources, bytes }] of files) {
    const { parse, check, findings } = JSON.parse(
      node(['--expose-gc', join(root, 'bench', 'measure-check.mjs'), file, size > 50_000 ? '5' : '9']).stdout,
    );
    console.log(
      `  ${pad(resources)} resources, ${mib(bytes)}: parse ${ms(parse)}, check ${ms(check)}, ratio ${(check / parse).toFixed(2)}x, ` +
        `${((check / resources) * 1000).toFixed(1)} us per resource, ${findings} findings`,
    );
  }

  console.log('\npeak memory of the command beyond the runtime (goal: under 8x the input)');
  const idle = peakMemory(['-e', '0']);
  for (const [, { file, resources, bytes }] of files) {
    const peak = peakMemory([
      command,
      'check',
      file,
      '--format',
      'json',
      '--output',
      join(scratch, 'report.json'),
      '--fail-on',
      'never',
    ]);
    console.log(`  ${pad(resources)} resources: ${mib(peak - idle)}, ${((peak - idle) / bytes).toFixed(1)}x the input`);
  }

  console.log('\nstart-up of the command against node -e 0 (goal: at most 2.5x)');
  const bare = medianTime(['-e', '0'], 15);
  for (const args of [['--version'], ['rules']]) {
    const started = medianTime([command, ...args], 15);
    console.log(
      `  eks-guardrails ${args.join(' ')}: ${ms(started)} against ${ms(bare)}, ratio ${(started / bare).toFixed(2)}x`,
    );
  }

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
      `  ${door}: ${(added[door] / added['cdk-nag']).toFixed(2)} of cdk-nag's AwsSolutions (goal: at most 0.1), ` +
        `${(added[door] / added.builtin).toFixed(3)} of CDK's own validation (goal: at most 0.02)`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function template(count) {
  const content = generateTemplate(count);
  const file = join(scratch, `template-${count}.json`);
  writeFileSync(file, JSON.stringify(content, undefined, 1));
  return { file, resources: Object.keys(content.Resources).length, bytes: statSync(file).size };
}

function node(args) {
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${result.status}\n${result.stderr}`);
  return result;
}

/** Largest resident set of a Node.js process, told by itself as it ends. */
function peakMemory(args) {
  const reporter =
    'data:text/javascript,process.on("exit",()=>process.stderr.write(`\\npeak=${process.resourceUsage().maxRSS}`))';
  const match = /peak=(\d+)\s*$/.exec(node(['--import', reporter, ...args]).stderr);
  return Number(match[1]) * 1024;
}

function medianTime(args, runs) {
  const times = Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    node(args);
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
  return median(times);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
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
