// npm start: installs what is missing, builds, synthesizes both example apps with the real CDK command, and checks their Terraform
// twins, previews of Pulumi, ClusterConfigs of eksctl, manifests, objects of controllers, and the answers of AWS about two clusters. The misconfigured ones must fail with their findings,
// the safe ones must pass; anything else is an error of this script.
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

const misconfigured = {
  'cdk synth': synthesize('misconfigured', 'falls into the pitfalls; synthesis must fail'),
};
const safe = {
  'cdk synth': synthesize('safe', 'the same clusters with the safe constructs; synthesis must pass'),
};
for (const [name, what, wrongPath, rightPath] of [
  ['Terraform', 'the same in Terraform', 'terraform/misconfigured', 'terraform/safe'],
  ['Pulumi', 'a preview of Pulumi', 'pulumi/misconfigured.json', 'pulumi/safe.json'],
  ['eksctl', 'a cluster of eksctl', 'eksctl/misconfigured.yaml', 'eksctl/safe.yaml'],
  ['manifests', 'beside the cluster that they are for', 'kubernetes/misconfigured', 'kubernetes/safe'],
  ['controllers', 'clusters of ACK and Crossplane', 'controllers/misconfigured', 'controllers/safe'],
  ['a cluster that runs', 'what AWS answers about it', 'live/drifting/dump', 'live/healthy'],
]) {
  misconfigured[name] = command(['check', `examples/${wrongPath}`], what);
  safe[name] = command(['check', `examples/${rightPath}`], what);
}
misconfigured.drift = command(
  ['drift', 'examples/live/drifting/main.tf', '--live', 'examples/live/drifting/dump'],
  'what the code does to that cluster',
);

console.log(heading('What happened'));
console.log(`misconfigured: exited with ${statuses(misconfigured)} (expected 1 each)`);
console.log(`safe:          exited with ${statuses(safe)} (expected 0 each)`);
if (Object.values(misconfigured).some((status) => status !== 1)) process.exit(1);
if (Object.values(safe).some((status) => status !== 0)) process.exit(1);

function statuses(outcomes) {
  return Object.entries(outcomes)
    .map(([name, status]) => `${status} (${name})`)
    .join(', ');
}

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
