// npm start: installs what is missing, builds, synthesizes both example apps with the real CDK command, and checks their Terraform
// twins. The misconfigured ones must fail with their findings, the safe ones must pass; anything else is an error of this script.
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

const [misconfiguredTerraform, safeTerraform] = ['misconfigured', 'safe'].map(checkTerraform);

console.log(heading('What happened'));
console.log(
  `misconfigured: cdk synth exited with ${misconfigured} (expected 1), the check of Terraform with ${misconfiguredTerraform} (expected 1)`,
);
console.log(
  `safe:          cdk synth exited with ${safe} (expected 0), the check of Terraform with ${safeTerraform} (expected 0)`,
);
if (misconfigured !== 1 || safe !== 0 || misconfiguredTerraform !== 1 || safeTerraform !== 0) process.exit(1);

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

function checkTerraform(example) {
  const folder = `examples/terraform/${example}`;
  console.log(heading(`${folder}: the same in Terraform`));
  console.log(`$ npx eks-guardrails check ${folder}\n`);
  return spawnSync(process.execPath, [join(root, 'dist', 'lib', 'cli', 'main.js'), 'check', folder], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status;
}

function heading(text) {
  return `\n${'─'.repeat(text.length)}\n${text}\n${'─'.repeat(text.length)}`;
}
