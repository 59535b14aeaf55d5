import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { JsonReport } from '../../lib/report';
import { projectRoot, runCommand } from './built-command';
import { reportSchema } from './report-schema';
import { workspace } from './workspace';

jest.setTimeout(120_000);

const guide = join(projectRoot, 'docs/guides/command.md');
const readGuide = () => readFileSync(guide, 'utf8');

/** Text of the first code block of a language. */
function codeBlock(language: string): string {
  const [, code = ''] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(readGuide()) ?? [];
  return code;
}

/** UPDATE_GOLDEN=1 puts into the guide what the command prints now. */
function expectInGuide(language: string, actual: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(guide, readGuide().replace(codeBlock(language), () => actual));
  expect(codeBlock(language)).toBe(actual);
}

describe('the guide of the command', () => {
  const folder = workspace({ 'cluster.yaml': codeBlock('yaml') });
  const check = (...args: string[]) => runCommand(['check', 'cluster.yaml', ...args], { cwd: folder });

  it('shows the report that the command prints for its template', () => {
    const { stdout, exitCode } = check();
    expect(exitCode).toBe(1);
    expectInGuide('text', `$ eks-guardrails check cluster.yaml\n${stdout}`);
  });

  it('shows the JSON that the command prints for its template', () => {
    const report = JSON.parse(check('--format', 'json').stdout) as JsonReport;
    const failures = report.findings.filter(({ verdict }) => verdict === 'fail');
    expectInGuide('json', `${JSON.stringify({ ...report, findings: failures }, undefined, 2)}\n`);
    const isValid = new Ajv({ allowUnionTypes: true }).compile(reportSchema);
    isValid(JSON.parse(codeBlock('json')));
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('has every option that the help has', () => {
    const options = [...runCommand(['check', '--help']).stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(options.length).toBeGreaterThan(5);
    for (const option of options) expect(readGuide()).toContain(`\`${option}`);
  });
});
