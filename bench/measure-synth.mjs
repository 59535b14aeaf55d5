// Child process of the benchmark: synthesizes an app with many EKS resources and times the validations inside it. Prints JSON.
// The time is taken around each validation's own entry points, because the difference of two whole syntheses drowns in their noise.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { App, Aspects, CloudFormationValidatePlugin, Stack, Validations } = require('aws-cdk-lib');
const { CfnInclude } = require('aws-cdk-lib/cloudformation-include');
const { AwsSolutionsChecks } = require('cdk-nag');
const { EksGuardrails, EksGuardrailsAspect } = require('../dist/constructs/aws-cdk/index.js');
const [templateFile, stacks] = [process.argv[2], Number(process.argv[3])];

const times = { plugin: 0, aspect: 0, 'cdk-nag': 0, builtin: 0 };
timed(EksGuardrails.prototype, 'validate', 'plugin');
timed(EksGuardrailsAspect.prototype, 'visit', 'aspect');
timed(EksGuardrailsAspect.prototype, 'judge', 'aspect');
timed(AwsSolutionsChecks.prototype, 'validate', 'cdk-nag');
timed(CloudFormationValidatePlugin.prototype, 'validate', 'builtin');

const rounds = 3;
const results = [];
for (let round = 0; round < rounds; round++) results.push(synthesize());
console.log(
  JSON.stringify(
    Object.fromEntries(Object.keys(times).map((name) => [name, median(results.map((result) => result[name]))])),
  ),
);

function synthesize() {
  const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-bench-'));
  for (const name of Object.keys(times)) times[name] = 0;
  const app = new App({ outdir, analyticsReporting: false });
  for (let index = 0; index < stacks; index++) {
    const stack = new Stack(app, `Stack${index}`);
    new CfnInclude(stack, 'Resources', { templateFile });
  }
  Validations.of(app).addPlugins(new EksGuardrails({ failOn: 'never' }), new AwsSolutionsChecks(app));
  Aspects.of(app).add(new EksGuardrailsAspect({ failOn: 'never' }));
  const log = console.error;
  console.error = () => {};
  try {
    app.synth();
  } catch (error) {
    // Findings end a synthesis after everything was validated, so the times are whole.
    if (!/Validation failed/.test(String(error))) throw error;
  } finally {
    console.error = log;
    process.exitCode = 0;
    rmSync(outdir, { recursive: true, force: true });
  }
  return { ...times };
}

function timed(prototype, method, name) {
  const original = prototype[method];
  if (typeof original !== 'function') throw new Error(`${name} has no ${method} any more; the benchmark must follow`);
  prototype[method] = function (...args) {
    const start = process.hrtime.bigint();
    try {
      return original.apply(this, args);
    } finally {
      times[name] += Number(process.hrtime.bigint() - start) / 1e6;
    }
  };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
