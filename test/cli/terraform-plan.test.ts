import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { JsonReport } from '../../lib/reports';
import { withoutDay } from '../as-of';
import { projectRoot, runCommand } from './built-command';
import { reportSchema } from './report-schema';
import { workspace } from './workspace';

const plan = (name: string) => readFileSync(join(projectRoot, 'test/fixtures/terraform', name, 'plan.json'), 'utf8');
const folder = workspace({
  'plan.json': plan('misconfigured'),
  'safe.json': plan('safe'),
  tfplan: 'PK\u0003\u0004\u0000',
});
/** A day on which the version of the recorded plans is in standard support. */
const DAY = '2026-01-15';
const check = (...args: string[]) => runCommand(['check', ...args, '--as-of', DAY], { cwd: folder });
const guideFile = join(projectRoot, 'docs/guides/terraform.md');
const TEXT = /```text\n([^]*?)```\n/;

describe('eks-guardrails check plan.json', () => {
  it('fails for a misconfigured plan, as the guide shows', () => {
    const { stdout, stderr, exitCode } = check('plan.json');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails check plan.json\n${withoutDay(stdout, DAY)}`;
    const guide = readFileSync(guideFile, 'utf8');
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        guide.replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('passes for a safe one', () => {
    expect(check('safe.json')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('gives JSON of the same contract', () => {
    const { stdout } = check('plan.json', '--format', 'json');
    const report = JSON.parse(stdout) as JsonReport;
    const validate = new Ajv({ strict: false }).compile(reportSchema);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(report.inputs).toEqual([{ path: 'plan.json', kind: 'terraform-plan', resources: 8 }]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        rule: 'imds-hop-limit',
        resource: { type: 'aws_launch_template', id: 'aws_launch_template.workers', path: null },
        location: expect.objectContaining({
          file: 'plan.json',
          property: 'metadata_options[0].http_put_response_hop_limit',
        }) as object,
      }),
    );
  });

  it('says how to make JSON of a plan file', () => {
    const { stdout, exitCode } = check('tfplan');
    expect(exitCode).toBe(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('run `terraform show -json FILE > plan.json`');
  });
});
