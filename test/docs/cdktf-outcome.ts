import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdktf';
import { checkPaths } from 'eks-guardrails';
import type { ExampleOutcome } from './run-examples';

const LEVELS: Readonly<Partial<Record<string, 'fails' | 'warns'>>> = {
  error: 'fails',
  '@cdktf/error': 'fails',
  warning: 'warns',
  '@cdktf/warn': 'warns',
};

/** Synthesizes an app of CDKTF or CDK Terrain, which know each other's apps, and writes down what came out. */
export function judgeTerraformApp(app: App, outcome: ExampleOutcome): void {
  const printed: string[] = [];
  const print = console.error;
  console.error = (text: unknown) => void printed.push(String(text));
  try {
    app.synth();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    outcome.synthesisFailed = name === 'EksGuardrailsError' || message.includes('Annotations with level "ERROR"');
    if (outcome.synthesisFailed) printed.push(message);
    else outcome.thrown = message;
  } finally {
    console.error = print;
  }
  const annotations = app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => [type, String(data)] as const));
  const reported = [...printed.join('\n').matchAll(/^\[(error|warning|info)\] \S+: ([a-z0-9-]+): /gm)].map(
    ([, level = '', rule = '']) => [level, rule] as const,
  );
  const annotated = annotations.flatMap(([type, text]) =>
    LEVELS[type] === undefined ? [] : [[type, text.split(': ', 1).join()] as const],
  );
  for (const [level, rule] of [...reported, ...annotated]) {
    const list = LEVELS[level];
    if (list !== undefined) outcome[list].push(rule);
  }
  outcome.door = reported.length > 0 ? 'plugin' : annotated.length > 0 ? 'aspect' : 'command';
  if (outcome.synthesisFailed) return;
  const { findings } = checkPaths([app.outdir]);
  outcome.accepts.push(...findings.filter(({ suppressed }) => suppressed !== undefined).map(({ rule }) => rule));
  outcome.unverifiable.push(
    ...findings
      .filter(({ verdict, suppressed }) => verdict === 'unverifiable' && suppressed === undefined)
      .map(({ rule }) => rule),
  );
  if (outcome.door !== 'command') return;
  for (const { rule, verdict, severity, suppressed } of findings) {
    if (suppressed !== undefined || verdict === 'unverifiable') continue;
    if (severity === 'error') outcome.fails.push(rule);
    else if (severity === 'warning') outcome.warns.push(rule);
  }
}

/** Apps take their output folder from the environment when they are made. */
export function withOutputFolder<T>(work: () => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-docs-out-'));
  process.env['CDKTF_OUTDIR'] = folder;
  try {
    return work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function isTerraformApp(root: unknown): root is App {
  return App.isApp(root);
}
