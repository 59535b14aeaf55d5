// npm start: installs what is missing, builds, synthesizes both example apps with the real CDK command, and checks their Terraform
// twins, ClusterConfigs of eksctl, and the answers of AWS about two clusters. The misconfigured ones must fail with their findings, the safe ones must pass; anything else is an error of this script.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AS_OF } from './as-of.js';
import { installIfMissing, root, run } from './install.mjs';

installIfMissing();
run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false });

console.log(
  `\nThe examples are judged as of ${AS_OF} (EKS_GUARDRAILS_AS_OF), whatever day it is: some day their Kubernetes versions leave standard support.`,
);

const misconfigured = synthesize('misconfigured', 'falls into the pitfalls; synthesis must fail');
const safe = synthesize('safe', 'the same clusters with the safe constructs; synthesis must pass');

const [misconfiguredTerraform, safeTerraform] = ['misconfigured', 'safe'].map((example) =>
  check(`examples/terraform/${example}`, 'the same in Terraform'),
);
const [misconfiguredConfig, safeConfig] = ['misconfigured', 'safe'].map((example) =>
  check(`examples/eksctl/${example}.yaml`, 'a cluster of eksctl'),
);

const [driftingCluster, healthyCluster] = ['drifting/dump', 'healthy'].map((example) =>
  check(`examples/live/${example}`, 'what AWS answers about a cluster that runs'),
);
const drift = command(
  ['drift', 'examples/live/drifting/main.tf', '--live', 'examples/live/drifting/dump'],
  'what the code does to that cluster',
);

console.log(heading('What happened'));
console.log(
  `misconfigured: cdk synth exited with ${misconfigured} (expected 1), the checks of Terraform, eksctl and a cluster with ${misconfiguredTerraform}, ${misconfiguredConfig} and ${driftingCluster}, drift with ${drift} (expected 1)`,
);
console.log(
  `safe:          cdk synth exited with ${safe} (expected 0), the checks of Terraform, eksctl and a cluster with ${safeTerraform}, ${safeConfig} and ${healthyCluster} (expected 0)`,
);
if ([misconfigured, misconfiguredTerraform, misconfiguredConfig, driftingCluster, drift].some((status) => status !== 1))
  process.exit(1);
if ([safe, safeTerraform, safeConfig, healthyCluster].some((status) => status !== 0)) process.exit(1);

function synthesize(example, purpose) {
  const output = mkdtempSync(join(tmpdir(), `eks-guardrails-${example}-`));
  console.log(heading(`examples/aws-cdk/${example}: ${purpose}`));
  console.log(`$ npx cdk synth -c example=${example}\n`);
  const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const result = spawnSync(
    process.execPath,
    [cdk, 'synth', '--quiet', '-c', `example=${example}`, '--output', output, '--no-notices'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    },
  );
  rmSync(output, { recursive: true, force: true });
  return result.status;
}

function check(path, what) {
  return command(['check', path], what);
}

function command(args, what) {
  console.log(heading(`${args[1]}: ${what}`));
  console.log(`$ npx eks-guardrails ${args.join(' ')}\n`);
  return spawnSync(process.execPath, [join(root, 'dist', 'lib', 'cli', 'main.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status;
}

function heading(text) {
  return `\n${'─'.repeat(text.length)}\n${text}\n${'─'.repeat(text.length)}`;
}
