// Runs compiled examples of the docs one after the other, synthesizes the apps that they make, and writes down what came out.
// Usage: node run-examples.js RESULT.json EXAMPLE.js…; with strict: before its name, the strict preset is asked of an example, too
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkPaths } from 'eks-guardrails';
import { isTerraformApp, judgeTerraformApp, withOutputFolder } from './cdktf-outcome';

/** What running an example led to. */
export interface ExampleOutcome {
  thrown: string | undefined;
  /** Which of the library's doors reported the findings; `command` if the example uses none. */
  door: 'plugin' | 'aspect' | 'command' | undefined;
  /** Whether `app.synth()` stopped with findings. */
  synthesisFailed: boolean;
  fails: string[];
  warns: string[];
  unverifiable: string[];
  accepts: string[];
  /** What the strict preset says, for examples that claim that it says nothing. */
  strict: string[];
}

interface ValidationReport {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly {
      readonly ruleName: string;
      readonly severity: string;
      readonly ruleMetadata?: { readonly verdict?: string };
    }[];
    readonly suppressedViolations?: readonly { readonly ruleName: string }[];
  }[];
}

function run(file: string, isStrict: boolean): ExampleOutcome {
  const outcome: ExampleOutcome = {
    thrown: undefined,
    door: undefined,
    synthesisFailed: false,
    fails: [],
    warns: [],
    unverifiable: [],
    accepts: [],
    strict: [],
  };
  let root: unknown;
  try {
    const { exampleScope } = createRequire(__filename)(resolve(file)) as { exampleScope?: unknown };
    root = Construct.isConstruct(exampleScope) ? exampleScope.node.root : undefined;
  } catch (error) {
    outcome.thrown = error instanceof Error ? error.message : String(error);
  }
  if (Stage.isStage(root)) judge(root, outcome);
  else if (isTerraformApp(root)) judgeTerraformApp(root, outcome);
  if (isStrict && Stage.isStage(root))
    outcome.strict.push(
      ...checkPaths([root.outdir], { preset: 'strict' }).findings.flatMap(({ rule, verdict, suppressed }) =>
        verdict === 'fail' && suppressed === undefined ? [rule] : [],
      ),
    );
  for (const list of [outcome.fails, outcome.warns, outcome.unverifiable, outcome.accepts])
    list.splice(0, list.length, ...[...new Set(list)].sort());
  return outcome;
}

function judge(root: Stage, outcome: ExampleOutcome): void {
  const annotations: string[] = [];
  try {
    for (const { messages } of root.synth().stacksRecursively) {
      for (const { level, entry } of messages) {
        const [, rule] =
          /EksGuardrails::([a-z0-9-]+)[\])]$/.exec(typeof entry.data === 'string' ? entry.data : '') ?? [];
        if (rule === undefined) continue;
        annotations.push(rule);
        const found: Partial<Record<string, string[]>> = { error: outcome.fails, warning: outcome.warns };
        found[level]?.push(rule);
      }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name !== 'ValidationFailed') {
      outcome.thrown = error.message;
      return;
    }
    outcome.synthesisFailed = true;
  }
  const { findings } = checkPaths([root.outdir]);
  outcome.accepts.push(...findings.filter(({ suppressed }) => suppressed !== undefined).map(({ rule }) => rule));
  const path = join(root.outdir, 'validation-report.json');
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ValidationReport) : undefined;
  const own = report?.pluginReports.find(({ pluginName }) => pluginName === 'EksGuardrails');
  if (own !== undefined) {
    outcome.door = 'plugin';
    for (const { ruleName, severity, ruleMetadata } of own.violations) {
      const rule = ruleName.replace(/^EksGuardrails-/, '');
      if (severity === 'error') outcome.fails.push(rule);
      else if (severity === 'warning') outcome.warns.push(rule);
      else if (ruleMetadata?.verdict === 'unverifiable') outcome.unverifiable.push(rule);
    }
    outcome.accepts.push(...(own.suppressedViolations ?? []).map(({ ruleName }) => ruleName));
    return;
  }
  outcome.door = annotations.length > 0 ? 'aspect' : 'command';
  if (outcome.door === 'aspect') return;
  for (const { rule, verdict, severity, suppressed } of findings) {
    if (suppressed !== undefined) continue;
    if (verdict === 'unverifiable') outcome.unverifiable.push(rule);
    else if (severity === 'error') outcome.fails.push(rule);
    else if (severity === 'warning') outcome.warns.push(rule);
  }
}

const [, , result, ...files] = process.argv;
if (result !== undefined) {
  writeFileSync(
    result,
    JSON.stringify(
      Object.fromEntries(
        files.map((argument) => {
          const file = argument.replace(/^strict:/, '');
          return [file, withOutputFolder(() => run(file, file !== argument))];
        }),
      ),
    ),
  );
  // A failed validation has set it.
  process.exitCode = 0;
}
